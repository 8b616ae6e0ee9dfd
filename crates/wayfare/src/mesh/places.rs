//! A hash table from columns and rows to the things there, persistent like everything in a mesh.
//!
//! ```text
//!   heads   [ . 4 . . 0 . . . ]            one tree a hash
//!   nodes   0: (3, 1) → 2 → 7              the things at a place, in order; the first holds the place
//!           4: (0, 7)     down: (5, 9)     other places of the same head, by the next bit of their hashes
//! ```
//!
//! Things at one place are sorted by number, so that their order does not depend on the order of insertion. No two
//! places have the same hash, and each bit of it selects a branch, so that even places chosen to collide take at most
//! 64 steps; usually it is one. Finding costs a hash and these steps. Inserting and removing also walk along the things
//! of the place, except at its ends. The table doubles when there are more places than heads.
//!
//! Sources: Edward Coffman, James Eve, "File Structures Using Hashing Functions", 1970 (digital search trees).

use super::paged::Paged;
use crate::math::steps::count;

/// No thing.
const END: u32 = u32::MAX;

/// A multimap from (column, row) to numbers.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    heads: Paged<u32>,
    nodes: Paged<PlaceNode>,
    /// How many places there are.
    count: u32,
}

#[derive(Clone, Copy, Debug)]
struct PlaceNode {
    x: i32,
    z: i32,
    /// The next thing at the place.
    next: u32,
    /// For the first thing at a place: the last one there.
    last: u32,
    /// For the first thing at a place: the first things at the places below.
    down: [u32; 2],
}

const NOTHING: PlaceNode = PlaceNode { x: 0, z: 0, next: END, last: END, down: [END; 2] };

/// Where the number of the first thing at a place is stored.
#[derive(Clone, Copy)]
enum TreeLink {
    Head(u32),
    Down(u32, usize),
}

