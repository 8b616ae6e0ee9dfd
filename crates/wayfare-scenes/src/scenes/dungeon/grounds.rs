//! The hills, trees and rocks around the castle.

use super::layout::Castle;
use super::plan::Rect;
use crate::kit::Kit;
use crate::noise::Noise;
use crate::random::Rng;
use wayfare::Vec3;

/// Half the width of the roads that lead to the gates.
const ROAD: f32 = 3.0;
/// Maximum height of the hills.
const HILLS: f32 = 9.0;

pub(super) fn build(kit: &mut Kit, castle: &Castle, rng: &Rng) {
    let land = Land { noise: Noise::new(rng.fork(30).bits()), edge: castle.moat_edge() as f32 };
    let (half, edge) = (castle.half, castle.moat_edge());
    let band = half - edge;
    // Four bands around the moat.
    let bands = [
        Rect::new(-half, -half, 2 * half, band),
        Rect::new(-half, edge, 2 * half, band),
        Rect::new(-half, -edge, band, 2 * edge),
        Rect::new(edge, -edge, band, 2 * edge),
    ];
    for Rect { x, z, w, d } in bands {
        kit.surface(w as u32, d as u32, |i, k| land.at((x + i as i32) as f32, (z + k as i32) as f32));
    }
    let mut dice = rng.fork(31);
    for _ in 0..castle.half * 2 {
        let (far, side) = (dice.real(edge as f32 + 1.5, half as f32 - 1.0), dice.real(-half as f32, half as f32));
        let (x, z) = match dice.whole(0, 3) {
            0 => (far, side),
            1 => (-far, side),
            2 => (side, far),
            _ => (side, -far),
        };
        if land.road(x, z) < 1.5 {
            continue;
        }
        let base = land.at(x, z) - Vec3::Y * 0.8;
        if dice.one_in(4) {
            kit.cylinder(base, dice.real(0.8, 2.0), dice.real(1.8, 3.0), 7);
        } else {
            kit.cylinder(base, dice.real(0.2, 0.45), dice.real(5.0, 8.0), 8);
        }
    }
}

struct Land {
    noise: Noise,
    /// Where the moat ends; the terrain is level there.
    edge: f32,
}

impl Land {
    /// The terrain at a position outside the moat.
    fn at(&self, x: f32, z: f32) -> Vec3 {
        let away = (x.abs().max(z.abs()) - self.edge).max(0.0);
        let rise = (away / 7.0).min(1.0) * (self.road(x, z) / 6.0).clamp(0.0, 1.0);
        let shape = self.noise.fractal(x / 18.0, z / 18.0, 3);
        Vec3::new(x, rise * (HILLS * (shape + 0.25)), z)
    }

    /// Distance to the nearest road, 0 on it. Roads lead to the four gates.
    fn road(&self, x: f32, z: f32) -> f32 {
        let along_z = x.abs() - ROAD;
        let along_x = (z + 4.0).abs() - ROAD;
        along_z.min(along_x).max(0.0)
    }
}
