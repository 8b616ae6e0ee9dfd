//! Planners, and many path requests at once in steps of a budget.

use crate::border::{fill, put};
use crate::choices::{Choice, WayfareRequestState, choice};
use crate::context::{WayfareContext, not_cancelled, with_context_and_filters};
use crate::cost_bounds::WayfareCostBounds;
use crate::filter::{AnyFilter, WayfareFilter, by_filter};
use crate::geometry::{WayfarePlace, place_near};
use crate::handle::{Handle, handle};
use crate::mesh::WayfareMesh;
use crate::names::Named;
use crate::paths::{WayfarePath, WayfarePathPoint};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use std::sync::{Arc, Mutex, PoisonError};
use wayfare_nav::area::PathStatus;
use wayfare_nav::context::Budget;
use wayfare_nav::crowd::FlowPlanner;
use wayfare_nav::hierarchy::HierarchicalPlanner;
use wayfare_nav::mesh::NavMesh;
use wayfare_nav::plan::{AStarPlanner, BoundedPlanner, OptimalPlanner, PathQueue, Planner, RequestId, RequestState};
use wayfare_nav::query::{DEFAULT_REACH, PathRequest, SearchScratch, StraightPath, find_nearest, string_pull};

/// How paths are found: for crowds and queues.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfarePlanner {
    /// 0 for none: wherever a planner is taken, that means A* over polygons.
    pub id: u64,
}

handle!(WayfarePlanner, Mutex<Planning>, "planner");

/// A planner, and whether what it remembers may hold filters that are functions of the caller.
pub(crate) struct Planning {
    planner: AnyPlanner,
    calls_back: bool,
}

impl Planning {
    fn of(planner: AnyPlanner) -> Mutex<Self> {
        Mutex::new(Self { planner, calls_back: false })
    }
}

/// The planners, for `wayfare_planner_new`; one more is made by `wayfare_planner_bounded`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfarePlannerKind {
    /// A* over polygons.
    AStar = 0,
    /// The shortest path in any direction.
    Optimal = 1,
    /// Over tiles first.
    Hierarchical = 2,
    /// One field for each goal that many share.
    Flow = 3,
}

choice!(WayfarePlannerKind: AStar, Optimal, Hierarchical, Flow);

pub(crate) enum AnyPlanner {
    AStar(AStarPlanner),
    Optimal(OptimalPlanner),
    Hierarchical(HierarchicalPlanner),
    Flow(FlowPlanner),
    Bounded(BoundedPlanner),
}

impl AnyPlanner {
    pub(crate) fn get(&mut self) -> &mut (dyn Planner + Send) {
        match self {
            Self::AStar(planner) => planner,
            Self::Optimal(planner) => planner,
            Self::Hierarchical(planner) => planner,
            Self::Flow(planner) => planner,
            Self::Bounded(planner) => planner,
        }
    }
}

/// Does something with the planner of a handle, or with A* where there is none. `calls_back` says whether filters that it
/// will be given are functions of the caller; the body hears whether any that it has may be.
pub(crate) fn with_planner<T>(
    planner: WayfarePlanner,
    calls_back: bool,
    body: impl FnOnce(&mut (dyn Planner + Send), bool) -> Outcome<T>,
) -> Outcome<T> {
    if planner.id == 0 {
        return body(&mut AStarPlanner::new(), calls_back);
    }
    let mut held = planner.write()?;
    let held = held.get_mut().unwrap_or_else(PoisonError::into_inner);
    held.calls_back |= calls_back;
    body(held.planner.get(), held.calls_back)
}

/// A planner of a `WayfarePlannerKind`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_planner_new(kind: u32, planner: *mut WayfarePlanner) -> WayfareStatus {
    border(|| {
        let made = match WayfarePlannerKind::of(kind, "kind")? {
            WayfarePlannerKind::AStar => AnyPlanner::AStar(AStarPlanner::new()),
            WayfarePlannerKind::Optimal => AnyPlanner::Optimal(OptimalPlanner::new()),
            WayfarePlannerKind::Hierarchical => AnyPlanner::Hierarchical(HierarchicalPlanner::new()),
            WayfarePlannerKind::Flow => AnyPlanner::Flow(FlowPlanner::new()),
        };
        put!(planner, WayfarePlanner::keep(Planning::of(made))?)
    })
}

/// A planner whose searches are guided by bounds. While they do not hold for the mesh, it searches with A*.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_planner_bounded(
    bounds: WayfareCostBounds,
    planner: *mut WayfarePlanner,
) -> WayfareStatus {
    border(|| {
        let made = AnyPlanner::Bounded(BoundedPlanner::new(Arc::clone(&*bounds.read()?)));
        put!(planner, WayfarePlanner::keep(Planning::of(made))?)
    })
}

/// Gives a planner that was made with bounds others: those of the mesh as it is now. Searches in progress go on with the
/// old ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_planner_set_bounds(
    planner: WayfarePlanner,
    bounds: WayfareCostBounds,
) -> WayfareStatus {
    border(|| {
        let (mut held, bounds) = (planner.write()?, Arc::clone(&*bounds.read()?));
        match &mut held.get_mut().unwrap_or_else(PoisonError::into_inner).planner {
            AnyPlanner::Bounded(planner) => planner.set_bounds(bounds),
            _ => return Err(Failure::argument("`planner` was made without bounds: use `wayfare_planner_bounded`")),
        }
        Ok(())
    })
}

