//! Bytes of any kind go to the reader of Detour's files; the mesh that comes out is asked and written.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| wayfare_testkit::fuzz::detour(data));
