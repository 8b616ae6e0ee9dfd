//! What a game tells and asks single agents.

use super::agent::{Detour, Progress};
use super::hot::finite;
use super::{AgentId, AgentParams, Crowd, CrowdError, Driver, EventKind, OnConnection, Target, Way};
use crate::corridor::{CorridorCorner, PathCorridor};
use crate::math::plane;
use crate::mesh::NavMesh;
use crate::query::{PolyPoint, find_nearest};
use glam::Vec3;

impl Crowd {
    /// Sends an agent somewhere. A way that it has is followed until the new one is found: mostly within a tick or two,
    /// and who is to wait for it is [paused](Self::pause) or given no target before. A moving target that an
    /// agent already follows is moved, without a search; one that it cannot reach is looked at again when it comes onto
    /// another polygon.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn set_target(&mut self, agent: AgentId, target: Target) -> Result<(), CrowdError> {
        let i = self.find(agent)?;
        let record = &mut self.agents[i];
        let was = core::mem::replace(&mut record.target, target);
        let now = target;
        let follows = match (was, now) {
            (Target::Moving(_), Target::Moving(_)) => true,
            (Target::Agent(was), Target::Agent(now)) => was == now,
            _ => false,
        };
        match now {
            _ if follows && record.way != Way::None => {}
            Target::Point(_) | Target::Moving(_) | Target::Agent(_) => {
                record.ask_anew();
                (record.refused, record.not_before) = (None, 0);
                (record.progress, record.detour) = (Progress::default(), Detour::None);
            }
            Target::None | Target::Velocity(_) => {
                Self::halt(record);
                record.target = target;
            }
        }
        Ok(())
    }

    /// Sends an agent to the ground nearest to a place.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`]; [`CrowdError::NoGround`] if there is none within the crowd's reach of it.
    pub fn go_to(&mut self, mesh: &NavMesh, agent: AgentId, place: Vec3) -> Result<(), CrowdError> {
        let ground = self.ground(mesh, agent, place)?;
        self.set_target(agent, Target::Point(ground))
    }

    /// The ground nearest to a place that an agent may walk on.
    pub(super) fn ground(&self, mesh: &NavMesh, agent: AgentId, at: Vec3) -> Result<PolyPoint, CrowdError> {
        let filter = &self.filters[self.agents[self.find(agent)?].params.filter as usize];
        let reach = self.settings.reach;
        let found = find_nearest(mesh, at, reach, filter.as_ref());
        found.map(|near| near.place()).ok_or(CrowdError::NoGround { at, reach })
    }

    /// Puts an agent on the ground nearest to a place. It keeps its target and looks for a new way there; if it was on
    /// an off-mesh connection, it has left that.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`]; [`CrowdError::NoGround`].
    pub fn teleport(&mut self, mesh: &NavMesh, agent: AgentId, place: Vec3) -> Result<(), CrowdError> {
        let ground = self.ground(mesh, agent, place)?;
        let i = self.find(agent)?;
        let record = &mut self.agents[i];
        let hot = &mut self.hot;
        record.corridor.reset(ground);
        record.corners.clear();
        record.boundary.forget();
        record.leave_connection();
        (record.placed, record.is_fresh) = (None, true);
        record.progress = Progress::default();
        (hot.position[i], hot.next[i]) = (ground.point, ground.point);
        (hot.velocity[i], hot.desired[i]) = (Vec3::ZERO, Vec3::ZERO);
        record.ask_anew();
        (record.refused, record.not_before, record.detour) = (None, 0, Detour::None);
        Ok(())
    }

    /// Says where an agent is that the game moves ([`Driver::Game`]). The next [`constrain`](Self::constrain) moves its
    /// corridor there over the mesh; a place off the mesh gives the nearest on it, and one more than half its height
    /// above or below the floor that it was on the nearest floor. One that is not finite leaves the agent where it was.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn set_position(&mut self, agent: AgentId, place: Vec3) -> Result<(), CrowdError> {
        let i = self.find(agent)?;
        self.agents[i].placed = place.is_finite().then_some(place);
        Ok(())
    }

    /// Says how fast an agent moves that the game moves, m/s: what others expect of it. One that is not finite counts
    /// as standing.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn set_velocity(&mut self, agent: AgentId, velocity: Vec3) -> Result<(), CrowdError> {
        let i = self.find(agent)?;
        self.hot.velocity[i] = finite(velocity);
        Ok(())
    }

    /// Makes an agent stand still, or go on. Others still avoid it, and do all of the avoiding.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn pause(&mut self, agent: AgentId, paused: bool) -> Result<(), CrowdError> {
        let i = self.find(agent)?;
        self.hot.held[i] = paused;
        if paused {
            (self.hot.velocity[i], self.hot.desired[i]) = (Vec3::ZERO, Vec3::ZERO);
        }
        Ok(())
    }

    /// Changes an agent's parameters.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`], or a parameter is out of range.
    pub fn set_params(&mut self, agent: AgentId, params: AgentParams) -> Result<(), CrowdError> {
        let i = self.find(agent)?;
        self.check_params(&params)?;
        (self.hot.radius[i], self.hot.height[i], self.hot.priority[i]) =
            (params.radius, params.height, params.priority);
        let is_other_filter = self.agents[i].params.filter != params.filter;
        if is_other_filter {
            self.paths.restart(i);
        }
        let agent = &mut self.agents[i];
        let before = &agent.params;
        let now = &params;
        let is_open = agent.way == Way::Unreachable && before.when_unreachable != now.when_unreachable;
        if is_open {
            agent.way = Way::Waiting;
        } else if is_other_filter {
            agent.ask_by_other_filter();
        }
        agent.boundary.forget();
        agent.params = params;
        Ok(())
    }

    /// Moves an agent along the off-mesh connection it is on, where the game does that: 0 at the entrance, 1 leaves it.
    /// No effect on an agent that is on none.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn set_connection_progress(&mut self, agent: AgentId, progress: f32) -> Result<(), CrowdError> {
        let i = self.find(agent)?;
        if let Some(on) = &mut self.agents[i].on_connection {
            on.progress = if progress.is_nan() { on.progress } else { progress.clamp(0.0, 1.0) };
        }
        Ok(())
    }

    /// The parameters of an agent.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn params(&self, agent: AgentId) -> Result<&AgentParams, CrowdError> {
        Ok(&self.agents[self.find(agent)?].params)
    }

    /// Where an agent is.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn position(&self, agent: AgentId) -> Result<Vec3, CrowdError> {
        Ok(self.hot.position[self.find(agent)?])
    }

    /// How an agent moves, m/s.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn velocity(&self, agent: AgentId) -> Result<Vec3, CrowdError> {
        Ok(self.hot.velocity[self.find(agent)?])
    }

    /// How far an agent has still to go: metres on the plane along its way, over connections in straight lines; from
    /// where it is on one, if it is. That is to where its way ends: at the target ([`Way::Complete`],
    /// [`Way::Arrived`]), as near as it leads ([`Way::Partial`]), or, while another is searched, at the end of the
    /// last ([`Way::Waiting`]). `None` where it has no way: no target but a velocity, none that can be reached, no
    /// path found yet, no ground.
    ///
    /// Cost: the length of the way.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn remaining_distance(&self, agent: AgentId) -> Result<Option<f32>, CrowdError> {
        let i = self.find(agent)?;
        let agent = &self.agents[i];
        let has_way = match agent.way {
            Way::Complete | Way::Partial | Way::Arrived => true,
            Way::Waiting => agent.on_connection.is_some() || agent.corridor.start() != agent.corridor.end(),
            _ => false,
        };
        if !has_way {
            return Ok(None);
        }
        let on_ground = self.pool.lend(|scratch| agent.corridor.length(&mut scratch.corridor));
        let in_the_air = agent.on_connection.map_or(0.0, |on| plane::distance(self.hot.position[i], on.crossing.to));
        Ok(Some(in_the_air + on_ground))
    }

    /// Whether an agent rests: it stands and has nowhere to go, or has arrived and found no free place nearer to its
    /// goal.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn is_at_rest(&self, agent: AgentId) -> Result<bool, CrowdError> {
        Ok(self.hot.rests[self.find(agent)?])
    }

    /// Where an agent is to go.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn target(&self, agent: AgentId) -> Result<Target, CrowdError> {
        Ok(self.agents[self.find(agent)?].target)
    }

    /// How it stands with an agent's way.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn way(&self, agent: AgentId) -> Result<Way, CrowdError> {
        Ok(self.agents[self.find(agent)?].way)
    }

    /// An agent's corridor.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn corridor(&self, agent: AgentId) -> Result<&PathCorridor, CrowdError> {
        Ok(&self.agents[self.find(agent)?].corridor)
    }

    /// The corners that an agent steers by.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn corners_of(&self, agent: AgentId) -> Result<&[CorridorCorner], CrowdError> {
        Ok(&self.agents[self.find(agent)?].corners)
    }

    /// The off-mesh connection that an agent is on.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn on_connection(&self, agent: AgentId) -> Result<Option<OnConnection>, CrowdError> {
        Ok(self.agents[self.find(agent)?].on_connection)
    }

    /// The indices of the others that an agent saw in the last tick, nearest first.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn neighbours_of(&self, agent: AgentId) -> Result<&[u32], CrowdError> {
        Ok(self.neighbours.of(self.find(agent)?))
    }

    /// Raises an event for an agent.
    pub(super) fn raise(&mut self, index: usize, kind: EventKind) {
        self.agents[index].raised.push(kind);
    }

    /// Whether the crowd itself moves an agent.
    pub(super) fn drives(params: &AgentParams) -> bool {
        params.driver == Driver::Crowd
    }
}
