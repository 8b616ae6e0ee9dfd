//! Cancels a long job from any thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch shared between the caller and a long job. Cloning shares it.
///
/// A cancelled job returns [`Cancelled`] at its next check and leaves its inputs and finished outputs as they were.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A switch that is off.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every job that holds this switch to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was requested.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The job was stopped by its [`Cancel`] switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;
