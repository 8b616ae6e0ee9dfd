//! Pointers from outside, read and written: the one place that follows them.
//!
//! Each function says what its caller must know; the header asks the same of C. What can be seen is checked here: null,
//! alignment, lengths that no memory has, structures of another size.

use crate::status::{Failure, Outcome, WayfareStatus};
use core::ffi::{CStr, c_char};
use core::mem::size_of;

/// Writes one value to an out-parameter that must not be null.
macro_rules! put {
    ($out:expr, $value:expr) => {{
        // First, since what is kept for nobody would never be freed.
        $crate::border::check_out($out, stringify!($out))?;
        let value = $value;
        // SAFETY: the header asks for memory for one value at every out-parameter, or null, which is checked.
        unsafe { $crate::border::write($out, value, stringify!($out)) }
    }};
}

/// A list of a caller: a pointer and a count.
macro_rules! list {
    ($pointer:expr, $count:expr) => {
        // SAFETY: the header asks for `count` readable values at every list; null and wild counts are checked.
        unsafe { $crate::border::read_list($pointer, $count, stringify!($pointer)) }
    };
}

/// Fills a list of a caller, and says how many values there are.
macro_rules! fill {
    ($out:expr, $capacity:expr, $count:expr, $values:expr) => {
        // A match, so that what the values borrow from lives as long as they do.
        match $values {
            // SAFETY: the header asks for memory for `capacity` values, or null with 0, and for one number at the count.
            values => unsafe { $crate::border::fill_list($out, $capacity, $count, values) },
        }
    };
}

/// A structure that begins with its size.
macro_rules! sized {
    ($pointer:expr) => {
        // SAFETY: the header asks for a structure of as many bytes as its first field says.
        unsafe { $crate::border::read_sized($pointer, stringify!($pointer)) }
    };
}

/// Structures that begin with their size, one after the other.
macro_rules! sized_list {
    ($pointer:expr, $count:expr) => {
        // SAFETY: the header asks for `count` structures, each of as many bytes as the first field of the first says.
        unsafe { $crate::border::read_sized_list($pointer, $count, stringify!($pointer)) }
    };
}

/// Fills a structure of a caller that begins with its size, which the caller says.
macro_rules! put_sized {
    ($out:expr, $size:expr, $value:expr) => {{
        let value = $value;
        // SAFETY: the header asks for a structure of so many bytes at every one that is filled.
        unsafe { $crate::border::write_sized($out, $size, value, stringify!($out)) }
    }};
}

/// A text of a caller.
macro_rules! text {
    ($pointer:expr) => {
        // SAFETY: the header asks for a text that ends with 0.
        unsafe { $crate::border::read_text($pointer, stringify!($pointer)) }
    };
}

/// Fills a text of a caller.
macro_rules! fill_text {
    ($out:expr, $capacity:expr, $length:expr, $text:expr) => {{
        let text = $text;
        // SAFETY: the header asks for `capacity` characters, or null with 0, and for one number at the length or null.
        unsafe { $crate::border::write_text($out, $capacity, $length, &text) }
    }};
}

pub(crate) use {fill, fill_text, list, put, put_sized, sized, sized_list, text};

fn null(name: &str) -> Failure {
    Failure::argument(format_args!("`{name}` is null"))
}

/// Whether something can be written there.
pub(crate) fn check_out<T>(out: *mut T, name: &str) -> Outcome {
    if out.is_null() || !out.is_aligned() { Err(null(name)) } else { Ok(()) }
}

/// # Safety
/// `out` is null, or has memory for one value.
pub(crate) unsafe fn write<T>(out: *mut T, value: T, name: &str) -> Outcome {
    check_out(out, name)?;
    // SAFETY: not null and aligned; the caller knows that there is memory.
    unsafe { out.write(value) };
    Ok(())
}

/// # Safety
/// `pointer` is null, or has `count` readable values that do not change while the call runs.
pub(crate) unsafe fn read_list<'a, T>(pointer: *const T, count: usize, name: &str) -> Outcome<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Failure::argument(format_args!("`{name}` is null, but its count is {count}")));
    }
    let most = isize::MAX as usize / size_of::<T>().max(1);
    if count > most || !pointer.is_aligned() {
        return Err(Failure::argument(format_args!("`{name}`: a list of {count} values cannot be there")));
    }
    // SAFETY: not null, aligned, no longer than memory can be; the caller knows that the values are there.
    Ok(unsafe { core::slice::from_raw_parts(pointer, count) })
}

/// Fills `out` if it has room for all values, and writes how many there are to `count` either way.
///
/// # Safety
/// `out` is null or has memory for `capacity` values; `count` is null or has memory for one.
pub(crate) unsafe fn fill_list<T>(
    out: *mut T,
    capacity: usize,
    count: *mut usize,
    values: impl ExactSizeIterator<Item = T>,
) -> Outcome {
    let length = values.len();
    // SAFETY: as the caller knows.
    unsafe { write(count, length, "count") }?;
    if length > capacity {
        let sentence = format_args!("the list has {length} values, but the capacity is {capacity}");
        return Err(Failure::new(WayfareStatus::TooSmall, sentence));
    }
    if length > 0 && (out.is_null() || !out.is_aligned()) {
        return Err(Failure::argument(format_args!("the list is null, but its capacity is {capacity}")));
    }
    for (i, value) in values.take(length).enumerate() {
        // SAFETY: `i` is below the capacity, for which there is memory.
        unsafe { out.add(i).write(value) };
    }
    Ok(())
}

