//! A table of the obstacles of a level, in slots, with an index by the tiles that they change.
//!
//! ```text
//!   slots   [ crate | – | cart ]            tile 7:  1 → slot 2,  5 → slot 0     in the order in which they came
//! ```
//!
//! Where painted shapes overlap, the one that was added later wins; moving does not change the order. A slot's salt is
//! increased when its obstacle is removed; a slot whose 32-bit salt is exhausted is not used again.
//!
//! Cost: an obstacle costs a little for each tile that it changes.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010 (slots and salts).

use super::obstacle::checked_bounds;
use super::volume_bytes::{read_bool, read_volume, write_volume};
use super::{ObstacleError, ObstacleRef};
use crate::input::MarkedVolume;
use crate::math::Aabb;
use crate::math::bytes::{Reader, Truncated, Writer};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An obstacle.
#[derive(Clone, Debug)]
struct Placed {
    /// Shared with the rebuilds that mark it.
    marked: Arc<MarkedVolume>,
    /// Its place in the order in which obstacles came.
    order: u64,
}

#[derive(Clone, Debug)]
struct ObstacleSlot {
    content: Option<Placed>,
    salt: u32,
}

/// All obstacles.
#[derive(Clone, Debug, Default)]
pub(super) struct ObstacleTable {
    slots: Vec<ObstacleSlot>,
    /// Empty slots that can be used again; the last one first.
    free: Vec<u32>,
    /// By tile: slots by their order.
    by_tile: BTreeMap<u64, BTreeMap<u64, u32>>,
    next_order: u64,
}

impl ObstacleTable {
    /// The handle's obstacle.
    pub(super) fn get(&self, obstacle: ObstacleRef) -> Result<&MarkedVolume, ObstacleError> {
        self.placed(obstacle).map(|placed| &*placed.marked)
    }

    /// All of them, by slot.
    pub(super) fn iter(&self) -> impl Iterator<Item = (ObstacleRef, &MarkedVolume)> {
        (0..).zip(&self.slots).filter_map(|(slot, ObstacleSlot { content, salt })| {
            Some((ObstacleRef { slot, salt: *salt }, &*content.as_ref()?.marked))
        })
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.slots.iter().filter(|slot| slot.content.is_some()).count()
    }

    /// The shapes that change a tile, in order.
    pub(super) fn in_tile(&self, tile: u64) -> impl Iterator<Item = &Arc<MarkedVolume>> {
        let slots = self.by_tile.get(&tile).into_iter().flat_map(BTreeMap::values);
        slots.filter_map(|&slot| Some(&self.slots.get(slot as usize)?.content.as_ref()?.marked))
    }

