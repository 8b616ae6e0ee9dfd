//! Answers: a path, many paths, a line of sight.

use crate::arrays::{from_column, from_points, from_rows, points, tuple};
use crate::settings::{name_of, word};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PySlice};
use wayfare::Vec3;
use wayfare::area::{LimitHit, PathStatus};
use wayfare::math::funnel::Portal;
use wayfare::query::{Nearest, NearestWall, PointKind, PolyPath, Raycast, StraightPath, StraightPoint};

/// The word for a status.
pub(crate) fn status_name(status: PathStatus) -> &'static str {
    name_of(status, &STATUSES)
}

const STATUSES: [(&str, PathStatus); 3] =
    [("complete", PathStatus::Complete), ("partial", PathStatus::Partial), ("none", PathStatus::None)];
const LIMITS: [(&str, LimitHit); 2] = [("nodes", LimitHit::Nodes), ("distance", LimitHit::Distance)];
const KINDS: [(&str, PointKind); 7] = [
    ("start", PointKind::Start),
    ("left", PointKind::Left),
    ("right", PointKind::Right),
    ("enter", PointKind::Enter),
    ("leave", PointKind::Leave),
    ("crossing", PointKind::Crossing),
    ("end", PointKind::End),
];

/// The word for a limit.
pub(crate) fn limit_name(limit: Option<LimitHit>) -> Option<&'static str> {
    limit.map(|limit| name_of(limit, &LIMITS))
}

/// A path: the points to walk over, and the polygons under them. False where there is none.
#[pyclass(module = "wayfare", name = "Path", frozen)]
pub(crate) struct PyPath {
    pub(crate) path: PolyPath,
    pub(crate) straight: StraightPath,
}

