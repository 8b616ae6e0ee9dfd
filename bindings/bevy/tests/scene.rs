//! Scenes without a window: what agents, regions, obstacles and links do in a Bevy app.

mod stage;

use bevy_app::TaskPoolPlugin;
use bevy_app::prelude::*;
use bevy_asset::{AssetPlugin, AssetServer, Assets, RenderAssetUsages};
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::{Quat, Vec3};
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;
use stage::{app, floor, happened, in_steps, place, run, status};
use std::time::Duration;

#[test]
fn an_agent_walks_to_a_point_and_arrives() {
    let mut app = app();
    let region = app.world_mut().spawn(in_steps()).id();
    floor(&mut app, Vec3::ZERO);
    let goal = Vec3::new(7.0, 0.0, 6.0);
    let agent = NavAgent { origin_height: 1.0, ..NavAgent::default() };
    let agent = app.world_mut().spawn((agent, NavFacing::default(), Transform::from_xyz(-7.0, 1.0, -6.0))).id();
    run(&mut app, 0.5);
    assert_eq!(status(&app, region), NavStatus::Ready);
    assert_eq!(app.world().get::<NavAgentState>(agent), Some(&NavAgentState::Idle));
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(goal));
    run(&mut app, 2.0);
    let Some(NavAgentState::Walking { remaining, complete: true }) = app.world().get(agent) else {
        panic!("{:?}", app.world().get::<NavAgentState>(agent));
    };
    assert!((5.0..20.0).contains(remaining), "{remaining}");
    let ahead = app.world().get::<Transform>(agent).map(|t| t.rotation * Vec3::NEG_Z);
    assert!(ahead.is_some_and(|ahead| ahead.dot((goal - Vec3::new(-7.0, 0.0, -6.0)).normalize()) > 0.95), "{ahead:?}");
    run(&mut app, 6.0);
    assert!(place(&app, agent).distance(goal + Vec3::Y) < 0.6, "{}", place(&app, agent));
    assert_eq!(happened(&app, agent, "arrived"), 1);
    assert_eq!(app.world().get::<NavAgentState>(agent), Some(&NavAgentState::Arrived));
}

#[test]
fn a_region_is_baked_in_the_background() {
    let mut app = app();
    let region = app.world_mut().spawn(NavRegion::default()).id();
    run(&mut app, 0.1);
    assert_eq!(status(&app, region), NavStatus::Empty);
    floor(&mut app, Vec3::ZERO);
    // However long it takes; frames go on meanwhile.
    while status(&app, region) != NavStatus::Ready {
        app.update();
        std::thread::yield_now();
    }
    let map = app.world().get::<NavMap>(region).expect("a map");
    assert!(map.mesh().tile_count() > 0 && map.revision() > 0);
}

#[test]
fn only_tiles_under_what_moves_are_baked_again() {
    let mut app = app();
    let region = app.world_mut().spawn(NavRegion { tile_size: 16, ..in_steps() }).id();
    floor(&mut app, Vec3::ZERO);
    let crate_ = (NavGeometry::default(), NavShape::cuboid(1.0, 2.0, 1.0), Transform::from_xyz(-6.0, 1.0, -6.0));
    let crate_ = app.world_mut().spawn(crate_).id();
    run(&mut app, 2.0);
    let tiles = |app: &App| -> Vec<_> {
        let map = app.world().get::<NavMap>(region).expect("a map");
        map.mesh().tiles().map(|tile| tile.tile_ref()).collect()
    };
    let before = tiles(&app);
    app.world_mut().get_mut::<Transform>(crate_).expect("it is there").translation.x = -5.0;
    run(&mut app, 2.0);
    let after = tiles(&app);
    let kept = after.iter().filter(|tile| before.contains(tile)).count();
    assert!(kept < after.len() && kept > after.len() / 2, "{kept} of {}", after.len());

    let blocked = Vec3::new(-5.0, 0.0, -6.0);
    let nearest = |app: &mut App| {
        app.world_mut().run_system_once(move |queries: NavQueries| queries.nearest(blocked)).expect("a system")
    };
    assert!(nearest(&mut app).is_some_and(|place| place.with_y(0.0).distance(blocked) > 0.5));
    app.world_mut().despawn(crate_);
    run(&mut app, 2.0);
    assert!(nearest(&mut app).is_some_and(|place| place.with_y(0.0).distance(blocked) < 0.1));
}