    /// Adds one that changes these tiles.
    pub(super) fn add(&mut self, marked: MarkedVolume, tiles: &[u64]) -> Result<ObstacleRef, ObstacleError> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = u32::try_from(self.slots.len()).ok().filter(|&slot| slot < u32::MAX);
                self.slots.push(ObstacleSlot { content: None, salt: 1 });
                slot.ok_or(ObstacleError::Full)?
            }
        };
        let order = self.next_order;
        self.next_order += 1;
        let entry = &mut self.slots[slot as usize];
        entry.content = Some(Placed { marked: Arc::new(marked), order });
        let obstacle = ObstacleRef { slot, salt: entry.salt };
        self.enter(tiles, order, slot);
        Ok(obstacle)
    }

    /// Enters those that change one of these tiles, which were not kept before, where they belong.
    pub(super) fn enter_new_tiles(&mut self, touched: impl Fn(&Aabb) -> Vec<u64>) {
        for (slot, content) in (0..).zip(&self.slots).filter_map(|(slot, entry)| Some((slot, entry.content.as_ref()?)))
        {
            for tile in touched(&content.marked.volume.bounds()) {
                self.by_tile.entry(tile).or_default().insert(content.order, slot);
            }
        }
    }

    /// Forgets a tile that has no ground any more.
    pub(super) fn forget_tile(&mut self, tile: u64) {
        self.by_tile.remove(&tile);
    }

    /// Gives one another shape; `tiles` are those that it changed and those that it will change.
    pub(super) fn replace(
        &mut self,
        obstacle: ObstacleRef,
        marked: MarkedVolume,
        [before, after]: [&[u64]; 2],
    ) -> Result<(), ObstacleError> {
        let placed = self.placed_mut(obstacle)?;
        placed.marked = Arc::new(marked);
        let order = placed.order;
        self.leave(before, order);
        self.enter(after, order, obstacle.slot);
        Ok(())
    }

    /// Takes one out that changed these tiles.
    pub(super) fn remove(&mut self, obstacle: ObstacleRef, tiles: &[u64]) -> Result<(), ObstacleError> {
        self.placed(obstacle)?;
        let entry = &mut self.slots[obstacle.slot as usize];
        let placed = entry.content.take().ok_or(ObstacleError::Gone { obstacle })?;
        if let Some(salt) = entry.salt.checked_add(1) {
            entry.salt = salt;
            self.free.push(obstacle.slot);
        }
        self.leave(tiles, placed.order);
        Ok(())
    }

    fn placed(&self, obstacle: ObstacleRef) -> Result<&Placed, ObstacleError> {
        let slot = self.slots.get(obstacle.slot as usize).filter(|slot| slot.salt == obstacle.salt);
        slot.and_then(|slot| slot.content.as_ref()).ok_or(ObstacleError::Gone { obstacle })
    }

    fn placed_mut(&mut self, obstacle: ObstacleRef) -> Result<&mut Placed, ObstacleError> {
        let slot = self.slots.get_mut(obstacle.slot as usize).filter(|slot| slot.salt == obstacle.salt);
        slot.and_then(|slot| slot.content.as_mut()).ok_or(ObstacleError::Gone { obstacle })
    }

    fn enter(&mut self, tiles: &[u64], order: u64, slot: u32) {
        for &tile in tiles {
            self.by_tile.entry(tile).or_default().insert(order, slot);
        }
    }

    fn leave(&mut self, tiles: &[u64], order: u64) {
        for &tile in tiles {
            if let Some(there) = self.by_tile.get_mut(&tile) {
                there.remove(&order);
                if there.is_empty() {
                    self.by_tile.remove(&tile);
                }
            }
        }
    }

    /// Writes all slots, and which of them come next.
    pub(super) fn write(&self, out: &mut Writer) {
        out.u64(self.next_order);
        out.u32(self.slots.len() as u32);
        for ObstacleSlot { content, salt } in &self.slots {
            out.u32(*salt);
            out.u8(u8::from(content.is_some()));
            if let Some(Placed { marked, order }) = content {
                out.u64(*order);
                write_volume(marked, out);
            }
        }
        out.u32(self.free.len() as u32);
        self.free.iter().for_each(|&slot| out.u32(slot));
    }

    /// Reads what [`write`](Self::write) wrote; `tiles` are those under a shape.
    pub(super) fn read(rest: &mut Reader<'_>, tiles: impl Fn(&Aabb) -> Vec<u64>) -> Result<Self, Truncated> {
        let mut table = Self { next_order: rest.u64()?, ..Self::default() };
        // Nobody adds as many; it is counted on.
        if table.next_order > u64::MAX / 2 {
            return Err(Truncated);
        }
        let count = rest.u32()?;
        let mut orders = BTreeSet::new();
        for slot in 0..count {
            let salt = rest.u32()?;
            let content = if read_bool(rest)? {
                let order = rest.u64()?;
                let marked = read_volume(rest)?;
                let bounds = checked_bounds(&marked.volume).map_err(|_| Truncated)?;
                if order >= table.next_order || !orders.insert(order) {
                    return Err(Truncated);
                }
                table.enter(&tiles(&bounds), order, slot);
                Some(Placed { marked: Arc::new(marked), order })
            } else {
                None
            };
            table.slots.push(ObstacleSlot { content, salt });
        }
        let count = rest.u32()?;
        let mut free = BTreeSet::new();
        for _ in 0..count {
            let slot = rest.u32()?;
            let is_empty = table.slots.get(slot as usize).is_some_and(|slot| slot.content.is_none());
            if !is_empty || !free.insert(slot) {
                return Err(Truncated);
            }
            table.free.push(slot);
        }
        Ok(table)
    }
}
