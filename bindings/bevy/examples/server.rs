//! A server without pictures: regions for two sizes of agents, questions from a system, at a fixed rate.
//!
//! `cargo run --example server`

use bevy_app::prelude::*;
use bevy_app::{ScheduleRunnerPlugin, TaskPoolPlugin};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::TimePlugin;
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare::area::PathStatus;
use std::time::Duration;

fn main() {
    let rate = ScheduleRunnerPlugin::run_loop(Duration::from_secs_f64(1.0 / 64.0));
    App::new()
        .add_plugins((rate, TaskPoolPlugin::default(), TimePlugin, TransformPlugin, WayfarePlugin::default()))
        .add_systems(Startup, setup)
        .add_systems(Update, answer)
        .run();
}

fn setup(mut commands: Commands) {
    commands.spawn(NavRegion::for_agent(0.4, 1.8));
    commands.spawn(NavRegion::for_agent(1.5, 3.0));
    commands.spawn((NavGeometry::default(), NavShape::floor(40.0, 40.0)));
    // Two buildings with an alley of two metres between them.
    for x in [-11.0, 11.0] {
        commands.spawn((NavGeometry::default(), NavShape::cuboid(20.0, 5.0, 4.0), Transform::from_xyz(x, 2.5, 0.0)));
    }
}

/// Once all meshes are there: how far is it through the alley, for a person and for a troll?
fn answer(queries: NavQueries, regions: Query<(Entity, &NavRegion, &NavStatus)>, mut exit: MessageWriter<AppExit>) {
    if regions.iter().any(|(_, _, status)| *status != NavStatus::Ready) {
        return;
    }
    let [from, to] = [[0.0, 0.0, -8.0], [0.0, 0.0, 8.0]].map(wayfare::Vec3::from_array);
    for (entity, region, _) in &regions {
        let Some(mut query) = queries.of(entity) else { continue };
        let Ok(answer) = query.straight_path(from, to) else { continue };
        let length = answer.straight.length;
        match answer.status() {
            PathStatus::Complete => println!("radius {} m: {length:.1} m", region.agent_radius),
            _ => println!("radius {} m: no path, it ends after {length:.1} m", region.agent_radius),
        }
    }
    println!("nearest to (1, 0, 1): {:?}", queries.nearest(Vec3::new(1.0, 0.0, 1.0)));
    exit.write(AppExit::Success);
}
