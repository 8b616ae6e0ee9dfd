//! Work that must not hold up a frame: on a thread of its own or, where a page has none, a piece in each frame.

use core::time::Duration;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use wayfare::context::{Budget, Cancel, Clock, Context, Progress};

/// Tells the time for reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct LabClock;

impl Clock for LabClock {
    fn now(&self) -> Duration {
        // Since the first call: differences are all that is asked for.
        static START: std::sync::OnceLock<web_time::Instant> = std::sync::OnceLock::new();
        START.get_or_init(web_time::Instant::now).elapsed()
    }
}

/// How far work has come; shared with whoever does it.
#[derive(Clone, Debug, Default)]
struct Shared {
    done: Arc<AtomicU64>,
    total: Arc<AtomicU64>,
    cancel: Cancel,
}

impl Shared {
    /// Runs a piece of work with a context that counts and can be cancelled.
    fn run<R>(&self, work: impl FnOnce(&Context<'_>) -> R) -> R {
        let count = |progress: Progress| {
            self.done.store(progress.done, Ordering::Relaxed);
            self.total.store(progress.total, Ordering::Relaxed);
        };
        let clock = LabClock;
        let context =
            Context { clock: Some(&clock), progress: Some(&count), cancel: Some(&self.cancel), ..Context::default() };
        work(&context)
    }
}

/// A piece of work, called until it gives an answer.
#[cfg(target_arch = "wasm32")]
type Piece<T> = Box<dyn FnMut(Budget, &Context<'_>) -> Option<T>>;

/// Units of work between two looks at the clock, where there are no threads: a millisecond or two.
#[cfg(target_arch = "wasm32")]
const UNITS_A_LOOK: u64 = 60_000;

/// How long there is work in one frame, where there are no threads: half as long as the frame takes without it, within
/// bounds. Frames that are slow to draw then do not make it last for ever.
#[cfg(any(test, target_arch = "wasm32"))]
fn share_of_frame(frame: Duration) -> Duration {
    (frame / 2).clamp(Duration::from_millis(8), Duration::from_millis(60))
}

/// Work that is under way.
pub struct Task<T> {
    shared: Shared,
    #[cfg(not(target_arch = "wasm32"))]
    answer: std::sync::mpsc::Receiver<T>,
    #[cfg(target_arch = "wasm32")]
    piece: Piece<T>,
    /// When work was done last.
    #[cfg(target_arch = "wasm32")]
    worked: Option<Duration>,
}

impl<T> core::fmt::Debug for Task<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Task").field("progress", &self.progress()).finish_non_exhaustive()
    }
}

impl<T: Send + 'static> Task<T> {
    /// Begins work that is one call.
    pub fn start(work: impl FnOnce(&Context<'_>) -> T + Send + 'static) -> Self {
        Self::start_pieces(|| {
            let mut work = Some(work);
            move |_, context| work.take().map(|work| work(context))
        })
    }

    /// Begins work that is done in pieces: what `make` makes, where it is done, is called until it gives an answer.
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub fn start_pieces<P>(make: impl FnOnce() -> P + Send + 'static) -> Self
    where
        P: FnMut(Budget, &Context<'_>) -> Option<T> + 'static,
    {
        let shared = Shared::default();
        let (send, answer) = std::sync::mpsc::channel();
        let theirs = shared.clone();
        std::thread::spawn(move || {
            let mut piece = make();
            let answer = loop {
                if let Some(answer) = theirs.run(|context| piece(Budget::unlimited(), context)) {
                    break answer;
                }
            };
            // Nobody may be waiting for it any more.
            let _ = send.send(answer);
        });
        Self { shared, answer }
    }

    /// Begins work that is done in pieces: what `make` makes is called until it gives an answer.
    #[cfg(target_arch = "wasm32")]
    #[must_use]
    pub fn start_pieces<P>(make: impl FnOnce() -> P + Send + 'static) -> Self
    where
        P: FnMut(Budget, &Context<'_>) -> Option<T> + 'static,
    {
        Self { shared: Shared::default(), piece: Box::new(make()), worked: None }
    }

    /// The answer, once, when it is there. Does a piece of the work where there are no threads.
    pub fn poll(&mut self) -> Option<T> {
        #[cfg(not(target_arch = "wasm32"))]
        {
            self.answer.try_recv().ok()
        }
        #[cfg(target_arch = "wasm32")]
        {
            let begun = LabClock.now();
            let Some(last) = self.worked.replace(begun) else {
                // The first frame shows that something begins.
                return None;
            };
            let until = begun + share_of_frame(begun.saturating_sub(last));
            loop {
                let piece = &mut self.piece;
                let answer = self.shared.run(|context| piece(Budget::new(UNITS_A_LOOK), context));
                if answer.is_some() || LabClock.now() >= until {
                    self.worked = Some(LabClock.now());
                    return answer;
                }
            }
        }
    }

    /// Waits for the answer; `None` if the work ended without one.
    pub fn wait(mut self) -> Option<T> {
        #[cfg(not(target_arch = "wasm32"))]
        {
            let _ = &mut self;
            self.answer.recv().ok()
        }
        #[cfg(target_arch = "wasm32")]
        loop {
            if let Some(answer) = self.poll() {
                return Some(answer);
            }
        }
    }
}

impl<T> Task<T> {
    /// How far it has come: 0…1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        let done = self.shared.done.load(Ordering::Relaxed);
        let total = self.shared.total.load(Ordering::Relaxed);
        done as f32 / total.max(1) as f32
    }

    /// Asks it to stop; it ends with an answer that says so, or without one.
    pub fn cancel(&self) {
        self.shared.cancel.cancel();
    }
}

impl<T> Drop for Task<T> {
    /// Nobody waits for it any more.
    fn drop(&mut self) {
        self.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_called_until_there_is_an_answer() {
        let task = Task::start_pieces(|| {
            // What stays on its thread need not be sent there.
            let calls = std::rc::Rc::new(core::cell::Cell::new(0));
            move |_, context: &Context<'_>| {
                calls.set(calls.get() + 1);
                context.progress(calls.get(), 4);
                (calls.get() == 4).then_some(calls.get())
            }
        });
        assert_eq!(task.wait(), Some(4));
    }

    #[test]
    fn frames_that_are_slow_to_draw_leave_time_for_work() {
        let share = |ms| share_of_frame(Duration::from_millis(ms)).as_millis();
        assert_eq!([1, 16, 40, 1000].map(share), [8, 8, 20, 60]);
    }

    #[test]
    fn what_is_cancelled_learns_of_it() {
        let task = Task::start(|context: &Context<'_>| {
            while context.check_cancelled().is_ok() {
                std::thread::yield_now();
            }
            7
        });
        task.cancel();
        assert_eq!(task.wait(), Some(7));
    }
}
