//! Obstacles: those that the mesh follows, and those that agents alone walk around.

mod stage;

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;
use stage::{app, floor, happened, in_steps, is_walkable, place, run, state, status};

/// A wall of the level with a gap of two metres at z = 0.
fn wall_with_gap(app: &mut bevy_app::App) {
    for z in [-6.0, 6.0] {
        let wall = (NavGeometry::default(), NavShape::cuboid(1.0, 3.0, 10.0), Transform::from_xyz(0.0, 1.5, z));
        app.world_mut().spawn(wall);
    }
}

#[test]
fn agents_walk_around_what_the_mesh_does_not_know() {
    let mut app = app();
    let region = app.world_mut().spawn(in_steps()).id();
    floor(&mut app, Vec3::ZERO);
    let agent = (NavAgent::default(), NavTarget::Point(Vec3::X * 8.0), Transform::from_xyz(-8.0, 0.0, 0.0));
    let agent = app.world_mut().spawn(agent).id();
    let cart = (NavObstacle::to_walk_around(), NavShape::cuboid(1.0, 1.0, 5.0), Transform::from_xyz(0.0, 0.5, 30.0));
    let cart = app.world_mut().spawn(cart).id();
    run(&mut app, 1.0);
    let revision = |app: &bevy_app::App| app.world().get::<NavMap>(region).expect("a map").revision();
    let before = revision(&app);
    let mut widest = 0.0f32;
    for tick in 0..64 * 8 {
        // It rolls to and fro across the way.
        let z = (tick as f32 * 0.02).sin();
        app.world_mut().get_mut::<Transform>(cart).expect("it is there").translation.z = z;
        app.update();
        let at = place(&app, agent);
        widest = widest.max(at.z.abs());
        assert!(at.x.abs() > 0.45 || (at.z - z).abs() > 2.4, "in the cart at {at}");
    }
    assert!(widest > 1.7 && happened(&app, agent, "arrived") == 1, "{widest}, {:?}", state(&app, agent));
    assert_eq!(revision(&app), before, "nothing was rebuilt");
    assert!(is_walkable(&mut app, Vec3::new(0.0, 0.0, 0.5)));
}

#[test]
fn an_agent_says_what_is_in_its_way_and_goes_on_when_that_is_gone() {
    let mut app = app();
    let region = app.world_mut().spawn(in_steps()).id();
    floor(&mut app, Vec3::ZERO);
    wall_with_gap(&mut app);
    let agent = (NavAgent::default(), NavTarget::Point(Vec3::X * 6.0), Transform::from_xyz(-6.0, 0.0, 0.0));
    let agent = app.world_mut().spawn(agent).id();
    let crate_ = (NavObstacle::to_walk_around(), NavShape::cuboid(1.0, 1.0, 2.0), Transform::from_xyz(0.0, 0.5, 0.0));
    let crate_ = app.world_mut().spawn(crate_).id();
    run(&mut app, 4.0);
    assert!(happened(&app, agent, "obstructed") >= 1, "{:?} at {}", state(&app, agent), place(&app, agent));
    assert!(place(&app, agent).x < 0.0);
    let by = |app: &bevy_app::App| -> Vec<Entity> {
        app.world().get::<NavCrowd>(region).expect("a crowd").obstructed_by(agent).collect()
    };
    assert_eq!(by(&app), [crate_]);
    // The mesh may learn of it: then there is no way at all.
    app.world_mut().get_mut::<NavObstacle>(crate_).expect("it is there").mode = NavObstacleMode::Carve;
    run(&mut app, 1.0);
    assert!(by(&app).is_empty() && !is_walkable(&mut app, Vec3::ZERO));
    assert!(happened(&app, agent, "path lost") >= 1);
    app.world_mut().despawn(crate_);
    run(&mut app, 0.5);
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(Vec3::X * 6.0));
    run(&mut app, 6.0);
    assert_eq!(happened(&app, agent, "arrived"), 1, "{:?} at {}", state(&app, agent), place(&app, agent));
}

