//! Tiles, states and connections come, change and go in any order, and the mesh is saved, loaded and asked in between.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    wayfare_testkit::fuzz::operations(data);
});
