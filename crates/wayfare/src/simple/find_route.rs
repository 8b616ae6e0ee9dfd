//! A path between two points in one call.

use crate::area::PathStatus;
use crate::mesh::NavMesh;
use crate::query::{DefaultFilter, PathRequest, SearchScratch, find_nearest, find_path, string_pull};
use glam::Vec3;

/// How far from the points asked about the mesh may be: two metres to each side, four up and down.
const REACH: Vec3 = Vec3::new(2.0, 4.0, 2.0);

/// A way to walk.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// Whether it leads to the goal. [`PathStatus::None`] if start or goal is not near the mesh.
    pub status: PathStatus,
    /// The points to walk over, from start to end, both included; empty if there is no way.
    pub points: Vec<Vec3>,
    /// The sum of the lengths between the points, metres.
    pub length: f32,
}

impl Route {
    /// Whether it leads to the goal.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.status == PathStatus::Complete
    }
}

impl NavMesh {
    /// The shortest way found from one point to another, or the cheapest where the mesh says what [area
    /// types](NavMesh::areas) cost. The points are first moved to the nearest polygons within two metres to each side
    /// and four up and down. Where the goal cannot be reached, the way leads to the reachable place nearest to it.
    ///
    /// Allocates its memory anew with each call; whoever asks often keeps a [`SearchScratch`] and calls
    /// [`find_nearest`], [`find_path`] and [`string_pull`], which is all that this does.
    #[must_use]
    pub fn find_path(&self, from: impl Into<Vec3>, to: impl Into<Vec3>) -> Route {
        let (filter, mut scratch) = (DefaultFilter::of(self), SearchScratch::new());
        let nowhere = Route { status: PathStatus::None, points: Vec::new(), length: 0.0 };
        let place = |point: Vec3| find_nearest(self, point, REACH, &filter).map(|found| found.place());
        let (Some(start), Some(goal)) = (place(from.into()), place(to.into())) else { return nowhere };
        let Ok(path) = find_path(self, &PathRequest::new(start, goal), &filter, &mut scratch) else { return nowhere };
        let straight = string_pull(&path, &mut scratch);
        let points = straight.points.iter().map(|p| p.point).collect();
        Route { status: path.status, points, length: straight.length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
