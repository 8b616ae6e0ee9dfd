//! The bake of a world that does not fit in memory: from a source in Python or a generator, into a store in files, a folder, or anything
//! that keeps bytes by name.

use crate::arrays::{Corners, Point, aabb, corners, from_column, points, tuple};
use crate::bake::{PyBakeReport, bake_failed};
use crate::errors;
use crate::long::{Callbacks, PyCancel, run};
use crate::settings::{BakeIn, ConnectionIn, area, area_rules, area_table, connection_out, marked};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyFileNotFoundError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::context::Budget;
use wayfare::format::{IndexBlock, StoreError, StoreHead, StoreIndex, StoreRecord, WorldStore};
use wayfare::hierarchy::write_default_levels;
use wayfare::input::MarkedVolume;
use wayfare::math::Aabb;
use wayfare::mesh::OffMeshConnection;
use wayfare::tile::TileCoord;
use wayfare::world::{SourceError, TileWindow, WorldBake, WorldBakeError, WorldPiece, WorldSettings, WorldSource};
use wayfare_io::Placement;

/// The first exception that Python has raised while the library asked.
#[derive(Default)]
struct Failure(Mutex<Option<PyErr>>);

impl Failure {
    fn keep(&self, error: PyErr) -> String {
        let text = error.to_string();
        if let Ok(mut kept) = self.0.lock() {
            kept.get_or_insert(error);
        }
        text
    }

    fn raise(&self) -> PyResult<()> {
        self.0.lock().ok().and_then(|mut kept| kept.take()).map_or(Ok(()), Err)
    }
}

/// A world that a Python object tells of, box by box.
struct AskedSource {
    object: Py<PyAny>,
    bounds: Aabb,
    connections: Vec<OffMeshConnection>,
    volumes: Vec<MarkedVolume>,
    failure: Failure,
}

type Triangles = Vec<([Vec3; 3], AreaId)>;

fn triangles_of(answer: &Bound<'_, PyAny>) -> PyResult<Triangles> {
    let (corners, areas): (Bound<'_, PyAny>, Bound<'_, PyAny>) = answer.extract().map_err(|_| {
        pyo3::exceptions::PyTypeError::new_err(
            "piece must return triangles, shape (n, 3, 3), and an area type for each",
        )
    })?;
    // A list does as well as an array.
    let corners = corners.py().import("numpy")?.call_method1("asarray", (corners,))?;
    let flat = corners.call_method1("reshape", (-1, 3))?;
    let corners = points(&flat, "triangles")?;
    let corners = corners.as_slice()?;
    let areas = crate::arrays::whole_bytes(&areas, "areas")?;
    let areas = crate::arrays::column::<u8>(&areas, "areas", "uint8")?;
    let areas = areas.as_array();
    crate::arrays::same_length(("triangles", corners.len() / 3), ("areas", areas.len()))?;
    let of = |(corners, number): (&[Vec3], &u8)| Ok(([corners[0], corners[1], corners[2]], area((*number).into())?));
    corners.chunks_exact(3).zip(areas.iter()).map(of).collect()
}

impl WorldSource for AskedSource {
    fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn piece(&self, bounds: &Aabb) -> Result<WorldPiece<'_>, SourceError> {
        let found = Python::attach(|py| {
            // A box reaches over all heights.
            let answer = self.object.bind(py).call_method1("piece", (tuple(bounds.min), tuple(bounds.max)))?;
            triangles_of(&answer)
        });
        let triangles = found.map_err(|error| SourceError(self.failure.keep(error)))?;
        Ok(WorldPiece { volumes: self.volumes.as_slice().into(), ..WorldPiece::of_triangles(triangles, bounds) })
    }

    fn volumes(&self) -> &[MarkedVolume] {
        &self.volumes
    }

    fn connections(&self) -> &[OffMeshConnection] {
        &self.connections
    }
}

/// A store that keeps bytes by name in a Python object.
struct AskedStore {
    object: Py<PyAny>,
    head: StoreHead,
    index: StoreIndex,
    failure: Failure,
    /// What reading has raised. A bake makes anew what it cannot read, so that it is raised only where the work failed.
    unread: Failure,
}

impl AskedStore {
    fn new(object: Py<PyAny>, head: StoreHead, index: StoreIndex) -> Self {
        Self { object, head, index, failure: Failure::default(), unread: Failure::default() }
    }

    /// What some work on it gave, unless its object has raised something that counts.
    fn finish<T>(&self, done: PyResult<Result<T, PyErr>>) -> PyResult<T> {
        self.failure.raise()?;
        let done = done?;
        if done.is_err() {
            self.unread.raise()?;
        }
        done
    }

