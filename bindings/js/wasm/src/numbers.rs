//! Numbers for things that a page holds: a place in a list, and how many things stood there before.
//!
//! ```text
//!   number = used · 2²⁴ + place      a number means one thing, and never another; places are used again
//! ```
//!
//! So memory is that of what is there at once, and a number is exact as the page's own numbers are, up to 2⁵³. A place
//! whose numbers are used up is not used again.
//!
//! Cost: a look-up in a list. Sources: none needed.

use crate::fault::{Answer, Fault};

/// Places in a number.
pub(crate) const PLACES: f64 = (1 << 24) as f64;
/// The most things that one place has had.
const MOST_USED: u32 = (1 << 29) - 1;

/// Things by their numbers.
pub(crate) struct Numbers<T> {
    /// What they are, in sentences.
    name: &'static str,
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
}

struct Slot<T> {
    used: u32,
    thing: Option<T>,
}

impl<T> Numbers<T> {
    pub(crate) fn new(name: &'static str) -> Self {
        Self { name, slots: Vec::new(), free: Vec::new() }
    }

    /// Keeps a thing and returns its number: 0, 1, 2 and so on as long as nothing goes.
    pub(crate) fn add(&mut self, thing: T) -> Answer<f64> {
        let place = self.free.pop().unwrap_or(self.slots.len() as u32);
        if f64::from(place) >= PLACES {
            return Err(Fault::new("memory", format_args!("there are 2^24 of {} at once: remove some", self.name)));
        }
        match self.slots.get_mut(place as usize) {
            Some(slot) => *slot = Slot { used: slot.used + 1, thing: Some(thing) },
            None => self.slots.push(Slot { used: 0, thing: Some(thing) }),
        }
        Ok(self.number(place))
    }

    fn number(&self, place: u32) -> f64 {
        f64::from(self.slots[place as usize].used) * PLACES + f64::from(place)
    }

    /// The place of a number, and the thing that is there.
    fn find(&self, number: f64) -> Answer<(usize, &T)> {
        let place = (number % PLACES) as usize;
        let slot = self.slots.get(place).filter(|slot| f64::from(slot.used) == (number / PLACES).floor());
        let gone = || Fault::new("stale-ref", format_args!("there is no {} {number} (any more)", self.name));
        slot.and_then(|slot| slot.thing.as_ref()).map(|thing| (place, thing)).ok_or_else(gone)
    }

    /// Puts another thing behind a number.
    pub(crate) fn replace(&mut self, number: f64, thing: T) -> Answer<()> {
        let (place, _) = self.find(number)?;
        self.slots[place].thing = Some(thing);
        Ok(())
    }

    pub(crate) fn remove(&mut self, number: f64) -> Answer<()> {
        let (place, _) = self.find(number)?;
        self.slots[place].thing = None;
        if self.slots[place].used < MOST_USED {
            self.free.push(place as u32);
        }
        Ok(())
    }

    /// The numbers of all that are there, in the order of their places.
    pub(crate) fn all(&self) -> Vec<f64> {
        let places = (0..self.slots.len() as u32).filter(|place| self.slots[*place as usize].thing.is_some());
        places.map(|place| self.number(place)).collect()
    }
}

impl<T: Copy> Numbers<T> {
    pub(crate) fn get(&self, number: f64) -> Answer<T> {
        self.find(number).map(|(_, thing)| *thing)
    }
}
