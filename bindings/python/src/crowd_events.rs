//! What happened to the agents of a crowd.

use crate::arrays::tuple;
use crate::crowd::PyAgentId;
use crate::query::broken_name;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wayfare::crowd::{CrowdEvent, EventKind};

/// Something that happened in a tick.
#[pyclass(module = "wayfare", name = "CrowdEvent", frozen)]
pub(crate) struct PyCrowdEvent(pub(crate) CrowdEvent);

#[pymethods]
impl PyCrowdEvent {
    /// Who it happened to.
    #[getter]
    fn agent(&self) -> PyAgentId {
        PyAgentId(self.0.agent)
    }

    /// What: "path_found", "unreachable", "path_lost", "path_breaks_soon", "displaced", "ground_lost", "arrived", "blocked", "gave_up",
    /// "connection_entered", "connection_left", "obstructed".
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0.kind {
            EventKind::PathFound { .. } => "path_found",
            EventKind::Unreachable => "unreachable",
            EventKind::PathLost(_) => "path_lost",
            EventKind::PathBreaksSoon(_) => "path_breaks_soon",
            EventKind::Displaced { .. } => "displaced",
            EventKind::SurfaceLost => "ground_lost",
            EventKind::Arrived => "arrived",
            EventKind::Blocked { .. } => "blocked",
            EventKind::GaveUp => "gave_up",
            EventKind::ConnectionEntered(_) => "connection_entered",
            EventKind::ConnectionLeft(_) => "connection_left",
            EventKind::Obstructed { .. } => "obstructed",
            _ => "other",
        }
    }

    /// What belongs to it: "complete", "spells", "by" and "ahead" of a broken path, "start" and "end", "connection", "obstacle".
    #[getter]
    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        match self.0.kind {
            EventKind::PathFound { complete } => dict.set_item("complete", complete)?,
            EventKind::PathLost(broken) | EventKind::PathBreaksSoon(broken) => {
                dict.set_item("by", broken_name(broken.by))?;
                dict.set_item("ahead", broken.ahead)?;
                dict.set_item("poly", broken.poly.to_bits())?;
            }
            EventKind::Displaced { from, to } => {
                dict.set_item("start", tuple(from))?;
                dict.set_item("end", tuple(to))?;
            }
            EventKind::Blocked { spells } => dict.set_item("spells", spells)?,
            EventKind::Obstructed { by } => dict.set_item("obstacle", by)?,
            EventKind::ConnectionEntered(crossing) | EventKind::ConnectionLeft(crossing) => {
                dict.set_item("connection", crossing.connection.to_bits())?;
                dict.set_item("start", tuple(crossing.from))?;
                dict.set_item("end", tuple(crossing.to))?;
            }
            _ => {}
        }
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.CrowdEvent {} of agent {}>", self.kind(), self.0.agent.index())
    }
}
