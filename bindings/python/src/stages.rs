//! The products of single stages of a bake, for those who look into them; and small pieces of the library by themselves.

use crate::arrays::{Point2, from_column, from_points};
use crate::bake::{bake_failed, settings_arg};
use crate::errors;
use crate::held::Seen;
use crate::level::PyLevel;
use crate::mesh::PyNavMesh;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wayfare::Vec2;
use wayfare::avoid::{AgentState, AvoidScratch, Avoider, Neighbour, Surroundings, Wall};
use wayfare::bake::{BakeObserver, BakeReport, BakeStep, Door, Products, TileBaker, TileInput, TilePlan};
use wayfare::context::Context;
use wayfare::debug::{ShapeKind, ShapeList, draw_mesh};
use wayfare::math::{Hull3, convex_hull, convex_hull3};

fn name(step: BakeStep) -> String {
    format!("{step:?}").chars().fold(String::new(), |mut text, c| {
        if c.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(c.to_lowercase());
        text
    })
}

/// What there is after a step, as arrays.
fn arrays<'py>(py: Python<'py>, step: BakeStep, products: &Products) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    match step {
        BakeStep::Rasterize | BakeStep::Filter => {
            let field = &products.heightfield;
            dict.set_item("width", field.grid.width)?;
            dict.set_item("depth", field.grid.depth)?;
            dict.set_item("columns", from_column(py, field.columns.clone()))?;
            dict.set_item("min", from_column(py, field.min.clone()))?;
            dict.set_item("max", from_column(py, field.max.clone()))?;
            dict.set_item("area", from_column(py, field.area.iter().map(|a| a.get()).collect()))?;
        }
        BakeStep::Compact | BakeStep::MarkBefore | BakeStep::Erode | BakeStep::MarkAfter => {
            let field = &products.compact;
            dict.set_item("width", field.grid.width)?;
            dict.set_item("depth", field.grid.depth)?;
            dict.set_item("columns", from_column(py, field.columns.clone()))?;
            dict.set_item("y", from_column(py, field.y.clone()))?;
            dict.set_item("clearance", from_column(py, field.clearance.clone()))?;
            dict.set_item("area", from_column(py, field.area.iter().map(|a| a.get()).collect()))?;
        }
        BakeStep::Distance => {
            dict.set_item("distance", from_column(py, products.distances.distance.clone()))?;
            dict.set_item("most", products.distances.max)?;
        }
        BakeStep::Regions => {
            dict.set_item("region", from_column(py, products.regions.id.clone()))?;
            dict.set_item("count", products.regions.count)?;
        }
        BakeStep::Contours => {
            let set = &products.contours;
            let point = |v: &wayfare::bake::ContourVert| set.grid.world(v.x, v.y, v.z);
            let outline = |c: &wayfare::bake::Contour| from_points(py, set.verts_of(c).iter().map(point).collect());
            dict.set_item("outlines", set.contours.iter().map(outline).collect::<PyResult<Vec<_>>>()?)?;
        }
        BakeStep::Polygons => {
            let mesh = &products.polygons;
            let point = |[x, y, z]: &[i32; 3]| mesh.grid.world(*x, *y, *z);
            dict.set_item("points", from_points(py, mesh.verts.iter().map(point).collect())?)?;
            let polys: Vec<Vec<u32>> = (0..mesh.polys.len()).map(|i| mesh.corners_of(i).to_vec()).collect();
            dict.set_item("polys", polys)?;
        }
        BakeStep::Detail | BakeStep::Tile => {
            dict.set_item("points", from_points(py, products.detail.verts.clone())?)?;
        }
    }
    Ok(dict)
}

struct Asked<'py> {
    function: Bound<'py, PyAny>,
    failure: Option<PyErr>,
}

impl BakeObserver for Asked<'_> {
    fn after(&mut self, step: BakeStep, products: &Products) {
        if self.failure.is_some() {
            return;
        }
        let py = self.function.py();
        let told = arrays(py, step, products).and_then(|dict| self.function.call1((name(step), dict)));
        self.failure = told.err();
    }
}

