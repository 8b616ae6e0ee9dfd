//! Paths for agents of any radius on a mesh baked for none: legal, as short as they can be, and where the agent fits at
//! all.

use glam::{DVec2, Vec2};
use wayfare::Vec3;
use wayfare::area::{AreaId, PathStatus, PolyFlags};
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::input::{AgentSettings, BakeSettings, Erosion, MarkedVolume, Partition, TriMesh, Volume};
use wayfare::math::Aabb;
use wayfare::math::polygon::area;
use wayfare::mesh::NavMesh;
use wayfare::query::{
    ClearanceMesh, DefaultFilter, PathRequest, PolyPoint, SearchScratch, extra_radius, find_distance_to_wall,
    find_nearest, find_optimal_path, find_path, poly_height, string_pull, wall_segments,
};
use wayfare::tile::{SourcePoly, TileCoord, TileLayout, TileSource, build_tile};
use wayfare_scenes::{Rng, Scene, scene};
use wayfare_testkit::levels::{WAYS, bake, connect, seeded};
use wayfare_testkit::oracle::{PlaneMap, on_plane};
use wayfare_testkit::{along, polys, property, random_place as random_place_of};

/// Plan coordinates of these levels are rounded to less than that, metres.
const SLACK: f64 = 1e-4;

/// Cells of a crooked grid along one side of a level, and of a tile.
const CELLS: i32 = 8;

/// Flat ground of crooked triangles, two to a cell, two cells of seven missing; in tiles of so many cells.
fn crooked_ground(tile_cells: i32, rng: &mut Rng) -> NavMesh {
    let mut corner = |x: i32, z: i32| {
        let mut off = |at: i32| if at % tile_cells == 0 { 0.0 } else { rng.unit() * 0.5 - 0.25 };
        Vec3::new(x as f32 + off(x), 0.0, z as f32 + off(z))
    };
    let corners: Vec<Vec3> =
        (0..=CELLS).flat_map(|z| (0..=CELLS).map(move |x| (x, z))).map(|(x, z)| corner(x, z)).collect();
    let rock: Vec<bool> = (0..CELLS * CELLS).map(|_| rng.whole(0, 6) < 2).collect();
    let mut tiles = Vec::new();
    for tile in 0..(CELLS / tile_cells) * (CELLS / tile_cells) {
        let (tile_x, tile_z) = (tile % (CELLS / tile_cells), tile / (CELLS / tile_cells));
        let mut indices = Vec::new();
        for cell in 0..tile_cells * tile_cells {
            let (x, z) = (tile_x * tile_cells + cell % tile_cells, tile_z * tile_cells + cell / tile_cells);
            if !rock[(z * CELLS + x) as usize] {
                let at = |dx: i32, dz: i32| ((z + dz) * (CELLS + 1) + x + dx) as u32;
                let [a, b, c, d] = [at(0, 0), at(0, 1), at(1, 1), at(1, 0)];
                indices.extend(if (x + z) % 2 == 0 { [a, b, c, a, c, d] } else { [a, b, d, b, c, d] });
            }
        }
        let poly = SourcePoly { count: 3, flags: PolyFlags::WALK, area: AreaId::WALKABLE };
        let low = Vec2::new((tile_x * tile_cells) as f32, (tile_z * tile_cells) as f32);
        let source = TileSource {
            coord: TileCoord { x: tile_x, z: tile_z, layer: 0 },
            agent_height: 2.0,
            agent_climb: 0.5,
            verts: &corners,
            corners: &indices,
            polys: &vec![poly; indices.len() / 3],
            frame: Some([low, low + Vec2::splat(tile_cells as f32)]),
            ..TileSource::default()
        };
        tiles.push(build_tile(&source).unwrap());
    }
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: tile_cells as f32, tile_depth: tile_cells as f32 };
    NavMesh::from_tiles(layout, tiles).unwrap()
}