#[pymethods]
impl PyPath {
    /// "complete"; "partial" where the goal cannot be reached, and the path leads as near as it can; or "none".
    #[getter]
    fn status(&self) -> &'static str {
        status_name(self.path.status)
    }

    /// Whether it leads to the goal.
    #[getter]
    fn is_complete(&self) -> bool {
        self.path.status == PathStatus::Complete
    }

    /// The points to walk over, from start to end, shape (n, 3).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        from_points(py, self.straight.points.iter().map(|corner| corner.point).collect())
    }

    /// What each point is: "start", "left" and "right" of a corner, "enter" and "leave" of an off-mesh connection, "crossing", "end".
    #[getter]
    fn kinds(&self) -> Vec<&'static str> {
        self.straight.points.iter().map(|corner| name_of(corner.kind, &KINDS)).collect()
    }

    /// The sum of the lengths between the points, metres.
    #[getter]
    fn length(&self) -> f32 {
        self.straight.length
    }

    /// What it costs by the filter.
    #[getter]
    fn cost(&self) -> f32 {
        self.path.cost
    }

    /// The polygons and connections it leads over.
    #[getter]
    fn polys<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        from_column(py, self.path.polys.iter().map(|poly| poly.to_bits()).collect())
    }

    /// The edges between them: left and right end of each, shape (n, 2, 3).
    #[getter]
    fn portals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows: Vec<[f32; 6]> =
            self.path.portals.iter().map(|p| [p.left.x, p.left.y, p.left.z, p.right.x, p.right.y, p.right.z]).collect();
        let count = rows.len();
        Ok(from_rows(py, rows)?.reshape([count, 2, 3])?.into_any())
    }

    /// How many nodes the search took.
    #[getter]
    fn nodes(&self) -> u32 {
        self.path.nodes
    }

    /// The limit that cut the search short: "nodes", "distance", or None.
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        limit_name(self.path.limit)
    }

    fn __len__(&self) -> usize {
        self.straight.points.len()
    }

    /// A point by its number, or those of a slice, shape (n, 3).
    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if index.is_instance_of::<PySlice>() {
            return self.points(py)?.get_item(index);
        }
        let index: isize = index.extract()?;
        let count = self.straight.points.len() as isize;
        let at = if index < 0 { index + count } else { index };
        let point = usize::try_from(at).ok().and_then(|at| self.straight.points.get(at));
        let point = point.ok_or_else(|| PyIndexError::new_err(format!("point {index} of a path of {count}")))?;
        Ok(tuple(point.point).into_pyobject(py)?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let points: Vec<_> = self.straight.points.iter().map(|corner| tuple(corner.point)).collect();
        points.into_pyobject(py)?.try_iter()
    }

    /// Its points, for NumPy.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(crate::errors::value("the points of a path are copied: leave out `copy`"));
        }
        py.import("numpy")?.call_method1("asarray", (self.points(py)?, dtype))
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.Path {}: {} points, {:.2} m>", self.status(), self.__len__(), self.length())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let (py, own) = (slf.py(), slf.get());
        let state = PyDict::new(py);
        state.set_item("status", own.status())?;
        state.set_item("limit", own.limit())?;
        state.set_item("polys", own.polys(py))?;
        state.set_item("portals", own.portals(py)?.call_method1("reshape", (-1, 3))?)?;
        state.set_item("ends", from_points(py, vec![own.path.start, own.path.end])?)?;
        state.set_item("counts", (own.path.cost, own.path.nodes, own.straight.length))?;
        state.set_item("points", own.points(py)?)?;
        state.set_item("kinds", own.kinds())?;
        let steps = own.straight.points.iter().map(|corner| (corner.poly.to_bits(), corner.step));
        state.set_item("steps", steps.collect::<Vec<(u64, u32)>>())?;
        Ok((slf.get_type().getattr("_unpickle")?, (state.into_any(),)))
    }

    #[staticmethod]
    fn _unpickle(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let get = |name: &str| state.get_item(name);
        let list = |name: &str| Ok::<_, PyErr>(points(&get(name)?, name)?.as_slice()?.to_vec());
        let status = get("status")?.extract::<String>()?;
        let limit: Option<String> = get("limit")?.extract()?;
        let (cost, nodes, length): (f32, u32, f32) = get("counts")?.extract()?;
        let polys: Vec<u64> = get("polys")?.extract()?;
        let (ends, portals) = (list("ends")?, list("portals")?);
        let [start, end] = ends[..] else { return Err(crate::errors::format("these are no bytes of a path")) };
        let path = PolyPath {
            status: word(&status, "status", &STATUSES)?,
            limit: limit.map(|limit| word(&limit, "limit", &LIMITS)).transpose()?,
            polys: polys.into_iter().map(crate::mesh::poly).collect::<PyResult<_>>()?,
            portals: portals.chunks_exact(2).map(|ends| Portal { left: ends[0], right: ends[1] }).collect(),
            start,
            end,
            cost,
            nodes,
        };
        let kinds: Vec<String> = get("kinds")?.extract()?;
        let steps: Vec<(u64, u32)> = get("steps")?.extract()?;
        let corners = list("points")?.into_iter().zip(kinds).zip(steps).map(|((point, kind), (poly, step))| {
            let (kind, poly) = (word(&kind, "kind", &KINDS)?, crate::mesh::poly(poly)?);
            Ok(StraightPoint { point, kind, poly, step })
        });
        let points = corners.collect::<PyResult<Vec<_>>>()?;
        Ok(Self { path, straight: StraightPath { points, length } })
    }
}

/// Many paths, as arrays: path `i` has the points `points[offsets[i]:offsets[i + 1]]`.
#[pyclass(module = "wayfare", name = "Paths", frozen)]
pub(crate) struct PyPaths {
    status: Py<PyArray1<u8>>,
    lengths: Py<PyArray1<f32>>,
    costs: Py<PyArray1<f32>>,
    offsets: Py<PyArray1<i64>>,
    points: Py<PyArray2<f32>>,
    count: usize,
}

/// What paths are made of.
type ArraysOf = (Py<PyArray1<u8>>, Py<PyArray1<f32>>, Py<PyArray1<f32>>, Py<PyArray1<i64>>, Py<PyArray2<f32>>);

/// What a batch keeps of a path.
#[derive(Clone, Copy)]
pub(crate) struct PathRow {
    pub(crate) status: PathStatus,
    pub(crate) length: f32,
    pub(crate) cost: f32,
    pub(crate) points: u32,
}

