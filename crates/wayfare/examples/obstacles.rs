//! A game loop in which crates are pushed about: tiles are rebuilt a little each frame, and readers take up what is
//! done.
//!
//! Two halls are joined by a gate. A crate is pushed into it: the path is told that it will soon be broken, the tiles
//! under the crate are rebuilt over several frames while the mesh answers as before, and then there is no path. When
//! the crate is taken away, the mesh is what it was.
//! Run it with `cargo run -p wayfare --example obstacles`.

use std::error::Error;
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::bake::bake_tiles;
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{LevelCheckpoints, Obstacles, Outcome, Request};
use wayfare::input::{BakeSettings, Level, MarkedVolume, TriMesh, Volume};
use wayfare::math::Aabb;
use wayfare::mesh::{MeshReader, NavMesh, SharedMesh};
use wayfare::query::{DefaultFilter, PathRequest, PolyPath, SearchScratch, find_nearest, find_path};

/// What a frame may spend on tiles, in cells: about a third of a millisecond.
const A_FRAME: Budget = Budget::new(20_000);

/// A box from the floor up to 3 m, by its corners on the plane (x, z).
fn block(min: [f32; 2], max: [f32; 2]) -> MarkedVolume {
    let bounds = Aabb { min: Vec3::new(min[0], 0.0, min[1]), max: Vec3::new(max[0], 3.0, max[1]) };
    MarkedVolume::block(Volume::Box(bounds))
}

/// The path from one hall to the other.
fn ask(mesh: &NavMesh) -> Result<PolyPath, Box<dyn Error>> {
    let filter = DefaultFilter::of(mesh);
    let place = |x| find_nearest(mesh, Vec3::new(x, 0.0, 15.0), Vec3::ONE, &filter).map(|nearest| nearest.place());
    let request = PathRequest::new(place(3.0).ok_or("no start")?, place(27.0).ok_or("no goal")?);
    Ok(find_path(mesh, &request, &filter, &mut SearchScratch::new())?)
}

/// Goes on with the rebuild frame by frame, until a request is built. How many frames it took.
fn frames(
    obstacles: &mut Obstacles,
    shared: &SharedMesh,
    reader: &mut MeshReader,
    request: &Request,
) -> Result<u32, Box<dyn Error>> {
    let mut frames = 0;
    while obstacles.outcome(request) == Outcome::Waiting {
        // Readers see the mesh before or after, and what others change in it, such as doors, is kept.
        shared.edit(|mesh| obstacles.step(mesh, A_FRAME, &Context::default()))?;
        // Here agents walk and paths are searched, on other threads too: on whole versions of the mesh.
        assert!(reader.latest().check().is_empty());
        frames += 1;
    }
    Ok(frames)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 30.0], [30.0, 0.0, 30.0], [30.0, 0.0, 0.0]].map(Vec3::from);
    let floor = TriMesh::new(floor.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    // A wall with a gate of four metres, part of the level.
    let walls = [block([14.8, 0.0], [15.2, 13.0]), block([14.8, 17.0], [15.2, 30.0])];
    let level = Level { mesh: &floor, terrain: None, volumes: &walls };

    // At build time: the mesh, and what its tiles are rebuilt from. Both can be saved in one file.
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    let (baked, _) = bake_tiles(level, &settings, &Context::default())?;
    let shared = SharedMesh::new(NavMesh::from_tiles(baked.layout, baked.tiles)?);
    let checkpoints = LevelCheckpoints::bake(level, &settings, &Context::default())?;
    println!("{} tiles, {} bytes of checkpoints", checkpoints.tile_count(), checkpoints.compressed_bytes());

    let mut obstacles = Obstacles::new(checkpoints);
    let mut reader = shared.reader();
    let path = ask(reader.latest())?;
    assert_eq!(path.status, PathStatus::Complete);

    // A crate beside the gate, which does not touch the path for now, is pushed into it.
    let (crate_, request) = obstacles.add(block([14.0, 20.0], [16.0, 24.0]))?;
    frames(&mut obstacles, &shared, &mut reader, &request)?;
    assert_eq!(ask(reader.latest())?.status, PathStatus::Complete);
    let request = obstacles.move_by(crate_, Vec3::new(0.0, 0.0, -7.0))?;
    // Before anything is rebuilt an agent can be told how far ahead its path will change.
    let mesh = reader.latest();
    let ahead = obstacles.soon_broken(mesh, &ask(mesh)?.polys);
    println!("the path will be broken from its polygon {ahead:?} on");
    assert!(ahead.is_some());
    let took = frames(&mut obstacles, &shared, &mut reader, &request)?;
    println!("{} tiles were rebuilt in {took} frames", request.tiles.len());
    assert_eq!(ask(reader.latest())?.status, PathStatus::Partial);

    // Taken away, it leaves no trace.
    let request = obstacles.remove(crate_)?;
    frames(&mut obstacles, &shared, &mut reader, &request)?;
    assert_eq!(ask(reader.latest())?.cost, path.cost);
    assert!(obstacles.remove(crate_).is_err(), "its handle is stale");
    Ok(())
}
