//! Level geometry from the colliders of Avian, and velocities for its bodies.

use crate::geometry::{NavSource, NavSourceAppExt, NavTriangles};
use crate::physics::{NavBody, NavBodyAppExt};
use avian3d::prelude::{Collider, LinearVelocity, TrimeshBuilder};
use bevy_app::prelude::*;
use bevy_ecs::intern::Interned;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::Vec3;

impl NavSource for Collider {
    /// Those of its unscaled shape: the entity scales them. `None` for half-spaces, which have no end.
    fn nav_triangles(&self) -> Option<NavTriangles> {
        let built = TrimeshBuilder::new(self.shape().clone()).build().ok()?;
        let positions = built.vertices.into_iter().map(|corner| Vec3::from_array(corner.to_array())).collect();
        Some(NavTriangles { positions, triangles: built.indices })
    }
}

impl NavBody for LinearVelocity {
    fn nav_velocity(&self) -> Vec3 {
        self.0
    }

    fn set_nav_velocity(&mut self, velocity: Vec3) {
        self.0 = velocity;
    }
}

/// Entities with [`NavGeometry`](crate::NavGeometry) and a collider of Avian are parts of the level; agents with
/// [`NavDrive::Velocity`](crate::NavDrive) and a [`LinearVelocity`] move by it.
pub struct NavAvianPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for NavAvianPlugin {
    fn default() -> Self {
        Self { schedule: FixedUpdate.intern() }
    }
}

impl NavAvianPlugin {
    /// In another schedule than [`FixedUpdate`]: that of [`WayfarePlugin`](crate::WayfarePlugin).
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for NavAvianPlugin {
    fn build(&self, app: &mut App) {
        app.add_nav_source::<Collider>(self.schedule).add_nav_body::<LinearVelocity>(self.schedule);
    }
}
