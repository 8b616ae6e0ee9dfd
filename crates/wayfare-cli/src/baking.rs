//! One bake as the program runs it: on so many threads, so many times, with a clock and a progress bar, from triangles in
//! memory to the finished mesh.

use crate::failure::{Failure, Result};
use crate::terminal::Terminal;
use std::time::{Duration, Instant};
use wayfare::area::{AreaId, PolyFlags};
use wayfare::bake::{BakeReport, Stage, bake_tiles};
use wayfare::context::{Clock, Context, Progress};
use wayfare::input::{BakeSettings, Level};
use wayfare::mesh::NavMesh;
use wayfare::tile::TileData;

/// How to work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    /// Threads, at least one.
    pub(crate) threads: usize,
    /// How often to bake, at least once.
    pub(crate) repeat: u32,
}

/// A finished mesh and the story of its making.
#[derive(Debug)]
pub(crate) struct Baked {
    pub(crate) mesh: NavMesh,
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
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |i: usize| times.get(i).copied().unwrap_or_default();
        Self { min: at(0), median: at(times.len() / 2) }
    }
}

/// Bakes a mesh. `flags` gives the flags of each area type's polygons.
pub(crate) fn bake(
    level: Level<'_>,
    settings: &BakeSettings,
    flags: &(dyn Fn(AreaId) -> PolyFlags + Sync),
    work: Work,
    terminal: Terminal,
) -> Result<Baked> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(work.threads)
        .build()
        .map_err(|e| Failure::new(format_args!("{} threads cannot be started: {e}", work.threads)))?;
    let mut runs = Vec::new();
    let mut result = None;
    for _ in 0..work.repeat {
        // The last product is let go first, so that repetitions do not need twice the memory.
        drop(result.take());
        let bar = terminal.bar("baking", u64::from(settings.tile_size > 0));
        let clock = Stopwatch(Instant::now());
        let progress = |p: Progress| {
            bar.set_length(p.total);
            bar.set_position(p.done);
        };
        let context = Context { clock: Some(&clock), progress: Some(&progress), ..Context::default() };
        let outcome = pool.install(|| run_once(level, settings, flags, &context));
        bar.finish_and_clear();
        let (mesh, report, run) = outcome?;
        runs.push(run);
        result = Some((mesh, report));
    }
    let (mesh, report) = result.ok_or_else(|| Failure::new("--repeat must be 1 or more"))?;
    let times_of = |pick: &dyn Fn(&Run) -> Duration| Times::of(runs.iter().map(pick).collect());
    let tiles = |cells: u32| if settings.tile_size == 0 { 1 } else { cells.div_ceil(settings.tile_size) };
    Ok(Baked {
        stages: core::array::from_fn(|i| times_of(&|run| run.stages[i])),
        total: times_of(&|run| run.total),
        columns: tiles(report.stats.width),
        rows: tiles(report.stats.depth),
        mesh,
        report,
    })
}

struct Run {
    stages: [Duration; Stage::ALL.len()],
    total: Duration,
}

fn run_once(
    level: Level<'_>,
    settings: &BakeSettings,
    flags: &(dyn Fn(AreaId) -> PolyFlags + Sync),
    context: &Context<'_>,
) -> Result<(NavMesh, BakeReport, Run)> {
    let began = Instant::now();
    let (mut baked, report) = bake_tiles(level, settings, context).map_err(Failure::new)?;
    apply_flags(&mut baked.tiles, flags);
    let linking = Instant::now();
    let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).map_err(Failure::new)?;
    let (linking, total) = (linking.elapsed(), began.elapsed());
    let mut stages = Stage::ALL.map(|stage| report.times.get(stage));
    stages[Stage::Tile as usize] += linking;
    Ok((mesh, report, Run { stages, total }))
}

fn apply_flags(tiles: &mut [TileData], flags: &(dyn Fn(AreaId) -> PolyFlags + Sync)) {
    for poly in tiles.iter_mut().flat_map(|tile| &mut tile.polys) {
        poly.flags = flags(poly.area);
    }
}

/// The library reads no clock; this one is lent to it.
#[derive(Debug)]
struct Stopwatch(Instant);

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
