//! Phase 5: moves agents over off-mesh connections.
//!
//! An agent near the entrance of a connection on its path enters it, and leaves the surface. The game can read start,
//! end and progress and may move the agent itself; otherwise the agent goes in a straight line at its maximum speed. At
//! the end it is on the mesh again, where its corridor already begins.
//!
//! ```text
//!     ● · · ·> entrance ─ ─ ─ ─ ─ ─> exit          progress 0 ────> 1
//! ```
//!
//! Sources: agents moved over off-mesh connections by the crowd are Detour's (`dtCrowdAgentAnimation`).

use super::agent::{Agent, OnConnection};
use super::parallel::for_each2;
use super::step::seconds;
use super::{Crowd, Driver, EventKind, TargetStatus};
use crate::corridor::CornerAt;
use crate::math::plane;
use crate::mesh::NavMesh;
use glam::Vec3;

/// An entrance nearer than this many radii is entered.
const ENTER_WITHIN: f32 = 2.25;

impl Crowd {
    /// Enters, crosses and leaves off-mesh connections.
    pub fn connections(&mut self, mesh: &NavMesh, dt: f32) {
        let present = &self.hot.present;
        let held = &self.hot.held;
        let dt = seconds(dt);
        for_each2((&mut self.agents, &mut self.hot.position), &self.pool, |i, (agent, position), _| {
            if !present[i] {
                return;
            }
            if agent.on_connection.is_none() {
                agent.enter_connection(mesh, *position);
            } else if !held[i] {
                agent.walk_connection(position, dt);
            }
        });
    }
}

impl Agent {
    fn enter_connection(&mut self, mesh: &NavMesh, position: Vec3) {
        let Some(corner) = self.corners.first().copied().filter(|c| c.at == CornerAt::Connection) else { return };
        if plane::distance(position, corner.point) > self.params.radius * ENTER_WITHIN {
            return;
        }
        match self.corridor.enter_connection(mesh, &corner) {
            Some(crossing) => {
                self.on_connection = Some(OnConnection { crossing, entered_at: position, progress: 0.0 });
                self.raised.push(EventKind::ConnectionEntered(crossing));
                self.corners.clear();
            }
            // It no longer leads on: another path must be found.
            None => self.target_status = TargetStatus::Waiting,
        }
    }

    fn walk_connection(&mut self, position: &mut Vec3, dt: f32) {
        let Some(on) = &mut self.on_connection else { return };
        let length = on.entered_at.distance(on.crossing.to);
        if self.params.connection_driver == Driver::Crowd {
            // The position that the game reports while the crowd moves it is from before the connection.
            self.placed = None;
            let step = if length > 0.0 { self.params.max_speed * dt / length } else { 1.0 };
            on.progress = (on.progress + step).min(1.0);
            *position = on.entered_at.lerp(on.crossing.to, on.progress);
        } else if let Some(placed) = self.placed.take() {
            *position = placed;
        }
        if on.progress >= 1.0 {
            *position = on.crossing.to;
            self.leave_connection();
            self.boundary.forget();
            self.progress = super::agent::AgentProgress::default();
        }
    }
}
