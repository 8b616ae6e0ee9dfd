//! Work that takes long: it runs on a thread of its own with the interpreter's lock released, while the caller's thread shows progress and
//! looks for Ctrl-C. A callback that raises, and Ctrl-C, cancel the work; the exception goes on to the caller.

use crate::threads::Threads;
use pyo3::prelude::*;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use wayfare::context::{Cancel, Context, Progress};

/// How often the caller's thread looks for signals.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

struct Log<'a>(&'a mpsc::Sender<Message>);

enum Message {
    Progress(Progress),
    Log(String),
}

impl wayfare::context::Log for Log<'_> {
    fn log(&self, message: std::fmt::Arguments<'_>) {
        let _ = self.0.send(Message::Log(message.to_string()));
    }
}

/// What the caller wants to hear of long work, and how it may be stopped.
#[derive(Default)]
pub(crate) struct Callbacks {
    /// Called with how much is done and how much there is in all.
    pub(crate) progress: Option<Py<PyAny>>,
    /// Called with messages.
    pub(crate) log: Option<Py<PyAny>>,
    /// Cancels from another thread.
    pub(crate) cancel: Option<Cancel>,
    /// Bytes that the work may take.
    pub(crate) memory_limit: Option<u64>,
}

/// Runs `work` and returns what it does, unless a callback raised or Ctrl-C was pressed.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    callbacks: &Callbacks,
    work: impl FnOnce(&Context<'_>) -> T + Send,
) -> PyResult<T> {
    // Of this work alone: a callback that raises, or Ctrl-C, must not cancel what else was given the caller's.
    let cancel = callbacks.cancel.as_ref().map(Cancel::child).unwrap_or_default();
    let (sender, receiver) = mpsc::channel();
    let memory_limit = callbacks.memory_limit;
    let wants_log = callbacks.log.is_some();
    let threads = Threads::of_process(py)?;
    py.detach(move || {
        std::thread::scope(|scope| {
            let own = cancel.clone();
            let worker = scope.spawn(move || {
                let told = sender.clone();
                let progress = std::sync::Mutex::new(sender);
                let tell = |at: Progress| {
                    if let Ok(sender) = progress.lock() {
                        let _ = sender.send(Message::Progress(at));
                    }
                };
                let log = Log(&told);
                let context = Context {
                    clock: Some(&CLOCK),
                    log: wants_log.then_some(&log as _),
                    progress: Some(&tell),
                    cancel: Some(&own),
                    memory_limit,
                };
                threads.run(|| work(&context))
            });
            let failure = listen(&receiver, callbacks, &cancel);
            match (worker.join(), failure) {
                (_, Some(error)) => Err(error),
                (Ok(outcome), None) => Ok(outcome),
                (Err(_), None) => {
                    Err(pyo3::exceptions::PyRuntimeError::new_err("the work stopped for an unknown reason"))
                }
            }
        })
    })
}

/// Hears what the worker says until it is done.
fn listen(receiver: &mpsc::Receiver<Message>, callbacks: &Callbacks, cancel: &Cancel) -> Option<PyErr> {
    let mut failure: Option<PyErr> = None;
    loop {
        let first = receiver.recv_timeout(LOOK);
        if matches!(first, Err(RecvTimeoutError::Disconnected)) {
            return failure;
        }
        if failure.is_some() {
            continue;
        }
        // Of many messages about progress the newest is told.
        let mut newest = None;
        let mut messages = Vec::new();
        for message in first.into_iter().chain(receiver.try_iter()) {
            match message {
                Message::Progress(at) => newest = Some(at),
                Message::Log(text) => messages.push(text),
            }
        }
        failure = Python::attach(|py| tell(py, callbacks, newest, messages)).err();
        if failure.is_some() {
            cancel.cancel();
        }
    }
}

fn tell(py: Python<'_>, callbacks: &Callbacks, newest: Option<Progress>, messages: Vec<String>) -> PyResult<()> {
    py.check_signals()?;
    if let Some(log) = &callbacks.log {
        for message in messages {
            log.call1(py, (message,))?;
        }
    }
    if let (Some(progress), Some(Progress { done, total })) = (&callbacks.progress, newest) {
        progress.call1(py, (done, total))?;
    }
    Ok(())
}

struct SinceStart(std::sync::OnceLock<std::time::Instant>);

impl wayfare::context::Clock for SinceStart {
    fn now(&self) -> Duration {
        self.0.get_or_init(std::time::Instant::now).elapsed()
    }
}

static CLOCK: SinceStart = SinceStart(std::sync::OnceLock::new());

/// The clock by which times in reports are measured.
pub(crate) fn clock() -> &'static dyn wayfare::context::Clock {
    &CLOCK
}

/// Cancels long work from another thread.
#[pyclass(module = "wayfare", name = "Cancel", frozen, from_py_object)]
#[derive(Clone, Default)]
pub(crate) struct PyCancel(pub(crate) Cancel);

#[pymethods]
impl PyCancel {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Cancels all work that was given this object. It ends soon, with `wayfare.Cancelled`.
    fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether `cancel` was called.
    #[getter]
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
