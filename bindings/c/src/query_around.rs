//! Questions about what is around a place: rays, moves, walls, neighbours, random places.

use crate::border::{fill, list, put};
use crate::filter::by_filter;
use crate::geometry::{WayfareBox, WayfarePlace, WayfareVec3, bounds, length, point, points, with_rng};
use crate::handle::Handle;
use crate::query::{Session, WayfareQuery};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use wayfare_nav::query::{
    AroundRequest, NearestWall, NeighbourhoodRequest, PointSampler, find_distance_to_wall, local_neighbourhood_into,
    move_along_surface_into, polys_around_into, polys_in_box_into, random_point_in_circle, raycast_into,
    raycast_with_cost_into, wall_segments_into,
};

/// A line of sight along the surface.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareRay {
    /// 1 if a wall is hit before the end.
    pub hit: u32,
    /// How many polygons it crosses: `wayfare_query_ray_polygons`.
    pub poly_count: u32,
    /// The part of the line that is free, 0 to 1.
    pub t: f32,
    /// What walking it costs; 0 where that was not asked for.
    pub cost: f32,
    /// Where it ends.
    pub point: WayfareVec3,
    /// The normal of the wall that is hit.
    pub normal: WayfareVec3,
}

/// Casts a ray in the session; one that begins off the mesh hits at once.
pub(crate) fn cast(session: &mut Session, from: WayfarePlace, to: WayfareVec3, with_cost: bool) -> Outcome<WayfareRay> {
    let to = point(to, "to")?;
    let start = session.place(from, "from")?;
    let Session { mesh, filter, scratch, ray, .. } = session;
    let Some(start) = start else {
        ray.polys.clear();
        return Ok(WayfareRay { hit: 1, point: from.point, ..WayfareRay::default() });
    };
    let done = by_filter!(filter, |filter| if with_cost {
        raycast_with_cost_into(mesh, start, to, filter, scratch, ray)
    } else {
        raycast_into(mesh, start, to, filter, scratch, ray)
    });
    done.map_err(Failure::stale)?;
    Ok(WayfareRay {
        hit: ray.hit.into(),
        poly_count: ray.polys.len() as u32,
        t: ray.t,
        cost: if with_cost { ray.cost } else { 0.0 },
        point: ray.point.into(),
        normal: ray.normal.into(),
    })
}

/// Looks along the surface from a place to a point: what can be seen is what can be walked straight.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_ray(
    query: WayfareQuery,
    from: WayfarePlace,
    to: WayfareVec3,
    ray: *mut WayfareRay,
) -> WayfareStatus {
    border(|| put!(ray, cast(&mut *query.write()?, from, to, false)?))
}

/// The same, with what walking there costs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_ray_with_cost(
    query: WayfareQuery,
    from: WayfarePlace,
    to: WayfareVec3,
    ray: *mut WayfareRay,
) -> WayfareStatus {
    border(|| put!(ray, cast(&mut *query.write()?, from, to, true)?))
}

/// The polygons that the last ray crossed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_ray_polygons(
    query: WayfareQuery,
    polys: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(polys, capacity, count, query.read()?.ray.polys.iter().map(|poly| poly.to_bits())))
}

pub(crate) fn slide(session: &mut Session, from: WayfarePlace, to: WayfareVec3) -> Outcome<WayfarePlace> {
    let to = point(to, "to")?;
    session.moved.clear();
    let Some(start) = session.place(from, "from")? else { return Ok(WayfarePlace { poly: 0, point: from.point }) };
    let Session { mesh, filter, scratch, moved, .. } = session;
    let end = by_filter!(filter, |filter| move_along_surface_into(mesh, start, to, filter, scratch, moved));
    Ok(end.map_err(Failure::stale)?.into())
}

/// Moves from a place towards a point and slides along walls: for short moves, as of a frame. `end.poly` is 0 if the place
/// is not near the mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_move(
    query: WayfareQuery,
    from: WayfarePlace,
    to: WayfareVec3,
    end: *mut WayfarePlace,
) -> WayfareStatus {
    border(|| put!(end, slide(&mut *query.write()?, from, to)?))
}

/// The polygons that the last move went over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_moved_over(
    query: WayfareQuery,
    polys: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(polys, capacity, count, query.read()?.moved.iter().map(|poly| poly.to_bits())))
}

/// A stretch of wall.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareWall {
    /// Where it begins.
    pub start: WayfareVec3,
    /// Where it ends.
    pub end: WayfareVec3,
}

/// The nearest wall.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareNearestWall {
    /// 1 if there is one within the radius.
    pub found: u32,
    /// How far it is.
    pub distance: f32,
    /// Its nearest point.
    pub point: WayfareVec3,
    /// From the wall to the place.
    pub normal: WayfareVec3,
    /// The whole stretch.
    pub wall: WayfareWall,
}

pub(crate) fn wall_near(session: &mut Session, at: WayfarePlace, radius: f32) -> Outcome<WayfareNearestWall> {
    let radius = length(radius, "radius")?;
    let Some(place) = session.place(at, "at")? else { return Ok(WayfareNearestWall::default()) };
    let Session { mesh, filter, scratch, .. } = session;
    let found = by_filter!(filter, |filter| find_distance_to_wall(mesh, place, radius, filter, scratch));
    let Some(NearestWall { distance, point, normal, wall }) = found.map_err(Failure::stale)? else {
        return Ok(WayfareNearestWall::default());
    };
    let wall = WayfareWall { start: wall.start.into(), end: wall.end.into() };
    Ok(WayfareNearestWall { found: 1, distance, point: point.into(), normal: normal.into(), wall })
}

