//! Settings of bakes, as the package's dataclasses hold them.

use crate::arrays::{Point, Point2, aabb, points};
use crate::errors;
use crate::whole::whole;
use numpy::PyReadonlyArray2;
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use wayfare::area::{AreaId, AreaInfo, AreaRules, AreaTable, PolyFlags};
use wayfare::input as lib;
use wayfare::math::{Frame, Handedness, UpAxis};
use wayfare::mesh::OffMeshConnection;

/// An argument of many fields. What is wrong with a field is said as it would be of an argument by itself.
pub(crate) struct Fields<T>(pub(crate) T);

impl<'py, T> FromPyObject<'_, 'py> for Fields<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        object.extract::<T>().map(Self).map_err(|error| {
            let error = innermost(py, &error);
            if !error.is_instance_of::<PyAttributeError>(py) {
                return error;
            }
            PyTypeError::new_err(format!("{}: give an object of the package's class that has it", error.value(py)))
        })
    }
}

fn innermost(py: Python<'_>, error: &PyErr) -> PyErr {
    let text = error.value(py).to_string();
    let field = text.rsplit_once('.').map_or("", |(_, field)| field);
    let Some(cause) = error.cause(py) else { return error.clone_ref(py) };
    let cause = innermost(py, &cause);
    if !crate::arrays::is_about_the_value(py, &cause) && !cause.is_instance_of::<PyAttributeError>(py) {
        return cause;
    }
    let message = format!("{field}: {}", cause.value(py));
    if cause.is_instance_of::<PyValueError>(py) {
        PyValueError::new_err(message)
    } else {
        PyTypeError::new_err(message)
    }
}

/// An area type, 0 to 63.
pub(crate) fn area(number: i64) -> PyResult<AreaId> {
    let small = u8::try_from(number).ok().and_then(|id| AreaId::new(id).ok());
    small.ok_or_else(|| PyValueError::new_err(format!("area type {number} is out of range: 0 to 63 are allowed")))
}

/// One of a list of words.
pub(crate) fn word<T: Clone>(given: &str, name: &str, words: &[(&str, T)]) -> PyResult<T> {
    words.iter().find(|(word, _)| *word == given).map(|(_, value)| value.clone()).ok_or_else(|| {
        let list: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        PyValueError::new_err(format!("{name} is \"{given}\", but must be one of {}", list.join(", ")))
    })
}

const PARTITIONS: [(&str, lib::Partition); 3] = [
    ("watershed", lib::Partition::Watershed),
    ("monotone", lib::Partition::Monotone),
    ("layers", lib::Partition::Layers),
];
const EROSIONS: [(&str, lib::Erosion); 2] =
    [("chamfer", lib::Erosion::Chamfer), ("euclidean", lib::Erosion::Euclidean)];

