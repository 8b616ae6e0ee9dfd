//! Phase 2: finds paths.
//!
//! Agents that need a path make a request to a [`PathQueue`](crate::plan::PathQueue), which processes many requests at
//! once within the tick's budget. An agent that cannot reach its goal at all learns this at once, without occupying the
//! queue. The ends of paths to moving targets are moved along, and a path is searched only if that does not reach the
//! target.
//!
//! ```text
//!   wanting ──> may reach? ──no──> unreachable
//!                  │ yes
//!                  v
//!               [ queue ] ──budget──> planner, searches ──> corridor
//! ```
//!
//! Cost: the budget; a move over the mesh for each moving target; a few small searches for better topology.
//!
//! Sources: Mikko Mononen, "Path Following Performance" and "Following Moving Target", Digesting Duck, 2010.

use super::agent::{Agent, Detour};
use super::destination::AT_END;
use super::parallel::for_each;
use super::path_requests::Asked;
use super::scratch::PhaseScratch;
use super::step::seconds;
use super::{AgentId, Crowd, EventKind, Target, TargetStatus, WhenUnreachable};
use crate::area::PathStatus;
use crate::context::Budget;
use crate::corridor::Repair;
use crate::mesh::{NavMesh, PolyRef};
use crate::plan::{PathAnswer, Planner, SharedFilter};
use crate::query::{PathRequest, PolyPoint};
use glam::Vec3;

/// If the end of a path is farther than this from its target, metres horizontally, or on another floor, another path is
/// needed.
const ASTRAY: f32 = 0.1;
/// Seconds between two searches for a better topology: twice a second is enough for any agent.
const TOPOLOGY_INTERVAL: f64 = 0.5;

impl Crowd {
    /// Follows moving targets, and searches paths within the budget.
    pub fn plan(&mut self, mesh: &NavMesh, planner: &mut dyn Planner, dt: f32) {
        self.tell_of_obstacles(mesh, planner);
        self.follow_agents();
        self.follow_targets(mesh, dt);
        self.leave_detours(dt);
        self.renew_requests();
        self.ask_for_paths(mesh, planner);
        self.take_paths(mesh, planner);
        self.optimise_topologies(mesh);
    }

    /// Tells the planner which agents cannot get past obstacles that the mesh does not contain.
    fn tell_of_obstacles(&self, mesh: &NavMesh, planner: &mut dyn Planner) {
        if self.obstacles.is_empty() {
            return;
        }
        for agent in self.agents.iter().filter(|agent| !agent.local.obstructed_by.is_empty()) {
            if let Some(at) = agent.corridor.start() {
                planner.obstructed(mesh, at, &agent.local.obstructed_by);
            }
        }
    }

    /// Converts targets that are agents to positions.
    fn follow_agents(&mut self) {
        for i in 0..self.agents.len() {
            let Target::Agent(other) = self.agents[i].target else { continue };
            if self.find(other).is_err() && self.hot.present[i] {
                Self::halt(&mut self.agents[i]);
                self.raise(i, EventKind::GaveUp);
            }
        }
    }

    /// The current position of an agent's target.
    fn goal_of(&self, agent: &Agent) -> Option<PolyPoint> {
        match agent.target {
            Target::Point(place) | Target::Moving(place) => Some(place),
            Target::Agent(other) => self.agents[self.find(other).ok()?].corridor.start(),
            Target::None | Target::Velocity(_) => None,
        }
    }

    /// Moves the ends of paths along with their targets.
    fn follow_targets(&mut self, mesh: &NavMesh, dt: f32) {
        let moving = |agent: &Agent| matches!(agent.target, Target::Moving(_) | Target::Agent(_));
        if !self.agents.iter().any(moving) {
            return;
        }
        let mut goals = core::mem::take(&mut self.paths.goals);
        goals.clear();
        goals.extend(self.agents.iter().map(|a| if moving(a) { self.goal_of(a) } else { None }));
        let filters = &self.filters;
        let tick = self.tick;
        let radius = &self.hot.radius;
        let interval = self.replan_ticks(dt);
        for_each(&mut self.agents, &self.pool, |i, agent, scratch| {
            let Some(goal) = goals[i] else { return };
            if agent.target_status == TargetStatus::Unreachable
                && agent.refused != Some(goal.poly)
                && tick >= agent.not_before
            {
                // It is on another polygon, which may be reachable.
                (agent.target_status, agent.not_before) = (TargetStatus::Waiting, tick + interval);
            }
            let is_away = |agent: &Agent, within| agent.params.are_apart(agent.corridor_end(), goal.point, within);
            if agent.target_status == TargetStatus::Arrived {
                if agent.is_left_by(goal.point, agent.bodies(i, radius)) {
                    agent.target_status = TargetStatus::Partial;
                    agent.progress = super::agent::AgentProgress::default();
                } else if !is_away(agent, AT_END) {
                    return;
                }
            }
            if !matches!(agent.target_status, TargetStatus::Complete | TargetStatus::Partial | TargetStatus::Arrived) {
                return;
            }
            let filter = filters[agent.params.filter as usize].as_ref();
            let _ = agent.corridor.move_end(mesh, goal.point, filter, &mut scratch.corridor);
            let is_astray = is_away(agent, ASTRAY);
            if agent.target_status == TargetStatus::Arrived && !is_astray {
                return;
            }
            agent.target_status = if is_astray { TargetStatus::Partial } else { TargetStatus::Complete };
            if is_astray && tick >= agent.not_before {
                agent.target_status = TargetStatus::Waiting;
                agent.not_before = tick + interval;
            }
        });
        self.paths.goals = goals;
    }

