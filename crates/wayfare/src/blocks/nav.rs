//! The navigation of a block world: what was built so far, and all queries.

use super::build::Builder;
use super::connect::Connector;
use super::costs::BlockCosts;
use super::exists::Meeting;
use super::ground::Ground;
use super::node::BlockNodeRef;
use super::quest::Quest;
use super::search::Search;
use super::settings::{BlockSettings, BlockSettingsError};
use super::store::{ColumnRange, Store};
use super::straight::{Known, Straightener};
use super::world_view::WorldView;
use super::{BlockBox, BlockSource, Cell};
use crate::area::{AreaId, LimitHit, PathStatus};
use crate::math::index::NONE;
use glam::Vec3;

/// Navigation of one block world for one kind of agent, built lazily.
///
/// It holds no blocks. Every query takes the world as an argument; after changing the world, call
/// [`BlockNav::invalidate`].
#[derive(Clone, Debug)]
pub struct BlockNav {
    pub(super) settings: BlockSettings,
    pub(super) store: Store,
    builder: Builder,
    connector: Connector,
    search: Search,
    meeting: Meeting,
    straightener: Straightener,
    disposed: Vec<u32>,
    /// Number of changes reported.
    pub(super) changes: u64,
}

/// A request for a path.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockPathRequest {
    /// The cell of the feet at the start.
    pub start: Cell,
    /// The goal: the path ends where it enters this box of standing points. An empty box is unreachable.
    pub goal: BlockBox,
    /// Costs of areas.
    pub costs: BlockCosts,
    /// Greatest number of patches (connected surfaces within a tile) and nodes visited before the search stops with
    /// [`LimitHit::Nodes`]: at most half of them patches, the rest nodes; at least one of each. The strip of cells
    /// along the corridor is not counted; it grows with the corridor. `u32::MAX` is no limit: in an endless world a
    /// search for a goal that cannot be reached then never ends. Default:
    /// [`DEFAULT_MAX_NODES`](Self::DEFAULT_MAX_NODES).
    pub max_nodes: u32,
}

impl BlockPathRequest {
    /// 200,000, enough for ten square kilometres of open ground and more. In an endless world a search for a goal that
    /// cannot be reached ends after some seconds, with [`LimitHit::Nodes`].
    pub const DEFAULT_MAX_NODES: u32 = 200_000;

    /// A request for a path to one standing point.
    #[must_use]
    pub fn to(start: Cell, goal: Cell) -> Self {
        Self::to_box(start, BlockBox::of(goal))
    }

    /// A request for a path that ends when it enters a box.
    #[must_use]
    pub fn to_box(start: Cell, goal: BlockBox) -> Self {
        Self { start, goal, costs: BlockCosts::default(), max_nodes: Self::DEFAULT_MAX_NODES }
    }
}

/// A path through a block world.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockPath {
    /// `Complete`: it reaches the goal. `Partial`: it leads to the visited point nearest to the goal. `None`: the start
    /// is not a standing point, or the goal is an empty box.
    pub status: PathStatus,
    /// The limit that cut the search short.
    pub limit: Option<LimitHit>,
    /// The points of the path, in metres. Exact up to 2²⁴ blocks from the origin; beyond, as coarse as f32 is there,
    /// and so is [`length`](Self::length).
    pub points: Vec<Vec3>,
    /// The nodes that the path leads through.
    pub nodes: Vec<BlockNodeRef>,
    /// Other nodes that `points` touch: over hills the path may leave `nodes` for their neighbours.
    pub beside: Vec<BlockNodeRef>,
    /// The length of `points`.
    pub length: f32,
    /// Number of patches and nodes visited.
    pub visited: u32,
}

impl BlockPath {
    /// No path.
    pub(super) fn none() -> Self {
        Self {
            status: PathStatus::None,
            limit: None,
            points: Vec::new(),
            nodes: Vec::new(),
            beside: Vec::new(),
            length: 0.0,
            visited: 0,
        }
    }
}

/// The build state of a mini mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MiniMeshState {
    /// Nothing is stored.
    Empty,
    /// It has nodes, but not all of them are linked.
    Built,
    /// It has nodes with their links.
    Connected,
}

/// Amount of data in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockNavStats {
    /// Mini meshes with nodes.
    pub built: u64,
    /// Mini meshes whose nodes are all connected.
    pub connected: u64,
    /// Bytes of nodes, links and mini meshes, spare capacity included. Scratch memory is excluded.
    pub bytes: usize,
}

/// A node as plain data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockNode {
    /// The least x and z of its standing points.
    pub min: [i32; 2],
    /// The greatest x and z of its standing points.
    pub max: [i32; 2],
    /// The heights of its standing points, row by row along x.
    pub heights: Vec<i32>,
    /// The area type of the node.
    pub area: AreaId,
}

