//! Beside the steps of a crowd: velocities that the game writes, events, corridors, formations, saves.

use crate::border::{fill, list, put};
use crate::bytes::{WayfareBytes, put_bytes};
use crate::choices::{Choice, choice};
use crate::corridor::{WayfareCorner, bits};
use crate::crowd::{WayfareCrowd, agent_of, failure};
use crate::crowd_object::CrowdObject;
use crate::filter::{AnyFilter, WayfareFilter};
use crate::geometry::{WayfareVec2, WayfareVec3, flat_points, point};
use crate::grid::{WayfareGridObstacle, grid_obstacles};
use crate::handle::{Handle, handle};
use crate::mesh::WayfareMesh;
use crate::queue::{WayfarePlanner, with_planner};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use wayfare_nav::crowd::{AgentId, Crowd, EventKind, Formation, Phase};

/// The arrays of velocities between the phases of a tick, for `wayfare_crowd_write`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareVelocityArray {
    /// What agents want: written by phase 5, read by 6.
    Desired = 0,
    /// What avoids others: written by phase 6, read by 7.
    Avoiding = 1,
    /// Where they are next: written by phase 7, read by 8.
    Next = 2,
}

choice!(WayfareVelocityArray: Desired, Avoiding, Next);

/// Writes a vector of one agent between two phases: a `WayfareVelocityArray` says which.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_write(
    crowd: WayfareCrowd,
    array: u32,
    agent: u64,
    value: WayfareVec3,
) -> WayfareStatus {
    border(|| {
        let mut held = crowd.write()?;
        let (index, value) = (agent_of(&held, agent)?.index(), point(value, "value")?);
        let all = match WayfareVelocityArray::of(array, "array")? {
            WayfareVelocityArray::Desired => held.desired_mut(),
            WayfareVelocityArray::Avoiding => held.avoiding_mut(),
            WayfareVelocityArray::Next => held.next_mut(),
        };
        match all.get_mut(index) {
            Some(place) => *place = value,
            None => return Err(Failure::stale(format_args!("agent {agent} has no place in the arrays"))),
        }
        Ok(())
    })
}

/// What can happen to an agent, for `WayfareEvent.kind`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareEventKind {
    /// Its path was found; `value` is 1 if it leads to the goal.
    PathFound = 0,
    /// Its goal cannot be reached.
    Unreachable = 1,
    /// Its path was lost to a change of the mesh.
    PathLost = 2,
    /// Its path will be lost soon: a change was announced.
    PathBreaksSoon = 3,
    /// A change of the mesh moved it from `from` to `to`.
    Displaced = 4,
    /// There is no mesh under it any more.
    GroundLost = 5,
    /// It has arrived.
    Arrived = 6,
    /// It gets no nearer; `value` says for how many spells of patience.
    Blocked = 7,
    /// It has given up.
    GaveUp = 8,
    /// It enters a connection, from `from` to `to`.
    ConnectionEntered = 9,
    /// It leaves it.
    ConnectionLeft = 10,
    /// Obstacles of `wayfare_crowd_set_obstacles` are in its way, and no local path leads around them; `value` is the
    /// number of the nearest.
    Obstructed = 11,
}

use WayfareEventKind as Kind;

/// Something that happened in the last tick.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareEvent {
    /// The agent.
    pub agent: u64,
    /// A `WayfareEventKind`; `UINT32_MAX` for one that a later library has.
    pub kind: u32,
    /// As its kind says.
    pub value: u32,
    /// As its kind says.
    pub from: WayfareVec3,
    /// As its kind says.
    pub to: WayfareVec3,
    /// The connection, or the polygon where the path breaks.
    pub poly: u64,
}

fn event_of(agent: u64, kind: EventKind) -> WayfareEvent {
    let event = |kind: Kind| WayfareEvent { agent, kind: kind as u32, ..WayfareEvent::default() };
    match kind {
        EventKind::PathFound { complete } => WayfareEvent { value: complete.into(), ..event(Kind::PathFound) },
        EventKind::Unreachable => event(Kind::Unreachable),
        EventKind::PathLost(broken) => {
            WayfareEvent { poly: broken.poly.to_bits(), value: broken.step, ..event(Kind::PathLost) }
        }
        EventKind::PathBreaksSoon(broken) => {
            WayfareEvent { poly: broken.poly.to_bits(), value: broken.step, ..event(Kind::PathBreaksSoon) }
        }
        EventKind::Displaced { from, to } => {
            WayfareEvent { from: from.into(), to: to.into(), ..event(Kind::Displaced) }
        }
        EventKind::SurfaceLost => event(Kind::GroundLost),
        EventKind::Arrived => event(Kind::Arrived),
        EventKind::Blocked { spells } => WayfareEvent { value: spells, ..event(Kind::Blocked) },
        EventKind::GaveUp => event(Kind::GaveUp),
        EventKind::ConnectionEntered(crossing) | EventKind::ConnectionLeft(crossing) => {
            let is_entered = matches!(kind, EventKind::ConnectionEntered(_));
            let entered_or_left = if is_entered { Kind::ConnectionEntered } else { Kind::ConnectionLeft };
            let (from, to) = (crossing.from.into(), crossing.to.into());
            WayfareEvent { from, to, poly: crossing.connection.to_bits(), ..event(entered_or_left) }
        }
        EventKind::Obstructed { by } => WayfareEvent { value: by, ..event(Kind::Obstructed) },
        _ => WayfareEvent { agent, kind: u32::MAX, ..WayfareEvent::default() },
    }
}