/// The wall nearest to a place within a radius.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_nearest_wall(
    query: WayfareQuery,
    at: WayfarePlace,
    radius: f32,
    wall: *mut WayfareNearestWall,
) -> WayfareStatus {
    border(|| put!(wall, wall_near(&mut *query.write()?, at, radius)?))
}

/// The walls of the polygon at a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_walls(
    query: WayfareQuery,
    at: WayfarePlace,
    walls: *mut WayfareWall,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let mut session = query.write()?;
        let place = session.place(at, "at")?;
        let Session { mesh, filter, walls: found, .. } = &mut *session;
        found.clear();
        if let Some(place) = place {
            by_filter!(filter, |filter| wall_segments_into(mesh, place.poly, filter, found)).map_err(Failure::stale)?;
        }
        fill!(walls, capacity, count, found.iter().map(|w| WayfareWall { start: w.start.into(), end: w.end.into() }))
    })
}

/// A polygon that can be reached.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareReached {
    /// The polygon.
    pub poly: u64,
    /// The one before it; 0 for the first.
    pub parent: u64,
    /// What it costs to get there.
    pub cost: f32,
    /// Nothing; 0.
    pub reserved: u32,
}

/// The polygons that can be reached without leaving a circle, cheapest first; or without leaving a convex outline, if
/// `corner_count` is not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_around(
    query: WayfareQuery,
    at: WayfarePlace,
    radius: f32,
    corners: *const WayfareVec3,
    corner_count: usize,
    reached: *mut WayfareReached,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let outline = points(list!(corners, corner_count)?, "corners")?;
        let radius = length(radius, "radius")?;
        let mut session = query.write()?;
        let place = session.place(at, "at")?;
        let Session { mesh, filter, scratch, placement, reached: found, .. } = &mut *session;
        found.clear();
        if let Some(place) = place {
            let request = if outline.is_empty() {
                AroundRequest::circle(place, radius)
            } else {
                AroundRequest::convex(place, &outline)
            };
            let request = request.placed_by(*placement);
            by_filter!(filter, |filter| polys_around_into(mesh, &request, filter, scratch, found))
                .map_err(Failure::stale)?;
        }
        let answer = found.iter().map(|one| WayfareReached {
            poly: one.poly.to_bits(),
            parent: one.parent.map_or(0, |parent| parent.to_bits()),
            cost: one.cost,
            reserved: 0,
        });
        fill!(reached, capacity, count, answer)
    })
}

/// Polygons near a place that do not overlap each other seen from above: by their portals, or with `by_distance` 1 by
/// their distance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_neighbourhood(
    query: WayfareQuery,
    at: WayfarePlace,
    radius: f32,
    by_distance: u32,
    polys: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let radius = length(radius, "radius")?;
        let mut session = query.write()?;
        let place = session.place(at, "at")?;
        let Session { mesh, filter, scratch, polys: found, .. } = &mut *session;
        found.clear();
        if let Some(place) = place {
            let request = NeighbourhoodRequest::new(place, radius);
            let request = if by_distance == 0 { request } else { request.by_distance() };
            by_filter!(filter, |filter| local_neighbourhood_into(mesh, &request, filter, scratch, found))
                .map_err(Failure::stale)?;
        }
        fill!(polys, capacity, count, found.iter().map(|poly| poly.to_bits()))
    })
}

/// The polygons of which the boxes touch a box.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_in_box(
    query: WayfareQuery,
    area: WayfareBox,
    polys: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let area = bounds(area, "area")?;
        let mut session = query.write()?;
        let Session { mesh, filter, polys: found, .. } = &mut *session;
        found.clear();
        by_filter!(filter, |filter| polys_in_box_into(mesh, &area, filter, found));
        fill!(polys, capacity, count, found.iter().map(|poly| poly.to_bits()))
    })
}

/// Random places, evenly over the mesh. `random` is a seed that goes on: the same seed gives the same places. `count` of
/// them are asked for; `found` is how many there are, fewer only where the mesh is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_random(
    query: WayfareQuery,
    random: *mut u64,
    places: *mut WayfarePlace,
    count: usize,
    found: *mut usize,
) -> WayfareStatus {
    border(|| {
        let mut session = query.write()?;
        let Session { mesh, filter, sampler, .. } = &mut *session;
        let sampler = sampler.get_or_insert_with(|| by_filter!(filter, |filter| PointSampler::on_mesh(mesh, filter)));
        let drawn = with_rng(random, |rng| {
            let draws = (0..count).map(|_| sampler.sample(mesh, rng).map_err(Failure::stale));
            let draws: Vec<_> = draws.collect::<Outcome<_>>()?;
            Ok(draws.into_iter().flatten().map(WayfarePlace::from).collect::<Vec<_>>())
        })?;
        fill!(places, count, found, drawn.into_iter())
    })
}

/// Random places that can be reached within a radius.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_random_around(
    query: WayfareQuery,
    at: WayfarePlace,
    radius: f32,
    random: *mut u64,
    places: *mut WayfarePlace,
    count: usize,
    found: *mut usize,
) -> WayfareStatus {
    border(|| {
        let radius = length(radius, "radius")?;
        let mut session = query.write()?;
        let place = session.place(at, "at")?;
        let Session { mesh, filter, scratch, .. } = &mut *session;
        let drawn = with_rng(random, |rng| {
            let mut drawn = Vec::new();
            for _ in 0..if place.is_some() { count } else { 0 } {
                let Some(place) = place else { break };
                let one =
                    by_filter!(&*filter, |filter| random_point_in_circle(mesh, place, radius, filter, scratch, rng));
                drawn.extend(one.map_err(Failure::stale)?.map(WayfarePlace::from));
            }
            Ok(drawn)
        })?;
        fill!(places, count, found, drawn.into_iter())
    })
}
