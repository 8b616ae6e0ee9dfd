//! Random standing points: in a box, and within reach of a start.
//!
//! In a box every standing point is equally likely: cells are drawn until one is a standing point, and only if these
//! are rare are all of them listed. Within reach, nodes are flooded and a standing point is drawn from all of theirs,
//! so a node is weighted by its area.
//!
//! Cost: in a box: a few look-ups for each of its blocks per standing point; if fewer than about one in 4096 blocks is
//! a standing point, as many as the box has blocks. Within reach: the nodes reached.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014 ("weight the random selection by node surface
//! area").

use super::costs::BlockCosts;
use super::ground::{FARTHEST, Ground};
use super::nav::BlockNav;
use super::node::FORTH;
use super::{Block, BlockBox, BlockSource, Cell};
use crate::math::Rng;
use crate::math::index::NONE;

/// Number of draws before all cells are listed.
const DRAWS: u32 = 4096;
/// Levels of a column that are read at a time.
const SLAB: i32 = 256;

impl BlockNav {
    /// A random standing point in a box of cells, each equally likely; `None` if there is none. Builds nothing. If
    /// fewer than one in 4096 blocks is a standing point, all blocks of the box within the world's bounds may be read:
    /// keep the box small in unbounded worlds.
    pub fn random_in_box<S: BlockSource + ?Sized>(&self, world: &S, bounds: BlockBox, rng: &mut Rng) -> Option<Cell> {
        let bounds = match world.bounds() {
            Some(world) => bounds.overlap(world.standing_room(self.settings.agent.width)),
            None => bounds,
        };
        if bounds.is_empty() {
            return None;
        }
        let ground = Ground::new(world, self.settings.agent);
        let size = bounds.size();
        let mut draw = |low: i32, size: u64| (i64::from(low) + (rng.next_u64() % size) as i64) as i32;
        for _ in 0..DRAWS {
            let c = Cell::new(draw(bounds.min.x, size[0]), draw(bounds.min.y, size[1]), draw(bounds.min.z, size[2]));
            if ground.stands(c) {
                return Some(c);
            }
        }
        let mut chosen = None;
        let mut count = 0u64;
        each_place(&ground, bounds, |c| {
            count += 1;
            if rng.next_u64().is_multiple_of(count) {
                chosen = Some(c);
            }
        });
        chosen
    }

    /// A random standing point that can be reached from `start` through nodes that overlap the square of `radius`
    /// blocks around it; each such point in the square is equally likely. `None` if `start` is not a standing point.
    pub fn random_reachable<S: BlockSource + ?Sized>(
        &mut self,
        world: &S,
        start: Cell,
        radius: u32,
        costs: &BlockCosts,
        rng: &mut Rng,
    ) -> Option<Cell> {
        let mut view = self.view(world);
        let first = view.node_at(start);
        if first == NONE {
            return None;
        }
        let radius = radius.min(1 << 20) as i32;
        let low = [start.x - radius, start.z - radius];
        let high = [start.x + radius, start.z + radius];
        let mut seen = vec![false; view.store.nodes.len()];
        seen[first as usize] = true;
        let mut queue = vec![first];
        let mut chosen = start;
        let mut total = 0u64;
        let mut at = 0;
        while let Some(&slot) = queue.get(at) {
            at += 1;
            let node = view.store.nodes[slot as usize];
            let x0 = node.x.max(low[0]);
            let x1 = node.last_x().min(high[0]);
            let z0 = node.z.max(low[1]);
            let z1 = node.last_z().min(high[1]);
            if x0 > x1 || z0 > z1 {
                continue;
            }
            let w = (x1 - x0 + 1) as u64;
            let d = (z1 - z0 + 1) as u64;
            total += w * d;
            // The node replaces the earlier choice with a probability equal to its share of the area.
            let pick = rng.next_u64() % total;
            if pick < w * d {
                let x = x0 + (pick % w) as i32;
                let z = z0 + (pick / w) as i32;
                chosen = Cell::new(x, view.store.height(slot, x, z), z);
            }
            view.connect(slot);
            seen.resize(view.store.nodes.len(), false);
            for link in view.store.links(slot) {
                let passes = costs.across(node.area, view.store.nodes[link.to as usize].area).is_some();
                if link.ways & FORTH != 0 && passes && !seen[link.to as usize] {
                    seen[link.to as usize] = true;
                    queue.push(link.to);
                }
            }
        }
        Some(chosen)
    }
}

/// Calls `found` for every standing point of a box. Reads whole columns, and tests for standing points only where there
/// are blocks.
pub(super) fn each_place<S: BlockSource + ?Sized>(
    ground: &Ground<'_, S>,
    bounds: BlockBox,
    mut found: impl FnMut(Cell),
) {
    let farthest = FARTHEST as i32;
    let [low, high] = [-farthest, farthest].map(|v| Cell::new(v, v, v));
    let BlockBox { min, max } = bounds.overlap(BlockBox { min: low, max: high });
    // A slab and the level below it: feet are supported by blocks where they are or below.
    let mut blocks = [Block::Air; SLAB as usize + 1];
    let mut y = min.y;
    while y <= max.y {
        let last = max.y.min(y + SLAB - 1);
        let blocks = &mut blocks[..(last - y) as usize + 2];
        for z in min.z..=max.z {
            for x in min.x..=max.x {
                let mut holds = [false; SLAB as usize];
                let mut is_empty = true;
                for (x, z) in (0..ground.width()).flat_map(|k| (0..ground.width()).map(move |i| (x + i, z + k))) {
                    ground.source.column(x, y - 1, z, blocks);
                    if blocks.iter().all(|&block| block == Block::Air) {
                        continue;
                    }
                    is_empty = false;
                    for (holds, pair) in holds.iter_mut().zip(blocks.windows(2)) {
                        *holds |= pair[0] != Block::Air || pair[1] != Block::Air;
                    }
                }
                if is_empty {
                    continue;
                }
                let levels = (y..=last).zip(holds).filter(|(_, holds)| *holds);
                levels.map(|(y, _)| Cell::new(x, y, z)).filter(|&c| ground.stands(c)).for_each(&mut found);
            }
        }
        y = last + 1;
    }
}
