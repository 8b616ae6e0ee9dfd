//! Tiles connected into a mesh that can be asked and changed.
