//! Bakes a block of tiles for several agents from one rasterisation.
//!
//! Rasterising depends on the slope and the climb, and on no other size of the agent. Agents that share these two share
//! the solid spans; each filters them, takes its part for each tile, with the border that its own radius requires, and
//! continues separately. So a block is a list of runs of one recipe, from door to door:
//!
//! ```text
//!    +-----------------+
//!    |  +-----------+  |     Triangles → Solid       once, with the widest border
//!    |  |  +-----+  |  |     Solid → Filtered        for each agent
//!    |  |  |tile |  |  |     Filtered → Tile         cut out for each tile and agent: tile and border
//!    |  |  +-----+  |  |
//!    |  +-----------+  |
//!    +-----------------+
//! ```
//!
//! A block that would take too much memory is not shared: each run goes from triangles to tile.
//!
//! Cost: one rasterisation for each slope and climb, a copy of the spans and the remaining stages for each agent.
//! Sources: own work.

use super::progress::BlockProgress;
use crate::bake::recipe::{BakeRun, Keep};
use crate::bake::{BakeError, BakeReport, Door, TileBaker, TileInput, TilePlan, TileRect};
use crate::context::{Budget, Context};
use crate::input::Level;
use crate::tile::TileData;
use crate::voxel::Grid;
use std::collections::VecDeque;

/// What several tiles or agents share may take a half of the memory that each tile may take by itself. Then none of them
/// takes more: it has no more cells and spans, and its bands of sixteen rows lie within two bands of the block, so that
/// no more than twice as many triangles cross them. Otherwise each is baked by itself. So whether a tile is refused
/// depends neither on the blocks, which depend on the number of threads, nor on the other agents.
const SHARED: u64 = 2;

/// Bakers, one for each agent.
pub(super) struct AgentBakers {
    plans: Vec<TilePlan>,
    bakers: Vec<TileBaker>,
    /// Agents by slope and climb.
    groups: Vec<Vec<usize>>,
}

/// A tile to be baked: its number, and which agents need it.
pub(super) struct Wanted {
    pub(super) index: u64,
    pub(super) agents: Vec<bool>,
}

/// A tile and its part of the report, for each agent; no tile for agents that do not need it or have no walkable
/// surface there.
pub(super) type BakedForAll = Vec<(Option<TileData>, BakeReport)>;

/// The remaining tasks of a block, and the results so far.
pub(super) struct BlockTasks {
    tasks: VecDeque<AgentTask>,
    /// Whether the first task is in progress.
    is_under_way: bool,
    pub(super) baked: Vec<BakedForAll>,
    /// The first tile that cannot be baked, by its place among the others, and why. Those after it are not.
    pub(super) failed: Option<(usize, BakeError)>,
}

impl BlockTasks {
    fn new(tasks: VecDeque<AgentTask>, baked: Vec<BakedForAll>) -> Self {
        Self { tasks, is_under_way: false, baked, failed: None }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.tasks.is_empty()
    }

    /// A tile cannot be baked.
    fn fail(&mut self, tile: usize, error: BakeError) {
        self.tasks.clear();
        self.is_under_way = false;
        self.failed = Some((tile, error));
    }

    /// These agents share nothing: each rasterises each of its tiles by itself.
    fn separate(&mut self, agents: &[usize]) {
        self.is_under_way = false;
        self.tasks.retain_mut(|task| match task {
            AgentTask::Copy { from, .. } => !agents.contains(from),
            AgentTask::Run { agent, doors: [from, to], .. } if agents.contains(agent) => {
                *from = Door::Triangles;
                *to == Door::Tile
            }
            AgentTask::Run { .. } => true,
        });
    }
}

#[derive(Clone, Copy)]
enum AgentTask {
    /// A run of the recipe. Its times and counts are added to the report of one of the tiles.
    Run { agent: usize, tile: usize, rect: TileRect, doors: [Door; 2] },
    /// An agent copies the solid spans of another.
    Copy { from: usize, to: usize },
}

/// The input of a block.
#[derive(Clone, Copy)]
pub(super) struct BlockInput<'a> {
    pub(super) level: Level<'a>,
    /// The level's triangles that touch the block; `None`: all.
    pub(super) triangles: Option<&'a [u32]>,
}

