//! Worlds of blocks, as in games where everything can be dug away and built up.

use crate::arrays::{Point, from_points, tuple};
use crate::errors;
use crate::held::{Own, Seen, own, seen};
use crate::path::{limit_name, status_name};
use crate::settings::{area, word};
use crate::whole::whole;
use numpy::{PyArray2, PyArray3, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use wayfare::area::AreaId;
use wayfare::blocks::{
    Block, BlockAgent, BlockBox, BlockCorridor, BlockCosts, BlockNav, BlockPath, BlockPathRequest, BlockRequestId,
    BlockRequests, BlockSettings, BlockSource, Cell, ChunkedBlocks,
};
use wayfare::math::Rng;

type CellIn = (i32, i32, i32);

const KINDS: [(&str, Block); 6] = [
    ("air", Block::Air),
    ("solid", Block::Solid),
    ("water", Block::Water),
    ("ladder", Block::Ladder),
    ("door", Block::Door),
    ("hazard", Block::Hazard),
];

fn cell((x, y, z): CellIn) -> Cell {
    Cell::new(x, y, z)
}

fn out(cell: Cell) -> CellIn {
    (cell.x, cell.y, cell.z)
}

/// A world of blocks of a metre: what is in each cell (x, y, z).
#[pyclass(module = "wayfare", name = "BlockWorld")]
#[derive(Clone)]
pub(crate) struct PyBlockWorld {
    blocks: ChunkedBlocks,
    bounds: Option<BlockBox>,
}

impl BlockSource for PyBlockWorld {
    fn is_solid(&self, x: i32, y: i32, z: i32) -> bool {
        self.blocks.is_solid(x, y, z)
    }

    fn block(&self, x: i32, y: i32, z: i32) -> Block {
        self.blocks.block(x, y, z)
    }

    fn column(&self, x: i32, y: i32, z: i32, into: &mut [Block]) {
        self.blocks.column(x, y, z, into);
    }

    fn area(&self, x: i32, y: i32, z: i32) -> AreaId {
        self.blocks.area(x, y, z)
    }

    fn bounds(&self) -> Option<BlockBox> {
        self.bounds
    }
}

impl PyBlockWorld {
    fn put(&mut self, at: Cell, block: Block) {
        self.blocks.set(at, block);
        let one = BlockBox::of(at);
        self.bounds = Some(self.bounds.map_or(one, |all| {
            let low = Cell::new(all.min.x.min(at.x), all.min.y.min(at.y), all.min.z.min(at.z));
            let high = Cell::new(all.max.x.max(at.x), all.max.y.max(at.y), all.max.z.max(at.z));
            BlockBox { min: low, max: high }
        }));
    }
}

#[pymethods]
impl PyBlockWorld {
    /// A world of air.
    #[new]
    fn new() -> Self {
        Self { blocks: ChunkedBlocks::new(), bounds: None }
    }

    /// A world of an array of shape (x, y, z): 0 air, 1 solid, 2 water, 3 ladder, 4 door, 5 hazard. `origin` is the cell of its first element.
    #[staticmethod]
    #[pyo3(signature = (array, origin = (0, 0, 0)))]
    fn from_array(array: &Bound<'_, PyAny>, origin: CellIn) -> PyResult<Self> {
        let array = crate::arrays::whole_bytes(array, "blocks")?
            .cast_into::<PyArray3<u8>>()
            .map_err(|_| errors::value("blocks must be an array of shape (x, y, z)"))?;
        let &[width, height, depth] = array.shape() else {
            return Err(errors::value("blocks must be of shape (x, y, z)"));
        };
        let (list, mut world) = (array.to_vec()?, Self::new());
        if !list.is_empty() {
            let last = |low: i32, count: usize| {
                let high = i32::try_from(count).ok().and_then(|count| low.checked_add(count - 1));
                high.ok_or_else(|| {
                    errors::value(format_args!("{count} blocks from {low} on lead beyond the cell {}", i32::MAX))
                })
            };
            world.put(cell(origin), Block::Air);
            world.put(cell((last(origin.0, width)?, last(origin.1, height)?, last(origin.2, depth)?)), Block::Air);
        }
        for (i, code) in list.iter().enumerate() {
            let block = KINDS.get(usize::from(*code)).map(|(_, block)| *block);
            let block = block.ok_or_else(|| errors::value(format_args!("{code} is no kind of block: 0 to 5 are")))?;
            if block != Block::Air {
                let (x, y, z) = (i / (height * depth), i / depth % height, i % depth);
                world.blocks.set(cell((origin.0 + x as i32, origin.1 + y as i32, origin.2 + z as i32)), block);
            }
        }
        Ok(world)
    }

    /// Sets a block: "air", "solid", "water", "ladder", "door" or "hazard". Tell `BlockNav.invalidate` of it.
    fn set(mut slf: Own<'_, Self>, at: CellIn, kind: &str) -> PyResult<()> {
        slf.put(cell(at), word(kind, "kind", &KINDS)?);
        Ok(())
    }

    /// What is in a cell.
    fn get(slf: Seen<'_, Self>, at: CellIn) -> &'static str {
        let (x, y, z) = at;
        crate::settings::name_of(slf.blocks.block(x, y, z), &KINDS)
    }

    /// The lowest and the highest cell; None if it is all air.
    #[getter]
    fn bounds(slf: Seen<'_, Self>) -> Option<(CellIn, CellIn)> {
        slf.bounds.map(|all| (out(all.min), out(all.max)))
    }
}

/// A path over blocks. False where there is none.
#[pyclass(module = "wayfare", name = "BlockPath", frozen)]
pub(crate) struct PyBlockPath(BlockPath);

#[pymethods]
impl PyBlockPath {
    /// "complete", "partial" or "none".
    #[getter]
    fn status(&self) -> &'static str {
        status_name(self.0.status)
    }

    /// The points to walk over, shape (n, 3).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        from_points(py, self.0.points.clone())
    }

    /// Metres.
    #[getter]
    fn length(&self) -> f32 {
        self.0.length
    }

    /// Nodes that the search took.
    #[getter]
    fn visited(&self) -> u32 {
        self.0.visited
    }

    /// The limit that cut it short: "nodes", or None.
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        limit_name(self.0.limit)
    }

    fn __len__(&self) -> usize {
        self.0.points.len()
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.BlockPath {}: {} points, {:.2} m>", self.status(), self.__len__(), self.0.length)
    }
}

