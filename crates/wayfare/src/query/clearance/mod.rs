//! One mesh for agents of every size: the ground on which the center of a wider agent may stand.
//!
//! A disc of radius r keeps clear of a wall if its center stays r away from it. So the ground for the center is the
//! mesh less everything nearer to a wall than r: every polygon is cut along the outlines of the walls near it, grown by
//! r, and what is left is cut into convex polygons again. The result is a mesh like any other, and every query works on
//! it.
//!
//! ```text
//!   #########################      walls are grown by r: straight beside edges, round about corners
//!   #.......................#
//!   #.+-------------------+.#      what is left is ground for the center; a gap narrower than 2 r
//!   #.|                   |.#      is closed, one that is wider stays open by just the difference
//!   #.|      .-----.      |.#
//!   #.|     /.#####.\     |.#
//! ```
//!
//! Arcs are outlined by straight pieces that touch the arc from outside ([`ARC_STEP`](inflate::ARC_STEP) of a turn
//! each), so that the distance is kept exactly and a path around a corner is longer than the arc by no more than 0.6 %.
//!
//! Plan coordinates are integers while polygons are cut, so nothing depends on rounding; see [`plan_grid`].
//!
//! Cost: about that of cutting each polygon that has a wall within r; a mesh is cut once for each radius that is used,
//! and after an edit only around what changed.
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
