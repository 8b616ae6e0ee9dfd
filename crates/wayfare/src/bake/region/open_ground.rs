//! Finds open areas: eight consecutive spans whose surroundings are consecutive rows, too.
//!
//! Spans are numbered along the rows of their cells. If all columns have one, the neighbours of eight consecutive spans
//! are eight consecutive spans again, and every neighbour follows from the numbers, including diagonal ones:
//!
//! ```text
//!   above - 1  [ above … above + 7 ]  above + 8
//!   span  - 1  [ span  … span  + 7 ]  span  + 8        one area type; of the eight in the middle, all have all links
//!   below - 1  [ below … below + 7 ]  below + 8
//! ```
//!
//! Code that looks at the surroundings of each span then reads rows, without following links.
//!
//! Cost: one look at three rows of columns and the links of one.
//!
//! Sources: none needed.

use crate::area::AreaId;
use crate::math::index::NONE;
use crate::voxel::{CompactHeightfield, are_single};

/// Spans in a block.
pub(super) const BLOCK: usize = 8;
/// Spans of a block and one at each end.
const AROUND: usize = BLOCK + 2;

/// Eight consecutive spans, none of them at an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenBlock {
    /// The first of the spans.
    pub(super) span: usize,
    /// Its neighbour towards higher z.
    pub(super) above: usize,
    /// Its neighbour towards lower z.
    pub(super) below: usize,
}

/// Finds blocks that do not overlap, from the first span to the last. (Inlined, so that it is compiled for the vectors
/// of its caller.)
#[inline(always)]
pub(super) fn open_blocks_into(field: &CompactHeightfield, blocks: &mut Vec<OpenBlock>) {
    blocks.clear();
    let width = field.grid.width as usize;
    let depth = field.grid.depth as usize;
    for z in 1..depth.saturating_sub(1) {
        let rows = [z - 1, z, z + 1].map(|z| &field.columns[z * width..][..width + 1]);
        let mut x = 0;
        // From the column before the block.
        while x + AROUND <= width {
            let [below, span, above] = rows.map(|ends| ends[x] as usize + 1);
            let block = OpenBlock { span, above, below };
            // No block holds what makes this one impossible: the next begins behind it.
            x += if !rows.iter().all(|ends| are_single::<AROUND>(&ends[x..])) {
                behind_stack(rows.map(|ends| &ends[x..]))
            } else if !has_all_links(field, &block) {
                behind_missing_link(field, &block)
            } else if !is_of_one_area(field, &block) {
                behind_other_area(field, &block)
            } else {
                blocks.push(block);
                BLOCK
            };
        }
    }
}

/// The columns up to the last that is not single.
#[cold]
fn behind_stack(rows: [&[u32]; 3]) -> usize {
    let is_single = |column: usize| rows.iter().all(|ends| ends[column + 1].wrapping_sub(ends[column]) == 1);
    (0..AROUND).rev().find(|&column| !is_single(column)).map_or(1, |column| column + 1)
}

/// The columns up to the last whose span lacks a link.
#[cold]
fn behind_missing_link(field: &CompactHeightfield, block: &OpenBlock) -> usize {
    let is_whole = |k: usize| field.neighbours[block.span + k].iter().all(|&link| link != NONE);
    (0..BLOCK).rev().find(|&k| !is_whole(k)).map_or(1, |k| k + 1)
}

/// The columns up to the last change of the area type in the middle row; without one, up to the last in the rows beside
/// it.
#[cold]
fn behind_other_area(field: &CompactHeightfield, block: &OpenBlock) -> usize {
    let areas = &field.area;
    let row = &areas[block.span - 1..][..AROUND];
    let own = row[1];
    let is_own = |k: usize| areas[block.above + k] == own && areas[block.below + k] == own;
    let change = (1..AROUND).rev().find(|&k| row[k] != row[k - 1]);
    change.or_else(|| (0..BLOCK).rev().find(|&k| !is_own(k)).map(|k| k + 1)).unwrap_or(1)
}

#[inline(always)]
fn has_all_links(field: &CompactHeightfield, block: &OpenBlock) -> bool {
    let links: Option<&[[u32; 4]; BLOCK]> = field.neighbours[block.span..].first_chunk();
    links.is_some_and(|links| links.as_flattened().iter().fold(true, |all, &link| all & (link != NONE)))
}