    fn ask<T>(&self, ask: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>) -> Result<T, StoreError> {
        let answer = Python::attach(|py| ask(py, self.object.bind(py)));
        answer.map_err(|error| StoreError::Failed(self.failure.keep(error)))
    }
}

impl WorldStore for AskedStore {
    fn head(&self) -> &StoreHead {
        &self.head
    }

    fn index(&self) -> &StoreIndex {
        &self.index
    }

    fn read_bytes(&self, coord: TileCoord, range: Range<u64>) -> Result<Vec<u8>, StoreError> {
        self.index.get(coord).ok_or(StoreError::Missing { coord })?;
        let name = wayfare_store::tile_name(coord);
        Python::attach(|py| {
            let answer = self.object.bind(py).call_method1("read", (name, range.start, range.end));
            answer.and_then(|answer| answer.extract::<Vec<u8>>()).map_err(|error| {
                let is_gone = error.is_instance_of::<PyFileNotFoundError>(py);
                let text = self.unread.keep(error);
                if is_gone { StoreError::Missing { coord } } else { StoreError::Failed(text) }
            })
        })
    }

    fn write(&mut self, record: &StoreRecord) -> Result<(), StoreError> {
        let name = wayfare_store::tile_name(record.entry().coord);
        self.ask(|py, files| files.call_method1("write", (name, PyBytes::new(py, record.bytes()))).map(drop))?;
        self.index.set(record.entry());
        Ok(())
    }

    fn remove(&mut self, coord: TileCoord) -> Result<(), StoreError> {
        self.index.remove(coord);
        let name = wayfare_store::tile_name(coord);
        self.ask(|_, files| files.call_method1("remove", (name,)).map(drop))
    }

    fn set_head(&mut self, head: StoreHead) -> Result<(), StoreError> {
        self.head = head;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A world that is made piece by piece, such as "continent?km=2".
#[pyclass(module = "wayfare", name = "GeneratedWorld", frozen)]
pub(crate) struct PyGenerated {
    spec: String,
    world: wayfare_scenes::Continent,
}

#[pymethods]
impl PyGenerated {
    #[new]
    fn new(spec: String) -> PyResult<Self> {
        let world = wayfare_scenes::world(&spec).map_err(errors::value)?;
        let world = world
            .ok_or_else(|| errors::value(format_args!("{spec} is not made piece by piece: load it as a Level")))?;
        Ok(Self { spec, world })
    }

    /// The box around it.
    #[getter]
    fn bounds(&self) -> Option<Corners> {
        corners(&self.world.bounds())
    }

    /// The triangles that may touch a box: shape (n, 3, 3), and their area types.
    #[allow(clippy::type_complexity)]
    fn piece<'py>(
        &self,
        py: Python<'py>,
        low: (f32, f32, f32),
        high: (f32, f32, f32),
    ) -> PyResult<(Bound<'py, PyArray3<f32>>, Bound<'py, PyArray1<u8>>)> {
        let asked = Aabb { min: low.into(), max: high.into() };
        let piece = py.detach(|| self.world.piece(&asked)).map_err(errors::value)?;
        triangles_out(py, &piece.mesh)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().spec.clone(),))
    }
}

fn triangles_out<'py>(
    py: Python<'py>,
    mesh: &wayfare::input::TriMesh,
) -> PyResult<(Bound<'py, PyArray3<f32>>, Bound<'py, PyArray1<u8>>)> {
    let count = mesh.tris().len();
    let flat = (0..count).flat_map(|i| mesh.corners(i)).flat_map(|corner| corner.to_array()).collect();
    let triangles = PyArray1::from_vec(py, flat).reshape([count, 3, 3])?;
    Ok((triangles, from_column(py, mesh.areas().iter().map(|area| area.get()).collect())))
}

