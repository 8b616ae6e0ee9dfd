//! Questions to a mesh, one at a time. A session holds a filter and memory, and follows its mesh as that changes.

use crate::arrays::{Corners, Point, aabb, corners, from_column, from_points, tuple};
use crate::bounds::{BoundsOrName, bounds_or_name};
use crate::errors;
use crate::filter::{AnyFilter, PyFilter};
use crate::held::{Own, Seen, seen};
use crate::mesh::{PyNavMesh, poly};
use crate::path::{PyPath, PyPlace, PyRay, PyWall, limit_name};
use crate::settings::word;
use crate::whole::whole;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};
use std::sync::Arc;
use wayfare::Vec3;
use wayfare::graph::SearchLimits;
use wayfare::math::Rng;
use wayfare::mesh::{NavMesh, PolyRef, StaleRef};
use wayfare::query::{
    AroundRequest, BoxGoalRequest, CostBounds, Crossings, DEFAULT_REACH, NavQuery, NeighbourhoodRequest, NodePlacement,
    PathRequest, PolyPath, PolyPoint, QueryPoint, StraightPath, add_crossings, closest_point_on_boundary,
    closest_point_on_poly, find_path_to_box, local_neighbourhood, poly_height, polys_around, polys_in_box,
    portal_between, random_point_in_circle, string_pull, wall_segments,
};

/// A session of the library.
pub(crate) type Session = NavQuery<NavMesh, AnyFilter>;

/// The session that a mesh is asked with directly.
pub(crate) struct DefaultSession(pub(crate) Session);

/// Where a question is asked: a point, or a place of an earlier answer.
#[derive(Clone, Copy)]
pub(crate) struct At(pub(crate) QueryPoint);

impl<'py> FromPyObject<'_, 'py> for At {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(place) = object.cast::<PyPlace>() {
            return Ok(Self(QueryPoint::On(poly_point(place.get())?)));
        }
        object.extract::<Point>().map(|point| Self(QueryPoint::Anywhere(point.0)))
    }
}

/// The place that a Python object is.
pub(crate) fn poly_point(place: &PyPlace) -> PyResult<PolyPoint> {
    let (x, y, z) = place.point;
    Ok(PolyPoint { poly: poly(place.poly)?, point: Vec3::new(x, y, z) })
}

/// Which search finds a path: by its name, or the bounds that guide it.
#[derive(Clone)]
pub(crate) enum Search {
    Optimal,
    Corridor,
    Bounded(Arc<CostBounds>),
}

impl<'py> FromPyObject<'_, 'py> for Search {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match bounds_or_name(&object, "search")? {
            BoundsOrName::Bounds(bounds) => Ok(Self::Bounded(bounds)),
            BoundsOrName::Name(name) => {
                word(&name, "search", &[("optimal", Self::Optimal), ("corridor", Self::Corridor)])
            }
        }
    }
}

/// A path and its points, in memory of their own.
pub(crate) fn path_of(
    query: &mut Session,
    from: QueryPoint,
    to: QueryPoint,
    search: &Search,
) -> Result<PyPath, StaleRef> {
    let search = |query: &mut Session| match (search, from, to) {
        (Search::Bounded(by), QueryPoint::Anywhere(a), QueryPoint::Anywhere(b)) => {
            pulled(query.bounded_path(by, a, b)?)
        }
        (Search::Bounded(by), QueryPoint::Anywhere(a), QueryPoint::On(b)) => pulled(query.bounded_path(by, a, b)?),
        (Search::Bounded(by), QueryPoint::On(a), QueryPoint::Anywhere(b)) => pulled(query.bounded_path(by, a, b)?),
        (Search::Bounded(by), QueryPoint::On(a), QueryPoint::On(b)) => pulled(query.bounded_path(by, a, b)?),
        (Search::Optimal, QueryPoint::Anywhere(a), QueryPoint::Anywhere(b)) => optimal(query.optimal_path(a, b)?),
        (Search::Optimal, QueryPoint::Anywhere(a), QueryPoint::On(b)) => optimal(query.optimal_path(a, b)?),
        (Search::Optimal, QueryPoint::On(a), QueryPoint::Anywhere(b)) => optimal(query.optimal_path(a, b)?),
        (Search::Optimal, QueryPoint::On(a), QueryPoint::On(b)) => optimal(query.optimal_path(a, b)?),
        (Search::Corridor, QueryPoint::Anywhere(a), QueryPoint::Anywhere(b)) => pulled(query.straight_path(a, b)?),
        (Search::Corridor, QueryPoint::Anywhere(a), QueryPoint::On(b)) => pulled(query.straight_path(a, b)?),
        (Search::Corridor, QueryPoint::On(a), QueryPoint::Anywhere(b)) => pulled(query.straight_path(a, b)?),
        (Search::Corridor, QueryPoint::On(a), QueryPoint::On(b)) => pulled(query.straight_path(a, b)?),
    };
    search(query)
}

