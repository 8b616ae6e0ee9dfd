//! A live level: tiles and automatic links are those of a bake of the level as it is.

use super::objects::are_same;
use super::post;
use std::sync::Arc;
use wayfare::Vec3;
use wayfare::bake::{AutoLink, bake_tiles, find_links};
use wayfare::context::{Budget, Cancel, Context};
use wayfare::dynamic::{
    AutoLinks, AutoLinksError, LiveLevel, LiveLevelError, LiveStage, ObjectError, ObstacleFileError, Obstacles,
    RebuildError,
};
use wayfare::format::WayFile;
use wayfare::input::{BakeSettings, HeightMap, HeightScale, Level, LinkSettings, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, OffMeshConnection};
use wayfare_testkit::changing::plain_tiles;
use wayfare_testkit::levels::boxes;
use wayfare_testkit::property;

fn settings() -> BakeSettings {
    let bounds = Aabb { min: Vec3::new(0.0, -2.0, 0.0), max: Vec3::new(30.0, 8.0, 30.0) };
    BakeSettings { tile_size: 24, bounds: Some(bounds), ..BakeSettings::default() }
}

fn rules() -> LinkSettings {
    LinkSettings::for_agent(&settings().agent)
}

fn floor() -> TriMesh {
    boxes(&[[[0.0, -1.0, 0.0], [30.0, 0.0, 30.0]]])
}

fn site(fixed: &TriMesh) -> LiveLevel {
    LiveLevel::new(fixed, &settings()).unwrap().with_links(&rules()).unwrap()
}

/// Brings mesh and links up to date, and returns how many tiles were searched for links.
fn settle(level: &mut LiveLevel, cells: u64) -> u64 {
    let searched = level.links().map_or(0, |links| links.progress().total);
    while !level.step(Budget::new(cells), &Context::default()).unwrap().is_finished() {}
    searched
}

/// Tiles and links are those of a bake and a search in the level as it is. How many links.
fn check(level: &LiveLevel) -> usize {
    let triangles = level.objects().unwrap().triangles();
    let obstacles = level.obstacles().unwrap();
    let of_level = obstacles.checkpoints().volumes().iter();
    let volumes: Vec<_> = of_level.chain(obstacles.iter().map(|(_, marked)| marked)).cloned().collect();
    let whole = Level { mesh: &triangles, terrain: level.objects().unwrap().terrain(), volumes: &volumes };
    let (baked, _) = bake_tiles(whole, &settings(), &Context::default()).unwrap();
    let tiles: Vec<_> = level.mesh().tiles().map(|tile| tile.data()).collect();
    let plan = obstacles.checkpoints().plan();
    let mut expected = find_links(whole, plan, &tiles, &rules(), &Context::default()).unwrap();
    expected.sort_by_key(|link| link.id);
    let kept: Vec<AutoLink> = level.links().unwrap().iter().copied().collect();
    assert_eq!(kept, expected);
    let mut placed: Vec<OffMeshConnection> = level.mesh().connections().map(|it| *it.definition()).collect();
    placed.sort_by_key(|connection| connection.user_id);
    assert_eq!(placed, expected.iter().map(OffMeshConnection::from).collect::<Vec<_>>());
    let mut mesh = level.mesh().clone();
    let links: Vec<_> = mesh.connections().map(|it| it.reference()).collect();
    links.into_iter().for_each(|link| _ = mesh.remove_connection(link).unwrap());
    are_same(&mesh, &plain_tiles(&NavMesh::from_tiles(baked.layout, baked.tiles).unwrap()));
    kept.len()
}