impl BlockNav {
    /// Empty navigation, with nothing built.
    ///
    /// # Errors
    /// [`BlockSettingsError`] if a number is out of range.
    pub fn new(settings: BlockSettings) -> Result<Self, BlockSettingsError> {
        settings.check()?;
        Ok(Self {
            settings,
            store: Store::new(settings.mini),
            builder: Builder::default(),
            connector: Connector::default(),
            search: Search::default(),
            meeting: Meeting::default(),
            straightener: Straightener::default(),
            disposed: Vec::new(),
            changes: 0,
        })
    }

    /// The settings given to [`new`](Self::new).
    #[must_use]
    pub fn settings(&self) -> BlockSettings {
        self.settings
    }

    /// The position of a standing point in metres: the centre of the area under the body, at the height of the feet.
    #[must_use]
    pub fn position(&self, cell: Cell) -> Vec3 {
        let half = self.settings.agent.width as f32 * 0.5;
        Vec3::new(cell.x as f32 + half, cell.y as f32, cell.z as f32 + half)
    }

    /// The cell of the standing point nearest to a position, within `reach` blocks (at most 1024) along each axis; the
    /// cell exactly below the position if it is one. O(reach³) at worst, or the number of blocks in a bounded world.
    pub fn nearest<S: BlockSource + ?Sized>(&self, world: &S, position: impl Into<Vec3>, reach: u32) -> Option<Cell> {
        let position = position.into();
        if !position.is_finite() || position.abs().max_element() > 1e9 {
            return None;
        }
        let ground = Ground::new(world, self.settings.agent);
        // The middle of an even width lies on a corner of blocks.
        let shift = (self.settings.agent.width - 1) as f32 * 0.5;
        let at = |v: f32| (v - shift).floor() as i32;
        let here = Cell::new(at(position.x), position.y.round() as i32, at(position.z));
        let reach = reach.min(1 << 10) as i32;
        if ground.stands(here) {
            return Some(here);
        }
        let [min, max] = [-reach, reach].map(|by| Cell::new(here.x + by, here.y + by, here.z + by));
        let around = BlockBox { min, max };
        let width = self.settings.agent.width;
        let around = world.bounds().map_or(around, |bounds| around.overlap(bounds.standing_room(width)));
        let mut best: Option<(f32, Cell)> = None;
        for y in around.min.y..=around.max.y {
            for z in around.min.z..=around.max.z {
                for x in around.min.x..=around.max.x {
                    let c = Cell::new(x, y, z);
                    let far = self.position(c).distance_squared(position);
                    if best.is_none_or(|(least, _)| far < least) && ground.stands(c) {
                        best = Some((far, c));
                    }
                }
            }
        }
        best.map(|(_, c)| c)
    }

    /// Whether an agent can stand with its feet in a cell. There are no standing points farther than 2³⁰ blocks from
    /// the origin along any axis.
    #[must_use]
    pub fn stands<S: BlockSource + ?Sized>(&self, world: &S, cell: Cell) -> bool {
        Ground::new(world, self.settings.agent).stands(cell)
    }

    /// Finds a path and builds the nodes it touches.
    pub fn find_path<S: BlockSource + ?Sized>(&mut self, world: &S, request: &BlockPathRequest) -> BlockPath {
        let Self { settings, store, builder, connector, search, straightener, .. } = self;
        let mut view = WorldView { ground: Ground::new(world, settings.agent), store, builder, connector };
        if request.goal.is_empty() || view.node_at(request.start) == NONE {
            return BlockPath::none();
        }
        let quest = Quest { start: request.start, goal: request.goal, max_nodes: request.max_nodes.max(1) };
        let found = search.run(&mut view, &request.costs, &quest);
        let known = Known { costs: &request.costs, connected: search.connected() };
        straightener.pull(&mut view, &known, &search.corridor, [request.start, found.end]);
        let half = self.settings.agent.width as f32 * 0.5;
        let middle = Vec3::new(half, 0.0, half);
        let points: Vec<Vec3> = self.straightener.points.iter().map(|&p| p + middle).collect();
        BlockPath {
            status: found.status,
            limit: found.limit,
            length: points.windows(2).map(|w| w[0].distance(w[1])).fold(0.0, |sum, d| sum + d),
            points,
            nodes: self.search.corridor.iter().map(|leg| self.store.handle(leg.node)).collect(),
            beside: self.straightener.touched.nodes().map(|node| self.store.handle(node)).collect(),
            visited: found.nodes,
        }
    }

    /// Whether there is a path from one cell to another. Cheaper than finding it: two floods, one from each end, that
    /// stop when they meet. In an unbounded world they may never finish; `max_nodes` limits the total of patches that
    /// both visit.
    ///
    /// # Errors
    /// [`LimitHit::Nodes`] if `max_nodes` patches do not decide it; `u32::MAX` is no limit.
    pub fn path_exists<S: BlockSource + ?Sized>(
        &mut self,
        world: &S,
        start: Cell,
        goal: Cell,
        costs: &BlockCosts,
        max_nodes: u32,
    ) -> Result<bool, LimitHit> {
        let Self { settings, store, builder, connector, meeting, .. } = self;
        let mut view = WorldView { ground: Ground::new(world, settings.agent), store, builder, connector };
        meeting.exists(&mut view, costs, [start, goal], max_nodes)
    }

