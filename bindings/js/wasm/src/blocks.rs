//! Paths through worlds of blocks.

use crate::block_source::{RawBlocks, cell};
use crate::callback::rethrow;
use crate::fault::{Answer, Fault};
use crate::options::{Given, Named, apply};
use crate::record::Record;
use js_sys::Float32Array;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::area::{AreaId, PathStatus};
use wayfare::blocks::{
    BlockBox, BlockCorridor, BlockCosts, BlockNav, BlockPath, BlockPathRequest, BlockRequestId, BlockRequests,
    BlockSettings, Cell,
};
use wayfare::context::Budget;
use wayfare::math::Rng;

struct Settings(BlockSettings);

impl Named for Settings {
    fn set(&mut self, name: &str, value: &Given<'_>) -> Answer<bool> {
        let settings = &mut self.0;
        match name {
            "climb" => settings.agent.climb = value.count()?,
            "drop" => settings.agent.drop = value.count()?,
            "height" => settings.agent.height = value.count()?,
            "width" => settings.agent.width = value.count()?,
            "miniMeshSize" => settings.mini = value.count()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[wasm_bindgen(js_name = RawBlockNav)]
pub struct RawBlockNav {
    nav: BlockNav,
    costs: BlockCosts,
    max_nodes: u32,
    requests: BlockRequests,
    /// The requests that wait.
    asked: BTreeMap<BlockRequestId, (Asker, BlockPathRequest)>,
    /// The number of the next.
    next: f64,
    answers: VecDeque<(f64, BlockPath)>,
}

/// Where an answer goes.
enum Asker {
    /// To the page, by this number.
    Page(f64),
    /// To a corridor, if it is still there.
    Corridor(Weak<RefCell<Option<BlockPath>>>),
}

/// A path as numbers: status, limit, length, nodes visited, then the points.
fn pack(path: &BlockPath) -> Vec<f32> {
    let status = match path.status {
        PathStatus::Complete => 2.0,
        PathStatus::Partial => 1.0,
        PathStatus::None => 0.0,
    };
    let limit = if path.limit.is_some() { 1.0 } else { 0.0 };
    let mut numbers = vec![status, limit, path.length, path.visited as f32];
    numbers.extend(path.points.iter().flat_map(Vec3::to_array));
    numbers
}

fn goal(bounds: &[i32]) -> Answer<BlockBox> {
    let (min, max) = bounds.split_at_checked(3).ok_or_else(|| Fault::argument("a goal is a cell or a box of cells"))?;
    Ok(if max.is_empty() { BlockBox::of(cell(min)?) } else { BlockBox::new(cell(min)?, cell(max)?) })
}

impl RawBlockNav {
    fn enqueue(&mut self, asker: Asker, request: BlockPathRequest) {
        self.asked.insert(self.requests.request(request.clone()), (asker, request));
    }

    /// An answer, unless the page's function threw on the way to it. Then what was built meanwhile may hold air in place of
    /// blocks that it did not name: all of it goes.
    fn answer<T>(&mut self, answer: T) -> Answer<T> {
        rethrow().inspect_err(|_| self.nav.invalidate(EVERYWHERE))?;
        Ok(answer)
    }
}

/// All blocks that there can be.
const EVERYWHERE: BlockBox = BlockBox {
    min: Cell { x: i32::MIN, y: i32::MIN, z: i32::MIN },
    max: Cell { x: i32::MAX, y: i32::MAX, z: i32::MAX },
};

#[wasm_bindgen(js_class = RawBlockNav)]
impl RawBlockNav {
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Answer<RawBlockNav> {
        let mut settings = Settings(BlockSettings::default());
        apply(options, &mut settings)?;
        Ok(Self {
            nav: BlockNav::new(settings.0)?,
            costs: BlockCosts::default(),
            max_nodes: u32::MAX,
            requests: BlockRequests::new(),
            asked: BTreeMap::new(),
            next: 0.0,
            answers: VecDeque::new(),
        })
    }

    #[wasm_bindgen(js_name = setCost)]
    pub fn set_cost(&mut self, area: u8, cost: f32) -> Answer<()> {
        let area = AreaId::new(area).map_err(Fault::argument)?;
        self.costs = core::mem::take(&mut self.costs).with(area, cost);
        Ok(())
    }

    #[wasm_bindgen(js_name = setMaxNodes)]
    pub fn set_max_nodes(&mut self, nodes: u32) {
        self.max_nodes = nodes;
    }

    fn request(&self, start: &[i32], bounds: &[i32]) -> Answer<BlockPathRequest> {
        let mut request = BlockPathRequest::to_box(cell(start)?, goal(bounds)?);
        request.costs = self.costs.clone();
        request.max_nodes = self.max_nodes;
        Ok(request)
    }

    #[wasm_bindgen(js_name = findPath)]
    pub fn find_path(&mut self, world: &RawBlocks, start: &[i32], bounds: &[i32]) -> Answer<Vec<f32>> {
        let request = self.request(start, bounds)?;
        let path = self.nav.find_path(&world.0, &request);
        self.answer(pack(&path))
    }

    /// 1 yes, 0 no, 2 not decided within the limit.
    #[wasm_bindgen(js_name = pathExists)]
    pub fn path_exists(&mut self, world: &RawBlocks, start: &[i32], to: &[i32]) -> Answer<u8> {
        let found = self.nav.path_exists(&world.0, cell(start)?, cell(to)?, &self.costs, self.max_nodes);
        self.answer(found.map_or(2, u8::from))
    }

    /// The nearest cell where the agent can stand; empty if there is none.
    pub fn nearest(&self, world: &RawBlocks, at: &[f32], reach: u32) -> Answer<Vec<i32>> {
        let &[x, y, z] = at else { return Err(Fault::argument("a point has 3 numbers")) };
        let found = self.nav.nearest(&world.0, Vec3::new(x, y, z), reach);
        rethrow()?;
        Ok(found.map_or_else(Vec::new, |cell| vec![cell.x, cell.y, cell.z]))
    }

    pub fn stands(&self, world: &RawBlocks, at: &[i32]) -> Answer<bool> {
        let stands = self.nav.stands(&world.0, cell(at)?);
        rethrow()?;
        Ok(stands)
    }

    /// Where an agent in a cell stands.
    pub fn position(&self, at: &[i32]) -> Answer<Vec<f32>> {
        Ok(self.nav.position(cell(at)?).to_array().to_vec())
    }

    /// Says which blocks have changed.
    pub fn invalidate(&mut self, bounds: &[i32]) -> Answer<()> {
        let changed = goal(bounds)?;
        self.nav.invalidate(changed);
        self.requests.invalidate(changed);
        Ok(())
    }

    #[wasm_bindgen(js_name = randomInBox)]
    pub fn random_in_box(&self, world: &RawBlocks, bounds: &[i32], seed: u64) -> Answer<Vec<i32>> {
        let found = self.nav.random_in_box(&world.0, goal(bounds)?, &mut Rng::new(seed));
        rethrow()?;
        Ok(found.map_or_else(Vec::new, |cell| vec![cell.x, cell.y, cell.z]))
    }

    #[wasm_bindgen(js_name = randomReachable)]
    pub fn random_reachable(&mut self, world: &RawBlocks, start: &[i32], radius: u32, seed: u64) -> Answer<Vec<i32>> {
        let mut rng = Rng::new(seed);
        let found = self.nav.random_reachable(&world.0, cell(start)?, radius, &self.costs, &mut rng);
        self.answer(found.map_or_else(Vec::new, |cell| vec![cell.x, cell.y, cell.z]))
    }

    /// Small meshes built, small meshes connected, bytes.
    pub fn stats(&self) -> Vec<f64> {
        let stats = self.nav.stats();
        vec![stats.built as f64, stats.connected as f64, stats.bytes as f64]
    }
}

/// Requests that are answered over several frames.
#[wasm_bindgen(js_class = RawBlockNav)]
impl RawBlockNav {
    pub fn ask(&mut self, start: &[i32], bounds: &[i32]) -> Answer<f64> {
        let request = self.request(start, bounds)?;
        let number = self.next;
        self.next += 1.0;
        self.enqueue(Asker::Page(number), request);
        Ok(number)
    }

    pub fn withdraw(&mut self, number: f64) -> bool {
        let is_it = |asker: &Asker| matches!(asker, Asker::Page(asked) if *asked == number);
        let found = self.asked.iter().find(|(_, (asker, _))| is_it(asker)).map(|(id, _)| *id);
        let Some(id) = found else { return false };
        self.asked.remove(&id);
        self.requests.cancel(id)
    }

    pub fn update(&mut self, world: &RawBlocks, nodes: f64) -> Answer<()> {
        let mut budget = if nodes > 0.0 { Budget::new(nodes as u64) } else { Budget::unlimited() };
        self.requests.step(&mut self.nav, &world.0, &mut budget);
        let is_fine = self.answer(());
        while let Some((id, path)) = self.requests.take_next() {
            let Some((asker, request)) = self.asked.remove(&id) else { continue };
            match asker {
                // Its blocks may not have been those that are there.
                _ if is_fine.is_err() => self.enqueue(asker, request),
                Asker::Page(number) => self.answers.push_back((number, path)),
                Asker::Corridor(answer) => {
                    if let Some(answer) = answer.upgrade() {
                        answer.replace(Some(path));
                    }
                }
            }
        }
        is_fine
    }

    pub fn waiting(&self) -> usize {
        self.requests.pending()
    }

    /// The next answer: the number of its request, and a path; null if there is none yet.
    #[wasm_bindgen(js_name = takeAnswer)]
    pub fn take_answer(&mut self) -> JsValue {
        let Some((number, path)) = self.answers.pop_front() else { return JsValue::NULL };
        Record::new().with("request", number).with("path", Float32Array::from(&pack(&path)[..])).done()
    }
}

/// A path that is kept while its agent walks and the blocks change.
#[wasm_bindgen(js_name = RawBlockCorridor)]
pub struct RawBlockCorridor {
    corridor: BlockCorridor,
    /// Where the answer to what it has asked for comes in; `None` if it has asked for nothing.
    answer: Option<Rc<RefCell<Option<BlockPath>>>>,
}

#[wasm_bindgen(js_class = RawBlockCorridor)]
impl RawBlockCorridor {
    pub fn create(
        nav: &mut RawBlockNav,
        world: &RawBlocks,
        at: &[f32],
        bounds: &[i32],
        searches: bool,
    ) -> Answer<Option<RawBlockCorridor>> {
        let &[x, y, z] = at else { return Err(Fault::argument("a point has 3 numbers")) };
        // Its start is where the agent stands, each time.
        let request = nav.request(bounds.get(..3).unwrap_or(bounds), bounds)?;
        let mut made = BlockCorridor::without_path(&nav.nav, &world.0, Vec3::new(x, y, z), &request);
        if let Some(corridor) = made.as_mut().filter(|_| searches) {
            corridor.refresh(&mut nav.nav, &world.0);
        }
        nav.answer(made.map(|corridor| Self { corridor, answer: None }))
    }

    /// Asks for a path if one is needed; whether one was asked for that it does not follow yet.
    pub fn ask(&mut self, nav: &mut RawBlockNav, world: &RawBlocks) -> Answer<bool> {
        if self.answer.is_none() {
            let needed = self.corridor.needs_path(&nav.nav, &world.0);
            if let Some(request) = nav.answer(needed)? {
                let answer = Rc::default();
                nav.enqueue(Asker::Corridor(Rc::downgrade(&answer)), request);
                self.answer = Some(answer);
            }
        }
        Ok(self.answer.is_some())
    }

    /// Follows the path that was asked for, if it is there; whether it was.
    pub fn follow(&mut self) -> bool {
        let Some(path) = self.answer.as_ref().and_then(|answer| answer.take()) else { return false };
        self.answer = None;
        self.corridor.follow(path);
        true
    }

    pub fn position(&self) -> Vec<f32> {
        self.corridor.position().to_array().to_vec()
    }

    pub fn target(&self) -> Vec<f32> {
        self.corridor.target().to_array().to_vec()
    }

    #[wasm_bindgen(js_name = hasArrived)]
    pub fn has_arrived(&self) -> bool {
        self.corridor.has_arrived()
    }

    pub fn path(&self) -> Vec<f32> {
        pack(self.corridor.path())
    }

    /// Searches anew, at once, if blocks along the path have changed; whether it did.
    pub fn refresh(&mut self, nav: &mut RawBlockNav, world: &RawBlocks) -> Answer<bool> {
        let searched = self.corridor.refresh(&mut nav.nav, &world.0);
        nav.answer(searched)
    }

    pub fn walk(&mut self, nav: &RawBlockNav, world: &RawBlocks, to: &[f32]) -> Answer<Vec<f32>> {
        let &[x, y, z] = to else { return Err(Fault::argument("a point has 3 numbers")) };
        let at = self.corridor.walk(&nav.nav, &world.0, Vec3::new(x, y, z));
        rethrow()?;
        Ok(at.to_array().to_vec())
    }
}
