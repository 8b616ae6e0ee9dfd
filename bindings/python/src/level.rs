//! What is baked: triangles, heights, volumes and off-mesh connections, held together.

use crate::arrays::{Corners, Point, corners, from_points, read_only};
use crate::settings::{ConnectionIn, PyFrame, VolumeOut, area, connection_out, marked, marked_out, tri_mesh, word};
use crate::{arrays, errors};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use wayfare::area::AreaId;
use wayfare::dynamic::ObjectLevel;
use wayfare::input::{HeightMap, HeightScale, Level, MarkedVolume, TriMesh};
use wayfare::math::{Frame, UpAxis};
use wayfare::mesh::OffMeshConnection;
use wayfare_io::{Files, Folder, ImportedLevel, LevelFormat, LevelReader, PixelSize, ReadError, ReadOptions};

/// A level: triangles, or heights on a grid, with volumes that block or paint, and off-mesh connections.
#[pyclass(module = "wayfare", name = "Level", from_py_object)]
#[derive(Clone)]
pub(crate) struct PyLevel {
    pub(crate) mesh: Arc<TriMesh>,
    pub(crate) terrain: Option<Arc<HeightMap>>,
    pub(crate) volumes: Vec<MarkedVolume>,
    pub(crate) connections: Vec<OffMeshConnection>,
    notes: Vec<String>,
    /// Triangles that were left out: not finite, and without area.
    dropped: (u32, u32),
}

impl PyLevel {
    /// What a bake takes.
    pub(crate) fn level(&self) -> Level<'_> {
        Level { mesh: &self.mesh, terrain: self.terrain.as_deref(), volumes: &self.volumes }
    }

    pub(crate) fn of_mesh(mesh: TriMesh) -> Self {
        let dropped = (mesh.report().not_finite, mesh.report().degenerate);
        let mesh = Arc::new(mesh);
        Self { mesh, terrain: None, volumes: Vec::new(), connections: Vec::new(), notes: Vec::new(), dropped }
    }

    pub(crate) fn of_objects(level: &ObjectLevel, volumes: &[MarkedVolume]) -> Self {
        let terrain = level.terrain().cloned().map(Arc::new);
        Self { terrain, volumes: volumes.to_vec(), ..Self::of_mesh(level.triangles()) }
    }

    fn of_imported(level: ImportedLevel) -> Self {
        let own = [("settings", level.settings.is_some()), ("bounds", level.bounds.is_some())];
        let own: Vec<&str> = own.into_iter().filter_map(|(what, is_there)| is_there.then_some(what)).collect();
        let left_out = format!("its own {} are left out: give them to the bake", own.join(" and "));
        let left_out = (!own.is_empty()).then_some(left_out);
        Self {
            terrain: level.terrain.map(Arc::new),
            volumes: level.volumes,
            connections: level.connections,
            notes: level.remarks.into_iter().chain(level.stray).chain(left_out).collect(),
            ..Self::of_mesh(level.mesh)
        }
    }
}

/// What a file names, asked of a Python function.
struct Asked<'py>(Option<Bound<'py, PyAny>>, Option<PyErr>);

impl Files for Asked<'_> {
    fn read(&mut self, name: &str) -> Result<Arc<[u8]>, ReadError> {
        let Some(function) = &self.0 else { return wayfare_io::NoFiles.read(name) };
        match function.call1((name,)).and_then(|bytes| bytes.extract::<Vec<u8>>()) {
            Ok(bytes) => Ok(bytes.into()),
            Err(error) => {
                self.1.get_or_insert(error);
                Err(ReadError::from(format!("names \"{name}\", which could not be read")))
            }
        }
    }
}

