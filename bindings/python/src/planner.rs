//! How paths are found for crowds and queues, and a queue of many requests.

use crate::bounds::{BoundsOrName, PyCostBounds, bounds_or_name, unguided};
use crate::errors;
use crate::filter::AnyFilter;
use crate::held::{Own, Seen, own, seen};
use crate::path::{PyPath, limit_name};
use crate::query::{At, PyQuery, broken_name};
use crate::threads;
use crate::whole::whole;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use std::sync::Arc;
use wayfare::crowd::FlowPlanner;
use wayfare::hierarchy::HierarchicalPlanner;
use wayfare::plan::{
    AStarPlanner, BoundedPlanner, OptimalPlanner, PathQueue, Planner, RequestId, RequestState, SharedFilter,
};
use wayfare::query::{SearchScratch, string_pull};

/// Every planner.
pub(crate) enum AnyPlanner {
    Corridor(AStarPlanner),
    Optimal(OptimalPlanner),
    Hierarchical(Box<HierarchicalPlanner>),
    Flow(Box<FlowPlanner>),
    Bounded(BoundedPlanner),
}

impl<'py> FromPyObject<'_, 'py> for AnyPlanner {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match bounds_or_name(&object, "planner")? {
            BoundsOrName::Bounds(bounds) => Ok(Self::Bounded(BoundedPlanner::new(bounds))),
            BoundsOrName::Name(name) => Self::named(&name),
        }
    }
}

impl AnyPlanner {
    /// The usual one.
    pub(crate) fn corridor() -> Self {
        Self::Corridor(AStarPlanner::new())
    }

    fn named(name: &str) -> PyResult<Self> {
        Ok(match name {
            "corridor" => Self::corridor(),
            "optimal" => Self::Optimal(OptimalPlanner::new()),
            "hierarchical" => Self::Hierarchical(Box::default()),
            "flow" => Self::Flow(Box::default()),
            other => {
                return Err(errors::value(format_args!(
                    "planner is \"{other}\", but must be one of \"corridor\", \"optimal\", \"hierarchical\", \"flow\", or \
                     CostBounds"
                )));
            }
        })
    }

    pub(crate) fn with<T>(&mut self, work: impl FnOnce(&mut dyn Planner) -> T) -> T {
        match self {
            Self::Corridor(planner) => work(planner),
            Self::Optimal(planner) => work(planner),
            Self::Hierarchical(planner) => work(planner.as_mut()),
            Self::Flow(planner) => work(planner.as_mut()),
            Self::Bounded(planner) => work(planner),
        }
    }

    /// Goes on with other bounds. `owner` is who has the planner.
    pub(crate) fn set_bounds(&mut self, bounds: &PyCostBounds, owner: &str) -> PyResult<()> {
        let Self::Bounded(planner) = self else { return Err(unguided(owner)) };
        planner.set_bounds(bounds.get());
        Ok(())
    }
}

/// Names a request of a queue.
#[pyclass(module = "wayfare", name = "RequestId", frozen, eq, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyRequestId(RequestId);

/// What a queue found: the path, and what has happened to it meanwhile.
#[pyclass(module = "wayfare", name = "QueuedPath", frozen, get_all)]
pub(crate) struct PyQueuedPath {
    /// The path.
    path: Py<PyPath>,
    /// What has broken it since its search began: "gone", "closed", "apart"; None if nothing has.
    broken: Option<&'static str>,
    /// What is about to, or None.
    soon: Option<&'static str>,
    /// The limit that cut its search short, or None.
    limit: Option<&'static str>,
}

/// Many path requests at once, worked on in steps of a budget.
#[pyclass(module = "wayfare", name = "PathQueue")]
pub(crate) struct PyPathQueue {
    query: Py<PyQuery>,
    /// That of the query, where it has functions that may raise.
    filter: Option<AnyFilter>,
    queue: PathQueue,
    planner: AnyPlanner,
    scratch: SearchScratch,
}

