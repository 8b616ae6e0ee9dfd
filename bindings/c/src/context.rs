//! What long work is given: who hears of its progress and its messages, who may cancel it, what it may take.

use crate::border::{Sized32, UserData, put, put_sized, sized};
use crate::handle::{Handle, handle};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use core::ffi::{c_char, c_void};
use core::fmt::Arguments;
use core::mem::offset_of;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::ffi::CString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use wayfare_nav::context::{Cancel, Clock, Context, Log, Progress, on_this_thread};

/// Lets one thread cancel the work of another.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareCancel {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareCancel, Cancel, "cancel");

/// Hears how far work is: `done` of `total`. Returning 0 goes on; anything else cancels the work. Called from any thread
/// that works, and from several at once where work has several; all but the caller's own have ended when the call returns.
pub type WayfareProgressCallback = Option<unsafe extern "C" fn(user: *mut c_void, done: u64, total: u64) -> i32>;

/// Hears a message: UTF-8 that ends with 0 and lives until the callback returns. Called from the same
/// threads.
pub type WayfareLogCallback = Option<unsafe extern "C" fn(user: *mut c_void, message: *const c_char)>;

/// What long work is given. May be null wherever it is taken: then it runs on one thread, nobody hears of it, and nothing
/// limits it. Callbacks must return: they may not throw, nor jump out.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WayfareContext {
    /// The size of this structure: set by `wayfare_context_default`.
    pub size: u32,
    /// 1 to measure the times of stages.
    pub measure_times: u32,
    /// Hears how far it is; may be null.
    pub progress: WayfareProgressCallback,
    /// Hears messages; may be null.
    pub log: WayfareLogCallback,
    /// Handed to both callbacks.
    pub user: *mut c_void,
    /// Cancels it from elsewhere; 0 for none.
    pub cancel: WayfareCancel,
    /// The most bytes that a bake may take; 0 for no limit.
    pub memory_limit: u64,
    /// The most threads that it may use: 0 for as many as there are cores, which all such calls share; 1, the default, for the
    /// calling thread alone. With 2 or more each call has so many of its own, which are kept for later calls; those of a call
    /// that calls back have ended when it returns.
    pub threads: u32,
    /// Nothing; 0.
    pub reserved: u32,
}

impl Sized32 for WayfareContext {
    const LEAST: usize = offset_of!(Self, threads);
    fn set_size(&mut self, size: u32) {
        self.size = size;
    }
    fn usual() -> Self {
        Self {
            size: size_of::<Self>() as u32,
            measure_times: 0,
            progress: None,
            log: None,
            user: core::ptr::null_mut(),
            cancel: WayfareCancel { id: 0 },
            memory_limit: 0,
            threads: 1,
            reserved: 0,
        }
    }
}

/// Fills a context with what is usual: nobody hears of the work, one thread, no limits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_context_default(context: *mut WayfareContext, size: usize) -> WayfareStatus {
    border(|| put_sized!(context, size, WayfareContext::usual()))
}

/// Makes something to cancel with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_cancel_new(cancel: *mut WayfareCancel) -> WayfareStatus {
    border(|| put!(cancel, WayfareCancel::keep(Cancel::new())?))
}

/// Cancels all work that was given it; from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_cancel_now(cancel: WayfareCancel) -> WayfareStatus {
    border(|| {
        cancel.read()?.cancel();
        Ok(())
    })
}

/// Frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_cancel_free(cancel: WayfareCancel) -> WayfareStatus {
    border(|| cancel.free())
}

struct Callbacks {
    progress: WayfareProgressCallback,
    log: WayfareLogCallback,
    user: UserData,
    has_stopped: AtomicBool,
    begin: Instant,
}

impl Log for Callbacks {
    fn log(&self, message: Arguments<'_>) {
        let text = CString::new(message.to_string().replace('\0', " ")).unwrap_or_default();
        if let Some(log) = self.log {
            // SAFETY: the header asks for a function that takes these and returns; the text outlives the call.
            unsafe { log(self.user.get(), text.as_ptr()) };
        }
    }
}

impl Clock for Callbacks {
    fn now(&self) -> Duration {
        self.begin.elapsed()
    }
}

