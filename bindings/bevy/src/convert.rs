//! Points of Bevy's version of `glam` and of the library's. Both are +Y up, right-handed, metres.

use bevy_math::Vec3;

pub(crate) fn to_nav(v: Vec3) -> wayfare::Vec3 {
    wayfare::Vec3::from_array(v.to_array())
}

pub(crate) fn to_bevy(v: wayfare::Vec3) -> Vec3 {
    Vec3::from_array(v.to_array())
}
