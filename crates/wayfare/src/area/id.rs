//! Area types and polygon flags.
//!
//! Sources: Mikko Mononen, "Area Progress pt. 4" and "Area Complete", Digesting Duck, February 2010; the split into one
//! *type* (which costs) and sixteen *flags* (which permit) is Detour's.

use core::fmt;
use core::ops::{BitOr, BitOrAssign};

/// How many area types there are.
pub const AREA_COUNT: usize = 64;

/// The area type of a polygon, 0…63. It decides the cost of crossing the polygon and how it is drawn.
///
/// While baking, [`AreaId::NULL`] (0) marks what is not walkable. In a finished mesh 0 is a type like any other, since
/// meshes of other tools use it for ordinary surfaces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct AreaId(u8);

impl AreaId {
    /// Not walkable (while baking).
    pub const NULL: Self = Self(0);
    /// Walkable, of no special type: 63.
    pub const WALKABLE: Self = Self(63);

    /// The area type `id`.
    ///
    /// # Errors
    /// [`AreaIdError`] if `id` is above 63.
    pub const fn new(id: u8) -> Result<Self, AreaIdError> {
        if (id as usize) < AREA_COUNT { Ok(Self(id)) } else { Err(AreaIdError { id }) }
    }

    /// The area type in the low six bits of `bits`; never fails.
    #[must_use]
    #[inline]
    pub const fn from_low_bits(bits: u8) -> Self {
        Self(bits & (AREA_COUNT as u8 - 1))
    }

    /// The number, 0…63.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The number as an index into an array of [`AREA_COUNT`] entries.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether this is [`AreaId::NULL`].
    #[must_use]
    #[inline]
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Debug for AreaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "area {}", self.0)
    }
}

impl fmt::Display for AreaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An area type out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("area type {id} is out of range: use 0 to 63")]
pub struct AreaIdError {
    /// The number given.
    pub id: u8,
}

/// The flags of a polygon: sixteen bits whose meaning is the caller's (walk, swim, open a door, …). A filter includes
/// and excludes polygons by them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct PolyFlags(pub u16);

impl PolyFlags {
    /// No flag. No filter accepts it, since a filter requires at least one included flag.
    pub const NONE: Self = Self(0);
    /// Every flag.
    pub const ALL: Self = Self(u16::MAX);
    /// The flag that the bake gives to every polygon unless set otherwise: bit 0.
    pub const WALK: Self = Self(1);

    /// Whether the two have a flag in common.
    #[must_use]
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The flags of either.
impl BitOr for PolyFlags {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for PolyFlags {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// Selects polygons by their flags: those that have any of the included flags and none of the excluded ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FlagMask {
    /// A polygon needs at least one of these flags.
    pub include: PolyFlags,
    /// A polygon may have none of these flags.
    pub exclude: PolyFlags,
}

impl FlagMask {
    /// Whether a polygon with these flags may be entered.
    #[must_use]
    #[inline]
    pub const fn passes(self, flags: PolyFlags) -> bool {
        flags.intersects(self.include) && !flags.intersects(self.exclude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_types_end_at_63() {
        assert_eq!(AreaId::new(63), Ok(AreaId::WALKABLE));
        assert_eq!(AreaId::new(64), Err(AreaIdError { id: 64 }));
        assert_eq!(AreaId::from_low_bits(0xff), AreaId::WALKABLE);
    }
}
