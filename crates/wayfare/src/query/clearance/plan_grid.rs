//! Converts plan coordinates to integers, so that cut pieces fit together exactly.
//!
//! The unit is a power of two such that every whole unit is exact as an `f32`: 15 micrometres in a level of a hundred
//! metres, a tenth of a millimetre at a kilometre. Intersections of cut edges are rounded once, to integers, and not
//! again when they enter the mesh.
//!
//! For small radii, cutting uses 64ths of a unit: otherwise points that were cut twice and rounded differently could
//! not be distinguished from adjacent points of an arc. Such points are rounded to whole units when they enter the
//! mesh, which may bend an outline inwards by one unit.

use crate::math::Aabb;
use glam::Vec3;
use i_triangle::i_overlay::i_float::int::point::IntPoint;

/// A point of the plan, in units.
pub(super) type PlanPoint = IntPoint<i32>;
/// A closed outline on the plan.
pub(super) type Outline = Vec<PlanPoint>;

/// The resolution of plan coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlanGrid {
    /// Metres a unit.
    unit: f32,
    /// Cutting uses units halved this many times.
    part_bits: u32,
}

/// Radii of fewer units are cut in parts.
const SMALL: f32 = 2048.0;
/// 64 parts; with 23 bits for the units, coordinates and their differences fit into 31 bits.
const PART_BITS: u32 = 6;

impl PlanGrid {
    /// Units for coordinates as large as the corners of `bounds` plus a radius.
    pub(super) fn covering(bounds: &Aabb, radius: f32) -> Self {
        let far = bounds.min.abs().max(bounds.max.abs());
        let far = if bounds.is_empty() { 1.0 } else { far.x.max(far.z) + radius };
        // 2^exponent is above `far`; 23 bits below it fit into an f32. Nothing finer than 1/65536 is distinguished.
        let exponent = ((far.to_bits() >> 23) as i32 - 126).clamp(7, 100);
        let unit = f32::from_bits(((exponent - 23 + 127) as u32) << 23);
        Self { unit, part_bits: if radius < SMALL * unit { PART_BITS } else { 0 } }
    }

    pub(super) fn point(self, p: Vec3) -> PlanPoint {
        IntPoint::new(self.length(p.x), self.length(p.z))
    }

    /// Metres to parts of units.
    pub(super) fn length(self, metres: f32) -> i32 {
        (metres / self.unit * self.parts() as f32).round() as i32
    }

    /// Number of parts of a unit in which points are counted.
    pub(super) fn parts(self) -> i32 {
        1 << self.part_bits
    }

    /// A point in whole units.
    pub(super) fn rounded(self, p: PlanPoint) -> [i32; 2] {
        [p.x, p.y].map(|parts| parts.saturating_add(self.parts() / 2) >> self.part_bits)
    }

    /// The position for whole units and a height.
    pub(super) fn place(self, [x, z]: [i32; 2], y: f32) -> Vec3 {
        Vec3::new(x as f32 * self.unit, y, z as f32 * self.unit)
    }

    /// Metres to units and parts of them, exactly.
    pub(super) fn units(self, metres: f32) -> f64 {
        f64::from(metres) / f64::from(self.unit)
    }

    /// The position from which [`units`](Self::units) was computed.
    pub(super) fn place_of(self, [x, z]: [f64; 2], y: f32) -> Vec3 {
        let metres = |units: f64| (units * f64::from(self.unit)) as f32;
        Vec3::new(metres(x), y, metres(z))
    }
}

/// b − a, without overflow.
pub(super) fn offset(a: PlanPoint, b: PlanPoint) -> [i64; 2] {
    [i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y)]
}

/// Twice the signed area of an outline, positive if it turns from x towards z.
pub(super) fn area2(outline: &[PlanPoint]) -> i64 {
    let Some(&origin) = outline.first() else { return 0 };
    let turns = outline.windows(2).map(|w| {
        let [ax, ay] = offset(origin, w[0]);
        let [bx, by] = offset(origin, w[1]);
        ax * by - ay * bx
    });
    turns.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_places_come_back_exactly() {
        for (far, reach) in [(0.5, 1.0), (3.0, 1e-3), (100.0, 1.0), (100.0, 0.02), (1000.0, 0.4), (30_000.0_f32, 1.0)] {
            let bounds = Aabb { min: Vec3::splat(-far), max: Vec3::splat(far) };
            let grid = PlanGrid::covering(&bounds, reach);
            for x in [far, -far, far / 3.0, -far / 7.0, 0.1] {
                let point = grid.point(Vec3::new(x, 0.0, -x));
                let units = grid.rounded(point);
                let place = grid.place(units, 0.0);
                let [a, b] = units.map(|units| units * grid.parts());
                assert_eq!(grid.point(place), PlanPoint::new(a, b));
                assert!((place.x - x).abs() <= far.max(128.0) * 1.2e-7, "{x}: {place}");
            }
        }
    }
}
