//! Panels without a window: a tool describes its panel by calls, an app draws it, and a test presses its buttons.
//!
//! ```text
//!   tool.panel(…, controls) ─► egui's widgets     (the app)
//!                           └► Script             (tests: press "Clear", set "Radius", read a figure)
//! ```
//!
//! Sources: the idea of describing a panel where its values are is that of immediate-mode interfaces (Casey Muratori,
//! 2005).

use core::ops::RangeInclusive;

/// What a panel is made of, from top to bottom. A control gives back whether a person has changed it just now.
pub trait Controls {
    /// Begins a section.
    fn heading(&mut self, text: &str);
    /// A sentence.
    fn note(&mut self, text: &str);
    /// A name and a value that cannot be changed.
    fn figure(&mut self, name: &str, value: &str);
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