/// The word for a value.
pub(crate) fn name_of<T: PartialEq + Copy>(value: T, words: &[(&'static str, T)]) -> &'static str {
    words.iter().find(|(_, one)| *one == value).map_or("", |(word, _)| word)
}

#[derive(Clone, Copy, FromPyObject)]
pub(crate) struct AgentFields {
    height: f32,
    radius: f32,
    max_climb: f32,
    max_slope: f32,
    max_drop: f32,
}

/// Agent as it is given.
pub(crate) type AgentIn = Fields<AgentFields>;

impl AgentIn {
    pub(crate) fn get(&self) -> lib::AgentSettings {
        let AgentFields { height, radius, max_climb, max_slope, max_drop } = self.0;
        lib::AgentSettings { height, radius, max_climb, max_slope, max_drop }
    }
}

#[derive(FromPyObject)]
pub(crate) struct BakeFields {
    agent: AgentIn,
    cell_size: f32,
    cell_height: f32,
    filter_low_hanging_obstacles: bool,
    filter_ledges: bool,
    filter_low_height: bool,
    erosion: String,
    partition: String,
    #[pyo3(from_py_with = whole)]
    region_min_size: u32,
    #[pyo3(from_py_with = whole)]
    region_merge_size: u32,
    edge_max_len: f32,
    edge_max_error: f32,
    #[pyo3(from_py_with = whole)]
    verts_per_poly: u32,
    detail_sample_dist: f32,
    detail_sample_max_error: f32,
    #[pyo3(from_py_with = whole)]
    tile_size: u32,
    bounds: Option<(Point, Point)>,
}

/// Bake as it is given.
pub(crate) type BakeIn = Fields<BakeFields>;

impl BakeIn {
    pub(crate) fn get(self) -> PyResult<lib::BakeSettings> {
        Ok(lib::BakeSettings {
            agent: self.0.agent.get(),
            cell_size: self.0.cell_size,
            cell_height: self.0.cell_height,
            filters: lib::Filters {
                low_hanging_obstacles: self.0.filter_low_hanging_obstacles,
                ledges: self.0.filter_ledges,
                low_height: self.0.filter_low_height,
            },
            erosion: word(&self.0.erosion, "erosion", &EROSIONS)?,
            partition: word(&self.0.partition, "partition", &PARTITIONS)?,
            region_min_size: self.0.region_min_size,
            region_merge_size: self.0.region_merge_size,
            edge_max_len: self.0.edge_max_len,
            edge_max_error: self.0.edge_max_error,
            verts_per_poly: self.0.verts_per_poly,
            detail_sample_dist: self.0.detail_sample_dist,
            detail_sample_max_error: self.0.detail_sample_max_error,
            tile_size: self.0.tile_size,
            bounds: self.0.bounds.map(aabb).transpose()?,
        })
    }
}

/// The settings of a bake as a dict, for the dataclass.
pub(crate) fn bake_out<'py>(py: Python<'py>, s: &lib::BakeSettings) -> PyResult<Bound<'py, PyAny>> {
    let dict = pyo3::types::PyDict::new(py);
    let agent = pyo3::types::PyDict::new(py);
    agent.set_item("height", s.agent.height)?;
    agent.set_item("radius", s.agent.radius)?;
    agent.set_item("max_climb", s.agent.max_climb)?;
    agent.set_item("max_slope", s.agent.max_slope)?;
    agent.set_item("max_drop", s.agent.max_drop)?;
    let module = py.import("wayfare.settings")?;
    dict.set_item("agent", module.getattr("AgentSettings")?.call((), Some(&agent))?)?;
    dict.set_item("cell_size", s.cell_size)?;
    dict.set_item("cell_height", s.cell_height)?;
    dict.set_item("filter_low_hanging_obstacles", s.filters.low_hanging_obstacles)?;
    dict.set_item("filter_ledges", s.filters.ledges)?;
    dict.set_item("filter_low_height", s.filters.low_height)?;
    dict.set_item("erosion", name_of(s.erosion, &EROSIONS))?;
    dict.set_item("partition", name_of(s.partition, &PARTITIONS))?;
    dict.set_item("region_min_size", s.region_min_size)?;
    dict.set_item("region_merge_size", s.region_merge_size)?;
    dict.set_item("edge_max_len", s.edge_max_len)?;
    dict.set_item("edge_max_error", s.edge_max_error)?;
    dict.set_item("verts_per_poly", s.verts_per_poly)?;
    dict.set_item("detail_sample_dist", s.detail_sample_dist)?;
    dict.set_item("detail_sample_max_error", s.detail_sample_max_error)?;
    dict.set_item("tile_size", s.tile_size)?;
    dict.set_item("bounds", s.bounds.as_ref().and_then(crate::arrays::corners))?;
    module.getattr("BakeSettings")?.call((), Some(&dict))
}

/// Settings for an agent, with cells made for it. `BakeSettings.for_agent` calls it.
#[pyfunction]
pub(crate) fn _settings_for_agent<'py>(py: Python<'py>, agent: AgentIn) -> PyResult<Bound<'py, PyAny>> {
    bake_out(py, &lib::BakeSettings::for_agent(agent.get()))
}

/// The library's defaults, to which a test holds those of the dataclasses.
#[pyfunction]
pub(crate) fn _default_settings(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    bake_out(py, &lib::BakeSettings::default())
}

/// What is unwise in settings, in sentences. `BakeSettings.advice` calls it.
#[pyfunction]
pub(crate) fn _settings_advice(settings: BakeIn) -> PyResult<Vec<String>> {
    let settings = settings.get()?;
    settings.to_voxel().map_err(errors::value)?;
    let sentence = |w: &lib::SettingsWarning| format!("{} is {}: {}", w.name, w.value, w.advice);
    Ok(settings.warnings().iter().map(sentence).collect())
}

