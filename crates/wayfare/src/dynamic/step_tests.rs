//! What a step does depends on its budget alone, a cancelled one begins nothing, and sessions are saved and read.

use super::{LevelCheckpoints, ObstacleBytesError, Obstacles, RebuildError, RebuiltTile};
use crate::bake::{BakeError, bake_tiles};
use crate::context::{Budget, Cancel, Context};
use crate::input::{BakeSettings, Level, MarkedVolume, TriMesh, Volume};
use crate::math::envelope::{with_checksum, without_checksum};
use crate::mesh::NavMesh;
use glam::Vec3;
use std::sync::Arc;

/// A floor of two by two small tiles, with a post where they meet.
fn four_tiles() -> (Obstacles, NavMesh) {
    let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.8], [4.8, 0.0, 4.8], [4.8, 0.0, 0.0]].map(Vec3::from);
    let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let settings = BakeSettings { tile_size: 8, ..BakeSettings::default() };
    let context = Context::default();
    let (baked, _) = bake_tiles(&level, &settings, &context).unwrap();
    let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
    let mut obstacles = Obstacles::new(LevelCheckpoints::bake(&level, &settings, &context).unwrap());
    let post = Volume::Cylinder { base: Vec3::new(2.4, 0.0, 2.4), radius: 0.4, height: 1.0 };
    let (_, request) = obstacles.add(MarkedVolume::block(post)).unwrap();
    assert_eq!(request.tiles.len(), 4);
    (obstacles, mesh)
}

/// What a step has published, and the units granted to each tile of the round.
type Told = (Vec<RebuiltTile>, Vec<(u64, u64)>);

/// Does something in a pool of so many threads; without the feature `rayon`, on one.
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "rayon")]
    return rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work);
    #[cfg(not(feature = "rayon"))]
    {
        let _ = threads;
        work()
    }
}

#[test]
fn steps_publish_and_grant_the_same_on_any_number_of_threads() {
    let told = |threads: usize, units: u64| -> Vec<Told> {
        let (mut obstacles, mut mesh) = four_tiles();
        on_threads(threads, || {
            let mut told = Vec::new();
            loop {
                let progress = obstacles.step(&mut mesh, Budget::new(units), &Context::default()).unwrap();
                let granted = obstacles.round.iter().flat_map(|round| round.obstacles());
                let mut granted: Vec<_> = granted.map(|(tile, _, granted)| (tile, granted)).collect();
                granted.sort_unstable();
                told.push((obstacles.rebuilt().to_vec(), granted));
                if progress.is_finished() {
                    return told;
                }
            }
        })
    };
    for units in [1, 3, 10, 10_000] {
        let alone = told(1, units);
        let granted = |at: usize| alone[at].1.iter().map(|(_, granted)| granted).sum::<u64>();
        assert!((0..alone.len() - 1).all(|at| granted(at) == (at as u64 + 1) * units), "no more than there is");
        assert_eq!(alone.last().unwrap().0.len(), 4);
        for threads in [2, 8] {
            assert!(told(threads, units) == alone, "{units} units a step, {threads} threads");
        }
    }
}

#[test]
fn a_cancelled_step_begins_no_tile() {
    let (mut obstacles, mut mesh) = four_tiles();
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = Context { cancel: Some(&cancel), ..Context::default() };
    for budget in [Budget::unlimited(), Budget::new(100_000)] {
        assert_eq!(obstacles.step(&mut mesh, budget, &cancelled), Err(RebuildError::Cancelled));
        let tasks = &obstacles.round.as_ref().unwrap().tasks;
        assert!(tasks.len() == 4 && tasks.iter().all(|task| task.needs_memory()));
    }
    assert!(obstacles.step(&mut mesh, Budget::unlimited(), &Context::default()).unwrap().is_finished());
}

#[test]
fn numbers_that_would_overflow_are_refused_when_a_session_is_read() {
    let (mut obstacles, mut mesh) = four_tiles();
    obstacles.step(&mut mesh, Budget::new(100), &Context::default()).unwrap();
    let bytes = obstacles.to_bytes();
    let body = without_checksum(&bytes).unwrap();
    // Behind version, digest, rounds, and two empty lists of tiles; and at the end, what the last tile was granted.
    let (next_order, credit) = (4 + 8 + 8 + 8 + 8, body.len() - 8);
    assert_eq!([next_order, credit].map(|at| body[at]), [1, 0]);
    let read = |at: usize, value: u64| {
        let mut body = body.to_vec();
        body[at..at + 8].copy_from_slice(&value.to_le_bytes());
        Obstacles::from_bytes(obstacles.checkpoints().clone(), &with_checksum(body))
    };
    for at in [next_order, credit] {
        assert_eq!(read(at, u64::MAX).map(drop), Err(ObstacleBytesError::Damaged));
        assert!(read(at, 7).is_ok());
    }
}

#[test]
fn checkpoints_without_bounds_are_refused() {
    let settings = BakeSettings { tile_size: 8, ..BakeSettings::default() };
    let refused = LevelCheckpoints::empty(&TriMesh::EMPTY, &settings).unwrap_err();
    assert!(refused == BakeError::NoBounds && refused.to_string().contains("bounds"));
}

#[test]
fn checkpoints_with_a_volume_of_no_triangles_are_read_again() {
    let corners = [Vec3::ZERO, Vec3::new(0.0, 0.0, 4.8), Vec3::new(4.8, 0.0, 4.8)];
    let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
    let nothing = Volume::Mesh { surface: Arc::new(TriMesh::EMPTY), offset: Vec3::ONE };
    let volumes = [MarkedVolume::block(nothing)];
    let level = Level { volumes: &volumes, ..Level::from(&level) };
    let made = LevelCheckpoints::bake(level, &BakeSettings::default(), &Context::default()).unwrap();
    assert_eq!(LevelCheckpoints::from_bytes(&made.to_bytes()).as_ref(), Ok(&made));
}

#[test]
fn all_obstacles_are_cleared_by_one_request() {
    let (mut obstacles, mut mesh) = four_tiles();
    while !obstacles.step(&mut mesh, Budget::unlimited(), &Context::default()).unwrap().is_finished() {}
    let corner = Volume::Cylinder { base: Vec3::new(0.8, 0.0, 0.8), radius: 0.3, height: 1.0 };
    let (added, first) = obstacles.add(MarkedVolume::block(corner)).unwrap();
    let request = obstacles.clear();
    assert_eq!((request.tiles.len(), first.tiles.len(), obstacles.count()), (4, 4, 0));
    assert!(obstacles.get(added).is_err());
    assert!(obstacles.clear().tiles.is_empty());
}
