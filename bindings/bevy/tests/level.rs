//! What a level is made from, how it is baked, and what is reported about it.

mod stage;

use bevy_app::prelude::*;
use bevy_asset::{AssetServer, Assets, Handle, RenderAssetUsages};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology};
use bevy_transform::prelude::*;
use bevy_wayfare::NavTriangles;
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare::area::{AreaId, AreaInfo, AreaTable, PolyFlags};
use stage::{app, floor, happened, in_steps, is_walkable, place, run, status};

/// What was said of geometry, regions and edits, in order.
#[derive(Resource, Default)]
struct Said(Vec<(Entity, String)>);

/// An app that notes failures.
fn listening() -> App {
    let mut app = app();
    app.init_resource::<Said>();
    app.add_observer(|on: On<NavGeometryFailed>, mut said: ResMut<Said>| said.0.push((on.entity, on.reason.clone())));
    app.add_observer(|on: On<NavBakeFailed>, mut said: ResMut<Said>| said.0.push((on.entity, on.reason.clone())));
    app.add_observer(|on: On<NavEditsLost>, mut said: ResMut<Said>| said.0.push((on.entity, "edits lost".into())));
    app
}

fn said(app: &App) -> Vec<(Entity, String)> {
    app.world().resource::<Said>().0.clone()
}

const CORNERS: [[f32; 3]; 4] = [[-10.0, 0.0, -10.0], [-10.0, 0.0, 10.0], [10.0, 0.0, 10.0], [10.0, 0.0, -10.0]];

/// A floor of 20 by 20 metres as a mesh.
fn ground(topology: PrimitiveTopology, indices: &[u32]) -> Mesh {
    Mesh::new(topology, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, CORNERS.to_vec())
        .with_inserted_indices(Indices::U32(indices.to_vec()))
}

fn square() -> Mesh {
    ground(PrimitiveTopology::TriangleList, &[0, 1, 2, 0, 2, 3])
}

fn add(app: &mut App, mesh: Mesh) -> Mesh3d {
    Mesh3d(app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh))
}

#[test]
fn geometry_that_cannot_be_used_is_said_once() {
    let mut app = listening();
    app.world_mut().spawn(in_steps());
    let mut on_the_card = square();
    on_the_card.take_gpu_data().expect("data");
    let empty = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default());
    let broken = [
        (ground(PrimitiveTopology::LineList, &[0, 1, 1, 2]), "TriangleList"),
        (empty, "ATTRIBUTE_POSITION"),
        (on_the_card, "MAIN_WORLD"),
        (ground(PrimitiveTopology::TriangleList, &[0, 1, 7]), "vertex 7"),
        (ground(PrimitiveTopology::TriangleList, &[0, 1, 1]), "no usable triangle"),
    ];
    for (mesh, why) in broken {
        let mesh = add(&mut app, mesh);
        let part = app.world_mut().spawn((NavGeometry::default(), mesh, Transform::default())).id();
        run(&mut app, 0.2);
        // It is still the same when it has moved.
        app.world_mut().get_mut::<Transform>(part).expect("a place").translation.x += 1.0;
        run(&mut app, 0.2);
        let told: Vec<String> = said(&app).into_iter().filter(|it| it.0 == part).map(|it| it.1).collect();
        assert!(matches!(&told[..], [one] if one.contains(why)), "{why}: {told:?}");
        app.world_mut().despawn(part);
    }
    let bad = NavTriangles { positions: vec![Vec3::NAN; 3], triangles: vec![[0, 1, 2]] };
    let bad = app.world_mut().spawn((NavGeometry::default(), bad)).id();
    run(&mut app, 0.2);
    assert!(said(&app).last().is_some_and(|it| it.0 == bad && it.1.contains("NaN")), "{:?}", said(&app));
    // Mended, it counts, and broken again it is said again.
    let count = said(&app).len();
    let positions = CORNERS.map(Vec3::from).to_vec();
    let good = NavTriangles { positions, triangles: vec![[0, 1, 2], [0, 2, 3]] };
    app.world_mut().entity_mut(bad).insert(good.clone());
    run(&mut app, 0.5);
    assert!(is_walkable(&mut app, Vec3::ZERO) && said(&app).len() == count);
    app.world_mut().entity_mut(bad).insert(NavTriangles { positions: vec![], ..good });
    run(&mut app, 0.5);
    assert!(!is_walkable(&mut app, Vec3::ZERO) && said(&app).len() == count + 1);
}

