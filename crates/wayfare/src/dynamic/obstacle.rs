//! The handles of obstacles, and which shapes are refused.
//!
//! A handle has a salt, so one whose obstacle was removed is never taken for that of a later obstacle.
//!
//! Sources: none needed.

use crate::input::Volume;
use crate::math::index::{slot_from_bits, slot_to_bits};
use crate::math::predicates::orient2d;
use crate::math::{Aabb, Hull3, convex_hull3};
use core::fmt;
use glam::Vec2;

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
    if !volume.is_finite() {
        return Err(ObstacleError::NotFinite);
    }
    let is_inverted = match volume {
        Volume::TurnedBox { half_extents, .. } => half_extents.min_element() < 0.0,
        Volume::Cylinder { radius, height, .. } | Volume::Capsule { radius, height, .. } => {
            *radius < 0.0 || *height < 0.0
        }
        Volume::Prism { outline, .. } => is_on_a_line(outline),
        Volume::Hull(points) => !matches!(convex_hull3(points), Hull3::Solid(_) | Hull3::Flat(_)),
        _ => false,
    };
    let bounds = volume.bounds();
    if is_inverted || bounds.is_empty() {
        return Err(ObstacleError::Empty);
    }
    if bounds.min.is_finite() && bounds.max.is_finite() { Ok(bounds) } else { Err(ObstacleError::NotFinite) }
}

/// Whether all points lie on one line, or there are none.
fn is_on_a_line(points: &[Vec2]) -> bool {
    let [first, rest @ ..] = points else { return true };
    let Some(second) = rest.iter().find(|p| *p != first) else { return true };
    rest.iter().all(|&p| orient2d(*first, *second, p) == 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_on_a_line_are_empty() {
        let prism = |outline: Vec<Vec2>| checked_bounds(&Volume::Prism { outline, heights: [0.0, 1.0] });
        for outline in [
            vec![],
            vec![Vec2::ONE],
            vec![Vec2::ONE; 4],
            vec![Vec2::ZERO, Vec2::ZERO, Vec2::ONE, Vec2::splat(3.0), Vec2::splat(-7.0)],
        ] {
            assert_eq!(prism(outline), Err(ObstacleError::Empty));
        }
        assert!(prism(vec![Vec2::ZERO, Vec2::ZERO, Vec2::ONE, Vec2::splat(3.0), Vec2::X]).is_ok());
    }
}
