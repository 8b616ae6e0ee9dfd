//! Five hundred agents walk to and fro among ten moving obstacles; prints the cost of navigation per frame.
//!
//! Runs without a window: `RAYON_NUM_THREADS=1 cargo run --release --example crowd`. On Linux the time is printed that
//! the thread of the frame has been on the processor, which other programs do not lengthen; elsewhere the time that
//! passes. The bakes are done by other threads. So is a part of the crowd's tick, unless `RAYON_NUM_THREADS` is 1: then
//! the time is that of all that navigation does in a frame. With the argument `wall` the time that passes is printed
//! everywhere.

use bevy_app::TaskPoolPlugin;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::SingleThreadedExecutor;
use bevy_math::Vec3;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;
use std::time::Duration;

const AGENTS: usize = 500;
const OBSTACLES: usize = 10;
const SIZE: f32 = 100.0;
const TICKS: usize = 1800;

#[derive(Component)]
struct Swings(f32);

/// When each set of systems was over, tick by tick; the first time is that before all.
#[derive(Resource, Default)]
struct Stopwatch(Vec<Vec<Duration>>);

const SETS: [WayfareSystems; 5] = [
    WayfareSystems::Collect,
    WayfareSystems::Regions,
    WayfareSystems::Agents,
    WayfareSystems::Step,
    WayfareSystems::Output,
];

fn main() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, WayfarePlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)));
    app.insert_resource(Time::<Fixed>::from_hz(60.0)).init_resource::<Stopwatch>();
    app.add_systems(Startup, setup).add_systems(Update, swing).add_observer(turn_back);
    app.add_systems(FixedUpdate, begin.before(WayfareSystems::Collect));
    app.add_systems(FixedUpdate, end.after(WayfareSystems::Output));
    for sets in SETS.windows(2) {
        app.add_systems(FixedUpdate, end.after(sets[0]).before(sets[1]));
    }
    app.edit_schedule(FixedUpdate, |schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    });
    app.finish();
    app.cleanup();
    app.update();
    while app.world_mut().query::<&NavStatus>().iter(app.world()).any(|status| *status != NavStatus::Ready) {
        app.update();
    }
    app.world_mut().resource_mut::<Stopwatch>().0.clear();
    (0..TICKS).for_each(|_| app.update());

    let ticks = &app.world().resource::<Stopwatch>().0;
    println!(
        "{AGENTS} agents, {OBSTACLES} moving obstacles, {} ticks; milliseconds: mean, 99 of 100, longest",
        ticks.len()
    );
    for (i, set) in SETS.iter().enumerate() {
        say(&format!("{set:?}"), ticks.iter().map(|times| times[i + 1] - times[i]).collect());
    }
    say("all", ticks.iter().map(|times| times[SETS.len()] - times[0]).collect());
}

fn say(what: &str, mut took: Vec<Duration>) {
    took.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let mean = ms(took.iter().sum()) / took.len() as f64;
    let at = |share: f64| ms(took[((took.len() - 1) as f64 * share) as usize]);
    println!("{what:>8} {mean:.3} {:.3} {:.3}", at(0.99), at(1.0));
}

/// The time that this thread has been on the processor.
#[cfg(target_os = "linux")]
fn now() -> Duration {
    if std::env::args().nth(1).is_some_and(|clock| clock == "wall") {
        return passed();
    }
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(target_os = "linux"))]
fn now() -> Duration {
    passed()
}

/// The time that has passed.
fn passed() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
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

fn begin(mut stopwatch: ResMut<Stopwatch>) {
    stopwatch.0.push(vec![now()]);
}

fn end(mut stopwatch: ResMut<Stopwatch>) {
    if let Some(tick) = stopwatch.0.last_mut() {
        tick.push(now());
    }
}
