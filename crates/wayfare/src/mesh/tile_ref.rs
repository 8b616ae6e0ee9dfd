//! References to tiles that become stale when the tile is removed.
//!
//! A reference holds the tile's slot and the *salt* of the slot, as references to its polygons do. A reference to a
//! tile that was removed or replaced never identifies a later tile in the same slot.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010 (slots and salts).

use super::parse_ref::{ParseRefError, RefField, parse_fields};
use crate::math::index::TileSlot;
use core::fmt;
use core::num::NonZeroU64;
use core::str::FromStr;

/// A reference to a tile of a mesh. Printed as `s3:t17`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct TileRef(NonZeroU64);

const _: () = assert!(size_of::<Option<TileRef>>() == 8);

impl TileRef {
    /// Bits of a slot.
    pub(super) const SLOT_BITS: u32 = 28;
    /// Slots for tiles: 0 to one less than this.
    pub const SLOTS: u32 = (1 << Self::SLOT_BITS) - 1;

    /// A reference from its parts; `None` for salt 0, which no tile has, and for slots of [`SLOTS`](Self::SLOTS) or
    /// more.
    #[must_use]
    #[inline]
    pub const fn new(salt: u16, slot: u32) -> Option<Self> {
        if salt == 0 || slot >= Self::SLOTS {
            return None;
        }
        match NonZeroU64::new((salt as u64) << Self::SLOT_BITS | slot as u64) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// From the number stored on disk; `None` for 0 and others that identify no tile.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        if bits >> (Self::SLOT_BITS + 16) != 0 {
            return None;
        }
        Self::new((bits >> Self::SLOT_BITS) as u16, bits as u32 & ((1 << Self::SLOT_BITS) - 1))
    }

    /// The number to store on disk; never 0, and below 2⁴⁴.
    #[must_use]
    #[inline]
    pub const fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// The salt of the slot when the reference was made.
    #[must_use]
    #[inline]
    pub const fn salt(self) -> u16 {
        (self.to_bits() >> Self::SLOT_BITS) as u16
    }

    /// The tile's slot.
    #[must_use]
    #[inline]
    pub const fn slot(self) -> TileSlot {
        TileSlot::new(self.to_bits() as u32 & ((1 << Self::SLOT_BITS) - 1))
    }

    /// The tile in a slot, which must be below [`SLOTS`](Self::SLOTS). Salts of tiles are never 0; a salt of 0 is taken
    /// as 1.
    #[inline]
    pub(super) const fn of(salt: u16, slot: u32) -> Self {
        let salt = if salt == 0 { 1 } else { salt as u64 };
        match NonZeroU64::new(salt << Self::SLOT_BITS | (slot & Self::SLOTS) as u64) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }
}

impl fmt::Display for TileRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}:t{}", self.salt(), self.slot().get())
    }
}

impl fmt::Debug for TileRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for TileRef {
    type Err = ParseRefError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fields = [
            RefField { letter: 's', name: "salt", max: u32::from(u16::MAX) },
            RefField { letter: 't', name: "tile", max: Self::SLOTS - 1 },
        ];
        let form = ParseRefError::Form { what: "tile", like: "s3:t17" };
        let [salt, slot] = parse_fields(text, fields, form)?;
        Self::new(salt as u16, slot).ok_or(ParseRefError::Null { what: "tile", text: "s0" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_prints_and_parses() {
        let tile = TileRef::new(3, 17).unwrap();
        assert_eq!((tile.to_string(), "s3:t17".parse()), ("s3:t17".to_owned(), Ok(tile)));
        assert_eq!((tile.salt(), tile.slot().get(), TileRef::from_bits(tile.to_bits())), (3, 17, Some(tile)));
        let largest = TileRef::new(u16::MAX, TileRef::SLOTS - 1).unwrap();
        assert_eq!(largest.to_string().parse(), Ok(largest));
        assert_eq!(TileRef::from_bits(largest.to_bits()), Some(largest));
        assert_eq!(TileRef::of(3, 17), tile);
    }

    #[test]
    fn other_texts_and_numbers_are_refused() {
        for text in ["", "s3", "s3:t17:p42", "s3:t17:", "t17:s3", "s:t17", "s+3:t1"] {
            let form = ParseRefError::Form { what: "tile", like: "s3:t17" };
            assert_eq!(text.parse::<TileRef>(), Err(form), "{text}");
        }
        let range = |field, value, max| Err(ParseRefError::Range { field, value, max });
        assert_eq!("s65536:t0".parse::<TileRef>(), range("salt", 65536, 65535));
        assert_eq!("s1:t268435455".parse::<TileRef>(), range("tile", (1 << 28) - 1, (1 << 28) - 2));
        assert!("s0:t7".parse::<TileRef>().is_err());
        assert_eq!((TileRef::new(0, 7), TileRef::new(1, TileRef::SLOTS)), (None, None));
        assert_eq!([0, 7, 1 << 44, u64::MAX].map(TileRef::from_bits), [None; 4]);
    }
}
