//! Limits what a file may request beyond its own bytes.
//!
//! In some formats a few bytes can stand for a lot: a mesh that is placed many times, elements that are all zero,
//! groups that contain each other. Legitimate files do this too, so it is counted, and refused beyond a fixed amount
//! plus some more for each byte read: a reader's time and memory grow with the bytes that it is given, and never
//! beyond.

use crate::work;

/// How much more may be requested.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    left: u64,
}

impl Allowance {
    /// `base` units for any file, plus `per_byte` for each of its bytes.
    pub(crate) fn new(base: u64, per_byte: u64, bytes: u64) -> Self {
        Self { left: base.saturating_add(per_byte.saturating_mul(bytes)) }
    }

    /// Takes this many units; `false`, with nothing taken, if there are not enough left.
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
