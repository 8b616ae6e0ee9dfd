//! Panels without a window: a tool describes its panel by calls, an app draws it, and a test presses its buttons.
//!
//! ```text
//!   tool.panel(…, controls) ─► egui's widgets     (the app)
//!                           └► Script             (tests: press "Clear", set "Radius", read a figure)
//! ```
//!
//! Sources: the idea of describing a panel where its values are is that of immediate-mode interfaces (Casey Muratori,
//! 2005).

use crate::canvas::Ink;
use core::ops::RangeInclusive;

/// Times of the last steps of something, to be shown as bars.
#[derive(Clone, Copy, Debug)]
pub struct Bars<'a> {
    /// The names of its parts.
    pub parts: &'a [&'a str],
    /// The time of each part in each step, milliseconds, oldest first.
    pub rows: &'a [Vec<f32>],
    /// The row that is looked at.
    pub chosen: Option<usize>,
    /// What a row is called.
    pub what: &'a str,
    /// The number of the first row.
    pub first: usize,
}

impl Bars<'_> {
    /// What a row is called, with its number.
    #[must_use]
    pub fn name(&self, row: usize) -> String {
        format!("{} {}", self.what, self.first + row)
    }
}

/// What a panel is made of, from top to bottom. A control gives back whether a person has changed it just now.
pub trait Controls {
    /// Begins a section.
    fn heading(&mut self, text: &str);
    /// A sentence.
    fn note(&mut self, text: &str);
    /// A name and a value that cannot be changed.
    fn figure(&mut self, name: &str, value: &str);
    /// What a colour means.
    fn key(&mut self, ink: Ink, text: &str);
    /// What the next control does, shown when the pointer rests on it.
    fn hint(&mut self, text: &str);
    /// A number within a range.
    fn slider(&mut self, name: &str, value: &mut f32, range: RangeInclusive<f32>) -> bool;
    /// A whole number within a range.
    fn count(&mut self, name: &str, value: &mut u32, range: RangeInclusive<u32>) -> bool;
    /// On or off.
    fn toggle(&mut self, name: &str, value: &mut bool) -> bool;
    /// One of several names, by its number.
    fn choice(&mut self, name: &str, chosen: &mut usize, names: &[&str]) -> bool;
    /// A button.
    fn button(&mut self, name: &str) -> bool;
    /// A line of a list that can be clicked.
    fn line(&mut self, text: &str, chosen: bool) -> bool;
    /// Bars that can be clicked: which was.
    fn bars(&mut self, bars: &Bars<'_>) -> Option<usize> {
        let _ = bars;
        None
    }
}

/// Plays one panel in a test: presses, sets, and reads.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The button, line or choice to press, if any.
    pub press: Option<String>,
    /// The control to set and its value, if any. A choice is set by number, a toggle by 0 or 1.
    pub set: Option<(String, f32)>,
    /// What the panel showed: notes, and figures as `name: value`.
    pub shown: Vec<String>,
    /// Names of all controls.
    pub controls: Vec<String>,
}

impl Script {
    /// Presses a button or a line of a list.
    #[must_use]
    pub fn press(name: &str) -> Self {
        Self { press: Some(name.to_owned()), ..Self::default() }
    }

    /// Sets a control.
    #[must_use]
    pub fn set(name: &str, value: f32) -> Self {
        Self { set: Some((name.to_owned(), value)), ..Self::default() }
    }

    /// The value of a figure that was shown.
    #[must_use]
    pub fn figure(&self, name: &str) -> Option<&str> {
        self.shown.iter().find_map(|shown| shown.strip_prefix(name)?.strip_prefix(": "))
    }

    fn wanted(&mut self, name: &str) -> Option<f32> {
        self.controls.push(name.to_owned());
        self.set.as_ref().filter(|(wanted, _)| wanted == name).map(|&(_, value)| value)
    }

    fn pressed(&mut self, name: &str) -> bool {
        self.controls.push(name.to_owned());
        self.press.as_deref() == Some(name)
    }
}

impl Controls for Script {
    fn heading(&mut self, text: &str) {
        self.shown.push(text.to_owned());
    }

    fn note(&mut self, text: &str) {
        self.shown.push(text.to_owned());
    }

    fn figure(&mut self, name: &str, value: &str) {
        self.shown.push(format!("{name}: {value}"));
    }

    fn key(&mut self, _: Ink, text: &str) {
        self.shown.push(text.to_owned());
    }

    fn hint(&mut self, _: &str) {}

    fn slider(&mut self, name: &str, value: &mut f32, range: RangeInclusive<f32>) -> bool {
        let wanted = self.wanted(name);
        wanted.is_some_and(|wanted| {
            *value = wanted.clamp(*range.start(), *range.end());
            true
        })
    }

    fn count(&mut self, name: &str, value: &mut u32, range: RangeInclusive<u32>) -> bool {
        let wanted = self.wanted(name);
        wanted.is_some_and(|wanted| {
            *value = (wanted as u32).clamp(*range.start(), *range.end());
            true
        })
    }

    fn toggle(&mut self, name: &str, value: &mut bool) -> bool {
        let wanted = self.wanted(name);
        wanted.is_some_and(|wanted| {
            *value = wanted != 0.0;
            true
        })
    }

    fn choice(&mut self, name: &str, chosen: &mut usize, names: &[&str]) -> bool {
        let wanted = self.wanted(name);
        wanted.is_some_and(|wanted| {
            *chosen = (wanted as usize).min(names.len().saturating_sub(1));
            true
        })
    }

    fn button(&mut self, name: &str) -> bool {
        self.pressed(name)
    }

    fn line(&mut self, text: &str, _: bool) -> bool {
        self.shown.push(text.to_owned());
        self.pressed(text)
    }
}

/// Lists what a panel's controls are set to, and changes nothing. [`Script::set`] sets one of them again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing(pub Vec<(String, f32)>);

impl Listing {
    fn push(&mut self, name: &str, value: f32) -> bool {
        self.0.push((name.to_owned(), value));
        false
    }

    /// What differs from another listing of the same panel, or is not in it.
    #[must_use]
    pub fn beyond(&self, other: &Self) -> Vec<(String, f32)> {
        self.0.iter().filter(|row| !other.0.contains(row)).cloned().collect()
    }
}

impl Controls for Listing {
    fn heading(&mut self, _: &str) {}

    fn note(&mut self, _: &str) {}

    fn figure(&mut self, _: &str, _: &str) {}

    fn key(&mut self, _: Ink, _: &str) {}

    fn hint(&mut self, _: &str) {}

    fn slider(&mut self, name: &str, value: &mut f32, _: RangeInclusive<f32>) -> bool {
        self.push(name, *value)
    }

    fn count(&mut self, name: &str, value: &mut u32, _: RangeInclusive<u32>) -> bool {
        self.push(name, *value as f32)
    }

    fn toggle(&mut self, name: &str, value: &mut bool) -> bool {
        self.push(name, f32::from(u8::from(*value)))
    }

    fn choice(&mut self, name: &str, chosen: &mut usize, _: &[&str]) -> bool {
        self.push(name, *chosen as f32)
    }

    fn button(&mut self, _: &str) -> bool {
        false
    }

    fn line(&mut self, _: &str, _: bool) -> bool {
        false
    }
}
