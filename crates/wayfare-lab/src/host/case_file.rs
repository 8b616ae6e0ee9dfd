//! "Save as test": a recording, and what its figures are at the end. The lab's tests run every file in `cases/`.

use super::determinism;
use super::recording::Recording;
use super::session::{LabError, Session};
use crate::prototype::Severity;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A recording and what is expected of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// What it shows, in a sentence.
    pub what: String,
    /// By how much a figure may differ, as a part of it. Small changes of the library change figures a little.
    pub tolerance: f64,
    /// The figures at the end.
    pub figures: BTreeMap<String, f64>,
    /// What is done.
    pub recording: Recording,
}

impl Case {
    /// A case of what was done so far in a session, with its figures of now.
    #[must_use]
    pub fn of(session: &Session, what: &str) -> Self {
        let mut recording = session.recording().clone();
        recording.truncate(session.now());
        let figures = session.figures().into_iter().filter(|figure| figure.value.is_finite());
        let figures = figures.map(|figure| (figure.name.to_owned(), figure.value)).collect();
        Self { what: what.to_owned(), tolerance: 0.02, figures, recording }
    }

    /// Runs it: everything that is not as expected, in sentences; empty if all is.
    ///
    /// # Errors
    /// The recording cannot be run.
    pub fn run(&self) -> Result<Vec<String>, LabError> {
        let mut wrong = Vec::new();
        if let Err(difference) = determinism::check(&self.recording)? {
            wrong.push(format!("two runs differ after tick {}", difference.tick));
        }
        let mut session = Session::of(self.recording.clone())?;
        (0..self.recording.ticks).for_each(|_| session.tick());
        let violations = session.log().entries().iter().filter(|entry| entry.remark.severity == Severity::Violation);
        wrong.extend(violations.map(|entry| format!("tick {}: {}", entry.tick, entry.remark.text)));
        let figures = session.figures();
        for (name, &wanted) in &self.figures {
            match figures.iter().find(|figure| figure.name == name) {
                Some(figure) if (figure.value - wanted).abs() <= self.tolerance * wanted.abs().max(1e-6) => {}
                Some(figure) => wrong.push(format!("{name} is {}, not {wanted}", figure.value)),
                None => wrong.push(format!("there is no figure `{name}`")),
            }
        }
        Ok(wrong)
    }

    /// As text (TOML).
    ///
    /// # Errors
    /// Not for cases that a session made.
    pub fn to_text(&self) -> Result<String, LabError> {
        toml::to_string(self).map_err(|error| LabError::Text(error.to_string()))
    }

    /// From text.
    ///
    /// # Errors
    /// Text that is not a case, or a recording that cannot be played.
    pub fn from_text(text: &str) -> Result<Self, LabError> {
        let case: Self = toml::from_str(text).map_err(|error| LabError::Text(error.to_string()))?;
        Ok(Self { recording: case.recording.checked()?, ..case })
    }
}
