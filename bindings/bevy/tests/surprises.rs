//! Unusual things that games do: entities disappear, move under parents, are scaled, or change their targets.

mod stage;

use bevy_asset::{AssetPlugin, AssetServer};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_reflect::prelude::*;
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;
use bevy_wayfare::{NavTriangles, WayAsset};
use stage::{app, floor, happened, in_steps, is_walkable, place, run, state, status};

fn walker(at: Vec3, to: Vec3) -> (NavAgent, NavTarget, Transform) {
    (NavAgent::default(), NavTarget::Point(to), Transform::from_translation(at))
}

#[test]
fn a_region_that_goes_leaves_its_agents_standing_and_another_takes_them() {
    let mut app = app();
    let region = app.world_mut().spawn(in_steps()).id();
    floor(&mut app, Vec3::ZERO);
    let agent = app.world_mut().spawn(walker(Vec3::X * -8.0, Vec3::X * 8.0)).id();
    run(&mut app, 1.5);
    app.world_mut().despawn(region);
    run(&mut app, 0.2);
    let stood = place(&app, agent);
    run(&mut app, 0.5);
    assert_eq!(state(&app, agent), NavAgentState::OffMesh);
    assert_eq!(app.world().get::<NavVelocity>(agent), Some(&NavVelocity::default()));
    assert_eq!(place(&app, agent), stood);
    app.world_mut().spawn(in_steps());
    run(&mut app, 8.0);
    assert_eq!(happened(&app, agent, "arrived"), 1, "{:?} at {}", state(&app, agent), place(&app, agent));
}

#[test]
fn agents_take_the_region_of_their_size() {
    let mut app = app();
    let narrow = app.world_mut().spawn(in_steps()).id();
    let wide = app.world_mut().spawn(NavRegion { agent_radius: 1.5, ..in_steps() }).id();
    floor(&mut app, Vec3::ZERO);
    for x in [-6.0, 6.0] {
        let wall = (NavGeometry::default(), NavShape::cuboid(10.0, 3.0, 1.0), Transform::from_xyz(x, 1.5, 0.0));
        app.world_mut().spawn(wall);
    }
    let person = app.world_mut().spawn(walker(Vec3::Z * -6.0, Vec3::Z * 6.0)).id();
    let troll = NavAgent { radius: 1.5, ..NavAgent::default() };
    let troll = (troll, NavTarget::Point(Vec3::new(3.0, 0.0, 6.0)), Transform::from_xyz(3.0, 0.0, -6.0));
    let troll = app.world_mut().spawn(troll).id();
    run(&mut app, 8.0);
    assert_eq!((happened(&app, person, "arrived"), happened(&app, troll, "arrived")), (1, 0));
    assert_eq!(state(&app, troll), NavAgentState::Unreachable);
    let is_in = |region| app.world().get::<bevy_wayfare::NavCrowd>(region).map(|crowd| crowd.crowd().len());
    assert_eq!((is_in(narrow), is_in(wide)), (Some(1), Some(1)));
}

#[test]
fn parents_may_turn_scale_and_move_what_lies_on_them() {
    let mut app = app();
    let region = app.world_mut().spawn(in_steps()).id();
    // Twice as large, turned by 90 degrees, and up by a metre.
    let parent = Transform::from_xyz(5.0, 1.0, 0.0)
        .with_rotation(Quat::from_rotation_y(core::f32::consts::FRAC_PI_2))
        .with_scale(Vec3::splat(2.0));
    let parent = app.world_mut().spawn((parent,)).id();
    let child = (NavGeometry::default(), NavShape::floor(20.0, 4.0), ChildOf(parent), Transform::default());
    app.world_mut().spawn(child);
    let pillar =
        (NavObstacle::default(), NavShape::cylinder(0.5, 2.0), ChildOf(parent), Transform::from_xyz(0.0, 1.0, 0.0));
    app.world_mut().spawn(pillar);
    run(&mut app, 1.0);
    assert_eq!(status(&app, region), NavStatus::Ready);
    assert!(is_walkable(&mut app, Vec3::new(5.0, 1.0, 18.0)) && is_walkable(&mut app, Vec3::new(5.0, 1.0, -18.0)));
    assert!(!is_walkable(&mut app, Vec3::new(15.0, 1.0, 0.0)) && !is_walkable(&mut app, Vec3::new(5.8, 1.0, 0.0)));
    app.world_mut().get_mut::<Transform>(parent).expect("it is there").translation.y = 4.0;
    run(&mut app, 1.0);
    assert!(is_walkable(&mut app, Vec3::new(5.0, 4.0, 18.0)) && !is_walkable(&mut app, Vec3::new(5.8, 4.0, 0.0)));
    app.world_mut().despawn(parent);
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, Vec3::new(5.0, 4.0, 18.0)));
}

