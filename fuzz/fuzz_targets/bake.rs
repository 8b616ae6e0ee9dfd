//! Triangles and settings of any kind go through the bake; what comes out must be whole.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| wayfare_testkit::fuzz::bake(data));
