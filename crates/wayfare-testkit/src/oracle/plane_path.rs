//! Shortest paths on a plane among obstacles: a visibility graph with every number in f64.
//!
//! ```text
//!      a ______        a shortest path turns only at corners of obstacles, so it is a shortest path
//!        \  ###\       in the graph whose nodes are the corners and whose edges join corners that
//!         \ ###  b     see each other
//! ```
//!
//! Cost: corners² × walls to see, corners² to search. For maps of a few hundred corners.
//!
//! Sources: N. Nilsson, "A mobile automaton", 1969 (visibility graph); E. Dijkstra, 1959.

use super::disc_path::dijkstra;
use glam::DVec2;
use wayfare::Vec3;
use wayfare::mesh::NavMesh;

/// How far a point may be outside of a polygon by rounding and count as inside, metres.
const SLACK: f64 = 1e-5;

/// Walkable polygons on a plane and the walls around them.
#[derive(Clone, Debug, Default)]
pub struct PlaneMap {
    /// Convex polygons, wound either way.
    pub polys: Vec<Vec<DVec2>>,
    /// Edges that nothing may cross.
    pub walls: Vec<[DVec2; 2]>,
}

impl PlaneMap {
    /// The polygons of a mesh on the plane, and the edges over which nothing leads.
    #[must_use]
    pub fn of(nav: &NavMesh) -> Self {
        let mut map = Self::default();
        for tile in nav.tiles() {
            for poly in 0..tile.poly_count() {
                let points: Vec<DVec2> = tile.data().points_of(poly).map(on_plane).collect();
                let first = tile.data().polys()[poly as usize].first;
                for i in 0..points.len() {
                    if !tile.portals(poly).any(|portal| portal.edge == first + i as u32) {
                        map.walls.push([points[i], points[(i + 1) % points.len()]]);
                    }
                }
                map.polys.push(points);
            }
        }
        map
    }

    /// Whether a point lies on a polygon, its border included.
    #[must_use]
    pub fn contains(&self, p: DVec2) -> bool {
        self.polys.iter().any(|poly| {
            let side = |i: usize| {
                let (a, b) = (poly[i], poly[(i + 1) % poly.len()]);
                (b - a).perp_dot(p - a) / (b - a).length().max(SLACK)
            };
            (0..poly.len()).all(|i| side(i) >= -SLACK) || (0..poly.len()).all(|i| side(i) <= SLACK)
        })
    }

    /// Whether the straight line between two points stays on the polygons. Touching walls and corners is allowed.
    #[must_use]
    pub fn sees(&self, a: DVec2, b: DVec2) -> bool {
        let along = b - a;
        let length = along.length();
        if length < SLACK {
            return true;
        }
        // Wherever the line meets a wall or a corner, it may leave the ground: look between these places.
        // And at some others, lest the one between two of them is where the line happens to touch ground.
        let mut meets = vec![0.0, 0.11, 0.37, 0.72, 1.0];
        for &[p, q] in &self.walls {
            let (left, right) = (along.perp_dot(p - a) / length, along.perp_dot(q - a) / length);
            if left.abs() <= SLACK || right.abs() <= SLACK {
                for (end, _) in [(p, left), (q, right)].into_iter().filter(|(_, off)| off.abs() <= SLACK) {
                    meets.push((end - a).dot(along) / (length * length));
                }
            } else if (left > 0.0) != (right > 0.0) {
                let at = p + (q - p) * (left / (left - right));
                let t = (at - a).dot(along) / (length * length);
                if t * length > SLACK && (1.0 - t) * length > SLACK {
                    return false;
                }
            }
        }
        meets.retain(|t| (0.0..=1.0).contains(t));
        meets.sort_by(f64::total_cmp);
        meets.windows(2).all(|w| (w[1] - w[0]) * length <= SLACK || self.contains(a + along * ((w[0] + w[1]) / 2.0)))
    }

    /// The length of the shortest way, if there is one.
    #[must_use]
    pub fn shortest(&self, from: DVec2, to: DVec2) -> Option<f64> {
        let mut nodes = vec![from, to];
        let mut corners: Vec<DVec2> = self.walls.iter().flatten().copied().collect();
        corners.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        corners.dedup();
        nodes.extend(corners);
        dijkstra(&nodes, |a, b| self.sees(a, b))
    }
}

/// A point seen from above.
#[must_use]
pub fn on_plane(p: Vec3) -> DVec2 {
    DVec2::new(f64::from(p.x), f64::from(p.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of 6 x 6 around a hole of 2 x 2, from four rectangles.
    fn ring() -> PlaneMap {
        let rect = |x0: f64, z0: f64, x1: f64, z1: f64| {
            vec![DVec2::new(x0, z0), DVec2::new(x1, z0), DVec2::new(x1, z1), DVec2::new(x0, z1)]
        };
        let polys = vec![rect(0., 0., 6., 2.), rect(0., 4., 6., 6.), rect(0., 2., 2., 4.), rect(4., 2., 6., 4.)];
        let around = |r: Vec<DVec2>| (0..4).map(move |i| [r[i], r[(i + 1) % 4]]);
        let walls = around(rect(0., 0., 6., 6.)).chain(around(rect(2., 2., 4., 4.))).collect();
        PlaneMap { polys, walls }
    }

    #[test]
    fn a_path_goes_around_the_hole_by_its_corner() {
        let map = ring();
        let (a, b) = (DVec2::new(1.0, 3.0), DVec2::new(5.0, 3.0));
        let by_the_corners = 2.0 * 2.0_f64.sqrt() + 2.0;
        assert!((map.shortest(a, b).unwrap() - by_the_corners).abs() < 1e-9);
        // Straight through the hole, from corner to corner: no wall is crossed, yet it is no way.
        assert!(!map.sees(DVec2::new(2.0, 2.0), DVec2::new(4.0, 4.0)));
        assert!(map.sees(DVec2::new(2.0, 2.0), DVec2::new(4.0, 2.0)));
    }

    #[test]
    fn there_is_no_path_off_the_ground() {
        assert_eq!(ring().shortest(DVec2::new(1.0, 1.0), DVec2::new(9.0, 9.0)), None);
    }
}
