//! `wayfare bake LEVEL… -o MESH`

use crate::baking::{self, Job, Known, TimedReport, Work};
use crate::dash::is_dash;
use crate::failure::{Answer, Failure, Result};
use crate::input::{Level, mesh_file};
use crate::linking::{self, Linked};
use crate::loose_ends::LooseEnds;
use crate::options::{Areas, BakeOptions, LinkOptions, NamedAgent, connections, option_of, pixels};
use crate::output::numbers::counted;
use crate::output::stats::{self, Product};
use crate::output::{Kind, atomic_file, targets};
use crate::streaming::FileStore;
use crate::terminal::Terminal;
use clap::Args;
use std::path::{Path, PathBuf};
use wayfare::bake::{EmptyBake, TILES_AT_ONCE, WarningKind};
use wayfare::input::{BakeSettings, Erosion, InputReport};
use wayfare::mesh::{NavMesh, OffMeshConnection, WayEnd};
use wayfare::tile::TileKeys;

/// Build a navigation mesh from level geometry
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wayfare bake level.obj -o level.way
  wayfare bake scene:dungeon -o dungeon.way --tile-size 48 --stats stats.json
  wayfare bake walls.glb floor.stl --scale 0.01 --agent-radius 0.3 -o hall.way
  wayfare bake level.obj -o level.way --tile-size 64 --only-changed
  wayfare bake level.obj -o level.way --agent man --agent rat:radius=0.1,height=0.3,max-climb=0.1")]
pub(crate) struct Bake {
    /// Files or built-in scenes (scene:NAME?key=value), together one level
    #[arg(required = true, value_name = "LEVEL")]
    levels: Vec<String>,
    /// The mesh to write; - for standard output
    #[arg(short, long, value_name = "MESH")]
    output: PathBuf,
    /// Write counts, times and warnings as JSON; - for standard output. With --agent, stats.json becomes
    /// stats.NAME.json
    #[arg(long, value_name = "FILE")]
    stats: Option<PathBuf>,
    /// Draw what each stage makes, as PNG files in this folder
    #[arg(long, value_name = "FOLDER")]
    draw_stages: Option<PathBuf>,
    /// Longer side of these drawings, pixels; title and margins come on top
    #[arg(long, value_name = "PX", default_value_t = 1400, requires = "draw_stages", value_parser = pixels())]
    draw_size: u32,
    /// Say nothing but errors, and that nothing can be walked on
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    options: BakeOptions,
}

/// One mesh to be made.
struct Target {
    /// Whom it is for, of several agents.
    agent: Option<String>,
    options: BakeOptions,
    settings: BakeSettings,
    mesh: PathBuf,
    stats: Option<PathBuf>,
}

/// What all meshes of a bake are made with.
pub(super) struct Common<'a> {
    pub(super) level: &'a Level,
    pub(super) areas: &'a Areas,
    pub(super) connections: Vec<OffMeshConnection>,
    pub(super) work: Work,
    pub(super) terminal: Terminal,
}

