//! Phase 4: finds the next corners of every path, and the walls around every agent.
//!
//! A ray to the corner after the next may straighten the beginning of the path; every agent tries this five times a
//! second, each at its own times. Obstacles on the line to the next corner are [walked around](super::walk_around).
//!
//! Cost: a short straight path and, five times a second, a ray for each agent.
//!
//! Sources: Mikko Mononen, "Path Corridor Optimizations", Digesting Duck, November 2010.

use super::Crowd;
use super::agent::Agent;
use super::parallel::for_each;
use super::scratch::PhaseScratch;
use crate::mesh::NavMesh;
use crate::query::QueryFilter;

/// Corners that steering uses.
const CORNERS: usize = 2;
/// Seconds between two rays to the corner after the next.
const LOOK_INTERVAL: f64 = 0.2;

/// Whether a ray is due for an agent between two times, given in intervals.
fn looks(agent: usize, [from, to]: [f64; 2]) -> bool {
    // Multiples of the golden ratio are spread evenly, however many there are.
    let ahead = 0.618_034 * agent as f64;
    // Truncated, not floored: floor is a function call on some machines.
    (to + ahead) as i64 > (from + ahead) as i64
}

impl Crowd {
    /// Finds the next corners, and looks up walls.
    pub fn corners(&mut self, mesh: &NavMesh) {
        let filters = &self.filters;
        let hot = &self.hot;
        let obstacles = &self.obstacles;
        let now = [self.before, self.time].map(|time| time / LOOK_INTERVAL);
        for_each(&mut self.agents, &self.pool, |i, agent, scratch| {
            let Some(place) = agent.corridor.start().filter(|_| hot.present[i]) else { return };
            let filter = filters[agent.params.filter as usize].as_ref();
            agent.boundary.update(mesh, place, &agent.params, filter, scratch);
            match agent.has_corners() {
                true => agent.find_corners(mesh, filter, looks(i, now), scratch),
                false => agent.corners.clear(),
            }
            agent.walk_around((mesh, filter), place, obstacles, scratch);
        });
    }
}

impl Agent {
    /// Finds the next corners of its path, and if `looks`, tries to straighten it first.
    fn find_corners(&mut self, mesh: &NavMesh, filter: &dyn QueryFilter, looks: bool, scratch: &mut PhaseScratch) {
        let memory = &mut scratch.corridor;
        self.corridor.next_corners(CORNERS, memory, &mut self.corners);
        if let [_, next, ..] = self.corners[..]
            && looks
        {
            let ahead = self.params.look_ahead;
            // A broken corridor is repaired by the validation phase.
            if self.corridor.optimise_visibility(mesh, next.point, ahead, filter, memory) == Ok(true) {
                self.corridor.next_corners(CORNERS, memory, &mut self.corners);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_looks_five_times_a_second_and_few_at_once() {
        for dt in [1.0 / 240.0, 1.0 / 60.0, 0.05] {
            let ticks = (10.0 / dt) as u32;
            let mut looked = [0; 100];
            for tick in 0..ticks {
                let times = [tick, tick + 1].map(|tick| f64::from(tick) * dt / LOOK_INTERVAL);
                let now = (0..100).filter(|&agent| looks(agent, times)).map(|agent| looked[agent] += 1).count();
                assert!(now as f64 <= 100.0 * dt / LOOK_INTERVAL + 3.0, "{now} at once");
            }
            assert!(looked.iter().all(|looks| (49..=51).contains(looks)), "{looked:?}");
        }
        assert!(!looks(3, [7.0, 7.0]), "no time has passed");
    }
}
