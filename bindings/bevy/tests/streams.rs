//! Worlds larger than memory: what a stream reads, keeps and says.

mod stage;

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;
use stage::{app, status};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use wayfare::area::PolyFlags;
use wayfare::hierarchy::{MeshTiles, NotLoadedReason, ResidentBudget, TileReader};
use wayfare::input::{AgentSettings, BakeSettings, TriMesh};
use wayfare::mesh::{NavMesh, PreparedTile};
use wayfare::tile::TileCoord;

/// Counts what is read.
struct Counting(MeshTiles, Arc<AtomicUsize>);

impl TileReader for Counting {
    fn empty_mesh(&self) -> NavMesh {
        self.0.empty_mesh()
    }

    fn coords(&self) -> Vec<TileCoord> {
        self.0.coords()
    }

    fn read_tile(&self, coord: TileCoord) -> Result<PreparedTile, NotLoadedReason> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.read_tile(coord)
    }

    fn read_graph(&self, coord: TileCoord) -> Result<Option<Vec<u8>>, NotLoadedReason> {
        self.0.read_graph(coord)
    }
}

/// A square of so many metres in tiles of eight.
fn tiles(size: f32) -> (Counting, Arc<AtomicUsize>) {
    let corners = [[0.0, 0.0], [0.0, size], [size, size], [size, 0.0]].map(|[x, z]| wayfare::Vec3::new(x, 0.0, z));
    let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).expect("a level");
    let settings = BakeSettings { tile_size: 32, cell_size: 0.25, ..BakeSettings::for_agent(AgentSettings::default()) };
    let (baked, _) = wayfare::bake::bake_tiles(&level, &settings, &Default::default()).expect("tiles");
    let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).expect("a mesh");
    let reads = Arc::new(AtomicUsize::new(0));
    (Counting(MeshTiles::new(&mesh), Arc::clone(&reads)), reads)
}

#[derive(Resource, Default)]
struct Said(Vec<String>);

fn streamed(budget: usize, radius: f32) -> (bevy_app::App, Entity, Entity, Arc<AtomicUsize>) {
    let mut app = app();
    app.init_resource::<Said>();
    app.add_observer(|failed: On<NavBakeFailed>, mut said: ResMut<Said>| said.0.push(failed.reason.clone()));
    let camera = app.world_mut().spawn(Transform::from_xyz(20.0, 5.0, 20.0)).id();
    let (reader, reads) = tiles(40.0);
    let budget = ResidentBudget { tiles: budget, ..ResidentBudget::default() };
    let stream = NavStream::with_budget(reader, [camera], radius, budget);
    let region = app.world_mut().spawn((NavRegion::default(), stream)).id();
    (app, region, camera, reads)
}

/// Frames until all that is wanted is there, or said to have no room; however long reading takes.
fn settle(app: &mut bevy_app::App, region: Entity) {
    // Places of entities are known a frame later.
    (0..3).for_each(|_| app.update());
    while matches!(status(app, region), NavStatus::Baking { .. } | NavStatus::Empty) {
        app.update();
        std::thread::yield_now();
    }
    (0..3).for_each(|_| app.update());
}

#[test]
fn a_stream_without_room_says_so_once_and_reads_nothing_twice() {
    let (mut app, region, camera, reads) = streamed(4, 15.0);
    settle(&mut app, region);
    assert!(matches!(status(&app, region), NavStatus::Failed(_)), "{:?}", status(&app, region));
    let said = &app.world().resource::<Said>().0;
    assert!(said.len() == 1 && said[0].contains("raise the budget"), "{said:?}");
    assert_eq!(app.world().get::<NavMap>(region).expect("a map").mesh().tile_count(), 4);
    (0..300).for_each(|_| {
        app.update();
        std::thread::yield_now();
    });
    // Those for which there is room, and those that were under way when that was known to be none.
    let read = reads.load(Ordering::Relaxed);
    assert!(read <= 4 + 8, "{read} tiles were read for four places");
    assert_eq!(app.world().resource::<Said>().0.len(), 1);
    // With a smaller radius it holds them all.
    app.world_mut().get_mut::<NavStream>(region).expect("it is there").radius = 3.0;
    app.world_mut().get_mut::<Transform>(camera).expect("it is there").translation = Vec3::new(4.0, 5.0, 4.0);
    settle(&mut app, region);
    assert_eq!(status(&app, region), NavStatus::Ready);
}

#[test]
fn flags_of_a_stream_are_kept_and_edits_are_refused() {
    let (mut app, region, camera, _) = streamed(4, 3.0);
    settle(&mut app, region);
    assert_eq!(status(&app, region), NavStatus::Ready);
    let map = app.world().get::<NavMap>(region).expect("a map");
    let poly = map.mesh().tiles().next().map(|tile| tile.reference(0)).expect("a polygon");
    let shut = PolyFlags(1 << 9);
    app.world_mut().get_mut::<NavStream>(region).expect("it is there").set_flags(poly, shut).expect("a polygon");
    app.world_mut()
        .get_mut::<NavMap>(region)
        .expect("it is there")
        .edit(|mesh| mesh.set_areas(wayfare::area::AreaTable::EMPTY));
    settle(&mut app, region);
    let flags = |app: &bevy_app::App| {
        let map = app.world().get::<NavMap>(region).expect("a map");
        map.mesh().state(poly).map(|state| state.flags).ok()
    };
    assert_eq!(flags(&app), Some(shut));
    let said = &app.world().resource::<Said>().0;
    assert!(said.len() == 1 && said[0].contains("NavStream::set_flags"), "{said:?}");
    // Far away and back.
    for at in
        [Vec3::new(36.0, 5.0, 4.0), Vec3::new(4.0, 5.0, 36.0), Vec3::new(36.0, 5.0, 36.0), Vec3::new(20.0, 5.0, 20.0)]
    {
        app.world_mut().get_mut::<Transform>(camera).expect("it is there").translation = at;
        settle(&mut app, region);
    }
    assert_eq!(flags(&app), Some(shut));
}
