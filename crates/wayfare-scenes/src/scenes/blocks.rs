//! `blocks`: a world of one-metre cubes: stepped hills with tunnels through them and trees on top.
//!
//! The solid cubes are [`Blocks`]; the scene is their surface, with faces merged along x.

use super::scene;
use crate::kit::Kit;
use crate::noise::Noise;
use crate::parse::{Param, Params};
use crate::random::Rng;
use crate::scene::{Scene, SceneInfo};
use wayfare::blocks::{BlockBox, BlockSource, Cell};
use wayfare::input::{AgentSettings, BakeSettings};
use wayfare::math::ops;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "blocks",
    summary: "a world of one-metre cubes: stepped hills, tunnels, trees",
    params: &[
        Param::count("size", 48, [8, 1024], "blocks along x and z"),
        Param::count("height", 24, [8, 256], "blocks along y"),
    ],
    build,
};

/// Solid cubes of one metre; cube (x, y, z) extends from (x, y, z) to (x + 1, y + 1, z + 1).
#[derive(Clone, Debug)]
pub struct Blocks {
    /// Cubes along x and z.
    pub size: u32,
    /// Cubes along y.
    pub height: u32,
    solid: Vec<bool>,
}

impl Blocks {
    /// The world of the scene `blocks` with these parameters.
    #[must_use]
    pub fn new(size: u32, height: u32, seed: u64) -> Self {
        let solid = vec![false; size as usize * size as usize * height as usize];
        let mut blocks = Self { size, height, solid };
        let rng = Rng::new(seed);
        blocks.hills(&Noise::new(rng.fork(1).bits()));
        blocks.tunnels(&mut rng.fork(2));
        blocks.trees(&mut rng.fork(3));
        blocks
    }

    /// Whether the cube at a position is solid; there is nothing outside the world.
    #[must_use]
    pub fn is_solid(&self, x: i32, y: i32, z: i32) -> bool {
        self.index(x, y, z).is_some_and(|i| self.solid[i])
    }

    /// The world described by a spec of this scene.
    pub(crate) fn of(params: &Params) -> Self {
        Self::new(params.count("size"), params.count("height"), params.seed())
    }

    fn index(&self, x: i32, y: i32, z: i32) -> Option<usize> {
        let inside = |at: i32, count: u32| (0..count as i32).contains(&at);
        let (w, h) = (self.size as usize, self.height);
        (inside(x, self.size) && inside(y, h) && inside(z, self.size))
            .then(|| (y as usize * w + z as usize) * w + x as usize)
    }

    fn set(&mut self, x: i32, y: i32, z: i32, solid: bool) {
        if let Some(i) = self.index(x, y, z) {
            self.solid[i] = solid;
        }
    }

    fn hills(&mut self, noise: &Noise) {
        for z in 0..self.size as i32 {
            for x in 0..self.size as i32 {
                let shape = noise.fractal(x as f32 / 24.0, z as f32 / 24.0, 4);
                let top = (self.height as f32 * (0.4 + 0.35 * shape)) as i32;
                for y in 0..=top.clamp(0, self.height as i32 - 1) {
                    self.set(x, y, z, true);
                }
            }
        }
    }

    /// Tunnels that wander through the terrain; the lowest layer stays solid.
    fn tunnels(&mut self, dice: &mut Rng) {
        for _ in 0..self.size / 12 {
            let side = self.size as f32;
            let mut at = [dice.real(0.0, side), dice.real(3.0, self.height as f32 * 0.5), dice.real(0.0, side)];
            let mut heading = dice.real(0.0, core::f32::consts::TAU);
            for _ in 0..self.size {
                heading += dice.real(-0.4, 0.4);
                at = [at[0] + ops::cos(heading), at[1] + dice.real(-0.4, 0.4), at[2] + ops::sin(heading)];
                self.dig(at, 2);
            }
        }
    }

    fn dig(&mut self, at: [f32; 3], radius: i32) {
        let [cx, cy, cz] = at.map(|v| v.floor() as i32);
        for y in (cy - radius).max(1)..=cy + radius {
            for z in cz - radius..=cz + radius {
                for x in cx - radius..=cx + radius {
                    let (dx, dy, dz) = (x - cx, y - cy, z - cz);
                    if dx * dx + dy * dy + dz * dz <= radius * radius {
                        self.set(x, y, z, false);
                    }
                }
            }
        }
    }