/// What a thread keeps of its paths.
#[derive(Default)]
pub(crate) struct PathRows {
    pub(crate) rows: Vec<PathRow>,
    pub(crate) points: Vec<Vec3>,
}

impl PyPaths {
    /// The points of one path; counted from the end below 0.
    fn of<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let count = self.count as isize;
        let at = if index < 0 { index + count } else { index };
        if !(0..count).contains(&at) {
            return Err(PyIndexError::new_err(format!("path {index} of {count}")));
        }
        let offsets = self.offsets.bind(py).readonly();
        let offsets = offsets.as_slice().map_err(crate::errors::value)?;
        let slice = pyo3::types::PySlice::new(py, offsets[at as usize] as isize, offsets[at as usize + 1] as isize, 1);
        self.points.bind(py).get_item(slice)
    }

    pub(crate) fn new(py: Python<'_>, parts: Vec<PathRows>) -> PyResult<Self> {
        let rows: Vec<PathRow> = parts.iter().flat_map(|part| part.rows.iter().copied()).collect();
        let mut offsets = vec![0_i64];
        let mut end = 0;
        for row in &rows {
            end += i64::from(row.points);
            offsets.push(end);
        }
        let mut parts = parts.into_iter();
        let mut points = parts.next().unwrap_or_default().points;
        parts.for_each(|part| points.extend_from_slice(&part.points));
        let code = |status| match status {
            PathStatus::Complete => 2,
            PathStatus::Partial => 1,
            PathStatus::None => 0,
        };
        Ok(Self {
            status: from_column(py, rows.iter().map(|row| code(row.status)).collect()).unbind(),
            lengths: from_column(py, rows.iter().map(|row| row.length).collect()).unbind(),
            costs: from_column(py, rows.iter().map(|row| row.cost).collect()).unbind(),
            offsets: from_column(py, offsets).unbind(),
            points: from_points(py, points)?.unbind(),
            count: rows.len(),
        })
    }
}

#[pymethods]
impl PyPaths {
    /// 2 where the path is complete, 1 where it is partial, 0 where there is none.
    #[getter]
    fn status(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.status.clone_ref(py)
    }

    /// Lengths in metres.
    #[getter]
    fn lengths(&self, py: Python<'_>) -> Py<PyArray1<f32>> {
        self.lengths.clone_ref(py)
    }

    /// What each costs by the filter.
    #[getter]
    fn costs(&self, py: Python<'_>) -> Py<PyArray1<f32>> {
        self.costs.clone_ref(py)
    }

    /// Where the points of each path begin, and one number more.
    #[getter]
    fn offsets(&self, py: Python<'_>) -> Py<PyArray1<i64>> {
        self.offsets.clone_ref(py)
    }

    /// The points of all paths, shape (n, 3).
    #[getter]
    fn points(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.points.clone_ref(py)
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// The points of one path, shape (n, 3), or a list of those of a slice.
    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = index.cast::<PySlice>() {
            let all = slice.indices(self.count as isize)?;
            let numbers = (0..all.slicelength as isize).map(|i| all.start + i * all.step);
            let paths = numbers.map(|index| self.of(py, index)).collect::<PyResult<Vec<_>>>()?;
            return Ok(paths.into_pyobject(py)?.into_any());
        }
        self.of(py, index.extract()?)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let paths = (0..self.count as isize).map(|index| self.of(py, index)).collect::<PyResult<Vec<_>>>()?;
        paths.into_pyobject(py)?.try_iter()
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.Paths: {}>", self.count)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, ArraysOf)> {
        let (py, own) = (slf.py(), slf.get());
        let arrays = (own.status(py), own.lengths(py), own.costs(py), own.offsets(py), own.points(py));
        Ok((slf.get_type().getattr("_unpickle")?, arrays))
    }

