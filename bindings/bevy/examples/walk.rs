//! An agent that walks to a click, round a pillar, recorded as a picture.
//!
//! Runs without a window: the click is made by this program. `cargo run --example walk -- walk.svg`

use bevy_app::TaskPoolPlugin;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;
use std::time::Duration;
use wayfare::debug::{ShapeList, draw_mesh, draw_trail};
use wayfare_draw::{Caption, draw_shapes};

/// Where the player has clicked: where the camera is, and a position that it sees under the cursor.
#[derive(Event)]
struct Click([Vec3; 2]);

/// Where the agent was.
#[derive(Resource, Default)]
struct Trail(Vec<Vec3>);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "walk.svg".into());
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, WayfarePlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)));
    app.init_resource::<Trail>().add_systems(Startup, setup).add_systems(Update, record).add_observer(walk_there);
    app.finish();
    app.cleanup();
    // First the bake, then the click.
    app.update();
    while app.world_mut().query::<&NavStatus>().iter(app.world()).any(|status| *status != NavStatus::Ready) {
        app.update();
    }
    let camera = Vec3::new(0.0, 12.0, 18.0);
    let seen = Vec3::new(7.0, 0.0, 6.0);
    app.world_mut().trigger(Click([camera, seen]));
    (0..60 * 8).for_each(|_| app.update());

    let mesh = app.world_mut().query::<&NavMap>().single(app.world())?.mesh().clone();
    let trail: Vec<_> =
        app.world().resource::<Trail>().0.iter().map(|p| wayfare::Vec3::from_array(p.to_array())).collect();
    let mut shapes = ShapeList::default();
    draw_mesh(&mesh, &mut shapes);
    draw_trail(&trail, 0, &mut shapes);
    let picture = draw_shapes(&shapes, &Caption::of("an agent walks to a click", &mesh), 900);
    let bytes = if file.ends_with(".png") { picture.to_png()? } else { picture.to_svg().into_bytes() };
    std::fs::write(&file, bytes)?;
    println!("{} positions of the agent, drawn in {file}", trail.len());
    Ok(())
}

fn setup(mut commands: Commands) {
    // A tile as wide as the floor, in cells of a quarter of a metre.
    commands.spawn(NavRegion { tile_size: 80, ..NavRegion::default() });
    commands.spawn((NavGeometry::default(), NavShape::floor(20.0, 20.0)));
    commands.spawn((NavObstacle::default(), NavShape::cylinder(2.0, 3.0)));
    commands.spawn((NavAgent::default(), Transform::from_xyz(-7.0, 0.0, -6.0)));
}

/// Sends the agent to where the click meets the mesh.
fn walk_there(click: On<Click>, mut agents: Query<&mut NavTarget>) {
    let [camera, seen] = click.0;
    let on_floor = camera + (seen - camera) * (camera.y / (camera.y - seen.y));
    agents.iter_mut().for_each(|mut target| *target = NavTarget::Point(on_floor));
}

fn record(agents: Query<&Transform, With<NavAgent>>, mut trail: ResMut<Trail>) {
    trail.0.extend(agents.iter().map(|transform| transform.translation));
}
