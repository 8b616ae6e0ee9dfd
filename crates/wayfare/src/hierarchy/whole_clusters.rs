//! Which clusters a search crosses as a whole: those that contain neither end of the path, nor anything that turned out
//! to be closed.
//!
//! A few more tiles around the start are crossed portal by portal, so that the first corridors need no second search.
//!
//! Cost: a few look-ups.
//!
//! Sources: see [`GraphLevels`].

use super::GraphLevels;
use super::abstract_task::AbstractTask;
use super::graph_levels::SIDE;
use super::tile_access::TileAccess;
use crate::math::index::NONE;
use crate::tile::TileCoord;

/// How many tiles around the start are crossed portal by portal.
const AROUND_START: i32 = 3;

/// The clusters that are not crossed as a whole.
#[derive(Clone, Debug, Default)]
pub(super) struct WholeClusters {
    /// By level and number of the cluster.
    parted: Vec<Vec<bool>>,
}

impl WholeClusters {
    /// Prepares for a search.
    pub(super) fn begin<W: TileAccess + ?Sized>(
        &mut self,
        world: &mut W,
        levels: &GraphLevels,
        task: &AbstractTask<'_>,
    ) {
        self.parted.resize(levels.levels.len().max(self.parted.len()), Vec::new());
        self.parted.iter_mut().for_each(Vec::clear);
        let start = world.graph_tile(task.start.slot).map(|tile| tile.coord);
        if let Some(start) = start {
            self.part_around(levels, start, AROUND_START);
        }
        let others: Vec<u32> = [task.goal.slot].into_iter().chain(task.closed.slots()).collect();
        for slot in others {
            if let Some(coord) = world.coord_of(slot) {
                self.part(levels, coord);
            }
        }
        // Portals of a tile that has changed are numbered anew; the exits of clusters beside it lead to the old ones.
        let changed: Vec<u32> = world.changed_since_levels().iter().copied().collect();
        for coord in changed.into_iter().filter_map(|slot| world.coord_of(slot)).collect::<Vec<_>>() {
            self.part_around(levels, coord, 1);
        }
    }

    /// Excludes the clusters that contain a tile, or those so many tiles from it on each side.
    fn part_around(&mut self, levels: &GraphLevels, coord: TileCoord, far: i32) {
        let steps = [-far, 0, far];
        for (dx, dz) in steps.into_iter().flat_map(|dx| steps.map(|dz| (dx, dz))) {
            self.part(levels, TileCoord { x: coord.x.saturating_add(dx), z: coord.z.saturating_add(dz), ..coord });
        }
    }

    /// Excludes the clusters that contain a tile.
    fn part(&mut self, levels: &GraphLevels, coord: TileCoord) {
        for (parted, level) in self.parted.iter_mut().zip(&levels.levels) {
            if let Some(&number) = level.numbers.get(&level.place(coord)) {
                let number = number as usize;
                parted.resize(parted.len().max(number + 1), false);
                parted[number] = true;
            }
        }
    }

    /// The largest cluster that contains a tile and is crossed as a whole: level and number.
    #[inline]
    pub(super) fn around(&self, levels: &GraphLevels, slot: u32) -> Option<(u32, u32)> {
        let by_level = levels.levels.iter().zip(&self.parted).enumerate().rev();
        let mut found = by_level.filter_map(|(number, (level, parted))| {
            let cluster = level.of_slot(slot);
            let is_parted = parted.get(cluster as usize).copied().unwrap_or_default();
            (cluster != NONE && !is_parted).then_some((number as u32, cluster))
        });
        found.next()
    }
}

const _: () = assert!(AROUND_START < SIDE, "steps around the start must not skip a cluster");
