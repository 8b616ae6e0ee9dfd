//! Velocities out to a physics crate.

use crate::agent::{NavAgent, NavAgentState, NavDrive, NavVelocity};
use crate::plugin::WayfareSystems;
use bevy_app::prelude::*;
use bevy_ecs::component::Mutable;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::Vec3;

/// Registers velocities of physics crates.
pub trait NavBodyAppExt {
    /// Lets agents with [`NavDrive::Velocity`] and this component move by it: `velocity` gives the linear velocity in
    /// it, m/s. Sideways they move as the agent should; up and down is left to gravity, but on links. `schedule` is
    /// that of the [plugin](crate::WayfarePlugin::in_schedule).
    fn add_nav_body<C: Component<Mutability = Mutable>>(
        &mut self,
        schedule: impl ScheduleLabel,
        velocity: fn(&mut C) -> &mut Vec3,
    ) -> &mut Self;
}

impl NavBodyAppExt for App {
    fn add_nav_body<C: Component<Mutability = Mutable>>(
        &mut self,
        schedule: impl ScheduleLabel,
        velocity: fn(&mut C) -> &mut Vec3,
    ) -> &mut Self {
        let drive = move |mut bodies: Query<(&NavAgent, &NavVelocity, &NavAgentState, &mut C)>| {
            for (agent, wanted, state, mut body) in &mut bodies {
                if agent.drive != NavDrive::Velocity {
                    continue;
                }
                let had = *velocity(body.bypass_change_detection());
                let is_on_link = matches!(state, NavAgentState::OnLink { .. });
                let wanted = if is_on_link { wanted.0 } else { wanted.0.with_y(had.y) };
                if wanted != had {
                    *velocity(&mut body) = wanted;
                }
            }
        };
        self.add_systems(schedule, drive.after(WayfareSystems::Output))
    }
}
