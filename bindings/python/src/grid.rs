//! A small grid around one agent, for what moves near it.

use crate::arrays::{Point, from_points, read_only};
use crate::errors;
use crate::path::status_name;
use crate::whole::whole;
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use wayfare::grid::{GridSearch, LocalGrid, Obstacle, Shape, blockers};

/// Something in the way that a mesh does not contain: for `Crowd.set_obstacles` and `LocalGrid.block`. `id` is a number of your own, by which
/// answers name it.
#[pyclass(module = "wayfare", name = "GridObstacle", frozen, from_py_object)]
#[derive(Clone, Copy)]
pub(crate) struct PyGridObstacle(pub(crate) Obstacle);

#[pymethods]
impl PyGridObstacle {
    /// A wall between two points.
    #[staticmethod]
    #[pyo3(signature = (start, end, id = 0))]
    fn segment(start: Point, end: Point, id: u32) -> Self {
        Self(Obstacle { shape: Shape::Segment { a: start.0, b: end.0 }, id })
    }

    /// A disc.
    #[staticmethod]
    #[pyo3(signature = (center, radius, id = 0))]
    fn disc(center: Point, radius: f32, id: u32) -> PyResult<Self> {
        let radius = side(radius, "radius")?;
        Ok(Self(Obstacle { shape: Shape::Disc { center: center.0, radius }, id }))
    }

    /// A box by half of its sides along x and z, turned about the y axis by `yaw` radians.
    #[staticmethod]
    #[pyo3(name = "box", signature = (center, half, yaw = 0.0, id = 0))]
    fn turned_box(center: Point, half: (f32, f32), yaw: f32, id: u32) -> PyResult<Self> {
        let half = [side(half.0, "half")?, side(half.1, "half")?];
        if !yaw.is_finite() {
            return Err(errors::value(format_args!("yaw is {yaw}, but must be radians")));
        }
        Ok(Self(Obstacle { shape: Shape::Box { center: center.0, half, yaw }, id }))
    }

    /// Its number.
    #[getter]
    fn id(&self) -> u32 {
        self.0.id
    }

    fn __repr__(&self) -> String {
        let shape = match self.0.shape {
            Shape::Segment { .. } => "segment",
            Shape::Disc { .. } => "disc",
            Shape::Box { .. } => "box",
        };
        format!("<wayfare.GridObstacle {}: a {shape}>", self.0.id)
    }
}

/// A small grid around an agent: block what is near, and find the way between.
#[pyclass(module = "wayfare", name = "LocalGrid")]
pub(crate) struct PyLocalGrid {
    grid: LocalGrid,
    search: GridSearch,
    obstacles: Vec<Obstacle>,
    radius: f32,
}

fn side(value: f32, name: &str) -> PyResult<f32> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(errors::value(format_args!("{name} is {value}, but must be 0 or more")))
    }
}

#[pymethods]
impl PyLocalGrid {
    /// `size` cells to a side, at most 64; what is blocked is kept `radius` away.
    #[new]
    #[pyo3(signature = (size = 32, cell_size = 0.25, radius = 0.5))]
    fn new(size: u32, cell_size: f32, radius: f32) -> PyResult<Self> {
        let grid = LocalGrid::new(size, cell_size).map_err(errors::value)?;
        let radius = side(radius, "radius")?;
        Ok(Self { grid, search: GridSearch::default(), obstacles: Vec::new(), radius })
    }

    /// Moves the grid to an agent, and empties it.
    fn recenter(&mut self, center: Point) {
        self.grid.recenter(center.0);
        self.clear();
    }

    /// Empties it.
    fn clear(&mut self) {
        self.grid.clear();
        self.obstacles.clear();
    }

    /// Blocks the cells where the agent would touch an obstacle.
    fn block(&mut self, obstacle: PyGridObstacle) {
        self.grid.block(&obstacle.0, self.radius);
        self.obstacles.push(obstacle.0);
    }

    /// The path from one point to another: a status and points, shape (n, 3).
    fn find_path<'py>(
        &mut self,
        py: Python<'py>,
        start: Point,
        goal: Point,
    ) -> PyResult<(&'static str, Bound<'py, PyArray2<f32>>)> {
        let found = self.search.find_path(&self.grid, start.0, goal.0);
        let (status, points) = (found.status, found.points.to_vec());
        Ok((status_name(status), from_points(py, points)?))
    }

    /// The ids of what stands in the way of a straight line.
    fn blockers(&self, start: Point, goal: Point) -> Vec<u32> {
        blockers(&self.obstacles, start.0, goal.0, self.radius)
    }

    /// Which cells are blocked, shape (size, size), rows along z: a copy that cannot be written to. Set all of it, or use `set_blocked`.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let size = self.grid.size();
        let cells = (0..size).flat_map(|z| (0..size).map(move |x| (x, z)));
        let cells: Vec<bool> = cells.map(|(x, z)| self.grid.is_blocked(x, z)).collect();
        read_only(numpy::PyArray1::from_vec(py, cells).reshape([size as usize, size as usize])?)
    }

    /// Blocks and frees all cells at once: an array of bool of shape (size, size), rows along z, as of sensors. What is blocked should be grown
    /// by the agent's radius.
    #[setter]
    fn set_cells(&mut self, cells: &Bound<'_, PyAny>) -> PyResult<()> {
        let size = self.grid.size();
        let wrong = || errors::value(format_args!("cells must be an array of bool of shape ({size}, {size})"));
        let cells = cells.py().import("numpy")?.call_method1("asarray", (cells,))?;
        let cells = cells.cast_into::<PyArray2<bool>>().map_err(|_| wrong())?;
        let cells = cells.try_readonly().map_err(errors::value)?;
        let cells = cells.as_array();
        if cells.dim() != (size as usize, size as usize) {
            return Err(wrong());
        }
        cells.indexed_iter().for_each(|((z, x), blocked)| self.grid.set_blocked(x as u32, z as u32, *blocked));
        Ok(())
    }

    /// Blocks or frees the cell in column `x`, row `z`.
    #[pyo3(signature = (x, z, blocked = true))]
    fn set_blocked(
        &mut self,
        #[pyo3(from_py_with = whole)] x: u32,
        #[pyo3(from_py_with = whole)] z: u32,
        blocked: bool,
    ) -> PyResult<()> {
        let size = self.grid.size();
        if x >= size || z >= size {
            return Err(errors::value(format_args!(
                "cell {x}, {z} lies outside of the grid of {size} by {size} cells"
            )));
        }
        self.grid.set_blocked(x, z, blocked);
        Ok(())
    }

    /// The x and z of its low corner.
    #[getter]
    fn origin(&self) -> (f32, f32) {
        let origin = self.grid.origin();
        (origin.x, origin.y)
    }
}
