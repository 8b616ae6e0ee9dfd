//! Bytes of any kind go to the reader of checkpoints, and the recipe goes on from what they are.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| wayfare_testkit::fuzz::checkpoint(data));
