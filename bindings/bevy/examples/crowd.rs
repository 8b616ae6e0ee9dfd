//! Five hundred agents who walk to and fro among ten obstacles that move, and what navigation takes of a frame.
//!
//! Runs without a window: `cargo run --release --example crowd`

use bevy_app::TaskPoolPlugin;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;
use std::time::{Duration, Instant};

const AGENTS: usize = 500;
const OBSTACLES: usize = 10;
const SIZE: f32 = 100.0;
const FRAMES: usize = 900;

#[derive(Component)]
struct Swings(f32);

/// When navigation began its part of the frame, and how long all parts took.
#[derive(Resource)]
struct Stopwatch {
    began: Instant,
    parts: Vec<Duration>,
}

fn main() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, WayfarePlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)));
    app.insert_resource(Time::<Fixed>::from_hz(60.0));
    app.insert_resource(Stopwatch { began: Instant::now(), parts: Vec::new() });
    app.add_systems(Startup, setup).add_systems(Update, swing).add_observer(turn_back);
    app.add_systems(FixedUpdate, start.before(WayfareSystems::Collect));
    app.add_systems(FixedUpdate, stop.after(WayfareSystems::Output));
    app.finish();
    app.cleanup();
    app.update();
    while app.world_mut().query::<&NavStatus>().iter(app.world()).any(|status| *status != NavStatus::Ready) {
        app.update();
    }
    app.world_mut().resource_mut::<Stopwatch>().parts.clear();
    (0..FRAMES).for_each(|_| app.update());
    let mut parts = app.world().resource::<Stopwatch>().parts.clone();
    parts.sort_unstable();
    let at = |share: f64| parts[((parts.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{AGENTS} agents, {OBSTACLES} moving obstacles, {} ticks: median {:.2} ms, p99 {:.2} ms, longest {:.2} ms",
        parts.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn setup(mut commands: Commands) {
    commands.spawn(NavRegion { tile_size: 32, ..NavRegion::default() });
    commands.spawn((NavGeometry::default(), NavShape::floor(SIZE, SIZE)));
    for i in 0..OBSTACLES {
        let x = (i as f32 - 4.5) * 9.0;
        commands.spawn((
            NavObstacle::default(),
            NavShape::cylinder(1.5, 2.0),
            Swings(x),
            Transform::from_xyz(x, 1.0, 0.0),
        ));
    }
    for i in 0..AGENTS {
        let at = Vec3::new((i % 25) as f32 * 3.0 - 36.0, 0.0, (i / 25) as f32 * 2.0 - 45.0);
        let target = NavTarget::Point(Vec3::new(at.x, 0.0, -at.z));
        commands.spawn((NavAgent::default(), target, Transform::from_translation(at)));
    }
}

fn swing(mut obstacles: Query<(&Swings, &mut Transform)>, time: Res<Time>) {
    for (swings, mut transform) in &mut obstacles {
        transform.translation.z = 20.0 * (time.elapsed_secs() * 0.2 + swings.0).sin();
    }
}

fn turn_back(arrived: On<NavArrived>, mut targets: Query<&mut NavTarget>) {
    if let Ok(mut target) = targets.get_mut(arrived.entity)
        && let NavTarget::Point(place) = *target
    {
        *target = NavTarget::Point(Vec3::new(place.x, 0.0, -place.z));
    }
}

fn start(mut stopwatch: ResMut<Stopwatch>) {
    stopwatch.began = Instant::now();
}

fn stop(mut stopwatch: ResMut<Stopwatch>) {
    let took = stopwatch.began.elapsed();
    stopwatch.parts.push(took);
}
