//! The navigation mesh: its tiles, polygons and connections, its bytes, and what is kept beside it.

use crate::arrays::{Corners, corners, from_column, from_points, from_rows, tuple};
use crate::bake::PyBakeReport;
use crate::errors::{self, OutdatedError, WorldStoreError};
use crate::held::{Own, Seen, own, seen};
use crate::settings::{ConnectionIn, area, area_rules, area_table, connection_out};
use crate::whole::whole;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use pyo3::{PyTraverseError, PyVisit};
use std::collections::BTreeMap;
use std::path::PathBuf;
use wayfare::area::{AREA_COUNT, AreaId, AreaRules, PolyFlags};
use wayfare::bake::BakeReport;
use wayfare::format::{RefBits, WayFile, is_detour_file};
use wayfare::mesh::{ChangeSet, MeshVersion, NavMesh, Outdated, PolyRef, TileRef};
use wayfare::tile::{TileCoord, TileData};

/// A navigation mesh: convex polygons in tiles, linked.
///
/// Polygons and tiles are named by whole numbers, references, which stay valid while their tile stays; a reference to what is gone raises
/// StaleReferenceError. Copies are cheap: they share tiles. Questions are asked of the mesh itself, or of a session: see `query`.
#[pyclass(module = "wayfare", name = "NavMesh")]
pub(crate) struct PyNavMesh {
    pub(crate) file: WayFile,
    pub(crate) report: Option<BakeReport>,
    /// What its bake gave area types: tiles that are baked anew get it, too.
    pub(crate) area_flags: AreaRules,
    pub(crate) session: Option<Box<crate::query::DefaultSession>>,
}

/// Connections by reference.
type ConnectionsOut<'py> = Bound<'py, PyDict>;

/// A polygon's reference.
pub(crate) fn poly(bits: u64) -> PyResult<PolyRef> {
    PolyRef::from_bits(bits)
        .ok_or_else(|| errors::stale(format_args!("{bits} is no reference of a polygon: 0 means none")))
}

pub(crate) fn tile_ref(bits: u64) -> PyResult<TileRef> {
    TileRef::from_bits(bits).ok_or_else(|| errors::stale(format_args!("{bits} is no reference of a tile")))
}

/// Bytes of a mesh, of a game or of a tool.
fn read(data: &[u8]) -> PyResult<PyNavMesh> {
    let file = wayfare_io::read_mesh_file(data).map_err(errors::format)?;
    Ok(PyNavMesh::of(file))
}

impl PyNavMesh {
    pub(crate) fn of(file: WayFile) -> Self {
        Self { file, report: None, area_flags: AreaRules::NONE, session: None }
    }

    pub(crate) fn of_mesh(mesh: NavMesh) -> Self {
        Self::of(WayFile::from(mesh))
    }

    pub(crate) fn mesh(&self) -> &NavMesh {
        &self.file.mesh
    }

    /// How many polygons it has.
    fn polygons(&self) -> u64 {
        self.mesh().tiles().map(|tile| u64::from(tile.poly_count())).sum()
    }
}

#[pymethods]
impl PyNavMesh {
    /// Loads a mesh from a file: `.way`, Detour's sets, Polyanya's `.mesh`, MovingAI's `.map`, or a tile store, of which all tiles are read.
    /// A store with a tile that is missing or broken raises WorldStoreError; with `allow_broken`, such tiles are left out.
    #[staticmethod]
    #[pyo3(signature = (path, *, allow_broken = false))]
    fn load(py: Python<'_>, path: PathBuf, allow_broken: bool) -> PyResult<Self> {
        py.detach(|| {
            if wayfare_store::is_store(&path) {
                let store = wayfare_store::open(&path).map_err(errors::store)?;
                let (file, broken) = wayfare::format::load_store(&store).map_err(errors::store)?;
                return match broken.first() {
                    Some(first) if !allow_broken => Err(WorldStoreError::new_err(format!(
                        "{}: {} of its tiles cannot be read; the first: {first}. Bake it again, or load what there is with \
                         allow_broken=True",
                        path.display(),
                        broken.len()
                    ))),
                    _ => Ok(Self::of(file)),
                };
            }
            let data = std::fs::read(&path).map_err(|e| errors::file(&path, &e))?;
            read(&data)
                .map_err(|e| Python::attach(|py| errors::format(format_args!("{}: {}", path.display(), e.value(py)))))
        })
    }

