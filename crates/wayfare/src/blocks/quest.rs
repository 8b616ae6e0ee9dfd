//! What the searches for a path are asked.

use super::{BlockBox, Cell};

/// A question to the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quest {
    pub(super) start: Cell,
    pub(super) goal: BlockBox,
    pub(super) max_nodes: u32,
}