/// A structure that begins with a `u32` that is its size: fields that the caller's version does not have keep their
/// defaults.
pub(crate) trait Sized32: Copy {
    /// The size of the first version of it.
    const LEAST: usize;
    /// All fields as they are when the caller says nothing.
    fn usual() -> Self;
    /// Says that only so many bytes are there, in it and in a structure with a size that it ends with.
    fn set_size(&mut self, size: u32);
}

/// Writes as much of a structure as the caller's version has.
///
/// # Safety
/// `out` is null, or has memory for `size` bytes.
pub(crate) unsafe fn write_sized<T: Sized32>(out: *mut T, size: usize, mut value: T, name: &str) -> Outcome {
    check_out(out, name)?;
    let (least, most) = (T::LEAST, size_of::<T>());
    if size < least || size > most {
        return Err(Failure::argument(format_args!(
            "the size of `{name}` is given as {size}, but must be {least} to {most}: give that of the structure (sizeof), and \
             do not use a newer header than the library"
        )));
    }
    value.set_size(size as u32);
    // SAFETY: there is memory for `size` bytes, and `value` has no fewer; what a caller gives does not overlap ours.
    unsafe { core::ptr::copy_nonoverlapping((&raw const value).cast::<u8>(), out.cast::<u8>(), size) };
    Ok(())
}

/// # Safety
/// `pointer` is null, or has as many readable bytes as the `u32` that it begins with says.
pub(crate) unsafe fn read_sized<T: Sized32>(pointer: *const T, name: &str) -> Outcome<T> {
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(null(name));
    }
    // SAFETY: not null and aligned; a structure with a size has at least that size.
    let size = unsafe { pointer.cast::<u32>().read() } as usize;
    if size < T::LEAST || size > size_of::<T>() {
        let (least, most) = (T::LEAST, size_of::<T>());
        return Err(Failure::argument(format_args!(
            "`{name}` says that its size is {size}, but must be {least} to {most}: fill it by its `_default` function first, \
             and do not use a newer header than the library"
        )));
    }
    let mut value = T::usual();
    // SAFETY: `size` bytes are readable, and no more than `value` has. All fields are numbers, for which any bits do.
    unsafe { core::ptr::copy_nonoverlapping(pointer.cast::<u8>(), (&raw mut value).cast::<u8>(), size) };
    Ok(value)
}

/// Structures of the caller's version stand as far apart as that says, which may be less than ours.
///
/// # Safety
/// `pointer` is null, or has `count` structures, each of as many readable bytes as the `u32` of the first says.
pub(crate) unsafe fn read_sized_list<T: Sized32>(pointer: *const T, count: usize, name: &str) -> Outcome<Vec<T>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: there is a first one, or null.
    unsafe { read_sized(pointer, name) }?;
    // SAFETY: it was just read.
    let step = unsafe { pointer.cast::<u32>().read() } as usize;
    if count > isize::MAX as usize / step {
        return Err(Failure::argument(format_args!("`{name}`: a list of {count} structures cannot be there")));
    }
    let one = |index: usize| {
        // SAFETY: the structures that the caller knows of end behind this one, and no memory is longer than `isize`.
        let at = unsafe { pointer.byte_add(index * step) };
        // SAFETY: at least the size is readable; the first one is aligned, and this one is where the size keeps that.
        let size = if at.is_aligned() { unsafe { at.cast::<u32>().read() } } else { 0 };
        if size as usize != step {
            let sentence = format_args!("`{name}` at index {index} says that its size is {size}, the first one {step}");
            return Err(Failure::argument(sentence));
        }
        // SAFETY: as many bytes are readable as the first one says, which this one says too.
        unsafe { read_sized(at, name) }
    };
    (0..count).map(one).collect()
}

/// # Safety
/// `pointer` is null or leads to a text that ends with 0.
pub(crate) unsafe fn read_text<'a>(pointer: *const c_char, name: &str) -> Outcome<&'a str> {
    if pointer.is_null() {
        return Err(null(name));
    }
    // SAFETY: not null; the caller knows that the text ends.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Failure::argument(format_args!("`{name}` is not UTF-8")))
}

