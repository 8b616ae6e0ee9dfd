//! Computes how far each span is from the nearest edge of the walkable surface.
//!
//! A chamfer distance: a straight step costs 2, a diagonal one 3, which is within 6 % of the Euclidean distance. Spans
//! at an edge (a neighbour is missing or of another area type) are 0; one sweep from the low corner and one from the
//! high corner propagate distances to all others, each looking at the four neighbours it has already visited:
//!
//! ```text
//!   first sweep   3 2 3        second sweep  . * 2      (z grows downwards; * is the span looked at)
//!                 2 * .                      3 2 3
//! ```
//!
//! A 3 × 3 box blur then smooths the field, so that ridges of one cell do not become regions of their own.
//!
//! Cost: four linear passes, about 30 loads per span. Both sweeps skip what they cannot change: an edge span needs no
//! distance, and only spans without a missing neighbour have one, so their straight neighbours are read unchecked.
//! [Open areas](super::open_ground) are processed eight spans at a time, without links.
//!
//! Sources: Gunilla Borgefors, "Distance Transformations in Digital Images", 1986 (the 2–3 chamfer); Mikko Mononen,
//! Recast, 2009 (edges and blur).

use super::open_ground::{BLOCK, OpenBlock, open_blocks_into};
use crate::context::Budget;
use crate::math::lanes::{Level, dispatch};
use crate::voxel::CompactHeightfield;
use core::ops::Range;
use fearless_simd::prelude::*;
use fearless_simd::u16x8;

/// Distances over a compact heightfield, in its span order: 2 per straight step, 3 per diagonal one.
#[derive(Clone, Debug, Default)]
pub struct DistanceField {
    /// Distance of each span to the nearest edge, after the blur.
    pub distance: Vec<u16>,
    /// The greatest distance, before blurring.
    pub max: u16,
}

/// Memory that [`distance_field_into`] keeps from call to call.
#[derive(Clone, Debug, Default)]
pub struct DistanceScratch {
    sharp: Vec<u16>,
    open: Vec<OpenBlock>,
    next: Pass,
}

/// The next pass over the spans.
#[derive(Clone, Copy, Debug, Default)]
enum Pass {
    #[default]
    SweepUp,
    SweepDown,
    Blur,
}

/// Distance of each span to the nearest edge, blurred. Linear in the number of spans.
#[must_use]
pub fn distance_field(field: &CompactHeightfield) -> DistanceField {
    let mut out = DistanceField::default();
    distance_field_into(field, &mut DistanceScratch::default(), &mut out);
    out
}

/// Like [`distance_field`], reusing memory.
pub fn distance_field_into(field: &CompactHeightfield, scratch: &mut DistanceScratch, out: &mut DistanceField) {
    scratch.begin();
    scratch.measure(field, &mut Budget::unlimited(), out);
}

impl DistanceScratch {
    /// Prepares for [`measure`](Self::measure).
    pub(in crate::bake) fn begin(&mut self) {
        self.next = Pass::SweepUp;
    }

    /// Continues pass by pass within the budget: a unit is a span. Returns whether it is finished.
    pub(in crate::bake) fn measure(
        &mut self,
        field: &CompactHeightfield,
        budget: &mut Budget,
        out: &mut DistanceField,
    ) -> bool {
        let Self { sharp, open, next } = self;
        let spans = field.span_count() as u64;
        if matches!(next, Pass::SweepUp) {
            open.clear();
            // The sum of nine distances must fit.
            let is_small = 2 * u64::from(field.grid.width.max(field.grid.depth)) < u64::from(u16::MAX / 9);
            dispatch!(Level::new(), simd => {
                if is_small {
                    open_blocks_into(field, open);
                }
                sweep_up(simd, field, open, sharp);
            });
            *next = Pass::SweepDown;
            if !budget.charge(spans) {
                return false;
            }
        }
        if matches!(next, Pass::SweepDown) {
            dispatch!(Level::new(), simd => out.max = sweep_down(simd, field, open, sharp));
            *next = Pass::Blur;
            if !budget.charge(spans) {
                return false;
            }
        }
        dispatch!(Level::new(), simd => blur(simd, field, open, sharp, &mut out.distance));
        budget.charge(spans);
        true
    }
}

/// The distance at `span`, or "far" where there is none.
#[inline]
fn at(distance: &[u16], span: u32) -> u16 {
    distance.get(span as usize).copied().unwrap_or(u16::MAX)
}

/// Farther than anything on a grid that is processed in blocks, with room for some more steps.
const FAR: u16 = u16::MAX - 16;

/// The eight distances from `first` on.
#[inline(always)]
fn eight<S: Simd>(simd: S, distance: &[u16], first: usize) -> u16x8<S> {
    u16x8::from_slice(simd, &distance[first..first + BLOCK])
}