/// What happened in the last tick.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_events(
    crowd: WayfareCrowd,
    events: *mut WayfareEvent,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = crowd.read()?;
        fill!(events, capacity, count, held.events().iter().map(|event| event_of(event.agent.to_bits(), event.kind)))
    })
}

/// Sets all obstacles that agents walk around although the mesh does not contain them, in place of the earlier ones: crates,
/// parked cars, doors ajar. Call it again whenever one has moved; with none, they are gone.
///
/// An agent whose line to its next corner is blocked finds a local path around them, within 22 times its radius. If there
/// is none, it goes as near as it can, and `wayfare_crowd_obstructed_by` lists what is in its way. For obstacles that stay,
/// change the mesh: global paths then take them into account. A crowd's save does not contain them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_set_obstacles(
    crowd: WayfareCrowd,
    obstacles: *const WayfareGridObstacle,
    count: usize,
) -> WayfareStatus {
    border(|| {
        let all = grid_obstacles(list!(obstacles, count)?)?;
        crowd.write()?.set_obstacles(all);
        Ok(())
    })
}

/// The numbers of the obstacles on an agent's line to its next corner, nearest first, if no local path led around them in
/// the last tick; else none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_obstructed_by(
    crowd: WayfareCrowd,
    agent: u64,
    ids: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = crowd.read()?;
        let found = held.obstructed_by(agent_of(&held, agent)?).map_err(failure)?;
        fill!(ids, capacity, count, found.iter().copied())
    })
}

/// Where an agent steers instead of its next corner, to get around obstacles: `found` is 0, and nothing else is written, if
/// the line to its corner is free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_local_bend(
    crowd: WayfareCrowd,
    agent: u64,
    found: *mut u32,
    bend: *mut WayfareVec3,
) -> WayfareStatus {
    border(|| {
        let held = crowd.read()?;
        let at = held.local_bend_of(agent_of(&held, agent)?).map_err(failure)?;
        put!(found, at.is_some().into())?;
        let Some(at) = at else { return Ok(()) };
        put!(bend, at.into())
    })
}

/// The next corners of an agent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_corners(
    crowd: WayfareCrowd,
    agent: u64,
    corners: *mut WayfareCorner,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = crowd.read()?;
        let found = held.corners_of(agent_of(&held, agent)?).map_err(failure)?;
        fill!(corners, capacity, count, found.iter().map(WayfareCorner::of))
    })
}

/// The polygons of an agent's corridor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_corridor(
    crowd: WayfareCrowd,
    agent: u64,
    polys: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = crowd.read()?;
        let corridor = held.corridor(agent_of(&held, agent)?).map_err(failure)?;
        fill!(polys, capacity, count, bits(corridor.polys()))
    })
}

/// The neighbours that an agent saw in the last tick; 0 for those that were removed since.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_neighbours(
    crowd: WayfareCrowd,
    agent: u64,
    agents: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = crowd.read()?;
        let seen = held.neighbours_of(agent_of(&held, agent)?).map_err(failure)?;
        let numbers = seen.iter().map(|index| held.id_at(*index as usize).map_or(0, |id| id.to_bits()));
        fill!(agents, capacity, count, numbers)
    })
}

/// Times and counts of the last tick. Times are 0 unless the context of the step asked for them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareCrowdProfile {
    /// Paths that were found.
    pub paths: u32,
    /// Agents that wait for one.
    pub waiting: u32,
    /// Nodes that were opened.
    pub nodes: u64,
    /// Seconds of each phase.
    pub seconds: [f64; 10],
    /// The crowd's own time: the sum of its ticks.
    pub time: f64,
}

