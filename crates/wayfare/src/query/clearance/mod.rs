//! Cuts a mesh for wider agents: computes the surface where the centre of an agent with a larger radius may be.
//!
//! A disc of radius r keeps clear of a wall if its centre is at least r away from it. So the surface for the centre is
//! the mesh minus everything within r of a wall. Every polygon is cut along the outlines of nearby walls, grown by r,
//! and the remainder is divided into convex polygons again. The result is an ordinary mesh on which every query works.
//!
//! ```text
//!   #########################      walls are grown by r: straight beside edges, round about corners
//!   #.......................#
//!   #.+-------------------+.#      what is left is walkable for the centre; a gap narrower than 2 r
//!   #.|                   |.#      is closed, one that is wider stays open by just the difference
//!   #.|      .-----.      |.#
//!   #.|     /.#####.\     |.#
//! ```
//!
//! Arcs are approximated by straight pieces that touch the arc from outside, each covering
//! [`ARC_STEP`](inflate::ARC_STEP), so that the distance is never too small, and a path around a corner is at most 0.6
//! % longer than the arc.
//!
//! Plan coordinates are integers during cutting, so that no result depends on rounding; see [`plan_grid`].
//!
//! Cost: about that of cutting each polygon with a wall within r. A mesh is cut once for each radius in use, and after
//! an edit only around the changes.
//!
//! Sources: Tomás Lozano-Pérez, "Spatial Planning: A Configuration Space Approach", 1983 (growing obstacles by the
//! robot); Marcelo Kallmann, "Shortest Paths with Arbitrary Clearance from Navigation Meshes", 2010 (one mesh for every
//! radius).

mod carve;
mod clearance_mesh;
mod dents;
mod detail;
mod ground;
mod inflate;
mod near_walls;
mod plan_grid;
mod sew;
mod sorted_boxes;
#[cfg(test)]
mod tests;
mod thin_pieces;

pub use clearance_mesh::{ClearanceError, ClearanceMesh, extra_radius};
