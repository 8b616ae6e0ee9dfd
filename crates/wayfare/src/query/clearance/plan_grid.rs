//! Plan coordinates as integers, so that what is cut fits together exactly.
//!
//! The unit is a power of two, chosen so that every integer coordinate of the mesh is an `f32` without rounding: 15
//! micrometres in a level of a hundred metres, a tenth of a millimetre at a kilometre. Cut edges meet in points that
//! are rounded once, as integers, and not again on the way into the mesh.

use crate::math::Aabb;
use glam::Vec3;
use i_triangle::i_overlay::i_float::int::point::IntPoint;

/// A point of the plan, in units.
pub(super) type PlanPoint = IntPoint<i32>;
/// A closed outline on the plan.
pub(super) type Outline = Vec<PlanPoint>;

/// How fine plan coordinates are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlanGrid {
    /// Metres a unit.
    unit: f32,
}

impl PlanGrid {
    /// Units for places as far out as the corners of `bounds`, and a reach beyond.
    pub(super) fn covering(bounds: &Aabb, reach: f32) -> Self {
        let far = bounds.min.abs().max(bounds.max.abs());
        let far = if bounds.is_empty() { 1.0 } else { far.x.max(far.z) + reach };
        // 2^exponent is above `far`; 23 bits below it fit into an f32. Nothing finer than 1/65536 is told apart.
        let exponent = ((far.to_bits() >> 23) as i32 - 126).clamp(7, 100);
        Self { unit: f32::from_bits(((exponent - 23 + 127) as u32) << 23) }
    }

    pub(super) fn point(self, p: Vec3) -> PlanPoint {
        IntPoint::new(self.length(p.x), self.length(p.z))
    }

    /// Metres to units.
    pub(super) fn length(self, metres: f32) -> i32 {
        (metres / self.unit).round() as i32
    }

    /// Exactly the place of a plan point, at the given height.
    pub(super) fn place(self, p: PlanPoint, y: f32) -> Vec3 {
        Vec3::new(p.x as f32 * self.unit, y, p.y as f32 * self.unit)
    }

    /// Metres to units and parts of them, exactly.
    pub(super) fn units(self, metres: f32) -> f64 {
        f64::from(metres) / f64::from(self.unit)
    }

    /// The place that [`units`](Self::units) came from.
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
        let ([ax, ay], [bx, by]) = (offset(origin, w[0]), offset(origin, w[1]));
        ax * by - ay * bx
    });
    turns.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back_exactly() {
        for far in [0.5, 3.0, 100.0, 1000.0, 30_000.0_f32] {
            let bounds = Aabb { min: Vec3::splat(-far), max: Vec3::splat(far) };
            let grid = PlanGrid::covering(&bounds, 1.0);
            for x in [far, -far, far / 3.0, -far / 7.0, 0.1] {
                let point = grid.point(Vec3::new(x, 0.0, -x));
                let place = grid.place(point, 0.0);
                assert_eq!(grid.point(place), point);
                assert!((place.x - x).abs() <= far.max(128.0) * 1.2e-7, "{x}: {place}");
            }
        }
    }
}
