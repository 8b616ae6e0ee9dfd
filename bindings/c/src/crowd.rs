//! Crowds: agents, targets, steps, states.

use crate::border::{Sized32, check_out, fill, list, put, put_sized, sized};
use crate::choices::{Choice, choice};
use crate::context::{WayfareContext, not_cancelled, with_context_and_filters};
use crate::crowd_object::CrowdObject;
use crate::crowd_params::WayfareAgentParams;
use crate::filter::{AnyFilter, WayfareFilter};
use crate::geometry::{WayfarePlace, WayfareVec3, finite, length, place_on, point};
use crate::handle::{Handle, handle};
use crate::mesh::WayfareMesh;
use crate::names::Named;
use crate::queue::{WayfarePlanner, with_planner};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use core::mem::offset_of;
use wayfare_nav::Vec3;
use wayfare_nav::context::on_this_thread;
use wayfare_nav::crowd::{AgentId, Crowd, CrowdError, CrowdSettings, Phase, Target, TargetStatus};
use wayfare_nav::mesh::NavMesh;

/// Many agents that walk on a mesh and avoid each other. It is changed by every step: one thread at a time.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareCrowd {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareCrowd, CrowdObject, "crowd");

/// The agent of a number, if it is in the crowd.
pub(crate) fn agent_of(crowd: &Crowd, number: u64) -> Outcome<AgentId> {
    let agent = AgentId::of(number)?;
    crowd.params(agent).map_err(failure)?;
    Ok(agent)
}

pub(crate) fn failure(error: CrowdError) -> Failure {
    match error {
        CrowdError::NoAgent { .. } => Failure::stale(error),
        _ => Failure::argument(error),
    }
}

/// Settings of a whole crowd.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareCrowdSettings {
    /// The size of this structure: set by `wayfare_crowd_settings_default`.
    pub size: u32,
    /// Searches for shorter ways in a tick.
    pub topology_searches: u32,
    /// Nodes of path searches in a tick.
    pub path_nodes: u64,
    /// Nodes of each search for a shorter way.
    pub topology_nodes: u32,
    /// Rounds in which overlaps are resolved.
    pub resolve_rounds: u32,
    /// Seconds between searches for a target that moves.
    pub replan_interval: f32,
    /// The part by which costs must change for a new search.
    pub cost_change: f32,
    /// How far from agents and goals the mesh may be.
    pub reach: WayfareVec3,
}

impl WayfareCrowdSettings {
    fn of(settings: &CrowdSettings) -> Self {
        Self {
            size: size_of::<Self>() as u32,
            topology_searches: settings.topology_searches,
            path_nodes: settings.path_nodes,
            topology_nodes: settings.topology_nodes,
            resolve_rounds: settings.resolve_rounds,
            replan_interval: settings.replan_interval,
            cost_change: settings.cost_change,
            reach: settings.reach.into(),
        }
    }

    fn get(&self) -> Outcome<CrowdSettings> {
        let reach = self.reach;
        Ok(CrowdSettings {
            topology_searches: self.topology_searches,
            path_nodes: self.path_nodes,
            topology_nodes: self.topology_nodes,
            resolve_rounds: self.resolve_rounds,
            replan_interval: finite(self.replan_interval, "replan_interval")?,
            cost_change: finite(self.cost_change, "cost_change")?,
            reach: Vec3::new(length(reach.x, "reach")?, length(reach.y, "reach")?, length(reach.z, "reach")?),
        })
    }
}

impl Sized32 for WayfareCrowdSettings {
    const LEAST: usize = offset_of!(Self, reach) + size_of::<WayfareVec3>();
    fn set_size(&mut self, size: u32) {
        self.size = size;
    }
    fn usual() -> Self {
        Self::of(&CrowdSettings::default())
    }
}

/// Fills settings with what is usual.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_settings_default(
    settings: *mut WayfareCrowdSettings,
    size: usize,
) -> WayfareStatus {
    border(|| put_sized!(settings, size, WayfareCrowdSettings::usual()))
}

/// A crowd without agents. `settings` may be null for what is usual.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_new(
    settings: *const WayfareCrowdSettings,
    crowd: *mut WayfareCrowd,
) -> WayfareStatus {
    border(|| {
        let settings = if settings.is_null() { CrowdSettings::default() } else { sized!(settings)?.get()? };
        put!(crowd, WayfareCrowd::keep(CrowdObject::new(Crowd::new(settings), false))?)
    })
}

/// Changes the settings of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_set_settings(
    crowd: WayfareCrowd,
    settings: *const WayfareCrowdSettings,
) -> WayfareStatus {
    border(|| {
        let settings = sized!(settings)?.get()?;
        *crowd.write()?.settings_mut() = settings;
        Ok(())
    })
}

