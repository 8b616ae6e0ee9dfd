//! The bytes of whole meshes: files, and states beside them.
//!
//! A mesh is saved as a `.way` file ([`NavMesh::to_bytes`](crate::mesh::NavMesh::to_bytes)) or written tile by tile as
//! it is baked ([`WayStream`]), also with what is kept beside it ([`WayFile`]), and one tile of it is read alone
//! ([`WayDirectory`]); what changed since, as a delta or the
//! state of one tile; and meshes go to and come from Detour
//! ([`NavMesh::from_detour`](crate::mesh::NavMesh::from_detour)). A mesh that does not fit in memory is a
//! [`WorldStore`]: records of tiles and an index of them. Everything here is memory to memory.

mod detour;
#[cfg(test)]
mod hostile_bytes;
#[cfg(test)]
mod hostile_files;
#[cfg(test)]
mod hostile_tests;
mod restore_error;
mod state;
mod state_kind;
mod store;
mod way;

pub use detour::{DetourReadError, DetourRefs, DetourTileError, DetourWriteError, RefBits, is_detour_file};
pub use restore_error::RestoreError;
pub use state_kind::StateKind;
pub use store::{
    BlockRange, IndexBlock, IndexError, MemoryStore, PackedHead, RecordHead, RecordKind, StoreEntry, StoreError,
    StoreHead, StoreIndex, StoredTile, TileRecord, WorldStore, is_packed_store, load_store,
};
pub use way::{
    FilePart, FileRange, MeshSlots, ReadError, Section, SectionEntry, Sections, SlotEntry, SlotListError, TileEntry,
    TileSections, WayDirectory, WayEnd, WayFile, WayStream, WriteError, digest_of, is_way_file,
};
