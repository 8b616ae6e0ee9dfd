//! Bytes of any kind go to the reader of records of reasons, and make levels whose reasons and links are found.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| wayfare_testkit::fuzz::explain(data));
