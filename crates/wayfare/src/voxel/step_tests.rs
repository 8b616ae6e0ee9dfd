//! Properties of the voxel steps on random input, against slow and obvious versions of them.

use super::*;
use crate::area::AreaId;
use crate::input::{AgentSettings, BakeSettings, TriMesh, VoxelSettings};
use crate::math::index::NONE;
use crate::math::{Aabb, Rng};
use glam::{DVec3, Vec3};

fn within(rng: &mut Rng, low: f32, high: f32) -> f32 {
    low + (high - low) * rng.unit()
}

/// A number that often lies on a line between cells.
fn coordinate(rng: &mut Rng, low: f32, high: f32) -> f32 {
    let v = within(rng, low, high);
    if rng.below(3) == 0 { (v * 2.0).round() / 2.0 } else { v }
}

fn settings() -> VoxelSettings {
    let agent = AgentSettings { height: 1.0, radius: 0.75, max_climb: 0.5, ..AgentSettings::default() };
    BakeSettings { agent, cell_size: 0.25, cell_height: 0.125, ..BakeSettings::default() }.to_voxel().unwrap()
}

const BOUNDS: Aabb = Aabb { min: Vec3::new(-3.0, -1.0, 2.0), max: Vec3::new(7.0, 4.0, 10.5) };

/// Random triangles of many sizes and shapes within the bounds: needles, walls along and across the lines, floors.
fn soup(seed: u64, count: usize) -> TriMesh {
    let rng = &mut Rng::new(seed);
    let (mut verts, mut tris, mut areas) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..count {
        let at = Vec3::from_array(core::array::from_fn(|k| coordinate(rng, BOUNDS.min[k], BOUNDS.max[k])));
        let size = [0.1, 0.6, 3.0, 20.0][rng.below(4) as usize];
        let flat = rng.below(4);
        for corner in 0..3 {
            let mut v = at;
            for k in 0..3 {
                let moved = coordinate(rng, -size, size);
                if corner > 0 && flat != k as u32 {
                    v[k] = (v[k] + moved).clamp(BOUNDS.min[k], BOUNDS.max[k]);
                }
            }
            verts.push(v);
        }
        tris.push([0, 1, 2].map(|k| (3 * i + k) as u32));
        areas.push(AreaId::from_low_bits(rng.below(5) as u8));
    }
    // The whole bounds, so that every soup has the same grid.
    let n = verts.len() as u32;
    verts.extend([BOUNDS.min, BOUNDS.max, Vec3::new(BOUNDS.min.x, BOUNDS.min.y, BOUNDS.max.z)]);
    tris.push([n, n + 2, n + 1]);
    areas.push(AreaId::WALKABLE);
    TriMesh::with_areas(verts, tris, areas).unwrap()
}

fn level_of(mesh: &TriMesh) -> Grid {
    Grid::of_level(mesh.bounds(), &settings()).unwrap()
}

fn raster(mesh: &TriMesh) -> Heightfield {
    rasterize(&RasterInput::whole(mesh, &level_of(mesh), &settings()))
}

#[test]
fn vectors_of_any_width_give_the_same_bits() {
    let bits = |field: &Heightfield| (field.columns.clone(), field.min.clone(), field.max.clone(), field.area.clone());
    for seed in 0..40 {
        let mesh = soup(seed, 60);
        let (level, vx) = (level_of(&mesh), settings());
        let input = RasterInput::whole(&mesh, &level, &vx);
        let mut narrow = Heightfield::empty(level);
        let (lanes, scratch) = (crate::math::lanes::Level::baseline(), &mut RasterScratch::default());
        super::rasterize::rasterize_in_lanes(lanes, &input, RasterLimit::NONE, (scratch, &mut narrow)).unwrap();
        assert_eq!(bits(&raster(&mesh)), bits(&narrow), "seed {seed}");
    }
}