impl BlockInput<'_> {
    /// Whether there is anything to stand on: over open sea there is not.
    fn has_ground(&self) -> bool {
        let is_bare = self.triangles.map_or(self.level.mesh.tris().is_empty(), <[u32]>::is_empty);
        !is_bare || self.level.terrain.is_some()
    }
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
        let keep = if plans[0].tile_count() > 1 { Keep::Memory } else { Keep::Nothing };
        let bakers = plans.iter().map(|plan| TileBaker::keeping(keep, plan.level, plan.settings)).collect();
        Self { plans: plans.to_vec(), bakers, groups }
    }

    /// The runs that bake the tiles of a block, which starts with an empty report for each agent. Where there is no
    /// ground, the tiles are empty without any.
    pub(super) fn tasks(&self, source: BlockInput<'_>, tiles: &[Wanted], empty_reports: &[BakeReport]) -> BlockTasks {
        let nothing = || empty_reports.iter().map(|report| (None, report.clone())).collect();
        let mut baked: Vec<BakedForAll> = tiles.iter().map(|_| nothing()).collect();
        let mut tasks = VecDeque::new();
        if !source.has_ground() {
            for (tile, baked) in tiles.iter().zip(&mut baked) {
                for (_, (_, report)) in tile.agents.iter().zip(baked).filter(|(is_wanted, _)| **is_wanted) {
                    report.stats.tiles += 1;
                    report.stats.empty_tiles += 1;
                }
            }
            return BlockTasks::new(tasks, baked);
        }
        let wanting = |agent: usize| tiles.iter().enumerate().filter(move |(_, tile)| tile.agents[agent]);
        let rect = |agent: usize, tile: &Wanted| self.plans[agent].tile(tile.index);
        let mut all = (0..self.plans.len()).flat_map(|agent| wanting(agent).map(move |(number, _)| (agent, number)));
        if let (Some((agent, tile)), None) = (all.next(), all.next()) {
            // A single tile needs no block.
            let rect = rect(agent, &tiles[tile]);
            let doors = [Door::Triangles, Door::Tile];
            tasks.push_back(AgentTask::Run { agent, tile, rect, doors });
            return BlockTasks::new(tasks, baked);
        }
        for group in &self.groups {
            let agents: Vec<usize> = group.iter().copied().filter(|&agent| wanting(agent).next().is_some()).collect();
            let rects = agents.iter().flat_map(|&agent| wanting(agent).map(move |(_, tile)| rect(agent, tile)));
            let (Some((&first, others)), Some(grid)) =
                (agents.split_first(), rects.map(|rect| rect.baked_grid()).reduce(Grid::around_both))
            else {
                continue;
            };
            let block = TileRect { grid, border: 0, ..rect(first, &tiles[0]) };
            let run = |agent, doors| AgentTask::Run { agent, tile: 0, rect: block, doors };
            tasks.push_back(run(first, [Door::Triangles, Door::Solid]));
            // The others copy the spans before they are filtered.
            tasks.extend(others.iter().map(|&to| AgentTask::Copy { from: first, to }));
            tasks.extend(agents.iter().map(|&agent| run(agent, [Door::Solid, Door::Filtered])));
        }
        for (number, tile) in tiles.iter().enumerate() {
            for agent in (0..self.plans.len()).filter(|&agent| tile.agents[agent]) {
                let rect = rect(agent, tile);
                let doors = [Door::Filtered, Door::Tile];
                tasks.push_back(AgentTask::Run { agent, tile: number, rect, doors });
            }
        }
        BlockTasks::new(tasks, baked)
    }

    /// Continues a block within the budget. Returns whether it is finished, or one of its tiles cannot be baked.
    ///
    /// # Errors
    /// [`BakeError::Cancelled`].
    pub(super) fn go_on(
        &mut self,
        block: &mut BlockTasks,
        source: BlockInput<'_>,
        (context, progress): (&Context<'_>, &mut BlockProgress<'_>),
        budget: &mut Budget,
    ) -> Result<bool, BakeError> {
        while let Some(task) = block.tasks.front() {
            match *task {
                AgentTask::Copy { from, to } => {
                    let (low, high) = self.bakers.split_at_mut(from.max(to));
                    let a = &mut low[from.min(to)];
                    let b = &mut high[0];
                    let (from, to) = if from < to { (a, b) } else { (b, a) };
                    to.products_mut().heightfield.clone_from(&from.products().heightfield);
                }
                AgentTask::Run { agent, tile, doors: [_, to], .. } => {
                    match self.run(block, source, (context, progress), budget) {
                        Ok(true) => {}
                        Ok(false) => return Ok(false),
                        Err(BakeError::Cancelled(cancelled)) => return Err(cancelled.into()),
                        Err(BakeError::TooMuchMemory(_)) if to != Door::Tile => {
                            let group = self.groups.iter().find(|group| group.contains(&agent));
                            block.separate(group.map_or(&[agent], |group| group));
                            continue;
                        }
                        Err(error) => {
                            block.fail(tile, error);
                            return Ok(true);
                        }
                    }
                }
            }
            block.tasks.pop_front();
        }
        Ok(true)
    }

    /// Continues the first task of a block, which is a run.
    fn run(
        &mut self,
        block: &mut BlockTasks,
        source: BlockInput<'_>,
        (context, progress): (&Context<'_>, &mut BlockProgress<'_>),
        budget: &mut Budget,
    ) -> Result<bool, BakeError> {
        let Some(&AgentTask::Run { agent, tile, rect, doors }) = block.tasks.front() else { return Ok(true) };
        let source = TileInput { level: source.level, triangles: source.triangles, tile: rect };
        let baker = &mut self.bakers[agent];
        if !block.is_under_way {
            baker.enter(&source, doors)?;
            block.is_under_way = true;
        }
        let is_shared = doors[1] != Door::Tile;
        let memory_limit = context.memory_limit.map(|limit| if is_shared { limit / SHARED } else { limit });
        let context = &Context { memory_limit, ..*context };
        let (out, report) = &mut block.baked[tile][agent];
        let worked = &mut |units| progress.add(units);
        let mut run = BakeRun { context, report, observer: &mut (), budget, worked };
        if !baker.go_on(&source, &mut run)? {
            return Ok(false);
        }
        *out = baker.take_tile();
        block.is_under_way = false;
        Ok(true)
    }
}