#[test]
fn a_cylinder_scaled_unevenly_is_no_circle() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let flat = Transform::from_xyz(0.0, 1.0, 0.0).with_scale(Vec3::new(6.0, 1.0, 0.5));
    app.world_mut().spawn((NavObstacle::default(), NavShape::cylinder(1.0, 2.0), flat));
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, Vec3::X * 5.0) && is_walkable(&mut app, Vec3::Z * 2.0));
}

#[test]
fn parts_that_lose_their_shape_go() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let table = (NavGeometry::default(), NavShape::cuboid(4.0, 1.5, 4.0), Transform::from_xyz(0.0, 0.75, 0.0));
    let table = app.world_mut().spawn(table).id();
    let crate_ = (NavObstacle::default(), NavShape::cuboid(2.0, 2.0, 2.0), Transform::from_xyz(6.0, 1.0, 6.0));
    let crate_ = app.world_mut().spawn(crate_).id();
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, Vec3::ZERO) && !is_walkable(&mut app, Vec3::new(6.0, 0.0, 6.0)));
    app.world_mut().entity_mut(table).remove::<NavShape>();
    app.world_mut().entity_mut(crate_).remove::<NavObstacle>();
    run(&mut app, 1.0);
    assert!(is_walkable(&mut app, Vec3::ZERO) && is_walkable(&mut app, Vec3::new(6.0, 0.0, 6.0)));
}

#[test]
fn settings_may_change_while_agents_walk() {
    let mut app = app();
    let region = app.world_mut().spawn(in_steps()).id();
    floor(&mut app, Vec3::ZERO);
    let agent = app.world_mut().spawn(walker(Vec3::X * -8.0, Vec3::X * 8.0)).id();
    run(&mut app, 1.0);
    app.world_mut().get_mut::<NavAgent>(agent).expect("it is there").max_speed = 1.0;
    run(&mut app, 1.0);
    let velocity = app.world().get::<NavVelocity>(agent).expect("it walks").0.length();
    assert!((velocity - 1.0).abs() < 0.1, "{velocity}");
    app.world_mut().get_mut::<NavRegion>(region).expect("it is there").agent_radius = 1.0;
    app.world_mut().get_mut::<NavAgent>(agent).expect("it is there").max_speed = 5.0;
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, Vec3::X * 9.4) && is_walkable(&mut app, Vec3::X * 8.5));
    // Nonsense is said, and what was there stays.
    app.world_mut().get_mut::<NavRegion>(region).expect("it is there").cell_size = Some(-1.0);
    run(&mut app, 0.5);
    assert!(matches!(status(&app, region), NavStatus::Failed(why) if why.contains("cell_size")));
    assert!(is_walkable(&mut app, Vec3::X * 8.5));
    app.world_mut().get_mut::<NavRegion>(region).expect("it is there").cell_size = None;
    run(&mut app, 6.0);
    assert_eq!(status(&app, region), NavStatus::Ready);
    assert_eq!(happened(&app, agent, "arrived"), 1, "{:?}", state(&app, agent));
}

#[test]
fn an_agent_outside_is_let_in_when_there_is_a_floor() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    let agent = app.world_mut().spawn(walker(Vec3::X * 20.0, Vec3::X * 5.0)).id();
    run(&mut app, 1.0);
    assert_eq!((state(&app, agent), place(&app, agent)), (NavAgentState::OffMesh, Vec3::X * 20.0));
    floor(&mut app, Vec3::X * 20.0);
    run(&mut app, 10.0);
    assert_eq!(happened(&app, agent, "arrived"), 1, "{:?}", state(&app, agent));
}

