//! Obstacles: tiles are rebuilt to the bytes of a bake with the same shapes, in any steps, on any threads.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::bake::{TilePlan, bake_tiles, find_links};
use wayfare::context::{Budget, Cancel, Context};
use wayfare::dynamic::{
    CheckpointBytesError, LevelCheckpoints, NearbyTiles, ObjectError, ObjectLevel, ObjectRef, ObstacleBytesError,
    ObstacleError, ObstacleRef, Obstacles, Outcome, RebuildError, RebuiltTile, TileChange,
};
use wayfare::format::WayFile;
use wayfare::input::{BakeSettings, Level, LinkSettings, MarkedVolume, TriMesh, Volume};
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, OffMeshConnection, PolyRef, TileRef};
use wayfare::tile::{TileCoord, TileKeys, TileLayout};
use wayfare::{Vec2, Vec3};
use wayfare_scenes::scene;
use wayfare_testkit::changing::{ChangingLevel, PlainTile, plain_tiles};
use wayfare_testkit::levels::boxes;
use wayfare_testkit::{Rng, fuzz, property};

fn of_scene(spec: &str, tile_size: u32) -> ChangingLevel {
    let scene = scene(spec).unwrap();
    let (mesh, _) = scene.mesh().unwrap();
    ChangingLevel::new(mesh, scene.volumes.clone(), BakeSettings { tile_size, ..scene.settings })
}

/// A floor of 24 x 24 m in tiles of 24 cells.
fn floor() -> ChangingLevel {
    let level = boxes(&[[[0.0, -1.0, 0.0], [24.0, 0.0, 24.0]]]);
    ChangingLevel::new(level, Vec::new(), BakeSettings { tile_size: 24, ..BakeSettings::default() })
}

fn post(x: f32, z: f32) -> MarkedVolume {
    MarkedVolume::block(Volume::Cylinder { base: Vec3::new(x, 0.0, z), radius: 1.0, height: 2.0 })
}

#[test]
fn rebuilt_tiles_are_those_of_a_bake_on_one_thread_and_on_two() {
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for spec in ["two_floors", "river", "stairs", "offices", "city?blocks=1"] {
            let changed = Cell::new(0);
            property(spec, 8, |rng| {
                let data: Vec<u8> = (0..220).map(|_| rng.bits() as u8).collect();
                let mut level = of_scene(spec, rng.whole(24, 60) as u32);
                let reach = level.level().bounds().size().with_y(3.0).max(Vec3::ONE);
                changed.set(changed.get() + pool.install(|| fuzz::play(&mut level, &data, reach / 50.0)));
            });
            assert!(changed.get() > 10, "{spec}: {} tiles changed", changed.get());
        }
    }
}

#[test]
fn connections_and_links_survive() {
    let mut level = of_scene("two_floors", 32);
    let settings = BakeSettings { tile_size: 32, ..scene("two_floors").unwrap().settings };
    let plan = TilePlan::new(level.level(), &settings).unwrap();
    let links = {
        let tiles: Vec<_> = level.mesh.tiles().map(|tile| tile.data()).collect();
        let wanted = LinkSettings::for_agent(&settings.agent);
        find_links(level.level(), &plan, &tiles, &wanted, &Context::default()).unwrap()
    };
    let connection = |start, end| OffMeshConnection {
        start,
        end,
        radius: 0.6,
        two_way: true,
        area: AreaId::from_low_bits(4),
        flags: PolyFlags::WALK,
        user_id: 0,
    };
    let bounds = level.level().bounds();
    let across = connection(bounds.min.lerp(bounds.max, 0.2).with_y(0.0), bounds.min.lerp(bounds.max, 0.8).with_y(0.0));
    level.connect(links.iter().map(|link| connection(link.start, link.end)).chain([across]).collect());
    let ends: Vec<Vec3> = links.iter().take(6).map(|link| link.start).chain([across.start]).collect();
    for &end in &ends {
        level.add(MarkedVolume::block(Volume::Capsule { base: end - Vec3::Y * 0.5, radius: 1.2, height: 2.5 }));
        level.rebuild(None);
    }
    level.check();
    level.clear(Some(4000));
    level.check();
}

#[test]
fn a_tile_that_becomes_empty_goes_and_comes_back() {
    let mut level = floor();
    let first = plain_tiles(&level.mesh);
    let whole = TileCoord { x: 1, z: 1, layer: 0 };
    let cover = Aabb { min: Vec3::new(5.0, -1.0, 5.0), max: Vec3::new(17.0, 3.0, 17.0) };
    level.add(MarkedVolume::block(Volume::Box(cover)));
    let old = level.mesh.tile_at(whole).unwrap().tile_ref();
    level.rebuild(None);
    assert!(level.mesh.tile_at(whole).is_none() && level.mesh.tile(old).is_err());
    let removed = level.obstacles.rebuilt().iter().find(|tile| tile.coord == whole).unwrap();
    assert_eq!((removed.change, removed.tile), (TileChange::Removed, None));
    level.check();
    level.clear(Some(1000));
    assert_eq!(plain_tiles(&level.mesh), first);
    assert!(level.mesh.tile(old).is_err(), "a reference from before means nothing");
}