impl Bake {
    pub(crate) fn run(self) -> Result<Answer> {
        let terminal = Terminal::new(self.quiet);
        let options = self.options.clone().with_files()?;
        // Wrong settings are said before a large file is read.
        self.check_files(&self.targets(&options)?)?;
        let odd_links: Vec<String> = options.link_tables.iter().flat_map(LinkOptions::remarks).collect();
        let work = Work { threads: options.thread_count()?, repeat: options.checked_repeat()? };
        let areas = Areas::read(options.areas.as_deref())?;
        let given = connections::read(options.connections.as_deref())?;
        let mut level = Level::load(&self.levels, &options, &areas, terminal)?;
        let targets = self.targets(&options.over(level.hints.clone()))?;
        for target in &targets {
            level.check_fits(&target.settings)?;
            for warning in target.settings.warnings() {
                let is_angle = warning.name == "agent.max_slope";
                let value = if is_angle { warning.value.to_degrees() } else { warning.value };
                terminal.warn(target.named(&format!("{} {value}: {}", option_of(warning.name), warning.advice)));
            }
        }
        for target in &targets {
            let told = rounded_radius(&target.settings);
            told.into_iter().for_each(|told| terminal.say(format_args!("note: {}", target.named(&told))));
        }
        level.remarks.extend(given.remarks);
        level.remarks.extend(odd_links);
        level.remarks.iter().for_each(|remark| terminal.warn(remark));
        if let (Some(folder), [first, ..]) = (&self.draw_stages, &targets[..]) {
            super::stages::draw(level.input(), &first.settings, self.draw_size, folder)?;
            if targets.len() > 1 {
                terminal.say(first.named(&format!("its stages are drawn in {}", folder.display())));
            }
        }
        let connections = level.connections.iter().chain(&given.connections).copied().collect();
        Common { level: &level, areas: &areas, connections, work, terminal }.bake(&targets)?;
        Ok(Answer::Yes)
    }

    /// The meshes that are asked for: one, or one for each agent.
    fn targets(&self, options: &BakeOptions) -> Result<Vec<Target>> {
        let agents = NamedAgent::all(options)?;
        let target = |agent: Option<&NamedAgent>| {
            let options = agent.map_or_else(|| options.clone(), |agent| agent.over(options));
            let file = |path: &PathBuf| agent.map_or_else(|| path.clone(), |agent| agent.target(path));
            let settings = options.settings().map_err(|failure| match agent {
                Some(agent) => failure.within(format_args!("agent {}", agent.name)),
                None => failure,
            })?;
            let agent = agent.map(|agent| agent.name.clone());
            Ok(Target { agent, settings, mesh: file(&self.output), stats: self.stats.as_ref().map(file), options })
        };
        if options.keep_explain && is_dash(&self.output) {
            return Err(Failure::new("--keep-explain writes a file beside the mesh: give the mesh a file with -o"));
        }
        if agents.is_empty() {
            return Ok(vec![target(None)?]);
        }
        if [Some(&self.output), self.stats.as_ref()].into_iter().flatten().any(|path| is_dash(path)) {
            return Err(Failure::new(
                "--agent puts the agent's name into those of the files, level.NAME.way: give -o and --stats names, not -",
            ));
        }
        agents.iter().map(|agent| target(Some(agent))).collect()
    }

    /// No file that is read may be written over, nor one of another kind, and no two things may be written to one
    /// place. With `--only-changed` the mesh itself is read.
    fn check_files(&self, all: &[Target]) -> Result<()> {
        let record = |t: &Target| t.options.keep_explain.then(|| super::explain::record_path(&t.mesh));
        let records: Vec<PathBuf> = all.iter().filter_map(record).collect();
        let meshes = all.iter().map(|t| (&t.mesh, Kind::Way));
        let stats = all.iter().filter_map(|t| Some((t.stats.as_ref()?, Kind::Stats)));
        let folder = self.draw_stages.iter();
        let drawn: Vec<PathBuf> =
            folder.flat_map(|folder| super::stages::FILES.map(|file| folder.join(file))).collect();
        let products = meshes.chain(stats).chain(records.iter().map(|record| (record, Kind::Record)));
        let products = products.chain(drawn.iter().map(|picture| (picture, Kind::Png)));
        let outputs: Vec<(&Path, Kind)> = products.map(|(path, kind)| (path.as_path(), kind)).collect();
        let files = [&self.options.areas, &self.options.connections, &self.options.config, &self.options.links];
        let inputs = self.levels.iter().map(Path::new).chain(files.into_iter().flatten().map(PathBuf::as_path));
        targets::check(&outputs, inputs)?;
        all.iter().try_for_each(|target| mesh_file::check_name(&target.mesh))
    }
}

/// What `--strict` makes of a warning.
fn refused(warning: &str) -> Failure {
    Failure::new(format_args!("{warning} (an error because of --strict)"))
}

