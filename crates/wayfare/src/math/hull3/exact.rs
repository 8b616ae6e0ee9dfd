//! Exact predicates on the points of a hull: above a triangle, coplanar with it, collinear.
//!
//! Cost: a few multiplications where rounding cannot matter, an adaptive expansion where it might. Sources: those of
//! the [hull](super).

use glam::{DVec3, Vec3};
use robust::Coord3D;

/// The points in f64, and exact predicates on them.
pub(super) struct Exact {
    pub(super) at: Vec<DVec3>,
    /// The points that are finite numbers.
    pub(super) usable: Vec<u32>,
    /// Rounded volumes above this have the right sign. Below zero: volumes are not rounded at all.
    pub(super) certain: f64,
}

/// Extent, in units, up to which nothing rounds: differences of up to 2 × 2¹⁵, three of them multiplied and six
/// products added, stay below 2⁵³.
const UNROUNDED: f64 = 32_768.0;

impl Exact {
    pub(super) fn new(points: &[Vec3]) -> Self {
        let at: Vec<DVec3> = points.iter().map(|p| p.as_dvec3()).collect();
        let mut usable = Vec::with_capacity(points.len());
        usable.extend((0..).zip(points).filter(|(_, p)| p.is_finite()).map(|(i, _)| i));
        let mut extent = 0.0f64;
        if let Some(&first) = usable.first() {
            let origin = at[first as usize];
            extent = usable.iter().fold(0.0, |e: f64, &i| e.max((at[i as usize] - origin).abs().max_element()));
        }
        // Six times the volume is a sum of six products of three differences, each at most twice the extent and exact
        // to half a unit in the last place: 6 × 8 extent³ × about 7 roundings of 2⁻⁵³ each, rounded up generously.
        let rounded = 512.0 * f64::EPSILON * extent * extent * extent;
        let unit = usable.iter().map(|&i| unit_of(points[i as usize])).fold(BEYOND, u32::min);
        // In an f64 the exponent field of 2⁰ is 1023.
        let unit = f64::from_bits(u64::from(unit + 1023 - 149) << 52);
        let certain = if extent <= UNROUNDED * unit { -1.0 } else { rounded };
        Self { at, usable, certain }
    }

    /// How `p` lies relative to the triangle a, b, c: positive above it, on the side of its normal. The sign is exact.
    pub(super) fn above(&self, [a, b, c]: [u32; 3], p: u32) -> f64 {
        let [a, b, c, p] = [a, b, c, p].map(|i| {
            let v = self.at[i as usize];
            Coord3D { x: v.x, y: v.y, z: v.z }
        });
        -robust::orient3d(a, b, c, p)
    }

    /// Whether `p` lies on the plane of a triangle with this normal. Exact.
    #[inline]
    pub(super) fn level(&self, verts: [u32; 3], normal: DVec3, p: u32) -> bool {
        let height = (self.at[p as usize] - self.at[verts[0] as usize]).dot(normal);
        if height.abs() > self.certain { height == 0.0 } else { self.above(verts, p) == 0.0 }
    }

    /// Whether three points lie on one line. Exact, since a cross product vanishes if its three planar parts do.
    pub(super) fn collinear(&self, a: u32, b: u32, c: u32) -> bool {
        let [a, b, c] = [a, b, c].map(|i| self.at[i as usize]);
        let flat = |f: fn(DVec3) -> robust::Coord<f64>| robust::orient2d(f(a), f(b), f(c)) == 0.0;
        flat(|v| robust::Coord { x: v.x, y: v.y })
            && flat(|v| robust::Coord { x: v.y, y: v.z })
            && flat(|v| robust::Coord { x: v.x, y: v.z })
    }
}

/// Greater than [`unit_of`] of any point but the origin.
const BEYOND: u32 = 300;

/// The greatest power of two of which all coordinates of a finite point are multiples: 0 means 2⁻¹⁴⁹.
fn unit_of(p: Vec3) -> u32 {
    let lowest_bit = |v: f32| {
        let exponent = v.to_bits() >> 23 & 0xff;
        let fraction = v.to_bits() & 0x7f_ffff;
        let digits = if exponent > 0 { fraction | 1 << 23 } else { fraction };
        if digits == 0 { BEYOND } else { exponent.max(1) - 1 + digits.trailing_zeros() }
    };
    lowest_bit(p.x).min(lowest_bit(p.y)).min(lowest_bit(p.z))
}
