//! Paths over tiles first, and worlds of which only some tiles are in memory.

use crate::arrays::Point;
use crate::errors;
use crate::filter::{AnyFilter, PyFilter, or_default};
use crate::held::{Own, Seen, own};
use crate::mesh::PyNavMesh;
use crate::path::{PyPath, PyPlace};
use crate::query::{At, PyQuery, nothing};
use crate::whole::whole;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{PyTraverseError, PyVisit};
use std::collections::BTreeMap;
use std::path::PathBuf;
use wayfare::area::PolyFlags;
use wayfare::hierarchy::{
    AbstractGraph, HierarchicalPath, HierarchyScratch, InMemory, NextCorridor, NotLoaded, Refinement, ResidentBudget,
    ResidentWorld, StoredTiles, TileAccess, find_hierarchical_path,
};
use wayfare::query::{DEFAULT_REACH, PathRequest, PolyPath, PolyPoint, QueryPoint, SearchScratch, string_pull};
use wayfare_store::Store;

fn refinement(tiles: Option<u32>) -> Refinement {
    tiles.map_or_else(Refinement::default, Refinement::Workspace)
}

/// The abstract graph of a mesh: for paths across large meshes, searched over tiles first and then over a few polygons at a time.
#[pyclass(module = "wayfare", name = "AbstractGraph")]
pub(crate) struct PyAbstractGraph {
    query: Py<PyQuery>,
    graph: AbstractGraph,
    scratch: HierarchyScratch,
}

#[pymethods]
impl PyAbstractGraph {
    #[new]
    fn new(py: Python<'_>, query: Py<PyQuery>) -> PyResult<Self> {
        let mesh = own(query.bind(py))?.fresh(py)?.mesh().clone();
        let graph = py.detach(|| AbstractGraph::new(&mesh));
        Ok(Self { query, graph, scratch: HierarchyScratch::new() })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.query)
    }

    /// Counts: tiles, areas, nodes, edges, bytes.
    #[getter]
    fn size(slf: Seen<'_, Self>) -> BTreeMap<&'static str, u64> {
        let size = slf.graph.size();
        [
            ("tiles", size.tiles),
            ("areas", size.areas),
            ("nodes", size.nodes),
            ("edges", size.edges),
            ("bytes", size.bytes),
        ]
        .into()
    }

    /// The path between two places; `tiles` is how many are refined at a time.
    #[pyo3(signature = (start, goal, tiles = None))]
    fn find_path(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        start: At,
        goal: At,
        #[pyo3(from_py_with = whole)] tiles: Option<u32>,
    ) -> PyResult<PyPath> {
        let slf = &mut *slf;
        let mut query = own(slf.query.bind(py))?;
        let Some(request) = query.request(py, start, goal)? else { return Ok(nothing()) };
        let session = query.fresh(py)?;
        slf.graph.update(session.mesh());
        let mut world = InMemory::new(session.mesh(), &slf.graph);
        let found = find_hierarchical_path(&mut world, &request, refinement(tiles), session.filter(), &mut slf.scratch);
        session.filter().raise()?;
        Ok(pulled(found.map_err(errors::stale)?.path))
    }

    /// The path piece by piece, each to be walked at once. Where a limit of the query ends it, the last piece is partial and has that `limit`.
    #[pyo3(signature = (start, goal, tiles = None))]
    fn pieces(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        start: At,
        goal: At,
        #[pyo3(from_py_with = whole)] tiles: Option<u32>,
    ) -> PyResult<Vec<PyPath>> {
        let slf = &mut *slf;
        let mut query = own(slf.query.bind(py))?;
        let Some(request) = query.request(py, start, goal)? else { return Ok(Vec::new()) };
        let session = query.fresh(py)?;
        slf.graph.update(session.mesh());
        let mut path = HierarchicalPath::new(&request, refinement(tiles));
        let mut pieces = Vec::new();
        let mut world = InMemory::new(session.mesh(), &slf.graph);
        loop {
            let mut piece = PolyPath::default();
            let next = path.next_corridor(&mut world, session.filter(), &mut slf.scratch, &mut piece);
            session.filter().raise()?;
            match next.map_err(errors::stale)? {
                NextCorridor::More => pieces.push(pulled(piece)),
                NextCorridor::Last => {
                    pieces.push(pulled(piece));
                    return Ok(pieces);
                }
                NextCorridor::None | NextCorridor::Done => {
                    if path.limit().is_some() {
                        pieces.push(pulled(piece));
                    }
                    return Ok(pieces);
                }
            }
        }
    }
}

fn pulled(path: PolyPath) -> PyPath {
    let straight = string_pull(&path, &mut SearchScratch::new());
    PyPath { path, straight }
}

/// A world in a tile store of which some tiles are in memory: searches load what they need, and what was not used for longest goes.
#[pyclass(module = "wayfare", name = "ResidentWorld")]
pub(crate) struct PyResidentWorld {
    world: ResidentWorld<StoredTiles<Store>>,
    filter: AnyFilter,
    scratch: HierarchyScratch,
}

impl PyResidentWorld {
    fn place(&mut self, at: At) -> PyResult<Option<PolyPoint>> {
        let place = match at.0 {
            QueryPoint::On(place) => Some(place),
            QueryPoint::Anywhere(point) => self.world.nearest(point, DEFAULT_REACH, &self.filter),
        };
        self.filter.raise()?;
        Ok(place)
    }

    fn slots(&self, tiles: &[(i32, i32)]) -> PyResult<Vec<u32>> {
        let slot = |&(x, z): &(i32, i32)| {
            let found = self.world.slot_at(wayfare::tile::TileCoord { x, z, layer: 0 });
            found.ok_or_else(|| errors::stale(format_args!("there is no tile at column {x}, row {z}")))
        };
        tiles.iter().map(slot).collect()
    }
}

