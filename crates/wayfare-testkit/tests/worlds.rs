//! A world baked into a store has the tiles that a bake of the level in memory has, however it is cut up.

use std::ops::Range;
use wayfare::Vec3;
use wayfare::area::{AreaId, AreaRules, PolyFlags};
use wayfare::bake::{WarningKind, bake_tiles};
use wayfare::context::{Budget, Cancel, Context};
use wayfare::format::{
    MemoryStore, StoreError, StoreHead, StoreIndex, StoreRecord, WorldDifference, WorldStore, load_store,
};
use wayfare::input::{BakeSettings, Level, MarkedVolume, Volume};
use wayfare::math::Aabb;
use wayfare::tile::TileCoord;
use wayfare::world::{LevelSource, TileWindow, WorldBake, WorldBakeError, WorldSettings, WorldSource};

fn settings(tile_size: u32) -> WorldSettings {
    WorldSettings { bake: BakeSettings { tile_size, ..BakeSettings::default() }, ..WorldSettings::default() }
}

/// Bakes to the end, in steps of so many tiles. How many tiles the store had.
fn run(bake: &mut WorldBake<'_>, store: &mut dyn WorldStore, budget: Budget) -> u32 {
    while !bake.step(budget, store, &Context::default()).unwrap().is_finished() {}
    bake.report().stats.reused_tiles
}

fn bake(source: &dyn WorldSource, settings: &WorldSettings, budget: Budget) -> MemoryStore {
    let mut bake = WorldBake::new(source, settings).unwrap();
    let mut store = MemoryStore::new(bake.head().clone());
    run(&mut bake, &mut store, budget);
    store
}

#[test]
fn the_tiles_are_those_of_the_level_in_memory() {
    for (spec, tile_size) in [("city?blocks=2", 48), ("dungeon", 32), ("river", 20), ("stairs", 0), ("soup", 64)] {
        let scene = wayfare_scenes::scene(spec).unwrap();
        let mesh = scene.mesh().unwrap();
        let level = Level { volumes: &scene.volumes, ..Level::from(&mesh) };
        let settings = settings(tile_size);
        let (baked, report) = bake_tiles(level, &settings.bake, &Context::default()).unwrap();
        let source = LevelSource::new(level, None, &[]);
        let store = bake(&source, &settings, Budget::unlimited());
        assert_eq!(store.head().layout(), baked.layout, "{spec}");
        assert_eq!(store.index().len() as u32, report.stats.tiles, "{spec}");
        let (file, events) = load_store(&store).unwrap();
        assert!(events.is_empty());
        let stored: Vec<_> = file.mesh.tiles().map(|tile| tile.data().clone()).collect();
        assert_eq!(stored, baked.tiles, "{spec}");
    }
}

#[test]
fn budgets_ranges_and_interruptions_change_nothing() {
    let world = wayfare_scenes::world("continent?km=0.1&seed=5").unwrap().unwrap();
    let all = settings(32);
    let whole = bake(&world, &all, Budget::unlimited());
    assert_eq!(bake(&world, &all, Budget::new(1)).index(), whole.index());
    // Parts, in any order and overlapping, into one store.
    let mut parts = MemoryStore::new(whole.head().clone());
    for [columns, rows] in [[3..99, 0..5], [0..4, 2..99], [0..3, 0..2], [4..6, 4..99], [6..99, 5..99]] {
        let part = WorldSettings { tiles: Some(TileWindow { columns, rows }), ..settings(32) };
        run(&mut WorldBake::new(&world, &part).unwrap(), &mut parts, Budget::unlimited());
    }
    assert_eq!(parts.index(), whole.index());
    assert_eq!(parts.index().digest(), whole.index().digest());
    // Stopped and begun anew: what is there is not baked again.
    let mut store = MemoryStore::new(whole.head().clone());
    let mut first = WorldBake::new(&world, &all).unwrap();
    for _ in 0..3 {
        first.step(Budget::new(1), &mut store, &Context::default()).unwrap();
    }
    drop(first);
    let there = store.index().len() as u32;
    let mut again = WorldBake::new(&world, &all).unwrap();
    let cancel = Cancel::default();
    cancel.cancel();
    let cancelled = Context { cancel: Some(&cancel), ..Context::default() };
    assert!(matches!(again.step(Budget::unlimited(), &mut store, &cancelled), Err(WorldBakeError::Bake(_))));
    assert_eq!(run(&mut again, &mut store, Budget::unlimited()), there);
    assert!(there > 0 && store.index() == whole.index());
}