/// Bakes one tile and shows what there is after each step: calls `observer(step, arrays)` with the step's name ("rasterize", "filter",
/// "compact", "mark_before", "erode", "mark_after", "distance", "regions", "contours", "polygons", "detail", "tile") and what it made.
#[pyfunction]
#[pyo3(signature = (level, observer, settings = None, *, tile = 0))]
pub(crate) fn bake_stages(
    level: PyLevel,
    observer: Bound<'_, PyAny>,
    settings: Option<&Bound<'_, PyAny>>,
    tile: u64,
) -> PyResult<()> {
    let settings = settings_arg(settings)?;
    let plan = TilePlan::new(level.level(), &settings).map_err(bake_failed)?;
    if tile >= plan.tile_count() {
        return Err(errors::value(format_args!("tile {tile} of {}: count from 0", plan.tile_count())));
    }
    let mut baker = TileBaker::new(plan.level, plan.settings);
    let input = TileInput { level: level.level(), triangles: None, tile: plan.tile(tile) };
    let mut report = BakeReport::new(settings.bounds_of(level.level()));
    let mut asked = Asked { function: observer, failure: None };
    let doors = [Door::Triangles, Door::Tile];
    let baked = baker.run(&input, doors, &mut asked, &Context::default(), &mut report);
    asked.failure.map_or(Ok(()), Err)?;
    baked.map(drop).map_err(bake_failed)
}

/// The corners of the convex hull of points (x, z), as indices.
#[pyfunction]
#[pyo3(name = "convex_hull")]
pub(crate) fn py_convex_hull(points: Vec<Point2>) -> Vec<u32> {
    convex_hull(&points.iter().map(|p| p.0).collect::<Vec<Vec2>>())
}

/// The convex hull of points, shape (n, 3): its triangles as indices. Empty if the points lie on a plane.
#[pyfunction]
#[pyo3(name = "convex_hull3")]
pub(crate) fn py_convex_hull3(points: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; 3]>> {
    let list = crate::arrays::points(points, "points")?;
    Ok(match convex_hull3(list.as_slice()?) {
        Hull3::Solid(hull) => hull.triangles,
        _ => Vec::new(),
    })
}

#[derive(FromPyObject)]
pub(crate) struct MethodIn {
    method: String,
    settings: std::collections::BTreeMap<String, f64>,
}

/// One agent's velocity among neighbours and walls, by a method of avoidance, on the plane (x, z): the agent is at `position`, goes with
/// `velocity`, and wants `desired`. Neighbours are (position, velocity, radius); walls are pairs of points, with the surface to their left, from
/// which it keeps `wall_distance`: its radius unless given, 0 where they are the border of a mesh.
#[pyfunction]
#[pyo3(signature = (method, position, velocity, desired, *, radius = 0.6, max_speed = 3.5, wall_distance = None, neighbours = Vec::new(), walls = Vec::new()))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn avoid_velocity(
    method: MethodIn,
    position: Point2,
    velocity: Point2,
    desired: Point2,
    radius: f32,
    max_speed: f32,
    wall_distance: Option<f32>,
    neighbours: Vec<(Point2, Point2, f32)>,
    walls: Vec<(Point2, Point2)>,
) -> PyResult<(f32, f32)> {
    let avoidance = crate::params::avoidance(&method.method, &method.settings)?;
    for (name, value) in [("radius", radius), ("max_speed", max_speed), ("wall_distance", wall_distance.unwrap_or(0.0))]
    {
        if !(value.is_finite() && value >= 0.0) {
            return Err(errors::value(format_args!("{name} is {value}, but must be 0 or more")));
        }
    }
    let neighbour = |(at, going, radius): &(Point2, Point2, f32)| Neighbour {
        position: at.0,
        velocity: going.0,
        desired: going.0,
        radius: *radius,
        share: 0.5,
    };
    let neighbours: Vec<Neighbour> = neighbours.iter().map(neighbour).collect();
    let walls: Vec<Wall> = walls.iter().map(|(a, b)| Wall { a: a.0, b: b.0 }).collect();
    let wall_distance = wall_distance.unwrap_or(radius);
    let agent =
        AgentState { position: position.0, velocity: velocity.0, desired: desired.0, radius, max_speed, wall_distance };
    let around = Surroundings { agent, neighbours: &neighbours, walls: &walls };
    let chosen = avoidance.velocity(&around, &mut AvoidScratch::default());
    Ok((chosen.x, chosen.y))
}

/// One shape: what it is, what it stands for, and its points.
type ShapeOut<'py> = (&'static str, String, Bound<'py, PyAny>);

#[pymethods]
impl PyNavMesh {
    /// The shapes of a picture of the mesh, for a renderer of your own: "polygon", "line" or "point", what each stands for, and its points.
    fn shapes<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> PyResult<Vec<ShapeOut<'py>>> {
        let mut list = ShapeList::new();
        draw_mesh(slf.mesh(), &mut list);
        let one = |shape: &wayfare::debug::DrawnShape| {
            let kind = match shape.kind {
                ShapeKind::Polygon => "polygon",
                ShapeKind::Line => "line",
                ShapeKind::Point => "point",
                ShapeKind::Label(_) => "label",
            };
            let points = from_points(py, list.points(shape).to_vec())?.into_any();
            Ok((kind, format!("{:?}", shape.role), points))
        };
        list.shapes().iter().map(one).collect()
    }
}
