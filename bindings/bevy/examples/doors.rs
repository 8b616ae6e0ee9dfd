//! A door that opens and closes: an agent waits until it can get through.
//!
//! Runs without a window: `cargo run --example doors`

use bevy_app::TaskPoolPlugin;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;
use std::time::Duration;

#[derive(Component)]
struct Door;

fn main() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, WayfarePlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)));
    app.add_systems(Startup, setup).add_systems(Update, open_and_close);
    app.add_observer(|_: On<NavUnreachable>, time: Res<Time>| {
        println!("{:5.1} s: the door is closed", time.elapsed_secs())
    });
    app.add_observer(|lost: On<NavPathLost>, time: Res<Time>| {
        let when = if lost.soon { "will break" } else { "broke" };
        println!("{:5.1} s: the path {when} {:.1} m ahead", time.elapsed_secs(), lost.distance);
    });
    app.add_observer(|_: On<NavArrived>, time: Res<Time>| println!("{:5.1} s: through", time.elapsed_secs()));
    app.finish();
    app.cleanup();
    (0..60 * 20).for_each(|_| app.update());
}

fn setup(mut commands: Commands) {
    commands.spawn(NavRegion { update: NavUpdate::InStep { cells: 100_000 }, ..NavRegion::default() });
    commands.spawn((NavGeometry::default(), NavShape::floor(20.0, 20.0)));
    // A wall with a gap of three metres.
    for z in [-5.75, 5.75] {
        commands.spawn((NavGeometry::default(), NavShape::cuboid(1.0, 3.0, 8.5), Transform::from_xyz(0.0, 1.5, z)));
    }
    commands.spawn((Door, NavObstacle::default(), NavShape::cuboid(1.0, 3.0, 3.0), Transform::from_xyz(0.0, 1.5, 0.0)));
    let target = NavTarget::Point(Vec3::new(7.0, 0.0, 0.0));
    commands.spawn((NavAgent::default(), target, Transform::from_xyz(-7.0, 0.0, 4.0)));
}

/// Slides up for two seconds in every six.
fn open_and_close(
    time: Res<Time>,
    mut doors: Query<&mut Transform, With<Door>>,
    mut agents: Query<(&NavAgentState, &mut NavTarget)>,
) {
    let is_open = time.elapsed_secs() % 6.0 > 4.0;
    for mut door in &mut doors {
        let height = if is_open { 10.0 } else { 1.5 };
        if door.translation.y != height {
            door.translation.y = height;
            // Who could not get through tries again when the door has moved.
            for (state, mut target) in &mut agents {
                if *state == NavAgentState::Unreachable {
                    target.set_changed();
                }
            }
        }
    }
}
