//! Worlds of blocks: where they come from, paths through them, and changes while paths are walked.

use crate::border::{Sized32, UserData, fill, list, put, put_sized, sized};
use crate::choices::{Choice, choice};
use crate::geometry::{WayfareVec3, point, with_rng};
use crate::handle::{Handle, handle};
use crate::names::Named;
use crate::query::limit_number;
use crate::settings::area_id;
use crate::status::{Failure, Outcome, WayfareStatus, border};
use core::ffi::c_void;
use core::mem::offset_of;
use std::collections::BTreeSet;
use wayfare_nav::blocks::{
    Block, BlockAgent, BlockBox, BlockCosts, BlockNav, BlockPath, BlockPathRequest, BlockRequestId, BlockRequests,
    BlockSettings, BlockSource, Cell, ChunkedBlocks, DenseBlocks, HeightMapBlocks,
};
use wayfare_nav::context::Budget;

/// A block of a world.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WayfareCell {
    /// Along x.
    pub x: i32,
    /// Up.
    pub y: i32,
    /// Along z.
    pub z: i32,
}

/// The blocks between two corners, both included.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareBlockBox {
    /// The low corner.
    pub min: WayfareCell,
    /// The high corner.
    pub max: WayfareCell,
}

/// What a block is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareBlock {
    /// Nothing.
    Air = 0,
    /// Carries, and is in the way.
    Solid = 1,
    /// Can be swum in.
    Water = 2,
    /// Can be climbed.
    Ladder = 3,
    /// Can be walked through.
    Door = 4,
    /// Must not be touched.
    Hazard = 5,
}

choice!(WayfareBlock: Air, Solid, Water, Ladder, Door, Hazard);

fn cell(given: WayfareCell) -> Cell {
    Cell::new(given.x, given.y, given.z)
}

fn cell_out(cell: Cell) -> WayfareCell {
    WayfareCell { x: cell.x, y: cell.y, z: cell.z }
}

fn block_box(given: WayfareBlockBox) -> BlockBox {
    BlockBox::new(cell(given.min), cell(given.max))
}

fn block(number: u32) -> Outcome<Block> {
    Ok(match WayfareBlock::of(number, "block")? {
        WayfareBlock::Air => Block::Air,
        WayfareBlock::Solid => Block::Solid,
        WayfareBlock::Water => Block::Water,
        WayfareBlock::Ladder => Block::Ladder,
        WayfareBlock::Door => Block::Door,
        WayfareBlock::Hazard => Block::Hazard,
    })
}

/// Where the blocks of a world are.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareBlocks {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareBlocks, World, "block world");

/// What a caller says of its blocks: a `WayfareBlock` for each. Called from the thread that asks for a path.
pub type WayfareBlockCallback = Option<unsafe extern "C" fn(user: *mut c_void, x: i32, y: i32, z: i32) -> u32>;

/// Where blocks come from.
pub(crate) enum World {
    Chunked(ChunkedBlocks),
    Dense(DenseBlocks),
    Heights(HeightMapBlocks),
    Asked { block: unsafe extern "C" fn(*mut c_void, i32, i32, i32) -> u32, user: UserData, bounds: Option<BlockBox> },
}

impl BlockSource for World {
    fn is_solid(&self, x: i32, y: i32, z: i32) -> bool {
        match self {
            Self::Chunked(blocks) => blocks.is_solid(x, y, z),
            Self::Dense(blocks) => blocks.is_solid(x, y, z),
            Self::Heights(blocks) => blocks.is_solid(x, y, z),
            Self::Asked { .. } => self.block(x, y, z) == Block::Solid,
        }
    }

    fn block(&self, x: i32, y: i32, z: i32) -> Block {
        match self {
            Self::Chunked(blocks) => blocks.block(x, y, z),
            Self::Dense(blocks) => blocks.block(x, y, z),
            Self::Heights(blocks) => blocks.block(x, y, z),
            // Beyond the bounds there is nothing, whatever the callback would say: else a search would go on for ever.
            Self::Asked { bounds: Some(bounds), .. } if !bounds.contains(Cell::new(x, y, z)) => Block::Air,
            Self::Asked { block, user, .. } => {
                // SAFETY: the header asks for a function that takes these and returns.
                let number = unsafe { block(user.get(), x, y, z) };
                self::block(number).unwrap_or(Block::Air)
            }
        }
    }