#[test]
fn a_level_that_grows_keeps_its_mesh_until_the_new_one_is_there() {
    let mut app = app();
    let update = NavUpdate::InStep { cells: 20_000 };
    let region = app.world_mut().spawn(NavRegion { update, ..NavRegion::default() }).id();
    floor(&mut app, Vec3::ZERO);
    let agent = (NavAgent::default(), NavTarget::Point(Vec3::X * 8.0), Transform::from_xyz(-8.0, 0.0, 0.0));
    let agent = app.world_mut().spawn(agent).id();
    while status(&app, region) != NavStatus::Ready {
        app.update();
    }
    floor(&mut app, Vec3::new(20.0, 0.0, 0.0));
    app.update();
    let mut frames = 0;
    while status(&app, region) != NavStatus::Ready {
        app.update();
        frames += 1;
        let map = app.world().get::<NavMap>(region).expect("a map");
        assert!(map.mesh().tile_count() > 0 && app.world().get(agent) != Some(&NavAgentState::OffMesh));
    }
    assert!(frames > 3, "{frames}");
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(Vec3::X * 25.0));
    run(&mut app, 14.0);
    assert!(place(&app, agent).distance(Vec3::X * 25.0) < 0.7, "{}", place(&app, agent));
}

#[test]
fn an_obstacle_follows_its_entity_and_agents_go_round() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let agent = (NavAgent::default(), NavTarget::Point(Vec3::X * 8.0), Transform::from_xyz(-8.0, 0.0, 0.0));
    let agent = app.world_mut().spawn(agent).id();
    let door = (NavObstacle::default(), NavShape::cuboid(1.0, 3.0, 12.0), Transform::from_xyz(0.0, 1.0, 30.0));
    let door = app.world_mut().spawn(door).id();
    run(&mut app, 1.0);
    app.world_mut().get_mut::<Transform>(door).expect("it is there").translation.z = 0.0;
    let mut farthest = 0.0f32;
    for _ in 0..64 * 10 {
        app.update();
        let at = place(&app, agent);
        farthest = farthest.max(at.z.abs());
        assert!(at.x.abs() > 0.4 || at.z.abs() > 5.9, "through the door at {at}");
    }
    assert!(farthest > 6.0 && happened(&app, agent, "arrived") == 1, "{farthest}");
    assert!(happened(&app, agent, "path lost") >= 1);
}

#[test]
fn areas_cost_and_can_be_closed() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let mud = (NavArea { area: 7, ..NavArea::default() }, NavShape::cuboid(2.0, 2.0, 16.0), Transform::default());
    app.world_mut().spawn(mud);
    let walker = |costs: &[(u8, f32)]| {
        let costs = NavAreaCosts(costs.iter().copied().collect());
        (NavAgent::default(), costs, NavTarget::Point(Vec3::X * 7.0), Transform::from_xyz(-7.0, 0.0, 0.0))
    };
    let indifferent = app.world_mut().spawn(walker(&[])).id();
    let clean = app.world_mut().spawn(walker(&[(7, f32::INFINITY)])).id();
    let mut widest = [0.0f32; 2];
    for _ in 0..64 * 12 {
        app.update();
        for (widest, agent) in widest.iter_mut().zip([indifferent, clean]) {
            *widest = widest.max(place(&app, agent).z.abs());
        }
    }
    assert!(widest[0] < 4.0 && widest[1] > 7.9, "{widest:?}");
}

