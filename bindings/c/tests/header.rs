//! Holds `include/wayfare.h` to the sources: it is what `cbindgen` makes of them.
