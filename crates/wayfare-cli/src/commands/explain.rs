//! `wayfare explain MESH|LEVEL --at P`, `wayfare explain MESH|LEVEL --from P --to P`

use super::bake::MeshBaker;
use super::explain_record::read_record;
use super::footing::Footing;
use super::hollow;
use super::path::{ENDS, for_radius};
use crate::baking::{self, Work};
use crate::failure::{Answer, Failure, Result};
use crate::input::{Level, is_level, mesh_file};
use crate::options::{Areas, BakeOptions, NamedAgent, Point, Reach, connections, radius};
use crate::output::atomic_file;
use crate::output::numbers::{number, point};
use crate::terminal::Terminal;
use clap::Args;
use serde_json::{Value, json};
use std::path::Path;
use wayfare::area::PolyFlags;
use wayfare::bake::{Explanation, explain_around};
use wayfare::context::Context;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{
    ClearanceMesh, DEFAULT_REACH, DefaultFilter, PathExplanation, PathQuestion, SearchLimits, SearchScratch,
    explain_path,
};

/// Explain why a position is not walkable, or why there is no path
#[derive(Args, Debug)]
#[command(
    after_help = "A position: needs a mesh baked with --keep-explain, or the level with the options it is baked with.
A path: needs a mesh, or a level. Exit status 0 whatever the answer is.
Examples:
  wayfare bake level.obj -o level.way --keep-explain
  wayfare explain level.way --at 3,0,-12
  wayfare explain level.obj --agent-radius 0.3 --tile-size 64 --at 3,0,-12 --json
  wayfare explain level.way --from 1,0,2 --to 30,0,-8 --exclude 4"
)]
#[command(mut_arg("keep_explain", |a| a.hide(true)), mut_arg("layers", |a| a.hide(true)))]
#[command(mut_arg("only_changed", |a| a.hide(true)))]
#[command(mut_arg("repeat", |a| a.hide(true)))]
pub(crate) struct Explain {
    /// A mesh, or a level: a file or scene:NAME
    source: String,
    /// The position: x,y,z
    #[arg(long, value_name = "P", allow_hyphen_values = true, conflicts_with_all = ["from", "to"])]
    at: Option<Point>,
    /// Where the path should begin: x,y,z
    #[arg(long, value_name = "P", allow_hyphen_values = true, requires = "to")]
    from: Option<Point>,
    /// Where it should end: x,y,z
    #[arg(long, value_name = "P", allow_hyphen_values = true, requires = "from")]
    to: Option<Point>,
    /// How far the mesh may be from start and goal: along x, y and z
    #[arg(long, value_name = "X,Y,Z", default_value_t = Reach(DEFAULT_REACH), allow_hyphen_values = true,
        conflicts_with = "at")]
    reach: Reach,
    /// Radius of the agent, metres [default: that of the mesh]
    #[arg(long, value_name = "R", value_parser = radius, requires = "from", conflicts_with = "at")]
    radius: Option<f32>,
    /// Use only polygons with at least one of these flags
    #[arg(long, value_name = "FLAGS", default_value_t = 65535, conflicts_with = "at")]
    include: u16,
    /// Use no polygons with any of these flags
    #[arg(long, value_name = "FLAGS", default_value_t = 0, conflicts_with = "at")]
    exclude: u16,
    /// Maximum number of nodes that the search may open
    #[arg(long, value_name = "N", requires = "from", conflicts_with = "at")]
    max_nodes: Option<u32>,
    /// Maximum cost of the path
    #[arg(long, value_name = "COST", requires = "from", conflicts_with = "at")]
    max_cost: Option<f32>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Print only errors and the answer
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    options: BakeOptions,
}

impl Explain {
    pub(crate) fn run(self) -> Result<Answer> {
        if self.source == "-" && self.at.is_some() {
            return Err(Failure::new(
                "why a position is not walkable stands in the file that --keep-explain writes beside the mesh: give the mesh \
                 as a file, not as standard input",
            ));
        }
        if !is_level(&self.source) && self.options != BakeOptions::default() {
            return Err(Failure::about(
                &self.source,
                "a mesh keeps the settings that it was baked with: leave out the options of a bake, or give the level",
            ));
        }
        let of_bake = [
            ("--keep-explain", self.options.keep_explain),
            ("--layers", self.options.layers),
            ("--only-changed", self.options.only_changed),
            ("--repeat", self.options.repeat.is_some()),
        ];
        if let Some((name, _)) = of_bake.iter().find(|(_, is_given)| *is_given) {
            return Err(Failure::new(format_args!("{name} is of `wayfare bake`: leave it out")));
        }
        let (sentence, json) = match (self.at, self.from, self.to) {
            (Some(at), ..) => self.place(at)?,
            (None, Some(from), Some(to)) => self.path(from, to)?,
            _ => return Err(Failure::new("give a position with --at, or a path with --from and --to")),
        };
        let text = if self.json { format!("{json:#}\n") } else { format!("{sentence}\n") };
        atomic_file::print(text.as_bytes())?;
        Ok(Answer::Yes)
    }

