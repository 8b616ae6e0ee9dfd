//! Bytes become operations on obstacles; the tiles are those of a bake with the same shapes.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| wayfare_testkit::fuzz::obstacles(data));