fn costs_of(given: &BTreeMap<i64, f32>) -> PyResult<BlockCosts> {
    let mut costs = BlockCosts::default();
    for (number, cost) in given {
        if cost.is_nan() || *cost <= 0.0 {
            return Err(errors::value(format_args!(
                "the cost of area type {number} is {cost}, but must be above 0; infinity closes it"
            )));
        }
        costs = costs.with(area(*number)?, *cost);
    }
    Ok(costs)
}

/// Navigation in a world of blocks: meshes are built where a search comes by, and made anew where blocks have changed.
#[pyclass(module = "wayfare", name = "BlockNav")]
pub(crate) struct PyBlockNav {
    world: Py<PyBlockWorld>,
    nav: BlockNav,
    requests: BlockRequests,
    /// How many requests there were: their numbers are below it.
    asked: u64,
    answers: BTreeMap<BlockRequestId, BlockPath>,
    /// The numbers of those that wait, or whose answer was not taken yet.
    open: BTreeSet<u64>,
    rng: Rng,
    costs: BlockCosts,
}

#[pymethods]
impl PyBlockNav {
    /// Sizes of the agent are in blocks. `area_costs` are by area type: 1 water, 3 doors, 5 ladders. They are above 0, and count as 1 where they are
    /// less; infinity closes an area.
    #[new]
    #[pyo3(signature = (world, *, climb = None, drop = None, height = None, width = None, area_costs = BTreeMap::new(), seed = 0))]
    fn new(
        world: Py<PyBlockWorld>,
        #[pyo3(from_py_with = whole)] climb: Option<u32>,
        #[pyo3(from_py_with = whole)] drop: Option<u32>,
        #[pyo3(from_py_with = whole)] height: Option<u32>,
        #[pyo3(from_py_with = whole)] width: Option<u32>,
        area_costs: BTreeMap<i64, f32>,
        #[pyo3(from_py_with = whole)] seed: u64,
    ) -> PyResult<Self> {
        let usual = BlockAgent::default();
        let agent = BlockAgent {
            climb: climb.unwrap_or(usual.climb),
            drop: drop.unwrap_or(usual.drop),
            height: height.unwrap_or(usual.height),
            width: width.unwrap_or(usual.width),
        };
        let settings = BlockSettings { agent, ..BlockSettings::default() };
        let nav = BlockNav::new(settings).map_err(errors::value)?;
        Ok(Self {
            world,
            nav,
            requests: BlockRequests::new(),
            asked: 0,
            answers: BTreeMap::new(),
            open: BTreeSet::new(),
            rng: Rng::new(seed),
            costs: costs_of(&area_costs)?,
        })
    }

