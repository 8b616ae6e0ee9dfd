//! Pieces that rounding their corners has dented, cut at the dents.
//!
//! The direction of an edge a few units long is at the mercy of rounding, so that a corner beside it may turn inwards.
//! By a unit only; but what lies in a convex polygon is told by the lines of its edges, and such a line cuts away
//! ground metres off. From the dented corner the piece is cut to another, so that both parts turn inwards nowhere; no
//! corner moves, and neighbours keep the edges that they share.
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

/// The pieces, given by their polygons and corners, each cut where it turns inwards. `place` tells where a corner is;
/// corners go around so that the area is positive, else a piece stays what it is.
pub(super) fn cut_at_dents(pieces: Vec<(u32, Vec<u32>)>, place: impl Fn(u32) -> [i64; 2]) -> Vec<(u32, Vec<u32>)> {
    let (mut left, mut cut) = (pieces, Vec::new());
    left.reverse();
    while let Some((poly, corners)) = left.pop() {
        let points: Vec<[i64; 2]> = corners.iter().map(|&corner| place(corner)).collect();
        match first_dent(&points).and_then(|dent| Some((dent, best_diagonal(&points, dent)?))) {
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
pub(super) fn turn(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
}

/// The corners before and after one.
fn beside(points: &[[i64; 2]], k: usize) -> [[i64; 2]; 2] {
    let count = points.len();
    [points[(k + count - 1) % count], points[(k + 1) % count]]
}

fn is_dent(points: &[[i64; 2]], k: usize) -> bool {
    let [before, after] = beside(points, k);
    turn(before, points[k], after) < 0
}

fn first_dent(points: &[[i64; 2]]) -> Option<usize> {
    (0..points.len()).find(|&k| is_dent(points, k))
}

/// The corner to cut to from a dent: of those that can be seen the one that leaves the fewest dents, the first of them.
fn best_diagonal(points: &[[i64; 2]], dent: usize) -> Option<usize> {
    let count = points.len();
    let dents = |part: &[[i64; 2]]| (0..part.len()).filter(|&k| is_dent(part, k)).count();
    (2..count - 1).map(|step| (dent + step) % count).filter(|&other| is_inside(points, dent, other)).min_by_key(
        |&other| {
            let (low, high) = (dent.min(other), dent.max(other));
            let first: Vec<[i64; 2]> = points[..=low].iter().chain(&points[high..]).copied().collect();
            dents(&first) + dents(&points[low..=high])
        },
    )
}

/// Whether the line between two corners leaves a dent inwards and crosses no edge.
fn is_inside(points: &[[i64; 2]], dent: usize, other: usize) -> bool {
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

    fn cut(points: &[[i64; 2]]) -> Vec<Vec<u32>> {
        let whole = (0, (0..points.len() as u32).collect());
        cut_at_dents(vec![whole], |k| points[k as usize]).into_iter().map(|(_, part)| part).collect()
    }

    fn area(points: &[[i64; 2]], corners: &[u32]) -> i64 {
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
        let dented: [&[[i64; 2]]; 3] = [
            &[[0, 0], [0, 900], [900, 900], [900, 0], [452, 1], [450, 0], [448, 1]],
            &[[0, 0], [1, 1], [0, 2], [0, 900], [900, 900], [900, 0]],
            &[[0, 0], [0, 900], [300, 899], [301, 900], [600, 898], [900, 900], [900, 0]],
        ];
        for points in dented {
            let whole: Vec<u32> = (0..points.len() as u32).collect();
            assert!(area(points, &whole) > 0);
            let parts = cut(points);
            assert!(parts.len() > 1);
            assert_eq!(parts.iter().map(|part| area(points, part)).sum::<i64>(), area(points, &whole));
            for part in parts {
                let points: Vec<[i64; 2]> = part.iter().map(|&k| points[k as usize]).collect();
                assert_eq!(first_dent(&points), None, "{points:?}");
            }
        }
    }
}
