//! Phase 7: the velocity at which nobody is run into.
//!
//! For a run of agents at a time, what each sees is written down on the plane, and every method is asked for as many of them at
//! once as stand in a row. Agents that see nothing near get what they want.
//!
//! Cost: that of the methods.

use super::Crowd;
use super::agent::Agent;
use super::hot::Hot;
use super::neighbours::Lists;
use super::parallel::for_runs;
use super::resolve::share;
use super::scratch::PhaseScratch;
use crate::avoid::{AgentState, Avoider, Neighbour, Surroundings};
use crate::math::plane::xz;
use glam::{Vec2, Vec3};

/// Agents that a method is asked about at once.
const BATCH: usize = 16;

impl Crowd {
    /// Sets the velocity that each agent is to have.
    pub fn avoid(&mut self) {
        let Self { agents, hot, neighbours, pool, .. } = self;
        let mut avoiding = core::mem::take(&mut hot.avoiding);
        let view = View { agents, hot, lists: neighbours };
        for_runs(&mut avoiding, pool, |first, avoiding, scratch| {
            for (k, run) in avoiding.chunks_mut(BATCH).enumerate() {
                view.avoid_run(first + k * BATCH, run, scratch);
            }
        });
        self.hot.avoiding = avoiding;
    }
}

/// What the phase reads.
struct View<'a> {
    agents: &'a [Agent],
    hot: &'a Hot,
    lists: &'a Lists,
}

impl View<'_> {
    /// Asks for the velocities of at most [`BATCH`] agents.
    fn avoid_run(&self, first: usize, run: &mut [Vec3], scratch: &mut PhaseScratch) {
        let PhaseScratch { avoid, neighbours, ends, .. } = scratch;
        neighbours.clear();
        ends.clear();
        for i in first..first + run.len() {
            self.write_neighbours(i, neighbours);
            ends.push((neighbours.len() as u32, 0));
        }
        let seen = |i: usize| {
            let k = i - first;
            let begin = if k == 0 { 0 } else { ends[k - 1].0 };
            &neighbours[begin as usize..ends[k].0 as usize]
        };
        let around = |i: usize| {
            let (agent, neighbours) = (&self.agents[i], seen(i));
            let walls = &agent.boundary.walls[..];
            Surroundings { agent: self.state(i), neighbours, walls }
        };
        let mut i = first;
        while i < first + run.len() {
            let method = self.agents[i].params.avoidance;
            let same =
                (i..first + run.len()).take_while(|&j| self.asks(j) && self.agents[j].params.avoidance == method);
            let count = same.count();
            if count == 0 {
                run[i - first] = if self.hot.present[i] { self.hot.desired[i] } else { Vec3::ZERO };
                i += 1;
                continue;
            }
            let many: [Surroundings<'_>; BATCH] = core::array::from_fn(|k| around(i + k.min(count - 1)));
            let mut velocities = [Vec2::ZERO; BATCH];
            method.velocities(&many[..count], &mut velocities[..count], avoid);
            for (v, velocity) in run[i - first..].iter_mut().zip(&velocities[..count]) {
                *v = Vec3::new(velocity.x, 0.0, velocity.y);
            }
            i += count;
        }
    }

    /// Whether an agent's method is to be asked at all.
    fn asks(&self, i: usize) -> bool {
        let hot = self.hot;
        if !hot.present[i] || hot.held[i] || self.agents[i].link.is_some() {
            return false;
        }
        let reach = hot.velocity[i].length().max(hot.desired[i].length()) * 2.5;
        !self.lists.of(i).is_empty() || reach > 0.0 && self.agents[i].boundary.is_near(xz(hot.position[i]), reach)
    }

    fn state(&self, i: usize) -> AgentState {
        let hot = self.hot;
        AgentState {
            position: xz(hot.position[i]),
            velocity: xz(hot.velocity[i]),
            desired: xz(hot.desired[i]),
            radius: hot.radius[i],
            max_speed: self.agents[i].params.max_speed,
            // The mesh is eroded by the radius already.
            wall_distance: 0.0,
        }
    }

    fn write_neighbours(&self, i: usize, out: &mut Vec<Neighbour>) {
        let hot = self.hot;
        out.extend(self.lists.of(i).iter().map(|&other| {
            let j = other as usize;
            Neighbour {
                position: xz(hot.position[j]),
                velocity: xz(hot.velocity[j]),
                desired: xz(hot.desired[j]),
                radius: hot.radius[j],
                share: if hot.held[j] || !Crowd::drives(&self.agents[j].params) {
                    1.0
                } else {
                    share(hot.priority[i], hot.priority[j])
                },
            }
        }));
    }
}