    fn place(&self, at: Point) -> Result<(String, Value)> {
        let not_covered = || Failure::new("the record does not cover this position");
        let told = if is_level(&self.source) {
            let (level, options) = self.level()?;
            let (level, settings) = (level.input(), options.settings()?);
            let context = Context { memory_limit: options.memory_limit(), ..Context::default() };
            let plan = baking::plan(level, &settings)?;
            let map = explain_around(level, &plan, at.0, &context).map_err(Failure::new)?;
            let mut told = map.at(at.0).ok_or_else(not_covered)?;
            // Only the whole mesh shows whether anything leads there.
            if hollow::may_enclose(level, &told, &settings) {
                let mesh = self.mesh()?;
                told.inside_hollow_body = hollow::lies_on(&mesh, &hollow::surfaces(&mesh, level, &settings), &told);
            }
            told
        } else {
            let (mesh, map) = read_record(Path::new(&self.source))?;
            let mut told = map.at(at.0).ok_or_else(not_covered)?;
            told.inside_hollow_body = hollow::lies_on(&mesh, map.hollow_surfaces(), &told);
            told
        };
        Ok((told.to_string(), place_json(&told)))
    }

    fn path(&self, from: Point, to: Point) -> Result<(String, Value)> {
        if let Some(cost) = self.max_cost.filter(|cost| cost.is_nan() || *cost < 0.0) {
            return Err(Failure::new(format_args!("--max-cost is {cost}, but must be 0 or above")));
        }
        let mesh = self.mesh()?;
        let limits = SearchLimits {
            max_nodes: self.max_nodes.unwrap_or(u32::MAX),
            max_cost: self.max_cost.unwrap_or(f32::INFINITY),
        };
        let question = PathQuestion { from: from.0, to: to.0, half_extents: self.reach.0, limits };
        let filter = DefaultFilter::of(&mesh).with_flags(PolyFlags(self.include), PolyFlags(self.exclude));
        let wide = match self.radius {
            Some(radius) => Some(for_radius(&mesh, radius, &filter)?),
            None => None,
        };
        let ground = wide.as_ref().map_or(&mesh, ClearanceMesh::mesh);
        let told = explain_path(ground, &question, &filter, &mut SearchScratch::new());
        let on_mesh = |poly| wide.as_ref().and_then(|wide| wide.base_poly(poly)).unwrap_or(poly);
        let (mut sentence, mut json) = (told.to_string(), path_json(&told, on_mesh));
        for ((place, asked), end) in told.ends.into_iter().zip([from.0, to.0]).zip(ENDS) {
            let footing = place.map(|place| Footing::new(ground, asked, place, self.radius.unwrap_or(0.0)));
            let Some(footing) = footing.filter(|footing| footing.gap.is_some()) else { continue };
            sentence.extend(footing.told(end).map(|told| format!("; {told}")));
            json[format!("{end}_gap")] = footing.gap.map(number).into();
        }
        Ok((sentence, json))
    }

    /// The level, and the options to bake it with.
    fn level(&self) -> Result<(Level, BakeOptions)> {
        let options = self.options.clone().with_files()?;
        let areas = Areas::read(options.areas.as_deref())?;
        let level = Level::load(std::slice::from_ref(&self.source), &options, &areas, Terminal::new(self.quiet))?;
        let options = options.over(level.hints.clone());
        let options = match &NamedAgent::all(&options)?[..] {
            [] => options,
            [agent] => agent.over(&options),
            _ => return Err(Failure::new("a position is explained for one agent: give one --agent")),
        };
        Ok((level, options))
    }

    /// The given mesh, or the one that `wayfare bake` would make of the level.
    fn mesh(&self) -> Result<NavMesh> {
        if !is_level(&self.source) {
            return mesh_file::read(Path::new(&self.source));
        }
        let (level, options) = self.level()?;
        let (areas, settings) = (Areas::read(options.areas.as_deref())?, options.settings()?);
        let work = Work { threads: options.thread_count()?, repeat: 1, memory: options.memory_limit() };
        level.check_fits(&settings, work.memory)?;
        let given = connections::read(options.connections.as_deref())?;
        let connections = level.imported.connections.iter().chain(&given.connections).copied().collect();
        let terminal = Terminal::new(true);
        let baker = MeshBaker { level: &level, areas: &areas, connections, work, terminal };
        let flags = |area| areas.flags(area);
        let (mut mesh, _) = baking::bake(level.input(), &settings, &flags, work, terminal)?;
        baker.complete(&options, &settings, &mut mesh)?;
        Ok(mesh)
    }
}

fn place_json(told: &Explanation) -> Value {
    json!({
        "at": point(told.asked),
        "walkable": told.is_walkable(),
        "reason": told.reason.name(),
        "inside_hollow_body": told.inside_hollow_body,
        "sentence": told.to_string(),
        "ground": told.ground.map(point),
        "metres": told.metres.map(number),
        "cells": told.cells,
        "cause": told.cause.map(|(reason, at)| json!({"reason": reason.name(), "at": point(at)})),
    })
}

/// `on_mesh` returns the polygon of the mesh from which a reported polygon was cut.
fn path_json(told: &PathExplanation, on_mesh: impl Fn(PolyRef) -> PolyRef) -> Value {
    let poly_json = |poly| super::path::poly_json(on_mesh(poly));
    let [start, goal] = told.ends.map(|end| end.map(|end| poly_json(end.poly)));
    json!({
        "reason": told.reason.name(),
        "sentence": told.to_string(),
        "start": start,
        "goal": goal,
        "components": told.components,
        "limit": told.limit.map(|limit| limit.to_string()),
        "reached": told.reached.map(point),
        "blocker": told.blocker.map(|(poly, state)| json!({
            "poly": poly_json(poly),
            "off_mesh": poly.is_off_mesh(),
            "area": state.area.get(),
            "flags": state.flags.0,
            "at": told.blocked_at.map(point),
        })),
    })
}
