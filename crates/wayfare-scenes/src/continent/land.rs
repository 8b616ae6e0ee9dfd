//! The terrain: heights and rivers, without buildings and trees.

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

/// Maximum height of hills and depth of valleys, metres.
const HEIGHT: f32 = 30.0;
/// Wavelengths, metres.
const HILLS: f32 = 420.0;
const RIVERS: f32 = 560.0;
const WOODS: f32 = 160.0;
/// Width of rivers, in units of the noise whose zero lines they are.
const WIDTH: f32 = 0.04;
/// Depth in the middle of a river, metres.
const DEPTH: f32 = 5.0;
/// Deeper water is not walkable, metres.
pub(super) const DEEP: f32 = 1.2;

impl Land {
    pub(super) fn new(seed: u64, side: f32) -> Self {
        let noise = |purpose: u64| Noise::new(Rng::new(seed).fork(purpose).bits());
        Self { seed, side, heights: noise(1), rivers: noise(2), woods: noise(3) }
    }

    /// The terrain height before rivers and levelled areas, metres.
    pub(super) fn base(&self, x: f32, z: f32) -> f32 {
        HEIGHT * self.heights.fractal(x / HILLS, z / HILLS, 4)
    }

    /// How far a point is from the middle of a river: 0 there, 1 at the bank.
    pub(super) fn bank(&self, x: f32, z: f32) -> f32 {
        self.rivers.fractal(x / RIVERS, z / RIVERS, 3).abs() / WIDTH
    }

    /// Depth of a river at a point, metres; 0 on land.
    pub(super) fn water(&self, x: f32, z: f32) -> f32 {
        let bank = self.bank(x, z);
        if bank >= 1.0 { 0.0 } else { DEPTH * (1.0 - bank * bank) }
    }

    /// Whether trees grow there.
    pub(super) fn is_wood(&self, x: f32, z: f32) -> bool {
        self.woods.fractal(x / WOODS, z / WOODS, 2) > 0.05
    }

    /// Random numbers for a point on a lattice.
    pub(super) fn dice(&self, purpose: u64, x: i32, z: i32) -> Rng {
        Rng::new(self.seed).fork(purpose).fork(u64::from(x as u32) << 32 | u64::from(z as u32))
    }
}
