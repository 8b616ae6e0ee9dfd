//! Agents come, go, are carried and sent in any order, tiles change under them, and ticks go by.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    wayfare_testkit::fuzz::crowd(data);
});