#[test]
fn events_tell_of_links_blocks_and_lost_paths() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    floor(&mut app, Vec3::ZERO);
    floor(&mut app, Vec3::X * 24.0);
    let link = app.world_mut().spawn(NavLink::between(Vec3::X * 9.0, Vec3::X * 15.0)).id();
    let agent = app.world_mut().spawn(walker(Vec3::X * 4.0, Vec3::X * 20.0)).id();
    run(&mut app, 8.0);
    let counts = ["path found", "link entered", "link left", "arrived"].map(|what| happened(&app, agent, what));
    assert_eq!(counts, [1, 1, 1, 1]);
    // The way back is gone, and who waits behind a wall says so.
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(Vec3::ZERO));
    run(&mut app, 0.3);
    app.world_mut().despawn(link);
    run(&mut app, 1.0);
    assert!(happened(&app, agent, "path lost") >= 1 && happened(&app, agent, "unreachable") >= 1);
    let stubborn = NavAgent { gives_up_after: Some(3), goes_near: true, ..NavAgent::default() };
    let stubborn = (stubborn, NavTarget::Point(Vec3::ZERO), Transform::from_xyz(20.0, 0.0, 5.0));
    let stubborn = app.world_mut().spawn(stubborn).id();
    run(&mut app, 20.0);
    assert!(happened(&app, stubborn, "stuck") >= 1, "{:?} at {}", state(&app, stubborn), place(&app, stubborn));
    // Something comes down on it.
    let at = place(&app, stubborn);
    let rock = (NavObstacle::default(), NavShape::cylinder(1.0, 2.0), Transform::from_translation(at));
    app.world_mut().spawn(rock);
    run(&mut app, 0.5);
    assert_eq!(happened(&app, stubborn, "displaced"), 1);
}

/// A mesh from a file takes links, and obstacles if it has layers; a file that is damaged leaves it as it is.
#[test]
fn obstacles_and_links_change_meshes_from_files() {
    let folder = std::env::temp_dir().join(format!("bevy_wayfare_layers_{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0]].map(Into::into);
    let level = wayfare::input::TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).expect("a level");
    let settings = wayfare::input::BakeSettings { tile_size: 32, ..Default::default() };
    let context = wayfare::context::Context::default();
    let layers = wayfare::dynamic::LevelCheckpoints::bake(&level, &settings, &context).expect("layers");
    let (baked, _) = wayfare::bake::bake_tiles(&level, &settings, &context).expect("tiles");
    let mesh = wayfare::mesh::NavMesh::from_tiles(baked.layout, baked.tiles).expect("a mesh");
    let mut file = wayfare::format::WayFile::from(mesh);
    let section = wayfare::dynamic::LevelCheckpoints::SECTION;
    file.sections.set(section, wayfare::dynamic::LevelCheckpoints::SECTION_VERSION, layers.to_bytes());
    std::fs::write(folder.join("level.way"), file.to_bytes()).expect("a file");
    std::fs::write(folder.join("broken.way"), &file.to_bytes()[..200]).expect("a file");

    let mut app = bevy_app::App::new();
    let assets = AssetPlugin { file_path: folder.to_string_lossy().into_owned(), ..AssetPlugin::default() };
    let rest = (bevy_app::TaskPoolPlugin::default(), bevy_time::TimePlugin, TransformPlugin);
    app.add_plugins((rest, assets, WayfarePlugin::in_schedule(bevy_app::Update)));
    app.finish();
    app.cleanup();
    let [file, broken] = ["level.way", "broken.way"].map(|name| app.world().resource::<AssetServer>().load(name));
    let region = app.world_mut().spawn((in_steps(), NavMeshFile(file))).id();
    while status(&app, region) != NavStatus::Ready {
        app.update();
        std::thread::yield_now();
    }
    let center = Vec3::new(10.0, 0.0, 10.0);
    assert!(is_walkable(&mut app, center));
    let rock = (NavObstacle::default(), NavShape::cylinder(2.0, 2.0), Transform::from_translation(center));
    let rock = app.world_mut().spawn(rock).id();
    (0..20).for_each(|_| app.update());
    assert!(!is_walkable(&mut app, center));
    app.world_mut().spawn(NavLink::between(Vec3::new(2.0, 0.0, 2.0), Vec3::new(18.0, 0.0, 18.0)));
    app.world_mut().despawn(rock);
    (0..20).for_each(|_| app.update());
    assert!(is_walkable(&mut app, center));
    assert_eq!(app.world().get::<NavMap>(region).expect("a map").mesh().connection_count(), 1);
    app.world_mut().entity_mut(region).insert(NavMeshFile(broken));
    while !matches!(status(&app, region), NavStatus::Failed(why) if why.contains("could not be loaded")) {
        app.update();
        std::thread::yield_now();
    }
    assert!(is_walkable(&mut app, center));
    // Without a file it is baked from the scene.
    app.world_mut().entity_mut(region).remove::<NavMeshFile>();
    app.world_mut().spawn((NavGeometry::default(), NavShape::floor(4.0, 4.0)));
    (0..50).for_each(|_| app.update());
    assert!(is_walkable(&mut app, Vec3::ZERO) && !is_walkable(&mut app, center));
    assert!(WayAsset::from_bytes(b"nonsense").is_err());
    std::fs::remove_dir_all(folder).expect("the folder");
}

/// As a physics crate has it: neither trait can be implemented for its components.
#[derive(Component)]
struct Collider(f32);

#[derive(Component, Default)]
struct LinearVelocity(Vec3);

#[test]
fn colliders_and_velocities_of_other_crates_are_used() {
    let mut app = app();
    app.add_nav_source_from::<Collider>(bevy_app::FixedUpdate, |collider| {
        let corners = [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]];
        let positions = corners.map(|[x, z]| Vec3::new(x, 0.0, z) * collider.0).to_vec();
        (collider.0 > 0.0).then(|| NavTriangles { positions, triangles: vec![[0, 1, 2], [0, 2, 3]] })
    });
    app.add_nav_body::<LinearVelocity>(bevy_app::FixedUpdate, |velocity| &mut velocity.0);
    app.world_mut().spawn(in_steps());
    let ground = app.world_mut().spawn((NavGeometry::default(), Collider(10.0))).id();
    let agent = NavAgent { drive: NavDrive::Velocity, ..NavAgent::default() };
    let body = (agent, NavTarget::Point(Vec3::X * 8.0), LinearVelocity(Vec3::Y * -2.0), Transform::default());
    let body = app.world_mut().spawn(body).id();
    run(&mut app, 1.5);
    let velocity = app.world().get::<LinearVelocity>(body).expect("a velocity").0;
    assert!(velocity.x > 2.0 && velocity.y == -2.0, "{velocity}");
    app.world_mut().entity_mut(ground).remove::<Collider>();
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, Vec3::ZERO));
}

