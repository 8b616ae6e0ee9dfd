//! The number of threads.

use crate::failure::{Failure, Result};

/// More threads than this are of no use, and starting them may fail.
const MAX_THREADS: u32 = 1024;

/// As many as the machine has.
pub(crate) fn of_machine() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Parses `--threads`.
pub(crate) fn parse(text: &str) -> std::result::Result<u32, String> {
    let asked = text.parse().ok().filter(|asked| *asked <= MAX_THREADS);
    asked.ok_or_else(|| format!("must be a number from 0 to {MAX_THREADS}"))
}

/// The requested number: 0 is as many as the machine has.
pub(crate) fn count(asked: u32) -> Result<usize> {
    match asked {
        0 => Ok(of_machine()),
        n if n <= MAX_THREADS => Ok(n as usize),
        n => Err(Failure::new(format_args!("--threads is {n}, but must be between 0 and {MAX_THREADS}"))),
    }
}

/// Starts this many threads.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool> {
    let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    built.map_err(|e| Failure::new(format_args!("{threads} threads cannot be started: {e}")))
}
