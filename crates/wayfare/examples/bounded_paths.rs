//! Paths across a large building, guided by bounds of costs: computed once, they show a search the way to any goal.
//!
//! ```sh
//! cargo run --release -p wayfare --example bounded_paths -- 24     # rooms along a side
//! ```

use std::collections::BTreeSet;
use std::error::Error;
use std::time::{Duration, Instant};
use wayfare::area::{AreaId, PathStatus, PolyFlags};
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;
use wayfare::query::{
    CostBounds, DefaultFilter, PathRequest, PolyPath, SearchScratch, find_bounded_path_into, find_nearest,
    find_path_into,
};
use wayfare::tile::{SourcePoly, TileCoord, TileSource, build_tile};
use wayfare::{Vec2, Vec3};

/// Squares of a metre along the side of a room, with the wall to the next.
const ROOM: u32 = 6;

/// Rooms in rows, with doors between some of them: in each wall one, and in a quarter of the walls none.
fn building(rooms: u32, rng: &mut Rng) -> Result<NavMesh, Box<dyn Error>> {
    let side = rooms * ROOM;
    let doors: Vec<[Option<u32>; 2]> =
        (0..rooms * rooms).map(|_| [(); 2].map(|()| (rng.below(4) > 0).then(|| rng.below(ROOM - 1)))).collect();
    let is_open = |x: u32, z: u32| {
        let [across, down] = doors[(z / ROOM * rooms + x / ROOM) as usize];
        match (x % ROOM == ROOM - 1, z % ROOM == ROOM - 1) {
            (false, false) => true,
            (true, false) => across == Some(z % ROOM),
            (false, true) => down == Some(x % ROOM),
            (true, true) => false,
        }
    };
    let row = side + 1;
    let squares = (0..side * side).map(|i| (i % side, i / side)).filter(|&(x, z)| is_open(x, z));
    let corners: Vec<u32> = squares.map(|(x, z)| z * row + x).flat_map(|i| [i, i + row, i + row + 1, i + 1]).collect();
    let used: BTreeSet<u32> = corners.iter().copied().collect();
    let mut numbers = vec![0; (row * row) as usize];
    (0..).zip(&used).for_each(|(number, &vert)| numbers[vert as usize] = number);
    let verts: Vec<Vec3> = used.iter().map(|&i| Vec3::new((i % row) as f32, 0.0, (i / row) as f32)).collect();
    let corners: Vec<u32> = corners.iter().map(|&i| numbers[i as usize]).collect();
    let polys = vec![SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE }; corners.len() / 4];
    let frame = Some([Vec2::ZERO, Vec2::splat(side as f32)]);
    let coord = TileCoord::default();
    let tile = build_tile(&TileSource {
        coord,
        verts: &verts,
        corners: &corners,
        polys: &polys,
        frame,
        ..Default::default()
    })?;
    Ok(NavMesh::from_tile(tile)?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let rooms = std::env::args().nth(1).and_then(|rooms| rooms.parse().ok()).unwrap_or(20);
    let mut rng = Rng::new(7);
    let mesh = building(rooms, &mut rng)?;
    let filter = DefaultFilter::of(&mesh);
    let polygons: u32 = mesh.tiles().map(|tile| tile.poly_count()).sum();
    let began = Instant::now();
    let bounds = CostBounds::new(&mesh, &filter);
    println!(
        "{polygons} polygons; bounds: {:?}, {} bytes a polygon",
        began.elapsed(),
        bounds.bytes() as u32 / polygons
    );

    let side = (rooms * ROOM) as f32;
    let mut scratch = SearchScratch::new();
    let (mut flat, mut guided) = (PolyPath::default(), PolyPath::default());
    let (mut nodes, mut times, mut paths) = ([0_u64; 2], [Duration::ZERO; 2], 0);
    for _ in 0..400 {
        let mut place = || {
            let point = Vec3::new(rng.unit() * side, 0.0, rng.unit() * side);
            find_nearest(&mesh, point, Vec3::splat(2.0), &filter).map(|found| found.place())
        };
        let (Some(start), Some(goal)) = (place(), place()) else { continue };
        let request = PathRequest::new(start, goal);
        let began = Instant::now();
        find_path_into(&mesh, &request, &filter, &mut scratch, &mut flat)?;
        let flat_time = began.elapsed();
        let began = Instant::now();
        find_bounded_path_into((&mesh, &bounds), &request, &filter, &mut scratch, &mut guided)?;
        let guided_time = began.elapsed();
        assert_eq!(guided.status, flat.status);
        if flat.status == PathStatus::Complete {
            assert!(guided.cost <= flat.cost * 1.0001, "no path is more expensive: {} {}", guided.cost, flat.cost);
            nodes = [nodes[0] + u64::from(flat.nodes), nodes[1] + u64::from(guided.nodes)];
            times = [times[0] + flat_time, times[1] + guided_time];
            paths += 1;
        }
    }
    println!("{paths} paths; without bounds: {} nodes, {:?} a path", nodes[0] / paths, times[0] / paths as u32);
    println!("with bounds: {} nodes, {:?} a path", nodes[1] / paths, times[1] / paths as u32);
    assert!(nodes[1] * 2 < nodes[0], "with bounds a search opens less than half as many nodes");
    Ok(())
}
