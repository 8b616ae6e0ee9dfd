//! Draws pictures of navigation meshes, paths, crowds and everything else that [`wayfare::debug`] can draw: SVG and
//! PNG, in memory.
//!
//! A picture is made in three steps, each replaceable: a [`ShapeList`](wayfare::debug::ShapeList) collects what there
//! is to see; [`draw_shapes`] projects it from above and turns it into a [`Picture`] of plain items with colours;
//! [`Picture::to_svg`] and [`Picture::to_png`] write those items. To draw on a canvas of your own, paint the items
//! yourself.
//!
//! ```
//! use wayfare::debug::{ShapeList, draw_mesh};
//! use wayfare::input::{AgentSettings, TriMesh};
//! use wayfare::mesh::NavMesh;
//! use wayfare_draw::{Caption, draw_shapes};
//!
//! let verts = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, 0.0]].map(Into::into).to_vec();
//! let level = TriMesh::new(verts, vec![[0, 1, 2], [0, 2, 3]])?;
//! let mesh = NavMesh::bake(&level, &AgentSettings::default())?;
//! let mut shapes = ShapeList::default();
//! draw_mesh(&mesh, &mut shapes);
//! let picture = draw_shapes(&shapes, &Caption::of("a floor", &mesh), 800);
//! assert!(picture.to_svg().contains("a floor: 1 polygon"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod caption;
mod chart;
#[doc(hidden)]
pub mod control;
#[doc(hidden)]
pub mod counted;
mod font;
mod frame;
mod hidden;
mod legend;
mod margins;
mod overlap;
mod picture;
mod png;
mod samples;
mod svg;
mod theme;
mod view;

pub use caption::Caption;
pub use chart::{Panel, Series, draw_chart};
pub use picture::{Anchor, Colour, Item, Pen, Picture, PictureSizeError};
pub use samples::Sample;
pub use view::draw_shapes;
