//! An agent's path, kept up while both of its ends move and the mesh changes.

use crate::arrays::{Point, from_column, tuple};
use crate::errors;
use crate::held::{Own, Seen, own};
use crate::path::{PyPath, PyPlace};
use crate::query::{At, PyQuery, broken_name};
use crate::whole::whole;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use wayfare::Vec3;
use wayfare::corridor::{CornerAt, CorridorCorner, CorridorScratch, PathCorridor, Repair};
use wayfare::query::DEFAULT_REACH;

/// A row of polygons from an agent to its goal, with both ends kept up as they move.
#[pyclass(module = "wayfare", name = "Corridor")]
pub(crate) struct PyCorridor {
    query: Py<PyQuery>,
    corridor: PathCorridor,
    scratch: CorridorScratch,
    last: Vec<CorridorCorner>,
}

#[pymethods]
impl PyCorridor {
    /// A corridor at a place; `follow` gives it a path.
    #[new]
    fn new(py: Python<'_>, query: Py<PyQuery>, at: At) -> PyResult<Self> {
        let place = own(query.bind(py))?.place(py, at)?;
        let place = place.ok_or_else(|| errors::value("the place is not near the mesh: begin at one that is"))?;
        Ok(Self { query, corridor: PathCorridor::new(place), scratch: CorridorScratch::new(), last: Vec::new() })
    }

    /// Takes up a path that begins where the corridor does.
    fn follow(mut slf: Own<'_, Self>, path: PyRef<'_, PyPath>) -> PyResult<()> {
        slf.corridor.follow(&path.path).map_err(errors::value)
    }

    /// Moves the agent; returns where it is then.
    fn move_start(mut slf: Own<'_, Self>, py: Python<'_>, to: Point) -> PyResult<(f32, f32, f32)> {
        slf.moved(py, to.0, true)
    }

    /// Moves the goal; returns where it is then.
    fn move_end(mut slf: Own<'_, Self>, py: Python<'_>, to: Point) -> PyResult<(f32, f32, f32)> {
        slf.moved(py, to.0, false)
    }

    /// The next corners: points with what each is: "left", "right", "connection", "end".
    #[pyo3(signature = (limit = 4))]
    fn corners(
        mut slf: Own<'_, Self>,
        #[pyo3(from_py_with = whole)] limit: usize,
    ) -> Vec<((f32, f32, f32), &'static str)> {
        let slf = &mut *slf;
        slf.last = slf.corridor.corners(limit, &mut slf.scratch);
        let name = |at: CornerAt| match at {
            CornerAt::Left => "left",
            CornerAt::Right => "right",
            CornerAt::Connection => "connection",
            CornerAt::End => "end",
        };
        slf.last.iter().map(|corner| (tuple(corner.point), name(corner.at))).collect()
    }

    /// Metres to the end.
    #[getter]
    fn length(mut slf: Own<'_, Self>) -> f32 {
        let slf = &mut *slf;
        slf.corridor.length(&mut slf.scratch)
    }

    /// What it costs by the filter.
    #[getter]
    fn cost(slf: Seen<'_, Self>, py: Python<'_>) -> PyResult<f32> {
        let mut query = own(slf.query.bind(py))?;
        let session = query.fresh(py)?;
        let cost = slf.corridor.cost(session.mesh(), session.filter());
        session.filter().raise()?;
        Ok(cost)
    }

    /// Shortens it where a place farther along is in sight within a range; returns whether it did.
    fn shorten_by_sight(mut slf: Own<'_, Self>, py: Python<'_>, next: Point, range: f32) -> PyResult<bool> {
        let mut query = own(slf.query.bind(py))?;
        let session = query.fresh(py)?;
        let Self { corridor, scratch, .. } = &mut *slf;
        let done = corridor.optimise_visibility(session.mesh(), next.0, range, session.filter(), scratch);
        session.filter().raise()?;
        done.map_err(errors::stale)
    }

