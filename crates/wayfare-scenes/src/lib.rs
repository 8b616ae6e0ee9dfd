//! wayfare-scenes.
