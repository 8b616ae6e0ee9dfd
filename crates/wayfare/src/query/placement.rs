//! Where a corridor search places its nodes on the portals: what stands for a portal decides which way looks shorter.
//!
//! ```text
//!    middle             nearest            visible         S: the node before, G: the goal
//!    |                  |                  |
//!    |     S            x─ ─ S             |     S         x: the node on the portal
//!    x                  |                  x   ·'
//!    |                  |                G·|·'
//! ```
//!
//! The middle of the portal makes ways over large polygons look longer than they are. The point nearest to where one
//! comes from never does, but forgets that the way goes on. Where the straight line to the goal crosses the portal, or
//! else the portal's point nearest to the goal, the last stretch is always straight, and the search is drawn to the
//! goal. None of them is best everywhere; [`find_optimal_path`](super::find_optimal_path) needs none. A node that
//! stands near the end of its portal is moved inwards a little, lest nodes lie on top of each other.
//!
//! Cost: the default costs nothing; the others a few multiplications for each portal that is met first.
//!
//! Sources: Mikko Mononen, "Towards Better Navmesh Path Planning", "Navmesh Node Locations" and "Visibility Optimized
//! Graph Experiment", Digesting Duck, 2010; Marcelo Kallmann, "Shortest Paths with Arbitrary Clearance from Navigation
//! Meshes", 2010.

use super::search_goal::{Goal, PointGoal};
use crate::math::segment;
use crate::mesh::NavMesh;
use core::marker::PhantomData;
use glam::Vec3;

/// A rule of placement, chosen when the search is compiled.
pub(super) trait Placement {
    /// The node's place on the portal `a`–`b`, for a way from `from` to `goal`.
    fn place(from: Vec3, goal: Vec3, a: Vec3, b: Vec3) -> Vec3;
}

/// [`NodePlacement::Nearest`](super::NodePlacement::Nearest)
pub(super) struct Nearest;

/// [`NodePlacement::Visible`](super::NodePlacement::Visible)
pub(super) struct Visible;

impl Placement for Nearest {
    fn place(from: Vec3, _: Vec3, a: Vec3, b: Vec3) -> Vec3 {
        segment::at(a, b, segment::closest_t(from, a, b).clamp(0.01, 0.99))
    }
}

impl Placement for Visible {
    fn place(from: Vec3, goal: Vec3, a: Vec3, b: Vec3) -> Vec3 {
        let crossing = segment::line_crossing(from, goal, a, b).map(|(_, along)| along as f32);
        let along = crossing.filter(|t| (0.0..=1.0).contains(t));
        segment::at(a, b, along.unwrap_or_else(|| segment::closest_t(goal, a, b)).clamp(0.1, 0.9))
    }
}

/// A point to reach, with a rule of placement on the way.
#[derive(Debug)]
pub(super) struct Placed<P> {
    goal: PointGoal,
    rule: PhantomData<P>,
}

impl<P> Placed<P> {
    pub(super) fn new(goal: PointGoal) -> Self {
        Self { goal, rule: PhantomData }
    }
}

impl<P: Placement> Goal for Placed<P> {
    const PLACES_NODES: bool = true;

    fn aim(&self, p: Vec3) -> Vec3 {
        self.goal.aim(p)
    }

    fn wanted(&self, p: Vec3) -> Vec3 {
        self.goal.wanted(p)
    }

    fn is_stand_in(&self) -> bool {
        self.goal.is_stand_in()
    }

    fn only_poly(&self) -> Option<(u32, u32)> {
        self.goal.only_poly()
    }

    fn place_in(&self, mesh: &NavMesh, slot: u32, poly: u32, from: Vec3) -> Option<Vec3> {
        self.goal.place_in(mesh, slot, poly, from)
    }

    fn place_node(&self, from: Vec3, [a, b]: [Vec3; 2]) -> Vec3 {
        P::place(from, self.goal.aim(from), a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::PathStatus;
    use crate::math::Rng;
    use crate::query::test_maps::{at, random_map};
    use crate::query::{DefaultFilter, NodePlacement, PathRequest, SearchScratch, find_path, string_pull};

    #[test]
    fn nodes_stand_where_the_rule_says() {
        let (a, b) = (Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 4.0));
        let (from, goal) = (Vec3::new(0.0, 0.0, 3.0), Vec3::new(4.0, 0.0, 1.0));
        assert!((Nearest::place(from, goal, a, b).z - 3.0).abs() < 1e-5);
        assert!((Visible::place(from, goal, a, b).z - 2.0).abs() < 1e-5);
        // Beside the portal: kept off its ends.
        assert!((Nearest::place(Vec3::new(0.0, 0.0, 9.0), goal, a, b).z - 3.96).abs() < 1e-5);
        assert!((Visible::place(from, Vec3::new(4.0, 0.0, -8.0), a, b).z - 0.4).abs() < 1e-5);
    }

    /// Every rule finds a way where there is one; none is shorter than the shortest; they do differ.
    #[test]
    fn every_rule_reaches_what_can_be_reached() {
        let (mut rng, mut scratch, filter) = (Rng::new(6), SearchScratch::new(), DefaultFilter::default());
        let (mut asked, mut differ) = (0, 0);
        for round in 0..400 {
            let mesh = random_map(&mut rng, 2, 8);
            let mut place = || at(&mesh, (rng.unit() * 16.0, rng.unit() * 16.0));
            let (Some(start), Some(goal)) = (place(), place()) else { continue };
            let mut ask = |placement| {
                let request = PathRequest { placement, ..PathRequest::new(start, goal) };
                let path = find_path(&mesh, &request, &filter, &mut scratch).unwrap();
                (path.status, string_pull(&path, &mut scratch).length)
            };
            let middle = ask(NodePlacement::Middle);
            for placement in [NodePlacement::Nearest, NodePlacement::Visible] {
                let other = ask(placement);
                assert_eq!(other.0, middle.0, "round {round}");
                differ += u32::from(other.1 != middle.1);
            }
            if middle.0 == PathStatus::Complete {
                let optimal =
                    crate::query::find_optimal_path(&mesh, &PathRequest::new(start, goal), &filter, &mut scratch);
                assert!(optimal.unwrap().straight.length <= middle.1 + 1e-4, "round {round}");
                asked += 1;
            }
        }
        assert!(asked > 40 && differ > 5, "{asked} {differ}");
    }
}
