//! Sets that are joined one by one: which elements have come together.
//!
//! Each element has a parent, the roots themselves; a set is known by its root. Sets are joined under the lower root,
//! so that what comes out does not depend on the order in which they are joined.
//!
//! Cost: near constant for each call. Sources: Robert Tarjan and Jan van Leeuwen, "Worst-Case Analysis of Set Union
//! Algorithms", 1984 (path halving; linked by index, not by rank).

use super::index::NONE;

/// The least element of a set; shortens the way there.
pub(crate) fn root_of(parent: &mut [u32], mut node: u32) -> u32 {
    while parent[node as usize] != node {
        let above = parent[parent[node as usize] as usize];
        parent[node as usize] = above;
        node = above;
    }
    node
}

/// Joins two sets under the lower root.
pub(crate) fn unite(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root_of(parent, a), root_of(parent, b));
    if a != b {
        parent[a.max(b) as usize] = a.min(b);
    }
}

/// Numbers the sets in the order of their least elements, and puts the number of its set in place of each element's
/// parent; elements of none, [`NONE`], stay so. How many sets there are.
pub(crate) fn number_sets(parent: &mut [u32]) -> u32 {
    let mut count = 0;
    for node in 0..parent.len() {
        // A parent is never greater than its child, so its number is known already.
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
