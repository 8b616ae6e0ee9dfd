//! Draws a convex hull.
//!
//! Sources: none needed.

use super::{DebugSink, Role};
use crate::math::Hull3;
use glam::Vec3;

/// Draws the convex hull of `points`: its faces as regions and their outlines; what has no faces as a line or a point.
pub fn draw_hull(points: &[Vec3], hull: &Hull3, sink: &mut impl DebugSink) {
    let at = |corner: u32| points.get(corner as usize).copied().unwrap_or_default();
    match hull {
        Hull3::Empty => {}
        Hull3::Point(point) => sink.point(at(*point), Role::Mark),
        Hull3::Line(ends) => sink.line(&ends.map(at), Role::Wall),
        Hull3::Flat(outline) => draw_face(&outline.iter().map(|&corner| at(corner)).collect::<Vec<_>>(), 0, sink),
        Hull3::Solid(solid) => {
            for (number, face) in (0..).zip(&solid.faces) {
                draw_face(&face.iter().map(|&corner| at(corner)).collect::<Vec<_>>(), number, sink);
            }
        }
    }
}

fn draw_face(corners: &[Vec3], number: u32, sink: &mut impl DebugSink) {
    sink.polygon(corners, Role::Region(number));
    let closed: Vec<Vec3> = corners.iter().chain(corners.first()).copied().collect();
    sink.line(&closed, Role::Wall);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::ShapeList;
    use crate::math::convex_hull3;

    #[test]
    fn a_cube_has_six_faces_and_a_line_none() {
        let count = |points: &[Vec3]| {
            let mut list = ShapeList::new();
            draw_hull(points, &convex_hull3(points), &mut list);
            list.shapes().len()
        };
        let grid: Vec<Vec3> = (0..27).map(|i| Vec3::new((i % 3) as f32, (i / 3 % 3) as f32, (i / 9) as f32)).collect();
        assert_eq!(count(&grid), 12);
        assert_eq!(count(&[Vec3::ZERO, Vec3::X, Vec3::X * 2.0]), 1);
        assert_eq!((count(&[Vec3::ONE]), count(&[])), (1, 0));
    }
}
