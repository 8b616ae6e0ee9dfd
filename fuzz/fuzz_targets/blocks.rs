//! Blocks are put and taken, and ways, boxes and random places are asked for.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    wayfare_testkit::fuzz::blocks(data);
});
