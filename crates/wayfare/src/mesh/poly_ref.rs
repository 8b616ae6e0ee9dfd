//! References to polygons that become stale when the polygon's tile is removed.
//!
//! A reference holds the tile's slot, the polygon's index in the tile, and the *salt* of the slot: a counter that
//! increases each time a tile leaves the slot. So a reference into a removed tile never identifies a polygon of a later
//! tile in the same slot.
//!
//! ```text
//!   63        48 47                      20 19             0
//!   [  salt 16  |         tile 28          |   polygon 20   ]      0 as a whole: no polygon
//! ```
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010 — the salt; the widths are those of
//! Detour's 64-bit references, so the numbers agree.

use super::TileRef;
use super::parse_ref::{ParseRefError, RefField, parse_fields};
use crate::math::index::{PolyIndex, TileSlot};
use core::fmt;
use core::num::NonZeroU64;
use core::str::FromStr;

const POLY_BITS: u32 = 20;
const TILE_BITS: u32 = TileRef::SLOT_BITS;

/// A reference to a polygon of a mesh, or to an off-mesh connection. Printed as `s3:t17:p42`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct PolyRef(NonZeroU64);

const _: () = assert!(size_of::<Option<PolyRef>>() == 8);

impl PolyRef {
    /// The slot of all off-mesh connections; no tile ever has it.
    pub const OFF_MESH_SLOT: u32 = TileRef::SLOTS;
    /// Slots for tiles: 0 to one less than this.
    pub const TILE_SLOTS: u32 = TileRef::SLOTS;
    /// Polygons of a tile: 0 to one less than this.
    pub const POLYS: u32 = 1 << POLY_BITS;

    /// A reference from its parts; `None` if the slot or the polygon is too large, or if salt, slot and polygon are all
    /// 0.
    #[must_use]
    pub const fn new(salt: u16, slot: u32, poly: u32) -> Option<Self> {
        if slot > Self::OFF_MESH_SLOT || poly >= Self::POLYS {
            return None;
        }
        Self::from_bits((salt as u64) << (TILE_BITS + POLY_BITS) | (slot as u64) << POLY_BITS | poly as u64)
    }

    /// From the number stored on disk; `None` for 0.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        match NonZeroU64::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The number to store on disk; never 0.
    #[must_use]
    #[inline]
    pub const fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// The salt of the slot when the reference was made.
    #[must_use]
    #[inline]
    pub const fn salt(self) -> u16 {
        (self.to_bits() >> (TILE_BITS + POLY_BITS)) as u16
    }

    /// The tile's slot.
    #[must_use]
    #[inline]
    pub const fn slot(self) -> TileSlot {
        TileSlot::new((self.to_bits() >> POLY_BITS) as u32 & ((1 << TILE_BITS) - 1))
    }

    /// The tile of the polygon; `None` for an off-mesh connection, which belongs to no tile, and for salt 0, which no
    /// tile has.
    #[must_use]
    #[inline]
    pub const fn tile(self) -> Option<TileRef> {
        TileRef::new(self.salt(), self.slot().get())
    }

    /// The polygon's index in its tile.
    #[must_use]
    #[inline]
    pub const fn poly(self) -> PolyIndex {
        PolyIndex::new(self.to_bits() as u32 & (Self::POLYS - 1))
    }

    /// Whether this is an off-mesh connection.
    #[must_use]
    #[inline]
    pub const fn is_off_mesh(self) -> bool {
        self.slot().get() == Self::OFF_MESH_SLOT
    }

    /// Polygon 0 of the tile in a slot. Salts of tiles are never 0; a salt of 0 is taken as 1.
    #[must_use]
    #[inline]
    pub(crate) const fn first_of(salt: u16, slot: u32) -> Self {
        let salt = if salt == 0 { 1 } else { salt as u64 };
        let bits = salt << (TILE_BITS + POLY_BITS) | ((slot & Self::OFF_MESH_SLOT) as u64) << POLY_BITS;
        match NonZeroU64::new(bits) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// Polygon `poly` of the same tile. `poly` must be below [`PolyRef::POLYS`]; higher bits are cut off.
    #[must_use]
    #[inline]
    pub(crate) const fn sibling(self, poly: u32) -> Self {
        let bits = self.to_bits() & !(Self::POLYS as u64 - 1) | (poly & (Self::POLYS - 1)) as u64;
        match NonZeroU64::new(bits) {
            Some(bits) => Self(bits),
            // Salt 0 in slot 0: no tile of ours has salt 0.
            None => self,
        }
    }
}

impl fmt::Display for PolyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}:t{}:p{}", self.salt(), self.slot().get(), self.poly().get())
    }
}

impl fmt::Debug for PolyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for PolyRef {
    type Err = ParseRefError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fields = [
            RefField { letter: 's', name: "salt", max: u32::from(u16::MAX) },
            RefField { letter: 't', name: "tile", max: Self::OFF_MESH_SLOT },
            RefField { letter: 'p', name: "polygon", max: Self::POLYS - 1 },
        ];
        let form = ParseRefError::Form { what: "polygon", like: "s3:t17:p42" };
        let [salt, slot, poly] = parse_fields(text, fields, form)?;
        let null = ParseRefError::Null { what: "polygon", text: "s0:t0:p0" };
        Self::new(salt as u16, slot, poly).ok_or(null)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_prints_and_parses() {
        let r = PolyRef::new(3, 17, 42).unwrap();
        assert_eq!(r.to_string(), "s3:t17:p42");
        assert_eq!("s3:t17:p42".parse(), Ok(r));
        assert_eq!((r.salt(), r.slot().get(), r.poly().get()), (3, 17, 42));
        assert_eq!(r.to_bits(), 3 << 48 | 17 << 20 | 42);
        let largest = PolyRef::new(u16::MAX, PolyRef::OFF_MESH_SLOT, PolyRef::POLYS - 1).unwrap();
        assert_eq!(largest.to_bits(), u64::MAX);
        assert_eq!(largest.to_string().parse(), Ok(largest));
        assert!(largest.is_off_mesh() && !r.is_off_mesh());
        assert_eq!((r.tile(), largest.tile()), (TileRef::new(3, 17), None));
        assert_eq!(r.sibling(7), PolyRef::new(3, 17, 7).unwrap());
    }

    #[test]
    fn other_texts_are_refused_with_a_reason() {
        for text in
            ["", "s3", "s3:t17", "s3:t17:p42:", "t17:s3:p42", "s:t17:p42", "s+3:t1:p1", "s3:t17:p4 2", " s3:t17:p42"]
        {
            let form = ParseRefError::Form { what: "polygon", like: "s3:t17:p42" };
            assert_eq!(text.parse::<PolyRef>(), Err(form), "{text}");
        }
        let range = |field, value, max| Err(ParseRefError::Range { field, value, max });
        assert_eq!("s65536:t0:p0".parse::<PolyRef>(), range("salt", 65536, 65535));
        assert_eq!("s1:t268435456:p0".parse::<PolyRef>(), range("tile", 1 << 28, (1 << 28) - 1));
        assert_eq!("s1:t0:p99999999999999999999999".parse::<PolyRef>(), range("polygon", u64::MAX, (1 << 20) - 1));
        let null = "s0:t0:p0".parse::<PolyRef>().unwrap_err();
        assert_eq!(null.to_string(), "s0:t0:p0 is no polygon");
        assert_eq!(PolyRef::new(0, 0, 0), None);
        assert_eq!(PolyRef::new(1, 1 << 28, 0), None);
    }
}