#[derive(FromPyObject)]
pub(crate) struct RuleFields {
    max_height: f32,
    max_distance: f32,
    rise: f32,
    spacing: f32,
    width: f32,
    two_way: bool,
    #[pyo3(from_py_with = whole)]
    area: i64,
    #[pyo3(from_py_with = whole)]
    flags: u16,
}

/// Rule as it is given.
pub(crate) type RuleIn = Fields<RuleFields>;

impl RuleIn {
    fn get(&self) -> PyResult<lib::LinkRule> {
        Ok(lib::LinkRule {
            max_height: self.0.max_height,
            max_distance: self.0.max_distance,
            rise: self.0.rise,
            spacing: self.0.spacing,
            width: self.0.width,
            two_way: self.0.two_way,
            area: area(self.0.area)?,
            flags: PolyFlags(self.0.flags),
        })
    }
}

#[derive(FromPyObject)]
pub(crate) struct LinksFields {
    drop: Option<RuleIn>,
    jump_down: Option<RuleIn>,
    jump_across: Option<RuleIn>,
    climb: Option<RuleIn>,
}

/// Links as it is given.
pub(crate) type LinksIn = Fields<LinksFields>;

impl LinksIn {
    pub(crate) fn get(&self) -> PyResult<lib::LinkSettings> {
        let rule = |rule: &Option<RuleIn>| rule.as_ref().map(RuleIn::get).transpose();
        let settings = lib::LinkSettings {
            drop: rule(&self.0.drop)?,
            jump_down: rule(&self.0.jump_down)?,
            jump_across: rule(&self.0.jump_across)?,
            climb: rule(&self.0.climb)?,
        };
        settings.check().map_err(errors::value)?;
        Ok(settings)
    }
}

/// Rules of automatic links for an agent, by kind. `LinkSettings.for_agent` calls it.
#[pyfunction]
pub(crate) fn _links_for_agent<'py>(py: Python<'py>, agent: AgentIn) -> PyResult<Bound<'py, PyAny>> {
    let links = lib::LinkSettings::for_agent(&agent.get());
    let module = py.import("wayfare.settings")?;
    let kind = module.getattr("LinkRule")?;
    let all = pyo3::types::PyDict::new(py);
    for (name, of) in [
        ("drop", lib::LinkKind::Drop),
        ("jump_down", lib::LinkKind::JumpDown),
        ("jump_across", lib::LinkKind::JumpAcross),
        ("climb", lib::LinkKind::Climb),
    ] {
        let Some(rule) = links.rule(of) else { continue };
        let dict = pyo3::types::PyDict::new(py);
        dict.set_item("max_height", rule.max_height)?;
        dict.set_item("max_distance", rule.max_distance)?;
        dict.set_item("rise", rule.rise)?;
        dict.set_item("spacing", rule.spacing)?;
        dict.set_item("width", rule.width)?;
        dict.set_item("two_way", rule.two_way)?;
        dict.set_item("area", rule.area.get())?;
        dict.set_item("flags", rule.flags.0)?;
        all.set_item(name, kind.call((), Some(&dict))?)?;
    }
    module.getattr("LinkSettings")?.call((), Some(&all))
}

/// The name of an object's class, or of the one of these that it is derived from.
pub(crate) fn class_name(object: &Bound<'_, PyAny>, names: &[&str]) -> PyResult<String> {
    for class in object.get_type().mro().iter() {
        let name: String = class.getattr("__name__")?.extract()?;
        if names.contains(&name.as_str()) {
            return Ok(name);
        }
    }
    Ok(object.get_type().name()?.to_string())
}

/// Refuses a volume that holds nothing, or whose box is not finite.
pub(crate) fn check_volume(volume: &lib::Volume) -> PyResult<()> {
    let is_inverted = match volume {
        lib::Volume::TurnedBox { half_extents, .. } => half_extents.min_element() < 0.0,
        lib::Volume::Cylinder { radius, height, .. } | lib::Volume::Capsule { radius, height, .. } => {
            *radius < 0.0 || *height < 0.0
        }
        lib::Volume::Prism { heights: [low, high], .. } => low > high,
        _ => false,
    };
    let bounds = volume.bounds();
    if is_inverted || bounds.is_empty() || !(bounds.min.is_finite() && bounds.max.is_finite()) {
        return Err(errors::value(
            "the volume holds nothing: its numbers must be finite, sizes 0 or more, and the lower height below the higher",
        ));
    }
    Ok(())
}