    /// Ticks between two searches for a possibly better path.
    fn replan_ticks(&self, dt: f32) -> u64 {
        let dt = seconds(dt);
        if dt > 0.0 { (self.settings.replan_interval / dt).clamp(1.0, 1e6) as u64 } else { 1 }
    }

    /// Makes agents on a detour request a path again where a shorter one may have opened.
    fn leave_detours(&mut self, dt: f32) {
        let tick = self.tick;
        let interval = self.replan_ticks(dt);
        for agent in &mut self.agents {
            if agent.detour == Detour::Reopened
                && agent.target_status == TargetStatus::Complete
                && tick >= agent.not_before
            {
                (agent.target_status, agent.not_before, agent.detour) =
                    (TargetStatus::Waiting, tick + interval, Detour::Taken);
            }
        }
    }

    /// Cancels requests of agents that no longer need a path, and updates the others to their agents' current
    /// positions.
    fn renew_requests(&mut self) {
        for i in 0..self.agents.len() {
            let Some(id) = self.paths.asker(i) else { continue };
            match self.request_of(id) {
                Some((request, filter)) => self.paths.update(i, request, &filter),
                None => self.paths.cancel(i),
            }
        }
    }

    /// Requests paths for agents that need one, or reports that there is none.
    fn ask_for_paths(&mut self, mesh: &NavMesh, planner: &mut dyn Planner) {
        for i in 0..self.agents.len() {
            let agent = &self.agents[i];
            let has_asked = self.paths.asker(i).is_some();
            if agent.target_status != TargetStatus::Waiting
                || has_asked
                || !self.hot.present[i]
                || agent.on_connection.is_some()
            {
                continue;
            }
            let (Some(start), Some(goal)) = (agent.corridor.start(), self.goal_of(agent)) else { continue };
            let filter = &self.filters[agent.params.filter as usize];
            let reachable = mesh.is_valid(goal.poly) && planner.may_reach(mesh, start.poly, goal.poly, filter);
            if reachable || agent.params.when_unreachable == WhenUnreachable::GoNear && mesh.is_valid(goal.poly) {
                let id = AgentId { index: i as u32, generation: self.generations[i] };
                self.paths.ask(id, PathRequest::new(start, goal), filter.clone());
            } else {
                self.agents[i].refuse(goal.poly);
            }
        }
    }

    /// Searches within the budget, and gives agents the paths that were found.
    fn take_paths(&mut self, mesh: &NavMesh, planner: &mut dyn Planner) {
        let mut budget = Budget::new(self.settings.path_nodes);
        let mut paths = core::mem::take(&mut self.paths);
        paths.work(mesh, planner, &mut budget);
        while let Some((asked, answer)) = paths.take_answer() {
            self.profile.paths += 1;
            self.take_path(mesh, asked, answer);
        }
        self.paths = paths;
        self.profile.nodes = budget.taken().min(self.settings.path_nodes);
        self.profile.waiting = self.paths.pending() as u32;
    }

    /// The request for an agent that has asked; `None` if it no longer needs a path.
    fn request_of(&self, id: AgentId) -> Option<(PathRequest, SharedFilter)> {
        let agent = &self.agents[self.find(id).ok()?];
        if agent.target_status != TargetStatus::Waiting {
            return None;
        }
        let request = PathRequest::new(agent.corridor.start()?, self.goal_of(agent)?);
        Some((request, self.filters[agent.params.filter as usize].clone()))
    }

    /// A filter has changed: searches that use it restart, since otherwise half of each would use the old one and half
    /// the new one.
    pub(super) fn restart_searches_by(&mut self, filter: u32) {
        for i in (0..self.agents.len()).filter(|&i| self.agents[i].params.filter == filter) {
            self.paths.restart(i);
        }
    }

