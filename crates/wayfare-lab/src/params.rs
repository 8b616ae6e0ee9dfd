//! Parameters, described once by the prototype itself: the same few lines list them, set them and save them.
//!
//! ```text
//!   fn params(&mut self, params: &mut Params<'_>) {
//!       params.slider("speed", &mut self.speed, 0.0..=5.0).help("m/s");
//!       params.count("agents", &mut self.agents, 1..=500).restarts();
//!       params.point("goal", &mut self.goal);
//!   }
//!          listing ─► the app draws sliders; a point gets a handle that can be dragged
//!          setting ─► the one that is named takes the value; the host records it
//! ```
//!
//! Cost: one pass over the description for each listing and each setting.
//!
//! Sources: Mikko Mononen, "My Favorite Prototyping Environment", Digesting Duck, March 2010; the idea of describing a
//! panel where its values are is that of immediate-mode interfaces (Casey Muratori, 2005).

use core::ops::RangeInclusive;
use serde::{Deserialize, Serialize};
use wayfare::Vec3;

/// A parameter's value, as it is recorded and saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Of a toggle.
    On(bool),
    /// Of a slider or a count.
    Number(f64),
    /// Of a choice: the name of what is chosen.
    Name(String),
    /// Of a point, metres.
    Point([f32; 3]),
}

/// What a parameter is, and what it can be set to.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A number within a range.
    Slider {
        /// The least and the greatest value.
        range: (f32, f32),
    },
    /// A whole number within a range.
    Count {
        /// The least and the greatest value.
        range: (u32, u32),
    },
    /// On or off.
    Toggle,
    /// One of several names.
    Choice {
        /// The names.
        names: &'static [&'static str],
    },
    /// A point that is dragged over the ground.
    Point,
}

/// A parameter as it is listed.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name, unique in its prototype.
    pub name: &'static str,
    /// What it can be set to.
    pub kind: Kind,
    /// What it is set to.
    pub value: Value,
    /// What it does, in a sentence; may be empty.
    pub help: &'static str,
    /// Whether a change restarts the run.
    pub restarts: bool,
}

/// What became of a value that was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Whether the run must begin anew.
    pub restarts: bool,
}

/// Shown to [`Prototype::params`](crate::Prototype::params), which calls one method for each of its parameters.
#[derive(Debug)]
pub struct Params<'a> {
    mode: Mode<'a>,
    /// Whether the parameter of the last call is the one to set.
    at_last: bool,
}