fn baked(spec: &str, radius: f32, tile_size: u32) -> NavMesh {
    let scene = scene(spec).unwrap();
    let mut settings = scene.settings;
    settings.agent.radius = radius;
    connect(bake(&Scene { settings, ..scene }, Partition::Watershed, tile_size).0)
}

fn random_place(nav: &NavMesh, rng: &mut Rng) -> PolyPoint {
    let bounds = nav.bounds();
    let point = bounds.min + bounds.size() * Vec3::new(rng.unit(), 0.5, rng.unit());
    find_nearest(nav, point, bounds.size(), &DefaultFilter::default()).unwrap().place()
}

/// Status and points of the path between two places.
fn walk(nav: &NavMesh, start: PolyPoint, goal: PolyPoint) -> (PathStatus, Vec<Vec3>) {
    let mut scratch = SearchScratch::new();
    let path = find_path(nav, &PathRequest::new(start, goal), &DefaultFilter::default(), &mut scratch).unwrap();
    let straight = string_pull(&path, &mut scratch);
    (path.status, straight.points.iter().map(|p| p.point).collect())
}

/// The points of the shortest path between two places in any direction, if it is complete.
fn shortest_walk(nav: &NavMesh, start: PolyPoint, goal: PolyPoint) -> Vec<Vec3> {
    let (request, filter) = (PathRequest::new(start, goal), DefaultFilter::default());
    let found = find_optimal_path(nav, &request, &filter, &mut SearchScratch::new()).unwrap();
    let points = found.straight.points.iter().map(|p| p.point);
    if found.path.status == PathStatus::Complete { points.collect() } else { Vec::new() }
}

/// Length on the plane.
fn length(points: &[Vec3]) -> f64 {
    points.windows(2).map(|w| on_plane(w[0]).distance(on_plane(w[1]))).sum()
}

#[test]
fn paths_keep_the_radius_from_every_wall_and_exist_where_a_disc_fits() {
    property("paths_keep_the_radius_from_every_wall_and_exist_where_a_disc_fits", 8, |rng| {
        let tile_cells = [2, 4, 8][rng.whole(0, 2) as usize];
        let nav = crooked_ground(tile_cells, rng);
        assert_eq!(nav.check(), []);
        let walls = PlaneMap::of(&nav);
        let radius = 0.05 + 0.6 * rng.unit() * rng.unit();
        let what = format!("tiles of {tile_cells}, radius {radius}");
        let wide = ClearanceMesh::new(&nav, radius, &DefaultFilter::default()).unwrap();
        assert_eq!(wide.mesh().check(), [], "{what}");
        if wide.mesh().bounds().is_empty() {
            return;
        }
        let ground = PlaneMap::of(wide.mesh());
        for &[a, b] in &ground.walls {
            let clear = walls.clearance((a + b) / 2.0, (a + b) / 2.0);
            let bounds = f64::from(radius) - SLACK..=f64::from(radius) * 1.01 + SLACK;
            assert!(bounds.contains(&clear), "{what}: a border from {a} to {b} is {clear} from the nearest wall");
        }
        for _ in 0..5 {
            // Half of them within their polygons: on a border a disc that is wider by a hair does not fit.
            let place = |rng: &mut Rng| {
                let place = random_place(wide.mesh(), rng);
                let center = wide.mesh().poly(place.poly).unwrap().center();
                PolyPoint { point: place.point.lerp(center, [0.0, 0.1][rng.whole(0, 1) as usize]), ..place }
            };
            let (start, goal) = (place(rng), place(rng));
            let (status, points) = walk(wide.mesh(), start, goal);
            let (there, back) = (shortest_walk(wide.mesh(), start, goal), shortest_walk(wide.mesh(), goal, start));
            for pair in points.windows(2).chain(there.windows(2)).chain(back.windows(2)) {
                let [a, b] = [pair[0], pair[1]].map(on_plane);
                let clear = walls.clearance(a, b);
                assert!(clear >= f64::from(radius) - SLACK, "{what}: {a} to {b} comes as near as {clear}");
            }
            let [from, to] = [start.point, goal.point].map(on_plane);
            // By a hair wider or narrower: gaps may be as wide as the disc.
            let disc = |spare: f64| walls.shortest_for_disc(from, to, f64::from(radius) + spare);
            if let Some(disc) = disc(SLACK) {
                assert_eq!(status, PathStatus::Complete, "{what}: from {from} to {to}, a disc needs {disc}");
                let ours = length(&there);
                assert!(ours <= disc * 1.01 + SLACK, "{what}: {ours} from {from} to {to}, a disc needs {disc}");
            } else if status == PathStatus::Complete {
                assert!(disc(-SLACK).is_some(), "{what}: no way from {from} to {to} for a disc");
            }
            // The shortest on the ground that is left is what the optimal search finds.
            let Some(ours) = ground.shortest(from, to).filter(|_| status == PathStatus::Complete) else { continue };
            for found in [length(&there), length(&back)] {
                assert!(
                    (found - ours).abs() <= SLACK * (1.0 + ours),
                    "{what}: {found} from {from} to {to}, not {ours}"
                );
            }
            assert!(length(&there) <= length(&points) + SLACK, "{what}: longer than the corridor search's");
        }
    });
}

