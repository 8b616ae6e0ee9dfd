//! Pieces that rounding their corners has dented, cut at the dents.
//!
//! The direction of an edge a few units long is at the mercy of rounding, so that a corner beside it may turn inwards.
//! By a unit only; but what lies in a convex polygon is told by the lines of its edges, and such a line cuts away
//! ground metres off. From the dented corner the piece is cut to another, so that both parts turn inwards nowhere; no
//! corner moves, and neighbours keep the edges that they share. A cut comes near no other corner if it can, so that both
//! parts are as wide as the whole ([thin pieces](super::thin_pieces)).
//!
//! ```text
//!    .------------.         .------------.
//!    |            |         |      ___.-'|
//!    '--v---------'   ==>   '--v--'------'
//! ```
//!
//! Cost: linear in the corners of a piece without dents; cubic for others, which are few and small.
//!
//! Sources: own; cutting off dents by diagonals is Bernard Chazelle, David Dobkin, "Optimal Convex Decompositions",
//! 1985, without the optimum.

use super::thin_pieces::{APART, Corners, Place, squared_to_edge};

/// The pieces, given by their polygons and corners, each cut where it turns inwards. `place` tells where a corner is;
/// corners go around so that the area is positive, else a piece stays what it is.
pub(super) fn cut_at_dents(pieces: Vec<Corners>, place: impl Fn(u32) -> Place) -> Vec<Corners> {
    let (mut left, mut cut) = (pieces, Vec::new());
    left.reverse();
    while let Some((poly, corners)) = left.pop() {
        let points: Vec<Place> = corners.iter().map(|&corner| place(corner)).collect();
        match dents(&points).find_map(|dent| Some((dent, best_diagonal(&points, dent)?))) {
            Some((dent, other)) => {
                let (low, high) = (dent.min(other), dent.max(other));
                left.push((poly, corners[..=low].iter().chain(&corners[high..]).copied().collect()));
                left.push((poly, corners[low..=high].to_vec()));
            }
            None => cut.push((poly, corners)),
        }
    }
    cut
}

/// Twice the area of the triangle a, b, c; above 0 if they turn the way that the outlines of pieces do.
pub(super) fn turn(a: Place, b: Place, c: Place) -> i64 {
    (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
}

/// The corners before and after one.
fn beside(points: &[Place], k: usize) -> [Place; 2] {
    let count = points.len();
    [points[(k + count - 1) % count], points[(k + 1) % count]]
}

fn is_dent(points: &[Place], k: usize) -> bool {
    let [before, after] = beside(points, k);
    turn(before, points[k], after) < 0
}

fn dents(points: &[Place]) -> impl Iterator<Item = usize> + '_ {
    (0..points.len()).filter(|&k| is_dent(points, k))
}

/// The corner to cut to from a dent, of those that can be seen: with no other corner near the cut, the one that leaves
/// the fewest dents; where every cut comes near one, the one that stays farthest off. The first of them.
fn best_diagonal(points: &[Place], dent: usize) -> Option<usize> {
    let count = points.len();
    let others = (2..count - 1).map(|step| (dent + step) % count);
    others.filter(|&other| is_inside(points, dent, other)).min_by_key(|&other| {
        let clear = room_beside(points, [dent, other]);
        if clear <= APART * APART {
            // The bits of what is not negative are in the order of what they stand for.
            return (true, u64::MAX - clear.to_bits());
        }
        let (low, high) = (dent.min(other), dent.max(other));
        let first: Vec<Place> = points[..=low].iter().chain(&points[high..]).copied().collect();
        (false, (dents(&first).count() + dents(&points[low..=high]).count()) as u64)
    })
}

/// How near any other corner is to the line between two of them, squared.
fn room_beside(points: &[Place], ends: [usize; 2]) -> f64 {
    let line = ends.map(|end| points[end]);
    let others = (0..points.len()).filter(|k| !ends.contains(k));
    others.map(|k| squared_to_edge(points[k], line)).fold(f64::INFINITY, f64::min)
}

/// Whether the line between two corners leaves a dent inwards and crosses no edge.
fn is_inside(points: &[Place], dent: usize, other: usize) -> bool {
    let (from, to) = (points[dent], points[other]);
    let [before, after] = beside(points, dent);
    // A dent is wider than half a turn: all but what lies behind both edges is inside.
    if turn(before, from, to) < 0 && turn(from, after, to) < 0 {
        return false;
    }
    let count = points.len();
    (0..count).all(|k| {
        let next = (k + 1) % count;
        let (a, b) = (points[k], points[next]);
        let touches = [k, next].iter().any(|&end| end == dent || end == other);
        touches || (turn(from, to, a) > 0) == (turn(from, to, b) > 0) || (turn(a, b, from) > 0) == (turn(a, b, to) > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(points: &[Place]) -> Vec<Vec<u32>> {
        let whole = (0, (0..points.len() as u32).collect());
        cut_at_dents(vec![whole], |k| points[k as usize]).into_iter().map(|(_, part)| part).collect()
    }

    fn area(points: &[Place], corners: &[u32]) -> i64 {
        let at = |k: usize| points[corners[k % corners.len()] as usize];
        (1..corners.len() - 1).map(|k| turn(at(0), at(k), at(k + 1))).sum()
    }

    #[test]
    fn what_turns_inwards_nowhere_stays_whole() {
        assert_eq!(cut(&[[0, 0], [0, 9], [9, 9], [9, 0]]), [[0, 1, 2, 3]]);
        assert_eq!(cut(&[[0, 0], [0, 5], [0, 9], [9, 0]]), [[0, 1, 2, 3]], "corners in a line are no dents");
    }

    #[test]
    fn parts_have_no_dents_and_the_area_of_the_whole() {
        let dented: [&[Place]; 3] = [
            &[[0, 0], [0, 9000], [9000, 9000], [9000, 0], [4520, 10], [4500, 0], [4480, 10]],
            &[[0, 0], [10, 10], [0, 20], [0, 9000], [9000, 9000], [9000, 0]],
            &[[0, 0], [0, 9000], [3000, 8990], [3010, 9000], [6000, 8980], [9000, 9000], [9000, 0]],
        ];
        for points in dented {
            let whole: Vec<u32> = (0..points.len() as u32).collect();
            assert!(area(points, &whole) > 0);
            let parts = cut(points);
            assert!(parts.len() > 1);
            assert_eq!(parts.iter().map(|part| area(points, part)).sum::<i64>(), area(points, &whole));
            for part in parts {
                let points: Vec<Place> = part.iter().map(|&k| points[k as usize]).collect();
                assert_eq!(dents(&points).next(), None, "{points:?}");
            }
        }
    }
}
