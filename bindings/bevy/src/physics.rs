//! Velocities out to a physics crate.

use crate::agent::{NavAgent, NavAgentState, NavDrive, NavVelocity};
use crate::plugin::WayfareSystems;
use bevy_app::prelude::*;
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::Vec3;

/// A component by which a physics crate moves its entity: a linear velocity.
pub trait NavBody: Component<Mutability = Mutable> {
    /// The velocity that it has, m/s.
    fn nav_velocity(&self) -> Vec3;

    /// Sets it, m/s.
    fn set_nav_velocity(&mut self, velocity: Vec3);
}

/// Registers velocities of physics crates.
pub trait NavBodyAppExt {
    /// Lets agents with [`NavDrive::Velocity`] and this component move by it. Sideways they move as the agent should; up
    /// and down is left to gravity, but on links. `schedule` is that of the
    /// [plugin](crate::WayfarePlugin::in_schedule).
    fn add_nav_body<C: NavBody>(&mut self, schedule: impl ScheduleLabel) -> &mut Self;
}

impl NavBodyAppExt for App {
    fn add_nav_body<C: NavBody>(&mut self, schedule: impl ScheduleLabel) -> &mut Self {
        self.add_systems(schedule, drive_bodies::<C>.after(WayfareSystems::Output))
    }
}

fn drive_bodies<C: NavBody>(mut bodies: Query<(&NavAgent, &NavVelocity, &NavAgentState, &mut C)>) {
    for (agent, velocity, state, mut body) in &mut bodies {
        if agent.drive != NavDrive::Velocity {
            continue;
        }
        let is_on_link = matches!(state, NavAgentState::OnLink { .. });
        let had = body.nav_velocity();
        let wanted = if is_on_link { velocity.0 } else { velocity.0.with_y(had.y) };
        if wanted != had {
            body.set_nav_velocity(wanted);
        }
    }
}