    /// Reads a mesh from bytes of any of these files.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        py.detach(|| read(data))
    }

    /// Saves the mesh, with what is kept beside it: a `.way` file, or Detour's set if the name ends in `.bin`, or triangles if it ends in
    /// `.obj` or `.glb`. The file is written whole or not at all.
    fn save(slf: Seen<'_, Self>, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let data = match ending.as_str() {
            "bin" => slf.mesh().to_detour(RefBits::Bits64).map_err(errors::value)?,
            "obj" => wayfare_io::mesh_to_obj(slf.mesh()),
            "glb" => wayfare_io::mesh_to_glb(slf.mesh()).map_err(errors::value)?,
            _ => slf.file.to_bytes(),
        };
        py.detach(|| {
            let mut part = path.clone().into_os_string();
            part.push(format!(".{}.part", std::process::id()));
            let part = PathBuf::from(part);
            let written = std::fs::write(&part, &data).and_then(|()| std::fs::rename(&part, &path));
            written.map_err(|e| {
                let _ = std::fs::remove_file(&part);
                errors::file(&path, &e)
            })
        })
    }

    /// The bytes of a `.way` file.
    fn to_bytes<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &slf.file.to_bytes())
    }

    /// The bytes of Detour's set of tiles, with references of 32 or 64 bits.
    #[pyo3(signature = (bits = 64))]
    fn to_detour<'py>(slf: Seen<'_, Self>, py: Python<'py>, bits: u32) -> PyResult<Bound<'py, PyBytes>> {
        let bits = match bits {
            32 => RefBits::Bits32,
            64 => RefBits::Bits64,
            other => return Err(errors::value(format_args!("bits is {other}, but must be 32 or 64"))),
        };
        Ok(PyBytes::new(py, &slf.mesh().to_detour(bits).map_err(errors::value)?))
    }

    /// Whether these are bytes of Detour's set of tiles.
    #[staticmethod]
    fn is_detour(data: &[u8]) -> bool {
        is_detour_file(data)
    }

    /// A text that names the content of the mesh: equal for equal bytes.
    #[getter]
    fn digest(slf: Seen<'_, Self>) -> String {
        slf.mesh().digest()
    }

    /// What the bake said of itself; None for a mesh that was loaded.
    #[getter]
    fn report(slf: Seen<'_, Self>) -> Option<PyBakeReport> {
        slf.report.clone().map(PyBakeReport)
    }

    /// The box around all polygons.
    #[getter]
    fn bounds(slf: Seen<'_, Self>) -> Option<Corners> {
        corners(&slf.mesh().bounds())
    }

    /// How many tiles it has.
    #[getter]
    fn tile_count(slf: Seen<'_, Self>) -> u32 {
        slf.mesh().tile_count()
    }

    /// How many polygons it has.
    #[getter]
    fn poly_count(slf: Seen<'_, Self>) -> u64 {
        slf.polygons()
    }

    /// Bytes of its tiles and of their search indices.
    #[getter]
    fn memory(slf: Seen<'_, Self>) -> (usize, usize) {
        let bytes = slf.mesh().bytes();
        (bytes.data, bytes.index)
    }

    /// A number of yours that is saved with it.
    #[getter]
    fn user_id(slf: Seen<'_, Self>) -> u64 {
        slf.mesh().user_id()
    }

    #[setter]
    fn set_user_id(mut slf: Own<'_, Self>, id: u64) {
        slf.file.mesh.set_user_id(id);
    }

    /// All tiles: their references.
    #[getter]
    fn tiles<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        from_column(py, slf.mesh().tiles().map(|tile| tile.tile_ref().to_bits()).collect())
    }

    /// The tile in a column and row, if there is one.
    #[pyo3(signature = (x, z, layer = 0))]
    fn tile_at(slf: Seen<'_, Self>, x: i32, z: i32, layer: u32) -> Option<u64> {
        slf.mesh().tile_at(TileCoord { x, z, layer }).map(|tile| tile.tile_ref().to_bits())
    }

    /// Column, row, layer, count of polygons, and box of a tile.
    fn tile_info<'py>(slf: Seen<'_, Self>, py: Python<'py>, tile: u64) -> PyResult<Bound<'py, PyDict>> {
        let tile = slf.mesh().tile(tile_ref(tile)?).map_err(errors::stale)?;
        let (dict, coord) = (PyDict::new(py), tile.coord());
        dict.set_item("x", coord.x)?;
        dict.set_item("z", coord.z)?;
        dict.set_item("layer", coord.layer)?;
        dict.set_item("polys", tile.poly_count())?;
        dict.set_item("bounds", corners(&tile.bounds()))?;
        dict.set_item("user_id", tile.data().user_id())?;
        let baked = tile.data().baked_for();
        dict.set_item("agent_radius", baked.radius)?;
        dict.set_item("agent_height", baked.height)?;
        dict.set_item("agent_climb", baked.climb)?;
        Ok(dict)
    }

    /// A tile as bytes, for another mesh of the same layout.
    fn tile_bytes<'py>(slf: Seen<'_, Self>, py: Python<'py>, tile: u64) -> PyResult<Bound<'py, PyBytes>> {
        let tile = slf.mesh().tile(tile_ref(tile)?).map_err(errors::stale)?;
        Ok(PyBytes::new(py, &tile.data().block()))
    }

    /// Adds a tile of these bytes; one that stands at its place is replaced. Returns its reference.
    fn add_tile(mut slf: Own<'_, Self>, data: &[u8]) -> PyResult<u64> {
        let tile = TileData::from_block(data).map_err(errors::format)?;
        let nav = &mut slf.file.mesh;
        let old = nav.tile_at(tile.coord()).map(|tile| tile.tile_ref());
        let added = match old {
            Some(old) => nav.replace_tile(old, tile).map(|(new, _)| new),
            None => nav.add_tile(tile),
        };
        Ok(added.map_err(errors::value)?.to_bits())
    }

    /// Removes a tile; references into it are stale from then on.
    fn remove_tile(mut slf: Own<'_, Self>, tile: u64) -> PyResult<()> {
        slf.file.mesh.remove_tile(tile_ref(tile)?).map(drop).map_err(errors::stale)
    }

    /// An empty mesh with the same layout of tiles.
    fn empty_like(slf: Seen<'_, Self>) -> Self {
        Self::of_mesh(NavMesh::new(slf.mesh().layout()))
    }

    /// All polygons: their references.
    #[getter]
    fn polys<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        let of = |tile: &wayfare::mesh::Tile| {
            (0..tile.poly_count()).map(|i| tile.reference(i).to_bits()).collect::<Vec<_>>()
        };
        from_column(py, slf.mesh().tiles().flat_map(of).collect())
    }

    /// The corners of a polygon, shape (n, 3).
    fn poly_points<'py>(slf: Seen<'_, Self>, py: Python<'py>, poly: u64) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let view = slf.mesh().poly(self::poly(poly)?).map_err(errors::stale)?;
        from_points(py, view.points().collect())
    }

    /// The area type and flags of a polygon or connection.
    fn poly_state(slf: Seen<'_, Self>, poly: u64) -> PyResult<(u8, u16)> {
        let state = slf.mesh().state(self::poly(poly)?).map_err(errors::stale)?;
        Ok((state.area.get(), state.flags.0))
    }

    /// The polygons that a polygon leads to.
    fn poly_neighbours<'py>(slf: Seen<'_, Self>, py: Python<'py>, poly: u64) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let view = slf.mesh().poly(self::poly(poly)?).map_err(errors::stale)?;
        Ok(from_column(py, view.portals().map(|portal| portal.to.to_bits()).collect()))
    }

    /// The tile of a polygon.
    fn poly_tile(slf: Seen<'_, Self>, poly: u64) -> PyResult<u64> {
        Ok(slf.mesh().poly(self::poly(poly)?).map_err(errors::stale)?.tile().tile_ref().to_bits())
    }

    /// Whether a reference is of a polygon or connection that is there.
    fn is_valid(slf: Seen<'_, Self>, poly: u64) -> bool {
        PolyRef::from_bits(poly).is_some_and(|reference| slf.mesh().is_valid(reference))
    }

    /// Sets the flags of a polygon or connection.
    fn set_flags(mut slf: Own<'_, Self>, poly: u64, #[pyo3(from_py_with = whole)] flags: u16) -> PyResult<()> {
        slf.file.mesh.set_flags(self::poly(poly)?, PolyFlags(flags)).map_err(errors::stale)
    }

    /// Sets the area type of a polygon or connection.
    fn set_area(mut slf: Own<'_, Self>, poly: u64, area: i64) -> PyResult<()> {
        slf.file.mesh.set_area(self::poly(poly)?, self::area(area)?).map_err(errors::stale)
    }

    /// Sets the flags of all polygons of an area type, those of tiles to come included.
    fn set_area_flags(mut slf: Own<'_, Self>, area: i64, #[pyo3(from_py_with = whole)] flags: u16) -> PyResult<()> {
        slf.file.mesh.set_area_flags(self::area(area)?, PolyFlags(flags));
        Ok(())
    }

    /// Takes such a rule back.
    fn clear_area_flags(mut slf: Own<'_, Self>, area: i64) -> PyResult<()> {
        slf.file.mesh.clear_area_flags(self::area(area)?);
        Ok(())
    }

    /// Names and costs of area types.
    #[getter]
    fn area_names(slf: Seen<'_, Self>) -> BTreeMap<u8, (String, f32)> {
        slf.mesh().areas().iter().map(|info| (info.area.get(), (info.name.clone(), info.cost))).collect()
    }

    #[setter]
    fn set_area_names(mut slf: Own<'_, Self>, names: BTreeMap<i64, (String, f32)>) -> PyResult<()> {
        slf.file.mesh.set_areas(area_table(&names)?);
        Ok(())
    }

    /// The whole surface as triangles, with its heights: vertices (n, 3), triangles (m, 3), and the polygon of each triangle.
    #[allow(clippy::type_complexity)]
    fn surface<'py>(
        slf: Seen<'_, Self>,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<u32>>, Bound<'py, PyArray1<u64>>)> {
        let (mut points, mut polys) = (Vec::new(), Vec::new());
        for tile in slf.mesh().tiles() {
            for poly in 0..tile.poly_count() {
                for (triangle, _) in tile.data().triangles_of(poly) {
                    points.extend(triangle);
                    polys.push(tile.reference(poly).to_bits());
                }
            }
        }
        let triangles: Vec<[u32; 3]> = (0..polys.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Ok((from_points(py, points)?, from_rows(py, triangles)?, from_column(py, polys)))
    }

    /// Adds an off-mesh connection; returns its reference.
    fn add_connection(mut slf: Own<'_, Self>, connection: ConnectionIn) -> PyResult<u64> {
        let added = slf.file.mesh.add_connection(connection.get()?);
        Ok(added.map_err(errors::value)?.to_bits())
    }

    /// Removes an off-mesh connection.
    fn remove_connection(mut slf: Own<'_, Self>, connection: u64) -> PyResult<()> {
        slf.file.mesh.remove_connection(poly(connection)?).map(drop).map_err(errors::stale)
    }

    /// All off-mesh connections, by reference.
    #[getter]
    fn connections<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> PyResult<ConnectionsOut<'py>> {
        let dict = PyDict::new(py);
        for connection in slf.mesh().connections() {
            dict.set_item(connection.reference().to_bits(), connection_out(py, connection.definition())?)?;
        }
        Ok(dict)
    }

    /// What is wrong with the mesh: a sentence, the polygon and the place of each fault. A sound mesh has none.
    fn check(slf: Seen<'_, Self>, py: Python<'_>) -> Vec<(String, u64, (f32, f32, f32))> {
        let mesh = slf.mesh().clone();
        let faults = py.detach(|| mesh.check());
        faults.iter().map(|fault| (fault.to_string(), fault.poly.to_bits(), tuple(fault.position))).collect()
    }

    /// The area types and flags of a tile's polygons, as bytes.
    fn store_tile_state<'py>(slf: Seen<'_, Self>, py: Python<'py>, tile: u64) -> PyResult<Bound<'py, PyBytes>> {
        let state = slf.mesh().store_tile_state(tile_ref(tile)?).map_err(errors::stale)?;
        Ok(PyBytes::new(py, &state))
    }

    /// Sets them from such bytes. A restore that fails changes nothing.
    fn restore_tile_state(mut slf: Own<'_, Self>, tile: u64, data: &[u8]) -> PyResult<()> {
        slf.file.mesh.restore_tile_state(tile_ref(tile)?, data).map_err(errors::format)
    }

    /// What differs from the mesh as it was baked, as bytes.
    fn store_delta<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &slf.mesh().store_delta())
    }

    /// Sets it from such bytes. A restore that fails changes nothing.
    fn restore_delta(mut slf: Own<'_, Self>, data: &[u8]) -> PyResult<()> {
        slf.file.mesh.restore_delta(data).map_err(errors::format)
    }

    /// The component of each polygon, in the order of `polys`: polygons with the same number are connected.
    fn components<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let components = slf.mesh().components();
        let of = |tile: &wayfare::mesh::Tile| {
            (0..tile.poly_count())
                .map(|i| components.component(tile.reference(i)).unwrap_or(u32::MAX))
                .collect::<Vec<_>>()
        };
        from_column(py, slf.mesh().tiles().flat_map(of).collect())
    }

    /// A mark of the mesh as it is now, for `changes_since`.
    #[getter]
    fn version(slf: Seen<'_, Self>) -> PyMeshVersion {
        PyMeshVersion(slf.mesh().version().clone())
    }

    /// The tiles that have changed since, and those that are about to; None if the mesh does not know that version: everything may have
    /// changed.
    #[allow(clippy::type_complexity)]
    fn changes_since(slf: Seen<'_, Self>, version: PyRef<'_, PyMeshVersion>) -> Option<(Vec<u64>, Vec<u64>)> {
        let changes = ChangeSet::since(slf.mesh(), &version.0);
        let bits = |tiles: &[TileRef]| tiles.iter().map(|tile| tile.to_bits()).collect();
        (!changes.is_unknown()).then(|| {
            let all = [changes.changed(), changes.added()].concat();
            (bits(&all), bits(changes.announced()))
        })
    }

    /// Says that tiles will be rebuilt soon: paths over them learn of it.
    fn announce(mut slf: Own<'_, Self>, tiles: Vec<u64>) -> PyResult<()> {
        let tiles = tiles.into_iter().map(tile_ref).collect::<PyResult<Vec<_>>>()?;
        slf.file.mesh.announce(&tiles);
        Ok(())
    }

    /// Takes that back.
    fn withdraw(mut slf: Own<'_, Self>, tiles: Vec<u64>) -> PyResult<()> {
        let tiles = tiles.into_iter().map(tile_ref).collect::<PyResult<Vec<_>>>()?;
        slf.file.mesh.withdraw(&tiles);
        Ok(())
    }

    /// Surfaces inside closed bodies of a level, which nobody can reach: their polygons and where.
    fn hollow_surfaces(
        slf: Seen<'_, Self>,
        level: crate::level::PyLevel,
        agent_height: f32,
    ) -> Vec<(u64, (f32, f32, f32))> {
        let found = slf.mesh().hollow_surfaces(level.level(), agent_height);
        found.iter().map(|one| (one.poly.to_bits(), tuple(one.at))).collect()
    }

    /// Bytes that are kept beside the mesh in its file, by name.
    fn section<'py>(slf: Seen<'_, Self>, py: Python<'py>, name: &str) -> Option<Bound<'py, PyBytes>> {
        slf.file.sections.get(name).map(|section| PyBytes::new(py, &section.bytes))
    }

    /// Keeps bytes beside the mesh in its file; None removes them.
    #[pyo3(signature = (name, data, version = 1))]
    fn set_section(mut slf: Own<'_, Self>, name: &str, data: Option<Vec<u8>>, version: u32) {
        match data {
            Some(data) => slf.file.sections.set(name, version, data),
            None => drop(slf.file.sections.remove(name)),
        }
    }

    /// Takes over an edited copy of this mesh, which a thread has made: sessions and crowds of this mesh go on over it. Raises
    /// OutdatedError if this mesh has changed since it was copied, or if `newer` is no copy of it: what has changed would be lost. Sections stay as
    /// they are here.
    fn publish(slf: &Bound<'_, Self>, newer: &Bound<'_, Self>) -> PyResult<()> {
        let edited = seen(newer)?.mesh().clone();
        own(slf)?.file.mesh.take_over(edited).map_err(|Outdated| {
            OutdatedError::new_err(
                "the mesh has changed since this copy of it was made, or this is no copy of it: make the same changes in a new \
                 copy and publish that, or give up what has changed by `replace`",
            )
        })
    }

    /// Takes over another mesh, whatever it was made from: what has changed in this one is lost. In a mesh that is no copy of this one,
    /// references start anew, and old ones may name other polygons.
    fn replace(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> PyResult<()> {
        let (file, report, area_flags) = {
            let other = seen(other)?;
            (other.file.clone(), other.report.clone(), other.area_flags)
        };
        let mut slf = own(slf)?;
        (slf.file, slf.report, slf.area_flags) = (file, report, area_flags);
        Ok(())
    }

    fn copy(slf: Seen<'_, Self>) -> Self {
        Self { file: slf.file.clone(), report: slf.report.clone(), area_flags: slf.area_flags, session: None }
    }

    fn __copy__(slf: Seen<'_, Self>) -> Self {
        Self::copy(slf)
    }

    fn __deepcopy__(slf: Seen<'_, Self>, _memo: &Bound<'_, PyAny>) -> Self {
        Self::copy(slf)
    }

    fn __eq__(slf: Seen<'_, Self>, other: &Self) -> bool {
        slf.mesh().is_same_as(other.mesh()) || slf.mesh().digest() == other.mesh().digest()
    }

    fn __repr__(slf: Seen<'_, Self>) -> String {
        format!("<wayfare.NavMesh: {} tiles, {} polygons>", slf.mesh().tile_count(), slf.polygons())
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,), BTreeMap<u8, u16>)> {
        let own = seen(slf)?;
        let data = PyBytes::new(slf.py(), &own.file.to_bytes());
        let areas = (0..AREA_COUNT as u8).map(AreaId::from_low_bits);
        let flags = areas.filter_map(|area| Some((area.get(), own.area_flags.flags(area)?.0))).collect();
        Ok((slf.get_type().getattr("from_bytes")?, (data,), flags))
    }

    /// Beside its bytes, the flags that its bake gave area types.
    fn __setstate__(mut slf: Own<'_, Self>, area_flags: BTreeMap<i64, u16>) -> PyResult<()> {
        slf.area_flags = area_rules(&area_flags)?;
        Ok(())
    }
}

