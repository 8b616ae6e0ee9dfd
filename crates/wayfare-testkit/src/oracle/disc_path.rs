//! Shortest paths of a disc on a plane among walls: tangents and arcs by brute force, in f64.
//!
//! ```text
//!     a ----.                 the center keeps `radius` from every wall, so its path is straight but for arcs
//!        .-´#`-.              around corners; each corner's circle is replaced by many points, a little farther
//!       ( ##### )--- b        out so that the chord between two of them does not cut into it
//! ```
//!
//! The lengths are too long by at most (1 / cos(π / [`STEPS`]) − 1): 0.2 %. What no wall is near to is not looked at
//! for being ground: the map must be closed by walls.
//!
//! Cost: (corners × steps)² × walls. For maps of a few dozen corners.
//!
//! Sources: Yun-Hui Liu and Suguru Arimoto, "Finding the Shortest Path of a Disc Among Polygonal Obstacles Using a
//! Radius-Independent Graph", 1995.

use super::PlaneMap;
use glam::DVec2;
use std::f64::consts::PI;

/// Points that stand for a corner's circle.
const STEPS: usize = 48;
/// By how much a path may come nearer than the radius by rounding, metres.
const SLACK: f64 = 1e-6;

impl PlaneMap {
    /// How far the straight line between two points stays from the walls.
    #[must_use]
    pub fn clearance(&self, a: DVec2, b: DVec2) -> f64 {
        self.walls.iter().map(|&[p, q]| segments_distance([a, b], [p, q])).fold(f64::INFINITY, f64::min)
    }

    /// The length of the shortest way for a disc of the given radius, if there is one: not shorter than the truth, and
    /// longer by no more than 0.2 %. `None` also where the disc does not fit at an end.
    #[must_use]
    pub fn shortest_for_disc(&self, from: DVec2, to: DVec2, radius: f64) -> Option<f64> {
        let fits = |a, b| self.clearance(a, b) >= radius - SLACK;
        if !fits(from, from) || !fits(to, to) {
            return None;
        }
        let mut nodes = vec![from, to];
        let mut corners: Vec<DVec2> = self.walls.iter().flatten().copied().collect();
        corners.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        corners.dedup();
        let out = radius / (PI / STEPS as f64).cos();
        for corner in corners {
            let around = (0..STEPS).map(|k| corner + DVec2::from_angle(2.0 * PI * k as f64 / STEPS as f64) * out);
            nodes.extend(around.filter(|&p| fits(p, p) && self.contains(p)));
        }
        dijkstra(&nodes, fits)
    }
}

/// The length of the shortest way from the first node to the second over edges for which `sees` holds.
pub(super) fn dijkstra(nodes: &[DVec2], sees: impl Fn(DVec2, DVec2) -> bool) -> Option<f64> {
    let mut distance = vec![f64::INFINITY; nodes.len()];
    let mut done = vec![false; nodes.len()];
    distance[0] = 0.0;
    loop {
        let open = (0..nodes.len()).filter(|&i| !done[i] && distance[i].is_finite());
        let here = open.min_by(|&i, &k| distance[i].total_cmp(&distance[k]))?;
        if here == 1 {
            return Some(distance[1]);
        }
        done[here] = true;
        for next in 0..nodes.len() {
            let through = distance[here] + nodes[here].distance(nodes[next]);
            if !done[next] && through < distance[next] && sees(nodes[here], nodes[next]) {
                distance[next] = through;
            }
        }
    }
}

fn segments_distance([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> f64 {
    let side = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p) > 0.0;
    if side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b) {
        return 0.0;
    }
    let ends = [(a, c, d), (b, c, d), (c, a, b), (d, a, b)];
    ends.into_iter().map(|(p, s, e)| point_distance(p, s, e)).fold(f64::INFINITY, f64::min)
}

fn point_distance(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let along = b - a;
    let t = if along == DVec2::ZERO { 0.0 } else { ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0) };
    p.distance(a + along * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_turns_around_a_corner_on_an_arc() {
        // An L: a room of 4 x 4 whose upper right quarter is rock.
        let outline = [(0., 0.), (4., 0.), (4., 2.), (2., 2.), (2., 4.), (0., 4.)].map(|(x, z)| DVec2::new(x, z));
        let map = PlaneMap {
            polys: vec![
                vec![outline[0], outline[1], outline[2], DVec2::new(0.0, 2.0)],
                vec![DVec2::new(0.0, 2.0), outline[3], outline[4], outline[5]],
            ],
            walls: (0..6).map(|i| [outline[i], outline[(i + 1) % 6]]).collect(),
        };
        let length = map.shortest_for_disc(DVec2::new(3.5, 1.5), DVec2::new(1.5, 3.5), 0.5).unwrap();
        let want = 3.0 + 0.5 * PI / 2.0;
        assert!(length >= want - 1e-9 && length <= want * 1.002, "{length}, {want}");
        assert_eq!(map.shortest_for_disc(DVec2::new(3.5, 1.5), DVec2::new(1.5, 3.5), 1.01), None);
    }
}
