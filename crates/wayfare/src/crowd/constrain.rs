//! Phase 10: puts all agents back on the mesh.
//!
//! Whatever was done to an agent's position, the start of its corridor is moved there over the mesh, and where that
//! move ends is the agent's position. In a tick no agent moves farther horizontally than its maximum speed allows, even
//! if it was pushed or slid around a corner; only an agent that was just put on top of others is separated from them at
//! once.
//!
//! Cost: a move over the mesh and a height for each agent that moved.
//!
//! Sources: Mikko Mononen, "On Navigation Robustness", Digesting Duck, September 2010.

use super::agent::Agent;
use super::arrived_or_blocked::Move;
use super::gather::Company;
use super::parallel::for_each2;
use super::scratch::PhaseScratch;
use super::step::seconds;
use super::{Crowd, TargetStatus};
use crate::math::plane;
use crate::mesh::NavMesh;
use crate::plan::SharedFilter;
use crate::query::{Broken, BrokenBy, QueryFilter, find_nearest};
use glam::Vec3;

/// An agent that was just put somewhere may be moved apart from others by this many radii.
const PARTING: f32 = 2.0;
/// Other agents within this many radii count as crowding.
const NEAR: f32 = 4.0;

impl Crowd {
    /// Moves agents over the mesh to their next positions; then finds which have arrived and which are stuck.
    pub fn constrain(&mut self, mesh: &NavMesh, dt: f32) {
        let Self { agents, hot, filters, pool, settings, neighbours, .. } = self;
        let dt = seconds(dt);
        let next = &hot.next;
        let present = &hot.present;
        let held = &hot.held;
        let desired = &hot.desired;
        let company = Company {
            places: next,
            radius: &hot.radius,
            arrived: &hot.arrived,
            rests: &hot.rests,
            goals: &hot.goal,
            lists: neighbours,
        };
        for_each2((agents, &mut hot.position), pool, |i, (agent, position), scratch| {
            // Cleared even for an agent that cannot be separated now: otherwise it would jump once there is a surface
            // again.
            let is_fresh = core::mem::take(&mut agent.is_fresh);
            if !present[i] || agent.on_connection.is_some() {
                return;
            }
            let filter = &filters[agent.params.filter as usize];
            let placed = agent.placed.take();
            if let Some(placed) = placed {
                agent.follow_game(mesh, placed, (filter, settings.reach), scratch);
            }
            if agent.corridor.polys().is_empty() {
                return;
            }
            if placed.is_none() && !held[i] && Self::drives(&agent.params) {
                // An agent that was just put here is separated from others at once, as far as necessary.
                let parting = if is_fresh { PARTING * agent.params.radius } else { 0.0 };
                let most = agent.params.max_speed * dt + parting;
                agent.walk(mesh, (*position, next[i], most), filter, scratch);
            }
            if matches!(agent.target_status, TargetStatus::None | TargetStatus::Unreachable) {
                // The polygons it has crossed lead to no goal: a corridor that kept them would grow without end.
                agent.corridor.stop();
            }
            let from = *position;
            if let Some(start) = agent.corridor.start() {
                *position = start.point;
            }
            if !held[i] {
                let reach = agent.params.radius * NEAR;
                let stands_near = |&&j: &&u32| plane::distance_squared(next[i], next[j as usize]) < reach * reach;
                let crowding = || neighbours.of(i).iter().filter(stands_near).count() as u32;
                let wanted = plane::xz(desired[i]).length();
                agent.look_back((i, &Move { from, to: *position, wanted, dt }), &company, crowding, scratch);
            } else {
                agent.progress.settling.is_still = true;
            }
        });
        for i in 0..self.hot.len() {
            self.show_manners(i);
        }
    }
}

impl Agent {
    /// Moves towards `to`, but horizontally by at most `most`; not at all if `to` is not finite.
    fn walk(
        &mut self,
        mesh: &NavMesh,
        (from, to, most): (Vec3, Vec3, f32),
        filter: &SharedFilter,
        scratch: &mut PhaseScratch,
    ) {
        if to == from || !to.is_finite() {
            return;
        }
        let filter = filter.as_ref();
        let within = |to: Vec3| {
            let distance = plane::distance(from, to);
            if distance > most { from + (to - from) * (most / distance) } else { to }
        };
        let whole = within(to);
        let mut wanted = whole;
        // Far from the origin, positions are rounded by more than a thousandth of a step.
        let rounding = 4.0 * f32::EPSILON * from.x.abs().max(from.z.abs());
        // A move that slides along walls may end farther away than requested. Around a corner no shorter slide may be
        // short enough either, but half of the path there is.
        for part in [1.0, 1.0, 0.5, 0.25] {
            wanted = if part < 1.0 { from + (whole - from) * part } else { wanted };
            let Some(now) = self.move_start(mesh, wanted, filter, scratch) else { return };
            if plane::distance(from, now) <= most * 1.001 + rounding {
                return;
            }
            wanted = within(now);
        }
        self.move_start(mesh, from, filter, scratch);
    }

    /// Moves its corridor's start over the mesh; `None` if it has no surface. An agent that leaves a closed polygon the
    /// wrong way cannot go back over it, so it loses its path.
    fn move_start(
        &mut self,
        mesh: &NavMesh,
        to: Vec3,
        filter: &dyn QueryFilter,
        scratch: &mut PhaseScratch,
    ) -> Option<Vec3> {
        let left = self.corridor.start()?.poly;
        let end = self.corridor.end();
        let now = self.corridor.move_start(mesh, to, filter, &mut scratch.corridor).ok()?;
        if let Some(cut) = self.corridor.end().filter(|cut| Some(*cut) != end)
            && !matches!(self.target_status, TargetStatus::None | TargetStatus::Unreachable)
        {
            let step = self.corridor.polys().len() as u32;
            self.lose_path(Broken { step, poly: left, by: BrokenBy::Closed, ahead: plane::distance(now, cut.point) });
        }
        Some(now)
    }

    /// Moves to where the game has put the agent, even if the agent had no surface, if there is one.
    fn follow_game(
        &mut self,
        mesh: &NavMesh,
        placed: Vec3,
        (filter, reach): (&SharedFilter, Vec3),
        scratch: &mut PhaseScratch,
    ) {
        let filter = filter.as_ref();
        let moved = self.move_start(mesh, placed, filter, scratch);
        let is_at = |place: Vec3, now: Vec3| !self.params.are_apart(place, now, self.params.radius);
        if moved.is_some_and(|now| is_at(placed, now)) {
            return;
        }
        // Too far to have walked, or on another floor: it was moved by the game. An agent that jumps or falls stays on
        // the floor it walked on.
        let ground = find_nearest(mesh, placed, reach, filter);
        if let Some(ground) = ground.filter(|ground| !moved.is_some_and(|now| is_at(ground.point, now))) {
            self.corridor.reset(ground.place());
            self.boundary.forget();
            self.ask_anew();
        }
    }
}