fn optimal(found: &wayfare::query::OptimalPath) -> Result<PyPath, StaleRef> {
    Ok(PyPath { path: found.path.clone(), straight: found.straight.clone() })
}

fn pulled(found: wayfare::query::PulledPath<'_>) -> Result<PyPath, StaleRef> {
    Ok(PyPath { path: found.path.clone(), straight: found.straight.clone() })
}

/// A session of questions to a mesh: with a filter, limits, and memory that is kept. It follows its mesh as that changes.
///
/// Points are looked up on the mesh within `reach` (to each side, up and down). A `Place` of an earlier answer is taken as it is.
#[pyclass(module = "wayfare", name = "Query")]
pub(crate) struct PyQuery {
    pub(crate) nav: Py<PyNavMesh>,
    pub(crate) session: Session,
    reach: Vec3,
    pub(crate) limits: SearchLimits,
    pub(crate) placement: NodePlacement,
    rng: Rng,
}

const PLACEMENTS: [(&str, NodePlacement); 3] =
    [("middle", NodePlacement::Middle), ("nearest", NodePlacement::Nearest), ("visible", NodePlacement::Visible)];

impl PyQuery {
    /// The session over the mesh as it is now.
    pub(crate) fn fresh(&mut self, py: Python<'_>) -> PyResult<&mut Session> {
        follow(&mut self.session, seen(self.nav.bind(py))?.mesh());
        Ok(&mut self.session)
    }

    /// What a question gives, unless the filter's functions have raised, or a place is stale.
    fn ask<T>(&mut self, py: Python<'_>, ask: impl FnOnce(&mut Session) -> Result<T, StaleRef>) -> PyResult<T> {
        let session = self.fresh(py)?;
        let answer = ask(session);
        if let Err(raised) = session.filter().raise() {
            // What is remembered of the mesh was asked of a filter that had raised.
            session.set_filter(session.filter().clone());
            return Err(raised);
        }
        answer.map_err(errors::stale)
    }

    pub(crate) fn place(&mut self, py: Python<'_>, at: At) -> PyResult<Option<PolyPoint>> {
        self.ask(py, |session| match at.0 {
            QueryPoint::On(place) => session.mesh().locate(place.poly).map(|_| Some(place)),
            QueryPoint::Anywhere(point) => Ok(session.nearest(point).map(|found| found.place())),
        })
    }
}

/// Has a session ask the mesh as it is now, at the costs that its area types have now.
fn follow(session: &mut Session, mesh: &NavMesh) {
    let is_same = mesh.version() == session.mesh().version() && std::ptr::eq(mesh.areas(), session.mesh().areas());
    if !is_same {
        session.set_mesh(mesh.clone());
    }
}

fn bits(polys: &[PolyRef]) -> Vec<u64> {
    polys.iter().map(|poly| poly.to_bits()).collect()
}

macro_rules! at {
    ($at:expr, $point:ident => $call:expr) => {
        match $at.0 {
            QueryPoint::Anywhere($point) => $call,
            QueryPoint::On($point) => $call,
        }
    };
}

