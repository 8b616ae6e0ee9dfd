//! The agents on one map: adds and removes them, passes on their targets, steps them, and reports their status.

use super::Id;
use super::agent::{Agent, Goal, Movement, Report, Status};
use super::map::{Map, filter_for};
use super::threads::on_pool;
use std::collections::BTreeMap;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::context::Context;
use wayfare::corridor::CorridorScratch;
use wayfare::crowd::{AgentId, Crowd, CrowdError, EventKind, Phase, Target, TargetStatus};
use wayfare::grid::Obstacle;
use wayfare::mesh::NavMesh;
use wayfare::plan::AStarPlanner;

/// An agent that is farther than this from where it was put, metres, was moved by the game.
const MOVED: f32 = 1e-3;
/// A moving target that moves by less, metres, is the same.
const SAME_TARGET: f32 = 0.05;

/// What happened to an agent in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AgentEvent {
    /// A path was found, or another.
    PathChanged {
        /// Whether it leads to the target itself.
        complete: bool,
    },
    /// No path leads to the target.
    Unreachable,
    /// The path is broken, or will be.
    PathLost {
        /// How far ahead, metres.
        distance: f32,
        /// Whether that is yet to come.
        soon: bool,
    },
    /// It was moved out of the way of an obstacle.
    Displaced {
        /// Where it was.
        from: Vec3,
        /// Where it is.
        to: Vec3,
    },
    /// It is at its target.
    Arrived,
    /// It got no nearer for a while.
    Stuck {
        /// For how many spells in a row.
        spells: u32,
    },
    /// It has given its target up.
    GaveUp,
    /// It entered a link.
    LinkEntered {
        /// The link; 0 for one that was found by itself.
        link: Id,
        /// Where.
        from: Vec3,
        /// Where it will leave it.
        to: Vec3,
    },
    /// It has come to an obstacle that it should walk around, and there is no way around.
    Obstructed {
        /// The obstacle.
        by: Id,
    },
    /// It left a link.
    LinkLeft {
        /// The link; 0 for one that was found by itself, or is gone.
        link: Id,
    },
}

impl AgentEvent {
    /// The same with another number of the link that it is about, if it is about one.
    pub(super) fn with_link(self, number: impl Fn(Id) -> Id) -> Self {
        match self {
            Self::LinkEntered { link, from, to } => Self::LinkEntered { link: number(link), from, to },
            Self::LinkLeft { link } => Self::LinkLeft { link: number(link) },
            other => other,
        }
    }
}

struct Walker {
    id: AgentId,
    /// Its filter in the crowd.
    filter: u32,
    changes: u32,
    orders: u32,
    /// Where it was put last.
    put: Vec3,
    aim: Vec3,
}

/// The agents of a map.
#[derive(Default)]
pub struct Walkers {
    crowd: Crowd,
    planner: AStarPlanner,
    walkers: BTreeMap<Id, Walker>,
    name_of: BTreeMap<AgentId, Id>,
    /// Filters that nobody uses.
    free_filters: Vec<u32>,
    are_costs_new: bool,
    scratch: CorridorScratch,
}

