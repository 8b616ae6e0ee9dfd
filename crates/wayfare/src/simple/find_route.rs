//! Finds a path between two points in one call.

use crate::area::PathStatus;
use crate::math::Frame;
use crate::mesh::NavMesh;
use crate::query::NavQuery;
use glam::Vec3;

/// A path to walk.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// Whether it leads to the goal. [`PathStatus::None`] if start or goal is not near the mesh.
    pub status: PathStatus,
    /// The points along the path, from start to end, both included; empty if there is no path.
    pub points: Vec<Vec3>,
    /// Length of the path, metres.
    pub length: f32,
}

impl Route {
    /// Whether it leads to the goal.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.status == PathStatus::Complete
    }

    /// The same path in the coordinates of a [frame](Frame).
    #[must_use]
    pub fn in_frame(mut self, frame: Frame) -> Self {
        frame.points_out(&mut self.points);
        self.length = frame.length_out(self.length);
        self
    }
}

impl NavMesh {
    /// The shortest path from one point to another, or the cheapest found where the mesh defines costs for [area
    /// types](NavMesh::areas). The points are first moved to the nearest polygons within two metres horizontally and
    /// four vertically. If the goal cannot be reached, the path leads to the reachable position nearest to it.
    ///
    /// The path is straight where the goal is in sight, and bends only at corners. A search over polygons would also
    /// bend in the open, since it compares the middles of portals, and a caller of this function could not straighten
    /// that; trying a ray first would only help paths without corners. So this uses the [optimal
    /// search](crate::query::find_optimal_path), which tries the straight line first.
    ///
    /// Allocates memory on each call. For many queries keep a [`NavQuery`] and call
    /// [`optimal_path`](NavQuery::optimal_path): this function does nothing else.
    #[must_use]
    pub fn find_path(&self, from: impl Into<Vec3>, to: impl Into<Vec3>) -> Route {
        let mut query = NavQuery::of(self);
        match query.optimal_path(from.into(), to.into()) {
            Ok(found) => Route {
                status: found.path.status,
                points: found.straight.points.iter().map(|corner| corner.point).collect(),
                length: found.straight.length,
            },
            Err(_) => Route { status: PathStatus::None, points: Vec::new(), length: 0.0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::AreaId;
    use crate::math::Rng;
    use crate::query::test_maps::{at, random_map};
    use crate::query::{DefaultFilter, PathRequest, SearchScratch, find_path, raycast, string_pull};
    use crate::tile::test_sketch::Drawing;
    use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};

    #[test]
    fn from_point_to_point() {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 3.0 };
        let mesh = NavMesh::from_tiles(layout, vec![sketch(TileCoord::default(), "aaaa\n...a\naaaa")]).unwrap();
        let route = mesh.find_path([0.5, 0.0, 0.5], [0.5, 0.0, 2.5]);
        let points: Vec<[f32; 3]> = route.points.iter().map(|p| p.to_array()).collect();
        assert_eq!(points, [[0.5, 0.0, 0.5], [3.0, 0.0, 1.0], [3.0, 0.0, 2.0], [0.5, 0.0, 2.5]]);
        assert!(route.is_complete() && (route.length - (1.0 + 2.0 * 6.5_f32.sqrt())).abs() < 1e-5);
        let nowhere = mesh.find_path([50.0, 0.0, 0.5], [0.5, 0.0, 2.5]);
        assert_eq!((nowhere.status, nowhere.points.len()), (PathStatus::None, 0));
    }

    /// Random levels: straight in sight, else never longer than what a search over polygons finds, nor shorter than the
    /// bird flies.
    #[test]
    fn straight_in_sight_and_never_longer_than_a_search_over_polygons() {
        let mut rng = Rng::new(3);
        let mut scratch = SearchScratch::new();
        let filter = DefaultFilter::default();
        let mut counts = [0; 3];
        for round in 0..400 {
            let mesh = random_map(&mut rng, 2, 6);
            let mut place = || at(&mesh, (rng.unit() * 12.0, rng.unit() * 12.0));
            let (Some(start), Some(goal)) = (place(), place()) else { continue };
            let route = mesh.find_path(start.point, goal.point);
            let path = find_path(&mesh, &PathRequest::new(start, goal), &filter, &mut scratch).unwrap();
            let pulled = string_pull(&path, &mut scratch);
            assert_eq!(route.status, path.status, "round {round}");
            if !route.is_complete() {
                continue;
            }
            let distance = start.point.distance(goal.point);
            assert!(route.length <= pulled.length + 1e-4, "round {round}: {} {}", route.length, pulled.length);
            assert!(route.length >= distance - 1e-4, "round {round}");
            let sum: f32 = route.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            assert!((sum - route.length).abs() < 1e-3, "round {round}");
            counts[0] += 1;
            counts[1] += u32::from(route.length < pulled.length - 1e-3);
            let ray = raycast(&mesh, start, goal.point, &filter, &mut scratch).unwrap();
            if !ray.hit {
                assert!((route.length - distance).abs() < 1e-4, "round {round}: bent in the open");
                counts[2] += 1;
            }
        }
        assert!(counts.iter().all(|count| *count > 8), "{counts:?}");
    }

    /// One large room, and beside it many small ones: over the middles of portals the detour by the small ones looks
    /// shorter.
    #[test]
    fn open_floors_of_unequal_polygons_are_crossed_straight() {
        let rooms: Vec<_> =
            (0..8).map(|x| x as f32).map(|x| [[x, 0.0], [x, 1.0], [x + 1.0, 1.0], [x + 1.0, 0.0]]).collect();
        let mut drawing = Drawing::of_polygons(&rooms);
        let corners = [[0.0, 1.0], [0.0, 9.0], [8.0, 9.0]].into_iter().chain((1..=8).rev().map(|x| [x as f32, 1.0]));
        let corners: Vec<Vec3> = corners.map(|[x, z]| Vec3::new(x, 0.0, z)).collect();
        drawing.add(&corners, AreaId::WALKABLE);
        let mesh = NavMesh::from_tile(drawing.alone()).unwrap();
        for (from, to) in [([0.1, 0.9], [7.9, 1.1]), ([0.5, 0.5], [7.5, 8.5]), ([7.5, 0.1], [0.2, 3.0])] {
            let [from, to] = [from, to].map(|[x, z]: [f32; 2]| Vec3::new(x, 0.0, z));
            let route = mesh.find_path(from, to);
            assert!((route.length - from.distance(to)).abs() < 1e-4, "{from} {to} {route:?}");
        }
    }
}
