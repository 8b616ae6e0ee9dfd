//! Solids whose height differs from place to place, cut column by column.
//!
//! ```text
//!      y ^        ______
//!        |    .-'|      |'-.          above a point of the xz-plane a solid fills ranges of heights: one where it is
//!        |   (   |      |   )         convex, several where it is an arch
//!        |    '-.|______|.-'
//!        +--------------------> x
//! ```
//!
//! A vertical line crosses a closed surface from outside to inside and back. Each crossing counts one up or one down,
//! depending on whether the triangle faces up, and the line is inside while the count is not 0. So overlapping bodies
//! are one, and it does not matter which side of the surface is outside. If the count does not return to 0, the surface
//! is not closed; then only its crossings are solid. An edge that two triangles share is crossed once: its ends are put
//! in a fixed order before anything is computed.
//!
//! Cost: sorting the triangles, and for each row of columns those over it: rows come in ascending order. Each column
//! takes those over its row, and sorts its crossings.
//!
//! Sources: even and odd crossings as in M. Shimrat, "Algorithm 112: position of point relative to polygon", 1962.

use super::Volume;
use crate::math::{Hull3, convex_hull3, steps};
use glam::{Vec2, Vec3};

/// The columns of a solid, row by row.
pub(crate) enum Solid {
    /// A capsule: the centres of its two balls, one above the other, and their radius.
    Capsule { low: Vec3, high: f32, radius: f32 },
    /// The inside of a triangle surface.
    Enclosed(Enclosure),
}

/// The inside of a triangle surface.
pub(crate) struct Enclosure {
    /// By where they begin along z.
    triangles: Vec<[Vec3; 3]>,
    /// The triangles over the row.
    row: Vec<u32>,
    /// The first triangle that begins after the row.
    next: usize,
    z: f32,
    /// Heights at which the column crosses the surface, and whether the surface faces up there.
    crossings: Vec<(f32, bool)>,
}

impl Solid {
    /// The columns of a volume inside a rectangle, from its low corner to its high one; `None` for a volume that has
    /// the same bottom and top everywhere.
    pub(crate) fn of(volume: &Volume, [low, high]: [Vec2; 2]) -> Option<Self> {
        let is_over = |corners: &[Vec3; 3]| {
            let reaches = |axis: usize, low: f32, high: f32| {
                corners.iter().any(|c| c[axis] >= low) && corners.iter().any(|c| c[axis] <= high)
            };
            reaches(0, low.x, high.x) && reaches(2, low.y, high.y)
        };
        let mut triangles: Vec<[Vec3; 3]> = match volume {
            Volume::Prism { .. } | Volume::Box(_) | Volume::TurnedBox { .. } | Volume::Cylinder { .. } => return None,
            &Volume::Capsule { base, radius, height } => {
                let height = height.max(2.0 * radius);
                return Some(Self::Capsule { low: base + Vec3::Y * radius, high: base.y + height - radius, radius });
            }
            Volume::Hull(points) => hull_surface(points),
            Volume::Mesh { surface, offset } => {
                let all = (0..surface.tris().len()).map(|i| surface.corners(i).map(|corner| corner + *offset));
                all.filter(is_over).collect()
            }
        };
        triangles.sort_by(|a, b| lowest_z(a).total_cmp(&lowest_z(b)));
        Some(Self::Enclosed(Enclosure { triangles, row: Vec::new(), next: 0, z: f32::MIN, crossings: Vec::new() }))
    }

    /// Goes to the columns of a row.
    pub(crate) fn begin_row(&mut self, z: f32) {
        let Self::Enclosed(Enclosure { triangles, row, next, z: before, .. }) = self else { return };
        if z < *before {
            row.clear();
            *next = 0;
        }
        *before = z;
        let begins_after = |corners: &[Vec3; 3]| lowest_z(corners) > z;
        let come = triangles[*next..].iter().take_while(|corners| !begins_after(corners)).count();
        row.extend((*next..*next + come).map(|i| i as u32));
        *next += come;
        row.retain(|&i| {
            steps::count(1);
            triangles[i as usize].iter().any(|corner| corner.z > z)
        });
    }

    /// Calls `range` with bottom and top of each range of heights that is solid in a column of the row at `z`.
    pub(crate) fn column(&mut self, x: f32, z: f32, range: &mut dyn FnMut(f32, f32)) {
        match self {
            Self::Capsule { low, high, radius } => {
                let beside = glam::Vec2::new(x - low.x, z - low.z).length_squared();
                let left = *radius * *radius - beside;
                if left >= 0.0 {
                    range(low.y - left.sqrt(), *high + left.sqrt());
                }
            }
            Self::Enclosed(body) => body.column(x, range),
        }
    }
}

