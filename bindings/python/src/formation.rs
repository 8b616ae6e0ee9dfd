//! Formations: agents that walk in slots behind a leader.

use crate::arrays::{Point2, room, tuple};
use crate::crowd::{PyAgentId, PyCrowd};
use crate::errors;
use crate::held::own;
use crate::whole::whole;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wayfare::Vec2;
use wayfare::crowd::Formation;

/// Agents that walk in slots behind a leader.
#[pyclass(module = "wayfare", name = "Formation")]
pub(crate) struct PyFormation(Formation);

#[pymethods]
impl PyFormation {
    /// `slots` are places beside the leader: to its right, and behind it, metres.
    #[new]
    fn new(leader: PyAgentId, slots: Vec<Point2>, members: Vec<PyAgentId>) -> Self {
        let slots = slots.into_iter().map(|slot| slot.0).collect();
        Self(Formation::new(leader.0, slots, members.into_iter().map(|member| member.0).collect()))
    }

    /// The slots of a block of so many columns.
    #[staticmethod]
    fn block(
        #[pyo3(from_py_with = whole)] count: usize,
        #[pyo3(from_py_with = whole)] columns: usize,
        spacing: f32,
    ) -> PyResult<Vec<(f32, f32)>> {
        listed(count, spacing, || Formation::block(count, columns, spacing))
    }

    /// The slots of a wedge.
    #[staticmethod]
    fn wedge(#[pyo3(from_py_with = whole)] count: usize, spacing: f32) -> PyResult<Vec<(f32, f32)>> {
        listed(count, spacing, || Formation::wedge(count, spacing))
    }

    /// Sends the members to their slots: call it before each step.
    fn lead(&mut self, py: Python<'_>, crowd: &Bound<'_, PyCrowd>) -> PyResult<()> {
        own(crowd)?.with_mesh(py, |crowd, mesh| self.0.lead(crowd, mesh))
    }

    /// Members, the numbers of their slots, and where those are now.
    #[getter]
    fn slots(&self) -> Vec<(PyAgentId, usize, (f32, f32, f32))> {
        self.0.slots().map(|slot| (PyAgentId(slot.agent), slot.slot, tuple(slot.place.point))).collect()
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    #[staticmethod]
    fn from_bytes(data: &[u8]) -> PyResult<Self> {
        Formation::from_bytes(data).map(Self).map_err(errors::format)
    }
}

/// The slots as tuples, made only if there is memory for so many.
fn listed(count: usize, spacing: f32, slots: impl FnOnce() -> Vec<Vec2>) -> PyResult<Vec<(f32, f32)>> {
    if !spacing.is_finite() {
        return Err(errors::value(format_args!("spacing is {spacing}, but must be a finite number of metres")));
    }
    let mut list = room(count)?;
    list.extend(slots().iter().map(|slot| (slot.x, slot.y)));
    Ok(list)
}
