//! A level that changes, and the mesh that follows it.
//!
//! The mesh is an object of its own, which sessions and crowds hold. Each step begins with it as it is, so that it may be edited between steps,
//! and leaves the result in it.

use crate::arrays::Point;
use crate::bake::{PyAutoLink, bake_failed, settings_arg};
use crate::errors;
use crate::held::{Own, Seen, own, seen};
use crate::level::PyLevel;
use crate::long::{Callbacks, PyCancel, run};
use crate::mesh::PyNavMesh;
use crate::obstacles::{PyObjectId, PyObstacleId, object_failed, rebuild_failed, rebuilt_out, refused};
use crate::settings::{LinksIn, VolumeOut, marked, marked_out, tri_mesh};
use crate::whole::{budget_or_all, whole};
use pyo3::prelude::*;
use std::sync::Arc;
use wayfare::dynamic::{AutoLinks, LiveLevel, LiveLevelError, LiveStage, Obstacles};
use wayfare::math::Frame;
use wayfare::mesh::NavMesh;

fn failed(error: LiveLevelError) -> PyErr {
    match error {
        LiveLevelError::Object(error) => object_failed(error),
        LiveLevelError::Obstacle(error) => refused(error),
        LiveLevelError::Rebuild(error) => rebuild_failed(error),
        LiveLevelError::Links(error) => errors::bake(error),
        LiveLevelError::NoLevel => errors::value(
            "the mesh was stored without the level to which an object could be added: give `LiveLevel.stored` its `level`",
        ),
        error => errors::value(error),
    }
}

fn with_links(level: LiveLevel, links: Option<LinksIn>) -> PyResult<LiveLevel> {
    match links {
        None => Ok(level),
        Some(links) => level.with_links(&links.get()?).map_err(bake_failed),
    }
}

/// A level of triangles, objects and obstacles that come, move and go, and the mesh that follows it tile by tile, with its automatic links.
///
/// A change costs little; `step` does the work. Tiles have the bytes of a bake of the level as it is, whatever the budgets. `Obstacles` and
/// `ObjectLevel` are its parts, one by one.
#[pyclass(module = "wayfare", name = "LiveLevel")]
pub(crate) struct PyLiveLevel {
    level: LiveLevel,
    nav: Py<PyNavMesh>,
}

impl PyLiveLevel {
    /// Does something with the mesh as it is in Python.
    fn on_mesh<T>(&mut self, py: Python<'_>, work: impl FnOnce(&mut LiveLevel) -> PyResult<T>) -> PyResult<T> {
        let mut nav = own(self.nav.bind(py))?;
        *self.level.mesh_mut() = nav.file.mesh.clone();
        let answer = work(&mut self.level);
        nav.file.mesh = self.level.mesh().clone();
        answer
    }
}

#[pymethods]
impl PyLiveLevel {
    /// A level of which nothing is baked yet: `step` bakes it. What is added later counts inside the settings' `bounds`, those of the level unless
    /// given. The level's volumes stay as they are: those that come and go are obstacles. With `links`, drops, jumps and climbs are found and kept up, as off-mesh connections.
    #[new]
    #[pyo3(signature = (level, settings = None, *, links = None))]
    fn new(
        py: Python<'_>,
        level: PyLevel,
        settings: Option<&Bound<'_, PyAny>>,
        links: Option<LinksIn>,
    ) -> PyResult<Self> {
        let made = LiveLevel::new(level.level(), &settings_arg(settings)?).map_err(bake_failed)?;
        let mut made = with_links(made, links)?;
        for connection in level.connections {
            made.mesh_mut().add_connection(connection).map_err(errors::value)?;
        }
        let nav = Py::new(py, PyNavMesh::of_mesh(made.mesh().clone()))?;
        Ok(Self { level: made, nav })
    }

    /// A level whose mesh was saved with what `store` put beside it, or by `wayfare bake --layers`; one without that is refused. For objects it
    /// needs what it was baked from: `level`.
    #[staticmethod]
    #[pyo3(signature = (mesh, *, level = None, links = None))]
    fn stored(py: Python<'_>, mesh: Py<PyNavMesh>, level: Option<PyLevel>, links: Option<LinksIn>) -> PyResult<Self> {
        let file = seen(mesh.bind(py))?.file.clone();
        let mut made = LiveLevel::from_file(&file).map_err(errors::format)?;
        if made.obstacles().is_none() {
            return Err(failed(LiveLevelError::NoCheckpoints));
        }
        if let Some(level) = level {
            made = made.with_level(level.level()).map_err(failed)?;
        } else if links.is_some() {
            return Err(errors::value("links are found on the level: give `level` as well"));
        }
        Ok(Self { level: with_links(made, links)?, nav: mesh })
    }