/// The distances that a row propagates to the eight spans across from those that begin at `first`.
#[inline(always)]
fn across<S: Simd>(simd: S, distance: &[u16], first: usize) -> u16x8<S> {
    let diagonal = eight(simd, distance, first - 1).min(eight(simd, distance, first + 1));
    (eight(simd, distance, first) + 2).min(diagonal + 3)
}

/// Marks edges with 0 and propagates distances towards higher x and z.
#[inline(always)]
fn sweep_up<S: Simd>(simd: S, field: &CompactHeightfield, open: &[OpenBlock], distance: &mut Vec<u16>) {
    let areas = &field.area[..];
    let links = &field.neighbours[..];
    distance.clear();
    distance.resize(links.len(), 0);
    for (between, block) in pieces(open, links.len()) {
        for span in between {
            let [left, above, right, below] = links[span];
            let area = areas[span];
            let same = |n: u32| areas.get(n as usize) == Some(&area);
            if !(same(left) && same(above) && same(right) && same(below)) {
                continue;
            }
            let left = left as usize;
            let below = below as usize;
            let straight = distance[left].min(distance[below]).saturating_add(2);
            let diagonal = at(distance, links[left][3]).min(at(distance, links[below][2])).saturating_add(3);
            distance[span] = straight.min(diagonal);
        }
        let Some(&OpenBlock { span, below, .. }) = block else { break };
        // Along the row: into it, then by one, two and four steps.
        let far = u16x8::splat(simd, FAR);
        let last = u16x8::splat(simd, distance[span - 1]);
        let mut own = across(simd, distance, below).min(last.slide::<7>(far) + 2);
        own = own.min(far.slide::<7>(own) + 2);
        own = own.min(far.slide::<6>(own) + 4);
        own = own.min(far.slide::<4>(own) + 8);
        own.store_slice(&mut distance[span..span + BLOCK]);
    }
}

/// Propagates distances towards lower x and z; returns the greatest.
#[inline(always)]
fn sweep_down<S: Simd>(simd: S, field: &CompactHeightfield, open: &[OpenBlock], distance: &mut [u16]) -> u16 {
    let links = &field.neighbours[..];
    let mut max = 0;
    let mut most = u16x8::splat(simd, 0);
    for (between, block) in pieces(open, links.len()).rev() {
        if let Some(&OpenBlock { span, above, .. }) = block {
            let far = u16x8::splat(simd, FAR);
            let last = u16x8::splat(simd, distance[span + BLOCK]);
            let mut own = eight(simd, distance, span).min(across(simd, distance, above));
            own = own.min(far.slide::<1>(last) + 2);
            own = own.min(own.slide::<1>(far) + 2);
            own = own.min(own.slide::<2>(far) + 4);
            own = own.min(own.slide::<4>(far) + 8);
            own.store_slice(&mut distance[span..span + BLOCK]);
            most = most.max(own);
        }
        for span in between.rev() {
            let own = distance[span];
            // Spans that are not at an edge have a distance of at least 2.
            if own > 2 {
                let [_, above, right, _] = links[span];
                let above = above as usize;
                let right = right as usize;
                let straight = distance[right].min(distance[above]).saturating_add(2);
                let diagonal = at(distance, links[right][1]).min(at(distance, links[above][0])).saturating_add(3);
                distance[span] = own.min(straight).min(diagonal);
            }
            max = max.max(distance[span]);
        }
    }
    most.as_slice().iter().fold(max, |max, &most| max.max(most))
}

/// Mean over the 3 × 3 neighbourhood; a missing diagonal counts as the span itself. Distances up to 2 stay unchanged.
#[inline(always)]
fn blur<S: Simd>(simd: S, field: &CompactHeightfield, open: &[OpenBlock], sharp: &[u16], blurred: &mut Vec<u16>) {
    let links = &field.neighbours[..];
    blurred.clear();
    blurred.reserve(links.len());
    for (between, block) in pieces(open, links.len()) {
        blurred.extend(between.map(|span| {
            let own = sharp[span];
            let around = links[span];
            if own <= 2 {
                return own;
            }
            let beside = |dir: usize| {
                let next = around[dir] as usize;
                let corner = links[next][(dir + 1) & 3] as usize;
                u32::from(sharp[next]) + u32::from(sharp.get(corner).copied().unwrap_or(own))
            };
            ((u32::from(own) + beside(0) + beside(1) + beside(2) + beside(3) + 5) / 9) as u16
        }));
        let Some(block) = block else { break };
        let row = |first: usize| {
            let beside = eight(simd, sharp, first - 1) + eight(simd, sharp, first + 1);
            beside + eight(simd, sharp, first)
        };
        let sums = row(block.below) + row(block.span) + row(block.above);
        let mut means = [0; BLOCK];
        for (mean, sum) in means.iter_mut().zip(sums.as_slice()) {
            *mean = (sum + 5) / 9; // This becomes vector instructions.
        }
        let own = eight(simd, sharp, block.span);
        let means = own.simd_le(2).select(own, u16x8::from_slice(simd, &means));
        blurred.extend_from_slice(means.as_slice());
    }
}

