//! Axis-aligned boxes.

use glam::Vec3;

/// An axis-aligned box, both corners included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The corner with the smallest coordinates.
    pub min: Vec3,
    /// The corner with the greatest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The empty box; growing it by a point gives the box of that point.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The smallest box around `points`; [`Aabb::EMPTY`] for none.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Self {
        let mut all = Self::EMPTY;
        for p in points {
            all.grow(p);
        }
        all
    }

    /// The box of `center` ± `half_extents`.
    #[must_use]
    #[inline]
    pub fn from_center(center: Vec3, half_extents: Vec3) -> Self {
        Self { min: center - half_extents, max: center + half_extents }
    }

    /// Enlarges the box just enough to hold `p`.
    pub fn grow(&mut self, p: Vec3) {
        self.min = self.min.min(p);
        self.max = self.max.max(p);
    }

    /// The smallest box that holds both.
    #[must_use]
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether the box holds nothing (a range is inverted or not a number).
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        !(self.min.x <= self.max.x && self.min.y <= self.max.y && self.min.z <= self.max.z)
    }

    /// The box, or the origin in place of an empty one, whose coordinates are infinite.
    #[must_use]
    pub fn or_origin(self) -> Self {
        if self.is_empty() { Self { min: Vec3::ZERO, max: Vec3::ZERO } } else { self }
    }

    /// Whether the boxes share a point; touching counts.
    #[must_use]
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && self.max.cmpge(other.min).all()
    }

    /// Whether `p` lies inside or on the surface.
    #[must_use]
    #[inline]
    pub fn contains(&self, p: Vec3) -> bool {
        p.cmpge(self.min).all() && p.cmple(self.max).all()
    }

    /// How far `p` lies outside the box along each axis; 0 for axes along which it is inside.
    #[must_use]
    #[inline]
    pub fn outside(&self, p: Vec3) -> Vec3 {
        (self.min - p).max(p - self.max).max(Vec3::ZERO)
    }

    /// The middle of the box.
    #[must_use]
    #[inline]
    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// The size of the box along each axis.
    #[must_use]
    #[inline]
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_boxes_overlap_and_empty_ones_do_not() {
        let a = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
        let b = Aabb { min: Vec3::new(1.0, 0.0, 0.0), max: Vec3::splat(2.0) };
        assert!(a.overlaps(&b));
        assert!(!a.overlaps(&Aabb::EMPTY) && Aabb::EMPTY.is_empty());
        assert_eq!(Aabb::around([Vec3::ONE, Vec3::ZERO]), a);
    }

    #[test]
    fn what_lies_outside_is_told_by_axis() {
        let a = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
        assert_eq!(a.outside(Vec3::new(-2.0, 0.5, 4.0)), Vec3::new(2.0, 0.0, 3.0));
        assert_eq!(Aabb::EMPTY.outside(Vec3::ZERO), Vec3::INFINITY);
    }
}
