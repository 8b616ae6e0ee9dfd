//! A tree of boxes that finds the things nearest to a position without looking at all of them.
//!
//! A path to another component ends at the position of the start's component that is nearest to the goal. Usually that
//! is close to the goal; but if the goal is far away, the nearest tile of the component may be any of a hundred
//! thousand. The squares of tiles that contain a component are in one such tree, and the tiles of each square in
//! another.
//!
//! ```text
//!   things along a curve     [0 1 2 3 4 5 6 7][8 9 …     eight that follow each other share a box,
//!   that keeps near          [      box      ][  box     eight boxes the next, and so on; what belongs
//!   what is near             [          box          …   together is a stretch of the curve
//! ```
//!
//! Cost: one pass to build; a query visits a few boxes on each level.
//!
//! Sources: Guy Morton, 1966 (the curve); packed trees of boxes: Roussopoulos and Leifker, 1985.

use crate::math::Aabb;
use crate::tile::distance_to_box;
use core::ops::Range;
use glam::Vec3;

/// Members of a box.
const WIDTH: usize = 8;

/// Things by number, and the boxes around them.
#[derive(Clone, Debug, Default)]
pub(super) struct NearTree {
    things: Vec<u32>,
    /// From the boxes around things to the one around all.
    levels: Vec<Vec<Aabb>>,
}

impl NearTree {
    /// Built from things with their boxes, sorted along the curve.
    pub(super) fn of(sorted: impl Iterator<Item = (u32, Aabb)>) -> Self {
        let (things, boxes): (Vec<u32>, Vec<Aabb>) = sorted.unzip();
        let mut level = boxes;
        let mut levels = Vec::new();
        while levels.is_empty() || level.len() > 1 {
            level = level.chunks(WIDTH).map(|boxes| boxes.iter().copied().fold(Aabb::EMPTY, Aabb::union)).collect();
            levels.push(level.clone());
        }
        Self { things, levels }
    }

    /// The box around all.
    pub(super) fn bounds(&self) -> Aabb {
        self.levels.last().and_then(|top| top.first()).copied().unwrap_or(Aabb::EMPTY)
    }

    /// Calls `visit` with the things in a range that may lie within a squared distance of a position, roughly nearest
    /// first. `visit` receives and returns that distance, which may only shrink, and so does this function.
    pub(super) fn visit(
        &self,
        range: &Range<usize>,
        to: Vec3,
        within: f32,
        visit: &mut dyn FnMut(u32, f32) -> f32,
    ) -> f32 {
        let top = self.levels.len() - 1;
        if range.is_empty() { within } else { self.descend((top, 0), range, to, within, visit) }
    }

    fn descend(
        &self,
        (level, at): (usize, usize),
        range: &Range<usize>,
        to: Vec3,
        mut within: f32,
        visit: &mut dyn FnMut(u32, f32) -> f32,
    ) -> f32 {
        if level == 0 {
            let things = (at * WIDTH).max(range.start)..(at * WIDTH + WIDTH).min(range.end);
            return self.things[things].iter().fold(within, |within, &thing| visit(thing, within));
        }
        let below = &self.levels[level - 1];
        let span = WIDTH.pow(level as u32);
        let mut near = [(f32::INFINITY, usize::MAX); WIDTH];
        for (k, child) in (at * WIDTH..(at * WIDTH + WIDTH).min(below.len())).enumerate() {
            if child * span < range.end && (child + 1) * span > range.start {
                near[k] = (distance_to_box(to, &below[child], 0.0), child);
            }
        }
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (distance, child) in near {
            if child != usize::MAX && distance <= within {
                within = self.descend((level - 1, child), range, to, within, visit);
            }
        }
        within
    }
}

/// The interleaved bits of two coordinates: nearby positions usually have nearby numbers.
pub(super) fn morton(x: i32, z: i32) -> u64 {
    let spread = |v: i32| {
        let mut bits = u64::from(v.wrapping_sub(i32::MIN) as u32);
        for (shift, mask) in [
            (16, 0x0000_ffff_0000_ffff_u64),
            (8, 0x00ff_00ff_00ff_00ff),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ] {
            bits = (bits | bits << shift) & mask;
        }
        bits
    };
    spread(x) | spread(z) << 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Components;
    use crate::mesh::{NavMesh, Tile};
    use crate::tile::test_sketch::sketch;
    use crate::tile::{TileCoord, TileLayout};

    #[test]
    fn the_nearest_tile_of_a_component_is_among_few_that_are_looked_at_whatever_the_size() {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
        for size in [12, 40, 80] {
            // Two islands, with every fifth row of tiles between them missing.
            let rows = (0..size).filter(|z| z % 5 != 4);
            let tiles = rows.flat_map(|z| (0..size).map(move |x| TileCoord { x, z, layer: 0 }));
            let mesh = NavMesh::from_tiles(layout, tiles.map(|at| sketch(at, "aa\naa")).collect()).unwrap();
            let components = Components::of(&mesh);
            let of = |tile: &Tile| components.component(tile.reference(0)).unwrap();
            let mut rng = crate::math::Rng::new(size as u64);
            for round in 0..60 {
                let to = Vec3::new(rng.unit() * 600.0 - 200.0, 0.0, rng.unit() * 600.0 - 200.0);
                let component = rng.below(components.count());
                let mut looked = 0;
                let mut nearest = f32::INFINITY;
                components.visit_near(&mesh, component, to, f32::INFINITY, &mut |tile, within| {
                    assert_eq!(of(tile), component);
                    looked += 1;
                    nearest = within.min(distance_to_box(to, &tile.bounds(), 0.0));
                    nearest
                });
                let own = mesh.tiles().filter(|tile| of(tile) == component);
                let least = own.map(|tile| distance_to_box(to, &tile.bounds(), 0.0)).fold(f32::INFINITY, f32::min);
                assert_eq!(nearest, least, "round {round}");
                assert!(looked <= 64, "{looked} tiles of {}", size * size);
            }
        }
    }
}
