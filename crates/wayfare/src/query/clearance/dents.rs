//! Cuts pieces that rounding has made non-convex.
//!
//! The direction of an edge a few units long depends on rounding, so a corner beside it may turn inwards. The dent is
//! only a unit deep; but points are tested against the lines of a polygon's edges, and the line of such an edge cuts
//! away surface metres from it. So the piece is cut from the dented corner to another corner, which makes both parts
//! convex; no corner moves, and neighbours keep their shared edges. A cut stays clear of all other corners, so that
//! both parts are as wide as the whole ([thin pieces](super::thin_pieces)). Where no such cut exists and an edge at the
//! dent is short, the two ends of that edge are merged instead.
//! short, it is better that its ends become one corner.
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

use super::thin_pieces::{APART, CornerPlace, Corners, squared, squared_to_edge};

/// An edge no longer than this, in units, may be removed.
const SHORT: f64 = 4.0 * APART;

/// The pieces, given by their polygons and corners, each cut where it turns inwards; and the short edges whose ends
/// should be merged first, where no cut stays clear. `can_join` says whether two corners may be merged. Corners are
/// ordered so that the area is positive; other pieces are returned unchanged.
pub(super) fn cut_at_dents(
    pieces: Vec<Corners>,
    places: &[CornerPlace],
    can_join: impl Fn([CornerPlace; 2]) -> bool,
) -> (Vec<Corners>, Vec<[u32; 2]>) {
    let mut left = pieces;
    let mut whole = Vec::new();
    let mut short = Vec::new();
    left.reverse();
    while let Some((poly, corners)) = left.pop() {
        let points: Vec<CornerPlace> = corners.iter().map(|&corner| places[corner as usize]).collect();
        match next_step(&points, &can_join) {
            DentStep::Cut([from, to]) => {
                let low = from.min(to);
                let high = from.max(to);
                left.push((poly, corners[..=low].iter().chain(&corners[high..]).copied().collect()));
                left.push((poly, corners[low..=high].to_vec()));
                continue;
            }
            DentStep::Join(ends) => short.push(ends.map(|end| corners[end])),
            DentStep::None => {}
        }
        whole.push((poly, corners));
    }
    (whole, short)
}

/// The next step for a piece, with corners counted within it.
enum DentStep {
    /// Cut it between two corners.
    Cut([usize; 2]),
    /// Merge two corners.
    Join([usize; 2]),
    /// It has no dents, or none that can be removed.
    None,
}

fn next_step(points: &[CornerPlace], can_join: impl Fn([CornerPlace; 2]) -> bool) -> DentStep {
    let mut unclear = None;
    for dent in dents(points) {
        match best_diagonal(points, dent) {
            Some((true, other)) => return DentStep::Cut([dent, other]),
            Some((false, other)) => unclear = unclear.or(Some([dent, other])),
            None => {}
        }
    }
    let short = dents(points).flat_map(|dent| {
        let count = points.len();
        [[(dent + count - 1) % count, dent], [dent, (dent + 1) % count]]
    });
    let length = |ends: &[usize; 2]| squared(points[ends[0]], points[ends[1]]);
    let short = short.filter(|ends| length(ends) <= SHORT * SHORT && can_join(ends.map(|end| points[end])));
    if let Some(ends) = short.min_by(|a, b| length(a).total_cmp(&length(b))) {
        return DentStep::Join(ends);
    }
    unclear.map_or(DentStep::None, DentStep::Cut)
}

/// Twice the area of the triangle a, b, c; above 0 if they turn in the direction of the outlines of pieces.
pub(super) fn turn(a: CornerPlace, b: CornerPlace, c: CornerPlace) -> i64 {
    (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
}

/// The corners before and after a corner.
fn beside(points: &[CornerPlace], k: usize) -> [CornerPlace; 2] {
    let count = points.len();
    [points[(k + count - 1) % count], points[(k + 1) % count]]
}

fn is_dent(points: &[CornerPlace], k: usize) -> bool {
    let [before, after] = beside(points, k);
    turn(before, points[k], after) < 0
}

fn dents(points: &[CornerPlace]) -> impl Iterator<Item = usize> + '_ {
    (0..points.len()).filter(|&k| is_dent(points, k))
}