#[test]
fn meshes_that_cannot_be_loaded_are_said_and_strips_are_used() {
    let mut app = listening();
    app.world_mut().spawn(in_steps());
    let missing: Handle<Mesh> = app.world().resource::<AssetServer>().load("no_such_level.glb");
    let part = app.world_mut().spawn((NavGeometry::default(), Mesh3d(missing.clone()))).id();
    while said(&app).is_empty() {
        app.update();
        std::thread::yield_now();
    }
    // One that comes when loading has failed already.
    let late = app.world_mut().spawn((NavGeometry::default(), Mesh3d(missing))).id();
    run(&mut app, 0.2);
    let told = said(&app);
    assert_eq!(told.iter().map(|it| it.0).collect::<Vec<_>>(), [part, late]);
    assert!(told.iter().all(|it| it.1.contains("could not be loaded")), "{told:?}");
    let strip = add(&mut app, ground(PrimitiveTopology::TriangleStrip, &[0, 1, 3, 2]));
    app.world_mut().spawn((NavGeometry::default(), strip));
    run(&mut app, 1.0);
    assert!(is_walkable(&mut app, Vec3::new(5.0, 0.0, -5.0)) && is_walkable(&mut app, Vec3::new(-5.0, 0.0, 5.0)));
}

#[test]
fn a_scene_is_part_of_the_level_with_all_that_comes_moves_and_goes_in_it() {
    let mut app = app();
    app.world_mut().spawn(in_steps());
    let mesh = add(&mut app, square());
    let root = app.world_mut().spawn((NavGeometry::default(), Transform::default())).id();
    run(&mut app, 0.2);
    // As a scene is spawned: groups first, meshes in them later.
    let group = app.world_mut().spawn((Transform::from_xyz(0.0, 1.0, 0.0), ChildOf(root))).id();
    run(&mut app, 0.1);
    let spawn = |app: &mut App, x: f32, parent: Entity| {
        app.world_mut().spawn((mesh.clone(), Transform::from_xyz(x, 0.0, 0.0), ChildOf(parent))).id()
    };
    let [first, second] = [0.0, 40.0].map(|x| spawn(&mut app, x, group));
    run(&mut app, 1.5);
    let at = |x: f32, y: f32| Vec3::new(x, y, 0.0);
    assert!(is_walkable(&mut app, at(0.0, 1.0)) && is_walkable(&mut app, at(40.0, 1.0)));
    app.world_mut().get_mut::<Transform>(group).expect("a place").translation.y = 3.0;
    app.world_mut().despawn(second);
    run(&mut app, 1.5);
    assert!(is_walkable(&mut app, at(0.0, 3.0)) && !is_walkable(&mut app, at(40.0, 3.0)));
    // What is taken out of the scene, or says so itself, is no part of it.
    let lamp = spawn(&mut app, 40.0, group);
    run(&mut app, 1.5);
    assert!(is_walkable(&mut app, at(40.0, 3.0)));
    app.world_mut().entity_mut(lamp).insert(NavGeometry::none());
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, at(40.0, 3.0)));
    app.world_mut().entity_mut(lamp).remove::<NavGeometry>();
    run(&mut app, 1.0);
    assert!(is_walkable(&mut app, at(40.0, 3.0)));
    app.world_mut().entity_mut(lamp).remove::<ChildOf>();
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, at(40.0, 3.0)) && !is_walkable(&mut app, at(40.0, 0.0)));
    // Who walks about in it is none either, nor what they carry; nor an obstacle.
    let walker = app.world_mut().spawn((NavAgent::default(), Transform::from_xyz(0.0, 3.0, 0.0), ChildOf(root))).id();
    spawn(&mut app, 40.0, walker);
    app.world_mut().spawn((NavObstacle::default(), mesh.clone(), Transform::from_xyz(40.0, 5.0, 0.0), ChildOf(root)));
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, at(40.0, 3.0)) && !is_walkable(&mut app, at(40.0, 5.5)));
    // All of it goes with the component, and comes back.
    app.world_mut().entity_mut(root).remove::<NavGeometry>();
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, at(0.0, 3.0)));
    app.world_mut().entity_mut(root).insert(NavGeometry { area: 9, ..NavGeometry::default() });
    run(&mut app, 1.0);
    assert!(is_walkable(&mut app, at(0.0, 3.0)));
    app.world_mut().entity_mut(root).insert(Disabled);
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, at(0.0, 3.0)));
    app.world_mut().entity_mut(root).remove::<Disabled>();
    run(&mut app, 1.0);
    assert!(is_walkable(&mut app, at(0.0, 3.0)));
    app.world_mut().get_mut::<NavGeometry>(root).expect("it is there").descendants = false;
    run(&mut app, 1.0);
    assert!(!is_walkable(&mut app, at(0.0, 3.0)));
    assert!(app.world().get_entity(first).is_ok());
}

