//! Obstacles: tiles are rebuilt to the bytes of a bake with the same shapes, in any steps, on any threads.

mod game;
mod live_level;
mod objects;

use game::Game;
use std::cell::Cell;
use std::sync::Arc;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::bake::{TilePlan, find_links};
use wayfare::context::{Budget, Cancel, Context};
use wayfare::dynamic::{
    CheckpointBytesError, LevelCheckpoints, ObstacleError, Obstacles, Outcome, RebuildError, TileChange,
};
use wayfare::input::{BakeSettings, Level, LinkSettings, MarkedVolume, TriMesh, Volume};
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, OffMeshConnection, PolyRef, TileRef};
use wayfare::tile::{TileCoord, TileLayout};
use wayfare::{Vec2, Vec3};
use wayfare_scenes::scene;
use wayfare_testkit::changing::{ChangingLevel, plain_tiles};
use wayfare_testkit::levels::boxes;
use wayfare_testkit::{fuzz, property};
use xxhash_rust::xxh3::xxh3_64;

fn of_scene(spec: &str, tile_size: u32) -> ChangingLevel {
    let scene = scene(spec).unwrap();
    let mesh = scene.mesh().unwrap();
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
    // Whatever is altered, it is refused. With a checksum that fits it is refused, or told when the tile is rebuilt, or
    // a tile of other ground; never a panic.
    let (mut told, context) = (0, Context::default());
    let content = bytes.len() - 8;
    for at in (4..content).step_by(7) {
        other.clone_from(&bytes);
        other[at] ^= 0x15;
        assert_eq!(LevelCheckpoints::from_bytes(&other).unwrap_err(), CheckpointBytesError::Damaged);
        let checksum = xxh3_64(&other[..content]);
        other[content..].copy_from_slice(&checksum.to_le_bytes());
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
