//! Where a search places its nodes on the portals, which decides which path looks shorter.
//!
//! ```text
//!    middle             nearest            visible         S: the node before, G: the goal
//!    |                  |                  |
//!    |     S            x─ ─ S             |     S         x: the node on the portal
//!    x                  |                  x   ·'
//!    |                  |                G·|·'
//! ```
//!
//! The middle of the portal makes paths over large polygons look longer than they are. The point nearest to the
//! previous node never does, but ignores how the path continues. With the point where the straight line to the goal
//! crosses the portal, or else the portal's point nearest to the goal, the last section is always straight, and the
//! search is drawn to the goal. None of them is best everywhere; [`find_optimal_path`](super::find_optimal_path) needs
//! none. A node near the end of its portal is moved inwards slightly, so that nodes do not coincide.
//!
//! Cost: the default costs nothing; the others a few multiplications for each portal that is met for the first time.
//!
//! Sources: Mikko Mononen, "Towards Better Navmesh Path Planning", "Navmesh Node Locations" and "Visibility Optimized
//! Graph Experiment", Digesting Duck, 2010; Marcelo Kallmann, "Shortest Paths with Arbitrary Clearance from Navigation
//! Meshes", 2010.

use crate::math::segment;
use crate::mesh::{NavMesh, PolyRef};
use glam::Vec3;

/// A portal that a search meets for the first time and for which it needs a node.
#[derive(Clone, Copy, Debug)]
pub struct PortalToPlace<'a> {
    /// The previous node: where the polygon before the portal was entered.
    pub from: Vec3,
    /// The goal, or its point nearest to `from`. In a search without a goal, such as a [cost map](super::CostMap), the
    /// same as `from`.
    pub goal: Vec3,
    /// The ends of the portal, the left one first as seen when crossing it.
    pub ends: [Vec3; 2],
    /// The polygon before the portal.
    pub poly: PolyRef,
    /// The polygon after the portal.
    pub next: PolyRef,
    /// The mesh that contains both.
    pub mesh: &'a NavMesh,
}

impl PortalToPlace<'_> {
    /// The point at a fraction of the portal: 0 is the left end, 1 the right; values outside are clamped, NaN is the
    /// middle.
    pub(super) fn at(&self, share: f32) -> Vec3 {
        let share = if share.is_nan() { 0.5 } else { share.clamp(0.0, 1.0) };
        segment::at(self.ends[0], self.ends[1], share)
    }
}

/// A rule for placing the nodes of a search. The library's own rules are in [`NodePlacement`]; to use one of yours,
/// implement this trait and pass it to [`PathRequest::placed_by`](super::PathRequest::placed_by).
///
/// A node stays where it was placed when its portal was first met. The rule affects which paths look short, not whether
/// there is a path. With every rule, costs are those of the line over the nodes.
pub trait PlaceNodes {
    /// The point of a portal to use: 0 is its left end, 1 its right. Values outside are clamped, NaN is the middle.
    /// Keep slightly away from the ends, or nodes coincide.
    fn share(&self, portal: &PortalToPlace<'_>) -> f32;

    /// Whether it always returns the middle. Searches then use the middles stored with the mesh and do not call the
    /// rule.
    fn is_middle(&self) -> bool {
        false
    }
}

impl<P: PlaceNodes + ?Sized> PlaceNodes for &P {
    fn share(&self, portal: &PortalToPlace<'_>) -> f32 {
        (**self).share(portal)
    }

    fn is_middle(&self) -> bool {
        (**self).is_middle()
    }
}

/// The library's rules for placing the node of a portal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NodePlacement {
    /// At its middle.
    #[default]
    Middle,
    /// At the point nearest to the previous node.
    Nearest,
    /// Where the straight line from the previous node to the goal crosses it; otherwise at its point nearest to the
    /// goal.
    Visible,
}

impl PlaceNodes for NodePlacement {
    fn share(&self, portal: &PortalToPlace<'_>) -> f32 {
        let PortalToPlace { from, goal, ends: [a, b], .. } = *portal;
        match self {
            Self::Middle => 0.5,
            Self::Nearest => segment::closest_t(from, a, b).clamp(0.01, 0.99),
            Self::Visible => {
                let crossing = segment::line_crossing(from, goal, a, b).map(|(_, along)| along as f32);
                let along = crossing.filter(|t| (0.0..=1.0).contains(t));
                along.unwrap_or_else(|| segment::closest_t(goal, a, b)).clamp(0.1, 0.9)
            }
        }
    }

