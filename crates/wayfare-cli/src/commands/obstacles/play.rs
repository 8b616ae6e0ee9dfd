//! Plays a file: obstacles are added and removed, and queries in between are answered.

use super::film::Film;
use super::op::{OPS, Op};
use crate::baking::Stopwatch;
use crate::commands::query::answer_line;
use crate::failure::{Failure, Result};
use crate::options::json_lines;
use crate::output::stats::ms;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use wayfare::Vec3;
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{ObstacleError, ObstacleRef, Obstacles, Outcome, Request};
use wayfare::mesh::NavMesh;
use wayfare::query::SearchScratch;
use wayfare::tile::TileCoord;

/// The budget of a frame for tiles, per second of its duration, in cells and similar units: a third of a millisecond of
/// sixteen.
const CELLS_A_SECOND: f64 = 1_200_000.0;

/// A mesh with its obstacles while a file is played.
pub(super) struct Stage {
    pub(super) mesh: NavMesh,
    pub(super) obstacles: Obstacles,
    names: BTreeMap<String, ObstacleRef>,
    scratch: SearchScratch,
    clock: Stopwatch,
    pub(super) answers: Vec<Value>,
    /// The time for rebuilding each tile.
    pub(super) times: Vec<Duration>,
    /// Number of invalid lines.
    pub(super) misunderstood: u64,
    /// The frames, if requested.
    pub(super) film: Option<Film>,
}

impl Stage {
    pub(super) fn new(mesh: NavMesh, obstacles: Obstacles) -> Self {
        Self {
            mesh,
            obstacles,
            names: BTreeMap::new(),
            scratch: SearchScratch::new(),
            clock: Stopwatch(Instant::now()),
            answers: Vec::new(),
            times: Vec::new(),
            misunderstood: 0,
            film: None,
        }
    }

