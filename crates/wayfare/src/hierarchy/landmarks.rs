//! A caller's own abstraction above tiles: landmarks (towns, crossings, quest locations) and roads between them.
//!
//! ```text
//!   S ···> town ══road══> crossing ══road══> town ···> G        dotted: over the abstract graph, as without landmarks
//! ```
//!
//! The caller sets the cost of a road, so agents can prefer it to what lies beside it, and it can represent something
//! that is not in the mesh: a ferry, a coach. It can also cost as much as the path over the graph, or a fraction of
//! that. A path leads from the start to a landmark near it, along roads to a landmark near the goal, and on to the
//! goal; or it takes no road at all if that is cheaper. Its legs are walked one after another, and each is a path of
//! its own.
//!
//! Cost: an abstract search for each of the [`Landmarks::NEAR`] landmarks near each end, and a search over the roads.
//!
//! Sources: own work; Mikko Mononen, "Sketch for Hierarchical Pathfinding Using Detour", Digesting Duck, March 2010,
//! proposes levels above tiles that a level designer makes.

use super::HierarchyScratch;
use super::closed_parts::ClosedParts;
use super::find_abstract::{AbstractQuestion, find_abstract};
use super::tile_access::TileAccess;
use crate::context::Budget;
use crate::graph::{
    self, Course, Fringe, Known, Node, NodeStore, Order, Page, PageSize, SearchLimits, SearchObserver, SearchSpace,
};
use crate::math::OpenList;
use crate::math::index::NONE;
use crate::mesh::StaleRef;
use crate::query::{PathRequest, PolyPoint, QueryFilter};
use core::ops::ControlFlow;

/// A landmark, numbered in the order in which they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LandmarkId(pub u32);

/// A one-way road.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Road {
    to: u32,
    cost: f32,
}

/// Landmarks and the roads between them.
#[derive(Clone, Debug, Default)]
pub struct Landmarks {
    places: Vec<PolyPoint>,
    /// By landmark.
    roads: Vec<Vec<Road>>,
}

/// There is no landmark with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no landmark {}: there are {count}, counted from 0", landmark.0)]
pub struct UnknownLandmark {
    /// The requested one.
    pub landmark: LandmarkId,
    /// How many there are.
    pub count: u32,
}

/// A leg of a path by landmarks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LandmarkLeg {
    /// Its end.
    pub end: PolyPoint,
    /// The landmark there; none at the goal.
    pub landmark: Option<LandmarkId>,
    /// Whether it follows a road.
    pub is_road: bool,
    /// Its cost.
    pub cost: f32,
}

/// A path by landmarks: its legs, from the start to the goal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LandmarkPath {
    /// Never empty. A single leg means that no road is worth taking.
    pub legs: Vec<LandmarkLeg>,
    /// The total cost of the legs.
    pub cost: f32,
}

impl Landmarks {
    /// How many landmarks are considered near each end of a path: the nearest ones in a straight line.
    pub const NEAR: usize = 8;

    /// Without landmarks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a landmark at a position on a mesh.
    pub fn add(&mut self, place: PolyPoint) -> LandmarkId {
        self.places.push(place);
        self.roads.push(Vec::new());
        LandmarkId(self.places.len() as u32 - 1)
    }

    /// The position of a landmark.
    #[must_use]
    pub fn place(&self, landmark: LandmarkId) -> Option<PolyPoint> {
        self.places.get(landmark.0 as usize).copied()
    }

    /// Adds a one-way road. Its cost is in the same unit as the filter's: metres, if areas cost 1. A negative cost, or
    /// one that is not a number, counts as 0; an infinite cost closes the road.
    ///
    /// # Errors
    /// [`UnknownLandmark`].
    pub fn add_road(&mut self, from: LandmarkId, to: LandmarkId, cost: f32) -> Result<(), UnknownLandmark> {
        self.known(to)?;
        let from = self.known(from)?;
        // `max` turns NaN into zero.
        self.roads[from].push(Road { to: to.0, cost: cost.max(0.0) });
        Ok(())
    }