#[derive(Debug)]
enum Mode<'a> {
    List(&'a mut Vec<Param>),
    Set { name: &'a str, value: &'a Value, taken: &'a mut Option<Taken> },
}

impl<'a> Params<'a> {
    /// Lists all parameters into `list`.
    pub fn listing(list: &'a mut Vec<Param>) -> Self {
        Self { mode: Mode::List(list), at_last: false }
    }

    /// Sets one parameter; `taken` tells afterwards whether it exists and the value was of its kind. Numbers are
    /// clamped to their range.
    pub fn setting(name: &'a str, value: &'a Value, taken: &'a mut Option<Taken>) -> Self {
        Self { mode: Mode::Set { name, value, taken }, at_last: false }
    }

    /// A number within a range.
    pub fn slider(&mut self, name: &'static str, value: &mut f32, range: RangeInclusive<f32>) -> &mut Self {
        let (least, most) = range.into_inner();
        let now = Value::Number(f64::from(*value));
        self.row(name, Kind::Slider { range: (least, most) }, now, |new| match new {
            Value::Number(number) if number.is_finite() => {
                *value = (*number as f32).clamp(least, most);
                true
            }
            _ => false,
        })
    }

    /// A whole number within a range.
    pub fn count(&mut self, name: &'static str, value: &mut u32, range: RangeInclusive<u32>) -> &mut Self {
        let (least, most) = range.into_inner();
        let now = Value::Number(f64::from(*value));
        self.row(name, Kind::Count { range: (least, most) }, now, |new| match new {
            Value::Number(number) if number.is_finite() => {
                *value = (number.round() as u32).clamp(least, most);
                true
            }
            _ => false,
        })
    }

    /// On or off.
    pub fn toggle(&mut self, name: &'static str, value: &mut bool) -> &mut Self {
        self.row(name, Kind::Toggle, Value::On(*value), |new| match new {
            Value::On(on) => {
                *value = *on;
                true
            }
            _ => false,
        })
    }

    /// One of several names; `value` is the index of the chosen one.
    pub fn choice(&mut self, name: &'static str, value: &mut usize, names: &'static [&'static str]) -> &mut Self {
        let now = Value::Name(names.get(*value).copied().unwrap_or_default().to_owned());
        self.row(name, Kind::Choice { names }, now, |new| match new {
            Value::Name(name) => names.iter().position(|other| other == name).map(|found| *value = found).is_some(),
            _ => false,
        })
    }

    /// A point that can be dragged.
    pub fn point(&mut self, name: &'static str, value: &mut Vec3) -> &mut Self {
        self.row(name, Kind::Point, Value::Point(value.to_array()), |new| match new {
            Value::Point(point) if Vec3::from(*point).is_finite() => {
                *value = Vec3::from(*point);
                true
            }
            _ => false,
        })
    }

    /// Says what the parameter of the last call does.
    pub fn help(&mut self, text: &'static str) -> &mut Self {
        if let Mode::List(list) = &mut self.mode
            && let Some(last) = list.last_mut()
        {
            last.help = text;
        }
        self
    }

    /// A change of the parameter of the last call begins the run anew.
    pub fn restarts(&mut self) -> &mut Self {
        match &mut self.mode {
            Mode::List(list) => list.iter_mut().next_back().into_iter().for_each(|last| last.restarts = true),
            Mode::Set { taken, .. } if self.at_last => **taken = Some(Taken { restarts: true }),
            Mode::Set { .. } => {}
        }
        self
    }

    fn row(&mut self, name: &'static str, kind: Kind, now: Value, set: impl FnOnce(&Value) -> bool) -> &mut Self {
        match &mut self.mode {
            Mode::List(list) => list.push(Param { name, kind, value: now, help: "", restarts: false }),
            Mode::Set { name: wanted, value, taken } => {
                self.at_last = *wanted == name && set(value);
                if self.at_last {
                    **taken = Some(Taken { restarts: false });
                }
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Panel {
        speed: f32,
        agents: u32,
        method: usize,
    }

    impl Panel {
        fn params(&mut self, params: &mut Params<'_>) {
            params.slider("speed", &mut self.speed, 0.0..=5.0).help("m/s");
            params.count("agents", &mut self.agents, 1..=9).restarts();
            params.choice("method", &mut self.method, &["a", "b"]);
        }

        fn set(&mut self, name: &str, value: &Value) -> Option<Taken> {
            let mut taken = None;
            self.params(&mut Params::setting(name, value, &mut taken));
            taken
        }
    }

    #[test]
    fn one_description_lists_and_sets() {
        let mut panel = Panel::default();
        assert_eq!(panel.set("speed", &Value::Number(7.0)), Some(Taken { restarts: false }));
        assert_eq!(panel.set("agents", &Value::Number(4.4)), Some(Taken { restarts: true }));
        assert_eq!(panel.set("method", &Value::Name("b".into())), Some(Taken { restarts: false }));
        let mut list = Vec::new();
        panel.params(&mut Params::listing(&mut list));
        let values: Vec<_> = list.iter().map(|param| (param.name, param.value.clone(), param.restarts)).collect();
        let number = Value::Number;
        let wanted =
            [("speed", number(5.0), false), ("agents", number(4.0), true), ("method", Value::Name("b".into()), false)];
        assert_eq!((values, list[0].help), (wanted.to_vec(), "m/s"));
    }

    #[test]
    fn unknown_names_and_values_of_another_kind_change_nothing() {
        let mut panel = Panel::default();
        let wrong = [
            ("size", Value::Number(1.0)),
            ("speed", Value::On(true)),
            ("speed", Value::Number(f64::NAN)),
            ("method", Value::Name("c".into())),
        ];
        assert!(wrong.iter().all(|(name, value)| panel.set(name, value).is_none()));
        assert_eq!((panel.speed, panel.method), (0.0, 0));
    }
}
