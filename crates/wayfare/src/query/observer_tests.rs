//! Whoever looks at a search sees all of it, and changes nothing.

use super::test_maps::{at, mesh, random_map};
use super::{
    AroundRequest, BoxGoalRequest, CostMap, CostMapRequest, DefaultFilter, NavQuery, NearestGoalRequest,
    NeighbourhoodRequest, OptimalSearch, PathRequest, PolyPoint, SearchScratch, SlicedSearch, find_distance_to_wall,
    find_optimal_path, find_path, find_path_to_box, find_path_to_nearest, local_neighbourhood, move_along_surface,
    polys_around, random_point_in_circle, reachable,
};
use crate::area::PathStatus;
use crate::context::Budget;
use crate::graph::{RecordedSearch, SearchNode, SearchObserver, SearchRecord};
use crate::math::predicates::orient_xz;
use crate::math::{Aabb, Rng};
use crate::mesh::{NavMesh, PolyRef};
use glam::Vec3;

type Watched = SearchScratch<SearchRecord<PolyRef>>;

fn watched() -> Watched {
    SearchScratch::new().observed_by(SearchRecord::new())
}

/// What holds for the record of any search: parents came before, and were expanded.
fn check(search: &RecordedSearch<PolyRef>) {
    for (number, node) in search.nodes().iter().enumerate() {
        assert_eq!(node.number as usize, number);
        assert!(node.at.is_finite() && node.total >= node.cost);
        assert_eq!(node.parent.is_none(), number == 0);
        if let Some(parent) = node.parent {
            assert!(search.is_closed(parent), "a node was found from one that never had its turn");
        }
    }
    assert!(search.closed_order().iter().all(|&number| search.is_closed(number)));
}

/// Asks once with somebody who looks and once without, and returns what was seen.
fn ask<T: PartialEq + core::fmt::Debug>(
    scratch: &mut Watched,
    watched: impl FnOnce(&mut Watched) -> T,
    plain: impl FnOnce(&mut SearchScratch) -> T,
) -> Vec<RecordedSearch<PolyRef>> {
    scratch.observer_mut().clear();
    assert_eq!(watched(scratch), plain(&mut SearchScratch::new()), "who looks changes nothing");
    scratch.observer().searches().iter().for_each(check);
    scratch.observer().searches().to_vec()
}

/// Every kind of search, on random maps of several tiles.
#[test]
fn every_search_shows_its_nodes() {
    let mut rng = Rng::new(31);
    let filter = DefaultFilter::default();
    let mut scratch = watched();
    let mut asked = 0;
    for _ in 0..60 {
        let mesh = random_map(&mut rng, 3, 5);
        let mut place = || at(&mesh, (rng.unit() * 15.0, rng.unit() * 15.0));
        let (Some(start), Some(goal)) = (place(), place()) else { continue };
        let request = PathRequest::new(start, goal);
        macro_rules! both {
            ($question:expr) => {
                ask(&mut scratch, $question, $question)
            };
        }
        let path = find_path(&mesh, &request, &filter, &mut SearchScratch::new()).unwrap();
        let seen = both!(|memory| find_path(&mesh, &request, &filter, memory).unwrap());
        assert_eq!((seen.len(), seen[0].nodes().len() as u32), (1, path.nodes));
        if path.status == PathStatus::Complete {
            let last = *seen[0].closed_order().last().unwrap();
            let mut polys: Vec<PolyRef> = seen[0].trail(last).map(|node| node.of).collect();
            polys.reverse();
            assert_eq!(polys, path.polys, "the trail of the last node is the path");
            let costs: Vec<f32> = seen[0].trail(last).map(|node| node.cost).collect();
            assert!(costs.is_sorted_by(|later, earlier| later >= earlier));
        }
        let goals = [goal, start];
        let nearest = NearestGoalRequest::new(start, &goals);
        assert_eq!(both!(|memory| find_path_to_nearest(&mesh, &nearest, &filter, memory).unwrap()).len(), 1);
        let bounds = Aabb { min: goal.point - Vec3::splat(0.25), max: goal.point + Vec3::splat(0.25) };
        let into_box = BoxGoalRequest::new(start, bounds);
        assert_eq!(both!(|memory| find_path_to_box(&mesh, &into_box, &filter, memory).unwrap()).len(), 1);
        let circle = AroundRequest::circle(start, 3.0);
        let around = both!(|memory| polys_around(&mesh, &circle, &filter, memory).unwrap());
        let polys = polys_around(&mesh, &circle, &filter, &mut SearchScratch::new()).unwrap();
        let closed = around[0].closed_order().iter().map(|&number| around[0].nodes()[number as usize].of);
        assert!(closed.eq(polys.iter().map(|reached| reached.poly)), "in the order of the answer");
        for near in [NeighbourhoodRequest::new(start, 3.0), NeighbourhoodRequest::new(start, 3.0).by_distance()] {
            assert_eq!(both!(|memory| local_neighbourhood(&mesh, &near, &filter, memory).unwrap()).len(), 1);
        }
        both!(|memory| move_along_surface(&mesh, start, goal.point, &filter, memory).unwrap());
        assert_eq!(both!(|memory| find_distance_to_wall(&mesh, start, 5.0, &filter, memory).unwrap()).len(), 1);
        both!(|memory| random_point_in_circle(&mesh, start, 2.0, &filter, memory, &mut Rng::new(1)).unwrap());
        both!(|memory| find_optimal_path(&mesh, &request, &filter, memory).unwrap());
        both!(|memory| reachable(&mesh, &request, &filter, memory).unwrap());
        asked += 1;
    }
    assert!(asked > 20);
}

