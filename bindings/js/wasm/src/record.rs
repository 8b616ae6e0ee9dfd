//! Plain objects for the page, where time does not matter.

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::JsValue;
use wayfare::Vec3;

/// An object under construction.
pub(crate) struct Record(Object);

impl Record {
    pub(crate) fn new() -> Self {
        Self(Object::new())
    }

    pub(crate) fn with(self, name: &str, value: impl Into<JsValue>) -> Self {
        // A new plain object takes every property.
        let _ = Reflect::set(&self.0, &JsValue::from_str(name), &value.into());
        self
    }

    pub(crate) fn point(self, name: &str, point: Option<Vec3>) -> Self {
        self.with(name, point.map_or(JsValue::NULL, to_point))
    }

    pub(crate) fn done(self) -> JsValue {
        self.0.into()
    }
}

/// A point as an array of three numbers.
pub(crate) fn to_point(point: Vec3) -> JsValue {
    point.to_array().iter().map(|number| JsValue::from_f64(f64::from(*number))).collect::<Array>().into()
}

/// A list of objects.
pub(crate) fn to_list(items: impl IntoIterator<Item = JsValue>) -> JsValue {
    items.into_iter().collect::<Array>().into()
}

/// Points one after another: x, y, z, x, …
pub(crate) fn flat(points: impl IntoIterator<Item = Vec3>) -> Vec<f32> {
    points.into_iter().flat_map(|point| point.to_array()).collect()
}
