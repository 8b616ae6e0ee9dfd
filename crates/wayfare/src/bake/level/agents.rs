//! A block of tiles for several agents, from one rasterisation.
//!
//! What rasterising gives depends on the slope and the climb, on no other size of the agent. Agents that share these
//! two share the solid spans; each filters them, takes its part of them for each tile, with the border that its own
//! radius asks for, and goes on by itself.
//!
//! ```text
//!    +-----------------+
//!    |  +-----------+  |     rasterised once, with the widest border
//!    |  |  +-----+  |  |
//!    |  |  |tile |  |  |     cut out for each tile and agent: tile and border
//!    |  |  +-----+  |  |
//!    |  +-----------+  |
//!    +-----------------+
//! ```
//!
//! Cost: one rasterisation for each slope and climb, a copy of the spans and the other stages for each agent. Sources:
//! own work.

use crate::bake::memory::rasterize_in_memory;
use crate::bake::pipeline::Keep;
use crate::bake::{BakeError, BakeReport, Stage, TileBaker, TilePlan};
use crate::context::Context;
use crate::input::Level;
use crate::tile::TileData;
use crate::voxel::{FilterScratch, Grid, Heightfield, RasterInput, RasterScratch, filter_into};

/// The bakers of one thread, one for each agent.
pub(super) struct AgentBakers {
    plans: Vec<TilePlan>,
    bakers: Vec<TileBaker>,
    /// Agents by slope and climb.
    groups: Vec<Vec<usize>>,
    raster: RasterScratch,
    filter: FilterScratch,
    /// The solid spans of the block, filtered for each agent.
    solid: Vec<Heightfield>,
}

/// A tile to be baked: its number, and which agents want it.
pub(super) struct Wanted {
    pub(super) index: u64,
    pub(super) agents: Vec<bool>,
}

/// A tile and its part of the report, for each agent; no tile for those that do not want it or have no ground there.
pub(super) type BakedForAll = Vec<(Option<TileData>, BakeReport)>;

impl AgentBakers {
    /// Bakers for agents, at least one, whose plans have the same grid and tiles.
    pub(super) fn new(plans: &[TilePlan]) -> Self {
        let shared = |plan: &TilePlan| (plan.settings.min_walkable_normal_y.to_bits(), plan.settings.agent_climb_vx);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (agent, plan) in plans.iter().enumerate() {
            match groups.iter_mut().find(|group| shared(&plans[group[0]]) == shared(plan)) {
                Some(group) => group.push(agent),
                None => groups.push(vec![agent]),
            }
        }
        let keep = if plans[0].tile_count() > 1 { Keep::Memory } else { Keep::Nothing };
        let nothing = Heightfield::empty(Grid { width: 0, depth: 0, ..plans[0].level });
        Self {
            plans: plans.to_vec(),
            bakers: plans.iter().map(|plan| TileBaker::keeping(keep, plan.level, plan.settings)).collect(),
            groups,
            raster: RasterScratch::default(),
            filter: FilterScratch::default(),
            solid: vec![nothing; plans.len()],
        }
    }

    /// Bakes the tiles of a block, from those of the level's triangles that touch it (`None`: all), and calls `done`
    /// after each. The times of rasterising and filtering go to the first tile.
    pub(super) fn bake(
        &mut self,
        (level, triangles): (&Level<'_>, Option<&[u32]>),
        tiles: &[Wanted],
        context: &Context<'_>,
        done: &dyn Fn(),
    ) -> Result<Vec<BakedForAll>, BakeError> {
        let nothing = || (None, BakeReport::new(level.bounds()));
        let mut baked: Vec<BakedForAll> =
            tiles.iter().map(|_| self.plans.iter().map(|_| nothing()).collect()).collect();
        if let [tile] = tiles
            && let mut wanting = (0..self.plans.len()).filter(|&agent| tile.agents[agent])
            && let (Some(agent), None) = (wanting.next(), wanting.next())
        {
            let (out, report) = &mut baked[0][agent];
            let rect = self.plans[agent].tile(tile.index);
            *out = self.bakers[agent].bake(*level, triangles, &rect, context, report)?;
            done();
            return Ok(baked);
        }
        if let Some(first) = baked.first_mut() {
            self.prepare((level, triangles), tiles, context, first)?;
        }
        for (tile, baked) in tiles.iter().zip(&mut baked) {
            for (agent, (out, report)) in baked.iter_mut().enumerate().filter(|&(agent, _)| tile.agents[agent]) {
                let rect = self.plans[agent].tile(tile.index);
                *out = self.bakers[agent].bake_filtered(level, &self.solid[agent], &rect, context, report)?;
            }
            done();
        }
        Ok(baked)
    }

    /// Rasterises and filters what the tiles need, for each agent that wants any of them.
    fn prepare(
        &mut self,
        (level, triangles): (&Level<'_>, Option<&[u32]>),
        tiles: &[Wanted],
        context: &Context<'_>,
        reports: &mut BakedForAll,
    ) -> Result<(), BakeError> {
        let Self { plans, groups, raster, filter, solid, .. } = self;
        for group in groups.iter() {
            let wanting = || group.iter().copied().filter(|&agent| tiles.iter().any(|tile| tile.agents[agent]));
            let rects = wanting().flat_map(|agent| {
                let wanted = tiles.iter().filter(move |tile| tile.agents[agent]);
                let plan = plans[agent];
                wanted.map(move |tile| plan.tile(tile.index).baked_grid())
            });
            let (Some(first), Some(grid)) = (wanting().next(), rects.reduce(Grid::around_both)) else { continue };
            grid.check_size()?;
            let plan = &plans[first];
            let (mesh, terrain, settings) = (level.mesh, level.terrain, &plan.settings);
            let input = RasterInput { mesh, terrain, triangles, level: &plan.level, grid, settings };
            let (result, time) = context.timed(|| rasterize_in_memory(&input, context, raster, &mut solid[first]));
            result?;
            reports[first].1.times.add(Stage::Rasterize, time);
            context.check_cancelled()?;
            // The others copy it before it is filtered.
            for agent in wanting().filter(|&agent| agent != first) {
                solid[agent] = solid[first].clone();
            }
            for agent in wanting() {
                let plan = &plans[agent];
                let ((), time) = context.timed(|| filter_into(&mut solid[agent], &plan.level, &plan.settings, filter));
                reports[agent].1.times.add(Stage::Filter, time);
                context.check_cancelled()?;
            }
        }
        Ok(())
    }
}
