//! Runs a bake: with several threads, repetitions and agents, a clock and a progress bar, from the level in memory to
//! finished meshes.

use crate::failure::{Failure, Result};
use crate::memory;
use crate::progress::Bar;
use crate::terminal::Terminal;
use crate::threads;
use std::time::{Duration, Instant};
use wayfare::area::{AreaId, PolyFlags};
use wayfare::bake::{BakeError, BakeReport, Stage, TilePlan, TileSink, bake_agents_planned, tile_keys};
use wayfare::context::{Cancelled, Clock, Context, Progress};
use wayfare::input::{BakeSettings, Level};
use wayfare::mesh::{BakeCache, NavMesh};
use wayfare::tile::{TileCoord, TileData, TileKeys};
use wayfare::voxel::GridError;

/// How to run it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    /// Threads, at least one.
    pub(crate) threads: usize,
    /// How often to bake, at least once.
    pub(crate) repeat: u32,
    /// Memory limit in bytes; `None` for no limit.
    pub(crate) memory: Option<u64>,
}

impl Work {
    /// The threads.
    pub(crate) fn pool(self) -> Result<rayon::ThreadPool> {
        threads::pool(self.threads)
    }
}

/// The flags of each area type's polygons.
pub(crate) type FlagsOf<'a> = &'a (dyn Fn(AreaId) -> PolyFlags + Sync);

/// The input of a bake: a level, for agents on the same grid.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) level: Level<'a>,
    /// One per agent.
    pub(crate) settings: &'a [BakeSettings],
    pub(crate) flags: FlagsOf<'a>,
    /// The keys of each agent's tiles, and the previous tiles, which need not be baked again if their keys are the
    /// same.
    pub(crate) known: &'a [Known],
}

/// The previous tiles.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) keys: TileKeys,
    pub(crate) old: Option<BakeCache>,
}

impl Known {
    /// The keys of a level's tiles, and the previous tiles if there are any.
    pub(crate) fn new(level: Level<'_>, settings: &BakeSettings, old: Option<BakeCache>) -> Result<Self> {
        let plan = plan(level, settings)?;
        Ok(Self { keys: tile_keys(level, &plan), old })
    }

    /// A tile that need not be baked.
    pub(crate) fn tile(&self, coord: TileCoord) -> Option<Option<TileData>> {
        let tile = self.old.as_ref()?.unchanged_tile(coord, self.keys.get(coord)?)?;
        Some(tile.cloned())
    }
}

/// The result of baking one mesh, with times.
#[derive(Debug)]
pub(crate) struct TimedReport {
    pub(crate) report: BakeReport,
    /// Time of each stage over all repetitions, in the order of [`Stage::ALL`]; summed over tiles.
    pub(crate) stages: [Times; Stage::ALL.len()],
    /// Time of the whole bake, from the triangles in memory to the finished mesh.
    pub(crate) total: Times,
    /// Columns and rows of tiles.
    pub(crate) columns: u32,
    pub(crate) rows: u32,
}

/// Times of several runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    pub(crate) min: Duration,
    pub(crate) median: Duration,
}

impl Times {
    /// The same with a duration subtracted.
    pub(crate) fn without(self, time: Duration) -> Self {
        Self { min: self.min.saturating_sub(time), median: self.median.saturating_sub(time) }
    }

    /// The time of the only run.
    pub(crate) fn once(time: Duration) -> Self {
        Self { min: time, median: time }
    }

    fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |i: usize| times.get(i).copied().unwrap_or_default();
        Self { min: at(0), median: at(times.len() / 2) }
    }
}

/// Bakes a mesh for one agent.
pub(crate) fn bake(
    level: Level<'_>,
    settings: &BakeSettings,
    flags: FlagsOf<'_>,
    work: Work,
    terminal: Terminal,
) -> Result<(NavMesh, TimedReport)> {
    let job = Job { level, settings: core::slice::from_ref(settings), flags, known: &[] };
    bake_all(&job, work, terminal)?.pop().ok_or_else(|| Failure::new("nothing was baked"))
}

/// Bakes a mesh for each agent.
pub(crate) fn bake_all(job: &Job<'_>, work: Work, terminal: Terminal) -> Result<Vec<(NavMesh, TimedReport)>> {
    let (pool, bar) = (work.pool()?, bar(&plans(job)?, terminal));
    let mut runs = Vec::new();
    let mut meshes = Vec::new();
    for _ in 0..work.repeat {
        // The last product is dropped first, so that repetitions do not need twice the memory.
        meshes.clear();
        let (run, made) = pool.install(|| run_once(job, work, &bar))?;
        runs.push(run);
        meshes = made;
    }
    let timed = timed_reports(job, runs)?;
    Ok(meshes.into_iter().zip(timed).collect())
}

/// Bakes into sinks, one per agent, without keeping tiles: only the tiles in progress are in memory.
pub(crate) fn bake_into<S: TileSink + Send>(
    job: &Job<'_>,
    sinks: &mut [S],
    work: Work,
    terminal: Terminal,
) -> Result<Vec<TimedReport>> {
    let plans = plans(job)?;
    let bar = bar(&plans, terminal);
    let began = Instant::now();
    let reports = work.pool()?.install(|| {
        let mut sinks: Vec<&mut dyn TileSink> = sinks.iter_mut().map(|sink| sink as _).collect();
        run(job, &plans, &mut sinks, (work, &bar))
    })?;
    timed_reports(job, vec![Run { linking: vec![Duration::ZERO; reports.len()], total: began.elapsed(), reports }])
}

/// One bake: a report per agent, and the time for links.
struct Run {
    reports: Vec<BakeReport>,
    linking: Vec<Duration>,
    total: Duration,
}

