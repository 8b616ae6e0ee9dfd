//! Changes of the scene between runs of the plugin, and changes that must have no effect.

mod stage;

use bevy_app::prelude::*;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::TimeUpdateStrategy;
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;
use stage::{app, app_in, floor, happened, in_steps, is_walkable, place, run, state, status};
use std::time::Duration;

/// How long each frame takes.
fn set_frame(app: &mut App, seconds: f64) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(seconds)));
}

/// In how many crowds an agent is.
fn crowds_of(app: &mut App, agent: Entity) -> usize {
    app.world_mut().query::<&NavCrowd>().iter(app.world()).filter(|crowd| crowd.agent(agent).is_some()).count()
}

fn walker(from: Vec3, to: Vec3) -> (NavAgent, NavTarget, Transform) {
    (NavAgent::default(), NavTarget::Point(to), Transform::from_translation(from))
}

#[test]
fn what_goes_while_the_game_is_paused_is_gone_when_it_goes_on() {
    let mut app = app();
    let region = app.world_mut().spawn(in_steps()).id();
    floor(&mut app, Vec3::ZERO);
    let upper = floor(&mut app, Vec3::new(30.0, 0.0, 0.0));
    let at = [Vec3::new(-6.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.0), Vec3::new(6.0, 0.0, 0.0)];
    let block = |at: Vec3| (NavShape::cuboid(2.0, 2.0, 2.0), Transform::from_translation(at + Vec3::Y));
    let parts = [
        app.world_mut().spawn((NavObstacle::default(), block(at[0]))).id(),
        app.world_mut().spawn((NavGeometry::default(), block(at[1]))).id(),
        app.world_mut().spawn((NavObstacle::to_walk_around(), block(at[2]))).id(),
        app.world_mut().spawn(NavLink::between(Vec3::X * 9.0, Vec3::X * 21.0)).id(),
    ];
    let agent = app.world_mut().spawn(walker(Vec3::new(0.0, 0.0, 8.0), Vec3::new(0.0, 0.0, -8.0))).id();
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, at[0]) && !is_walkable(&mut app, at[1]));
    assert_eq!(crowds_of(&mut app, agent), 1);
    set_frame(&mut app, 0.0);
    for entity in parts.into_iter().chain([agent, upper]) {
        app.world_mut().despawn(entity);
    }
    (0..5).for_each(|_| app.update());
    set_frame(&mut app, 1.0 / 64.0);
    run(&mut app, 1.0);
    assert!(is_walkable(&mut app, at[0]) && is_walkable(&mut app, at[1]) && !is_walkable(&mut app, Vec3::X * 30.0));
    assert_eq!(crowds_of(&mut app, agent), 0);
    let map = app.world().get::<NavMap>(region).expect("a map");
    assert_eq!(map.mesh().connections().count(), 0);
    let late = app.world_mut().spawn(walker(Vec3::new(9.0, 0.0, 0.0), Vec3::new(3.0, 0.0, 0.0))).id();
    for _ in 0..64 * 3 {
        app.update();
        assert!(place(&app, late).z.abs() < 0.3, "it walks around what is gone");
    }
}

#[test]
fn who_has_no_target_stands_and_who_is_disabled_is_away() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let agent = app.world_mut().spawn(walker(Vec3::X * -8.0, Vec3::X * 8.0)).id();
    run(&mut app, 1.5);
    app.world_mut().entity_mut(agent).remove::<NavTarget>();
    run(&mut app, 1.0);
    let stands = place(&app, agent);
    run(&mut app, 1.0);
    assert!(place(&app, agent).distance(stands) < 0.01 && state(&app, agent) == NavAgentState::Idle);
    app.world_mut().entity_mut(agent).insert((NavTarget::Point(Vec3::X * 8.0), Disabled));
    run(&mut app, 0.1);
    assert_eq!(crowds_of(&mut app, agent), 0);
    app.world_mut().entity_mut(agent).remove::<Disabled>();
    run(&mut app, 6.0);
    assert_eq!(happened(&app, agent, "arrived"), 1);
}

