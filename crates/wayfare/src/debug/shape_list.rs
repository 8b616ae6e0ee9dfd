//! A sink that records: a flat list of shapes, for pictures and tests.

use super::{DebugSink, Role};
use crate::math::Aabb;
use glam::Vec3;

/// The kind of a recorded shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeKind {
    /// A filled polygon.
    Polygon,
    /// A line through its points.
    Line,
    /// A single point.
    Point,
    /// Text at its point. The number is an index into [`ShapeList::labels`].
    Label(u32),
}

/// A recorded shape: a range of the list's points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnShape {
    /// Polygon, line, point or label.
    pub kind: ShapeKind,
    /// What it represents.
    pub role: Role,
    first: u32,
    count: u32,
}

/// Records what is drawn, in drawing order.
#[derive(Clone, Debug, Default)]
pub struct ShapeList {
    shapes: Vec<DrawnShape>,
    points: Vec<Vec3>,
    labels: Vec<String>,
}

impl ShapeList {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All shapes, in drawing order.
    #[must_use]
    pub fn shapes(&self) -> &[DrawnShape] {
        &self.shapes
    }

    /// The points of a shape of this list.
    #[must_use]
    pub fn points(&self, shape: &DrawnShape) -> &[Vec3] {
        &self.points[shape.first as usize..(shape.first + shape.count) as usize]
    }

    /// The texts of all labels.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The box around all points; empty if there are none.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        Aabb::around(self.points.iter().copied())
    }

    fn push(&mut self, kind: ShapeKind, points: &[Vec3], role: Role) {
        let first = self.points.len() as u32;
        self.points.extend_from_slice(points);
        self.shapes.push(DrawnShape { kind, role, first, count: points.len() as u32 });
    }
}

impl DebugSink for ShapeList {
    fn polygon(&mut self, corners: &[Vec3], role: Role) {
        self.push(ShapeKind::Polygon, corners, role);
    }

    fn line(&mut self, points: &[Vec3], role: Role) {
        self.push(ShapeKind::Line, points, role);
    }

    fn point(&mut self, at: Vec3, role: Role) {
        self.push(ShapeKind::Point, &[at], role);
    }

    fn label(&mut self, at: Vec3, text: &str, role: Role) {
        let number = self.labels.len() as u32;
        self.labels.push(text.to_owned());
        self.push(ShapeKind::Label(number), &[at], role);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_keep_their_points_and_order() {
        let mut list = ShapeList::new();
        list.line(&[Vec3::ZERO, Vec3::X], Role::Wall);
        list.label(Vec3::Y, "here", Role::Mark);
        let [wall, label] = list.shapes() else { panic!("two shapes") };
        assert_eq!(list.points(wall), [Vec3::ZERO, Vec3::X]);
        assert_eq!((label.kind, list.labels()), (ShapeKind::Label(0), &["here".to_owned()][..]));
        assert_eq!(list.bounds(), Aabb { min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 0.0) });
    }
}
