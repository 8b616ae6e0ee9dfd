//! Searches that are spread over frames: many requests in a queue, or one.

use crate::callback::rethrow;
use crate::fault::{Answer, Fault};
use crate::mesh::RawMesh;
use crate::numbers::Numbers;
use crate::path::pack;
use crate::planner::Planning;
use crate::query::RawQuery;
use crate::record::Record;
use crate::refs::bits;
use js_sys::{BigUint64Array, Float32Array};
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::context::Budget;
use wayfare::plan::{PathQueue, RequestId, RequestState, SharedFilter};
use wayfare::query::{PathRequest, SearchScratch, string_pull};

#[wasm_bindgen(js_name = RawPathQueue)]
pub struct RawPathQueue {
    queue: PathQueue,
    pub(crate) planning: Planning,
    requests: Numbers<RequestId>,
    /// What is not done, in the order in which it was asked for.
    asked: Vec<Asked>,
}

/// A request by its number.
struct Asked {
    number: f64,
    request: PathRequest,
    filter: SharedFilter,
}

#[wasm_bindgen(js_class = RawPathQueue)]
impl RawPathQueue {
    #[wasm_bindgen(constructor)]
    pub fn new(planner: &str) -> Answer<RawPathQueue> {
        let planning = Planning::named(planner)?;
        Ok(Self { queue: PathQueue::new(), planning, requests: Numbers::new("path request"), asked: Vec::new() })
    }

    /// Asks for a path and returns its number.
    pub fn request(&mut self, mesh: &RawMesh, query: &RawQuery, ends: &[f32]) -> Answer<f64> {
        let [a, b, c, x, y, z] = crate::volume::fixed("question", ends)?;
        let place = |at: Vec3| {
            let off = || Fault::new("off-mesh", format_args!("no polygon is near {},{},{}", at.x, at.y, at.z));
            query.place(mesh.mesh(), at, 0)?.ok_or_else(off)
        };
        let (start, goal) = (place(Vec3::new(a, b, c))?, place(Vec3::new(x, y, z))?);
        let request = PathRequest { start, goal, limits: query.limits, placement: query.placement };
        let filter = Arc::clone(&query.filter.0);
        let number = self.requests.add(self.queue.request(request, Arc::clone(&filter)))?;
        self.asked.push(Asked { number, request, filter });
        Ok(number)
    }

    pub fn cancel(&mut self, number: f64) -> Answer<()> {
        self.queue.cancel(self.requests.get(number)?)?;
        self.asked.retain(|asked| asked.number != number);
        self.requests.remove(number)
    }

    pub fn state(&self, number: f64) -> Answer<String> {
        Ok(match self.queue.state(self.requests.get(number)?)? {
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
        self.queue.step(mesh.mesh(), self.planning.get_mut(), &mut budget);
        let thrown = rethrow();
        if thrown.is_err() {
            self.ask_again()?;
        }
        let Self { queue, requests, asked, .. } = self;
        let is_done = |number| Ok::<_, Fault>(queue.state(requests.get(number)?)? == RequestState::Done);
        asked.retain(|asked| !is_done(asked.number).unwrap_or(true));
        thrown
    }

    /// Asks for all anew that was not done before a step in which a function of the page threw: everything was barred from
    /// then on, for every search.
    fn ask_again(&mut self) -> Answer<()> {
        self.planning.renew();
        for Asked { number, request, filter } in &self.asked {
            self.queue.cancel(self.requests.get(*number)?)?;
            self.requests.replace(*number, self.queue.request(*request, Arc::clone(filter)))?;
        }
        Ok(())
    }

    /// The answer to a request, once it is done; it is then forgotten.
    pub fn take(&mut self, number: f64) -> Answer<JsValue> {
        let Some(answer) = self.queue.take(self.requests.get(number)?)? else { return Ok(JsValue::NULL) };
        self.requests.remove(number)?;
        let straight = string_pull(&answer.path, &mut SearchScratch::new());
        Ok(Record::new()
            .with("path", Float32Array::from(&pack(&answer.path, &straight)[..]))
            .with("polys", BigUint64Array::from(&bits(&answer.path.polys)[..]))
            .with("isOutdated", answer.is_outdated)
            .with("broken", crate::path::broken(answer.broken))
            .done())
    }
}
