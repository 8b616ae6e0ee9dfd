//! Small levels drawn as outlines on the plane (x, z); outlines within others are holes.

use wayfare::Vec2;

/// A rectangle between two corners.
#[must_use]
pub fn rect(low: [f32; 2], high: [f32; 2]) -> Vec<Vec2> {
    [[low[0], low[1]], [high[0], low[1]], high, [low[0], high[1]]].map(Vec2::from).to_vec()
}

/// A polygon.
#[must_use]
pub fn polygon<const N: usize>(points: [[f32; 2]; N]) -> Vec<Vec2> {
    points.map(Vec2::from).to_vec()
}

/// A courtyard of 24 × 16 m with blocks, an angle and a triangle in it: paths have several ways around.
#[must_use]
pub fn courtyard() -> Vec<Vec<Vec2>> {
    vec![
        rect([0.0, 0.0], [24.0, 16.0]),
        rect([3.0, 3.0], [6.0, 7.0]),
        polygon([[9.0, 0.8], [12.0, 0.8], [12.0, 9.0], [9.0, 9.0], [9.0, 7.0], [10.5, 7.0], [10.5, 2.5], [9.0, 2.5]]),
        polygon([[4.0, 10.0], [8.0, 9.5], [6.5, 13.5]]),
        rect([11.0, 11.5], [16.0, 13.5]),
        polygon([[15.0, 3.0], [19.0, 2.0], [20.5, 5.0], [18.0, 8.5], [15.5, 6.5]]),
        rect([19.0, 10.0], [21.0, 16.0]),
    ]
}

/// A winding passage: a corridor with turns to either side, made for funnels.
#[must_use]
pub fn winding() -> Vec<Vec<Vec2>> {
    vec![polygon([
        [0.0, 0.0],
        [7.0, 0.0],
        [9.0, 3.0],
        [12.0, 3.5],
        [15.0, 0.5],
        [20.0, 1.0],
        [23.0, 5.0],
        [22.0, 9.0],
        [24.0, 13.0],
        [20.0, 14.0],
        [18.0, 10.5],
        [18.5, 6.5],
        [17.0, 5.0],
        [14.5, 8.0],
        [9.5, 8.0],
        [7.0, 5.0],
        [5.0, 4.5],
        [0.0, 5.0],
    ])]
}

/// Two rooms of 9 × 12 m joined by a door of this width.
#[must_use]
pub fn two_rooms(door: f32) -> Vec<Vec<Vec2>> {
    let (low, high) = (6.0 - door * 0.5, 6.0 + door * 0.5);
    vec![polygon([
        [0.0, 0.0],
        [9.0, 0.0],
        [9.0, low],
        [10.0, low],
        [10.0, 0.0],
        [19.0, 0.0],
        [19.0, 12.0],
        [10.0, 12.0],
        [10.0, high],
        [9.0, high],
        [9.0, 12.0],
        [0.0, 12.0],
    ])]
}