impl Enclosure {
    fn column(&mut self, x: f32, range: &mut dyn FnMut(f32, f32)) {
        let Self { triangles, row, z, crossings, .. } = self;
        crossings.clear();
        crossings.extend(row.iter().filter_map(|&i| crossing(triangles[i as usize], x, *z)));
        crossings.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut first = 0;
        let mut depth = 0;
        for (i, &(y, looks_up)) in crossings.iter().enumerate() {
            if depth == 0 {
                first = i;
            }
            depth += if looks_up { 1 } else { -1 };
            if depth == 0 {
                range(crossings[first].0, y);
            }
        }
        if depth != 0 {
            crossings[first..].iter().for_each(|&(y, _)| range(y, y));
        }
    }
}

fn lowest_z([a, b, c]: &[Vec3; 3]) -> f32 {
    a.z.min(b.z).min(c.z)
}

/// The surface of a convex hull. For points on one plane it is the polygon in that plane.
fn hull_surface(points: &[Vec3]) -> Vec<[Vec3; 3]> {
    let at = |i: u32| points[i as usize];
    match convex_hull3(points) {
        Hull3::Solid(hull) => hull.triangles.into_iter().map(|triangle| triangle.map(at)).collect(),
        Hull3::Flat(corners) => corners.windows(2).skip(1).map(|w| [at(corners[0]), at(w[0]), at(w[1])]).collect(),
        Hull3::Empty | Hull3::Point(_) | Hull3::Line(_) => Vec::new(),
    }
}

