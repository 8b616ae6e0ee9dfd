//! Disjoint sets (union–find): which elements are in the same set after sets were joined.
//!
//! Each element has a parent; a root is its own. A set is identified by its root. Joined sets keep the lower root, so
//! the result does not depend on the order of the joins.
//!
//! Cost: nearly constant per call. Sources: Robert Tarjan and Jan van Leeuwen, "Worst-Case Analysis of Set Union
//! Algorithms", 1984 (path halving; linked by index, not by rank).

use super::index::NONE;

/// The root of an element's set, which is its least element. Shortens the chain of parents on the way.
pub(crate) fn root_of(parent: &mut [u32], mut node: u32) -> u32 {
    while parent[node as usize] != node {
        let above = parent[parent[node as usize] as usize];
        parent[node as usize] = above;
        node = above;
    }
    node
}

/// Joins the sets of two elements.
pub(crate) fn unite(parent: &mut [u32], a: u32, b: u32) {
    let a = root_of(parent, a);
    let b = root_of(parent, b);
    if a != b {
        parent[a.max(b) as usize] = a.min(b);
    }
}

/// Numbers the sets in the order of their least elements, and replaces each element's parent by the number of its set.
/// Elements marked [`NONE`] are in no set and stay so. Returns the number of sets.
pub(crate) fn number_sets(parent: &mut [u32]) -> u32 {
    let mut count = 0;
    for node in 0..parent.len() {
        // A parent is never greater than its child, so it is numbered already.
        let above = parent[node] as usize;
        if above == node {
            parent[node] = count;
            count += 1;
        } else if above != NONE as usize {
            parent[node] = parent[above];
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_by_their_least_elements() {
        let mut parent = vec![0, 1, 2, 3, NONE, 5];
        unite(&mut parent, 5, 3);
        unite(&mut parent, 3, 1);
        assert_eq!((root_of(&mut parent, 5), root_of(&mut parent, 2)), (1, 2));
        assert_eq!((number_sets(&mut parent), parent), (3, vec![0, 1, 2, 1, NONE, 1]));
    }
}