#[pymethods]
impl PyQuery {
    /// `filter`: what may be walked on; unless given, everything, at the costs of the mesh's area types. `reach`: how far points may be from
    /// the mesh. `max_nodes` and `max_cost` limit searches. `placement` says where on the edges between polygons a search over polygons places its
    /// nodes: "middle", "nearest" or "visible". `seed` is that of random places.
    #[new]
    #[pyo3(signature = (mesh, filter = None, *, reach = None, max_nodes = None, max_cost = None, placement = "middle", seed = 0))]
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn new(
        mesh: &Bound<'_, PyNavMesh>,
        filter: Option<Py<PyFilter>>,
        reach: Option<Point>,
        #[pyo3(from_py_with = whole)] max_nodes: Option<u32>,
        max_cost: Option<f32>,
        placement: &str,
        #[pyo3(from_py_with = whole)] seed: u64,
    ) -> PyResult<Self> {
        let nav = seen(mesh)?;
        let usual = SearchLimits::default();
        let limits = SearchLimits {
            max_nodes: max_nodes.unwrap_or(usual.max_nodes),
            max_cost: max_cost.unwrap_or(usual.max_cost),
        };
        if limits.max_cost.is_nan() || limits.max_cost < 0.0 {
            return Err(errors::value(format_args!("max_cost is {}, but must be 0 or more", limits.max_cost)));
        }
        let placement = word(placement, "placement", &PLACEMENTS)?;
        let reach = reach.map_or(DEFAULT_REACH, |reach| reach.0);
        if reach.min_element() < 0.0 {
            return Err(errors::value(format_args!("reach is {reach:?}, but must be 0 or more to each side")));
        }
        let session = match filter {
            Some(filter) => NavQuery::new(nav.mesh().clone(), filter.get().any.apart()),
            None => NavQuery::with_filter_of(nav.mesh().clone(), AnyFilter::of_mesh),
        };
        let session = session.with_reach(reach).with_limits(limits).with_placement(placement);
        drop(nav);
        let nav = mesh.clone().unbind();
        Ok(Self { nav, session, reach, limits, placement, rng: Rng::new(seed) })
    }

    /// The mesh that is asked.
    #[getter]
    fn mesh(slf: Seen<'_, Self>, py: Python<'_>) -> Py<PyNavMesh> {
        slf.nav.clone_ref(py)
    }

    /// The nearest place on the mesh; None if none is within reach.
    fn nearest(mut slf: Own<'_, Self>, py: Python<'_>, point: Point) -> PyResult<Option<PyPlace>> {
        slf.ask(py, |session| Ok(session.nearest(point.0).map(PyPlace::of)))
    }

    /// The path from one place to another. `search`: "optimal", the shortest in any direction (nearly, where the surface is uneven: the way back may differ by a
    /// thousandth); or "corridor", the cheapest row of polygons with
    /// its string pulled, which is faster and may be longer; or `CostBounds`, which guide a search for such a row and find it faster still. Where
    /// the goal cannot be reached, it leads to the reachable place nearest to it.
    #[pyo3(signature = (start, goal, search = Search::Optimal))]
    fn find_path(mut slf: Own<'_, Self>, py: Python<'_>, start: At, goal: At, search: Search) -> PyResult<PyPath> {
        slf.ask(py, |session| path_of(session, start.0, goal.0, &search))
    }

    /// As `find_path` by "corridor", with a point wherever the line crosses from one area type to another, or, with `all`, from one polygon to
    /// another.
    #[pyo3(signature = (start, goal, all = false))]
    fn find_path_with_crossings(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        start: At,
        goal: At,
        all: bool,
    ) -> PyResult<PyPath> {
        let crossings = if all { Crossings::All } else { Crossings::Areas };
        slf.ask(py, |session| {
            let mut found = path_of(session, start.0, goal.0, &Search::Corridor)?;
            found.straight = add_crossings(session.mesh(), &found.path, crossings, &found.straight)?;
            Ok(found)
        })
    }

