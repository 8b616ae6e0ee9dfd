//! The command: plays a file and answers its paths.

use super::picture;
use super::play::{Answered, Stage};
use crate::failure::{Answer, Failure, Result};
use crate::options::{Drawing, json_lines};
use crate::output::atomic_file;
use crate::output::numbers::{counted, number, point};
use clap::Args;
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;
use wayfare::area::PathStatus;
use wayfare::grid::LocalGrid;
use wayfare_scenes::lively_yard;

/// Play obstacles and paths on a local navigation grid
#[derive(Args, Debug)]
#[command(after_help = "The file has one JSON object a line; the manual's page on local grids lists them.
Exit status: 0 if the last path reaches its goal, or the edge of the grid if the goal lies outside; 1 if it does not.
Example, play.jsonl:
  {\"op\": \"grid\", \"size\": 40, \"cell\": 0.25, \"radius\": 0.4}
  {\"op\": \"segment\", \"id\": 1, \"a\": [2,0,-3], \"b\": [2,0,1]}
  {\"op\": \"disc\", \"id\": 2, \"at\": [-1,0,0.5], \"radius\": 0.4}
  {\"op\": \"path\", \"from\": [-4,0,0], \"to\": [4,0,0]}
then:
  wayfare grid --play play.jsonl --draw grid.svg
Or a built-in scene at a tick:
  wayfare grid --play 'scene:lively_yard?seed=1&tick=80' --draw yard.svg")]
#[command(mut_arg("draw", |a| a.help("Draw the grid and the paths as they are at the end: .svg or .png")), mut_arg("size", |a| a.default_value("900")))]
pub(crate) struct Grid {
    /// The file to play, or scene:lively_yard?seed=…&tick=…
    #[arg(long, value_name = "FILE")]
    play: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    drawing: Drawing,
}

impl Grid {
    pub(crate) fn run(self) -> Result<Answer> {
        self.drawing.check(&[&self.play])?;
        let mut stage = Stage::new().map_err(Failure::new)?;
        if let Some(spec) = self.play.to_str().and_then(|name| name.strip_prefix("scene:")) {
            stage.set(&lively_yard(spec).map_err(Failure::new)?);
        } else {
            self.play_file(&mut stage)?;
        }
        stage.settle();
        if let Some(target) = &self.drawing.draw {
            picture::draw(&self.play, &stage, self.drawing.size, target)?;
        }
        let text = if self.json { format!("{:#}\n", report(&stage)) } else { words(&stage) };
        atomic_file::print(text.as_bytes())?;
        let reached = stage.answers.last().is_none_or(|a| a.status == PathStatus::Complete);
        Ok(if reached { Answer::Yes } else { Answer::No })
    }

    fn play_file(&self, stage: &mut Stage) -> Result<()> {
        for (number, op) in json_lines::read(&self.play, "{\"op\": …}, as `wayfare grid --help` shows")? {
            stage.play(op).map_err(|e| json_lines::wrong(&self.play, number, e))?;
        }
        Ok(())
    }
}

fn blocked_cells(grid: &LocalGrid) -> u32 {
    (0..grid.size()).map(|z| (0..grid.size()).filter(|&x| grid.is_blocked(x, z)).count() as u32).sum()
}

fn report(stage: &Stage) -> serde_json::Value {
    let answer = |a: &Answered| {
        json!({
            "status": a.status.to_string(), "outside": a.is_outside, "starts_outside": a.starts_outside, "points": a.points.iter().map(|&p| point(p)).collect::<Vec<_>>(),
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
        let outside = if a.is_outside { ", to the edge of the grid: the goal lies outside" } else { "" };
        let starts = if a.starts_outside { ", from the edge of the grid: the start lies outside" } else { "" };
        let (status, length) = (a.status, a.length());
        let _ = write!(
            text,
            "{status}{starts}{outside}, {length:.2} m, {} visited, {} bytes",
            counted(a.visited, "run"),
            a.bytes
        );
        let _ = writeln!(text, "; on the straight line: {:?}", a.blockers);
        for p in &a.points {
            let _ = writeln!(text, "  {},{},{}", p.x, p.y, p.z);
        }
    }
    text
}
