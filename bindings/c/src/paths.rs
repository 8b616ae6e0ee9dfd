//! Paths: over polygons, straight, shortest; to several goals or into a box; and whether there is one.

use crate::border::{fill, fill_text, list, put};
use crate::cost_bounds::WayfareCostBounds;
use crate::filter::by_filter;
use crate::geometry::{WayfareBox, WayfarePlace, WayfareVec3, bounds};
use crate::handle::Handle;
use crate::mesh::WayfareMesh;
use crate::query::{Session, WayfareQuery, limit_number};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use core::ffi::c_char;
use wayfare_nav::area::PathStatus;
use wayfare_nav::mesh::NavMesh;
use wayfare_nav::query::{
    BoxGoalRequest, CostBounds, Crossings, NearestGoalRequest, PathQuestion, PathRequest, PolyPath, StraightPath,
    StraightPoint, add_crossings, explain_path, find_bounded_path_into, find_optimal_path_into, find_path_into,
    find_path_to_box_into, find_path_to_nearest_into, is_reachable, string_pull_into,
};

/// Whether a path leads to its goal.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfarePathStatus {
    /// To the goal.
    Complete = 0,
    /// As near to it as one can come, or as a limit allowed.
    Partial = 1,
    /// There is none: an end is not near the mesh, or cannot be left.
    None = 2,
}

/// A path in short. Its points and polygons are asked of the query, until its next question.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfarePath {
    /// A `WayfarePathStatus`.
    pub status: u32,
    /// A `WayfareLimitHit`: the limit that cut the search short.
    pub limit: u32,
    /// How many points the straight line through it has; 0 before it was asked for.
    pub point_count: u32,
    /// How many polygons.
    pub poly_count: u32,
    /// Nodes that the search opened.
    pub nodes: u32,
    /// What it costs.
    pub cost: f32,
    /// The length of the straight line; 0 before it was asked for.
    pub length: f32,
    /// Where it ends.
    pub end: WayfareVec3,
}

/// A point of a path: a corner, or an end.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfarePathPoint {
    /// Where.
    pub point: WayfareVec3,
    /// A `WayfarePathPointKind`.
    pub kind: u32,
    /// The polygon that is entered here.
    pub poly: u64,
}

impl WayfarePathPoint {
    pub(crate) fn of(corner: &StraightPoint) -> Self {
        Self { point: corner.point.into(), kind: corner.kind as u32, poly: corner.poly.to_bits() }
    }
}

impl WayfarePath {
    pub(crate) fn of(path: &PolyPath, straight: Option<&StraightPath>) -> Self {
        Self {
            status: path.status as u32,
            limit: limit_number(path.limit),
            point_count: straight.map_or(0, |line| line.points.len() as u32),
            poly_count: path.polys.len() as u32,
            nodes: path.nodes,
            cost: path.cost,
            length: straight.map_or(0.0, |line| line.length),
            end: path.end.into(),
        }
    }
}

/// The request from place to place, in a session that forgets its last path; `None` if one of them is not near the mesh.
fn begin(session: &mut Session, from: WayfarePlace, to: WayfarePlace) -> Outcome<Option<PathRequest>> {
    session.path.clear();
    session.straight.points.clear();
    session.straight.length = 0.0;
    session.request(from, to)
}

/// The path between two places, in the session.
pub(crate) fn search(session: &mut Session, from: WayfarePlace, to: WayfarePlace) -> Outcome {
    let Some(request) = begin(session, from, to)? else { return Ok(()) };
    let Session { mesh, filter, scratch, path, .. } = session;
    by_filter!(filter, |filter| find_path_into(mesh, &request, filter, scratch, path)).map_err(Failure::stale)
}

