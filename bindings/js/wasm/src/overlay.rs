//! Costs that change, by place.

use crate::fault::{Answer, Fault};
use crate::options::apply;
use crate::record::flat;
use crate::volume::{bounds, points2};
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::query::{CostOverlay, OverlaySettings, OverlayShape};

#[wasm_bindgen(js_name = RawOverlay)]
pub struct RawOverlay(pub(crate) CostOverlay);

#[wasm_bindgen(js_class = RawOverlay)]
impl RawOverlay {
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Answer<RawOverlay> {
        let mut settings = OverlaySettings::default();
        apply(options, &mut settings)?;
        Ok(Self(CostOverlay::new(settings)?))
    }

    /// Adds a cost to the cells in a shape, and says how many.
    pub fn paint(&mut self, kind: &str, numbers: &[f32], cost: f32) -> Answer<u32> {
        let corners;
        let shape = match (kind, numbers) {
            ("disc", &[x, y, z, radius, reach]) => OverlayShape::Disc { center: Vec3::new(x, y, z), radius, reach },
            ("box", _) => OverlayShape::Box(bounds(numbers)?),
            ("polygon", &[min_y, max_y, ref rest @ ..]) => {
                corners = points2(rest)?;
                OverlayShape::Polygon { corners: &corners, min_y, max_y }
            }
            _ => return Err(Fault::argument(format_args!("an overlay cannot be painted with {kind:?}"))),
        };
        Ok(self.0.paint(&shape, cost)?)
    }

    pub fn advance(&mut self, ticks: u32) {
        self.0.advance(ticks);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    #[wasm_bindgen(js_name = costAt)]
    pub fn cost_at(&self, x: f32, y: f32, z: f32) -> f32 {
        self.0.cost_at(Vec3::new(x, y, z))
    }

    #[wasm_bindgen(js_name = cellCount)]
    pub fn cell_count(&self) -> u32 {
        self.0.cell_count()
    }

    /// The lowest and highest corners of all cells with a cost, and the costs after them.
    pub fn cells(&self) -> Vec<f32> {
        let mut cells: Vec<f32> = flat(self.0.cells().flat_map(|(low, high, _)| [low, high]));
        cells.extend(self.0.cells().map(|(_, _, cost)| cost));
        cells
    }

    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &[u8]) -> Answer<RawOverlay> {
        Ok(Self(CostOverlay::from_bytes(bytes)?))
    }
}
