//! The land without what stands on it: heights and rivers.

use crate::noise::Noise;
use crate::random::Rng;

/// Heights and rivers, from noise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Land {
    pub(super) seed: u64,
    /// The side of the world, metres.
    pub(super) side: f32,
    heights: Noise,
    rivers: Noise,
    woods: Noise,
}

/// Highest hills and deepest valleys, metres.
const HEIGHT: f32 = 30.0;
/// Wavelengths, metres.
const HILLS: f32 = 420.0;
const RIVERS: f32 = 560.0;
const WOODS: f32 = 160.0;
/// How wide rivers are, in units of the noise that they are zero lines of.
const WIDTH: f32 = 0.04;
/// How deep they are in the middle, metres.
const DEPTH: f32 = 5.0;
/// Nobody walks where water is deeper, metres.
pub(super) const DEEP: f32 = 1.2;

impl Land {
    pub(super) fn new(seed: u64, side: f32) -> Self {
        let noise = |purpose: u64| Noise::new(Rng::new(seed).fork(purpose).bits());
        Self { seed, side, heights: noise(1), rivers: noise(2), woods: noise(3) }
    }

    /// The ground before rivers have cut into it and people have levelled it, metres.
    pub(super) fn base(&self, x: f32, z: f32) -> f32 {
        HEIGHT * self.heights.fractal(x / HILLS, z / HILLS, 4)
    }

    /// How far a place is from the middle of a river: 0 there, 1 at the bank.
    pub(super) fn bank(&self, x: f32, z: f32) -> f32 {
        self.rivers.fractal(x / RIVERS, z / RIVERS, 3).abs() / WIDTH
    }

    /// How deep a river is at a place, metres; 0 on land.
    pub(super) fn water(&self, x: f32, z: f32) -> f32 {
        let bank = self.bank(x, z);
        if bank >= 1.0 { 0.0 } else { DEPTH * (1.0 - bank * bank) }
    }

    /// Whether trees grow there.
    pub(super) fn is_wood(&self, x: f32, z: f32) -> bool {
        self.woods.fractal(x / WOODS, z / WOODS, 2) > 0.05
    }

    /// Random numbers for a place on a lattice.
    pub(super) fn dice(&self, purpose: u64, x: i32, z: i32) -> Rng {
        Rng::new(self.seed).fork(purpose).fork(u64::from(x as u32) << 32 | u64::from(z as u32))
    }
}