#[test]
fn requests_are_told_what_became_of_them() {
    let mut level = floor();
    let far = level.add(post(400.0, 3.0)).unwrap();
    assert_eq!((far.tiles.len(), level.obstacles.outcome(&far)), (0, Outcome::Outside));
    // Where two by two tiles meet.
    let asked = level.add(post(14.4, 14.4)).unwrap();
    assert_eq!((asked.tiles.len(), level.obstacles.outcome(&asked)), (4, Outcome::Waiting));
    assert_eq!(level.obstacles.about_to_change().collect::<Vec<_>>(), asked.tiles);
    let before = level.mesh.clone();
    let path: Vec<PolyRef> = [[0, 0], [1, 1], [2, 2]]
        .map(|[x, z]| level.mesh.tile_at(TileCoord { x, z, layer: 0 }).unwrap().reference(0))
        .to_vec();
    assert_eq!(level.obstacles.soon_broken(&level.mesh, &path), Some(1));
    // A tile is some ten thousand units: the four come together.
    let mut steps = 0;
    while level.obstacles.outcome(&asked) == Outcome::Waiting {
        assert!(level.mesh.is_same_as(&before), "nothing changes before all is built");
        level.obstacles.step(&mut level.mesh, Budget::new(2000), &Context::default()).unwrap();
        steps += 1;
    }
    assert!(steps > 4, "{steps} steps");
    assert_eq!(level.obstacles.rebuilt().len(), 4);
    assert_eq!(level.obstacles.soon_broken(&level.mesh, &path), None);
    // What is asked for while a round is under way comes with the next.
    let [third, fourth] = [post(3.0, 3.0), post(20.0, 20.0)].map(|post| level.add(post).unwrap());
    level.obstacles.step(&mut level.mesh, Budget::new(100), &Context::default()).unwrap();
    let moved = level.obstacles.move_by(level.placed[2], Vec3::X).unwrap();
    while level.obstacles.outcome(&fourth) == Outcome::Waiting {
        level.obstacles.step(&mut level.mesh, Budget::new(100), &Context::default()).unwrap();
    }
    assert_eq!([&third, &moved].map(|request| level.obstacles.outcome(request)), [Outcome::Built, Outcome::Waiting]);
    level.rebuild(None);
    assert_eq!(level.obstacles.outcome(&moved), Outcome::Built);
    level.check();
}

#[test]
fn a_tile_that_comes_out_as_it_was_stays() {
    let mut level = floor();
    let before = level.mesh.clone();
    // It hovers over the ground.
    level.add(MarkedVolume::block(Volume::Cylinder { base: Vec3::new(9.0, 5.0, 9.0), radius: 1.0, height: 1.0 }));
    assert_eq!(level.rebuild(None), 0);
    assert!(level.mesh.is_same_as(&before));
    assert!(level.obstacles.rebuilt().iter().all(|tile| tile.change == TileChange::Same));
}

#[test]
fn bad_shapes_are_refused_and_change_nothing() {
    let mut level = floor();
    let before = level.mesh.clone();
    let at = Vec3::new(9.0, 0.0, 9.0);
    let not_finite = [
        Volume::Cylinder { base: Vec3::NAN, radius: 1.0, height: 1.0 },
        Volume::Cylinder { base: at, radius: f32::INFINITY, height: 1.0 },
        Volume::Capsule { base: at, radius: 1.0, height: f32::NAN },
        Volume::TurnedBox { center: at, half_extents: Vec3::ONE, angle: f32::NAN },
        Volume::Hull(vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::NAN]),
        Volume::Prism { outline: vec![Vec2::ZERO, Vec2::X, Vec2::NAN], heights: [0.0, 1.0] },
        Volume::Cylinder { base: Vec3::splat(3e38), radius: 3e38, height: 1.0 },
    ];
    let empty = [
        Volume::Cylinder { base: at, radius: -1.0, height: 1.0 },
        Volume::Box(Aabb { min: at, max: at - Vec3::ONE }),
        Volume::TurnedBox { center: at, half_extents: Vec3::new(-1.0, 1.0, 1.0), angle: 0.0 },
        Volume::Prism { outline: vec![Vec2::ZERO, Vec2::X], heights: [0.0, 1.0] },
        Volume::Prism { outline: vec![Vec2::ZERO, Vec2::X, Vec2::Y], heights: [1.0, 0.0] },
        Volume::Prism { outline: vec![Vec2::ZERO, Vec2::ONE, Vec2::splat(3.0)], heights: [0.0, 1.0] },
        Volume::Hull(vec![]),
        Volume::Hull(vec![Vec3::ZERO, Vec3::ONE, Vec3::ONE * 2.0]),
        Volume::Mesh { surface: Arc::new(TriMesh::EMPTY), offset: at },
    ];
    level.add(post(3.0, 3.0)).unwrap();
    let there = level.placed[0];
    let both = not_finite.map(|v| (v, ObstacleError::NotFinite)).into_iter();
    for (volume, why) in both.chain(empty.map(|v| (v, ObstacleError::Empty))) {
        let marked = MarkedVolume::block(volume);
        assert_eq!(level.obstacles.add(marked.clone()).unwrap_err(), why, "{marked:?}");
        assert_eq!(level.obstacles.replace(there, marked.clone()).unwrap_err(), why, "{marked:?}");
    }
    assert_eq!(level.obstacles.move_by(there, Vec3::NAN).unwrap_err(), ObstacleError::NotFinite);
    assert_eq!(level.obstacles.move_to(there, Vec3::INFINITY).unwrap_err(), ObstacleError::NotFinite);
    assert_eq!((level.obstacles.get(there).unwrap(), level.obstacles.count()), (&post(3.0, 3.0), 1));
    level.remove(0);
    level.rebuild(None);
    assert!(level.mesh.is_same_as(&before), "added and removed before it was built");
    // The slot is used again, under another salt.
    level.add(post(3.0, 3.0)).unwrap();
    assert_eq!(level.obstacles.get(there).unwrap_err(), ObstacleError::Gone { obstacle: there });
    // As large as many worlds.
    level.add(MarkedVolume::block(Volume::Cylinder { base: Vec3::splat(-1e20), radius: 1e21, height: 1e21 })).unwrap();
    level.rebuild(None);
    assert_eq!(level.mesh.tile_count(), 0);
    level.clear(None);
}