    /// The cell on which an agent at a point stands, within so many blocks; None if there is none.
    #[pyo3(signature = (point, reach = 4))]
    fn nearest(slf: Seen<'_, Self>, py: Python<'_>, point: Point, reach: u32) -> PyResult<Option<CellIn>> {
        let world = seen(slf.world.bind(py))?;
        Ok(slf.nav.nearest(&*world, point.0, reach).map(out))
    }

    /// Whether an agent can stand in a cell.
    fn stands(slf: Seen<'_, Self>, py: Python<'_>, at: CellIn) -> PyResult<bool> {
        let world = seen(slf.world.bind(py))?;
        Ok(slf.nav.stands(&*world, cell(at)))
    }

    /// The point at which an agent stands in a cell.
    fn position(slf: Seen<'_, Self>, at: CellIn) -> (f32, f32, f32) {
        tuple(slf.nav.position(cell(at)))
    }

    /// The path from cell to cell; with `to_box`, to any cell up to that one.
    #[pyo3(signature = (start, goal, *, to_box = None, max_nodes = None))]
    fn find_path(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        start: CellIn,
        goal: CellIn,
        to_box: Option<CellIn>,
        #[pyo3(from_py_with = whole)] max_nodes: Option<u32>,
    ) -> PyResult<PyBlockPath> {
        let request = slf.request_of(start, goal, to_box, max_nodes);
        let world = seen(slf.world.bind(py))?;
        let (world, nav) = (&*world, &mut slf.nav);
        Ok(PyBlockPath(py.detach(|| nav.find_path(world, &request))))
    }

    /// Whether there is a path; None if a limit was hit before that was known.
    #[pyo3(signature = (start, goal, max_nodes = None))]
    fn path_exists(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        start: CellIn,
        goal: CellIn,
        #[pyo3(from_py_with = whole)] max_nodes: Option<u32>,
    ) -> PyResult<Option<bool>> {
        let slf = &mut *slf;
        let world = seen(slf.world.bind(py))?;
        let most = max_nodes.unwrap_or(u32::MAX);
        Ok(slf.nav.path_exists(&*world, cell(start), cell(goal), &slf.costs, most).ok())
    }

    /// Blocks from one cell to another have changed.
    fn invalidate(mut slf: Own<'_, Self>, low: CellIn, high: CellIn) {
        let changed = BlockBox::new(cell(low), cell(high));
        slf.nav.invalidate(changed);
        slf.requests.invalidate(changed);
    }

    /// Whether no block has changed since that a path rests on.
    fn is_current(slf: Seen<'_, Self>, path: PyRef<'_, PyBlockPath>) -> bool {
        slf.nav.is_current(&path.0)
    }

    /// Asks for a path that is worked on in `update`; returns its number.
    #[pyo3(signature = (start, goal, *, to_box = None, max_nodes = None))]
    fn ask(
        mut slf: Own<'_, Self>,
        start: CellIn,
        goal: CellIn,
        to_box: Option<CellIn>,
        #[pyo3(from_py_with = whole)] max_nodes: Option<u32>,
    ) -> u64 {
        let request = slf.request_of(start, goal, to_box, max_nodes);
        slf.enqueue(request)
    }