/// The triangles of a level, scaled, turned about the y axis (degrees, from x towards z) and moved: shape (n, 3, 3), and area types. Heights
/// become triangles.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn _placed_triangles<'py>(
    py: Python<'py>,
    level: crate::level::PyLevel,
    at: [f64; 3],
    turn: f64,
    scale: f64,
) -> PyResult<(Bound<'py, PyArray3<f32>>, Bound<'py, PyArray1<u8>>, Vec<Bound<'py, PyAny>>)> {
    let placement = Placement::new(at, turn, scale).map_err(errors::value)?;
    let (flat, areas) = py.detach(|| {
        let mut triangles: Vec<([Vec3; 3], u8)> =
            (0..level.mesh.tris().len()).map(|i| (level.mesh.corners(i), level.mesh.areas()[i].get())).collect();
        if let Some(map) = &level.terrain {
            triangles.extend(map.all_triangles().map(|corners| (corners, map.area().get())));
        }
        let corner = |p: &Vec3| placement.point(*p).to_array();
        let flat: Vec<f32> = triangles.iter().flat_map(|(corners, _)| corners.iter().flat_map(corner)).collect();
        (flat, triangles.iter().map(|(_, area)| *area).collect::<Vec<u8>>())
    });
    let count = areas.len();
    let connections = level.connections.iter().map(|connection| {
        let moved = OffMeshConnection {
            start: placement.point(connection.start),
            end: placement.point(connection.end),
            radius: placement.length(connection.radius),
            ..*connection
        };
        connection_out(py, &moved)
    });
    let connections = connections.collect::<PyResult<Vec<_>>>()?;
    Ok((PyArray1::from_vec(py, flat).reshape([count, 3, 3])?, from_column(py, areas), connections))
}

fn bake_error(error: WorldBakeError) -> PyErr {
    match error {
        WorldBakeError::Bake(error) => bake_failed(error),
        WorldBakeError::Store(error) => errors::store(error),
        error => errors::bake(error),
    }
}

struct WorldIn {
    source: AskedSource,
    settings: WorldSettings,
}

#[allow(clippy::too_many_arguments)]
fn world_of(
    source: &Bound<'_, PyAny>,
    settings: BakeIn,
    tiles: Option<(u32, u32, u32, u32)>,
    area_names: &BTreeMap<i64, (String, f32)>,
    area_flags: &BTreeMap<i64, u16>,
) -> PyResult<WorldIn> {
    let bounds: (Point, Point) = source.getattr("bounds")?.extract()?;
    let connections = match source.getattr_opt("connections")? {
        Some(list) => list.extract::<Vec<ConnectionIn>>()?.iter().map(ConnectionIn::get).collect::<PyResult<_>>()?,
        None => Vec::new(),
    };
    let mut volumes = Vec::new();
    if let Some(list) = source.getattr_opt("volumes")? {
        for volume in list.try_iter()? {
            let (volume, paint, before): (Bound<'_, PyAny>, Option<i64>, bool) = volume?.extract()?;
            volumes.push(marked(&volume, paint, Some(before))?);
        }
    }
    let object = source.clone().unbind();
    let source = AskedSource { object, bounds: aabb(bounds)?, connections, volumes, failure: Failure::default() };
    let window = |(x0, z0, x1, z1): (u32, u32, u32, u32)| TileWindow {
        columns: x0..x1.saturating_add(1),
        rows: z0..z1.saturating_add(1),
    };
    let mut bake = settings.get()?;
    if bake.tile_size == 0 {
        // A store has tiles.
        bake.tile_size = WorldSettings::TILE_SIZE;
    }
    let settings = WorldSettings {
        bake,
        areas: area_table(area_names)?,
        flags: area_rules(area_flags)?,
        connections: Vec::new(),
        tiles: tiles.map(window),
    };
    Ok(WorldIn { source, settings })
}

/// How a world is cut: columns, rows, the head of its store, and where tiles lie.
#[pyfunction]
#[pyo3(signature = (source, settings, *, area_names = BTreeMap::new()))]
pub(crate) fn plan_world<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    settings: BakeIn,
    area_names: BTreeMap<i64, (String, f32)>,
) -> PyResult<Bound<'py, PyDict>> {
    let world = world_of(source, settings, None, &area_names, &BTreeMap::new())?;
    let bake = WorldBake::new(&world.source, &world.settings).map_err(bake_error)?;
    let (plan, dict) = (bake.plan(), PyDict::new(py));
    dict.set_item("columns", plan.columns)?;
    dict.set_item("rows", plan.rows)?;
    dict.set_item("head", PyBytes::new(py, bake.head().bytes()))?;
    let layout = plan.layout();
    dict.set_item("origin", tuple(layout.origin))?;
    dict.set_item("tile_width", layout.tile_width)?;
    dict.set_item("tile_depth", layout.tile_depth)?;
    // What a tile is asked for beyond its border.
    dict.set_item("border", (plan.settings.border_vx + 3) as f32 * plan.settings.cell_size)?;
    Ok(dict)
}

