//! The detail mesh against the heightfield, on all scenes: no spikes, the error bound met, and flat ground for almost
//! nothing.

use std::collections::{BTreeMap, BTreeSet};
use wayfare::bake::{BakeReport, Products, TileBaker, TilePlan};
use wayfare::context::Context;
use wayfare::input::{AgentSettings, BakeSettings, Partition};
use wayfare::math::index::NONE;
use wayfare_scenes::scene;
use wayfare_testkit::levels::{bake, golden_specs};

type P2 = [f64; 2];

/// One polygon with its detail triangles, in cells of the tile proper and cell heights.
struct Patch {
    outline: Vec<P2>,
    corner_heights: Vec<f64>,
    extra: Vec<[f64; 3]>,
    tris: Vec<[[f64; 3]; 3]>,
    region: u32,
}

fn patch(p: &Products, poly: usize) -> Patch {
    let grid = &p.polygons.grid;
    let corners: Vec<[f64; 3]> =
        p.polygons.corners_of(poly).iter().map(|&v| p.polygons.verts[v as usize].map(f64::from)).collect();
    let d = p.detail.patches[poly];
    let extra: Vec<[f64; 3]> = p.detail.verts[d.first_vert as usize..][..d.vert_count as usize]
        .iter()
        .map(|v| {
            let cells = |at: f32, origin: f32, first: i32| {
                f64::from(at - origin) / f64::from(grid.cell_size) - f64::from(first)
            };
            let y = f64::from(v.y - grid.origin.y) / f64::from(grid.cell_height);
            [cells(v.x, grid.origin.x, grid.x), y, cells(v.z, grid.origin.z, grid.z)]
        })
        .collect();
    let vert = |v: u16| corners.iter().chain(&extra).nth(usize::from(v)).copied().unwrap();
    let tris =
        p.detail.tris[d.first_tri as usize..][..d.tri_count as usize].iter().map(|t| t.verts.map(vert)).collect();
    Patch {
        outline: corners.iter().map(|c| [c[0], c[2]]).collect(),
        corner_heights: corners.iter().map(|c| c[1]).collect(),
        extra,
        tris,
        region: p.polygons.polys[poly].region,
    }
}

/// How far inside of the outline a place is, in cells; negative outside.
fn depth(outline: &[P2], [x, z]: P2) -> f64 {
    let edges = outline.iter().zip(outline.iter().cycle().skip(1));
    edges
        .filter_map(|(a, b)| {
            let (dx, dz) = (b[0] - a[0], b[1] - a[1]);
            let length = (dx * dx + dz * dz).sqrt();
            (length > 0.0).then(|| (dz * (x - a[0]) - dx * (z - a[1])) / length)
        })
        .fold(f64::INFINITY, f64::min)
}

/// The height of the triangles at a place.
fn height(tris: &[[[f64; 3]; 3]], [x, z]: P2) -> Option<f64> {
    tris.iter().find_map(|[a, b, c]| {
        let cross = |p: &[f64; 3], q: &[f64; 3]| (q[0] - p[0]) * (z - p[2]) - (q[2] - p[2]) * (x - p[0]);
        let (u, v, w) = (cross(b, c), cross(c, a), cross(a, b));
        let sum = u + v + w;
        let slack = 1e-6 * sum.abs();
        let inside = [u, v, w].iter().all(|&k| k * sum.signum() >= -slack) && sum != 0.0;
        inside.then(|| (u * a[1] + v * b[1] + w * c[1]) / sum)
    })
}

/// The ground of a polygon: what hangs together inside its outline with spans of its region, as span and cell.
///
/// It may reach beyond the region, whose border to another is cut straight.
fn ground(p: &Products, patch: &Patch) -> Vec<(usize, [i32; 2])> {
    let (field, border) = (&p.compact, p.compact.border as i32);
    let bound = |k: usize, f: fn(f64, f64) -> f64, from: f64| patch.outline.iter().map(|c| c[k]).fold(from, f) as i32;
    let (mut places, mut own) = (BTreeMap::new(), Vec::new());
    for z in bound(1, f64::min, f64::MAX)..bound(1, f64::max, f64::MIN) {
        for x in bound(0, f64::min, f64::MAX)..bound(0, f64::max, f64::MIN) {
            if depth(&patch.outline, [f64::from(x) + 0.5, f64::from(z) + 0.5]) > 0.0 {
                let column = field.column(field.grid.index((x + border) as u32, (z + border) as u32));
                own.extend(column.clone().filter(|&s| p.regions.id[s] == patch.region));
                places.extend(column.map(|s| (s, [x, z])));
            }
        }
    }
    // Of parts that do not hang together that with the most spans of the region: outlines that are simplified may
    // reach over a cell of another arm of it.
    let own: BTreeSet<usize> = own.into_iter().collect();
    let (mut seen, mut best, mut most) = (BTreeSet::new(), Vec::new(), 0);
    for &start in &own {
        if !seen.insert(start) {
            continue;
        }
        let (mut part, mut next) = (vec![start], 0);
        while let Some(&span) = part.get(next) {
            next += 1;
            let beside = field.neighbours[span].into_iter().filter(|&n| n != NONE).map(|n| n as usize);
            part.extend(beside.filter(|n| places.contains_key(n) && seen.insert(*n)));
        }
        let count = part.iter().filter(|span| own.contains(span)).count();
        if count > most {
            (best, most) = (part, count);
        }
    }
    best.into_iter().map(|span| (span, places[&span])).collect()
}

