//! Obstacles that the mesh does not contain, and agents that walk around them.

use crate::crowd::RawCrowd;
use crate::fault::Answer;
use crate::grid_obstacle::obstacles;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_class = RawCrowd)]
impl RawCrowd {
    #[wasm_bindgen(js_name = setObstacles)]
    pub fn set_obstacles(&mut self, numbers: &[f32], ids: &[u32]) -> Answer<()> {
        self.crowd.set_obstacles(obstacles(numbers, ids)?);
        Ok(())
    }

    #[wasm_bindgen(js_name = obstructedBy)]
    pub fn obstructed_by(&self, agent: f64) -> Answer<Vec<u32>> {
        Ok(self.crowd.obstructed_by(self.find(agent)?)?.to_vec())
    }

    /// Three numbers, or none.
    #[wasm_bindgen(js_name = localBend)]
    pub fn local_bend(&self, agent: f64) -> Answer<Vec<f32>> {
        let bend = self.crowd.local_bend_of(self.find(agent)?)?;
        Ok(bend.map_or_else(Vec::new, |bend| bend.to_array().to_vec()))
    }
}