fn options(up: Option<&str>, scale: f64, pixel_size: f64, pixel_height: f64) -> PyResult<ReadOptions> {
    let up = up.map(|up| word(up, "up", &[("y", UpAxis::Y), ("z", UpAxis::Z)])).transpose()?;
    for (name, value) in [("scale", scale), ("pixel_size", pixel_size), ("pixel_height", pixel_height)] {
        if !(value.is_finite() && value > 0.0) {
            return Err(PyValueError::new_err(format!("{name} is {value}, but must be above 0")));
        }
    }
    let pixel = PixelSize { size: pixel_size, height: pixel_height };
    Ok(ReadOptions { up, scale, pixel, ..ReadOptions::default() })
}

fn unknown(name: &str) -> PyErr {
    errors::format(format_args!("{name} {}", wayfare_io::plain_words::NO_LEVEL))
}

/// The area types of names, where one of a triangle's names is listed.
fn finish(reader: LevelReader, areas: &BTreeMap<String, i64>, name: &str) -> PyResult<PyLevel> {
    let areas: BTreeMap<&str, AreaId> =
        areas.iter().map(|(name, number)| Ok((name.as_str(), area(*number)?))).collect::<PyResult<_>>()?;
    let missing: Vec<&&str> = areas.keys().filter(|&&key| !reader.names().any(|name| name == key)).collect();
    let note = (!missing.is_empty()).then(|| format!("areas names what the level does not have: {missing:?}"));
    let of = |name: &str| areas.get(name).copied();
    let level = reader.finish(|names| of(names.material).or_else(|| of(names.object)).or_else(|| of(names.group)));
    let mut level = PyLevel::of_imported(level.map_err(|e| errors::format(format_args!("{name}: {e}")))?);
    level.notes.extend(note);
    Ok(level)
}

#[pymethods]
impl PyLevel {
    /// A level of triangles: `vertices` of shape (n, 3), `triangles` of shape (m, 3), and an area type for each triangle (63, plain
    /// ground, unless given). Triangles that are not finite or have no area are left out; `dropped` counts them. With a `frame`, the
    /// vertices are in the coordinates of another engine.
    #[new]
    #[pyo3(signature = (vertices, triangles, areas = None, *, frame = None))]
    fn new(
        vertices: &Bound<'_, PyAny>,
        triangles: &Bound<'_, PyAny>,
        areas: Option<&Bound<'_, PyAny>>,
        frame: Option<PyFrame>,
    ) -> PyResult<Self> {
        let frame = frame.map_or(Frame::default(), |frame| frame.0);
        let mesh = tri_mesh(vertices, triangles, areas, frame)?;
        Ok(Self::of_mesh(mesh))
    }

    /// Reads one or several files as one level: OBJ, glTF, STL, PLY, 16-bit PNG height maps, `.gset`. `areas` gives area types by the names
    /// of materials, objects and groups. `up` is "y" or "z"; unless given, what is usual in each format.
    #[staticmethod]
    #[pyo3(signature = (*paths, up = None, scale = 1.0, areas = BTreeMap::new(), pixel_size = 1.0, pixel_height = 0.01))]
    fn load(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        up: Option<&str>,
        scale: f64,
        areas: BTreeMap<String, i64>,
        pixel_size: f64,
        pixel_height: f64,
    ) -> PyResult<Self> {
        if paths.is_empty() {
            return Err(PyTypeError::new_err("give the path of at least one file"));
        }
        let mut reader = LevelReader::new(options(up, scale, pixel_size, pixel_height)?);
        for path in &paths {
            let name = path.display().to_string();
            let format = LevelFormat::of_name(&name).ok_or_else(|| unknown(&name))?;
            py.detach(|| {
                let bytes = std::fs::read(path).map_err(|e| errors::file(path, &e))?;
                let read = reader.add(&name, format, &bytes, &mut Folder::of(path));
                read.map_err(|e| errors::format(format_args!("{name}: {e}")))
            })?;
        }
        finish(reader, &areas, &paths[0].display().to_string())
    }

