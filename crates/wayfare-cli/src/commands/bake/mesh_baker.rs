//! Bakes the meshes of a level and writes them: all in memory or, for large levels, tile by tile into the files.

use super::warnings::{check_ends, refused, told};
use crate::baking::{self, Job, Known, TimedReport, Work};
use crate::commands::{explain_record, hollow};
use crate::dash::is_dash;
use crate::failure::{Answer, Failure, Result};
use crate::input::Level;
use crate::linking::{self, Linked};
use crate::loose_ends::LooseEnds;
use crate::options::{Areas, BakeOptions};
use crate::output::atomic_file;
use crate::output::numbers::counted;
use crate::output::stats::{self, Product};
use crate::streaming::FileSink;
use crate::terminal::Terminal;
use std::path::{Path, PathBuf};
use wayfare::Vec3;
use wayfare::bake::{TILES_AT_ONCE, WarningKind};
use wayfare::context::{Context, Progress};
use wayfare::dynamic::LevelCheckpoints;
use wayfare::format::{WayEnd, WayFile, digest_of};
use wayfare::input::BakeSettings;
use wayfare::mesh::{BakeCache, NavMesh, OffMeshConnection};
use wayfare::tile::TileKeys;

/// One mesh to be baked.
pub(super) struct Target {
    /// The agent, if there are several.
    pub(super) agent: Option<String>,
    pub(super) options: BakeOptions,
    pub(super) settings: BakeSettings,
    pub(super) mesh: PathBuf,
    pub(super) stats: Option<PathBuf>,
}

/// One baked mesh, before it is written.
struct Baked<'a> {
    target: &'a Target,
    mesh: NavMesh,
    timed: TimedReport,
    keys: TileKeys,
    found: Found,
}

/// What was found in a whole mesh; empty for a mesh that was never whole in memory.
#[derive(Default)]
struct Found {
    /// The links, if they were requested.
    linked: Option<Linked>,
    /// A point on each surface inside a hollow body.
    hollow: Vec<Vec3>,
}

/// The shared input of all meshes of a bake.
pub(crate) struct MeshBaker<'a> {
    pub(crate) level: &'a Level,
    pub(crate) areas: &'a Areas,
    pub(crate) connections: Vec<OffMeshConnection>,
    pub(crate) work: Work,
    pub(crate) terminal: Terminal,
}