/// Forty storeys over one row of sixteen: nearly all spans of the band are in it.
#[test]
fn one_row_may_have_most_of_the_spans() {
    let vx = BakeSettings { cell_size: 1.0, cell_height: 1.0, ..BakeSettings::default() }.to_voxel().unwrap();
    let sheet = |y: f32, z: [f32; 2]| {
        [[0.0, z[0]], [0.0, z[1]], [1000.0, z[1]], [1000.0, z[0]]].map(|[x, z]| Vec3::new(x, y, z))
    };
    let sheets = [sheet(0.0, [0.0, 16.0])].into_iter().chain((1..40).map(|k| sheet(3.0 * k as f32, [0.2, 0.8])));
    let verts: Vec<Vec3> = sheets.flatten().collect();
    let tris = (0..40).flat_map(|k| [[0, 1, 2], [0, 2, 3]].map(|tri: [u32; 3]| tri.map(|v| 4 * k + v))).collect();
    let mesh = TriMesh::new(verts, tris).unwrap();
    let level = Grid::of_level(mesh.bounds(), &vx).unwrap();
    let input = RasterInput::whole(&mesh, &level, &vx);
    let whole = rasterize(&input);
    let within = |spans: usize| {
        let limit = RasterLimit { spans: spans as u64, ..RasterLimit::NONE };
        let mut out = Heightfield::empty(level);
        rasterize_within(&input, limit, &mut RasterScratch::default(), &mut out).map(|()| out)
    };
    let bits = |field: &Heightfield| (field.columns.clone(), field.min.clone(), field.max.clone(), field.area.clone());
    assert_eq!(bits(&within(whole.span_count()).unwrap()), bits(&whole));
    assert!(within(whole.span_count() - 1).is_err());
}

fn spans(field: &Heightfield, cell: usize) -> Vec<(u16, u16, AreaId)> {
    field.column(cell).map(|i| (field.min[i], field.max[i], field.area[i])).collect()
}

fn assert_sound(field: &Heightfield) {
    for cell in 0..field.grid.cell_count() {
        let column = spans(field, cell);
        assert!(column.iter().all(|s| s.0 < s.1), "cell {cell}: {column:?}");
        assert!(column.windows(2).all(|w| w[0].1 < w[1].0), "cell {cell}: {column:?}");
    }
}

/// A triangle cut to a box on the xz-plane, in f64: its lowest and highest point there; `None` if nothing is left.
fn heights_in(corners: [Vec3; 3], [low_x, high_x, low_z, high_z]: [f64; 4]) -> Option<[f64; 2]> {
    let mut polygon: Vec<DVec3> = corners.map(Vec3::as_dvec3).to_vec();
    // Axis, line, and on which side of it the box lies.
    for (axis, line, sign) in [(0, low_x, 1.0), (0, high_x, -1.0), (2, low_z, 1.0), (2, high_z, -1.0)] {
        let mut cut = Vec::new();
        for i in 0..polygon.len() {
            let (a, b) = (polygon[i], polygon[(i + 1) % polygon.len()]);
            let (da, db) = ((a[axis] - line) * sign, (b[axis] - line) * sign);
            if da >= 0.0 {
                cut.push(a);
            }
            if (da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0) {
                cut.push(a + (b - a) * (da / (da - db)));
            }
        }
        polygon = cut;
    }
    let ys = polygon.iter().map(|p| p.y);
    (!polygon.is_empty()).then(|| [ys.clone().fold(f64::MAX, f64::min), ys.fold(f64::MIN, f64::max)])
}

#[test]
fn a_triangle_fills_what_clipping_it_to_each_cell_fills() {
    let (mut covered, mut checked) = (0, 0);
    for seed in 0..300 {
        let mesh = soup(seed, 1);
        // Without the triangle that spans the bounds.
        let (level, vx) = (level_of(&mesh), settings());
        let field = rasterize(&RasterInput { triangles: Some(&[0]), ..RasterInput::whole(&mesh, &level, &vx) });
        assert_sound(&field);
        let (cs, ch) = (f64::from(vx.cell_size), f64::from(vx.cell_height));
        for z in 0..level.depth {
            for x in 0..level.width {
                let [x0, z0] = [(x, BOUNDS.min.x), (z, BOUNDS.min.z)].map(|(k, o)| f64::from(o) + f64::from(k) * cs);
                let column = spans(&field, level.index(x, z));
                let eps = 1e-4;
                let wide = heights_in(mesh.corners(0), [x0 - eps, x0 + cs + eps, z0 - eps, z0 + cs + eps]);
                let tight = heights_in(mesh.corners(0), [x0 + eps, x0 + cs - eps, z0 + eps, z0 + cs - eps]);
                let rounded = |[low, high]: [f64; 2]| {
                    let [low, high] = [low, high].map(|y| (y - f64::from(BOUNDS.min.y)) / ch);
                    let low = low.floor();
                    [low, high.ceil().max(low + 1.0)]
                };
                assert!(column.len() <= 1, "seed {seed}");
                let Some(&(min, max, _)) = column.first() else {
                    assert!(tight.is_none(), "seed {seed}: cell {x}, {z} is missing");
                    continue;
                };
                let Some(wide) = wide.map(rounded) else { panic!("seed {seed}: cell {x}, {z} is too much") };
                assert!(f64::from(min) >= wide[0] - 1.0 && f64::from(max) <= wide[1] + 1.0, "seed {seed}: {x}, {z}");
                covered += 1;
                if let Some(tight) = tight.map(rounded) {
                    assert!(f64::from(min) <= tight[0] + 1.0 && f64::from(max) >= tight[1] - 1.0, "seed {seed}");
                    checked += 1;
                }
            }
        }
    }
    assert!(covered > 10_000 && checked > 8_000, "{covered} {checked}");
}

