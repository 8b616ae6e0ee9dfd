//! A local grid moves, obstacles are marked in it, and ways through it are asked for.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    wayfare_testkit::fuzz::grid(data);
});
