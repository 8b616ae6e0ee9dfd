//! The options of `wayfare bake`, and the checks before anything is read or written.

use super::mesh_baker::{MeshBaker, Target};
use super::store_baker::StoreBaker;
use super::{stages, warnings};
use crate::baking::Work;
use crate::commands::explain_record::record_path;
use crate::dash::{self, is_dash};
use crate::failure::{Answer, Failure, Result};
use crate::input::store_file::is_store_path;
use crate::input::{Level, WorldInput, mesh_file};
use crate::options::{Areas, BakeOptions, LinkOptions, NamedAgent, TileRange, connections, option_of, pixels};
use crate::output::{Kind, atomic_file, targets};
use crate::terminal::Terminal;
use clap::Args;
use std::path::{Path, PathBuf};
use wayfare::world::WorldSettings;

/// Build a navigation mesh from level geometry
#[derive(Args, Debug)]
#[command(
    after_help = "Exit status: 0 if the mesh is written; 1 if nothing can be walked on: nothing is written then, and an old file stays.
Examples:
  wayfare bake level.obj -o level.way
  wayfare bake scene:dungeon -o dungeon.way --tile-size 48 --stats stats.json
  wayfare bake walls.glb floor.stl --scale 0.01 --agent-radius 0.3 -o hall.way
  wayfare bake level.obj -o level.way --tile-size 64 --only-changed
  wayfare bake 'scene:continent?km=1' -o continent.wayworld
  wayfare bake level.obj -o level.way --agent man --agent rat:radius=0.1,height=0.3,max-climb=0.1"
)]
pub(crate) struct Bake {
    /// Files or built-in scenes (scene:NAME?key=value), which together are one level; or a world description (.toml),
    /// for a store
    #[arg(required = true, value_name = "LEVEL")]
    levels: Vec<String>,
    /// The mesh to write; - for standard output. NAME.wayworld or FOLDER/ is a store, which need not fit in memory; an
    /// interrupted bake of a store continues where it stopped
    #[arg(short, long, value_name = "MESH")]
    output: PathBuf,
    /// Write counts, times and warnings as JSON; - for standard output. With --agent, stats.json becomes
    /// stats.NAME.json
    #[arg(long, value_name = "FILE")]
    stats: Option<PathBuf>,
    /// Draw the result of each stage, as PNG files in this folder
    #[arg(long, value_name = "FOLDER")]
    draw_stages: Option<PathBuf>,
    /// Longer side of these drawings, pixels; title and margins come on top
    #[arg(long, value_name = "PX", default_value_t = 1400, requires = "draw_stages", value_parser = pixels())]
    draw_size: u32,
    /// Bake these tiles only, columns and rows from the first to the last, into a part of a store: `wayfare store join`
    /// puts parts together
    #[arg(long, value_name = "X0,Z0,X1,Z1")]
    tiles: Option<TileRange>,
    /// Print only errors, and whether nothing is walkable
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    options: BakeOptions,
}

impl Bake {
    pub(crate) fn run(self) -> Result<Answer> {
        let terminal = Terminal::new(self.quiet);
        self.levels.iter().try_for_each(|level| dash::check_level(level))?;
        let options = self.options.clone().with_files()?;
        if is_store_path(&self.output) {
            return self.bake_store(options, terminal);
        }
        if self.tiles.is_some() {
            return Err(Failure::new("--tiles bakes a range into a store: give -o NAME.wayworld or FOLDER/"));
        }
        // Invalid settings are reported before a large file is read.
        self.check_files(&self.targets(&options)?)?;
        let odd_links: Vec<String> = options.link_tables.iter().flat_map(LinkOptions::remarks).collect();
        let (threads, repeat) = (options.thread_count()?, options.checked_repeat()?);
        let areas = Areas::read(options.areas.as_deref())?;
        let given = connections::read(options.connections.as_deref())?;
        let mut level = Level::load(&self.levels, &options, &areas, terminal)?;
        let work = Work { threads, repeat, memory: options.memory_limit() };
        let targets = self.targets(&options.over(level.hints.clone()))?;
        for target in &targets {
            level.check_fits(&target.settings, work.memory)?;
            for warning in target.settings.warnings() {
                let is_angle = warning.name == "agent.max_slope";
                let value = if is_angle { warning.value.to_degrees() } else { warning.value };
                terminal.warn(target.named(&format!("{} {value}: {}", option_of(warning.name), warning.advice)));
            }
        }
        for target in &targets {
            let told = warnings::rounded_radius(&target.settings);
            told.into_iter().for_each(|told| terminal.say(format_args!("note: {}", target.named(&told))));
        }
        level.imported.remarks.extend(given.remarks);
        level.imported.remarks.extend(odd_links);
        level.imported.remarks.iter().for_each(|remark| terminal.warn(remark));
        if let (Some(folder), [first, ..]) = (&self.draw_stages, &targets[..]) {
            stages::draw(level.input(), &first.settings, self.draw_size, folder)?;
            if targets.len() > 1 {
                terminal.say(first.named(&format!("its stages are drawn in {}", folder.display())));
            }
        }
        let connections = level.imported.connections.iter().chain(&given.connections).copied().collect();
        MeshBaker { level: &level, areas: &areas, connections, work, terminal }.run(&targets)
    }

