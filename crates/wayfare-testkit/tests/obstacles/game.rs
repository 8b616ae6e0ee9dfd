//! A game with obstacles: saved, read again, and played on.

use super::{floor, of_scene, post};
use std::cell::Cell;
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{ObstacleBytesError, ObstacleRef, Obstacles, RebuiltTile};
use wayfare::format::WayFile;
use wayfare::input::{BakeSettings, MarkedVolume, Volume};
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, OffMeshConnection};
use wayfare::tile::{TileCoord, TileKeys};
use wayfare_testkit::changing::{ChangingLevel, plain_tiles};
use wayfare_testkit::levels::boxes;
use wayfare_testkit::{Rng, property};

/// A mesh and the obstacles in it, as a game has them.
pub(crate) struct Game {
    pub(crate) mesh: NavMesh,
    pub(crate) obstacles: Obstacles,
    pub(crate) handles: Vec<ObstacleRef>,
}

impl Game {
    /// Saved in one file, and read again.
    pub(crate) fn saved(&self) -> Self {
        let mut file = WayFile::new(self.mesh.clone(), TileKeys::EMPTY);
        self.obstacles.write_to(&mut file);
        let file = WayFile::from_bytes(&file.to_bytes()).unwrap();
        let obstacles = Obstacles::from_file(&file).unwrap().unwrap();
        assert_eq!(obstacles.to_bytes(), self.obstacles.to_bytes(), "written and read again, they differ");
        Self { mesh: file.mesh, obstacles, handles: self.handles.clone() }
    }

    /// Plays an operation; whether it was a step.
    pub(crate) fn play(&mut self, [op, a, b]: [u64; 3]) -> bool {
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
    pub(crate) fn told(&self) -> (Vec<RebuiltTile>, Vec<TileCoord>) {
        (self.obstacles.rebuilt().to_vec(), self.obstacles.about_to_change().collect())
    }

    pub(crate) fn finish(&mut self) {
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
