//! Numbers attached to nodes or patches that can all be cleared at once.

/// A number or none for each index; clearing all is O(1).
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    marks: Vec<(u32, u32)>,
    round: u32,
}

impl Marks {
    /// Clears all.
    pub(super) fn clear(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.marks.clear();
            self.round = 1;
        }
    }

    #[inline]
    pub(super) fn get(&self, index: u32) -> Option<u32> {
        self.marks.get(index as usize).filter(|m| m.0 == self.round).map(|m| m.1)
    }

    #[inline]
    pub(super) fn set(&mut self, index: u32, value: u32) {
        if self.marks.len() <= index as usize {
            self.marks.resize(index as usize + 1, (0, 0));
        }
        self.marks[index as usize] = (self.round, value);
    }
}
