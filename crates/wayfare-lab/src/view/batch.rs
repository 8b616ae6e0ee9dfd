//! What is drawn: triangles, lines, points and bodies, in the layout that the renderer uploads.
//!
//! A batch is built once and shared by an `Arc`; the renderer uploads it again only when it is another one.

use super::Colour;
use bytemuck::{Pod, Zeroable};
use wayfare::Vec3;

/// A corner of a triangle.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct SurfaceVertex {
    /// Position, metres.
    pub at: [f32; 3],
    /// Unit normal of the triangle.
    pub normal: [f32; 3],
    /// Colour.
    pub colour: Colour,
}

/// A straight line of constant width on the screen.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct LineStroke {
    /// One end, metres.
    pub from: [f32; 3],
    /// The other end, metres.
    pub to: [f32; 3],
    /// Width in points of the screen.
    pub width: f32,
    /// How much of it is seen through what hides it: 0 nothing, 1 all.
    pub through: f32,
    /// Colour.
    pub colour: Colour,
}

/// A round mark of constant size on the screen.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct PointMark {
    /// Position, metres.
    pub at: [f32; 3],
    /// Radius in points of the screen.
    pub radius: f32,
    /// How much of it is seen through what hides it: 0 nothing, 1 all.
    pub through: f32,
    /// Colour.
    pub colour: Colour,
}

/// An agent: an upright body with a nose that shows where it looks.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Body {
    /// The centre of its feet, metres.
    pub at: [f32; 3],
    /// Radius, metres.
    pub radius: f32,
    /// Height, metres.
    pub height: f32,
    /// Unit vector on the floor in which it looks: x, z.
    pub facing: [f32; 2],
    /// Colour.
    pub colour: Colour,
}

/// Shapes that are drawn together.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Opaque, lit triangles.
    pub surfaces: Vec<SurfaceVertex>,
    /// See-through triangles.
    pub glass: Vec<SurfaceVertex>,
    /// Lines.
    pub lines: Vec<LineStroke>,
    /// Points.
    pub points: Vec<PointMark>,
    /// Agents.
    pub bodies: Vec<Body>,
}

impl Batch {
    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty()
            && self.glass.is_empty()
            && self.lines.is_empty()
            && self.points.is_empty()
            && self.bodies.is_empty()
    }

    /// Triangles, three corners each; opaque if their colour is.
    pub fn triangles(&mut self, corners: &[Vec3], colour: Colour) {
        let into = if colour.is_opaque() { &mut self.surfaces } else { &mut self.glass };
        for triangle in corners.chunks_exact(3) {
            let normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]).normalize_or(Vec3::Y);
            let normal = normal.to_array();
            into.extend(triangle.iter().map(|at| SurfaceVertex { at: at.to_array(), normal, colour }));
        }
    }

    /// A line through points, of a width that is partly seen through what hides it: `[width, through]`.
    pub fn stroke(&mut self, points: &[Vec3], [width, through]: [f32; 2], colour: Colour) {
        for pair in points.windows(2) {
            let [from, to] = [pair[0].to_array(), pair[1].to_array()];
            self.lines.push(LineStroke { from, to, width, through, colour });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opaque_triangles_and_glass_are_apart() {
        let mut batch = Batch::default();
        let triangle = [Vec3::ZERO, Vec3::Z, Vec3::X];
        batch.triangles(&triangle, Colour::rgb(1, 2, 3));
        assert_eq!((batch.surfaces.len(), batch.glass.len()), (3, 0));
        assert!(batch.surfaces.iter().all(|vertex| vertex.normal == [0.0, 1.0, 0.0]));
        batch.triangles(&triangle, Colour::rgb(1, 2, 3).faded(0.5));
        assert_eq!((batch.surfaces.len(), batch.glass.len()), (3, 3));
    }
}
