//! What a call says about itself: a status, and a sentence for the thread that called.

use crate::border::{put, write_text};
use core::ffi::c_char;
use std::cell::RefCell;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call went. All but OK come with a sentence: `wayfare_last_error`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayfareStatus {
    /// Done. "There is no path" is an answer, and OK.
    Ok = 0,
    /// An argument cannot be right: a null pointer, NaN, a number out of range.
    InvalidArgument = 1,
    /// The handle was freed, was never made, or is of another kind.
    DeadHandle = 2,
    /// The object is in use by another thread, or by the call whose callback this is.
    Busy = 3,
    /// A polygon, tile, agent, obstacle or request is no longer there.
    Stale = 4,
    /// The capacity is too small for the list: nothing was written but the count.
    TooSmall = 5,
    /// Bytes or text cannot be read: damaged, cut off, of another kind or version.
    BadData = 6,
    /// Settings or a level cannot be baked.
    BakeFailed = 7,
    /// The level holds nothing that the agent can walk on; the sentence says why.
    NothingWalkable = 8,
    /// Somebody cancelled it.
    Cancelled = 9,
    /// A limit of a format or of memory.
    Limit = 10,
    /// A file or store cannot be read or written.
    Io = 11,
    /// A fault of this library. Its sentence is worth a report.
    Internal = 12,
    /// A mesh cannot replace a newer version that it was not made from.
    Outdated = 13,
}

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: WayfareStatus,
    pub(crate) sentence: String,
}

pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(status: WayfareStatus, sentence: impl Display) -> Self {
        Self { status, sentence: sentence.to_string() }
    }

    /// The same of one question of many.
    pub(crate) fn at(self, index: usize) -> Self {
        Self { sentence: format!("at index {index}: {}", self.sentence), ..self }
    }

    pub(crate) fn argument(sentence: impl Display) -> Self {
        Self::new(WayfareStatus::InvalidArgument, sentence)
    }

    pub(crate) fn stale(sentence: impl Display) -> Self {
        Self::new(WayfareStatus::Stale, sentence)
    }

    pub(crate) fn data(sentence: impl Display) -> Self {
        Self::new(WayfareStatus::BadData, sentence)
    }

    pub(crate) fn limit(sentence: impl Display) -> Self {
        Self::new(WayfareStatus::Limit, sentence)
    }

    pub(crate) fn io(sentence: impl Display) -> Self {
        Self::new(WayfareStatus::Io, sentence)
    }
}

thread_local! {
    /// The sentence of the last call of this thread that failed.
    static SENTENCE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs the body of a call: a failure becomes a status and a sentence, and a panic does too.
pub(crate) fn border(body: impl FnOnce() -> Outcome) -> WayfareStatus {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return WayfareStatus::Ok,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            Failure::new(WayfareStatus::Internal, format_args!("a fault of this library, please report it: {text}"))
        }
    };
    SENTENCE.with(|sentence| *sentence.borrow_mut() = failure.sentence);
    failure.status
}

/// The sentence of the last call of this thread that failed, as UTF-8 with a 0 at the end.
///
/// `length` gets its length without the 0, and may be null. If `capacity` is too small, the text is cut at a character,
/// and still ends with 0; the status is TOO_SMALL. Empty if no call of this thread has failed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_last_error(text: *mut c_char, capacity: usize, length: *mut usize) -> WayfareStatus {
    let whole = SENTENCE.with(|sentence| sentence.borrow().clone());
    // Not through `border`: asking for the sentence must not replace it.
    // SAFETY: the header asks for `capacity` characters at `text`, and for one number at `length` or null.
    match unsafe { write_text(text, capacity, length, &whole) } {
        Ok(()) => WayfareStatus::Ok,
        Err(failure) => failure.status,
    }
}

/// The version of this library, as `major * 1000000 + minor * 1000 + patch`.
#[unsafe(no_mangle)]
pub extern "C" fn wayfare_version() -> u32 {
    let part = |text: &str| text.parse::<u32>().unwrap_or_default();
    let minor = part(env!("CARGO_PKG_VERSION_MINOR"));
    part(env!("CARGO_PKG_VERSION_MAJOR")) * 1_000_000 + minor * 1_000 + part(env!("CARGO_PKG_VERSION_PATCH"))
}

/// The name of a status, such as "dead handle", as a text that lives for ever; "unknown status" for other numbers.
#[unsafe(no_mangle)]
pub extern "C" fn wayfare_status_name(status: u32) -> *const c_char {
    let name = match status {
        0 => c"ok",
        1 => c"invalid argument",
        2 => c"dead handle",
        3 => c"busy",
        4 => c"stale",
        5 => c"too small",
        6 => c"bad data",
        7 => c"bake failed",
        8 => c"nothing walkable",
        9 => c"cancelled",
        10 => c"limit",
        11 => c"io",
        12 => c"internal",
        13 => c"outdated",
        _ => c"unknown status",
    };
    name.as_ptr()
}

/// How many objects are alive, of all kinds: 0 once a program has freed all of its handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_handles(count: *mut usize) -> WayfareStatus {
    border(|| put!(count, crate::handle::live()))
}