/// Walls are those of the first mesh, on the floor on which the path is, as its own query finds them.
#[test]
fn on_several_floors_and_over_tiles_paths_stay_on_the_mesh_and_away_from_its_walls() {
    property("on_several_floors_and_over_tiles_paths_stay_on_the_mesh_and_away_from_its_walls", 12, |rng| {
        let spec = seeded(&["two_floors", "spiral_ramp", "offices?rooms=3", "bridge", "stairs", "city?blocks=1"], rng);
        let (way, partition, tile_size) = WAYS[rng.whole(0, 3) as usize];
        let nav = connect(bake(&scene(&spec).unwrap(), partition, tile_size).0);
        let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
        let radius = 0.1 + 0.9 * rng.unit();
        let wide = ClearanceMesh::new(&nav, radius, &filter).unwrap();
        let all = polys(wide.mesh());
        if all.is_empty() {
            return;
        }
        for _ in 0..20 {
            let ends = [random_place_of(wide.mesh(), &all, rng), random_place_of(wide.mesh(), &all, rng)];
            let what = format!("{spec} {way}, radius {radius}: {ends:?}");
            let mut ask = |[start, goal]: [PolyPoint; 2]| {
                find_optimal_path(wide.mesh(), &PathRequest::new(start, goal), &filter, &mut scratch).unwrap()
            };
            let (found, back) = (ask(ends), ask([ends[1], ends[0]]));
            assert_eq!(found.path.status, back.path.status, "{what}: one way only");
            if found.path.status == PathStatus::Complete {
                let [there, back] = [&found, &back].map(|found| f64::from(found.path.cost / found.bound));
                assert!((there - back).abs() <= SLACK * (1.0 + there), "{what}: {there} there, {back} back");
            }
            for (place, off) in along(wide.mesh(), &found.path, &found.straight) {
                assert!(off <= 1e-3, "{what}: off the mesh by {off} near {place:?}");
                let on_base = PolyPoint { poly: wide.base_poly(place.poly).unwrap(), point: place.point };
                let wall = find_distance_to_wall(&nav, on_base, 2.0 * radius, &filter, &mut scratch).unwrap();
                let clear = wall.map_or(f32::INFINITY, |wall| wall.distance);
                assert!(clear >= radius - 2e-3, "{what}: {clear} from a wall at {place:?}");
            }
        }
    });
}