#[test]
fn ten_thousand_in_one_tile_are_built_and_removed() {
    let mut level = floor();
    for i in 0..10_000 {
        let at = Vec3::new(8.0 + (i % 100) as f32 * 0.05, 0.0, 8.0 + (i / 100) as f32 * 0.05);
        level.add(MarkedVolume::block(Volume::Cylinder { base: at, radius: 0.2, height: 1.0 })).unwrap();
    }
    // Each costs the cells of its box alone, and no step does all of them.
    let mut steps = 0;
    while !level.obstacles.step(&mut level.mesh, Budget::new(5000), &Context::default()).unwrap().is_finished() {
        steps += 1;
    }
    assert!((20..2000).contains(&steps), "{steps}");
    level.check();
    level.clear(None);
}

/// A tile that is rebuilt sixty times a second for a day is rebuilt five million times. Salts have 16 bits: each 65,535
/// rebuilds the tile moves on to a slot that never was used, eighty slots in that day.
#[test]
fn a_day_of_rebuilds_takes_eighty_slots() {
    let mut level = floor();
    let coord = TileCoord { x: 0, z: 0, layer: 0 };
    let (tiles, mut old, mut slots) = (level.mesh.slot_count(), Vec::new(), Vec::new());
    level.add(post(3.0, 3.0)).unwrap();
    level.rebuild(None);
    for _ in 0..80 {
        // As if nearly all salts of its slot were used up.
        let there = level.mesh.tile_at(coord).unwrap().tile_ref();
        slots.push(there.slot().get());
        let data = level.mesh.remove_tile(there).unwrap();
        let at = TileRef::new(u16::MAX - 1, there.slot().get()).unwrap();
        level.mesh.add_tile_at(at, data).unwrap();
        for _ in 0..3 {
            old.push(level.mesh.tile_at(coord).unwrap().tile_ref());
            level.obstacles.move_by(level.placed[0], Vec3::X * if old.len() % 2 == 0 { 1.0 } else { -1.0 }).unwrap();
            level.rebuild(None);
        }
    }
    assert!(old.iter().all(|&tile| level.mesh.tile(tile).is_err()), "none of them means a tile of today");
    slots.dedup();
    assert_eq!(slots.len(), 80, "a slot each");
    assert!(level.mesh.slot_count() <= tiles + 81);
    let again = NavMesh::from_bytes(&level.mesh.to_bytes()).unwrap();
    assert!(again.check().is_empty() && again.slot_limit() >= 65_536, "it can be saved, and goes on");
    level.check();
    level.clear(None);
}

#[test]
fn a_rebuild_that_is_stopped_goes_on() {
    let mut level = floor();
    level.add(post(14.4, 14.4)).unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    let context = Context { cancel: Some(&cancel), ..Context::default() };
    for _ in 0..3 {
        let stopped = level.obstacles.step(&mut level.mesh, Budget::unlimited(), &context);
        assert_eq!(stopped, Err(RebuildError::Cancelled));
    }
    level.rebuild(None);
    level.check();
}

#[test]
fn another_mesh_and_damaged_checkpoints_are_told() {
    let level = floor();
    let checkpoints = level.obstacles.checkpoints();
    let bytes = checkpoints.to_bytes();
    for end in 0..bytes.len() {
        assert!(LevelCheckpoints::from_bytes(&bytes[..end]).is_err(), "{end} of {} bytes", bytes.len());
    }
    let mut other = bytes.clone();
    other[0] ^= 0x40;
    let version = LevelCheckpoints::SECTION_VERSION ^ 0x40;
    assert_eq!(LevelCheckpoints::from_bytes(&other).unwrap_err(), CheckpointBytesError::Version { version });
    // Whatever is altered, it is refused, or told when the tile is rebuilt, or a tile of other ground; never a panic.
    let (mut told, context) = (0, Context::default());
    for at in (4..bytes.len()).step_by(7) {
        other.clone_from(&bytes);
        other[at] ^= 0x15;
        let Ok(checkpoints) = LevelCheckpoints::from_bytes(&other) else { continue };
        if checkpoints.plan().tile_count() > 100 || checkpoints.settings().tile_size == 0 {
            continue;
        }
        let mut obstacles = Obstacles::new(checkpoints);
        let mut mesh = NavMesh::new(obstacles.checkpoints().plan().layout());
        let everywhere = Volume::Box(Aabb::from_center(Vec3::ZERO, Vec3::splat(99.0)));
        let (_, asked) = obstacles.add(MarkedVolume::block(everywhere)).unwrap();
        let told_before = told;
        // Each step tells one tile that cannot be read.
        while let Err(error) = obstacles.step(&mut mesh, Budget::unlimited(), &context) {
            assert!(matches!(error, RebuildError::Checkpoint { .. } | RebuildError::Bake { .. }), "{error}");
            told += 1;
        }
        let has_failed = obstacles.outcome(&asked) == Outcome::Failed;
        assert_eq!(has_failed, told > told_before, "{:?}", obstacles.outcome(&asked));
    }
    assert!(told > 0);
    let mut elsewhere = NavMesh::new(TileLayout { origin: Vec3::ONE, tile_width: 3.0, tile_depth: 3.0 });
    let mut obstacles = Obstacles::new(checkpoints.clone());
    let stepped = obstacles.step(&mut elsewhere, Budget::unlimited(), &context);
    assert_eq!(stepped, Err(RebuildError::OtherMesh));
}

