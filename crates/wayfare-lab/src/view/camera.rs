//! An orbit camera, as in common 3D tools: drag to turn or to move, wheel to zoom, keys to fly.

use crate::input::Ray;
use glam::{Mat4, Vec2, Vec3, Vec4};
use wayfare::math::Aabb;

/// Where the view is seen from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The point it goes round, metres.
    pub target: Vec3,
    /// Distance from it, metres.
    pub distance: f32,
    /// Turn about the vertical, radians; 0 looks towards -z.
    pub yaw: f32,
    /// Height of the view above the horizon, radians.
    pub pitch: f32,
    /// A parallel view, without perspective.
    pub parallel: bool,
}

const FIELD_OF_VIEW: f32 = 0.75;
/// How much of the view is left free on each side of what is framed, as a part of half of it.
const MARGIN: f32 = 0.05;
const STEEPEST: f32 = 1.55;

impl Default for Camera {
    fn default() -> Self {
        Self { target: Vec3::ZERO, distance: 40.0, yaw: 0.6, pitch: 0.85, parallel: false }
    }
}

impl Camera {
    /// Sees a box as a whole, from the side it looks from already, as large as a view of this width by height shows it.
    pub fn frame(&mut self, bounds: &Aabb, aspect: f32) {
        if bounds.is_empty() {
            return;
        }
        let half = (bounds.max - bounds.min) * 0.5;
        let corner = |i: u8| half * Vec3::from([0, 1, 2].map(|axis| if i >> axis & 1 == 0 { -1.0 } else { 1.0 }));
        let back = self.back();
        // Across one direction of the screen: how far the eye is to stand back and aside so that the corners just touch
        // both edges of the view, which open by `tangent` for each metre of depth.
        let fit = |across: Vec3, tangent: f32| {
            let reach = |side: f32| {
                let reach = |i| corner(i).dot(across) * side + corner(i).dot(back) * tangent;
                (0..8).map(reach).fold(0.0, f32::max)
            };
            let (low, high) = (reach(-1.0), reach(1.0));
            ((high + low) * 0.5 / tangent, (high - low) * 0.5)
        };
        let tangent = (FIELD_OF_VIEW * 0.5).tan() * (1.0 - MARGIN);
        let [right, up] = [self.right(), self.up()];
        let (by_width, aside) = fit(right, tangent * aspect);
        let (by_height, above) = fit(up, tangent);
        self.distance = by_width.max(by_height).max(2.0);
        self.target = (bounds.min + bounds.max) * 0.5 + right * aside + up * above;
    }

    /// Unit vector from the target to the eye.
    #[must_use]
    pub fn back(&self) -> Vec3 {
        let level = self.pitch.cos();
        Vec3::new(self.yaw.sin() * level, self.pitch.sin(), self.yaw.cos() * level)
    }

    /// Where the eye is, metres.
    #[must_use]
    pub fn eye(&self) -> Vec3 {
        self.target + self.back() * self.distance
    }

    fn right(&self) -> Vec3 {
        Vec3::new(self.yaw.cos(), 0.0, -self.yaw.sin())
    }

    /// The matrix from the world to the screen; `aspect` is width by height.
    #[must_use]
    pub fn matrix(&self, aspect: f32) -> Mat4 {
        let lens = 1.0 / (FIELD_OF_VIEW * 0.5).tan();
        let far = self.distance * 12.0 + 200.0;
        let projection = if self.parallel {
            let scale = lens / self.distance;
            let depth = Vec4::new(0.0, 0.0, -0.5 / far, 0.0);
            Mat4::from_cols(Vec4::X * scale / aspect, Vec4::Y * scale, depth, Vec4::new(0.0, 0.0, 0.5, 1.0))
        } else {
            let near = (self.distance * 0.02).max(0.05);
            // Depth 0 is at the near plane, 1 at the far one.
            let depth = far / (near - far);
            let forward = Vec4::new(0.0, 0.0, depth, -1.0);
            Mat4::from_cols(Vec4::X * lens / aspect, Vec4::Y * lens, forward, Vec4::Z * near * depth)
        };
        projection * self.looking()
    }

    /// The matrix from the world to the eye, which looks along -z.
    fn looking(&self) -> Mat4 {
        let (eye, right, up, back) = (self.eye(), self.right(), self.up(), self.back());
        let row = |axis: usize| Vec4::new(right[axis], up[axis], back[axis], 0.0);
        let moved = Vec4::new(-right.dot(eye), -up.dot(eye), -back.dot(eye), 1.0);
        Mat4::from_cols(row(0), row(1), row(2), moved)
    }

    fn up(&self) -> Vec3 {
        self.back().cross(self.right()).normalize_or(Vec3::Y)
    }