#[test]
fn a_door_opens_for_agents_that_fit() {
    // Eleven rooms in a row, six metres each and 0.6 of wall between, with doors of 0.6 m, 0.8 m and so on.
    let nav = baked("doors", 0.0, 0);
    for radius in [0.2, 0.35, 0.5, 0.8, 1.05, 1.4] {
        let wide = ClearanceMesh::new(&nav, radius, &DefaultFilter::default()).unwrap();
        let room = |i: u32| {
            let middle = Vec3::new(i as f32 * 6.6 + 3.0, 0.0, 3.0);
            find_nearest(wide.mesh(), middle, Vec3::splat(1.0), &DefaultFilter::default()).unwrap().place()
        };
        for door in 0..10 {
            let spare = 0.6 + 0.2 * door as f32 - 2.0 * radius;
            // The bake gives the width of a door to the cell, which is 0.1 m.
            if spare.abs() > 0.11 {
                let open = walk(wide.mesh(), room(door), room(door + 1)).0 == PathStatus::Complete;
                assert_eq!(open, spare > 0.0, "door {door} for radius {radius}");
            }
        }
    }
}

#[test]
fn a_wider_agent_needs_no_longer_way_than_on_a_mesh_of_its_own() {
    let spec = "holes_and_pillars?size=20&holes=5&pillars=5&seed=3";
    let (nav, own) = (baked(spec, 0.0, 0), baked(spec, 0.6, 0));
    let wide = ClearanceMesh::new(&nav, 0.6, &DefaultFilter::default()).unwrap();
    let (ground, own_ground) = (PlaneMap::of(wide.mesh()), PlaneMap::of(&own));
    let cell = f64::from(scene(spec).unwrap().settings.cell_size);
    let mut rng = Rng::new(1);
    let mut asked = 0;
    while asked < 10 {
        let start = random_place(&own, &mut rng);
        let goal = random_place(&own, &mut rng);
        let near = |p: Vec3| find_nearest(wide.mesh(), p, Vec3::new(1.0, 4.0, 1.0), &DefaultFilter::default());
        let (Some(a), Some(b)) = (near(start.point), near(goal.point)) else { continue };
        let [from, to]: [DVec2; 2] = [start.point, goal.point].map(on_plane);
        let (Some(ours), Some(baked)) =
            (ground.shortest(on_plane(a.point), on_plane(b.point)), own_ground.shortest(from, to))
        else {
            continue;
        };
        asked += 1;
        assert!(ours <= baked * 1.01 + 2.0 * cell, "{ours}, {baked} on its own mesh, from {from} to {to}");
    }
}

#[test]
fn a_wider_agent_keeps_its_radius_from_the_walls_of_a_bake_and_no_more() {
    let corners = [(0.0, 0.0), (0.0, 20.0), (20.0, 20.0), (20.0, 0.0)].map(|(x, z)| Vec3::new(x, 0.0, z));
    let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let agent = AgentSettings { radius: 0.6, ..AgentSettings::default() };
    // The cell at a ledge is no ground, and both take two more away; the exact erosion promises no more than the
    // radius, and may keep a cell more.
    for (erosion, baked, more) in [(Erosion::Chamfer, 1.0, 0.0), (Erosion::Euclidean, 0.6, 0.5)] {
        let settings = BakeSettings { cell_size: 0.5, erosion, ..BakeSettings::for_agent(agent) };
        let mesh = connect(bake_tiles(&level, &settings, &Context::default()).unwrap().0);
        for radius in [0.5_f32, 0.6, 0.9, 1.0, 1.25, 2.0] {
            let extra = extra_radius(&mesh, radius);
            assert!((extra - (radius - baked).max(0.0)).abs() < 1e-6, "{erosion:?} {radius}: {extra}");
            let left = ClearanceMesh::new(&mesh, extra, &DefaultFilter::default()).unwrap().mesh().bounds();
            let most = 0.5 + radius.max(1.0) + more + 2e-3;
            for kept in [left.min.x, left.min.z, 20.0 - left.max.x, 20.0 - left.max.z] {
                assert!((0.5 + radius - 1e-4..most).contains(&kept), "{erosion:?} {radius}: {kept}");
            }
        }
    }
}

