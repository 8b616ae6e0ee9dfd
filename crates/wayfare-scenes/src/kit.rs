//! A kit for building scenes: boxes, ramps, stairs, cylinders, height grids.
//!
//! All faces have the winding that makes their normal `(b - a) × (c - a)` point out of the solid; floors face up.

use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::math::ops;

/// A triangle mesh under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kit {
    pub(crate) verts: Vec<Vec3>,
    pub(crate) tris: Vec<[u32; 3]>,
    /// Area types of the first triangles; all others are [`AreaId::WALKABLE`].
    pub(crate) areas: Vec<AreaId>,
}

/// A ramp or a flight of stairs: from the middle of its lower edge to the middle of its upper edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Climb {
    pub(crate) from: Vec3,
    pub(crate) to: Vec3,
    pub(crate) width: f32,
}

impl Kit {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Gives everything that `build` adds an area type.
    pub(crate) fn paint(&mut self, area: AreaId, build: impl FnOnce(&mut Self)) {
        self.areas.resize(self.tris.len(), AreaId::WALKABLE);
        build(self);
        self.areas.resize(self.tris.len(), area);
    }

    /// Rotates everything about the y axis, from x towards z, by an angle in radians.
    pub(crate) fn turn(&mut self, angle: f32) {
        self.verts.iter_mut().for_each(|v| *v = turned(*v, angle));
    }

    pub(crate) fn tri(&mut self, a: Vec3, b: Vec3, c: Vec3) {
        let first = self.verts.len() as u32;
        self.verts.extend([a, b, c]);
        self.tris.push([first, first + 1, first + 2]);
    }

    /// A flat or nearly flat quadrilateral, corners in the order of the outline.
    pub(crate) fn quad(&mut self, [a, b, c, d]: [Vec3; 4]) {
        let first = self.verts.len() as u32;
        self.verts.extend([a, b, c, d]);
        self.tris.push([first, first + 1, first + 2]);
        self.tris.push([first, first + 2, first + 3]);
    }

    /// A level rectangle that faces up.
    pub(crate) fn floor(&mut self, x: [f32; 2], z: [f32; 2], y: f32) {
        self.quad([
            Vec3::new(x[0], y, z[0]),
            Vec3::new(x[0], y, z[1]),
            Vec3::new(x[1], y, z[1]),
            Vec3::new(x[1], y, z[0]),
        ]);
    }

    /// A level rectangle that faces down.
    pub(crate) fn ceiling(&mut self, x: [f32; 2], z: [f32; 2], y: f32) {
        self.quad([
            Vec3::new(x[0], y, z[0]),
            Vec3::new(x[1], y, z[0]),
            Vec3::new(x[1], y, z[1]),
            Vec3::new(x[0], y, z[1]),
        ]);
    }

    /// A vertical rectangle over the line a→b, facing left of it (x to the right, z up the page).
    pub(crate) fn wall(&mut self, a: [f32; 2], b: [f32; 2], y: [f32; 2]) {
        let at = |p: [f32; 2], y: f32| Vec3::new(p[0], y, p[1]);
        self.quad([at(a, y[0]), at(b, y[0]), at(b, y[1]), at(a, y[1])]);
    }

    /// A box between two corners.
    pub(crate) fn cuboid(&mut self, min: [f32; 3], max: [f32; 3]) {
        let (min, max) = (Vec3::from(min), Vec3::from(max));
        let base = [
            Vec3::new(min.x, min.y, min.z),
            Vec3::new(min.x, min.y, max.z),
            Vec3::new(max.x, min.y, max.z),
            Vec3::new(max.x, min.y, min.z),
        ];
        self.prism(base, [max.y; 4]);
    }

    /// A solid over a base with the winding of a floor, up to the height `tops` over each corner.
    pub(crate) fn prism(&mut self, base: [Vec3; 4], tops: [f32; 4]) {
        let mut top = base;
        for (corner, y) in top.iter_mut().zip(tops) {
            corner.y = y;
        }
        self.quad(top);
        self.quad([base[3], base[2], base[1], base[0]]);
        for i in 0..4 {
            let next = (i + 1) % 4;
            match (top[i] != base[i], top[next] != base[next]) {
                (true, true) => self.quad([base[i], base[next], top[next], top[i]]),
                (true, false) => self.tri(base[i], base[next], top[i]),
                (false, true) => self.tri(base[i], base[next], top[next]),
                // The side of a wedge's lower edge has no area.
                (false, false) => {}
            }
        }
    }

    /// A solid wedge down to the height of the lower edge.
    pub(crate) fn ramp(&mut self, climb: &Climb) {
        let (low, high) = (climb.from.y, climb.to.y);
        self.prism(climb.footprint(0.0, 1.0), [low, low, high, high]);
    }

