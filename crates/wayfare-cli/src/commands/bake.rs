//! `wayfare bake LEVEL… -o MESH`

use crate::baking::{self, Work};
use crate::failure::{Answer, Failure, Result};
use crate::input::Level;
use crate::linking;
use crate::memory;
use crate::options::{Areas, BakeOptions, connections};
use crate::output::{atomic_file, stats, targets};
use crate::terminal::Terminal;
use clap::Args;
use std::path::{Path, PathBuf};
use wayfare::bake::{BakeReport, TilePlan, WarningKind};

/// Build a navigation mesh from level geometry
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wayfare bake level.obj -o level.way
  wayfare bake scene:dungeon -o dungeon.way --tile-size 48 --stats stats.json
  wayfare bake walls.glb floor.stl --up z --scale 0.01 --agent-radius 0.3 -o hall.way")]
pub(crate) struct Bake {
    /// Files or built-in scenes (scene:NAME?key=value), together one level
    #[arg(required = true, value_name = "LEVEL")]
    levels: Vec<String>,
    /// The mesh to write; - for standard output
    #[arg(short, long, value_name = "MESH")]
    output: PathBuf,
    /// Write counts, times and warnings as JSON; - for standard output
    #[arg(long, value_name = "FILE")]
    stats: Option<PathBuf>,
    /// Draw what each stage makes, as PNG files in this folder
    #[arg(long, value_name = "FOLDER")]
    draw_stages: Option<PathBuf>,
    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    options: BakeOptions,
}

impl Bake {
    pub(crate) fn run(self) -> Result<Answer> {
        let terminal = Terminal::new(self.quiet);
        self.check_targets()?;
        let options = self.options.with_config_file()?;
        // Wrong settings are said before a large file is read.
        options.settings()?;
        let work = Work { threads: options.thread_count()?, repeat: options.checked_repeat()? };
        let areas = Areas::read(options.areas.as_deref())?;
        let connections = connections::read(options.connections.as_deref())?;
        options.link_settings(&options.settings()?.agent)?;
        let level = Level::load(&self.levels, &options, &areas, terminal)?;
        let options = options.over(level.hints.clone());
        let settings = options.settings()?;
        memory::check(&level.mesh, &settings)?;
        for warning in settings.warnings() {
            terminal.warn(format_args!("--{} {}: {}", warning.name, warning.value, warning.advice));
        }
        level.remarks.iter().for_each(|remark| terminal.warn(remark));
        if let Some(folder) = &self.draw_stages {
            super::stages::draw(level.input(), &settings, folder)?;
        }
        let mut baked = baking::bake(level.input(), &settings, &|area| areas.flags(area), work, terminal)?;
        level.add_warnings(&mut baked.report);
        check_strict(options.strict, &baked.report, &level.remarks)?;
        for connection in level.connections.iter().chain(&connections) {
            baked.mesh.add_connection(*connection).map_err(Failure::new)?;
        }
        baked.mesh.set_areas(areas.table()?);
        let links = options.link_settings(&settings.agent)?;
        let linked = linking::add_links(level.input(), &settings, &links, work.threads, &mut baked.mesh)?;
        let bytes = baked.mesh.to_bytes();
        if let Some(path) = &self.stats {
            let max_slope_degrees = options.agent_max_slope.unwrap_or(45.0);
            let asked =
                stats::Asked { settings: &settings, max_slope_degrees, threads: work.threads, repeat: work.repeat };
            let mut json = stats::report(&level, &baked, asked, &bytes);
            if !links.is_empty() {
                json["links"] = linked.json();
            }
            atomic_file::write(path, format!("{json:#}\n").as_bytes())?;
        }
        atomic_file::write(&self.output, &bytes)?;
        if options.keep_explain {
            let plan = TilePlan::new(level.input(), &settings).map_err(Failure::new)?;
            super::explain::keep(&level, &plan, work.threads, &baked.mesh, &self.output)?;
        }
        for warning in &baked.report.warnings {
            terminal.warn(told(warning));
        }
        terminal.say(stats::table(&baked));
        linked.told().into_iter().for_each(|told| terminal.say(told));
        terminal.say(format_args!(
            "{}: {} bytes, {} polygons in {}",
            self.output.display(),
            stats::count(bytes.len() as u64),
            stats::count(baked.report.stats.polys),
            stats::tiles(baked.mesh.tile_count()),
        ));
        Ok(Answer::Yes)
    }
}

impl Bake {
    /// No file that is read may be written over, and no two things may be written to one place.
    fn check_targets(&self) -> Result<()> {
        if self.options.keep_explain && atomic_file::is_stdout(&self.output) {
            return Err(Failure::new("--keep-explain writes a file beside the mesh: give the mesh a file with -o"));
        }
        let outputs: Vec<&Path> = core::iter::once(&self.output).chain(&self.stats).map(PathBuf::as_path).collect();
        let files = [&self.options.areas, &self.options.connections, &self.options.config, &self.options.links];
        let inputs = self.levels.iter().map(Path::new).chain(files.into_iter().flatten().map(PathBuf::as_path));
        targets::check(&outputs, inputs)
    }
}

/// A warning in words, with its place.
fn told(warning: &wayfare::bake::Warning) -> String {
    if warning.kind == WarningKind::NothingWalkable {
        return "nothing can be walked on: triangles must face up (--up z for files whose up is z), sizes must be metres \
                (--scale), and the agent must fit (--agent-radius, --agent-height, --region-min-size)"
            .into();
    }
    let what = match warning.kind {
        WarningKind::TriangleNotFinite => "triangles with corners that are no numbers were left out",
        WarningKind::TriangleDegenerate => "triangles without area were left out",
        WarningKind::ContourDropped => "contours with fewer than three corners were left out",
        WarningKind::ContourRepaired => "contours that crossed themselves were repaired",
        WarningKind::HoleDropped => "holes outside of their region were left out",
        WarningKind::TriangulationIncomplete => "contours could not be cut into triangles completely",
        WarningKind::DetailLimit => "polygons reached the limit of detail vertices",
        WarningKind::UnwiseSetting => "settings are unwise",
        other => other.name(),
    };
    match warning.at {
        Some(at) => format!("{} {what}, the first at {},{},{}", warning.count, at.x, at.y, at.z),
        None => format!("{} {what}", warning.count),
    }
}

/// With `--strict` the first warning is an error, and nothing is written.
fn check_strict(strict: bool, report: &BakeReport, remarks: &[String]) -> Result<()> {
    let first = remarks.first().cloned().or_else(|| report.warnings.first().map(told));
    match first {
        Some(warning) if strict => Err(Failure::new(format_args!("{warning} (an error because of --strict)"))),
        _ => Ok(()),
    }
}
