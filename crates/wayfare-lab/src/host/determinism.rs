//! Checks that two runs of a prototype give the same result.

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

/// A recording that is run twice, side by side, the second time with a detour into the past now and then.
#[derive(Debug)]
pub struct Check {
    runs: [Session; 2],
    ticks: u32,
}

impl Check {
    /// Both runs at their beginning.
    ///
    /// # Errors
    /// The recording cannot be run.
    pub fn begin(recording: &Recording) -> Result<Self, LabError> {
        let runs = [Session::of(recording.clone())?, Session::of(recording.clone())?];
        Ok(Self { runs, ticks: recording.ticks })
    }

    /// The tick it has come to.
    #[must_use]
    pub fn now(&self) -> u32 {
        self.runs[0].now()
    }

    /// Goes on by one tick. At last the digest at the end, or where the runs part.
    pub fn step(&mut self) -> Option<Result<u64, Difference>> {
        let tick = self.runs[0].now();
        let digests = [0, 1].map(|run| self.runs[run].digest());
        if digests[0] != digests[1] {
            return Some(Err(Difference { tick, digests }));
        }
        if tick == self.ticks {
            return Some(Ok(digests[0]));
        }
        if tick % 50 == 49 {
            self.runs[1].go_to(tick - 7);
            self.runs[1].go_to(tick);
        }
        self.runs.iter_mut().for_each(Session::tick);
        None
    }
}

/// The whole [`Check`] of a recording at once.
///
/// # Errors
/// The recording cannot be run.
pub fn check(recording: &Recording) -> Result<Result<u64, Difference>, LabError> {
    let mut check = Check::begin(recording)?;
    loop {
        if let Some(answer) = check.step() {
            return Ok(answer);
        }
    }
}