impl Walkers {
    /// Who walks here.
    pub fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        self.walkers.keys().copied()
    }

    /// Lets one go.
    pub fn remove(&mut self, id: Id) {
        if let Some(walker) = self.walkers.remove(&id) {
            self.name_of.remove(&walker.id);
            self.free_filters.push(walker.filter);
            // It is gone where its name is stale.
            let _ = self.crowd.remove(walker.id);
        }
    }

    /// Lets all go: the mesh is another. They come again in the next tick.
    pub fn dismiss(&mut self) {
        let all: Vec<Id> = self.ids().collect();
        all.into_iter().for_each(|id| self.remove(id));
    }

    /// The corners of an agent's path from where it is on, the target among them. Cost: the length of the path.
    pub fn path(&mut self, id: Id) -> Vec<Vec3> {
        let corridor = self.walkers.get(&id).and_then(|walker| self.crowd.corridor(walker.id).ok());
        let corners = corridor.map(|corridor| corridor.corners(usize::MAX, &mut self.scratch)).unwrap_or_default();
        corners.into_iter().map(|corner| corner.point).collect()
    }

    /// How far an agent still has to go, metres. Cost: the length of the path.
    #[must_use]
    pub fn remaining(&self, id: Id) -> f32 {
        let walker = self.walkers.get(&id);
        walker.and_then(|walker| self.crowd.remaining_distance(walker.id).ok().flatten()).unwrap_or(0.0)
    }

    /// How many nodes path searches open in a tick.
    pub fn set_path_nodes(&mut self, nodes: u32) {
        self.crowd.settings_mut().path_nodes = u64::from(nodes.max(1));
    }

    /// The obstacles that agents walk around, in place of those before.
    pub fn walk_around(&mut self, obstacles: Vec<Obstacle>) {
        self.crowd.set_obstacles(obstacles);
    }

    /// The obstacles in an agent's way that it finds no way around, the nearest first.
    pub fn obstructed_by(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let walker = self.walkers.get(&id);
        let by = walker.and_then(|walker| self.crowd.obstructed_by(walker.id).ok()).unwrap_or_default();
        by.iter().map(|&by| Id::from(by))
    }

    /// Says how far an agent is on a link over which a script moves it, 0…1. `false` if it is on none.
    pub fn set_link_progress(&mut self, id: Id, progress: f32) -> bool {
        let Some(walker) = self.walkers.get(&id) else { return false };
        self.is_on_link(walker.id) && self.crowd.set_connection_progress(walker.id, progress).is_ok()
    }

    fn is_on_link(&self, agent: AgentId) -> bool {
        matches!(self.crowd.on_connection(agent), Ok(Some(_)))
    }

    /// Filters are made anew in the next tick.
    pub fn costs_changed(&mut self) {
        self.are_costs_new = true;
    }
}

impl Map {
    /// A tick of those agents that walk here. Returns what happened to them.
    pub fn walk(&mut self, agents: &mut BTreeMap<Id, Agent>, here: &[Id], dt: f32) -> Vec<(Id, AgentEvent)> {
        let gone: Vec<Id> = self.walkers.ids().filter(|id| here.binary_search(id).is_err()).collect();
        gone.into_iter().for_each(|id| self.walkers.remove(id));
        let mut events = Vec::new();
        for &id in here {
            let Some(agent) = agents.get_mut(&id) else { continue };
            if self.enter(id, agent) {
                self.lead(id, agent);
            } else {
                agent.leave();
            }
        }
        self.walkers.are_costs_new = false;
        for &id in here {
            if let Some(agent) = agents.get_mut(&id)
                && !self.walkers.aim(id, agent, &self.mesh)
            {
                events.push((id, AgentEvent::Unreachable));
            }
        }
        if here.is_empty() || dt <= 0.0 {
            return events;
        }
        self.step(agents, dt);
        for event in self.walkers.crowd.events() {
            let Some(&id) = self.walkers.name_of.get(&event.agent) else { continue };
            events.extend(said(&self.mesh, event.kind).map(|event| (id, event)));
        }
        for &id in here {
            if let Some(agent) = agents.get_mut(&id) {
                self.walkers.report(id, agent);
            }
        }
        events
    }

