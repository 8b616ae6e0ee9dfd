//! What holds for the contours of every partition, tried on drawn and random ground.

use super::crossings::turn;
use crate::bake::cell_point::cross_properly;
use crate::bake::region::region_tests::{PARTITIONS, partition, random_ground};
use crate::bake::region::regions::is_inner;
use crate::bake::region::test_field::{field, layered_field, random_map};
use crate::bake::{
    BakeReport, ContourScratch, ContourSet, ContourSettings, ContourVert, RegionLimits, RegionScratch, Regions,
    WarningKind, build_contours_into,
};
use crate::input::Partition;
use crate::math::Aabb;
use crate::voxel::CompactHeightfield;
use glam::Vec3;
use std::collections::{BTreeMap, BTreeSet};

fn outline(ground: &CompactHeightfield, regions: &Regions, max_error: f32, max_len: u32) -> (ContourSet, BakeReport) {
    let mut report = BakeReport::new(Aabb { min: Vec3::ZERO, max: Vec3::ZERO });
    let mut out = ContourSet::empty(ground.grid);
    let settings = ContourSettings { max_error, max_edge_len: max_len };
    build_contours_into(ground, regions, settings, &mut report, &mut ContourScratch::default(), &mut out);
    (out, report)
}

fn whole(ground: &CompactHeightfield) -> Regions {
    let limits = RegionLimits { min_cells: 0, merge_cells: u32::MAX };
    partition(ground, Partition::Layers, limits, &mut RegionScratch::default())
}

/// The outlines of a drawn map whose ground is one region.
fn drawn(map: &str, max_error: f32) -> (ContourSet, BakeReport) {
    let ground = field(map);
    outline(&ground, &whole(&ground), max_error, 0)
}

fn corners(set: &ContourSet, k: usize) -> Vec<[i32; 2]> {
    set.verts_of(&set.contours[k]).iter().map(|v| [v.x, v.z]).collect()
}

fn area2(path: &[[i32; 2]]) -> i64 {
    path[1..].windows(2).map(|w| turn(path[0], w[0], w[1])).sum()
}

fn edges(path: &[ContourVert]) -> impl Iterator<Item = (ContourVert, ContourVert)> + '_ {
    path.iter().enumerate().map(|(k, v)| (*v, path[(k + 1) % path.len()]))
}

fn warnings(report: &BakeReport, kind: WarningKind) -> u32 {
    report.warnings.iter().filter(|w| w.kind == kind).map(|w| w.count).sum()
}

#[test]
fn a_rectangle_has_its_four_corners_wound_up() {
    let (set, _) = drawn("0000\n0000", 1.3);
    let path = corners(&set, 0);
    assert_eq!(path.iter().copied().collect::<BTreeSet<_>>(), BTreeSet::from([[0, 0], [0, 2], [4, 0], [4, 2]]));
    assert_eq!(area2(&path), -16);
    assert!(set.verts.iter().all(|v| v.neighbour == 0 && v.y == 0));
    assert_eq!(set.raw_vert_count, 12);
}

#[test]
fn corners_take_the_highest_ground_that_meets_there() {
    let (set, _) = drawn("0123\n0123", 0.0);
    let height = |x, z| set.verts.iter().find(|v| v.x == x && v.z == z).map(|v| v.y);
    assert_eq!((height(0, 0), height(4, 0), height(4, 2)), (Some(0), Some(3), Some(3)));
}

#[test]
fn long_walls_are_halved_until_they_are_short() {
    let ground = field(&("0".repeat(40) + "\n").repeat(12));
    let (set, _) = outline(&ground, &whole(&ground), 1.3, 11);
    let longest = edges(&set.verts).map(|(a, b)| (a.x - b.x).abs().max((a.z - b.z).abs())).max();
    assert_eq!(longest, Some(10));
    assert_eq!(set.verts.len(), 4 * 2 + 2 * 2);
}

#[test]
fn a_staircase_becomes_a_slope_within_the_error() {
    let map = "00000000\n.0000000\n..000000\n...00000\n....0000\n.....000\n......00\n.......0";
    let (set, _) = drawn(map, 1.0);
    assert!(set.verts.len() <= 5, "{:?}", corners(&set, 0));
    let (exact, _) = drawn(map, 0.0);
    assert_eq!(exact.verts.len(), 18);
}

#[test]
fn a_hole_is_joined_by_a_bridge_walked_twice() {
    let (set, report) = drawn("0000000\n0000000\n00...00\n00...00\n00...00\n0000000\n0000000", 0.5);
    assert!(report.warnings.is_empty());
    assert_eq!(set.contours.len(), 1);
    assert_eq!((set.verts.len(), area2(&corners(&set, 0))), (4 + 4 + 2, -2 * 40));
    let bridges: Vec<_> = edges(&set.verts).filter(|(a, _)| a.neighbour == 1).collect();
    assert_eq!(bridges.len(), 2);
    assert_eq!((bridges[0].0.x, bridges[0].0.z), (bridges[1].1.x, bridges[1].1.z));
}