#[test]
fn only_regions_of_its_layers_walk_around_an_obstacle() {
    let mut app = app();
    app.world_mut().spawn(NavRegion { layers: 1, ..in_steps() });
    floor(&mut app, Vec3::ZERO);
    let ghost = NavObstacle { layers: 2, ..NavObstacle::to_walk_around() };
    app.world_mut().spawn((ghost, NavShape::cylinder(2.0, 2.0), Transform::from_xyz(0.0, 1.0, 0.0)));
    let agent = (NavAgent::default(), NavTarget::Point(Vec3::X * 7.0), Transform::from_xyz(-7.0, 0.0, 0.0));
    let agent = app.world_mut().spawn(agent).id();
    let mut widest = 0.0f32;
    for _ in 0..64 * 6 {
        app.update();
        widest = widest.max(place(&app, agent).z.abs());
    }
    assert!(widest < 0.3 && happened(&app, agent, "arrived") == 1, "{widest}");
}

#[test]
fn obstacles_go_with_their_shapes_and_may_become_areas() {
    let mut app = app();
    let region = app.world_mut().spawn(in_steps()).id();
    floor(&mut app, Vec3::ZERO);
    let at = Vec3::new(5.0, 0.0, 5.0);
    let solid = (NavObstacle::default(), NavShape::cuboid(3.0, 2.0, 3.0), Transform::from_translation(at + Vec3::Y));
    let part = app.world_mut().spawn(solid).id();
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, at));
    app.world_mut().entity_mut(part).remove::<NavShape>();
    run(&mut app, 1.0);
    assert!(is_walkable(&mut app, at));
    app.world_mut().entity_mut(part).insert(NavShape::cuboid(3.0, 2.0, 3.0));
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, at));
    // Both in the same tick, in either order.
    app.world_mut().entity_mut(part).remove::<NavObstacle>().insert(NavArea { area: 9, ..NavArea::default() });
    run(&mut app, 1.0);
    assert!(is_walkable(&mut app, at));
    app.world_mut().entity_mut(part).insert(NavObstacle::default()).remove::<NavArea>();
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, at));
    assert_eq!(status(&app, region), NavStatus::Ready);
}

#[test]
fn what_hangs_at_the_height_of_heads_is_in_the_way() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let hanging = |x: f32, bottom: f32| {
        (NavObstacle::default(), NavShape::cuboid(2.0, 1.0, 2.0), Transform::from_xyz(x, bottom + 0.5, 0.0))
    };
    // A crate as physics lets it rest, one on a rope, one far above.
    app.world_mut().spawn(hanging(-6.0, 0.05));
    app.world_mut().spawn(hanging(0.0, 1.2));
    app.world_mut().spawn(hanging(6.0, 2.5));
    run(&mut app, 1.0);
    let open = [-6.0, 0.0, 6.0].map(|x| is_walkable(&mut app, Vec3::X * x));
    assert_eq!(open, [false, false, true]);
}

#[test]
fn a_target_in_an_area_that_costs_forbid_is_not_walked_to() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let mud = (
        NavArea { area: 7, ..NavArea::default() },
        NavShape::cuboid(3.0, 2.0, 3.0),
        Transform::from_xyz(5.0, 0.0, 0.0),
    );
    app.world_mut().spawn(mud);
    let costs = NavAreaCosts([(7, f32::INFINITY)].into_iter().collect());
    let agent =
        (NavAgent::default(), costs, NavTarget::Point(Vec3::new(4.2, 0.0, 0.0)), Transform::from_xyz(-5.0, 0.0, 0.0));
    let agent = app.world_mut().spawn(agent).id();
    run(&mut app, 5.0);
    assert_eq!(happened(&app, agent, "arrived"), 0, "{:?} at {}", state(&app, agent), place(&app, agent));
    assert_eq!(state(&app, agent), NavAgentState::Unreachable);
    assert!(place(&app, agent).x < 3.6, "{}", place(&app, agent));
}
