//! Phase 7: chooses velocities that avoid collisions.
//!
//! For a run of agents at a time, what each agent sees is projected onto the plane, and every method is called with as
//! many consecutive agents as possible. Agents that see nothing nearby get their desired velocity.
//!
//! Agents that block each other although all want to walk, as in front of a narrow door, take turns. Of two, the one
//! whose turn it is sees the other as narrower than it is and pushes through; seconds later it is the other's turn.
//! Without this, everyone would wait for everyone: each move is costly for the first to move.
//!
//! An agent that approaches others that have arrived at its goal does not avoid them, nor they it: they are where it is
//! going.
//!
//! An agent that rests with nobody approaching, or one with a sampling method that would hit nobody at its desired
//! velocity, is skipped: the desired velocity would be the best sample anyway.
//!
//! Cost: that of the methods, for agents that others affect.
//!
//! Sources: own; for those of the methods see [`avoid`](crate::avoid).

use super::agent::{Agent, AgentId};
use super::boundary::crosses;
use super::destination::leads_to;
use super::hot::{Hot, finite};
use super::neighbours::Lists;
use super::parallel::{RUN, for_runs};
use super::resolve::share;
use super::scratch::PhaseScratch;
use super::{Crowd, CrowdError};
use crate::avoid::{AgentState, Avoidance, Avoider, Neighbour, Surroundings, Wall};
use crate::math::plane::xz;
use glam::{Vec2, Vec3};

/// Agents per call of a method: as many as a thread processes in one go. Agents for which ORCA finds no solution wait
/// until there are eight, so more is better.
const BATCH: usize = RUN;
/// An agent that hits nobody within this many seconds needs no method.
const AHEAD: f32 = 2.5;
/// Passing at less than this many times the sum of the radii counts as a hit.
const ROOM: f32 = 1.1;
/// When two agents block each other, they take turns in going first; a full round takes this many seconds.
const ROUND: f64 = 4.0;
/// The agent that goes first sees the other with this fraction of its radius and pushes through: by less than counts as
/// an overlap.
const SHOULDER: f32 = 0.95;

impl Crowd {
    /// Sets the velocity of each agent.
    pub fn avoid(&mut self) {
        let mut avoiding = core::mem::take(&mut self.hot.avoiding);
        self.hot.desired.iter_mut().for_each(|desired| *desired = finite(*desired));
        let mut seen = core::mem::take(&mut self.hot.seen);
        self.see_all(&mut seen);
        let Self { agents, hot, neighbours, pool, .. } = self;
        let view = View { agents, hot, seen: &seen, lists: neighbours, turns: turns_at(self.time) };
        for_runs(&mut avoiding, pool, |first, avoiding, scratch| {
            view.avoid_run(first, avoiding, scratch);
        });
        (self.hot.avoiding, self.hot.seen) = (avoiding, seen);
    }

    /// What an agent avoids, and by which method: for drawing, and for calling a method again. The neighbours and walls
    /// are those of the last tick, at their current positions.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn sight_of(&self, agent: AgentId) -> Result<Sight, CrowdError> {
        let i = self.find(agent)?;
        let mut seen = Vec::new();
        self.see_all(&mut seen);
        let Self { agents, hot, neighbours: lists, .. } = self;
        let view = View { agents, hot, seen: &seen, lists, turns: turns_at(self.time) };
        let mut neighbours = Vec::new();
        view.write_neighbours(i, &mut neighbours);
        let walls = agents[i].boundary.walls.clone();
        Ok(Sight { agent: view.state(i, view.wish(i)), neighbours, walls, method: view.method(i) })
    }

    fn see_all(&self, seen: &mut Vec<Seen>) {
        let Self { agents, hot, .. } = self;
        seen.clear();
        seen.extend((0..hot.len()).map(|j| {
            let gives_way = !hot.held[j] && Self::drives(&agents[j].params);
            Seen {
                position: xz(hot.position[j]),
                velocity: xz(hot.velocity[j]),
                desired: xz(hot.desired[j]),
                radius: hot.radius[j],
                priority: if gives_way { hot.priority[j] } else { f32::NAN },
            }
        }));
    }
}

/// What time it is within a [`ROUND`], of all numbers.
fn turns_at(time: f64) -> u32 {
    (time / ROUND * f64::from(u32::MAX)) as u64 as u32
}

/// What one agent of a crowd avoids, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    /// The agent. Its desired velocity takes into account that others may want to pass.
    pub agent: AgentState,
    /// The others that it avoids, nearest first.
    pub neighbours: Vec<Neighbour>,
    /// The walls near it.
    pub walls: Vec<Wall>,
    /// Its method, with its current horizon.
    pub method: Avoidance,
}

