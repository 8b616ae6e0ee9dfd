//! Phase 1: detects mesh changes, and repairs what they break.
//!
//! The crowd remembers the mesh of the last tick (a snapshot, which costs a few counted pointers). If it is given the
//! same mesh again, no agent is examined. If not, it reads once what has changed since, and repairs the paths that
//! cross the changes: the broken part is cut off, agents without a surface are put on the nearest one, and those that
//! lost part of their path request a new one in the same tick. Agents nearby look up their walls again, and those on a
//! detour around something that broke their path request again once the opened path may be shorter. An agent on an
//! off-mesh connection continues to its end, or to the nearest surface there.
//!
//! ```text
//!   feed ──> MeshChange ──┬─ path crosses it?     broken: PathLost, cut, asked anew   announced: PathBreaksSoon
//!                         ├─ surface gone?        the nearest on this floor: Displaced   none: SurfaceLost
//!                         ├─ near it?             walls are looked up anew
//!                         └─ on a detour?         asked anew where it may be shorter
//! ```
//!
//! The mesh need not be an edit of the last one: a game may load another level. Its polygons may have the same
//! references, but mean another surface; so if the feed does not reach back, all agents are examined, and if a
//! reference is valid in both meshes, the tiles are compared as well. Searches in progress then start again.
//!
//! Cost: a comparison of pointers while the mesh stays; when it changes, for each agent a look at its path's tiles, and
//! a few look-ups for each polygon of paths that cross the changes.
//!
//! Sources: Mikko Mononen, "On Navigation Robustness", Digesting Duck, September 2010.

use super::agent::{Agent, Detour};
use super::mesh_change::MeshChange;
use super::parallel::for_each2;
use super::scratch::PhaseScratch;
use super::{Crowd, EventKind, Target, TargetStatus};
use crate::corridor::{PathCorridor, Repair};
use crate::math::steps;
use crate::mesh::{NavMesh, PolyRef, StaleReason};
use crate::plan::Planner;
use crate::query::{Broken, BrokenBy, DefaultFilter, PolyPoint, QueryFilter, find_nearest};
use glam::Vec3;
use std::sync::Arc;

/// Walls are known within this many ranges of an agent: it may have moved a quarter of its range since it looked them
/// up.
const WALLS_WITHIN: f32 = 1.25;
/// Something that is put on a surface farther away than this, metres, is displaced: an agent gets an event.
const DISPLACED: f32 = 0.01;

impl Crowd {
    /// Repairs what a change of the mesh has broken.
    pub fn validate(&mut self, mesh: &NavMesh, planner: &mut dyn Planner) {
        self.take_costs_of(mesh);
        let is_same = self.mesh.as_ref().is_some_and(|last| last.version() == mesh.version());
        if self.is_checked && is_same && self.unseen.is_none() {
            return;
        }
        let last = self.mesh.replace(mesh.clone());
        let unseen = self.unseen.take();
        let change = match &last {
            Some(last) => MeshChange::between(last, mesh).after(unseen),
            None => MeshChange::unknown(),
        };
        if last.is_some() && change.set.is_unknown() {
            // Searches in progress are over ground that may not be in this mesh, whatever their references say.
            self.paths.restart_all();
        }
        let change = if self.is_checked { change } else { change.into_unknown() };
        self.is_checked = true;
        if change.set.has_changes() {
            planner.mesh_changed(mesh);
            self.paths.outdate();
        }
        let swap = MeshSwap { mesh, change, reach: self.settings.reach };
        let filters = &self.filters;
        let present = &self.hot.present;
        for_each2((&mut self.agents, &mut self.hot.position), &self.pool, |i, (agent, position), scratch| {
            if present[i] {
                agent.validate(position, &swap, filters[agent.params.filter as usize].as_ref(), scratch);
            }
        });
    }

    /// Agents without a filter of their own use the costs of the mesh. If these have changed, another path may be
    /// cheaper.
    fn take_costs_of(&mut self, mesh: &NavMesh) {
        let has_other_costs = core::mem::take(&mut self.has_other_costs);
        let is_known = match &self.mesh {
            Some(_) if has_other_costs => false,
            Some(last) => last.areas() == mesh.areas(),
            None => mesh.areas().is_empty(),
        };
        if is_known || !self.has_mesh_filter {
            return;
        }
        self.filters[0] = Arc::new(DefaultFilter::of(mesh));
        self.restart_searches_by(0);
        for agent in self.agents.iter_mut().filter(|agent| agent.params.filter == 0) {
            agent.ask_by_other_filter();
        }
        // The mesh may be the same except for the costs, and this must happen once.
        self.is_checked = false;
    }
}

