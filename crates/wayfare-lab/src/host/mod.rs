//! Runs prototypes: one by one or in pairs, forwards and back, recorded and replayed.

use crate::prototype::Entry;

/// The length of a tick, seconds.
pub const TICK: f32 = 1.0 / 60.0;

/// All prototypes, by file name.
#[must_use]
pub fn all() -> &'static [Entry] {
    crate::prototypes::ALL
}

/// The prototype of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    all().iter().find(|entry| entry.name == name)
}
