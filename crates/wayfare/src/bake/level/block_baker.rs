//! Bakes a block of neighbouring tiles separately, from the geometry around them: for worlds that are never in memory
//! as a whole.
//!
//! Tiles depend neither on their block nor on anything outside their border, so they are the same as in a bake of the
//! whole level.
//!
//! Cost: the tiles. Sources: own work.

use super::agents::{AgentBakers, BlockInput, Wanted};
use super::progress::{BlockCount, BlockProgress, LevelProgress, work_of_tile};
use crate::bake::{BakeError, BakeReport, TilePlan};
use crate::context::{Budget, Context, SharedCount};
use crate::input::Level;
use crate::math::polygon;
use crate::tile::TileData;

/// Bakes one block after another, reusing memory.
pub(crate) struct BlockBaker {
    bakers: AgentBakers,
    plan: TilePlan,
    empty_report: BakeReport,
}

/// A tile with its number, none if there is no walkable surface, and its part of the report.
pub(crate) type BlockTile = (u64, Option<TileData>, BakeReport);

impl BlockBaker {
    pub(crate) fn new(plan: &TilePlan, empty_report: BakeReport) -> Self {
        Self { bakers: AgentBakers::new(core::slice::from_ref(plan)), plan: *plan, empty_report }
    }

    /// Bakes these tiles of the plan from a level that need only contain what touches them and their borders.
    pub(crate) fn bake(
        &mut self,
        level: Level<'_>,
        tiles: &[u64],
        context: &Context<'_>,
    ) -> Result<Vec<BlockTile>, BakeError> {
        let wanted: Vec<Wanted> = tiles.iter().map(|&index| Wanted { index, agents: vec![true] }).collect();
        let source = BlockInput { level, triangles: None };
        let mut tasks = self.bakers.tasks(source, &wanted, core::slice::from_ref(&self.empty_report));
        let total = tiles.iter().map(|&index| work_of_tile(&self.plan, index)).sum();
        let counted = LevelProgress { done: SharedCount::default(), total };
        let mut block = BlockCount::new(total);
        let mut progress = BlockProgress { context, level: &counted, block: &mut block };
        self.bakers.go_on(&mut tasks, source, (context, &mut progress), &mut Budget::unlimited())?;
        if let Some((_, error)) = tasks.failed {
            return Err(error);
        }
        let baked = tiles.iter().zip(tasks.baked);
        Ok(baked.flat_map(|(&index, agents)| agents.into_iter().map(move |(tile, part)| (index, tile, part))).collect())
    }
}

/// Counts for a tile that was not baked, as far as they follow from the tile.
pub(crate) fn count_known(tile: Option<&TileData>, part: &mut BakeReport) {
    let stats = &mut part.stats;
    stats.tiles += 1;
    stats.reused_tiles += 1;
    let Some(tile) = tile else {
        stats.empty_tiles += 1;
        return;
    };
    stats.polys += tile.polys().len() as u64;
    stats.poly_verts += tile.verts().len() as u64;
    stats.detail_verts += (tile.detail_verts().len() + tile.corners().len()) as u64;
    stats.detail_tris += tile.detail_tris().len() as u64;
    for poly in 0..tile.polys().len() as u32 {
        let corners: Vec<_> = tile.points_of(poly).collect();
        stats.poly_area += f64::from(polygon::area(&corners).abs());
    }
}
