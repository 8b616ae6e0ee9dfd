//! What prototypes report, with tick and position; each message is listed once, when it begins.

use crate::prototype::{Remark, Severity};

/// The most entries that are kept; the oldest go first.
const MOST: usize = 1000;

/// A line of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// When it began.
    pub tick: u32,
    /// What it is, and where.
    pub remark: Remark,
}

/// The log of a session.
#[derive(Clone, Debug, Default)]
pub struct Log {
    entries: Vec<LogEntry>,
    /// What held when it was last asked.
    now: Vec<Remark>,
}

impl Log {
    /// The entries, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[LogEntry] {
        &self.entries
    }

    /// How many entries there are of a severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.entries.iter().filter(|entry| entry.remark.severity == severity).count()
    }

    /// Takes what holds at a tick; what held before, at whatever place, is not written again.
    pub(super) fn see(&mut self, tick: u32, remarks: Vec<Remark>) {
        let is_new =
            |remark: &&Remark| !self.now.iter().any(|old| (old.severity, &old.text) == (remark.severity, &remark.text));
        let new: Vec<LogEntry> =
            remarks.iter().filter(is_new).map(|remark| LogEntry { tick, remark: remark.clone() }).collect();
        self.entries.extend(new);
        let surplus = self.entries.len().saturating_sub(MOST);
        self.entries.drain(..surplus);
        self.now = remarks;
    }

    /// Forgets what came after a tick.
    pub(super) fn truncate(&mut self, tick: u32) {
        self.entries.retain(|entry| entry.tick <= tick);
        self.now.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_is_written_when_it_begins() {
        let remark = |text: &str| Remark { severity: Severity::Warning, text: text.into(), at: None };
        let mut log = Log::default();
        log.see(0, vec![remark("a")]);
        log.see(1, vec![remark("a"), remark("b")]);
        log.see(2, vec![]);
        log.see(3, vec![remark("a")]);
        let seen: Vec<_> = log.entries().iter().map(|entry| (entry.tick, &*entry.remark.text)).collect();
        assert_eq!(seen, [(0, "a"), (1, "b"), (3, "a")]);
        log.truncate(1);
        assert_eq!(log.count(Severity::Warning), 2);
    }
}
