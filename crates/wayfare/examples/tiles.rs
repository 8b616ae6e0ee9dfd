//! A level that changes: a thread in the background bakes the tiles that are touched, while the game goes on asking.
//!
//! The game builds a wall. It sends the new level to a worker, which bakes what changed and publishes a new version of
//! the mesh. The game looks for a newer version once a frame and never waits.
//! Run it with `cargo run -p wayfare --example tiles`.

use std::error::Error;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use wayfare::Vec3;
use wayfare::bake::{BakeReport, TileBaker, TilePlan, bake_tiles};
use wayfare::context::Context;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, SharedMesh};
use wayfare::tile::{TileCoord, TileData};

/// The level as it is after a change, and the box in which it changed.
struct Change {
    level: TriMesh,
    bounds: Aabb,
}

/// A floor of 40 by 40 metres, with a wall across its middle if there is one. The wall leaves room at both ends.
fn level(wall: Option<&[Vec3; 4]>) -> Result<TriMesh, Box<dyn Error>> {
    let mut verts = [[0.0, 0.0, 0.0], [0.0, 0.0, 40.0], [40.0, 0.0, 40.0], [40.0, 0.0, 0.0]].map(Vec3::from).to_vec();
    let mut tris = vec![[0, 1, 2], [0, 2, 3]];
    if let Some(wall) = wall {
        verts.extend(wall);
        tris.extend([[4, 5, 6], [4, 6, 7]]);
    }
    Ok(TriMesh::new(verts, tris)?)
}

/// A tile as it is after a change; `None` if nothing in it is walkable.
type Baked = (TileCoord, Option<TileData>);

/// Bakes the tiles that a change touches.
fn bake(plan: &TilePlan, baker: &mut TileBaker, change: &Change) -> Result<Vec<Baked>, Box<dyn Error>> {
    let mut report = BakeReport::new(change.level.bounds());
    let mut tiles = Vec::new();
    for index in plan.tiles_touched(&change.bounds) {
        let rect = plan.tile(index);
        // On a large level, name the triangles near the tile instead of `None`, which is all of them.
        tiles.push((rect.coord, baker.bake(&change.level, None, &rect, &Context::default(), &mut report)?));
    }
    Ok(tiles)
}

/// Puts baked tiles in place of the old ones.
fn replace(mesh: &mut NavMesh, tiles: Vec<Baked>) -> Result<(), Box<dyn Error>> {
    for (coord, new) in tiles {
        let old = mesh.tile_at(coord).map(|tile| tile.tile_ref());
        match (old, new) {
            (Some(old), Some(new)) => drop(mesh.replace_tile(old, new)?),
            (Some(old), None) => drop(mesh.remove_tile(old)?),
            (None, Some(new)) => _ = mesh.add_tile(new)?,
            (None, None) => {}
        }
    }
    Ok(())
}

/// The worker: works through the changes until the game hangs up. Returns how many tiles it baked.
fn work(shared: &SharedMesh, plan: &TilePlan, changes: &Receiver<Change>) -> usize {
    // A baker keeps its memory from tile to tile.
    let mut baker = TileBaker::new(plan.level, plan.settings);
    let mut count = 0;
    for change in changes {
        // Baking takes long and needs no mesh; others may edit it meanwhile.
        let tiles = bake(plan, &mut baker, &change).expect("the level can be baked");
        count += tiles.len();
        // All tiles of a change appear at once, in whatever the mesh has become by now.
        shared.edit(|mesh| replace(mesh, tiles)).expect("the tiles are of this plan");
    }
    count
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    let empty = level(None)?;
    // The plan says where the tiles are. It is made once, so that tiles stay where they are.
    let plan = TilePlan::new(&empty, &settings)?;
    let (baked, _) = bake_tiles(&empty, &settings, &Context::default())?;
    let shared = SharedMesh::new(NavMesh::from_tiles(baked.layout, baked.tiles)?);

    let (sender, changes) = channel();
    let worker = thread::spawn({
        let shared = shared.clone();
        move || work(&shared, &plan, &changes)
    });

    let mut reader = shared.reader();
    let before = reader.latest().find_path([20.0, 0.0, 5.0], [20.0, 0.0, 35.0]);
    println!("before the wall: {} points, {:.1} m", before.points.len(), before.length);
    assert_eq!(before.points.len(), 2, "straight across");

    let wall = [[5.0, 0.0, 20.0], [35.0, 0.0, 20.0], [35.0, 3.0, 20.0], [5.0, 3.0, 20.0]].map(Vec3::from);
    sender.send(Change { level: level(Some(&wall))?, bounds: Aabb::around(wall) })?;
    drop(sender);

    // Frames of the game: each asks whatever version is there.
    let mut frames = 0;
    let after = loop {
        let route = reader.latest().find_path([20.0, 0.0, 5.0], [20.0, 0.0, 35.0]);
        frames += 1;
        if route.points.len() > 2 {
            break route;
        }
        assert_eq!(route.points, before.points, "half a change is never seen");
        thread::yield_now();
    };
    let tiles = worker.join().map_err(|_| "the worker panicked")?;
    println!("after it: {} points, {:.1} m, seen in frame {frames}", after.points.len(), after.length);
    println!("{tiles} of {} tiles were baked anew", plan.tile_count());
    assert!(after.is_complete() && after.length > before.length + 5.0, "the path goes round the wall");
    assert!((tiles as u64) < plan.tile_count());
    Ok(())
}
