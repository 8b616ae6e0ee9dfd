//! Points a little above the ground, where what is drawn at them is seen.

use wayfare::Vec3;

/// Lifts a point a little, so that what is drawn on the ground is seen.
#[must_use]
pub fn lifted(point: Vec3) -> Vec3 {
    point + Vec3::Y * 0.05
}

/// Lifts points.
#[must_use]
pub fn lift(points: impl IntoIterator<Item = Vec3>) -> Vec<Vec3> {
    points.into_iter().map(lifted).collect()
}
