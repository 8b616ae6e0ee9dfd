//! A path that is found piece by piece: the abstract path at once, its polygons while the agent walks.
//!
//! ```text
//!   abstract path    S ─ p1 ─ p2 ─ p3 ─ p4 ─ p5 ─ p6 ─ G
//!   first corridor   S ════════════════x                      across the next four tiles, at once
//!   the next                           x═══════════════ …     when the agent comes near x
//! ```
//!
//! Each corridor is found by an ordinary search within a few tiles, which are loaded for it, so it is known to be open.
//! If there is no path through the tiles although the abstract graph has one (a tile is missing, or the filter closes
//! more than area types and flags show), that part of the graph is closed for this path, and the abstract path is
//! searched again from where the agent is.
//!
//! Cost: one abstract search, and a search within a few tiles for each corridor.
//!
//! Sources: Mikko Mononen, "Sketch for Hierarchical Pathfinding Using Detour", Digesting Duck, March 2010.

use super::HierarchyScratch;
use super::abstract_search::{AbstractPath, AbstractStep};
use super::closed_parts::{AbstractNode, ClosedParts};
use super::exits::{arrival, crossing};
use super::find_abstract::{AbstractQuestion, find_abstract};
use super::tile_access::{NotLoaded, TileAccess};
use super::within::Within;
use crate::area::{LimitHit, PathStatus};
use crate::mesh::StaleRef;
use crate::query::{PathRequest, PolyPath, PolyPoint, QueryFilter, SearchLimits, find_path_into};
use glam::Vec3;

/// How an abstract path is refined into a path over polygons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refinement {
    /// All its tiles at once: the best path, but the most memory.
    Whole,
    /// Tile by tile, leaving each at the position nearest to where it was entered: the least work, but the longest
    /// path.
    NearestExit,
    /// Tile by tile, leaving each where the straight path through the remaining portals crosses its border.
    PulledExit,
    /// Several tiles at once (0 counts as 1), leaving the last as with [`PulledExit`](Self::PulledExit). Default: 4.
    Workspace(u32),
}

impl Default for Refinement {
    fn default() -> Self {
        Self::Workspace(4)
    }
}

impl Refinement {
    fn tiles(self) -> usize {
        match self {
            Self::Whole => usize::MAX,
            Self::NearestExit | Self::PulledExit => 1,
            Self::Workspace(tiles) => (tiles as usize).max(1),
        }
    }
}

/// If a path over clusters becomes this many times as expensive as expected, it is searched portal by portal.
const MOST_DETOUR: f32 = 1.5;
/// The same if it is searched this often: with a filter by which steps cost nothing, going in circles costs nothing.
const MOST_SEARCHES: u32 = 1 << 16;

/// The answer to a request for the next corridor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextCorridor {
    /// The corridor was found, and more will follow.
    More,
    /// The corridor was found, and leads to the goal.
    Last,
    /// There is none: the goal cannot be reached from the end of the last corridor, or a limit was hit.
    None,
    /// The last corridor has already led to the goal.
    Done,
}

/// A path to a goal, found piece by piece.
#[derive(Clone, Debug)]
pub struct HierarchicalPath {
    goal: PolyPoint,
    /// Where the next corridor begins.
    at: PolyPoint,
    refinement: Refinement,
    limits: SearchLimits,
    /// The abstract path, once it has been searched, and its first step that is still ahead.
    path: Option<AbstractPath>,
    next: usize,
    /// The most that the whole path may cost while clusters are crossed as a whole; `None` before the first search.
    most_cost: Option<f32>,
    /// How often the abstract path has been searched.
    searches: u32,
    /// Whether clusters of tiles may be crossed as a whole.
    by_clusters: bool,
    closed: ClosedParts,
    status: PathStatus,
    limit: Option<LimitHit>,
    cost: f32,
    abstract_nodes: u32,
    nodes: u32,
    events: Vec<NotLoaded>,
}

