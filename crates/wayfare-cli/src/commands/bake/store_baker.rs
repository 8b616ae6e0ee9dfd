//! Bakes a world into a store, tile by tile: existing tiles with the same input are not baked again.

use super::warnings::{refused, told};
use crate::baking::{self, Stopwatch, TimedReport, Times, Work};
use crate::failure::{Answer, Failure, Result};
use crate::input::WorldInput;
use crate::input::store_file::failure;
use crate::memory;
use crate::options::{Areas, BakeOptions};
use crate::output::atomic_file;
use crate::output::numbers::counted;
use crate::output::stats::{self, Product};
use crate::terminal::Terminal;
use std::path::Path;
use std::time::Instant;
use wayfare::bake::{BakeReport, Stage, TilePlan, WarningKind};
use wayfare::context::{Budget, Context, Progress};
use wayfare::format::WorldStore as _;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::mesh::OffMeshConnection;
use wayfare::world::{TileWindow, WorldBake, WorldBakeError, WorldSettings, WorldSource};
use wayfare_store::{Store, open_to_write};

/// The input for a store.
pub(super) struct StoreBaker<'a> {
    pub(super) areas: &'a Areas,
    pub(super) options: &'a BakeOptions,
    pub(super) connections: Vec<OffMeshConnection>,
    pub(super) work: Work,
    pub(super) terminal: Terminal,
}

/// The result of writing a store.
struct Made {
    report: BakeReport,
    product: Product,
    plan: TilePlan,
    seconds: std::time::Duration,
}

impl StoreBaker<'_> {
    /// Bakes a world, or a range of its tiles, into the store at a path, and writes the statistics.
    pub(super) fn run(
        &self,
        input: &WorldInput,
        settings: &BakeSettings,
        (path, stats): (&Path, Option<&Path>),
        tiles: Option<TileWindow>,
    ) -> Result<Answer> {
        if let Some(level) = input.as_level() {
            level.check_fits(settings, self.work.memory)?;
            level.imported.remarks.iter().for_each(|remark| self.terminal.warn(remark));
        }
        let is_range = tiles.is_some();
        let settings = WorldSettings {
            bake: *settings,
            areas: self.areas.table()?,
            flags: self.areas.rules(),
            connections: self.connections.clone(),
            tiles,
        };
        let mut made = input.with_source(|source| self.bake(source, &settings, path))?;
        if let Some(level) = input.as_level() {
            level.add_warnings(&mut made.report);
        }
        self.check_strict(input, &settings.bake, &made.report)?;
        let timed = timed(&made);
        if let Some(stats) = stats {
            let max_slope_degrees = self.options.agent_max_slope.unwrap_or(45.0);
            let threads = self.work.threads;
            let asked = stats::Asked { settings: &settings.bake, max_slope_degrees, threads, repeat: 1 };
            let json = stats::report(input.size(), &timed, asked, &made.product);
            atomic_file::write(stats, format!("{json:#}\n").as_bytes())?;
        }
        self.terminal.say(stats::table(&timed));
        let Product { bytes, tiles, .. } = made.product;
        self.terminal.say(format_args!("{}: {} in {}", path.display(), counted(bytes, "byte"), counted(tiles, "tile")));
        let is_empty = timed.report.stats.polys == 0 && !is_range;
        if is_empty {
            self.terminal.answer("nothing can be walked on: the store has no tile with ground");
        }
        Ok(Answer::of(!is_empty))
    }

    fn bake(&self, source: &dyn WorldSource, settings: &WorldSettings, path: &Path) -> Result<Made> {
        let mut bake = WorldBake::new(source, settings).map_err(|e| told_failure(e, path))?;
        let plan = *bake.plan();
        if let Some(limit) = self.work.memory {
            memory::check(&TriMesh::EMPTY, &plan, limit)?;
        }
        let mut store = open_to_write(path, bake.head()).map_err(|e| failure(path, &e))?;
        let bar = self.terminal.bar("baking", u64::from(plan.tile_count() > 1));
        let began = Instant::now();
        let clock = Stopwatch(began);
        let progress = |p: Progress| bar.set(p.done, p.total);
        let memory_limit = self.work.memory.map(|limit| memory::of_each_tile(limit, &plan, self.work.threads));
        let context = Context { clock: Some(&clock), progress: Some(&progress), memory_limit, ..Context::default() };
        self.work.pool()?.install(|| {
            while !bake
                .step(Budget::unlimited(), &mut store, &context)
                .map_err(|e| told_failure(e, path))?
                .is_finished()
            {}
            Ok::<(), Failure>(())
        })?;
        let seconds = began.elapsed();
        drop(bar);
        let report = bake.report().clone();
        let product = finish(store, path)?;
        Ok(Made { report, product, plan, seconds })
    }

    /// Prints the warnings of the bake; with `--strict` the first is an error.
    fn check_strict(&self, input: &WorldInput, settings: &BakeSettings, report: &BakeReport) -> Result<()> {
        let is_told = |kind| matches!(kind, WarningKind::UnwiseSetting | WarningKind::NothingWalkable);
        for warning in report.warnings.iter().filter(|warning| !is_told(warning.kind) || self.options.strict) {
            let text = match input.as_level() {
                Some(level) => told(warning, level, settings),
                None => format!("{}: {}", warning.kind.name(), warning.count),
            };
            if self.options.strict {
                return Err(refused(&text));
            }
            self.terminal.warn(text);
        }
        Ok(())
    }
}

fn finish(store: Store, path: &Path) -> Result<Product> {
    let (digest, tiles) = (store.index().digest(), store.index().tile_count() as u32);
    let about = |e| failure(path, &e);
    let bytes = store.finish().map_err(about)?;
    Ok(Product { bytes, tiles, digest })
}

fn told_failure(error: WorldBakeError, path: &Path) -> Failure {
    match error {
        WorldBakeError::Bake(error) => baking::refused(error),
        WorldBakeError::Store(error) => failure(path, &error),
        WorldBakeError::NoTiles { .. } => Failure::new(format_args!("{error} (see --tiles)")),
        _ => Failure::new(error),
    }
}

fn timed(made: &Made) -> TimedReport {
    let stages = Stage::ALL.map(|stage| Times::once(made.report.times.get(stage)));
    let TilePlan { columns, rows, .. } = made.plan;
    TimedReport { report: made.report.clone(), stages, total: Times::once(made.seconds), columns, rows }
}
