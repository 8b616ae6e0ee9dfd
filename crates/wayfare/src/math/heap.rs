//! The open list of a search: a 4-ary heap of 64-bit keys.
//!
//! A key is the bits of a non-negative cost (whose order is the order of the numbers) above a 32-bit item number. So
//! the order is total: items of equal cost come out by item number, which searches assign in order of discovery, and
//! nothing depends on the inner arrangement of the heap. There is no decrease-key: push the item again with its lower
//! cost, and skip popped entries whose cost is out of date. That beats a heap that tracks positions, since a push
//! touches a few neighbouring keys and no node.
//!
//! A pop leaves a hole at the root, which the next push fills. In a search most pops are followed by pushes of entries
//! that cost hardly more, so one short walk down replaces a long one down and one up.
//!
//! Cost: push and pop are logarithmic in base 4; four children share half a cache line.
//!
//! Sources: Donald Johnson, "Priority queues with update and finding minimum spanning trees" (d-ary heaps), 1975;
//! lazy deletion as in Chen, Chowdhury, Ramachandran, Roche, Tong, "Priority Queues and Dijkstra's Algorithm", 2007.

/// A priority queue of item numbers, cheapest first, then smallest item first.
#[derive(Clone, Debug, Default)]
pub struct OpenList {
    keys: Vec<u64>,
    /// Whether the key at the root has been taken.
    has_hole: bool,
}

impl OpenList {
    /// Empties it and keeps its memory.
    #[inline]
    pub fn clear(&mut self) {
        self.keys.clear();
        self.has_hole = false;
    }

    /// Number of entries, outdated ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len() - usize::from(self.has_hole)
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds `item` at `cost`. A cost below zero counts as zero, NaN as infinite.
    #[inline]
    pub fn push(&mut self, cost: f32, item: u32) {
        // `max` turns -0.0 into 0.0. It would also turn NaN into 0.0, but NaN should come last.
        let cost = if cost.is_nan() { f32::INFINITY } else { cost.max(0.0) };
        let key = u64::from(cost.to_bits() & 0x7fff_ffff) << 32 | u64::from(item);
        if self.has_hole {
            self.has_hole = false;
            self.sink(key);
            return;
        }
        let mut at = self.keys.len();
        self.keys.push(key);
        while at > 0 {
            let parent = (at - 1) / 4;
            if self.keys[parent] <= key {
                break;
            }
            self.keys[at] = self.keys[parent];
            at = parent;
        }
        self.keys[at] = key;
    }

    /// Removes the cheapest entry and returns its cost and its item.
    #[inline]
    pub fn pop(&mut self) -> Option<(f32, u32)> {
        if self.has_hole {
            self.fill_hole();
        }
        let &top = self.keys.first()?;
        self.has_hole = true;
        Some((f32::from_bits((top >> 32) as u32), top as u32))
    }

    /// The cost of the cheapest entry.
    #[must_use]
    pub fn peek_cost(&self) -> Option<f32> {
        let first = usize::from(self.has_hole);
        // If the root is a hole, the cheapest entry is one of its children.
        let least = self.keys.get(first..)?.iter().take(if self.has_hole { 4 } else { 1 }).min()?;
        Some(f32::from_bits((least >> 32) as u32))
    }

    /// Fills the hole at the root with the last entry.
    #[inline]
    fn fill_hole(&mut self) {
        self.has_hole = false;
        if let Some(last) = self.keys.pop().filter(|_| !self.keys.is_empty()) {
            self.sink(last);
        }
    }

    /// Puts `key` at the root and sifts it down.
    fn sink(&mut self, key: u64) {
        let keys = self.keys.as_mut_slice();
        let mut at = 0;
        loop {
            let first = 4 * at + 1;
            let (child, least) = if let Some(&[a, b, c, d]) = keys.get(first..first + 4) {
                let (i, ab) = if b < a { (1, b) } else { (0, a) };
                let (j, cd) = if d < c { (3, d) } else { (2, c) };
                if cd < ab { (first + j, cd) } else { (first + i, ab) }
            } else {
                match (first..keys.len()).map(|i| (keys[i], i)).min() {
                    Some((least, i)) => (i, least),
                    None => break,
                }
            };
            if key <= least {
                break;
            }
            keys[at] = least;
            at = child;
        }
        keys[at] = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    #[test]
    fn comes_out_sorted_by_cost_then_item() {
        let mut rng = Rng::new(3);
        for size in [0, 1, 2, 4, 5, 6, 21, 22, 500] {
            let mut open = OpenList::default();
            let mut expected = Vec::new();
            for item in 0..size {
                let cost = rng.below(20) as f32 * 0.25;
                open.push(cost, item);
                expected.push((cost, item));
            }
            expected.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            assert_eq!(core::iter::from_fn(|| open.pop()).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn interleaved_pushes_and_pops_keep_the_order() {
        let (mut rng, mut open, mut mirror) = (Rng::new(5), OpenList::default(), std::collections::BTreeSet::new());
        for item in 0..5_000 {
            if rng.below(3) > 0 {
                let cost = rng.unit() * 100.0;
                open.push(cost, item);
                mirror.insert((cost.to_bits(), item));
            } else {
                assert_eq!(open.pop().map(|(cost, item)| (cost.to_bits(), item)), mirror.pop_first());
            }
            assert_eq!(open.len(), mirror.len());
        }
    }

    #[test]
    fn odd_costs_have_a_place() {
        let mut open = OpenList::default();
        for (item, cost) in [f32::NAN, f32::INFINITY, -0.0, -5.0, 1.0].into_iter().enumerate() {
            open.push(cost, item as u32);
        }
        let order: Vec<u32> = core::iter::from_fn(|| open.pop()).map(|(_, item)| item).collect();
        assert_eq!(order, [2, 3, 4, 0, 1]);
    }
}
