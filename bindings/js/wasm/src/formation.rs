//! Groups that keep a shape around a leader.

use crate::callback::rethrow;
use crate::crowd::RawCrowd;
use crate::fault::{Answer, Fault};
use crate::mesh::RawMesh;
use crate::volume::points2;
use wasm_bindgen::prelude::*;
use wayfare::Vec2;
use wayfare::crowd::Formation;

#[wasm_bindgen(js_name = RawFormation)]
pub struct RawFormation(Formation);

fn flat(slots: &[Vec2]) -> Vec<f32> {
    slots.iter().flat_map(Vec2::to_array).collect()
}

#[wasm_bindgen(js_class = RawFormation)]
impl RawFormation {
    #[wasm_bindgen(constructor)]
    pub fn new(crowd: &RawCrowd, leader: f64, slots: &[f32], members: &[f64]) -> Answer<RawFormation> {
        let slots = points2(slots)?;
        if slots.iter().any(|slot| !slot.is_finite()) {
            return Err(Fault::argument("the places of a formation must be finite numbers"));
        }
        let members = members.iter().map(|member| crowd.find(*member)).collect::<Answer<Vec<_>>>()?;
        Ok(Self(Formation::new(crowd.find(leader)?, slots, members)))
    }

    /// The places of a block, beside and behind the leader: x and z of each.
    pub fn block(count: usize, columns: usize, spacing: f32) -> Vec<f32> {
        flat(&Formation::block(count, columns, spacing))
    }

    pub fn wedge(count: usize, spacing: f32) -> Vec<f32> {
        flat(&Formation::wedge(count, spacing))
    }

    /// Sends the members to their places.
    pub fn lead(&mut self, crowd: &mut RawCrowd, mesh: &RawMesh) -> Answer<()> {
        self.0.lead(&mut crowd.crowd, mesh.mesh())?;
        rethrow()
    }

    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &[u8]) -> Answer<RawFormation> {
        Ok(Self(Formation::from_bytes(bytes)?))
    }
}