#[test]
fn flags_of_area_types_are_kept() {
    let level = boxes(&[[[0.0, -1.0, 0.0], [24.0, 0.0, 24.0]]]);
    let settings = BakeSettings { tile_size: 24, ..BakeSettings::default() };
    let input = Level { mesh: &level, terrain: None, volumes: &[] };
    let mut checkpoints = LevelCheckpoints::bake(input, &settings, &Context::default()).unwrap();
    let (mud, flags) = (AreaId::from_low_bits(5), PolyFlags(0x81));
    checkpoints.flags.set(mud, Some(flags));
    let checkpoints = LevelCheckpoints::from_bytes(&checkpoints.to_bytes()).unwrap();
    let mut mesh = NavMesh::new(checkpoints.plan().layout());
    let mut obstacles = Obstacles::new(checkpoints);
    let pool = Volume::Capsule { base: Vec3::new(6.0, -1.0, 6.0), radius: 2.0, height: 4.0 };
    obstacles.add(MarkedVolume::paint(pool, mud)).unwrap();
    obstacles.step(&mut mesh, Budget::unlimited(), &Context::default()).unwrap();
    let polys: Vec<_> = mesh.tiles().flat_map(|tile| tile.data().polys().iter().map(|p| (p.area, p.flags))).collect();
    assert!(polys.contains(&(mud, flags)) && polys.contains(&(AreaId::WALKABLE, PolyFlags::WALK)), "{polys:?}");
}

/// A mesh and the obstacles in it, as a game has them.
struct Game {
    mesh: NavMesh,
    obstacles: Obstacles,
    handles: Vec<ObstacleRef>,
}

impl Game {
    /// Saved in one file, and read again.
    fn saved(&self) -> Self {
        let mut file = WayFile::new(self.mesh.clone(), TileKeys::EMPTY);
        let layers = self.obstacles.checkpoints().to_bytes();
        file.sections.set(LevelCheckpoints::SECTION, LevelCheckpoints::SECTION_VERSION, layers);
        file.sections.set(Obstacles::SECTION, Obstacles::SECTION_VERSION, self.obstacles.to_bytes());
        let file = WayFile::from_bytes(&file.to_bytes()).unwrap();
        let section = |name| &file.sections.get(name).unwrap().bytes[..];
        let layers = LevelCheckpoints::from_bytes(section(LevelCheckpoints::SECTION)).unwrap();
        let obstacles = Obstacles::from_bytes(layers, section(Obstacles::SECTION)).unwrap();
        assert_eq!(obstacles.to_bytes(), self.obstacles.to_bytes(), "written and read again, they differ");
        Self { mesh: file.mesh, obstacles, handles: self.handles.clone() }
    }

    /// Plays an operation; whether it was a step.
    fn play(&mut self, [op, a, b]: [u64; 3]) -> bool {
        let at = |n: u64| (n % 240) as f32 * 0.1;
        let picked = self.handles.get(a as usize % self.handles.len().max(1)).copied();
        match (op % 5, picked) {
            (0 | 1, _) | (_, None) => self.handles.push(self.obstacles.add(post(at(a), at(b))).unwrap().0),
            (2, Some(handle)) => _ = self.obstacles.move_to(handle, Vec3::new(at(a), 0.0, at(b))),
            (3, Some(handle)) => _ = self.obstacles.remove(handle),
            (_, Some(_)) => {
                self.obstacles.step(&mut self.mesh, Budget::new(b % 60_000), &Context::default()).unwrap();
                return true;
            }
        }
        false
    }

    /// What the last step published, and what is still to come.
    fn told(&self) -> (Vec<RebuiltTile>, Vec<TileCoord>) {
        (self.obstacles.rebuilt().to_vec(), self.obstacles.about_to_change().collect())
    }

    fn finish(&mut self) {
        while !self.obstacles.step(&mut self.mesh, Budget::unlimited(), &Context::default()).unwrap().is_finished() {}
    }
}

#[test]
fn a_saved_game_goes_on_with_its_volumes_and_connections() {
    let settings = BakeSettings { tile_size: 24, ..BakeSettings::default() };
    let wall = Aabb { min: Vec3::new(10.0, -1.0, 0.0), max: Vec3::new(11.0, 3.0, 18.0) };
    let volumes = vec![MarkedVolume::block(Volume::Box(wall))];
    let level = boxes(&[[[0.0, -1.0, 0.0], [24.0, 0.0, 24.0]]]);
    let mut changing = ChangingLevel::new(level, volumes, settings);
    changing.connect(vec![OffMeshConnection {
        start: Vec3::new(8.0, 0.0, 5.0),
        end: Vec3::new(14.0, 0.0, 5.0),
        radius: 0.6,
        two_way: true,
        area: AreaId::from_low_bits(4),
        flags: PolyFlags::WALK,
        user_id: 3,
    }]);
    let under_way = Cell::new(0);
    property("saved", 12, |rng: &mut Rng| {
        let obstacles = Obstacles::new(changing.obstacles.checkpoints().clone());
        let mut game = Game { mesh: changing.mesh.clone(), obstacles, handles: Vec::new() };
        let mut ops = |count| -> Vec<[u64; 3]> { (0..count).map(|_| [0; 3].map(|_| rng.bits() >> 8)).collect() };
        let (before, after) = (ops(30), ops(30));
        before.into_iter().for_each(|op| _ = game.play(op));
        under_way.set(under_way.get() + usize::from(game.obstacles.about_to_change().next().is_some()));
        let mut again = game.saved();
        for op in after {
            let is_step = game.play(op);
            again.play(op);
            assert!(!is_step || game.told() == again.told(), "tiles are published in the same step");
        }
        assert_eq!(game.handles, again.handles, "handles are those that would have been given");
        let placed = |game: &Game| game.obstacles.iter().map(|(o, m)| (o, m.clone())).collect::<Vec<_>>();
        assert_eq!(placed(&game), placed(&again));
        game.finish();
        again.finish();
        assert_eq!(plain_tiles(&game.mesh), plain_tiles(&again.mesh));
        assert!(again.mesh.check().is_empty());
    });
    assert!(under_way.get() > 0, "none was saved amid a round");
}

