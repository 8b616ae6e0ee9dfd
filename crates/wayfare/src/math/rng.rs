//! A small seeded random number generator: the same numbers on every platform.
//!
//! Sources: Guy Steele, Doug Lea, Christine Flood, "Fast Splittable Pseudorandom Number Generators" (SplitMix64), 2014.

/// A SplitMix64 generator. Not for cryptography.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(u64);

/// The golden ratio as a fraction of 2⁶⁴, odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Rng {
    /// A generator whose numbers depend only on `seed`. Any seed is good.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Leaves out the next numbers, in O(1): their state is a counter.
    pub(crate) fn skip(&mut self, count: u64) {
        self.0 = self.0.wrapping_add(STEP.wrapping_mul(count));
    }

    /// Uniform in 0…1, 1 excluded; a multiple of 2⁻²⁴.
    pub fn unit(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1_u32 << 24) as f32
    }

    /// Uniform in 0…`bound` − 1; 0 for a bound of 0. (The bias of the multiply-shift is below 2⁻³².)
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut rng = Rng::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn ranges_are_kept_and_filled() {
        let mut rng = Rng::new(0);
        let mut seen = [0_u32; 7];
        for _ in 0..7_000 {
            seen[rng.below(7) as usize] += 1;
            assert!((0.0..1.0).contains(&rng.unit()));
        }
        assert!(seen.iter().all(|&n| (850..1150).contains(&n)), "{seen:?}");
        assert_eq!(rng.below(0), 0);
    }
}