    /// The path to the nearest of several goals, and the goal's number; None where none can be reached.
    fn find_path_to_nearest(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        start: At,
        goals: Vec<At>,
    ) -> PyResult<(PyPath, Option<usize>)> {
        let mesh = slf.fresh(py)?.mesh();
        for (number, goal) in goals.iter().enumerate() {
            let QueryPoint::On(place) = goal.0 else { continue };
            mesh.locate(place.poly).map_err(|stale| errors::stale(format_args!("goal {number}: {stale}")))?;
        }
        slf.ask(py, |session| {
            let (path, goal) = session.path_to_nearest(start.0, goals.iter().map(|goal| goal.0))?;
            let path = path.clone();
            let straight = string_pull(&path, session.scratch());
            Ok((PyPath { path, straight }, goal))
        })
    }

    /// The path into a box.
    fn find_path_to_box(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        start: At,
        low: Point,
        high: Point,
    ) -> PyResult<PyPath> {
        let (limits, placement, bounds) = (slf.limits, slf.placement, aabb((low, high))?);
        let Some(start) = slf.place(py, start)? else { return Ok(nothing()) };
        slf.ask(py, |session| {
            let request = BoxGoalRequest { limits, ..BoxGoalRequest::new(start, bounds) }.placed_by(placement);
            let (mesh, filter) = (session.mesh().clone(), session.filter().clone());
            let path = find_path_to_box(&mesh, &request, &filter, session.scratch())?;
            let straight = string_pull(&path, session.scratch());
            Ok(PyPath { path, straight })
        })
    }

    /// Whether a place can be reached; None if a limit was hit before that was known.
    fn reachable(mut slf: Own<'_, Self>, py: Python<'_>, start: At, goal: At) -> PyResult<Option<bool>> {
        slf.ask(py, |session| at!(start, a => at!(goal, b => session.reachable(a, b))))
    }