/// Times and counts of the last tick.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_profile(
    crowd: WayfareCrowd,
    profile: *mut WayfareCrowdProfile,
) -> WayfareStatus {
    border(|| {
        let held = crowd.read()?;
        let measured = held.profile();
        let seconds = Phase::ALL.map(|phase| measured.time(phase).as_secs_f64());
        let (paths, waiting, nodes) = (measured.paths, measured.waiting, measured.nodes);
        put!(profile, WayfareCrowdProfile { paths, waiting, nodes, seconds, time: held.time() })
    })
}

/// Saves a crowd: agents, paths, jumps, random state. The mesh is saved by itself. Planner id 0: A*.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_save(
    crowd: WayfareCrowd,
    mesh: WayfareMesh,
    planner: WayfarePlanner,
    bytes: *mut WayfareBytes,
) -> WayfareStatus {
    border(|| {
        let (mesh, held) = (mesh.read()?, crowd.read()?);
        let saved = with_planner(planner, false, |planner, _| Ok(held.to_bytes(&mesh, planner)))?;
        put_bytes(bytes, saved)
    })
}

/// Loads a crowd onto the mesh that it was saved on. `filters` are those that were added to it, in their order. Its
/// agents keep their numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_load(
    bytes: *const u8,
    count: usize,
    mesh: WayfareMesh,
    filters: *const WayfareFilter,
    filter_count: usize,
    crowd: *mut WayfareCrowd,
) -> WayfareStatus {
    border(|| {
        let filters = list!(filters, filter_count)?.iter().map(|filter| AnyFilter::given(*filter));
        let filters: Vec<AnyFilter> = filters.collect::<Outcome<_>>()?;
        let calls_back = filters.iter().any(AnyFilter::calls_back);
        let filters: Vec<_> = filters.iter().map(AnyFilter::shared).collect();
        let loaded = Crowd::from_bytes(list!(bytes, count)?, &mesh.read()?.mesh, &filters).map_err(Failure::data)?;
        put!(crowd, WayfareCrowd::keep(CrowdObject::new(loaded, calls_back))?)
    })
}

/// Agents in a formation behind a leader.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareFormation {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareFormation, Formation, "formation");

/// A formation of agents of a crowd. `slots` are places behind the leader, x to its right and z ahead, one for each
/// member.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_formation_new(
    crowd: WayfareCrowd,
    leader: u64,
    slots: *const WayfareVec2,
    members: *const u64,
    count: usize,
    formation: *mut WayfareFormation,
) -> WayfareStatus {
    border(|| {
        let held = crowd.read()?;
        let members = list!(members, count)?.iter().map(|member| agent_of(&held, *member));
        let members: Vec<AgentId> = members.collect::<Outcome<_>>()?;
        let slots = flat_points(list!(slots, count)?, "slots")?;
        put!(formation, WayfareFormation::keep(Formation::new(agent_of(&held, leader)?, slots, members))?)
    })
}

/// The slots of a block (`wedge` 0, with `columns`) or of a wedge: `count` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_formation_slots(
    count: usize,
    columns: usize,
    spacing: f32,
    wedge: u32,
    slots: *mut WayfareVec2,
) -> WayfareStatus {
    border(|| {
        if count > 1_000_000 || (wedge == 0 && columns == 0) {
            return Err(Failure::argument(format_args!(
                "`count` is {count} and `columns` {columns}: use up to a million, and a column"
            )));
        }
        let spacing = crate::geometry::length(spacing, "spacing")?;
        let made =
            if wedge == 0 { Formation::block(count, columns, spacing) } else { Formation::wedge(count, spacing) };
        let mut written = 0;
        fill!(slots, count, &raw mut written, made.into_iter().map(WayfareVec2::from))
    })
}

/// Sends the members of a formation to their places behind the leader: once a tick, before the step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_formation_lead(
    formation: WayfareFormation,
    crowd: WayfareCrowd,
    mesh: WayfareMesh,
) -> WayfareStatus {
    border(|| {
        let (mesh, mut formation, mut held) = (mesh.read()?, formation.write()?, crowd.write()?);
        formation.lead(&mut held, &mesh).map_err(failure)
    })
}

/// Saves a formation, for the crowd that is saved with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_formation_save(
    formation: WayfareFormation,
    bytes: *mut WayfareBytes,
) -> WayfareStatus {
    border(|| put_bytes(bytes, formation.read()?.to_bytes()))
}

/// Loads it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_formation_load(
    bytes: *const u8,
    count: usize,
    formation: *mut WayfareFormation,
) -> WayfareStatus {
    border(|| {
        put!(formation, WayfareFormation::keep(Formation::from_bytes(list!(bytes, count)?).map_err(Failure::data)?)?)
    })
}

/// Frees a formation; its agents stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_formation_free(formation: WayfareFormation) -> WayfareStatus {
    border(|| formation.free())
}
