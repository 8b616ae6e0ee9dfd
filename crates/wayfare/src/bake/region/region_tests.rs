//! What holds for every partition, tried on drawn and random ground.

use super::regions::{RegionLimits, Regions, is_inner};
use super::test_field::{field, layered_field, random_map};
use crate::bake::{
    BORDER_REGION, RegionScratch, distance_field, layer_regions_into, monotone_regions_into, watershed_regions_into,
};
use crate::input::Partition;
use crate::math::index::NONE;
use crate::voxel::CompactHeightfield;

pub(in crate::bake) const PARTITIONS: [Partition; 3] = [Partition::Watershed, Partition::Monotone, Partition::Layers];

pub(in crate::bake) fn partition(
    ground: &CompactHeightfield,
    how: Partition,
    limits: RegionLimits,
    scratch: &mut RegionScratch,
) -> Regions {
    let mut out = Regions::default();
    match how {
        Partition::Watershed => watershed_regions_into(ground, &distance_field(ground), limits, scratch, &mut out),
        Partition::Monotone => monotone_regions_into(ground, limits, scratch, &mut out),
        Partition::Layers => layer_regions_into(ground, limits, scratch, &mut out),
    }
    out
}

fn cut(ground: &CompactHeightfield, how: Partition, min_cells: u32, merge_cells: u32) -> Regions {
    partition(ground, how, RegionLimits { min_cells, merge_cells }, &mut RegionScratch::default())
}

/// Two layers with a few ways between them: a random map over another, their heights closer where `seed` says.
pub(in crate::bake) fn random_ground(seed: u64) -> CompactHeightfield {
    let (width, depth) = (10 + seed as usize % 37, 8 + seed as usize % 29);
    let low = random_map(width, depth, seed);
    if seed.is_multiple_of(3) {
        return field(&low);
    }
    let high = random_map(width, depth, seed + 1_000_003);
    layered_field(&[&low, &high], if seed % 3 == 1 { 2 } else { 19 })
}

/// All spans that can be reached over walkable neighbours, by flood.
fn islands(ground: &CompactHeightfield, is_ground: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let mut seen = vec![false; ground.span_count()];
    let mut found = Vec::new();
    for start in (0..seen.len()).filter(|&i| is_ground(i)) {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut island = vec![start];
        let mut done = 0;
        while done < island.len() {
            for n in ground.neighbours[island[done]].into_iter().filter(|&n| n != NONE).map(|n| n as usize) {
                if is_ground(n) && !std::mem::replace(&mut seen[n], true) {
                    island.push(n);
                }
            }
            done += 1;
        }
        found.push(island);
    }
    found
}

fn check(ground: &CompactHeightfield, regions: &Regions, min_cells: u32, what: &str) {
    assert_eq!(regions.id.len(), ground.span_count());
    let mut used = vec![0; regions.count as usize + 1];
    for (span, &id) in regions.id.iter().enumerate() {
        assert!(id == 0 || !ground.area[span].is_null(), "{what}: span {span} is no ground");
        if is_inner(id) {
            used[id as usize] += 1;
        }
    }
    assert!(used[1..].iter().all(|&n| n > 0), "{what}: numbers without spans in {used:?}");
    // Ground is in a region or belongs to a small island.
    let inner = |i: usize| !ground.area[i].is_null() && regions.id[i] & BORDER_REGION == 0;
    for island in islands(ground, inner) {
        let at_border = island
            .iter()
            .any(|&i| ground.neighbours[i].iter().any(|&n| n != NONE && regions.id[n as usize] & BORDER_REGION != 0));
        let kept = at_border || island.len() >= min_cells as usize;
        assert!(island.iter().all(|&i| (regions.id[i] != 0) == kept), "{what}: island of {} spans", island.len());
    }
    // Each region hangs together, has one area type and one span a cell.
    for id in 1..=regions.count {
        let spans: Vec<_> = islands(ground, |i| regions.id[i] == id);
        assert_eq!(spans.len(), 1, "{what}: region {id} is in pieces");
        assert!(spans[0].iter().all(|&i| ground.area[i] == ground.area[spans[0][0]]), "{what}: areas of {id}");
    }
    for cell in 0..ground.grid.cell_count() {
        let mut ids: Vec<_> = regions.id[ground.column(cell)].iter().filter(|id| is_inner(**id)).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|w| w[0] != w[1]), "{what}: a region lies over itself");
    }
}

