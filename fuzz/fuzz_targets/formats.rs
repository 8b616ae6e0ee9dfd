//! A byte that names a format, and bytes of any kind, go to the readers of levels and of other tools' maps.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    wayfare_io::fuzz::formats(data);
});
