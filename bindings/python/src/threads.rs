//! The threads of bakes and batches, in a forked process as well.
//!
//! `os.fork`, which `multiprocessing` uses on Linux before Python 3.14, copies one thread and no other. Work for the threads of the parent
//! would wait forever in the child, so a child gets threads of its own when it first needs them. The parent pays nothing for this.
//!
//! The state is locked only while the interpreter's lock is held, as it is during a fork: a child never finds it locked.

use crate::errors;
use crate::whole::whole;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, PoisonError};

/// Where work runs on several threads.
#[derive(Clone, Copy)]
pub(crate) struct Threads(Option<&'static ThreadPool>);

/// What this process knows of its threads.
struct State {
    is_forked: bool,
    own: Option<&'static ThreadPool>,
    /// As many as were asked for; 0 for as many as the machine has.
    count: usize,
}

static STATE: Mutex<State> = Mutex::new(State { is_forked: false, own: None, count: 0 });

impl Threads {
    /// Those of this process.
    pub(crate) fn of_process(_: Python<'_>) -> PyResult<Self> {
        let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_forked && state.own.is_none() {
            let pool = ThreadPoolBuilder::new().num_threads(state.count).build();
            let pool = pool.map_err(|e| PyRuntimeError::new_err(format!("threads could not be started: {e}")))?;
            // For as long as the process runs, as those of a process that was not forked.
            state.own = Some(Box::leak(Box::new(pool)));
        }
        Ok(Self(state.own))
    }

    /// Does some work that uses them.
    pub(crate) fn run<T: Send>(self, work: impl FnOnce() -> T + Send) -> T {
        match self.0 {
            None => work(),
            Some(pool) => pool.install(work),
        }
    }
}

/// Does some work on all threads, with the interpreter's lock released.
pub(crate) fn detach<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let threads = Threads::of_process(py)?;
    Ok(py.detach(|| threads.run(work)))
}

/// Called in a child after a fork.
#[pyfunction]
pub(crate) fn _after_fork(_py: Python<'_>) {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    (state.is_forked, state.own) = (true, None);
}

/// How many threads bakes and batches use, from now on: to be said before the first of them, once. Unless it is, as many as the machine has.
#[pyfunction]
pub(crate) fn set_threads(_py: Python<'_>, #[pyo3(from_py_with = whole)] count: usize) -> PyResult<()> {
    let late = || errors::value("the threads are at work already: say how many before the first bake or batch");
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    if !state.is_forked {
        ThreadPoolBuilder::new().num_threads(count).build_global().map_err(|_| late())?;
    } else if state.own.is_some() {
        return Err(late());
    }
    state.count = count;
    Ok(())
}