/// Frees a planner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_planner_free(planner: WayfarePlanner) -> WayfareStatus {
    border(|| planner.free())
}

/// Path requests that wait for their turn.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareQueue {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareQueue, Requests, "queue");

/// The queue, and the line of the last answer.
pub(crate) struct Requests {
    queue: PathQueue,
    straight: StraightPath,
    /// Whether any filter of the requests is a function of the caller.
    calls_back: bool,
}

/// A queue without requests.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_queue_new(queue: *mut WayfareQueue) -> WayfareStatus {
    border(|| {
        let made = Requests { queue: PathQueue::new(), straight: StraightPath::default(), calls_back: false };
        put!(queue, WayfareQueue::keep(made)?)
    })
}

/// Asks for a path between two places of a mesh. Points without a polygon are looked up at once, within 2 metres to each side
/// and 4 up and down. Filter id 0: the mesh's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_queue_request(
    queue: WayfareQueue,
    mesh: WayfareMesh,
    filter: WayfareFilter,
    from: WayfarePlace,
    to: WayfarePlace,
    request: *mut u64,
) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?;
        let filter = AnyFilter::of(filter, &mesh)?;
        let nearest =
            |at| by_filter!(&filter, |filter| find_nearest(&mesh, at, DEFAULT_REACH, filter)).map(|near| near.place());
        let [from, to] = [place_near(&mesh, from, "from", nearest)?, place_near(&mesh, to, "to", nearest)?];
        let mut held = queue.write()?;
        // Those that are done hold no filter any more.
        held.calls_back = filter.calls_back() || held.calls_back && held.queue.pending() > 0;
        put!(request, held.queue.request(PathRequest::new(from, to), filter.shared()).to_bits())
    })
}

/// Searches on for `budget` nodes, for all requests in turn. Planner id 0: A*. A context that is null, or says nothing of
/// threads, leaves it to the calling one; if it is cancelled already, nothing is searched.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_queue_step(
    queue: WayfareQueue,
    mesh: WayfareMesh,
    planner: WayfarePlanner,
    budget: u64,
    context: *const WayfareContext,
) -> WayfareStatus {
    border(|| {
        let (mesh, mut held) = (mesh.read()?, queue.write()?);
        let (mesh, requests): (&NavMesh, &mut Requests) = (&mesh, &mut held);
        with_planner(planner, requests.calls_back, |planner, calls_back| {
            with_context_and_filters(context, calls_back, |context| {
                not_cancelled(context)?;
                requests.queue.step(mesh, planner, &mut Budget::new(budget));
                Ok(())
            })
        })
    })
}

/// How far a request is: `state` gets a `WayfareRequestState`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_queue_state(queue: WayfareQueue, request: u64, state: *mut u32) -> WayfareStatus {
    border(|| {
        let held = queue.read()?;
        let number = match held.queue.state(RequestId::of(request)?).map_err(Failure::stale)? {
            RequestState::Waiting => WayfareRequestState::Waiting,
            RequestState::Searching => WayfareRequestState::Searching,
            RequestState::Done => WayfareRequestState::Done,
        };
        put!(state, number as u32)
    })
}

/// How many requests are not done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_queue_pending(queue: WayfareQueue, count: *mut usize) -> WayfareStatus {
    border(|| put!(count, queue.read()?.queue.pending()))
}

/// Takes the answer of a request, which is then gone. `done` is 0, and nothing else is written, if it is not done.
/// `outdated` is 1 if the mesh has changed under it meanwhile. Its points: `wayfare_queue_points`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_queue_take(
    queue: WayfareQueue,
    request: u64,
    done: *mut u32,
    path: *mut WayfarePath,
    outdated: *mut u32,
) -> WayfareStatus {
    border(|| {
        let mut held = queue.write()?;
        let id = RequestId::of(request)?;
        let answer = held.queue.take(id).map_err(Failure::stale)?;
        put!(done, answer.is_some().into())?;
        let Some(answer) = answer else { return Ok(()) };
        let found = answer.path;
        let is_none = found.status == PathStatus::None;
        held.straight = if is_none { StraightPath::default() } else { string_pull(&found, &mut SearchScratch::new()) };
        put!(path, WayfarePath::of(&found, Some(&held.straight)))?;
        if outdated.is_null() { Ok(()) } else { put!(outdated, answer.is_outdated.into()) }
    })
}

/// The points of the path that was taken last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_queue_points(
    queue: WayfareQueue,
    points: *mut WayfarePathPoint,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(points, capacity, count, queue.read()?.straight.points.iter().map(WayfarePathPoint::of)))
}

/// Gives a request up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_queue_cancel(queue: WayfareQueue, request: u64) -> WayfareStatus {
    border(|| {
        let mut held = queue.write()?;
        let id = RequestId::of(request)?;
        held.queue.cancel(id).map_err(Failure::stale)
    })
}

/// Frees a queue.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_queue_free(queue: WayfareQueue) -> WayfareStatus {
    border(|| queue.free())
}