#[pymethods]
impl PyResidentWorld {
    /// Opens a store, with room for so many tiles, bytes of their data, and parts of the abstract graph (a kilobyte or two each).
    #[new]
    #[pyo3(signature = (path, *, tiles = None, memory = None, parts = None, filter = None))]
    fn new(
        path: PathBuf,
        #[pyo3(from_py_with = whole)] tiles: Option<usize>,
        #[pyo3(from_py_with = whole)] memory: Option<usize>,
        #[pyo3(from_py_with = whole)] parts: Option<usize>,
        filter: Option<PyRef<'_, PyFilter>>,
    ) -> PyResult<Self> {
        let store = wayfare_store::open(&path).map_err(errors::store)?;
        let usual = ResidentBudget::default();
        let budget = ResidentBudget {
            tiles: tiles.unwrap_or(usual.tiles),
            bytes: memory.unwrap_or(usual.bytes),
            parts: parts.unwrap_or(usual.parts),
        };
        let world = ResidentWorld::new(StoredTiles::new(store), budget);
        let filter = or_default(filter.as_deref(), world.mesh());
        Ok(Self { world, filter, scratch: HierarchyScratch::new() })
    }

    /// The nearest place on the mesh; its tile is loaded.
    fn nearest(mut slf: Own<'_, Self>, point: Point) -> PyResult<Option<PyPlace>> {
        let place = slf.place(At(QueryPoint::Anywhere(point.0)))?;
        Ok(place.map(PyPlace::at))
    }

    /// The path between two places; tiles are loaded as they are needed.
    #[pyo3(signature = (start, goal, tiles = None))]
    fn find_path(
        mut slf: Own<'_, Self>,
        start: At,
        goal: At,
        #[pyo3(from_py_with = whole)] tiles: Option<u32>,
    ) -> PyResult<PyPath> {
        let (Some(start), Some(goal)) = (slf.place(start)?, slf.place(goal)?) else { return Ok(nothing()) };
        let Self { world, filter, scratch } = &mut *slf;
        let found = find_hierarchical_path(world, &PathRequest::new(start, goal), refinement(tiles), filter, scratch);
        filter.raise()?;
        Ok(pulled(found.map_err(errors::stale)?.path))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.filter.traverse(&visit)
    }

    fn __clear__(&mut self) {
        self.filter.clear();
    }

    /// Loads the tiles around a point; returns how many were loaded.
    fn prefetch(mut slf: Own<'_, Self>, center: Point, radius: f32) -> u32 {
        let slots = slf.world.tiles_around(center.0, radius);
        slf.world.prefetch(slots)
    }

    /// Keeps tiles, by column and row, in memory.
    fn pin(mut slf: Own<'_, Self>, tiles: Vec<(i32, i32)>) -> PyResult<()> {
        let slots = slf.slots(&tiles)?;
        slots.into_iter().try_for_each(|slot| slf.world.pin(slot)).map_err(errors::value)
    }

    /// Lets them go again.
    fn unpin(mut slf: Own<'_, Self>, tiles: Vec<(i32, i32)>) -> PyResult<()> {
        slf.slots(&tiles)?.into_iter().for_each(|slot| slf.world.unpin(slot));
        Ok(())
    }

    /// Sets the flags of a polygon, whose tile must be in memory, or of an off-mesh connection. They are kept while the tile is not in memory.
    fn set_flags(mut slf: Own<'_, Self>, poly: u64, #[pyo3(from_py_with = whole)] flags: u16) -> PyResult<()> {
        let poly = crate::mesh::poly(poly)?;
        slf.world.set_flags(poly, PolyFlags(flags)).map_err(errors::stale)
    }

    /// What has changed: flags and area types of all tiles, in memory or not, and of off-mesh connections; how often tiles were refreshed; and
    /// which tiles are in memory. Without the tiles themselves.
    fn store_changes<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &slf.world.store_changes())
    }

    /// Restores what `store_changes` gave for a world with the same tiles. All that it does not name is as the store gives it. The tiles that
    /// were in memory are read again, as many as there is room for; none is pinned then. Where it fails, the world is as it was.
    fn restore_changes(mut slf: Own<'_, Self>, data: &[u8]) -> PyResult<()> {
        slf.world.restore_changes(data).map_err(errors::format)
    }

    /// How many tiles the world has.
    #[getter]
    fn tile_count(slf: Seen<'_, Self>) -> usize {
        slf.world.tile_count()
    }

    /// How many of them are in memory.
    #[getter]
    fn resident_count(slf: Seen<'_, Self>) -> usize {
        slf.world.resident_slots().count()
    }

    /// Counts: tiles loaded and let go, and the most tiles and bytes at once.
    #[getter]
    fn stats(slf: Seen<'_, Self>) -> BTreeMap<&'static str, u64> {
        let stats = slf.world.stats();
        let (tiles, bytes) = (stats.most_tiles as u64, stats.most_bytes as u64);
        [("loaded", stats.loaded), ("evicted", stats.evicted), ("most_tiles", tiles), ("most_bytes", bytes)].into()
    }

    /// Tiles that could not be loaded since the last call, in sentences.
    fn take_events(mut slf: Own<'_, Self>) -> Vec<String> {
        slf.world.take_events().iter().map(NotLoaded::to_string).collect()
    }

    /// The mesh of the tiles that are in memory now.
    fn mesh(slf: Seen<'_, Self>) -> PyNavMesh {
        PyNavMesh::of_mesh(slf.world.mesh().clone())
    }
}