    /// Executes a line, given its number and its text.
    pub(super) fn play(&mut self, (number, text): (u64, &[u8])) -> Result<()> {
        let op = serde_json::from_slice::<Value>(text).ok();
        let name = op.as_ref().and_then(|op| op.get("op")?.as_str()).unwrap_or_default();
        if !OPS.contains(&name) {
            self.ask((number, text));
            return Ok(());
        }
        let mut answer = Map::from_iter([("op".to_owned(), json!(name))]);
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
        let (id, outcome) = match op {
            Op::Add { id, name, shape, area } => {
                answer.insert("name".to_owned(), json!(name));
                (id, self.add(name, shape.marked(area)))
            }
            Op::Move { id, name, by } => {
                answer.insert("name".to_owned(), json!(name));
                let request = self.of_name(&name).and_then(|o| told(self.obstacles.move_by(o, Vec3::from(by))));
                (id, request)
            }
            Op::Remove { id, name } => {
                answer.insert("name".to_owned(), json!(name));
                let request = self.of_name(&name).and_then(|o| told(self.obstacles.remove(o)));
                self.names.remove(&name);
                (id, request)
            }
            Op::Begin { id } => {
                let tiles: Vec<_> = self.obstacles.about_to_change().collect();
                let outcome = if tiles.is_empty() { "built" } else { "waiting" };
                say(answer, id, outcome, &tiles);
                return Ok(());
            }
            Op::Update { id } => {
                let began = Instant::now();
                let tiles = self.update()?;
                answer.insert("ms".to_owned(), json!(ms(began.elapsed())));
                say(answer, id, "built", &tiles);
                self.take_frame("update");
                return Ok(());
            }
            Op::Tick { id, dt } => {
                self.tick(dt, id, answer)?;
                return Ok(());
            }
        };
        match outcome {
            Ok(request) => {
                let outcome = match self.obstacles.outcome(&request) {
                    Outcome::Built => "built",
                    Outcome::Waiting => "waiting",
                    Outcome::Outside => "outside",
                };
                say(answer, id, outcome, &request.tiles);
            }
            Err(why) => {
                say(answer, id, "refused", &[]);
                answer.insert("reason".to_owned(), json!(why));
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        name: String,
        marked: std::result::Result<wayfare::input::MarkedVolume, String>,
    ) -> std::result::Result<Request, String> {
        if self.names.contains_key(&name) {
            return Err(format!("there is an obstacle \"{name}\" already: remove it, or use another name"));
        }
        let (obstacle, request) = told(self.obstacles.add(marked?))?;
        self.names.insert(name, obstacle);
        Ok(request)
    }

    fn of_name(&self, name: &str) -> std::result::Result<ObstacleRef, String> {
        self.names.get(name).copied().ok_or_else(|| format!("there is no obstacle \"{name}\""))
    }

    /// Rebuilds until nothing is left to do. Returns the rebuilt tiles.
    pub(super) fn update(&mut self) -> Result<Vec<TileCoord>> {
        let mut tiles = Vec::new();
        while !self.step(Budget::unlimited(), &mut tiles)? {}
        Ok(tiles)
    }

    /// Rebuilds within the budget, and lists the rebuilt tiles; returns whether nothing is left to do.
    fn step(&mut self, budget: Budget, tiles: &mut Vec<TileCoord>) -> Result<bool> {
        let Self { mesh, obstacles, clock, .. } = self;
        let context = Context { clock: Some(clock), ..Context::default() };
        let progress = obstacles.step(mesh, budget, &context).map_err(Failure::new)?;
        self.times.extend(obstacles.rebuilt().iter().map(|tile| tile.time));
        tiles.extend(obstacles.rebuilt().iter().map(|tile| tile.coord));
        Ok(progress.is_finished())
    }

    fn tick(&mut self, dt: f64, id: Value, answer: &mut Map<String, Value>) -> Result<()> {
        if !(dt.is_finite() && dt >= 0.0) {
            say(answer, id, "refused", &[]);
            answer.insert("reason".to_owned(), json!(format!("dt is {dt}: give seconds, 0 or more")));
            return Ok(());
        }
        let began = Instant::now();
        let mut tiles = Vec::new();
        // The cast saturates.
        let is_finished = self.step(Budget::new((dt * CELLS_A_SECOND) as u64), &mut tiles)?;
        answer.insert("ms".to_owned(), json!(ms(began.elapsed())));
        say(answer, id, if is_finished { "built" } else { "waiting" }, &tiles);
        self.take_frame("tick");
        Ok(())
    }

    fn take_frame(&mut self, name: &str) {
        if let Some(mut film) = self.film.take() {
            film.add(self, name);
            self.film = Some(film);
        }
    }

    fn ask(&mut self, line: (u64, &[u8])) {
        let (mut answer, is_understood) = answer_line(line, &self.mesh, &mut self.scratch);
        self.misunderstood += u64::from(!is_understood);
        if let Some(at) = answer.get("polys").and_then(Value::as_array).and_then(|polys| self.soon_broken(polys)) {
            answer.insert("soon_broken".to_owned(), json!(at));
        }
        self.answers.push(Value::Object(answer));
    }

    /// The first polygon of a path that lies in a tile that will be rebuilt.
    fn soon_broken(&self, polys: &[Value]) -> Option<usize> {
        let tiles = self.obstacles.about_to_change().filter_map(|coord| self.mesh.tile_at(coord));
        let slots: Vec<u64> = tiles.map(|tile| u64::from(tile.slot().get())).collect();
        let slot = |poly: &Value| poly.get(0).and_then(Value::as_u64);
        polys.iter().position(|poly| slot(poly).is_some_and(|slot| slots.contains(&slot)))
    }
}

fn told<T>(result: std::result::Result<T, ObstacleError>) -> std::result::Result<T, String> {
    result.map_err(|e| e.to_string())
}

fn say(answer: &mut Map<String, Value>, id: Value, outcome: &str, tiles: &[TileCoord]) {
    if !id.is_null() {
        answer.insert("id".to_owned(), id);
    }
    answer.insert("outcome".to_owned(), json!(outcome));
    answer.insert("tiles".to_owned(), tiles.iter().map(|tile| json!([tile.x, tile.z])).collect());
}