/// Frees a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_free(crowd: WayfareCrowd) -> WayfareStatus {
    border(|| crowd.free())
}

/// Adds an agent on the mesh near a point. Its number is never given again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_add(
    crowd: WayfareCrowd,
    mesh: WayfareMesh,
    at: WayfareVec3,
    params: *const WayfareAgentParams,
    agent: *mut u64,
) -> WayfareStatus {
    border(|| {
        let params = sized!(params)?.get()?;
        let (mesh, mut held) = (mesh.read()?, crowd.write()?);
        held.agents_changed();
        put!(agent, held.add(&mesh, point(at, "at")?, params).map_err(failure)?.to_bits())
    })
}

/// Removes an agent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_remove(crowd: WayfareCrowd, agent: u64) -> WayfareStatus {
    border(|| {
        let mut held = crowd.write()?;
        let id = agent_of(&held, agent)?;
        held.agents_changed();
        held.remove(id).map_err(failure)
    })
}

/// The numbers of all agents, in the order of the arrays of `wayfare_crowd_positions`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_agents(
    crowd: WayfareCrowd,
    agents: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = crowd.read()?;
        fill!(agents, capacity, count, held.ids().map(|id| id.to_bits()).collect::<Vec<_>>().into_iter())
    })
}

/// The parameters of an agent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_params(
    crowd: WayfareCrowd,
    agent: u64,
    params: *mut WayfareAgentParams,
    size: usize,
) -> WayfareStatus {
    border(|| {
        let held = crowd.read()?;
        put_sized!(params, size, WayfareAgentParams::of(held.params(agent_of(&held, agent)?).map_err(failure)?))
    })
}

/// Changes the parameters of an agent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_set_params(
    crowd: WayfareCrowd,
    agent: u64,
    params: *const WayfareAgentParams,
) -> WayfareStatus {
    border(|| {
        let params = sized!(params)?.get()?;
        let mut held = crowd.write()?;
        let id = agent_of(&held, agent)?;
        held.set_params(id, params).map_err(failure)
    })
}

/// Sends an agent to a point, looked up on the mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_go_to(
    crowd: WayfareCrowd,
    mesh: WayfareMesh,
    agent: u64,
    to: WayfareVec3,
) -> WayfareStatus {
    border(|| {
        let (mesh, mut held) = (mesh.read()?, crowd.write()?);
        let id = agent_of(&held, agent)?;
        held.go_to(&mesh, id, point(to, "to")?).map_err(failure)
    })
}

/// The kinds of targets, for `WayfareTarget.kind`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareTargetKind {
    /// Nowhere.
    None = 0,
    /// A place.
    Point = 1,
    /// A place that moves.
    Moving = 2,
    /// Another agent.
    Agent = 3,
    /// A velocity.
    Velocity = 4,
}

choice!(WayfareTargetKind: None, Point, Moving, Agent, Velocity);

/// Where an agent is to go.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareTarget {
    /// A `WayfareTargetKind`.
    pub kind: u32,
    /// Nothing; 0.
    pub reserved: u32,
    /// Point, moving: a place; a point without a polygon is looked up. Velocity: the velocity is `place.point`.
    pub place: WayfarePlace,
    /// Agent: its number.
    pub agent: u64,
}

/// Sets the target of an agent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_set_target(
    crowd: WayfareCrowd,
    mesh: WayfareMesh,
    agent: u64,
    target: *const WayfareTarget,
) -> WayfareStatus {
    border(|| {
        let [given] = list!(target, 1)? else { return Err(Failure::argument("`target` is null")) };
        let (mesh, mut held) = (mesh.read()?, crowd.write()?);
        let id = agent_of(&held, agent)?;
        let ground = || match given.place.poly {
            0 => held.ground(&mesh, id, point(given.place.point, "place")?).map_err(failure),
            _ => place_on(&mesh, given.place, "place"),
        };
        let target = match WayfareTargetKind::of(given.kind, "kind")? {
            WayfareTargetKind::None => Target::None,
            WayfareTargetKind::Point => Target::Point(ground()?),
            WayfareTargetKind::Moving => Target::Moving(ground()?),
            WayfareTargetKind::Agent => Target::Agent(agent_of(&held, given.agent)?),
            WayfareTargetKind::Velocity => Target::Velocity(point(given.place.point, "velocity")?),
        };
        held.set_target(id, target).map_err(failure)
    })
}

