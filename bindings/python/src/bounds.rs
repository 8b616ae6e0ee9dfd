//! Lower bounds of costs, computed in advance, that guide searches.

use crate::arrays::from_points;
use crate::errors;
use crate::filter::{PyFilter, or_default};
use crate::held::seen;
use crate::mesh::PyNavMesh;
use numpy::PyArray2;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;
use wayfare::query::CostBounds;

/// Lower bounds of costs from anywhere to anywhere on a mesh. Given in place of the name of a search or of a planner, they guide it: it finds
/// the cheapest path, usually several times faster than without on meshes of thousands of polygons.
///
/// They hold for the mesh as it is when they are made. After a change of it, searches go on without them until new ones are made.
#[pyclass(module = "wayfare", name = "CostBounds", frozen)]
pub(crate) struct PyCostBounds(Arc<CostBounds>);

#[pymethods]
impl PyCostBounds {
    /// Computes bounds for a mesh and a filter: the most common one, since they also serve others, but less the more their costs differ. It takes
    /// some hundred milliseconds for 30,000 polygons; other threads of Python run meanwhile.
    #[new]
    #[pyo3(signature = (mesh, filter = None))]
    fn new(py: Python<'_>, mesh: &Bound<'_, PyNavMesh>, filter: Option<Py<PyFilter>>) -> PyResult<Self> {
        let mesh = seen(mesh)?.mesh().clone();
        let any = or_default(filter.as_ref().map(|filter| filter.get()), &mesh);
        let made = py.detach(|| CostBounds::new(&mesh, &any));
        any.raise()?;
        Ok(Self(Arc::new(made)))
    }

    /// Whether they hold for a mesh as it is now: whether it has not changed since.
    fn hold_for(&self, mesh: &Bound<'_, PyNavMesh>) -> PyResult<bool> {
        Ok(self.0.is_for(seen(mesh)?.mesh()))
    }

    /// The reference points that they were computed from, shape (n, 3), for drawings.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        from_points(py, self.0.points().to_vec())
    }

    /// Bytes that they take in memory.
    #[getter]
    fn nbytes(&self) -> usize {
        self.0.bytes()
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.CostBounds: {} points, {} bytes>", self.0.points().len(), self.0.bytes())
    }
}

impl PyCostBounds {
    pub(crate) fn get(&self) -> Arc<CostBounds> {
        Arc::clone(&self.0)
    }
}

/// What names a search or a planner.
pub(crate) enum BoundsOrName {
    Bounds(Arc<CostBounds>),
    Name(String),
}

pub(crate) fn bounds_or_name(object: &Borrowed<'_, '_, PyAny>, argument: &str) -> PyResult<BoundsOrName> {
    if let Ok(bounds) = object.cast::<PyCostBounds>() {
        return Ok(BoundsOrName::Bounds(bounds.get().get()));
    }
    let wrong = |_| PyTypeError::new_err(format!("{argument} must be a word or CostBounds, not {}", kind(object)));
    object.extract::<String>().map(BoundsOrName::Name).map_err(wrong)
}

fn kind(object: &Borrowed<'_, '_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "something else".into(), |name| name.to_string())
}

/// Why bounds cannot be given to a planner.
pub(crate) fn unguided(what: &str) -> PyErr {
    errors::value(format_args!("the {what} was made without bounds: give some as its planner"))
}
