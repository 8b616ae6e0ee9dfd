//! A continent in a tile store, of which only the tiles around the camera are in memory.
//!
//! Runs without a window: the camera flies across by itself. `cargo run --example stream`

use bevy_app::TaskPoolPlugin;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use bevy_wayfare::NavStream;
use bevy_wayfare::prelude::*;
use std::time::Duration;
use wayfare::context::{Budget, Context};
use wayfare::format::MemoryStore;
use wayfare::hierarchy::{ResidentBudget, StoredTiles};
use wayfare::world::{WorldBake, WorldSettings};

#[derive(Component)]
struct Camera;

/// The most tiles that were in memory at once.
#[derive(Resource, Default)]
struct Most(usize);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A game ships this as a file: `wayfare bake … -o world.wayworld`, and opens it with `wayfare_store`.
    let world = wayfare_scenes::world("continent?km=0.2")?.ok_or("a world")?;
    let settings = WorldSettings::default();
    let mut bake = WorldBake::new(&world, &settings)?;
    let mut store = MemoryStore::new(bake.head().clone());
    while !bake.step(Budget::unlimited(), &mut store, &Context::default())?.is_finished() {}

    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, WayfarePlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)));
    app.init_resource::<Most>().add_systems(Update, (fly, watch));
    let camera = app.world_mut().spawn((Camera, Transform::from_xyz(20.0, 60.0, 20.0))).id();
    let budget = ResidentBudget { tiles: 30, ..ResidentBudget::default() };
    let stream = NavStream::with_budget(StoredTiles::new(store), [camera], 30.0, budget);
    let tiles = stream.stored_tiles();
    app.world_mut().spawn((NavRegion::default(), stream));
    app.finish();
    app.cleanup();
    (0..900).for_each(|_| {
        app.update();
        std::thread::yield_now();
    });
    let most = app.world().resource::<Most>().0;
    println!("{tiles} tiles in the store, at most {most} in memory");
    assert!(most > 0 && most <= 30 && tiles > most, "the budget holds");
    Ok(())
}

fn fly(mut cameras: Query<&mut Transform, With<Camera>>, time: Res<Time>) {
    cameras.iter_mut().for_each(|mut at| at.translation += Vec3::new(10.0, 0.0, 10.0) * time.delta_secs());
}

fn watch(streams: Query<&NavStream>, mut most: ResMut<Most>) {
    streams.iter().for_each(|stream| most.0 = most.0.max(stream.resident_tiles()));
}
