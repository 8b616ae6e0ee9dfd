//! The full build: crowds as bytes, and streams of pedestrians.

use crate::callback::rethrow;
use crate::crowd::RawCrowd;
use crate::fault::Answer;
use crate::filter::RawFilter;
use crate::mesh::RawMesh;
use crate::options::apply;
use crate::planner::Planning;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use wayfare::crowd::{AgentParams, Crowd, Pedestrians};

#[wasm_bindgen(js_class = RawCrowd)]
impl RawCrowd {
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self, mesh: &RawMesh) -> Vec<u8> {
        self.crowd.to_bytes(mesh.mesh(), self.planning.get())
    }

    /// A crowd as it was saved, with the filters that were added to it.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &[u8], mesh: &RawMesh, filters: Vec<RawFilter>, planner_name: &str) -> Answer<RawCrowd> {
        let asks_page = filters.iter().any(RawFilter::asks_page);
        let filters: Vec<_> = filters.iter().map(|filter| Arc::clone(&filter.0)).collect();
        let crowd = Crowd::from_bytes(bytes, mesh.mesh(), &filters)?;
        rethrow()?;
        let mut made = Self::of(crowd, Planning::named(planner_name)?);
        made.asks_page = asks_page;
        Ok(made)
    }

    /// Adds the next of a stream of pedestrians, who differ in speed and manners; some options on top.
    #[wasm_bindgen(js_name = addPedestrian)]
    pub fn add_pedestrian(
        &mut self,
        mesh: &RawMesh,
        at: &[f32],
        stream: &mut RawPedestrians,
        options: &JsValue,
    ) -> Answer<f64> {
        let mut params = stream.0.next().unwrap_or_else(AgentParams::pedestrian);
        apply(options, &mut params)?;
        let agent = self.crowd.add(mesh.mesh(), crate::crowd_agents::vec3(at)?, params)?;
        self.welcome(agent)
    }
}

/// Pedestrians from a seed.
#[wasm_bindgen(js_name = RawPedestrians)]
pub struct RawPedestrians(Pedestrians);

#[wasm_bindgen(js_class = RawPedestrians)]
impl RawPedestrians {
    #[wasm_bindgen(constructor)]
    pub fn new(seed: u64) -> RawPedestrians {
        Self(Pedestrians::new(seed))
    }
}
