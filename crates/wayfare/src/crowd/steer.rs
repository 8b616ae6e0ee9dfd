//! Phase 6: the velocity that each agent would like.
//!
//! Its style turns the next corners into a direction; near the end it slows down; separation is added. Agents without a
//! way want to stand still; one that has long been standing although it wants to walk makes straight for the next
//! corner.
//!
//! Sources: as of the functions in [`steering`](super::steering).

use super::agent::Agent;
use super::hot::finite;
use super::parallel::for_each;
use super::progress::HALVINGS;
use super::{Crowd, Style, Target, Way, steering};
use crate::corridor::CornerAt;
use crate::math::plane;
use glam::Vec3;

impl Crowd {
    /// Sets each agent's desired velocity.
    pub fn steer(&mut self) {
        let Self { agents, hot, neighbours, pool, time, .. } = self;
        let (position, present, held) = (&hot.position, &hot.present, &hot.held);
        for_each(&mut hot.desired, pool, |i, desired, _| {
            let agent = &agents[i];
            if !present[i] || held[i] || !agent.is_on_ground() {
                *desired = Vec3::ZERO;
                return;
            }
            *desired = agent.wish(position[i], *time, i);
            let params = &agent.params;
            if params.separation > 0.0 && agent.way != Way::Arrived {
                let others = neighbours.of(i).iter().map(|&other| position[other as usize]);
                let range = params.neighbour_range / 3.0;
                let apart = *desired + steering::separation(position[i], others, range, params.separation);
                *desired = apart.clamp_length_max(params.max_speed);
            }
        });
    }
}

impl Agent {
    /// The velocity towards its target, on the plane.
    fn wish(&self, position: Vec3, time: f64, index: usize) -> Vec3 {
        let max_speed = self.params.max_speed;
        if let Target::Velocity(v) = self.target {
            return finite(Vec3::new(v.x, 0.0, v.z)).clamp_length_max(max_speed);
        }
        let Some(last) = self.corners.last().filter(|_| self.follows_way()) else { return Vec3::ZERO };
        let mut points = [Vec3::ZERO; 2];
        for (point, corner) in points.iter_mut().zip(&self.corners) {
            *point = corner.point;
        }
        let points = &points[..self.corners.len().min(2)];
        // The curve of the other styles may lead into a wall beside the corner.
        let style = if self.halvings() == HALVINGS { Style::Straight } else { self.params.style };
        let direction = match style {
            Style::Straight => steering::straight(position, points),
            Style::Smooth => steering::smooth(position, points),
            Style::Drunken { swing, period } => {
                // Everybody sways in a time of their own.
                let turns = time / f64::from(period.max(1e-3)) + 0.618_034 * index as f64;
                steering::drunken(steering::smooth(position, points), swing, (turns % 1e4) as f32)
            }
        };
        let to_end = if last.at == CornerAt::End { plane::distance(position, last.point) } else { f32::INFINITY };
        direction * steering::arrival_speed(to_end, max_speed, self.params.slow_down)
    }
}