    /// The mesh, as far as it has followed: always the same object. Its connections, areas and flags may be changed between steps; tiles that
    /// are put in by hand come back as they were with the next rebuild.
    #[getter]
    fn mesh(slf: Seen<'_, Self>, py: Python<'_>) -> Py<PyNavMesh> {
        slf.nav.clone_ref(py)
    }

    /// Adds an obstacle: a volume that blocks, or paints the surface in it with an area type, as `Obstacles.add`. Returns its id.
    #[pyo3(signature = (volume, *, paint = None, before_erosion = None))]
    fn add_obstacle(
        mut slf: Own<'_, Self>,
        volume: &Bound<'_, PyAny>,
        paint: Option<i64>,
        before_erosion: Option<bool>,
    ) -> PyResult<PyObstacleId> {
        let marked = marked(volume, paint, before_erosion)?;
        slf.level.add_obstacle(marked).map(PyObstacleId).map_err(failed)
    }

    /// Moves an obstacle by so much.
    fn move_obstacle_by(mut slf: Own<'_, Self>, obstacle: PyObstacleId, by: Point) -> PyResult<()> {
        slf.level.move_obstacle_by(obstacle.0, by.0).map_err(failed)
    }

    /// Puts another volume in the place of one.
    #[pyo3(signature = (obstacle, volume, *, paint = None, before_erosion = None))]
    fn replace_obstacle(
        mut slf: Own<'_, Self>,
        obstacle: PyObstacleId,
        volume: &Bound<'_, PyAny>,
        paint: Option<i64>,
        before_erosion: Option<bool>,
    ) -> PyResult<()> {
        let marked = marked(volume, paint, before_erosion)?;
        slf.level.replace_obstacle(obstacle.0, marked).map_err(failed)
    }

    /// Takes an obstacle away.
    fn remove_obstacle(mut slf: Own<'_, Self>, obstacle: PyObstacleId) -> PyResult<()> {
        slf.level.remove_obstacle(obstacle.0).map_err(failed)
    }

    /// An obstacle's volume, what it paints, and whether it is marked before erosion.
    fn obstacle<'py>(slf: Seen<'_, Self>, py: Python<'py>, obstacle: PyObstacleId) -> PyResult<VolumeOut<'py>> {
        let obstacles = slf.level.obstacles().ok_or_else(|| failed(LiveLevelError::NoCheckpoints))?;
        marked_out(py, obstacles.get(obstacle.0).map_err(refused)?)
    }

    /// All obstacles.
    #[getter]
    fn obstacles(slf: Seen<'_, Self>) -> Vec<PyObstacleId> {
        slf.level.obstacles().into_iter().flat_map(Obstacles::iter).map(|(id, _)| PyObstacleId(id)).collect()
    }

    /// Adds an object of triangles, moved by an offset: it can be walked on, and is in the way. Returns its id.
    #[pyo3(signature = (vertices, triangles, offset = None))]
    fn add_object(
        mut slf: Own<'_, Self>,
        vertices: &Bound<'_, PyAny>,
        triangles: &Bound<'_, PyAny>,
        offset: Option<Point>,
    ) -> PyResult<PyObjectId> {
        let surface = tri_mesh(vertices, triangles, None, Frame::default())?;
        let offset = offset.map_or(wayfare::Vec3::ZERO, |offset| offset.0);
        slf.level.add_object(Arc::new(surface), offset).map(PyObjectId).map_err(failed)
    }

    /// Moves an object: it is now moved by this offset.
    fn move_object(mut slf: Own<'_, Self>, object: PyObjectId, offset: Point) -> PyResult<()> {
        slf.level.move_object(object.0, offset.0).map_err(failed)
    }

    /// Takes an object away.
    fn remove_object(mut slf: Own<'_, Self>, object: PyObjectId) -> PyResult<()> {
        slf.level.remove_object(object.0).map_err(failed)
    }

    /// Puts other triangles in the place of those that are no objects. Only tiles under triangles that came or went are baked again.
    #[pyo3(signature = (vertices, triangles, areas = None))]
    fn replace_triangles(
        mut slf: Own<'_, Self>,
        vertices: &Bound<'_, PyAny>,
        triangles: &Bound<'_, PyAny>,
        areas: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let surface = tri_mesh(vertices, triangles, areas, Frame::default())?;
        slf.level.replace_triangles(surface).map_err(failed)
    }

