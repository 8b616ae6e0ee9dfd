//! What writing and opening a store takes of memory for each tile: the figure in the chapter on large worlds, held to
//! what it says. `cargo test -p wayfare-store --test memory -- --nocapture` prints it.

use allocation_counter::measure;
use std::path::Path;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::format::{Sections, StoreHead, StoreRecord, WayEnd, WorldStore};
use wayfare::hierarchy::{TileGraph, write_default_levels};
use wayfare::tile::{SourcePoly, TileCoord, TileData, TileLayout, TileSource, build_tile};
use wayfare::{Vec2, Vec3};
use wayfare_store::{Store, open, open_to_write};

/// Bytes a tile that the chapter speaks of.
const BYTES: f64 = 350.0;

/// A tile of one square.
fn square(coord: TileCoord) -> TileData {
    let low = Vec3::new(coord.x as f32, 0.0, coord.z as f32);
    let verts = [[0., 0.], [0., 1.], [1., 1.], [1., 0.]].map(|[x, z]| low + Vec3::new(x, 0.0, z));
    let polys = [SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE }];
    let frame = Some([Vec2::new(low.x, low.z), Vec2::new(low.x + 1.0, low.z + 1.0)]);
    let source =
        TileSource { coord, verts: &verts, corners: &[0, 1, 2, 3], polys: &polys, frame, ..Default::default() };
    build_tile(&source).unwrap()
}

/// Writes tiles row by row, as a bake does.
fn write(path: &Path, side: i32) -> Store {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
    let mut store = open_to_write(path, &StoreHead::new(layout, WayEnd::default()).unwrap()).unwrap();
    for z in 0..side {
        for coord in (0..side).map(|x| TileCoord { x, z, layer: 0 }) {
            let tile = square(coord);
            let mut beside = Sections::EMPTY;
            beside.set(StoreRecord::GRAPH_SECTION, 1, TileGraph::as_made(&tile).to_bytes());
            store.write(&StoreRecord::new(store.head(), coord, 1, Some(&tile), &beside).unwrap()).unwrap();
        }
        store.commit().unwrap();
    }
    store
}

/// The most bytes in use while tiles are written, while the levels are built, while the store is finished, and while it
/// is opened.
fn peaks(side: i32) -> [f64; 4] {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.wayworld");
    let mut store = None;
    let writing = measure(|| store = Some(write(&path, side)));
    let mut store = store.unwrap();
    let held = writing.bytes_current as f64;
    let levels = measure(|| write_default_levels(&mut store).unwrap());
    let kept = held + levels.bytes_current as f64;
    let finishing = measure(move || _ = store.finish().unwrap());
    let opening = measure(|| _ = open(&path).unwrap());
    let most = |held: f64, bytes: u64| held + bytes as f64;
    [
        most(0.0, writing.bytes_max),
        most(held, levels.bytes_max),
        most(kept, finishing.bytes_max),
        most(0.0, opening.bytes_max),
    ]
}

#[test]
fn a_tile_takes_a_few_hundred_bytes_while_its_store_is_written() {
    // Both have more tiles than parts of the graph are kept at once, which take as much for either.
    let [few, many] = [72, 120];
    let (before, after) = (peaks(few), peaks(many));
    let tiles = f64::from(many * many - few * few);
    let each: Vec<f64> = before.iter().zip(after).map(|(before, after)| (after - before) / tiles).collect();
    println!(
        "bytes a tile: writing {:.0}, levels {:.0}, finishing {:.0}, opening {:.0}",
        each[0], each[1], each[2], each[3]
    );
    assert!(each.iter().all(|&each| each < BYTES), "{each:?}");
}
