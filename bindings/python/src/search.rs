//! Searches that go on over many frames, and maps of what it costs to get everywhere.

use crate::arrays::{from_column, from_points};
use crate::bounds::PyCostBounds;
use crate::errors;
use crate::filter::AnyFilter;
use crate::held::{Own, Seen, own};
use crate::path::{PyPath, limit_name};
use crate::query::{At, PyQuery, nothing};
use crate::whole::whole;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{BoundedSearch, CostMap, CostMapRequest, PolyPath, SearchScratch, SlicedSearch, string_pull};

/// A path search in steps of a budget: a little of it every frame. The mesh may change meanwhile.
#[pyclass(module = "wayfare", name = "SlicedSearch")]
pub(crate) struct PySlicedSearch {
    query: Py<PyQuery>,
    filter: AnyFilter,
    search: Option<Sliced>,
    finished: bool,
}

/// A search in steps, with or without bounds.
enum Sliced {
    Plain(SlicedSearch),
    Bounded(BoundedSearch),
}

impl Sliced {
    /// The path found so far, over a mesh.
    fn path(&self, mesh: &NavMesh) -> PolyPath {
        match self {
            Self::Plain(search) => search.path(mesh).0,
            Self::Bounded(search) => {
                let mut path = PolyPath::default();
                let _ = search.path_into(mesh, &mut path);
                path
            }
        }
    }
}

#[pymethods]
impl PySlicedSearch {
    /// Begins a search over polygons with the filter and limits of a query; `bounds` guide it.
    #[new]
    #[pyo3(signature = (query, start, goal, bounds = None))]
    fn new(
        py: Python<'_>,
        query: Py<PyQuery>,
        start: At,
        goal: At,
        bounds: Option<Py<PyCostBounds>>,
    ) -> PyResult<Self> {
        let mut own = own(query.bind(py))?;
        let request = own.request(py, start, goal)?;
        let session = own.fresh(py)?;
        let filter = session.filter().apart();
        let search = match request {
            Some(request) => {
                let mesh = session.mesh();
                let begun = match bounds.map(|bounds| bounds.get().get()) {
                    None => SlicedSearch::new(mesh, &request, &filter).map(Sliced::Plain),
                    Some(bounds) => {
                        let memory = SearchScratch::new();
                        BoundedSearch::new((mesh, &bounds), &request, &filter, memory).map(Sliced::Bounded)
                    }
                };
                Some(begun.map_err(errors::stale)?)
            }
            None => None,
        };
        drop(own);
        filter.raise()?;
        Ok(Self { query, filter, finished: search.is_none(), search })
    }

    /// Goes on by so many nodes; returns whether it is finished.
    #[pyo3(signature = (budget = 256))]
    fn step(mut slf: Own<'_, Self>, #[pyo3(from_py_with = whole)] budget: u64) -> PyResult<bool> {
        let slf = &mut *slf;
        let Some(search) = &mut slf.search else { return Ok(true) };
        let mut budget = crate::whole::budget(budget)?;
        slf.finished = match search {
            Sliced::Plain(search) => search.step(&slf.filter, &mut budget),
            Sliced::Bounded(search) => search.step(&slf.filter, &mut budget),
        };
        slf.filter.raise()?;
        Ok(slf.finished)
    }

    /// Whether it is finished.
    #[getter]
    fn is_finished(slf: Seen<'_, Self>) -> bool {
        slf.finished
    }

    /// Nodes so far.
    #[getter]
    fn nodes(slf: Seen<'_, Self>) -> u32 {
        match &slf.search {
            None => 0,
            Some(Sliced::Plain(search)) => search.nodes(),
            Some(Sliced::Bounded(search)) => search.nodes(),
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.query)?;
        self.filter.traverse(&visit)
    }

    fn __clear__(&mut self) {
        self.filter.clear();
    }

    /// The path found so far, over the mesh as it is now.
    fn path(slf: Seen<'_, Self>, py: Python<'_>) -> PyResult<PyPath> {
        let Some(search) = &slf.search else { return Ok(nothing()) };
        let mut query = own(slf.query.bind(py))?;
        let path = search.path(query.fresh(py)?.mesh());
        let straight = string_pull(&path, &mut SearchScratch::new());
        Ok(PyPath { path, straight })
    }
}

/// What it costs to get from one place to everywhere around, and the paths there.
#[pyclass(module = "wayfare", name = "CostMap")]
pub(crate) struct PyCostMap {
    query: Py<PyQuery>,
    filter: AnyFilter,
    map: CostMap,
}

#[pymethods]
impl PyCostMap {
    /// Limits are those of the query: `max_cost` is the farthest that is looked at.
    #[new]
    fn new(py: Python<'_>, query: Py<PyQuery>, start: At) -> PyResult<Self> {
        let mut own = own(query.bind(py))?;
        let place = own.place(py, start)?;
        let place = place.ok_or_else(|| errors::value("the place is not near the mesh: begin at one that is"))?;
        let request = CostMapRequest { start: place, limits: own.limits, placement: own.placement };
        let session = own.fresh(py)?;
        let filter = session.filter().apart();
        let map = CostMap::new(session.mesh(), &request, &filter).map_err(errors::stale);
        drop(own);
        filter.raise()?;
        Ok(Self { query, map: map?, filter })
    }

    /// What it costs to get to a polygon; None if it was not reached.
    fn cost_to(&self, poly: u64) -> PyResult<Option<f32>> {
        Ok(self.map.cost_to(crate::mesh::poly(poly)?))
    }

    /// What it costs to get to each polygon of the mesh, in the order of `NavMesh.polys`; infinity where it was not reached.
    fn costs<'py>(&self, py: Python<'py>, polys: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let polys = crate::arrays::column::<u64>(polys, "polys", "uint64")?;
        let cost =
            |bits: &u64| PolyRef::from_bits(*bits).and_then(|poly| self.map.cost_to(poly)).unwrap_or(f32::INFINITY);
        Ok(from_column(py, polys.as_array().iter().map(cost).collect()))
    }

    /// The path to a place.
    fn path_to(&self, py: Python<'_>, goal: At) -> PyResult<PyPath> {
        let mut query = own(self.query.bind(py))?;
        let Some(place) = query.place(py, goal)? else { return Ok(nothing()) };
        let mut path = PolyPath::default();
        let stale = self.map.path_to(query.fresh(py)?.mesh(), place, &self.filter, &mut path);
        self.filter.raise()?;
        if let Some(stale) = stale {
            return Err(errors::stale(stale));
        }
        let straight = string_pull(&path, &mut SearchScratch::new());
        Ok(PyPath { path, straight })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.query)?;
        self.filter.traverse(&visit)
    }

    fn __clear__(&mut self) {
        self.filter.clear();
    }

    /// The limit at which it ends: "nodes", "distance", or None.
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        limit_name(self.map.limit())
    }

    /// Where it begins, shape (1, 3).
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        from_points(py, vec![self.map.start().point])
    }
}