/// The current mesh, and what has changed in it.
struct MeshSwap<'a> {
    mesh: &'a NavMesh,
    change: MeshChange,
    reach: Vec3,
}

impl MeshSwap<'_> {
    /// Whether a reference is valid in this mesh and the last, and means another surface.
    fn is_other_ground(&self, poly: PolyRef) -> bool {
        self.change.is_other_ground(self.mesh, poly)
    }
}

impl Agent {
    fn validate(
        &mut self,
        position: &mut Vec3,
        swap: &MeshSwap<'_>,
        filter: &dyn QueryFilter,
        scratch: &mut PhaseScratch,
    ) {
        let &MeshSwap { mesh, ref change, .. } = swap;
        let set = &change.set;
        if change.is_near(*position, WALLS_WITHIN * self.params.neighbour_range) {
            self.boundary.forget();
        }
        self.look_up_target(swap, filter);
        if self.corridor.polys().is_empty() {
            // Lost before: there may be a surface again.
            if let Some(ground) = self.nearest_surface(swap, *position, filter) {
                self.corridor.reset(ground);
                *position = ground.point;
                self.ask_anew();
            }
            return;
        }
        if set.touches_any(self.corridor.polys()) {
            self.mend(position, swap, filter, scratch);
        } else if set.has_changes() {
            self.take_chance(change);
        }
        if set.announces_any(self.corridor.polys()) {
            self.warn(mesh);
        }
    }

    /// The surface of its target may be another polygon now, or be there again: it is always the one nearest to the
    /// point that was given, however often it was somewhere else in between.
    fn look_up_target(&mut self, swap: &MeshSwap<'_>, filter: &dyn QueryFilter) {
        let is_followed = matches!(self.target, Target::Moving(_));
        let (Target::Point(place) | Target::Moving(place)) = &mut self.target else { return };
        let is_gone = !swap.mesh.is_valid(place.poly) || swap.is_other_ground(place.poly);
        let is_elsewhere = swap.change.may_open() && self.params.are_apart(place.point, self.sent_to, DISPLACED);
        if !is_gone && !is_elsewhere {
            return;
        }
        let Some(ground) = find_nearest(swap.mesh, self.sent_to, swap.reach, filter) else { return };
        let has_moved = self.params.are_apart(place.point, ground.point, DISPLACED);
        *place = ground.place();
        let has_path = matches!(
            self.target_status,
            TargetStatus::Complete | TargetStatus::Partial | TargetStatus::Arrived | TargetStatus::Unreachable
        );
        if has_moved && has_path && !is_followed {
            self.ask_anew();
        }
    }

    /// Repairs a path that crosses something that has changed.
    fn mend(&mut self, position: &mut Vec3, swap: &MeshSwap<'_>, filter: &dyn QueryFilter, scratch: &mut PhaseScratch) {
        let had_path = self.target_status != TargetStatus::None;
        steps::count(self.corridor.polys().len());
        let is_other = self.corridor.polys().iter().any(|&poly| swap.is_other_ground(poly));
        let is_whole = !is_other && self.corridor.is_valid(swap.mesh, u32::MAX, filter);
        if is_whole || !is_other && self.bridge(position, swap, filter, scratch) {
            // What has changed on its tiles may be a door beside its path.
            self.take_chance(&swap.change);
            return;
        }
        match self.repair(swap, filter) {
            Repair::Whole => {}
            Repair::Cut(broken) => self.lose_path(broken),
            Repair::Moved(broken) => {
                if had_path {
                    self.lose_path(broken);
                }
                let Some(start) = self.corridor.start() else { return };
                match &mut self.on_connection {
                    Some(on) => on.crossing.to = start.point,
                    None => self.displace(position, start.point),
                }
            }
            Repair::Lost(_) => {
                self.leave_connection();
                self.raised.push(EventKind::SurfaceLost);
                self.target_status = TargetStatus::Lost;
                self.corners.clear();
            }
        }
    }

