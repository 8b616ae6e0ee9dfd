//! Tiles that are baked from the triangles of objects and of the world around those who walk.

use super::game::Game;
use super::post;
use std::collections::BTreeMap;
use std::sync::Arc;
use wayfare::Vec3;
use wayfare::bake::bake_tiles;
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{
    LevelCheckpoints, NearbyTiles, ObjectError, ObjectLevel, ObjectRef, Obstacles, Outcome, RebuildError,
};
use wayfare::input::{BakeSettings, Level, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::NavMesh;
use wayfare::tile::TileCoord;
use wayfare_testkit::changing::{PlainTile, plain_tiles};
use wayfare_testkit::levels::boxes;
use wayfare_testkit::{Rng, property};

/// A world of 24 x 24 m in tiles of 24 cells, whatever stands in it.
fn world() -> BakeSettings {
    let bounds = Aabb { min: Vec3::new(0.0, -2.0, 0.0), max: Vec3::new(24.0, 8.0, 24.0) };
    BakeSettings { tile_size: 24, bounds: Some(bounds), ..BakeSettings::default() }
}

pub(super) fn are_same(mesh: &NavMesh, expected: &BTreeMap<TileCoord, PlainTile>) {
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
        let level = ObjectLevel::new(&floor, ground.plan());
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
    let ground = LevelCheckpoints::empty(&TriMesh::EMPTY, &settings).unwrap();
    let mut level = ObjectLevel::new(&TriMesh::EMPTY, ground.plan());
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
        let ground = LevelCheckpoints::empty(&TriMesh::EMPTY, &settings).unwrap();
        let level = ObjectLevel::new(&floor, ground.plan());
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
    let ground = LevelCheckpoints::empty(&TriMesh::EMPTY, &settings).unwrap();
    let level = ObjectLevel::new(&floor, ground.plan());
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
    let ground = LevelCheckpoints::empty(&TriMesh::EMPTY, &settings).unwrap();
    let level = ObjectLevel::new(&floor, ground.plan());
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
fn tiles_that_are_left_before_they_are_baked_are_not_waited_for() {
    let floor = boxes(&[[[0.0, -1.0, 0.0], [24.0, 0.0, 24.0]]]);
    let ground = LevelCheckpoints::empty(&floor, &world()).unwrap();
    let mut mesh = NavMesh::new(ground.plan().layout());
    let mut obstacles = Obstacles::new(ground);
    let mut nearby = NearbyTiles::new(2.0, 3.0);
    let asked = nearby.follow(&[Vec3::new(2.0, 0.0, 2.0)], &mut mesh, &mut obstacles);
    assert!(!asked.tiles.is_empty() && obstacles.outcome(&asked) == Outcome::Waiting);
    nearby.follow(&[], &mut mesh, &mut obstacles);
    assert!(obstacles.progress().is_finished() && obstacles.outcome(&asked) != Outcome::Waiting);
}

#[test]
fn nearby_tiles_go_on_in_a_game_that_was_saved() {
    let floor = boxes(&[[[0.0, -1.0, 0.0], [24.0, 0.0, 24.0]]]);
    let ground = LevelCheckpoints::empty(&TriMesh::EMPTY, &world()).unwrap();
    let level = ObjectLevel::new(&floor, ground.plan());
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
