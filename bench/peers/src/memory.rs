//! Peak memory of a piece of work: a counting allocator for Rust, and the same counter behind the allocation hooks that
//! the C++ reference offers. Counting is off while times are taken.

use recastnavigation_sys as sys;
use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};

pub struct Counting;

static ON: AtomicBool = AtomicBool::new(false);
static LIVE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

fn count(bytes: i64) {
    let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(live, Relaxed);
}

// SAFETY: every call is passed on to the system allocator unchanged; only counters are touched besides.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if ON.load(Relaxed) {
            count(layout.size() as i64);
        }
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if ON.load(Relaxed) {
            count(layout.size() as i64);
        }
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        if ON.load(Relaxed) {
            count(-(layout.size() as i64));
        }
        // SAFETY: as above.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if ON.load(Relaxed) {
            count(new_size as i64 - layout.size() as i64);
        }
        // SAFETY: as above.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

const HEADER: usize = 16;

unsafe extern "C" {
    #[link_name = "\u{1}_Z16rcAllocSetCustomPFPvm11rcAllocHintEPFvS_E"]
    fn rc_alloc_set_custom(
        alloc: Option<unsafe extern "C" fn(usize, u32) -> *mut c_void>,
        free: Option<unsafe extern "C" fn(*mut c_void)>,
    );
}

unsafe extern "C" fn counted_alloc(size: usize, _hint: u32) -> *mut c_void {
    let Ok(layout) = Layout::from_size_align(size + HEADER, HEADER) else { return std::ptr::null_mut() };
    // SAFETY: the layout is not empty; the header holds the size for `counted_free`.
    unsafe {
        let base = System.alloc(layout);
        if base.is_null() {
            return base.cast();
        }
        count(size as i64);
        base.cast::<usize>().write(size);
        base.add(HEADER).cast()
    }
}

unsafe extern "C" fn counted_free(ptr: *mut c_void) {
    if ptr.is_null() {
        return;
    }
    // SAFETY: `ptr` came from `counted_alloc`: hooks are set and taken away only while the reference holds no memory.
    unsafe {
        let base = ptr.cast::<u8>().sub(HEADER);
        let size = base.cast::<usize>().read();
        count(-(size as i64));
        System.dealloc(base, Layout::from_size_align_unchecked(size + HEADER, HEADER));
    }
}

/// Peak bytes that `work` holds at once above what was held before. Its result must be dropped inside.
pub fn peak_of(work: impl FnOnce()) -> u64 {
    // SAFETY: the reference holds no memory here, see `counted_free`.
    unsafe {
        rc_alloc_set_custom(Some(counted_alloc), Some(counted_free));
        sys::dtAllocSetCustom(Some(counted_alloc), Some(counted_free));
    }
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    ON.store(true, Relaxed);
    work();
    ON.store(false, Relaxed);
    // SAFETY: as above; `None` brings back malloc and free.
    unsafe {
        rc_alloc_set_custom(None, None);
        sys::dtAllocSetCustom(None, None);
    }
    PEAK.load(Relaxed).max(0) as u64
}
