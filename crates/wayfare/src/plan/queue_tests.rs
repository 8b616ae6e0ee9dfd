//! The answers of a queue are those of single searches, in the same step whoever asks beside, and nothing is lost.

use super::*;
use crate::area::{PathStatus, PolyFlags};
use crate::context::Budget;
use crate::math::Rng;
use crate::math::index::TileSlot;
use crate::mesh::{NavMesh, StaleReason};
use crate::query::test_maps::{at, mesh, random_map};
use crate::query::{CostBounds, DefaultFilter, PathRequest, PolyPath, SearchScratch};
use crate::query::{find_bounded_path, find_optimal_path, find_path};
use std::sync::Arc;

fn filter() -> SharedFilter {
    Arc::new(DefaultFilter::default())
}

fn request(mesh: &NavMesh, from: (f32, f32), to: (f32, f32)) -> PathRequest {
    PathRequest::new(at(mesh, from).unwrap(), at(mesh, to).unwrap())
}

/// A map, and requests on it.
fn requests(rng: &mut Rng, count: usize) -> (NavMesh, Vec<PathRequest>) {
    loop {
        let mesh = random_map(rng, 3, 5);
        let mut place = || at(&mesh, (rng.unit() * 15.0, rng.unit() * 15.0));
        let pairs = (0..8 * count).filter_map(|_| Some(PathRequest::new(place()?, place()?)));
        let requests: Vec<_> = pairs.take(count).collect();
        if requests.len() == count {
            return (mesh, requests);
        }
    }
}

fn single(mesh: &NavMesh, request: &PathRequest, kind: &SearchKind, filter: &SharedFilter) -> PolyPath {
    let mut scratch = SearchScratch::new();
    match kind {
        SearchKind::AStar => find_path(mesh, request, filter.as_ref(), &mut scratch).unwrap(),
        SearchKind::Optimal => find_optimal_path(mesh, request, filter.as_ref(), &mut scratch).unwrap().path,
        SearchKind::Bounded(bounds) => {
            find_bounded_path((mesh, bounds.as_ref()), request, filter.as_ref(), &mut scratch).unwrap()
        }
    }
}

#[test]
fn answers_are_those_of_single_searches() {
    let mut rng = Rng::new(3);
    let strict: SharedFilter = Arc::new(DefaultFilter::new(PolyFlags::ALL, PolyFlags(2)));
    for _ in 0..12 {
        let (mut mesh, requests) = requests(&mut rng, 60);
        for request in requests.iter().step_by(9) {
            mesh.set_flags(request.goal.poly, PolyFlags(3)).unwrap();
        }
        let bounds = Arc::new(CostBounds::new(&mesh, filter().as_ref()));
        let planners: [(&mut dyn Planner, _); 3] = [
            (&mut AStarPlanner::new(), SearchKind::AStar),
            (&mut OptimalPlanner::new(), SearchKind::Optimal),
            (&mut BoundedPlanner::new(Arc::clone(&bounds)), SearchKind::Bounded(bounds)),
        ];
        for (planner, kind) in planners {
            let mut queue = PathQueue::new();
            let filters = [filter(), strict.clone()];
            let mut asked: Vec<_> = (0..)
                .zip(&requests)
                .map(|(k, request)| {
                    let filter = &filters[k % 2];
                    (queue.request(*request, filter.clone()), request, filter)
                })
                .collect();
            let mut steps = 0;
            while !asked.is_empty() {
                assert_eq!(queue.pending(), asked.len());
                queue.step(&mesh, planner, &mut Budget::new(1 + u64::from(rng.below(40))));
                asked.retain(|(id, request, filter)| {
                    let Some(answer) = queue.take(*id).unwrap() else { return true };
                    assert_eq!(answer.path, single(&mesh, request, &kind, filter));
                    assert_eq!((answer.stale, answer.is_outdated), (None, false));
                    false
                });
                steps += 1;
            }
            assert!(steps > 2 && queue.pending() == 0);
        }
    }
}

