//! A place for a tile or a connection, whose salt tells what is there from what was there before.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010 (slots and salts).

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
    pub(super) fn continue_from(&mut self, salt: u16, retired: bool) {
        (self.salt, self.retired) = (salt, retired);
    }
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
