//! Corridors: an agent's path, kept up while both ends move and the mesh changes.

use crate::border::{fill, put};
use crate::filter::by_filter;
use crate::geometry::{WayfarePlace, WayfareVec3, length, point};
use crate::handle::{Handle, handle};
use crate::query::{Session, WayfareQuery};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use wayfare_nav::corridor::{CorridorCorner, CorridorScratch, PathCorridor, Repair};
use wayfare_nav::mesh::PolyRef;

/// An agent's path. It is asked with a query, for the query's mesh and filter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareCorridor {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareCorridor, Corridor, "corridor");

/// A corridor, its memory and its last corners.
pub(crate) struct Corridor {
    corridor: PathCorridor,
    scratch: CorridorScratch,
    corners: Vec<CorridorCorner>,
}

/// A corner of a corridor.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareCorner {
    /// Where.
    pub point: WayfareVec3,
    /// A `WayfareCornerKind`.
    pub at: u32,
    /// The polygon, or the connection.
    pub poly: u64,
}

impl WayfareCorner {
    pub(crate) fn of(corner: &CorridorCorner) -> Self {
        Self { point: corner.point.into(), at: corner.at as u32, poly: corner.poly.to_bits() }
    }
}

/// A corridor at a place of the query's mesh, which leads nowhere yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_corridor_new(
    query: WayfareQuery,
    at: WayfarePlace,
    corridor: *mut WayfareCorridor,
) -> WayfareStatus {
    border(|| {
        let place = query.read()?.place(at, "at")?.ok_or_else(|| Failure::argument("`at` is not near the mesh"))?;
        let made =
            Corridor { corridor: PathCorridor::new(place), scratch: CorridorScratch::new(), corners: Vec::new() };
        put!(corridor, WayfareCorridor::keep(made)?)
    })
}

/// Follows the last path of the query, which must begin where the corridor does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_corridor_follow(corridor: WayfareCorridor, query: WayfareQuery) -> WayfareStatus {
    border(|| corridor.write()?.corridor.follow(&query.read()?.path).map_err(Failure::argument))
}

/// Moves the start, as the agent walks; `to` where it can be, which `now` gets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_corridor_move_start(
    corridor: WayfareCorridor,
    query: WayfareQuery,
    to: WayfareVec3,
    now: *mut WayfareVec3,
) -> WayfareStatus {
    border(|| {
        let (session, mut held, to) = (query.read()?, corridor.write()?, point(to, "to")?);
        let Corridor { corridor, scratch, .. } = &mut *held;
        let moved = by_filter!(&session.filter, |filter| corridor.move_start(&session.mesh, to, filter, scratch));
        put!(now, moved.map_err(Failure::stale)?.into())
    })
}

/// Moves the end, as the target moves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_corridor_move_end(
    corridor: WayfareCorridor,
    query: WayfareQuery,
    to: WayfareVec3,
    now: *mut WayfareVec3,
) -> WayfareStatus {
    border(|| {
        let (session, mut held, to) = (query.read()?, corridor.write()?, point(to, "to")?);
        let Corridor { corridor, scratch, .. } = &mut *held;
        let moved = by_filter!(&session.filter, |filter| corridor.move_end(&session.mesh, to, filter, scratch));
        put!(now, moved.map_err(Failure::stale)?.into())
    })
}

/// The next corners, `limit` at most.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_corridor_corners(
    corridor: WayfareCorridor,
    limit: usize,
    corners: *mut WayfareCorner,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let mut held = corridor.write()?;
        let Corridor { corridor, scratch, corners: found } = &mut *held;
        corridor.corners_into(limit, scratch, found);
        fill!(corners, capacity, count, found.iter().map(WayfareCorner::of))
    })
}

/// The length of the whole way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_corridor_length(corridor: WayfareCorridor, length: *mut f32) -> WayfareStatus {
    border(|| {
        let mut held = corridor.write()?;
        let Corridor { corridor, scratch, .. } = &mut *held;
        put!(length, corridor.length(scratch))
    })
}

/// Its polygons.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_corridor_polygons(
    corridor: WayfareCorridor,
    polys: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(polys, capacity, count, corridor.read()?.corridor.polys().iter().map(|poly| poly.to_bits())))
}