#[test]
fn what_has_changed_or_is_broken_is_baked_again() {
    let world = wayfare_scenes::world("continent?km=0.1&seed=5").unwrap().unwrap();
    let all = settings(32);
    let mut store = bake(&world, &all, Budget::unlimited());
    let count = store.index().len() as u32;
    let reused = |store: &mut MemoryStore, settings: &WorldSettings| {
        run(&mut WorldBake::new(&world, settings).unwrap(), store, Budget::unlimited())
    };
    assert_eq!(reused(&mut store, &all), count);
    let digest = store.index().digest();
    // One tile is lost, another stands for something else.
    let coord = |x, z| TileCoord { x, z, layer: 0 };
    store.remove(coord(1, 1)).unwrap();
    let other = StoreRecord::new(store.head(), coord(2, 2), 0, None, &Default::default()).unwrap();
    store.write(&other).unwrap();
    assert_ne!(store.index().digest(), digest);
    assert_eq!(reused(&mut store, &all), count - 2);
    assert_eq!(store.index().digest(), digest);
    // Other flags are other tiles.
    let mut flags = AreaRules::default();
    flags.set(AreaId::WALKABLE, Some(PolyFlags(4)));
    assert_eq!(reused(&mut store, &WorldSettings { flags, ..settings(32) }), 0);
    let (file, _) = load_store(&store).unwrap();
    let mut polys = file.mesh.tiles().flat_map(|tile| tile.data().polys().to_vec());
    assert!(polys.all(|poly| poly.flags == if poly.area == AreaId::WALKABLE { PolyFlags(4) } else { poly.flags }));
    // So are other tile sizes: nothing of before is left.
    assert_eq!(reused(&mut store, &settings(48)), 0);
    assert!((store.index().len() as u32) < count && store.index().digest() != digest);
}

#[test]
fn a_world_that_has_become_smaller_leaves_no_tiles_behind() {
    let large = wayfare_scenes::world("continent?km=0.12").unwrap().unwrap();
    let small = wayfare_scenes::world("continent?km=0.08").unwrap().unwrap();
    let mut store = bake(&large, &settings(64), Budget::unlimited());
    let before = store.index().len();
    run(&mut WorldBake::new(&small, &settings(64)).unwrap(), &mut store, Budget::unlimited());
    assert!(store.index().len() < before);
    assert_eq!(store.index().digest(), bake(&small, &settings(64), Budget::unlimited()).index().digest());
}

#[test]
fn ranges_without_tiles_are_refused() {
    let world = wayfare_scenes::world("continent?km=0.1").unwrap().unwrap();
    let nothing = WorldSettings { tiles: Some(TileWindow { columns: 99..100, rows: 0..1 }), ..settings(64) };
    let error = WorldBake::new(&world, &nothing).unwrap_err();
    assert!(matches!(error, WorldBakeError::NoTiles { columns: 6, rows: 6 }), "{error}");
}

#[test]
fn a_world_without_ground_leaves_the_store_as_it_was() {
    let world = wayfare_scenes::world("continent?km=0.1&seed=5").unwrap().unwrap();
    let mut store = bake(&world, &settings(32), Budget::unlimited());
    let (head, before) = (store.head().clone(), store.index().clone());
    let mut sky = settings(32);
    let bounds = Aabb { min: Vec3::new(0.0, 900.0, 0.0), max: Vec3::new(60.0, 910.0, 60.0) };
    sky.bake.bounds = Some(bounds);
    for budget in [Budget::new(1), Budget::unlimited()] {
        let mut bake = WorldBake::new(&world, &sky).unwrap();
        run(&mut bake, &mut store, budget);
        assert!(bake.report().warnings.iter().any(|warning| warning.kind == WarningKind::NothingWalkable));
        assert!(bake.report().stats.empty_tiles > 1 && bake.progress().is_finished());
        assert!(*store.index() == before && *store.head() == head);
    }
    // A range in the sky is a part like any other, but not one of this world.
    sky.tiles = Some(TileWindow { columns: 0..2, rows: 0..2 });
    let mut part = WorldBake::new(&world, &sky).unwrap();
    let error = part.step(Budget::unlimited(), &mut store, &Context::default()).unwrap_err();
    let differs = WorldBakeError::Store(StoreError::OtherWorld(WorldDifference::Origin {
        origins: [head.layout().origin, bounds.min],
    }));
    assert_eq!(error, differs);
    assert!(*store.index() == before);
    let mut empty = MemoryStore::new(head);
    run(&mut part, &mut empty, Budget::unlimited());
    assert_eq!((empty.index().len(), empty.index().tile_count()), (4, 0));
}