/// The same guided by bounds, with its string pulled.
pub(crate) fn search_bounded(
    session: &mut Session,
    bounds: &CostBounds,
    from: WayfarePlace,
    to: WayfarePlace,
) -> Outcome {
    let Some(request) = begin(session, from, to)? else { return Ok(()) };
    let Session { mesh, filter, scratch, path, .. } = session;
    let on: (&NavMesh, &CostBounds) = (mesh, bounds);
    by_filter!(filter, |filter| find_bounded_path_into(on, &request, filter, scratch, path)).map_err(Failure::stale)?;
    pull(session);
    Ok(())
}

/// The same with its string pulled.
pub(crate) fn search_straight(session: &mut Session, from: WayfarePlace, to: WayfarePlace) -> Outcome {
    search(session, from, to)?;
    pull(session);
    Ok(())
}

fn pull(session: &mut Session) {
    let Session { scratch, path, straight, .. } = session;
    if path.status == PathStatus::None {
        straight.points.clear();
        straight.length = 0.0;
    } else {
        string_pull_into(path, scratch, straight);
    }
}

/// Finds a path over polygons. Its polygons: `wayfare_query_polygons`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_path(
    query: WayfareQuery,
    from: WayfarePlace,
    to: WayfarePlace,
    path: *mut WayfarePath,
) -> WayfareStatus {
    border(|| {
        let mut session = query.write()?;
        search(&mut session, from, to)?;
        put!(path, WayfarePath::of(&session.path, None))
    })
}

/// Finds a path over polygons and the shortest line through them.
///
/// `points` gets its points; `capacity` may be 0 to ask for them later, with `wayfare_query_points`. Where it is too small
/// but not 0, the first `capacity` points are written and the status is TOO_SMALL; the others are still there to be asked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_straight_path(
    query: WayfareQuery,
    from: WayfarePlace,
    to: WayfarePlace,
    points: *mut WayfareVec3,
    capacity: usize,
    path: *mut WayfarePath,
) -> WayfareStatus {
    border(|| {
        let mut session = query.write()?;
        search_straight(&mut session, from, to)?;
        give_path(&session, points, capacity, path)
    })
}

/// Gives the path that was found last, and the points of its line that there is room for.
fn give_path(session: &Session, points: *mut WayfareVec3, capacity: usize, path: *mut WayfarePath) -> Outcome {
    put!(path, WayfarePath::of(&session.path, Some(&session.straight)))?;
    if capacity == 0 {
        return Ok(());
    }
    let corners = &session.straight.points;
    let (mut written, count) = (0, corners.len());
    let first = corners[..count.min(capacity)].iter().map(|corner| corner.point.into());
    fill!(points, capacity, &raw mut written, first)?;
    if count <= capacity {
        return Ok(());
    }
    let sentence = format_args!(
        "the path has {count} points, but the capacity is {capacity}: ask for them by `wayfare_query_points`"
    );
    Err(Failure::new(WayfareStatus::TooSmall, sentence))
}

/// Finds the shortest path in any direction: straight wherever the goal is in sight. Points as with
/// `wayfare_query_straight_path`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_optimal_path(
    query: WayfareQuery,
    from: WayfarePlace,
    to: WayfarePlace,
    points: *mut WayfareVec3,
    capacity: usize,
    path: *mut WayfarePath,
) -> WayfareStatus {
    border(|| {
        let mut session = query.write()?;
        search_optimal(&mut session, from, to)?;
        give_path(&session, points, capacity, path)
    })
}

pub(crate) fn search_optimal(session: &mut Session, from: WayfarePlace, to: WayfarePlace) -> Outcome {
    let request = session.request(from, to)?;
    let Session { mesh, filter, scratch, path, straight, optimal, .. } = session;
    match request {
        None => optimal.clear(),
        Some(request) => {
            by_filter!(filter, |filter| find_optimal_path_into(mesh, &request, filter, scratch, optimal))
                .map_err(Failure::stale)?;
        }
    }
    path.clone_from(&optimal.path);
    straight.clone_from(&optimal.straight);
    Ok(())
}

