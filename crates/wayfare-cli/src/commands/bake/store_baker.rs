//! Bakes a world into a store, tile by tile: existing tiles with the same input are not baked again.

use super::warnings::{check_ends, refused, told};
use crate::baking::{self, Stopwatch, TimedReport, Times, Work};
use crate::failure::{Answer, Failure, Result};
use crate::input::WorldInput;
use crate::input::store_file::failure;
use crate::interrupt::Temporary;
use crate::loose_ends::LooseEnds;
use crate::memory;
use crate::options::connections::Given;
use crate::options::{Areas, BakeOptions};
use crate::output::atomic_file;
use crate::output::numbers::counted;
use crate::output::stats::{self, Product};
use crate::terminal::Terminal;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;
use wayfare::Vec3;
use wayfare::bake::{BakeReport, Stage, TilePlan, WarningKind};
use wayfare::context::{Budget, Context, Progress};
use wayfare::format::{StoreHead, WorldStore as _};
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::OffMeshConnection;
use wayfare::world::{TileWindow, WorldBake, WorldBakeError, WorldSettings, WorldSource};
use wayfare_store::{Store, StoreForm, is_store, open_to_write, put};

/// The input for a store.
pub(super) struct StoreBaker<'a> {
    pub(super) areas: &'a Areas,
    pub(super) options: &'a BakeOptions,
    pub(super) connections: Given,
    pub(super) work: Work,
    pub(super) terminal: Terminal,
}

/// The result of writing a store.
struct Made {
    report: BakeReport,
    plan: TilePlan,
    seconds: std::time::Duration,
    /// None if there is nothing to walk on, so that nothing is written.
    product: Option<Product>,
}

/// The store that is written to.
struct Target<'a> {
    path: &'a Path,
    is_new: bool,
    store: Store,
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
        }
        for remark in input.remarks().iter().chain(&self.connections.remarks) {
            if self.options.strict {
                return Err(refused(remark));
            }
            self.terminal.warn(remark);
        }
        let settings = WorldSettings {
            bake: *settings,
            areas: self.areas.table()?,
            flags: self.areas.rules(),
            connections: self.connections.connections.clone(),
            tiles,
        };
        let made = input.with_source(|source| self.bake(input, source, &settings, path))?;
        let told = |warning| told(warning, input.as_level(), &settings.bake);
        let is_told = |kind| matches!(kind, WarningKind::UnwiseSetting | WarningKind::NothingWalkable);
        for warning in made.report.warnings.iter().filter(|warning| !is_told(warning.kind)) {
            self.terminal.warn(told(warning));
        }
        let Some(product) = &made.product else {
            let nothing = made.report.warnings.iter().find(|warning| warning.kind == WarningKind::NothingWalkable);
            nothing.into_iter().for_each(|nothing| self.terminal.answer(told(nothing)));
            return Ok(Answer::No);
        };
        let timed = timed(&made);
        if let Some(stats) = stats {
            let max_slope_degrees = self.options.agent_max_slope.unwrap_or(45.0);
            let threads = self.work.threads;
            let asked = stats::Asked { settings: &settings.bake, max_slope_degrees, threads, repeat: 1 };
            let json = stats::report(input.size(), &timed, asked, product);
            atomic_file::write(stats, format!("{json:#}\n").as_bytes())?;
        }
        self.terminal.say(stats::table(&timed));
        let Product { bytes, tiles, .. } = *product;
        self.terminal.say(format_args!("{}: {} in {}", path.display(), counted(bytes, "byte"), counted(tiles, "tile")));
        Ok(Answer::Yes)
    }

    fn bake(
        &self,
        input: &WorldInput,
        source: &dyn WorldSource,
        settings: &WorldSettings,
        path: &Path,
    ) -> Result<Made> {
        let mut bake = WorldBake::new(source, settings).map_err(|e| told_failure(e, path))?;
        let plan = *bake.plan();
        if let Some(limit) = self.work.memory {
            memory::check(&TriMesh::EMPTY, &plan, limit)?;
        }
        let mut target = Target::open(path, bake.head())?;
        let began = Instant::now();
        let filled = self.fill(input, settings, (source, &mut bake), &mut target);
        let (report, seconds) = (self.report(input, &bake), began.elapsed());
        let is_empty = report.warnings.iter().any(|warning| warning.kind == WarningKind::NothingWalkable);
        let product = match filled {
            Ok(()) if !is_empty => Some(target.finish()?),
            filled => {
                target.leave();
                filled.map(|()| None)?
            }
        };
        Ok(Made { report, plan, seconds, product })
    }

    /// Bakes the tiles into the store. With `--strict` a temporary store takes them until all are known to be without
    /// warnings: the store is written then, or not at all.
    fn fill(
        &self,
        input: &WorldInput,
        settings: &WorldSettings,
        (source, bake): (&dyn WorldSource, &mut WorldBake<'_>),
        target: &mut Target<'_>,
    ) -> Result<()> {
        let about = |e| failure(target.path, &e);
        bake.check_store(&target.store).map_err(about)?;
        // The ends of a connection of a range may lie on tiles of another.
        let check_ends = |store: &Store, plan: &TilePlan| {
            if settings.tiles.is_some() {
                return Ok(());
            }
            let connections = [source.connections(), &settings.connections].concat();
            check_ends(&loose_ends(store, plan, &connections), self.options.strict, self.terminal)
        };
        if !self.options.strict {
            self.steps(input, settings, bake, &mut target.store, target.path)?;
            return check_ends(&target.store, bake.plan());
        }
        self.check_strict(input, settings, bake)?;
        // Whoever writes to the target has its lock, so nobody else has this file.
        let temporary = Temporary::new(checked_path(target.path));
        let mut checked = open_to_write(&temporary.0, bake.head()).map_err(|e| failure(&temporary.0, &e))?;
        self.steps(input, settings, bake, &mut checked, &temporary.0)?;
        check_ends(&checked, bake.plan())?;
        let all = TileWindow::of_plan(bake.plan());
        let is_whole = settings.tiles.as_ref().is_none_or(|tiles| tiles.within(bake.plan()) == all);
        put(&checked, &mut target.store, is_whole).map_err(about)
    }

    /// Bakes to the end; with `--strict` only until the first warning, which is an error.
    fn steps(
        &self,
        input: &WorldInput,
        settings: &WorldSettings,
        bake: &mut WorldBake<'_>,
        store: &mut Store,
        path: &Path,
    ) -> Result<()> {
        let plan = *bake.plan();
        let bar = self.terminal.bar("baking", u64::from(plan.tile_count() > 1));
        let clock = Stopwatch(Instant::now());
        let progress = |p: Progress| bar.set(p.done, p.total);
        let memory_limit = self.work.memory.map(|limit| memory::of_each_tile(limit, &plan, self.work.threads));
        let context = Context { clock: Some(&clock), progress: Some(&progress), memory_limit, ..Context::default() };
        self.work.pool()?.install(|| {
            loop {
                let progress = bake.step(Budget::unlimited(), store, &context).map_err(|e| told_failure(e, path))?;
                self.check_strict(input, settings, bake)?;
                if progress.is_finished() {
                    return Ok(());
                }
            }
        })
    }

    /// The report of a bake, with the faults of the input.
    fn report(&self, input: &WorldInput, bake: &WorldBake<'_>) -> BakeReport {
        let mut report = bake.report().clone();
        input.add_warnings(&mut report);
        report
    }

    /// With `--strict` the first warning is an error.
    fn check_strict(&self, input: &WorldInput, settings: &WorldSettings, bake: &WorldBake<'_>) -> Result<()> {
        if !self.options.strict {
            return Ok(());
        }
        let report = self.report(input, bake);
        let told = |warning| Err(refused(&told(warning, input.as_level(), &settings.bake)));
        report.warnings.first().map_or(Ok(()), told)
    }
}

