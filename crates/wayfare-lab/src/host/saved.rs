//! Parameters between runs: what the user has changed, by prototype, as text (TOML).

use super::session::{LabError, Session};
use crate::params::Value;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The parameters of all prototypes that differ from their defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Saved {
    prototypes: BTreeMap<String, BTreeMap<String, Value>>,
}

impl Saved {
    /// Keeps a session's parameters.
    pub fn keep(&mut self, session: &Session) {
        let changed = session.changed_params();
        let name = session.entry().name;
        if changed.is_empty() {
            self.prototypes.remove(name);
        } else {
            self.prototypes.insert(name.to_owned(), changed);
        }
    }

    /// Begins a run with the parameters that were kept. Those that the prototype no longer has are left out.
    ///
    /// # Errors
    /// There is no such prototype.
    pub fn begin(&self, name: &str, seed: u64) -> Result<Session, LabError> {
        let mut session = Session::new(name, seed)?;
        for (param, value) in self.prototypes.get(name).into_iter().flatten() {
            // The prototype may have changed since.
            let _ = session.set(param, value);
        }
        session.restart();
        Ok(session)
    }

    /// As text.
    ///
    /// # Errors
    /// Not for what was kept from sessions.
    pub fn to_text(&self) -> Result<String, LabError> {
        toml::to_string(self).map_err(|error| LabError::Text(error.to_string()))
    }

    /// From text.
    ///
    /// # Errors
    /// Text that is not what [`to_text`](Self::to_text) writes.
    pub fn from_text(text: &str) -> Result<Self, LabError> {
        toml::from_str(text).map_err(|error| LabError::Text(error.to_string()))
    }
}