impl MeshBaker<'_> {
    /// Bakes these meshes and writes them, with their records and reports. If a mesh has no walkable surface, nothing
    /// is written for it, and the answer is no.
    pub(super) fn run(&self, targets: &[Target]) -> Result<Answer> {
        let settings: Vec<BakeSettings> = targets.iter().map(|target| target.settings).collect();
        let flags = |area| self.areas.flags(area);
        let level = self.level.input();
        let changed = targets.iter().any(|target| target.options.only_changed);
        let mut known = if changed { self.known(targets)? } else { Vec::new() };
        let plan = baking::plan(level, &settings[0])?;
        let linked = targets.iter().any(|t| !t.options.link_settings(&t.settings.agent).is_empty());
        let layers = targets.iter().any(|target| target.options.layers);
        if plan.tile_count() > TILES_AT_ONCE && self.work.repeat == 1 && !linked && !layers {
            if known.is_empty() {
                known = self.keys(&settings)?;
            }
            let job = Job { level, settings: &settings, flags: &flags, known: &known };
            return self.bake_to_files(&job, targets);
        }
        let job = Job { level, settings: &settings, flags: &flags, known: &known };
        let baked = baking::bake_all(&job, self.work, self.terminal)?;
        if known.is_empty() {
            known = self.keys(&settings)?;
        }
        let (meshes, reports): (Vec<_>, Vec<_>) = baked.into_iter().unzip();
        self.check_strict(targets, &reports)?;
        let mut baked = Vec::new();
        for (((target, mesh), timed), known) in targets.iter().zip(meshes).zip(reports).zip(known) {
            if !self.is_empty(target, &timed) {
                baked.push(Baked { target, mesh, timed, keys: known.keys, found: Found::default() });
            }
        }
        for Baked { target, mesh, timed, found, .. } in &mut baked {
            found.linked = self.complete(&target.options, &target.settings, mesh)?;
            // Connections and links may lead into otherwise closed surfaces.
            found.hollow = hollow::surfaces(mesh, level, &target.settings);
            self.check_hollow(target, timed, &found.hollow)?;
        }
        let answer = Answer::of(baked.len() == targets.len());
        // The first file is written only when nothing can fail any more.
        baked.into_iter().try_for_each(|baked| self.finish(baked))?;
        Ok(answer)
    }

    /// Whether nothing is walkable, which is reported.
    fn is_empty(&self, target: &Target, timed: &TimedReport) -> bool {
        let nothing = timed.report.warnings.iter().find(|w| w.kind == WarningKind::NothingWalkable);
        if let Some(nothing) = nothing {
            self.warn(target, timed);
            self.terminal.answer(target.named(&told(nothing, Some(self.level), &target.settings)));
        }
        nothing.is_some()
    }

    /// Prints the warnings of a bake.
    fn warn(&self, target: &Target, timed: &TimedReport) {
        // Questionable settings were already reported before the bake.
        let is_told = |kind| matches!(kind, WarningKind::UnwiseSetting | WarningKind::NothingWalkable);
        for warning in timed.report.warnings.iter().filter(|w| !is_told(w.kind)) {
            self.terminal.warn(target.named(&told(warning, Some(self.level), &target.settings)));
        }
    }

    /// With `--strict` the first warning of any mesh is an error, and none is written.
    fn check_strict(&self, targets: &[Target], reports: &[TimedReport]) -> Result<()> {
        for (target, timed) in targets.iter().zip(reports) {
            let told = |warning| target.named(&told(warning, Some(self.level), &target.settings));
            let mut all = self.level.imported.remarks.iter().cloned().chain(timed.report.warnings.iter().map(told));
            if target.options.strict
                && let Some(warning) = all.next()
            {
                return Err(refused(&warning));
            }
        }
        Ok(())
    }

    /// Adds surfaces inside hollow bodies to the report of their mesh; an error with `--strict`.
    fn check_hollow(&self, target: &Target, timed: &mut TimedReport, surfaces: &[Vec3]) -> Result<()> {
        let kind = WarningKind::InsideHollowBody;
        surfaces.iter().for_each(|at| timed.report.warn(kind, 1, Some(*at)));
        let warning = timed.report.warnings.iter().find(|warning| warning.kind == kind && target.options.strict);
        warning.map_or(Ok(()), |w| Err(refused(&target.named(&told(w, Some(self.level), &target.settings)))))
    }

    /// The keys of all tiles, and the existing meshes.
    fn known(&self, targets: &[Target]) -> Result<Vec<Known>> {
        let one = |target: &Target| {
            if is_dash(&target.mesh) {
                return Err(Failure::new("--only-changed reads the mesh that it writes: give -o a file name, not -"));
            }
            // A tile that is kept does not repeat the warnings of its bake, which --strict needs.
            let old = if target.options.strict { None } else { self.baked_before(&target.mesh) };
            Known::new(self.level.input(), &target.settings, old)
        };
        let pool = self.work.pool()?;
        targets.iter().map(|target| pool.install(|| one(target))).collect()
    }

    /// The existing mesh of a target. If it is damaged, no tile of it can be kept, which is reported; if there is none,
    /// all tiles are new.
    fn baked_before(&self, target: &Path) -> Option<BakeCache> {
        let told = |why: String| {
            let name = target.display();
            self.terminal.warn(format_args!("{name}: no tile of it can be kept, so all are baked: {why}"));
        };
        match std::fs::read(target) {
            Ok(bytes) => WayFile::from_bytes(&bytes).map(|file| file.cache).map_err(|e| told(e.to_string())).ok(),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
            Err(e) => {
                told(e.to_string());
                None
            }
        }
    }

    fn keys(&self, settings: &[BakeSettings]) -> Result<Vec<Known>> {
        let pool = self.work.pool()?;
        settings.iter().map(|settings| pool.install(|| Known::new(self.level.input(), settings, None))).collect()
    }

    /// Bakes directly into the files: no mesh has to fit in memory.
    fn bake_to_files(&self, job: &Job<'_>, targets: &[Target]) -> Result<Answer> {
        let mut files = Vec::new();
        for ((target, settings), known) in targets.iter().zip(job.settings).zip(job.known) {
            let layout = baking::plan(job.level, settings)?.layout();
            files.push(FileSink::begin(&target.mesh, layout, known, job.flags, LooseEnds::new(&self.connections))?);
        }
        let outcome = baking::bake_into(job, &mut files, self.work, self.terminal);
        if let Some(failure) = files.iter_mut().find_map(FileSink::failure) {
            return Err(failure);
        }
        let (reports, table) = (outcome?, self.areas.table()?);
        self.check_strict(targets, &reports)?;
        let mut whole = Vec::new();
        for (((file, known), target), timed) in files.into_iter().zip(job.known).zip(targets).zip(reports) {
            if self.is_empty(target, &timed) {
                continue;
            }
            check_ends(&file.loose_ends, target.options.strict, self.terminal)?;
            let end = WayEnd { connections: &self.connections, areas: &table, keys: &known.keys, ..WayEnd::default() };
            whole.push((target, file.end(end)?, timed));
        }
        let answer = Answer::of(whole.len() == targets.len());
        // Only when everything is written does the first file replace its target.
        for (target, whole, mut timed) in whole {
            let (written, digest) = whole.put()?;
            timed.total = timed.total.without(written.time);
            let product = Product { bytes: written.bytes, tiles: written.tiles, digest };
            self.tell(target, &timed, &product, &Found::default())?;
        }
        Ok(answer)
    }

    /// Adds what belongs to no tile to a baked mesh: the connections, names and costs of area types, and the links
    /// found; `None` if no links were requested.
    pub(crate) fn complete(
        &self,
        options: &BakeOptions,
        settings: &BakeSettings,
        mesh: &mut NavMesh,
    ) -> Result<Option<Linked>> {
        for connection in &self.connections {
            mesh.add_connection(*connection).map_err(Failure::new)?;
        }
        check_ends(&LooseEnds::of_mesh(mesh), options.strict, self.terminal)?;
        mesh.set_areas(self.areas.table()?);
        let links = options.link_settings(&settings.agent);
        let linked =
            linking::add_links(self.level.input(), settings, &links, (self.work.threads, self.terminal), mesh)?;
        Ok((!links.is_empty()).then_some(linked))
    }

    fn finish(&self, baked: Baked<'_>) -> Result<()> {
        let Baked { target, mesh, timed, keys, found } = baked;
        let mut file = WayFile::new(mesh, keys);
        if target.options.layers {
            let layers = self.layers(&target.settings)?;
            file.sections.set(LevelCheckpoints::SECTION, LevelCheckpoints::SECTION_VERSION, layers.to_bytes());
        }
        let bytes = file.to_bytes();
        let product = Product { bytes: bytes.len() as u64, tiles: file.mesh.tile_count(), digest: digest_of(&bytes) };
        atomic_file::write(&target.mesh, &bytes)?;
        self.tell(target, &timed, &product, &found)
    }

    /// The checkpoints from which tiles are rebuilt under obstacles.
    fn layers(&self, settings: &BakeSettings) -> Result<LevelCheckpoints> {
        let bar = self.terminal.bar("keeping layers", 1);
        let progress = |p: Progress| bar.set(p.done, p.total);
        let context = Context { progress: Some(&progress), ..Context::default() };
        let bake = || LevelCheckpoints::bake(self.level.input(), settings, &context);
        let mut layers = self.work.pool()?.install(bake).map_err(baking::refused)?;
        layers.flags = self.areas.rules();
        Ok(layers)
    }

    /// Writes the statistics, and the explain record if requested, and reports what was done.
    fn tell(&self, target: &Target, timed: &TimedReport, product: &Product, found: &Found) -> Result<()> {
        if target.options.keep_explain {
            let plan = baking::plan(self.level.input(), &target.settings)?;
            let kept = explain_record::Kept { digest: &product.digest, hollow: &found.hollow };
            explain_record::keep((self.level, &plan), (self.work, self.terminal), kept, &target.mesh)?;
        }
        if let Some(path) = &target.stats {
            let max_slope_degrees = target.options.agent_max_slope.unwrap_or(45.0);
            let (threads, repeat) = (self.work.threads, self.work.repeat);
            let asked = stats::Asked { settings: &target.settings, max_slope_degrees, threads, repeat };
            let mut json = stats::report(stats::Input::of(self.level), timed, asked, product);
            if let Some(linked) = &found.linked {
                json["links"] = linked.json();
            }
            atomic_file::write(path, format!("{json:#}\n").as_bytes())?;
        }
        self.warn(target, timed);
        if let (Some(_), 1..) = (target.settings.bounds, timed.report.stats.tris_outside) {
            let left_out = "triangles with a corner outside of the bounds, where they are left out";
            self.terminal.say(target.named(&format!("note: {left_out}: {}", timed.report.stats.tris_outside)));
        }
        if target.options.only_changed && !target.options.strict && timed.report.stats.reused_tiles == 0 {
            self.terminal.say(target.named(
                "note: no tile could be kept: there was no mesh, or settings or the level's lowest corner have changed, from \
                 which all tiles are counted (--bounds keeps it in place)",
            ));
        }
        self.terminal.say(stats::table(timed));
        found.linked.as_ref().and_then(Linked::told).into_iter().for_each(|told| self.terminal.say(told));
        self.terminal.say(format_args!(
            "{}: {}, {} in {}",
            atomic_file::name(&target.mesh),
            counted(product.bytes, "byte"),
            counted(timed.report.stats.polys, "polygon"),
            counted(product.tiles, "tile"),
        ));
        Ok(())
    }
}

impl Target {
    /// The report about this mesh; with several, including the name of its agent.
    pub(super) fn named(&self, text: &str) -> String {
        self.agent.as_ref().map_or_else(|| text.to_owned(), |agent| format!("agent {agent}: {text}"))
    }
}
