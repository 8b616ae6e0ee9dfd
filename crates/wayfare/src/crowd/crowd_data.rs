//! The crowd: its agents, its arrays, and how agents are added and removed.

use super::agent::Agent;
use super::hot::Hot;
use super::loose_obstacles::LooseObstacles;
use super::mesh_change::MeshChange;
use super::path_requests::PathRequests;
use super::profile::Profile;
use super::scratch::ScratchPool;
use super::{AgentId, AgentParams, CrowdEvent, ParamsError, Target};
use crate::avoid::{ProximityGrid, Standing};
use crate::mesh::NavMesh;
use crate::plan::SharedFilter;
use crate::query::{DEFAULT_REACH, DefaultFilter, QueryFilter, find_nearest};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// Settings of a whole crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdSettings {
    /// How many nodes all path searches together, including flow fields, may open in a tick. Default 32,768: about 2 ms
    /// on two threads when all of it is used. The rest continues in the next tick.
    pub path_nodes: u64,
    /// How many agents search for a better topology of their path in a tick, those that have waited longest first.
    /// Default 8.
    pub topology_searches: u32,
    /// How many nodes such a search opens. Default 32.
    pub topology_nodes: u32,
    /// How many rounds of pushing overlapping agents apart there are in a tick. Default 4; more than 1,000 count as
    /// that many.
    pub resolve_rounds: u32,
    /// Seconds between two path searches for the same moving target, or for a shorter path from a detour. Default 1.
    pub replan_interval: f32,
    /// The fraction of a path's cost by which [changed costs](Crowd::set_costs) must change it before another path is
    /// searched: 0.2, the default, is a fifth more or less. 0: any change. Infinite: never.
    pub cost_change: f32,
    /// How far the mesh may be from given points: metres along x, y and z. Default [`DEFAULT_REACH`].
    pub reach: Vec3,
}

impl Default for CrowdSettings {
    fn default() -> Self {
        Self {
            path_nodes: 32_768,
            topology_searches: 8,
            topology_nodes: 32,
            resolve_rounds: 4,
            replan_interval: 1.0,
            cost_change: 0.2,
            reach: DEFAULT_REACH,
        }
    }
}

/// Many agents on a mesh. See the [module](super).
#[derive(Clone)]
pub struct Crowd {
    pub(super) settings: CrowdSettings,
    pub(super) hot: Hot,
    pub(super) agents: Vec<Agent>,
    /// Of each index; increased when its agent is removed.
    pub(super) generations: Vec<u32>,
    /// Indices without an agent; the last is used next.
    pub(super) free: Vec<u32>,
    pub(super) filters: Vec<SharedFilter>,
    /// Those that are not in the mesh.
    pub(super) obstacles: LooseObstacles,
    /// Whether the first filter is that of the mesh, which follows the mesh's costs.
    pub(super) has_mesh_filter: bool,
    /// Number of ticks so far, and seconds.
    pub(super) tick: u64,
    pub(super) time: f64,
    /// The time before this tick.
    pub(super) before: f64,
    /// The mesh of the last tick, to detect changes.
    pub(super) mesh: Option<NavMesh>,
    /// Earlier changes that have not been handled: only in a crowd restored from bytes.
    pub(super) unseen: Option<MeshChange>,
    /// Whether all paths have been checked against the mesh and the filters.
    pub(super) is_checked: bool,
    /// Whether the costs of the mesh have changed since they were last read: for a crowd restored from bytes, which has
    /// no mesh of the last tick.
    pub(super) has_other_costs: bool,
    pub(super) paths: PathRequests,
    pub(super) grid: ProximityGrid,
    pub(super) places: Vec<Vec2>,
    /// In the order of the grid.
    pub(super) standing: Vec<Standing>,
    /// Neighbours of all agents by index, nearest first.
    pub(super) neighbours: super::neighbours::Lists,
    pub(super) events: Vec<CrowdEvent>,
    pub(super) profile: Profile,
    pub(super) pool: ScratchPool,
}