#[derive(Resource, Default)]
struct Progress(Vec<(NavBakeStage, f32)>);

#[test]
fn bakes_say_how_far_they_are() {
    let mut app = app();
    app.init_resource::<Progress>();
    app.add_observer(|on: On<NavBakeProgress>, mut seen: ResMut<Progress>| seen.0.push((on.stage, on.done)));
    let update = NavUpdate::InStep { cells: 20_000 };
    let region = NavRegion { update, tile_size: 16, links: Some(NavAutoLinks::default()), ..NavRegion::default() };
    let region = app.world_mut().spawn(region).id();
    floor(&mut app, Vec3::ZERO);
    let mut shown = Vec::new();
    while status(&app, region) != NavStatus::Ready {
        app.update();
        if let NavStatus::Baking { stage, done } = status(&app, region) {
            shown.push((stage, done));
        }
    }
    let seen = &app.world().resource::<Progress>().0;
    shown.dedup();
    assert_eq!(*seen, shown);
    let of = |wanted: NavBakeStage| seen.iter().filter(|it| it.0 == wanted).map(|it| it.1).collect::<Vec<_>>();
    for done in [of(NavBakeStage::Tiles), of(NavBakeStage::Links)] {
        assert!(done.len() > 3 && done.is_sorted() && done.iter().all(|done| (0.0..=1.0).contains(done)), "{done:?}");
    }
    // Without a change nothing is said.
    let count = seen.len();
    run(&mut app, 0.5);
    assert_eq!(app.world().resource::<Progress>().0.len(), count);
}

#[test]
fn every_setting_of_a_bake_can_be_set() {
    let mut app = listening();
    let region = app.world_mut().spawn(in_steps()).id();
    floor(&mut app, Vec3::ZERO);
    let step = (NavGeometry::default(), NavShape::cuboid(4.0, 1.0, 4.0), Transform::from_xyz(4.0, 0.5, 4.0));
    app.world_mut().spawn(step);
    app.world_mut().spawn((NavGeometry::default(), NavShape::cylinder(2.0, 6.0), Transform::from_xyz(-4.0, 0.0, -3.0)));
    let mesh_of = |app: &mut App, bake: NavBake| {
        app.world_mut().get_mut::<NavRegion>(region).expect("a region").bake = bake;
        run(app, 1.0);
        assert_eq!(status(app, region), NavStatus::Ready, "{bake:?}");
        let map = app.world().get::<NavMap>(region).expect("a map");
        map.mesh().digest()
    };
    let plain = NavBake::default();
    let before = mesh_of(&mut app, plain);
    let others = [
        NavBake { cell_height: Some(0.1), ..plain },
        NavBake { max_drop: 3.0, ..plain },
        NavBake { partition: NavPartition::Monotone, ..plain },
        NavBake { exact_erosion: true, ..plain },
        NavBake { ledges: false, ..plain },
        NavBake { edge_max_len: 2.0, ..plain },
        NavBake { verts_per_poly: 3, ..plain },
        NavBake { region_min_size: 60, ..plain },
    ];
    for bake in others {
        assert_ne!(mesh_of(&mut app, bake), before, "{bake:?}");
    }
    assert_eq!(mesh_of(&mut app, plain), before);
    app.world_mut().get_mut::<NavRegion>(region).expect("a region").bake.verts_per_poly = 2;
    run(&mut app, 0.5);
    assert!(said(&app).last().is_some_and(|it| it.0 == region && it.1.contains("verts_per_poly")), "{:?}", said(&app));
}

#[derive(Resource, Default)]
struct Entered(Vec<Option<Entity>>);

