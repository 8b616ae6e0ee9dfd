//! The command: reads the world, then runs, times and prints its queries.

use super::report::{self, Run};
use super::{picture, world};
use crate::failure::{Answer, Failure, Result};
use crate::options::{Drawing, Point};
use crate::output::atomic_file;
use crate::terminal::Terminal;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Instant;
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::blocks::{
    BlockAgent, BlockBox, BlockNav, BlockPathRequest, BlockSettings, BlockSettingsError, BlockSource, Cell,
    DenseBlocks, plain_grid_path,
};
use wayfare::math::Rng;
use wayfare_io::Palette;

/// How far from a given point a standing point may be, in blocks.
const REACH: u32 = 4;

/// Find paths in a world of blocks, without a bake
#[derive(Args, Debug)]
#[command(
    after_help = "Exit status: 0 if the path reaches its goal (with --random: one of them), 1 if it does not. A block is 1 x 1 x 1 m; a standing point is the middle of a block's upper face. In .vox files z is up: (x, y, z) there is x,z,y here.
Examples:
  wayfare blocks 'scene:blocks?size=64&height=24&seed=2' --from 32,7,12 --to 61,9,50 --draw path.svg
  wayfare blocks 'scene:blocks?size=128' --from 29,16,22 --to-box 30,0,20 40,40,24 --json
  wayfare blocks scene:blocks --random 100 --seed 5 --compare --json
With a world of your own:
  wayfare blocks world.vox --from 3,20,4 --to 90,31,70 --draw path.svg"
)]
#[command(mut_arg("draw", |a| a.help("Draw what was built, and the paths: .svg or .png")))]
pub(crate) struct Blocks {
    /// A .vox file or scene:blocks?size=N&height=N&seed=N
    world: String,
    /// Where to begin: x,y,z
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    from: Option<Point>,
    /// Where to go: x,y,z
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    to: Option<Point>,
    /// Go anywhere in a box instead: its lowest and its highest corner
    #[arg(long, value_names = ["MIN", "MAX"], num_args = 2, allow_hyphen_values = true, conflicts_with = "to")]
    to_box: Option<Vec<Point>>,
    /// After a first search, change blocks and search again; lines {"at": [x,y,z], "solid": true}
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    edits: Option<PathBuf>,
    /// Blocks climbed in a step
    #[arg(long, value_name = "N", default_value_t = 1)]
    climb: u32,
    /// Blocks dropped in a step
    #[arg(long, value_name = "N", default_value_t = 1)]
    drop: u32,
    /// Height of the agent, in blocks
    #[arg(long, value_name = "N", default_value_t = 2)]
    height: u32,
    /// Width of the agent, in blocks: 1 to 16; building takes its square
    #[arg(long, value_name = "N", default_value_t = 1)]
    width: u32,
    /// Side of a mini mesh, in blocks
    #[arg(long, value_name = "N", default_value_t = 10)]
    mini: u32,
    /// Colours of a .vox file that are water, as numbers of its palette: 2,7
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    water: Vec<u8>,
    /// Colours of a .vox file that are lava, as numbers of its palette
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    lava: Vec<u8>,
    /// Find paths for this many random queries instead
    #[arg(long, value_name = "N", conflicts_with_all = ["from", "to", "to_box"], value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    random: Option<u32>,
    /// Seed of the random queries
    #[arg(long, value_name = "S", default_value_t = 1, requires = "random")]
    seed: u64,
    /// Also search with plain A* over the standing points
    #[arg(long)]
    compare: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    drawing: Drawing,
}

/// The option for a setting.
fn option_of(error: BlockSettingsError) -> String {
    match error {
        BlockSettingsError::Agent { name, .. } => format!("--{name}"),
        _ => "--mini".to_owned(),
    }
}

impl Blocks {
    pub(crate) fn run(self) -> Result<Answer> {
        if self.random.is_none() && (self.from.is_none() || self.to.is_none() && self.to_box.is_none()) {
            return Err(Failure::new(
                "there is no question: give --from and --to (or --to-box), or --random with a number of questions",
            ));
        }
        let inputs = core::iter::once(Path::new(&self.world)).chain(self.edits.as_deref());
        self.drawing.check(&inputs.collect::<Vec<_>>())?;
        let agent = BlockAgent { climb: self.climb, drop: self.drop, height: self.height, width: self.width };
        let mut nav = BlockNav::new(BlockSettings { agent, mini: self.mini })
            .map_err(|e| Failure::new(format_args!("{e} (see {})", option_of(e))))?;
        let has_colours = self.world.to_ascii_lowercase().ends_with(".vox");
        if !has_colours && (!self.water.is_empty() || !self.lava.is_empty()) {
            Terminal::new(false).warn("--water and --lava are colours of a .vox file: a scene has its own");
        }
        let mut world = world::read(&self.world, Palette { water: &self.water, lava: &self.lava })?;
        let runs = match self.random {
            Some(count) => self.ask_at_random(&mut nav, &world, count)?,
            None => vec![self.ask(&mut nav, &mut world)?],
        };
        if let Some(target) = &self.drawing.draw {
            picture::draw(&self.world, &nav, &world, &runs, self.drawing.size, target)?;
        }
        let total = nav.mini_mesh_count(&world).unwrap_or(0);
        let text = match (self.json, self.random) {
            (true, Some(_)) => format!("{:#}\n", report::all(&runs, &nav, total)),
            (true, None) => format!("{:#}\n", report::one(&runs[0], &nav, total)),
            (false, _) => report::text(&runs, &nav, total),
        };
        atomic_file::print(text.as_bytes())?;
        let reached = runs.iter().any(|run| run.path.status == PathStatus::Complete);
        Ok(if reached { Answer::Yes } else { Answer::No })
    }