/// A mark of a mesh at some time.
#[pyclass(module = "wayfare", name = "MeshVersion", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyMeshVersion(pub(crate) MeshVersion);

/// A mesh from outlines with holes on a plane: lists of points (x, z), the outlines of rooms and of the holes in them.
#[pyfunction]
#[pyo3(signature = (outlines, y = 0.0))]
pub(crate) fn mesh_from_outlines(outlines: Vec<Vec<crate::arrays::Point2>>, y: f32) -> PyResult<PyNavMesh> {
    let outlines: Vec<Vec<wayfare::Vec2>> =
        outlines.into_iter().map(|outline| outline.into_iter().map(|p| p.0).collect()).collect();
    let tile = wayfare::tile::build_outline_tile(&outlines, y).map_err(errors::value)?;
    Ok(PyNavMesh::of_mesh(NavMesh::from_tile(tile).map_err(errors::value)?))
}

/// A mesh of polygons of your own: `points` (n, 3), and for each polygon the indices of its corners, an area type and flags. Edges that
/// two polygons share are linked.
#[pyfunction]
#[pyo3(signature = (points, polys, areas = None, flags = None))]
pub(crate) fn mesh_from_polys(
    points: &Bound<'_, PyAny>,
    polys: Vec<Vec<u32>>,
    areas: Option<Vec<i64>>,
    flags: Option<Vec<u16>>,
) -> PyResult<PyNavMesh> {
    use std::collections::BTreeMap;
    use wayfare::tile::{EdgeNeighbour, SourcePoly, TileSource, build_tile};
    let points = crate::arrays::points(points, "points")?;
    let verts = points.as_slice()?;
    let mut list = Vec::new();
    let mut owners: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for (number, corners) in (0u32..).zip(&polys) {
        let count = u16::try_from(corners.len()).map_err(|_| errors::value("a polygon has too many corners"))?;
        let i = number as usize;
        let area = areas.as_ref().map_or(Ok(63), |areas| areas.get(i).copied().ok_or_else(short))?;
        let flags = flags.as_ref().map_or(Ok(1), |flags| flags.get(i).copied().ok_or_else(short))?;
        list.push(SourcePoly { count, flags: PolyFlags(flags), area: self::area(area)? });
        for k in 0..corners.len() {
            owners.insert((corners[k], corners[(k + 1) % corners.len()]), number);
        }
    }
    let mut neighbours = Vec::new();
    for corners in &polys {
        for k in 0..corners.len() {
            let twin = owners.get(&(corners[(k + 1) % corners.len()], corners[k]));
            neighbours.push(twin.map_or(EdgeNeighbour::WALL, |other| EdgeNeighbour::poly(*other)));
        }
    }
    let corners = polys.concat();
    let source =
        TileSource { verts, corners: &corners, polys: &list, neighbours: &neighbours, ..TileSource::default() };
    let tile = build_tile(&source).map_err(errors::value)?;
    Ok(PyNavMesh::of_mesh(NavMesh::from_tile(tile).map_err(errors::value)?))
}