#[test]
fn tiles_and_links_of_a_changing_level_are_those_of_the_level_as_it_is() {
    property("changing links", 6, |rng| {
        let mut level = site(&floor());
        let mut blocks = Vec::new();
        let mut posts = Vec::new();
        let mut most = 0;
        for _ in 0..10 {
            let at = Vec3::new(rng.whole(20, 240) as f32 * 0.1, 0.0, rng.whole(20, 240) as f32 * 0.1);
            match rng.whole(0, 6) {
                0..=2 => {
                    let height = rng.whole(6, 30) as f32 * 0.1;
                    let block = Arc::new(boxes(&[[[0.0, 0.0, 0.0], [5.0, height, 5.0]]]));
                    blocks.push(level.add_object(block, at).unwrap());
                }
                3 => posts.push(level.add_obstacle(post(at.x, at.z)).unwrap()),
                4 if !posts.is_empty() => level.remove_obstacle(posts.remove(0)).unwrap(),
                5 if !posts.is_empty() => level.replace_obstacle(posts[0], post(at.x, at.z)).unwrap(),
                6 => {
                    let step = [[at.x, -1.0, at.z], [at.x + 3.0, 1.2, at.z + 3.0]];
                    level.replace_triangles(boxes(&[[[0.0, -1.0, 0.0], [30.0, 0.0, 30.0]], step])).unwrap();
                }
                _ if !blocks.is_empty() => level.move_object(blocks[0], at).unwrap(),
                _ => {}
            }
            settle(&mut level, [1, 5000, u64::MAX][rng.whole(0, 2) as usize]);
            most = most.max(check(&level));
        }
        assert!(most > 10, "{most} links");
    });
}

/// Hills of 30 by 30 metres, one metre from point to point, less a pit around a point.
fn hills(pit: Option<[u32; 2]>) -> HeightMap {
    let height = |x: u32, z: u32| match pit {
        Some([px, pz]) if x.abs_diff(px) + z.abs_diff(pz) < 3 => 0,
        _ => 40 + ((x / 6 + z / 7) % 4 * 5) as u16,
    };
    let samples = (0..31).flat_map(|z| (0..31).map(move |x| (x, z))).map(|(x, z)| height(x, z)).collect();
    HeightMap::new(31, 31, samples, HeightScale { origin: Vec3::Y * -2.0, spacing: 1.0, step: 0.05 }).unwrap()
}

#[test]
fn terrain_and_volumes_of_a_level_are_baked_as_ever_and_only_what_is_dug_is_baked_again() {
    let terrain = hills(None);
    let volumes = [post(20.0, 20.0)];
    let land = Level { volumes: &volumes, ..Level::from(&terrain) };
    let mut level = LiveLevel::new(land, &settings()).unwrap().with_links(&rules()).unwrap();
    assert_eq!(settle(&mut level, 5000), 25);
    check(&level);
    assert_eq!(level.mesh().tile_count(), 25);
    let house = Arc::new(boxes(&[[[0.0, -2.0, 0.0], [4.0, 1.5, 4.0]]]));
    level.add_object(house, Vec3::new(22.0, 0.0, 5.0)).unwrap();
    settle(&mut level, u64::MAX);
    assert!(check(&level) > 0);
    level.replace_terrain(Some(terrain.clone())).unwrap();
    assert!(level.progress().is_finished());
    for pit in [Some([8, 8]), Some([0, 30]), None] {
        level.replace_terrain(Some(hills(pit))).unwrap();
        level.step(Budget::unlimited(), &Context::default()).unwrap();
        assert!((1..=9).contains(&level.rebuilt().len()), "{pit:?}: {:?}", level.rebuilt());
        settle(&mut level, u64::MAX);
        check(&level);
    }
    // Stored and loaded with its level, it goes on; in the end nothing of it is left but the house.
    let checkpoints = level.obstacles().unwrap().checkpoints().clone();
    let stored = LiveLevel::stored(level.mesh().clone(), Some(Obstacles::new(checkpoints))).unwrap();
    let objects = level.objects().unwrap();
    let triangles = objects.triangles();
    let whole = Level { mesh: &triangles, terrain: objects.terrain(), volumes: &volumes };
    let mut level = stored.with_level(whole).unwrap().with_links(&rules()).unwrap();
    settle(&mut level, u64::MAX);
    level.replace_terrain(Some(hills(Some([15, 20])))).unwrap();
    settle(&mut level, u64::MAX);
    check(&level);
    level.replace_terrain(None).unwrap();
    settle(&mut level, u64::MAX);
    check(&level);
    assert!((1..=4).contains(&level.mesh().tile_count()), "{}", level.mesh().tile_count());
}

