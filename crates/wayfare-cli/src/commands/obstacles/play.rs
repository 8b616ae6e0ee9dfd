//! Plays a file: obstacles are added and removed, and queries in between are answered.

use super::costs::{Costs, Disc};
use super::film::Film;
use super::level::LevelOptions;
use super::op::{OPS, Op, read_triangles};
use super::things::{Asked, Things};
use crate::baking::Stopwatch;
use crate::commands::query::answer_line;
use crate::failure::{Failure, Result};
use crate::options::json_lines;
use crate::output::numbers::counted;
use crate::output::stats::ms;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};
use wayfare::Vec3;
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{Obstacles, Outcome, Request};
use wayfare::format::WayFile;
use wayfare::math::Aabb;
use wayfare::mesh::NavMesh;
use wayfare::query::SearchScratch;
use wayfare::tile::TileCoord;

/// The budget of a frame for tiles, per second of its duration, in cells and similar units: a third of a millisecond of
/// sixteen.
const CELLS_A_SECOND: f64 = 1_200_000.0;

/// How many operations the name of a frame names.
const NAMED: usize = 2;

/// A mesh with its obstacles while a file is played.
pub(in crate::commands) struct Stage {
    pub(in crate::commands) mesh: NavMesh,
    pub(super) things: Things,
    pub(in crate::commands) costs: Costs,
    scratch: SearchScratch,
    clock: Stopwatch,
    pub(in crate::commands) answers: Vec<Value>,
    /// The time for rebuilding each tile.
    pub(in crate::commands) times: Vec<Duration>,
    /// Number of invalid lines.
    misunderstood: u64,
    /// The frames, if they are wanted, and what was done since the last.
    pub(super) film: Option<Film>,
    done: Vec<String>,
}

impl Stage {
    /// The stage of a mesh that was baked with layers, and how long it took to read these.
    pub(in crate::commands) fn open(file: WayFile, path: &Path, level: &LevelOptions) -> Result<(Self, Duration)> {
        let began = Instant::now();
        let obstacles = Obstacles::from_file(&file).map_err(|e| Failure::about(path.display(), e))?;
        let obstacles = obstacles.ok_or_else(|| {
            Failure::about(path.display(), "has no layers: bake it with `wayfare bake LEVEL -o FILE.way --layers`")
        })?;
        let build = began.elapsed();
        let level = level.read(obstacles.checkpoints().plan())?;
        Ok((Self::new(file.mesh, Things::new(obstacles, level)), build))
    }

    /// Fails if a line could not be understood.
    pub(in crate::commands) fn check_understood(&self) -> Result<()> {
        match self.misunderstood {
            0 => Ok(()),
            n => Err(Failure::new(format_args!("{} could not be understood: the answers say why", counted(n, "line")))),
        }
    }

    fn new(mesh: NavMesh, things: Things) -> Self {
        Self {
            mesh,
            things,
            costs: Costs::default(),
            scratch: SearchScratch::new(),
            clock: Stopwatch(Instant::now()),
            answers: Vec::new(),
            times: Vec::new(),
            misunderstood: 0,
            film: None,
            done: Vec::new(),
        }
    }

    /// Executes a line, given its number and its text.
    pub(in crate::commands) fn play(&mut self, (number, text): (u64, &[u8])) -> Result<()> {
        let op = serde_json::from_slice::<Value>(text).ok();
        let field = |name| op.as_ref().and_then(|op| op.get(name));
        let name = field("op").and_then(Value::as_str).unwrap_or_default();
        if !OPS.contains(&name) {
            self.ask((number, text));
            return Ok(());
        }
        let mut answer = Map::from_iter([("op".to_owned(), json!(name))]);
        for key in ["id", "name"] {
            let value = field(key).filter(|value| !value.is_null());
            answer.extend(value.map(|value| (key.to_owned(), value.clone())));
        }
        if self.film.is_some() {
            let whom = field("name").and_then(Value::as_str).map(|whom| format!(" {whom}"));
            self.done.push(format!("{name}{}", whom.unwrap_or_default()));
        }
        match serde_json::from_slice(text) {
            Ok(op) => self.carry_out(op, &mut answer)?,
            Err(e) => {
                self.misunderstood += 1;
                answer.insert("error".to_owned(), json!(format!("line {number}: {}", json_lines::in_line(&e))));
            }
        }
        self.answers.push(Value::Object(answer));
        Ok(())
    }

