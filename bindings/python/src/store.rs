//! Tile stores in files and folders.

use crate::errors;
use crate::mesh::PyNavMesh;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::collections::BTreeMap;
use std::path::PathBuf;
use wayfare::format::{IndexBlock, StoreEntry, StoreHead, StoreIndex, WorldDifference, WorldStore, load_store};
use wayfare::tile::TileCoord;
use wayfare_store::Store;

/// A tile store: a mesh that lies in a file or a folder, tile by tile.
#[pyclass(module = "wayfare", name = "Store")]
pub(crate) struct PyStore {
    store: Store,
}

#[pymethods]
impl PyStore {
    /// Opens a store to read it.
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        Ok(Self { store: wayfare_store::open(&path).map_err(errors::store)? })
    }

    /// Whether there is a store at a path.
    #[staticmethod]
    fn exists(path: PathBuf) -> bool {
        wayfare_store::is_store(&path)
    }

    /// A text that names the content: equal for equal tiles, in whichever form they lie.
    #[getter]
    fn digest(&self) -> String {
        self.store.index().digest()
    }

    /// How many tiles have surface.
    #[getter]
    fn tile_count(&self) -> usize {
        self.store.index().tile_count()
    }

    /// Columns and rows of all tiles, those without surface included.
    #[getter]
    fn tiles(&self) -> Vec<(i32, i32)> {
        self.store.index().iter().map(|entry| (entry.coord.x, entry.coord.z)).collect()
    }

    /// Column, row, bytes and digest of a tile.
    fn tile_info<'py>(&self, py: Python<'py>, x: i32, z: i32) -> PyResult<Bound<'py, PyDict>> {
        let entry = self.store.index().get(TileCoord { x, z, layer: 0 });
        let entry = entry.ok_or_else(|| errors::stale(format_args!("there is no tile at column {x}, row {z}")))?;
        let dict = PyDict::new(py);
        dict.set_item("x", entry.coord.x)?;
        dict.set_item("z", entry.coord.z)?;
        dict.set_item("length", entry.length)?;
        dict.set_item("digest", format!("{:016x}", entry.digest))?;
        dict.set_item("has_surface", entry.has_tile())?;
        Ok(dict)
    }

    /// A tile as bytes, for `NavMesh.add_tile`; None if nothing can be walked on there.
    fn tile_bytes<'py>(&self, py: Python<'py>, x: i32, z: i32) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let stored = self.store.read_tile(TileCoord { x, z, layer: 0 }).map_err(errors::store)?;
        Ok(stored.tile.map(|tile| PyBytes::new(py, &tile.data().block())))
    }

    /// The mesh of all tiles; those that are broken are left out.
    fn load(&self, py: Python<'_>) -> PyResult<PyNavMesh> {
        let (file, _) = py.detach(|| load_store(&self.store)).map_err(errors::store)?;
        Ok(PyNavMesh::of(file))
    }

    /// What is wrong with its tiles, in sentences.
    fn check(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| wayfare_store::check(&self.store)).iter().map(ToString::to_string).collect()
    }

    fn __len__(&self) -> usize {
        self.store.index().len()
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.Store: {} tiles>", self.store.index().len())
    }
}

/// Puts the parts of a world together in one store.
#[pyfunction]
pub(crate) fn join_stores(py: Python<'_>, parts: Vec<PathBuf>, target: PathBuf) -> PyResult<()> {
    py.detach(|| wayfare_store::join(&parts, &target)).map_err(errors::store)
}

/// Takes out of a store what is no longer used.
#[pyfunction]
pub(crate) fn compact_store(py: Python<'_>, path: PathBuf) -> PyResult<()> {
    py.detach(|| wayfare_store::compact(&path)).map_err(errors::store)
}

/// Makes a damaged index anew: how many tiles are whole, and how many are broken.
#[pyfunction]
pub(crate) fn repair_store(py: Python<'_>, path: PathBuf) -> PyResult<(usize, usize)> {
    let found = py.detach(|| wayfare_store::repair(&path)).map_err(errors::store)?;
    Ok((found.tiles, found.broken))
}

/// Several indices of one world as one.
#[pyfunction]
pub(crate) fn _merge_indices<'py>(
    py: Python<'py>,
    parts: Vec<Vec<u8>>,
) -> PyResult<(Bound<'py, PyBytes>, String, usize)> {
    let mut all = StoreIndex::new();
    for part in parts {
        for entry in IndexBlock::read(&part).map_err(errors::format)?.entries {
            all.set(entry);
        }
    }
    let (digest, count) = (all.digest(), all.len());
    let block = IndexBlock { before: None, entries: all.iter().copied().collect() };
    Ok((PyBytes::new(py, &block.to_bytes()), digest, count))
}

/// Columns and rows of the entries of an index.
#[pyfunction]
pub(crate) fn _index_tiles(data: &[u8]) -> PyResult<Vec<(i32, i32)>> {
    let block = IndexBlock::read(data).map_err(errors::format)?;
    Ok(block.entries.iter().map(|entry| (entry.coord.x, entry.coord.z)).collect())
}

/// Whether any tile of an index has surface.
#[pyfunction]
pub(crate) fn _index_has_surface(data: &[u8]) -> PyResult<bool> {
    Ok(IndexBlock::read(data).map_err(errors::format)?.entries.iter().any(StoreEntry::has_tile))
}

/// An index in parts, each of the tiles of a block: `side` columns and rows. Keys are the block's column and row.
#[pyfunction]
pub(crate) fn _index_parts<'py>(
    py: Python<'py>,
    data: &[u8],
    side: i32,
) -> PyResult<BTreeMap<(i32, i32), Bound<'py, PyBytes>>> {
    if side < 1 {
        return Err(errors::value(format_args!("side is {side}, but must be 1 or more")));
    }
    let mut parts: BTreeMap<(i32, i32), Vec<StoreEntry>> = BTreeMap::new();
    for entry in IndexBlock::read(data).map_err(errors::format)?.entries {
        parts.entry((entry.coord.x.div_euclid(side), entry.coord.z.div_euclid(side))).or_default().push(entry);
    }
    let bytes = |entries| PyBytes::new(py, &IndexBlock { before: None, entries }.to_bytes());
    Ok(parts.into_iter().map(|(block, entries)| (block, bytes(entries))).collect())
}

/// What tells the worlds of two heads apart, in one word and a sentence: "layout", if their tiles lie elsewhere; "agent", if they are baked for
/// another; "rest" for connections and area types. None if nothing does.
#[pyfunction]
pub(crate) fn _head_difference(before: &[u8], after: &[u8]) -> PyResult<Option<(&'static str, String)>> {
    let [before, after] = [before, after].map(|data| StoreHead::read(data).map_err(errors::format));
    let word = |what: &WorldDifference| match what {
        WorldDifference::TileSize { .. } | WorldDifference::Origin { .. } => "layout",
        WorldDifference::BakedFor { .. } => "agent",
        _ => "rest",
    };
    Ok(before?.difference(&after?).map(|what| (word(&what), what.to_string())))
}
