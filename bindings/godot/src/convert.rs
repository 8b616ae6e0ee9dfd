//! Points and lists of Godot and of the library. Both are +Y up, right-handed, metres.

use godot::prelude::*;
use wayfare::Vec3;

pub fn to_nav(v: Vector3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

pub fn to_godot(v: Vec3) -> Vector3 {
    Vector3::new(v.x, v.y, v.z)
}

pub fn points(points: impl IntoIterator<Item = Vec3>) -> PackedVector3Array {
    points.into_iter().map(to_godot).collect()
}