/// Whether no span of the block is adjacent to another area type.
#[inline(always)]
fn is_of_one_area(field: &CompactHeightfield, block: &OpenBlock) -> bool {
    #[inline(always)]
    fn are_all<const N: usize>(row: &[AreaId], own: AreaId) -> bool {
        row.first_chunk::<N>().is_some_and(|row| row.iter().fold(true, |all, &area| all & (area == own)))
    }
    let areas = &field.area;
    let own = field.area[block.span];
    are_all::<AROUND>(&areas[block.span - 1..], own)
        && are_all::<BLOCK>(&areas[block.above..], own)
        && are_all::<BLOCK>(&areas[block.below..], own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::region::test_field::{field, layered_field, random_map};

    #[test]
    fn open_ground_is_found_up_to_its_edges() {
        let map = "0".repeat(19) + "\n";
        let mut blocks = Vec::new();
        open_blocks_into(&field(&map.repeat(3)), &mut blocks);
        let at = |x: usize| OpenBlock { span: 19 + x, above: 2 * 19 + x, below: x };
        assert_eq!(blocks, [at(1), at(9)]);
        open_blocks_into(&field(&map.repeat(2)), &mut blocks);
        assert_eq!(blocks, []);
        let pit = map.clone() + &map + "0000000000.00000000\n";
        open_blocks_into(&field(&pit), &mut blocks);
        assert_eq!(blocks, [at(1)], "a hole at the corner of the second");
        let road = map.clone() + &map + "0000000000000a00000\n";
        open_blocks_into(&field(&road), &mut blocks);
        assert_eq!(blocks, [at(1)], "the second borders on another area");
        open_blocks_into(&layered_field(&[map.repeat(3).as_str(); 2], 1), &mut blocks);
        assert_eq!(blocks, [], "two storeys do not lie in rows");
    }

    /// Block by block and column by column.
    fn found_slowly(field: &CompactHeightfield) -> Vec<OpenBlock> {
        let mut blocks = Vec::new();
        let width = field.grid.width as usize;
        for z in 1..field.grid.depth as usize - 1 {
            let rows = [z - 1, z, z + 1].map(|z| &field.columns[z * width..][..width + 1]);
            let mut x = 0;
            while x + AROUND <= width {
                let [below, span, above] = rows.map(|ends| ends[x] as usize + 1);
                let block = OpenBlock { span, above, below };
                let is_open = rows.iter().all(|ends| are_single::<AROUND>(&ends[x..]))
                    && has_all_links(field, &block)
                    && is_of_one_area(field, &block);
                blocks.extend(is_open.then_some(block));
                x += if is_open { BLOCK } else { 1 };
            }
        }
        blocks
    }

    #[test]
    fn no_block_is_skipped() {
        let mut found = 0;
        for seed in 0..200 {
            let ground = random_map(60, 30, seed);
            let ground = if seed % 2 == 0 { ground.replace('.', "0") } else { ground };
            let above: String = random_map(60, 30, seed + 500).replace(['0', 'a'], ".");
            let layers = [ground.as_str(), above.as_str()];
            let mut field = if seed % 3 == 0 { layered_field(&layers, 1) } else { field(layers[0]) };
            // Large patches of other areas.
            for (span, area) in field.area.iter_mut().enumerate() {
                let is_patch = (span / 17 + seed as usize).is_multiple_of(5) && seed % 4 > 0;
                *area = if is_patch { AreaId::from_low_bits(7) } else { *area };
            }
            let mut blocks = Vec::new();
            open_blocks_into(&field, &mut blocks);
            assert_eq!(blocks, found_slowly(&field), "seed {seed}");
            found += blocks.len();
        }
        assert!(found > 200, "{found}");
    }

    #[test]
    fn around_every_span_of_a_block_lie_the_spans_that_links_lead_to() {
        let mut found = 0;
        for seed in 0..60 {
            // Two storeys in places: rows begin and end anywhere.
            let ground = random_map(40, 24, seed).replace('.', "0");
            let above = random_map(40, 24, seed + 100);
            let above: String = above.chars().map(|c| if c == '0' && seed % 3 > 0 { '.' } else { c }).collect();
            let field = layered_field(&[&ground, &above], 1);
            let mut blocks = Vec::new();
            open_blocks_into(&field, &mut blocks);
            let links = |span: usize, path: &[usize]| {
                path.iter()
                    .fold(span as u32, |at, &dir| if at == NONE { NONE } else { field.neighbours[at as usize][dir] })
            };
            for &OpenBlock { span, above, below } in &blocks {
                for k in 0..BLOCK {
                    let reached = |path: &[usize]| links(span + k, path);
                    let straight = [span + k - 1, above + k, span + k + 1, below + k].map(|span| span as u32);
                    assert_eq!([&[0][..], &[1], &[2], &[3]].map(reached), straight, "seed {seed}");
                    let corners = [[0, 3], [3, 0], [3, 2], [2, 3], [2, 1], [1, 2], [1, 0], [0, 1]];
                    let low = [below + k - 1, below + k + 1];
                    let high = [above + k + 1, above + k - 1];
                    let want = [low[0], low[0], low[1], low[1], high[0], high[0], high[1], high[1]];
                    for (path, want) in corners.iter().zip(want) {
                        assert!([want as u32, NONE].contains(&reached(path)), "seed {seed}");
                    }
                }
                found += 1;
            }
        }
        assert!(found > 100, "{found}");
    }
}