const VOLUMES: [&str; 7] = ["Box", "TurnedBox", "Cylinder", "Capsule", "Prism", "Hull", "Solid"];

/// A volume of the package's dataclasses.
pub(crate) fn volume(object: &Bound<'_, PyAny>) -> PyResult<lib::Volume> {
    let kind = class_name(object, &VOLUMES)?;
    let point = |name: &str| object.getattr(name)?.extract::<Point>().map(|p| p.0);
    let number = |name: &str| object.getattr(name)?.extract::<f32>();
    Ok(match kind.as_str() {
        "Box" => lib::Volume::Box(aabb((Point(point("low")?), Point(point("high")?)))?),
        "TurnedBox" => lib::Volume::TurnedBox {
            center: point("center")?,
            half_extents: point("half_extents")?,
            angle: number("angle")?,
        },
        "Cylinder" => {
            lib::Volume::Cylinder { base: point("base")?, radius: number("radius")?, height: number("height")? }
        }
        "Capsule" => {
            lib::Volume::Capsule { base: point("base")?, radius: number("radius")?, height: number("height")? }
        }
        "Prism" => {
            let outline: Vec<Point2> = object.getattr("outline")?.extract()?;
            let outline = outline.into_iter().map(|p| p.0).collect();
            lib::Volume::Prism { outline, heights: [number("low")?, number("high")?] }
        }
        "Hull" => lib::Volume::Hull(points(&object.getattr("points")?, "points")?.as_slice()?.to_vec()),
        "Solid" => {
            let (vertices, triangles) = (object.getattr("vertices")?, object.getattr("triangles")?);
            let mesh = tri_mesh(&vertices, &triangles, None, Frame::default())?;
            let offset = point("offset")?;
            lib::Volume::Mesh { surface: Arc::new(mesh), offset }
        }
        other => {
            return Err(PyTypeError::new_err(format!(
                "{other} is no volume: give one of wayfare.Box, TurnedBox, Cylinder, Capsule, Prism, Hull, Solid"
            )));
        }
    })
}

/// A volume with what it does to the surface in it.
pub(crate) fn marked(
    object: &Bound<'_, PyAny>,
    paint: Option<i64>,
    before_erosion: Option<bool>,
) -> PyResult<lib::MarkedVolume> {
    let volume = volume(object)?;
    let mut marked = match paint {
        Some(number) => lib::MarkedVolume::paint(volume, area(number)?),
        None => lib::MarkedVolume::block(volume),
    };
    if let Some(before) = before_erosion {
        marked.when = if before { lib::Marking::BeforeErosion } else { lib::Marking::AfterErosion };
    }
    Ok(marked)
}

/// A volume, the area type it paints with, and whether it is marked before erosion.
pub(crate) type VolumeOut<'py> = (Bound<'py, PyAny>, Option<u8>, bool);

/// The volume as one of the package's dataclasses, and what it does.
pub(crate) fn marked_out<'py>(py: Python<'py>, marked: &lib::MarkedVolume) -> PyResult<VolumeOut<'py>> {
    use crate::arrays::{from_points, from_rows, tuple};
    let module = py.import("wayfare.settings")?;
    let of = |name: &str| module.getattr(name);
    let volume = match &marked.volume {
        lib::Volume::Box(b) => of("Box")?.call1((tuple(b.min), tuple(b.max))),
        lib::Volume::TurnedBox { center, half_extents, angle } => {
            of("TurnedBox")?.call1((tuple(*center), tuple(*half_extents), *angle))
        }
        lib::Volume::Cylinder { base, radius, height } => of("Cylinder")?.call1((tuple(*base), *radius, *height)),
        lib::Volume::Capsule { base, radius, height } => of("Capsule")?.call1((tuple(*base), *radius, *height)),
        lib::Volume::Prism { outline, heights: [low, high] } => {
            let outline: Vec<(f32, f32)> = outline.iter().map(|p| (p.x, p.y)).collect();
            of("Prism")?.call1((outline, *low, *high))
        }
        lib::Volume::Hull(points) => of("Hull")?.call1((from_points(py, points.clone())?,)),
        lib::Volume::Mesh { surface, offset } => {
            let (verts, tris) = (from_points(py, surface.verts().to_vec())?, from_rows(py, surface.tris().to_vec())?);
            of("Solid")?.call1((verts, tris, tuple(*offset)))
        }
    }?;
    let paint = (!marked.area.is_null()).then(|| marked.area.get());
    Ok((volume, paint, marked.when == lib::Marking::BeforeErosion))
}