    /// The cost of the path over the graph from one landmark to another, for [adding a road](Self::add_road): for less,
    /// if agents should prefer it to what lies beside it. `None` if there is no path.
    ///
    /// # Errors
    /// [`UnknownLandmark`].
    pub fn cost_between<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
        &self,
        world: &mut W,
        landmarks: [LandmarkId; 2],
        filter: &F,
        scratch: &mut HierarchyScratch,
    ) -> Result<Option<f32>, UnknownLandmark> {
        let [from, to] = landmarks;
        let ends = [self.places[self.known(from)?], self.places[self.known(to)?]];
        Ok(cost_between(world, ends, filter, scratch))
    }

    fn known(&self, landmark: LandmarkId) -> Result<usize, UnknownLandmark> {
        let at = landmark.0 as usize;
        let count = self.places.len() as u32;
        if at < self.places.len() { Ok(at) } else { Err(UnknownLandmark { landmark, count }) }
    }

    /// The landmarks nearest to a position, the nearest first.
    fn near(&self, place: PolyPoint) -> Vec<u32> {
        let distance = |landmark: &u32| self.places[*landmark as usize].point.distance_squared(place.point);
        let mut all: Vec<u32> = (0..self.places.len() as u32).collect();
        all.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
        all.truncate(Self::NEAR);
        all
    }
}

/// Finds the cheapest path along roads, considering the landmarks near both ends; `None` if there is no path with roads
/// and none without. Walk its legs one after another, each by a [`HierarchicalPath`](super::HierarchicalPath). How an
/// agent travels along a road that is not in the mesh is up to the caller.
///
/// # Errors
/// [`StaleRef`] if the start's or the goal's polygon is not in the mesh. A landmark whose polygon no longer exists is
/// ignored.
pub fn find_landmark_path<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
    world: &mut W,
    request: &PathRequest,
    landmarks: &Landmarks,
    filter: &F,
    scratch: &mut HierarchyScratch,
) -> Result<Option<LandmarkPath>, StaleRef> {
    let &PathRequest { start, goal, .. } = request;
    let slots = [start, goal].map(|end| end.poly.slot().get());
    // A tile that cannot be loaded is reported as stale.
    let _ = world.load(&slots);
    world.mesh().locate(start.poly)?;
    world.mesh().locate(goal.poly)?;
    let count = landmarks.places.len();
    let direct = cost_between(world, [start, goal], filter, scratch);
    let mut space = RoadSpace { landmarks, page: None, first: Vec::new(), last: vec![f32::INFINITY; count] };
    space.first.extend(direct.map(|cost| Road { to: count as u32, cost }));
    for to in landmarks.near(start) {
        let cost = cost_between(world, [start, landmarks.places[to as usize]], filter, scratch);
        space.first.extend(cost.map(|cost| Road { to, cost }));
    }
    for from in landmarks.near(goal) {
        let cost = cost_between(world, [landmarks.places[from as usize], goal], filter, scratch);
        space.last[from as usize] = cost.unwrap_or(f32::INFINITY);
    }
    Ok(space.search(goal))
}

/// The cost of the abstract path between two positions; `None` if there is none, or if a position no longer exists.
fn cost_between<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
    world: &mut W,
    ends: [PolyPoint; 2],
    filter: &F,
    scratch: &mut HierarchyScratch,
) -> Option<f32> {
    world.load(&ends.map(|end| end.poly.slot().get())).ok()?;
    if ends.iter().any(|end| world.mesh().locate(end.poly).is_err()) {
        return None;
    }
    let closed = &ClosedParts::default();
    let mut question = AbstractQuestion { ends, closed, by_clusters: true };
    let mut found = find_abstract(world, question, filter, scratch).0;
    // The chosen entrances of a cluster beside a changed tile may be closed while others are open.
    if found.is_none() && !world.changed_since_levels().is_empty() {
        question.by_clusters = false;
        found = find_abstract(world, question, filter, scratch).0;
    }
    found.map(|path| path.cost)
}

/// Landmarks and roads as a search space. The keys after the landmarks are the goal and the start.
struct RoadSpace<'a> {
    landmarks: &'a Landmarks,
    page: Option<Page>,
    /// From the start.
    first: Vec<Road>,
    /// From each landmark to the goal.
    last: Vec<f32>,
}

impl RoadSpace<'_> {
    fn goal(&self) -> u32 {
        self.last.len() as u32
    }

    fn search(mut self, goal: PolyPoint) -> Option<LandmarkPath> {
        let mut nodes = NodeStore::default();
        nodes.begin(1);
        let page = nodes.entries.page(0, |_| PageSize { keys: self.goal() + 2, kinds: 1 });
        self.page = Some(page);
        let mut course = Course::within(SearchLimits::default());
        let mut open = OpenList::default();
        let mut fringe = Fringe { nodes: &mut nodes, open: &mut open, observer: &mut (), course: &mut course };
        let start = self.goal() + 1;
        fringe.begin(Node::at(page.entry(start, 0), start, goal.point), 0.0);
        graph::run(&mut self, &mut fringe, &mut Budget::unlimited());
        let last = nodes.entries.find(page.entry(self.goal(), 0)).filter(|&last| nodes.is_closed(last))?;
        let mut path = LandmarkPath { legs: Vec::new(), cost: nodes.get(last).cost };
        for node in nodes.trail(last).filter(|node| node.parent != NONE) {
            let before = nodes.get(node.parent);
            let landmark = (node.of != self.goal()).then_some(LandmarkId(node.of));
            let end = landmark.and_then(|landmark| self.landmarks.place(landmark)).unwrap_or(goal);
            let is_road = landmark.is_some() && before.parent != NONE;
            path.legs.push(LandmarkLeg { end, landmark, is_road, cost: node.cost - before.cost });
        }
        path.legs.reverse();
        Some(path)
    }
}