/// A failed operation on a crowd.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A parameter is out of range.
    #[error(transparent)]
    Params(#[from] ParamsError),
    /// There is no such filter.
    #[error("there is no filter {filter}, only {count}: add it first")]
    NoFilter {
        /// The filter asked for.
        filter: u32,
        /// How many there are.
        count: u32,
    },
    /// There is no surface near the point, or the filter closes it.
    #[error("there is no ground that the filter lets pass within {},{},{} m of {},{},{}", reach.x, reach.y, reach.z, at.x, at.y, at.z)]
    NoGround {
        /// The point.
        at: Vec3,
        /// The search distance.
        reach: Vec3,
    },
    /// The agent was removed.
    #[error("agent {} is not in the crowd (any more)", agent.index)]
    NoAgent {
        /// The agent.
        agent: AgentId,
    },
}

impl Default for Crowd {
    fn default() -> Self {
        Self::new(CrowdSettings::default())
    }
}

impl Crowd {
    /// An empty crowd with one filter: that of the mesh it is used on, which passes everything with any flag, with the
    /// costs of the mesh's [table of area types](NavMesh::areas), as [`NavMesh::find_path`] does.
    #[must_use]
    pub fn new(settings: CrowdSettings) -> Self {
        Self {
            settings,
            hot: Hot::default(),
            agents: Vec::new(),
            generations: Vec::new(),
            free: Vec::new(),
            filters: vec![Arc::new(DefaultFilter::default())],
            obstacles: LooseObstacles::default(),
            has_mesh_filter: true,
            tick: 0,
            time: 0.0,
            before: 0.0,
            mesh: None,
            unseen: None,
            is_checked: false,
            has_other_costs: false,
            paths: PathRequests::default(),
            grid: ProximityGrid::default(),
            places: Vec::new(),
            standing: Vec::new(),
            neighbours: super::neighbours::Lists::default(),
            events: Vec::new(),
            profile: Profile::default(),
            pool: ScratchPool::default(),
        }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &CrowdSettings {
        &self.settings
    }

    /// The settings, mutable.
    pub fn settings_mut(&mut self) -> &mut CrowdSettings {
        &mut self.settings
    }

    /// Adds a filter for agents to use, and returns its number.
    pub fn add_filter(&mut self, filter: impl QueryFilter + Send + Sync + 'static) -> u32 {
        self.filters.push(Arc::new(filter));
        self.filters.len() as u32 - 1
    }

    /// The filter with a number; `None` if there is none. To change a filter, keep your own copy and
    /// [set](Self::set_filter) it again.
    #[must_use]
    pub fn filter(&self, number: u32) -> Option<&(dyn QueryFilter + Send + Sync)> {
        self.filters.get(number as usize).map(Arc::as_ref)
    }

    /// Replaces the filter with a number. Paths that it blocks are found in the next tick. In place of filter 0 it
    /// applies to all agents without a filter of their own, and the mesh's costs no longer count.
    ///
    /// # Errors
    /// [`CrowdError::NoFilter`].
    pub fn set_filter(
        &mut self,
        number: u32,
        filter: impl QueryFilter + Send + Sync + 'static,
    ) -> Result<(), CrowdError> {
        let count = self.filters.len() as u32;
        let place = self.filters.get_mut(number as usize).ok_or(CrowdError::NoFilter { filter: number, count })?;
        *place = Arc::new(filter);
        self.has_mesh_filter &= number != 0;
        self.is_checked = false;
        self.restart_searches_by(number);
        Ok(())
    }

    /// Adds an agent at the position on the mesh nearest to a point.
    ///
    /// # Errors
    /// [`CrowdError`] if a parameter is out of range, the filter does not exist or there is no surface near the point.
    pub fn add(&mut self, mesh: &NavMesh, at: impl Into<Vec3>, params: AgentParams) -> Result<AgentId, CrowdError> {
        self.check_params(&params)?;
        let at = at.into();
        let reach = self.settings.reach;
        let filter = &self.filters[params.filter as usize];
        let ground = find_nearest(mesh, at, reach, filter.as_ref()).ok_or(CrowdError::NoGround { at, reach })?;
        let index = self.free.pop().unwrap_or_else(|| {
            self.hot.grow();
            self.agents.push(Agent::default());
            self.generations.push(0);
            self.hot.len() as u32 - 1
        });
        let agent = &mut self.agents[index as usize];
        let hot = &mut self.hot;
        let i = index as usize;
        *agent = Agent { params, is_fresh: true, ..Agent::default() };
        agent.corridor.reset(ground.place());
        (hot.present[i], hot.held[i]) = (true, false);
        hot.put(i, ground.point);
        (hot.radius[i], hot.height[i], hot.priority[i]) =
            (agent.params.radius, agent.params.height, agent.params.priority);
        Ok(AgentId { index, generation: self.generations[i] })
    }

    /// The generation of a place that is not used again: its ids are all given away.
    pub(super) const USED_UP: u32 = u32::MAX;

    /// Removes an agent.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn remove(&mut self, agent: AgentId) -> Result<(), CrowdError> {
        let i = self.find(agent)?;
        self.hot.present[i] = false;
        self.hot.position[i] = Vec3::NAN;
        self.agents[i] = Agent::default();
        self.generations[i] += 1;
        self.neighbours.clear_of(i);
        if self.generations[i] != Self::USED_UP {
            self.free.push(agent.index);
        }
        Ok(())
    }