#[test]
fn only_tiles_within_reach_of_a_change_are_rebuilt_and_searched() {
    let mut level = site(&floor());
    assert_eq!(settle(&mut level, u64::MAX), 25);
    let block = Arc::new(boxes(&[[[0.0, 0.0, 0.0], [4.0, 1.5, 4.0]]]));
    let block = level.add_object(block, Vec3::new(1.0, 0.0, 1.0)).unwrap();
    let searched = settle(&mut level, u64::MAX);
    assert!((4..=9).contains(&searched), "{searched} of 25 tiles");
    assert!((1..=4).contains(&level.rebuilt().len()), "{:?}", level.rebuilt());
    assert!(check(&level) > 0);
    // What was removed by hand is not missed.
    let by_hand: Vec<_> = level.mesh().connections().map(|it| it.reference()).collect();
    level.mesh_mut().remove_connection(by_hand[0]).unwrap();
    level.remove_object(block).unwrap();
    settle(&mut level, u64::MAX);
    assert_eq!(check(&level), 0);
    // The same triangles in another order are no change.
    let tris = floor().tris().iter().rev().copied().collect();
    level.replace_triangles(TriMesh::new(floor().verts().to_vec(), tris).unwrap()).unwrap();
    assert!(level.progress().is_finished());
}

#[test]
fn a_stored_level_goes_on_as_far_as_it_was_stored() {
    let mut level = site(&floor());
    settle(&mut level, u64::MAX);
    let (mesh, obstacles) = (level.mesh().clone(), level.obstacles().unwrap());
    let (block, post) = (Arc::new(boxes(&[[[0.0, 0.0, 0.0], [4.0, 1.5, 4.0]]])), post(9.0, 9.0));

    let mut bare = LiveLevel::stored(mesh.clone(), None).unwrap().with_links(&rules()).unwrap();
    assert_eq!(bare.add_obstacle(post.clone()), Err(LiveLevelError::NoCheckpoints));
    assert_eq!(bare.add_object(Arc::clone(&block), Vec3::ZERO), Err(LiveLevelError::NoLevel));
    assert!(bare.step(Budget::unlimited(), &Context::default()).unwrap().is_finished());

    let again = Obstacles::from_bytes(obstacles.checkpoints().clone(), &obstacles.to_bytes()).unwrap();
    let mut loaded = LiveLevel::stored(mesh, Some(again)).unwrap();
    let removed = loaded.add_obstacle(post).unwrap();
    settle(&mut loaded, u64::MAX);
    assert!(!loaded.mesh().is_same_as(level.mesh()));
    loaded.remove_obstacle(removed).unwrap();
    assert!(matches!(loaded.move_obstacle_by(removed, Vec3::X), Err(LiveLevelError::Obstacle(_))));
    let mut loaded = loaded.with_level(&floor()).unwrap().with_links(&rules()).unwrap();
    let object = loaded.add_object(block, Vec3::new(5.0, 0.0, 5.0)).unwrap();
    settle(&mut loaded, u64::MAX);
    assert!(check(&loaded) > 0);
    // Stored with its links and loaded with its triangles, it finds them there, and takes those away that go.
    let mesh = NavMesh::from_bytes(&loaded.mesh().to_bytes()).unwrap();
    let obstacles_again = Obstacles::new(loaded.obstacles().unwrap().checkpoints().clone());
    let again = LiveLevel::stored(mesh, Some(obstacles_again)).unwrap();
    let both = loaded.objects().unwrap().triangles();
    let mut again = again.with_level(&both).unwrap().with_links(&rules()).unwrap();
    settle(&mut again, u64::MAX);
    assert!(check(&again) > 0);
    again.replace_triangles(floor()).unwrap();
    settle(&mut again, u64::MAX);
    assert_eq!(check(&again), 0);

    loaded.remove_object(object).unwrap();
    assert_eq!(loaded.remove_object(object), Err(LiveLevelError::Object(ObjectError::Gone { object })));
    settle(&mut loaded, u64::MAX);
    assert_eq!(check(&loaded), 0);
    let other = BakeSettings { tile_size: 32, ..settings() };
    let other = LiveLevel::new(&floor(), &other).unwrap().mesh().clone();
    let obstacles = Obstacles::new(obstacles.checkpoints().clone());
    assert_eq!(LiveLevel::stored(other, Some(obstacles)).err(), Some(RebuildError::OtherMesh));
}