/// The corner to which to cut from a dent, among those visible from it, and whether the cut stays clear of all other
/// corners. Of cuts that stay clear, the one that leaves the fewest dents; otherwise the one that stays farthest away.
/// The first of equals.
fn best_diagonal(points: &[CornerPlace], dent: usize) -> Option<(bool, usize)> {
    let count = points.len();
    let others = (2..count - 1).map(|step| (dent + step) % count).filter(|&other| is_inside(points, dent, other));
    let key = |other: usize| {
        let clear = room_beside(points, [dent, other]);
        if clear <= APART * APART {
            // The bits of non-negative floats sort like the floats.
            return (true, u64::MAX - clear.to_bits());
        }
        let low = dent.min(other);
        let high = dent.max(other);
        let first: Vec<CornerPlace> = points[..=low].iter().chain(&points[high..]).copied().collect();
        (false, (dents(&first).count() + dents(&points[low..=high]).count()) as u64)
    };
    others.map(|other| (key(other), other)).min().map(|((near, _), other)| (!near, other))
}

/// Squared distance of the nearest other corner from the line between two corners.
fn room_beside(points: &[CornerPlace], ends: [usize; 2]) -> f64 {
    let line = ends.map(|end| points[end]);
    let others = (0..points.len()).filter(|k| !ends.contains(k));
    others.map(|k| squared_to_edge(points[k], line)).fold(f64::INFINITY, f64::min)
}

/// Whether the line between two corners starts inside the piece at a dent and crosses no edge.
fn is_inside(points: &[CornerPlace], dent: usize, other: usize) -> bool {
    let from = points[dent];
    let to = points[other];
    let [before, after] = beside(points, dent);
    // The angle at a dent is more than 180°: only directions behind both edges are outside.
    if turn(before, from, to) < 0 && turn(from, after, to) < 0 {
        return false;
    }
    let count = points.len();
    (0..count).all(|k| {
        let next = (k + 1) % count;
        let a = points[k];
        let b = points[next];
        let touches = [k, next].iter().any(|&end| end == dent || end == other);
        touches || (turn(from, to, a) > 0) == (turn(from, to, b) > 0) || (turn(a, b, from) > 0) == (turn(a, b, to) > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(points: &[CornerPlace]) -> Vec<Vec<u32>> {
        let whole = (0, (0..points.len() as u32).collect());
        let (parts, short) = cut_at_dents(vec![whole], points, |_| true);
        assert_eq!(short, [[0; 2]; 0]);
        parts.into_iter().map(|(_, part)| part).collect()
    }

    fn area(points: &[CornerPlace], corners: &[u32]) -> i64 {
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
        let dented: [&[CornerPlace]; 3] = [
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
                let points: Vec<CornerPlace> = part.iter().map(|&k| points[k as usize]).collect();
                assert_eq!(dents(&points).next(), None, "{points:?}");
            }
        }
    }

    #[test]
    fn ends_of_a_short_edge_are_to_be_one_where_every_cut_comes_near_a_corner() {
        // A cut from the dent 2 to 0 would leave a part a unit wide.
        let points = [[0, 0], [0, 60_000], [1, 60_008], [1000, 70_000]];
        assert!(dents(&points).eq([2]));
        let whole = vec![(0, vec![0, 1, 2, 3])];
        assert_eq!(cut_at_dents(whole.clone(), &points, |_| true), (whole.clone(), vec![[1, 2]]));
        assert_eq!(cut_at_dents(whole, &points, |_| false).0.len(), 2, "corners that must stay where they are");
    }
}