impl HierarchicalPath {
    /// A path that has not been searched yet. The request's node placement is ignored: the graph determines it.
    #[must_use]
    pub fn new(request: &PathRequest, refinement: Refinement) -> Self {
        Self {
            goal: request.goal,
            at: request.start,
            refinement,
            limits: request.limits,
            path: None,
            next: 0,
            most_cost: None,
            searches: 0,
            by_clusters: refinement != Refinement::Whole,
            closed: ClosedParts::default(),
            status: PathStatus::Partial,
            limit: None,
            cost: 0.0,
            abstract_nodes: 0,
            nodes: 0,
            events: Vec::new(),
        }
    }

    /// Whether the corridors so far lead to the goal.
    #[must_use]
    pub fn status(&self) -> PathStatus {
        self.status
    }

    /// The limit that ended it.
    #[must_use]
    pub fn limit(&self) -> Option<LimitHit> {
        self.limit
    }

    /// Where the corridors so far end.
    #[must_use]
    pub fn end(&self) -> PolyPoint {
        self.at
    }

    /// The total cost of the corridors so far.
    #[must_use]
    pub fn cost(&self) -> f32 {
        self.cost
    }

    /// Nodes of the abstract graph that were expanded.
    #[must_use]
    pub fn abstract_nodes(&self) -> u32 {
        self.abstract_nodes
    }

    /// Nodes over polygons that were opened.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Tiles that could not be loaded.
    #[must_use]
    pub fn events(&self) -> &[NotLoaded] {
        &self.events
    }