#[test]
fn saved_obstacles_that_are_cut_short_altered_or_of_another_level_are_refused() {
    let mut level = floor();
    level.add(post(3.0, 3.0)).unwrap();
    level.add(post(14.4, 14.4)).unwrap();
    level.remove(0);
    level.obstacles.step(&mut level.mesh, Budget::new(3000), &Context::default()).unwrap();
    level.add(post(20.0, 14.4)).unwrap();
    let bytes = level.obstacles.to_bytes();
    let ground = level.obstacles.checkpoints();
    let read = |bytes: &[u8]| Obstacles::from_bytes(ground.clone(), bytes).map(|_| ());
    assert_eq!(read(&bytes), Ok(()));
    for end in 0..bytes.len() {
        assert_eq!(read(&bytes[..end]), Err(ObstacleBytesError::Damaged), "{end} of {} bytes", bytes.len());
    }
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 0x15;
        assert!(read(&other).is_err(), "byte {at}");
    }
    let mut other = bytes.clone();
    other[0] ^= 2;
    assert_eq!(read(&other), Err(ObstacleBytesError::Version { version: Obstacles::SECTION_VERSION ^ 2 }));
    let elsewhere = of_scene("stairs", 24);
    let refused = Obstacles::from_bytes(elsewhere.obstacles.checkpoints().clone(), &bytes).map(|_| ());
    assert_eq!(refused, Err(ObstacleBytesError::OtherLevel));
}

#[test]
fn the_bound_of_unpacked_ground_changes_no_tile_nor_the_step_that_publishes_it() {
    let level = floor();
    let mut games = [0, 60_000, u64::MAX].map(|bound| {
        let mut obstacles = Obstacles::new(level.obstacles.checkpoints().clone());
        obstacles.set_unpacked_bytes(bound);
        (bound, Game { mesh: level.mesh.clone(), obstacles, handles: Vec::new() })
    });
    // Posts that swing between two places, over all tiles.
    for turn in 0..12_u8 {
        for (bound, game) in &mut games {
            for i in 0..4_u8 {
                let at = Vec3::new(3.0 + f32::from(i) * 5.0, 0.0, if turn % 2 == 0 { 4.0 } else { 18.0 });
                match game.handles.get(usize::from(i)) {
                    Some(&handle) => _ = game.obstacles.move_to(handle, at).unwrap(),
                    None => game.handles.push(game.obstacles.add(post(at.x, at.z)).unwrap().0),
                }
            }
            assert!(game.obstacles.unpacked_bytes() <= *bound);
        }
        // In steps, which are as many and publish the same whatever is kept.
        while games.iter().any(|(_, game)| game.obstacles.about_to_change().next().is_some()) {
            for (_, game) in &mut games {
                game.obstacles.step(&mut game.mesh, Budget::new(9000), &Context::default()).unwrap();
            }
            let [first, rest @ ..] = &games;
            assert!(rest.iter().all(|(_, game)| game.told() == first.1.told()), "turn {turn}");
        }
        assert!(games.iter().all(|(bound, game)| (game.obstacles.unpacked_bytes() == 0) == (*bound == 0)));
        let [first, rest @ ..] = &games;
        assert!(rest.iter().all(|(_, game)| plain_tiles(&game.mesh) == plain_tiles(&first.1.mesh)), "turn {turn}");
    }
}

#[test]
fn a_hundred_thousand_in_one_tile_are_built_in_pieces() {
    let mut level = floor();
    for i in 0..100_000 {
        let at = Vec3::new(8.0 + (i % 400) as f32 * 0.01, 0.0, 8.0 + (i / 400) as f32 * 0.01);
        level.add(MarkedVolume::block(Volume::Cylinder { base: at, radius: 0.1, height: 1.0 })).unwrap();
    }
    let mut steps = 0;
    while !level.obstacles.step(&mut level.mesh, Budget::new(20_000), &Context::default()).unwrap().is_finished() {
        steps += 1;
    }
    assert!((20..2000).contains(&steps), "{steps}");
    level.check();
    assert!(level.obstacles.to_bytes().len() < 10_000_000);
    level.clear(None);
}

/// A world of 24 x 24 m in tiles of 24 cells, whatever stands in it.
fn world() -> BakeSettings {
    let bounds = Aabb { min: Vec3::new(0.0, -2.0, 0.0), max: Vec3::new(24.0, 8.0, 24.0) };
    BakeSettings { tile_size: 24, bounds: Some(bounds), ..BakeSettings::default() }
}

fn are_same(mesh: &NavMesh, expected: &BTreeMap<TileCoord, PlainTile>) {
    let got = plain_tiles(mesh);
    assert!(got.keys().eq(expected.keys()), "{:?} instead of {:?}", got.keys(), expected.keys());
    for (coord, tile) in &got {
        let (here, there) = (&tile.data, &expected[coord].data);
        assert!(here == there, "{coord:?}: {} polygons instead of {}", here.polys().len(), there.polys().len());
        assert!(*tile == expected[coord], "links of {coord:?}");
    }
}

/// A floor with objects on it, its mesh, and the obstacles.
struct Site {
    level: ObjectLevel,
    objects: Vec<ObjectRef>,
    game: Game,
}

impl Site {
    fn new() -> Self {
        let floor = boxes(&[[[0.0, -1.0, 0.0], [24.0, 0.0, 24.0]]]);
        let ground = LevelCheckpoints::bake(&floor, &world(), &Context::default()).unwrap();
        let (baked, _) = bake_tiles(&floor, &world(), &Context::default()).unwrap();
        let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
        let level = ObjectLevel::new(floor, ground.plan());
        let game = Game { mesh, obstacles: Obstacles::new(ground), handles: Vec::new() };
        Self { level, objects: Vec::new(), game }
    }