/// Where `--strict` keeps the tiles until all are known to be good: on the disk of the store.
fn checked_path(path: &Path) -> PathBuf {
    match (StoreForm::of(path), path.file_name()) {
        (StoreForm::Packed, Some(name)) => path.with_file_name(format!(".wayfare-{}.checked", name.to_string_lossy())),
        _ => path.join(".wayfare-checked"),
    }
}

/// Connections whose ends have no ground in the tiles of a store.
fn loose_ends(store: &Store, plan: &TilePlan, connections: &[OffMeshConnection]) -> LooseEnds {
    let around = |connection: &OffMeshConnection| {
        let reach = Vec3::splat(connection.radius);
        [connection.start, connection.end].map(|end| Aabb { min: end - reach, max: end + reach })
    };
    let boxes = connections.iter().flat_map(around);
    let tiles: BTreeSet<u64> = boxes.flat_map(|around| plan.tiles_touched(&around)).collect();
    let mut ends = LooseEnds::new(connections);
    for tile in tiles {
        let there = store.read_tile(plan.tile(tile).coord).ok().and_then(|stored| stored.tile);
        there.into_iter().for_each(|tile| ends.look(plan.layout(), &tile.into_data()));
    }
    ends
}

impl<'a> Target<'a> {
    fn open(path: &'a Path, head: &StoreHead) -> Result<Self> {
        let is_new = !is_store(path);
        let store = open_to_write(path, head).map_err(|e| failure(path, &e))?;
        Ok(Self { path, is_new, store })
    }

    fn finish(self) -> Result<Product> {
        let (digest, tiles) = (self.store.index().digest(), self.store.index().tile_count() as u32);
        let bytes = self.store.finish().map_err(|e| failure(self.path, &e))?;
        Ok(Product { bytes, tiles, digest })
    }

    /// Ends a bake that has failed or found no ground: what was committed stays, and a store that was made for nothing
    /// is removed.
    fn leave(self) {
        // Why the bake has ended is what the user is told.
        let _ = if self.is_new && self.store.index().is_empty() {
            self.store.discard(self.path)
        } else {
            self.store.finish().map(|_| ())
        };
    }
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
