//! What a person does, as a prototype sees it: a pointer on the ground and keys, one [`Input`] for each tick. All of it
//! can be recorded.

use serde::{Deserialize, Serialize};
use wayfare::Vec3;

/// A line of sight from the eye through the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ray {
    /// Where it begins, metres.
    pub from: Vec3,
    /// Its direction, of length 1.
    pub along: Vec3,
}

impl Ray {
    /// Where it meets the level plane of this height, ahead of its beginning.
    #[must_use]
    pub fn on_plane(&self, y: f32) -> Option<Vec3> {
        let t = (y - self.from.y) / self.along.y;
        (t.is_finite() && t >= 0.0).then(|| self.from + self.along * t)
    }

    /// Where it meets a triangle, from either side: how far along it.
    #[must_use]
    pub fn on_triangle(&self, [a, b, c]: [Vec3; 3]) -> Option<f32> {
        let (ab, ac) = (b - a, c - a);
        let cross = self.along.cross(ac);
        let scale = 1.0 / ab.dot(cross);
        let to = self.from - a;
        let u = to.dot(cross) * scale;
        let other = to.cross(ab);
        let v = self.along.dot(other) * scale;
        let t = ac.dot(other) * scale;
        // Not a number for a triangle without area: then nothing holds.
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0 && t.is_finite()).then_some(t)
    }
}

/// The pointer, while it is over the ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pointer {
    /// Where it is on the ground, metres.
    pub at: Vec3,
    /// Whether the button went down in this tick: a click begins.
    #[serde(default, skip_serializing_if = "is_off")]
    pub pressed: bool,
    /// Whether the button is down.
    #[serde(default, skip_serializing_if = "is_off")]
    pub down: bool,
    /// Whether Shift is held: the other thing that a click can do.
    #[serde(default, skip_serializing_if = "is_off")]
    pub shift: bool,
}

fn is_off(value: &bool) -> bool {
    !value
}

/// A key that a prototype can use. The app has all others for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Key {
    /// Walk, or move what is selected.
    Up,
    /// The opposite.
    Down,
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Do it: the next step, a jump.
    Enter,
    /// Undo it, or remove what is under the pointer.
    Delete,
}

/// What a person does in one tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// The pointer; `None` while it is elsewhere, or while it drags a point parameter or the camera.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<Pointer>,
    /// The keys that are held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<Key>,
    /// The keys that went down in this tick.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pressed: Vec<Key>,
}

impl Input {
    /// A click on the ground.
    #[must_use]
    pub fn click(at: Vec3) -> Self {
        Self { pointer: Some(Pointer { at, pressed: true, down: true, shift: false }), ..Self::default() }
    }

    /// A key that goes down.
    #[must_use]
    pub fn press(key: Key) -> Self {
        Self { held: vec![key], pressed: vec![key], ..Self::default() }
    }

    /// Nothing is done.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        *self == Self::default()
    }

    /// Where the ground was clicked in this tick.
    #[must_use]
    pub fn clicked(&self) -> Option<Vec3> {
        self.pointer.filter(|pointer| pointer.pressed && !pointer.shift).map(|pointer| pointer.at)
    }

    /// Where the ground was clicked with Shift held.
    #[must_use]
    pub fn shift_clicked(&self) -> Option<Vec3> {
        self.pointer.filter(|pointer| pointer.pressed && pointer.shift).map(|pointer| pointer.at)
    }

    /// Whether a key went down in this tick.
    #[must_use]
    pub fn was_pressed(&self, key: Key) -> bool {
        self.pressed.contains(&key)
    }

    /// The direction of the arrow keys on the ground: x to the right, −z up. Zero or of length 1.
    #[must_use]
    pub fn arrows(&self) -> Vec3 {
        let held = |key| if self.held.contains(&key) { 1.0 } else { 0.0 };
        let [up, down, left, right] = [Key::Up, Key::Down, Key::Left, Key::Right].map(held);
        Vec3::new(right - left, 0.0, down - up).normalize_or_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_meet_planes_and_triangles_ahead_of_them() {
        let down = Ray { from: Vec3::new(1.0, 5.0, 1.0), along: -Vec3::Y };
        assert_eq!(down.on_plane(2.0), Some(Vec3::new(1.0, 2.0, 1.0)));
        assert_eq!(down.on_plane(6.0), None);
        let floor = [Vec3::ZERO, Vec3::new(0.0, 0.0, 4.0), Vec3::new(4.0, 0.0, 0.0)];
        assert_eq!(down.on_triangle(floor), Some(5.0));
        assert_eq!(down.on_triangle(floor.map(|p| p + Vec3::Y * 9.0)), None);
        assert_eq!(down.on_triangle([Vec3::ZERO; 3]), None);
        assert_eq!(Ray { from: Vec3::Y, along: Vec3::X }.on_plane(0.0), None);
    }
}