/// In which step each request was answered, with how many nodes in each step.
fn schedule(mesh: &NavMesh, requests: &[PathRequest], budget: u64) -> (Vec<(usize, PolyPath)>, Vec<u64>) {
    let (mut queue, mut planner, filter) = (PathQueue::new(), AStarPlanner::new(), filter());
    let ids: Vec<_> = requests.iter().map(|request| queue.request(*request, filter.clone())).collect();
    let mut answers = vec![None; ids.len()];
    let mut spent = Vec::new();
    while queue.pending() > 0 {
        let mut left = Budget::new(budget);
        queue.step(mesh, &mut planner, &mut left);
        while let Some((id, answer)) = queue.take_next() {
            answers[ids.iter().position(|other| *other == id).unwrap()] = Some((spent.len(), answer.path.clone()));
        }
        spent.push(budget - left.left());
    }
    (answers.into_iter().map(Option::unwrap).collect(), spent)
}

#[test]
fn a_budget_is_kept_and_spent() {
    let (mesh, requests) = requests(&mut Rng::new(8), 80);
    let (whole, spent) = schedule(&mesh, &requests, u64::MAX - 1);
    assert!(whole.iter().all(|(step, _)| *step == 0));
    for budget in [1, 7, 255, 256, 257, 1000] {
        let (answers, nodes) = schedule(&mesh, &requests, budget);
        assert!(answers.iter().map(|answer| &answer.1).eq(whole.iter().map(|answer| &answer.1)));
        assert!(nodes[..nodes.len() - 1].iter().all(|&nodes| nodes == budget), "{budget}: {nodes:?}");
        assert_eq!(nodes.iter().sum::<u64>(), spent[0], "nothing is searched twice");
    }
}

#[cfg(feature = "rayon")]
#[test]
fn the_same_answers_in_the_same_steps_for_any_number_of_threads() {
    let (mesh, requests) = requests(&mut Rng::new(11), 200);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| [3, 100, 700, 5000].map(|budget| schedule(&mesh, &requests, budget)))
    };
    let one = run(1);
    for threads in [2, 3, 7] {
        assert!(one == run(threads), "{threads} threads");
    }
}

#[test]
fn a_short_path_does_not_wait_for_a_long_one_and_memory_is_bounded() {
    let mesh = mesh(&[((0, 0), &vec!["a".repeat(60); 60].join("\n"))]);
    let (mut queue, mut planner, filter) = (PathQueue::new(), AStarPlanner::new(), filter());
    // All of the mesh is searched for a goal that is closed.
    let closed: SharedFilter = Arc::new(DefaultFilter::new(PolyFlags(2), PolyFlags::NONE));
    let mut doors = mesh.clone();
    let far = request(&mesh, (0.5, 0.5), (59.5, 59.5));
    for poly in (0..3600).map(|poly| mesh.tiles().next().unwrap().reference(poly)).filter(|p| *p != far.goal.poly) {
        doors.set_flags(poly, PolyFlags(3)).unwrap();
    }
    let long = queue.request(far, closed);
    let short = queue.request(request(&mesh, (0.5, 0.5), (3.5, 0.5)), filter.clone());
    queue.step(&doors, &mut planner, &mut Budget::new(2 * PathQueue::SLICE));
    assert_eq!((queue.state(long), queue.state(short)), (Ok(RequestState::Searching), Ok(RequestState::Done)));
    for k in 0..1000 {
        let to = (1.5 + (k % 50) as f32, 58.5);
        queue.request(request(&mesh, (0.5, 0.5), to), filter.clone());
    }
    queue.step(&doors, &mut planner, &mut Budget::unlimited());
    assert_eq!((queue.pending(), queue.take(long).unwrap().unwrap().path.status), (0, PathStatus::Partial));
    assert!(queue.searches_kept() <= PathQueue::AT_ONCE);
}