#[test]
fn many_holes_are_all_joined() {
    let width = 121;
    let mut map = String::new();
    for z in 0..width {
        let solid = |x: usize| z % 4 == 2 && x % 4 == 2;
        map.extend((0..width).map(|x| if solid(x) { '.' } else { '0' }));
        map.push('\n');
    }
    let (set, report) = drawn(&map, 0.0);
    assert!(report.warnings.is_empty());
    assert_eq!(set.contours.len(), 1);
    assert_eq!(set.verts.len(), 4 + 900 * 6);
    assert_eq!(area2(&corners(&set, 0)), -2 * (121 * 121 - 900));
}

#[test]
fn holes_that_meet_at_corners_are_joined() {
    let map = "00000000\n0.00.000\n00.00.00\n0.0.0000\n00000.00\n00.0.000\n000.0000\n00000000";
    let (set, report) = drawn(map, 0.0);
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    let cells = map.bytes().filter(|b| *b == b'0').count() as i64;
    assert_eq!((set.contours.len(), area2(&corners(&set, 0))), (1, -2 * cells));
}

#[test]
fn a_hole_near_a_corner_keeps_the_outline_from_passing_over_it() {
    // The error would allow to cut off the whole corner, with the pillar in it.
    let map = "0000000000\n0.00000000\n0000000000\n0000......\n0000......\n00000000..\n00000000..";
    let (set, report) = drawn(map, 1.9);
    check_outlines(&set, "pillar");
    assert_eq!(warnings(&report, WarningKind::HoleDropped), 0);
}

/// Contours are simple, wound up, and within the tile.
fn check_outlines(set: &ContourSet, what: &str) {
    let (width, depth) = (set.grid.width as i32, set.grid.depth as i32);
    for (k, contour) in set.contours.iter().enumerate() {
        let path = corners(set, k);
        assert!(contour.count >= 3 && area2(&path) < 0, "{what}: {contour:?} {path:?}");
        assert!(path.iter().all(|p| (0..=width).contains(&p[0]) && (0..=depth).contains(&p[1])), "{what}");
        let n = path.len();
        for i in 0..n {
            assert_ne!(path[i], path[(i + 1) % n], "{what}: an edge without length");
            for j in i + 1..n {
                let crossing = cross_properly(path[i], path[(i + 1) % n], path[j], path[(j + 1) % n]);
                assert!(!crossing, "{what}: edges {i} and {j} of {path:?} cross");
            }
        }
    }
}

/// Every edge to another region is an edge of that region, the other way round and at the same heights.
fn check_shared_edges(set: &ContourSet, what: &str) {
    let mut seen = BTreeMap::new();
    for contour in &set.contours {
        for (a, b) in edges(set.verts_of(contour)) {
            let beyond = a.neighbour & ContourVert::REGION_MASK;
            if a.neighbour & ContourVert::TILE_BORDER == 0 && beyond != 0 && beyond != contour.region {
                seen.insert((contour.region, beyond, [a.x, a.y, a.z], [b.x, b.y, b.z]), ());
            }
        }
    }
    let has_outline = |region: u32| set.contours.iter().any(|c| c.region == region);
    for &(own, beyond, a, b) in seen.keys() {
        let mirrored = seen.contains_key(&(beyond, own, b, a));
        assert!(mirrored || !has_outline(beyond), "{what}: {a:?}–{b:?} of region {own} is no edge of {beyond}");
    }
}

#[test]
fn random_outlines_are_simple_and_share_their_edges() {
    let mut scratch = RegionScratch::default();
    let mut mended = 0;
    for seed in 0..200 {
        let ground = random_ground(seed);
        for how in PARTITIONS {
            let limits = RegionLimits { min_cells: 0, merge_cells: [0, 12, 1000][seed as usize % 3] };
            let regions = partition(&ground, how, limits, &mut scratch);
            // Ground that steps up by most of a floor has slits between unconnected spans of one region; small ones are
            // left out, and the other floor's edge there is then a wall.
            let has_slits = seed % 3 == 2;
            for (max_error, max_len) in [(0.0, 0), (1.3, 0), (1.3, 7), (4.0, 0)] {
                let (set, report) = outline(&ground, &regions, max_error, max_len);
                let what = format!("seed {seed}, {how:?}, error {max_error}, length {max_len}");
                check_outlines(&set, &what);
                if !has_slits {
                    check_shared_edges(&set, &what);
                }
                assert_eq!(warnings(&report, WarningKind::HoleDropped), 0, "{what}");
                mended += warnings(&report, WarningKind::ContourRepaired);
                if max_error == 0.0 {
                    let cells = regions.id.iter().filter(|id| is_inner(**id)).count() as i64;
                    let area: i64 = (0..set.contours.len()).map(|k| area2(&corners(&set, k))).sum();
                    assert_eq!(area, -2 * cells, "{what}");
                }
            }
        }
    }
    assert!(mended > 100, "the tests must meet outlines that need mending, but met only {mended}");
}