    /// Bakes into a store, tile by tile.
    fn bake_store(&self, options: BakeOptions, terminal: Terminal) -> Result<Answer> {
        let refused = [
            ("--agent", !options.agents.is_empty()),
            ("--layers", options.layers),
            ("--keep-explain", options.keep_explain),
            ("--links", options.links.is_some() || options.link_tables.is_some()),
            ("--repeat", options.checked_repeat()? > 1),
            ("--draw-stages", self.draw_stages.is_some()),
        ];
        if let Some((name, _)) = refused.iter().find(|(_, is_given)| *is_given) {
            return Err(Failure::new(format_args!("{name} needs the whole mesh in memory: bake a .way file with it")));
        }
        let settings = |options: &BakeOptions| {
            let tile_size = options.tile_size.unwrap_or(WorldSettings::TILE_SIZE);
            BakeOptions { tile_size: Some(tile_size), ..options.clone() }.settings()
        };
        settings(&options)?;
        let stats = self.stats.as_ref().map(|path| (path.as_path(), Kind::Stats));
        let files = [&self.options.areas, &self.options.connections, &self.options.config];
        let inputs = self.levels.iter().map(Path::new).chain(files.into_iter().flatten().map(PathBuf::as_path));
        targets::check(stats.as_slice(), inputs)?;
        let areas = Areas::read(options.areas.as_deref())?;
        let given = connections::read(options.connections.as_deref())?;
        let input = WorldInput::load(&self.levels, &options, &areas, terminal)?;
        let options = options.over(input.hints());
        let settings = settings(&options)?;
        for warning in settings.warnings() {
            terminal.warn(format_args!("{}: {}", option_of(warning.name), warning.advice));
        }
        let work = Work { threads: options.thread_count()?, repeat: 1, memory: options.memory_limit() };
        let tiles = self.tiles.as_ref().map(TileRange::window);
        let baker = StoreBaker { areas: &areas, options: &options, connections: given, work, terminal };
        baker.run(&input, &settings, (&self.output, self.stats.as_deref()), tiles)
    }

    /// The meshes to bake: one, or one for each agent.
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

    /// No input file may be overwritten, nor a file of another kind, and no two outputs may have the same path. With
    /// `--only-changed` the mesh itself is read.
    fn check_files(&self, all: &[Target]) -> Result<()> {
        let record = |t: &Target| t.options.keep_explain.then(|| record_path(&t.mesh));
        let records: Vec<PathBuf> = all.iter().filter_map(record).collect();
        let meshes = all.iter().map(|t| (&t.mesh, Kind::Way));
        let stats = all.iter().filter_map(|t| Some((t.stats.as_ref()?, Kind::Stats)));
        self.draw_stages.as_deref().map_or(Ok(()), atomic_file::make_folder)?;
        let folder = self.draw_stages.iter();
        let drawn: Vec<PathBuf> = folder.flat_map(|folder| stages::FILES.map(|file| folder.join(file))).collect();
        let products = meshes.chain(stats).chain(records.iter().map(|record| (record, Kind::Record)));
        let products = products.chain(drawn.iter().map(|picture| (picture, Kind::Png)));
        let outputs: Vec<(&Path, Kind)> = products.map(|(path, kind)| (path.as_path(), kind)).collect();
        let files = [&self.options.areas, &self.options.connections, &self.options.config, &self.options.links];
        let inputs = self.levels.iter().map(Path::new).chain(files.into_iter().flatten().map(PathBuf::as_path));
        targets::check(&outputs, inputs)?;
        all.iter().try_for_each(|target| mesh_file::check_name(&target.mesh))
    }
}