#[test]
fn names_of_requests_go_stale() {
    let mesh = mesh(&[((0, 0), "aaaaaaaaaaaaaaaa")]);
    let (mut queue, mut planner, filter) = (PathQueue::new(), AStarPlanner::new(), filter());
    let ask = request(&mesh, (0.5, 0.5), (15.5, 0.5));
    let ids: Vec<_> = (0..4).map(|_| queue.request(ask, filter.clone())).collect();
    queue.cancel(ids[3]).unwrap();
    queue.step(&mesh, &mut planner, &mut Budget::new(3));
    assert_eq!(queue.state(ids[0]), Ok(RequestState::Searching));
    assert_eq!((queue.state(ids[1]), queue.take(ids[1])), (Ok(RequestState::Waiting), Ok(None)));
    queue.cancel(ids[0]).unwrap();
    for id in [ids[0], ids[3]] {
        let gone = UnknownRequest { id };
        assert_eq!((queue.state(id), queue.cancel(id), queue.restart(id)), (Err(gone), Err(gone), Err(gone)));
        assert_eq!((queue.take(id), queue.update(id, ask, &filter)), (Err(gone), Err(gone)));
    }
    // Others take their places.
    let later: Vec<_> = (0..3).map(|_| queue.request(ask, filter.clone())).collect();
    assert!(later[..2].iter().all(|id| id.index() == ids[0].index() || id.index() == ids[3].index()));
    assert_eq!(queue.state(ids[0]), Err(UnknownRequest { id: ids[0] }));
    queue.step(&mesh, &mut planner, &mut Budget::unlimited());
    let order: Vec<_> = core::iter::from_fn(|| queue.take_next().map(|(id, _)| id)).collect();
    assert_eq!(order, [ids[1], ids[2], later[0], later[1], later[2]], "first come, first served");
    assert_eq!(queue.take(ids[1]), Err(UnknownRequest { id: ids[1] }));
    assert_eq!(queue.cancel(ids[0]), Err(UnknownRequest { id: ids[0] }));
}

#[test]
fn thousands_that_are_cancelled_or_taken_by_name_leave_nothing() {
    let mesh = mesh(&[((0, 0), "aaaa")]);
    let (mut queue, mut planner, filter) = (PathQueue::new(), AStarPlanner::new(), filter());
    let ask = request(&mesh, (0.5, 0.5), (3.5, 0.5));
    let kept = queue.request(ask, filter.clone());
    for _ in 0..5000 {
        let id = queue.request(ask, filter.clone());
        queue.cancel(id).unwrap();
    }
    assert_eq!(queue.pending(), 1);
    queue.step(&mesh, &mut planner, &mut Budget::unlimited());
    for _ in 0..5000 {
        let id = queue.request(ask, filter.clone());
        queue.step(&mesh, &mut planner, &mut Budget::unlimited());
        assert!(queue.take(id).unwrap().is_some());
    }
    assert!(queue.take(kept).unwrap().is_some());
    assert!(queue.names_kept() < 10, "{}", queue.names_kept());
}

#[test]
fn a_mesh_that_changes_under_way_is_noticed() {
    let mut mesh = mesh(&[((0, 0), "aa"), ((1, 0), "aa"), ((2, 0), "aa")]);
    let (mut queue, mut planner, filter) = (PathQueue::new(), AStarPlanner::new(), filter());
    let [through, back] = [(0.5, 5.5), (5.5, 0.5)].map(|(a, b)| request(&mesh, (a, 0.5), (b, 0.5)));
    let [first, second, later] = [through, through, back].map(|ask| queue.request(ask, filter.clone()));
    queue.step(&mesh, &mut planner, &mut Budget::new(2));
    let removed = mesh.remove_tile(mesh.tile_in(TileSlot::new(1)).unwrap().tile_ref()).unwrap();
    queue.step(&mesh, &mut planner, &mut Budget::unlimited());
    // The search that was under way goes on over the mesh that it began on; its path is cut.
    let answer = queue.take(first).unwrap().unwrap();
    assert_eq!((answer.path.status, answer.path.polys.len(), answer.is_outdated), (PathStatus::Partial, 2, true));
    assert_eq!(answer.stale.unwrap().reference.slot(), TileSlot::new(1));
    // The other has never seen it.
    let answer = queue.take(second).unwrap().unwrap();
    assert_eq!((answer.path.status, answer.path.polys.len()), (PathStatus::Partial, 2));
    assert_eq!((answer.stale, answer.is_outdated), (None, false));
    queue.take(later).unwrap().unwrap();

    // A request that is restarted is searched on the mesh as it is.
    mesh.add_tile(removed).unwrap();
    let id = queue.request(through, filter.clone());
    queue.step(&mesh, &mut planner, &mut Budget::new(2));
    mesh.remove_tile(mesh.tile_in(TileSlot::new(1)).unwrap().tile_ref()).unwrap();
    queue.restart(id).unwrap();
    assert_eq!(queue.state(id), Ok(RequestState::Waiting));
    queue.step(&mesh, &mut planner, &mut Budget::unlimited());
    let answer = queue.take(id).unwrap().unwrap();
    assert_eq!((answer.path.status, answer.stale, answer.is_outdated), (PathStatus::Partial, None, false));

    // A goal that has gone before anything was done.
    let id = queue.request(through, filter);
    mesh.remove_tile(mesh.tile_in(TileSlot::new(2)).unwrap().tile_ref()).unwrap();
    queue.step(&mesh, &mut planner, &mut Budget::unlimited());
    let answer = queue.take(id).unwrap().unwrap();
    assert_eq!((answer.path.status, answer.path.polys.len()), (PathStatus::None, 0));
    let stale = answer.stale.unwrap();
    assert_eq!((stale.reference, stale.reason), (through.goal.poly, StaleReason::Removed));
}

