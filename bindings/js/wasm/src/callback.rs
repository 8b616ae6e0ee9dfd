//! Functions of the page: progress of long work, and filters.
//!
//! Contexts and filters of the library are shared between threads, which functions of a page cannot be; so the functions
//! stand in a table of the one thread that there is, and are named by number. What a function throws cannot pass through
//! the library: it is kept here, the work is told to stop, and the call that began it throws it on.

use crate::fault::{Answer, Fault};
use core::cell::RefCell;
use js_sys::Function;
use wasm_bindgen::JsValue;
#[cfg(feature = "mesh")]
use wayfare::context::{Cancel, Context, Progress};

thread_local! {
    static FUNCTIONS: RefCell<Vec<Option<Function>>> = const { RefCell::new(Vec::new()) };
    static THROWN: RefCell<Option<JsValue>> = const { RefCell::new(None) };
}

/// A function of the page, for as long as this lives.
pub(crate) struct Callback(usize);

impl Callback {
    pub(crate) fn new(function: Function) -> Self {
        FUNCTIONS.with_borrow_mut(|functions| {
            let free = functions.iter().position(Option::is_none);
            let number = free.unwrap_or(functions.len());
            if free.is_none() {
                functions.push(None);
            }
            functions[number] = Some(function);
            Self(number)
        })
    }

    /// Calls it. `None` if it threw, or something has been thrown before in the same piece of work.
    pub(crate) fn call(&self, arguments: &[JsValue]) -> Option<JsValue> {
        if THROWN.with_borrow(Option::is_some) {
            return None;
        }
        let function = FUNCTIONS.with_borrow(|functions| functions.get(self.0).cloned().flatten())?;
        match function.apply(&JsValue::UNDEFINED, &arguments.iter().collect()) {
            Ok(value) => Some(value),
            Err(thrown) => {
                THROWN.set(Some(thrown));
                None
            }
        }
    }
}

impl Drop for Callback {
    fn drop(&mut self) {
        FUNCTIONS.with_borrow_mut(|functions| functions[self.0] = None);
    }
}

/// Throws on what a function of the page threw since the last look. To be called before each answer of what may have
/// called one; an error that leaves instead of an answer does it by itself.
pub(crate) fn rethrow() -> Answer<()> {
    take_thrown().map_or(Ok(()), |thrown| Err(Fault::Thrown(thrown)))
}

/// Takes it, if there is something.
pub(crate) fn take_thrown() -> Option<JsValue> {
    THROWN.take()
}

/// Memory that a bake may take: what a page can have, with room for the rest.
#[cfg(feature = "mesh")]
pub(crate) const MEMORY_LIMIT: u64 = 3 << 30;

/// Does long work that tells a function of the page how far it is: done and total. It stops where that returns `false`
/// or throws.
#[cfg(feature = "mesh")]
pub(crate) fn with_progress<T, E: Into<Fault>>(
    progress: Option<Function>,
    work: impl FnOnce(&Context<'_>) -> Result<T, E>,
) -> Answer<T> {
    let Some(function) = progress else {
        return work(&Context { memory_limit: Some(MEMORY_LIMIT), ..Context::default() }).map_err(Into::into);
    };
    let callback = Callback::new(function);
    let cancel = Cancel::new();
    let tell = |progress: Progress| {
        let answer = callback.call(&[(progress.done as f64).into(), (progress.total as f64).into()]);
        if answer.is_none_or(|answer| answer.as_bool() == Some(false)) {
            cancel.cancel();
        }
    };
    let context = Context {
        progress: Some(&tell),
        cancel: Some(&cancel),
        memory_limit: Some(MEMORY_LIMIT),
        ..Context::default()
    };
    let result = work(&context);
    rethrow()?;
    result.map_err(Into::into)
}

/// A function of the page that takes the remarks of long work.
#[cfg(feature = "mesh")]
pub(crate) struct PageLog(pub(crate) Callback);

#[cfg(feature = "mesh")]
impl wayfare::context::Log for PageLog {
    fn log(&self, message: core::fmt::Arguments<'_>) {
        self.0.call(&[JsValue::from_str(&message.to_string())]);
    }
}