    /// Why there is no path between two points: a dict with "reason" in one word, "sentence", and the places concerned.
    fn explain<'py>(
        mut slf: Own<'_, Self>,
        py: Python<'py>,
        start: Point,
        goal: Point,
    ) -> PyResult<Bound<'py, PyDict>> {
        let why = slf.ask(py, |session| Ok(session.explain(start.0, goal.0)))?;
        let dict = PyDict::new(py);
        dict.set_item("reason", why.reason.name())?;
        dict.set_item("sentence", why.to_string())?;
        dict.set_item("found", why.is_found())?;
        dict.set_item("components", (why.components[0], why.components[1]))?;
        dict.set_item("blocker", why.blocker.map(|(poly, _)| poly.to_bits()))?;
        dict.set_item("blocked_at", why.blocked_at.map(tuple))?;
        dict.set_item("reached", why.reached.map(tuple))?;
        dict.set_item("limit", limit_name(why.limit))?;
        Ok(dict)
    }

    /// How far a straight line along the surface is free; with `cost`, also what walking it costs.
    #[pyo3(signature = (start, end, cost = false))]
    fn raycast(mut slf: Own<'_, Self>, py: Python<'_>, start: At, end: Point, cost: bool) -> PyResult<PyRay> {
        slf.ask(py, |session| {
            let found = match cost {
                false => at!(start, a => session.ray(a, end.0))?,
                true => at!(start, a => session.ray_with_cost(a, end.0))?,
            };
            Ok(PyRay(found.clone()))
        })
    }

    /// Moves along the surface towards a point, sliding along walls; None if the start is not near the mesh.
    fn move_along(mut slf: Own<'_, Self>, py: Python<'_>, start: At, end: Point) -> PyResult<Option<PyPlace>> {
        slf.ask(py, |session| at!(start, a => session.move_along(a, end.0))).map(|place| place.map(PyPlace::at))
    }

    /// The nearest wall within a radius; None if there is none.
    fn nearest_wall(mut slf: Own<'_, Self>, py: Python<'_>, at: At, max_radius: f32) -> PyResult<Option<PyWall>> {
        let max_radius = radius_of(max_radius)?;
        slf.ask(py, |session| at!(at, a => session.nearest_wall(a, max_radius))).map(|wall| wall.map(PyWall))
    }

    /// The walls of the polygon at a place: both ends of each.
    fn walls(mut slf: Own<'_, Self>, py: Python<'_>, at: At) -> PyResult<Vec<Corners>> {
        let Some(place) = slf.place(py, at)? else { return Ok(Vec::new()) };
        let walls = slf.ask(py, |session| wall_segments(session.mesh(), place.poly, session.filter()))?;
        Ok(walls.iter().map(|wall| (tuple(wall.start), tuple(wall.end))).collect())
    }

    /// The polygons that can be reached within a circle: polygons, the one before each (0 for the first), costs.
    #[allow(clippy::type_complexity)]
    fn around<'py>(
        mut slf: Own<'_, Self>,
        py: Python<'py>,
        at: At,
        radius: f32,
    ) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<f32>>)> {
        let radius = radius_of(radius)?;
        let placement = slf.placement;
        let Some(place) = slf.place(py, at)? else { return Ok(reached(py, &[])) };
        let found = slf.ask(py, |session| {
            let (mesh, filter) = (session.mesh().clone(), session.filter().clone());
            polys_around(&mesh, &AroundRequest::circle(place, radius).placed_by(placement), &filter, session.scratch())
        })?;
        Ok(reached(py, &found))
    }

    /// The same within a convex shape of corners, shape (n, 3).
    #[allow(clippy::type_complexity)]
    fn around_convex<'py>(
        mut slf: Own<'_, Self>,
        py: Python<'py>,
        at: At,
        corners: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<f32>>)> {
        let corners = crate::arrays::points(corners, "corners")?;
        let corners = corners.as_slice()?;
        let placement = slf.placement;
        let Some(place) = slf.place(py, at)? else { return Ok(reached(py, &[])) };
        let found = slf.ask(py, |session| {
            let (mesh, filter) = (session.mesh().clone(), session.filter().clone());
            polys_around(&mesh, &AroundRequest::convex(place, corners).placed_by(placement), &filter, session.scratch())
        })?;
        Ok(reached(py, &found))
    }

    /// The polygons near a place that do not overlap: what one floor looks like around an agent.
    fn neighbourhood<'py>(
        mut slf: Own<'_, Self>,
        py: Python<'py>,
        at: At,
        radius: f32,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let radius = radius_of(radius)?;
        let Some(place) = slf.place(py, at)? else { return Ok(from_column(py, Vec::new())) };
        let found = slf.ask(py, |session| {
            let (mesh, filter) = (session.mesh().clone(), session.filter().clone());
            local_neighbourhood(&mesh, &NeighbourhoodRequest::new(place, radius), &filter, session.scratch())
        })?;
        Ok(from_column(py, bits(&found)))
    }

    /// The polygons that overlap a box.
    fn polys_in_box<'py>(
        mut slf: Own<'_, Self>,
        py: Python<'py>,
        low: Point,
        high: Point,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let bounds = aabb((low, high))?;
        let found = slf.ask(py, |session| Ok(polys_in_box(session.mesh(), &bounds, session.filter())))?;
        Ok(from_column(py, bits(&found)))
    }

    /// A random place on the mesh, evenly by area; None if nothing passes the filter. The next one follows from the seed.
    fn random_place(mut slf: Own<'_, Self>, py: Python<'_>) -> PyResult<Option<PyPlace>> {
        let mut rng = slf.rng.clone();
        let place = slf.ask(py, |session| Ok(session.random(&mut rng).map(PyPlace::at)));
        slf.rng = rng;
        place
    }

    /// A random place within a radius that can be reached.
    fn random_place_around(mut slf: Own<'_, Self>, py: Python<'_>, at: At, radius: f32) -> PyResult<Option<PyPlace>> {
        let radius = radius_of(radius)?;
        let Some(place) = slf.place(py, at)? else { return Ok(None) };
        let mut rng = slf.rng.clone();
        let found = slf.ask(py, |session| {
            let (mesh, filter) = (session.mesh().clone(), session.filter().clone());
            random_point_in_circle(&mesh, place, radius, &filter, session.scratch(), &mut rng)
        });
        slf.rng = rng;
        Ok(found?.map(PyPlace::at))
    }

    /// The closest point on a polygon, and whether the point is above or below it.
    fn closest_point(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        poly: u64,
        point: Point,
    ) -> PyResult<((f32, f32, f32), bool)> {
        let reference = self::poly(poly)?;
        let found = slf.ask(py, |session| closest_point_on_poly(session.mesh(), reference, point.0))?;
        Ok((tuple(found.point), found.over))
    }

    /// The closest point on a polygon's outline.
    fn closest_point_on_outline(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        poly: u64,
        point: Point,
    ) -> PyResult<(f32, f32, f32)> {
        let reference = self::poly(poly)?;
        slf.ask(py, |session| closest_point_on_boundary(session.mesh(), reference, point.0)).map(tuple)
    }

    /// The height of a polygon under a point; None beside it.
    fn height(mut slf: Own<'_, Self>, py: Python<'_>, poly: u64, point: Point) -> PyResult<Option<f32>> {
        let reference = self::poly(poly)?;
        slf.ask(py, |session| poly_height(session.mesh(), reference, point.0))
    }

    /// Both ends of the edge that leads from one polygon to another; None if none does.
    fn portal(mut slf: Own<'_, Self>, py: Python<'_>, start: u64, goal: u64) -> PyResult<Option<Corners>> {
        let (from, to) = (self::poly(start)?, self::poly(goal)?);
        let portal = slf.ask(py, |session| portal_between(session.mesh(), from, to))?;
        Ok(portal.map(|portal| (tuple(portal.left), tuple(portal.right))))
    }

    /// What has happened to a path since: None, or the number of the polygon at which it breaks, why in a word ("gone", "closed", "apart",
    /// "soon"), and the metres up to there.
    fn path_change(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        path: PyRef<'_, PyPath>,
    ) -> PyResult<Option<(u32, &'static str, f32)>> {
        let broken = slf.ask(py, |session| {
            Ok(path.path.check(session.mesh(), session.filter()).or_else(|| path.path.soon_broken(session.mesh())))
        })?;
        Ok(broken.map(|broken| (broken.step, broken_name(broken.by), broken.ahead)))
    }

    /// The nodes of a search over polygons, in the order in which they were opened: polygons, parents (-1 for the start), points (n, 3), costs.
    #[allow(clippy::type_complexity)]
    fn search_record<'py>(
        mut slf: Own<'_, Self>,
        py: Python<'py>,
        start: At,
        goal: At,
    ) -> PyResult<(
        Bound<'py, PyArray1<u64>>,
        Bound<'py, PyArray1<i64>>,
        Bound<'py, PyArray2<f32>>,
        Bound<'py, PyArray1<f32>>,
    )> {
        let mut observed = slf.fresh(py)?.clone().observed_by(wayfare::graph::SearchRecord::new());
        let found = at!(start, a => at!(goal, b => observed.path(a, b).map(drop)));
        observed.filter().raise()?;
        found.map_err(errors::stale)?;
        let nodes = observed.observer().searches().last().map_or(&[][..], |search| search.nodes());
        let parent = |parent: Option<u32>| parent.map_or(-1, i64::from);
        Ok((
            from_column(py, nodes.iter().map(|node| node.of.to_bits()).collect()),
            from_column(py, nodes.iter().map(|node| parent(node.parent)).collect()),
            from_points(py, nodes.iter().map(|node| node.at).collect())?,
            from_column(py, nodes.iter().map(|node| node.cost).collect()),
        ))
    }

    /// The box around the mesh.
    #[getter]
    fn bounds(slf: Seen<'_, Self>) -> Option<Corners> {
        corners(&slf.session.mesh().bounds())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.session.filter().traverse(&visit)
    }

    fn __clear__(&mut self) {
        let mut filter = self.session.filter().clone();
        filter.clear();
        self.session.set_filter(filter);
    }

    fn __repr__(slf: Seen<'_, Self>) -> String {
        format!("<wayfare.Query: reach {:?}, at most {} nodes>", slf.reach.to_array(), slf.limits.max_nodes)
    }
}