#[test]
fn what_is_asked_may_change_until_something_is_done_for_it() {
    let mesh = mesh(&[((0, 0), "aaaaaaaaaaaaaaaa")]);
    let (mut queue, mut planner, filter) = (PathQueue::new(), AStarPlanner::new(), filter());
    let [ask, other] = [15.5, 9.5].map(|x| request(&mesh, (0.5, 0.5), (x, 0.5)));
    let [first, second] = [0, 1].map(|_| queue.request(ask, filter.clone()));
    queue.step(&mesh, &mut planner, &mut Budget::new(2));
    let updates = [first, second].map(|id| queue.update(id, other, &filter));
    assert_eq!(updates, [Ok(false), Ok(true)]);
    queue.step(&mesh, &mut planner, &mut Budget::unlimited());
    let ends = [first, second].map(|id| queue.take(id).unwrap().unwrap().path.end);
    assert_eq!(ends, [ask.goal.point, other.goal.point]);
}

/// A planner that looks paths up, node by node.
#[derive(Default)]
struct Slow {
    left: u64,
    forgotten: u32,
}

impl Planner for Slow {
    fn may_reach(&mut self, _: &NavMesh, _: crate::mesh::PolyRef, _: crate::mesh::PolyRef, _: &SharedFilter) -> bool {
        true
    }

    fn plan(
        &mut self,
        mesh: &NavMesh,
        request: &PathRequest,
        filter: &SharedFilter,
        budget: &mut Budget,
        path: &mut PolyPath,
    ) -> Planned {
        while budget.spend() {
            self.left = self.left.checked_sub(1).unwrap_or(9);
            if self.left == 0 {
                *path = single(mesh, request, &SearchKind::AStar, filter);
                return Planned::Done;
            }
        }
        Planned::Working
    }

    fn forget(&mut self) {
        (self.left, self.forgotten) = (0, self.forgotten + 1);
    }
}

#[test]
fn a_planner_may_find_paths_by_itself() {
    let mesh = mesh(&[((0, 0), "aaaaaaaa")]);
    let (mut queue, mut planner, filter) = (PathQueue::new(), Slow::default(), filter());
    let ask = request(&mesh, (0.5, 0.5), (7.5, 0.5));
    let ids = [0, 1, 2].map(|_| queue.request(ask, filter.clone()));
    queue.step(&mesh, &mut planner, &mut Budget::new(12));
    assert_eq!(
        ids.map(|id| queue.state(id).unwrap()),
        [RequestState::Done, RequestState::Waiting, RequestState::Waiting]
    );
    queue.cancel(ids[1]).unwrap();
    queue.step(&mesh, &mut planner, &mut Budget::new(10));
    assert_eq!(queue.take(ids[2]).unwrap().unwrap().path, single(&mesh, &ask, &SearchKind::AStar, &filter));
    assert_eq!(planner.forgotten, 3, "before each request");
}
