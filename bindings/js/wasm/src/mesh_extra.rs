//! The full build: Detour's files, a check of a whole mesh, surfaces inside of bodies.

use crate::fault::Answer;
use crate::level::RawLevel;
use crate::mesh::RawMesh;
use crate::record::{Record, to_list, to_point};
use crate::refs::poly;
use wasm_bindgen::prelude::*;
use wayfare::format::RefBits;

fn ref_bits(is_wide: bool) -> RefBits {
    if is_wide { RefBits::Bits64 } else { RefBits::Bits32 }
}

#[wasm_bindgen(js_class = RawMesh)]
impl RawMesh {
    #[wasm_bindgen(js_name = toDetour)]
    pub fn to_detour(&self, is_wide: bool) -> Answer<Vec<u8>> {
        Ok(self.mesh().to_detour(ref_bits(is_wide))?)
    }

    /// The reference that Detour would use in a file with references of this width; 0 if it has none.
    #[wasm_bindgen(js_name = toDetourRef)]
    pub fn to_detour_ref(&self, reference: u64, is_wide: bool) -> Answer<u64> {
        let refs = self.mesh().detour_refs(ref_bits(is_wide))?;
        Ok(refs.encode(poly(reference)?).unwrap_or(0))
    }

    #[wasm_bindgen(js_name = fromDetourRef)]
    pub fn ref_of_detour(&self, reference: u64, is_wide: bool) -> Answer<u64> {
        let refs = self.mesh().detour_refs(ref_bits(is_wide))?;
        Ok(refs.decode(reference).map_or(0, |reference| reference.to_bits()))
    }

    /// What is wrong with it: empty, unless it came damaged from elsewhere.
    pub fn check(&self) -> JsValue {
        to_list(self.mesh().check().iter().map(|violation| {
            Record::new()
                .with("kind", violation.kind.name())
                .with("message", violation.to_string())
                .with("poly", violation.poly.to_bits())
                .with("position", to_point(violation.position))
                .done()
        }))
    }

    /// Surfaces inside of hollow bodies: their polygons, and where.
    #[wasm_bindgen(js_name = hollowSurfaces)]
    pub fn hollow_surfaces(&self, level: &RawLevel, agent_height: f32) -> JsValue {
        let found = self.mesh().hollow_surfaces(level.parts.level(), agent_height);
        to_list(found.iter().map(|surface| {
            Record::new().with("poly", surface.poly.to_bits()).with("point", to_point(surface.at)).done()
        }))
    }
}
