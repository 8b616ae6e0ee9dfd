//! A world of many tiles in memory: how long an ordinary search takes across it, and how long until an agent can set
//! out by a hierarchical one.
//!
//! ```sh
//! cargo run --release -p wayfare --example large_world -- 316     # tiles along a side: 100,000 in all
//! ```

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wayfare::area::{AreaId, PathStatus, PolyFlags};
use wayfare::hierarchy::{
    AbstractGraph, HierarchicalPath, HierarchyScratch, InMemory, Refinement, find_hierarchical_path,
};
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;
use wayfare::query::{DefaultFilter, PathRequest, PolyPath, PolyPoint, SearchScratch};
use wayfare::query::{find_nearest, find_path_into, string_pull};
use wayfare::tile::{SourcePoly, TileCoord, TileData, TileLayout, TileSource, build_tile};
use wayfare::{Vec2, Vec3};

/// Squares along the side of a tile, and metres along the side of a square.
const SQUARES: i32 = 4;
const METRES: f32 = 4.0;

/// A tile of squares, some of which are rocks.
fn tile(x: i32, z: i32, rng: &mut Rng) -> Result<TileData, Box<dyn Error>> {
    let side = SQUARES as f32 * METRES;
    let low = Vec3::new(x as f32, 0.0, z as f32) * side;
    let row = SQUARES as u32 + 1;
    let vert = |i: u32| low + Vec3::new((i % row) as f32, 0.0, (i / row) as f32) * METRES;
    let all: Vec<Vec3> = (0..row * row).map(vert).collect();
    let squares = (0..row * row).filter(|i| i % row + 1 < row && i / row + 1 < row);
    // The first square is never a rock.
    let open: Vec<u32> = squares.filter(|&i| i == 0 || rng.below(4) > 0).collect();
    let corners: Vec<u32> = open.iter().flat_map(|&i| [i, i + row, i + row + 1, i + 1]).collect();
    let used: BTreeSet<u32> = corners.iter().copied().collect();
    let verts: Vec<Vec3> = used.iter().map(|&i| all[i as usize]).collect();
    let number = |i: &u32| used.range(..i).count() as u32;
    let corners: Vec<u32> = corners.iter().map(number).collect();
    let polys = vec![SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE }; open.len()];
    let frame = Some([Vec2::new(low.x, low.z), Vec2::new(low.x + side, low.z + side)]);
    let coord = TileCoord { x, z, layer: 0 };
    Ok(build_tile(&TileSource { coord, verts: &verts, corners: &corners, polys: &polys, frame, ..Default::default() })?)
}

fn world(side: i32) -> Result<NavMesh, Box<dyn Error>> {
    let mut rng = Rng::new(28);
    let places = (0..side * side).map(|i| (i % side, i / side));
    let tiles = places.map(|(x, z)| tile(x, z, &mut rng)).collect::<Result<Vec<_>, _>>()?;
    let metres = SQUARES as f32 * METRES;
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: metres, tile_depth: metres };
    Ok(NavMesh::from_tiles(layout, tiles)?)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let side = std::env::args().nth(1).and_then(|side| side.parse().ok()).unwrap_or(24);
    let mut mesh = world(side)?;
    let filter = DefaultFilter::of(&mesh);
    let polygons: u32 = mesh.tiles().map(|tile| tile.poly_count()).sum();
    println!("{} tiles, {polygons} polygons", mesh.tile_count());

    let began = Instant::now();
    let mut graph = AbstractGraph::new(&mesh);
    println!("graph: {:?}, {:?}", began.elapsed(), graph.size());
    let began = Instant::now();
    graph.add_levels(&mesh, Arc::new(filter.clone()));
    println!("levels: {:?}", began.elapsed());
    for size in graph.levels().iter().flat_map(|levels| levels.sizes()) {
        println!("  {size:?}");
    }

    let mut rng = Rng::new(1);
    let metres = side as f32 * SQUARES as f32 * METRES;
    let (mut flat_times, mut first_times, mut whole_times) = (Vec::new(), Vec::new(), Vec::new());
    let (mut lengths, mut nodes) = ([0.0; 2], [0; 2]);
    let (mut scratch, mut flat_scratch) = (HierarchyScratch::new(), SearchScratch::new());
    let mut path = PolyPath::default();
    for _ in 0..20 {
        // From the left tenth to the right tenth.
        let mut place = |from: f32| -> Option<PolyPoint> {
            let point = Vec3::new((from + rng.unit() * 0.1) * metres, 0.0, rng.unit() * metres);
            find_nearest(&mesh, point, Vec3::splat(8.0), &filter).map(|found| found.place())
        };
        let (Some(start), Some(goal)) = (place(0.0), place(0.9)) else { continue };
        let request = PathRequest::new(start, goal);
        let began = Instant::now();
        find_path_into(&mesh, &request, &filter, &mut flat_scratch, &mut path)?;
        let flat_time = began.elapsed();
        let flat_length = string_pull(&path, &mut flat_scratch).length;
        let flat_status = path.status;
        nodes[0] += path.nodes;

        let mut world = InMemory::new(&mesh, &graph);
        let mut first = HierarchicalPath::new(&request, Refinement::default());
        let began = Instant::now();
        first.next_corridor(&mut world, &filter, &mut scratch, &mut path)?;
        let first_time = began.elapsed();
        nodes[1] += first.abstract_nodes();
        let began = Instant::now();
        let found = find_hierarchical_path(&mut world, &request, Refinement::default(), &filter, &mut scratch)?;
        let whole_time = began.elapsed();
        assert_eq!(found.path.status, flat_status, "a path is found exactly where an ordinary search finds one");
        if flat_status == PathStatus::Complete {
            flat_times.push(flat_time);
            first_times.push(first_time);
            whole_times.push(whole_time);
            lengths[0] += flat_length;
            lengths[1] += string_pull(&found.path, &mut scratch.query).length;
        }
    }
    let ratio = lengths[1] / lengths[0];
    println!("{} paths across; nodes of both searches: {nodes:?}", flat_times.len());
    println!("ordinary search: {:?}", median(flat_times));
    println!("first corridor:  {:?}", median(first_times));
    println!("all corridors:   {:?}, {ratio:.4} x as long", median(whole_times));
    assert!(ratio < 1.1);

    let mut times = Vec::new();
    for number in 0..20 {
        let tile = mesh.tiles().nth(number * mesh.tile_count() as usize / 20).ok_or("no such tile")?;
        let door = tile.reference(0);
        mesh.set_flags(door, PolyFlags(2))?;
        let began = Instant::now();
        assert_eq!(graph.update(&mesh), 1, "of one tile the part is made anew");
        times.push(began.elapsed());
    }
    println!("a door closes:   {:?}", median(times));
    Ok(())
}
