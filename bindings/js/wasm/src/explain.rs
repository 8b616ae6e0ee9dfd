//! Why a place is not walkable.

use crate::bake::context;
use crate::callback::with_progress;
use crate::fault::{Answer, Fault};
use crate::level::RawLevel;
use crate::named::bake_settings;
use crate::record::{Record, to_point};
use js_sys::Function;
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::bake::{ExplainMap, TilePlan, explain_around, explain_level};

#[wasm_bindgen(js_name = RawExplainMap)]
pub struct RawExplainMap(ExplainMap);

#[wasm_bindgen(js_class = RawExplainMap)]
impl RawExplainMap {
    /// Of the whole level.
    pub fn level(level: &RawLevel, options: &JsValue, progress: Option<Function>) -> Answer<RawExplainMap> {
        let level = level.parts.level();
        let plan = TilePlan::new(level, &bake_settings(options)?)?;
        Ok(Self(with_progress(progress, |context| explain_level(level, &plan, context))?))
    }

    /// Of the tile around a point.
    pub fn around(level: &RawLevel, options: &JsValue, x: f32, y: f32, z: f32) -> Answer<RawExplainMap> {
        let level = level.parts.level();
        let plan = TilePlan::new(level, &bake_settings(options)?)?;
        Ok(Self(explain_around(level, &plan, Vec3::new(x, y, z), &context())?))
    }

    /// What is at a point; null outside of what the map holds.
    pub fn at(&self, x: f32, y: f32, z: f32) -> JsValue {
        let Some(found) = self.0.at(Vec3::new(x, y, z)) else { return JsValue::NULL };
        let number = |value: Option<f64>| value.map_or(JsValue::NULL, JsValue::from_f64);
        Record::new()
            .with("reason", found.reason.name())
            .with("message", found.to_string())
            .with("isWalkable", found.is_walkable())
            .point("surface", found.ground)
            .with("metres", number(found.metres.map(f64::from)))
            .with("cells", number(found.cells.map(f64::from)))
            .with("causeReason", found.cause.map_or(JsValue::NULL, |(reason, _)| reason.name().into()))
            .with("causeAt", found.cause.map_or(JsValue::NULL, |(_, at)| to_point(at)))
            .done()
    }

    #[wasm_bindgen(js_name = spanCount)]
    pub fn span_count(&self) -> usize {
        self.0.span_count()
    }

    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self, mark: u64) -> Vec<u8> {
        self.0.to_bytes(mark)
    }

    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &[u8]) -> Result<RawExplainMap, Fault> {
        Ok(Self(ExplainMap::from_bytes(bytes)?.0))
    }
}