    fn carry_out(&mut self, op: Op, answer: &mut Map<String, Value>) -> Result<()> {
        let asked = match op {
            Op::Add { name, shape, area, .. } => self.things.add(name, shape, area),
            Op::Geometry { name, file, at, .. } => {
                read_triangles(&file).and_then(|surface| self.things.add_object(name, surface, Vec3::from(at)))
            }
            Op::Move { name, by, .. } => self.things.move_by(&name, Vec3::from(by)),
            Op::Remove { name, .. } => self.things.remove(&name),
            Op::Invalidate { min, max, .. } => self.things.invalidate(Aabb { min: min.into(), max: max.into() }),
            Op::Overlay { at, radius, cost, half_life, reach, .. } => {
                self.paint(&Disc { center: at.into(), radius, reach, cost, half_life }, answer);
                return Ok(());
            }
            Op::Begin { .. } => {
                let tiles: Vec<_> = self.things.obstacles.about_to_change().collect();
                say(answer, if tiles.is_empty() { "built" } else { "waiting" }, &tiles);
                return Ok(());
            }
            Op::Update { .. } => {
                let began = Instant::now();
                let tiles = self.update()?;
                answer.insert("ms".to_owned(), json!(ms(began.elapsed())));
                say(answer, "built", &tiles);
                self.take_frame();
                return Ok(());
            }
            Op::Tick { dt, .. } => return self.tick(dt, answer),
        };
        self.say_what_became_of(asked, answer);
        Ok(())
    }

    fn say_what_became_of(&self, asked: Asked, answer: &mut Map<String, Value>) {
        match asked {
            Ok(requests) => {
                let outcome = |request: &Request| self.things.obstacles.outcome(request);
                let outcomes: Vec<Outcome> = requests.iter().map(outcome).collect();
                let first = [Outcome::Waiting, Outcome::Failed, Outcome::Built];
                let outcome = first.into_iter().find(|outcome| outcomes.contains(outcome)).unwrap_or(Outcome::Outside);
                let all = requests.iter().flat_map(|request| &request.tiles);
                let rows: BTreeSet<_> = all.map(|tile| (tile.z, tile.x, tile.layer)).collect();
                let tiles: Vec<_> = rows.into_iter().map(|(z, x, layer)| TileCoord { x, z, layer }).collect();
                say(answer, outcome.name(), &tiles);
            }
            Err(why) => refuse(answer, &why),
        }
    }

    /// Paints a cost.
    fn paint(&mut self, disc: &Disc, answer: &mut Map<String, Value>) {
        match self.costs.paint(disc) {
            Ok(cells) => {
                let tiles = disc.tiles(&self.mesh);
                answer.insert("cells".to_owned(), json!(cells));
                say(answer, if tiles.is_empty() { "outside" } else { "built" }, &tiles);
            }
            Err(why) => refuse(answer, &why),
        }
    }

    /// Rebuilds until nothing is left to do. The tiles that were made anew.
    fn update(&mut self) -> Result<Vec<TileCoord>> {
        let mut tiles = Vec::new();
        while !self.step(Budget::unlimited(), &mut tiles)? {}
        Ok(tiles)
    }

