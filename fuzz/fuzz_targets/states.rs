//! Bytes of any kind go to the readers of stored states.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    wayfare_testkit::fuzz::states(data);
});