#[test]
fn a_level_that_is_stored_before_its_links_are_searched_again_keeps_none_that_is_gone() {
    let mut level = LiveLevel::new(&floor(), &settings()).unwrap().with_links(&rules()).unwrap();
    let block = Arc::new(boxes(&[[[0.0, 0.0, 0.0], [5.0, 1.5, 5.0]]]));
    let block = level.add_object(block, Vec3::new(10.0, 0.0, 10.0)).unwrap();
    settle(&mut level, u64::MAX);
    assert!(check(&level) > 0);
    let own = OffMeshConnection { user_id: 7, ..*level.mesh().connections().next().unwrap().definition() };
    level.mesh_mut().add_connection(own).unwrap();
    level.remove_object(block).unwrap();
    while level.step(Budget::new(5000), &Context::default()).unwrap().stage == LiveStage::Tiles {}
    let links = level.mesh().connection_count();
    assert!(links > 1 && !level.progress().is_finished(), "the block is gone, and its links are there");
    let mut file = WayFile::from(NavMesh::new(level.mesh().layout()));
    level.write_to(&mut file);
    let file = WayFile::from_bytes(&file.to_bytes()).unwrap();
    let mut loaded = LiveLevel::from_file(&file).unwrap();
    assert_eq!(loaded.mesh().connection_count(), links);
    // Written again before links are asked for, it still knows which they are.
    let mut again = WayFile::from(NavMesh::new(level.mesh().layout()));
    loaded.write_to(&mut again);
    assert_eq!(again.sections.get(AutoLinks::SECTION), file.sections.get(AutoLinks::SECTION));
    loaded = loaded.with_level(&floor()).unwrap().with_links(&rules()).unwrap();
    settle(&mut loaded, 5000);
    let left: Vec<u32> = loaded.mesh().connections().map(|it| it.definition().user_id).collect();
    assert_eq!(left, [7], "but for the game's own");
    let mut file = file;
    file.sections.set(AutoLinks::SECTION, AutoLinks::SECTION_VERSION, vec![1; 9]);
    assert_eq!(LiveLevel::from_file(&file).err(), Some(ObstacleFileError::Links));
}

#[test]
fn links_come_though_something_changes_all_the_time() {
    let mut level = site(&boxes(&[[[0.0, -1.0, 0.0], [30.0, 0.0, 30.0]], [[20.0, -1.0, 20.0], [24.0, 1.5, 24.0]]]));
    let post = level.add_obstacle(post(7.0, 7.0)).unwrap();
    for i in 0..300 {
        level.move_obstacle_by(post, if i % 2 == 0 { Vec3::X } else { -Vec3::X }).unwrap();
        level.step(Budget::new(20_000), &Context::default()).unwrap();
    }
    assert!(level.mesh().connection_count() > 0);
    // Without units nothing is done.
    let ledge = Arc::new(boxes(&[[[0.0, 0.0, 0.0], [4.0, 1.5, 4.0]]]));
    level.add_object(ledge, Vec3::new(20.0, 0.0, 4.0)).unwrap();
    while level.step(Budget::new(1000), &Context::default()).unwrap().stage == LiveStage::Tiles {}
    let before = level.progress();
    assert_eq!(level.step(Budget::new(0), &Context::default()), Ok(before));
}

#[test]
fn steps_of_any_budget_end_while_something_moves() {
    let mut level = site(&boxes(&[[[0.0, -1.0, 0.0], [30.0, 0.0, 30.0]], [[20.0, -1.0, 20.0], [24.0, 1.5, 24.0]]]));
    let post = level.add_obstacle(post(7.0, 7.0)).unwrap();
    for budget in [5_000, 20_000, 60_000, 200_000, 800_000] {
        for i in 0..30 {
            level.move_obstacle_by(post, if i % 2 == 0 { Vec3::X } else { -Vec3::X }).unwrap();
            level.step(Budget::new(budget), &Context::default()).unwrap();
        }
    }
    assert!(level.mesh().connection_count() > 0);
}

#[test]
fn a_step_without_limit_does_everything() {
    let bounds = Aabb { min: Vec3::new(0.0, -2.0, 0.0), max: Vec3::new(48.0, 8.0, 48.0) };
    let settings = BakeSettings { tile_size: 8, bounds: Some(bounds), ..BakeSettings::default() };
    let floor = boxes(&[[[0.0, -1.0, 0.0], [48.0, 0.0, 48.0]], [[40.0, -1.0, 40.0], [44.0, 1.5, 44.0]]]);
    let mut level = LiveLevel::new(&floor, &settings).unwrap().with_links(&rules()).unwrap();
    assert!(level.step(Budget::unlimited(), &Context::default()).unwrap().is_finished());
    assert!(level.mesh().tile_count() > 256 && level.mesh().connection_count() > 0);
}

