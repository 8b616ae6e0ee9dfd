//! Points on the plane and in space, and their hulls.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    wayfare_testkit::fuzz::hulls(data);
});
