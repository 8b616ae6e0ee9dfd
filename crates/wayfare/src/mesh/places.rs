//! Which things are at a column and row: a hash table of chains, persistent like everything in a mesh.
//!
//! ```text
//!   heads   [ . 4 . . 0 . . . ]        one chain a hash
//!   nodes   0: (3, 1) → 2   2: (3, 1) → end   4: (0, 7) → end
//! ```
//!
//! A chain is sorted by number, so that the order in which things at one place are met does not depend on the order in
//! which they came. Finding costs a hash and a step for each node of the chain; the table doubles when there are more
//! things than chains.

use super::paged::Paged;

/// The end of a chain.
const END: u32 = u32::MAX;

/// A multimap from (column, row) to numbers.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    heads: Paged<u32>,
    nodes: Paged<Node>,
    count: u32,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    x: i32,
    z: i32,
    next: u32,
}

impl Places {
    /// With room for so many things before it grows.
    pub(crate) fn with_room(count: usize) -> Self {
        let chains = count.clamp(16, 1 << 28).next_power_of_two() as u32;
        Self { heads: Paged::filled(END, chains), nodes: Paged::filled(Node { x: 0, z: 0, next: END }, 0), count: 0 }
    }

    fn chain_of(&self, x: i32, z: i32) -> u32 {
        let mixed = (x as u32).wrapping_mul(0x8da6_b343) ^ (z as u32).wrapping_mul(0xd816_3841);
        (mixed ^ mixed >> 15) & (self.heads.len() - 1)
    }

    fn next_of(&self, number: u32) -> u32 {
        self.nodes.get(number).map_or(END, |node| node.next)
    }

    /// The numbers at a place, in order.
    pub(crate) fn at(&self, x: i32, z: i32) -> impl Iterator<Item = u32> + '_ {
        let mut next = self.heads.get(self.chain_of(x, z)).copied().unwrap_or(END);
        core::iter::from_fn(move || {
            while let Some(node) = self.nodes.get(next) {
                let number = core::mem::replace(&mut next, node.next);
                if (node.x, node.z) == (x, z) {
                    return Some(number);
                }
            }
            None
        })
    }

    /// Enters a number, which must not be entered yet, at a place.
    pub(crate) fn insert(&mut self, x: i32, z: i32, number: u32) {
        self.count += 1;
        if self.count > self.heads.len() {
            self.grow();
        }
        let chain = self.chain_of(x, z);
        let (mut before, mut next) = (END, self.heads.get(chain).copied().unwrap_or(END));
        while next < number {
            (before, next) = (next, self.next_of(next));
        }
        *self.nodes.write(number) = Node { x, z, next };
        self.set_next(chain, before, number);
    }

    /// Takes out a number that was entered at this place.
    pub(crate) fn remove(&mut self, x: i32, z: i32, number: u32) {
        let chain = self.chain_of(x, z);
        let (mut before, mut next) = (END, self.heads.get(chain).copied().unwrap_or(END));
        while next < number {
            (before, next) = (next, self.next_of(next));
        }
        if next == number && next != END {
            self.count -= 1;
            let after = self.next_of(number);
            self.set_next(chain, before, after);
        }
    }

    fn set_next(&mut self, chain: u32, before: u32, next: u32) {
        match before {
            END => *self.heads.write(chain) = next,
            before => self.nodes.write(before).next = next,
        }
    }

    fn grow(&mut self) {
        let mut all: Vec<(u32, Node)> = Vec::with_capacity(self.count as usize);
        for (_, &head) in self.heads.iter_written() {
            let mut number = head;
            while let Some(&node) = self.nodes.get(number) {
                all.push((number, node));
                number = node.next;
            }
        }
        // From the highest number down, each in front of its chain: chains come out sorted.
        all.sort_unstable_by_key(|(number, _)| core::cmp::Reverse(*number));
        self.heads = Paged::filled(END, self.heads.len().saturating_mul(2));
        for (number, node) in all {
            let chain = self.chain_of(node.x, node.z);
            let next = core::mem::replace(self.heads.write(chain), number);
            self.nodes.write(number).next = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_met_in_order_whatever_the_order_they_came_in() {
        let mut places = Places::with_room(0);
        let mut numbers: Vec<u32> = (0..1000).collect();
        numbers.sort_by_key(|n| n.wrapping_mul(2_654_435_761));
        for n in numbers.iter().copied() {
            places.insert((n % 7) as i32 - 3, (n % 3) as i32, n);
        }
        let before = places.clone();
        let expected = |modulo: u32| (0..1000).filter(move |n| n % 7 == 3 && n % 3 == 1 && n % 2 < modulo);
        assert!(places.at(0, 1).eq(expected(2)));
        for n in numbers.into_iter().filter(|n| n % 2 == 1) {
            places.remove((n % 7) as i32 - 3, (n % 3) as i32, n);
        }
        assert!(places.at(0, 1).eq(expected(1)));
        assert!(before.at(0, 1).eq(expected(2)), "a copy must not change");
        assert_eq!(places.at(40, 40).count(), 0);
    }
}