#[test]
fn an_object_that_moves_while_its_tiles_are_rebuilt_is_never_half_there() {
    let with_block = |at: Vec3| {
        let block = [at.to_array(), (at + Vec3::new(6.0, 1.5, 3.0)).to_array()];
        let level = boxes(&[[[0.0, -1.0, 0.0], [30.0, 0.0, 30.0]], block]);
        let (baked, _) = bake_tiles(&level, &settings(), &Context::default()).unwrap();
        plain_tiles(&NavMesh::from_tiles(baked.layout, baked.tiles).unwrap())
    };
    let mut level = LiveLevel::new(&floor(), &settings()).unwrap();
    let block = Arc::new(boxes(&[[[0.0, 0.0, 0.0], [6.0, 1.5, 3.0]]]));
    // Over two tiles each time.
    let places = [4.0, 12.0, 19.0].map(|x| Vec3::new(x, 0.0, 2.0));
    let block = level.add_object(block, places[0]).unwrap();
    level.step(Budget::unlimited(), &Context::default()).unwrap();
    are_same(level.mesh(), &with_block(places[0]));
    level.move_object(block, places[1]).unwrap();
    level.step(Budget::new(1), &Context::default()).unwrap();
    level.move_object(block, places[2]).unwrap();
    while level.rebuilt().is_empty() {
        level.step(Budget::new(3000), &Context::default()).unwrap();
    }
    are_same(level.mesh(), &with_block(places[1]));
    level.step(Budget::unlimited(), &Context::default()).unwrap();
    are_same(level.mesh(), &with_block(places[2]));
}

#[test]
fn links_of_a_tile_that_cannot_be_searched_stay() {
    let mut level = site(&boxes(&[[[0.0, -1.0, 0.0], [30.0, 0.0, 30.0]], [[8.0, -1.0, 8.0], [12.0, 1.5, 12.0]]]));
    settle(&mut level, u64::MAX);
    let links = level.mesh().connection_count();
    assert!(links > 0);
    let post = level.add_obstacle(post(16.0, 3.0)).unwrap();
    while level.step(Budget::new(1000), &Context::default()).unwrap().stage == LiveStage::Tiles {}
    let poor = Context { memory_limit: Some(1), ..Context::default() };
    let mut failures = Vec::new();
    loop {
        match level.step(Budget::unlimited(), &poor) {
            Ok(progress) if progress.is_finished() => break,
            Ok(_) => {}
            Err(LiveLevelError::Links(AutoLinksError::Search { coord, .. })) => failures.push(coord),
            Err(error) => panic!("{error}"),
        }
        assert!(failures.len() < 30);
    }
    let count = failures.len();
    failures.dedup();
    assert!(count > 0 && failures.len() == count, "each is told once: {failures:?}");
    assert_eq!(level.mesh().connection_count(), links);
    level.remove_obstacle(post).unwrap();
    settle(&mut level, u64::MAX);
    assert_eq!(check(&level), links as usize);
}

#[test]
fn a_step_that_is_cancelled_while_links_are_searched_leaves_them_to_the_next() {
    let mut level = site(&boxes(&[[[0.0, -1.0, 0.0], [30.0, 0.0, 30.0]], [[8.0, 0.0, 8.0], [14.0, 1.5, 14.0]]]));
    while level.step(Budget::new(5000), &Context::default()).unwrap().stage == LiveStage::Tiles {}
    let before = level.progress();
    assert!(!before.is_finished());
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = Context { cancel: Some(&cancel), ..Context::default() };
    let refused = level.step(Budget::unlimited(), &cancelled);
    assert_eq!(refused, Err(LiveLevelError::Rebuild(RebuildError::Cancelled)));
    assert_eq!(level.progress(), before);
    settle(&mut level, u64::MAX);
    assert!(check(&level) > 0);
}

#[test]
fn a_step_that_builds_no_tile_lists_none() {
    let mut level = site(&floor());
    level.step(Budget::unlimited(), &Context::default()).unwrap();
    assert_eq!(level.rebuilt().len(), 25);
    level.step(Budget::unlimited(), &Context::default()).unwrap();
    assert!(level.rebuilt().is_empty());
}