/// All spans: those before each block and the block; finally the rest, without a block.
fn pieces(
    open: &[OpenBlock],
    spans: usize,
) -> impl DoubleEndedIterator<Item = (Range<usize>, Option<&OpenBlock>)> + '_ {
    (0..open.len() + 1).map(move |at| {
        let begin = at.checked_sub(1).map_or(0, |before| open[before].span + BLOCK);
        let block = open.get(at);
        (begin..block.map_or(spans, |block| block.span), block)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::region::test_field::{field, layered_field, random_map};
    use crate::math::index::NONE;

    #[test]
    fn edges_are_zero_and_the_middle_is_farthest() {
        let open = field("00000\n00000\n00000\n00000\n00000");
        let got = distance_field(&open);
        assert_eq!(got.max, 4);
        #[rustfmt::skip]
        assert_eq!(got.distance, [
            0, 0, 0, 0, 0,
            0, 2, 2, 2, 0,
            0, 2, 2, 2, 0, // the middle, 4, is blurred to (4 + 8 × 2 + 5) / 9
            0, 2, 2, 2, 0,
            0, 0, 0, 0, 0,
        ]);
    }

    #[test]
    fn another_area_type_is_an_edge_and_another_layer_is_not_seen() {
        let ground = "000000\n000000\n0000aa\n0000aa\n000000\n000000";
        let got = distance_field(&field(ground));
        assert_eq!(got.distance[2 * 6 + 3], 0);
        assert_eq!(got.distance[6 + 4], 0);
        let one = field(&"00000\n".repeat(5));
        let two = layered_field(&["00000\n".repeat(5).as_str(); 2], 1);
        let one = distance_field(&one);
        let two = distance_field(&two);
        for (span, &d) in one.distance.iter().enumerate() {
            assert_eq!([two.distance[2 * span], two.distance[2 * span + 1]], [d, d]);
        }
    }

    /// Distances by relaxation until nothing changes: slow and obvious.
    fn oracle(field: &CompactHeightfield) -> Vec<u16> {
        let links = &field.neighbours;
        let is_edge = |i: usize| links[i].iter().any(|&n| n == NONE || field.area[n as usize] != field.area[i]);
        let mut d: Vec<u16> = (0..links.len()).map(|i| if is_edge(i) { 0 } else { 9999 }).collect();
        loop {
            let before = d.clone();
            for i in 0..links.len() {
                for dir in (0..4).filter(|&dir| links[i][dir] != NONE) {
                    let n = links[i][dir] as usize;
                    d[i] = d[i].min(d[n] + 2);
                    for turn in [1, 3] {
                        let corner = links[n][(dir + turn) & 3];
                        if corner != NONE {
                            d[i] = d[i].min(d[corner as usize] + 3);
                        }
                    }
                }
            }
            if d == before {
                return d;
            }
        }
    }

    #[test]
    fn two_sweeps_find_what_relaxation_finds_in_convex_rooms() {
        // Chamfer sweeps are exact in a plane without holes in the metric; random maps may only be farther, never
        // nearer.
        let room = field(&"0".repeat(17).as_str().chars().chain("\n".chars()).collect::<String>().repeat(13));
        let mut scratch = DistanceScratch::default();
        let mut out = DistanceField::default();
        distance_field_into(&room, &mut scratch, &mut out);
        assert_eq!(scratch.sharp, oracle(&room));
        for seed in 0..40 {
            let random = field(&random_map(24, 19, seed));
            distance_field_into(&random, &mut scratch, &mut out);
            let exact = oracle(&random);
            assert!(scratch.sharp.iter().zip(&exact).all(|(got, least)| got >= least), "seed {seed}");
            assert_eq!(out.max, scratch.sharp.iter().copied().max().unwrap_or(0), "seed {seed}");
        }
    }

    #[test]
    fn open_ground_gives_what_links_give() {
        let mut open = Vec::new();
        let mut found = 0;
        for seed in 0..60 {
            let wide = random_map(40, 24, seed).replace('.', "0");
            let high = random_map(40, 24, seed + 60);
            let plain = field(&("0".repeat(70) + "\n").repeat(40));
            for field in [layered_field(&[&wide, &high], 1), field(&wide), plain] {
                let got = distance_field(&field);
                open_blocks_into(&field, &mut open);
                found += open.len();
                let mut sharp = Vec::new();
                let mut blurred = Vec::new();
                let max = dispatch!(Level::baseline(), simd => {
                    sweep_up(simd, &field, &[], &mut sharp);
                    let max = sweep_down(simd, &field, &[], &mut sharp);
                    blur(simd, &field, &[], &sharp, &mut blurred);
                    max
                });
                assert_eq!((got.max, got.distance), (max, blurred), "seed {seed}");
            }
        }
        assert!(found > 60 * 200, "{found}");
    }

    #[test]
    fn an_empty_field_has_no_distances() {
        let got = distance_field(&field("...\n..."));
        assert_eq!((got.distance.len(), got.max), (0, 0));
    }
}
