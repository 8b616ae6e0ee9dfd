//! Triangulates concave faces, which modelling tools write: a fan around the first corner would cover the dent.
//!
//! Readers add every face as a fan, since a file may refer to vertices that come later. Once all are known, the fans of
//! faces that are not convex are replaced by as many triangles that cover exactly the face. Faces with few corners are
//! triangulated by ear clipping; those with many get a constrained triangulation, since ear clipping is quadratic at
//! best. A face with many corners whose edges cross has no interior, and stays a fan.
//!
//! Cost: n log n in the corners, in practice. Sources: the triangulations are those of the crates `earcut` and `spade`.

use crate::work;
use earcut::Earcut;
use spade::handles::FixedVertexHandle;
use spade::{ConstrainedDelaunayTriangulation, HasPosition, Point2, Triangulation as _};
use wayfare::Vec3;

/// Faces with at most this many corners are triangulated by ear clipping.
const FEW: usize = 64;

/// Replaces the fan of a face that is not convex; all its vertices must be known.
pub(crate) fn cut(verts: &[Vec3], fan: &mut [[u32; 3]]) {
    let Some((first, last)) = fan.first().zip(fan.last()) else { return };
    let corners: Vec<u32> = [first[0]].into_iter().chain(fan.iter().map(|tri| tri[1])).chain([last[2]]).collect();
    let places: Vec<[f64; 3]> = corners.iter().map(|&c| verts[c as usize].to_array().map(f64::from)).collect();
    let Some(flat) = flattened(&places) else { return };
    let next = |i: usize| (i + 1) % flat.len();
    if (0..flat.len()).all(|i| turn(flat[i], flat[next(i)], flat[next(next(i))]) >= 0.0) {
        return;
    }
    let tris = if flat.len() <= FEW { cut_ears(&flat) } else { triangulate(&flat).unwrap_or_default() };
    // Corners in line with their neighbours need no triangle: then the last one is repeated.
    let Some(&last) = tris.last().filter(|_| tris.len() <= fan.len()) else { return };
    for (slot, tri) in fan.iter_mut().zip(tris.into_iter().chain(std::iter::repeat(last))) {
        *slot = tri.map(|i| corners[i as usize]);
    }
}

fn cut_ears(flat: &[[f64; 2]]) -> Vec<[u32; 3]> {
    // Each ear is searched among all remaining corners.
    work::count(flat.len() * flat.len());
    let mut cut: Vec<u32> = Vec::with_capacity(3 * flat.len());
    Earcut::new().earcut(flat.iter().copied(), &[], &mut cut);
    let mut tris: Vec<[u32; 3]> = cut.chunks_exact(3).map(|tri| [tri[0], tri[1], tri[2]]).collect();
    for tri in &mut tris {
        if turn(flat[tri[0] as usize], flat[tri[1] as usize], flat[tri[2] as usize]) < 0.0 {
            tri.swap(1, 2);
        }
    }
    tris
}

/// A corner of a face, or the first of several at one position.
#[derive(Clone, Copy)]
struct Corner {
    place: [f64; 2],
    number: u32,
}

impl HasPosition for Corner {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        Point2::new(self.place[0], self.place[1])
    }
}

type Triangulation = ConstrainedDelaunayTriangulation<Corner>;

/// The triangles inside a face, from a constrained triangulation; `None` if its edges cross.
fn triangulate(flat: &[[f64; 2]]) -> Option<Vec<[u32; 3]>> {
    work::count(flat.len() * flat.len().ilog2() as usize);
    let (kept, of) = without_doubles(flat);
    let sides = Sides::of(&of);
    let edges = sides.0.iter().map(|side| [side.ends[0] as usize, side.ends[1] as usize]).collect();
    let mut crosses = false;
    let triangulation = Triangulation::try_bulk_load_cdt(kept, edges, |_| crosses = true).ok()?;
    (!crosses).then(|| triangles_inside(&triangulation, &sides))
}

/// The corners without duplicate positions, and for each corner its index in that list.
fn without_doubles(flat: &[[f64; 2]]) -> (Vec<Corner>, Vec<u32>) {
    // Negative zero becomes zero; so do numbers too close to zero for the triangulation.
    let clean = |v: f64| if v.abs() < f64::from(f32::MIN_POSITIVE) { 0.0 } else { v };
    let mut sorted: Vec<Corner> =
        (0..).zip(flat).map(|(number, &[u, v])| Corner { place: [clean(u), clean(v)], number }).collect();
    let by_place = |a: &Corner, b: &Corner| a.place[0].total_cmp(&b.place[0]).then(a.place[1].total_cmp(&b.place[1]));
    sorted.sort_unstable_by(|a, b| by_place(a, b).then(a.number.cmp(&b.number)));
    let mut of = vec![0; flat.len()];
    let mut kept: Vec<Corner> = Vec::new();
    for corner in sorted {
        if kept.last().is_none_or(|last| last.place != corner.place) {
            kept.push(corner);
        }
        of[corner.number as usize] = kept.len() as u32 - 1;
    }
    (kept, of)
}