    /// Works on what was asked for, as far as a budget of nodes, 1 or more, reaches.
    #[pyo3(signature = (budget = 1000))]
    fn update(mut slf: Own<'_, Self>, py: Python<'_>, #[pyo3(from_py_with = whole)] budget: u64) -> PyResult<()> {
        let slf = &mut *slf;
        let world = seen(slf.world.bind(py))?;
        slf.requests.step(&mut slf.nav, &*world, &mut crate::whole::budget(budget)?);
        while let Some((id, path)) = slf.requests.take_next() {
            slf.answers.insert(id, path);
        }
        Ok(())
    }

    /// The answer to a number, once it is there, else None; it is forgotten then.
    fn take(mut slf: Own<'_, Self>, number: u64) -> PyResult<Option<PyBlockPath>> {
        let is_known = number < slf.asked;
        let id = is_known.then(|| BlockRequestId::from_bits(number + 1)).flatten();
        let id = id.ok_or_else(|| errors::stale(format_args!("there is no request {number}")))?;
        let answer = slf.answers.remove(&id).map(PyBlockPath);
        if answer.is_some() {
            slf.open.remove(&number);
        }
        Ok(answer)
    }

    /// How many are waiting.
    #[getter]
    fn waiting(slf: Seen<'_, Self>) -> usize {
        slf.requests.pending()
    }

    /// A random cell that can be reached within so many blocks.
    fn random_reachable(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        start: CellIn,
        radius: u32,
    ) -> PyResult<Option<CellIn>> {
        let slf = &mut *slf;
        let world = seen(slf.world.bind(py))?;
        Ok(slf.nav.random_reachable(&*world, cell(start), radius, &slf.costs, &mut slf.rng).map(out))
    }

    /// A random cell in a box on which an agent can stand.
    fn random_in_box(mut slf: Own<'_, Self>, py: Python<'_>, low: CellIn, high: CellIn) -> PyResult<Option<CellIn>> {
        let slf = &mut *slf;
        let world = seen(slf.world.bind(py))?;
        let bounds = BlockBox::new(cell(low), cell(high));
        Ok(slf.nav.random_in_box(&*world, bounds, &mut slf.rng).map(out))
    }

    /// How many small meshes were built and connected, and the bytes they take.
    #[getter]
    fn stats(slf: Seen<'_, Self>) -> (u64, u64, usize) {
        let stats = slf.nav.stats();
        (stats.built, stats.connected, stats.bytes)
    }
}

impl PyBlockNav {
    /// Puts a request in the queue, and returns its number.
    fn enqueue(&mut self, request: BlockPathRequest) -> u64 {
        let number = self.requests.request(request).to_bits() - 1;
        self.asked = number + 1;
        self.open.insert(number);
        number
    }

    fn request_of(
        &self,
        start: CellIn,
        goal: CellIn,
        to_box: Option<CellIn>,
        max_nodes: Option<u32>,
    ) -> BlockPathRequest {
        let mut request = match to_box {
            Some(high) => BlockPathRequest::to_box(cell(start), BlockBox::new(cell(goal), cell(high))),
            None => BlockPathRequest::to(cell(start), cell(goal)),
        };
        request.costs = self.costs.clone();
        request.max_nodes = max_nodes.unwrap_or(request.max_nodes);
        request
    }
}

/// An agent's path over blocks, kept up as it walks and blocks change.
#[pyclass(module = "wayfare", name = "BlockCorridor")]
pub(crate) struct PyBlockCorridor {
    corridor: BlockCorridor,
    nav: Py<PyBlockNav>,
    /// What it has asked for and does not follow yet, by its number.
    asked: Option<(u64, BlockPathRequest)>,
}

impl PyBlockCorridor {
    /// The path that it needs, or None. One that it has asked for it needs again if the answer was taken, and not followed: it is lost.
    fn needs_path(&mut self, nav: &PyBlockNav, world: &PyBlockWorld) -> Option<BlockPathRequest> {
        let needed = self.corridor.needs_path(&nav.nav, world);
        needed.or_else(|| self.asked.take_if(|(number, _)| !nav.open.contains(number)).map(|(_, request)| request))
    }
}