#[test]
fn the_ground_keeps_its_height() {
    let filter = DefaultFilter::default();
    for (spec, tile_size) in
        [("terrain?size=64&height=4", 0), ("terrain?size=64&height=4", 32), ("terrain?size=64&height=4&seed=5", 48)]
    {
        let base = baked(spec, 0.3, tile_size);
        for radius in [0.0, 1e-3, 0.2, 0.7, 1.5] {
            let wide = ClearanceMesh::new(&base, radius, &filter).unwrap();
            let what = format!("{spec} in tiles of {tile_size}, radius {radius}");
            assert_eq!(wide.mesh().check(), [], "{what}");
            let (mut rng, mut asked) = (Rng::new(7), 0);
            for tile in wide.mesh().tiles() {
                for poly in (0..tile.poly_count()).flat_map(|poly| [poly; 64]) {
                    // Anywhere on it: on a fan of its corners.
                    let corners: Vec<Vec3> = tile.data().points_of(poly).collect();
                    let k = rng.whole(1, corners.len() as i32 - 2) as usize;
                    let (s, t) = (rng.unit(), rng.unit());
                    let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
                    let at = corners[0] + (corners[k] - corners[0]) * s + (corners[k + 1] - corners[0]) * t;
                    let piece = tile.reference(poly);
                    let of = wide.base_poly(piece).unwrap();
                    let heights =
                        [(wide.mesh(), piece), (&base, of)].map(|(mesh, poly)| poly_height(mesh, poly, at).unwrap());
                    // Within rounding of an edge it may be over one and not over the other.
                    let [Some(here), Some(there)] = heights else { continue };
                    assert!((here - there).abs() < 2e-3, "{what}: {here} at {at}, {there} on the mesh it was cut from");
                    let near = find_nearest(wide.mesh(), Vec3 { y: there, ..at }, Vec3::splat(0.5), &filter).unwrap();
                    assert!((near.point.y - there).abs() < 2e-3, "{what}: nearest at {}, not {there}", near.point.y);
                    asked += 1;
                }
            }
            assert!(asked > 100, "{what}: {asked}");
        }
    }
}

#[test]
fn a_radius_beyond_all_rooms_leaves_nothing() {
    let nav = baked("dungeon", 0.3, 48);
    for radius in [60.0, 1e4, 1e30] {
        let wide = ClearanceMesh::new(&nav, radius, &DefaultFilter::default()).unwrap();
        assert!(wide.mesh().bounds().is_empty(), "{radius}");
    }
}

/// On levels of several storeys as one tile: a hair more of a radius takes no more than a hair beside each wall,
/// whatever lies above, below, or beyond the next room.
#[test]
fn a_little_more_radius_takes_no_more_than_a_strip_beside_each_wall() {
    for spec in ["two_floors", "dungeon", "spiral_ramp", "bridge", "holes_and_pillars", "offices"] {
        let scene = scene(spec).unwrap();
        let mesh = connect(bake(&scene, Partition::Watershed, 0).0);
        let filter = DefaultFilter::default();
        let ground = |mesh: &NavMesh| -> f64 {
            let all = mesh.tiles().flat_map(|tile| (0..tile.poly_count()).map(move |poly| (tile, poly)));
            all.map(|(tile, poly)| f64::from(area(&tile.data().points_of(poly).collect::<Vec<_>>()))).sum()
        };
        let (mut length, mut count) = (0.0, 0.0);
        for reference in polys(&mesh) {
            for wall in wall_segments(&mesh, reference, &filter).unwrap() {
                length += f64::from(wall.start.with_y(0.0).distance(wall.end.with_y(0.0)));
                count += 1.0;
            }
        }
        for extra in [1e-3, 0.01, 0.1] {
            let wide = ClearanceMesh::new(&mesh, extra, &filter).unwrap();
            let (taken, extra) = (ground(&mesh) - ground(wide.mesh()), f64::from(extra));
            // A sector about each corner at most, and the rounding of both.
            let most = (extra + SLACK) * length + count * (3.2 * extra * extra + SLACK);
            assert!(taken > 0.0 && taken < most, "{spec}, {extra}: {taken} of {} m², {most} at most", ground(&mesh));
        }
    }
}