    /// Reports that blocks in a box may have changed, and discards what was built around it. O(what was built there).
    pub fn invalidate(&mut self, changed: BlockBox) {
        if changed.is_empty() {
            return;
        }
        self.changes += 1;
        let agent = self.settings.agent;
        let width = agent.width as i32;
        let height = agent.height as i32;
        // Ladders lead one block up and down, whatever the agent climbs.
        let reach = agent.climb.max(agent.drop).max(1) as i32;
        // A block affects bodies above, below and in it, steps from and to these, and squares around such steps.
        let min = Cell::new(
            changed.min.x.saturating_sub(width),
            changed.min.y.saturating_sub(height + reach),
            changed.min.z.saturating_sub(width),
        );
        let max = Cell::new(
            changed.max.x.saturating_add(1),
            changed.max.y.saturating_add(1 + reach),
            changed.max.z.saturating_add(1),
        );
        let columns = ColumnRange {
            low: [min.x.saturating_add(1), min.z.saturating_add(1)],
            high: [changed.max.x, changed.max.z],
        };
        self.builder.forget(&self.store, &columns);
        let mut patches = core::mem::take(&mut self.disposed);
        self.store.patches_in(min, max, &mut patches);
        for &patch in &patches {
            // The contents of a tile depend only on its own columns; changes beyond its sides can affect only links.
            if self.store.lies_under(patch, &columns) {
                self.builder.keep(&self.store, patch);
                self.store.dispose(patch);
            } else {
                self.store.unlink(patch, &columns);
            }
        }
        self.disposed = patches;
    }

    /// Whether all nodes that a path touches still exist. If one does not, blocks around it have changed since the path
    /// was found.
    #[must_use]
    pub fn is_current(&self, path: &BlockPath) -> bool {
        path.nodes.iter().chain(&path.beside).all(|&n| self.store.resolve(n).is_some())
    }

    /// The node of a handle; `None` if it was discarded.
    #[must_use]
    pub fn node(&self, handle: BlockNodeRef) -> Option<BlockNode> {
        let node = self.store.resolve(handle)?;
        let min = [node.x, node.z];
        let max = [node.last_x(), node.last_z()];
        let places = (min[1]..=max[1]).flat_map(|z| (min[0]..=max[0]).map(move |x| (x, z)));
        let heights = places.map(|(x, z)| self.store.height(handle.slot, x, z)).collect();
        Some(BlockNode { min, max, heights, area: node.area })
    }

    /// The node of a standing point, if it was built. Nodes above each other are distinguished by height.
    #[must_use]
    pub fn node_of(&self, cell: Cell) -> Option<BlockNodeRef> {
        let node = self.store.at(cell);
        (node != NONE).then(|| self.store.handle(node))
    }

    /// All built nodes, in slot order.
    pub fn nodes(&self) -> impl Iterator<Item = BlockNodeRef> {
        let live = self.store.patches.iter().flat_map(|patch| patch.nodes.iter().copied());
        let mut slots: Vec<u32> = live.collect();
        slots.sort_unstable();
        slots.into_iter().map(|slot| self.store.handle(slot))
    }

    /// The state of the mini mesh that contains a cell.
    #[must_use]
    pub fn mini_mesh_state(&self, cell: Cell) -> MiniMeshState {
        match self.store.mini_state(cell) {
            (false, _) => MiniMeshState::Empty,
            (true, false) => MiniMeshState::Built,
            (true, true) => MiniMeshState::Connected,
        }
    }

    /// The number of mini meshes in a world; `None` for an unbounded world.
    #[must_use]
    pub fn mini_mesh_count<S: BlockSource + ?Sized>(&self, world: &S) -> Option<u64> {
        let room = world.bounds()?.standing_room(self.settings.agent.width);
        if room.is_empty() {
            return Some(0);
        }
        let low = self.store.tile_key(room.min.x, room.min.z);
        let high = self.store.tile_key(room.max.x, room.max.z);
        let tiles = |k: usize| (i64::from(high[k]) - i64::from(low[k]) + 1) as u64;
        Some(tiles(0).saturating_mul(tiles(1)).saturating_mul(room.size()[1]))
    }

    /// The amount of data built. O(what was built).
    #[must_use]
    pub fn stats(&self) -> BlockNavStats {
        let (built, connected) = self.store.count();
        BlockNavStats { built, connected, bytes: self.store.bytes() }
    }

    /// The world and what is built of it, for the other queries of this module.
    pub(super) fn view<'a, S: BlockSource + ?Sized>(&'a mut self, world: &'a S) -> WorldView<'a, S> {
        let Self { settings, store, builder, connector, .. } = self;
        WorldView { ground: Ground::new(world, settings.agent), store, builder, connector }
    }
}