    /// The middles of the portals that are still ahead on the abstract path: for drawings. Of a cluster that is crossed
    /// as a whole, only those where it is entered and left.
    pub fn rest(&self) -> impl Iterator<Item = Vec3> + '_ {
        let steps = self.steps();
        steps.get(self.next..).unwrap_or_default().iter().map(|step| (step.ends[0] + step.ends[1]) * 0.5)
    }

    /// The slots of the tiles that are still ahead on the abstract path, in order, up to the first cluster that is
    /// crossed as a whole: for loading them in advance.
    pub fn tiles_ahead(&self) -> impl Iterator<Item = u32> + '_ {
        let mut last = None;
        let near = self.path.as_ref().map_or(0, |path| path.near);
        let slots = self.steps().get(self.next..near).unwrap_or_default().iter().map(|step| step.node.slot);
        slots.filter(move |&slot| last.replace(slot) != Some(slot))
    }

    fn steps(&self) -> &[AbstractStep] {
        self.path.as_ref().map_or(&[], |path| &path.steps)
    }

    /// Finds the next corridor, which begins where the last one ended. The first call also finds the abstract path.
    ///
    /// # Errors
    /// [`StaleRef`] if the polygon of the goal, or that on which the last corridor ended, no longer exists: begin a new
    /// path.
    pub fn next_corridor<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
        &mut self,
        world: &mut W,
        filter: &F,
        scratch: &mut HierarchyScratch,
        path: &mut PolyPath,
    ) -> Result<NextCorridor, StaleRef> {
        path.clear();
        if self.status == PathStatus::Complete {
            return Ok(NextCorridor::Done);
        }
        let mut tiles = self.refinement.tiles();
        while self.limit.is_none() && self.has_abstract_path(world, filter, scratch, tiles)? {
            let window = self.window(tiles);
            if let Err(event) = self.load(world, window, scratch) {
                self.lose(event);
                continue;
            }
            let target = self.target(world, window, filter, scratch);
            if let Some(target) = target
                && self.search(world, target, filter, scratch, path)?
            {
                return Ok(self.advance(window, target, path));
            }
            if tiles > 1 && target.is_some() {
                // It is not known which of several tiles is closed.
                tiles = 1;
            } else {
                self.close(window, target.is_some());
                tiles = self.refinement.tiles();
            }
        }
        Ok(NextCorridor::None)
    }

    /// Forgets the abstract path, of which the mesh has changed. Returns whether the next corridor can begin where the
    /// last one ended; not if something has turned out to be closed, which is known by what it was called before the
    /// change.
    pub(super) fn plan_anew(&mut self) -> bool {
        (self.path, self.most_cost) = (None, None);
        self.closed.is_empty()
    }

    /// Searches the abstract path if there is none that covers the next tiles in detail. Returns whether there is one.
    fn has_abstract_path<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
        &mut self,
        world: &mut W,
        filter: &F,
        scratch: &mut HierarchyScratch,
        tiles: usize,
    ) -> Result<bool, StaleRef> {
        if let Some(path) = &self.path {
            let is_all_near = path.near == path.steps.len();
            // Searching again from the same position would find the same path.
            if is_all_near || self.next == 0 || self.entries_ahead().count() >= tiles {
                return Ok(true);
            }
        }
        self.path = None;
        let ends = [self.at, self.goal];
        if let Err(event) = world.load(&ends.map(|end| end.poly.slot().get())) {
            self.events.push(event);
            return Ok(false);
        }
        for end in ends {
            world.mesh().locate(end.poly)?;
        }
        let question = AbstractQuestion { ends, closed: &self.closed, by_clusters: self.by_clusters };
        let (mut found, opened) = find_abstract(world, question, filter, scratch);
        self.abstract_nodes = self.abstract_nodes.saturating_add(opened);
        // A path over clusters is searched again and again. To keep agents from walking in circles, the cost so far
        // plus the cost of the rest must not grow far beyond the cost of the first path. If something turned out to be
        // closed, the chosen entrances may lead nowhere although others would not.
        self.searches = self.searches.saturating_add(1);
        let is_too_long = |path: &AbstractPath| {
            self.searches > MOST_SEARCHES || self.most_cost.is_some_and(|most| self.cost + path.cost > most)
        };
        let may_be_wrong = match &found {
            Some(path) => path.near < path.steps.len() && is_too_long(path),
            None => !self.closed.is_empty() || self.most_cost.is_some() || !world.changed_since_levels().is_empty(),
        };
        if self.by_clusters && may_be_wrong {
            self.by_clusters = false;
            let question = AbstractQuestion { ends, closed: &self.closed, by_clusters: false };
            let (other, opened) = find_abstract(world, question, filter, scratch);
            found = other;
            self.abstract_nodes = self.abstract_nodes.saturating_add(opened);
        }
        self.next = 0;
        if self.most_cost.is_none() {
            self.most_cost = found.as_ref().map(|path| self.cost + path.cost * MOST_DETOUR);
        }
        self.path = found;
        Ok(self.path.is_some())
    }

    /// The indices of the steps that enter another tile, in the part of the path that is known in detail.
    fn entries_ahead(&self) -> impl Iterator<Item = usize> + '_ {
        let mut here = self.at.poly.slot().get();
        let near = self.path.as_ref().map_or(0, |path| path.near);
        let ahead = self.steps().iter().enumerate().take(near).skip(self.next);
        ahead.filter(move |(_, step)| core::mem::replace(&mut here, step.node.slot) != step.node.slot).map(|(at, _)| at)
    }

    /// The index of the first step after the next `tiles` tiles; `None` if the goal is in one of them.
    fn window(&self, tiles: usize) -> Option<usize> {
        let is_all_near = self.path.as_ref().is_none_or(|path| path.near == path.steps.len());
        // If a cluster is crossed as a whole, the path is known in detail only up to that.
        self.entries_ahead().nth(tiles - 1).or_else(|| self.entries_ahead().last().filter(|_| !is_all_near))
    }

    /// Loads the tiles up to the first one after the window, and records their slots.
    fn load<W: TileAccess + ?Sized>(
        &self,
        world: &mut W,
        window: Option<usize>,
        scratch: &mut HierarchyScratch,
    ) -> Result<(), NotLoaded> {
        let steps = self.steps();
        let end = window.map_or(steps.len(), |end| end + 1);
        let slots = &mut scratch.slots;
        slots.clear();
        slots.push(self.at.poly.slot().get());
        slots.extend(steps[self.next.min(end)..end].iter().map(|step| step.node.slot));
        if window.is_none() {
            slots.push(self.goal.poly.slot().get());
        }
        slots.sort_unstable();
        slots.dedup();
        world.load(slots)
    }

    /// Where the search within the window should lead.
    fn target<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
        &self,
        world: &mut W,
        window: Option<usize>,
        filter: &F,
        scratch: &mut HierarchyScratch,
    ) -> Option<PolyPoint> {
        let Some(end) = window else { return Some(self.goal) };
        let steps = self.steps();
        // A tile is left over a border, so the step that enters the next tile has one before it, which may be the one
        // by which this tile was entered.
        let exit = end.checked_sub(1)?;
        let from = self.at.point;
        let wanted = match exit.checked_sub(self.next) {
            Some(at) if self.refinement != Refinement::NearestExit => {
                crossing((from, self.goal.point), &steps[self.next..], at, &mut scratch.corners)
            }
            _ => from,
        };
        arrival(world, [&steps[exit], &steps[end]], wanted, filter)
    }

    /// Searches within the window. Returns whether the target was reached.
    fn search<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
        &mut self,
        world: &W,
        target: PolyPoint,
        filter: &F,
        scratch: &mut HierarchyScratch,
        path: &mut PolyPath,
    ) -> Result<bool, StaleRef> {
        let HierarchyScratch { slots, query, .. } = scratch;
        let limits = SearchLimits {
            max_nodes: self.limits.max_nodes.saturating_sub(self.nodes),
            max_cost: self.limits.max_cost - self.cost,
        };
        let request = PathRequest { limits, ..PathRequest::new(self.at, target) };
        find_path_into(world.mesh(), &request, &Within { filter, slots }, query, path)?;
        self.nodes = self.nodes.saturating_add(path.nodes);
        self.limit = path.limit.filter(|_| path.status != PathStatus::Complete);
        Ok(path.status == PathStatus::Complete)
    }

    fn advance(&mut self, window: Option<usize>, target: PolyPoint, path: &PolyPath) -> NextCorridor {
        self.at = target;
        self.cost += path.cost;
        self.closed.move_start();
        match window {
            Some(end) => {
                self.next = end + 1;
                NextCorridor::More
            }
            None => {
                self.status = PathStatus::Complete;
                self.next = self.steps().len();
                NextCorridor::Last
            }
        }
    }

    /// Continues without a tile that cannot be loaded.
    fn lose(&mut self, event: NotLoaded) {
        if !self.events.contains(&event) {
            self.events.push(event);
        }
        self.closed.close_tile(event.slot);
        (self.path, self.most_cost) = (None, None);
    }

    /// Closes the edge across the window or, if no link leads out of that, the step over its border.
    fn close(&mut self, window: Option<usize>, has_link: bool) {
        let Some(AbstractPath { steps, last, .. }) = self.path.take() else { return };
        self.most_cost = None;
        let Some(end) = window else { return self.closed.close_edge(last, AbstractNode::GOAL) };
        let Some(step) = (if has_link { end.checked_sub(1) } else { Some(end) }).and_then(|at| steps.get(at)) else {
            return;
        };
        self.closed.close_edge(step.before, step.node);
        // The agent stands where the previous step led, and the next search starts there.
        if has_link && end.checked_sub(1) == Some(self.next) {
            self.closed.close_edge(AbstractNode::START, step.node);
        }
    }

    /// How many edges of the graph turned out to be closed.
    pub(super) fn closed_edges(&self) -> usize {
        self.closed.edge_count()
    }
}