/// Triangles of arrays, checked.
pub(crate) fn tri_mesh(
    vertices: &Bound<'_, PyAny>,
    triangles: &Bound<'_, PyAny>,
    areas: Option<&Bound<'_, PyAny>>,
    frame: Frame,
) -> PyResult<lib::TriMesh> {
    let vertices = crate::arrays::loose_points(vertices, "vertices")?;
    let mut verts = vertices.as_slice()?.to_vec();
    let mut tris = indices(triangles)?;
    let areas = areas.map(areas_of).transpose()?;
    let areas = areas.unwrap_or_else(|| vec![AreaId::WALKABLE; tris.len()]);
    if frame != Frame::default() {
        frame.points_in(&mut verts);
        frame.wind(&mut tris);
    }
    lib::TriMesh::with_areas(verts, tris, areas).map_err(errors::value)
}

fn refuse_floats(object: &Bound<'_, PyAny>, sentence: &'static str) -> PyResult<()> {
    let kind = object.py().import("numpy")?.call_method1("asarray", (object,))?;
    let (kind, size) = (kind.getattr("dtype")?.getattr("kind")?.extract::<String>()?, kind.getattr("size")?);
    if kind == "f" && size.extract::<usize>()? > 0 {
        return Err(PyTypeError::new_err(sentence));
    }
    Ok(())
}

/// Triangles as indices, of whichever type of whole number.
fn indices(object: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; 3]>> {
    if let Ok(array) = object.extract::<PyReadonlyArray2<'_, u32>>()
        && array.as_array().ncols() == 3
    {
        return Ok(array.as_array().outer_iter().map(|row| [row[0], row[1], row[2]]).collect());
    }
    refuse_floats(object, "triangles are whole numbers, not floats: give indices into vertices")?;
    let array = crate::arrays::rows::<i64>(object, "triangles", 3, "int64")?;
    let index = |row: usize, value: i64| {
        u32::try_from(value).map_err(|_| {
            let range = "give the numbers of vertices, which count from 0";
            PyValueError::new_err(format!("row {row} of triangles has the index {value}: {range}"))
        })
    };
    let rows = array.as_array();
    rows.outer_iter().enumerate().map(|(i, r)| Ok([index(i, r[0])?, index(i, r[1])?, index(i, r[2])?])).collect()
}

/// Area types, one a triangle.
fn areas_of(object: &Bound<'_, PyAny>) -> PyResult<Vec<AreaId>> {
    refuse_floats(object, "area types are whole numbers, not floats: give 0 to 63")?;
    let array = crate::arrays::column::<i64>(object, "areas", "int64")?;
    array.as_array().iter().map(|number| area(*number)).collect()
}

#[derive(FromPyObject)]
pub(crate) struct ConnectionFields {
    start: Point,
    end: Point,
    radius: f32,
    two_way: bool,
    #[pyo3(from_py_with = whole)]
    area: i64,
    #[pyo3(from_py_with = whole)]
    flags: u16,
    #[pyo3(from_py_with = whole)]
    user_id: u32,
}

/// Connection as it is given.
pub(crate) type ConnectionIn = Fields<ConnectionFields>;

impl ConnectionIn {
    pub(crate) fn get(&self) -> PyResult<OffMeshConnection> {
        Ok(OffMeshConnection {
            start: self.0.start.0,
            end: self.0.end.0,
            radius: self.0.radius,
            two_way: self.0.two_way,
            area: area(self.0.area)?,
            flags: PolyFlags(self.0.flags),
            user_id: self.0.user_id,
        })
    }
}

