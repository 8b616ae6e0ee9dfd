//! What was done to a prototype, tick by tick: enough to replay it.
//!
//! ```text
//!   start: values ─► tick 0 ─► tick 1 ─► …        set:   at a tick, before its update; holds from then on
//!                    set, input                   input: of a tick; its pointer and held keys stay until the next
//! ```

use super::session::LabError;
use crate::input::Input;
use crate::params::Value;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A run of a prototype, from its beginning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// The prototype's name.
    pub prototype: String,
    /// The seed.
    pub seed: u64,
    /// How many ticks were recorded.
    pub ticks: u32,
    /// The parameters at the beginning, those that differ from the defaults.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub start: BTreeMap<String, Value>,
    /// Parameters that were changed on the run, by tick.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<SetAt>,
    /// Inputs that were not what the one before went on to be, by tick.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub input: Vec<InputAt>,
}

/// A parameter that is changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetAt {
    /// Before the update of this tick.
    pub tick: u32,
    /// The parameter's name.
    pub name: String,
    /// Its new value.
    pub value: Value,
}

/// An input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputAt {
    /// In this tick.
    pub tick: u32,
    /// The input.
    #[serde(flatten)]
    pub input: Input,
}

impl Recording {
    /// Nothing was done yet.
    #[must_use]
    pub fn of(prototype: &str, seed: u64) -> Self {
        Self { prototype: prototype.to_owned(), seed, ..Self::default() }
    }

    /// The input of a tick.
    #[must_use]
    pub fn input_at(&self, tick: u32) -> Input {
        let after = self.input.partition_point(|other| other.tick <= tick);
        match after.checked_sub(1).map(|last| &self.input[last]) {
            Some(last) if last.tick == tick => last.input.clone(),
            Some(last) => gone_on(&last.input),
            None => Input::default(),
        }
    }

    /// The parameters that are set before the update of a tick.
    pub fn set_at(&self, tick: u32) -> impl Iterator<Item = &SetAt> {
        let first = self.set.partition_point(|other| other.tick < tick);
        self.set[first..].iter().take_while(move |set| set.tick == tick)
    }

    /// Writes down the input of the tick after all others.
    pub fn push_input(&mut self, input: &Input) {
        if self.input_at(self.ticks) != *input {
            self.input.push(InputAt { tick: self.ticks, input: input.clone() });
        }
        self.ticks += 1;
    }

    /// Writes down a change before the update of the tick after all others. Of several changes of one parameter in one
    /// tick the last stays.
    pub fn push_set(&mut self, name: &str, value: &Value) {
        let tick = self.ticks;
        self.set.retain(|other| other.tick != tick || other.name != name);
        self.set.push(SetAt { tick, name: name.to_owned(), value: value.clone() });
    }

    /// Forgets all from the update of this tick on.
    pub fn truncate(&mut self, tick: u32) {
        self.ticks = self.ticks.min(tick);
        self.set.retain(|set| set.tick <= tick);
        self.input.retain(|input| input.tick < tick);
    }

    /// As text (TOML).
    ///
    /// # Errors
    /// Not for recordings that a session made.
    pub fn to_text(&self) -> Result<String, LabError> {
        toml::to_string(self).map_err(|error| LabError::Text(error.to_string()))
    }

    /// From text.
    ///
    /// # Errors
    /// Text that is not a recording.
    pub fn from_text(text: &str) -> Result<Self, LabError> {
        let recording: Self = toml::from_str(text).map_err(|error| LabError::Text(error.to_string()))?;
        recording.checked()
    }

    /// The same in the order of its ticks, if it can be played: anybody can have written the file.
    pub(super) fn checked(mut self) -> Result<Self, LabError> {
        if self.ticks > MOST_TICKS {
            let most = MOST_TICKS;
            return Err(LabError::Text(format!("`ticks` is {}; a recording has at most {most}", self.ticks)));
        }
        let is_lost = |input: &InputAt| input.input.pointer.is_some_and(|pointer| !pointer.at.is_finite());
        if let Some(lost) = self.input.iter().find(|input| is_lost(input)) {
            return Err(LabError::Text(format!("the pointer of tick {} is not at a finite place", lost.tick)));
        }
        self.set.sort_by_key(|set| set.tick);
        self.input.sort_by_key(|input| input.tick);
        Ok(self)
    }
}

/// The longest recording that is read: an hour.
const MOST_TICKS: u32 = 60 * 60 * 60;

/// What an input goes on to be if nothing happens: keys and buttons stay down, and nothing is pressed anew.
fn gone_on(input: &Input) -> Input {
    let mut input = input.clone();
    input.pressed.clear();
    if let Some(pointer) = &mut input.pointer {
        pointer.pressed = false;
    }
    input
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Key, Pointer};
    use wayfare::Vec3;

    fn sample() -> Recording {
        let mut recording = Recording::of("orbit", 7);
        recording.start.insert("speed".into(), Value::Number(2.5));
        let held = Input { held: vec![Key::Up], ..Input::default() };
        for tick in 0..6 {
            match tick {
                1 => recording.push_input(&Input::click(Vec3::X)),
                2 => recording.push_input(&gone_on(&Input::click(Vec3::X))),
                4 | 5 => recording.push_input(&held),
                _ => recording.push_input(&Input::default()),
            }
        }
        recording.push_set("goal", &Value::Point([1.0, 2.0, 3.0]));
        recording.push_set("goal", &Value::Point([4.0, 2.0, 3.0]));
        recording
    }

    #[test]
    fn inputs_are_kept_once_and_read_for_every_tick() {
        let recording = sample();
        assert_eq!(recording.input.iter().map(|input| input.tick).collect::<Vec<_>>(), [1, 3, 4]);
        let pressed = |tick| recording.input_at(tick).pointer.map(|pointer: Pointer| (pointer.pressed, pointer.down));
        assert_eq!([0, 1, 2, 3].map(pressed), [None, Some((true, true)), Some((false, true)), None]);
        assert_eq!(recording.input_at(5).held, [Key::Up]);
        assert_eq!(recording.set_at(6).count(), 1);
        assert_eq!(recording.set_at(5).count(), 0);
    }

    #[test]
    fn a_recording_survives_as_text() {
        let recording = sample();
        assert_eq!(Recording::from_text(&recording.to_text().unwrap()).unwrap(), recording);
        assert!(Recording::from_text("prototype = 3").is_err());
    }

    #[test]
    fn what_cannot_be_played_is_refused_and_what_is_in_disorder_is_put_in_order() {
        let read = |text: &str| Recording::from_text(&format!("prototype = \"orbit\"\nseed = 1\n{text}"));
        let error = read("ticks = 4000000000").unwrap_err().to_string();
        assert!(error.contains("at most 216000"), "{error}");
        let error = read("ticks = 3\n[[input]]\ntick = 2\npointer = { at = [nan, 0.0, inf] }").unwrap_err().to_string();
        assert!(error.contains("tick 2"), "{error}");
        let mixed = read("ticks = 9\n[[input]]\ntick = 5\nheld = [\"Up\"]\n[[input]]\ntick = 1\n").unwrap();
        assert_eq!(mixed.input.iter().map(|input| input.tick).collect::<Vec<_>>(), [1, 5]);
    }

    #[test]
    fn a_new_deed_forgets_what_came_after() {
        let mut recording = sample();
        recording.truncate(2);
        assert_eq!((recording.ticks, recording.input.len(), recording.set.len()), (2, 1, 0));
    }
}