#[test]
fn what_is_disabled_is_no_part_of_the_level() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let at = [Vec3::X * -5.0, Vec3::X * 5.0];
    let block = |at: Vec3| (NavShape::cuboid(2.0, 2.0, 2.0), Transform::from_translation(at + Vec3::Y));
    let obstacle = app.world_mut().spawn((NavObstacle::default(), block(at[0]))).id();
    let pillar = app.world_mut().spawn((NavGeometry::default(), block(at[1]))).id();
    let walkable = |app: &mut App| at.map(|at| is_walkable(app, at));
    run(&mut app, 1.0);
    assert_eq!(walkable(&mut app), [false, false]);
    for entity in [obstacle, pillar] {
        app.world_mut().entity_mut(entity).insert(Disabled);
    }
    run(&mut app, 1.0);
    assert_eq!(walkable(&mut app), [true, true]);
    for entity in [obstacle, pillar] {
        app.world_mut().entity_mut(entity).remove::<Disabled>();
    }
    run(&mut app, 1.0);
    assert_eq!(walkable(&mut app), [false, false]);
}

#[test]
fn an_agent_is_in_one_crowd_whatever_regions_come() {
    let mut app = app();
    let wide = NavRegion { agent_radius: 1.0, ..in_steps() };
    let wide = app.world_mut().spawn(wide).id();
    floor(&mut app, Vec3::ZERO);
    let agent = app.world_mut().spawn(walker(Vec3::X * -8.0, Vec3::X * 8.0)).id();
    let is_in = |app: &App, region| app.world().get::<NavCrowd>(region).is_some_and(|c| c.agent(agent).is_some());
    run(&mut app, 1.0);
    assert!(is_in(&app, wide));
    let fitting = app.world_mut().spawn(in_steps()).id();
    run(&mut app, 1.0);
    assert!(is_in(&app, fitting) && crowds_of(&mut app, agent) == 1);
    app.world_mut().get_mut::<NavRegion>(fitting).expect("a region").agent_radius = 0.4;
    run(&mut app, 1.0);
    assert!(is_in(&app, wide) && crowds_of(&mut app, agent) == 1);
}

#[test]
fn of_regions_for_the_same_size_an_agent_takes_the_one_it_stands_on() {
    let mut app = app();
    for x in [0.0, 100.0] {
        floor(&mut app, Vec3::X * x);
        let bounds = Some([Vec3::new(x - 12.0, -2.0, -12.0), Vec3::new(x + 12.0, 4.0, 12.0)]);
        app.world_mut().spawn(NavRegion { bounds, ..in_steps() });
    }
    let at = [-8.0, 92.0];
    let agents = at.map(|x| app.world_mut().spawn(walker(Vec3::X * x, Vec3::X * (x + 16.0))).id());
    run(&mut app, 8.0);
    for agent in agents {
        assert!(happened(&app, agent, "arrived") == 1 && crowds_of(&mut app, agent) == 1);
    }
    // From island to island.
    app.world_mut().entity_mut(agents[0]).insert(walker(Vec3::X * 108.0, Vec3::new(92.0, 0.0, 3.0)));
    run(&mut app, 8.0);
    assert!(place(&app, agents[0]).distance(Vec3::new(92.0, 0.0, 3.0)) < 0.7, "{}", place(&app, agents[0]));
}

#[derive(Component)]
struct Rolls;

/// Where an agent is that has crossed the way of a cart that fixed steps move; with so many steps a frame.
fn crossed(steps: u32) -> Vec3 {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let roll = |mut carts: Query<&mut Transform, With<Rolls>>| {
        carts.iter_mut().for_each(|mut cart| cart.translation.z -= 1.0 / 64.0);
    };
    app.add_systems(FixedUpdate, roll.before(WayfareSystems::Collect));
    let cart = (NavObstacle::to_walk_around(), NavShape::cuboid(2.0, 1.0, 2.0), Transform::from_xyz(0.0, 0.5, 3.0));
    app.world_mut().spawn((cart, Rolls));
    let agent = app.world_mut().spawn(walker(Vec3::X * -8.0, Vec3::X * 8.0)).id();
    set_frame(&mut app, f64::from(steps) / 64.0);
    // Bevy's first frame takes no time.
    app.update();
    (0..256 / steps).for_each(|_| app.update());
    place(&app, agent)
}

#[test]
fn fixed_steps_see_what_fixed_steps_have_moved() {
    assert_eq!(crossed(1).to_array(), crossed(2).to_array());
}

#[test]
fn the_first_bake_finds_parts_where_they_are() {
    let mut app = app();
    let region = app.world_mut().spawn(in_steps()).id();
    let far = Vec3::new(300.0, 5.0, 0.0);
    let stand = app.world_mut().spawn(Transform::from_translation(far)).id();
    app.world_mut().spawn((NavGeometry::default(), NavShape::floor(20.0, 20.0), ChildOf(stand)));
    while status(&app, region) != NavStatus::Ready {
        app.update();
    }
    assert!(is_walkable(&mut app, far));
}

