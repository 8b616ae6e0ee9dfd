//! Reads the arguments of a step or a case.

use serde_json::Value;
use wayfare::area::AreaId;
use wayfare::math::Aabb;
use wayfare::{Vec2, Vec3};

pub(crate) fn number(value: &Value, name: &str) -> f32 {
    let number = value[name].as_f64().unwrap_or_else(|| panic!("no number `{name}` in {value}"));
    number as f32
}

pub(crate) fn number_or(value: &Value, name: &str, default: f32) -> f32 {
    value[name].as_f64().map_or(default, |number| number as f32)
}

pub(crate) fn count(value: &Value, name: &str) -> u32 {
    let count = value[name].as_u64().unwrap_or_else(|| panic!("no count `{name}` in {value}"));
    u32::try_from(count).unwrap()
}

pub(crate) fn count_or(value: &Value, name: &str, default: u32) -> u32 {
    if value[name].is_null() { default } else { count(value, name) }
}

pub(crate) fn flag_or(value: &Value, name: &str, default: bool) -> bool {
    value[name].as_bool().unwrap_or(default)
}

pub(crate) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no text `{name}` in {value}"))
}

pub(crate) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

pub(crate) fn numbers(value: &Value) -> Vec<f32> {
    value.as_array().into_iter().flatten().map(|number| number.as_f64().unwrap() as f32).collect()
}

pub(crate) fn point_of(value: &Value) -> Vec3 {
    let [x, y, z] = numbers(value)[..] else { panic!("no point: {value}") };
    Vec3::new(x, y, z)
}

pub(crate) fn point(value: &Value, name: &str) -> Vec3 {
    point_of(&value[name])
}

/// Points in a flat list, `x, y, z, x, y, z`.
pub(crate) fn points(value: &Value) -> Vec<Vec3> {
    numbers(value).chunks_exact(3).map(Vec3::from_slice).collect()
}

/// Points on the plane in a flat list, `x, z, x, z`.
pub(crate) fn flat_points(value: &Value) -> Vec<Vec2> {
    numbers(value).chunks_exact(2).map(Vec2::from_slice).collect()
}

pub(crate) fn cell(value: &Value) -> [i32; 3] {
    let cell: Vec<i32> = value.as_array().into_iter().flatten().map(|n| n.as_i64().unwrap() as i32).collect();
    cell.try_into().unwrap()
}

pub(crate) fn area(value: &Value, name: &str) -> AreaId {
    AreaId::new(u8::try_from(count(value, name)).unwrap()).unwrap()
}

pub(crate) fn bounds(value: &Value) -> Aabb {
    Aabb { min: point(value, "min"), max: point(value, "max") }
}
