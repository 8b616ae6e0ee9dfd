//! Phase 1: has the mesh changed, and what does that break?
//!
//! The crowd remembers the mesh of the last tick (a snapshot, which costs a few counted pointers). If it is given the
//! same again, no corridor is looked at. If not, all are, as far as they reach: what is broken is cut off, agents
//! without ground get the nearest, and those that lost part of their way ask for a new one.
//!
//! Cost: nothing while the mesh stays; a look-up for each polygon of each corridor when it changes.
//!
//! Sources: Mikko Mononen, "On Navigation Robustness", Digesting Duck, September 2010.

use super::parallel::for_each2;
use super::{Crowd, EventKind, Planner, Target, Way};
use crate::corridor::Repair;
use crate::mesh::NavMesh;
use crate::query::find_nearest;

impl Crowd {
    /// Mends what a change of the mesh has broken.
    pub fn validate(&mut self, mesh: &NavMesh, planner: &mut dyn Planner) {
        if self.mesh.as_ref().is_some_and(|last| last.is_same_as(mesh)) {
            return;
        }
        self.mesh = Some(mesh.clone());
        planner.mesh_changed(mesh);
        self.outdate_search();
        let (filters, reach, present) = (&self.filters, self.settings.reach, &self.hot.present);
        for_each2((&mut self.agents, &mut self.hot.position), &self.pool, |i, (agent, position), _| {
            if !present[i] {
                return;
            }
            let filter = filters[agent.params.filter as usize].as_ref();
            agent.boundary.forget();
            // The target's ground may be another polygon now.
            if let Target::Point(place) | Target::Moving(place) = &mut agent.target
                && !mesh.is_valid(place.poly)
                && let Some(ground) = find_nearest(mesh, place.point, reach, filter)
            {
                *place = ground.place();
            }
            let had_way = agent.way != Way::None;
            if agent.corridor.polys().is_empty() {
                // Lost before: perhaps there is ground again.
                if let Some(ground) = find_nearest(mesh, *position, reach, filter) {
                    agent.corridor.reset(ground.place());
                    *position = ground.point;
                    agent.way = if agent.target == Target::None { Way::None } else { Way::Waiting };
                }
                return;
            }
            match agent.corridor.repair(mesh, u32::MAX, reach, filter) {
                Repair::Whole => {
                    if agent.way == Way::Unreachable || agent.way == Way::Partial {
                        agent.way = Way::Waiting;
                    }
                }
                Repair::Cut(broken) => {
                    agent.raised.push(EventKind::PathLost(broken));
                    agent.way = if had_way { Way::Waiting } else { Way::None };
                }
                Repair::Moved(broken) => {
                    agent.link = None;
                    if had_way {
                        agent.raised.push(EventKind::PathLost(broken));
                        agent.way = Way::Waiting;
                    }
                    if let Some(start) = agent.corridor.start() {
                        *position = start.point;
                    }
                }
                Repair::Lost(_) => {
                    agent.raised.push(EventKind::GroundLost);
                    agent.way = Way::Lost;
                    agent.link = None;
                    agent.corners.clear();
                }
            }
        });
    }
}