/// Writes a text with a 0 at its end, cut at a character where the capacity is too small.
///
/// # Safety
/// `out` is null or has memory for `capacity` characters; `length` is null or has memory for one number.
pub(crate) unsafe fn write_text(out: *mut c_char, capacity: usize, length: *mut usize, text: &str) -> Outcome {
    if !length.is_null() && length.is_aligned() {
        // SAFETY: not null and aligned; the caller knows that there is memory.
        unsafe { length.write(text.len()) };
    }
    if !out.is_null() && capacity > 0 {
        let mut end = text.len().min(capacity - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        // SAFETY: `end` is below the capacity, for which there is memory; a text of a program does not overlap ours.
        unsafe {
            core::ptr::copy_nonoverlapping(text.as_ptr().cast::<c_char>(), out, end);
            out.add(end).write(0);
        }
        if end == text.len() {
            return Ok(());
        }
    }
    let needed = text.len() + 1;
    let sentence = format_args!("the text needs {needed} characters, but the capacity is {capacity}");
    Err(Failure::new(WayfareStatus::TooSmall, sentence))
}

/// A pointer that a caller gave to be handed back to its callbacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UserData(pub(crate) *mut core::ffi::c_void);

// SAFETY: this library never follows the pointer; the header says from which threads callbacks are called.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

impl UserData {
    pub(crate) fn get(self) -> *mut core::ffi::c_void {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::WayfareContext;
    use core::mem::offset_of;

    /// What stands behind a structure of an earlier header is left alone, and the structure says how long it is.
    #[test]
    fn only_as_much_is_filled_as_the_caller_has() {
        fn fill<T: Sized32>(size: usize) -> (Vec<u8>, Outcome) {
            let mut words = vec![u64::MAX; size_of::<T>() / 8 + 2];
            // SAFETY: there is memory for more than the whole structure.
            let done = unsafe { write_sized(words.as_mut_ptr().cast::<T>(), size, T::usual(), "it") };
            (words.iter().flat_map(|word| word.to_ne_bytes()).collect(), done)
        }
        fn check<T: Sized32>() {
            for size in [T::LEAST, size_of::<T>()] {
                let (bytes, done) = fill::<T>(size);
                done.unwrap();
                assert_eq!(bytes[..4], (size as u32).to_ne_bytes());
                assert!(bytes[size..].iter().all(|&byte| byte == 0xff));
                // SAFETY: it was written there; a list of bytes has any alignment, so it is copied.
                let mut copy = T::usual();
                unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), (&raw mut copy).cast::<u8>(), size) };
                // SAFETY: it is a whole structure.
                assert!(unsafe { read_sized(&raw const copy, "it") }.is_ok());
            }
            for size in [0, 3, 4, T::LEAST - 1, size_of::<T>() + 1, usize::MAX] {
                let (bytes, done) = fill::<T>(size);
                let failure = done.unwrap_err();
                assert_eq!(failure.status, WayfareStatus::InvalidArgument);
                assert!(failure.sentence.contains("sizeof") && bytes.iter().all(|&byte| byte == 0xff));
            }
        }
        check::<WayfareContext>();
        check::<crate::avoid::WayfareAvoidance>();
        check::<crate::blocks::WayfareBlockSettings>();
        check::<crate::crowd::WayfareCrowdSettings>();
        check::<crate::crowd_params::WayfareAgentParams>();
        check::<crate::filter::WayfareFilterCallbacks>();
        check::<crate::query::WayfareQuerySettings>();
        check::<crate::settings::WayfareBakeSettings>();
        check::<crate::settings::WayfareLinkSettings>();
    }

    /// Parameters of agents end with a method of avoidance, which has a size too.
    #[test]
    fn a_structure_within_a_structure_has_the_room_that_is_left() {
        use crate::avoid::WayfareAvoidance;
        use crate::crowd_params::WayfareAgentParams;
        let mut params = WayfareAgentParams::usual();
        let (whole, inner) = (size_of::<WayfareAgentParams>() as u32, size_of::<WayfareAvoidance>() as u32);
        assert_eq!((params.size, params.avoidance.size), (whole, inner));
        params.set_size(whole - 4);
        assert_eq!(params.avoidance.size, inner - 4);
    }

    /// A program with an earlier header has shorter structures, which stand closer together; what they lack is as usual.
    #[test]
    fn structures_of_an_earlier_version_are_read_one_by_one() {
        let whole = size_of::<WayfareContext>();
        for size in [WayfareContext::LEAST, whole] {
            let mut words = vec![0_u64; 3 * whole / 8];
            for (number, limit) in [7_u64, 8, 9].into_iter().enumerate() {
                let at = number * size / 8;
                words[at] = size as u64;
                words[at + offset_of!(WayfareContext, memory_limit) / 8] = limit;
            }
            let first = words.as_ptr().cast::<WayfareContext>();
            // SAFETY: three structures of that size stand there.
            let read = unsafe { read_sized_list(first, 3, "contexts") }.ok().unwrap();
            let limits: Vec<_> = read.iter().map(|context| context.memory_limit).collect();
            assert_eq!(limits, [7, 8, 9]);
            assert!(read.iter().all(|context| context.threads == if size < whole { 1 } else { 0 }));
            words[size / 8] += 1;
            // SAFETY: as above.
            let failure = unsafe { read_sized_list(words.as_ptr().cast::<WayfareContext>(), 3, "contexts") }.err();
            assert_eq!(failure.unwrap().status, WayfareStatus::InvalidArgument);
        }
    }
}
