//! Bytes of any kind go to the reader of OBJ files.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| wayfare_io::fuzz::obj_file(data));
