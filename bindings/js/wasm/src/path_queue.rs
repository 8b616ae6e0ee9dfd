//! Searches that are spread over frames: many requests in a queue, or one.

use crate::callback::rethrow;
use crate::fault::{Answer, Fault};
use crate::mesh::RawMesh;
use crate::path::pack;
use crate::query::RawQuery;
use crate::record::Record;
use crate::refs::bits;
use js_sys::{BigUint64Array, Float32Array};
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::context::Budget;
use wayfare::plan::{AStarPlanner, PathQueue, Planner, RequestId, RequestState};
use wayfare::query::{PathRequest, SearchScratch, string_pull};

#[wasm_bindgen(js_name = RawPathQueue)]
pub struct RawPathQueue {
    queue: PathQueue,
    pub(crate) planner: Box<dyn Planner>,
    /// The request of each number; numbers are not used again.
    requests: Vec<Option<RequestId>>,
}

#[wasm_bindgen(js_class = RawPathQueue)]
impl RawPathQueue {
    #[wasm_bindgen(constructor)]
    pub fn new(planner: &str) -> Answer<RawPathQueue> {
        let planner = crate::crowd::planner(planner)?;
        Ok(Self { queue: PathQueue::new(), planner, requests: Vec::new() })
    }

    /// Asks for a path and returns its number.
    pub fn request(&mut self, mesh: &RawMesh, query: &RawQuery, ends: &[f32]) -> Answer<u32> {
        let [a, b, c, x, y, z] = crate::volume::fixed("question", ends)?;
        let place = |at: Vec3| {
            let off = || Fault::new("off-mesh", format_args!("no polygon is near {},{},{}", at.x, at.y, at.z));
            query.place(mesh.mesh(), at, 0)?.ok_or_else(off)
        };
        let (start, goal) = (place(Vec3::new(a, b, c))?, place(Vec3::new(x, y, z))?);
        let request = PathRequest { start, goal, limits: query.limits, placement: query.placement };
        self.requests.push(Some(self.queue.request(request, Arc::clone(&query.filter.0))));
        Ok(self.requests.len() as u32 - 1)
    }

    fn id(&self, number: u32) -> Answer<RequestId> {
        let gone = || Fault::new("stale-ref", format_args!("there is no path request {number} (any more)"));
        self.requests.get(number as usize).copied().flatten().ok_or_else(gone)
    }

    pub fn cancel(&mut self, number: u32) -> Answer<()> {
        self.queue.cancel(self.id(number)?)?;
        self.requests[number as usize] = None;
        Ok(())
    }

    pub fn state(&self, number: u32) -> Answer<String> {
        Ok(match self.queue.state(self.id(number)?)? {
            RequestState::Waiting => "waiting",
            RequestState::Searching => "searching",
            RequestState::Done => "done",
        }
        .to_owned())
    }

    pub fn pending(&self) -> usize {
        self.queue.pending()
    }

    /// Searches on, by a number of nodes; 0 for as many as it takes.
    pub fn step(&mut self, mesh: &RawMesh, nodes: f64) -> Answer<()> {
        let mut budget = if nodes > 0.0 { Budget::new(nodes as u64) } else { Budget::unlimited() };
        self.queue.step(mesh.mesh(), self.planner.as_mut(), &mut budget);
        rethrow()
    }

    /// The answer to a request, once it is done; it is then forgotten.
    pub fn take(&mut self, number: u32) -> Answer<JsValue> {
        let Some(answer) = self.queue.take(self.id(number)?)? else { return Ok(JsValue::NULL) };
        self.requests[number as usize] = None;
        let straight = string_pull(&answer.path, &mut SearchScratch::new());
        Ok(Record::new()
            .with("path", Float32Array::from(&pack(&answer.path, &straight)[..]))
            .with("polys", BigUint64Array::from(&bits(&answer.path.polys)[..]))
            .with("isOutdated", answer.is_outdated)
            .with("broken", crate::path::broken(answer.broken))
            .done())
    }
}

/// The planner that needs nothing else.
pub(crate) fn plain() -> Box<dyn Planner> {
    Box::new(AStarPlanner::new())
}