    pub(super) fn check_params(&self, params: &AgentParams) -> Result<(), CrowdError> {
        params.check()?;
        let count = self.filters.len() as u32;
        if params.filter < count { Ok(()) } else { Err(CrowdError::NoFilter { filter: params.filter, count }) }
    }

    /// The index of an agent, if it is in the crowd.
    pub(super) fn find(&self, agent: AgentId) -> Result<usize, CrowdError> {
        let here = self.generations.get(agent.index()) == Some(&agent.generation) && self.hot.present[agent.index()];
        if here { Ok(agent.index()) } else { Err(CrowdError::NoAgent { agent }) }
    }

    /// Whether an agent is in the crowd.
    #[must_use]
    pub fn contains(&self, agent: AgentId) -> bool {
        self.find(agent).is_ok()
    }

    /// All agents, by index.
    pub fn ids(&self) -> impl Iterator<Item = AgentId> + '_ {
        let present = self.hot.present.iter().zip(&self.generations).zip(0u32..);
        present.filter(|((present, _), _)| **present).map(|((_, &generation), index)| AgentId { index, generation })
    }

    /// The agent at an index of [`positions`](Self::positions) and the other lists; `None` if there is none.
    #[must_use]
    pub fn id_at(&self, index: usize) -> Option<AgentId> {
        let is_present = *self.hot.present.get(index)?;
        is_present.then(|| AgentId { index: index as u32, generation: self.generations[index] })
    }

    /// How many agents there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.hot.len() - self.free.len()
    }

    /// Whether there are no agents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Positions of all agents, by index; entries of unused indices have no meaning.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.hot.position
    }

    /// Velocities of all agents, by index, m/s.
    #[must_use]
    pub fn velocities(&self) -> &[Vec3] {
        &self.hot.velocity
    }

    /// The desired velocities set by steering, by index, to be read or replaced between [`steer`](Self::steer) and
    /// [`avoid`](Self::avoid). A velocity that is NaN or infinite counts as standing, here and in the methods below.
    pub fn desired_mut(&mut self) -> &mut [Vec3] {
        &mut self.hot.desired
    }

    /// The velocities that avoidance chose, by index, to be read or replaced between [`avoid`](Self::avoid) and
    /// [`integrate`](Self::integrate).
    pub fn avoiding_mut(&mut self) -> &mut [Vec3] {
        &mut self.hot.avoiding
    }

    /// The next positions of agents, by index, to be read or replaced between [`integrate`](Self::integrate) and
    /// [`constrain`](Self::constrain). A position that is not finite leaves the agent where it was.
    pub fn next_mut(&mut self) -> &mut [Vec3] {
        &mut self.hot.next
    }

    /// The events of the last tick: agent by agent in order of index, and for each agent in the order of the phases.
    #[must_use]
    pub fn events(&self) -> &[CrowdEvent] {
        &self.events
    }

    /// How long each phase of the last tick took; during a tick, those that have run since [`begin`](Self::begin).
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Total seconds of all ticks so far.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Removes an agent's path, as if it had no target.
    pub(super) fn halt(agent: &mut Agent) {
        agent.target = Target::None;
        agent.ask_anew();
        agent.refused = None;
        agent.corridor.stop();
        agent.corners.clear();
        (agent.progress, agent.detour) = Default::default();
    }
}
