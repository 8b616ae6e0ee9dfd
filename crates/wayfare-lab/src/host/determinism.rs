//! Whether a run is the same when it is run again.

use super::recording::Recording;
use super::session::{LabError, Session};

/// Two runs that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first tick after which they do.
    pub tick: u32,
    /// What the digests were.
    pub digests: [u64; 2],
}

/// Runs a recording twice, side by side, the second time with a detour into the past now and then. The digest at the
/// end, or where they part.
///
/// # Errors
/// The recording cannot be run.
pub fn check(recording: &Recording) -> Result<Result<u64, Difference>, LabError> {
    let mut runs = [Session::of(recording.clone())?, Session::of(recording.clone())?];
    for tick in 0..=recording.ticks {
        let digests = [0, 1].map(|run| runs[run].digest());
        if digests[0] != digests[1] {
            return Ok(Err(Difference { tick, digests }));
        }
        if tick == recording.ticks {
            return Ok(Ok(digests[0]));
        }
        if tick % 50 == 49 {
            runs[1].go_to(tick - 7);
            runs[1].go_to(tick);
        }
        runs.iter_mut().for_each(Session::tick);
    }
    Ok(Ok(0))
}
