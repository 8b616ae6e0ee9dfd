//! What changes while agents walk: temporary obstacles, and geometry that comes and goes.

use crate::arrays::{Corners, Point, aabb, corners};
use crate::bake::{bake_failed, flags_or_those_of, settings_arg};
use crate::errors;
use crate::held::{Own, Seen, own};
use crate::level::PyLevel;
use crate::long::{Callbacks, clock, run};
use crate::mesh::PyNavMesh;
use crate::settings::{VolumeOut, marked, marked_out, tri_mesh};
use crate::threads;
use crate::whole::{budget_or_all, whole};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::BTreeMap;
use std::sync::Arc;
use wayfare::context::Context;
use wayfare::dynamic::{
    LevelCheckpoints, ObjectError, ObjectLevel, ObjectRef, ObstacleError, ObstacleRef, Obstacles, RebuildError,
    RebuiltTile, Request, TileChange,
};
use wayfare::math::Frame;

/// Names an obstacle.
#[pyclass(module = "wayfare", name = "ObstacleId", frozen, eq, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyObstacleId(pub(crate) ObstacleRef);

#[pymethods]
impl PyObstacleId {
    fn __repr__(&self) -> String {
        format!("<wayfare.ObstacleId {}>", self.0)
    }
}

/// What was asked for: the tiles that are rebuilt for it.
#[pyclass(module = "wayfare", name = "ObstacleRequest", frozen)]
pub(crate) struct PyRequest(Request);

#[pymethods]
impl PyRequest {
    /// Columns, rows and layers of the tiles that it touches.
    #[getter]
    fn tiles(&self) -> Vec<(i32, i32, u32)> {
        self.0.tiles.iter().map(|tile| (tile.x, tile.z, tile.layer)).collect()
    }
}

/// Column and row of each tile, and what has become of it.
pub(crate) fn rebuilt_out(tiles: &[RebuiltTile]) -> Vec<((i32, i32), &'static str)> {
    let name = |change| match change {
        TileChange::Same => "same",
        TileChange::Replaced => "replaced",
        TileChange::Removed => "removed",
        TileChange::Added => "added",
    };
    tiles.iter().map(|tile| ((tile.coord.x, tile.coord.z), name(tile.change))).collect()
}

pub(crate) fn refused(error: ObstacleError) -> PyErr {
    match error {
        ObstacleError::Gone { .. } => errors::stale(error),
        error => errors::value(error),
    }
}

pub(crate) fn rebuild_failed(error: RebuildError) -> PyErr {
    match error {
        RebuildError::Cancelled => crate::Cancelled::new_err("the rebuild was cancelled"),
        RebuildError::OtherMesh => errors::value(error),
        RebuildError::NoSource { coord } => errors::bake(format_args!(
            "tile {}, {} is to be baked again, but there are no triangles: give `Obstacles.step` its `objects`, or \
             `LiveLevel.stored` its `level`",
            coord.x, coord.z
        )),
        error => errors::bake(error),
    }
}

/// Obstacles that are pushed and taken away while agents walk: the tiles under them are rebuilt, in steps of a budget. When all are gone,
/// the mesh has the bytes that it had.
#[pyclass(module = "wayfare", name = "Obstacles")]
pub(crate) struct PyObstacles {
    nav: Py<PyNavMesh>,
    obstacles: Obstacles,
}

#[pymethods]
impl PyObstacles {
    /// Obstacles on a mesh that was baked from a level. The settings must be those of that bake: only the places of its tiles are checked.
    /// So must `area_flags`: unless given, they are those of the bake that made this mesh, which a file does not keep.
    #[new]
    #[pyo3(signature = (mesh, level, settings, *, area_flags = None, progress = None))]
    fn new(
        py: Python<'_>,
        mesh: Py<PyNavMesh>,
        level: PyLevel,
        settings: &Bound<'_, PyAny>,
        area_flags: Option<BTreeMap<i64, u16>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let settings = settings_arg(Some(settings))?;
        let flags = flags_or_those_of(mesh.bind(py), area_flags)?;
        let callbacks = Callbacks { progress, ..Callbacks::default() };
        let made = run(py, &callbacks, |context| LevelCheckpoints::bake(level.level(), &settings, context))?;
        let mut made = made.map_err(bake_failed)?;
        made.flags = flags;
        Ok(Self { nav: mesh, obstacles: Obstacles::new(made) })
    }