    /// Reads a level from bytes; the ending of `name` says of which kind they are. `files` is called with the names of other files that the
    /// level names (the buffers of a `.gltf`), and returns their bytes.
    #[staticmethod]
    #[pyo3(signature = (name, data, *, files = None, up = None, scale = 1.0, areas = BTreeMap::new(), pixel_size = 1.0, pixel_height = 0.01))]
    #[allow(clippy::too_many_arguments)]
    fn from_bytes(
        name: &str,
        data: &[u8],
        files: Option<Bound<'_, PyAny>>,
        up: Option<&str>,
        scale: f64,
        areas: BTreeMap<String, i64>,
        pixel_size: f64,
        pixel_height: f64,
    ) -> PyResult<Self> {
        let mut reader = LevelReader::new(options(up, scale, pixel_size, pixel_height)?);
        let format = LevelFormat::of_name(name).ok_or_else(|| unknown(name))?;
        let mut files = Asked(files, None);
        let read = reader.add(name, format, data, &mut files);
        if let Some(error) = files.1 {
            return Err(error);
        }
        read.map_err(|e| errors::format(format_args!("{name}: {e}")))?;
        finish(reader, &areas, name)
    }

    /// A level from heights: `samples` of type uint16 and shape (rows, columns), rows along z, in steps of `step` metres; points lie `spacing`
    /// metres apart.
    #[staticmethod]
    #[pyo3(signature = (samples, *, spacing = 1.0, step = 0.01, origin = None, area = 63))]
    fn from_heights(
        samples: &Bound<'_, PyAny>,
        spacing: f64,
        step: f64,
        origin: Option<Point>,
        area: i64,
    ) -> PyResult<Self> {
        let py = samples.py();
        let array = py.import("numpy")?.call_method1("ascontiguousarray", (samples,))?;
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        let [rows, columns] = shape[..] else {
            return Err(PyValueError::new_err(format!("samples must be of shape (rows, columns), not {shape:?}")));
        };
        let array = array.cast_into::<PyArray2<u16>>().map_err(|_| {
            PyTypeError::new_err("samples must be of type uint16: heights are whole numbers of steps, 0 to 65535")
        })?;
        let samples = numpy::PyArrayMethods::to_vec(&array)?;
        let size = |n: usize| u32::try_from(n).map_err(|_| PyValueError::new_err("samples are too many"));
        let scale = HeightScale { origin: origin.map_or(wayfare::Vec3::ZERO, |p| p.0), spacing, step };
        let map = HeightMap::new(size(columns)?, size(rows)?, samples, scale).map_err(errors::value)?;
        let map = map.with_area(crate::settings::area(area)?);
        let mut level = Self::of_mesh(TriMesh::EMPTY);
        level.terrain = Some(Arc::new(map));
        Ok(level)
    }

    /// A built-in level, such as "dungeon" or "stairs?steps=12": `wayfare.scenes()` lists them.
    #[staticmethod]
    fn scene(spec: &str) -> PyResult<Self> {
        let scene = wayfare_scenes::scene(spec).map_err(errors::value)?;
        let mesh = scene.mesh().map_err(errors::value)?;
        let mut level = Self::of_mesh(mesh);
        level.volumes = scene.volumes.clone();
        Ok(level)
    }

    /// Adds a volume: it blocks, or paints the surface in it with an area type. Blocking volumes are marked before erosion, so agents keep
    /// the distance of their radius; painting ones after it. A volume that holds nothing is refused.
    #[pyo3(signature = (volume, *, paint = None, before_erosion = None))]
    fn add_volume(
        &mut self,
        volume: &Bound<'_, PyAny>,
        paint: Option<i64>,
        before_erosion: Option<bool>,
    ) -> PyResult<()> {
        let marked = marked(volume, paint, before_erosion)?;
        crate::settings::check_volume(&marked.volume)?;
        self.volumes.push(marked);
        Ok(())
    }

    /// Adds an off-mesh connection, which the baked mesh gets.
    fn add_connection(&mut self, connection: ConnectionIn) -> PyResult<()> {
        self.connections.push(connection.get()?);
        Ok(())
    }

