//! Faces with a dent, as modelling tools write them: a fan around the first corner would cover the dent.
//!
//! Readers add every face as a fan, since a file may name vertices that come later. When all are known, the fans of
//! faces that are not convex are replaced by as many triangles that cover the face and nothing else.

use earcut::Earcut;
use wayfare::Vec3;

/// Replaces the fan of a face that is not convex; all corners must be there.
pub(super) fn cut(verts: &[Vec3], fan: &mut [[u32; 3]]) {
    let Some((first, last)) = fan.first().zip(fan.last()) else { return };
    let corners: Vec<u32> = [first[0]].into_iter().chain(fan.iter().map(|tri| tri[1])).chain([last[2]]).collect();
    let places: Vec<[f64; 3]> = corners.iter().map(|&c| verts[c as usize].to_array().map(f64::from)).collect();
    let Some(flat) = flattened(&places) else { return };
    let next = |i: usize| (i + 1) % flat.len();
    if (0..flat.len()).all(|i| turn(flat[i], flat[next(i)], flat[next(next(i))]) >= 0.0) {
        return;
    }
    let mut cut: Vec<u32> = Vec::with_capacity(3 * fan.len());
    Earcut::new().earcut(flat.iter().copied(), &[], &mut cut);
    let mut tris: Vec<[u32; 3]> = cut.chunks_exact(3).map(|tri| [tri[0], tri[1], tri[2]]).collect();
    for tri in &mut tris {
        if turn(flat[tri[0] as usize], flat[tri[1] as usize], flat[tri[2] as usize]) < 0.0 {
            tri.swap(1, 2);
        }
    }
    // Corners in line with their neighbours need no triangle: the last one then stands there several times.
    let Some(&last) = tris.last().filter(|_| tris.len() <= fan.len()) else { return };
    for (slot, tri) in fan.iter_mut().zip(tris.into_iter().chain(std::iter::repeat(last))) {
        *slot = tri.map(|i| corners[i as usize]);
    }
}

/// The face as it is seen from the side that it faces, wound to the left; `None` if it faces nowhere.
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

/// Above 0 where the way from `a` over `b` to `c` turns to the left.
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