    /// Lets an agent in, or gives it its new settings. `false` if it is not near the mesh, or its numbers make no
    /// agent.
    fn enter(&mut self, id: Id, agent: &mut Agent) -> bool {
        let before = self.walkers.walkers.get(&id).map(|walker| (walker.id, walker.filter, walker.changes));
        if before.is_some_and(|before| before.2 == agent.changes) && !self.walkers.are_costs_new {
            return true;
        }
        if self.navigation_layers & agent.settings.navigation_layers == 0 {
            self.walkers.remove(id);
            return false;
        }
        let mut filter = filter_for(&self.mesh, agent.settings.navigation_layers);
        for (&area, &cost) in &agent.settings.area_costs {
            // A cost that is none leaves the type as it is.
            let _ = AreaId::new(area).map(|area| filter.set_area_cost(area, cost));
        }
        let crowd = &mut self.walkers.crowd;
        let number = match before.map(|before| before.1).or_else(|| self.walkers.free_filters.pop()) {
            Some(number) => {
                // Paths that have become dear are searched anew, and those that are closed. Numbers are of this crowd.
                let _ = crowd.set_costs(number, filter.clone());
                let _ = crowd.set_filter(number, filter);
                number
            }
            None => crowd.add_filter(filter),
        };
        let params = agent.settings.params(number);
        let entered = match before {
            Some((walker, ..)) => crowd.set_params(walker, params).map(|()| walker),
            None => crowd.add(&self.mesh, agent.position, params),
        };
        match (entered, before) {
            (Ok(_), Some(_)) => {
                if let Some(walker) = self.walkers.walkers.get_mut(&id) {
                    walker.changes = agent.changes;
                }
                true
            }
            (Ok(name), None) => {
                let orders = agent.orders.wrapping_sub(1);
                let (put, aim) = (agent.position, Vec3::INFINITY);
                let walker = Walker { id: name, filter: number, changes: agent.changes, orders, put, aim };
                self.walkers.walkers.insert(id, walker);
                self.walkers.name_of.insert(name, id);
                true
            }
            (Err(problem), before) => {
                match before {
                    Some(_) => self.walkers.remove(id),
                    None => self.walkers.free_filters.push(number),
                }
                // Where there is no ground there may be some later.
                if let CrowdError::Params(problem) = problem
                    && agent.refused != Some(agent.changes)
                {
                    agent.refused = Some(agent.changes);
                    agent.problem = Some(problem.to_string());
                }
                false
            }
        }
    }

    /// Lets an agent be where the scene has it.
    fn lead(&mut self, id: Id, agent: &mut Agent) {
        let Some(walker) = self.walkers.walkers.get_mut(&id) else { return };
        let crowd = &mut self.walkers.crowd;
        let is_on_link = matches!(crowd.on_connection(walker.id), Ok(Some(_)));
        match agent.settings.movement {
            // A script moves it over the link.
            _ if is_on_link && agent.settings.link_movement == Movement::Script => {}
            Movement::Crowd if agent.position.distance(walker.put) > MOVED => {
                let _ = crowd.teleport(&self.mesh, walker.id, agent.position);
                // It is told again from there.
                walker.orders = agent.orders.wrapping_sub(1);
            }
            Movement::Crowd => {}
            Movement::Script => {
                let _ = crowd.set_position(walker.id, agent.position);
            }
        }
        if let Some(velocity) = agent.forced.take() {
            let _ = crowd.set_velocity(walker.id, velocity);
        }
        let _ = crowd.pause(walker.id, agent.is_paused || agent.is_held);
    }

    /// The phases of a tick, with the velocities that scripts want in between.
    fn step(&mut self, agents: &BTreeMap<Id, Agent>, dt: f32) {
        let Walkers { crowd, planner, walkers, .. } = &mut self.walkers;
        crowd.begin(dt);
        let mesh = &self.mesh;
        on_pool(|| {
            for phase in Phase::ALL {
                if phase == Phase::Avoid {
                    let desired = crowd.desired_mut();
                    for (id, walker) in walkers.iter() {
                        if let Some(wish) = agents.get(id).and_then(|agent| agent.wish) {
                            desired[walker.id.index()] = wish;
                        }
                    }
                }
                crowd.run(phase, mesh, dt, planner, &Context::default());
            }
        });
        crowd.finish();
    }
}

