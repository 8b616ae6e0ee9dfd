//! The unpacked heightfield of a tile that is being rebuilt, with the level's own volumes marked, and the last tiles
//! built from it.
//!
//! ```text
//!   open    before erosion, own volumes marked              what a rebuild begins with
//!   eroded  the same after erosion                           what erosion takes without obstacles
//!   area    open + obstacles, less what erosion takes        eroded, and around the obstacles alone
//! ```
//!
//! Obstacles only remove surface, and links do not depend on them. So erosion removes what it removes without them, and
//! what lies near them: see [`erode_around_into`].
//!
//! Equal areas give equal tiles. The last few tiles are kept with their areas, so a door that swings is rebuilt once
//! for each of its two positions.
//!
//! Cost: a copy of the areas, besides the cells of the obstacles and those around them.
//!
//! Sources: own work.

use crate::area::AreaId;
use crate::input::{Erosion, VoxelSettings};
use crate::mesh::PreparedTile;
use crate::voxel::{CompactHeightfield, ErodeScratch, erode_around_into, erode_euclidean_into, erode_into};
use std::collections::VecDeque;

/// How many tiles are kept with their areas.
const OUTCOMES: usize = 4;
/// Areas that are compared at once.
const BLOCK: usize = 32;

/// The open ground of a tile.
#[derive(Debug)]
pub(super) struct TileGround {
    pub(super) field: CompactHeightfield,
    /// Whether the field is that of the tile, with the level's own volumes; otherwise it is only memory.
    is_open: bool,
    open: Vec<AreaId>,
    eroded: Vec<AreaId>,
    /// The last tiles by their areas, the latest first.
    outcomes: VecDeque<TileOutcome>,
}

/// Which tile came of which areas; `None`: nothing can be walked on.
#[derive(Debug)]
struct TileOutcome {
    area: Vec<AreaId>,
    tile: Option<PreparedTile>,
    /// What the recipe took of the budget.
    units: u64,
}

/// Memory that is used from tile to tile.
#[derive(Default)]
pub(super) struct ErosionScratch {
    erode: ErodeScratch,
    taken: Vec<u32>,
}

impl TileGround {
    /// Memory for a tile.
    pub(super) fn new(field: CompactHeightfield) -> Self {
        Self { field, is_open: false, open: Vec::new(), eroded: Vec::new(), outcomes: VecDeque::new() }
    }

    /// Whether it is unpacked, with the level's own volumes.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Makes it memory for another tile.
    pub(super) fn close(&mut self) {
        self.is_open = false;
    }

    /// Takes the areas of the field as those of other ground with the level's own volumes. Obstacles are
    /// [taken away](Self::set_clear) afterwards.
    pub(super) fn set_open(&mut self, settings: &VoxelSettings, scratch: &mut ErosionScratch) {
        self.is_open = true;
        self.outcomes.clear();
        self.open.clone_from(&self.field.area);
        self.eroded.clear();
        // The exact distance is measured anew for each set of obstacles.
        if settings.erosion == Erosion::Chamfer {
            erode_into(&mut self.field, settings.agent_radius_vx, &mut scratch.erode);
            self.eroded.clone_from(&self.field.area);
        }
    }

    /// Takes all obstacles away.
    pub(super) fn set_clear(&mut self) {
        self.field.area.clone_from(&self.open);
    }

    /// Takes away what lies too near to edges and to the obstacles that are marked.
    pub(super) fn erode(&mut self, settings: &VoxelSettings, scratch: &mut ErosionScratch) {
        let ErosionScratch { erode, taken } = scratch;
        let field = &mut self.field;
        match settings.erosion {
            Erosion::Euclidean => erode_euclidean_into(field, settings.agent.radius / settings.cell_size, erode),
            Erosion::Chamfer => {
                list_taken(&self.open, &field.area, taken);
                erode_around_into(field, settings.agent_radius_vx, taken, erode);
                for (area, eroded) in field.area.iter_mut().zip(&self.eroded) {
                    *area = if eroded.is_null() { AreaId::NULL } else { *area };
                }
            }
        }
    }

    /// The tile that came of the same areas, if it is remembered, and what it took of the budget.
    pub(super) fn outcome(&mut self) -> Option<(Option<PreparedTile>, u64)> {
        let at = self.outcomes.iter().position(|outcome| are_same(&outcome.area, &self.field.area))?;
        let found = self.outcomes.remove(at)?;
        let outcome = (found.tile.clone(), found.units);
        self.outcomes.push_front(found);
        Some(outcome)
    }

    /// Remembers what came of the areas, and what that took of the budget.
    pub(super) fn remember(&mut self, tile: Option<PreparedTile>, units: u64) {
        let spare = if self.outcomes.len() < OUTCOMES { None } else { self.outcomes.pop_back() };
        let mut area = spare.map_or_else(Vec::new, |spare| spare.area);
        area.clone_from(&self.field.area);
        self.outcomes.push_front(TileOutcome { area, tile, units });
    }

    /// How much memory it takes, in bytes; what tiles share with a mesh is counted too.
    pub(super) fn byte_size(&self) -> u64 {
        let CompactHeightfield { columns, y, clearance, area, neighbours, .. } = &self.field;
        let of_field = size_of_val(&columns[..]) + size_of_val(&y[..]) + size_of_val(&clearance[..]);
        let of_links = size_of_val(&neighbours[..]);
        let tile = |outcome: &TileOutcome| outcome.tile.as_ref().map_or(0, |tile| tile.data().bytes());
        let outcomes: usize = self.outcomes.iter().map(tile).sum();
        (of_field + of_links + area.len() * (2 + self.outcomes.len()) + self.eroded.len() + outcomes) as u64
    }
}

/// Whether areas are the same. As bytes, which are compared many at a time.
fn are_same(a: &[AreaId], b: &[AreaId]) -> bool {
    bytemuck::cast_slice::<_, u8>(a) == bytemuck::cast_slice::<_, u8>(b)
}

/// Lists what was walkable and no longer is.
fn list_taken(before: &[AreaId], after: &[AreaId], taken: &mut Vec<u32>) {
    taken.clear();
    for (first, (before, after)) in (0..).step_by(BLOCK).zip(before.chunks(BLOCK).zip(after.chunks(BLOCK))) {
        if !are_same(before, after) {
            let pairs = (first..).zip(before.iter().zip(after));
            taken.extend(pairs.filter(|(_, (was, is))| !was.is_null() && is.is_null()).map(|(span, _)| span));
        }
    }
}
