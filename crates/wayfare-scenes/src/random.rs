//! Random numbers that are the same on every platform and in every version.
//!
//! SplitMix64: one 64-bit counter, scrambled. Two multiplications per number; far better than levels and tests need.
//!
//! Sources: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.

/// A seeded stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The stream for a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(scramble(seed ^ 0x6A09_E667_F3BC_C908))
    }

    /// A separate stream for a purpose, so that drawing more numbers for one thing does not change the others.
    #[must_use]
    pub fn fork(&self, purpose: u64) -> Self {
        Self(scramble(self.0 ^ scramble(purpose)))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        scramble(self.0)
    }

    /// A number in 0…1, 1 excluded, in steps of 2⁻²⁴.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// A number in `low`…`high`.
    pub fn real(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// A whole number in `low`…`high`, both included. `low` if the range is inverted.
    pub fn whole(&mut self, low: i32, high: i32) -> i32 {
        let count = (i64::from(high) - i64::from(low) + 1).max(1) as u64;
        // The high bits of a product: the bias is below 2⁻³² for the ranges that fit here.
        let offset = ((u128::from(self.bits()) * u128::from(count)) >> 64) as i64;
        (i64::from(low) + offset) as i32
    }

    /// `true` once in `times` on average.
    pub fn one_in(&mut self, times: u32) -> bool {
        self.whole(1, times.min(i32::MAX as u32) as i32) == 1
    }
}

/// The finaliser of SplitMix64: a bijection of 64 bits that mixes all of them.
pub(crate) fn scramble(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_pinned_and_ranges_are_kept() {
        let mut rng = Rng::new(1);
        let first = [rng.bits(), rng.bits(), rng.bits()];
        assert_eq!(first, [0x9311_8A61_ED9E_9E14, 0xD942_59DF_0D44_0A18, 0x7A12_D811_8A87_E423]);
        assert_ne!(first[0], Rng::new(2).bits());
        let mut seen = [0; 7];
        for _ in 0..7000 {
            seen[(rng.whole(-3, 3) + 3) as usize] += 1;
            assert!((0.0..1.0).contains(&rng.unit()));
        }
        assert!(seen.iter().all(|&n| (800..1200).contains(&n)), "{seen:?}");
    }
}
