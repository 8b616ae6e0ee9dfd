//! Why a place can be walked on, or not.

use crate::arrays::{Point, tuple};
use crate::bake::{bake_failed, settings_arg};
use crate::errors;
use crate::level::PyLevel;
use crate::long::{Callbacks, run};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use wayfare::bake::{ExplainMap, TilePlan, explain_around, explain_level};

/// What each stage of a bake decided about each place.
#[pyclass(module = "wayfare", name = "ExplainMap", frozen)]
pub(crate) struct PyExplainMap(ExplainMap);

#[pymethods]
impl PyExplainMap {
    /// Why a place can be walked on, or not: "reason" in a word, "sentence", "walkable", "ground", the surface that is meant, and "cause", what
    /// took it away and where. None where nothing was baked.
    fn at<'py>(&self, py: Python<'py>, point: Point) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(found) = self.0.at(point.0) else { return Ok(None) };
        let dict = PyDict::new(py);
        dict.set_item("reason", found.reason.name())?;
        dict.set_item("sentence", found.to_string())?;
        dict.set_item("walkable", found.is_walkable())?;
        dict.set_item("ground", found.ground.map(tuple))?;
        dict.set_item("metres", found.metres)?;
        dict.set_item("cause", found.cause.map(|(reason, at)| (reason.name(), tuple(at))))?;
        Ok(Some(dict))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes(0))
    }

    #[staticmethod]
    fn from_bytes(data: &[u8]) -> PyResult<Self> {
        ExplainMap::from_bytes(data).map(|(map, _)| Self(map)).map_err(errors::format)
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.ExplainMap: {} spans>", self.0.span_count())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let data = slf.get().to_bytes(slf.py());
        Ok((slf.get_type().getattr("from_bytes")?, (data,)))
    }
}

/// Replays the bake of a level and notes why each place can be walked on, or not; with `around`, of the tiles at that point alone.
#[pyfunction]
#[pyo3(signature = (level, settings = None, *, around = None, progress = None))]
pub(crate) fn explain(
    py: Python<'_>,
    level: PyLevel,
    settings: Option<&Bound<'_, PyAny>>,
    around: Option<Point>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyExplainMap> {
    let settings = settings_arg(settings)?;
    let callbacks = Callbacks { progress, ..Callbacks::default() };
    let map = run(py, &callbacks, |context| {
        let plan = TilePlan::new(level.level(), &settings)?;
        match around {
            Some(point) => explain_around(level.level(), &plan, point.0, context),
            None => explain_level(level.level(), &plan, context),
        }
    })?;
    map.map(PyExplainMap).map_err(bake_failed)
}