/// Finds the cheapest path over polygons, guided by bounds: at most 1.0001 times as expensive as the cheapest. Where there is
/// no path, a limit is hit or the bounds do not hold for the query's mesh, the answer is that of
/// `wayfare_query_straight_path`. Points as there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_bounded_path(
    query: WayfareQuery,
    bounds: WayfareCostBounds,
    from: WayfarePlace,
    to: WayfarePlace,
    points: *mut WayfareVec3,
    capacity: usize,
    path: *mut WayfarePath,
) -> WayfareStatus {
    border(|| {
        let (mut session, bounds) = (query.write()?, bounds.read()?);
        search_bounded(&mut session, &bounds, from, to)?;
        give_path(&session, points, capacity, path)
    })
}

/// Finds a path to the nearest of several goals; `goal` gets its number, or `SIZE_MAX` if none can be reached. Goals that
/// are not near the mesh are left out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_path_to_nearest(
    query: WayfareQuery,
    from: WayfarePlace,
    goals: *const WayfarePlace,
    goal_count: usize,
    goal: *mut usize,
    path: *mut WayfarePath,
) -> WayfareStatus {
    border(|| {
        let mut session = query.write()?;
        let goals = list!(goals, goal_count)?;
        let mut numbers = Vec::new();
        let mut places = Vec::new();
        for (number, goal) in goals.iter().enumerate() {
            if let Some(place) = session.place(*goal, "goals").map_err(|failure| failure.at(number))? {
                numbers.push(number);
                places.push(place);
            }
        }
        let start = session.place(from, "from")?;
        let Session { mesh, filter, scratch, path: found, limits, placement, .. } = &mut *session;
        let reached = match start {
            None => {
                found.clear();
                None
            }
            Some(start) => {
                let request = NearestGoalRequest { limits: *limits, ..NearestGoalRequest::new(start, &places) };
                let request = request.placed_by(*placement);
                by_filter!(filter, |filter| find_path_to_nearest_into(mesh, &request, filter, scratch, found))
                    .map_err(Failure::stale)?
            }
        };
        put!(goal, reached.map_or(usize::MAX, |at| numbers[at]))?;
        pull(&mut session);
        put!(path, WayfarePath::of(&session.path, Some(&session.straight)))
    })
}

/// Finds a path to the nearest polygon that reaches into a box.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_path_to_box(
    query: WayfareQuery,
    from: WayfarePlace,
    area: WayfareBox,
    path: *mut WayfarePath,
) -> WayfareStatus {
    border(|| {
        let (mut session, area) = (query.write()?, bounds(area, "area")?);
        let start = session.place(from, "from")?;
        let Session { mesh, filter, scratch, path: found, limits, placement, .. } = &mut *session;
        match start {
            None => found.clear(),
            Some(start) => {
                let request =
                    BoxGoalRequest { limits: *limits, ..BoxGoalRequest::new(start, area) }.placed_by(*placement);
                by_filter!(filter, |filter| find_path_to_box_into(mesh, &request, filter, scratch, found))
                    .map_err(Failure::stale)?;
            }
        }
        pull(&mut session);
        put!(path, WayfarePath::of(&session.path, Some(&session.straight)))
    })
}

/// The points of the last path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_points(
    query: WayfareQuery,
    points: *mut WayfarePathPoint,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(points, capacity, count, query.read()?.straight.points.iter().map(WayfarePathPoint::of)))
}

/// The points of the last path, and those where its line crosses borders: of areas only, or of all polygons with `all` 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_points_with_crossings(
    query: WayfareQuery,
    all: u32,
    points: *mut WayfarePathPoint,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let session = query.read()?;
        let crossings = if all == 0 { Crossings::Areas } else { Crossings::All };
        let line = add_crossings(&session.mesh, &session.path, crossings, &session.straight).map_err(Failure::stale)?;
        fill!(points, capacity, count, line.points.iter().map(WayfarePathPoint::of))
    })
}

/// The polygons of the last path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_polygons(
    query: WayfareQuery,
    polys: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(polys, capacity, count, query.read()?.path.polys.iter().map(|poly| poly.to_bits())))
}