impl SearchSpace for RoadSpace<'_> {
    type Key = u32;

    fn expand<Q: Order, O: SearchObserver<u32>>(
        &mut self,
        fringe: &mut Fringe<'_, u32, Q, O>,
        number: u32,
        node: Node<u32>,
    ) -> ControlFlow<()> {
        if node.of == self.goal() {
            return ControlFlow::Break(());
        }
        let Some(page) = self.page else { return ControlFlow::Break(()) };
        let at = node.of as usize;
        let roads = self.landmarks.roads.get(at).unwrap_or(&self.first);
        // Who has not come by a road has nothing from going by way of a landmark.
        let is_by_road = fringe.nodes.of(node.parent).is_some_and(|before| before != self.goal() + 1);
        let last = self.last.get(at).filter(|_| is_by_road).map(|&cost| Road { to: self.goal(), cost });
        for &Road { to, cost } in roads.iter().chain(&last) {
            let entry = page.entry(to, 0);
            match fringe.nodes.entries.known(entry) {
                Known::Closed => {}
                Known::Open(other) => fringe.improve(other, (number, 0), node.cost + cost, 0.0),
                Known::New => {
                    fringe.open(Node::at(entry, to, node.pos), number, node.cost + cost, 0.0);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::{AbstractGraph, InMemory};
    use crate::query::DefaultFilter;
    use crate::query::test_maps::{at, mesh};

    #[test]
    fn roads_are_taken_where_they_are_worth_it() {
        let mesh = mesh(&[((0, 0), "aaaa\naaaa"), ((1, 0), "aaaa\naaaa"), ((2, 0), "aaaa\naaaa"), ((4, 0), "aa..")]);
        let graph = AbstractGraph::new(&mesh);
        let mut world = InMemory::new(&mesh, &graph);
        let filter = DefaultFilter::default();
        let mut scratch = HierarchyScratch::new();
        let place = |x: f32| at(&mesh, (x, 0.5)).unwrap();
        let mut landmarks = Landmarks::new();
        let [west, east, island] = [1.0, 11.0, 16.5].map(|x| landmarks.add(place(x)));
        let mut find = |landmarks: &Landmarks, from: f32, to: f32| {
            let request = PathRequest::new(place(from), place(to));
            find_landmark_path(&mut world, &request, landmarks, &filter, &mut scratch).unwrap()
        };
        let plain = find(&landmarks, 0.5, 11.5).unwrap();
        assert_eq!(plain.legs.len(), 1, "without roads");
        // Costs are those of the abstract graph, over the middles of portals.
        let is_near = |cost: f32, exact: f32| cost >= exact - 0.01 && cost <= exact * 1.05;
        assert!(is_near(plain.cost, 11.0) && plain.legs[0].landmark.is_none(), "{plain:?}");
        landmarks.add_road(west, east, 4.0).unwrap();
        let by_road = find(&landmarks, 0.5, 11.5).unwrap();
        assert!(is_near(by_road.cost, 5.0), "{by_road:?}");
        let legs: Vec<_> = by_road.legs.iter().map(|leg| (leg.landmark, leg.is_road)).collect();
        assert_eq!(legs, [(Some(west), false), (Some(east), true), (None, false)]);
        assert_eq!(find(&landmarks, 11.5, 0.5).unwrap().legs.len(), 1, "it leads one way");
        assert_eq!(find(&landmarks, 4.5, 6.5).unwrap().legs.len(), 1, "it is out of the way");
        assert!(find(&landmarks, 0.5, 17.5).is_none());
        landmarks.add_road(east, island, 1.0).unwrap();
        assert_eq!(find(&landmarks, 0.5, 17.5).unwrap().legs.len(), 4, "by ferry");
        let unknown = landmarks.add_road(LandmarkId(9), east, 1.0).unwrap_err();
        assert_eq!(unknown, UnknownLandmark { landmark: LandmarkId(9), count: 3 });
        let cost = landmarks.cost_between(&mut world, [east, west], &filter, &mut scratch).unwrap().unwrap();
        assert!(is_near(cost, 10.0), "{cost}");
    }
}