/// The heights of ground within `reach` steps of some spans.
fn relief(p: &Products, mut open: Vec<usize>, reach: usize) -> [f64; 2] {
    let mut seen: BTreeSet<usize> = open.iter().copied().collect();
    for _ in 0..reach {
        let beside = open.iter().flat_map(|&s| p.compact.neighbours[s]).filter(|&n| n != NONE).map(|n| n as usize);
        open = beside.filter(|&n| seen.insert(n)).collect();
    }
    let heights = seen.iter().map(|&s| f64::from(p.compact.y[s]));
    [heights.clone().fold(f64::INFINITY, f64::min), heights.fold(f64::NEG_INFINITY, f64::max)]
}

/// Counts of one bake.
#[derive(Debug, Default)]
struct Counts {
    verts: usize,
    spikes: Vec<String>,
    samples: usize,
    beyond: Vec<String>,
    cells: usize,
    off: Vec<String>,
}

fn check_tile(p: &Products, settings: &BakeSettings, counts: &mut Counts) {
    let step = settings.detail_sample_dist.round() as i32;
    let bound = f64::from(settings.detail_sample_max_error);
    let grid = &p.polygons.grid;
    for poly in 0..p.polygons.polys.len() {
        let patch = patch(p, poly);
        let ground = ground(p, &patch);
        for v in &patch.extra {
            counts.verts += 1;
            let near =
                |c: &[i32; 2]| (f64::from(c[0]) + 0.5 - v[0]).abs() < 4.0 && (f64::from(c[1]) + 0.5 - v[2]).abs() < 4.0;
            // An edge that two polygons share is sampled on the ground of one of them.
            let near: Vec<usize> = ground.iter().filter(|(_, c)| near(c)).map(|&(s, _)| s).collect();
            let [low, high] = relief(p, near, 5);
            let corner = patch.corner_heights.iter().any(|y| (y - v[1]).abs() < 1e-3);
            if !corner && low <= high && !(low - 1e-3..=high + 1e-3).contains(&v[1]) {
                counts.spikes.push(format!("polygon {poly}: {v:?} where the ground is {low} to {high}"));
            }
        }
        for &(span, [x, z]) in &ground {
            let at = [f64::from(x) + 0.5, f64::from(z) + 0.5];
            let Some(y) = height(&patch.tris, at) else { continue };
            let error = (y - f64::from(p.compact.y[span])).abs();
            let inside = depth(&patch.outline, at);
            counts.cells += 1;
            let is_sample =
                (x + grid.x) % step == 0 && (z + grid.z) % step == 0 && inside >= f64::from(step) * 0.5 + 1e-9;
            let wide = (0..2).all(|k| {
                let along = patch.outline.iter().map(|c| c[k]);
                along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min) >= f64::from(step)
            });
            if is_sample && wide {
                counts.samples += 1;
                if error > bound + 1e-2 {
                    counts.beyond.push(format!("polygon {poly}: off by {error:.2} at {at:?}"));
                }
            }
            if error > bound + 2.0 {
                let [low, high] = relief(p, vec![span], step as usize + 3);
                if error > bound + 1.0 + (high - low) {
                    counts
                        .off
                        .push(format!("polygon {poly}: {y:.2} at {at:?} where the ground is {}", p.compact.y[span]));
                }
            }
        }
    }
}

fn check(spec: &str, settings: BakeSettings) -> Counts {
    let mut counts = Counts::default();
    for_each_tile(spec, settings, |products| check_tile(products, &settings, &mut counts));
    counts
}

/// Bakes a scene and looks at its products tile by tile.
fn for_each_tile(spec: &str, settings: BakeSettings, mut visit: impl FnMut(&Products)) {
    let level = scene(spec).unwrap().mesh().unwrap();
    let plan = TilePlan::new(&level, &settings).unwrap();
    let mut baker = TileBaker::new(plan.level, plan.settings);
    // Of large levels some tiles will do.
    let stride = (plan.tile_count() / 12).max(1) as usize;
    for index in (0..plan.tile_count()).step_by(stride) {
        let mut report = BakeReport::new(level.bounds());
        let tile = baker.bake(&level, None, &plan.tile(index), &Context::default(), &mut report).unwrap();
        if tile.is_some() {
            visit(baker.products());
        }
    }
}