    fn bounds(&self) -> Option<BlockBox> {
        match self {
            Self::Chunked(blocks) => blocks.bounds(),
            Self::Dense(blocks) => blocks.bounds(),
            Self::Heights(blocks) => blocks.bounds(),
            Self::Asked { bounds, .. } => *bounds,
        }
    }
}

/// A world of air in chunks, which grows where blocks are set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_blocks_new(blocks: *mut WayfareBlocks) -> WayfareStatus {
    border(|| put!(blocks, WayfareBlocks::keep(World::Chunked(ChunkedBlocks::new()))?))
}

/// A world of air within bounds, held as one array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_blocks_new_dense(
    bounds: WayfareBlockBox,
    blocks: *mut WayfareBlocks,
) -> WayfareStatus {
    border(|| {
        let dense = DenseBlocks::new(block_box(bounds)).map_err(Failure::limit)?;
        put!(blocks, WayfareBlocks::keep(World::Dense(dense))?)
    })
}

/// A world of columns: below each height everything is solid. `width` heights in a row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_blocks_new_heights(
    width: u32,
    heights: *const i32,
    count: usize,
    blocks: *mut WayfareBlocks,
) -> WayfareStatus {
    border(|| {
        let heights = HeightMapBlocks::new(width, list!(heights, count)?.to_vec());
        put!(blocks, WayfareBlocks::keep(World::Heights(heights))?)
    })
}

/// A world whose blocks the caller is asked for, with air beyond its bounds if `bounded` is 1. `user` must outlive it. A
/// world without bounds may have no end: the search for a goal that cannot be reached ends at `max_nodes` patches and nodes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_blocks_from_callback(
    callback: WayfareBlockCallback,
    user: *mut c_void,
    bounded: u32,
    bounds: WayfareBlockBox,
    blocks: *mut WayfareBlocks,
) -> WayfareStatus {
    border(|| {
        let block = callback.ok_or_else(|| Failure::argument("`callback` is null"))?;
        let bounds = (bounded != 0).then(|| block_box(bounds));
        put!(blocks, WayfareBlocks::keep(World::Asked { block, user: UserData(user), bounds })?)
    })
}

/// Sets all blocks of a box. Paths know nothing of it before `wayfare_block_nav_invalidate`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_blocks_fill(blocks: WayfareBlocks, area: WayfareBlockBox, kind: u32) -> WayfareStatus {
    border(|| {
        let (area, kind) = (block_box(area), block(kind)?);
        let [x, y, z] = area.size();
        if x.saturating_mul(y).saturating_mul(z) > 1 << 28 {
            return Err(Failure::limit(format_args!("a box of {x} x {y} x {z} blocks: fill 2^28 at most at once")));
        }
        let mut world = blocks.write()?;
        for x in area.min.x..=area.max.x {
            for y in area.min.y..=area.max.y {
                for z in area.min.z..=area.max.z {
                    match &mut *world {
                        World::Chunked(blocks) => blocks.set(Cell::new(x, y, z), kind),
                        World::Dense(blocks) => {
                            if !blocks.set(Cell::new(x, y, z), kind) {
                                return Err(Failure::argument(format_args!(
                                    "block {x}, {y}, {z} is outside of the world"
                                )));
                            }
                        }
                        _ => {
                            return Err(Failure::argument(
                                "the blocks of this world are the caller's: nothing can be set in it",
                            ));
                        }
                    }
                }
            }
        }
        Ok(())
    })
}

/// What a block is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_blocks_get(blocks: WayfareBlocks, at: WayfareCell, kind: *mut u32) -> WayfareStatus {
    border(|| put!(kind, blocks.read()?.block(at.x, at.y, at.z) as u32))
}

