//! Reads and writes levels and meshes of other tools, in memory.
//!
//! Games that load levels themselves, web pages onto which files are dropped, and scripts all have bytes, and need what
//! [`wayfare`] bakes. [`read_level`] reads the bytes of one file; a [`LevelReader`] combines several files, rotates and
//! scales them, and assigns area types by the names of materials and objects. Files that a file refers to, such as the
//! buffers of a `.gltf`, are provided by a [`Files`]: a [`Folder`] on disk, files in memory, or [`NoFiles`].
//!
//! ```text
//!   bytes ──> LevelReader ──> ImportedLevel ──> wayfare::bake
//!   .obj .gltf .glb .stl .ply .png .gset        triangles, terrain, volumes, connections, settings, remarks
//!
//!   bytes ──> read_mesh ──> NavMesh             .way, Detour's, .mesh (Polyanya), .map (MovingAI)
//!   bytes ──> read_vox  ──> DenseBlocks         .vox (MagicaVoxel)
//!   NavMesh ──> mesh_to_obj, mesh_to_glb ──> bytes
//! ```
//!
//! Every reader's time and memory are proportional to the bytes that it is given, whatever they declare. Errors say in
//! one sentence what is wrong with a file, and in which line.
//!
//! ```
//! use wayfare::mesh::NavMesh;
//! use wayfare::input::AgentSettings;
//!
//! let floor = b"v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n";
//! let level = wayfare_io::read_level("floor.obj", floor, &mut wayfare_io::NoFiles)?;
//! let mesh = NavMesh::bake(&level.mesh, &AgentSettings::default())?;
//! assert!(mesh.find_path([1.0, 0.0, 1.0], [8.0, 0.0, 8.0]).is_complete());
//!
//! let wrong = wayfare_io::read_level("floor.obj", b"v 0 0\n", &mut wayfare_io::NoFiles).unwrap_err();
//! assert_eq!(wrong.to_string(), "floor.obj: line 1: the vertex has no z: three numbers are needed");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod allowance;
mod concave;
mod error;
mod facing;
mod files;
mod gltf;
mod gltf_accessor;
mod gltf_buffers;
mod gltf_document;
mod grid_map;
#[cfg(all(test, feature = "vox"))]
mod growth_tests;
mod gset;
mod heightmap;
mod imported_level;
mod level_file;
mod level_reader;
mod mesh_file;
mod mesh_geometry;
mod number;
mod obj;
mod origin;
mod placement;
mod ply;
mod polyanya_mesh;
mod soup;
mod stl;
#[cfg(feature = "vox")]
mod vox;
#[cfg(feature = "vox")]
mod vox_scene;
mod work;

/// Text that the program shares.
#[doc(hidden)]
pub mod plain_words;

/// The checks of the fuzz targets.
#[cfg(feature = "vox")]
#[doc(hidden)]
pub mod fuzz;

pub use error::{ReadError, ReadErrorKind};
pub use files::{Files, Folder, NoFiles};
pub use grid_map::{is_grid_map, read_grid_map};
pub use gset::{Gset, GsetSettings, read_gset};
pub use heightmap::PixelSize;
pub use imported_level::{ImportedLevel, LevelSize};
pub use level_file::{LevelError, read_level};
pub use level_reader::{LevelFormat, LevelReader, ReadOptions, TriangleNames};
pub use mesh_file::{read_mesh, read_mesh_file};
pub use mesh_geometry::{WriteError, mesh_to_glb, mesh_to_obj};
pub use origin::Origins;
pub use placement::Placement;
pub use polyanya_mesh::{is_polyanya_mesh, read_polyanya_mesh};
pub(crate) use soup::{Tags, TriangleSoup};
#[cfg(feature = "vox")]
pub use vox::{Palette, VOX_ROOM, read_vox};