#[test]
fn links_lead_from_floor_to_floor() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    floor(&mut app, Vec3::new(30.0, 3.0, 0.0));
    let agent = (NavAgent::default(), NavTarget::Point(Vec3::new(30.0, 3.0, 0.0)), Transform::from_xyz(0.0, 0.0, 0.0));
    let agent = app.world_mut().spawn(agent).id();
    run(&mut app, 1.0);
    assert!(happened(&app, agent, "unreachable") >= 1);
    app.world_mut().spawn(NavLink::between(Vec3::new(9.0, 0.0, 0.0), Vec3::new(21.0, 3.0, 0.0)));
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(Vec3::new(31.0, 3.0, 0.0)));
    run(&mut app, 14.0);
    assert_eq!(happened(&app, agent, "link entered"), 1);
    assert_eq!(happened(&app, agent, "arrived"), 1, "{}", place(&app, agent));
}

#[test]
fn a_chaser_reaches_an_agent_and_an_entity() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let prey = app.world_mut().spawn((NavAgent::default(), Transform::from_xyz(6.0, 0.0, 0.0))).id();
    let flag = app.world_mut().spawn(Transform::from_xyz(0.0, 0.0, 8.0)).id();
    let chaser = |target| (NavAgent::default(), NavTarget::Entity(target), Transform::from_xyz(-6.0, 0.0, 0.0));
    let hunter = app.world_mut().spawn(chaser(prey)).id();
    let runner = app.world_mut().spawn(chaser(flag)).id();
    run(&mut app, 8.0);
    assert_eq!((happened(&app, hunter, "arrived"), happened(&app, runner, "arrived")), (1, 1));
    assert!(place(&app, hunter).distance(place(&app, prey)) < 2.0);
    assert!(place(&app, runner).distance(Vec3::Z * 8.0) < 1.0);
    // Whoever is followed may go.
    app.world_mut().despawn(prey);
    app.world_mut().despawn(flag);
    run(&mut app, 1.0);
}

#[test]
fn physics_may_drive() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let agent = NavAgent { drive: NavDrive::Velocity, ..NavAgent::default() };
    let target = NavTarget::Point(Vec3::X * 5.0);
    let agent = app.world_mut().spawn((agent, target, Transform::from_xyz(-5.0, 0.0, 0.0))).id();
    app.add_systems(
        FixedPostUpdate,
        |mut bodies: Query<(&NavVelocity, &mut Transform)>, time: Res<bevy_time::Time>| {
            bodies.iter_mut().for_each(|(velocity, mut at)| at.translation += velocity.0 * time.delta_secs());
        },
    );
    run(&mut app, 6.0);
    assert!(place(&app, agent).distance(Vec3::X * 5.0) < 0.7, "{}", place(&app, agent));
    assert_eq!(happened(&app, agent, "arrived"), 1);
}

#[test]
fn meshes_and_triangles_are_geometry_with_their_transforms() {
    let mut app = app();
    let region = app.world_mut().spawn(in_steps()).id();
    let corners = vec![[-5.0, 0.0, -5.0], [-5.0, 0.0, 5.0], [5.0, 0.0, 5.0], [5.0, 0.0, -5.0f32]];
    let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default());
    mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, corners.clone());
    mesh.insert_indices(Indices::U16(vec![0, 1, 2, 0, 2, 3]));
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh);
    // Mirrored, it still faces up.
    let mirrored = Transform::from_xyz(20.0, 1.0, 0.0).with_scale(Vec3::new(-1.0, 1.0, 1.0));
    app.world_mut().spawn((NavGeometry::default(), Mesh3d(mesh), mirrored));
    let positions = corners.into_iter().map(Vec3::from).collect();
    let triangles = NavTriangles { positions, triangles: vec![[0, 1, 2], [0, 2, 3]] };
    let turned = Transform::from_xyz(0.0, 2.0, 0.0).with_rotation(Quat::from_rotation_y(0.5));
    app.world_mut().spawn((NavGeometry::default(), triangles, turned));
    run(&mut app, 1.0);
    assert_eq!(status(&app, region), NavStatus::Ready);
    let near = |app: &mut App, at: Vec3| {
        app.world_mut().run_system_once(move |queries: NavQueries| queries.nearest(at)).expect("a system")
    };
    assert!(near(&mut app, Vec3::new(20.0, 1.0, 0.0)).is_some_and(|place| (place.y - 1.0).abs() < 0.3));
    assert!(near(&mut app, Vec3::new(0.0, 2.0, 0.0)).is_some_and(|place| (place.y - 2.0).abs() < 0.3));
}