    /// The query of the command line, run again after the edits.
    fn ask(&self, nav: &mut BlockNav, world: &mut DenseBlocks) -> Result<Run> {
        let start = self.from.map(|p| self.standing(nav, world, p, "--from")).transpose()?;
        let Some((start, start_gap)) = start else { return Err(Failure::new("--from is missing")) };
        let mut goal_gap = None;
        let goal = match (&self.to, self.to_box.as_deref()) {
            (Some(to), _) => {
                let (cell, gap) = self.standing(nav, world, *to, "--to")?;
                goal_gap = gap;
                BlockBox::of(cell)
            }
            (None, Some([Point(a), Point(b)])) if a.cmpgt(*b).any() => {
                return Err(Failure::new("--to-box MIN MAX: no number of MIN may be above that of MAX"));
            }
            (None, Some([a, b])) => cells_in(nav, *a, *b)?,
            _ => return Err(Failure::new("--to is missing")),
        };
        let mut run = self.search(nav, world, start, goal);
        if let Some(file) = &self.edits {
            let edits = world::read_edits(file, world)?;
            for edit in &edits {
                world.set(edit.cell, edit.block);
            }
            let began = Instant::now();
            for edit in &edits {
                nav.invalidate(BlockBox::of(edit.cell));
            }
            let path = nav.find_path(&*world, &BlockPathRequest::to_box(start, goal));
            let took = began.elapsed().as_secs_f64() * 1e3;
            // For a box, it is unknown which cell would have been the goal.
            let goal_cell = self.to.map(|_| goal.min);
            let buried = [Some(start), goal_cell].map(|cell| cell.is_some_and(|cell| !nav.stands(&*world, cell)));
            run = Run { path, ms: took, edit_to_path_ms: Some(took), buried, ..self.search(nav, world, start, goal) };
        }
        Ok(Run { gaps: [start_gap, goal_gap], ..run })
    }

    fn ask_at_random(&self, nav: &mut BlockNav, world: &DenseBlocks, count: u32) -> Result<Vec<Run>> {
        let mut rng = Rng::new(self.seed);
        let mut bounds = world.bounds().unwrap_or(BlockBox::of(Cell::new(0, 0, 0)));
        // Feet can rest on the topmost blocks.
        bounds.max.y += 1;
        let bar = Terminal::new(false).bar("searching", u64::from(count));
        let mut runs = Vec::new();
        for done in 1..=count {
            let mut draw = || nav.random_in_box(world, bounds, &mut rng);
            let (Some(start), Some(mut goal)) = (draw(), draw()) else {
                return Err(Failure::about(&self.world, "nobody of this size can stand anywhere in this world"));
            };
            // Worlds with a single standing point leave no choice.
            for _ in 0..64 {
                goal = if goal == start { draw().unwrap_or(goal) } else { goal };
            }
            runs.push(self.search(nav, world, start, BlockBox::of(goal)));
            bar.set(u64::from(done), u64::from(count));
        }
        Ok(runs)
    }

    fn search(&self, nav: &mut BlockNav, world: &DenseBlocks, start: Cell, goal: BlockBox) -> Run {
        let began = Instant::now();
        let path = nav.find_path(world, &BlockPathRequest::to_box(start, goal));
        let ms = began.elapsed().as_secs_f64() * 1e3;
        let grid = self.compare.then(|| {
            let began = Instant::now();
            let grid = plain_grid_path(world, nav.settings().agent, start, goal);
            (grid, began.elapsed().as_secs_f64() * 1e3)
        });
        Run {
            from: nav.position(start),
            to: nav.position(goal.max),
            path,
            ms,
            grid,
            edit_to_path_ms: None,
            gaps: [None; 2],
            buried: [false; 2],
        }
    }

    /// The standing point nearest to a given point, and its distance if an agent standing there is not at the point.
    fn standing(
        &self,
        nav: &BlockNav,
        world: &DenseBlocks,
        Point(p): Point,
        option: &str,
    ) -> Result<(Cell, Option<f32>)> {
        let cell = nav.nearest(world, p, REACH).ok_or_else(|| {
            Failure::new(format_args!(
                "{option} {},{},{}: nobody of this size can stand within {REACH} blocks of it",
                p.x, p.y, p.z
            ))
        })?;
        let by = nav.position(cell) - p;
        let is_at = by.x.abs().max(by.z.abs()) <= self.width as f32 * 0.5 && by.y.abs() <= 1.0;
        Ok((cell, (!is_at).then(|| by.length())))
    }
}

/// The standing points in a box given in metres.
fn cells_in(nav: &BlockNav, Point(a): Point, Point(b): Point) -> Result<BlockBox> {
    let middle = nav.position(Cell::new(0, 0, 0));
    let cell = |p: Vec3, round: fn(f32) -> f32| {
        let [x, _, z] = (p - middle).to_array().map(|v| round(v).clamp(-1e9, 1e9) as i32);
        Cell::new(x, p.y.clamp(-1e9, 1e9).round() as i32, z)
    };
    let (low, high) = (cell(a, f32::ceil), cell(b, f32::floor));
    if low.x > high.x || low.z > high.z {
        return Err(Failure::new(format_args!(
            "--to-box: no standing point lies in it: along x and z they lie at whole metres plus {}; give a wider box",
            middle.x
        )));
    }
    Ok(BlockBox::new(low, high))
}