    /// Turns by a drag of so many points of the screen.
    pub fn turn(&mut self, by: Vec2) {
        self.yaw -= by.x * 0.006;
        self.pitch = (self.pitch + by.y * 0.006).clamp(-0.3, STEEPEST);
    }

    /// Moves with the ground under the pointer, by a drag in points; `height` is that of the view in points.
    pub fn slide(&mut self, by: Vec2, height: f32) {
        let metres = 2.0 * self.distance * (FIELD_OF_VIEW * 0.5).tan() / height.max(1.0);
        self.target += (self.up() * by.y - self.right() * by.x) * metres;
    }

    /// Flies: right, up and forward, in parts of the distance.
    pub fn fly(&mut self, by: Vec3) {
        let forward = Vec3::new(-self.yaw.sin(), 0.0, -self.yaw.cos());
        self.target += (self.right() * by.x + Vec3::Y * by.y + forward * by.z) * self.distance;
    }

    /// Comes closer by a factor below 1, or goes away; what is at `about` stays under the pointer.
    pub fn zoom(&mut self, factor: f32, about: Option<Vec3>) {
        let distance = (self.distance * factor).clamp(0.5, 20_000.0);
        if let Some(about) = about {
            self.target += (about - self.target) * (1.0 - distance / self.distance);
        }
        self.distance = distance;
    }

    /// From straight above, with north up.
    pub fn look_down(&mut self) {
        self.pitch = STEEPEST;
        self.yaw = 0.0;
    }

    /// The ray through a point of the view: `at` and `size` in points from the upper left corner.
    #[must_use]
    pub fn ray(&self, at: Vec2, size: Vec2) -> Ray {
        let from_screen = self.matrix(size.x / size.y.max(1.0)).inverse();
        let x = 2.0 * at.x / size.x.max(1.0) - 1.0;
        let y = 1.0 - 2.0 * at.y / size.y.max(1.0);
        let world = |depth: f32| {
            let point = from_screen * Vec4::new(x, y, depth, 1.0);
            point.truncate() / point.w
        };
        let near = world(0.0);
        Ray { from: near, along: (world(1.0) - near).normalize_or(-Vec3::Y) }
    }

    /// Where a point of the world is seen, in points from the upper left corner; `None` behind the eye.
    #[must_use]
    pub fn project(&self, point: Vec3, size: Vec2) -> Option<Vec2> {
        let seen = self.matrix(size.x / size.y.max(1.0)) * point.extend(1.0);
        let flat = seen.truncate() / seen.w;
        (seen.w > 0.0).then(|| Vec2::new((flat.x + 1.0) * 0.5 * size.x, (1.0 - flat.y) * 0.5 * size.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_goes_through_what_is_seen_there() {
        let camera = Camera { target: Vec3::new(3.0, 1.0, -2.0), ..Camera::default() };
        let size = Vec2::new(800.0, 600.0);
        for point in [Vec3::new(5.0, 0.0, 1.0), Vec3::new(-4.0, 2.0, -9.0)] {
            let seen = camera.project(point, size).unwrap();
            let ray = camera.ray(seen, size);
            let nearest = ray.from + ray.along * (point - ray.from).dot(ray.along);
            assert!(nearest.distance(point) < 0.02, "{nearest} is not {point}");
        }
    }

    #[test]
    fn what_is_framed_fills_the_view_and_nothing_sticks_out() {
        let size = Vec2::new(900.0, 800.0);
        for (low, high) in [(Vec3::ZERO, Vec3::new(140.0, 18.0, 140.0)), (Vec3::splat(-3.0), Vec3::new(1.0, 40.0, 1.0))]
        {
            let mut camera = Camera::default();
            camera.frame(&Aabb { min: low, max: high }, size.x / size.y);
            let corner = |i: u8| {
                let pick = |bit: u8, axis: usize| if i >> bit & 1 == 0 { low[axis] } else { high[axis] };
                camera.project(Vec3::new(pick(0, 0), pick(1, 1), pick(2, 2)), size).unwrap()
            };
            let seen = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| (corner(i) / size - Vec2::splat(0.5)) * 2.0);
            let (low, high) = seen.iter().fold((Vec2::MAX, Vec2::MIN), |(low, high), &at| (low.min(at), high.max(at)));
            let farthest = high.max_element().max(-low.min_element());
            assert!((0.94..0.96).contains(&farthest), "{farthest}");
            // It touches both edges across one direction, and stands in the middle across the other.
            assert!((low + high).abs().max_element() < 0.1, "{low} … {high}");
        }
    }

    #[test]
    fn zooming_keeps_what_is_under_the_pointer() {
        let mut camera = Camera::default();
        let size = Vec2::new(800.0, 600.0);
        let point = Vec3::new(6.0, 0.0, -3.0);
        let before = camera.project(point, size).unwrap();
        camera.zoom(0.6, Some(point));
        assert!(camera.project(point, size).unwrap().distance(before) < 0.5);
    }
}
