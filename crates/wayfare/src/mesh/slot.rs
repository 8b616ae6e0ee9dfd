//! A place for a tile or a connection, whose salt tells what is there from what was there before.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010 (slots and salts).

use super::PolyRef;

/// A place for one thing.
#[derive(Clone, Debug)]
pub(super) struct Slot<T> {
    pub(super) content: Option<T>,
    /// Salt of what is here, or of what comes next.
    pub(super) salt: u16,
    /// Whether the salts have run out.
    pub(super) retired: bool,
}

impl<T> Slot<T> {
    /// One that nothing was ever in.
    pub(super) const FREE: Self = Self { content: None, salt: 1, retired: false };

    /// Whether something is or was in it.
    pub(super) fn is_used(&self) -> bool {
        self.content.is_some() || self.is_gap()
    }

    /// Whether something was in it, and nothing is.
    pub(super) fn is_gap(&self) -> bool {
        self.content.is_none() && (self.salt != 1 || self.retired)
    }

    /// Whether what comes next may come here.
    pub(super) fn is_free(&self) -> bool {
        self.content.is_none() && !self.retired
    }

    /// Puts something in, with this salt.
    pub(super) fn fill(&mut self, content: T, salt: u16) {
        *self = Self { content: Some(content), salt, retired: false };
    }

    /// Takes out what is in it; references to that are stale from then on.
    pub(super) fn empty(&mut self) -> Option<T> {
        let content = self.content.take()?;
        match self.salt.checked_add(1) {
            Some(salt) => self.salt = salt,
            None => self.retired = true,
        }
        Some(content)
    }

    /// Goes on, empty, from where another place was.
    pub(super) fn continue_from(&mut self, gap: SlotGap) {
        (self.salt, self.retired) = (gap.salt, gap.retired);
    }
}

/// What is left of a place that something was in: what references from then must not agree with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotGap {
    /// Salt of what comes next.
    pub(crate) salt: u16,
    /// Whether the salts have run out.
    pub(crate) retired: bool,
}

/// What slots must be below where `used` of them have or had a tile.
pub(crate) fn slot_limit(used: usize) -> u32 {
    /// Slots that may always be used: their tables cost 4 MB at most.
    const ALWAYS: u32 = 1 << 16;
    /// Slots for each that is used.
    const EACH: usize = 8;
    let limit = u32::try_from(used.saturating_mul(EACH)).unwrap_or(u32::MAX);
    limit.clamp(ALWAYS, PolyRef::TILE_SLOTS)
}

/// What indices must be below where `used` of them have or had a connection.
pub(crate) fn connection_limit(used: usize) -> u32 {
    slot_limit(used).min(PolyRef::POLYS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn salts_go_up_until_they_run_out() {
        let mut slot = Slot::FREE;
        assert!(slot.is_free() && !slot.is_used() && !slot.is_gap());
        assert_eq!((slot.empty(), slot.salt), (None, 1), "nothing was in it");
        slot.fill('a', 1);
        assert!(slot.is_used() && !slot.is_free() && !slot.is_gap());
        assert_eq!((slot.empty(), slot.salt), (Some('a'), 2));
        assert!(slot.is_used() && slot.is_free() && slot.is_gap());
        slot.fill('b', u16::MAX);
        assert_eq!((slot.empty(), slot.salt, slot.retired), (Some('b'), u16::MAX, true));
        assert!(slot.is_gap() && !slot.is_free());
    }
}