#[test]
fn the_order_of_triangles_and_corners_does_not_matter() {
    for seed in 0..20 {
        let mesh = soup(seed, 60);
        let field = raster(&mesh);
        assert_sound(&field);
        let rng = &mut Rng::new(seed + 1);
        let mut order: Vec<usize> = (0..mesh.tris().len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i as u32 + 1) as usize);
        }
        let turned = order.iter().map(|&i| {
            let [a, b, c] = mesh.tris()[i];
            [[a, b, c], [b, c, a], [c, a, b]][rng.below(3) as usize]
        });
        let areas = order.iter().map(|&i| mesh.areas()[i]).collect();
        let shuffled = TriMesh::with_areas(mesh.verts().to_vec(), turned.collect(), areas).unwrap();
        let other = raster(&shuffled);
        assert_eq!((&field.columns, &field.min, &field.max), (&other.columns, &other.min, &other.max), "seed {seed}");
        assert_eq!(field.area, other.area, "seed {seed}");
    }
}

#[test]
fn a_cell_is_the_same_in_every_rectangle() {
    let (mut raster, mut tile) = (RasterScratch::default(), Heightfield::empty(level_of(&soup(0, 1))));
    // Triangles end where the level does, or reach beyond it on every side.
    let inner = Aabb { min: BOUNDS.min + Vec3::splat(1.6), max: BOUNDS.max - Vec3::splat(1.6) };
    for (seed, bounds) in (0..10).flat_map(|seed| [(seed, BOUNDS), (seed, inner)]) {
        let (mesh, vx) = (soup(seed, 80), settings());
        let level = Grid::of_level(bounds, &vx).unwrap();
        let whole = rasterize(&RasterInput::whole(&mesh, &level, &vx));
        let (size, border) = (7 + seed as u32, 3);
        let bins = TriangleBins::new(&mesh, &level, size, border);
        for (column, row) in (0..bins.columns()).flat_map(|c| (0..bins.rows()).map(move |r| (c, r))) {
            let corner = [column, row].map(|k| (k * size) as i32 - border as i32);
            let side = size + 2 * border;
            let grid = Grid { x: corner[0], z: corner[1], width: side, depth: side, ..level };
            let triangles = Some(bins.tile(column, row));
            let input = RasterInput { triangles, grid, ..RasterInput::whole(&mesh, &level, &vx) };
            rasterize_into(&input, &mut raster, &mut tile);
            for (x, z) in (0..side).flat_map(|x| (0..side).map(move |z| (x, z))) {
                let (lx, lz) = (x as i32 + grid.x, z as i32 + grid.z);
                let inside = (0..level.width as i32).contains(&lx) && (0..level.depth as i32).contains(&lz);
                let expected = if inside { spans(&whole, level.index(lx as u32, lz as u32)) } else { Vec::new() };
                assert_eq!(spans(&tile, grid.index(x, z)), expected, "seed {seed}, cell {lx}, {lz}");
            }
        }
    }
}