    fn trees(&mut self, dice: &mut Rng) {
        for _ in 0..self.size * self.size / 150 {
            let (x, z) = (dice.whole(2, self.size as i32 - 3), dice.whole(2, self.size as i32 - 3));
            let Some(ground) = (0..self.height as i32).rev().find(|&y| self.is_solid(x, y, z)) else { continue };
            let trunk = dice.whole(3, 5);
            if ground + trunk + 2 >= self.height as i32 {
                continue;
            }
            for y in 1..=trunk {
                self.set(x, ground + y, z, true);
            }
            for (dx, dz) in (-2..=2).flat_map(|dx| (-2..=2).map(move |dz| (dx, dz))) {
                if dx * dx + dz * dz <= 5 {
                    self.set(x + dx, ground + trunk, z + dz, true);
                    self.set(x + dx / 2, ground + trunk + 1, z + dz / 2, true);
                }
            }
        }
    }

    /// Calls `face` for each run of solid cubes along x whose neighbour towards `step` is air: the run's first cube and
    /// its length.
    fn faces(&self, step: [i32; 3], mut face: impl FnMut([i32; 3], i32)) {
        let shows =
            |x: i32, y: i32, z: i32| self.is_solid(x, y, z) && !self.is_solid(x + step[0], y + step[1], z + step[2]);
        let size = self.size as i32;
        for y in 0..self.height as i32 {
            for z in 0..size {
                let mut x = 0;
                while x < size {
                    // Faces towards x lie behind each other and cannot be merged along x.
                    let longest = if step[0] == 0 { size - x } else { 1 };
                    let run = (0..longest).take_while(|i| shows(x + i, y, z)).count() as i32;
                    if run > 0 {
                        face([x, y, z], run);
                    }
                    x += run.max(1);
                }
            }
        }
    }
}

impl BlockSource for Blocks {
    fn is_solid(&self, x: i32, y: i32, z: i32) -> bool {
        Self::is_solid(self, x, y, z)
    }

    fn bounds(&self) -> Option<BlockBox> {
        let last = |count: u32| count as i32 - 1;
        Some(BlockBox::new(Cell::new(0, 0, 0), Cell::new(last(self.size), last(self.height), last(self.size))))
    }
}

fn build(params: &Params) -> Scene {
    let blocks = Blocks::of(params);
    let mut kit = Kit::new();
    let span = |at: i32, length: i32| [at as f32, (at + length) as f32];
    blocks.faces([0, 1, 0], |[x, y, z], run| kit.floor(span(x, run), span(z, 1), (y + 1) as f32));
    blocks.faces([0, -1, 0], |[x, y, z], run| {
        if y > 0 {
            kit.ceiling(span(x, run), span(z, 1), y as f32);
        }
    });
    blocks.faces([0, 0, 1], |[x, y, z], run| {
        let [low, high] = span(x, run);
        kit.wall([low, (z + 1) as f32], [high, (z + 1) as f32], span(y, 1));
    });
    blocks.faces([0, 0, -1], |[x, y, z], run| {
        let [low, high] = span(x, run);
        kit.wall([high, z as f32], [low, z as f32], span(y, 1));
    });
    blocks.faces([1, 0, 0], |[x, y, z], _| {
        let [low, high] = span(z, 1);
        kit.wall([(x + 1) as f32, high], [(x + 1) as f32, low], span(y, 1));
    });
    blocks.faces([-1, 0, 0], |[x, y, z], _| {
        let [low, high] = span(z, 1);
        kit.wall([x as f32, low], [x as f32, high], span(y, 1));
    });
    // Steps of one block can be climbed.
    let agent = AgentSettings { height: 1.75, radius: 0.4, max_climb: 1.0, ..AgentSettings::default() };
    let settings = BakeSettings { agent, cell_size: 0.25, cell_height: 0.25, ..BakeSettings::default() };
    Scene { settings, ..scene(kit, Vec::new()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_surface_is_closed_but_for_the_bottom() {
        let scene = crate::scene("blocks?size=16&height=12&seed=5").unwrap();
        let blocks = Blocks::new(16, 12, 5);
        let area = |axis: usize, sign: f32| {
            let faces = scene.tris.iter().map(|t| {
                let [a, b, c] = t.map(|v| scene.verts[v as usize]);
                ((b - a).cross(c - a) * 0.5).to_array()[axis] * sign
            });
            faces.filter(|&a| a > 0.0).sum::<f32>()
        };
        let bottom = (0..16 * 16).filter(|i| blocks.is_solid(i % 16, 0, i / 16)).count() as f32;
        assert_eq!(area(0, 1.0), area(0, -1.0));
        assert_eq!(area(2, 1.0), area(2, -1.0));
        assert_eq!(area(1, 1.0), area(1, -1.0) + bottom);
    }
}
