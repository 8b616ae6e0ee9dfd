//! Converts between references in Detour's files and those of this library.
//!
//! A 64-bit reference has the same fields as a [`PolyRef`]. The fields of a 32-bit reference are as wide as the mesh's
//! capacities require, so the same number means another polygon in a mesh with other capacities:
//!
//! ```text
//!   31              22 21          15 14             0
//!   [  salt, what is left  |  log2 max_tiles  |  log2 max_polys  ]      here of 128 and 32,768
//! ```
//!
//! Sources: `dtNavMesh::init`, `encodePolyId`; the capacities are chosen as in the demo, which gives the salt ten bits,
//! the tiles as many as they need, and the polygons the rest.

use crate::mesh::PolyRef;

/// Fewest bits for the salt that Detour accepts.
pub(super) const MIN_SALT_BITS: u32 = 10;
/// Bits for the most polygons a tile can have: neighbours are stored in fifteen bits.
const MOST_POLY_BITS: u32 = 15;

/// How many bits a reference has in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefBits {
    /// The default of Detour: salt, tile and polygon share 32 bits.
    #[default]
    Bits32,
    /// Detour built with `DT_POLYREF64`.
    Bits64,
}

impl RefBits {
    /// Size of a stored link.
    pub(super) const fn link_bytes(self) -> u64 {
        match self {
            Self::Bits32 => 12,
            Self::Bits64 => 16,
        }
    }
}

/// The layout of references in a Detour mesh: their size, and the mesh's capacities (`maxTiles` and `maxPolys` of
/// `dtNavMeshParams`), which determine the field widths of 32-bit references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetourRefs {
    bits: RefBits,
    max_tiles: u32,
    max_polys: u32,
}

impl DetourRefs {
    /// For a mesh with these capacities; 0 counts as 1.
    #[must_use]
    pub fn new(bits: RefBits, max_tiles: u32, max_polys: u32) -> Self {
        Self { bits, max_tiles: max_tiles.max(1), max_polys: max_polys.max(1) }
    }

    /// With as much room as possible for a mesh that uses this many slots, this many polygons in its largest tile, and
    /// this greatest salt.
    pub(super) fn roomy(bits: RefBits, slots: u32, polys: u32, salt: u16) -> Self {
        let salt_bits = MIN_SALT_BITS.max(u16::BITS - salt.leading_zeros());
        let shared = match bits {
            RefBits::Bits32 => 32 - salt_bits,
            RefBits::Bits64 => 48,
        };
        // Bits that polygons do not need go to tiles, but at most seven: Detour allocates all slots.
        let tiles = width(slots).max(shared.saturating_sub(MOST_POLY_BITS).min(7));
        let polys = shared.saturating_sub(tiles).min(MOST_POLY_BITS).max(width(polys));
        Self { bits, max_tiles: power(tiles), max_polys: power(polys) }
    }

    /// The bits of a reference.
    #[must_use]
    pub fn bits(self) -> RefBits {
        self.bits
    }

    /// Number of slots for tiles.
    #[must_use]
    pub fn max_tiles(self) -> u32 {
        self.max_tiles
    }

    /// Number of polygons per tile.
    #[must_use]
    pub fn max_polys(self) -> u32 {
        self.max_polys
    }

    /// The polygon that a `dtPolyRef` identifies, or the first polygon of the tile that a `dtTileRef` identifies.
    /// [`NavMesh::from_detour`](crate::mesh::NavMesh::from_detour) keeps slots and salts, so this is its reference in
    /// the mesh that was read. `None` for 0, for salt 0, and for numbers that a mesh of this library cannot have.
    ///
    /// Detour numbers off-mesh connections as polygons of their tile, after the real ones. Here they belong to the mesh
    /// and have references of their own: Detour's reference to one decodes to a polygon that its tile [does not
    /// have](crate::mesh::StaleReason::NoSuchPoly). Find connections by their
    /// [`user_id`](crate::mesh::OffMeshConnection::user_id).
    #[must_use]
    pub fn decode(self, reference: u64) -> Option<PolyRef> {
        let (salt, slot, poly) = self.fields(reference);
        let salt = u16::try_from(salt).ok().filter(|&salt| salt > 0)?;
        let in_width = self.bits == RefBits::Bits64 || reference <= u64::from(u32::MAX);
        let found = PolyRef::new(salt, u32::try_from(slot).ok()?, u32::try_from(poly).ok()?)?;
        (in_width && !found.is_off_mesh()).then_some(found)
    }

    /// Detour's number for a polygon, in the mesh as written by
    /// [`NavMesh::to_detour_with`](crate::mesh::NavMesh::to_detour_with). `None` if the fields are too narrow, and for
    /// off-mesh connections, which Detour numbers by tile.
    #[must_use]
    pub fn encode(self, reference: PolyRef) -> Option<u64> {
        let salt = reference.salt();
        let slot = reference.slot().get();
        let poly = reference.poly().get();
        let [salt_bits, tile_bits, poly_bits] = self.widths();
        let fits = |value: u32, bits: u32| u64::from(value) >> bits == 0;
        let all = fits(salt.into(), salt_bits) && fits(slot, tile_bits) && fits(poly, poly_bits);
        let bits = u64::from(salt) << (poly_bits + tile_bits) | u64::from(slot) << poly_bits | u64::from(poly);
        (all && !reference.is_off_mesh()).then_some(bits)
    }

    /// The same capacities with another reference size.
    #[must_use]
    pub fn with_bits(self, bits: RefBits) -> Self {
        Self { bits, ..self }
    }

    /// Salt, slot and polygon of a reference.
    pub(super) fn fields(self, reference: u64) -> (u64, u64, u64) {
        let [salt, tile, poly] = self.widths();
        let low = |value: u64, bits: u32| value & ((1 << bits) - 1);
        (low(reference >> (poly + tile), salt), low(reference >> poly, tile), low(reference, poly))
    }

    /// Bits of salt, tile and polygon, as Detour computes them.
    pub(super) fn widths(self) -> [u32; 3] {
        if self.bits == RefBits::Bits64 {
            return [16, 28, 20];
        }
        let tile = width(self.max_tiles);
        let poly = width(self.max_polys);
        [32_u32.saturating_sub(tile + poly).min(31), tile, poly]
    }
}

/// Number of bits for this many values.
fn width(count: u32) -> u32 {
    // Above 2^31, the same as Detour's for 2^31: no shift exceeds the 64 bits it is computed in.
    count.max(1).checked_next_power_of_two().map_or(31, u32::trailing_zeros)
}

/// The number of values with this many bits.
fn power(bits: u32) -> u32 {
    1 << bits.min(31)
}