#[test]
fn links_are_found_and_follow_the_scene() {
    let mut app = app();
    app.init_resource::<Entered>();
    app.add_observer(|on: On<NavLinkEntered>, mut entered: ResMut<Entered>| entered.0.push(on.link));
    let region = NavRegion { links: Some(NavAutoLinks::default()), ..in_steps() };
    let region = app.world_mut().spawn(region).id();
    floor(&mut app, Vec3::ZERO);
    let other = floor(&mut app, Vec3::X * 21.5);
    let links = |app: &App| app.world().get::<NavMap>(region).expect("a map").mesh().connection_count();
    run(&mut app, 2.0);
    let across = links(&app);
    assert!(across > 2, "{across}");
    let agent = (NavAgent::default(), NavTarget::Point(Vec3::X * 20.0), Transform::from_xyz(4.0, 0.0, 0.0));
    let agent = app.world_mut().spawn(agent).id();
    run(&mut app, 7.0);
    assert_eq!(happened(&app, agent, "arrived"), 1, "{}", place(&app, agent));
    assert_eq!(app.world().resource::<Entered>().0, [None]);
    // A fence in the gap, too high to jump over.
    let fence = (NavGeometry::default(), NavShape::cuboid(0.5, 6.0, 24.0), Transform::from_xyz(10.75, 0.0, 0.0));
    let fence = app.world_mut().spawn(fence).id();
    run(&mut app, 1.0);
    assert_eq!(links(&app), 0);
    app.world_mut().despawn(fence);
    run(&mut app, 1.0);
    assert_eq!(links(&app), across);
    // An obstacle at the edge, as wide as the floor: the gap is wider than they jump.
    let crates = (NavObstacle::default(), NavShape::cuboid(3.0, 2.0, 24.0), Transform::from_xyz(9.0, 1.0, 0.0));
    let crates = app.world_mut().spawn(crates).id();
    run(&mut app, 1.0);
    assert_eq!(links(&app), 0);
    app.world_mut().despawn(crates);
    run(&mut app, 1.0);
    assert_eq!(links(&app), across);
    app.world_mut().get_mut::<Transform>(other).expect("a floor").translation.x = 26.0;
    run(&mut app, 2.0);
    assert_eq!(links(&app), 0);
    app.world_mut().get_mut::<Transform>(other).expect("a floor").translation.x = 21.5;
    run(&mut app, 2.0);
    assert_eq!(links(&app), across);
    // None of a kind, and no kind at all.
    let only = NavAutoLinks { jump_across: None, ..NavAutoLinks::default() };
    app.world_mut().get_mut::<NavRegion>(region).expect("a region").links = Some(only);
    run(&mut app, 2.0);
    assert_eq!(links(&app), 0);
    let narrow = NavLinkRule { max_distance: Some(1.0), ..NavLinkRule::default() };
    let only = NavAutoLinks { jump_across: Some(narrow), ..NavAutoLinks::default() };
    app.world_mut().get_mut::<NavRegion>(region).expect("a region").links = Some(only);
    run(&mut app, 2.0);
    assert_eq!((links(&app), status(&app, region)), (0, NavStatus::Ready));
}

#[test]
fn edits_that_are_lost_are_said_and_costs_stay() {
    let mut app = listening();
    let region = app.world_mut().spawn(in_steps()).id();
    floor(&mut app, Vec3::ZERO);
    run(&mut app, 1.0);
    let table = AreaTable::new(vec![AreaInfo { area: AreaId::from_low_bits(7), name: "mud".into(), cost: 30.0 }]);
    let table = table.expect("a table");
    let edit = table.clone();
    let mud = AreaId::from_low_bits(7);
    app.world_mut().get_mut::<NavMap>(region).expect("a map").edit(move |mesh| {
        mesh.set_areas(edit);
        mesh.set_area_flags(mud, PolyFlags::NONE);
    });
    run(&mut app, 0.5);
    // Inside the bounds nothing is lost.
    app.world_mut().spawn((NavGeometry::default(), NavShape::cuboid(2.0, 2.0, 2.0)));
    run(&mut app, 1.0);
    assert!(said(&app).is_empty());
    floor(&mut app, Vec3::X * 40.0);
    run(&mut app, 2.0);
    assert_eq!(said(&app), [(region, "edits lost".to_string())]);
    // Who has not edited the new one loses nothing more.
    floor(&mut app, Vec3::X * -60.0);
    run(&mut app, 3.0);
    assert!(is_walkable(&mut app, Vec3::X * -60.0));
    assert_eq!(said(&app).len(), 1);
    let mesh = app.world().get::<NavMap>(region).expect("a map").mesh();
    assert_eq!(*mesh.areas(), table);
    assert_eq!(mesh.area_rules().flags(mud), Some(PolyFlags::NONE));
}