/// Puts an agent elsewhere at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_teleport(
    crowd: WayfareCrowd,
    mesh: WayfareMesh,
    agent: u64,
    to: WayfareVec3,
) -> WayfareStatus {
    border(|| {
        let (mesh, mut held) = (mesh.read()?, crowd.write()?);
        let id = agent_of(&held, agent)?;
        held.teleport(&mesh, id, point(to, "to")?).map_err(failure)
    })
}

/// Says where an agent is that the game moves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_set_position(crowd: WayfareCrowd, agent: u64, at: WayfareVec3) -> WayfareStatus {
    border(|| {
        let mut held = crowd.write()?;
        let id = agent_of(&held, agent)?;
        held.set_position(id, point(at, "at")?).map_err(failure)
    })
}

/// Pushes an agent: it has this velocity now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_set_velocity(
    crowd: WayfareCrowd,
    agent: u64,
    velocity: WayfareVec3,
) -> WayfareStatus {
    border(|| {
        let mut held = crowd.write()?;
        let id = agent_of(&held, agent)?;
        held.set_velocity(id, point(velocity, "velocity")?).map_err(failure)
    })
}

/// Pauses an agent, or lets it go on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_pause(crowd: WayfareCrowd, agent: u64, paused: u32) -> WayfareStatus {
    border(|| {
        let mut held = crowd.write()?;
        let id = agent_of(&held, agent)?;
        held.pause(id, paused != 0).map_err(failure)
    })
}

/// How far the game has taken an agent over a connection, 0 to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_set_connection_progress(
    crowd: WayfareCrowd,
    agent: u64,
    progress: f32,
) -> WayfareStatus {
    border(|| {
        let mut held = crowd.write()?;
        let id = agent_of(&held, agent)?;
        held.set_connection_progress(id, finite(progress, "progress")?).map_err(failure)
    })
}

/// A filter for agents, besides number 0, which is the mesh's own; `number` is what `WayfareAgentParams.filter` takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_add_filter(
    crowd: WayfareCrowd,
    filter: WayfareFilter,
    number: *mut u32,
) -> WayfareStatus {
    border(|| {
        let (filter, mut held) = (AnyFilter::given(filter)?, crowd.write()?);
        check_out(number, "number")?;
        held.calls_back |= filter.calls_back();
        put!(number, held.add_filter(filter.shared()))
    })
}

/// Changes one of the crowd's filters: what passes, or with `costs_only` 1 only what it costs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_set_filter(
    crowd: WayfareCrowd,
    number: u32,
    filter: WayfareFilter,
    costs_only: u32,
) -> WayfareStatus {
    border(|| {
        let (filter, mut held) = (AnyFilter::given(filter)?, crowd.write()?);
        held.calls_back |= filter.calls_back();
        let filter = filter.shared();
        // Other costs are compared with those before for every path, by asking both filters.
        let done = on_this_thread(|| {
            if costs_only == 0 { held.set_filter(number, filter) } else { held.set_costs(number, filter) }
        });
        done.map_err(failure)
    })
}

/// Lets `dt` seconds pass for all agents. Planner id 0: A*. The same ticks give the same positions, to the bit, whatever
/// the number of threads. A tick is short: if the context is cancelled already, it does not begin; after that neither
/// `cancel` nor `progress` nor `log` count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_step(
    crowd: WayfareCrowd,
    mesh: WayfareMesh,
    dt: f32,
    planner: WayfarePlanner,
    context: *const WayfareContext,
) -> WayfareStatus {
    border(|| {
        let dt = length(dt, "dt")?;
        let (mesh, mut held) = (mesh.read()?, crowd.write()?);
        let calls_back = held.calls_back;
        let (mesh, crowd): (&NavMesh, &mut Crowd) = (&mesh, &mut held);
        with_planner(planner, calls_back, |planner, calls_back| {
            with_context_and_filters(context, calls_back, |context| {
                not_cancelled(context)?;
                crowd.step(mesh, dt, planner, context);
                Ok(())
            })
        })
    })
}

/// Begins a tick that is done phase by phase: then `wayfare_crowd_phase` for 0 to 9, then `wayfare_crowd_end`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_begin(crowd: WayfareCrowd, dt: f32) -> WayfareStatus {
    border(|| {
        let dt = length(dt, "dt")?;
        crowd.write()?.begin(dt);
        Ok(())
    })
}