/// A segment between two positions along which a face's outline runs.
struct Side {
    /// The lower number first.
    ends: [u32; 2],
    /// How often it runs from the first to the second, minus how often it runs back.
    times: i32,
}

/// All of them, by their ends.
struct Sides(Vec<Side>);

impl Sides {
    fn of(corners: &[u32]) -> Self {
        let edges = corners.iter().zip(corners.iter().cycle().skip(1)).filter(|(a, b)| a != b);
        let side = |(&a, &b): (&u32, &u32)| Side { ends: [a.min(b), a.max(b)], times: if a < b { 1 } else { -1 } };
        let mut sides: Vec<Side> = edges.map(side).collect();
        sides.sort_unstable_by_key(|side| side.ends);
        sides.dedup_by(|side, kept| {
            let same = side.ends == kept.ends;
            kept.times += if same { side.times } else { 0 };
            same
        });
        Self(sides)
    }

    /// How often the outline runs from `a` to `b`, minus how often it runs back.
    fn times(&self, a: FixedVertexHandle, b: FixedVertexHandle) -> i32 {
        let [a, b] = [a.index() as u32, b.index() as u32];
        let found = self.0.binary_search_by_key(&[a.min(b), a.max(b)], |side| side.ends);
        found.map_or(0, |at| if a < b { self.0[at].times } else { -self.0[at].times })
    }
}

/// The triangles with a winding number of at least one, found from the outside inwards: across a segment, the winding
/// number changes by one.
fn triangles_inside(triangulation: &Triangulation, sides: &Sides) -> Vec<[u32; 3]> {
    let mut around: Vec<Option<i32>> = vec![None; triangulation.num_all_faces()];
    let outer = triangulation.outer_face();
    around[outer.fix().index()] = Some(0);
    let mut open: Vec<_> = triangulation.convex_hull().map(|edge| (edge, 0)).collect();
    while let Some((edge, times)) = open.pop() {
        // A face is to the left of its edges.
        let beyond = edge.rev();
        let face = beyond.face();
        let slot = &mut around[face.fix().index()];
        if slot.is_some() {
            continue;
        }
        let times = times - sides.times(edge.from().fix(), edge.to().fix());
        *slot = Some(times);
        open.extend([beyond.next(), beyond.prev()].map(|edge| (edge, times)));
    }
    let is_inside = |face: usize| around[face].is_some_and(|times| times != 0);
    let inner = triangulation.inner_faces().filter(|face| is_inside(face.fix().index()));
    inner.map(|face| face.vertices().map(|corner| corner.data().number)).collect()
}

/// The face seen from its front, wound to the left; `None` if it has no front.
fn flattened(places: &[[f64; 3]]) -> Option<Vec<[f64; 2]>> {
    let plane = |axis: usize| ((axis + 1) % 3, (axis + 2) % 3);
    let seen_along = |axis: usize| -> f64 {
        let (u, v) = plane(axis);
        let from = |p: &[f64; 3]| [p[u] - places[0][u], p[v] - places[0][v]];
        let edges = places.iter().zip(places.iter().cycle().skip(1)).map(|(a, b)| (from(a), from(b)));
        edges.map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum()
    };
    let areas = [0, 1, 2].map(seen_along);
    let axis = (0..3).max_by(|&a, &b| areas[a].abs().total_cmp(&areas[b].abs()))?;
    let (u, v) = plane(axis);
    let (u, v) = if areas[axis] < 0.0 { (v, u) } else { (u, v) };
    (areas[axis].is_finite() && areas[axis] != 0.0).then(|| places.iter().map(|p| [p[u], p[v]]).collect())
}

