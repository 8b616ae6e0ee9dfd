//! Finds where the simplified outlines of a region cross themselves or each other, fold over, or change sides.
//!
//! ```text
//!   crossing        fold            swallowed hole
//!   \   /           o------.        o-----------.      the line cuts the corner in which the hole lies
//!    \ /            o--o-.  \        '-.  .-.    |
//!     X                 '-'  |          '-'-'-.  |
//!    / \            o--------'               '-. |
//! ```
//!
//! Raw outlines never do this, so keeping more of their corners repairs it. The result is the list of edges to refine.
//! Everything is decided exactly, in integers. Outlines may *touch* at a corner, since those of diagonally adjacent
//! cells do.
//!
//! Cost: O(n²) pairs for small outlines, a sweep along x for large ones; for the sides of holes, the edges at the
//! height of each (`edge_rows.rs`).
//!
//! Sources: the predicates are those of Joseph O'Rourke, "Computational Geometry in C", 1998.

use super::rings::RingCorner;
use crate::bake::cell_point::cross_properly;
use crate::math::steps;

/// An edge of a simplified outline.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutlineEdge {
    pub(super) a: RingCorner,
    pub(super) b: RingCorner,
    /// The corner before `a`.
    pub(super) before: RingCorner,
    /// Ring, and index within the simplified ring.
    pub(super) ring: u32,
    pub(super) place: u32,
}

/// Twice the signed area of a, b, c, like `math::plane::cross`, in integers.
#[inline]
pub(super) fn turn(a: RingCorner, b: RingCorner, c: RingCorner) -> i64 {
    let d = |p: RingCorner, axis: usize| i64::from(p[axis]) - i64::from(a[axis]);
    d(b, 0) * d(c, 1) - d(b, 1) * d(c, 0)
}

/// Whether `p`, on the line through a and b, lies strictly between them.
#[inline]
fn is_between(a: RingCorner, b: RingCorner, p: RingCorner) -> bool {
    p != a && p != b && (a.min(b)..=a.max(b)).contains(&p)
}

/// Whether `p` lies on the edge a–b, but not at its ends.
#[inline]
pub(super) fn is_inside_edge(a: RingCorner, b: RingCorner, p: RingCorner) -> bool {
    turn(a, b, p) == 0 && is_between(a, b, p)
}

/// On which side of the path before–at–after `p` lies as seen from the corner: inside the region (1), outside (-1), or
/// along one of the two edges (0). The region is to the right.
pub(super) fn side_at_corner(before: RingCorner, at: RingCorner, after: RingCorner, p: RingCorner) -> i8 {
    let along = |q: RingCorner| {
        let d = |r: RingCorner, axis: usize| i64::from(r[axis]) - i64::from(at[axis]);
        turn(at, q, p) == 0 && d(q, 0) * d(p, 0) + d(q, 1) * d(p, 1) > 0
    };
    if along(before) || along(after) {
        return 0;
    }
    let right_of_in = turn(before, at, p) < 0;
    let right_of_out = turn(at, after, p) < 0;
    let is_convex = turn(before, at, after) <= 0;
    let inside = if is_convex { right_of_in && right_of_out } else { right_of_in || right_of_out };
    if inside { 1 } else { -1 }
}

/// Whether two outlines that meet at one corner cross there. `s` and `t` are the edges that start at it.
fn cross_at_corner(s: &OutlineEdge, t: &OutlineEdge) -> bool {
    let side = |p: RingCorner| side_at_corner(s.before, s.a, s.b, p);
    side(t.before) * side(t.b) < 0
}

/// Whether two edges must not both be in the outlines of one region.
pub(super) fn are_in_conflict(s: &OutlineEdge, t: &OutlineEdge) -> bool {
    let apart = |axis: usize| {
        s.a[axis].max(s.b[axis]) < t.a[axis].min(t.b[axis]) || t.a[axis].max(t.b[axis]) < s.a[axis].min(s.b[axis])
    };
    if apart(0) || apart(1) {
        return false;
    }
    if s.a == t.a && cross_at_corner(s, t) {
        return true;
    }
    cross_properly(s.a, s.b, t.a, t.b)
        || is_inside_edge(s.a, s.b, t.a)
        || is_inside_edge(s.a, s.b, t.b)
        || is_inside_edge(t.a, t.b, s.a)
        || is_inside_edge(t.a, t.b, s.b)
}