/// Where it begins and ends; polygon 0 if it is lost.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_corridor_ends(
    corridor: WayfareCorridor,
    start: *mut WayfarePlace,
    end: *mut WayfarePlace,
) -> WayfareStatus {
    border(|| {
        let held = corridor.read()?;
        put!(start, held.corridor.start().map_or(WayfarePlace::default(), Into::into))?;
        put!(end, held.corridor.end().map_or(WayfarePlace::default(), Into::into))
    })
}

/// Shortens the corridor: to `next` if it can be seen within `range`, then by a small search of `nodes`. 0 leaves either
/// out. `shortened` is 1 if it did; may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_corridor_shorten(
    corridor: WayfareCorridor,
    query: WayfareQuery,
    next: WayfareVec3,
    range: f32,
    nodes: u32,
    shortened: *mut u32,
) -> WayfareStatus {
    border(|| {
        let (session, mut held) = (query.read()?, corridor.write()?);
        let (next, range) = (point(next, "next")?, length(range, "range")?);
        let done = shorten(&session, &mut held, (next, range), nodes)?;
        if shortened.is_null() { Ok(()) } else { put!(shortened, done.into()) }
    })
}

fn shorten(
    session: &Session,
    held: &mut Corridor,
    (next, range): (wayfare_nav::Vec3, f32),
    nodes: u32,
) -> Outcome<bool> {
    let Corridor { corridor, scratch, .. } = held;
    let mesh = &session.mesh;
    by_filter!(&session.filter, |filter| {
        let mut done = false;
        if range > 0.0 {
            done |= corridor.optimise_visibility(mesh, next, range, filter, scratch).map_err(Failure::stale)?;
        }
        if nodes > 0 {
            done |= corridor.optimise_topology(mesh, nodes, filter, scratch).map_err(Failure::stale)?;
        }
        Ok(done)
    })
}

/// How a corridor fared, for `wayfare_corridor_repair`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareRepair {
    /// It holds.
    Whole = 0,
    /// It was cut before what broke: search a path anew from its end.
    Cut = 1,
    /// Its start was moved to the nearest place, and nothing else is left of it.
    Moved = 2,
    /// There is no mesh near it.
    Lost = 3,
}

/// Checks the next `look_ahead` polygons of a corridor, and keeps what still holds. Its start may be moved by `reach`.
/// `repair` gets a `WayfareRepair`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_corridor_repair(
    corridor: WayfareCorridor,
    query: WayfareQuery,
    look_ahead: u32,
    repair: *mut u32,
) -> WayfareStatus {
    border(|| {
        let (session, mut held) = (query.read()?, corridor.write()?);
        let (mesh, reach) = (&session.mesh, session.reach);
        let done = by_filter!(&session.filter, |filter| held.corridor.repair(mesh, look_ahead, reach, filter));
        let number = match done {
            Repair::Whole => WayfareRepair::Whole,
            Repair::Cut(_) => WayfareRepair::Cut,
            Repair::Moved(_) => WayfareRepair::Moved,
            Repair::Lost(_) => WayfareRepair::Lost,
        };
        put!(repair, number as u32)
    })
}

/// Enters the connection that the corner `number` of the last asked ones is: the corridor goes on behind it. `entered` is 0
/// if that corner is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_corridor_enter_connection(
    corridor: WayfareCorridor,
    query: WayfareQuery,
    number: usize,
    entered: *mut u32,
    from: *mut WayfareVec3,
    to: *mut WayfareVec3,
) -> WayfareStatus {
    border(|| {
        let (session, mut held) = (query.read()?, corridor.write()?);
        let corner = held.corners.get(number).copied();
        let corner = corner.ok_or_else(|| Failure::argument("`number`: the corridor has no such corner"))?;
        let crossing = held.corridor.enter_connection(&session.mesh, &corner);
        put!(entered, crossing.is_some().into())?;
        let Some(crossing) = crossing else { return Ok(()) };
        put!(from, crossing.from.into())?;
        put!(to, crossing.to.into())
    })
}

/// Frees a corridor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_corridor_free(corridor: WayfareCorridor) -> WayfareStatus {
    border(|| corridor.free())
}

/// The polygons of a corridor that others hold.
pub(crate) fn bits(polys: &[PolyRef]) -> impl ExactSizeIterator<Item = u64> + '_ {
    polys.iter().map(|poly| poly.to_bits())
}
