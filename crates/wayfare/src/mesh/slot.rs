//! A slot for a tile or a connection, with a salt that distinguishes its content from earlier ones.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010 (slots and salts).

use super::PolyRef;

/// A slot for one thing.
#[derive(Clone, Debug)]
pub(super) struct SaltedSlot<T> {
    pub(super) content: Option<T>,
    /// Salt of the current content, or of the next one.
    pub(super) salt: u16,
    /// Whether the salts are exhausted.
    pub(super) retired: bool,
}

impl<T> SaltedSlot<T> {
    /// A slot that was never used.
    pub(super) const FREE: Self = Self { content: None, salt: 1, retired: false };

    /// Whether it has or had content.
    pub(super) fn is_used(&self) -> bool {
        self.content.is_some() || self.is_gap()
    }

    /// Whether it had content and is empty now.
    pub(super) fn is_gap(&self) -> bool {
        self.content.is_none() && (self.salt != 1 || self.retired)
    }

    /// Whether it can take new content.
    pub(super) fn is_free(&self) -> bool {
        self.content.is_none() && !self.retired
    }

    /// Puts content in, with this salt.
    pub(super) fn fill(&mut self, content: T, salt: u16) {
        *self = Self { content: Some(content), salt, retired: false };
    }

    /// Removes the content; references to it become stale.
    pub(super) fn empty(&mut self) -> Option<T> {
        let content = self.content.take()?;
        match self.salt.checked_add(1) {
            Some(salt) => self.salt = salt,
            None => self.retired = true,
        }
        Some(content)
    }

    /// Continues, empty, from the salt of another slot.
    pub(super) fn continue_from(&mut self, gap: SlotGap) {
        (self.salt, self.retired) = (gap.salt, gap.retired);
    }
}

/// What remains of a slot that was emptied, so that old references never match new content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotGap {
    /// Salt of the next content.
    pub(crate) salt: u16,
    /// Whether the salts are exhausted.
    pub(crate) retired: bool,
}

/// Upper limit (exclusive) of slots when `used` of them have or had a tile.
pub(crate) fn slot_limit(used: usize) -> u32 {
    /// Slots that may always be used: their tables take at most 4 MB.
    const ALWAYS: u32 = 1 << 16;
    /// Slots allowed for each used one.
    const EACH: usize = 8;
    let limit = u32::try_from(used.saturating_mul(EACH)).unwrap_or(u32::MAX);
    limit.clamp(ALWAYS, PolyRef::TILE_SLOTS)
}

/// Upper limit (exclusive) of indices when `used` of them have or had a connection.
pub(crate) fn connection_limit(used: usize) -> u32 {
    slot_limit(used).min(PolyRef::POLYS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn salts_go_up_until_they_run_out() {
        let mut slot = SaltedSlot::FREE;
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
