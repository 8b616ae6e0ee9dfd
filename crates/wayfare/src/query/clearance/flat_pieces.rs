//! Pieces that have no area once their corners are rounded.
//!
//! Ground less than a unit wide can come out of the cut as a piece of its own, and its corners be rounded onto one
//! line, or past each other, so that it is turned over. It has no use, but the ground on its two sides would no longer
//! touch. So it is taken out, and every edge along it takes up its corners:
//!
//! ```text
//!   a-----------b          a-----------b
//!     `-. _ . -'    ==>    a-----c-----b       the edge a–b of the piece above becomes a–c and c–b, as below
//!   a-----c-----b
//! ```
//!
//! Cost: linear in the corners where there is no such piece; else that of the pieces around each, besides.
//!
//! Sources: own.

use super::dents::turn;
use std::collections::BTreeMap;

/// Takes out the pieces, given by their polygons and corners, that have no area. `place` tells where a corner is.
pub(super) fn take_out(pieces: &mut Vec<(u32, Vec<u32>)>, place: impl Fn(u32) -> [i64; 2]) {
    let flat: Vec<usize> = (0..pieces.len()).filter(|&i| is_flat(&pieces[i].1, &place)).collect();
    if flat.is_empty() {
        return;
    }
    // The pieces around each corner of those.
    let mut around: BTreeMap<u32, Vec<usize>> =
        flat.iter().flat_map(|&i| &pieces[i].1).map(|&corner| (corner, Vec::new())).collect();
    for (i, (_, corners)) in pieces.iter().enumerate() {
        for corner in corners {
            if let Some(around) = around.get_mut(corner) {
                around.push(i);
            }
        }
    }
    for i in flat {
        let mut line = core::mem::take(&mut pieces[i].1);
        sort_along(&mut line, &place);
        let mut beside: Vec<usize> = line.iter().filter_map(|corner| around.get(corner)).flatten().copied().collect();
        beside.sort_unstable();
        beside.dedup();
        for piece in beside {
            for corner in take_up(&mut pieces[piece].1, &line) {
                around.entry(corner).or_default().push(piece);
            }
        }
    }
    pieces.retain(|(_, corners)| !corners.is_empty());
}

/// Whether a piece has no area, or is turned over.
fn is_flat(corners: &[u32], place: impl Fn(u32) -> [i64; 2]) -> bool {
    let Some(&first) = corners.first() else { return false };
    let triangles = corners.windows(2).map(|pair| turn(place(first), place(pair[0]), place(pair[1])));
    triangles.sum::<i64>() <= 0
}

/// Puts corners that lie on one line, but for a unit, into the order along it.
fn sort_along(line: &mut [u32], place: impl Fn(u32) -> [i64; 2]) {
    let size = |axis: usize| {
        let along = || line.iter().map(|&corner| place(corner)[axis]);
        along().max().zip(along().min()).map_or(0, |(high, low)| high - low)
    };
    let axis = usize::from(size(1) > size(0));
    line.sort_unstable_by_key(|&corner| (place(corner)[axis], place(corner)[1 - axis], corner));
}

/// Puts the corners of a line that lie between the ends of an edge into it, and tells which.
fn take_up(corners: &mut Vec<u32>, line: &[u32]) -> Vec<u32> {
    let mut taken = Vec::new();
    let at = |corner: u32| line.iter().position(|&other| other == corner);
    let mut k = 0;
    while k < corners.len() {
        let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
        k += 1;
        let (Some(from), Some(to)) = (at(a), at(b)) else { continue };
        let between = from.min(to) + 1..from.max(to);
        let mut new: Vec<u32> = line.get(between).unwrap_or_default().to_vec();
        new.retain(|corner| !corners.contains(corner));
        if from > to {
            new.reverse();
        }
        corners.splice(k..k, new.iter().copied());
        k += new.len();
        taken.append(&mut new);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_on_both_sides_of_what_is_taken_out_has_the_same_edges() {
        // Two of them, one on the other, on the line z = 0: corners 0 to 5 at x = 0 to 50; 6 below and 7 above.
        let place = |corner: u32| match corner {
            6 => [20, -30],
            7 => [20, 30],
            _ => [i64::from(corner) * 10, 0],
        };
        let below = (0, vec![0, 2, 5, 6]);
        let above = (1, vec![5, 3, 0, 7]);
        let mut pieces = vec![below, (0, vec![0, 5, 2]), above, (1, vec![0, 3, 5])];
        take_out(&mut pieces, place);
        assert_eq!(pieces, [(0, vec![0, 2, 3, 5, 6]), (1, vec![5, 3, 2, 0, 7])]);
        let mut turned_over = vec![(0, vec![0, 1, 6]), (0, vec![2, 1, 0]), (1, vec![2, 0, 7])];
        let place = |corner: u32| match corner {
            1 => [10, 1],
            _ => place(corner),
        };
        take_out(&mut turned_over, place);
        assert_eq!(turned_over, [(0, vec![0, 1, 6]), (1, vec![2, 1, 0, 7])]);
        let kept = pieces.clone();
        take_out(&mut pieces, place);
        assert_eq!(pieces, kept, "nothing is left to take out");
    }
}
