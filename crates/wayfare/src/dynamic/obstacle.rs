//! The handles of obstacles, and which shapes are refused.
//!
//! A handle has a salt, so one whose obstacle was removed is never taken for that of a later obstacle.
//!
//! Sources: none needed.

use crate::input::Volume;
use crate::math::index::{slot_from_bits, slot_to_bits};
use crate::math::{Aabb, Hull3, convex_hull, convex_hull3};
use core::fmt;

/// A handle of an obstacle. After the obstacle is removed, the handle never refers to another one. Printed as `s3:o17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleRef {
    pub(super) slot: u32,
    pub(super) salt: u32,
}

impl ObstacleRef {
    /// The handle as a number, to store it or to pass it to another language; never 0.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        slot_to_bits(self.slot, self.salt)
    }

    /// The handle of a number from [`to_bits`](Self::to_bits). `None` for numbers that it never returns, such as 0. For
    /// any other number, the obstacle may be gone, or may never have existed.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        match slot_from_bits(bits) {
            Some((slot, salt)) => Some(Self { slot, salt }),
            None => None,
        }
    }
}

impl fmt::Display for ObstacleRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}:o{}", self.salt, self.slot)
    }
}

/// Why a request was refused; nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObstacleError {
    /// A number of the shape, or of how far it is to move, is NaN or infinite, or so large that the shape's box is.
    #[error("the obstacle has a number that is not finite, or too large for its corners to be: give finite ones")]
    NotFinite,
    /// The shape is empty.
    #[error(
        "the obstacle holds nothing: sizes must be 0 or more, the least corner below the greatest, and outlines have three corners that do not lie on one line"
    )]
    Empty,
    /// The handle's obstacle is gone.
    #[error("obstacle {obstacle} is gone: it was removed, or is of other obstacles")]
    Gone {
        /// The handle.
        obstacle: ObstacleRef,
    },
    /// There is no handle left for another obstacle.
    #[error("there are {} obstacles, and no more can be counted: remove some", u32::MAX)]
    Full,
}

/// The box of a shape that can stand somewhere.
pub(super) fn checked_bounds(volume: &Volume) -> Result<Aabb, ObstacleError> {
    let is_finite = match volume {
        Volume::Prism { outline, heights } => {
            outline.iter().all(|p| p.is_finite()) && heights.iter().all(|y| y.is_finite())
        }
        Volume::Box(Aabb { min, max }) => min.is_finite() && max.is_finite(),
        Volume::TurnedBox { center, half_extents, angle } => {
            center.is_finite() && half_extents.is_finite() && angle.is_finite()
        }
        Volume::Cylinder { base, radius, height } | Volume::Capsule { base, radius, height } => {
            base.is_finite() && radius.is_finite() && height.is_finite()
        }
        Volume::Hull(points) => points.iter().all(|p| p.is_finite()),
        Volume::Mesh { offset, .. } => offset.is_finite(),
    };
    if !is_finite {
        return Err(ObstacleError::NotFinite);
    }
    let is_inverted = match volume {
        Volume::TurnedBox { half_extents, .. } => half_extents.min_element() < 0.0,
        Volume::Cylinder { radius, height, .. } | Volume::Capsule { radius, height, .. } => {
            *radius < 0.0 || *height < 0.0
        }
        Volume::Prism { outline, .. } => convex_hull(outline).len() < 3,
        Volume::Hull(points) => !matches!(convex_hull3(points), Hull3::Solid(_) | Hull3::Flat(_)),
        _ => false,
    };
    let bounds = volume.bounds();
    if is_inverted || bounds.is_empty() {
        return Err(ObstacleError::Empty);
    }
    if bounds.min.is_finite() && bounds.max.is_finite() { Ok(bounds) } else { Err(ObstacleError::NotFinite) }
}