#[test]
fn a_simulation_in_steps_is_the_same_each_time() {
    let play = || {
        let mut app = app();
        app.world_mut().spawn(in_steps());
        floor(&mut app, Vec3::ZERO);
        let mover = (NavObstacle::default(), NavShape::cylinder(1.0, 2.0), Transform::from_xyz(0.0, 1.0, -9.0));
        let mover = app.world_mut().spawn(mover).id();
        let agents: Vec<Entity> = (0..40)
            .map(|i| {
                let at = Vec3::new(-8.0 + (i % 4) as f32, 0.0, -8.0 + (i / 4) as f32 * 1.5);
                app.world_mut()
                    .spawn((NavAgent::default(), NavTarget::Point(-at), Transform::from_translation(at)))
                    .id()
            })
            .collect();
        for tick in 0..300 {
            app.world_mut().get_mut::<Transform>(mover).expect("it is there").translation.z = -9.0 + tick as f32 * 0.06;
            app.update();
        }
        agents.iter().map(|&agent| place(&app, agent).to_array().map(f32::to_bits)).collect::<Vec<_>>()
    };
    assert_eq!(play(), play());
}

#[test]
fn a_mesh_comes_from_a_file_and_again_when_it_changes() {
    let folder = std::env::temp_dir().join(format!("bevy_wayfare_{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, 0.0]].map(Into::into);
    let level = wayfare::input::TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).expect("a level");
    let mesh = wayfare::mesh::NavMesh::bake(&level, &wayfare::input::AgentSettings::default()).expect("a mesh");
    std::fs::write(folder.join("level.way"), mesh.to_bytes()).expect("a file");

    let mut app = App::new();
    let assets = AssetPlugin { file_path: folder.to_string_lossy().into_owned(), ..AssetPlugin::default() };
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, assets, WayfarePlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)));
    app.finish();
    app.cleanup();
    let file = app.world().resource::<AssetServer>().load("level.way");
    let region = app.world_mut().spawn((NavRegion::default(), NavMeshFile(file.clone()))).id();
    let is_shown = |app: &App| app.world().get::<NavMap>(region).is_some_and(|map| map.mesh().tile_count() > 0);
    while !is_shown(&app) {
        app.update();
        std::thread::yield_now();
    }
    let mut assets = app.world_mut().resource_mut::<Assets<bevy_wayfare::WayAsset>>();
    assets.insert(&file, bevy_wayfare::WayAsset::from(wayfare::mesh::NavMesh::new(mesh.layout()))).expect("a handle");
    run(&mut app, 0.2);
    assert!(!is_shown(&app));
    std::fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn bad_numbers_and_wild_places_do_no_harm() {
    let mut app = app();
    let region = app.world_mut().spawn(in_steps()).id();
    floor(&mut app, Vec3::ZERO);
    for at in [Vec3::NAN, Vec3::INFINITY, Vec3::splat(1e30)] {
        app.world_mut().spawn((NavObstacle::default(), NavShape::default(), Transform::from_translation(at)));
        app.world_mut().spawn(NavLink::between(at, Vec3::ZERO));
        app.world_mut().spawn((NavAgent::default(), NavTarget::Point(at), Transform::from_xyz(1.0, 0.0, 0.0)));
        app.world_mut().spawn((NavAgent::default(), Transform::from_translation(at)));
        app.world_mut().spawn((NavGeometry::default(), NavShape::floor(f32::NAN, 1.0)));
    }
    app.world_mut().spawn(NavAgent { radius: -1.0, ..NavAgent::default() });
    app.world_mut().spawn(NavAgent { region: Some(Entity::PLACEHOLDER), ..NavAgent::default() });
    run(&mut app, 2.0);
    // What can be built is there, and what could not be is said.
    assert!(matches!(status(&app, region), NavStatus::Ready | NavStatus::Failed(_)));
    assert!(app.world().get::<NavMap>(region).is_some_and(|map| map.mesh().tile_count() > 0));
    app.world_mut().despawn(region);
    run(&mut app, 0.2);
}
