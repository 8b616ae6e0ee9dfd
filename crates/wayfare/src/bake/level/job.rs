//! A bake that runs step by step.
//!
//! Cost: the tiles, plus a few thousand instructions a step. Sources: own work.

use super::tile_work::LevelBake;
use crate::bake::{BakeError, BakeReport, BakedTiles, TilePlan, TileSink};
use crate::context::{Budget, Context, Progress};
use crate::input::{BakeSettings, Level};

/// Bakes a level step by step: behind an animated loading screen, or spread over the frames of a game.
///
/// ```
/// # use wayfare::bake::{BakeJob, bake_tiles};
/// # use wayfare::context::{Budget, Context};
/// # use wayfare::input::{BakeSettings, TriMesh};
/// # let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 0.0]].map(Into::into);
/// # let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
/// let settings = BakeSettings::default();
/// let mut job = BakeJob::new(&level, &settings)?;
/// while !job.step(Budget::new(20_000), &Context::default())?.is_finished() {
///     // Draw a frame.
/// }
/// let (baked, report) = job.into_tiles().remove(0);
/// assert_eq!(baked, bake_tiles(&level, &settings, &Context::default())?.0);
/// # Ok::<(), wayfare::bake::BakeError>(())
/// ```
///
/// The tiles are the same bytes for any budget and any number of threads.
pub struct BakeJob<'a> {
    bake: LevelBake<'a>,
    baked: Vec<(BakedTiles, BakeReport)>,
}

impl<'a> BakeJob<'a> {
    /// Begins to bake a level. This only assigns the triangles to tiles.
    ///
    /// # Errors
    /// Settings out of range, or a level that does not fit its grid.
    pub fn new(level: impl Into<Level<'a>>, settings: &BakeSettings) -> Result<Self, BakeError> {
        Self::of_agents(level, core::slice::from_ref(settings))
    }

    /// Begins to bake a level for several agents at once, like [`bake_agents`](crate::bake::bake_agents).
    ///
    /// # Errors
    /// Like [`new`](Self::new), and [`BakeError::AgentsDiffer`].
    pub fn of_agents(level: impl Into<Level<'a>>, settings: &[BakeSettings]) -> Result<Self, BakeError> {
        let level = level.into();
        let plans = settings.iter().map(|settings| TilePlan::new(level, settings)).collect::<Result<Vec<_>, _>>()?;
        let empty = |plan: &TilePlan| BakedTiles { layout: plan.layout(), tiles: Vec::new() };
        let begin = |(plan, settings): (&TilePlan, _)| (empty(plan), plan.report(&level, settings));
        let baked = plans.iter().zip(settings).map(begin).collect();
        Ok(Self { bake: LevelBake::new(level, &plans)?, baked })
    }

    /// Continues within the budget. A unit is a cell, a span, a triangle, a corner or a sample, depending on the
    /// current step of the recipe. A step ends after the piece of work that uses up the budget. Most pieces are small:
    /// a band of sixteen rows, a region, a polygon. A few are a pass over a whole tile: sorting its triangles and its
    /// edges, taking its open spans, three for distances, merging regions. So with tiles of a few hundred cells a side
    /// a step takes little more than its budget, and with a single tile of millions of cells sometimes much more. An
    /// unlimited budget processes up to [`TILES_AT_ONCE`](crate::bake::TILES_AT_ONCE) tiles.
    ///
    /// With feature `rayon`, as many blocks of tiles as the budget allows are baked at the same time, at most one on
    /// each thread.
    ///
    /// # Errors
    /// Like [`bake_tiles`](crate::bake::bake_tiles). The job is then over, and all later steps return the same error.
    pub fn step(&mut self, budget: Budget, context: &Context<'_>) -> Result<Progress, BakeError> {
        let mut sinks: Vec<&mut dyn TileSink> = Vec::new();
        let mut reports = Vec::new();
        for (baked, report) in &mut self.baked {
            sinks.push(baked);
            reports.push(core::mem::take(report));
        }
        let result = self.bake.step(budget, context, &mut reports, &mut sinks);
        self.baked.iter_mut().zip(reports).for_each(|((_, kept), report)| *kept = report);
        result
    }

    /// Its progress in cells: each cell of each tile, including its border, counts once for each step of the recipe.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.bake.progress()
    }

    /// The tiles of each agent with its report: of the whole level if the job is finished, otherwise those baked so
    /// far.
    #[must_use]
    pub fn into_tiles(self) -> Vec<(BakedTiles, BakeReport)> {
        self.baked
    }
}

impl core::fmt::Debug for BakeJob<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("BakeJob").field("progress", &self.progress()).finish_non_exhaustive()
    }
}
