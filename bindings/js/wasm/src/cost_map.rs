//! What every place costs to reach from one: one flood, many answers.

use crate::callback::rethrow;
use crate::fault::Answer;
use crate::mesh::RawMesh;
use crate::path::limit;
use crate::query::{RawQuery, on_mesh};
use crate::refs::poly;
use wasm_bindgen::prelude::*;
use wayfare::query::{CostMap, CostMapRequest};

#[wasm_bindgen(js_name = RawCostMap)]
pub struct RawCostMap(CostMap);

fn request(mesh: &RawMesh, query: &RawQuery, reference: u64, at: &[f32]) -> Answer<CostMapRequest> {
    let start = on_mesh(mesh.mesh(), reference, at)?;
    Ok(CostMapRequest { start, limits: query.limits, placement: query.placement })
}

#[wasm_bindgen(js_class = RawCostMap)]
impl RawCostMap {
    #[wasm_bindgen(constructor)]
    pub fn new(mesh: &RawMesh, query: &RawQuery, reference: u64, at: &[f32]) -> Answer<RawCostMap> {
        let map = CostMap::new(mesh.mesh(), &request(mesh, query, reference, at)?, query.filter())?;
        rethrow()?;
        Ok(Self(map))
    }

    pub fn update(&mut self, mesh: &RawMesh, query: &RawQuery, reference: u64, at: &[f32]) -> Answer<()> {
        if query.filter.asks_page() {
            // What it was stays until nothing has been thrown.
            *self = Self::new(mesh, query, reference, at)?;
            return Ok(());
        }
        self.0.update(mesh.mesh(), &request(mesh, query, reference, at)?, query.filter())?;
        Ok(())
    }

    pub fn limit(&self) -> u8 {
        limit(self.0.limit())
    }

    /// What a polygon costs to reach; `undefined` if it is not reached.
    #[wasm_bindgen(js_name = costTo)]
    pub fn cost_to(&self, reference: u64) -> Answer<Option<f32>> {
        Ok(self.0.cost_to(poly(reference)?))
    }

    /// The path to a place, into the memory of a query.
    #[wasm_bindgen(js_name = pathTo)]
    pub fn path_to(&self, mesh: &RawMesh, query: &mut RawQuery, reference: u64, at: &[f32]) -> Answer<Vec<f32>> {
        let goal = on_mesh(mesh.mesh(), reference, at)?;
        let mut path = core::mem::take(&mut query.path);
        let stale = self.0.path_to(mesh.mesh(), goal, query.filter(), &mut path);
        query.path = path;
        match stale {
            Some(stale) => Err(stale.into()),
            None => query.packed(),
        }
    }
}
