//! What a file may ask for beyond its own bytes.
//!
//! Some formats let a few bytes stand for much: a mesh that is placed many times, elements that are all zero, groups
//! that name one another. Honest files do so too, so it is counted, and refused beyond a fixed amount and some more for
//! each byte that was read: a reader's time and memory grow with the bytes that it is given, and never beyond.

use crate::work;

/// How much more may be asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    left: u64,
}

impl Allowance {
    /// `base` units for any file, and `per_byte` for each of its bytes.
    pub(crate) fn new(base: u64, per_byte: u64, bytes: u64) -> Self {
        Self { left: base.saturating_add(per_byte.saturating_mul(bytes)) }
    }

    /// Takes so many units; `false`, and nothing taken, if there are not so many left.
    #[must_use]
    pub(crate) fn take(&mut self, units: u64) -> bool {
        let left = self.left.checked_sub(units);
        work::count(if left.is_some() { units as usize } else { 0 });
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_is_used_up() {
        let mut allowance = Allowance::new(4, 2, 3);
        assert!(
            allowance.take(8) && !allowance.take(3) && allowance.take(2) && !allowance.take(1) && allowance.take(0)
        );
        assert!(Allowance::new(1, u64::MAX, 2).take(u64::MAX));
    }
}
