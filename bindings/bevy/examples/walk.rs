//! Plays the ten lines of `click.rs` without a player, and records them as a picture: a mouse clicks in a hidden
//! window, and the agent walks there, round a pillar.
//!
//! `cargo run --example walk -- walk.svg`

#[allow(dead_code, reason = "its `main` is for players")]
#[path = "click.rs"]
mod click;

use bevy::camera::RenderTargetInfo;
use bevy::input::ButtonState;
use bevy::input::mouse::MouseButtonInput;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::{CursorMoved, PrimaryWindow, WindowEvent};
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare;
use std::path::Path;
use std::time::Duration;
use wayfare::debug::{ShapeList, draw_mesh, draw_trail};
use wayfare_draw::{Caption, draw_shapes};

/// Where the player clicks.
const GOAL: Vec3 = Vec3::new(7.0, 0.0, 6.0);

/// Where the agent was.
#[derive(Resource, Default)]
struct Trail(Vec<Vec3>);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "walk.svg".into());
    let mut app = App::new();
    app.add_plugins(click::game);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)));
    app.init_resource::<Trail>().add_systems(PostStartup, fit_cameras).add_systems(Update, record);
    // Something to walk round.
    app.world_mut().spawn((NavObstacle::default(), NavShape::cylinder(2.0, 3.0)));
    app.finish();
    app.cleanup();
    // First the bake, then the click.
    app.update();
    while app.world_mut().query::<&NavStatus>().iter(app.world()).any(|status| *status != NavStatus::Ready) {
        app.update();
    }
    click_at(&mut app, GOAL)?;
    (0..60 * 8).for_each(|_| app.update());

    let trail = &app.world().resource::<Trail>().0;
    let end = trail.last().copied().unwrap_or_default();
    if end.distance(GOAL) > 0.6 {
        return Err(format!("the agent ends at {end}, not where the click was").into());
    }
    let trail: Vec<_> = trail.iter().map(|p| wayfare::Vec3::from_array(p.to_array())).collect();
    let mesh = app.world_mut().query::<&NavMap>().single(app.world())?.mesh().clone();
    let mut shapes = ShapeList::default();
    draw_mesh(&mesh, &mut shapes);
    draw_trail(&trail, 0, &mut shapes);
    let picture = draw_shapes(&shapes, &Caption::of("an agent walks to a click", &mesh), 900);
    let bytes = if file.ends_with(".png") { picture.to_png()? } else { picture.to_svg().into_bytes() };
    if let Some(folder) = Path::new(&file).parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(&file, bytes)?;
    println!("{} positions of the agent, drawn in {file}", trail.len());
    Ok(())
}

/// What a renderer does: tells cameras how large their window is.
fn fit_cameras(mut cameras: Query<(&mut Camera, &mut Projection)>, window: Single<&Window, With<PrimaryWindow>>) {
    for (mut camera, mut projection) in &mut cameras {
        projection.update(window.width(), window.height());
        camera.computed.clip_from_view = projection.get_clip_from_view();
        let (physical_size, scale_factor) = (window.physical_size(), window.scale_factor());
        camera.computed.target_info = Some(RenderTargetInfo { physical_size, scale_factor });
    }
}

/// Moves the mouse to where the camera sees a position, presses, and releases.
fn click_at(app: &mut App, seen: Vec3) -> Result<(), Box<dyn std::error::Error>> {
    let (camera, place) = app.world_mut().query::<(&Camera, &GlobalTransform)>().single(app.world())?;
    let position = camera.world_to_viewport(place, seen).map_err(|why| format!("{why:?}"))?;
    let window = app.world_mut().query_filtered::<Entity, With<PrimaryWindow>>().single(app.world())?;
    let button = |state| MouseButtonInput { button: MouseButton::Left, state, window };
    let moved = CursorMoved { window, position, delta: None };
    for event in [
        WindowEvent::CursorMoved(moved),
        WindowEvent::MouseButtonInput(button(ButtonState::Pressed)),
        WindowEvent::MouseButtonInput(button(ButtonState::Released)),
    ] {
        app.world_mut().write_message(event);
        app.update();
        app.update();
    }
    Ok(())
}

fn record(agents: Query<&Transform, With<NavAgent>>, mut trail: ResMut<Trail>) {
    trail.0.extend(agents.iter().map(|transform| transform.translation));
}