    /// The same from bytes of `checkpoints`.
    #[staticmethod]
    fn from_checkpoints(mesh: Py<PyNavMesh>, data: &[u8]) -> PyResult<Self> {
        let checkpoints = LevelCheckpoints::from_bytes(data).map_err(errors::format)?;
        Ok(Self { nav: mesh, obstacles: Obstacles::new(checkpoints) })
    }

    /// What the tiles are rebuilt from, as bytes: about a fifth of a byte a cell.
    #[getter]
    fn checkpoints<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &slf.obstacles.checkpoints().to_bytes())
    }

    /// Adds an obstacle: a volume that blocks, or paints the surface in it with an area type. Returns its id and what is rebuilt for it.
    /// A painting one that is marked before erosion keeps agents away from its border where that blocks.
    #[pyo3(signature = (volume, *, paint = None, before_erosion = None))]
    fn add(
        mut slf: Own<'_, Self>,
        volume: &Bound<'_, PyAny>,
        paint: Option<i64>,
        before_erosion: Option<bool>,
    ) -> PyResult<(PyObstacleId, PyRequest)> {
        let (id, request) = slf.obstacles.add(marked(volume, paint, before_erosion)?).map_err(refused)?;
        Ok((PyObstacleId(id), PyRequest(request)))
    }

    /// Moves an obstacle by so much.
    fn move_by(mut slf: Own<'_, Self>, obstacle: PyObstacleId, by: Point) -> PyResult<PyRequest> {
        slf.obstacles.move_by(obstacle.0, by.0).map(PyRequest).map_err(refused)
    }

    /// Moves an obstacle to a place.
    fn move_to(mut slf: Own<'_, Self>, obstacle: PyObstacleId, to: Point) -> PyResult<PyRequest> {
        slf.obstacles.move_to(obstacle.0, to.0).map(PyRequest).map_err(refused)
    }

    /// Puts another volume in the place of one.
    #[pyo3(signature = (obstacle, volume, *, paint = None))]
    fn replace(
        mut slf: Own<'_, Self>,
        obstacle: PyObstacleId,
        volume: &Bound<'_, PyAny>,
        paint: Option<i64>,
    ) -> PyResult<PyRequest> {
        slf.obstacles.replace(obstacle.0, marked(volume, paint, None)?).map(PyRequest).map_err(refused)
    }

    /// Takes an obstacle away.
    fn remove(mut slf: Own<'_, Self>, obstacle: PyObstacleId) -> PyResult<PyRequest> {
        slf.obstacles.remove(obstacle.0).map(PyRequest).map_err(refused)
    }

    /// Takes all of them away.
    fn clear(mut slf: Own<'_, Self>) -> PyRequest {
        PyRequest(slf.obstacles.clear())
    }

    /// The tiles under a box are to be rebuilt, since the geometry there has changed.
    fn invalidate(mut slf: Own<'_, Self>, low: Point, high: Point) -> PyResult<PyRequest> {
        Ok(PyRequest(slf.obstacles.invalidate(&aabb((low, high))?)))
    }

    /// An obstacle's volume, what it paints, and whether it is marked before erosion.
    fn get<'py>(slf: Seen<'_, Self>, py: Python<'py>, obstacle: PyObstacleId) -> PyResult<VolumeOut<'py>> {
        marked_out(py, slf.obstacles.get(obstacle.0).map_err(refused)?)
    }

    /// All obstacles.
    #[getter]
    fn ids(slf: Seen<'_, Self>) -> Vec<PyObstacleId> {
        slf.obstacles.iter().map(|(id, _)| PyObstacleId(id)).collect()
    }

    /// What became of a request: "built", "waiting", "outside" where it touches no tile with surface, or "failed".
    fn outcome(slf: Seen<'_, Self>, request: PyRef<'_, PyRequest>) -> &'static str {
        slf.obstacles.outcome(&request.0).name()
    }

    /// Rebuilds as far as the budget, 1 or more, reaches (None: all of it), and puts the tiles into the mesh. Returns what is done and what there is in
    /// all. With `objects`, tiles are baked from their triangles.
    #[pyo3(signature = (budget = None, objects = None))]
    fn step(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] budget: Option<u64>,
        objects: Option<Seen<'_, PyObjectLevel>>,
    ) -> PyResult<(u64, u64)> {
        let budget = budget_or_all(budget)?;
        let mut nav = own(slf.nav.bind(py))?;
        let mut mesh = nav.file.mesh.clone();
        let context = Context { clock: Some(clock()), ..Context::default() };
        let done = {
            let obstacles = &mut slf.obstacles;
            let source = objects.as_ref().map(|objects| &objects.0);
            threads::detach(py, || match source {
                None => obstacles.step(&mut mesh, budget, &context),
                Some(source) => obstacles.step_from(&mut mesh, source, budget, &context),
            })?
        };
        nav.file.mesh = mesh;
        let done = done.map_err(rebuild_failed)?;
        Ok((done.done, done.total))
    }

    /// What the last step did: column and row of each tile, and "same", "replaced", "removed" or "added".
    #[getter]
    fn rebuilt(slf: Seen<'_, Self>) -> Vec<((i32, i32), &'static str)> {
        rebuilt_out(slf.obstacles.rebuilt())
    }

    /// Columns and rows of the tiles that will be rebuilt.
    #[getter]
    fn about_to_change(slf: Seen<'_, Self>) -> Vec<(i32, i32)> {
        slf.obstacles.about_to_change().map(|tile| (tile.x, tile.z)).collect()
    }

    /// All obstacles and the work that is left, as bytes; with `checkpoints` and the mesh, a saved game.
    fn to_bytes<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &slf.obstacles.to_bytes())
    }

    /// Obstacles of such bytes; names mean what they meant.
    #[staticmethod]
    fn from_bytes(mesh: Py<PyNavMesh>, checkpoints: &[u8], data: &[u8]) -> PyResult<Self> {
        let checkpoints = LevelCheckpoints::from_bytes(checkpoints).map_err(errors::format)?;
        Ok(Self { nav: mesh, obstacles: Obstacles::from_bytes(checkpoints, data).map_err(errors::format)? })
    }

    fn __len__(slf: Seen<'_, Self>) -> usize {
        slf.obstacles.count()
    }

    fn __repr__(slf: Seen<'_, Self>) -> String {
        format!(
            "<wayfare.Obstacles: {}, {} tiles about to change>",
            slf.obstacles.count(),
            slf.obstacles.about_to_change().count()
        )
    }
}

