//! `wayfare grid --play FILE`

mod play;

use crate::failure::{Answer, Failure, Result};
use crate::output::numbers::{number, point};
use crate::output::{Caption, atomic_file, draw_picture};
use clap::Args;
use play::{Answered, Op, Stage};
use serde_json::json;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::debug::{DebugSink, Role, ShapeList, draw_partial_path, draw_path};
use wayfare::grid::{GridStatus, LocalGrid, Shape};
use wayfare::math::ops;

/// Play obstacles and paths on a local navigation grid
#[derive(Args, Debug)]
#[command(
    after_help = "The file has one JSON object a line; the manual's page on local grids lists them. Exit status: 0 if the last path
reaches its goal, 1 if it does not.
Example, play.jsonl:
  {\"op\": \"grid\", \"size\": 40, \"cell\": 0.25, \"radius\": 0.4}
  {\"op\": \"segment\", \"id\": 1, \"a\": [2,0,-3], \"b\": [2,0,1]}
  {\"op\": \"disc\", \"id\": 2, \"at\": [-1,0,0.5], \"radius\": 0.4}
  {\"op\": \"path\", \"from\": [-4,0,0], \"to\": [4,0,0]}
then:
  wayfare grid --play play.jsonl --draw grid.svg"
)]
pub(crate) struct Grid {
    /// The file to play
    #[arg(long, value_name = "FILE")]
    play: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Draw the grid and the paths as they are at the end: .svg or .png
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
    /// Longer side of the drawing, pixels
    #[arg(long, value_name = "PX", default_value_t = 900)]
    size: u32,
}

impl Grid {
    pub(crate) fn run(self) -> Result<Answer> {
        let file = self.play.display();
        let text = fs::read_to_string(&self.play).map_err(|e| Failure::io(file, &e))?;
        let mut stage = Stage::new().map_err(Failure::new)?;
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            let wrong = |e: String| Failure::about(format_args!("{}, line {line}", self.play.display()), e);
            let op: Op = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
            stage.play(op).map_err(wrong)?;
        }
        if let Some(target) = &self.draw {
            draw(&self.play, &stage, self.size, target)?;
        }
        let text = if self.json { format!("{:#}\n", report(&stage)) } else { words(&stage) };
        atomic_file::print(text.as_bytes())?;
        let reached = stage.answers.last().is_none_or(|a| a.status == GridStatus::Complete);
        Ok(if reached { Answer::Yes } else { Answer::No })
    }
}

fn blocked_cells(grid: &LocalGrid) -> u32 {
    (0..grid.size()).map(|z| (0..grid.size()).filter(|&x| grid.is_blocked(x, z)).count() as u32).sum()
}

fn report(stage: &Stage) -> serde_json::Value {
    let answer = |a: &Answered| {
        json!({
            "status": a.status(), "points": a.points.iter().map(|&p| point(p)).collect::<Vec<_>>(),
            "length": number(a.length()), "visited": a.visited, "bytes": a.bytes, "blockers": a.blockers,
        })
    };
    let grid = &stage.grid;
    json!({
        "grid": {
            "size": grid.size(), "cell": number(grid.cell_size()), "blocked": blocked_cells(grid),
            "origin": [number(grid.origin().x), number(grid.origin().y)],
        },
        "answers": stage.answers.iter().map(answer).collect::<Vec<_>>(),
    })
}

fn words(stage: &Stage) -> String {
    let (size, blocked) = (stage.grid.size(), blocked_cells(&stage.grid));
    let mut text = format!("a grid of {size} x {size} cells, {blocked} blocked\n");
    for a in &stage.answers {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}, {:.2} m, {} runs visited, {} bytes", a.status(), a.length(), a.visited, a.bytes);
        let _ = writeln!(text, "; in the straight way: {:?}", a.blockers);
        for p in &a.points {
            let _ = writeln!(text, "  {},{},{}", p.x, p.y, p.z);
        }
    }
    text
}

/// The picture: free and blocked cells, the obstacles, the paths.
fn draw(file: &Path, stage: &Stage, size: u32, target: &Path) -> Result<()> {
    let mut shapes = ShapeList::new();
    let grid = &stage.grid;
    let corner = |x: u32, z: u32| {
        let p = grid.origin() + wayfare::Vec2::new(x as f32, z as f32) * grid.cell_size();
        Vec3::new(p.x, 0.0, p.y)
    };
    for z in 0..grid.size() {
        let mut x = 0;
        while x < grid.size() {
            let blocked = grid.is_blocked(x, z);
            let end = (x..grid.size()).find(|&i| grid.is_blocked(i, z) != blocked).unwrap_or(grid.size());
            let run = [corner(x, z), corner(x, z + 1), corner(end, z + 1), corner(end, z)];
            shapes.polygon(&run, if blocked { Role::Solid } else { Role::Ground(AreaId::WALKABLE) });
            if !blocked {
                shapes.line(&[run[0], run[1], run[2], run[3], run[0]], Role::InnerEdge);
            }
            x = end;
        }
    }
    for obstacle in &stage.obstacles {
        shapes.line(&outline(&obstacle.shape), Role::Wall);
    }
    let mut key = Vec::new();
    for (number, a) in (0u32..).zip(&stage.answers) {
        match a.status {
            GridStatus::Complete => draw_path(&a.points, a.to, number, &mut shapes),
            _ => draw_partial_path(&a.points, a.to, number, &mut shapes),
        }
        let end = |p: Vec3| format!("{},{}", p.x, p.z);
        key.push(format!("{} to {}: {}, {:.1} m", end(a.from), end(a.to), a.status(), a.length()));
    }
    let name = file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let title = format!("{name}: {} x {} cells, one run of free cells a node", grid.size(), grid.size());
    draw_picture(&shapes, &Caption { title, paths: key, ..Caption::default() }, size, target)
}

fn outline(shape: &Shape) -> Vec<Vec3> {
    match *shape {
        Shape::Segment { a, b } => vec![a, b],
        Shape::Disc { center, radius } => (0..=24)
            .map(|i| {
                let angle = i as f32 * core::f32::consts::TAU / 24.0;
                center + Vec3::new(ops::cos(angle), 0.0, ops::sin(angle)) * radius
            })
            .collect(),
        Shape::Box { center, half: [u, v], yaw } => {
            let (sin, cos) = yaw.sin_cos();
            let corner = |u: f32, v: f32| center + Vec3::new(u * cos - v * sin, 0.0, u * sin + v * cos);
            vec![corner(-u, -v), corner(u, -v), corner(u, v), corner(-u, v), corner(-u, -v)]
        }
    }
}
