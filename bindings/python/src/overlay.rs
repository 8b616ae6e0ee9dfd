//! Costs that change by place, and fade.

use crate::arrays::{Point, Point2, aabb, from_column, from_points};
use crate::errors;
use crate::whole::whole;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wayfare::query::{CostOverlay, OverlaySettings, OverlayShape};

/// What a metre costs in addition, in cells of the world: danger, fire, crowding. Give it to a `Filter`, which takes it as it is then.
#[pyclass(module = "wayfare", name = "CostOverlay")]
pub(crate) struct PyOverlay(pub(crate) CostOverlay);

#[pymethods]
impl PyOverlay {
    /// `half_life` is in ticks, 0 for costs that stay.
    #[new]
    #[pyo3(signature = (*, cell_size = None, cell_height = None, half_life = None, max_cells = None))]
    fn new(
        cell_size: Option<f32>,
        cell_height: Option<f32>,
        #[pyo3(from_py_with = whole)] half_life: Option<u32>,
        #[pyo3(from_py_with = whole)] max_cells: Option<u32>,
    ) -> PyResult<Self> {
        let usual = OverlaySettings::default();
        let settings = OverlaySettings {
            cell_size: cell_size.unwrap_or(usual.cell_size),
            cell_height: cell_height.unwrap_or(usual.cell_height),
            half_life: half_life.unwrap_or(usual.half_life),
            max_cells: max_cells.unwrap_or(usual.max_cells),
        };
        CostOverlay::new(settings).map(Self).map_err(errors::value)
    }

    /// Adds a cost to a disc that reaches so far up and down; returns how many cells it covers.
    #[pyo3(signature = (center, radius, cost, reach = 1.0))]
    fn paint_disc(&mut self, center: Point, radius: f32, cost: f32, reach: f32) -> PyResult<u32> {
        self.0.paint(&OverlayShape::Disc { center: center.0, radius, reach }, cost).map_err(errors::value)
    }

    /// Adds a cost to a box.
    fn paint_box(&mut self, low: Point, high: Point, cost: f32) -> PyResult<u32> {
        self.0.paint(&OverlayShape::Box(aabb((low, high))?), cost).map_err(errors::value)
    }

    /// Adds a cost to a polygon of corners (x, z) between two heights.
    fn paint_polygon(&mut self, corners: Vec<Point2>, low: f32, high: f32, cost: f32) -> PyResult<u32> {
        let corners: Vec<_> = corners.into_iter().map(|p| p.0).collect();
        self.0.paint(&OverlayShape::Polygon { corners: &corners, min_y: low, max_y: high }, cost).map_err(errors::value)
    }

    /// So many ticks go by: costs fade.
    #[pyo3(signature = (ticks = 1))]
    fn advance(&mut self, #[pyo3(from_py_with = whole)] ticks: u32) {
        self.0.advance(ticks);
    }

    /// Takes everything off.
    fn clear(&mut self) {
        self.0.clear();
    }

    /// What a metre costs in addition at a point.
    fn cost_at(&self, point: Point) -> f32 {
        self.0.cost_at(point.0)
    }

    /// What a straight line costs in addition.
    fn cost_along(&self, start: Point, end: Point) -> f32 {
        self.0.cost_along(start.0, end.0)
    }

    /// The cells that cost something: low corners (n, 3), high corners (n, 3), costs (n).
    #[allow(clippy::type_complexity)]
    fn cells<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>)> {
        let cells: Vec<_> = self.0.cells().collect();
        let low = from_points(py, cells.iter().map(|c| c.0).collect())?;
        let high = from_points(py, cells.iter().map(|c| c.1).collect())?;
        Ok((low, high, from_column(py, cells.iter().map(|c| c.2).collect())))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    #[staticmethod]
    fn from_bytes(data: &[u8]) -> PyResult<Self> {
        CostOverlay::from_bytes(data).map(Self).map_err(errors::format)
    }

    fn __len__(&self) -> usize {
        self.0.cell_count() as usize
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let data = slf.borrow().to_bytes(slf.py());
        Ok((slf.get_type().getattr("from_bytes")?, (data,)))
    }
}