/// Names an object of a level.
#[pyclass(module = "wayfare", name = "ObjectId", frozen, eq, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyObjectId(pub(crate) ObjectRef);

/// A level whose geometry changes: triangles that stay, and objects that come, move and go. Give the boxes it returns to
/// `Obstacles.invalidate`, and itself to `Obstacles.step`.
#[pyclass(module = "wayfare", name = "ObjectLevel")]
pub(crate) struct PyObjectLevel(ObjectLevel);

pub(crate) fn object_failed(error: ObjectError) -> PyErr {
    match error {
        ObjectError::Gone { .. } => errors::stale(error),
        error => errors::value(error),
    }
}

#[pymethods]
impl PyObjectLevel {
    /// The level whose triangles and heights stay, and the settings of its bake, with bounds that hold all that may come.
    #[new]
    fn new(level: PyLevel, settings: &Bound<'_, PyAny>) -> PyResult<Self> {
        let settings = settings_arg(Some(settings))?;
        let plan = wayfare::bake::TilePlan::new(level.level(), &settings).map_err(bake_failed)?;
        Ok(Self(ObjectLevel::new(level.level(), &plan)))
    }

    /// Adds an object of triangles, moved by an offset; returns its id, and the box that has changed.
    #[pyo3(signature = (vertices, triangles, offset = None))]
    fn add(
        mut slf: Own<'_, Self>,
        vertices: &Bound<'_, PyAny>,
        triangles: &Bound<'_, PyAny>,
        offset: Option<Point>,
    ) -> PyResult<(PyObjectId, Option<Corners>)> {
        let mesh = tri_mesh(vertices, triangles, None, Frame::default())?;
        let offset = offset.map_or(wayfare::Vec3::ZERO, |offset| offset.0);
        let (id, changed) = slf.0.add(Arc::new(mesh), offset).map_err(object_failed)?;
        Ok((PyObjectId(id), corners(&changed)))
    }

    /// Moves an object; returns the box around both places.
    fn move_to(mut slf: Own<'_, Self>, object: PyObjectId, offset: Point) -> PyResult<Option<Corners>> {
        let [before, after] = slf.0.move_to(object.0, offset.0).map_err(object_failed)?;
        Ok(corners(&before.union(after)))
    }

    /// Removes an object; returns the box that has changed.
    fn remove(mut slf: Own<'_, Self>, object: PyObjectId) -> PyResult<Option<Corners>> {
        Ok(corners(&slf.0.remove(object.0).map_err(object_failed)?))
    }

    /// The whole level as it is now, without volumes, which are those of the checkpoints.
    fn level(slf: Seen<'_, Self>) -> PyLevel {
        PyLevel::of_objects(&slf.0, &[])
    }
}