    /// A step, a block or a roof of some size.
    fn build(&mut self, [kind, a, b]: [u64; 3]) {
        let size = 1.0 + (kind % 5) as f32;
        let [low, high] = [[0.0, 0.6], [0.0, 2.5], [2.6, 3.0], [-1.0, 0.1]][kind as usize / 5 % 4];
        let surface = boxes(&[[[0.0, low, 0.0], [size, high, size]]]);
        let at = Vec3::new((a % 260) as f32 * 0.1 - 2.0, 0.0, (b % 260) as f32 * 0.1 - 2.0);
        let (object, changed) = self.level.add(Arc::new(surface), at).unwrap();
        self.objects.push(object);
        self.game.obstacles.invalidate(&changed);
    }

    fn play(&mut self, [op, a, b]: [u64; 3]) {
        let picked = (a >> 8) as usize % self.objects.len().max(1);
        match (op % 8, self.objects.get(picked).copied()) {
            (0 | 1, _) | (2 | 3, None) => self.build([op >> 8, a, b]),
            (2, Some(object)) => {
                let to = Vec3::new((a % 240) as f32 * 0.1, (op >> 8 & 7) as f32 * 0.1, (b % 240) as f32 * 0.1);
                let [before, after] = self.level.move_to(object, to).unwrap();
                self.game.obstacles.invalidate(&before);
                self.game.obstacles.invalidate(&after);
            }
            (3, Some(object)) => {
                let changed = self.level.remove(object).unwrap();
                assert_eq!(self.level.remove(object).unwrap_err(), ObjectError::Gone { object });
                self.game.obstacles.invalidate(&changed);
                self.objects.remove(picked);
            }
            (4 | 5, _) => {
                let obstacles = &mut self.game.obstacles;
                obstacles
                    .step_from(&mut self.game.mesh, &self.level, Budget::new(b % 90_000), &Context::default())
                    .unwrap();
            }
            (6, _) => {
                self.game
                    .handles
                    .push(self.game.obstacles.add(post((a % 240) as f32 * 0.1, (b % 240) as f32 * 0.1)).unwrap().0);
            }
            (_, _) => {
                if let Some(handle) = self.game.handles.pop() {
                    self.game.obstacles.remove(handle).unwrap();
                }
            }
        }
    }

    fn finish(&mut self) {
        let Game { mesh, obstacles, .. } = &mut self.game;
        while !obstacles.step_from(mesh, &self.level, Budget::unlimited(), &Context::default()).unwrap().is_finished() {
        }
    }

    /// The mesh has the bytes of a bake of the level with the objects' triangles.
    fn check(&self) {
        let volumes: Vec<_> = self.game.obstacles.iter().map(|(_, marked)| marked.clone()).collect();
        let mesh = self.level.triangles();
        let level = Level { mesh: &mesh, terrain: None, volumes: &volumes };
        let (baked, _) = bake_tiles(level, &world(), &Context::default()).unwrap();
        let expected = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
        are_same(&self.game.mesh, &plain_tiles(&expected));
        assert!(self.game.mesh.check().is_empty());
    }
}

#[test]
fn objects_that_come_move_and_go_give_the_tiles_of_a_bake_with_them() {
    property("objects", 12, |rng: &mut Rng| {
        let mut site = Site::new();
        let first = plain_tiles(&site.game.mesh);
        for _ in 0..40 {
            site.play([0; 3].map(|_| rng.bits() >> 8));
        }
        // Saved amid all that, it comes to the same.
        let again = site.game.saved();
        site.finish();
        site.check();
        site.game = again;
        site.finish();
        site.check();
        for object in core::mem::take(&mut site.objects) {
            let changed = site.level.remove(object).unwrap();
            site.game.obstacles.invalidate(&changed);
        }
        for handle in core::mem::take(&mut site.game.handles) {
            site.game.obstacles.remove(handle).unwrap();
        }
        site.finish();
        are_same(&site.game.mesh, &first);
    });
}

#[test]
fn a_hole_in_the_floor_takes_its_tiles_away_and_obstacles_come_back_with_them() {
    let settings = world();
    let floor = boxes(&[[[0.0, -1.0, 0.0], [24.0, 0.0, 24.0]]]);
    let ground = LevelCheckpoints::empty(&settings).unwrap();
    let mut level = ObjectLevel::new(TriMesh::EMPTY, ground.plan());
    let mut game =
        Game { mesh: NavMesh::new(ground.plan().layout()), obstacles: Obstacles::new(ground), handles: Vec::new() };
    let context = Context::default();
    let (_, nowhere) = game.obstacles.add(post(12.0, 12.0)).unwrap();
    assert_eq!(game.obstacles.outcome(&nowhere), Outcome::Outside);
    let (object, changed) = level.add(Arc::new(floor.clone()), Vec3::ZERO).unwrap();
    let request = game.obstacles.invalidate(&changed);
    // Without triangles nothing is lost: the tiles wait for them, as each step says.
    for _ in 0..3 {
        let stepped = game.obstacles.step(&mut game.mesh, Budget::unlimited(), &context);
        assert!(matches!(stepped, Err(RebuildError::NoSource { .. })), "{stepped:?}");
        assert_eq!(game.obstacles.outcome(&request), Outcome::Waiting);
        assert!(!game.obstacles.progress().is_finished());
        assert!(game.obstacles.about_to_change().eq(request.tiles.iter().copied()));
    }
    game.obstacles.step_from(&mut game.mesh, &level, Budget::unlimited(), &context).unwrap();
    assert_eq!(game.obstacles.outcome(&request), Outcome::Built);
    assert!(game.obstacles.progress().is_finished());
    let volumes = [post(12.0, 12.0)];
    let (baked, _) = bake_tiles(Level { mesh: &floor, terrain: None, volumes: &volumes }, &settings, &context).unwrap();
    let whole = plain_tiles(&NavMesh::from_tiles(baked.layout, baked.tiles).unwrap());
    are_same(&game.mesh, &whole);
    // Gone, and back: the obstacle is where it was, and one that was removed meanwhile is not.
    let (other, _) = game.obstacles.add(post(5.0, 5.0)).unwrap();
    let changed = level.remove(object).unwrap();
    game.obstacles.invalidate(&changed);
    game.obstacles.step_from(&mut game.mesh, &level, Budget::unlimited(), &context).unwrap();
    assert_eq!((game.mesh.tile_count(), game.obstacles.checkpoints().tile_count()), (0, 0));
    game.obstacles.remove(other).unwrap();
    game.obstacles.add(post(400.0, 5.0)).unwrap();
    level.add(Arc::new(floor), Vec3::ZERO).unwrap();
    game.obstacles.invalidate(&changed);
    game.obstacles.step_from(&mut game.mesh, &level, Budget::new(500), &context).unwrap();
    while !game.obstacles.step_from(&mut game.mesh, &level, Budget::new(5000), &context).unwrap().is_finished() {}
    are_same(&game.mesh, &whole);
    assert_eq!(level.add(Arc::new(boxes(&[[[0.0; 3], [1.0; 3]]])), Vec3::NAN).unwrap_err(), ObjectError::NotFinite);
}

