//! A store of many tiles: how long it takes to open, how much memory a server needs, and how soon an agent can set out.
//!
//! ```sh
//! cargo run --release -p wayfare-store --example large_store -- 316     # tiles along a side: 100,000 in all
//! ```

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};
use wayfare::area::{AreaId, PathStatus, PolyFlags};
use wayfare::format::{Sections, StoreHead, StoreRecord, WayEnd, WorldStore};
use wayfare::hierarchy::{
    HierarchicalPath, HierarchyScratch, Refinement, ResidentBudget, ResidentWorld, StoredTiles, TileGraph,
    find_hierarchical_path, read_levels, write_default_levels,
};
use wayfare::math::Rng;
use wayfare::query::{DefaultFilter, PathRequest, PolyPath, PolyPoint};
use wayfare::tile::{SourcePoly, TileCoord, TileData, TileLayout, TileSource, build_tile};
use wayfare::{Vec2, Vec3};
use wayfare_store::{open, open_to_write};

/// Squares along the side of a tile, and metres along the side of a square.
const SQUARES: u32 = 4;
const METRES: f32 = 4.0;
const TILE: f32 = SQUARES as f32 * METRES;
/// Tiles, and parts of the abstract graph, that are in memory at most.
const RESIDENT: usize = 64;
const PARTS: usize = 4096;

/// A tile of squares, some of which are rocks.
fn tile(coord: TileCoord, rng: &mut Rng) -> Result<TileData, Box<dyn Error>> {
    let low = Vec3::new(coord.x as f32, 0.0, coord.z as f32) * TILE;
    let row = SQUARES + 1;
    let squares = (0..row * row).filter(|i| i % row + 1 < row && i / row + 1 < row);
    // The first square is never a rock.
    let open: Vec<u32> = squares.filter(|&i| i == 0 || rng.below(4) > 0).collect();
    let corners: Vec<u32> = open.iter().flat_map(|&i| [i, i + row, i + row + 1, i + 1]).collect();
    let used: BTreeSet<u32> = corners.iter().copied().collect();
    let vert = |i: &u32| low + Vec3::new((i % row) as f32, 0.0, (i / row) as f32) * METRES;
    let verts: Vec<Vec3> = used.iter().map(vert).collect();
    let corners: Vec<u32> = corners.iter().map(|i| used.range(..i).count() as u32).collect();
    let polys = vec![SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE }; open.len()];
    let frame = Some([Vec2::new(low.x, low.z), Vec2::new(low.x + TILE, low.z + TILE)]);
    Ok(build_tile(&TileSource { coord, verts: &verts, corners: &corners, polys: &polys, frame, ..Default::default() })?)
}

fn write(path: &Path, side: i32) -> Result<(), Box<dyn Error>> {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: TILE, tile_depth: TILE };
    let mut store = open_to_write(path, &StoreHead::new(layout, WayEnd::default())?)?;
    let mut rng = Rng::new(28);
    for (x, z) in (0..side * side).map(|i| (i % side, i / side)) {
        let coord = TileCoord { x, z, layer: 0 };
        let tile = tile(coord, &mut rng)?;
        let mut beside = Sections::EMPTY;
        beside.set(StoreRecord::GRAPH_SECTION, 1, TileGraph::as_made(&tile).to_bytes());
        store.write(&StoreRecord::new(store.head(), coord, 1, Some(&tile), &beside)?)?;
    }
    store.commit()?;
    let began = Instant::now();
    write_default_levels(&mut store)?;
    println!("levels: {:?}", began.elapsed());
    store.finish()?;
    Ok(())
}

/// Memory of this process in bytes, where the system tells: now, and the most so far.
fn memory() -> Option<[u64; 2]> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let number = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
    };
    Some([number("VmRSS:")?, number("VmHWM:")?])
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let given: Option<i32> = args.next().and_then(|side| side.parse().ok());
    let side = given.unwrap_or(24);
    let folder = tempfile::tempdir()?;
    // A store that is given as well is kept: run again, the process only opens it, and its memory is that of a server.
    let kept = given.and_then(|_| args.next());
    let path = kept.map_or_else(|| folder.path().join("large.wayworld"), Into::into);
    if !path.exists() {
        write(&path, side)?;
    }
    let began = Instant::now();
    let store = open(&path)?;
    let opened = began.elapsed();
    let tiles: u64 = store.index().iter().map(|entry| entry.length).sum();
    let parts: u64 = store.index().iter().map(|entry| u64::from(entry.graph_bytes)).sum();
    let graph = parts + store.head().bytes().len() as u64;
    let share = graph as f64 / tiles as f64;
    println!("{} tiles, {tiles} bytes; graph with levels {graph} bytes, {:.1} %", store.index().len(), 100.0 * share);
    let began = Instant::now();
    let levels = read_levels(&store).map_or(0, |levels| levels.count());
    println!("{levels} levels, read in {:?}", began.elapsed());

    let began = Instant::now();
    let budget = ResidentBudget { tiles: RESIDENT, parts: PARTS, ..ResidentBudget::default() };
    let mut world = ResidentWorld::new(StoredTiles::new(store), budget);
    println!("opened in {opened:?}, world made in {:?}", began.elapsed());

    let filter = DefaultFilter::default();
    let mut scratch = HierarchyScratch::new();
    let mut rng = Rng::new(1);
    let metres = side as f32 * TILE;
    let (mut first_times, mut with_loads, mut nodes, mut complete) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut corridor = PolyPath::default();
    for _ in 0..20 {
        // From the left tenth to the right tenth.
        let mut place = |from: f32| -> Option<PolyPoint> {
            let point = Vec3::new((from + rng.unit() * 0.1) * metres, 0.0, rng.unit() * metres);
            world.nearest(point, Vec3::splat(8.0), &filter)
        };
        let (Some(start), Some(goal)) = (place(0.0), place(0.9)) else { continue };
        let request = PathRequest::new(start, goal);
        // The second time all that it needs is in memory.
        for times in [&mut with_loads, &mut first_times] {
            let mut path = HierarchicalPath::new(&request, Refinement::default());
            let began = Instant::now();
            path.next_corridor(&mut world, &filter, &mut scratch, &mut corridor)?;
            times.push(began.elapsed());
            nodes.push(path.abstract_nodes());
        }
        let found = find_hierarchical_path(&mut world, &request, Refinement::default(), &filter, &mut scratch)?;
        complete += u32::from(found.path.status == PathStatus::Complete);
    }
    nodes.sort_unstable();
    println!("{complete} paths across; abstract nodes {nodes:?}");
    println!("first corridor: {:?}, with loads {:?}", median(first_times), median(with_loads));
    let stats = world.stats();
    println!("{stats:?}; memory now and at most: {:?}", memory());
    assert!(stats.most_tiles <= RESIDENT && world.take_events().is_empty());
    assert!(share < 0.1 && complete > 0, "the graph is small, and paths are found");
    Ok(())
}