/// A line through polygons that are known: the last path of the query becomes this one, if each polygon leads to the next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_along(
    query: WayfareQuery,
    polys: *const u64,
    poly_count: usize,
    from: WayfareVec3,
    to: WayfareVec3,
    path: *mut WayfarePath,
) -> WayfareStatus {
    border(|| {
        let polys = list!(polys, poly_count)?.iter().map(|poly| crate::geometry::poly_ref(*poly, "polys"));
        let polys: Vec<_> = polys.collect::<Outcome<_>>()?;
        let mut session = query.write()?;
        let [from, to] = [crate::geometry::point(from, "from")?, crate::geometry::point(to, "to")?];
        session.path = PolyPath::along(&session.mesh, &polys, from, to).map_err(Failure::stale)?;
        pull(&mut session);
        put!(path, WayfarePath::of(&session.path, Some(&session.straight)))
    })
}

/// Whether the last path still holds on the query's mesh: `broken` is 0 if it does; else `step` is the number of the first
/// polygon that is gone, closed, or apart from the next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_path_holds(
    query: WayfareQuery,
    broken: *mut u32,
    step: *mut u32,
) -> WayfareStatus {
    border(|| {
        let session = query.read()?;
        let fault = by_filter!(&session.filter, |filter| session.path.check(&session.mesh, filter));
        let fault = fault.or_else(|| session.path.soon_broken(&session.mesh));
        put!(broken, fault.is_some().into())?;
        if step.is_null() { Ok(()) } else { put!(step, fault.map_or(0, |fault| fault.step)) }
    })
}

/// Whether a place can be reached: 1, 0, or −1 if a limit cut the search short.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_reachable(
    query: WayfareQuery,
    from: WayfarePlace,
    to: WayfarePlace,
    answer: *mut i32,
) -> WayfareStatus {
    border(|| put!(answer, reach(&mut *query.write()?, from, to)?))
}

pub(crate) fn reach(session: &mut Session, from: WayfarePlace, to: WayfarePlace) -> Outcome<i32> {
    let Some(request) = session.request(from, to)? else { return Ok(0) };
    let Session { mesh, filter, scratch, .. } = session;
    let answer = by_filter!(filter, |filter| is_reachable(mesh, &request, filter, scratch)).map_err(Failure::stale)?;
    Ok(answer.map_or(-1, i32::from))
}

/// Why there is no path, by name (`whole` 0) or in a sentence. `found` is 1 if there is one; may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_explain(
    query: WayfareQuery,
    from: WayfareVec3,
    to: WayfareVec3,
    whole: u32,
    found: *mut u32,
    out: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> WayfareStatus {
    border(|| {
        let mut session = query.write()?;
        let [from, to] = [crate::geometry::point(from, "from")?, crate::geometry::point(to, "to")?];
        let question = PathQuestion { from, to, half_extents: session.reach, limits: session.limits };
        let Session { mesh, filter, scratch, .. } = &mut *session;
        let why = by_filter!(filter, |filter| explain_path(mesh, &question, filter, scratch));
        if !found.is_null() {
            put!(found, why.is_found().into())?;
        }
        fill_text!(out, capacity, length, if whole == 0 { why.reason.name().to_owned() } else { why.to_string() })
    })
}

/// The path between two points in one call: the shortest in any direction. Whoever asks often keeps a query.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_find_path(
    mesh: WayfareMesh,
    from: WayfareVec3,
    to: WayfareVec3,
    points: *mut WayfareVec3,
    capacity: usize,
    count: *mut usize,
    status: *mut u32,
) -> WayfareStatus {
    border(|| {
        let [from, to] = [crate::geometry::point(from, "from")?, crate::geometry::point(to, "to")?];
        let route = mesh.read()?.find_path(from, to);
        put!(status, route.status as u32)?;
        fill!(points, capacity, count, route.points.into_iter().map(WayfareVec3::from))
    })
}
