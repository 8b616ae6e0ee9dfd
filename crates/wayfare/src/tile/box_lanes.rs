//! The boxes around the polygons of a tile, each in two vectors: what trees and grids are built from.

use super::few::each_of_few;
use super::{Poly, TileData};
use crate::math::Aabb;
use glam::Vec3;
use wide::f32x4;

/// The box of a polygon, in lanes: x, y, z and one that is unused.
#[derive(Clone, Copy)]
pub(super) struct BoxLanes {
    pub(super) low: f32x4,
    pub(super) high: f32x4,
}

impl BoxLanes {
    pub(super) const EMPTY: Self =
        Self { low: f32x4::new([f32::INFINITY; 4]), high: f32x4::new([f32::NEG_INFINITY; 4]) };

    /// Extended to include a point, which is finite.
    #[inline]
    pub(super) fn with(self, v: f32x4) -> Self {
        Self { low: self.low.fast_min(v), high: self.high.fast_max(v) }
    }

    pub(super) fn to_box(self) -> Aabb {
        let corner = |lanes: f32x4| {
            let [x, y, z, _] = lanes.to_array();
            Vec3::new(x, y, z)
        };
        Aabb { min: corner(self.low), max: corner(self.high) }
    }
}

#[inline]
fn lanes(v: Vec3) -> f32x4 {
    f32x4::new([v.x, v.y, v.z, 0.0])
}

/// The box around each polygon and its detail vertices.
pub(super) fn poly_boxes(tile: &TileData) -> Vec<Aabb> {
    poly_box_lanes(tile).map(BoxLanes::to_box).collect()
}

/// The same, computed one by one.
pub(super) fn poly_box_lanes(tile: &TileData) -> impl Iterator<Item = BoxLanes> {
    let lists = tile.lists();
    let around = move |(index, poly): (u32, &Poly)| {
        let mut outline = BoxLanes::EMPTY;
        each_of_few(&lists.corners[poly.range()], |v| outline = outline.with(lanes(lists.verts[v as usize])));
        let detail = lists.detail_of(index);
        let extra = &lists.detail_verts[detail.first_vert as usize..][..detail.vert_count as usize];
        extra.iter().fold(outline, |all, &v| all.with(lanes(v)))
    };
    (0u32..).zip(tile.polys()).map(around)
}