#[test]
fn random_ground_is_cut_cleanly() {
    let mut scratch = RegionScratch::default();
    for seed in 0..300 {
        let mut ground = random_ground(seed);
        if seed % 5 == 4 {
            ground.border = 2;
        }
        for how in PARTITIONS {
            for (min_cells, merge_cells) in [(0, 0), (6, 20), (30, 100_000)] {
                let limits = RegionLimits { min_cells, merge_cells };
                let regions = partition(&ground, how, limits, &mut scratch);
                check(&ground, &regions, min_cells, &format!("seed {seed}, {how:?}, {limits:?}"));
            }
        }
    }
}

#[test]
fn used_scratch_changes_nothing() {
    let mut scratch = RegionScratch::default();
    for seed in (0..60).rev() {
        let ground = random_ground(seed);
        for how in PARTITIONS {
            let limits = RegionLimits { min_cells: 4, merge_cells: 30 };
            let again = partition(&ground, how, limits, &mut scratch);
            assert_eq!(again.id, partition(&ground, how, limits, &mut RegionScratch::default()).id, "seed {seed}");
        }
    }
}

#[test]
fn two_rooms_and_a_door_are_two_watersheds() {
    let mut map = String::new();
    for z in 0..15 {
        let row = if z == 7 { "0".repeat(33) } else { "0".repeat(15) + "..." + &"0".repeat(15) };
        map += &(row + "\n");
    }
    let regions = cut(&field(&map), Partition::Watershed, 0, 10);
    assert_eq!(regions.count, 2);
    assert_ne!(regions.id[0], regions.id[regions.id.len() - 1]);
    assert_eq!(cut(&field(&map), Partition::Layers, 0, 0).count, 1);
}

#[test]
fn small_islands_go_and_larger_ones_stay() {
    let map = "00000...0\n00000..00\n00000....";
    for how in PARTITIONS {
        let regions = cut(&field(map), how, 4, 0);
        assert!(regions.id.iter().filter(|&&id| id == 0).count() == 3, "{how:?}");
        assert!(regions.id[0] != 0);
    }
}

#[test]
fn islands_at_a_tiles_border_stay() {
    let mut ground = field("......\n......\n..0000\n......\n......");
    ground.border = 2;
    for how in PARTITIONS {
        let regions = cut(&ground, how, 50, 0);
        assert_eq!(regions.id, [1, 1, BORDER_REGION | 2, BORDER_REGION | 2], "{how:?}");
    }
}

#[test]
fn an_area_in_the_middle_of_another_stays_its_own_region() {
    let map = "00000000\n00000000\n000aa000\n000aa000\n00000000\n00000000";
    for how in PARTITIONS {
        let regions = cut(&field(map), how, 0, 1000);
        let inner = regions.id[2 * 8 + 3];
        assert_eq!(regions.id.iter().filter(|&&id| id == inner).count(), 4, "{how:?}");
    }
}

#[test]
fn a_region_that_another_encloses_is_merged_into_it() {
    // Sweeps cut the ring around the hole into pieces; with all allowed to merge, only what would enclose the hole
    // twice may stay apart.
    let regions = cut(&field(&"0000000\n".repeat(7)), Partition::Monotone, 0, 1000);
    assert_eq!(regions.count, 1);
}

#[test]
fn a_spiral_ramp_never_lies_over_itself() {
    // Two turns around a pole, one up per step: 8 cells a turn, so the second turn is 8 above the first.
    let turn = ["012\n7.3\n654", "012\n7.3\n654"];
    let mut ground = layered_field(&turn, 1);
    // Layer 1 lies 20 higher; bring it down to 8 and join it to the end of the first turn.
    for y in ground.y.iter_mut().filter(|y| **y >= 20) {
        *y -= 12;
    }
    let (end, start) = (3_usize.pow(2) - 1, 1);
    let end = ground.column(3).start.max(end.min(ground.column(3).start));
    ground.neighbours[end][3] = start as u32;
    ground.neighbours[start][1] = end as u32;
    assert_eq!((ground.y[end], ground.y[start]), (7, 8));
    for how in PARTITIONS {
        let regions = cut(&ground, how, 0, 1000);
        assert!(regions.count >= 2, "{how:?}");
        check(&ground, &regions, 0, "spiral");
    }
}

#[test]
fn many_thousands_of_regions_are_told_apart() {
    // 200 × 200 cells of alternating area types: 40,000 regions, more than 16 bits with a flag could name.
    let row = |first: &str, second: &str| (first.to_string() + second).repeat(100) + "\n";
    let map = (row("a", "b") + &row("b", "a")).repeat(100);
    for how in PARTITIONS {
        assert_eq!(cut(&field(&map), how, 0, 400).count, 40_000, "{how:?}");
    }
}

#[test]
fn nothing_is_cut_into_nothing() {
    for how in PARTITIONS {
        let regions = cut(&field("...\n.#."), how, 0, 0);
        assert_eq!((regions.count, regions.id), (0, vec![0]));
    }
}