    #[inline]
    fn is_middle(&self) -> bool {
        matches!(self, Self::Middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::PathStatus;
    use crate::context::Budget;
    use crate::math::Aabb;
    use crate::math::Rng;
    use crate::query::test_maps::{at, mesh, random_map};
    use crate::query::{
        BoxGoalRequest, CostMap, CostMapRequest, DefaultFilter, NearestGoalRequest, PathRequest, PolyPath,
        SearchScratch, SlicedSearch, find_optimal_path, find_path, find_path_to_box, find_path_to_nearest, string_pull,
    };

    fn placed(rule: NodePlacement, from: Vec3, goal: Vec3) -> f32 {
        let mesh = mesh(&[((0, 0), "aa")]);
        let poly = at(&mesh, (0.5, 0.5)).unwrap().poly;
        let ends = [Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 4.0)];
        let portal = PortalToPlace { from, goal, ends, poly, next: poly, mesh: &mesh };
        portal.at(rule.share(&portal)).z
    }

    #[test]
    fn nodes_stand_where_the_rule_says() {
        let from = Vec3::new(0.0, 0.0, 3.0);
        let goal = Vec3::new(4.0, 0.0, 1.0);
        assert_eq!(placed(NodePlacement::Middle, from, goal), 2.0);
        assert!((placed(NodePlacement::Nearest, from, goal) - 3.0).abs() < 1e-5);
        assert!((placed(NodePlacement::Visible, from, goal) - 2.0).abs() < 1e-5);
        // Beside the portal: kept off its ends.
        assert!((placed(NodePlacement::Nearest, Vec3::new(0.0, 0.0, 9.0), goal) - 3.96).abs() < 1e-5);
        assert!((placed(NodePlacement::Visible, from, Vec3::new(4.0, 0.0, -8.0)) - 0.4).abs() < 1e-5);
    }

    /// Every rule finds a path where there is one; none is shorter than the shortest; they do differ.
    #[test]
    fn every_rule_reaches_what_can_be_reached() {
        let (mut rng, mut scratch, filter) = (Rng::new(6), SearchScratch::new(), DefaultFilter::default());
        let (mut asked, mut differ) = (0, 0);
        for round in 0..400 {
            let mesh = random_map(&mut rng, 2, 8);
            let mut place = || at(&mesh, (rng.unit() * 16.0, rng.unit() * 16.0));
            let (Some(start), Some(goal)) = (place(), place()) else { continue };
            let mut ask = |placement| {
                let request = PathRequest::new(start, goal).placed_by(placement);
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
                let optimal = find_optimal_path(&mesh, &PathRequest::new(start, goal), &filter, &mut scratch);
                assert!(optimal.unwrap().straight.length <= middle.1 + 1e-4, "round {round}");
                asked += 1;
            }
        }
        assert!(asked > 40 && differ > 5, "{asked} {differ}");
    }

    /// At a fixed share of every portal, which may be no number.
    #[derive(Clone, Copy)]
    struct Fixed(f32);

    impl PlaceNodes for Fixed {
        fn share(&self, _: &PortalToPlace<'_>) -> f32 {
            self.0
        }
    }

    /// Ten unit squares in a row, walked along their edges at the top: z is 0 at the right hand.
    #[test]
    fn a_rule_of_ones_own_serves_every_search() {
        let mesh = mesh(&[((0, 0), "aaaaa"), ((1, 0), "aaaaa")]);
        let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
        let start = at(&mesh, (0.5, 0.5)).unwrap();
        let goal = at(&mesh, (9.5, 0.5)).unwrap();
        let bounds = Aabb { min: goal.point - Vec3::splat(0.25), max: goal.point + Vec3::splat(0.25) };
        let straight = find_path(&mesh, &PathRequest::new(start, goal), &filter, &mut scratch).unwrap().cost;
        for (rule, extra) in [(Fixed(0.5), 0.0), (Fixed(f32::NAN), 0.0), (Fixed(0.0), 0.4), (Fixed(7.0), 0.4)] {
            let request = PathRequest::new(start, goal).placed_by(rule);
            let path = find_path(&mesh, &request, &filter, &mut scratch).unwrap();
            assert!((path.cost - straight - extra).abs() < 0.02, "{} {straight}", path.cost);
            let mut sliced = SlicedSearch::new(&mesh, &request, &filter).unwrap();
            while !sliced.step(&filter, &mut Budget::new(2)) {}
            assert_eq!(sliced.path(&mesh).0, path);
            let goals = [goal];
            let nearest = NearestGoalRequest::new(start, &goals).placed_by(rule);
            let (nearest, which) = find_path_to_nearest(&mesh, &nearest, &filter, &mut scratch).unwrap();
            assert_eq!(which, Some(0));
            assert!((nearest.cost - path.cost).abs() < 1e-4);
            let into = BoxGoalRequest::new(start, bounds).placed_by(rule);
            let into = find_path_to_box(&mesh, &into, &filter, &mut scratch).unwrap();
            assert!((into.cost + 0.25 - path.cost).abs() < 0.2, "{} {}", into.cost, path.cost);
            let costs = CostMap::new(&mesh, &CostMapRequest::new(start).placed_by(rule), &filter).unwrap();
            let mut found = PolyPath::default();
            assert_eq!(costs.path_to(&mesh, goal, &filter, &mut found), None);
            assert!((found.cost - path.cost).abs() < 1e-4);
        }
    }
}
