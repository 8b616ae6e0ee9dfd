//! An app without a window, and what tests ask of it.
#![allow(dead_code, reason = "each test program uses a part")]

use bevy_app::TaskPoolPlugin;
use bevy_app::prelude::*;
use bevy_asset::AssetPlugin;
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::Vec3;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;
use std::time::Duration;

/// What happened, in order.
#[derive(Resource, Default)]
pub struct Log(pub Vec<(Entity, &'static str)>);

/// A region that works in steps: what happens does not depend on the machine.
pub fn in_steps() -> NavRegion {
    NavRegion { update: NavUpdate::InStep { cells: 200_000 }, ..NavRegion::default() }
}

macro_rules! observe {
    ($app:expr, $($event:ty => $name:literal),* $(,)?) => {
        $($app.add_observer(|event: On<$event>, mut log: ResMut<Log>| log.0.push((event.entity, $name)));)*
    };
}

pub fn app() -> App {
    app_in(WayfarePlugin::default())
}

/// The same with the plugin in a schedule of one's choice.
pub fn app_in(plugin: WayfarePlugin) -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, AssetPlugin::default()));
    app.add_plugins(plugin);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)));
    app.init_resource::<Log>();
    observe!(app,
        NavArrived => "arrived", NavLinkEntered => "link entered", NavLinkLeft => "link left",
        NavUnreachable => "unreachable", NavPathLost => "path lost", NavStuck => "stuck", NavGaveUp => "gave up",
        NavDisplaced => "displaced", NavPathFound => "path found", NavObstructed => "obstructed",
    );
    app.finish();
    app.cleanup();
    app
}

/// A floor of 20 by 20 metres, its top at 0.
pub fn floor(app: &mut App, at: Vec3) -> Entity {
    let world = app.world_mut();
    world.spawn((NavGeometry::default(), NavShape::floor(20.0, 20.0), Transform::from_translation(at))).id()
}

pub fn run(app: &mut App, seconds: f32) {
    (0..(seconds * 64.0) as u32).for_each(|_| app.update());
}

pub fn place(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).expect("an entity with a place").translation
}

pub fn happened(app: &App, entity: Entity, what: &str) -> usize {
    app.world().resource::<Log>().0.iter().filter(|entry| **entry == (entity, what)).count()
}

pub fn status(app: &App, region: Entity) -> NavStatus {
    app.world().get::<NavStatus>(region).expect("a region").clone()
}

pub fn state(app: &App, agent: Entity) -> NavAgentState {
    *app.world().get::<NavAgentState>(agent).expect("an agent")
}

/// Whether the mesh is within a quarter of a metre of a point sideways, and half a metre up or down.
pub fn is_walkable(app: &mut App, at: Vec3) -> bool {
    let near = app.world_mut().run_system_once(move |queries: NavQueries| queries.nearest(at)).expect("a system");
    near.is_some_and(|place| (place - at).with_y(0.0).length() < 0.25 && (place.y - at.y).abs() < 0.5)
}
