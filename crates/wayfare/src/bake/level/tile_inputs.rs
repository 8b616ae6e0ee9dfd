//! Collects the triangles of the level that touch each tile of a plan.
//!
//! Cost: one pass over the triangles, if there is more than one tile.
//!
//! Sources: none needed.

use super::TilePlan;
use crate::bake::TileInput;
use crate::context::parallel;
use crate::input::Level;
use crate::voxel::TriangleBins;

/// The input of each tile of a plan.
pub(crate) struct TileInputs<'a> {
    level: Level<'a>,
    plan: &'a TilePlan,
    /// None if there is one tile, to which all triangles belong.
    bins: Option<TriangleBins>,
}

impl<'a> TileInputs<'a> {
    /// For tiles with the border of the plan.
    pub(crate) fn new(level: Level<'a>, plan: &'a TilePlan) -> Self {
        Self::reaching(level, plan, plan.settings.border_vx)
    }

    /// The same with another border around each tile, in cells.
    pub(crate) fn reaching(level: Level<'a>, plan: &'a TilePlan, border: u32) -> Self {
        let side = plan.settings.tile_size_vx;
        let bins = (plan.tile_count() > 1).then(|| TriangleBins::new(level.mesh, &plan.level, side, border));
        Self { level, plan, bins }
    }

    /// The input of tile number `index`.
    pub(crate) fn tile(&self, index: u64) -> TileInput<'_> {
        let tile = self.plan.tile(index);
        let triangles = self.bins.as_ref().map(|bins| bins.tile(tile.coord.x as u32, tile.coord.z as u32));
        TileInput { level: self.level, triangles, tile }
    }

    /// Calls `one` with the number and the input of each tile, on the threads of the pool from which it is called; see
    /// [`parallel::map`].
    pub(crate) fn map<S, R: Send>(
        &self,
        memory: impl Fn() -> S + Sync + Send,
        one: impl Fn(&mut S, u64, TileInput<'_>) -> R + Sync + Send,
    ) -> Vec<R> {
        let all = (0..self.plan.tile_count()).collect();
        parallel::map(all, memory, |memory, index| one(memory, index, self.tile(index)))
    }
}