#[test]
fn triangles_out_of_all_proportion_stay_within_the_rectangle() {
    let (far, vx) = (1e30f32, settings());
    let level = level_of(&soup(0, 1));
    let verts = vec![
        Vec3::new(-far, 0.5, -far),
        Vec3::new(0.0, 0.5, far),
        Vec3::new(far, 0.5, -far),
        Vec3::new(0.0, -far, 3.0),
        Vec3::new(1.0, far, 3.0),
        Vec3::new(1e-40, 0.0, 4.0),
        Vec3::new(2e-40, 3.0, 4.0),
        Vec3::new(f32::MAX, f32::MAX, f32::MAX),
        Vec3::new(f32::MIN, f32::MIN, f32::MIN),
    ];
    let n = verts.len() as u32;
    let tris = (0..n).flat_map(|a| (0..n).flat_map(move |b| (0..n).map(move |c| [a, b, c])));
    let mesh = TriMesh::new(verts, tris.collect()).unwrap();
    let field = rasterize(&RasterInput::whole(&mesh, &level, &vx));
    assert_sound(&field);
    let flat = rasterize(&RasterInput { triangles: Some(&[0]), ..RasterInput::whole(&mesh, &level, &vx) });
    assert_eq!(flat.span_count(), level.cell_count());
    assert!(flat.min.iter().all(|&min| min == 12) && flat.max.iter().all(|&max| max == 13));
}

#[test]
fn a_column_holds_any_number_of_spans() {
    let storeys = 3000;
    let verts = |y: f32| [Vec3::new(0.0, y, 0.0), Vec3::new(0.0, y, 1.0), Vec3::new(1.0, y, 0.0)];
    let all: Vec<Vec3> = (0..storeys).flat_map(|i| verts(i as f32 * 2.5)).collect();
    let tris = (0..storeys).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let mesh = TriMesh::new(all, tris).unwrap();
    let mut field = raster(&mesh);
    assert_eq!(field.column(0).len(), storeys as usize);
    filter(
        &mut field,
        &level_of(&mesh),
        &VoxelSettings { filters: crate::input::Filters { ledges: false, ..settings().filters }, ..settings() },
    );
    let ground = compact(&field, 0, &settings());
    assert_eq!(ground.column(0).len(), storeys as usize);
    assert_eq!(ground.neighbours[5][2], ground.column(1).start as u32 + 5);
}

/// What decides where a span of several ranges can be walked on.
#[test]
fn merged_spans_take_the_area_of_the_highest_ground_that_leads_to_the_top() {
    // Floors of a cell: height and area, all within one span by way of a wall beside it.
    let area_of = |floors: &[(f32, u8)], wall: f32| {
        let (mut verts, mut tris, mut areas) = (Vec::new(), Vec::new(), Vec::new());
        let mut add = |corners: [Vec3; 3], area: u8| {
            let n = verts.len() as u32;
            verts.extend(corners);
            tris.push([n, n + 1, n + 2]);
            areas.push(AreaId::from_low_bits(area));
        };
        add([Vec3::ZERO, Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.1, wall, 0.0)], 0);
        for &(y, area) in floors {
            add([Vec3::new(0.0, y, 0.0), Vec3::new(0.0, y, 0.2), Vec3::new(0.2, y, 0.0)], area);
        }
        let mesh = TriMesh::with_areas(verts, tris, areas).unwrap();
        let field = rasterize(&RasterInput::whole(&mesh, &level_of(&mesh), &settings()));
        assert_eq!(field.span_count(), 1);
        field.area[0].get()
    };
    // The climb is four cell heights of 0.125.
    assert_eq!(area_of(&[(0.3, 5)], 0.8), 5, "the wall ends within the climb");
    assert_eq!(area_of(&[(0.1, 5)], 1.3), 0, "the wall ends above it");
    assert_eq!(area_of(&[(0.1, 5), (0.55, 9)], 1.0), 9, "the higher floor");
    assert_eq!(area_of(&[(0.1, 9), (0.55, 5)], 1.0), 5, "the higher floor, though its type is lower");
    assert_eq!(area_of(&[(0.3, 5), (0.3, 9)], 0.8), 9, "the greater type where floors are equally high");
    assert_eq!(area_of(&[(0.1, 5), (0.55, 0), (1.05, 0)], 1.3), 5, "in steps");
}