fn bar(plans: &[TilePlan], terminal: Terminal) -> Bar {
    terminal.bar("baking", u64::from(plans.iter().any(|plan| plan.tile_count() > 1)))
}

fn plans(job: &Job<'_>) -> Result<Vec<TilePlan>> {
    job.settings.iter().map(|settings| plan(job.level, settings)).collect()
}

/// The number of tiles of a level.
pub(crate) fn plan(level: Level<'_>, settings: &BakeSettings) -> Result<TilePlan> {
    TilePlan::new(level, settings).map_err(refused)
}

/// The message for a bake that the library refuses, with the options that may help.
pub(crate) fn refused(e: BakeError) -> Failure {
    let options = match &e {
        BakeError::Grid(GridError::TooManyCells { .. }) => "--cell-size, --tile-size, --scale",
        BakeError::Grid(GridError::HeightRange { .. }) => "--cell-height, --scale",
        BakeError::Grid(_) => "--cell-size, --scale",
        BakeError::TooManyPolygons { .. } => "--tile-size",
        BakeError::TooMuchMemory(_) => "--tile-size, --cell-size, --memory-limit",
        _ => return Failure::new(e),
    };
    Failure::new(format_args!("{e} (see {options})"))
}

fn run_once(job: &Job<'_>, work: Work, bar: &Bar) -> Result<(Run, Vec<NavMesh>)> {
    let began = Instant::now();
    let plans = plans(job)?;
    let none = Known::default();
    let known = |agent: usize| job.known.get(agent).unwrap_or(&none);
    let mut kept: Vec<_> =
        (0..plans.len()).map(|agent| Kept { known: known(agent), flags: job.flags, tiles: Vec::new() }).collect();
    let mut sinks: Vec<&mut dyn TileSink> = kept.iter_mut().map(|kept| kept as _).collect();
    let reports = run(job, &plans, &mut sinks, (work, bar))?;
    let (mut meshes, mut linking) = (Vec::new(), Vec::new());
    for (plan, kept) in plans.iter().zip(kept) {
        let began = Instant::now();
        meshes.push(NavMesh::from_tiles(plan.layout(), kept.tiles).map_err(Failure::new)?);
        linking.push(began.elapsed());
    }
    Ok((Run { reports, linking, total: began.elapsed() }, meshes))
}

fn run(
    job: &Job<'_>,
    plans: &[TilePlan],
    sinks: &mut [&mut dyn TileSink],
    (work, bar): (Work, &Bar),
) -> Result<Vec<BakeReport>> {
    let each = |plan: &TilePlan| Some(memory::of_each_tile(work.memory?, plan, work.threads));
    let memory_limit = plans.first().and_then(each);
    let clock = Stopwatch(Instant::now());
    let progress = |p: Progress| bar.set(p.done, p.total);
    let context = Context { clock: Some(&clock), progress: Some(&progress), memory_limit, ..Context::default() };
    let mut reports: Vec<_> =
        plans.iter().zip(job.settings).map(|(plan, settings)| plan.report(&job.level, settings)).collect();
    bake_agents_planned(job.level, plans, &context, &mut reports, sinks).map_err(refused)?;
    Ok(reports)
}

/// The tiles of one agent, kept in memory.
struct Kept<'a> {
    known: &'a Known,
    flags: FlagsOf<'a>,
    tiles: Vec<TileData>,
}

impl TileSink for Kept<'_> {
    fn known(&mut self, coord: TileCoord) -> Option<Option<TileData>> {
        self.known.tile(coord)
    }

    fn take(&mut self, _: TileCoord, tile: Option<TileData>) -> core::result::Result<(), Cancelled> {
        self.tiles.extend(tile.map(|tile| with_flags(&tile, self.flags)));
        Ok(())
    }
}

/// A tile whose polygons have the flags of their area types.
pub(crate) fn with_flags(tile: &TileData, flags: FlagsOf<'_>) -> TileData {
    tile.with_states(|_, poly| (flags(poly.area), poly.area))
}

fn timed_reports(job: &Job<'_>, mut runs: Vec<Run>) -> Result<Vec<TimedReport>> {
    let times_of = |pick: &dyn Fn(&Run) -> Duration| Times::of(runs.iter().map(pick).collect());
    let stage = |run: &Run, agent: usize, i: usize| {
        let linking = if Stage::ALL[i] == Stage::Tile { run.linking[agent] } else { Duration::ZERO };
        run.reports[agent].times.get(Stage::ALL[i]) + linking
    };
    let times: Vec<_> =
        (0..job.settings.len()).map(|agent| core::array::from_fn(|i| times_of(&|run| stage(run, agent, i)))).collect();
    let total = times_of(&|run| run.total);
    let last = runs.pop().ok_or_else(|| Failure::new("--repeat must be 1 or more"))?;
    let agents = last.reports.into_iter().zip(times).zip(job.settings);
    let timed = |((report, stages), settings): ((BakeReport, _), &BakeSettings)| {
        let tiles = |cells: u32| if settings.tile_size == 0 { 1 } else { cells.div_ceil(settings.tile_size) };
        TimedReport { columns: tiles(report.stats.width), rows: tiles(report.stats.depth), stages, total, report }
    };
    Ok(agents.map(timed).collect())
}

/// The library reads no clock; this one is passed to it.
#[derive(Debug)]
pub(crate) struct Stopwatch(pub(crate) Instant);

impl Clock for Stopwatch {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let of = |ms: &[u64]| Times::of(ms.iter().map(|&ms| Duration::from_millis(ms)).collect());
        assert_eq!((of(&[9, 1, 5]).median.as_millis(), of(&[9, 1, 5]).min.as_millis()), (5, 1));
        assert_eq!((of(&[1, 2]).median.as_millis(), of(&[]).median.as_millis()), (2, 0));
    }
}
