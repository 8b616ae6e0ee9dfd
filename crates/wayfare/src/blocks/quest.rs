//! The input of the searches for a path.

use super::{BlockBox, Cell};

/// A search request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quest {
    pub(super) start: Cell,
    pub(super) goal: BlockBox,
    pub(super) max_nodes: u32,
}