/// Names of the public types of the sources that derive one of these traits.
fn types_that_are(traits: &[&str]) -> Vec<String> {
    let sources = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).expect("sources");
    let texts = sources.map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("a text"));
    let mut names = Vec::new();
    for text in texts {
        let mut is_one = false;
        for line in text.lines() {
            if let Some(derived) = line.strip_prefix("#[derive(") {
                is_one = derived.split([',', ')']).any(|it| traits.contains(&it.trim()));
            }
            let item = line.strip_prefix("pub struct ").or(line.strip_prefix("pub enum "));
            let name = item.and_then(|item| item.split(|c: char| !c.is_alphanumeric()).next());
            names.extend(name.filter(|_| core::mem::take(&mut is_one)).map(str::to_owned));
        }
    }
    names
}

#[test]
fn tools_see_and_change_every_component() {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let components = types_that_are(&["Component", "Resource"]);
    assert!(components.len() > 16 && components.contains(&"NavMap".to_owned()), "{components:?}");
    for name in components {
        let registration = registry.get_with_short_type_path(&name);
        let registration = registration.unwrap_or_else(|| panic!("{name} is not registered"));
        assert!(
            registration.data::<bevy_ecs::reflect::ReflectComponent>().is_some(),
            "{name} is not #[reflect(Component)]"
        );
    }
    let events = types_that_are(&["EntityEvent"]);
    assert!(events.len() > 13, "{events:?}");
    for name in events {
        assert!(registry.get_with_short_type_path(&name).is_some(), "{name} is not registered");
    }
    let mut agent = NavAgent::default();
    agent.path_mut::<f32>("max_speed").map(|speed| *speed = 9.0).expect("a field");
    assert_eq!((agent.max_speed, agent.drive), (9.0, NavDrive::Transform));
    let mut region = NavRegion::default();
    region.path_mut::<u32>("bake.verts_per_poly").map(|most| *most = 3).expect("a field");
    assert_eq!(region.bake.verts_per_poly, 3);
    let map = NavMap::default();
    assert_eq!(map.path::<u64>("revision"), Ok(&0));
}
