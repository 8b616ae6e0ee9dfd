//! `--play FILE`: obstacles come and go while a crowd walks.
//!
//! Before each tick the lines whose `at_tick` has come are played, as `wayfare obstacles` plays them; then tiles are
//! rebuilt for as long as a frame of a game would have time for, and the crowd walks on over what is there.

use super::run::Ground;
use crate::commands::obstacles::{LevelOptions, Stage};
use crate::dash;
use crate::failure::{Failure, Result};
use crate::options::json_lines;
use serde_json::{Map, Value, json};
use std::path::Path;
use wayfare::crowd::Crowd;
use wayfare::format::WayFile;
use wayfare::mesh::NavMesh;
use wayfare::query::{DefaultFilter, Overlaid};

/// After so many ticks agents are told how costs have decayed: four times a second.
const TICKS_A_RECOST: u32 = 5;

/// A mesh under obstacles, and what will happen to it.
pub(super) struct Play {
    stage: Stage,
    /// In the order in which they are played.
    lines: Vec<Line>,
    next: usize,
    /// Whether agents have been told of costs that may be less by now.
    has_costs: bool,
}

/// An operation or a query.
struct Line {
    at_tick: u32,
    number: u64,
    /// Without its tick.
    text: Vec<u8>,
}

impl Play {
    /// Reads a play for so many ticks on a mesh that was baked with layers.
    pub(super) fn read((file, mesh): (WayFile, &Path), play: &Path, level: &LevelOptions, ticks: u32) -> Result<Self> {
        let (stage, _) = Stage::open(file, mesh, level)?;
        let text = dash::read(play)?;
        let line = |(number, text): (u64, &[u8])| {
            Line::read(number, text, ticks).map_err(|what| json_lines::wrong(play, number as usize, what))
        };
        let mut lines = json_lines::numbered(&text).map(line).collect::<Result<Vec<_>>>()?;
        // Stable: what happens in the same tick happens in the order of the file.
        lines.sort_by_key(|line| line.at_tick);
        Ok(Self { stage, lines, next: 0, has_costs: false })
    }

    /// The answers to all lines, each with its tick.
    pub(super) fn answers(&self) -> &[Value] {
        &self.stage.answers
    }

    /// How many tiles were made anew.
    pub(super) fn rebuilds(&self) -> usize {
        self.stage.times.len()
    }

    /// Fails if a line could not be understood.
    pub(super) fn check(&self) -> Result<()> {
        self.stage.check_understood()
    }

    /// Tells the crowd what overlays cost now.
    fn recost(&mut self, crowd: &mut Crowd) -> Result<()> {
        let mut filter = Overlaid::new(DefaultFilter::of(&self.stage.mesh));
        let mut has_costs = false;
        for overlay in self.stage.costs.overlays() {
            filter = filter.with(overlay, 1.0).map_err(Failure::new)?;
            has_costs = true;
        }
        if has_costs || self.has_costs {
            crowd.set_costs(0, filter).map_err(Failure::new)?;
        }
        self.has_costs = has_costs;
        Ok(())
    }
}

impl Line {
    fn read(number: u64, text: &[u8], ticks: u32) -> std::result::Result<Self, String> {
        let mut fields: Map<String, Value> = serde_json::from_slice(text).map_err(|e| json_lines::in_line(&e))?;
        let at_tick = match fields.remove("at_tick") {
            None => Some(0),
            Some(tick) => tick.as_u64().and_then(|tick| u32::try_from(tick).ok()),
        };
        let at_tick = at_tick.ok_or("\"at_tick\" must be a whole number, 0 or above")?;
        if at_tick >= ticks {
            return Err(format!(
                "\"at_tick\" is {at_tick}, but the crowd walks only the ticks from 0 to {}",
                ticks - 1
            ));
        }
        if fields.get("op").and_then(Value::as_str) == Some("tick") {
            return Err("the ticks of a crowd pass by themselves: leave \"tick\" out".to_owned());
        }
        Ok(Self { at_tick, number, text: Value::Object(fields).to_string().into_bytes() })
    }
}

impl Ground for Play {
    fn mesh(&self) -> &NavMesh {
        &self.stage.mesh
    }

    fn before(&mut self, tick: u32, dt: f32, crowd: &mut Crowd) -> Result<()> {
        let first = self.next;
        while let Some(line) = self.lines.get(self.next).filter(|line| line.at_tick <= tick) {
            let answered = self.stage.answers.len();
            self.stage.play((line.number, &line.text))?;
            let new = self.stage.answers[answered..].iter_mut().filter_map(Value::as_object_mut);
            new.for_each(|answer| drop(answer.insert("at_tick".to_owned(), json!(tick))));
            self.next += 1;
        }
        if self.next > first || tick.is_multiple_of(TICKS_A_RECOST) {
            self.recost(crowd)?;
        }
        self.stage.pass(f64::from(dt)).map(|_| ())
    }
}