    /// Shortens it by a search of so many nodes; returns whether it did.
    #[pyo3(signature = (nodes = 32))]
    fn shorten_by_search(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] nodes: u32,
    ) -> PyResult<bool> {
        let mut query = own(slf.query.bind(py))?;
        let session = query.fresh(py)?;
        let Self { corridor, scratch, .. } = &mut *slf;
        let done = corridor.optimise_topology(session.mesh(), nodes, session.filter(), scratch);
        session.filter().raise()?;
        done.map_err(errors::stale)
    }

    /// Whether its next polygons are there and can be walked.
    #[pyo3(signature = (look_ahead = 10))]
    fn is_valid(slf: Seen<'_, Self>, py: Python<'_>, look_ahead: u32) -> PyResult<bool> {
        let mut query = own(slf.query.bind(py))?;
        let session = query.fresh(py)?;
        let valid = slf.corridor.is_valid(session.mesh(), look_ahead, session.filter());
        session.filter().raise()?;
        Ok(valid)
    }

    /// Keeps what can be kept after the mesh has changed: "whole", "cut" (it ends earlier), "moved" (to the nearest surface) or "lost", and
    /// what broke it.
    #[pyo3(signature = (look_ahead = 10, reach = None))]
    fn repair(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        look_ahead: u32,
        reach: Option<Point>,
    ) -> PyResult<(&'static str, Option<&'static str>)> {
        let mut query = own(slf.query.bind(py))?;
        let session = query.fresh(py)?;
        let reach = reach.map_or(DEFAULT_REACH, |reach| reach.0);
        let repair = slf.corridor.repair(session.mesh(), look_ahead, reach, session.filter());
        session.filter().raise()?;
        Ok(match repair {
            Repair::Whole => ("whole", None),
            Repair::Cut(broken) => ("cut", Some(broken_name(broken.by))),
            Repair::Moved(broken) => ("moved", Some(broken_name(broken.by))),
            Repair::Lost(broken) => ("lost", Some(broken_name(broken.by))),
        })
    }

    /// Enters the connection at a corner of the last `corners`: the connection, from where to where. None if there is none.
    #[allow(clippy::type_complexity)]
    fn enter_connection(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        corner: usize,
    ) -> PyResult<Option<(u64, (f32, f32, f32), (f32, f32, f32))>> {
        let Some(corner) = slf.last.get(corner).copied() else {
            return Err(errors::value(format_args!("corner {corner} of {}: call corners first", slf.last.len())));
        };
        let mut query = own(slf.query.bind(py))?;
        let session = query.fresh(py)?;
        let crossing = slf.corridor.enter_connection(session.mesh(), &corner);
        Ok(crossing.map(|crossing| (crossing.connection.to_bits(), tuple(crossing.from), tuple(crossing.to))))
    }

    /// Ends where it begins.
    fn stop(mut slf: Own<'_, Self>) {
        slf.corridor.stop();
    }

    /// Its polygons.
    #[getter]
    fn polys<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        from_column(py, slf.corridor.polys().iter().map(|poly| poly.to_bits()).collect())
    }

    /// Where the agent is.
    #[getter]
    fn start(slf: Seen<'_, Self>) -> Option<PyPlace> {
        slf.corridor.start().map(PyPlace::at)
    }

    /// Where the goal is.
    #[getter]
    fn end(slf: Seen<'_, Self>) -> Option<PyPlace> {
        slf.corridor.end().map(PyPlace::at)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.query)
    }

    fn __repr__(slf: Seen<'_, Self>) -> String {
        format!("<wayfare.Corridor: {} polygons>", slf.corridor.polys().len())
    }
}

impl PyCorridor {
    fn moved(&mut self, py: Python<'_>, to: Vec3, start: bool) -> PyResult<(f32, f32, f32)> {
        let mut query = own(self.query.bind(py))?;
        let session = query.fresh(py)?;
        let Self { corridor, scratch, .. } = self;
        let at = match start {
            true => corridor.move_start(session.mesh(), to, session.filter(), scratch),
            false => corridor.move_end(session.mesh(), to, session.filter(), scratch),
        };
        session.filter().raise()?;
        at.map(tuple).map_err(errors::stale)
    }
}
