//! A sample of the surface that a triangulation should approximate.

use crate::bake::cell_point::Point;
use crate::math::index::NONE;

/// A point with whose height the triangulation is compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Position in plan.
    pub(super) at: Point,
    /// Height.
    pub(super) y: i32,
    /// The triangle it lies in; `NONE` once it is a vertex or lost.
    pub(super) triangle: u32,
    pub(super) next: u32,
}

impl Sample {
    pub(super) fn new(at: Point, y: i32) -> Self {
        Self { at, y, triangle: NONE, next: NONE }
    }
}