#[test]
fn tiles_that_wait_for_triangles_hold_up_no_others() {
    let mut site = Site::new();
    let context = Context::default();
    let changed = Aabb::from_center(Vec3::new(3.0, 0.0, 3.0), Vec3::splat(0.5));
    let wanted = site.game.obstacles.invalidate(&changed);
    let [(_, beside), (_, across)] =
        [post(20.0, 20.0), post(6.5, 3.0)].map(|post| site.game.obstacles.add(post).unwrap());
    assert!(across.tiles.len() > 1 && across.tiles.iter().any(|tile| wanted.tiles.contains(tile)));
    let outcomes = |game: &Game| [&wanted, &beside, &across].map(|request| game.obstacles.outcome(request));
    let is_waiting = [Outcome::Waiting, Outcome::Built, Outcome::Waiting];
    // The error comes once nothing else is left to do.
    let mut steps = 0;
    while site.game.obstacles.step(&mut site.game.mesh, Budget::new(2000), &context).is_ok() {
        steps += 1;
    }
    assert!(steps > 0);
    assert_eq!(outcomes(&site.game), is_waiting);
    // Later rounds do not change that, nor does a saved game.
    let (_, later) = site.game.obstacles.add(post(20.0, 12.0)).unwrap();
    while site.game.obstacles.step(&mut site.game.mesh, Budget::unlimited(), &context).is_ok() {}
    assert_eq!(site.game.obstacles.outcome(&later), Outcome::Built);
    site.game = site.game.saved();
    assert_eq!(outcomes(&site.game), is_waiting);
    // Not even once their round has begun.
    site.game.obstacles.step_from(&mut site.game.mesh, &site.level, Budget::new(100), &context).unwrap();
    assert_eq!(outcomes(&site.game), is_waiting);
    site.finish();
    assert_eq!(outcomes(&site.game), [Outcome::Built; 3]);
    site.check();
}

/// A tile is let go while it could not be baked, or waits to be; when it returns, so do its obstacles.
#[test]
fn obstacles_come_back_with_tiles_that_were_let_go_before_they_were_baked() {
    let settings = world();
    let floor = boxes(&[[[0.0, -1.0, 0.0], [24.0, 0.0, 24.0]]]);
    let [near, far] = [4.0, 20.0].map(|x| [Vec3::new(x, 0.0, x)]);
    let volumes = [post(4.0, 4.0)];
    let whole = Level { mesh: &floor, terrain: None, volumes: &volumes };
    let (baked, _) = bake_tiles(whole, &settings, &Context::default()).unwrap();
    for is_refused in [true, false] {
        let ground = LevelCheckpoints::empty(&settings).unwrap();
        let level = ObjectLevel::new(floor.clone(), ground.plan());
        let mut mesh = NavMesh::new(ground.plan().layout());
        let mut obstacles = Obstacles::new(ground);
        let mut nearby = NearbyTiles::new(2.0, 3.0);
        nearby.follow(&near, &mut mesh, &mut obstacles);
        let fail = |obstacles: &mut Obstacles, mesh: &mut NavMesh| {
            let tight = Context { memory_limit: Some(1), ..Context::default() };
            let mut step = || match is_refused {
                true => obstacles.step_from(mesh, &level, Budget::unlimited(), &tight),
                false => obstacles.step(mesh, Budget::unlimited(), &tight),
            };
            assert!(step().is_err());
            // Each tile that was refused is told once.
            while is_refused && step().is_err() {}
        };
        fail(&mut obstacles, &mut mesh);
        obstacles.add(volumes[0].clone()).unwrap();
        fail(&mut obstacles, &mut mesh);
        nearby.follow(&far, &mut mesh, &mut obstacles);
        nearby.follow(&near, &mut mesh, &mut obstacles);
        while !obstacles.step_from(&mut mesh, &level, Budget::unlimited(), &Context::default()).unwrap().is_finished() {
        }
        assert!(mesh.tile_at(TileCoord::default()).is_some());
        for tile in mesh.tiles() {
            assert!(baked.tiles.iter().any(|other| other == tile.data()), "{is_refused}: {:?}", tile.coord());
        }
    }
}

