//! Memory: the system's, by an allocator that remembers when it had none to give.
//!
//! Full memory ends a call by the same trap as a fault of the library. The page asks here which of the two it was.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};
use wasm_bindgen::prelude::*;

/// Whether memory was refused when it was last asked for.
static IS_REFUSED: AtomicBool = AtomicBool::new(false);

struct Remembering;

#[global_allocator]
static ALLOCATOR: Remembering = Remembering;

fn told(given: *mut u8) -> *mut u8 {
    IS_REFUSED.store(given.is_null(), Ordering::Relaxed);
    given
}

// SAFETY: all memory is the system allocator's, handed on as it is.
unsafe impl GlobalAlloc for Remembering {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises what the system's allocator wants.
        told(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises what the system's allocator wants.
        told(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises what the system's allocator wants.
        told(unsafe { System.realloc(old, layout, size) })
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: the caller promises what the system's allocator wants.
        unsafe { System.dealloc(old, layout) }
    }
}

/// A list of half of all memory or more is refused before the allocator is asked, by a panic with just this message.
const TOO_LONG: &str = "capacity overflow";

#[wasm_bindgen(start)]
pub fn begin() {
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.payload().downcast_ref::<&str>();
        IS_REFUSED.store(message.is_some_and(|message| *message == TOO_LONG), Ordering::Relaxed);
    }));
}

/// Whether memory was refused when it was last asked for: after a trap, whether that is the reason.
#[wasm_bindgen(js_name = isMemoryRefused)]
pub fn is_memory_refused() -> bool {
    IS_REFUSED.load(Ordering::Relaxed)
}
