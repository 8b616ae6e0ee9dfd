//! Cancels a long job from any thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch shared between the caller and a long job. Cloning shares it; a [child](Self::child) is a switch of its own
/// that also stops with this one.
///
/// A cancelled job returns [`Cancelled`] at its next check and leaves its inputs and finished outputs as they were.
///
/// ```
/// use wayfare::context::Cancel;
///
/// let all = Cancel::new();
/// let (first, second) = (all.child(), all.child());
/// first.cancel();
/// assert!(first.is_cancelled() && !second.is_cancelled() && !all.is_cancelled());
/// all.cancel();
/// assert!(second.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    own: Arc<AtomicBool>,
    /// The switches that this one is below.
    above: Vec<Arc<AtomicBool>>,
}

impl Cancel {
    /// A switch that is off.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A switch for one of several jobs: it is cancelled with this one, but does not cancel it. Each level of children
    /// adds one load to a check.
    #[must_use]
    pub fn child(&self) -> Self {
        let above = core::iter::once(&self.own).chain(&self.above).cloned().collect();
        Self { own: Arc::default(), above }
    }

    /// Asks every job that holds this switch, or a child of it, to stop.
    pub fn cancel(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was requested, by this switch or one that it is a child of.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.own.load(Ordering::Relaxed) || self.above.iter().any(|switch| switch.load(Ordering::Relaxed))
    }
}

/// The job was stopped by its [`Cancel`] switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

#[cfg(test)]
mod tests {
    use super::*;

    /// Cancelling goes down, to clones and children and theirs, and never up.
    #[test]
    fn cancelling_goes_down_and_never_up() {
        let all = Cancel::new();
        let (job, other) = (all.child(), all.child());
        let step = job.child();
        step.cancel();
        assert!(step.is_cancelled() && !job.is_cancelled() && !all.is_cancelled());
        job.clone().cancel();
        assert!(job.is_cancelled() && !other.is_cancelled() && !all.is_cancelled());
        assert!(job.child().is_cancelled());
        all.cancel();
        assert!(other.is_cancelled() && other.child().child().is_cancelled());
    }
}
