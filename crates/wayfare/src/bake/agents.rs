//! One tile for several agents, from one rasterisation.
//!
//! What rasterising gives depends on the slope and the climb, on no other size of the agent. Agents that share these two share the
//! solid spans; each takes its part of them, with the border that its own radius asks for, and goes on by itself.
//!
//! ```text
//!    +-----------------+
//!    |  +-----------+  |     rasterised once, with the widest border
//!    |  |  +-----+  |  |
//!    |  |  |tile |  |  |     cut out for each agent: tile and border
//!    |  |  +-----+  |  |
//!    |  +-----------+  |
//!    +-----------------+
//! ```
//!
//! Cost: one rasterisation for each slope and climb, a copy of the spans and the other stages for each agent. Sources: own
//! work.

use super::{BakeError, BakeReport, Stage, TileBaker, TilePlan, TileRect};
use crate::context::Context;
use crate::input::Level;
use crate::tile::TileData;
use crate::voxel::{Grid, Heightfield, RasterInput, RasterScratch, rasterize_into};

/// The bakers of one thread, one for each agent.
pub(super) struct AgentBakers {
    plans: Vec<TilePlan>,
    bakers: Vec<TileBaker>,
    /// Agents by slope and climb.
    groups: Vec<Vec<usize>>,
    raster: RasterScratch,
    solid: Heightfield,
}

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
        Self {
            plans: plans.to_vec(),
            bakers: plans.iter().map(|plan| TileBaker::new(plan.level, plan.settings)).collect(),
            groups,
            raster: RasterScratch::default(),
            solid: Heightfield::empty(Grid { width: 0, depth: 0, ..plans[0].level }),
        }
    }

    /// Bakes tile number `index` for the agents that want it; `None` for the others and for those without ground there. The
    /// time of a rasterisation goes to the first agent that it is made for.
    pub(super) fn bake(
        &mut self,
        (level, triangles): (&Level<'_>, Option<&[u32]>),
        (index, wanted): (u64, &[bool]),
        context: &Context<'_>,
        reports: &mut [BakeReport],
    ) -> Result<Vec<Option<TileData>>, BakeError> {
        let mut tiles = vec![None; self.plans.len()];
        for group in 0..self.groups.len() {
            let agents: Vec<usize> = self.groups[group].iter().copied().filter(|&agent| wanted[agent]).collect();
            let tile = |agent: usize| self.plans[agent].tile(index);
            if let [agent] = agents[..] {
                let (rect, report) = (tile(agent), &mut reports[agent]);
                tiles[agent] = self.bakers[agent].bake(*level, triangles, &rect, context, report)?;
                continue;
            }
            let Some(&widest) = agents.iter().max_by_key(|&&agent| tile(agent).border) else { continue };
            let rect = tile(widest);
            self.rasterize((level, triangles), widest, &rect, (context, &mut reports[agents[0]]))?;
            for agent in agents {
                let (rect, report) = (self.plans[agent].tile(index), &mut reports[agent]);
                tiles[agent] = self.bakers[agent].bake_rasterized(level, &self.solid, &rect, context, report)?;
            }
        }
        Ok(tiles)
    }

    fn rasterize(
        &mut self,
        (level, triangles): (&Level<'_>, Option<&[u32]>),
        agent: usize,
        rect: &TileRect,
        (context, report): (&Context<'_>, &mut BakeReport),
    ) -> Result<(), BakeError> {
        let grid = rect.baked_grid();
        grid.check_size()?;
        let plan = &self.plans[agent];
        let (mesh, terrain, settings) = (level.mesh, level.terrain, &plan.settings);
        let input = RasterInput { mesh, terrain, triangles, level: &plan.level, grid, settings };
        let ((), time) = context.timed(|| rasterize_into(&input, &mut self.raster, &mut self.solid));
        report.times.add(Stage::Rasterize, time);
        Ok(context.check_cancelled()?)
    }
}
