//! `wayfare demo`: the two-minute tour.

use super::{crowd, path};
use crate::baking::{self, Work};
use crate::failure::{Answer, Failure, Result};
use crate::options::{Point, Route};
use crate::output::numbers::count;
use crate::output::{atomic_file, caption_of, draw_picture, stats};
use crate::terminal::Terminal;
use crate::threads;
use clap::Args;
use std::path::PathBuf;
use wayfare::area::{PathStatus, PolyFlags};
use wayfare::avoid::Avoidance;
use wayfare::debug::{ShapeList, draw_mesh};
use wayfare::mesh::NavMesh;
use wayfare::query::DEFAULT_REACH;
use wayfare_draw::Caption;

/// The level of the demo.
const SCENE: &str = "dungeon";

/// The crowd of the demo: this many agents walk until all have arrived, or for this many ticks. Crossing the level
/// takes a minute.
const AGENTS: u32 = 100;
const TICKS: u32 = 2400;

/// Take the two-minute tour: bake a level, find paths, simulate a crowd, draw pictures
#[derive(Args, Debug)]
#[command(
    after_help = "Writes a mesh and pictures of it, and prints what to try next.\nExample:\n  wayfare demo --out tour"
)]
pub(crate) struct Demo {
    /// The folder to write to
    #[arg(long, value_name = "FOLDER", default_value = "wayfare-demo")]
    out: PathBuf,
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
}

impl Demo {
    pub(crate) fn run(self) -> Result<Answer> {
        let terminal = Terminal::new(self.quiet);
        // An unwritable target is reported before the work, not after it.
        atomic_file::make_folder(&self.out)?;
        let scene = wayfare_scenes::scene(SCENE).map_err(Failure::new)?;
        let level = scene.mesh().map_err(Failure::new)?;
        let size = level.bounds().size();
        let triangles = count(level.tris().len() as u64);
        terminal.say(format_args!(
            "The built-in level scene:{SCENE}: {triangles} triangles, {:.0} x {:.0} m, {:.0} m high.\n\nBaking it:",
            size.x, size.z, size.y
        ));
        let work = Work { threads: threads::of_machine(), repeat: 1, memory: None };
        let (nav, baked) = baking::bake((&level).into(), &scene.settings, &|_| PolyFlags::WALK, work, terminal)?;
        terminal.say(stats::table(&baked));

        terminal.say("\nFinding paths over it:");
        let mut shapes = ShapeList::new();
        draw_mesh(&nav, &mut shapes);
        let (mut example, mut key) = (None, Vec::new());
        for (number, errand) in (0u32..).zip(&scene.errands) {
            let route = Route::new(Point(errand.from), Point(errand.to));
            let found = path::find(&nav, route, DEFAULT_REACH)?;
            let result = match found.path.status {
                PathStatus::Complete => {
                    example = example.or(Some(route));
                    format!(
                        "{:>6.1} m, {:>3} polygons, {:>3} points",
                        found.length,
                        found.path.polys.len(),
                        found.points.len()
                    )
                }
                _ => "cannot be reached".to_owned(),
            };
            terminal.say(format_args!("  {:<42} {result}", errand.what));
            key.push(errand.what.to_owned());
            found.draw(errand.to, number, &mut shapes);
        }

        let mesh = self.out.join("dungeon.way");
        atomic_file::write(&mesh, &nav.to_bytes())?;
        let caption = Caption { paths: key, ..caption_of(&mesh, &nav) };
        for picture in ["dungeon.svg", "dungeon.png"] {
            draw_picture(&shapes, &caption, 1600, &self.out.join(picture))?;
        }
        terminal.say(format_args!("\nWalking {AGENTS} agents over it, each with a goal of its own:"));
        terminal.say(self.walk_a_crowd(&nav)?);
        let folder = self.out.display();
        terminal.say(format_args!(
            "\nWritten: {folder}/dungeon.way, {folder}/dungeon.svg, {folder}/dungeon.png, {folder}/crowd.png\n"
        ));
        if let Some(route) = example {
            terminal.say(format_args!(
                "Try next:
  wayfare info {folder}/dungeon.way
  wayfare path {folder}/dungeon.way --from {} --to {} --draw path.svg
  wayfare crowd {folder}/dungeon.way --agents 200 --avoidance orca --draw crowd.svg
  wayfare scenes
  wayfare blocks 'scene:blocks?size=64' --random 3 --draw {folder}/blocks.png
  wayfare bake your-level.obj -o your-level.way
  wayfare draw your-level.way -o your-level.png",
                route.from, route.to
            ));
        }
        Ok(Answer::Yes)
    }

    /// Simulates a crowd, draws its trails, and reports the result.
    fn walk_a_crowd(&self, nav: &NavMesh) -> Result<String> {
        let cast = crowd::Cast::random(nav, AGENTS, 1)?;
        let plan = crowd::Plan { ends_early: true, ..crowd::Plan::new(cast, Avoidance::default(), TICKS) };
        let mut watch = crowd::Watch::new(true, None);
        let figures = crowd::walk(nav, &plan, &mut watch)?;
        let seconds = figures.walk.ticks as f32 * plan.dt;
        let title = format!("{AGENTS} agents, {seconds:.0} s: {} at their goals", figures.walk.arrived());
        crowd::draw_trails(nav, (&watch, &figures), title, 1600, &self.out.join("crowd.png"))?;
        Ok(format!(
            "  {} of {AGENTS} arrived within {seconds:.0} s, {:.1} overlapping pairs a tick, {} times off the mesh; {:.2} ms a tick",
            figures.walk.arrived(),
            figures.walk.overlaps_per_tick(),
            figures.off_mesh,
            figures.ms(0.5),
        ))
    }
}