    /// Gives an agent the path that was found for it.
    fn take_path(&mut self, mesh: &NavMesh, Asked { agent, to }: Asked, answer: &PathAnswer) {
        let Ok(i) = self.find(agent) else { return };
        let path = &answer.path;
        let goal = self.goal_of(&self.agents[i]);
        let agent = &mut self.agents[i];
        let asks_again = core::mem::take(&mut agent.asks_again);
        let complete = path.status == PathStatus::Complete;
        // A search that a limit has ended does not prove that there is no path: its path is followed, and the search
        // continues from its end.
        let is_answer = path.status == PathStatus::Partial && path.limit.is_none();
        if is_answer && agent.params.when_unreachable == WhenUnreachable::Stay {
            // If the target has moved on in the meantime, it is checked again from here.
            let follows = matches!(agent.target, Target::Moving(_) | Target::Agent(_));
            let is_wanted = goal.is_some_and(|goal| follows || goal.poly == to);
            if is_wanted && !answer.is_outdated && !asks_again {
                agent.refuse(to);
            }
            return;
        }
        // If neither end fits any more, it requests again.
        if path.status == PathStatus::None || agent.corridor.follow(path).is_err() {
            return;
        }
        let same_goal = goal.is_some_and(|goal| !complete || !agent.params.are_apart(goal.point, path.end, ASTRAY));
        let follows = matches!(agent.target, Target::Moving(_) | Target::Agent(_));
        if !same_goal && !follows {
            return;
        }
        if answer.is_outdated {
            // A polygon that was open when the search crossed it may be closed by now: the path is followed up to there
            // in the meantime.
            let filter = self.filters[agent.params.filter as usize].as_ref();
            if agent.corridor.repair(mesh, u32::MAX, self.settings.reach, filter) != Repair::Whole {
                return;
            }
        }
        agent.target_status = match complete {
            _ if asks_again => TargetStatus::Waiting,
            true => TargetStatus::Complete,
            false => TargetStatus::Partial,
        };
        agent.cost_drift = 0.0;
        (agent.refused, agent.cut_short) = (None, path.limit.is_some());
        // Progress on a new path is measured from scratch, but an agent that was blocked stays so until it moves on.
        (agent.progress.nearest, agent.progress.waiting) = (f32::INFINITY, 0.0);
        agent.raised.push(EventKind::PathFound { complete });
        if answer.soon.is_some() {
            agent.warn(mesh);
        }
    }

    /// Lets the agents that have waited longest search for a better topology of their path.
    fn optimise_topologies(&mut self, mesh: &NavMesh) {
        let most = self.settings.topology_searches as usize;
        let mut longest = core::mem::take(&mut self.paths.longest);
        longest.clear();
        for (i, agent) in (0u32..).zip(&self.agents) {
            let wants = agent.follows_path() && agent.corridor.polys().len() > 4 && self.hot.present[i as usize];
            // Most are later than all that were found already.
            let is_later = longest.len() >= most && longest.last().is_none_or(|last| *last <= (agent.optimised, i));
            if wants && !is_later && self.time >= agent.optimised + TOPOLOGY_INTERVAL {
                let place = longest.partition_point(|other| *other <= (agent.optimised, i));
                if place < most {
                    longest.insert(place, (agent.optimised, i));
                    longest.truncate(most);
                }
            }
        }
        let nodes = self.settings.topology_nodes;
        let now = self.time;
        let filters = &self.filters;
        let agents = &mut self.agents;
        self.pool.lend(|scratch: &mut PhaseScratch| {
            for &(_, i) in &longest {
                let agent = &mut agents[i as usize];
                agent.optimised = now;
                let filter = filters[agent.params.filter as usize].as_ref();
                // A broken corridor is repaired by the validation phase.
                let _ = agent.corridor.optimise_topology(mesh, nodes, filter, &mut scratch.corridor);
            }
        });
        self.paths.longest = longest;
    }
}

impl Agent {
    /// Its target cannot be reached, which is reported once.
    fn refuse(&mut self, goal: PolyRef) {
        self.target_status = TargetStatus::Unreachable;
        self.corridor.stop();
        if self.refused.replace(goal).is_none() {
            self.raised.push(EventKind::Unreachable);
        }
    }

    /// Whether its target has moved away since it came to rest at `goal`; `bodies` is the sum of both radii.
    fn is_left_by(&self, goal: Vec3, bodies: f32) -> bool {
        let here = self.corridor.start().map_or(goal, |start| start.point);
        let has_moved = self.params.are_apart(self.progress.settling.goal, goal, self.params.arrival);
        has_moved && self.params.are_apart(here, goal, self.arrives_within(bodies))
    }

    /// Where its path ends.
    fn corridor_end(&self) -> Vec3 {
        self.corridor.end().map_or(Vec3::NAN, |end| end.point)
    }
}