impl Sight {
    /// The same as the input of a method.
    #[must_use]
    pub fn surroundings(&self) -> Surroundings<'_> {
        Surroundings { agent: self.agent, neighbours: &self.neighbours, walls: &self.walls }
    }
}

/// An agent as others see it, stored together because each is read by about ten others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    position: Vec2,
    velocity: Vec2,
    desired: Vec2,
    radius: f32,
    /// NaN for an agent that does not give way.
    priority: f32,
}

/// The data that this phase reads.
struct View<'a> {
    agents: &'a [Agent],
    hot: &'a Hot,
    seen: &'a [Seen],
    lists: &'a Lists,
    /// The current time within a [`ROUND`], scaled to the full range of integers.
    turns: u32,
}

/// An agent within this many times the sum of the radii is in front of another.
const BEFORE: f32 = 1.4;
/// How fast missing space is made, 1/s.
const HURRY: f32 = 3.0;

/// An agent for which its method is called.
#[derive(Clone, Copy)]
struct Asking {
    agent: usize,
    method: Avoidance,
    wish: Vec2,
    /// Where its neighbours begin and end.
    seen: (usize, usize),
}

impl View<'_> {
    /// Calls the methods for at most [`BATCH`] agents.
    fn avoid_run(&self, first: usize, run: &mut [Vec3], scratch: &mut PhaseScratch) {
        let PhaseScratch { avoid, neighbours, .. } = scratch;
        neighbours.clear();
        let nobody = Asking { agent: 0, method: Avoidance::None, wish: Vec2::ZERO, seen: (0, 0) };
        let mut asking = [nobody; BATCH];
        let mut count = 0;
        for (i, velocity) in (first..).zip(run.iter_mut()) {
            let wish = if self.hot.present[i] { self.wish(i) } else { Vec2::ZERO };
            *velocity = Vec3::new(wish.x, 0.0, wish.y);
            if self.asks(i, wish) {
                let begin = neighbours.len();
                self.write_neighbours(i, neighbours);
                asking[count] = Asking { agent: i, method: self.method(i), wish, seen: (begin, neighbours.len()) };
                count += 1;
            }
        }
        let alone = Surroundings { agent: self.state(first, Vec2::ZERO), neighbours: &[], walls: &[] };
        let mut many = [alone; BATCH];
        let mut velocities = [Vec2::ZERO; BATCH];
        for same in asking[..count].chunk_by(|a, b| a.method == b.method) {
            for (around, asking) in many.iter_mut().zip(same) {
                let agent = self.state(asking.agent, asking.wish);
                let walls = &self.agents[asking.agent].boundary.walls[..];
                *around = Surroundings { agent, neighbours: &neighbours[asking.seen.0..asking.seen.1], walls };
            }
            same[0].method.velocities(&many[..same.len()], &mut velocities[..same.len()], avoid);
            for (asking, velocity) in same.iter().zip(&velocities) {
                run[asking.agent - first] = Vec3::new(velocity.x, 0.0, velocity.y);
            }
        }
    }

    /// An agent's method. An agent that has been standing for a while looks less far ahead: a distant obstacle may
    /// never clear, and a resting agent steps aside only for those that come near.
    fn method(&self, i: usize) -> Avoidance {
        let agent = &self.agents[i];
        let halvings = agent.halvings();
        if halvings == 0 {
            agent.params.avoidance
        } else {
            agent.params.avoidance.looking_ahead(1.0 / (1 << halvings) as f32)
        }
    }

    /// Whether an agent's method must be called if it wants velocity `v`.
    fn asks(&self, i: usize, v: Vec2) -> bool {
        let hot = self.hot;
        if !hot.present[i] || hot.held[i] || !self.agents[i].is_on_ground() {
            return false;
        }
        let samples = matches!(self.agents[i].params.avoidance, Avoidance::Sampled(_) | Avoidance::Adaptive(_));
        // With other methods, neighbours rely on the agent to do its part.
        if !samples && !self.agents[i].rests() {
            let reach = v.length() * AHEAD;
            return !self.lists.of(i).is_empty() || self.agents[i].boundary.is_near(xz(hot.position[i]), reach);
        }
        !self.is_free(i, v)
    }

    /// Whether velocity `v` hits no agent and no wall within [`AHEAD`] seconds, if all others keep their velocities.
    fn is_free(&self, i: usize, v: Vec2) -> bool {
        let own = &self.seen[i];
        let at = own.position;
        let meets = |&other: &u32| {
            let j = other as usize;
            let other = &self.seen[j];
            let p = other.position - at;
            let r = (own.radius + other.radius) * ROOM;
            let relative = v - other.velocity;
            let a = relative.length_squared();
            let b = relative.dot(p);
            let gap = p.length_squared() - r * r;
            if gap <= 0.0 {
                // Touching: free as long as they come no nearer, and do not overlap.
                return (b > 0.0 || gap < -0.1 * r * r) && !self.gather(i, j);
            }
            let root = b * b - a * gap;
            // They meet within the horizon: (b - √root) / a < AHEAD.
            b > 0.0 && root > 0.0 && b - root.sqrt() < a * AHEAD && !self.gather(i, j)
        };
        if self.lists.of(i).iter().any(meets) {
            return false;
        }
        let to = at + v * AHEAD;
        v == Vec2::ZERO || !self.agents[i].boundary.walls.iter().any(|wall| crosses(wall, at, to))
    }

    /// Whether one of two agents has arrived where the other is going or has arrived too: then they do not avoid each
    /// other.
    fn gather(&self, i: usize, j: usize) -> bool {
        let arrived = &self.hot.arrived;
        arrived[j] && self.leads_to(i, j) || arrived[i] && self.leads_to(j, i)
    }

    fn leads_to(&self, i: usize, j: usize) -> bool {
        leads_to(&self.hot.goal, (i, &self.agents[i]), j)
    }

    /// The desired velocity of an agent. A resting agent steps out of the way of one that stands in front of it and
    /// wants to pass: that one has stopped, so from velocities alone nobody would have a reason to move. Agents whose
    /// goal is the same as that of the resting agent do not want to pass.
    fn wish(&self, i: usize) -> Vec2 {
        let hot = self.hot;
        let wanted = xz(self.hot.desired[i]);
        if !self.agents[i].rests() || hot.held[i] {
            return wanted;
        }
        let mut aside = None;
        for &other in self.lists.of(i) {
            let j = other as usize;
            let from = xz(hot.position[i]) - xz(hot.position[j]);
            let room = hot.radius[i] + hot.radius[j];
            let Some(ahead) = xz(hot.desired[j]).try_normalize() else { continue };
            let along = from.dot(ahead);
            if from.length_squared() > room * room * (BEFORE * BEFORE) || along <= 0.0 {
                continue;
            }
            if self.leads_to(j, i) {
                continue;
            }
            // While it is there, no agent returns to where it wants to pass.
            let aside = aside.get_or_insert(Vec2::ZERO);
            let sideways = from - ahead * along;
            let missing = room * ROOM - sideways.length();
            let hand = if i.is_multiple_of(2) { ahead.perp() } else { -ahead.perp() };
            if missing > 0.0 {
                *aside += sideways.normalize_or(hand) * (missing * HURRY) + ahead * 0.2;
            }
        }
        aside.map_or(wanted, |aside| aside.clamp_length_max(self.agents[i].params.max_speed * 0.6))
    }

    fn state(&self, i: usize, desired: Vec2) -> AgentState {
        let hot = self.hot;
        AgentState {
            position: xz(hot.position[i]),
            velocity: xz(hot.velocity[i]),
            desired,
            radius: hot.radius[i],
            max_speed: self.agents[i].params.max_speed,
            // The mesh is already eroded by the radius.
            wall_distance: 0.0,
        }
    }

    fn write_neighbours(&self, i: usize, out: &mut Vec<Neighbour>) {
        let own = self.hot.priority[i];
        let waits = self.agents[i].halvings() > 0;
        let avoided = self.lists.of(i).iter().filter(|&&other| !self.gather(i, other as usize));
        out.extend(avoided.map(|&other| {
            let j = other as usize;
            let Seen { position, velocity, desired, radius, priority } = self.seen[j];
            let gives_way = !priority.is_nan() && self.lists.heeds(j, i);
            let is_first = waits && gives_way && self.goes_before(i, j);
            Neighbour {
                position,
                velocity,
                desired,
                radius: radius * if is_first { SHOULDER } else { 1.0 },
                share: if gives_way { share(own, priority) } else { 1.0 },
            }
        }));
    }

    /// Whether `i`, which stands although it wants to walk, goes before `j`: a resting agent always lets it pass;
    /// waiting agents take turns.
    fn goes_before(&self, i: usize, j: usize) -> bool {
        let turn = |k: usize| (k as u32).wrapping_mul(0x9e37_79b9).wrapping_add(self.turns);
        let other = &self.agents[j];
        other.rests() || other.halvings() > 0 && turn(i) > turn(j)
    }
}
