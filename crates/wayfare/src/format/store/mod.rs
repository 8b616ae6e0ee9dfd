//! Tile stores: meshes that need not fit in memory, stored tile by tile.
//!
//! ```text
//!   head      layout, off-mesh connections, area types:          a .way file without tiles
//!   records   one a tile: the tile, what is kept beside it (its   a .way file of one tile, or of a place
//!             part of an abstract graph), the key that it was     without ground
//!             made from
//!   index     of each record: place, where it is, digests, key    64 bytes a tile
//! ```
//!
//! The bytes are held by a [`WorldStore`]: in memory ([`MemoryStore`]), in a file or a folder (the crate
//! `wayfare-store`), or in anything that a user implements. This module defines the bytes and what a reader must check;
//! it opens no files.
//!
//! A store in one file is written in place, and writing may stop at any moment: [`PackedHead`], [`RecordHead`] and
//! [`IndexBlock`] make it possible to find everything that was complete.

mod entry;
mod head;
mod index_block;
mod load;
mod memory_store;
mod packed_head;
mod record;
mod store_error;
mod store_index;
mod world_difference;
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
pub use world_difference::WorldDifference;
pub use world_store::WorldStore;