#[pymethods]
impl PyBlockCorridor {
    /// An agent near a position, with its path to a goal; `to_box` and `max_nodes` as for `BlockNav.find_path`. Without `search` it stays where
    /// it is until it follows a path.
    #[new]
    #[pyo3(signature = (nav, position, goal, *, to_box = None, max_nodes = None, search = true))]
    fn new(
        py: Python<'_>,
        nav: Py<PyBlockNav>,
        position: Point,
        goal: CellIn,
        to_box: Option<CellIn>,
        #[pyo3(from_py_with = whole)] max_nodes: Option<u32>,
        search: bool,
    ) -> PyResult<Self> {
        let mut own = own(nav.bind(py))?;
        let world = own.world.clone_ref(py);
        let world = seen(world.bind(py))?;
        // Its start is where the agent stands, each time.
        let request = own.request_of(goal, goal, to_box, max_nodes);
        let made = BlockCorridor::without_path(&own.nav, &*world, position.0, &request);
        let mut made = made.ok_or_else(|| errors::value("nobody can stand near this position"))?;
        if search {
            made.refresh(&mut own.nav, &*world);
        }
        drop(own);
        Ok(Self { corridor: made, nav, asked: None })
    }

    /// Asks the `BlockNav` for a path if the agent needs one: blocks along the old path have changed, the agent was pushed off it, or it has
    /// none yet. Returns the number of the request; None if the agent needs none, or waits for one already. Give the path that `BlockNav.take`
    /// returns for it to `follow`; meanwhile the agent may walk on. It may be called every tick.
    fn ask(mut slf: Own<'_, Self>, py: Python<'_>) -> PyResult<Option<u64>> {
        let slf = &mut *slf;
        let mut nav = own(slf.nav.bind(py))?;
        if slf.asked.as_ref().is_some_and(|(number, _)| nav.open.contains(number)) {
            return Ok(None);
        }
        let world = nav.world.clone_ref(py);
        let world = seen(world.bind(py))?;
        let Some(request) = slf.needs_path(&nav, &world) else { return Ok(None) };
        let number = nav.enqueue(request.clone());
        slf.asked = Some((number, request));
        Ok(Some(number))
    }

    /// Follows the path that was asked for. An agent that has walked on since then joins it at the nearest place that it can have come to.
    fn follow(mut slf: Own<'_, Self>, path: PyRef<'_, PyBlockPath>) {
        slf.corridor.follow(path.0.clone());
        slf.asked = None;
    }

    /// The path that it follows.
    #[getter]
    fn path(slf: Seen<'_, Self>) -> PyBlockPath {
        PyBlockPath(slf.corridor.path().clone())
    }

    /// Walks towards a point; returns where it is then.
    fn walk(mut slf: Own<'_, Self>, py: Python<'_>, to: Point) -> PyResult<(f32, f32, f32)> {
        let slf = &mut *slf;
        let nav = seen(slf.nav.bind(py))?;
        let world = seen(nav.world.bind(py))?;
        Ok(tuple(slf.corridor.walk(&nav.nav, &*world, to.0)))
    }

    /// Searches anew, at once, if the agent needs a path; returns whether it did.
    fn refresh(mut slf: Own<'_, Self>, py: Python<'_>) -> PyResult<bool> {
        let slf = &mut *slf;
        let mut nav = own(slf.nav.bind(py))?;
        let world = nav.world.clone_ref(py);
        let world = seen(world.bind(py))?;
        let Some(request) = slf.needs_path(&nav, &world) else { return Ok(false) };
        slf.corridor.follow(nav.nav.find_path(&*world, &request));
        slf.asked = None;
        Ok(true)
    }

    /// The point to walk to next.
    #[getter]
    fn target(slf: Seen<'_, Self>) -> (f32, f32, f32) {
        tuple(slf.corridor.target())
    }

    /// Where the agent is.
    #[getter]
    fn position(slf: Seen<'_, Self>) -> (f32, f32, f32) {
        tuple(slf.corridor.position())
    }

    /// Whether it is at its goal.
    #[getter]
    fn has_arrived(slf: Seen<'_, Self>) -> bool {
        slf.corridor.has_arrived()
    }
}
