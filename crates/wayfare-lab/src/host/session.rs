//! One running prototype: ticks, steps back, parameters, recording, log and times.
//!
//! The past can be walked through: [`go_to`](Session::go_to) shows any tick again, and going on from there replays what
//! was recorded, until something else is done; that forgets what came after.

use super::checkpoints::Checkpoints;
use super::log::Log;
use super::profiler::Profiler;
use super::recording::Recording;
use super::{TICK, find, replay};
use crate::canvas::Canvas;
use crate::input::{Input, Ray};
use crate::params::{Param, Params, Value};
use crate::prototype::{Clock, Entry, Figure, Figures, Instance, Meta, Phases, Remark, Report, Setup};
use core::time::Duration;
use std::collections::BTreeMap;
use std::rc::Rc;
use wayfare::Vec3;

/// The most ticks that one frame makes up for; a machine that cannot keep up slows down instead of falling behind.
const MOST_TICKS: u32 = 8;

/// No tick begins in a frame that has taken so long already: the window is to answer however slow a prototype is.
const MOST_TIME: Duration = Duration::from_millis(25);

/// Why something cannot be run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// There is no such prototype.
    #[error("there is no prototype `{name}` in the list")]
    Name {
        /// The name.
        name: String,
    },
    /// It has no such parameter, or one of another kind.
    #[error("there is no parameter `{name}` that takes {value:?}; its `params` lists what there is")]
    Param {
        /// The name.
        name: String,
        /// The value that it cannot take.
        value: Value,
    },
    /// A text that cannot be read.
    #[error("cannot be read: {0}")]
    Text(String),
}

/// A running prototype.
pub struct Session {
    entry: &'static Entry,
    instance: Box<dyn Instance>,
    setup: Setup,
    recording: Recording,
    checkpoints: Checkpoints,
    tick: u32,
    next: Input,
    /// Whether time stands still; [`tick`](Self::tick) steps all the same.
    pub paused: bool,
    /// How fast time goes by: 1 is real time.
    pub speed: f32,
    /// Time that has gone by and is not a tick yet, seconds.
    behind: f32,
    log: Log,
    profiler: Profiler,
}

impl core::fmt::Debug for Session {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Session").field("prototype", &self.entry.name).field("tick", &self.tick).finish_non_exhaustive()
    }
}