    /// The vertices, shape (n, 3).
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        read_only(from_points(py, self.mesh.verts().to_vec())?)
    }

    /// The triangles, shape (m, 3).
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        read_only(arrays::from_rows(py, self.mesh.tris().to_vec())?)
    }

    /// The area type of each triangle.
    #[getter]
    fn areas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        read_only(arrays::from_column(py, self.mesh.areas().iter().map(|area| area.get()).collect()))
    }

    /// The box around all of it: low and high corner; None if there is nothing.
    #[getter]
    fn bounds(&self) -> Option<Corners> {
        corners(&self.level().bounds())
    }

    /// How many volumes it has.
    #[getter]
    fn volume_count(&self) -> usize {
        self.volumes.len()
    }

    /// Its off-mesh connections.
    #[getter]
    fn connections<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.connections.iter().map(|connection| connection_out(py, connection)).collect()
    }

    /// How many triangles were left out: not finite, and without area.
    #[getter]
    fn dropped(&self) -> (u32, u32) {
        self.dropped
    }

    /// What the readers left out or noticed, for people.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn __repr__(&self) -> String {
        let heights = self.terrain.as_ref().map(|map| format!(", {} x {} heights", map.columns(), map.rows()));
        format!(
            "<wayfare.Level: {} triangles{}, {} volumes, {} connections>",
            self.mesh.tris().len(),
            heights.unwrap_or_default(),
            self.volumes.len(),
            self.connections.len()
        )
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    /// Its volumes, each with the area type it paints with (None: it blocks), and whether it is marked before erosion.
    #[getter]
    fn volumes<'py>(&self, py: Python<'py>) -> PyResult<Vec<VolumeOut<'py>>> {
        self.volumes.iter().map(|marked| marked_out(py, marked)).collect()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let (py, own) = (slf.py(), slf.borrow());
        let state = pyo3::types::PyDict::new(py);
        state.set_item("vertices", own.vertices(py)?)?;
        state.set_item("triangles", own.triangles(py)?)?;
        state.set_item("areas", own.areas(py)?)?;
        if let Some(map) = &own.terrain {
            let samples = PyArray1::from_slice(py, map.samples());
            let samples = numpy::PyArrayMethods::reshape(&samples, [map.rows() as usize, map.columns() as usize])?;
            let scale = map.scale();
            let origin = arrays::tuple(scale.origin);
            state.set_item("heights", (samples, scale.spacing, scale.step, origin, map.area().get()))?;
        }
        state.set_item("volumes", own.volumes(py)?)?;
        state.set_item("connections", own.connections(py)?)?;
        state.set_item("notes", own.notes())?;
        state.set_item("dropped", own.dropped())?;
        Ok((slf.get_type().getattr("_unpickle")?, (state.into_any(),)))
    }

    #[staticmethod]
    fn _unpickle(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let heights = state.call_method1("get", ("heights",))?;
        let mut level = if heights.is_none() {
            Self::of_mesh(TriMesh::EMPTY)
        } else {
            let (samples, spacing, step, origin, area): (Bound<'_, PyAny>, f64, f64, Point, i64) = heights.extract()?;
            Self::from_heights(&samples, spacing, step, Some(origin), area)?
        };
        if state.get_item("triangles")?.len()? > 0 {
            let areas = state.get_item("areas")?;
            let (vertices, triangles) = (state.get_item("vertices")?, state.get_item("triangles")?);
            level.mesh = Arc::new(tri_mesh(&vertices, &triangles, Some(&areas), Frame::default())?);
        }
        for volume in state.get_item("volumes")?.try_iter()? {
            let (volume, paint, before): (Bound<'_, PyAny>, Option<i64>, bool) = volume?.extract()?;
            level.add_volume(&volume, paint, Some(before))?;
        }
        for connection in state.get_item("connections")?.try_iter()? {
            level.add_connection(connection?.extract()?)?;
        }
        level.notes = state.get_item("notes")?.extract()?;
        level.dropped = state.get_item("dropped")?.extract()?;
        Ok(level)
    }
}