impl Common<'_> {
    fn bake(&self, targets: &[Target]) -> Result<()> {
        let settings: Vec<BakeSettings> = targets.iter().map(|target| target.settings).collect();
        let flags = |area| self.areas.flags(area);
        let level = self.level.input();
        let changed = targets.iter().any(|target| target.options.only_changed);
        let mut known = if changed { self.known(targets)? } else { Vec::new() };
        let plan = baking::plan(level, &settings[0])?;
        let linked = targets.iter().any(|t| !t.options.link_settings(&t.settings.agent).is_empty());
        if plan.tile_count() > TILES_AT_ONCE && self.work.repeat == 1 && !linked {
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
        let (mut meshes, mut reports): (Vec<_>, Vec<_>) = baked.into_iter().unzip();
        self.check_strict(targets, &mut reports)?;
        let complete = |(target, mesh): (&Target, &mut NavMesh)| self.complete(&target.options, &target.settings, mesh);
        let linked = targets.iter().zip(&mut meshes).map(complete).collect::<Result<Vec<_>>>()?;
        // Only when nothing can be refused any more is the first file written.
        for (((target, mesh), timed), (known, linked)) in
            targets.iter().zip(meshes).zip(reports).zip(known.into_iter().zip(linked))
        {
            self.finish(target, (mesh, linked), &timed, known.keys)?;
        }
        Ok(())
    }

    /// Adds what was found wrong with the level to every report. With `--strict` the first warning of any mesh is an
    /// error, and none is written.
    fn check_strict(&self, targets: &[Target], reports: &mut [TimedReport]) -> Result<()> {
        for (target, timed) in targets.iter().zip(reports) {
            self.level.add_warnings(&mut timed.report);
            let told = |warning| target.named(&told(warning, self.level, &target.settings));
            let mut all = self.level.remarks.iter().cloned().chain(timed.report.warnings.iter().map(told));
            if target.options.strict
                && let Some(warning) = all.next()
            {
                return Err(refused(&warning));
            }
        }
        Ok(())
    }

    /// Tells of connections that cannot be used; an error with `--strict`.
    fn check_ends(&self, options: &BakeOptions, ends: &LooseEnds) -> Result<()> {
        match ends.told() {
            Some(told) if options.strict => return Err(refused(&told)),
            Some(told) => self.terminal.warn(told),
            None => {}
        }
        Ok(())
    }

    /// The keys of all tiles, and the meshes that are there.
    fn known(&self, targets: &[Target]) -> Result<Vec<Known>> {
        let one = |target: &Target| {
            if is_dash(&target.mesh) {
                return Err(Failure::new("--only-changed reads the mesh that it writes: give -o a file name, not -"));
            }
            // A tile that is kept does not tell what its bake warned of, which --strict wants to know.
            let old = if target.options.strict { None } else { self.baked_before(&target.mesh) };
            Known::new(self.level.input(), &target.settings, old)
        };
        let pool = self.work.pool()?;
        targets.iter().map(|target| pool.install(|| one(target))).collect()
    }

    /// The mesh that a target holds. A damaged one holds no tile to keep, which is told; where there is none, all is
    /// new.
    fn baked_before(&self, target: &Path) -> Option<NavMesh> {
        let told = |why: String| {
            let name = target.display();
            self.terminal.warn(format_args!("{name}: no tile of it can be kept, so all are baked: {why}"));
        };
        match std::fs::read(target) {
            Ok(bytes) => NavMesh::from_bytes(&bytes).map_err(|e| told(e.to_string())).ok(),
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

    /// Bakes straight into the files: no mesh has to fit in memory.
    fn bake_to_files(&self, job: &Job<'_>, targets: &[Target]) -> Result<()> {
        let mut files = Vec::new();
        for ((target, settings), known) in targets.iter().zip(job.settings).zip(job.known) {
            let layout = baking::plan(job.level, settings)?.layout();
            files.push(FileStore::begin(&target.mesh, layout, known, job.flags, LooseEnds::new(&self.connections))?);
        }
        let outcome = baking::bake_into(job, &mut files, self.work, self.terminal);
        if let Some(failure) = files.iter_mut().find_map(FileStore::failure) {
            return Err(failure);
        }
        let (mut reports, table) = (outcome?, self.areas.table()?);
        self.check_strict(targets, &mut reports)?;
        let mut whole = Vec::new();
        for ((file, known), target) in files.into_iter().zip(job.known).zip(targets) {
            self.check_ends(&target.options, &file.loose_ends)?;
            whole.push(file.end(WayEnd { connections: &self.connections, areas: &table, keys: &known.keys })?);
        }
        // Only when nothing is left to be written does the first file take its place.
        for ((target, whole), mut timed) in targets.iter().zip(whole).zip(reports) {
            let (written, digest) = whole.put()?;
            timed.total = timed.total.without(written.time);
            let product = Product { bytes: written.bytes, tiles: written.tiles, digest };
            self.tell(target, &timed, &product, None)?;
        }
        Ok(())
    }

    /// Gives a baked mesh what no tile holds: the connections, what area types are called and cost, and the links that
    /// are found; `None` if none are looked for.
    pub(super) fn complete(
        &self,
        options: &BakeOptions,
        settings: &BakeSettings,
        mesh: &mut NavMesh,
    ) -> Result<Option<Linked>> {
        for connection in &self.connections {
            mesh.add_connection(*connection).map_err(Failure::new)?;
        }
        self.check_ends(options, &LooseEnds::of_mesh(mesh))?;
        mesh.set_areas(self.areas.table()?);
        let links = options.link_settings(&settings.agent);
        let linked =
            linking::add_links(self.level.input(), settings, &links, (self.work.threads, self.terminal), mesh)?;
        Ok((!links.is_empty()).then_some(linked))
    }

    fn finish(
        &self,
        target: &Target,
        (mut mesh, linked): (NavMesh, Option<Linked>),
        timed: &TimedReport,
        keys: TileKeys,
    ) -> Result<()> {
        mesh.set_tile_keys(keys);
        let bytes = mesh.to_bytes();
        let product = Product { bytes: bytes.len() as u64, tiles: mesh.tile_count(), digest: mesh.digest() };
        atomic_file::write(&target.mesh, &bytes)?;
        self.tell(target, timed, &product, linked.as_ref())
    }

    /// Writes the statistics, and the record of reasons if it is asked for, and says what was done.
    fn tell(&self, target: &Target, timed: &TimedReport, product: &Product, linked: Option<&Linked>) -> Result<()> {
        if target.options.keep_explain {
            let plan = baking::plan(self.level.input(), &target.settings)?;
            super::explain::keep((self.level, &plan), (self.work, self.terminal), &product.digest, &target.mesh)?;
        }
        if let Some(path) = &target.stats {
            let max_slope_degrees = target.options.agent_max_slope.unwrap_or(45.0);
            let (threads, repeat) = (self.work.threads, self.work.repeat);
            let asked = stats::Asked { settings: &target.settings, max_slope_degrees, threads, repeat };
            let mut json = stats::report(self.level, timed, asked, product);
            if let Some(linked) = linked {
                json["links"] = linked.json();
            }
            atomic_file::write(path, format!("{json:#}\n").as_bytes())?;
        }
        // Unwise settings were told, each, before the bake began.
        for warning in timed.report.warnings.iter().filter(|w| w.kind != WarningKind::UnwiseSetting) {
            let told = target.named(&told(warning, self.level, &target.settings));
            match warning.kind {
                WarningKind::NothingWalkable => self.terminal.insist(told),
                _ => self.terminal.warn(told),
            }
        }
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
        linked.and_then(Linked::told).into_iter().for_each(|told| self.terminal.say(told));
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
    /// What is said of this mesh; of several, with the name of its agent.
    fn named(&self, text: &str) -> String {
        self.agent.as_ref().map_or_else(|| text.to_owned(), |agent| format!("agent {agent}: {text}"))
    }
}

/// What is said of a radius that becomes another, in whole cells, by more than a twentieth.
fn rounded_radius(settings: &BakeSettings) -> Option<String> {
    let (radius, cell) = (settings.agent.radius, settings.cell_size);
    let kept = (radius / cell).ceil() * cell;
    (settings.erosion == Erosion::Chamfer && kept > radius * 1.05).then(|| {
        format!(
            "the agent's radius of {radius} m is rounded up to whole cells of {cell} m: {kept:.2} m are kept from walls \
             (--erosion euclidean keeps {radius} m)"
        )
    })
}

/// Why nothing was baked, with the options that may mend it.
fn nothing_walkable(reason: EmptyBake, has_bounds: bool) -> String {
    let options = match reason {
        EmptyBake::Nothing => return format!("nothing can be walked on: {reason}"),
        EmptyBake::FacesDown { .. } => "--up",
        EmptyBake::NothingFacesUp => "--up, --agent-max-slope",
        EmptyBake::HeightsTooSteep { .. } => "--pixel-size, --pixel-height, --agent-max-slope",
        EmptyBake::OutOfBounds { .. } => return format!("nothing can be walked on: {reason} (see --bounds)"),
        EmptyBake::CellTooLarge { .. } => "--cell-size, --scale",
        EmptyBake::AgentTooWide { .. } => "--scale, --agent-radius",
        _ => {
            "--scale, --up, --agent-radius, --agent-height, --agent-max-slope, --region-min-size; `wayfare explain` tells of a place"
        }
    };
    let bounds = if has_bounds { "--bounds, " } else { "" };
    format!("nothing can be walked on: {reason} (see {bounds}{options})")
}

/// The options whose values are unwise.
fn unwise(settings: &BakeSettings) -> String {
    let names: Vec<String> = settings.warnings().iter().map(|warning| option_of(warning.name)).collect();
    format!("unwise settings: {}", names.join(", "))
}

/// A warning in words, with its place.
fn told(warning: &wayfare::bake::Warning, level: &Level, settings: &BakeSettings) -> String {
    let what = match warning.kind {
        WarningKind::NothingWalkable => {
            return nothing_walkable(EmptyBake::of(level.input(), settings), settings.bounds.is_some());
        }
        WarningKind::UnwiseSetting => return unwise(settings),
        WarningKind::VolumeOutside => "volumes that mark nothing, beside the box around all ground",
        WarningKind::GroundOutside => "triangles that reach beyond what was planned",
        WarningKind::TriangleNotFinite => "triangles left out, with corners that are NaN or infinite",
        WarningKind::TriangleDegenerate => "triangles left out, without area",
        WarningKind::ContourDropped => "contours left out, with fewer than three corners",
        WarningKind::ContourRepaired => "contours repaired, which crossed themselves",
        WarningKind::HoleDropped => "holes left out, outside of their region",
        WarningKind::TriangulationIncomplete => "contours that could not be cut into triangles completely",
        WarningKind::DetailLimit => "polygons that reached the limit of detail vertices",
        other => other.name(),
    };
    let InputReport { first_not_finite, first_degenerate, .. } = level.report;
    let triangle = match warning.kind {
        WarningKind::TriangleNotFinite => first_not_finite,
        WarningKind::TriangleDegenerate => first_degenerate,
        _ => None,
    };
    let (which, near) = match triangle {
        // Its place is that of a corner that is a number.
        Some(triangle) => (format!(" is {}", level.origins.of(triangle)), ", with a corner"),
        None => (String::new(), ""),
    };
    let place = warning.at.map(|at| format!("{near} at {},{},{}", at.x, at.y, at.z)).unwrap_or_default();
    let first = if which.is_empty() && place.is_empty() { String::new() } else { format!(", the first{which}{place}") };
    format!("{what}: {}{first}", warning.count)
}