/// Searches in slices and cost maps take the observer with the scratch.
#[test]
fn what_goes_on_for_long_can_be_watched() {
    let mesh = mesh(&[((0, 0), "aaaa\n...a\naaaa")]);
    let filter = DefaultFilter::default();
    let start = at(&mesh, (0.5, 0.5)).unwrap();
    let request = PathRequest::new(start, at(&mesh, (0.5, 2.5)).unwrap());
    let mut sliced = SlicedSearch::with_scratch(&mesh, &request, &filter, watched()).unwrap();
    sliced.step(&filter, &mut Budget::new(2));
    assert_eq!(sliced.observer().searches()[0].closed_order().len(), 2);
    let mut optimal = OptimalSearch::with_scratch(&mesh, &request, &filter, sliced.into_scratch()).unwrap();
    assert!(optimal.step(&filter, &mut Budget::unlimited()));
    let [corridor, any_angle] = optimal.observer().searches() else { panic!("one after the other") };
    assert!(corridor.nodes().len() > 2 && any_angle.nodes().len() > 2);
    // The nodes of the search in any direction stand in the middle of portals, on the mesh.
    assert!(any_angle.nodes()[1..].iter().all(|node| [0.0, 0.5].contains(&node.at.x.fract())));
    check(any_angle);
    assert!(corridor.cones().is_empty());
    let [(first, cone), ..] = any_angle.cones() else { panic!("the way bends, so something is seen through portals") };
    assert_eq!(any_angle.nodes()[*first as usize].at, cone.left.midpoint(cone.right), "the whole of the first portal");
    let sides = any_angle.cones().iter().map(|(_, cone)| orient_xz(cone.root, cone.right, cone.left));
    assert!(sides.clone().all(|side| side >= 0.0) && sides.clone().any(|side| side > 0.0), "left is to the left");
    let map = CostMap::with_scratch(&mesh, &CostMapRequest::new(start), &filter, watched()).unwrap();
    assert_eq!(map.observer().searches()[0].closed_order().len(), 9, "every polygon");
}

/// Counts what it is shown.
#[derive(Default)]
struct Counter([u32; 4]);

impl SearchObserver<PolyRef> for Counter {
    fn began(&mut self) {
        self.0[0] += 1;
    }

    fn opened(&mut self, _: &SearchNode<PolyRef>) {
        self.0[1] += 1;
    }

    fn improved(&mut self, _: &SearchNode<PolyRef>) {
        self.0[2] += 1;
    }

    fn closed(&mut self, _: u32) {
        self.0[3] += 1;
    }
}

/// A session is watched by one's own observer, by `&mut dyn` if need be.
#[test]
fn a_session_is_watched() {
    fn questions(mesh: &NavMesh, observer: &mut dyn SearchObserver<PolyRef>) {
        let mut query = NavQuery::of(mesh).observed_by(observer);
        query.path([0.5, 0.0, 0.5], [3.5, 0.0, 0.5]).unwrap();
        query.straight_path([0.5, 0.0, 0.5], [3.5, 0.0, 0.5]).unwrap();
        query.ray([0.5, 0.0, 0.5], [3.5, 0.0, 0.5]).unwrap();
        query.explain([0.5, 0.0, 0.5], [3.5, 0.0, 0.5]);
    }
    let mesh = mesh(&[((0, 0), "aaaa")]);
    let mut counter = Counter::default();
    questions(&mesh, &mut counter);
    assert_eq!(counter.0, [3, 12, 0, 12]);
}

/// Of two ways into a polygon the first found may be the longer one: the node is shown again with its new parent.
#[test]
fn a_cheaper_way_is_shown_as_an_improvement() {
    let mut rng = Rng::new(9);
    let mut scratch = watched();
    for _ in 0..40 {
        let mesh = random_map(&mut rng, 3, 6);
        let mut place = || at(&mesh, (rng.unit() * 18.0, rng.unit() * 18.0));
        let (Some(start), Some(goal)) = (place(), place()) else { continue };
        find_path(&mesh, &PathRequest::new(start, goal), &DefaultFilter::default(), &mut scratch).unwrap();
    }
    assert!(scratch.observer().searches().iter().any(|search| search.improvements() > 0));
    // From nowhere nothing is expanded.
    scratch.observer_mut().clear();
    let mesh = mesh(&[((0, 0), "aa")]);
    let goal = at(&mesh, (1.5, 0.5)).unwrap();
    let nowhere = PolyPoint { point: Vec3::NAN, ..goal };
    find_path(&mesh, &PathRequest::new(nowhere, goal), &DefaultFilter::default(), &mut scratch).unwrap();
    assert!(scratch.observer().searches()[0].closed_order().is_empty());
}