    /// Walks on along a path of which only tiles were rebuilt, if little has changed there: as on a detour, since a
    /// better path may have opened elsewhere.
    fn bridge(
        &mut self,
        position: &mut Vec3,
        swap: &MeshSwap<'_>,
        filter: &dyn QueryFilter,
        scratch: &mut PhaseScratch,
    ) -> bool {
        let mesh = swap.mesh;
        let walks = matches!(self.target_status, TargetStatus::Complete | TargetStatus::Waiting);
        let Some(start) = self.corridor.start() else { return false };
        let Some(end) = self.corridor.end() else { return false };
        if !walks || self.on_connection.is_some() {
            return false;
        }
        let is_there = |place: &PolyPoint| mesh.is_valid(place.poly);
        let ground = Some(start).filter(is_there).or_else(|| self.nearest_surface(swap, start.point, filter));
        let Some(start) = ground else { return false };
        let end = match self.target {
            _ if is_there(&end) => end,
            Target::Point(to) | Target::Moving(to) if to.point == end.point => to,
            _ => return false,
        };
        if !self.corridor.bridge(mesh, [start, end], filter, &mut scratch.corridor) {
            return false;
        }
        self.displace(position, start.point);
        self.detour = Detour::Taken;
        true
    }

    pub(super) fn lose_path(&mut self, broken: Broken) {
        self.raised.push(EventKind::PathLost(broken));
        self.ask_anew();
        self.detour = Detour::Taken;
    }

    /// Puts it onto the nearest remaining surface.
    fn displace(&mut self, position: &mut Vec3, to: Vec3) {
        if self.params.are_apart(*position, to, DISPLACED) {
            self.raised.push(EventKind::Displaced { from: *position, to });
        }
        *position = to;
    }

    /// Changes that leave its path whole may have opened one to its target, or a shorter one.
    fn take_chance(&mut self, change: &MeshChange) {
        match (self.target_status, self.corridor.start(), self.corridor.end()) {
            (TargetStatus::Unreachable | TargetStatus::Partial, ..) if change.may_open() => {
                self.target_status = TargetStatus::Waiting;
            }
            (TargetStatus::Complete, Some(start), Some(end))
                if self.detour == Detour::Taken
                    && change.may_shorten([start.point, end.point], || self.corridor.length_over_portals()) =>
            {
                self.detour = Detour::Reopened;
            }
            _ => {}
        }
    }

    /// Reports where its path will soon be broken, if anywhere.
    pub(super) fn warn(&mut self, mesh: &NavMesh) {
        if let Some(soon) = self.corridor.soon_broken(mesh).filter(|_| self.target_status != TargetStatus::None) {
            self.raised.push(EventKind::PathBreaksSoon(soon));
        }
    }

    fn repair(&mut self, swap: &MeshSwap<'_>, filter: &dyn QueryFilter) -> Repair {
        let from = self.corridor.start().map_or(Vec3::NAN, |start| start.point);
        let other = self.corridor.polys().iter().find(|&&poly| swap.is_other_ground(poly));
        let broken = match other {
            Some(&poly) => Broken { step: 0, poly, by: BrokenBy::Gone(StaleReason::Replaced), ahead: 0.0 },
            None => match self.corridor.repair(swap.mesh, u32::MAX, Vec3::ZERO, filter) {
                Repair::Lost(broken) | Repair::Moved(broken) => broken,
                done => return done,
            },
        };
        if let Some(ground) = self.nearest_surface(swap, from, filter) {
            self.corridor.reset(ground);
            return Repair::Moved(broken);
        }
        self.corridor = PathCorridor::default();
        Repair::Lost(broken)
    }

    /// The surface nearest to where it was: on its own floor if there is one in reach, otherwise anywhere.
    fn nearest_surface(&self, swap: &MeshSwap<'_>, from: Vec3, filter: &dyn QueryFilter) -> Option<PolyPoint> {
        let floor = swap.reach.with_y(swap.reach.y.min(0.5 * self.params.height));
        let within = |reach| find_nearest(swap.mesh, from, reach, filter);
        within(floor).or_else(|| within(swap.reach)).map(|near| near.place())
    }
}