impl PyQuery {
    /// A search from place to place as the query makes it; None if one of them is not near the mesh.
    pub(crate) fn request(&mut self, py: Python<'_>, start: At, goal: At) -> PyResult<Option<PathRequest>> {
        let (start, goal) = (self.place(py, start)?, self.place(py, goal)?);
        let (limits, placement) = (self.limits, self.placement);
        Ok(start.zip(goal).map(|(start, goal)| PathRequest { start, goal, limits, placement }))
    }

    pub(crate) fn take_seed(&mut self) -> u64 {
        self.rng.next_u64()
    }
}

/// The word for what broke a path.
pub(crate) fn broken_name(by: wayfare::query::BrokenBy) -> &'static str {
    use wayfare::query::BrokenBy;
    match by {
        BrokenBy::Gone(_) => "gone",
        BrokenBy::Closed => "closed",
        BrokenBy::Apart => "apart",
        BrokenBy::Soon => "soon",
        _ => "other",
    }
}

pub(crate) fn radius_of(radius: f32) -> PyResult<f32> {
    if radius.is_nan() || radius < 0.0 {
        return Err(errors::value(format_args!("a radius is {radius}, but must be 0 or more")));
    }
    Ok(radius)
}

/// A path where there is none.
pub(crate) fn nothing() -> PyPath {
    PyPath { path: PolyPath::default(), straight: StraightPath::default() }
}