/// An off-mesh connection as the package's dataclass.
pub(crate) fn connection_out<'py>(py: Python<'py>, c: &OffMeshConnection) -> PyResult<Bound<'py, PyAny>> {
    let kind = py.import("wayfare.settings")?.getattr("Connection")?;
    let (start, end) = (crate::arrays::tuple(c.start), crate::arrays::tuple(c.end));
    kind.call1((start, end, c.radius, c.two_way, c.area.get(), c.flags.0, c.user_id))
}

/// Names and costs of area types: `{number: (name, cost)}`, or `{number: cost}`.
pub(crate) fn area_table(given: &BTreeMap<i64, (String, f32)>) -> PyResult<AreaTable> {
    let info = given
        .iter()
        .map(|(number, (name, cost))| Ok(AreaInfo { area: area(*number)?, name: name.clone(), cost: *cost }));
    AreaTable::new(info.collect::<PyResult<_>>()?).map_err(errors::value)
}

/// Flags by area type.
pub(crate) fn area_rules(given: &BTreeMap<i64, u16>) -> PyResult<AreaRules> {
    let mut rules = AreaRules::NONE;
    for (number, flags) in given {
        rules.set(area(*number)?, Some(PolyFlags(*flags)));
    }
    Ok(rules)
}

/// The axes and unit of other engines.
#[pyclass(module = "wayfare", name = "Frame", frozen, eq, from_py_object)]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct PyFrame(pub(crate) Frame);

#[pymethods]
impl PyFrame {
    /// A frame with an axis that points up, a handedness, and a unit in metres.
    #[new]
    #[pyo3(signature = (up = "y", handedness = "right", unit = 1.0))]
    fn new(up: &str, handedness: &str, unit: f64) -> PyResult<Self> {
        let up = word(up, "up", &[("y", UpAxis::Y), ("z", UpAxis::Z)])?;
        let hand = word(handedness, "handedness", &[("right", Handedness::Right), ("left", Handedness::Left)])?;
        Frame::new(up, hand, unit).map(Self).map_err(errors::value)
    }

    /// The coordinates of Unity: y up, left-handed, metres.
    #[classattr]
    const UNITY: PyFrame = PyFrame(Frame::UNITY);
    /// The coordinates of Unreal: z up, left-handed, centimetres.
    #[classattr]
    const UNREAL: PyFrame = PyFrame(Frame::UNREAL);
    /// Right-handed metres with z up, as in ROS and Blender.
    #[classattr]
    const Z_UP: PyFrame = PyFrame(Frame::METRES_Z_UP);

    /// The axis that points up: "y" or "z".
    #[getter]
    fn up(&self) -> &'static str {
        name_of(self.0.up(), &[("y", UpAxis::Y), ("z", UpAxis::Z)])
    }

    /// "right" or "left".
    #[getter]
    fn handedness(&self) -> &'static str {
        name_of(self.0.handedness(), &[("right", Handedness::Right), ("left", Handedness::Left)])
    }

    /// Metres in a unit.
    #[getter]
    fn unit(&self) -> f64 {
        self.0.unit()
    }

    /// Points of this frame in Wayfare's coordinates, shape (n, 3).
    fn points_in<'py>(&self, points: &Bound<'py, PyAny>) -> PyResult<Bound<'py, numpy::PyArray2<f32>>> {
        let mut list = crate::arrays::points(points, "points")?.as_slice()?.to_vec();
        self.0.points_in(&mut list);
        crate::arrays::from_points(points.py(), list)
    }

    /// Points of Wayfare in the coordinates of this frame, shape (n, 3).
    fn points_out<'py>(&self, points: &Bound<'py, PyAny>) -> PyResult<Bound<'py, numpy::PyArray2<f32>>> {
        let mut list = crate::arrays::points(points, "points")?.as_slice()?.to_vec();
        self.0.points_out(&mut list);
        crate::arrays::from_points(points.py(), list)
    }

    fn __repr__(&self) -> String {
        format!("Frame(up=\"{}\", handedness=\"{}\", unit={})", self.up(), self.handedness(), self.unit())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (&'static str, &'static str, f64))> {
        let own = slf.get();
        Ok((slf.get_type().into_any(), (own.up(), own.handedness(), own.unit())))
    }
}