#[test]
fn an_event_is_told_once_though_no_time_passes() {
    let mut app = app_in(WayfarePlugin::in_schedule(Update));
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let agent = app.world_mut().spawn(walker(Vec3::ZERO, Vec3::X * 3.0)).id();
    while happened(&app, agent, "arrived") == 0 {
        app.update();
    }
    set_frame(&mut app, 0.0);
    (0..5).for_each(|_| app.update());
    assert_eq!(happened(&app, agent, "arrived"), 1);
}

#[test]
fn costs_that_are_taken_off_count_no_more() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let mud = NavArea { area: 7, ..NavArea::default() };
    app.world_mut().spawn((mud, NavShape::cuboid(4.0, 2.0, 20.0)));
    let costs = NavAreaCosts([(7, f32::INFINITY)].into_iter().collect());
    let agent = app.world_mut().spawn((walker(Vec3::X * -8.0, Vec3::X * 8.0), costs)).id();
    run(&mut app, 2.0);
    assert_eq!(state(&app, agent), NavAgentState::Unreachable);
    app.world_mut().entity_mut(agent).remove::<NavAreaCosts>();
    run(&mut app, 7.0);
    assert_eq!(happened(&app, agent, "arrived"), 1, "{:?}", state(&app, agent));
}

#[test]
fn costs_of_an_agent_come_on_top_of_those_of_the_mesh() {
    use bevy_wayfare::wayfare::area::{AreaId, AreaInfo, AreaTable};
    let mut app = app();
    let region = app.world_mut().spawn(in_steps()).id();
    floor(&mut app, Vec3::ZERO);
    // A strip with a way round, which the mesh says to be dear. The agent has something to say about another type.
    let mud = NavArea { area: 7, ..NavArea::default() };
    app.world_mut().spawn((mud, NavShape::cuboid(4.0, 2.0, 10.0)));
    run(&mut app, 1.0);
    let table = AreaTable::new(vec![AreaInfo { area: AreaId::from_low_bits(7), name: "mud".into(), cost: 30.0 }]);
    let table = table.expect("a table");
    app.world_mut().get_mut::<NavMap>(region).expect("a map").edit(move |mesh| mesh.set_areas(table));
    let costs = NavAreaCosts([(9, 2.0)].into_iter().collect());
    let agent = app.world_mut().spawn((walker(Vec3::X * -8.0, Vec3::X * 8.0), costs)).id();
    let mut widest = 0.0f32;
    for _ in 0..64 * 10 {
        app.update();
        widest = widest.max(place(&app, agent).z.abs());
    }
    assert!(widest > 4.5 && happened(&app, agent, "arrived") == 1, "{widest}");
}

#[test]
fn of_several_sources_one_counts_and_the_next_takes_its_place() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let table = NavTriangles {
        positions: [[-2.0, 2.0, -2.0], [2.0, 2.0, -2.0], [2.0, 2.0, 2.0], [-2.0, 2.0, 2.0]].map(Vec3::from).to_vec(),
        triangles: vec![[0, 2, 1], [0, 3, 2]],
    };
    let part = app.world_mut().spawn((NavGeometry::default(), NavShape::cuboid(6.0, 1.0, 6.0), table)).id();
    run(&mut app, 1.0);
    assert!(is_walkable(&mut app, Vec3::Y * 2.0) && is_walkable(&mut app, Vec3::X * 2.5));
    app.world_mut().get_mut::<NavTriangles>(part).expect("they are there").triangles.clear();
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, Vec3::Y * 2.0) && !is_walkable(&mut app, Vec3::X * 2.5));
    app.world_mut().entity_mut(part).remove::<NavShape>();
    run(&mut app, 1.0);
    assert!(is_walkable(&mut app, Vec3::X * 2.5));
}

#[test]
fn writing_what_was_there_bakes_nothing() {
    let mut app = app();
    let region = app.world_mut().spawn(in_steps()).id();
    let ground = floor(&mut app, Vec3::ZERO);
    let link = app.world_mut().spawn(NavLink::between(Vec3::X * -5.0, Vec3::X * 5.0)).id();
    let crate_ = app.world_mut().spawn((NavObstacle::default(), NavShape::default())).id();
    run(&mut app, 1.0);
    let revision = |app: &App| app.world().get::<NavMap>(region).expect("a map").revision();
    let before = revision(&app);
    for _ in 0..30 {
        for entity in [ground, link, crate_] {
            app.world_mut().get_mut::<Transform>(entity).expect("it is there").translation.y = 0.0;
        }
        app.world_mut().get_mut::<NavShape>(ground).expect("it is there").set_changed();
        app.world_mut().get_mut::<NavObstacle>(crate_).expect("it is there").tolerance = 0.1;
        app.update();
        assert_eq!((status(&app, region), revision(&app)), (NavStatus::Ready, before));
    }
}

