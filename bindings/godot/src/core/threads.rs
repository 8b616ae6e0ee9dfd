//! The threads of the extension. Each can be joined: when the library is unloaded, their code is unloaded, too.
//!
//! Bakes have threads of their own; what is split among threads within a bake or a tick is done on a pool that belongs
//! to the extension, since those of rayon's global pool never end.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Bakes that were begun and may not have ended.
static BAKES: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());

/// Whether all that goes on should end.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

static POOL: Mutex<Option<Pool>> = Mutex::new(None);

struct Pool {
    pool: Arc<ThreadPool>,
    threads: Vec<JoinHandle<()>>,
}

/// Does work on a thread of its own, which [`join_all`] waits for.
///
/// # Errors
/// The system gives no thread.
pub fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let thread = std::thread::Builder::new().name("wayfare bake".into()).spawn(work);
    let thread = thread.map_err(|problem| format!("there is no thread to bake on: {problem}"))?;
    let mut bakes = BAKES.lock().unwrap_or_else(PoisonError::into_inner);
    bakes.retain(|thread| !thread.is_finished());
    bakes.push(thread);
    Ok(())
}

/// Does work that may be split among threads, and waits for it.
pub fn on_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match pool() {
        Some(pool) => pool.install(work),
        // The system gives no threads.
        None => work(),
    }
}

fn pool() -> Option<Arc<ThreadPool>> {
    let mut own = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if own.is_none() {
        let mut threads = Vec::new();
        let builder = ThreadPoolBuilder::new().spawn_handler(|thread| {
            let named = std::thread::Builder::new().name(format!("wayfare {}", thread.index()));
            threads.push(named.spawn(|| thread.run())?);
            Ok(())
        });
        let pool = Arc::new(builder.build().ok()?);
        *own = Some(Pool { pool, threads });
    }
    own.as_ref().map(|own| Arc::clone(&own.pool))
}

/// Whether nobody waits for a bake any more: the program, or the extension, ends.
#[must_use]
pub fn is_ending() -> bool {
    IS_ENDING.load(Ordering::Relaxed)
}

/// Waits for all threads. Bakes learn from [`is_ending`] that they are not wanted.
pub fn join_all() {
    IS_ENDING.store(true, Ordering::Relaxed);
    let bakes = core::mem::take(&mut *BAKES.lock().unwrap_or_else(PoisonError::into_inner));
    // One that has panicked has ended as well.
    bakes.into_iter().for_each(|thread| drop(thread.join()));
    let own = POOL.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(Pool { pool, threads }) = own {
        // Its threads end when the last of those is gone that use it, and no bake does any more.
        drop(pool);
        threads.into_iter().for_each(|thread| drop(thread.join()));
    }
    IS_ENDING.store(false, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_waited_for_and_begun_anew() {
        let name = || on_pool(|| std::thread::current().name().map(str::to_owned));
        assert!(name().is_some_and(|name| name.starts_with("wayfare ")));
        let is_done = Arc::new(AtomicBool::new(false));
        let its_done = Arc::clone(&is_done);
        let bake = move || {
            // As long as somebody waits for it.
            while !is_ending() {
                std::thread::yield_now();
            }
            on_pool(|| its_done.store(true, Ordering::Relaxed));
        };
        spawn(bake).expect("a thread");
        join_all();
        assert!(is_done.load(Ordering::Relaxed));
        assert!(name().is_some_and(|name| name.starts_with("wayfare ")));
        join_all();
    }
}