impl Walkers {
    /// Tells an agent its target where that is new. `false` if the target is not near the mesh.
    fn aim(&mut self, id: Id, agent: &Agent, mesh: &NavMesh) -> bool {
        let other = match agent.goal {
            Goal::Agent(other) => self.walkers.get(&other).map(|walker| walker.id),
            _ => None,
        };
        let Some(walker) = self.walkers.get_mut(&id) else { return true };
        let aim = match agent.goal {
            Goal::None | Goal::Agent(_) => Vec3::ZERO,
            Goal::Point(place) | Goal::Moving(place) => place,
        };
        let is_same = aim.distance(walker.aim) <= SAME_TARGET;
        if walker.orders == agent.orders && (is_same || !matches!(agent.goal, Goal::Moving(_))) {
            return true;
        }
        (walker.orders, walker.aim) = (agent.orders, aim);
        let agent_id = walker.id;
        let near = |target: fn(_) -> Target| self.crowd.ground(mesh, agent_id, aim).ok().map(target);
        let target = match agent.goal {
            Goal::None => Some(Target::None),
            Goal::Point(_) => near(Target::Point),
            Goal::Moving(_) => near(Target::Moving),
            Goal::Agent(_) => other.map(Target::Agent),
        };
        let _ = self.crowd.set_target(agent_id, target.unwrap_or(Target::None));
        target.is_some()
    }

    fn report(&mut self, id: Id, agent: &mut Agent) {
        let Some(walker) = self.walkers.get_mut(&id) else { return };
        let index = walker.id.index();
        let (position, velocity) = match agent.settings.movement {
            Movement::Crowd => (self.crowd.positions()[index], self.crowd.velocities()[index]),
            Movement::Script => (agent.position, self.crowd.avoiding_mut()[index]),
        };
        let status = self.crowd.target_status(walker.id).map_or(Status::OffMesh, |way| status(way, agent.goal));
        let on_link = self.crowd.on_connection(walker.id).ok().flatten();
        let status = if on_link.is_some() { Status::OnLink } else { status };
        let link_progress = on_link.map_or(0.0, |on| on.progress);
        let is_carried = on_link.is_some() && agent.settings.link_movement == Movement::Script;
        let position = if is_carried { agent.position } else { position };
        // The list keeps its memory.
        let mut corners = core::mem::take(&mut agent.report.corners);
        corners.clear();
        corners.extend(self.crowd.corners_of(walker.id).unwrap_or_default().iter().map(|corner| corner.point));
        agent.report = Report { position, velocity, status, corners, link_progress, is_carried };
        if agent.settings.movement == Movement::Crowd {
            agent.position = position;
        }
        walker.put = agent.position;
    }
}

fn status(way: TargetStatus, goal: Goal) -> Status {
    match way {
        TargetStatus::Waiting => Status::Searching,
        TargetStatus::Complete => Status::Walking,
        TargetStatus::Partial => Status::WalkingNear,
        TargetStatus::Arrived => Status::Arrived,
        TargetStatus::Unreachable => Status::Unreachable,
        TargetStatus::None if goal != Goal::None => Status::Unreachable,
        TargetStatus::None => Status::Idle,
        _ => Status::OffMesh,
    }
}

fn said(mesh: &NavMesh, kind: EventKind) -> Option<AgentEvent> {
    let link = |reference| mesh.connection(reference).map_or(0, |link| Id::from(link.definition().user_id));
    Some(match kind {
        EventKind::PathFound { complete } => AgentEvent::PathChanged { complete },
        EventKind::Unreachable => AgentEvent::Unreachable,
        EventKind::PathLost(broken) => AgentEvent::PathLost { distance: broken.ahead, soon: false },
        EventKind::PathBreaksSoon(broken) => AgentEvent::PathLost { distance: broken.ahead, soon: true },
        EventKind::Displaced { from, to } => AgentEvent::Displaced { from, to },
        EventKind::Arrived => AgentEvent::Arrived,
        EventKind::Blocked { spells } => AgentEvent::Stuck { spells },
        EventKind::GaveUp => AgentEvent::GaveUp,
        EventKind::ConnectionEntered(at) => {
            AgentEvent::LinkEntered { link: link(at.connection), from: at.from, to: at.to }
        }
        EventKind::Obstructed { by } => AgentEvent::Obstructed { by: Id::from(by) },
        EventKind::ConnectionLeft(at) => AgentEvent::LinkLeft { link: link(at.connection) },
        _ => return None,
    })
}