#[test]
fn what_sails_away_lets_bakes_end() {
    let mut app = app();
    let update = NavUpdate::InStep { cells: 30_000 };
    let region = app.world_mut().spawn(NavRegion { update, ..NavRegion::default() }).id();
    floor(&mut app, Vec3::ZERO);
    let ship = floor(&mut app, Vec3::X * 25.0);
    run(&mut app, 3.0);
    assert_eq!(status(&app, region), NavStatus::Ready);
    let mut ready = 0;
    for _ in 0..64 * 4 {
        app.world_mut().get_mut::<Transform>(ship).expect("a ship").translation.x += 0.1;
        app.update();
        let at = place(&app, ship) - Vec3::X * 9.0;
        ready += u32::from(is_walkable(&mut app, at));
    }
    assert!(ready > 64, "{ready}");
}

#[test]
fn agents_may_stand_under_parents() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let group = Transform::from_xyz(3.0, 0.0, 2.0).looking_to(Vec3::X, Vec3::Y).with_scale(Vec3::splat(2.0));
    let group = app.world_mut().spawn(group).id();
    let agent = (NavAgent::default(), NavFacing::default(), NavTarget::Point(Vec3::new(-8.0, 0.0, -8.0)));
    let agent = app.world_mut().spawn((agent, ChildOf(group))).id();
    let world = |app: &App| app.world().get::<GlobalTransform>(agent).expect("a place").translation();
    run(&mut app, 0.2);
    assert!(world(&app).distance(Vec3::new(3.0, 0.0, 2.0)) < 1.0, "{}", world(&app));
    run(&mut app, 7.0);
    assert!(world(&app).distance(Vec3::new(-8.0, 0.0, -8.0)) < 0.7, "{}", world(&app));
    assert_eq!(happened(&app, agent, "path found"), 1);
}

#[derive(Resource, Default)]
struct Crossed(Vec<(bool, Option<Entity>)>);

#[test]
fn links_are_named_and_the_game_may_move_agents_over_them() {
    let mut app = app();
    app.init_resource::<Crossed>();
    app.add_observer(|on: On<NavLinkEntered>, mut crossed: ResMut<Crossed>| crossed.0.push((true, on.link)));
    app.add_observer(|on: On<NavLinkLeft>, mut crossed: ResMut<Crossed>| crossed.0.push((false, on.link)));
    let region = app.world_mut().spawn(in_steps()).id();
    floor(&mut app, Vec3::ZERO);
    floor(&mut app, Vec3::new(24.0, 0.0, 0.0));
    let link = app.world_mut().spawn(NavLink::between(Vec3::X * 9.0, Vec3::X * 15.0)).id();
    let agent = NavAgent { link_drive: NavLinkDrive::Game, ..NavAgent::default() };
    let agent = (agent, NavTarget::Point(Vec3::X * 20.0), Transform::from_xyz(6.0, 0.0, 0.0));
    let agent = app.world_mut().spawn(agent).id();
    run(&mut app, 4.0);
    assert_eq!(app.world().resource::<Crossed>().0, [(true, Some(link))]);
    // It waits, and jumps as high as the game lets it.
    assert_eq!(state(&app, agent), NavAgentState::OnLink { progress: 0.0 });
    for step in 1..=32 {
        let share = step as f32 / 32.0;
        let height = 8.0 * share * (1.0 - share);
        app.world_mut().get_mut::<Transform>(agent).expect("it is there").translation =
            Vec3::new(9.0 + 6.0 * share, height, 0.0);
        let mut crowd = app.world_mut().get_mut::<NavCrowd>(region).expect("a crowd");
        assert!(crowd.set_link_progress(agent, share));
        app.update();
        assert!(share == 1.0 || place(&app, agent).y == height, "it is moved by the game");
    }
    run(&mut app, 3.0);
    assert_eq!(app.world().resource::<Crossed>().0, [(true, Some(link)), (false, Some(link))]);
    assert_eq!(happened(&app, agent, "arrived"), 1, "{}", place(&app, agent));
}
