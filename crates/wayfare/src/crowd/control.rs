//! Reading and controlling single agents.

use super::agent::{AgentProgress, Detour};
use super::hot::finite;
use super::{AgentId, AgentParams, Crowd, CrowdError, Driver, EventKind, OnConnection, Target, TargetStatus};
use crate::corridor::{CorridorCorner, PathCorridor};
use crate::math::plane;
use crate::mesh::NavMesh;
use crate::query::{PolyPoint, find_nearest};
use glam::Vec3;

impl Crowd {
    /// Sets an agent's target. Its current path is followed until the new one is found, usually within a tick or two;
    /// an agent that should wait for it can be [paused](Self::pause) or given no target first. A moving target that the
    /// agent already follows is moved without a search; if it is unreachable, it is checked again when it enters
    /// another polygon.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn set_target(&mut self, agent: AgentId, target: Target) -> Result<(), CrowdError> {
        let i = self.find(agent)?;
        let record = &mut self.agents[i];
        let was = core::mem::replace(&mut record.target, target);
        let now = target;
        if let Target::Point(place) | Target::Moving(place) = now {
            record.sent_to = place.point;
        }
        let follows = match (was, now) {
            (Target::Moving(_), Target::Moving(_)) => true,
            (Target::Agent(was), Target::Agent(now)) => was == now,
            _ => false,
        };
        match now {
            _ if follows && record.target_status != TargetStatus::None => {}
            Target::Point(_) | Target::Moving(_) | Target::Agent(_) => {
                record.ask_anew();
                (record.refused, record.not_before) = (None, 0);
                (record.progress, record.detour) = (AgentProgress::default(), Detour::None);
            }
            Target::None | Target::Velocity(_) => {
                Self::halt(record);
                record.target = target;
            }
        }
        Ok(())
    }

    /// Sends an agent to the position on the mesh nearest to a point.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`]; [`CrowdError::NoGround`] if there is no surface within the crowd's reach of the point.
    pub fn go_to(&mut self, mesh: &NavMesh, agent: AgentId, place: impl Into<Vec3>) -> Result<(), CrowdError> {
        let ground = self.ground(mesh, agent, place)?;
        self.set_target(agent, Target::Point(ground))
    }

    /// The position on the mesh nearest to a point on which an agent may walk: by its own filter, within the crowd's
    /// [reach](super::CrowdSettings::reach). [`go_to`](Self::go_to) sends it there.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`]; [`CrowdError::NoGround`] if there is no such surface within reach.
    pub fn ground(&self, mesh: &NavMesh, agent: AgentId, at: impl Into<Vec3>) -> Result<PolyPoint, CrowdError> {
        let at = at.into();
        let filter = &self.filters[self.agents[self.find(agent)?].params.filter as usize];
        let reach = self.settings.reach;
        let found = find_nearest(mesh, at, reach, filter.as_ref());
        found.map(|near| near.place()).ok_or(CrowdError::NoGround { at, reach })
    }

    /// Puts an agent on the position nearest to a point. It keeps its target and requests a new path to it; if it was
    /// on an off-mesh connection, it leaves that.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`]; [`CrowdError::NoGround`].
    pub fn teleport(&mut self, mesh: &NavMesh, agent: AgentId, place: impl Into<Vec3>) -> Result<(), CrowdError> {
        let ground = self.ground(mesh, agent, place)?;
        let i = self.find(agent)?;
        self.hot.put(i, ground.point);
        let record = &mut self.agents[i];
        record.corridor.reset(ground);
        record.corners.clear();
        record.boundary.forget();
        record.leave_connection();
        (record.placed, record.is_fresh) = (None, true);
        record.progress = AgentProgress::default();
        record.ask_anew();
        (record.refused, record.not_before, record.detour) = (None, 0, Detour::None);
        Ok(())
    }

    /// Reports the position of an agent that the game moves ([`Driver::Game`]). The next [`constrain`](Self::constrain)
    /// moves its corridor there over the mesh. A point off the mesh gives the nearest position on it, and a point more
    /// than half the agent's height above or below its floor the nearest floor. A point that is not finite leaves the
    /// agent where it was.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn set_position(&mut self, agent: AgentId, place: impl Into<Vec3>) -> Result<(), CrowdError> {
        let (i, place) = (self.find(agent)?, place.into());
        self.agents[i].placed = place.is_finite().then_some(place);
        Ok(())
    }

    /// Reports the velocity of an agent that the game moves, m/s: others use it to predict the agent. A velocity that
    /// is not finite counts as standing.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn set_velocity(&mut self, agent: AgentId, velocity: impl Into<Vec3>) -> Result<(), CrowdError> {
        let i = self.find(agent)?;
        self.hot.velocity[i] = finite(velocity.into());
        Ok(())
    }

    /// Makes an agent stand still, or continue. Others still avoid it, and do all of the avoiding.
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
        let has_other_speed = before.max_speed != now.max_speed;
        let is_open =
            agent.target_status == TargetStatus::Unreachable && before.when_unreachable != now.when_unreachable;
        if is_open {
            agent.target_status = TargetStatus::Waiting;
        } else if is_other_filter {
            agent.ask_by_other_filter();
        }
        if has_other_speed {
            // Counted at the old speed: without any, it would never be over.
            agent.progress.settling.left = 0.0;
        }
        agent.boundary.forget();
        agent.params = params;
        Ok(())
    }

    /// Sets the progress of an agent along the off-mesh connection it is on, if the game moves it: 0 is the entrance, 1
    /// leaves it. No effect on an agent that is not on a connection.
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

    /// The position of an agent.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn position(&self, agent: AgentId) -> Result<Vec3, CrowdError> {
        Ok(self.hot.position[self.find(agent)?])
    }

    /// The velocity of an agent, m/s.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn velocity(&self, agent: AgentId) -> Result<Vec3, CrowdError> {
        Ok(self.hot.velocity[self.find(agent)?])
    }

    /// The remaining distance of an agent: metres, horizontally along its path, with connections counted as straight
    /// lines; on a connection, from the current point on it. This is the distance to the end of its path: the target
    /// ([`TargetStatus::Complete`], [`TargetStatus::Arrived`]), as near as it leads ([`TargetStatus::Partial`]), or the
    /// end of the previous path while another is searched ([`TargetStatus::Waiting`]). `None` without a path: no target
    /// or only a velocity, an unreachable target, no path found yet, no surface.
    ///
    /// Cost: the length of the path.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn remaining_distance(&self, agent: AgentId) -> Result<Option<f32>, CrowdError> {
        let i = self.find(agent)?;
        let agent = &self.agents[i];
        let has_path = match agent.target_status {
            TargetStatus::Complete | TargetStatus::Partial | TargetStatus::Arrived => true,
            TargetStatus::Waiting => agent.on_connection.is_some() || agent.corridor.start() != agent.corridor.end(),
            _ => false,
        };
        if !has_path {
            return Ok(None);
        }
        let on_ground = self.pool.lend(|scratch| agent.corridor.length(&mut scratch.corridor));
        let in_the_air = agent.on_connection.map_or(0.0, |on| plane::distance(self.hot.position[i], on.crossing.to));
        Ok(Some(in_the_air + on_ground))
    }

    /// Whether an agent rests: it stands still and has nowhere to go, or has arrived and found no free position nearer
    /// to its goal.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn is_at_rest(&self, agent: AgentId) -> Result<bool, CrowdError> {
        Ok(self.hot.rests[self.find(agent)?])
    }

    /// The target of an agent.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn target(&self, agent: AgentId) -> Result<Target, CrowdError> {
        Ok(self.agents[self.find(agent)?].target)
    }

    /// Status of an agent's path.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn target_status(&self, agent: AgentId) -> Result<TargetStatus, CrowdError> {
        Ok(self.agents[self.find(agent)?].target_status)
    }

    /// An agent's corridor.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn corridor(&self, agent: AgentId) -> Result<&PathCorridor, CrowdError> {
        Ok(&self.agents[self.find(agent)?].corridor)
    }

    /// The corners towards which an agent steers.
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

    /// The indices of the neighbours that an agent saw in the last tick, nearest first. [`id_at`](Self::id_at) gives
    /// their ids.
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

    /// Whether the crowd itself, not the game, moves an agent.
    pub(super) fn drives(params: &AgentParams) -> bool {
        params.driver == Driver::Crowd
    }
}