#[pymethods]
impl PyPathQueue {
    /// Requests go to the mesh, with the filter and limits, of a `Query`. `planner` as for `Crowd`.
    #[new]
    #[pyo3(signature = (query, planner = AnyPlanner::corridor()))]
    fn new(py: Python<'_>, query: Py<PyQuery>, planner: AnyPlanner) -> PyResult<Self> {
        let asked = seen(query.bind(py))?;
        let filter = asked.session.filter().may_raise().then(|| asked.session.filter().apart());
        drop(asked);
        Ok(Self { query, filter, queue: PathQueue::new(), planner, scratch: SearchScratch::new() })
    }

    /// Goes on with other bounds, those of the mesh as it is now, where the planner is `CostBounds`.
    fn set_bounds(mut slf: Own<'_, Self>, bounds: &Bound<'_, PyCostBounds>) -> PyResult<()> {
        slf.planner.set_bounds(bounds.get(), "queue")
    }

    /// Asks for a path; None if one of the ends is not near the mesh.
    fn request(mut slf: Own<'_, Self>, py: Python<'_>, start: At, goal: At) -> PyResult<Option<PyRequestId>> {
        let mut query = own(slf.query.bind(py))?;
        let Some(request) = query.request(py, start, goal)? else { return Ok(None) };
        let filter: SharedFilter = Arc::new(slf.filter.as_ref().unwrap_or(query.session.filter()).clone());
        Ok(Some(PyRequestId(slf.queue.request(request, filter))))
    }

    /// Works on as many nodes, 1 or more.
    #[pyo3(signature = (budget = 10_000))]
    fn step(mut slf: Own<'_, Self>, py: Python<'_>, #[pyo3(from_py_with = whole)] budget: u64) -> PyResult<()> {
        let mut budget = crate::whole::budget(budget)?;
        let mesh = own(slf.query.bind(py))?.fresh(py)?.mesh().clone();
        let Self { queue, planner, .. } = &mut *slf;
        threads::detach(py, || planner.with(|planner| queue.step(&mesh, planner, &mut budget)))?;
        slf.filter.as_ref().map_or(Ok(()), AnyFilter::raise)
    }

    /// How a request stands: "waiting", "searching", "done".
    fn state(slf: Seen<'_, Self>, request: PyRequestId) -> PyResult<&'static str> {
        Ok(match slf.queue.state(request.0).map_err(errors::stale)? {
            RequestState::Waiting => "waiting",
            RequestState::Searching => "searching",
            RequestState::Done => "done",
        })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.query)?;
        self.filter.as_ref().map_or(Ok(()), |filter| filter.traverse(&visit))
    }

    fn __clear__(&mut self) {
        // Its requests ask by the same functions.
        self.queue = PathQueue::new();
        self.filter = None;
    }

    /// How many are not done.
    #[getter]
    fn pending(slf: Seen<'_, Self>) -> usize {
        slf.queue.pending()
    }

    /// Gives a request up.
    fn cancel(mut slf: Own<'_, Self>, request: PyRequestId) -> PyResult<()> {
        slf.queue.cancel(request.0).map_err(errors::stale)
    }

    /// Begins a request again.
    fn restart(mut slf: Own<'_, Self>, request: PyRequestId) -> PyResult<()> {
        slf.queue.restart(request.0).map_err(errors::stale)
    }

    /// The answer, once it is done, else None; it is forgotten then.
    fn take(mut slf: Own<'_, Self>, py: Python<'_>, request: PyRequestId) -> PyResult<Option<PyQueuedPath>> {
        let Some(answer) = slf.queue.take(request.0).map_err(errors::stale)? else { return Ok(None) };
        let straight = string_pull(&answer.path, &mut slf.scratch);
        let limit = limit_name(answer.path.limit);
        Ok(Some(PyQueuedPath {
            broken: answer.broken.map(|broken| broken_name(broken.by)),
            soon: answer.soon.map(|broken| broken_name(broken.by)),
            limit,
            path: Py::new(py, PyPath { path: answer.path, straight })?,
        }))
    }
}
