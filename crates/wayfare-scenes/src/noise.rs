//! Value noise: random heights at integer coordinates, smoothly interpolated, summed over octaves.
//!
//! Sources: the textbook form; summed octaves are from K. Perlin, "An Image Synthesizer", SIGGRAPH 1985.

use crate::random::scramble;

/// Smooth noise over the plane, −1…1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noise {
    seed: u64,
}

impl Noise {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// `octaves` layers, each with half the wavelength and half the amplitude of the one before, starting at wavelength
    /// 1.
    pub(crate) fn fractal(&self, x: f32, z: f32, octaves: u32) -> f32 {
        let (mut sum, mut scale, mut strength, mut total) = (0.0, 1.0, 1.0, 0.0);
        for octave in 0..octaves {
            let layer = Self { seed: self.seed ^ scramble(u64::from(octave)) };
            sum += strength * layer.at(x * scale, z * scale);
            total += strength;
            scale *= 2.0;
            strength *= 0.5;
        }
        sum / total
    }

    fn at(self, x: f32, z: f32) -> f32 {
        let (cell_x, cell_z) = (x.floor(), z.floor());
        let (u, v) = (smooth(x - cell_x), smooth(z - cell_z));
        let (i, k) = (cell_x as i32, cell_z as i32);
        let near = mix(self.lattice(i, k), self.lattice(i + 1, k), u);
        let far = mix(self.lattice(i, k + 1), self.lattice(i + 1, k + 1), u);
        mix(near, far, v)
    }

    fn lattice(self, x: i32, z: i32) -> f32 {
        let place = u64::from(x as u32) | u64::from(z as u32) << 32;
        let bits = scramble(place ^ scramble(self.seed));
        (bits >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    }
}

fn smooth(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_continuous_and_bounded() {
        let noise = Noise::new(3);
        for i in 0..2000 {
            let (x, z) = (i as f32 * 0.013 - 9.0, i as f32 * -0.007);
            let here = noise.fractal(x, z, 4);
            assert!(here.abs() <= 1.0);
            assert!((noise.fractal(x + 1e-3, z, 4) - here).abs() < 0.05);
        }
    }
}