impl Session {
    /// Begins a run of the prototype of this name.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn new(name: &str, seed: u64) -> Result<Self, LabError> {
        Self::of(Recording::of(name, seed))
    }

    /// The beginning of a recorded run; going on replays it.
    ///
    /// # Errors
    /// There is no such prototype, or it lacks a parameter that the run begins with.
    pub fn of(recording: Recording) -> Result<Self, LabError> {
        let unknown = || LabError::Name { name: recording.prototype.clone() };
        let entry = find(&recording.prototype).ok_or_else(unknown)?;
        let setup = Setup::of(recording.seed);
        let instance = replay::begin(entry, &recording, &setup)?;
        let mut session = Self {
            entry,
            instance,
            setup,
            recording,
            checkpoints: Checkpoints::new(),
            tick: 0,
            next: Input::default(),
            paused: false,
            speed: 1.0,
            behind: 0.0,
            log: Log::default(),
            profiler: Profiler::default(),
        };
        replay::set_all(&mut *session.instance, &session.recording, 0);
        session.write_log();
        Ok(session)
    }

    /// The same with a clock, by which ticks and their phases are timed.
    #[must_use]
    pub fn timed_by(mut self, clock: Clock) -> Self {
        self.setup.clock = clock;
        // The prototype has its clock from its beginning.
        self.rebuild(self.tick);
        self
    }

    /// The prototype's row in the registry.
    #[must_use]
    pub fn entry(&self) -> &'static Entry {
        self.entry
    }

    /// What the prototype says about itself.
    #[must_use]
    pub fn meta(&self) -> Meta {
        self.instance.meta()
    }

    /// How many ticks have gone by.
    #[must_use]
    pub fn now(&self) -> u32 {
        self.tick
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.recording.seed
    }

    /// What was done so far, and after it what was undone by going back.
    #[must_use]
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// The parameters with their values.
    #[must_use]
    pub fn params(&self) -> Vec<Param> {
        list(&*self.instance)
    }

    /// The parameters' values that differ from the defaults.
    #[must_use]
    pub fn changed_params(&self) -> BTreeMap<String, Value> {
        let defaults = list(&*(self.entry.make)());
        let changed = self.params().into_iter().filter(|param| !defaults.contains(param));
        changed.map(|param| (param.name.to_owned(), param.value)).collect()
    }

    /// Sets a parameter, at once. One that restarts begins the run anew; all others are recorded.
    ///
    /// # Errors
    /// There is no such parameter, or it is of another kind. Nothing has changed then.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), LabError> {
        let taken = replay::set(&mut *self.instance, name, value)?;
        if taken.restarts {
            self.restart();
        } else {
            self.instance.changed();
            self.forget_future();
            self.recording.push_set(name, value);
            self.write_log();
        }
        Ok(())
    }

    /// Sets all parameters back to their defaults and begins anew.
    pub fn reset_params(&mut self) {
        self.instance = (self.entry.make)();
        self.restart();
    }

    /// Says what a person does until the next tick. Clicks and keys that go down are not lost if several inputs come
    /// before it.
    pub fn input(&mut self, input: &Input) {
        let mut pressed = core::mem::take(&mut self.next.pressed);
        pressed.extend(input.pressed.iter().filter(|key| !pressed.contains(key)).copied().collect::<Vec<_>>());
        let clicked = self.next.pointer.filter(|pointer| pointer.pressed);
        self.next = Input { pressed, ..input.clone() };
        if let Some(click) = clicked
            && !self.next.pointer.is_some_and(|pointer| pointer.pressed)
        {
            self.next.pointer = Some(click);
        }
    }

    /// Goes on by the time of a frame, seconds: as many ticks as that makes, none while it is paused. How many.
    pub fn advance(&mut self, frame: f32) -> u32 {
        if self.paused {
            return 0;
        }
        self.behind += (frame * self.speed).clamp(0.0, 1.0);
        let due = (self.behind / TICK) as u32;
        self.behind -= due as f32 * TICK;
        let begun = (self.setup.clock)();
        let mut ticks = 0;
        while ticks < due.min(MOST_TICKS) && (self.setup.clock)().saturating_sub(begun) < MOST_TIME {
            self.tick();
            ticks += 1;
        }
        ticks
    }

    /// Goes on by one tick.
    pub fn tick(&mut self) {
        let input = self.take_input();
        let began = (self.setup.clock)();
        self.instance.update(TICK, &input);
        let took = (self.setup.clock)().saturating_sub(began);
        self.note_times(took);
        self.tick += 1;
        self.checkpoints.offer(self.tick, &*self.instance);
        replay::set_all(&mut *self.instance, &self.recording, self.tick);
        self.write_log();
    }

    /// Goes back by one tick.
    pub fn step_back(&mut self) {
        self.go_to(self.tick.saturating_sub(1));
    }

    /// Shows the state at a tick, if it has been recorded; else at the last that has.
    pub fn go_to(&mut self, tick: u32) {
        self.rebuild(tick.min(self.recording.ticks));
        self.log.truncate(self.tick);
    }

    /// Begins anew, with the same seed and the parameters of now.
    pub fn restart(&mut self) {
        self.reseed(self.recording.seed);
    }

    /// Begins anew, with another seed and the parameters of now.
    pub fn reseed(&mut self, seed: u64) {
        let start = self.changed_params();
        self.recording = Recording { start, ..Recording::of(self.entry.name, seed) };
        self.setup.seed = seed;
        self.checkpoints.clear();
        self.log = Log::default();
        self.next = Input::default();
        self.rebuild(0);
        self.write_log();
    }

    /// Draws the state of now.
    pub fn draw(&self, canvas: &mut Canvas) {
        self.instance.draw(canvas);
    }

    /// Where a ray meets what can be clicked at.
    #[must_use]
    pub fn ground(&self, ray: &Ray) -> Option<Vec3> {
        self.instance.ground(ray)
    }

    /// The figures of now.
    #[must_use]
    pub fn figures(&self) -> Vec<Figure> {
        let mut figures = Figures::default();
        self.instance.figures(&mut figures);
        figures.0
    }

    /// What the prototype has to say about its state of now.
    #[must_use]
    pub fn remarks(&self) -> Vec<Remark> {
        let mut report = Report::default();
        self.instance.report(&mut report);
        report.0
    }

    /// What it had to say so far.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// How long the last ticks took.
    #[must_use]
    pub fn profiler(&self) -> &Profiler {
        &self.profiler
    }

    /// Notes how long the drawing took, as the app measured it.
    pub fn drawn_in(&mut self, time: Duration) {
        self.profiler.drawn_in(time);
    }

    /// A number for all that can be seen of the state of now.
    #[must_use]
    pub fn digest(&self) -> u64 {
        replay::digest(&*self.instance)
    }

    /// The input of the next tick: recorded, while the past is walked through and nothing else is done.
    fn take_input(&mut self) -> Input {
        let input = core::mem::take(&mut self.next);
        let held = Input {
            held: input.held.clone(),
            pointer: input.pointer.map(|p| crate::input::Pointer { pressed: false, ..p }),
            ..Input::default()
        };
        let is_deed =
            !input.pressed.is_empty() || !input.held.is_empty() || input.pointer.is_some_and(|p| p.down || p.pressed);
        if self.tick < self.recording.ticks && !is_deed {
            return self.recording.input_at(self.tick);
        }
        // What is held stays so if no input comes before the tick after this one.
        self.next = held;
        self.forget_future();
        self.recording.push_input(&input);
        input
    }

    fn forget_future(&mut self) {
        if self.tick < self.recording.ticks {
            self.recording.truncate(self.tick);
            self.checkpoints.truncate(self.tick);
        }
    }

    /// Makes the state at a tick from the recording.
    fn rebuild(&mut self, tick: u32) {
        let (from, mut instance) = match self.checkpoints.before(tick) {
            Some(found) => found,
            // It has begun like this before, so it can again.
            None => match replay::begin(self.entry, &self.recording, &self.setup) {
                Ok(instance) => (0, instance),
                Err(_) => return,
            },
        };
        replay::run(&mut *instance, &self.recording, from, tick);
        self.instance = instance;
        self.tick = tick;
        self.behind = 0.0;
    }

    fn write_log(&mut self) {
        self.log.see(self.tick, self.remarks());
    }

    fn note_times(&mut self, update: Duration) {
        let mut phases = Phases::default();
        self.instance.phases(&mut phases);
        self.profiler.push(self.tick, update, phases.0);
    }
}

/// A clock that stands still.
#[must_use]
pub fn no_clock() -> Clock {
    Rc::new(|| Duration::ZERO)
}

fn list(instance: &dyn Instance) -> Vec<Param> {
    let mut list = Vec::new();
    // Listing changes nothing, but the description has mutable access: it is the one that sets as well.
    instance.copy().params(&mut Params::listing(&mut list));
    list
}
