//! File formats of meshes, and stored states.
//!
//! A mesh is saved as a `.way` file ([`NavMesh::to_bytes`](crate::mesh::NavMesh::to_bytes)), optionally with data kept
//! beside it ([`WayFile`]), or written tile by tile while it is baked ([`WayStream`]); single tiles of a file can be
//! read ([`WayDirectory`]). Changes since the bake are saved as a delta or as the state of one tile. Meshes can be
//! exchanged with Detour ([`NavMesh::from_detour`](crate::mesh::NavMesh::from_detour)). A mesh that does not fit in
//! memory is kept in a [`WorldStore`]: records of tiles, and an index of them. Everything here works in memory; nothing
//! opens files.

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
pub(crate) use state::{
    begun, finished, read_connections, read_state, set_connections, short, unsealed, write_connections, write_state,
};
pub use state_kind::StateKind;
pub use store::{
    BlockRange, IndexBlock, IndexError, MemoryStore, PackedHead, RecordHead, RecordKind, StoreEntry, StoreError,
    StoreHead, StoreIndex, StoreRecord, StoredTile, WorldDifference, WorldStore, is_packed_store, load_store,
};
pub(crate) use way::tile_digest;
pub use way::{
    FilePart, FileRange, MeshSlots, ReadError, Section, SectionEntry, Sections, SlotEntry, SlotListError, TileEntry,
    TileSections, WayDirectory, WayEnd, WayFile, WayStream, WriteError, digest_of, is_way_file,
};