/// Outlines of fewer edges are compared pair by pair.
const FEW_EDGES: usize = 24;

/// Calls `found` with the indices, in `edges`, of every conflicting pair. Sorts large sets of edges along x.
pub(super) fn find_conflicts(edges: &mut [OutlineEdge], mut found: impl FnMut(&OutlineEdge, &OutlineEdge)) {
    let is_large = edges.len() > FEW_EDGES;
    let low_x = |e: &OutlineEdge| e.a[0].min(e.b[0]);
    if is_large {
        edges.sort_unstable_by_key(|e| (low_x(e), e.ring, e.place));
    }
    for (k, s) in edges.iter().enumerate() {
        let high_x = s.a[0].max(s.b[0]);
        for t in &edges[k + 1..] {
            steps::count(1);
            if is_large && low_x(t) > high_x {
                break;
            }
            if are_in_conflict(s, t) {
                found(s, t);
            }
        }
    }
}

/// How often the closed path of `corners` winds around `p`, clockwise (z upwards); `None` if `p` is on it.
pub(super) fn winding(corners: impl Iterator<Item = [RingCorner; 2]>, p: RingCorner) -> Option<i32> {
    let mut turns = 0;
    for [a, b] in corners {
        if p == a || p == b || is_inside_edge(a, b, p) {
            return None;
        }
        // Edges that cross the ray towards higher x; half open, so that corners count once.
        if (a[1] <= p[1]) != (b[1] <= p[1]) {
            let side = turn(a, b, p);
            if b[1] > a[1] && side > 0 {
                turns -= 1;
            } else if b[1] < a[1] && side < 0 {
                turns += 1;
            }
        }
    }
    Some(turns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(corners: &[RingCorner], ring: u32) -> Vec<OutlineEdge> {
        let n = corners.len();
        (0..n)
            .map(|k| OutlineEdge {
                before: corners[(k + n - 1) % n],
                a: corners[k],
                b: corners[(k + 1) % n],
                ring,
                place: k as u32,
            })
            .collect()
    }

    fn conflicts(rings: &[&[RingCorner]]) -> usize {
        let mut all: Vec<_> = rings.iter().enumerate().flat_map(|(k, r)| edges(r, k as u32)).collect();
        let mut count = 0;
        find_conflicts(&mut all, |_, _| count += 1);
        count
    }

    #[test]
    fn a_square_is_simple_and_a_bow_tie_is_not() {
        assert_eq!(conflicts(&[&[[0, 0], [0, 4], [4, 4], [4, 0]]]), 0);
        assert_eq!(conflicts(&[&[[0, 0], [4, 4], [0, 4], [4, 0]]]), 1);
    }

    #[test]
    fn a_fold_onto_an_edge_is_a_conflict() {
        assert!(conflicts(&[&[[0, 0], [0, 4], [0, 2], [4, 4], [4, 0]]]) > 0);
    }

    #[test]
    fn touching_at_a_corner_is_none_unless_it_crosses() {
        let left = [[0, 0], [0, 4], [2, 2]];
        let right = [[4, 0], [2, 2], [4, 4]];
        assert_eq!(conflicts(&[&left, &right]), 0);
        assert!(conflicts(&[&[[0, 0], [2, 2], [4, 4], [4, 0], [2, 2], [0, 4]]]) > 0);
    }

    #[test]
    fn the_sweep_finds_what_pairs_find() {
        // A comb with many teeth, and a line through all of them.
        let mut comb: Vec<RingCorner> = vec![[0, 0]];
        for k in 0..20 {
            comb.extend([[4 * k, 10], [4 * k + 2, 10], [4 * k + 2, 2], [4 * k + 4, 2]]);
        }
        comb.extend([[80, 0]]);
        assert_eq!(conflicts(&[&comb]), 0);
        assert_eq!(conflicts(&[&comb, &[[-5, 5], [90, 5], [90, 20], [-5, 20]]]), 40);
    }

    #[test]
    fn winding_tells_inside_from_outside() {
        let square = [[0, 0], [0, 4], [4, 4], [4, 0]];
        let around = |p| winding((0..4).map(|k| [square[k], square[(k + 1) % 4]]), p);
        assert_eq!(around([1, 1]), Some(1));
        assert_eq!((around([5, 1]), around([-1, 4]), around([2, 7])), (Some(0), Some(0), Some(0)));
        assert_eq!((around([0, 2]), around([4, 4])), (None, None));
    }
}
