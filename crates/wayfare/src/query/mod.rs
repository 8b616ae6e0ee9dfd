//! Questions to an immutable mesh.