/// Frees a world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_blocks_free(blocks: WayfareBlocks) -> WayfareStatus {
    border(|| blocks.free())
}

/// Who walks in a world of blocks, all in blocks.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareBlockSettings {
    /// The size of this structure: set by `wayfare_block_settings_default`.
    pub size: u32,
    /// How high it steps.
    pub climb: u32,
    /// How deep it drops.
    pub drop: u32,
    /// How high it is.
    pub height: u32,
    /// How wide it is.
    pub width: u32,
    /// The side of the meshes that are built where a search comes by.
    pub mini: u32,
}

impl WayfareBlockSettings {
    fn get(&self) -> BlockSettings {
        let Self { climb, drop, height, width, mini, .. } = *self;
        BlockSettings { agent: BlockAgent { climb, drop, height, width }, mini }
    }
}

impl Sized32 for WayfareBlockSettings {
    const LEAST: usize = offset_of!(Self, mini) + 4;
    fn set_size(&mut self, size: u32) {
        self.size = size;
    }
    fn usual() -> Self {
        let BlockSettings { agent: BlockAgent { climb, drop, height, width }, mini } = BlockSettings::default();
        Self { size: size_of::<Self>() as u32, climb, drop, height, width, mini }
    }
}

/// Fills settings with what is usual.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_settings_default(
    settings: *mut WayfareBlockSettings,
    size: usize,
) -> WayfareStatus {
    border(|| put_sized!(settings, size, WayfareBlockSettings::usual()))
}

/// Paths in a world of blocks, built where they come by. It is asked with the same world always.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareBlockNav {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareBlockNav, Nav, "block navigation");

/// What was built, what blocks cost, requests, and the last path.
pub(crate) struct Nav {
    pub(crate) nav: BlockNav,
    costs: BlockCosts,
    pub(crate) requests: BlockRequests,
    /// The requests of walks that are not answered yet.
    pub(crate) walks: BTreeSet<BlockRequestId>,
    pub(crate) path: Option<BlockPath>,
    /// The request that the last path answers, if one.
    pub(crate) answers: Option<BlockRequestId>,
}

/// Nothing is built yet. `settings` may be null for what is usual.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_new(
    settings: *const WayfareBlockSettings,
    nav: *mut WayfareBlockNav,
) -> WayfareStatus {
    border(|| {
        let settings = if settings.is_null() { BlockSettings::default() } else { sized!(settings)?.get() };
        let nav_made = BlockNav::new(settings).map_err(Failure::argument)?;
        let (costs, requests, walks) = (BlockCosts::default(), BlockRequests::new(), BTreeSet::new());
        put!(nav, WayfareBlockNav::keep(Nav { nav: nav_made, costs, requests, walks, path: None, answers: None })?)
    })
}

/// Frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_free(nav: WayfareBlockNav) -> WayfareStatus {
    border(|| nav.free())
}

/// What blocks of an area type cost, 0 or above; infinite closes them. 1 is water, 3 doors, 5 ladders, 63 all others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_set_cost(nav: WayfareBlockNav, area: u32, cost: f32) -> WayfareStatus {
    border(|| {
        let area = area_id(area)?;
        if cost.is_nan() || cost < 0.0 {
            return Err(Failure::argument(format_args!("`cost` is {cost}, but must be 0 or above")));
        }
        let mut held = nav.write()?;
        let costs = core::mem::take(&mut held.costs);
        held.costs = costs.with(area, cost);
        Ok(())
    })
}

/// Says that blocks in a box have changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_invalidate(nav: WayfareBlockNav, area: WayfareBlockBox) -> WayfareStatus {
    border(|| {
        let area = block_box(area);
        let mut held = nav.write()?;
        held.nav.invalidate(area);
        held.requests.invalidate(area);
        Ok(())
    })
}

/// A path through blocks in short. Its points: `wayfare_block_nav_points`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareBlockPath {
    /// A `WayfarePathStatus`.
    pub status: u32,
    /// A `WayfareLimitHit`: the limit that cut it short.
    pub limit: u32,
    /// How many points.
    pub point_count: u32,
    /// Nodes that were visited.
    pub visited: u32,
    /// Its length.
    pub length: f32,
}