#[allow(clippy::type_complexity)]
fn reached<'py>(
    py: Python<'py>,
    found: &[wayfare::query::ReachedPoly],
) -> (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<f32>>) {
    (
        from_column(py, found.iter().map(|one| one.poly.to_bits()).collect()),
        from_column(py, found.iter().map(|one| one.parent.map_or(0, PolyRef::to_bits)).collect()),
        from_column(py, found.iter().map(|one| one.cost).collect()),
    )
}

#[pymethods]
impl PyNavMesh {
    /// A session of questions: see `Query`.
    #[pyo3(signature = (filter = None, *, reach = None, max_nodes = None, max_cost = None, placement = "middle", seed = 0))]
    #[allow(clippy::too_many_arguments)]
    fn query(
        slf: &Bound<'_, Self>,
        filter: Option<Py<PyFilter>>,
        reach: Option<Point>,
        #[pyo3(from_py_with = whole)] max_nodes: Option<u32>,
        max_cost: Option<f32>,
        placement: &str,
        #[pyo3(from_py_with = whole)] seed: u64,
    ) -> PyResult<PyQuery> {
        PyQuery::new(slf, filter, reach, max_nodes, max_cost, placement, seed)
    }

    /// The shortest path from one place to another, in one call: as `Query.find_path` with what is usual.
    fn find_path(mut slf: Own<'_, Self>, start: At, goal: At) -> PyResult<PyPath> {
        path_of(slf.own_session(), start.0, goal.0, &Search::Optimal).map_err(errors::stale)
    }

    /// The nearest place on the mesh, in one call: within two metres to each side and four up and down.
    fn nearest(mut slf: Own<'_, Self>, point: Point) -> Option<PyPlace> {
        slf.own_session().nearest(point.0).map(PyPlace::of)
    }
}

impl PyNavMesh {
    fn own_session(&mut self) -> &mut Session {
        let mesh = &self.file.mesh;
        let fresh = || Box::new(DefaultSession(NavQuery::with_filter_of(mesh.clone(), AnyFilter::of_mesh)));
        let session = &mut self.session.get_or_insert_with(fresh).0;
        follow(session, mesh);
        session
    }
}
