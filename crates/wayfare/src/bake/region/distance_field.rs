//! How far each span is from the nearest edge of walkable ground.
//!
//! A chamfer distance: a straight step costs 2, a diagonal one 3, which stays within 6 % of the Euclidean distance.
//! Spans at an edge (a neighbour is missing or of another area type) are 0; one sweep from the low corner and one from
//! the high corner carry distances to all others, each looking at the four neighbours that it has already passed:
//!
//! ```text
//!   first sweep   3 2 3        second sweep  . * 2      (z grows downwards; * is the span looked at)
//!                 2 * .                      3 2 3
//! ```
//!
//! A 3 × 3 box blur then smooths the field, so that ridges of one cell do not become regions of their own.
//!
//! Cost: four linear passes, about 30 loads a span. Both sweeps skip what they cannot change: an edge span needs no
//! distance, and only spans without a missing neighbour have one, so their straight neighbours are read unchecked.
//!
//! Sources: Gunilla Borgefors, "Distance Transformations in Digital Images", 1986 (the 2–3 chamfer); Mikko Mononen,
//! Recast, 2009 (edges and blur).

use crate::voxel::CompactHeightfield;

/// Distances over a compact heightfield, in its span order: 2 a straight step, 3 a diagonal one.
#[derive(Clone, Debug, Default)]
pub struct DistanceField {
    /// Distance of each span to the nearest edge, after the blur.
    pub distance: Vec<u16>,
    /// The greatest distance, before blurring.
    pub max: u16,
}

/// What [`distance_field_into`] keeps from call to call.
#[derive(Clone, Debug, Default)]
pub struct DistanceScratch {
    sharp: Vec<u16>,
}

/// Distance of each span to the nearest edge, blurred. Linear in the number of spans.
#[must_use]
pub fn distance_field(field: &CompactHeightfield) -> DistanceField {
    let mut out = DistanceField::default();
    distance_field_into(field, &mut DistanceScratch::default(), &mut out);
    out
}

/// [`distance_field`] into memory that is already there: allocates only what scratch and product have not yet.
pub fn distance_field_into(field: &CompactHeightfield, scratch: &mut DistanceScratch, out: &mut DistanceField) {
    let sharp = &mut scratch.sharp;
    sweep_up(field, sharp);
    out.max = sweep_down(field, sharp);
    blur(field, sharp, &mut out.distance);
}

/// The distance at `span`, or "far" where there is none.
#[inline]
fn at(distance: &[u16], span: u32) -> u16 {
    distance.get(span as usize).copied().unwrap_or(u16::MAX)
}

/// Marks edges with 0 and carries distances towards higher x and z.
fn sweep_up(field: &CompactHeightfield, distance: &mut Vec<u16>) {
    let (areas, links) = (&field.area[..], &field.neighbours[..]);
    distance.clear();
    distance.resize(links.len(), 0);
    for (span, ([left, above, right, below], &area)) in links.iter().zip(areas).enumerate() {
        let same = |n: &u32| areas.get(*n as usize) == Some(&area);
        if !(same(left) && same(above) && same(right) && same(below)) {
            continue;
        }
        let (left, below) = (*left as usize, *below as usize);
        let straight = distance[left].min(distance[below]).saturating_add(2);
        let diagonal = at(distance, links[left][3]).min(at(distance, links[below][2])).saturating_add(3);
        distance[span] = straight.min(diagonal);
    }
}

/// Carries distances towards lower x and z; returns the greatest.
fn sweep_down(field: &CompactHeightfield, distance: &mut [u16]) -> u16 {
    let links = &field.neighbours[..];
    let mut max = 0;
    for span in (0..links.len()).rev() {
        let own = distance[span];
        // No span off the edge is nearer than 2.
        if own > 2 {
            let [_, above, right, _] = links[span];
            let (above, right) = (above as usize, right as usize);
            let straight = distance[right].min(distance[above]).saturating_add(2);
            let diagonal = at(distance, links[right][1]).min(at(distance, links[above][0])).saturating_add(3);
            distance[span] = own.min(straight).min(diagonal);
        }
        max = max.max(distance[span]);
    }
    max
}

/// Mean over the 3 × 3 neighbourhood; a missing diagonal counts as the span itself. Distances up to 2 stay as they are.
fn blur(field: &CompactHeightfield, sharp: &[u16], blurred: &mut Vec<u16>) {
    let links = &field.neighbours[..];
    blurred.clear();
    blurred.extend(sharp.iter().zip(links).map(|(&own, around)| {
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
        let (one, two) = (field(&"00000\n".repeat(5)), layered_field(&["00000\n".repeat(5).as_str(); 2], 1));
        let (one, two) = (distance_field(&one), distance_field(&two));
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
    fn an_empty_field_has_no_distances() {
        let got = distance_field(&field("...\n..."));
        assert_eq!((got.distance.len(), got.max), (0, 0));
    }
}