    /// A flight of `steps` solid steps; the last one reaches the upper edge.
    pub(crate) fn stairs(&mut self, climb: &Climb, steps: u32) {
        let rise = (climb.to.y - climb.from.y) / steps as f32;
        for step in 0..steps {
            let (begin, end) = (step as f32 / steps as f32, (step + 1) as f32 / steps as f32);
            let top = if step + 1 == steps { climb.to.y } else { climb.from.y + rise * (step + 1) as f32 };
            self.prism(climb.footprint(begin, end), [top; 4]);
        }
    }

    /// A vertical cylinder with `sides` faces, on the point `base`.
    pub(crate) fn cylinder(&mut self, base: Vec3, radius: f32, height: f32, sides: u32) {
        let corner = |i: u32, y: f32| {
            let angle = core::f32::consts::TAU * (i % sides) as f32 / sides as f32;
            base + Vec3::new(ops::cos(angle) * radius, y, ops::sin(angle) * radius)
        };
        for i in 0..sides {
            self.quad([corner(i + 1, 0.0), corner(i, 0.0), corner(i, height), corner(i + 1, height)]);
            self.tri(base + Vec3::Y * height, corner(i + 1, height), corner(i, height));
            self.tri(base, corner(i, 0.0), corner(i + 1, 0.0));
        }
    }

    /// A surface over a grid of `columns` × `rows` cells; `at(column, row)` returns its points. Points are shared.
    pub(crate) fn surface(&mut self, columns: u32, rows: u32, at: impl Fn(u32, u32) -> Vec3) {
        let first = self.verts.len() as u32;
        for row in 0..=rows {
            self.verts.extend((0..=columns).map(|column| at(column, row)));
        }
        for row in 0..rows {
            for column in 0..columns {
                let a = first + row * (columns + 1) + column;
                let (b, c, d) = (a + columns + 1, a + columns + 2, a + 1);
                self.push_unless_flat([a, b, c]);
                self.push_unless_flat([a, c, d]);
            }
        }
    }

    /// Adds a triangle, unless two corners coincide, as at a pole.
    fn push_unless_flat(&mut self, tri: [u32; 3]) {
        let [a, b, c] = tri.map(|corner| self.verts[corner as usize]);
        if a != b && b != c && c != a {
            self.tris.push(tri);
        }
    }
}

/// A point rotated about the y axis, from x towards z, by an angle in radians.
pub(crate) fn turned(p: Vec3, angle: f32) -> Vec3 {
    let (cos, sin) = (ops::cos(angle), ops::sin(angle));
    Vec3::new(p.x * cos - p.z * sin, p.y, p.x * sin + p.z * cos)
}

impl Climb {
    /// The corners of the part between two fractions of the flight, at the height of the lower edge, wound like a
    /// floor: two on the lower side, then two on the upper side.
    fn footprint(&self, begin: f32, end: f32) -> [Vec3; 4] {
        let along = Vec3::new(self.to.x - self.from.x, 0.0, self.to.z - self.from.z);
        let length = along.length();
        // To the left when going up, with x to the right and z up the page.
        let left = Vec3::new(-along.z, 0.0, along.x) * (self.width * 0.5 / length);
        let (low, high) = (self.from + along * begin, self.from + along * end);
        [low - left, low + left, high + left, high - left]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the volume inside closed faces: positive if they wind outwards.
    fn volume6(kit: &Kit) -> f32 {
        kit.tris
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| kit.verts[v as usize]);
                a.dot(b.cross(c))
            })
            .sum()
    }

    fn of(build: impl FnOnce(&mut Kit)) -> f32 {
        let mut kit = Kit::new();
        build(&mut kit);
        volume6(&kit) / 6.0
    }

    #[test]
    fn solids_face_outwards_and_have_their_volume() {
        assert!((of(|k| k.cuboid([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])) - 6.0).abs() < 1e-4);
        let climb = |x: f32, z: f32| Climb { from: Vec3::ZERO, to: Vec3::new(x, 2.0, z), width: 3.0 };
        for way in [climb(4.0, 0.0), climb(-4.0, 0.0), climb(0.0, 4.0), climb(0.0, -4.0)] {
            assert!((of(|k| k.ramp(&way)) - 12.0).abs() < 1e-4);
            assert!((of(|k| k.stairs(&way, 2)) - 18.0).abs() < 1e-4);
        }
        let round = of(|k| k.cylinder(Vec3::ZERO, 1.0, 2.0, 64));
        assert!((round - core::f32::consts::TAU).abs() < 0.02, "{round}");
    }

    #[test]
    fn floors_and_surfaces_face_up_and_ceilings_down() {
        let up = |build: fn(&mut Kit)| {
            let mut kit = Kit::new();
            build(&mut kit);
            kit.tris.iter().all(|t| {
                let [a, b, c] = t.map(|v| kit.verts[v as usize]);
                (b - a).cross(c - a).y > 0.0
            })
        };
        assert!(up(|k| k.floor([0.0, 1.0], [0.0, 1.0], 3.0)));
        assert!(up(|k| k.surface(3, 2, |x, z| Vec3::new(x as f32, 0.0, z as f32))));
        assert!(!up(|k| k.ceiling([0.0, 1.0], [0.0, 1.0], 3.0)));
    }
}