/// Runs work with what a caller's context says, on as many threads as it says.
pub(crate) fn with_context<T: Send>(
    given: *const WayfareContext,
    work: impl FnOnce(&Context<'_>) -> Outcome<T> + Send,
) -> Outcome<T> {
    with_context_and_filters(given, false, work)
}

/// The same for work that asks filters; `calls_back` if any of them may be functions of the caller.
pub(crate) fn with_context_and_filters<T: Send>(
    given: *const WayfareContext,
    calls_back: bool,
    work: impl FnOnce(&Context<'_>) -> Outcome<T> + Send,
) -> Outcome<T> {
    let asked = Asked::of(given)?;
    on_threads(asked.threads, asked.calls_back() || calls_back, || asked.run(work))
}

/// Refuses work that is too short to be cancelled on its way, if it is cancelled before it begins.
pub(crate) fn not_cancelled(context: &Context<'_>) -> Outcome {
    let cancelled = |_| Failure::new(WayfareStatus::Cancelled, "it was cancelled before it began");
    context.check_cancelled().map_err(cancelled)
}

/// A context as it was given, checked.
struct Asked {
    callbacks: Callbacks,
    cancel: Cancel,
    measures_times: bool,
    memory_limit: u64,
    threads: u32,
}

impl Asked {
    fn of(given: *const WayfareContext) -> Outcome<Self> {
        let given = if given.is_null() { WayfareContext::usual() } else { sized!(given)? };
        let WayfareContext { progress, log, user, memory_limit, threads, .. } = given;
        // Of this call alone: a progress callback that stops it must not cancel what else was given the caller's.
        let cancel = if given.cancel.id == 0 { Cancel::new() } else { given.cancel.read()?.child() };
        let (user, has_stopped) = (UserData(user), AtomicBool::new(false));
        let callbacks = Callbacks { progress, log, user, has_stopped, begin: Instant::now() };
        Ok(Self { callbacks, cancel, measures_times: given.measure_times != 0, memory_limit, threads })
    }

    /// Whether it has a function of the caller.
    fn calls_back(&self) -> bool {
        self.callbacks.progress.is_some() || self.callbacks.log.is_some()
    }

    fn run<T>(&self, work: impl FnOnce(&Context<'_>) -> Outcome<T>) -> Outcome<T> {
        let Self { callbacks, cancel, measures_times, memory_limit, .. } = self;
        let hear = |Progress { done, total }: Progress| {
            let Some(progress) = callbacks.progress else { return };
            // SAFETY: the header asks for a function that takes these and returns.
            if unsafe { progress(callbacks.user.get(), done, total) } != 0 {
                callbacks.has_stopped.store(true, Ordering::Relaxed);
                cancel.cancel();
            }
        };
        let done = work(&Context {
            clock: measures_times.then_some(callbacks as &dyn Clock),
            log: callbacks.log.is_some().then_some(callbacks as &dyn Log),
            progress: callbacks.progress.is_some().then_some(&hear),
            cancel: Some(cancel),
            memory_limit: (*memory_limit != 0).then_some(*memory_limit),
        });
        if done.is_err() && callbacks.has_stopped.load(Ordering::Relaxed) {
            return Err(Failure::new(WayfareStatus::Cancelled, "the progress callback stopped it"));
        }
        done
    }
}

/// Runs work with so many threads: 0 for as many as there are cores, 1 for the calling thread alone. Work that calls back
/// into the program does so from that thread, or from others that have ended when this returns: a kept thread that has once
/// called into managed code (C#, Java) belongs to that runtime from then on, which would wait for its end for ever when it
/// unloads.
pub(crate) fn on_threads<T: Send>(
    threads: u32,
    calls_back: bool,
    work: impl FnOnce() -> Outcome<T> + Send,
) -> Outcome<T> {
    if threads > MOST_THREADS {
        return Err(too_many(threads));
    }
    if threads == 1 {
        return on_this_thread(work);
    }
    if calls_back {
        let pool = ThreadPoolBuilder::new().num_threads(threads as usize);
        let done = pool.build_scoped(|thread| thread.run(), |pool| pool.install(work));
        return done.map_err(|e| cannot_start(threads, e))?;
    }
    if threads == 0 {
        return work();
    }
    let pool = take_pool(threads)?;
    let done = pool.install(work);
    give_back(pool);
    done
}

fn cannot_start(threads: u32, error: ThreadPoolBuildError) -> Failure {
    Failure::limit(format_args!("{threads} threads cannot be started: {error}"))
}

/// Pools that no call is using; the one that was used last stands last.
static IDLE: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());

/// How many idle threads are kept in all.
const MOST_IDLE: usize = 256;

/// Threads that one call has to itself: those of an earlier call, or new ones where all are at work. So calls on several
/// threads never wait for each other, and a call that comes every frame starts no threads.
fn take_pool(count: u32) -> Outcome<ThreadPool> {
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(at) = idle.iter().rposition(|pool| pool.current_num_threads() == count as usize) {
        return Ok(idle.remove(at));
    }
    drop(idle);
    ThreadPoolBuilder::new().num_threads(count as usize).build().map_err(|e| cannot_start(count, e))
}

/// Keeps a pool for another call, in the place of those that were not used for longest where there are too many.
fn give_back(pool: ThreadPool) {
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    idle.push(pool);
    let mut kept = 0;
    let fitting = idle.iter().rev().take_while(|pool| {
        kept += pool.current_num_threads();
        kept <= MOST_IDLE
    });
    let excess = idle.len() - fitting.count();
    idle.drain(..excess);
}

const MOST_THREADS: u32 = 1024;

fn too_many(threads: u32) -> Failure {
    Failure::argument(format_args!("`threads` is {threads}, but may be {MOST_THREADS} at most"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{self, Receiver, Sender};

    /// Says that it runs, and hears that the other does; how long it would wait for that is far more than it takes.
    fn meet(threads: u32, (tell, hear): (Sender<()>, Receiver<()>)) -> bool {
        let work = move || Ok(tell.send(()).is_ok() && hear.recv_timeout(Duration::from_secs(60)).is_ok());
        on_threads(threads, false, work).is_ok_and(|met| met)
    }

    /// A call on one thread goes on while another is at work.
    #[test]
    fn calls_on_several_threads_do_not_wait_for_each_other() {
        for threads in [1, 1, 2] {
            let ((tell_a, told_b), (tell_b, told_a)) = (mpsc::channel(), mpsc::channel());
            std::thread::scope(|scope| {
                let other = scope.spawn(move || meet(threads, (tell_a, told_a)));
                assert!(meet(threads, (tell_b, told_b)), "on {threads} threads each");
                assert!(other.join().is_ok_and(|met| met));
            });
        }
    }

    /// One thread is the caller's own, so that callbacks come from there, and a call that comes every frame wakes nobody.
    #[test]
    fn one_thread_is_the_callers_own() {
        let own = std::thread::current().id();
        for calls_back in [false, true] {
            let id = on_threads(1, calls_back, || Ok(std::thread::current().id())).unwrap();
            assert_eq!(id, own);
        }
        let other = on_threads(2, true, || Ok(std::thread::current().id())).unwrap();
        assert_ne!(other, own);
    }

    /// Work has the threads it asks for, those of an earlier call where they are free, and few are kept.
    #[test]
    fn threads_are_kept_for_later_calls_but_not_too_many() {
        // A number that no other test uses.
        let thread =
            || on_threads(3, false, || Ok((std::thread::current().id(), rayon::current_num_threads()))).unwrap();
        let ids: Vec<_> = (0..20).map(|_| thread()).collect();
        assert!(ids.iter().all(|(_, threads)| *threads == 3));
        let distinct: std::collections::HashSet<_> = ids.iter().map(|(id, _)| id).collect();
        assert!(distinct.len() <= 3, "{distinct:?}");
        for threads in 90..100 {
            on_threads(threads, false, || Ok(())).unwrap();
        }
        let idle: usize = IDLE.lock().unwrap().iter().map(ThreadPool::current_num_threads).sum();
        assert!(idle <= MOST_IDLE);
        assert_eq!(on_threads(MOST_THREADS + 1, false, || Ok(())).unwrap_err().status, WayfareStatus::InvalidArgument);
    }

    /// A progress callback that stops one call leaves the caller's switch as it is, which stops others as well.
    #[test]
    fn a_callback_that_stops_a_call_cancels_nothing_else() {
        unsafe extern "C" fn stop(_: *mut c_void, _: u64, _: u64) -> i32 {
            1
        }
        let cancel = WayfareCancel::keep(Cancel::new()).unwrap();
        let context = WayfareContext { progress: Some(stop), cancel, ..WayfareContext::usual() };
        let work = |context: &Context<'_>| {
            context.progress(1, 2);
            context.check_cancelled().map_err(|_| Failure::new(WayfareStatus::Cancelled, "it was"))
        };
        assert_eq!(with_context(&raw const context, work).unwrap_err().status, WayfareStatus::Cancelled);
        assert!(!cancel.read().unwrap().is_cancelled());
        let silent = WayfareContext { progress: None, ..context };
        assert!(with_context(&raw const silent, work).is_ok());
        cancel.read().unwrap().cancel();
        assert!(with_context(&raw const silent, work).is_err());
        cancel.free().unwrap();
    }
}