impl WayfareBlockPath {
    fn of(path: &BlockPath) -> Self {
        let (limit, point_count) = (limit_number(path.limit), path.points.len() as u32);
        Self { status: path.status as u32, limit, point_count, visited: path.visited, length: path.length }
    }
}

pub(crate) fn request(held: &Nav, start: WayfareCell, goal: WayfareBlockBox, max_nodes: u32) -> BlockPathRequest {
    let request = BlockPathRequest::to_box(cell(start), block_box(goal));
    let max_nodes = if max_nodes == 0 { request.max_nodes } else { max_nodes };
    BlockPathRequest { costs: held.costs.clone(), max_nodes, ..request }
}

/// Finds a path from a block to a box of blocks, for which one block will do. `max_nodes` 0: as usual.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_path(
    nav: WayfareBlockNav,
    blocks: WayfareBlocks,
    start: WayfareCell,
    goal: WayfareBlockBox,
    max_nodes: u32,
    path: *mut WayfareBlockPath,
) -> WayfareStatus {
    border(|| {
        let (world, mut held) = (blocks.read()?, nav.write()?);
        let asked = request(&held, start, goal, max_nodes);
        let found = held.nav.find_path(&*world, &asked);
        put!(path, WayfareBlockPath::of(&found))?;
        (held.path, held.answers) = (Some(found), None);
        Ok(())
    })
}

/// The points of the last path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_points(
    nav: WayfareBlockNav,
    points: *mut WayfareVec3,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = nav.read()?;
        let all = held.path.as_ref().map_or(&[][..], |path| &path.points);
        fill!(points, capacity, count, all.iter().map(|at| (*at).into()))
    })
}

/// Whether the last path still holds after changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_is_current(nav: WayfareBlockNav, current: *mut u32) -> WayfareStatus {
    border(|| {
        let held = nav.read()?;
        put!(current, held.path.as_ref().is_some_and(|path| held.nav.is_current(path)).into())
    })
}

/// Whether there is a path at all: 1, 0, or −1 if `max_nodes` was not enough. 0: as usual, 200,000; `UINT32_MAX` for no limit,
/// which may go on for ever in a world without bounds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_path_exists(
    nav: WayfareBlockNav,
    blocks: WayfareBlocks,
    start: WayfareCell,
    goal: WayfareCell,
    max_nodes: u32,
    answer: *mut i32,
) -> WayfareStatus {
    border(|| {
        let (world, mut held) = (blocks.read()?, nav.write()?);
        let Nav { nav, costs, .. } = &mut *held;
        let max_nodes = if max_nodes == 0 { BlockPathRequest::DEFAULT_MAX_NODES } else { max_nodes };
        let found = nav.path_exists(&*world, cell(start), cell(goal), costs, max_nodes);
        put!(answer, found.map_or(-1, i32::from))
    })
}

/// The farthest that a place is looked for: a hundred million blocks.
const MOST_REACH: u32 = 256;

/// The block nearest to a point on which the agent can stand, `reach` blocks away at most; `found` is 0 if there is none.
/// `reach` may be 256 at most.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_nearest(
    nav: WayfareBlockNav,
    blocks: WayfareBlocks,
    at: WayfareVec3,
    reach: u32,
    found: *mut u32,
    nearest: *mut WayfareCell,
) -> WayfareStatus {
    border(|| {
        let (world, held) = (blocks.read()?, nav.read()?);
        if reach > MOST_REACH {
            let sentence =
                format_args!("`reach` is {reach}, but may be {MOST_REACH} at most: all blocks around are looked at");
            return Err(Failure::argument(sentence));
        }
        let near = held.nav.nearest(&*world, point(at, "at")?, reach);
        put!(found, near.is_some().into())?;
        put!(nearest, near.map_or(WayfareCell::default(), cell_out))
    })
}

/// How many blocks a random one is looked for among at most: where few can be stood on, all of them are looked at.
const MOST_LOOKED_THROUGH: u64 = 1 << 26;