/// The height at which the vertical line through a point crosses a triangle, and whether the triangle faces up.
fn crossing(corners: [Vec3; 3], x: f32, z: f32) -> Option<(f32, bool)> {
    let mut ends = [None; 2];
    for [a, b] in [[0, 1], [1, 2], [2, 0]].map(|pair| pair.map(|i| corners[i])) {
        let is_up = b.z > a.z;
        let [low, high] = if is_up { [a, b] } else { [b, a] };
        // A row through a corner belongs to the edges above it.
        if low.z <= z && high.z > z {
            let share = (z - low.z) / (high.z - low.z);
            ends[usize::from(is_up)] = Some((low.x + (high.x - low.x) * share, low.y + (high.y - low.y) * share));
        }
    }
    let [(down_x, down_y), (up_x, up_y)] = [ends[0]?, ends[1]?];
    // The normal (b − a) × (c − a) points up where the edge towards greater z lies at the smaller x.
    let looks_up = up_x < down_x;
    let [(left_x, left_y), (right_x, right_y)] =
        if looks_up { [(up_x, up_y), (down_x, down_y)] } else { [(down_x, down_y), (up_x, up_y)] };
    let is_over = left_x <= x && right_x > x;
    is_over.then(|| (left_y + (right_y - left_y) * ((x - left_x) / (right_x - left_x)), looks_up))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::TriMesh;
    use crate::math::Rng;
    use crate::math::steps::counted;
    use std::sync::Arc;

    const EVERYWHERE: [Vec2; 2] = [Vec2::MIN, Vec2::MAX];

    fn ranges(volume: &Volume, [x, z]: [f32; 2]) -> Vec<[f32; 2]> {
        let mut solid = Solid::of(volume, EVERYWHERE).unwrap();
        let mut ranges = Vec::new();
        solid.begin_row(z);
        solid.column(x, z, &mut |low, high| ranges.push([low, high]));
        ranges
    }

    fn corners_of(low: Vec3, high: Vec3) -> Vec<Vec3> {
        (0..8).map(|i| Vec3::select(glam::BVec3::new(i & 1 > 0, i & 2 > 0, i & 4 > 0), high, low)).collect()
    }

    fn box_mesh(boxes: &[[Vec3; 2]]) -> Volume {
        let mut verts = Vec::new();
        let mut tris = Vec::new();
        for [low, high] in boxes {
            let first = verts.len() as u32;
            let corners = corners_of(*low, *high);
            let Hull3::Solid(hull) = convex_hull3(&corners) else { panic!() };
            tris.extend(hull.triangles.iter().map(|t| t.map(|i| i + first)));
            verts.extend(corners);
        }
        Volume::Mesh { surface: Arc::new(TriMesh::new(verts, tris).unwrap()), offset: Vec3::ZERO }
    }

    #[test]
    fn a_capsule_is_round_at_its_ends() {
        let capsule = Volume::Capsule { base: Vec3::new(0.0, 1.0, 0.0), radius: 1.0, height: 4.0 };
        assert_eq!(ranges(&capsule, [0.0, 0.0]), [[1.0, 5.0]]);
        assert_eq!(ranges(&capsule, [1.0, 0.0]), [[2.0, 4.0]]);
        assert!(ranges(&capsule, [0.8, 0.7]).is_empty());
        let ball = Volume::Capsule { base: Vec3::ZERO, radius: 1.0, height: 0.0 };
        assert_eq!(ranges(&ball, [0.0, 0.0]), [[0.0, 2.0]]);
        assert_eq!(ball.bounds().max.y, 2.0);
    }

    #[test]
    fn bodies_that_overlap_are_one_and_an_arch_is_open_below() {
        let v = Vec3::new;
        let arch = box_mesh(&[
            [v(0.0, 0.0, 0.0), v(1.0, 3.0, 1.0)],
            [v(4.0, 0.0, 0.0), v(5.0, 3.0, 1.0)],
            [v(0.0, 2.0, 0.0), v(5.0, 4.0, 1.0)],
        ]);
        assert_eq!(ranges(&arch, [0.5, 0.5]), [[0.0, 4.0]]);
        assert_eq!(ranges(&arch, [2.5, 0.5]), [[2.0, 4.0]]);
        assert!(ranges(&arch, [6.0, 0.5]).is_empty());
    }

    #[test]
    fn a_row_takes_as_many_steps_as_it_has_triangles() {
        let steps = |posts: u32| {
            let boxes: Vec<_> =
                (0..posts).map(|i| Vec3::Z * (2 * i) as f32).map(|low| [low, low + Vec3::ONE]).collect();
            let mut solid = Solid::of(&box_mesh(&boxes), EVERYWHERE).unwrap();
            let (_, steps) = counted(|| (0..2 * posts).for_each(|z| solid.begin_row(z as f32 + 0.5)));
            steps
        };
        let (few, many) = (steps(20), steps(320));
        assert!(few > 100 && many <= few * 16, "{few} steps, {many} for sixteen times the posts and rows");
    }

    #[test]
    fn only_the_triangles_near_the_columns_are_kept() {
        let posts: Vec<_> = (0..100).map(|i| Vec3::new(i as f32 * 2.0, 0.0, 0.0)).collect();
        let posts = box_mesh(&posts.iter().map(|&low| [low, low + Vec3::ONE]).collect::<Vec<_>>());
        let mut near = Solid::of(&posts, [Vec2::new(19.5, -1.0), Vec2::new(23.5, 2.0)]).unwrap();
        let Solid::Enclosed(body) = &near else { panic!() };
        assert_eq!(body.triangles.len(), 2 * 12);
        near.begin_row(0.5);
        for x in [19.7, 20.1, 20.9, 21.5, 22.5, 23.1] {
            let mut found = Vec::new();
            near.column(x, 0.5, &mut |low, high| found.push([low, high]));
            assert_eq!(found, ranges(&posts, [x, 0.5]));
        }
    }

    #[test]
    fn a_surface_that_is_not_closed_is_solid_itself() {
        let corners = [[0.0, 1.0, 0.0], [0.0, 1.0, 4.0], [4.0, 3.0, 0.0]].map(Vec3::from);
        for tri in [[0, 1, 2], [0, 2, 1]] {
            let surface = TriMesh::new(corners.to_vec(), vec![tri]).unwrap();
            let sheet = Volume::Mesh { surface: Arc::new(surface), offset: Vec3::ZERO };
            assert_eq!(ranges(&sheet, [2.0, 1.0]), [[2.0, 2.0]]);
        }
        let flat = Volume::Hull(corners.to_vec());
        assert_eq!(ranges(&flat, [2.0, 1.0]), [[2.0, 2.0]]);
    }

    /// Of points inside, on faces, edges and corners: a hull has one range or none, never a part of one.
    #[test]
    fn a_hull_fills_one_range_of_each_column() {
        let mut rng = Rng::new(5);
        let cube = Volume::Hull(corners_of(Vec3::ZERO, Vec3::splat(4.0)));
        for i in 0..=16 {
            for j in 0..=16 {
                let place = [i as f32 * 0.25, j as f32 * 0.25];
                let found = ranges(&cube, place);
                assert!(found.is_empty() || found == [[0.0, 4.0]], "{place:?}: {found:?}");
                assert!(!found.is_empty() || place.contains(&4.0), "{place:?}");
            }
        }
        for _ in 0..200 {
            let mut real = || rng.below(1000) as f32 / 100.0;
            let points: Vec<_> = (0..9).map(|_| Vec3::new(real(), real(), real())).collect();
            let middle = points.iter().sum::<Vec3>() / 9.0;
            let found = ranges(&Volume::Hull(points.clone()), [middle.x, middle.z]);
            assert!(matches!(found[..], [[low, high]] if low <= middle.y && middle.y <= high), "{points:?}: {found:?}");
        }
    }
}
