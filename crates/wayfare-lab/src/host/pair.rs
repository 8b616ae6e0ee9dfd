//! Two prototypes, or one with two settings, side by side on the same input, with their figures compared.

use super::session::{LabError, Session};
use crate::input::Input;
use crate::params::Value;

/// Two sessions that go on together.
#[derive(Debug)]
pub struct Pair {
    /// Left and right.
    pub sides: [Session; 2],
}

/// A figure of both sides. NaN on the side that does not have it.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Its name.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Left and right.
    pub values: [f64; 2],
}

impl Pair {
    /// Two sessions; both begin anew, with the seed of the left.
    #[must_use]
    pub fn new(left: Session, mut right: Session) -> Self {
        let mut left = left;
        left.restart();
        right.reseed(left.seed());
        Self { sides: [left, right] }
    }

    /// The session twice, to be given different settings.
    ///
    /// # Errors
    /// Not for a session that runs.
    pub fn twice(session: Session) -> Result<Self, LabError> {
        let other = Session::of(super::Recording {
            start: session.changed_params(),
            ..super::Recording::of(session.entry().name, session.seed())
        })?;
        Ok(Self::new(session, other))
    }

    /// The same input for both.
    pub fn input(&mut self, input: &Input) {
        self.sides.iter_mut().for_each(|side| side.input(input));
    }

    /// Sets a parameter on every side that has it.
    ///
    /// # Errors
    /// Neither has it.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), LabError> {
        let [left, right] = &mut self.sides;
        left.set(name, value).or(right.set(name, value))
    }

    /// Both go on by one tick.
    pub fn tick(&mut self) {
        self.sides.iter_mut().for_each(Session::tick);
    }

    /// Both go on by the time of a frame, seconds, at the left one's pace.
    pub fn advance(&mut self, frame: f32) -> u32 {
        let [left, right] = &mut self.sides;
        let ticks = left.advance(frame);
        (0..ticks).for_each(|_| right.tick());
        ticks
    }

    /// Both show the state at a tick.
    pub fn go_to(&mut self, tick: u32) {
        self.sides.iter_mut().for_each(|side| side.go_to(tick));
    }

    /// Both begin anew with a seed.
    pub fn reseed(&mut self, seed: u64) {
        self.sides.iter_mut().for_each(|side| side.reseed(seed));
    }

    /// The figures of both: those of the left in its order, then those that only the right has.
    #[must_use]
    pub fn compare(&self) -> Vec<Compared> {
        let [left, right] = [0, 1].map(|side| self.sides[side].figures());
        let mut out: Vec<Compared> = left
            .iter()
            .map(|figure| {
                let other = right.iter().find(|other| other.name == figure.name).map_or(f64::NAN, |other| other.value);
                Compared { name: figure.name, unit: figure.unit, values: [figure.value, other] }
            })
            .collect();
        let only = right.iter().filter(|figure| left.iter().all(|other| other.name != figure.name));
        out.extend(only.map(|figure| Compared {
            name: figure.name,
            unit: figure.unit,
            values: [f64::NAN, figure.value],
        }));
        out
    }
}