#[test]
fn a_bake_for_other_agents_leaves_no_tile_of_before_even_if_it_is_interrupted() {
    let world = wayfare_scenes::world("continent?km=0.1&seed=5").unwrap().unwrap();
    let mut store = bake(&world, &settings(32), Budget::unlimited());
    let count = store.index().len();
    let mut tall = settings(32);
    tall.bake.agent.height = 3.0;
    let mut again = WorldBake::new(&world, &tall).unwrap();
    while store.index().len() == count {
        again.step(Budget::new(1), &mut store, &Context::default()).unwrap();
    }
    let heights = store.index().iter().filter_map(|entry| store.read_tile(entry.coord).unwrap().tile);
    assert!(heights.map(|tile| tile.into_data().baked_for().height).all(|height| height == 3.0));
    assert_eq!(store.head().baked_for().map(|baked_for| baked_for.height), Some(3.0));
    run(&mut again, &mut store, Budget::unlimited());
    assert_eq!(store.index().digest(), bake(&world, &tall, Budget::unlimited()).index().digest());
}

#[test]
fn volumes_that_lie_outside_are_reported() {
    let scene = wayfare_scenes::scene("stairs").unwrap();
    let mesh = scene.mesh().unwrap();
    let at = |x: f32| MarkedVolume::block(Volume::Cylinder { base: Vec3::new(x, 0.0, 0.0), radius: 1.0, height: 2.0 });
    let volumes = [at(0.0), at(5000.0)];
    let source = LevelSource::new(Level { volumes: &volumes, ..Level::from(&mesh) }, None, &[]);
    let settings = settings(32);
    let bake = WorldBake::new(&source, &settings).unwrap();
    let outside = bake.report().warnings.iter().find(|warning| warning.kind == WarningKind::VolumeOutside);
    assert_eq!(outside.map(|warning| (warning.count, warning.places[0].x)), Some((1, 5000.0)));
}

/// A store that fails after so many tiles were written, and of which the record of one cannot be read.
struct Failing {
    store: MemoryStore,
    writes: u32,
    lost: Option<TileCoord>,
}

impl WorldStore for Failing {
    fn head(&self) -> &StoreHead {
        self.store.head()
    }

    fn index(&self) -> &StoreIndex {
        self.store.index()
    }

    fn read_bytes(&self, coord: TileCoord, range: Range<u64>) -> Result<Vec<u8>, StoreError> {
        if self.lost == Some(coord) { Err(StoreError::Missing { coord }) } else { self.store.read_bytes(coord, range) }
    }

    fn write(&mut self, record: &StoreRecord) -> Result<(), StoreError> {
        self.writes = self.writes.checked_sub(1).ok_or(StoreError::Failed("full".into()))?;
        self.store.write(record)
    }

    fn remove(&mut self, coord: TileCoord) -> Result<(), StoreError> {
        self.store.remove(coord)
    }

    fn set_head(&mut self, head: StoreHead) -> Result<(), StoreError> {
        self.store.set_head(head)
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.store.commit()
    }
}

#[test]
fn a_bake_goes_on_after_its_store_has_failed() {
    let world = wayfare_scenes::world("continent?km=0.1&seed=5").unwrap().unwrap();
    let all = settings(32);
    let whole = bake(&world, &all, Budget::unlimited());
    let mut again = WorldBake::new(&world, &all).unwrap();
    let mut store = Failing { store: MemoryStore::new(again.head().clone()), writes: 20, lost: None };
    let mut failed = 0;
    loop {
        match again.step(Budget::new(1), &mut store, &Context::default()) {
            Ok(progress) if progress.is_finished() => break,
            Ok(_) => {}
            Err(WorldBakeError::Store(StoreError::Failed(_))) => {
                failed += 1;
                store.writes = 20;
            }
            Err(e) => panic!("{e}"),
        }
    }
    assert!(failed > 1);
    assert_eq!(store.index(), whole.index());
}

#[test]
fn references_mean_the_same_polygons_where_another_tile_is_broken() {
    let world = wayfare_scenes::world("continent?km=0.1").unwrap().unwrap();
    let store = bake(&world, &settings(48), Budget::unlimited());
    let (whole, _) = load_store(&store).unwrap();
    let lost = whole.mesh.tiles().nth(1).map(|tile| tile.coord());
    let (file, events) = load_store(&Failing { store, writes: 0, lost }).unwrap();
    assert_eq!((events.len(), file.mesh.tile_count() + 1), (1, whole.mesh.tile_count()));
    for tile in file.mesh.tiles() {
        assert_eq!(whole.mesh.tile(tile.tile_ref()).unwrap().data(), tile.data());
    }
}