fn short() -> PyErr {
    errors::value("areas and flags have one entry for each polygon")
}

/// A reference of a polygon as text, as in "s1:t0:p4".
#[pyfunction]
pub(crate) fn poly_name(poly: u64) -> PyResult<String> {
    Ok(self::poly(poly)?.to_string())
}

/// The reference that such a text names.
#[pyfunction]
pub(crate) fn poly_named(text: &str) -> PyResult<u64> {
    Ok(text.parse::<PolyRef>().map_err(errors::value)?.to_bits())
}

/// A mesh cut from another for agents that are wider than those it was baked for.
#[pyclass(module = "wayfare", name = "ClearanceMesh")]
pub(crate) struct PyClearance {
    cut: wayfare::query::ClearanceMesh,
    /// None for the filter of the mesh below, as that is when tiles are cut.
    filter: Option<crate::filter::AnyFilter>,
}

#[pymethods]
impl PyClearance {
    #[new]
    #[pyo3(signature = (mesh, radius, filter = None))]
    fn new(
        mesh: Seen<'_, PyNavMesh>,
        radius: f32,
        filter: Option<PyRef<'_, crate::filter::PyFilter>>,
    ) -> PyResult<Self> {
        let asked = crate::filter::or_default(filter.as_deref(), mesh.mesh());
        let cut = wayfare::query::ClearanceMesh::new(mesh.mesh(), radius, &asked);
        asked.raise()?;
        Ok(Self { cut: cut.map_err(errors::value)?, filter: filter.map(|_| asked) })
    }

    /// The mesh that was cut.
    #[getter]
    fn mesh(&self) -> PyNavMesh {
        PyNavMesh::of_mesh(self.cut.mesh().clone())
    }

    /// The radius it was cut for.
    #[getter]
    fn radius(&self) -> f32 {
        self.cut.radius()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.filter.as_ref().map_or(Ok(()), |filter| filter.traverse(&visit))
    }

    fn __clear__(&mut self) {
        self.filter = None;
    }

    /// The polygon of the first mesh that a polygon was cut from.
    fn base_poly(&self, poly: u64) -> PyResult<Option<u64>> {
        Ok(self.cut.base_poly(self::poly(poly)?).map(|base| base.to_bits()))
    }

    /// Cuts the tiles anew that have changed in the first mesh; returns how many.
    fn follow(&mut self, mesh: Seen<'_, PyNavMesh>) -> PyResult<u32> {
        let of_mesh = || crate::filter::AnyFilter::of_mesh(mesh.mesh());
        let filter = self.filter.clone().unwrap_or_else(of_mesh);
        let count = self.cut.follow(mesh.mesh(), &filter);
        filter.raise()?;
        count.map_err(errors::value)
    }
}
