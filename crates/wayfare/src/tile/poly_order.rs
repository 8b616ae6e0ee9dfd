//! The order of the polygons of a tile in its tree: along a space-filling curve through their centres, one large island
//! after another.
//!
//! ```text
//!   0 1 | 4 5
//!   2 3 | 6 7      a Morton curve: neighbours in the order are neighbours in space
//!   ----+----
//!   8 9 | …
//! ```
//!
//! Cost: a radix sort, O(n).
//!
//! Sources: Morton, "A Computer Oriented Geodetic Data Base and a New Technique in File Sequencing", 1966 (the curve).

use super::Islands;
use super::box_lanes::BoxLanes;
use super::few::each_in_order;
use wide::f32x4;

/// Orders the polygons with these boxes, all of which are in the box `around`; island by island if those are given and
/// have at least `large` polygons.
pub(super) fn poly_order(boxes: &[BoxLanes], around: BoxLanes, islands: Option<&Islands>, large: u32) -> Vec<u32> {
    let polys = curve_order(boxes, around);
    match islands {
        Some(islands) if islands.count() > 1 => island_by_island(&polys, islands, large),
        _ => polys,
    }
}

/// Groups polygons by island, keeping their order, so that a search within one need not look at the others. Small
/// islands stay together at the end: a box over several that lie far apart would slow down every search.
fn island_by_island(polys: &[u32], islands: &Islands, large: u32) -> Vec<u32> {
    let mut sizes = vec![0u32; islands.count() as usize];
    islands.of_polys().iter().for_each(|&island| sizes[island as usize] += 1);
    // Where the next polygon of each large island goes, and the next of a small one.
    let mut small = 0;
    let mut next = sizes.clone();
    for place in next.iter_mut().filter(|size| **size >= large) {
        small += core::mem::replace(place, small);
    }
    let mut sorted = vec![0; polys.len()];
    for &poly in polys {
        let island = islands.of_polys()[poly as usize] as usize;
        let place = if sizes[island] < large { &mut small } else { &mut next[island] };
        sorted[*place as usize] = poly;
        *place += 1;
    }
    sorted
}

/// Orders the polygons along a Morton curve through the centres of their boxes, ties by index: nine bits of x and of z,
/// and four of height next to the highest four of those, since tiles are wide and low.
fn curve_order(boxes: &[BoxLanes], around: BoxLanes) -> Vec<u32> {
    let size = around.to_box().size();
    // The same scale along all axes keeps nodes compact: a flat tile has few levels of height.
    let extent = size.x.max(size.y).max(size.z);
    let scale = f32x4::splat(if extent > 0.0 { 511.0 / extent } else { 0.0 });
    let half = f32x4::splat(0.5);
    let most = f32x4::splat(511.0);
    let keyed = boxes.iter().zip(0..).map(|(b, index)| {
        let at = ((b.low + b.high) * half - around.low) * scale;
        let steps = at.fast_max(f32x4::ZERO).fast_min(most).fast_trunc_int().to_array();
        // Beyond the range of f32 there is no meaningful position, but some number.
        let [x, y, z, _] = steps.map(|step| step as u32 & 511);
        let plane = spread(x) | spread(z) << 1;
        // Bits 10 to 17 hold four pairs of x and z; each gets a bit of y above it.
        let key = plane & 0x3ff | pair_with(plane >> 10, y >> 5) << 10;
        u64::from(key) << 32 | index
    });
    let mut keyed: Vec<u64> = keyed.collect();
    match keyed.len() {
        0..=24 => {
            let mut sorted = vec![0; keyed.len()];
            each_in_order(&mut keyed, |place, item| sorted[place] = item as u32);
            return sorted;
        }
        25..=1000 => radix_sort::<256>(&mut keyed, [32, 40, 48]),
        _ => radix_sort::<2048>(&mut keyed, [32, 43]),
    }
    keyed.into_iter().map(|item| item as u32).collect()
}

/// Sorts by the 22 bits above the lower half, in stable passes over digits with this many values that begin at
/// `shifts`.
fn radix_sort<const DIGITS: usize>(keyed: &mut Vec<u64>, shifts: impl IntoIterator<Item = u32>) {
    let mut other = vec![0; keyed.len()];
    let mut start = [0u32; DIGITS];
    for shift in shifts {
        let digit = |item: u64| (item >> shift) as usize % DIGITS;
        start.fill(0);
        for &item in keyed.iter() {
            start[digit(item)] += 1;
        }
        let mut sum = 0;
        for place in &mut start {
            sum += core::mem::replace(place, sum);
        }
        for &item in keyed.iter() {
            let place = &mut start[digit(item)];
            other[*place as usize] = item;
            *place += 1;
        }
        core::mem::swap(keyed, &mut other);
    }
}

/// Moves the low nine bits two apart.
fn spread(v: u32) -> u32 {
    let v = (v | v << 8) & 0x00ff_00ff;
    let v = (v | v << 4) & 0x0f0f_0f0f;
    let v = (v | v << 2) & 0x3333_3333;
    (v | v << 1) & 0x5555_5555
}

/// Puts four bits above four pairs of bits, one each.
fn pair_with(pairs: u32, bits: u32) -> u32 {
    (0..4).fold(0, |all, k| all | (pairs >> (2 * k) & 3) << (3 * k) | (bits >> k & 1) << (3 * k + 2))
}