/// One phase of a tick: 0 validate, 1 plan, 2 neighbours, 3 corners, 4 connections, 5 steer, 6 avoid, 7 integrate, 8
/// resolve, 9 constrain. Between them the game may write velocities: `wayfare_crowd_write`. Of the context, which may be
/// null, only `threads` and `measure_times` count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_phase(
    crowd: WayfareCrowd,
    phase: u32,
    mesh: WayfareMesh,
    dt: f32,
    planner: WayfarePlanner,
    context: *const WayfareContext,
) -> WayfareStatus {
    border(|| {
        let dt = length(dt, "dt")?;
        let phase = Phase::ALL.get(phase as usize).copied();
        let phase = phase.ok_or_else(|| Failure::argument("`phase`: there are 0 to 9"))?;
        let (mesh, mut held) = (mesh.read()?, crowd.write()?);
        let calls_back = held.calls_back;
        let (mesh, crowd): (&NavMesh, &mut Crowd) = (&mesh, &mut held);
        with_planner(planner, calls_back, |planner, calls_back| {
            with_context_and_filters(context, calls_back, |context| {
                crowd.run(phase, mesh, dt, planner, context);
                Ok(())
            })
        })
    })
}

/// Ends a tick that was done phase by phase.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_end(crowd: WayfareCrowd) -> WayfareStatus {
    border(|| {
        crowd.write()?.finish();
        Ok(())
    })
}

/// Status of an agent's path to its target, for `WayfareAgent.target_status`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareTargetStatus {
    /// It has no target.
    None = 0,
    /// Its path is being searched.
    Waiting = 1,
    /// It goes to its target.
    Complete = 2,
    /// It goes as near as a path leads.
    Partial = 3,
    /// It is there.
    Arrived = 4,
    /// Its target cannot be reached.
    Unreachable = 5,
    /// It has no mesh under it.
    Lost = 6,
}

fn target_status(status: TargetStatus) -> WayfareTargetStatus {
    match status {
        TargetStatus::None => WayfareTargetStatus::None,
        TargetStatus::Waiting => WayfareTargetStatus::Waiting,
        TargetStatus::Complete => WayfareTargetStatus::Complete,
        TargetStatus::Partial => WayfareTargetStatus::Partial,
        TargetStatus::Arrived => WayfareTargetStatus::Arrived,
        TargetStatus::Unreachable => WayfareTargetStatus::Unreachable,
        _ => WayfareTargetStatus::Lost,
    }
}

/// How an agent is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareAgent {
    /// Where it is.
    pub position: WayfareVec3,
    /// How it moves.
    pub velocity: WayfareVec3,
    /// A `WayfareTargetStatus`.
    pub target_status: u32,
    /// 1 if it stands where it wants to.
    pub at_rest: u32,
    /// Metres to its goal; −1 if it has none.
    pub remaining: f32,
    /// 1 if it is on a connection.
    pub on_connection: u32,
    /// How far it is over it, 0 to 1.
    pub connection_progress: f32,
    /// Its place in the lists of `wayfare_crowd_agents` and `wayfare_crowd_positions`, until an agent is added or removed.
    pub index: u32,
    /// The connection.
    pub connection: u64,
}

/// How an agent is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_agent(
    crowd: WayfareCrowd,
    agent: u64,
    state: *mut WayfareAgent,
) -> WayfareStatus {
    border(|| {
        let held = crowd.read()?;
        let (crowd, id) = (&*held, agent_of(&held, agent)?);
        let connection = crowd.on_connection(id).map_err(failure)?;
        put!(
            state,
            WayfareAgent {
                position: crowd.position(id).map_err(failure)?.into(),
                velocity: crowd.velocity(id).map_err(failure)?.into(),
                target_status: target_status(crowd.target_status(id).map_err(failure)?) as u32,
                at_rest: crowd.is_at_rest(id).map_err(failure)?.into(),
                remaining: crowd.remaining_distance(id).map_err(failure)?.unwrap_or(-1.0),
                on_connection: connection.is_some().into(),
                connection_progress: connection.map_or(0.0, |on| on.progress),
                index: held.place_of(id),
                connection: connection.map_or(0, |on| on.crossing.connection.to_bits()),
            }
        )
    })
}

/// The positions of all agents, in the order of `wayfare_crowd_agents`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_positions(
    crowd: WayfareCrowd,
    positions: *mut WayfareVec3,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = crowd.read()?;
        let all = held.positions();
        fill!(positions, capacity, count, held.ids().map(|id| all[id.index()].into()).collect::<Vec<_>>().into_iter())
    })
}

/// The velocities of all agents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_crowd_velocities(
    crowd: WayfareCrowd,
    velocities: *mut WayfareVec3,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = crowd.read()?;
        let all = held.velocities();
        fill!(velocities, capacity, count, held.ids().map(|id| all[id.index()].into()).collect::<Vec<_>>().into_iter())
    })
}