    /// Rebuilds within the budget, and lists the rebuilt tiles; returns whether nothing is left to do.
    fn step(&mut self, budget: Budget, tiles: &mut Vec<TileCoord>) -> Result<bool> {
        let Self { mesh, things: Things { obstacles, level, .. }, clock, .. } = self;
        let context = Context { clock: Some(clock), ..Context::default() };
        let progress = match level {
            Some(level) => obstacles.step_from(mesh, level, budget, &context),
            None => obstacles.step(mesh, budget, &context),
        };
        let progress = progress.map_err(Failure::new)?;
        self.times.extend(obstacles.rebuilt().iter().map(|tile| tile.time));
        tiles.extend(obstacles.rebuilt().iter().map(|tile| tile.coord));
        Ok(progress.is_finished())
    }

    fn tick(&mut self, dt: f64, answer: &mut Map<String, Value>) -> Result<()> {
        if !(dt.is_finite() && dt >= 0.0) {
            refuse(answer, &format!("dt is {dt}: give seconds, 0 or more"));
            return Ok(());
        }
        let began = Instant::now();
        let (is_finished, tiles) = self.pass(dt)?;
        answer.insert("ms".to_owned(), json!(ms(began.elapsed())));
        say(answer, if is_finished { "built" } else { "waiting" }, &tiles);
        self.take_frame();
        Ok(())
    }

    /// Lets a frame of so many seconds pass: rebuilds as much as it has time for, and lets costs decay. Returns whether
    /// nothing is left to do, and the tiles that were made anew.
    pub(in crate::commands) fn pass(&mut self, dt: f64) -> Result<(bool, Vec<TileCoord>)> {
        let mut tiles = Vec::new();
        // The cast saturates.
        let is_finished = self.step(Budget::new((dt * CELLS_A_SECOND) as u64), &mut tiles)?;
        self.costs.advance(dt);
        Ok((is_finished, tiles))
    }

    /// Does what is left to do at the end; a frame more, if that is anything.
    pub(super) fn end(&mut self) -> Result<()> {
        if !self.update()?.is_empty() {
            self.done.push("end".to_owned());
            self.take_frame();
        }
        Ok(())
    }

    /// Adds a frame, named after what was done since the last.
    fn take_frame(&mut self) {
        let Some(mut film) = self.film.take() else { return };
        let name = match &self.done[..] {
            [all @ .., last] if all.len() > NAMED => format!("{} operations, {last}", all.len()),
            all => all.join(", "),
        };
        film.add(self, &name);
        self.done.clear();
        self.film = Some(film);
    }

    fn ask(&mut self, line: (u64, &[u8])) {
        let costs = self.costs.overlays().cloned().collect();
        let (mut answer, is_understood) = answer_line(line, &self.mesh, costs, &mut self.scratch);
        self.misunderstood += u64::from(!is_understood);
        if let Some(at) = answer.get("polys").and_then(Value::as_array).and_then(|polys| self.soon_broken(polys)) {
            answer.insert("soon_broken".to_owned(), json!(at));
        }
        self.answers.push(Value::Object(answer));
    }

    /// The first polygon of a path that lies in a tile that will be rebuilt.
    fn soon_broken(&self, polys: &[Value]) -> Option<usize> {
        let tiles = self.things.obstacles.about_to_change().filter_map(|coord| self.mesh.tile_at(coord));
        let slots: Vec<u64> = tiles.map(|tile| u64::from(tile.slot().get())).collect();
        let slot = |poly: &Value| poly.get(0).and_then(Value::as_u64);
        polys.iter().position(|poly| slot(poly).is_some_and(|slot| slots.contains(&slot)))
    }
}

fn say(answer: &mut Map<String, Value>, outcome: &str, tiles: &[TileCoord]) {
    answer.insert("outcome".to_owned(), json!(outcome));
    answer.insert("tiles".to_owned(), tiles.iter().map(|tile| json!([tile.x, tile.z])).collect());
}

fn refuse(answer: &mut Map<String, Value>, why: &str) {
    say(answer, "refused", &[]);
    answer.insert("reason".to_owned(), json!(why));
}