#[test]
fn a_world_is_baked_around_those_who_walk_in_it() {
    let settings = world();
    let floor = boxes(&[[[0.0, -1.0, 0.0], [24.0, 0.0, 24.0]]]);
    let ground = LevelCheckpoints::empty(&settings).unwrap();
    let level = ObjectLevel::new(floor.clone(), ground.plan());
    let mut mesh = NavMesh::new(ground.plan().layout());
    let mut obstacles = Obstacles::new(ground);
    for x in [2.0, 9.0, 20.0] {
        obstacles.invalidate(&Aabb::from_center(Vec3::new(x, 0.0, 3.0), Vec3::splat(1.0)));
        obstacles.step_from(&mut mesh, &level, Budget::unlimited(), &Context::default()).unwrap();
    }
    let (baked, _) = bake_tiles(&floor, &settings, &Context::default()).unwrap();
    assert!(mesh.tile_count() >= 3 && (mesh.tile_count() as usize) < baked.tiles.len());
    for tile in mesh.tiles() {
        assert!(baked.tiles.iter().any(|other| other == tile.data()), "{:?}", tile.coord());
    }
    assert!(mesh.check().is_empty());
}

#[test]
fn nearby_tiles_come_and_go_with_those_who_walk() {
    let settings = world();
    let floor = boxes(&[[[0.0, -1.0, 0.0], [24.0, 0.0, 24.0]]]);
    let ground = LevelCheckpoints::empty(&settings).unwrap();
    let level = ObjectLevel::new(floor.clone(), ground.plan());
    let mut mesh = NavMesh::new(ground.plan().layout());
    let mut obstacles = Obstacles::new(ground);
    let (post, request) = obstacles.add(post(4.0, 4.0)).unwrap();
    assert_eq!(obstacles.outcome(&request), Outcome::Outside, "there is nothing yet");
    let marked = obstacles.get(post).unwrap().clone();
    let volumes = [marked];
    let whole = Level { mesh: &floor, terrain: None, volumes: &volumes };
    let (baked, _) = bake_tiles(whole, &settings, &Context::default()).unwrap();
    let mut nearby = NearbyTiles::new(2.0, 3.0);
    let mut go = |centres: &[Vec3], mesh: &mut NavMesh, budget: u64| {
        let request = nearby.follow(centres, mesh, &mut obstacles);
        while !obstacles.step_from(mesh, &level, Budget::new(budget), &Context::default()).unwrap().is_finished() {}
        for tile in mesh.tiles() {
            assert!(baked.tiles.iter().any(|other| other == tile.data()), "{:?}", tile.coord());
        }
        assert!(mesh.check().is_empty());
        assert!(mesh.tile_count() as usize <= nearby.tile_count());
        request.tiles.len()
    };
    let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    assert!(go(&[at(4.0, 4.0)], &mut mesh, u64::MAX) > 0);
    let first = plain_tiles(&mesh);
    assert!(!first.is_empty() && first.len() < baked.tiles.len());
    assert_eq!(go(&[at(4.0, 4.0), Vec3::NAN], &mut mesh, u64::MAX), 0, "nobody has moved");
    let mut baked_again = 0;
    for step in 0..30 {
        let aside = (step % 3) as f32;
        baked_again += go(&[at(4.0 + aside, 4.0)], &mut mesh, u64::MAX);
    }
    assert!(baked_again <= 4, "{baked_again}: to and fro");
    assert!(go(&[at(20.0, 20.0), at(4.0, 20.0)], &mut mesh, 3000) > 0);
    assert!(mesh.tile_at(TileCoord::default()).is_none(), "let go");
    go(&[at(4.0, 4.0)], &mut mesh, u64::MAX);
    assert!(plain_tiles(&mesh).keys().eq(first.keys()), "back again, with the post");
    go(&[at(12.0, 12.0)], &mut mesh, u64::MAX);
    go(&[], &mut mesh, u64::MAX);
    assert_eq!(mesh.tile_count(), 0, "nobody is there");
    let mut all = NearbyTiles::new(f32::INFINITY, f32::NAN);
    all.follow(&[at(1e9, -1e9)], &mut mesh, &mut obstacles);
    obstacles.step_from(&mut mesh, &level, Budget::unlimited(), &Context::default()).unwrap();
    assert_eq!(mesh.tile_count() as usize, baked.tiles.len());
}

#[test]
fn nearby_tiles_go_on_in_a_game_that_was_saved() {
    let floor = boxes(&[[[0.0, -1.0, 0.0], [24.0, 0.0, 24.0]]]);
    let ground = LevelCheckpoints::empty(&world()).unwrap();
    let level = ObjectLevel::new(floor, ground.plan());
    let mesh = NavMesh::new(ground.plan().layout());
    let mut game = Game { mesh, obstacles: Obstacles::new(ground), handles: Vec::new() };
    let go = |nearby: &mut NearbyTiles, game: &mut Game, x: f32| {
        let request = nearby.follow(&[Vec3::new(x, 0.0, x)], &mut game.mesh, &mut game.obstacles);
        game.obstacles.step_from(&mut game.mesh, &level, Budget::unlimited(), &Context::default()).unwrap();
        request.tiles.len()
    };
    let mut nearby = NearbyTiles::new(2.0, 3.0);
    assert!(go(&mut nearby, &mut game, 4.0) > 0);
    assert_eq!(nearby.tile_count(), game.mesh.tile_count() as usize);
    for x in [4.0, 20.0] {
        let mut again = game.saved();
        let mut nearby = NearbyTiles::new(2.0, 3.0);
        let baked = go(&mut nearby, &mut again, x);
        assert_eq!(baked > 0, x > 4.0, "{baked}: what is there is not baked again");
        assert_eq!(nearby.tile_count(), again.mesh.tile_count() as usize);
        assert_eq!(again.mesh.tile_at(TileCoord::default()).is_some(), x < 20.0, "left behind");
    }
}
