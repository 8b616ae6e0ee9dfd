//! wayfare-testkit.