/// A hash that is different for every place.
#[inline]
fn hash_of(x: i32, z: i32) -> u64 {
    let place = u64::from(x as u32) | u64::from(z as u32) << 32;
    // Both multiplying by an odd number and folding are invertible.
    let mixed = place.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

/// The bit of a hash that selects the branch at a depth: the highest bit first, since the lowest select the head.
#[inline]
fn bit_of(hash: u64, depth: u32) -> usize {
    (hash.rotate_left(depth + 1) & 1) as usize
}

impl Places {
    /// A table with room for `count` things.
    pub(crate) fn with_room(count: usize) -> Self {
        let heads = count.clamp(16, 1 << 28).next_power_of_two() as u32;
        Self { heads: Paged::filled(END, heads), nodes: Paged::filled(NOTHING, 0), count: 0 }
    }

    fn node(&self, number: u32) -> PlaceNode {
        self.nodes.get(number).copied().unwrap_or(NOTHING)
    }

    /// The first thing at a place.
    #[inline]
    pub(crate) fn first(&self, x: i32, z: i32) -> Option<u32> {
        let hash = hash_of(x, z);
        let mut first = self.heads.get(hash as u32 & (self.heads.len() - 1)).copied()?;
        let mut depth = 0;
        while let Some(node) = self.nodes.get(first) {
            count(1);
            if (node.x, node.z) == (x, z) {
                return Some(first);
            }
            first = node.down[bit_of(hash, depth)];
            depth += 1;
        }
        None
    }

    /// The numbers at a place, in order.
    #[inline]
    pub(crate) fn at(&self, x: i32, z: i32) -> impl Iterator<Item = u32> + '_ {
        let mut next = self.first(x, z).unwrap_or(END);
        core::iter::from_fn(move || {
            let node = self.nodes.get(next)?;
            Some(core::mem::replace(&mut next, node.next))
        })
    }

    /// Where the number of the first thing at a place is stored, or would be.
    fn link_to(&self, x: i32, z: i32) -> TreeLink {
        let hash = hash_of(x, z);
        let mut link = TreeLink::Head(hash as u32 & (self.heads.len() - 1));
        let mut at = self.followed(link);
        let mut depth = 0;
        while let Some(node) = self.nodes.get(at).filter(|node| (node.x, node.z) != (x, z)) {
            count(1);
            let bit = bit_of(hash, depth);
            link = TreeLink::Down(at, bit);
            (at, depth) = (node.down[bit], depth + 1);
        }
        link
    }

    fn followed(&self, link: TreeLink) -> u32 {
        match link {
            TreeLink::Head(head) => self.heads.get(head).copied().unwrap_or(END),
            TreeLink::Down(number, bit) => self.node(number).down[bit],
        }
    }

    fn set(&mut self, link: TreeLink, number: u32) {
        match link {
            TreeLink::Head(head) => *self.heads.write(head) = number,
            TreeLink::Down(above, bit) => self.nodes.write(above).down[bit] = number,
        }
    }

    /// Inserts a number that is not in the table yet.
    pub(crate) fn insert(&mut self, x: i32, z: i32, number: u32) {
        let mut link = self.link_to(x, z);
        let first = self.followed(link);
        if first == END {
            self.count += 1;
            if self.count > self.heads.len() {
                self.grow();
                link = self.link_to(x, z);
            }
            *self.nodes.write(number) = PlaceNode { x, z, last: number, ..NOTHING };
            return self.set(link, number);
        }
        if number < first {
            *self.nodes.write(number) = PlaceNode { next: first, ..self.node(first) };
            return self.set(link, number);
        }
        let last = self.node(first).last;
        let before = if last < number { last } else { self.before(first, number) };
        *self.nodes.write(number) = PlaceNode { x, z, next: self.node(before).next, ..NOTHING };
        self.nodes.write(before).next = number;
        if before == last {
            self.nodes.write(first).last = number;
        }
    }

    /// The last thing at the place with a number below `number`; there is one, since `first` has a lower number.
    fn before(&self, first: u32, number: u32) -> u32 {
        let mut at = first;
        while self.node(at).next < number {
            count(1);
            at = self.node(at).next;
        }
        at
    }

    /// Removes a number that is at this place.
    pub(crate) fn remove(&mut self, x: i32, z: i32, number: u32) {
        let link = self.link_to(x, z);
        let first = self.followed(link);
        if first == number && first != END {
            let PlaceNode { next, last, down, .. } = self.node(first);
            if next == END {
                self.count -= 1;
                return self.close_gap(link, down);
            }
            let new = self.nodes.write(next);
            (new.last, new.down) = (last, down);
            return self.set(link, next);
        }
        if first >= number {
            return;
        }
        let before = self.before(first, number);
        if self.node(before).next == number {
            let next = self.node(number).next;
            self.nodes.write(before).next = next;
            if next == END {
                self.nodes.write(first).last = before;
            }
        }
    }

    /// Fills the gap that a removed place leaves with a place from the bottom of its tree, above what was below the
    /// removed one.
    fn close_gap(&mut self, gap: TreeLink, down: [u32; 2]) {
        let below = |down: [u32; 2]| if down[0] == END { 1 } else { 0 };
        let mut link = None;
        let mut leaf = down[below(down)];
        if leaf == END {
            return self.set(gap, END);
        }
        loop {
            let down = self.node(leaf).down;
            let next = down[below(down)];
            if next == END {
                break;
            }
            link = Some(TreeLink::Down(leaf, below(down)));
            leaf = next;
        }
        let mut down = down;
        match link {
            Some(link) => self.set(link, END),
            None => down[below(down)] = END,
        }
        self.nodes.write(leaf).down = down;
        self.set(gap, leaf);
    }

    fn grow(&mut self) {
        let mut firsts: Vec<u32> = self.heads.iter_written().map(|(_, &head)| head).filter(|&h| h != END).collect();
        let mut next = 0;
        while let Some(&first) = firsts.get(next) {
            let down = core::mem::replace(&mut self.nodes.write(first).down, [END; 2]);
            firsts.extend(down.into_iter().filter(|&below| below != END));
            next += 1;
        }
        self.heads = Paged::filled(END, self.heads.len().saturating_mul(2));
        for first in firsts {
            let PlaceNode { x, z, .. } = self.node(first);
            let link = self.link_to(x, z);
            self.set(link, first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;
    use std::collections::BTreeSet;

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

    /// Against a sorted set, through growing and shrinking.
    #[test]
    fn what_came_and_did_not_go_is_there() {
        let mut rng = Rng::new(5);
        let mut places = Places::with_room(0);
        let mut all = BTreeSet::<(i32, i32, u32)>::new();
        for round in 0..6000 {
            let x = rng.below(40) as i32 - 20;
            let z = rng.below(30) as i32 - 15;
            let number = rng.below(4000);
            let there = all.iter().copied().find(|&(.., n)| n == number);
            match there {
                Some((x, z, n)) if round > 3000 || rng.below(3) == 0 => {
                    all.remove(&(x, z, n));
                    places.remove(x, z, n);
                }
                None => {
                    all.insert((x, z, number));
                    places.insert(x, z, number);
                }
                _ => {}
            }
            // Of a number that is not there nothing is taken out.
            places.remove(x, z, 4000);
            assert!(places.at(x, z).eq(all.range((x, z, 0)..=(x, z, u32::MAX)).map(|&(.., n)| n)));
        }
        for &(x, z, number) in &all {
            assert!(places.at(x, z).any(|n| n == number));
            places.remove(x, z, number);
        }
        assert_eq!(places.count, 0);
    }

    /// An attacker who knows the hash can choose places that share their head and all of the first bits.
    #[test]
    fn places_that_were_chosen_to_meet_are_few_steps_apart() {
        let undo = |hash: u64| {
            let mixed = hash ^ hash >> 32;
            // The inverse of the factor, by Newton's method.
            let factor = 0x9e37_79b9_7f4a_7c15_u64;
            let inverse = (0..6)
                .fold(factor, |inverse: u64, _| inverse.wrapping_mul(2u64.wrapping_sub(factor.wrapping_mul(inverse))));
            let place = mixed.wrapping_mul(inverse);
            (place as u32 as i32, (place >> 32) as u32 as i32)
        };
        let mut places = Places::with_room(0);
        let chosen: Vec<(i32, i32)> = (0..4000).map(|k| undo(k << 16)).collect();
        for (&(x, z), number) in chosen.iter().zip(0..) {
            assert_eq!(hash_of(x, z) & 0xffff, 0);
            places.insert(x, z, number);
        }
        let steps = |x, z| {
            let hash = hash_of(x, z);
            let mut steps = 0;
            let mut at = places.heads.get(0).copied().unwrap();
            while (places.node(at).x, places.node(at).z) != (x, z) {
                at = places.node(at).down[bit_of(hash, steps)];
                steps += 1;
            }
            steps
        };
        assert!(chosen.iter().all(|&(x, z)| steps(x, z) <= 64));
        assert!(chosen.iter().zip(0..).all(|(&(x, z), number)| places.at(x, z).eq([number])));
    }
}
