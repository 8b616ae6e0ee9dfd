//! Loops over all agents, on one thread or many, with bit-identical results.
//!
//! Every phase writes to its own agent, and reads of others only what no agent writes in that phase, so the order does
//! not matter. Working memory is lent for a run of agents at a time; its content never affects a result.

use super::scratch::{PhaseScratch, ScratchPool};

/// Agents processed in one go by one thread.
pub(super) const RUN: usize = 64;

/// Below this many agents, waking other threads costs more than it saves.
#[cfg(feature = "rayon")]
const WORTH_IT: usize = 256;

/// Calls `work` with runs of the items, and the number of the first of each run.
pub(super) fn for_runs<A: Send>(
    items: &mut [A],
    pool: &ScratchPool,
    work: impl Fn(usize, &mut [A], &mut PhaseScratch) + Sync,
) {
    #[cfg(feature = "rayon")]
    if items.len() >= WORTH_IT && crate::context::parallel::threads() > 1 {
        use rayon::prelude::*;
        items
            .par_chunks_mut(RUN)
            .enumerate()
            .for_each(|(run, items)| pool.lend(|scratch| work(run * RUN, items, scratch)));
        return;
    }
    pool.lend(|scratch| {
        for (run, items) in items.chunks_mut(RUN).enumerate() {
            work(run * RUN, items, scratch);
        }
    });
}

/// Calls `work` with each item and its number.
pub(super) fn for_each<A: Send>(
    items: &mut [A],
    pool: &ScratchPool,
    work: impl Fn(usize, &mut A, &mut PhaseScratch) + Sync,
) {
    for_runs(items, pool, |first, items, scratch| {
        for (k, item) in items.iter_mut().enumerate() {
            work(first + k, item, scratch);
        }
    });
}

/// Like [`for_each`], over two arrays in parallel.
pub(super) fn for_each2<A: Send, B: Send>(
    (a, b): (&mut [A], &mut [B]),
    pool: &ScratchPool,
    work: impl Fn(usize, (&mut A, &mut B), &mut PhaseScratch) + Sync,
) {
    let one_run = |first: usize, a: &mut [A], b: &mut [B], scratch: &mut PhaseScratch| {
        for (k, pair) in a.iter_mut().zip(b).enumerate() {
            work(first + k, pair, scratch);
        }
    };
    #[cfg(feature = "rayon")]
    if a.len() >= WORTH_IT && crate::context::parallel::threads() > 1 {
        use rayon::prelude::*;
        a.par_chunks_mut(RUN)
            .zip(b.par_chunks_mut(RUN))
            .enumerate()
            .for_each(|(run, (a, b))| pool.lend(|scratch| one_run(run * RUN, a, b, scratch)));
        return;
    }
    pool.lend(|scratch| one_run(0, a, b, scratch));
}