/// Bakes a world into a store. `source` has `bounds`, a low and a high corner; `piece(low, high)`, the triangles (n, 3, 3) that may touch a
/// box, and an area type for each; and, if it likes, `connections` and `volumes`. `store` is a path: `NAME.wayworld`, or a folder where it ends in a
/// slash. `tiles` are the first column and row and the last ones, if not all are baked. What is in the store is not baked again; after Ctrl-C
/// the same call goes on.
#[pyfunction]
#[pyo3(signature = (source, store, settings, *, tiles = None, area_names = BTreeMap::new(), area_flags = BTreeMap::new(), progress = None, cancel = None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn bake_world(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    store: PathBuf,
    settings: BakeIn,
    tiles: Option<(u32, u32, u32, u32)>,
    area_names: BTreeMap<i64, (String, f32)>,
    area_flags: BTreeMap<i64, u16>,
    progress: Option<Py<PyAny>>,
    cancel: Option<PyCancel>,
) -> PyResult<PyBakeReport> {
    let world = world_of(source, settings, tiles, &area_names, &area_flags)?;
    let callbacks = Callbacks { progress, cancel: cancel.map(|c| c.0), ..Callbacks::default() };
    let baked = run(py, &callbacks, |context| {
        let mut bake = WorldBake::new(&world.source, &world.settings)?;
        let mut store = wayfare_store::open_to_write(&store, bake.head())?;
        while !bake.step(Budget::unlimited(), &mut store, context)?.is_finished() {}
        store.finish()?;
        Ok(bake.report().clone())
    });
    world.source.failure.raise()?;
    baked?.map(PyBakeReport).map_err(bake_error)
}

/// Bakes a range of a world's tiles into `store`, which has `read(name, start, stop)`, `write(name, data)` and `remove(name)`. `known` is the
/// index of what is there. Returns the index of the range, and the report.
#[pyfunction]
#[pyo3(signature = (source, store, settings, tiles, known = None, *, area_names = BTreeMap::new(), area_flags = BTreeMap::new()))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn _bake_range<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    store: Py<PyAny>,
    settings: BakeIn,
    tiles: (u32, u32, u32, u32),
    known: Option<Vec<u8>>,
    area_names: BTreeMap<i64, (String, f32)>,
    area_flags: BTreeMap<i64, u16>,
) -> PyResult<(Bound<'py, PyBytes>, PyBakeReport)> {
    let world = world_of(source, settings, Some(tiles), &area_names, &area_flags)?;
    let known = known.map(|data| IndexBlock::read(&data)).transpose().map_err(errors::format)?;
    let head = WorldBake::new(&world.source, &world.settings).map_err(bake_error)?.head().clone();
    let index: StoreIndex = known.unwrap_or_default().entries.into_iter().collect();
    let mut kept = AskedStore::new(store, head, index);
    let baked = run(py, &Callbacks::default(), |context| {
        let mut bake = WorldBake::new(&world.source, &world.settings)?;
        while !bake.step(Budget::unlimited(), &mut kept, context)?.is_finished() {}
        Ok(bake.report().clone())
    });
    world.source.failure.raise()?;
    let report = kept.finish(baked.map(|baked| baked.map_err(bake_error)))?;
    let block = IndexBlock { before: None, entries: kept.index.iter().copied().collect() };
    Ok((PyBytes::new(py, &block.to_bytes()), PyBakeReport(report)))
}

/// The head of a finished store with the levels above its tiles, as a bake on one machine leaves it; those of the head that the store had
/// `before` are kept if they are of these tiles. `store` has `read(name, start, stop)`.
#[pyfunction]
#[pyo3(signature = (store, head, index, before = None))]
pub(crate) fn _head_with_levels<'py>(
    py: Python<'py>,
    store: Py<PyAny>,
    head: &[u8],
    index: &[u8],
    before: Option<Vec<u8>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let head = StoreHead::read(head).map_err(errors::format)?;
    let before = before.map(|data| StoreHead::read(&data)).transpose().map_err(errors::format)?;
    let head = before.filter(|before| before.is_same_world(&head)).unwrap_or(head);
    let index = IndexBlock::read(index).map_err(errors::format)?.entries.into_iter().collect();
    let mut kept = AskedStore::new(store, head, index);
    let written = run(py, &Callbacks::default(), |_| write_default_levels(&mut kept));
    // Levels that lack a tile would count as whole, and long paths across it would be "none" for good.
    kept.unread.raise()?;
    kept.finish(written.map(|written| written.map_err(errors::store)))?;
    Ok(PyBytes::new(py, kept.head.bytes()))
}
