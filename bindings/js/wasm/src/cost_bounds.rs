//! The full build: lower bounds of costs, computed in advance, that guide searches.

use crate::batch::RawPaths;
use crate::callback::rethrow;
use crate::crowd::RawCrowd;
use crate::fault::Answer;
use crate::filter::RawFilter;
use crate::mesh::RawMesh;
use crate::path::pack;
use crate::path_queue::RawPathQueue;
use crate::planner::Planning;
use crate::query::RawQuery;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::mesh::NavMesh;
use wayfare::plan::BoundedPlanner;
use wayfare::query::{CostBounds, find_bounded_path_into, string_pull_into};

#[wasm_bindgen(js_name = RawCostBounds)]
pub struct RawCostBounds(Arc<CostBounds>);

#[wasm_bindgen(js_class = RawCostBounds)]
impl RawCostBounds {
    #[wasm_bindgen(constructor)]
    pub fn new(mesh: &RawMesh, filter: &RawFilter) -> Answer<RawCostBounds> {
        let bounds = CostBounds::new(mesh.mesh(), filter.get());
        rethrow()?;
        Ok(Self(Arc::new(bounds)))
    }

    #[wasm_bindgen(js_name = holdFor)]
    pub fn hold_for(&self, mesh: &RawMesh) -> bool {
        self.0.is_for(mesh.mesh())
    }

    pub fn points(&self) -> Vec<f32> {
        self.0.points().iter().flat_map(Vec3::to_array).collect()
    }

    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }

    /// A path with its string pulled; see `path.rs` for the numbers.
    #[wasm_bindgen(js_name = findPath)]
    pub fn find_path(
        &self,
        query: &mut RawQuery,
        mesh: &RawMesh,
        ends: &[f32],
        from_poly: u64,
        to_poly: u64,
    ) -> Answer<Vec<f32>> {
        let [a, b, c, x, y, z] = crate::volume::fixed("question", ends)?;
        let ends = [Vec3::new(a, b, c), Vec3::new(x, y, z)];
        self.search(query, mesh.mesh(), ends, [from_poly, to_poly])?;
        rethrow()?;
        Ok(pack(&query.path, &query.straight))
    }

    #[wasm_bindgen(js_name = findPaths)]
    pub fn find_paths(&self, query: &mut RawQuery, mesh: &RawMesh, from: &[f32], to: &[f32]) -> Answer<RawPaths> {
        query.paths(from, to, |query, ends| self.search(query, mesh.mesh(), ends, [0, 0]))
    }

    fn search(&self, query: &mut RawQuery, mesh: &NavMesh, ends: [Vec3; 2], polys: [u64; 2]) -> Answer<()> {
        let request = query.request(mesh, ends, polys)?;
        query.path.clear();
        if let Some(request) = request {
            let (filter, scratch, path) = (query.filter.get(), &mut query.scratch, &mut query.path);
            find_bounded_path_into((mesh, &*self.0), &request, filter, scratch, path)?;
        }
        string_pull_into(&query.path, &mut query.scratch, &mut query.straight);
        Ok(())
    }

    fn planning(&self) -> Planning {
        let bounds = Arc::clone(&self.0);
        Planning::new(move || BoundedPlanner::new(Arc::clone(&bounds)))
    }
}

#[wasm_bindgen(js_class = RawCrowd)]
impl RawCrowd {
    /// Plans with these bounds from now on. Only for crowds whose planner keeps no work of its own: A* or bounds.
    #[wasm_bindgen(js_name = setBounds)]
    pub fn set_bounds(&mut self, bounds: &RawCostBounds) {
        self.planning = bounds.planning();
    }
}

#[wasm_bindgen(js_class = RawPathQueue)]
impl RawPathQueue {
    /// The same for a queue.
    #[wasm_bindgen(js_name = setBounds)]
    pub fn set_bounds(&mut self, bounds: &RawCostBounds) {
        self.planning = bounds.planning();
    }
}