/// Columns of random spans, some of them walkable.
fn random_columns(seed: u64, most: u32) -> (Heightfield, Grid) {
    let rng = &mut Rng::new(seed + 99);
    let (width, depth) = (3 + rng.below(30), 3 + rng.below(9));
    let columns: Vec<Vec<(u16, u16, AreaId)>> = (0..width * depth)
        .map(|_| {
            let mut y = rng.below(4) as u16;
            let count = if rng.below(20) == 0 { rng.below(most) } else { rng.below(4) };
            (0..count)
                .map(|_| {
                    let span =
                        (y, y + 1 + rng.below(3) as u16, AreaId::from_low_bits([0, 1, 63][rng.below(3) as usize]));
                    let most = [3, 14][rng.below(2) as usize];
                    y = span.1 + 1 + rng.below(most) as u16;
                    span
                })
                .collect()
        })
        .collect();
    let field = test_columns::field_of_columns(width, &columns.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let level = Grid { x: field.grid.x - (seed % 3) as i32, width: width + (seed % 5) as u32, ..field.grid };
    (field, level)
}

#[test]
fn the_one_pass_filter_does_what_the_three_do_in_turn() {
    let (mut scratch, mut changed) = (FilterScratch::default(), 0);
    for seed in 0..400 {
        let (field, level) = random_columns(seed, [5, 12, 30][seed as usize % 3]);
        let mut vx = settings();
        (vx.agent_height_vx, vx.agent_climb_vx) = (2 + (seed % 9) as u32, (seed % 3) as u32);
        let filters = &mut vx.filters;
        (filters.low_hanging_obstacles, filters.ledges, filters.low_height) =
            (seed % 7 > 0, seed % 5 > 0, seed % 4 > 0);
        let mut slow = field.clone();
        if vx.filters.low_hanging_obstacles {
            filter_low_hanging_obstacles(&mut slow, vx.agent_climb_vx);
        }
        if vx.filters.ledges {
            filter_ledges(&mut slow, &level, &vx);
        }
        if vx.filters.low_height {
            filter_low_height(&mut slow, vx.agent_height_vx);
        }
        let mut fast = field.clone();
        filter_into(&mut fast, &level, &vx, &mut scratch);
        assert_eq!(fast.area, slow.area, "seed {seed}");
        changed += fast.area.iter().zip(&field.area).filter(|(a, b)| a != b).count();
    }
    assert!(changed > 10_000);
}

#[test]
fn low_hanging_obstacles_are_found_column_by_column() {
    for seed in 0..200 {
        let (field, _) = random_columns(seed, 12);
        let mut fast = field.clone();
        filter_low_hanging_obstacles(&mut fast, 3);
        for cell in 0..field.grid.cell_count() {
            for i in field.column(cell).skip(1) {
                let step = field.max[i] - field.max[i - 1] <= 3 && !field.area[i - 1].is_null();
                let expected = if field.area[i].is_null() && step { field.area[i - 1] } else { field.area[i] };
                assert_eq!(fast.area[i], expected, "seed {seed}");
            }
        }
    }
}

/// Mostly open ground: one span a column, here and there with a ceiling, a hole or a span that cannot be walked on.
fn open_columns(seed: u64) -> Heightfield {
    let rng = &mut Rng::new(seed + 7);
    let (width, depth) = (5 + rng.below(40), 3 + rng.below(6));
    let walkable = AreaId::from_low_bits(63);
    let columns: Vec<Vec<(u16, u16, AreaId)>> = (0..width * depth)
        .map(|_| {
            let ground = (0, 1 + rng.below(4) as u16, walkable);
            match rng.below(60) {
                0 => vec![],
                1 => vec![(ground.0, ground.1, AreaId::NULL)],
                2..8 => vec![ground, (ground.1 + 2 + rng.below(6) as u16, 20, AreaId::NULL)],
                _ => vec![ground],
            }
        })
        .collect();
    test_columns::field_of_columns(width, &columns.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

#[test]
fn links_are_those_that_trying_all_pairs_finds() {
    for seed in 0..200 {
        let mut field = if seed % 2 == 0 { random_columns(seed, 12).0 } else { open_columns(seed) };
        let mut vx = settings();
        (vx.agent_height_vx, vx.agent_climb_vx) = (3 + (seed % 5) as u32, (seed % 4) as u32);
        let ground = compact(&field, 0, &vx);
        assert_eq!(ground.span_count(), field.walkable_count());
        let top = |i: usize| match ground.clearance[i] {
            u16::MAX => u32::MAX,
            clearance => u32::from(ground.y[i]) + u32::from(clearance),
        };
        let grid = ground.grid;
        for (x, z) in (0..grid.width).flat_map(|x| (0..grid.depth).map(move |z| (x, z))) {
            for (direction, (dx, dz)) in DIRECTIONS.into_iter().enumerate() {
                let beside = x.checked_add_signed(dx).zip(z.checked_add_signed(dz));
                let beside = beside.filter(|&(x, z)| x < grid.width && z < grid.depth);
                let others = beside.map_or(0..0, |(x, z)| ground.column(grid.index(x, z)));
                for i in ground.column(grid.index(x, z)) {
                    let fit = others.clone().find(|&n| {
                        let floor = u32::from(ground.y[i].max(ground.y[n]));
                        top(i).min(top(n)).saturating_sub(floor) >= vx.agent_height_vx
                            && u32::from(ground.y[i].abs_diff(ground.y[n])) <= vx.agent_climb_vx
                    });
                    let link = ground.neighbours[i][direction];
                    assert_eq!(link, fit.map_or(NONE, |n| n as u32), "seed {seed}");
                    assert!(link == NONE || ground.neighbours[link as usize][(direction + 2) % 4] == i as u32);
                }
            }
        }
        let mut in_place = CompactHeightfield::empty(grid);
        compact_in_place(&mut field, 0, &vx, &mut in_place);
        assert_eq!((in_place.columns, in_place.y, in_place.clearance), (ground.columns, ground.y, ground.clearance));
        assert_eq!((in_place.area, in_place.neighbours), (ground.area, ground.neighbours), "seed {seed}");
    }
}

/// Erosion by two sweeps over everything, as the reference does it.
fn erode_by_sweeps(field: &mut CompactHeightfield, radius: u32) {
    let walkable = |n: u32| n != NONE && !field.area[n as usize].is_null();
    let inside = |i: usize| !field.area[i].is_null() && field.neighbours[i].iter().all(|&n| walkable(n));
    let count = field.span_count();
    let mut distance: Vec<u32> = (0..count).map(|i| if inside(i) { u32::MAX / 2 } else { 0 }).collect();
    let mut sweep = |i: usize, [straight, turn]: [usize; 2]| {
        let beside = field.neighbours[i][straight];
        if beside != NONE {
            distance[i] = distance[i].min(distance[beside as usize] + 2);
            let diagonal = field.neighbours[beside as usize][turn];
            if diagonal != NONE {
                distance[i] = distance[i].min(distance[diagonal as usize] + 3);
            }
        }
    };
    (0..count).for_each(|i| [[0, 3], [3, 2]].into_iter().for_each(|way| sweep(i, way)));
    (0..count).rev().for_each(|i| [[2, 1], [1, 0]].into_iter().for_each(|way| sweep(i, way)));
    for (area, d) in field.area.iter_mut().zip(distance) {
        if d < radius * 2 {
            *area = AreaId::NULL;
        }
    }
}

#[test]
fn eroding_from_the_walls_is_eroding_by_sweeps() {
    let mut scratch = ErodeScratch::default();
    let (mut taken, mut left) = (0, 0);
    for seed in 0..60 {
        let rng = &mut Rng::new(seed + 5);
        let walk = AreaId::WALKABLE;
        // One floor, in places two, with holes and marked spots.
        let columns: Vec<Vec<(u16, u16, AreaId)>> = (0..40 * 30)
            .map(|_| match rng.below(60) {
                0 => vec![],
                1 => vec![(0, 9, walk)],
                _ if seed % 2 == 0 => vec![(0, 1, walk), (20, 21, walk)],
                _ => vec![(0, 1, walk)],
            })
            .collect();
        let field = test_columns::field_of_columns(40, &columns.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let mut ground = compact(&field, 0, &settings());
        let mut in_place = CompactHeightfield::empty(field.grid);
        compact_in_place(&mut field.clone(), 0, &settings(), &mut in_place);
        assert_eq!(format!("{in_place:?}"), format!("{ground:?}"));
        for _ in 0..seed % 4 {
            let spot = rng.below(ground.span_count() as u32) as usize;
            ground.area[spot] = AreaId::NULL;
        }
        for radius in [0, 1, 2, 3, 5, 90] {
            let (mut fast, mut slow) = (ground.clone(), ground.clone());
            erode_into(&mut fast, radius, &mut scratch);
            if radius > 0 {
                erode_by_sweeps(&mut slow, radius);
            }
            assert_eq!(fast.area, slow.area, "seed {seed}, radius {radius}");
            taken += ground.walkable_count() - fast.walkable_count();
            left += fast.walkable_count();
        }
    }
    assert!(taken > 10_000 && left > 10_000, "{taken} {left}");
}
