//! The one-call API: bake a level for an agent, ask for a path.
//!
//! It uses only public items of the other modules. If you need more (settings, warnings, tiles, filters, memory that is
//! reused), use those items directly: each function says which ones it calls.
//!
//! ```
//! use wayfare::input::{AgentSettings, TriMesh};
//! use wayfare::mesh::NavMesh;
//!
//! // A floor of ten by ten metres.
//! let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 10.0], [10.0, 0.0, 10.0], [10.0, 0.0, 0.0]].map(Into::into);
//! let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
//!
//! let nav = NavMesh::bake(&level, &AgentSettings::default())?;
//! let route = nav.find_path([1.0, 0.0, 1.0], [9.0, 0.0, 8.0]);
//! assert!(route.is_complete());
//! assert_eq!(route.points.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "bake")]
mod auto_links;
#[cfg(feature = "bake")]
mod bake_level;
mod find_route;
#[cfg(feature = "bake")]
mod hollow_surfaces;

#[cfg(feature = "bake")]
pub use bake_level::BakeLevelError;
pub use find_route::Route;
#[cfg(feature = "bake")]
pub use hollow_surfaces::HollowSurface;
