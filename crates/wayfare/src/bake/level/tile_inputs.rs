//! The tiles of a plan, each with the triangles of the level that touch it.
//!
//! Cost: the triangles once, where there is more than one tile.
//!
//! Sources: none needed.

use super::TilePlan;
use crate::bake::TileInput;
use crate::context::parallel;
use crate::input::Level;
use crate::voxel::TriangleBins;

/// What each tile of a plan is made from.
pub(crate) struct TileInputs<'a> {
    level: Level<'a>,
    plan: &'a TilePlan,
    /// None if there is one tile, which all triangles may touch.
    bins: Option<TriangleBins>,
}

impl<'a> TileInputs<'a> {
    /// Those of tiles that look around as far as the plan says.
    pub(crate) fn new(level: Level<'a>, plan: &'a TilePlan) -> Self {
        Self::reaching(level, plan, plan.settings.border_vx)
    }

    /// The same with the triangles within another border around each tile, in cells.
    pub(crate) fn reaching(level: Level<'a>, plan: &'a TilePlan, border: u32) -> Self {
        let side = plan.settings.tile_size_vx;
        let bins = (plan.tile_count() > 1).then(|| TriangleBins::new(level.mesh, &plan.level, side, border));
        Self { level, plan, bins }
    }

    /// What tile number `index` is made from.
    pub(crate) fn tile(&self, index: u64) -> TileInput<'_> {
        let tile = self.plan.tile(index);
        let triangles = self.bins.as_ref().map(|bins| bins.tile(tile.coord.x as u32, tile.coord.z as u32));
        TileInput { level: self.level, triangles, tile }
    }

    /// Calls `one` with the number and the input of each tile, on the threads of the pool that the call runs in; see
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
