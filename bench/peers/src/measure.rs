//! Times of several ways to do one thing, taken in turns (A B C, A B C, …), so that a slow spell of the machine hits
//! all.
//!
//! All competitors work on one thread, and what is taken is that thread's processor time: what else runs on the machine
//! does not count. On a quiet machine it is the time on the wall.

use std::time::{Duration, Instant};

/// Processor time of this thread; time on the wall where the system does not tell.
pub fn now() -> Duration {
    #[cfg(unix)]
    {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is a valid place for the answer.
        if unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) } == 0 {
            return Duration::new(time.tv_sec as u64, time.tv_nsec as u32);
        }
    }
    static BEGAN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}

/// How long and how often.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Rounds that must be run.
    pub least: usize,
    /// Rounds that are enough.
    pub most: usize,
    /// Time for all rounds of one comparison, after which no new round begins (once `least` are done).
    pub time: Duration,
}

impl Effort {
    pub fn new(quick: bool) -> Self {
        if quick {
            Self { least: 3, most: 3, time: Duration::ZERO }
        } else {
            Self { least: 5, most: 41, time: Duration::from_millis(2500) }
        }
    }
}

/// Seconds of each round, by competitor.
pub struct Rounds(pub Vec<Vec<f64>>);

/// Runs the competitors in turns. Each returns the seconds that count. One round warms up and is not counted.
pub fn in_turns(effort: Effort, competitors: &mut [&mut dyn FnMut() -> f64]) -> Rounds {
    let mut rounds = vec![Vec::new(); competitors.len()];
    let began = Instant::now();
    for run in competitors.iter_mut() {
        run();
    }
    // What takes long by itself swings less.
    let least = if began.elapsed() > effort.time { effort.least.min(3) } else { effort.least };
    let began = Instant::now();
    for round in 0..effort.most {
        if round >= least && began.elapsed() > effort.time {
            break;
        }
        for (seconds, run) in rounds.iter_mut().zip(competitors.iter_mut()) {
            seconds.push(run());
        }
    }
    Rounds(rounds)
}

/// Lowest, median and highest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread {
    pub min: f64,
    pub median: f64,
    pub max: f64,
}

pub fn spread(values: &[f64]) -> Spread {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => Spread::default(),
        n => Spread { min: sorted[0], median: (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0, max: sorted[n - 1] },
    }
}

impl Rounds {
    pub fn of(&self, who: usize) -> Spread {
        spread(&self.0[who])
    }

    /// Their time over ours, round by round.
    pub fn ratio(&self, ours: usize, theirs: usize) -> Spread {
        spread(&self.0[theirs].iter().zip(&self.0[ours]).map(|(t, o)| t / o).collect::<Vec<_>>())
    }
}

/// Seconds that `work` takes.
pub fn seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let began = now();
    let result = std::hint::black_box(work());
    (result, (now() - began).as_secs_f64())
}