/// A rectangle cut out of a field with its spans and links, as a tile's field would be; `border` cells around it.
fn cut_tile(
    level: &CompactHeightfield,
    [x0, z0]: [i32; 2],
    [width, depth]: [i32; 2],
    border: i32,
) -> CompactHeightfield {
    let grid = crate::voxel::Grid {
        x: x0 - border,
        z: z0 - border,
        width: (width + 2 * border) as u32,
        depth: (depth + 2 * border) as u32,
        ..level.grid
    };
    let mut tile = CompactHeightfield::empty(grid);
    tile.border = border as u32;
    let mut new_index = vec![crate::math::index::NONE; level.span_count()];
    let mut old_index = Vec::new();
    for cell in 0..grid.cell_count() as i32 {
        let (x, z) = (grid.x + cell % grid.width as i32, grid.z + cell / grid.width as i32);
        if x >= 0 && z >= 0 && x < level.grid.width as i32 && z < level.grid.depth as i32 {
            for span in level.column(level.grid.index(x as u32, z as u32)) {
                new_index[span] = old_index.len() as u32;
                old_index.push(span);
            }
        }
        tile.columns[cell as usize + 1] = old_index.len() as u32;
    }
    for &span in &old_index {
        tile.y.push(level.y[span]);
        tile.clearance.push(level.clearance[span]);
        tile.area.push(level.area[span]);
        tile.neighbours.push(level.neighbours[span].map(|n| new_index.get(n as usize).copied().unwrap_or(n)));
    }
    tile
}

#[test]
fn tiles_agree_on_their_common_border() {
    for seed in 0..60 {
        let (map, other) = (random_map(40, 24, seed), random_map(40, 24, seed + 77));
        let level = if seed % 2 == 0 { field(&map) } else { layered_field(&[&map, &other], 2) };
        for how in PARTITIONS {
            let mut sides = Vec::new();
            for x in [0, 20] {
                let tile = cut_tile(&level, [x, 0], [20, 24], 3);
                let limits = RegionLimits { min_cells: 0, merge_cells: 30 };
                let regions = partition(&tile, how, limits, &mut RegionScratch::default());
                let (set, _) = outline(&tile, &regions, 1.3, 8);
                check_outlines(&set, &format!("seed {seed}, {how:?}"));
                let line = 20 - x;
                // Unit steps of the border with the heights of its ends, where they are corners on this side.
                let mut steps = BTreeSet::new();
                let mut ends = BTreeSet::new();
                for (a, b) in set.contours.iter().flat_map(|c| edges(set.verts_of(c))) {
                    if a.neighbour & ContourVert::TILE_BORDER == 0 {
                        continue;
                    }
                    let is_upright = a.x == b.x && (a.x == 0 || a.x == 20);
                    assert!(is_upright || (a.z == b.z && (a.z == 0 || a.z == 24)), "seed {seed}: {a:?} {b:?}");
                    if a.x == line && b.x == line {
                        steps.extend(a.z.min(b.z)..a.z.max(b.z));
                        ends.extend([(a.z, a.y), (b.z, b.y)]);
                    }
                }
                sides.push((steps, ends));
            }
            assert_eq!(sides[0].0, sides[1].0, "seed {seed}, {how:?}");
            // What is a corner on both sides at one place has the same heights, floor by floor: two where ground meets
            // ground too high to step onto.
            if seed % 2 == 0 {
                let heights = |side: usize, at: i32| sides[side].1.range((at, 0)..=(at, i32::MAX)).collect::<Vec<_>>();
                for (z, _) in &sides[1].1 {
                    let both = [0, 1].map(|side| heights(side, *z));
                    assert!(both[0].is_empty() || both[0] == both[1], "seed {seed}, {how:?}: at {z}");
                }
            }
        }
    }
}

#[test]
fn used_scratch_changes_nothing() {
    let mut scratch = ContourScratch::default();
    for seed in (0..40).rev() {
        let ground = random_ground(seed);
        let regions = whole(&ground);
        let mut report = BakeReport::new(Aabb { min: Vec3::ZERO, max: Vec3::ZERO });
        let mut out = ContourSet::empty(ground.grid);
        let settings = ContourSettings { max_error: 1.3, max_edge_len: 9 };
        build_contours_into(&ground, &regions, settings, &mut report, &mut scratch, &mut out);
        let (fresh, _) = outline(&ground, &regions, 1.3, 9);
        assert_eq!((out.contours, out.verts), (fresh.contours, fresh.verts), "seed {seed}");
    }
}

#[test]
fn a_thin_wall_stays_however_large_the_error() {
    let map = "0000000000\n0000000000\n00......00\n0000000000\n0000000000";
    let (set, _) = drawn(map, 1.3);
    assert!(area2(&corners(&set, 0)) > -2 * 50, "the wall is gone");
    assert_eq!(set.verts.len(), 4 + 4 + 2);
}
