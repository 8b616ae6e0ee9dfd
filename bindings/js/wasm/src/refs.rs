//! References of polygons and tiles: 64 bits, a BigInt on the page.

use crate::fault::{Answer, Fault};
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::mesh::{PolyPoint, PolyRef, TileRef};

pub(crate) fn poly(bits: u64) -> Answer<PolyRef> {
    PolyRef::from_bits(bits).ok_or_else(|| Fault::argument("0 is not the reference of a polygon"))
}

pub(crate) fn tile(bits: u64) -> Answer<TileRef> {
    TileRef::from_bits(bits).ok_or_else(|| Fault::argument("0 is not the reference of a tile"))
}

pub(crate) fn place(bits: u64, x: f32, y: f32, z: f32) -> Answer<PolyPoint> {
    Ok(PolyPoint { poly: poly(bits)?, point: Vec3::new(x, y, z) })
}

pub(crate) fn bits(refs: &[PolyRef]) -> Vec<u64> {
    refs.iter().map(|reference| reference.to_bits()).collect()
}

/// A reference as the library writes it: `s3:t17:p42`.
#[wasm_bindgen(js_name = formatRef)]
pub fn format_ref(bits: u64) -> Answer<String> {
    Ok(poly(bits)?.to_string())
}

#[wasm_bindgen(js_name = parseRef)]
pub fn parse_ref(text: &str) -> Answer<u64> {
    Ok(text.parse::<PolyRef>()?.to_bits())
}