/// Above 0 if `a`, `b`, `c` turn to the left.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - b[1]) - (c[0] - b[0]) * (b[1] - a[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The triangles of a face, and its area.
    fn cut_of(verts: &[[f32; 3]]) -> (Vec<[u32; 3]>, f32) {
        let verts: Vec<Vec3> = verts.iter().copied().map(Vec3::from).collect();
        let mut tris: Vec<[u32; 3]> = (1..verts.len() as u32 - 1).map(|i| [0, i, i + 1]).collect();
        cut(&verts, &mut tris);
        let mut seen: Vec<[u32; 3]> = tris.clone();
        seen.dedup();
        let area = |tri: &[u32; 3]| {
            let [a, b, c] = tri.map(|i| verts[i as usize]);
            (b - a).cross(c - a) * 0.5
        };
        (tris, seen.iter().map(area).sum::<Vec3>().length())
    }

    #[test]
    fn a_dent_stays_open_whichever_way_the_face_lies() {
        let u =
            [[0.0, 0.0], [0.0, 20.0], [5.0, 20.0], [5.0, 5.0], [15.0, 5.0], [15.0, 20.0], [20.0, 20.0], [20.0, 0.0]];
        let upright = |p: [f32; 2]| [p[0], 0.3 * p[0], p[1]];
        let sides: [&dyn Fn([f32; 2]) -> [f32; 3]; 4] =
            [&|p| [p[0], 0.0, p[1]], &|p| [7.0, p[0], p[1]], &|p| [p[1], -p[0], 1.0], &upright];
        for side in sides {
            for turned in [false, true] {
                let mut face: Vec<[f32; 3]> = u.iter().copied().map(side).collect();
                if turned {
                    face.reverse();
                }
                let (tris, area) = cut_of(&face);
                let slanted =
                    if face.iter().any(|p| p[1] == 0.3 * 20.0 && p[0] == 20.0) { 1.09_f32.sqrt() } else { 1.0 };
                assert!(tris.len() == 6 && (area - 250.0 * slanted).abs() < 1e-3, "{area} {tris:?}");
                // Every triangle faces as the whole does: no two lie on one another.
                let normal = |tri: &[u32; 3]| {
                    let [a, b, c] = tri.map(|i| Vec3::from(face[i as usize]));
                    (b - a).cross(c - a)
                };
                assert!(tris.iter().all(|tri| normal(tri).dot(normal(&tris[0])) > 0.0), "{tris:?}");
            }
        }
    }

    fn area_of(flat: &[[f64; 2]], tris: &[[u32; 3]]) -> f64 {
        let area = |tri: &[u32; 3]| turn(flat[tri[0] as usize], flat[tri[1] as usize], flat[tri[2] as usize]) * 0.5;
        assert!(tris.iter().all(|tri| area(tri) > 0.0), "wound to the left");
        tris.iter().map(area).sum()
    }

    /// A coil, as wide as a third of the way to its next turn, with this many corners.
    fn coil(corners: usize) -> Vec<[f64; 2]> {
        let arm = |shift: f64| (1..corners / 2).map(move |i| (i as f64 + shift, 0.1 * i as f64));
        let wide = core::f64::consts::TAU / 0.1 / 3.0;
        arm(wide).chain(arm(0.0).rev()).map(|(r, a)| [r * a.cos(), r * a.sin()]).collect()
    }

    #[test]
    fn both_triangulations_cover_the_same() {
        let around = |flat: &[[f64; 2]]| {
            let ends = flat.iter().zip(flat.iter().cycle().skip(1));
            ends.map(|(a, b)| (a[0] * b[1] - b[0] * a[1]) * 0.5).sum::<f64>()
        };
        for corners in [FEW / 2, FEW, 4 * FEW] {
            let face = coil(corners);
            let (area, many) = (around(&face), triangulate(&face).unwrap());
            assert_eq!(many.len(), face.len() - 2);
            for tris in [many, cut_ears(&face)] {
                assert!((area_of(&face, &tris) - area).abs() < 1e-9 * area, "{corners}");
            }
        }
    }

    #[test]
    fn holes_reached_by_a_slit_stay_open_and_places_may_come_again() {
        let outer = [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0], [0.0, 0.0]];
        let hole = [[3.0, 3.0], [3.0, 6.0], [6.0, 6.0], [6.0, 3.0], [3.0, 3.0]];
        let face = [&outer[..], &hole].concat();
        assert_eq!(area_of(&face, &triangulate(&face).unwrap()), 72.0);
        let again: Vec<_> = outer.iter().copied().cycle().take(50).collect();
        assert_eq!(area_of(&again, &triangulate(&again).unwrap()), 81.0);
        assert_eq!(triangulate(&[[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]]), None);
        assert_eq!(triangulate(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), Some(Vec::new()));
    }

    #[test]
    fn what_is_convex_flat_or_no_number_stays_a_fan() {
        let fan = vec![[0, 1, 2], [0, 2, 3]];
        assert_eq!(cut_of(&[[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.5, 1.0], [1.0, 0.0, 0.0]]).0, fan);
        assert_eq!(cut_of(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]]).0, fan);
        assert_eq!(cut_of(&[[0.0; 3], [0.0, f32::NAN, 1.0], [0.2, 0.0, 0.2], [1.0, 0.0, 0.0]]).0, fan);
        // A dart: the fan from its first corner would cover the dent.
        assert_ne!(cut_of(&[[0.0; 3], [4.0, 0.0, 2.0], [0.0, 0.0, -2.0], [1.0, 0.0, 0.0]]).0, fan);
    }
}