/// How many blocks of a box lie in the world.
fn blocks_within(world: &World, area: BlockBox) -> u64 {
    let bounds = world.bounds().unwrap_or(area);
    let along = |low: [i32; 2], high: [i32; 2]| {
        let length = i64::from(high[0].min(high[1])) - i64::from(low[0].max(low[1])) + 1;
        length.max(0).unsigned_abs()
    };
    let x = along([area.min.x, bounds.min.x], [area.max.x, bounds.max.x]);
    let y = along([area.min.y, bounds.min.y], [area.max.y, bounds.max.y]);
    let z = along([area.min.z, bounds.min.z], [area.max.z, bounds.max.z]);
    x.saturating_mul(y).saturating_mul(z)
}

/// A random block on which the agent can stand: in a box (`start` null), or reachable from a block within `radius`. A box may
/// have 2^26 blocks of the world at most.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_random(
    nav: WayfareBlockNav,
    blocks: WayfareBlocks,
    area: WayfareBlockBox,
    start: *const WayfareCell,
    radius: u32,
    random: *mut u64,
    found: *mut u32,
    drawn: *mut WayfareCell,
) -> WayfareStatus {
    border(|| {
        let (world, mut held) = (blocks.read()?, nav.write()?);
        let from = if start.is_null() { None } else { list!(start, 1)?.first().map(|start| cell(*start)) };
        let area = block_box(area);
        let count = blocks_within(&world, area);
        if from.is_none() && count > MOST_LOOKED_THROUGH {
            let sentence = format_args!("`area` has {count} blocks of the world: give one of 2^26 at most");
            return Err(Failure::limit(sentence));
        }
        let Nav { nav, costs, .. } = &mut *held;
        let one = with_rng(random, |rng| {
            Ok(match from {
                None => nav.random_in_box(&*world, area, rng),
                Some(start) => nav.random_reachable(&*world, start, radius, costs, rng),
            })
        })?;
        put!(found, one.is_some().into())?;
        put!(drawn, one.map_or(WayfareCell::default(), cell_out))
    })
}

/// Asks for a path that is searched in steps: `wayfare_block_nav_update`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_ask(
    nav: WayfareBlockNav,
    start: WayfareCell,
    goal: WayfareBlockBox,
    number: *mut u64,
) -> WayfareStatus {
    border(|| {
        let mut held = nav.write()?;
        let asked = request(&held, start, goal, 0);
        put!(number, held.requests.request(asked).to_bits())
    })
}

/// Searches on for all requests, for `budget` nodes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_update(
    nav: WayfareBlockNav,
    blocks: WayfareBlocks,
    budget: u64,
) -> WayfareStatus {
    border(|| {
        let (world, mut held) = (blocks.read()?, nav.write()?);
        let Nav { nav, requests, .. } = &mut *held;
        requests.step(nav, &*world, &mut Budget::new(budget));
        Ok(())
    })
}

/// Takes an answer: `number` is that of its request, 0 if none is ready. It becomes the last path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_take(
    nav: WayfareBlockNav,
    number: *mut u64,
    path: *mut WayfareBlockPath,
) -> WayfareStatus {
    border(|| {
        let mut held = nav.write()?;
        // First, since an answer that was taken for nobody would be lost.
        crate::border::check_out(number, "number")?;
        crate::border::check_out(path, "path")?;
        let Some((id, found)) = held.requests.take_next() else { return put!(number, 0) };
        held.walks.remove(&id);
        put!(number, id.to_bits())?;
        put!(path, WayfareBlockPath::of(&found))?;
        (held.path, held.answers) = (Some(found), Some(id));
        Ok(())
    })
}

/// Gives a request up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_nav_withdraw(nav: WayfareBlockNav, number: u64) -> WayfareStatus {
    border(|| {
        let mut held = nav.write()?;
        let id = BlockRequestId::of(number)?;
        if held.requests.cancel(id) {
            held.walks.remove(&id);
            return Ok(());
        }
        Err(Failure::stale(format_args!("request {number} was answered or given up, or never made")))
    })
}
