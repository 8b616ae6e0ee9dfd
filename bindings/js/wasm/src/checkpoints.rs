//! A level kept small, from which tiles are rebuilt.

use crate::callback::with_progress;
use crate::fault::Answer;
use crate::level::RawLevel;
use crate::named::{area, bake_settings, flags};
use js_sys::Function;
use wasm_bindgen::prelude::*;
use wayfare::dynamic::LevelCheckpoints;

#[wasm_bindgen(js_name = RawCheckpoints)]
pub struct RawCheckpoints(pub(crate) LevelCheckpoints);

#[wasm_bindgen(js_class = RawCheckpoints)]
impl RawCheckpoints {
    pub fn bake(level: &RawLevel, options: &JsValue, progress: Option<Function>) -> Answer<RawCheckpoints> {
        let settings = bake_settings(options)?;
        let level = level.parts.level();
        Ok(Self(with_progress(progress, |context| LevelCheckpoints::bake(level, &settings, context))?))
    }

    /// Flags that rebuilt polygons of an area type have.
    #[wasm_bindgen(js_name = setAreaFlags)]
    pub fn set_area_flags(&mut self, id: u32, bits: u32) -> Answer<()> {
        self.0.flags.set(area(id)?, Some(flags(bits)?));
        Ok(())
    }

    #[wasm_bindgen(js_name = tileCount)]
    pub fn tile_count(&self) -> usize {
        self.0.tile_count()
    }

    #[wasm_bindgen(js_name = compressedBytes)]
    pub fn compressed_bytes(&self) -> f64 {
        self.0.compressed_bytes() as f64
    }

    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &[u8]) -> Answer<RawCheckpoints> {
        Ok(Self(LevelCheckpoints::from_bytes(bytes)?))
    }

    pub fn copy(&self) -> RawCheckpoints {
        Self(self.0.clone())
    }
}
