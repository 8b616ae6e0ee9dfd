//! Phase 1: has the mesh changed, and what does that break?
//!
//! The crowd remembers the mesh of the last tick (a snapshot, which costs a few counted pointers). If it is given the
//! same again, no corridor is looked at. If not, all are, as far as they reach: what is broken is cut off, agents
//! without ground get the nearest, and those that lost part of their way ask for a new one. Who is on an off-mesh
//! connection goes on to where that leads, or to the nearest ground there.
//!
//! A mesh need not be the last one edited: a game may load another level. Its polygons may have the same references,
//! and mean other ground; so where a reference holds in both, the tiles are compared as well.
//!
//! Cost: nothing while the mesh stays; a few look-ups for each polygon of each corridor when it changes.
//!
//! Sources: Mikko Mononen, "On Navigation Robustness", Digesting Duck, September 2010.

use super::agent::Agent;
use super::parallel::for_each2;
use super::{Crowd, EventKind, Target, Way};
use crate::corridor::{PathCorridor, Repair};
use crate::mesh::{NavMesh, PolyRef, StaleReason};
use crate::plan::Planner;
use crate::query::{Broken, BrokenBy, DefaultFilter, QueryFilter, find_nearest};
use glam::Vec3;
use std::sync::Arc;

impl Crowd {
    /// Mends what a change of the mesh has broken.
    pub fn validate(&mut self, mesh: &NavMesh, planner: &mut dyn Planner) {
        self.take_costs_of(mesh);
        if self.is_checked && self.mesh.as_ref().is_some_and(|last| last.is_same_as(mesh)) {
            return;
        }
        let change = MeshSwap { last: self.mesh.replace(mesh.clone()), mesh, reach: self.settings.reach };
        self.is_checked = true;
        planner.mesh_changed(mesh);
        self.paths.outdate();
        let filters = &self.filters;
        let present = &self.hot.present;
        for_each2((&mut self.agents, &mut self.hot.position), &self.pool, |i, (agent, position), _| {
            if present[i] {
                agent.validate(position, &change, filters[agent.params.filter as usize].as_ref());
            }
        });
    }

    /// Agents without a filter of their own walk at the costs of the mesh. Where these have changed, another way may be
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
        // The mesh may be the same but for the costs, and this is to happen once.
        self.is_checked = false;
    }
}

/// The mesh, and what it was.
struct MeshSwap<'a> {
    last: Option<NavMesh>,
    mesh: &'a NavMesh,
    reach: Vec3,
}

impl MeshSwap<'_> {
    /// Whether a reference holds in both meshes and means other ground.
    fn is_other_ground(&self, poly: PolyRef) -> bool {
        let Some(last) = &self.last else { return false };
        match (last.locate(poly), self.mesh.locate(poly)) {
            (Ok((before, _)), Ok((now, _))) => !before.is_of_same_ground(now),
            _ => false,
        }
    }
}

impl Agent {
    fn validate(&mut self, position: &mut Vec3, change: &MeshSwap<'_>, filter: &dyn QueryFilter) {
        let &MeshSwap { mesh, reach, .. } = change;
        self.boundary.forget();
        // The target's ground may be another polygon now.
        if let Target::Point(place) | Target::Moving(place) = &mut self.target
            && (!mesh.is_valid(place.poly) || change.is_other_ground(place.poly))
            && let Some(ground) = find_nearest(mesh, place.point, reach, filter)
        {
            *place = ground.place();
        }
        let had_way = self.way != Way::None;
        if self.corridor.polys().is_empty() {
            // Lost before: perhaps there is ground again.
            if let Some(ground) = find_nearest(mesh, *position, reach, filter) {
                self.corridor.reset(ground.place());
                *position = ground.point;
                self.ask_anew();
            }
            return;
        }
        match self.repair(change, filter) {
            Repair::Whole => {
                if self.way == Way::Unreachable || self.way == Way::Partial {
                    self.way = Way::Waiting;
                }
            }
            Repair::Cut(broken) => {
                self.raised.push(EventKind::PathLost(broken));
                self.ask_anew();
            }
            Repair::Moved(broken) => {
                if had_way {
                    self.raised.push(EventKind::PathLost(broken));
                    self.ask_anew();
                }
                if let Some(start) = self.corridor.start() {
                    match &mut self.on_connection {
                        Some(on) => on.crossing.to = start.point,
                        None => *position = start.point,
                    }
                }
            }
            Repair::Lost(_) => {
                self.leave_connection();
                self.raised.push(EventKind::GroundLost);
                self.way = Way::Lost;
                self.corners.clear();
            }
        }
    }

    fn repair(&mut self, change: &MeshSwap<'_>, filter: &dyn QueryFilter) -> Repair {
        let other = self.corridor.polys().iter().find(|&&poly| change.is_other_ground(poly));
        let Some(&poly) = other else { return self.corridor.repair(change.mesh, u32::MAX, change.reach, filter) };
        let broken = Broken { step: 0, poly, by: BrokenBy::Gone(StaleReason::Replaced), ahead: 0.0 };
        let from = self.corridor.start().map_or(Vec3::NAN, |start| start.point);
        if let Some(ground) = find_nearest(change.mesh, from, change.reach, filter) {
            self.corridor.reset(ground.place());
            return Repair::Moved(broken);
        }
        self.corridor = PathCorridor::default();
        Repair::Lost(broken)
    }
}