#[test]
fn detail_follows_the_ground_of_every_scene() {
    let mut wrong = Vec::new();
    for spec in golden_specs().into_iter().filter(|spec| !spec.contains('?')) {
        let own = scene(&spec).unwrap().settings;
        for (partition, tile_size, distance) in
            [(Partition::Watershed, 0, 6.0), (Partition::Monotone, 48, 6.0), (Partition::Layers, 32, 3.0)]
        {
            // Large scenes are looked at tile by tile.
            let is_large = ["dungeon", "city", "tall", "terrain"].contains(&spec.as_str());
            let tile_size = if is_large && tile_size == 0 { 100 } else { tile_size };
            let settings = BakeSettings { partition, tile_size, detail_sample_dist: distance, ..own };
            let c = check(&spec, settings);
            println!(
                "{spec} {partition:?}: {} extra vertices, {} spikes; {} samples, {} beyond; {} cells, {} off",
                c.verts,
                c.spikes.len(),
                c.samples,
                c.beyond.len(),
                c.cells,
                c.off.len()
            );
            wrong.extend(
                [&c.spikes, &c.beyond, &c.off]
                    .into_iter()
                    .flatten()
                    .take(5)
                    .map(|w| format!("{spec} {partition:?} {w}")),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with the heights of a polygon that lies on a spiral ramp, if anything is: its detail vertices are of
/// the storey of its corners, and its triangles lie on ground, of whatever region, at every cell.
fn fault_on_spiral(p: &Products, poly: usize, settings: &BakeSettings, pitch: f64) -> Option<String> {
    let patch = patch(p, poly);
    let half_storey = pitch / f64::from(settings.cell_height) * 0.5;
    let low = patch.corner_heights.iter().copied().fold(f64::MAX, f64::min) - half_storey;
    let high = patch.corner_heights.iter().copied().fold(f64::MIN, f64::max) + half_storey;
    if let Some(v) = patch.extra.iter().find(|v| !(low..=high).contains(&v[1])) {
        return Some(format!("vertex {v:?} of a polygon from {low} to {high}"));
    }
    let (field, border) = (&p.compact, p.compact.border as i32);
    let grid = &p.polygons.grid;
    for z in 0..grid.depth as i32 {
        for x in 0..grid.width as i32 {
            let at = [f64::from(x) + 0.5, f64::from(z) + 0.5];
            // A cell inside, so that ground is under it though outlines are simplified.
            if depth(&patch.outline, at) < f64::from(settings.edge_max_error) + 1.0 {
                continue;
            }
            let Some(y) = height(&patch.tris, at) else { continue };
            let column = field.column(field.grid.index((x + border) as u32, (z + border) as u32));
            let off = |span: usize| (y - f64::from(field.y[span])).abs();
            let Some(nearest) = column.min_by(|&a, &b| off(a).total_cmp(&off(b))) else { continue };
            // The ramp rises by less between two samples.
            let [least, most] = relief(p, vec![nearest], settings.detail_sample_dist.round() as usize + 3);
            let bound = f64::from(settings.detail_sample_max_error) + 1.0 + (most - least);
            if off(nearest) > bound.min(half_storey * 0.6) {
                return Some(format!("{y:.1} at {at:?} where the ground is {}", field.y[nearest]));
            }
        }
    }
    None
}

#[test]
fn storeys_of_spirals_keep_their_own_heights() {
    let fine = BakeSettings { cell_size: 0.2, cell_height: 0.1, ..BakeSettings::default() };
    let fine = BakeSettings { agent: AgentSettings { radius: 0.3, ..fine.agent }, ..fine };
    let (mut wrong, mut verts) = (Vec::new(), 0);
    for (turns, radius, pitch) in [(2, 10, 4), (3, 10, 3), (5, 10, 5), (5, 6, 3), (3, 7, 4), (2, 8, 5), (3, 6, 5)] {
        let spec = format!("spiral_ramp?turns={turns}&radius={radius}&pitch={pitch}");
        for base in [fine, BakeSettings::default()] {
            for (partition, tile_size) in [
                (Partition::Watershed, 0),
                (Partition::Watershed, 48),
                (Partition::Monotone, 0),
                (Partition::Layers, 0),
                (Partition::Layers, 32),
            ] {
                let settings = BakeSettings { partition, tile_size, ..base };
                for_each_tile(&spec, settings, |p| {
                    verts += p.detail.verts.len();
                    let faults = (0..p.polygons.polys.len())
                        .filter_map(|poly| fault_on_spiral(p, poly, &settings, f64::from(pitch)));
                    wrong.extend(faults.map(|fault| format!("{spec} {partition:?} {tile_size}: {fault}")));
                });
            }
        }
    }
    assert!(verts > 1000, "{verts}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn flat_ground_costs_no_vertex_and_the_fewest_triangles() {
    for spec in ["flat", "platforms", "ledges", "holes_and_pillars", "doors"] {
        for tile_size in [0, 48] {
            let scene = scene(spec).unwrap();
            let (baked, report) = bake(&scene, Partition::Watershed, tile_size);
            let corners: u64 = baked.tiles.iter().map(|tile| tile.corners().len() as u64).sum();
            let s = report.stats;
            assert_eq!(s.detail_verts, corners, "{spec} {tile_size}: extra vertices");
            assert_eq!(s.detail_tris, corners - 2 * s.polys, "{spec} {tile_size}: triangles");
        }
    }
}
