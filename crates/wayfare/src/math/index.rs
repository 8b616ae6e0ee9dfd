//! Index newtypes: an index into one kind of array cannot be used for another.

/// "No element": the sentinel of all `u32` index arrays in this library. A sentinel instead of `Option<u32>` halves the
/// arrays of hot loops.
pub const NONE: u32 = u32::MAX;

/// A slot and its salt as one number that is never 0: what ids of agents, requests and obstacles are stored as.
#[must_use]
pub(crate) const fn slot_to_bits(slot: u32, salt: u32) -> u64 {
    // No table has a slot u32::MAX, so the low half does not overflow.
    (salt as u64) << 32 | slot.wrapping_add(1) as u64
}

/// Slot and salt of such a number; `None` for one that no slot has, such as 0.
#[must_use]
pub(crate) const fn slot_from_bits(bits: u64) -> Option<(u32, u32)> {
    match (bits as u32).checked_sub(1) {
        Some(slot) => Some((slot, (bits >> 32) as u32)),
        None => None,
    }
}

/// Declares an index newtype over `u32` with `new`, `get` and `index`.
macro_rules! index_type {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// Wraps a raw index.
            #[must_use]
            #[inline]
            pub const fn new(index: u32) -> Self {
                Self(index)
            }

            /// The raw index.
            #[must_use]
            #[inline]
            pub const fn get(self) -> u32 {
                self.0
            }

            /// The raw index, for slices.
            #[must_use]
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index_type! {
    /// A tile's slot in a mesh.
    TileSlot
}
index_type! {
    /// A polygon within its tile.
    PolyIndex
}
