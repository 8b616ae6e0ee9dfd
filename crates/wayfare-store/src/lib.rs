//! Tile stores in files and folders: navigation meshes on disk that do not fit in memory.
//!
//! Two forms hold the same tiles and have the same digest:
//!
//! * **packed** ([`PackedStore`]): one file, `NAME.wayworld`, with an index, for programs that read it;
//! * **folder** ([`FolderStore`]): a file a tile, each a `.way` file of its own, for object stores and version control.
//!
//! Both are written in place by one process at a time and read by any number. A store whose writer was killed can be
//! read, and writing can continue: everything committed is kept. [`join`], [`compact`], [`repair`] and [`check`] work
//! on either form.
//!
//! [`wayfare::format`] defines the bytes; only this crate opens files.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod compact;
mod failure;
mod file_bytes;
mod folder_store;
mod join;
mod lock;
mod packed_index;
mod packed_store;
mod repair;
mod store;

pub use compact::compact;
pub use folder_store::{FolderStore, tile_name};
pub use join::{join, put};
pub use lock::abandon_writers;
pub use packed_store::PackedStore;
pub use repair::{Repaired, repair};
pub use store::{Store, StoreForm, check, is_store, open, open_to_write};