    #[staticmethod]
    fn _unpickle(
        py: Python<'_>,
        status: Py<PyArray1<u8>>,
        lengths: Py<PyArray1<f32>>,
        costs: Py<PyArray1<f32>>,
        offsets: Py<PyArray1<i64>>,
        points: Py<PyArray2<f32>>,
    ) -> PyResult<Self> {
        let count = status.bind(py).len()?;
        if offsets.bind(py).len()? != count + 1 {
            return Err(crate::errors::format("these are no bytes of paths"));
        }
        Ok(Self { status, lengths, costs, offsets, points, count })
    }
}

/// A place on the mesh.
#[pyclass(module = "wayfare", name = "Place", frozen)]
#[derive(Clone, Copy)]
pub(crate) struct PyPlace {
    pub(crate) poly: u64,
    pub(crate) point: (f32, f32, f32),
    pub(crate) over: bool,
}

impl PyPlace {
    pub(crate) fn of(found: Nearest) -> Self {
        Self { poly: found.poly.to_bits(), point: tuple(found.point), over: found.over }
    }

    pub(crate) fn at(place: wayfare::query::PolyPoint) -> Self {
        Self { poly: place.poly.to_bits(), point: tuple(place.point), over: true }
    }
}

#[pymethods]
impl PyPlace {
    #[new]
    #[pyo3(signature = (poly, point, over = true))]
    fn new(poly: u64, point: crate::arrays::Point, over: bool) -> Self {
        Self { poly, point: tuple(point.0), over }
    }

    /// The polygon.
    #[getter]
    fn poly(&self) -> u64 {
        self.poly
    }

    /// The point on it.
    #[getter]
    fn point(&self) -> (f32, f32, f32) {
        self.point
    }

    /// Whether the point that was asked about is above or below the polygon, and not beside it.
    #[getter]
    fn over(&self) -> bool {
        self.over
    }

    fn __repr__(&self) -> String {
        let (x, y, z) = self.point;
        format!("<wayfare.Place ({x}, {y}, {z}) on polygon {}>", self.poly)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (u64, (f32, f32, f32), bool)) {
        let own = slf.get();
        (slf.get_type().into_any(), (own.poly, own.point, own.over))
    }
}

/// How far a straight line along the surface is free.
#[pyclass(module = "wayfare", name = "Ray", frozen)]
pub(crate) struct PyRay(pub(crate) Raycast);

#[pymethods]
impl PyRay {
    /// Whether a wall stops it.
    #[getter]
    fn hit(&self) -> bool {
        self.0.hit
    }

    /// How much of the line is free, 0 to 1.
    #[getter]
    fn t(&self) -> f32 {
        self.0.t
    }

    /// Where it ends.
    #[getter]
    fn point(&self) -> (f32, f32, f32) {
        tuple(self.0.point)
    }

    /// The direction in which the wall looks; zero if there is none.
    #[getter]
    fn normal(&self) -> (f32, f32, f32) {
        tuple(self.0.normal)
    }

    /// The polygons it leads over.
    #[getter]
    fn polys<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        from_column(py, self.0.polys.iter().map(|poly| poly.to_bits()).collect())
    }

    /// What walking it costs, if that was asked for.
    #[getter]
    fn cost(&self) -> f32 {
        self.0.cost
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.Ray {} at t = {}>", if self.0.hit { "stopped" } else { "free" }, self.0.t)
    }
}

/// The nearest wall.
#[pyclass(module = "wayfare", name = "Wall", frozen)]
pub(crate) struct PyWall(pub(crate) NearestWall);

#[pymethods]
impl PyWall {
    /// Metres to it.
    #[getter]
    fn distance(&self) -> f32 {
        self.0.distance
    }

    /// The nearest point of it.
    #[getter]
    fn point(&self) -> (f32, f32, f32) {
        tuple(self.0.point)
    }

    /// From that point to the place asked about, of length 1.
    #[getter]
    fn normal(&self) -> (f32, f32, f32) {
        tuple(self.0.normal)
    }

    /// Both ends of the wall.
    #[getter]
    fn segment(&self) -> ((f32, f32, f32), (f32, f32, f32)) {
        (tuple(self.0.wall.start), tuple(self.0.wall.end))
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.Wall at {} m>", self.0.distance)
    }
}
