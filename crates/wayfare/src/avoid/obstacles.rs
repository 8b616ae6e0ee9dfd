//! Everything that an agent avoids, prepared for evaluating velocities: neighbours and walls in lanes, eight at once.
//!
//! What is the same for all candidate velocities is computed here, once: how far away a neighbour is, on which side to
//! pass it, which direction a wall faces.
//!
//! Cost: O(neighbours + walls).
//!
//! Sources: those of the [penalty](super::penalty).

use super::agent::{AgentState, Neighbour, Surroundings, Turn};
use super::discs::Discs;
use super::lines::{Line, Lines};
use super::sample_weights::SampleWeights;
use fearless_simd::Simd;
use glam::Vec2;

/// Everything that one agent avoids, prepared once for all candidate velocities.
#[derive(Clone, Debug, Default)]
pub(super) struct PreparedObstacles {
    pub(super) discs: Vec<Discs>,
    /// Number of valid neighbours.
    pub(super) count: usize,
    /// How much of the avoidance [falls to the agent](Surroundings::burden).
    pub(super) burden: f32,
    pub(super) lines: Vec<Line>,
    /// The ends of walls from which a distance is kept: as points, and as discs.
    posts: Vec<Neighbour>,
    pub(super) ends: Vec<Discs>,
}

/// Clamps a horizon, in seconds; beyond these limits nothing changes.
fn horizon(seconds: f32) -> f32 {
    seconds.clamp(1e-3, 1e3)
}

impl PreparedObstacles {
    /// Prepares the surroundings. Returns the agent with an adjusted desired velocity, which keeps to the right and
    /// follows walls; `None` if it cannot move.
    #[inline(always)]
    pub(super) fn prepare<S: Simd>(
        &mut self,
        simd: S,
        around: &Surroundings<'_>,
        weights: &SampleWeights,
    ) -> Option<AgentState> {
        let burden = around.burden();
        let agent =
            AgentState { desired: around.keeping_right(Turn::right(weights.keep_right, burden)), ..around.agent };
        if !agent.can_move() {
            return None;
        }
        self.see_all(simd, &Surroundings { agent, ..*around }, weights, burden);
        Some(AgentState { desired: self.along_walls(agent.goal_velocity()), ..agent })
    }

    /// Adds neighbours and walls. Walls that cannot be reached within their horizon are left out.
    #[inline(always)]
    pub(super) fn see_all<S: Simd>(
        &mut self,
        simd: S,
        around: &Surroundings<'_>,
        weights: &SampleWeights,
        burden: f32,
    ) {
        self.burden = burden;
        let Surroundings { agent, neighbours, walls } = around;
        let horizons = [weights.horizon, weights.wall_horizon].map(horizon);
        self.discs.clear();
        self.count = 0;
        // Loops, not closures: closures are compiled separately, without the machine's vector instructions.
        for eight in neighbours.chunks(8) {
            let discs = Discs::new(simd, agent, eight, horizons[0]);
            self.count += discs.seen.count_ones() as usize;
            self.discs.push(discs);
        }

        self.lines.clear();
        self.posts.clear();
        let keep = agent.wall_distance.max(0.0);
        let reach = keep + agent.max_speed * horizons[1];
        for walls in walls.chunks(8) {
            for (lane, line, touching) in Lines::new(simd, (walls, agent.position), (keep, reach), horizons[1]).near() {
                self.lines.push(line);
                if keep > 0.0 && !touching {
                    let wall = walls[lane];
                    self.posts.extend([wall.a, wall.b].map(|end| post(end - agent.position)));
                }
            }
        }
        let still = AgentState { position: Vec2::ZERO, velocity: Vec2::ZERO, radius: keep, ..*agent };
        self.ends.clear();
        for eight in self.posts.chunks(8) {
            self.ends.push(Discs::new(simd, &still, eight, horizons[1]));
        }
    }

    /// A velocity with its components into walls removed, for walls that it would hit at once. So a velocity along the
    /// wall is among the candidates, with others close to it.
    fn along_walls(&self, velocity: Vec2) -> Vec2 {
        self.lines.iter().fold(velocity, |v, line| line.leave_of(v))
    }
}

/// The end of a wall as a neighbour at rest.
fn post(position: Vec2) -> Neighbour {
    Neighbour { position, velocity: Vec2::ZERO, desired: Vec2::ZERO, radius: 0.0, share: 1.0 }
}
