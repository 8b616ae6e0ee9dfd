//! Phase 4: the next corners of every way, and the walls around every agent.
//!
//! Before the corners are pulled, a look along the straight line to the corner after the next may have straightened the
//! way's beginning; every agent looks every fourth tick, a quarter of them in each.
//!
//! Cost: a short string and, every fourth tick, a ray for each agent.
//!
//! Sources: Mikko Mononen, "Path Corridor Optimizations", Digesting Duck, November 2010.

use super::Crowd;
use super::parallel::for_each;
use crate::mesh::NavMesh;

/// Corners that steering looks at.
const CORNERS: usize = 2;

impl Crowd {
    /// Pulls the next corners, and looks up walls.
    pub fn corners(&mut self, mesh: &NavMesh) {
        let (filters, hot, tick) = (&self.filters, &self.hot, self.tick);
        for_each(&mut self.agents, &self.pool, |i, agent, scratch| {
            let Some(place) = agent.corridor.start().filter(|_| hot.present[i]) else { return };
            let filter = filters[agent.params.filter as usize].as_ref();
            agent.boundary.update(mesh, place, &agent.params, filter, scratch);
            if !agent.follows_way() {
                agent.corners.clear();
                return;
            }
            let memory = &mut scratch.corridor;
            agent.corridor.corners_into(CORNERS, memory, &mut agent.corners);
            if (tick + i as u64).is_multiple_of(4)
                && let [_, next, ..] = agent.corners[..]
            {
                let ahead = agent.params.look_ahead;
                // A corridor that is broken is mended by validation.
                if agent.corridor.optimise_visibility(mesh, next.point, ahead, filter, memory) == Ok(true) {
                    agent.corridor.corners_into(CORNERS, memory, &mut agent.corners);
                }
            }
        });
    }
}