/// However little is taken, ways stay open, and about as long: cuts from both sides of an edge meet.
#[test]
fn a_little_more_radius_closes_no_way() {
    let (filter, mut rng) = (DefaultFilter::default(), Rng::new(3));
    for spec in ["two_floors", "holes_and_pillars", "offices", "river"] {
        let mesh = connect(bake(&scene(spec).unwrap(), Partition::Watershed, 0).0);
        let bounds = mesh.bounds();
        let mut place = || bounds.min + bounds.size() * Vec3::new(rng.unit(), rng.unit(), rng.unit());
        let ways: Vec<[Vec3; 2]> = (0..60).map(|_| [place(), place()]).collect();
        for extra in [1e-4, 1e-3, 2e-3, 0.01, 0.02] {
            let wide = ClearanceMesh::new(&mesh, extra, &filter).unwrap();
            let (mut open, mut length) = (0, [0.0f32; 2]);
            for &[from, to] in &ways {
                let [before, now] = [&mesh, wide.mesh()].map(|mesh| mesh.find_path(from, to));
                if before.is_complete() {
                    assert!(now.is_complete(), "{spec}, {extra}: from {from} to {to}");
                    for (sum, route) in length.iter_mut().zip([&before, &now]) {
                        *sum += route.points.windows(2).map(|w| w[0].distance(w[1])).sum::<f32>();
                    }
                    open += 1;
                }
            }
            let [before, now] = length;
            assert!(open > 30 && now < before * 1.05, "{spec}, {extra}: {open} ways of {before} m are {now} m");
        }
    }
}

/// Where a wider agent comes, a narrower one does too, and no way is longer for it: over ground cut into areas, by rows
/// and by watersheds, so that polygons have corners in the middle of their sides.
#[test]
fn what_is_open_for_a_wider_agent_is_open_for_a_narrower_one() {
    property("what_is_open_for_a_wider_agent_is_open_for_a_narrower_one", 10, |rng| {
        let mut level = scene("flat").unwrap();
        for k in 0..14 {
            let (x, z) = (rng.unit() * 30.0 - 18.0, rng.unit() * 30.0 - 18.0);
            let max = Vec3::new(x + 0.5 + rng.unit() * 8.5, 2.0, z + 0.5 + rng.unit() * 8.5);
            let volume = Volume::Box(Aabb { min: Vec3::new(x, -1.0, z), max });
            let paint = |area| MarkedVolume::paint(volume.clone(), AreaId::new(area).unwrap());
            level.volumes.push(if k % 2 == 0 { MarkedVolume::block(volume.clone()) } else { paint(1 + k % 3) });
        }
        let way = if rng.whole(0, 1) == 0 { Partition::Monotone } else { Partition::Watershed };
        let mesh = connect(bake(&level, way, 32 * rng.whole(0, 1) as u32).0);
        let filter = DefaultFilter::default();
        let cut = [0.7, 0.3, 0.15, 0.05, 1e-3].map(|radius| ClearanceMesh::new(&mesh, radius, &filter).unwrap());
        for _ in 0..10 {
            let [from, to] = [random_place(cut[0].mesh(), rng), random_place(cut[0].mesh(), rng)].map(|p| p.point);
            let mut widest = f64::INFINITY;
            for cut in &cut {
                let place = |p| find_nearest(cut.mesh(), p, Vec3::splat(0.5), &filter).map(|near| near.place());
                let (Some(start), Some(goal)) = (place(from), place(to)) else { panic!("{}: no ground", cut.radius()) };
                let points = shortest_walk(cut.mesh(), start, goal);
                let found = if points.is_empty() { f64::INFINITY } else { length(&points) };
                assert!(found <= widest * 1.01 + 0.02, "{}: from {from} to {to} {found} m, {widest}", cut.radius());
                widest = widest.min(found);
            }
        }
    });
}
