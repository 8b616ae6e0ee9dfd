//! Phase 6: computes the velocity that each agent wants.
//!
//! Its style turns the next corners into a direction; near the end, and before agents that rest there, it slows down;
//! separation is added. Agents without a path want to stand still; one that has long been standing although it wants to
//! walk goes straight to the next corner.
//!
//! Sources: see the functions in [`steering`](super::steering).

use super::agent::Agent;
use super::arrived_or_blocked::HALVINGS;
use super::destination::AT_END;
use super::gather::{Company, ROLLING};
use super::hot::finite;
use super::parallel::for_each;
use super::{AgentParams, Crowd, Style, Target, TargetStatus, steering};
use crate::corridor::CornerAt;
use crate::math::plane;
use glam::Vec3;

impl Crowd {
    /// Sets each agent's desired velocity.
    pub fn steer(&mut self) {
        let Self { agents, hot, neighbours, pool, time, .. } = self;
        let position = &hot.position;
        let present = &hot.present;
        let held = &hot.held;
        let company = Company {
            places: position,
            radius: &hot.radius,
            arrived: &hot.arrived,
            rests: &hot.rests,
            goals: &hot.goal,
            lists: neighbours,
        };
        for_each(&mut hot.desired, pool, |i, desired, _| {
            let agent = &agents[i];
            if !present[i] || held[i] || !agent.is_on_ground() {
                *desired = Vec3::ZERO;
                return;
            }
            *desired = agent.wish(position[i], *time, i, &company);
            let params = &agent.params;
            if params.separation > 0.0 && agent.target_status != TargetStatus::Arrived {
                let others = neighbours.of(i).iter().map(|&other| position[other as usize]);
                let range = params.neighbour_range / 3.0;
                let apart = *desired + steering::separation(position[i], others, range, params.separation);
                *desired = apart.clamp_length_max(params.max_speed);
            }
        });
    }
}

impl Agent {
    /// The velocity towards its target, in the plane.
    fn wish(&self, position: Vec3, time: f64, index: usize, company: &Company<'_>) -> Vec3 {
        let AgentParams { max_speed, slow_down, stopping_distance, .. } = self.params;
        if let Target::Velocity(v) = self.target {
            return finite(Vec3::new(v.x, 0.0, v.z)).clamp_length_max(max_speed);
        }
        let Some(last) = self.corners.last().filter(|_| self.has_corners()) else { return Vec3::ZERO };
        if let Some(to) = self.progress.settling.to {
            let way = to - plane::xz(position);
            let speed = steering::arrival_speed(way.length(), max_speed * ROLLING, slow_down);
            let along = company.along_bodies((index, self), way.normalize_or_zero() * speed);
            return Vec3::new(along.x, 0.0, along.y);
        }
        let mut points = [Vec3::ZERO; 2];
        for (point, corner) in points.iter_mut().zip(&self.corners) {
            *point = corner.point;
        }
        let bend = self.local.bend;
        let points = bend.as_ref().map_or(&points[..self.corners.len().min(2)], core::slice::from_ref);
        // The curve of the other styles may lead into a wall beside the corner, or an obstacle beside the bend.
        let is_exact = bend.is_some() || self.halvings() == HALVINGS;
        let style = if is_exact { Style::Straight } else { self.params.style };
        let direction = match style {
            Style::Straight => steering::straight(position, points),
            Style::Smooth => steering::smooth(position, points),
            Style::Drunken { swing, period } => {
                // Each agent sways with its own timing.
                let turns = time / f64::from(period.max(1e-3)) + 0.618_034 * index as f64;
                steering::drunken(steering::smooth(position, points), swing, (turns % 1e4) as f32)
            }
        };
        let to_end = match (last.at, bend) {
            (_, Some(bend)) if !self.local.obstructed_by.is_empty() => plane::distance(position, bend),
            (_, Some(_)) => f32::INFINITY,
            (CornerAt::End, None) => {
                plane::distance(position, last.point) - company.bodies((index, self)) - stopping_distance
            }
            _ => f32::INFINITY,
        };
        let free = to_end.min(company.free_way((index, self), plane::xz(direction)));
        if free > 0.5 * AT_END { direction * steering::arrival_speed(free, max_speed, slow_down) } else { Vec3::ZERO }
    }
}
