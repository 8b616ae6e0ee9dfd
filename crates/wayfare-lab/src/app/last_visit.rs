//! What is kept from one visit to the next: in a settings file of the user, or in the browser's storage.

use crate::host::saved::Saved;
use crate::palette::Theme;
use serde::{Deserialize, Serialize};

/// Under this name it is stored.
const KEY: &str = "lab";

/// What is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct LastVisit {
    pub(super) theme: Theme,
    /// What was shown last.
    pub(super) address: String,
    /// The parameters of all prototypes that were changed.
    pub(super) prototypes: Saved,
}

impl LastVisit {
    /// What was kept; `None` on the first visit, or if it cannot be read any more.
    pub(super) fn read(storage: &dyn eframe::Storage) -> Option<Self> {
        toml::from_str(&storage.get_string(KEY)?).ok()
    }

    pub(super) fn write(&self, storage: &mut dyn eframe::Storage) {
        // All of it can be written as text.
        if let Ok(text) = toml::to_string(self) {
            storage.set_string(KEY, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Session;
    use crate::params::Value;
    use std::collections::BTreeMap;

    #[derive(Default)]
    struct Memory(BTreeMap<String, String>);

    impl eframe::Storage for Memory {
        fn get_string(&self, key: &str) -> Option<String> {
            self.0.get(key).cloned()
        }

        fn set_string(&mut self, key: &str, value: String) {
            self.0.insert(key.to_owned(), value);
        }

        fn remove_string(&mut self, key: &str) {
            self.0.remove(key);
        }

        fn flush(&mut self) {}
    }

    #[test]
    fn what_was_set_is_there_again() {
        let mut session = Session::new("nerd_and_bully", 0).unwrap();
        session.set("corridor", &Value::Number(3.0)).unwrap();
        let mut prototypes = Saved::default();
        prototypes.keep(&session);
        let kept = LastVisit { theme: Theme::Dark, address: "scene=stairs&tool=3".to_owned(), prototypes };
        let mut memory = Memory::default();
        assert_eq!(LastVisit::read(&memory), None);
        kept.write(&mut memory);
        assert_eq!(LastVisit::read(&memory), Some(kept));
        memory.0.insert(KEY.to_owned(), "= nonsense".to_owned());
        assert_eq!(LastVisit::read(&memory), None);
    }
}
