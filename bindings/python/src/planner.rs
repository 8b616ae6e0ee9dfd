//! How paths are found for crowds and queues, and a queue of many requests.

use crate::errors;
use crate::path::{PyPath, limit_name};
use crate::query::{At, PyQuery, broken_name};
use pyo3::prelude::*;
use std::sync::Arc;
use wayfare::context::Budget;
use wayfare::crowd::FlowPlanner;
use wayfare::hierarchy::HierarchicalPlanner;
use wayfare::plan::{AStarPlanner, OptimalPlanner, PathQueue, Planner, RequestId, RequestState, SharedFilter};
use wayfare::query::{PathRequest, SearchScratch, string_pull};

/// Every planner.
pub(crate) enum AnyPlanner {
    Corridor(AStarPlanner),
    Optimal(OptimalPlanner),
    Hierarchical(Box<HierarchicalPlanner>),
    Flow(Box<FlowPlanner>),
}

impl AnyPlanner {
    pub(crate) fn new(name: &str) -> PyResult<Self> {
        Ok(match name {
            "corridor" => Self::Corridor(AStarPlanner::new()),
            "optimal" => Self::Optimal(OptimalPlanner::new()),
            "hierarchical" => Self::Hierarchical(Box::default()),
            "flow" => Self::Flow(Box::default()),
            other => {
                return Err(errors::value(format_args!(
                    "planner is \"{other}\", but must be one of \"corridor\", \"optimal\", \"hierarchical\", \"flow\""
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
        }
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
    queue: PathQueue,
    planner: AnyPlanner,
    scratch: SearchScratch,
}

#[pymethods]
impl PyPathQueue {
    /// Requests go to the mesh, with the filter and limits, of a `Query`. `planner` as for `Crowd`.
    #[new]
    #[pyo3(signature = (query, planner = "corridor"))]
    fn new(query: Py<PyQuery>, planner: &str) -> PyResult<Self> {
        Ok(Self { query, queue: PathQueue::new(), planner: AnyPlanner::new(planner)?, scratch: SearchScratch::new() })
    }

    /// Asks for a path; None if one of the ends is not near the mesh.
    fn request(&mut self, py: Python<'_>, start: At, goal: At) -> PyResult<Option<PyRequestId>> {
        let mut query = self.query.try_borrow_mut(py)?;
        let (Some(start), Some(goal)) = (query.place_of(py, start)?, query.place_of(py, goal)?) else {
            return Ok(None);
        };
        let limits = query.limits();
        let filter: SharedFilter = Arc::new(query.session.filter().clone());
        let request = PathRequest { limits, ..PathRequest::new(start, goal) };
        Ok(Some(PyRequestId(self.queue.request(request, filter))))
    }

    /// Works on as many nodes.
    #[pyo3(signature = (budget = 10_000))]
    fn step(&mut self, py: Python<'_>, budget: u64) -> PyResult<()> {
        let mesh = self.query.try_borrow_mut(py)?.fresh(py)?.mesh().clone();
        let Self { queue, planner, .. } = self;
        py.detach(|| planner.with(|planner| queue.step(&mesh, planner, &mut Budget::new(budget))));
        self.query.try_borrow(py)?.session.filter().raise()
    }

    /// How a request stands: "waiting", "searching", "done".
    fn state(&self, request: PyRequestId) -> PyResult<&'static str> {
        Ok(match self.queue.state(request.0).map_err(errors::stale)? {
            RequestState::Waiting => "waiting",
            RequestState::Searching => "searching",
            RequestState::Done => "done",
        })
    }

    /// How many are not done.
    #[getter]
    fn pending(&self) -> usize {
        self.queue.pending()
    }

    /// Gives a request up.
    fn cancel(&mut self, request: PyRequestId) -> PyResult<()> {
        self.queue.cancel(request.0).map_err(errors::stale)
    }

    /// Begins a request again.
    fn restart(&mut self, request: PyRequestId) -> PyResult<()> {
        self.queue.restart(request.0).map_err(errors::stale)
    }

    /// The answer, once it is done, else None; it is forgotten then.
    fn take(&mut self, py: Python<'_>, request: PyRequestId) -> PyResult<Option<PyQueuedPath>> {
        let Some(answer) = self.queue.take(request.0).map_err(errors::stale)? else { return Ok(None) };
        let straight = string_pull(&answer.path, &mut self.scratch);
        let limit = limit_name(answer.path.limit);
        Ok(Some(PyQueuedPath {
            broken: answer.broken.map(|broken| broken_name(broken.by)),
            soon: answer.soon.map(|broken| broken_name(broken.by)),
            limit,
            path: Py::new(py, PyPath { path: answer.path, straight })?,
        }))
    }
}
