//! The open list of a search: a 4-ary heap of 64-bit keys.
//!
//! A key is the bits of a cost that is not negative (for those, the order of the bits is the order of the numbers)
//! above a 32-bit item number. So the order is total: equal costs come out by item number, which searches give out in
//! order of discovery; nothing depends on the heap's inner arrangement. There is no decrease-key: push the item again
//! with its lower cost, and skip entries whose cost is no longer the item's when they come out. That beats a heap that
//! tracks positions, since a push touches a few neighbouring keys and no node.
//!
//! What was popped leaves a hole at the root, which the next push fills: in a search most pops are followed by pushes
//! of entries that are hardly dearer, so one short walk down takes the place of a long one and one up.
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

    /// How many entries wait, outdated ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len() - usize::from(self.has_hole)
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds `item` at `cost`. A cost below zero counts as zero, NaN as the greatest.
    #[inline]
    pub fn push(&mut self, cost: f32, item: u32) {
        // max() turns -0.0 and NaN into 0.0; NaN is rather the last to be tried.
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

    /// Takes the cheapest entry: its cost and its item.
    #[inline]
    pub fn pop(&mut self) -> Option<(f32, u32)> {
        if self.has_hole {
            self.fill_hole();
        }
        let &top = self.keys.first()?;
        self.has_hole = true;
        Some((f32::from_bits((top >> 32) as u32), top as u32))
    }

    /// The cheapest entry's cost.
    #[must_use]
    pub fn peek_cost(&self) -> Option<f32> {
        let first = usize::from(self.has_hole);
        // Below a hole the cheapest is one of its children.
        let least = self.keys.get(first..)?.iter().take(if self.has_hole { 4 } else { 1 }).min()?;
        Some(f32::from_bits((least >> 32) as u32))
    }

    /// Puts the last entry where the root was taken.
    #[inline]
    fn fill_hole(&mut self) {
        self.has_hole = false;
        if let Some(last) = self.keys.pop().filter(|_| !self.keys.is_empty()) {
            self.sink(last);
        }
    }

    /// Puts `key` where the root was and lets it sink.
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
