//! The times of the last steps of something: bars to click on, and the parts of one of them.
//!
//! Sources: Mikko Mononen, "Path Following Performance", Digesting Duck, August 2010.

use super::controls::{Bars, Controls};
use std::collections::VecDeque;

/// The times of the last steps.
#[derive(Clone, Debug)]
pub(super) struct Times {
    /// What a step is called.
    what: &'static str,
    parts: Vec<&'static str>,
    /// The time of each part in each step, milliseconds, oldest first.
    rows: VecDeque<Vec<f32>>,
    /// So many steps are kept.
    most: usize,
    /// How many steps there were, with those that are not kept any more.
    count: usize,
    /// The step whose parts are shown, if not the last.
    chosen: Option<usize>,
}

impl Times {
    pub(super) fn new(what: &'static str, parts: Vec<&'static str>, most: usize) -> Self {
        Self { what, parts, rows: VecDeque::new(), most, count: 0, chosen: None }
    }

    /// Takes the times of a step, milliseconds.
    pub(super) fn push(&mut self, row: Vec<f32>) {
        if self.rows.len() == self.most {
            self.rows.pop_front();
        }
        self.rows.push_back(row);
        self.count += 1;
    }

    /// The time of the last step, milliseconds; 0 before the first.
    pub(super) fn last(&self) -> f32 {
        self.rows.back().map_or(0.0, |row| row.iter().sum())
    }

    /// Shows them. A click on a bar shows its parts; another click on it, those of the last step again.
    pub(super) fn panel(&mut self, controls: &mut dyn Controls) {
        if self.rows.is_empty() {
            return;
        }
        let first = self.count - self.rows.len();
        let chosen = self.chosen.and_then(|step| step.checked_sub(first));
        let rows: &[Vec<f32>] = self.rows.make_contiguous();
        let bars = Bars { parts: &self.parts, rows, chosen, what: self.what, first: first + 1 };
        if let Some(row) = controls.bars(&bars) {
            self.chosen = Some(first + row).filter(|_| chosen != Some(row));
        }
        let shown = chosen.unwrap_or(rows.len() - 1);
        controls.figure(&bars.name(shown), &format!("{:.2} ms", rows[shown].iter().sum::<f32>()));
        for (name, time) in self.parts.iter().zip(&rows[shown]) {
            controls.figure(&format!("  {name}"), &format!("{time:.3} ms"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::controls::Script;

    #[test]
    fn the_last_steps_are_kept_under_their_numbers() {
        let mut times = Times::new("Step", vec!["plan", "walk"], 3);
        times.panel(&mut Script::default());
        for step in 0..5 {
            times.push(vec![step as f32, 1.0]);
        }
        let shown = |times: &mut Times| {
            let mut script = Script::default();
            times.panel(&mut script);
            script
        };
        assert_eq!((times.rows.len(), times.last()), (3, 5.0));
        assert_eq!(shown(&mut times).figure("Step 5"), Some("5.00 ms"));
        times.chosen = Some(2);
        assert_eq!(shown(&mut times).figure("  plan"), Some("2.000 ms"));
        times.push(vec![0.0, 0.0]);
        assert_eq!(shown(&mut times).figure("Step 6"), Some("0.00 ms"), "what was chosen is gone");
    }
}