    /// Puts the height map of another level in the place of the one that was there; None, or a level without, takes it away. If both have their
    /// points in the same places, only tiles under points whose height is another are baked again: dig by giving the same map with other samples.
    #[pyo3(signature = (level))]
    fn replace_terrain(mut slf: Own<'_, Self>, level: Option<PyLevel>) -> PyResult<()> {
        let terrain = level.and_then(|level| level.terrain).map(|terrain| (*terrain).clone());
        slf.level.replace_terrain(terrain).map_err(failed)
    }

    /// The level with its objects as it is now, obstacles apart; None if it was stored and `level` was not given.
    fn level(slf: Seen<'_, Self>) -> Option<PyLevel> {
        let volumes = slf.level.obstacles().map_or(&[][..], |obstacles| obstacles.checkpoints().volumes());
        Some(PyLevel::of_objects(slf.level.objects()?, volumes))
    }

    /// Tells those who walk on the tiles that will be rebuilt, before it happens: see `NavMesh.announce`. To be called after changes.
    fn announce(mut slf: Own<'_, Self>, py: Python<'_>) -> PyResult<()> {
        slf.on_mesh(py, |level| {
            level.announce();
            Ok(())
        })
    }

    /// Follows the changes as far as the budget, 1 or more, reaches (None: all of them): rebuilds tiles, then searches links. Returns whether all is done.
    /// Raises BakeError for a tile or link that failed, once each; later steps go on with the rest.
    #[pyo3(signature = (budget = None, *, cancel = None))]
    fn step(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] budget: Option<u64>,
        cancel: Option<PyCancel>,
    ) -> PyResult<bool> {
        let budget = budget_or_all(budget)?;
        let callbacks = Callbacks { cancel: cancel.map(|cancel| cancel.0), ..Callbacks::default() };
        slf.on_mesh(py, |level| {
            let stepped = run(py, &callbacks, |context| level.step(budget, context))?;
            Ok(stepped.map_err(failed)?.is_finished())
        })
    }

    /// How far the mesh has followed: "tiles" or "links", how much of that is done, and how much there is in all.
    #[getter]
    fn progress(slf: Seen<'_, Self>) -> (&'static str, u64, u64) {
        let at = slf.level.progress();
        let stage = match at.stage {
            LiveStage::Tiles => "tiles",
            LiveStage::Links => "links",
        };
        (stage, at.progress.done, at.progress.total)
    }

    /// What the last step did: column and row of each tile, and "same", "replaced", "removed" or "added".
    #[getter]
    fn rebuilt(slf: Seen<'_, Self>) -> Vec<((i32, i32), &'static str)> {
        rebuilt_out(slf.level.rebuilt())
    }

    /// Columns and rows of the tiles that will be rebuilt.
    #[getter]
    fn about_to_change(slf: Seen<'_, Self>) -> Vec<(i32, i32)> {
        let tiles = slf.level.obstacles().into_iter().flat_map(Obstacles::about_to_change);
        tiles.map(|tile| (tile.x, tile.z)).collect()
    }

    /// The automatic links that are in the mesh.
    #[getter]
    fn links(slf: Seen<'_, Self>) -> Vec<PyAutoLink> {
        slf.level.links().into_iter().flat_map(AutoLinks::iter).map(PyAutoLink::of).collect()
    }

    /// Puts obstacles, what tiles are rebuilt from, and the work that is left beside the mesh, to be saved with it by `NavMesh.save`; `stored`
    /// reads it. Objects are not saved: add them again where they stood.
    fn store(slf: Seen<'_, Self>, py: Python<'_>) -> PyResult<()> {
        let mut nav = own(slf.nav.bind(py))?;
        let now = nav.file.mesh.clone();
        slf.level.write_to(&mut nav.file);
        // It may have been edited since the last step.
        nav.file.mesh = now;
        Ok(())
    }

    fn __repr__(slf: Seen<'_, Self>) -> String {
        let tiles = NavMesh::tile_count(slf.level.mesh());
        let obstacles = slf.level.obstacles().map_or(0, Obstacles::count);
        let state = if slf.level.progress().is_finished() { "followed" } else { "work left" };
        format!("<wayfare.LiveLevel: {tiles} tiles, {obstacles} obstacles, {state}>")
    }
}
