//! A board in the scene on which velocities are drawn: its middle is standing still, and a metre per second is a
//! fixed number of metres on the board.

use crate::canvas::{Canvas, Image, Ink, Pen};
use wayfare::{Vec2, Vec3};

/// Where the board lies, and its scale.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// The middle of the board: velocity zero.
    pub middle: Vec3,
    /// Metres on the board for each m/s.
    pub scale: f32,
    /// The greatest speed, m/s; the board reaches a little farther.
    pub max_speed: f32,
}

impl Board {
    /// Where a velocity is drawn.
    #[must_use]
    pub fn at(&self, v: Vec2) -> Vec3 {
        self.middle + Vec3::new(v.x, 0.03, v.y) * Vec3::new(self.scale, 1.0, self.scale)
    }

    /// Draws the disc of all speeds, the axes and what they are.
    pub fn draw(&self, canvas: &mut Canvas, title: &str) {
        let reach = self.max_speed * self.scale;
        canvas.circle(self.middle, reach, Pen::of(Ink::Text).width(2.0));
        canvas.circle(self.middle, reach * 0.5, Pen::of(Ink::Faint).width(1.0).dashed());
        for axis in [Vec3::X, Vec3::Z] {
            canvas.line(self.middle - axis * reach, self.middle + axis * reach, Pen::of(Ink::Faint).width(1.0));
        }
        canvas.label(self.middle - Vec3::Z * (reach + 0.35), title, Ink::Text);
    }

    /// The wanted and the chosen velocity as arrows, named below the board.
    pub fn arrows(&self, canvas: &mut Canvas, wanted: Vec2, chosen: Vec2) {
        let below = self.middle + Vec3::Z * (self.max_speed * self.scale + 1.1);
        for (v, ink, name, side) in [(wanted, Ink::Wish, "wanted", -1.2), (chosen, Ink::Chosen, "chosen", 1.2)] {
            canvas.arrow(self.at(Vec2::ZERO), self.at(v) - self.at(Vec2::ZERO), ink);
            canvas.dot(self.at(v), 9.0, ink);
            canvas.dot(below + Vec3::X * side, 10.0, ink);
            canvas.label(below + Vec3::X * side, name, Ink::Text);
        }
    }

    /// A square of values around velocity `low`…`high`, row by row.
    pub fn image(&self, canvas: &mut Canvas, (low, high): (Vec2, Vec2), side: u32, values: Vec<f32>) {
        let corner = |x: f32, y: f32| self.at(Vec2::new(x, y)) - Vec3::Y * 0.05;
        let quad = [corner(low.x, low.y), corner(high.x, low.y), corner(high.x, high.y), corner(low.x, high.y)];
        canvas.images.push(Image { quad, width: side, height: side, values });
    }

    /// The part of a convex outline that lies within the board's square, as it is drawn.
    #[must_use]
    pub fn clipped(&self, outline: &[Vec2]) -> Vec<Vec3> {
        let reach = self.max_speed * 1.15;
        let mut corners = outline.to_vec();
        for (normal, limit) in [(Vec2::X, reach), (-Vec2::X, reach), (Vec2::Y, reach), (-Vec2::Y, reach)] {
            corners = cut(&corners, normal, limit);
        }
        corners.into_iter().map(|corner| self.at(corner)).collect()
    }
}

/// The part of a convex polygon where `v · normal <= limit`.
#[must_use]
pub fn cut(corners: &[Vec2], normal: Vec2, limit: f32) -> Vec<Vec2> {
    let mut out = Vec::new();
    for (i, &to) in corners.iter().enumerate() {
        let from = corners[(i + corners.len() - 1) % corners.len()];
        let (a, b) = (limit - normal.dot(from), limit - normal.dot(to));
        if (a >= 0.0) != (b >= 0.0) {
            out.push(from + (to - from) * (a / (a - b)));
        }
        if b >= 0.0 {
            out.push(to);
        }
    }
    out
}
