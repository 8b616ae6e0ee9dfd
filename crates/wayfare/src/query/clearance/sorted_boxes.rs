//! Finds out whether a box overlaps any of many boxes, which are sorted by where they begin along x.
//!
//! A box that overlaps begins at most the widest box's width before the given one, and not after its end; the boxes in
//! that range are checked one by one. Tiles have about the same width, so that is a few columns of them.
//!
//! Cost: sorting once; a query then costs a binary search and the boxes in its columns.
//!
//! Sources: sweep and prune along one axis, folklore.

use crate::math::Aabb;

pub(super) struct SortedBoxes {
    boxes: Vec<Aabb>,
    widest: f32,
}

impl SortedBoxes {
    pub(super) fn new(boxes: impl Iterator<Item = Aabb>) -> Self {
        let mut boxes: Vec<Aabb> = boxes.collect();
        boxes.sort_unstable_by(|a, b| a.min.x.total_cmp(&b.min.x));
        // Slightly wider, so that rounding never misses one.
        let widest = boxes.iter().map(|b| (b.max.x - b.min.x) * 1.001).fold(0.0, f32::max);
        Self { boxes, widest }
    }

    /// Whether any of the boxes overlaps `other`.
    pub(super) fn overlap(&self, other: &Aabb) -> bool {
        // The first that may reach this far.
        let reach = other.min.x - self.widest;
        let reach = reach - reach.abs() * f32::EPSILON;
        let first = self.boxes.partition_point(|b| b.min.x < reach);
        self.boxes[first..].iter().take_while(|b| b.min.x <= other.max.x).any(|b| b.overlaps(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;
    use glam::Vec3;

    #[test]
    fn answers_are_those_of_looking_at_each() {
        let (mut rng, mut yes, mut no) = (Rng::new(5), 0, 0);
        for count in [0, 1, 3, 40] {
            let mut any = || {
                let min = Vec3::new(rng.below(60) as f32, 0.0, rng.below(60) as f32);
                Aabb { min, max: min + Vec3::new(rng.below(6) as f32, 0.0, rng.below(6) as f32) }
            };
            let boxes: Vec<Aabb> = (0..count).map(|_| any()).collect();
            let sorted = SortedBoxes::new(boxes.iter().copied());
            for _ in 0..300 {
                let asked = any();
                let expected = boxes.iter().any(|b| b.overlaps(&asked));
                assert_eq!(sorted.overlap(&asked), expected, "{asked:?}");
                *(if expected { &mut yes } else { &mut no }) += 1;
            }
        }
        assert!(yes > 50 && no > 50, "{yes} {no}");
    }
}
