//! The command: reads a mesh with its layers, plays a file, and reports the result.

use super::digest::digest;
use super::film::Film;
use super::level::LevelOptions;
use super::picture;
use super::play::Stage;
use crate::dash::{self, is_dash};
use crate::failure::{Answer, Failure, Result};
use crate::input::mesh_file;
use crate::options::{Drawing, json_lines};
use crate::output::numbers::{at_share, counted};
use crate::output::stats::ms;
use crate::output::{Kind, atomic_file, targets};
use crate::threads;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// Add, move and remove obstacles on a mesh that was baked with --layers
#[derive(Args, Debug)]
#[command(
    after_help = "The file has one JSON object a line: add, move and remove, geometry and invalidate (with --level), overlay, begin, update,
tick, and every question of `wayfare query`.
Shapes: cylinder, box, obb, prism, capsule, hull, mesh; with \"area\" they paint, without they block.
Example, play.jsonl:
  {\"op\": \"add\", \"name\": \"crate\", \"shape\": {\"box\": {\"min\": [4,0,4], \"max\": [6,2,6]}}}
  {\"op\": \"update\"}
  {\"op\": \"path\", \"start\": [1,0,5], \"end\": [9,0,5]}
  {\"op\": \"move\", \"name\": \"crate\", \"by\": [0,0,3]}
  {\"op\": \"geometry\", \"name\": \"pier\", \"file\": \"pier.obj\", \"at\": [0,0,-8]}
  {\"op\": \"overlay\", \"at\": [5,0,5], \"radius\": 3, \"cost\": 10, \"half_life\": 2}
then:
  wayfare bake level.obj -o level.way --layers --tile-size 48
  wayfare obstacles level.way --play play.jsonl --level level.obj --draw after.svg"
)]
#[command(mut_arg("draw", |a| a.help("Draw the mesh and the obstacles as they are at the end: .svg or .png")))]
pub(crate) struct PlayObstacles {
    /// A .way file that was baked with --layers
    mesh: PathBuf,
    /// The file to play; - for standard input
    #[arg(long, value_name = "FILE")]
    play: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Threads; 0: as many as the machine has
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = threads::parse)]
    threads: u32,
    #[command(flatten)]
    level: LevelOptions,
    #[command(flatten)]
    drawing: Drawing,
    /// Draw the mesh and the obstacles after each update and tick, side by side: .svg or .png
    #[arg(long, value_name = "FILE")]
    film: Option<PathBuf>,
}

impl PlayObstacles {
    pub(crate) fn run(self) -> Result<Answer> {
        let mut outputs: Vec<_> = self.drawing.output()?.into_iter().collect();
        if let Some(film) = &self.film {
            outputs.push((film, Kind::of_picture(film)?));
        }
        targets::check(&outputs, [&*self.mesh, &*self.play])?;
        if is_dash(&self.mesh) && is_dash(&self.play) {
            return Err(Failure::new("the mesh and the play cannot both be standard input: give one of them a file"));
        }
        let file = mesh_file::read_file(&self.mesh)?;
        let (mut stage, build) = Stage::open(file, &self.mesh, &self.level)?;
        stage.film = self.film.as_ref().map(|_| Film::new());
        let before = digest(&stage.mesh);
        let text = dash::read(&self.play)?;
        threads::pool(threads::count(self.threads)?)?.install(|| {
            json_lines::numbered(&text).try_for_each(|line| stage.play(line))?;
            stage.end()
        })?;
        stage.times.sort_unstable();
        if let Some(target) = &self.drawing.draw {
            picture::draw(&self.mesh, &stage, self.drawing.size, target)?;
        }
        if let Some((target, film)) = self.film.as_ref().zip(stage.film.as_ref()) {
            film.draw(&self.mesh, &stage, self.drawing.size.max(FILM_SIZE), target)?;
        }
        let report = Report { build, digests: [before, digest(&stage.mesh)] };
        let text = if self.json { format!("{:#}\n", report.json(&stage)) } else { report.words(&stage) };
        atomic_file::print(text.as_bytes())?;
        stage.check_understood()?;
        Ok(Answer::Yes)
    }
}

/// The longer side of a film strip, pixels, unless a larger size is requested.
const FILM_SIZE: u32 = 2800;

/// The report without the answers.
struct Report {
    build: Duration,
    digests: [String; 2],
}

/// A quantile of sorted times, milliseconds.
fn at(times: &[Duration], share: f64) -> f64 {
    at_share(times, share).map_or(0.0, ms)
}

impl Report {
    fn json(&self, stage: &Stage) -> Value {
        let layers = stage.things.obstacles.checkpoints();
        let [before, after] = &self.digests;
        json!({
            "layers": layers.tile_count(), "cells": layers.cells(), "spans": layers.spans(),
            "compressed_bytes": layers.compressed_bytes(), "build_ms": ms(self.build),
            "rebuilds": stage.times.len(), "rebuild_ms_median": at(&stage.times, 0.5),
            "rebuild_ms_p99": at(&stage.times, 0.99), "digest_before": before, "digest_after": after,
            "answers": stage.answers,
        })
    }

    fn words(&self, stage: &Stage) -> String {
        let mut text: String = stage.answers.iter().map(|answer| format!("{answer}\n")).collect();
        let rebuilds = counted(stage.times.len() as u64, "rebuild");
        let (median, p99) = (at(&stage.times, 0.5), at(&stage.times, 0.99));
        let is_as_before = if self.digests[0] == self.digests[1] { "as before" } else { "changed" };
        text.push_str(&format!("{rebuilds}, median {median:.3} ms, p99 {p99:.3} ms; the mesh is {is_as_before}\n"));
        text
    }
}
