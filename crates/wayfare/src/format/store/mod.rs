//! Tile stores: a mesh that need not fit in memory, tile by tile.
//!
//! ```text
//!   head      layout, off-mesh connections, area types:          a .way file without tiles
//!   records   one a tile: the tile, what is kept beside it (its   a .way file of one tile, or of a place
//!             part of an abstract graph), the key that it was     without ground
//!             made from
//!   index     of each record: place, where it is, digests, key    64 bytes a tile
//! ```
//!
//! Whoever keeps the bytes is a [`WorldStore`]: memory ([`MemoryStore`]), a file or a folder (the crate
//! `wayfare-store`), or anything that a user plugs in. This module says what the bytes are, and what a reader has to
//! check; it opens no files.
//!
//! A store of one file is written in place, and may be cut off at any moment: [`PackedHead`], [`RecordHead`] and
//! [`IndexBlock`] say how it is found again what was whole.

mod entry;
mod head;
mod index_block;
mod load;
mod memory_store;
mod packed_head;
mod record;
mod store_error;
mod store_index;
mod world_store;

pub use entry::StoreEntry;
pub use head::StoreHead;
pub use index_block::{BlockRange, IndexBlock, IndexError};
pub use load::load_store;
pub use memory_store::MemoryStore;
pub use packed_head::{PackedHead, RecordHead, RecordKind, is_packed_store};
pub use record::{StoreRecord, StoredTile};
pub use store_error::StoreError;
pub use store_index::StoreIndex;
pub use world_store::WorldStore;
