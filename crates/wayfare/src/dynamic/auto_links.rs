//! The automatic links of a mesh whose level changes: only tiles near a change are searched again.
//!
//! ```text
//!   invalidate(bounds) ─> tiles within reach wait ─ step(budget): search each ─> all candidates, settled as one list
//!                                                                                 ─> connections that came and went
//! ```
//!
//! What a search finds on a tile depends on the level around that tile alone, so it is kept; which of the links of all
//! tiles overlap is decided anew each time. The links are those that [`find_links`](crate::bake::find_links) finds in
//! the level as it is.
//!
//! Cost: each tile as in `find_links`; then proportional to all links.
//!
//! Sources: none needed.

use super::TriangleSource;
use crate::bake::{AutoLink, BakeError, LinkCandidate, LinkTileSearcher, TileInput, TilePlan, TileRect, settle_links};
use crate::context::{Budget, Context, Progress, parallel};
use crate::input::{Level, LinkSettings, MarkedVolume, TriMesh};
use crate::math::Aabb;
use crate::mesh::{AddConnectionError, Connection, NavMesh, OffMeshConnection, PolyRef};
use crate::tile::{TileCoord, TileData};
use core::fmt;
use glam::Vec3;
use std::collections::{BTreeMap, BTreeSet};

/// Tiles after which links are placed though others wait.
const PLACED_AFTER: u64 = 64;

/// The most waiting tiles that a step passes over because they cannot be searched yet.
const MOST_PASSED: usize = 64;

/// The most tiles that are searched at once: the triangles around all of them are in memory.
const MOST_AT_ONCE: usize = 256;

/// Why automatic links could not be brought up to date. Those that were there stay.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AutoLinksError {
    /// A tile could not be searched: it keeps the links that it had, and is not tried again before something near it
    /// changes.
    #[error("automatic links of tile {}, {}: {source}", coord.x, coord.z)]
    Search {
        /// Which tile.
        coord: TileCoord,
        /// Why.
        source: BakeError,
    },
    /// It was cancelled. The next step continues.
    #[error("cancelled")]
    Cancelled,
    /// A link could not be added to the mesh.
    #[error("an automatic link cannot be added: {0}")]
    Add(#[from] AddConnectionError),
}

/// A tile to be searched: its number, where it is, its data, and the triangles around it.
type Taken<'m> = (u64, TileRect, &'m TileData, TriMesh);

/// What the search of a tile has given.
type Searched = Result<Vec<LinkCandidate>, BakeError>;

/// Keeps the automatic links of a changing mesh up to date, as off-mesh connections with the ids of links as user ids.
/// Other connections are left alone. Links that a stored mesh has already are taken over where they are found again.
/// Those that are not, because they were to be removed when the mesh was stored, stay unless they are told by
/// [`adopt`](Self::adopt).
///
/// It goes beside [`Obstacles`](super::Obstacles): [`invalidate`](Self::invalidate) it where the level changes, and
/// [`step`](Self::step) it when the tiles are rebuilt. A new one waits for all tiles.
pub struct AutoLinks {
    plan: TilePlan,
    links: LinkSettings,
    /// How far from a tile a change can change its links, cells.
    border: u32,
    /// What each tile has given, if that is something.
    found: BTreeMap<u64, Vec<LinkCandidate>>,
    waiting: BTreeSet<u64>,
    /// The tile whose turn is next.
    turn: u64,
    /// How many were searched since nothing waited.
    searched: u64,
    /// How many were searched since links were placed.
    unplaced: u64,
    placed: BTreeMap<u32, (AutoLink, PolyRef)>,
    /// Links of a stored mesh that no search has found again yet.
    adopted: BTreeSet<PolyRef>,
    /// Tiles whose last search failed.
    failing: BTreeSet<u64>,
    /// Why, of those of which nobody was told.
    failures: BTreeMap<TileCoord, BakeError>,
}

/// Whether a tile is in the mesh as it will be. What is around it is looked up in the level, which is up to date.
pub(super) type IsSettled<'a> = &'a dyn Fn(u64) -> bool;

impl AutoLinks {
    /// The name of their section in a `.way` file: [`WayFile::sections`](crate::format::WayFile::sections).
    pub const SECTION: &str = "links";
    /// The version of its bytes. It is raised when the format changes.
    pub const SECTION_VERSION: u32 = 1;

    /// For meshes baked by a plan.
    ///
    /// # Errors
    /// Settings of links out of range: [`BakeError`].
    pub fn new(plan: &TilePlan, links: &LinkSettings) -> Result<Self, BakeError> {
        links.check()?;
        let waiting = if links.is_empty() { BTreeSet::new() } else { (0..plan.tile_count()).collect() };
        let border = LinkTileSearcher::new(plan, links).border();
        let found = BTreeMap::new();
        let placed = BTreeMap::new();
        let adopted = BTreeSet::new();
        let failing = BTreeSet::new();
        let failures = BTreeMap::new();
        Ok(Self {
            plan: *plan,
            links: *links,
            border,
            found,
            waiting,
            turn: 0,
            searched: 0,
            unplaced: 0,
            placed,
            adopted,
            failing,
            failures,
        })
    }

    /// Takes over connections of a stored mesh that were its [links](Self::connections) when it was stored: those that
    /// are not found again are removed. Call it on a new one.
    pub fn adopt(&mut self, connections: impl IntoIterator<Item = PolyRef>) {
        self.adopted.extend(connections);
    }

    /// The connections of the mesh that are automatic links, to be stored with it for [`adopt`](Self::adopt).
    #[must_use]
    pub fn connections(&self) -> BTreeSet<PolyRef> {
        self.placed.values().map(|(_, connection)| *connection).chain(self.adopted.iter().copied()).collect()
    }

    /// Notes that the level has changed inside the bounds: tiles are searched again whose links can be others now.
    pub fn invalidate(&mut self, changed: &Aabb) {
        if self.links.is_empty() || changed.is_empty() {
            return;
        }
        let reach = self.border as f32 * self.plan.level.cell_size;
        let around = Vec3::new(reach, 0.0, reach);
        self.waiting.extend(self.plan.tiles_touched(&Aabb { min: changed.min - around, max: changed.max + around }));
    }

    /// Searches tiles as far as the budget reaches, at least one unless it is zero; a unit is a cell of a tile or its
    /// surroundings. When no tile waits any more, and after each 64 tiles, links that have come and gone are added to
    /// the mesh and removed from it.
    ///
    /// `source` and `volumes` are the level as it is: what the mesh was rebuilt from. With feature `rayon`, each thread
    /// works on a tile of its own. The context's cancellation and limit of memory are heeded.
    ///
    /// # Errors
    /// [`AutoLinksError`], each once. Later steps go on with what is left.
    pub fn step(
        &mut self,
        mesh: &mut NavMesh,
        source: &dyn TriangleSource,
        volumes: &[MarkedVolume],
        budget: Budget,
        context: &Context<'_>,
    ) -> Result<Progress, AutoLinksError> {
        self.search(mesh, (source, volumes), (budget, &|_| true), context)?;
        self.tell().map_or_else(|| Ok(self.progress()), Err)
    }

    /// The failure of a tile that nobody was told of yet.
    pub(super) fn tell(&mut self) -> Option<AutoLinksError> {
        self.failures.pop_first().map(|(coord, source)| AutoLinksError::Search { coord, source })
    }

    /// Whether the next tiles that wait can be searched, or one of them.
    pub(super) fn is_ready(&self, is_settled: IsSettled<'_>) -> bool {
        self.in_turn().take(MOST_PASSED).any(is_settled)
    }

    /// Searches tiles that are settled, as far as the budget reaches.
    pub(super) fn search(
        &mut self,
        mesh: &mut NavMesh,
        level: (&dyn TriangleSource, &[MarkedVolume]),
        (budget, is_settled): (Budget, IsSettled<'_>),
        context: &Context<'_>,
    ) -> Result<(), AutoLinksError> {
        if budget.left() == 0 {
            return Ok(());
        }
        while self.search_some(mesh, level, (budget, is_settled), context)? && budget.is_unlimited() {}
        Ok(())
    }

    /// Searches as many of these tiles as are in memory at once. Whether there may be more that can be searched now.
    fn search_some(
        &mut self,
        mesh: &mut NavMesh,
        (source, volumes): (&dyn TriangleSource, &[MarkedVolume]),
        (budget, is_settled): (Budget, IsSettled<'_>),
        context: &Context<'_>,
    ) -> Result<bool, AutoLinksError> {
        if self.waiting.is_empty() {
            return Ok(false);
        }
        let plan = self.plan;
        let links = self.links;
        let searcher = LinkTileSearcher::new(&plan, &links);
        let (taken, has_more) = self.take_tiles(mesh, source, (budget, is_settled));
        let search = |scratch: &mut _, (index, tile, data, triangles): Taken<'_>| {
            let level = Level { mesh: &triangles, terrain: None, volumes };
            let input = TileInput { level, triangles: None, tile };
            let found = searcher.search(input, data, scratch, context);
            (index, tile.coord, found)
        };
        self.keep(parallel::map(taken, || searcher.scratch(), search))?;
        if self.waiting.is_empty() {
            self.searched = 0;
        }
        // Where something moves all the time, some tiles always wait.
        if !has_more && self.unplaced > 0 || self.unplaced >= PLACED_AFTER {
            self.unplaced = 0;
            self.place(mesh)?;
        }
        Ok(has_more)
    }

    /// Takes the tiles whose turn it is, as many as the budget allows, with what they are searched in. Whether there
    /// may be more that can be searched now.
    fn take_tiles<'m>(
        &mut self,
        mesh: &'m NavMesh,
        source: &dyn TriangleSource,
        (mut budget, is_settled): (Budget, IsSettled<'_>),
    ) -> (Vec<Taken<'m>>, bool) {
        let mut taken = Vec::new();
        let mut passed = 0;
        // Each has its turn once.
        let order: Vec<u64> = self.in_turn().take(MOST_PASSED + MOST_AT_ONCE).collect();
        let is_all = order.len() == self.waiting.len();
        for index in order {
            self.turn = index + 1;
            if !is_settled(index) {
                passed += 1;
                if passed == MOST_PASSED {
                    return (taken, false);
                }
                continue;
            }
            self.waiting.remove(&index);
            self.searched += 1;
            self.unplaced += 1;
            let tile = self.wide_tile(index);
            let units = match mesh.tile_at(tile.coord) {
                Some(there) => {
                    taken.push((index, tile, there.data(), source.triangles_in(&tile.bounds_with_border())));
                    tile.baked_grid().cell_count() as u64
                }
                None => {
                    self.found.remove(&index);
                    self.failing.remove(&index);
                    1
                }
            };
            if !budget.charge(units) || taken.len() == MOST_AT_ONCE {
                return (taken, !self.waiting.is_empty());
            }
        }
        (taken, !is_all)
    }

    /// The tiles that wait, beginning with the one whose turn it is: so none waits for ever.
    fn in_turn(&self) -> impl Iterator<Item = u64> + '_ {
        self.waiting.range(self.turn..).chain(self.waiting.range(..self.turn)).copied()
    }

    /// A tile with everything around it that its search looks at.
    fn wide_tile(&self, index: u64) -> TileRect {
        TileRect { border: self.border, ..self.plan.tile(index) }
    }

    /// Keeps what tiles have given. Those whose search was cancelled wait again.
    fn keep(&mut self, searched: Vec<(u64, TileCoord, Searched)>) -> Result<(), AutoLinksError> {
        let mut kept = Ok(());
        for (index, coord, found) in searched {
            match found {
                Ok(found) => {
                    self.failing.remove(&index);
                    if found.is_empty() {
                        self.found.remove(&index);
                    } else {
                        self.found.insert(index, found);
                    }
                }
                Err(BakeError::Cancelled(_)) => {
                    self.waiting.insert(index);
                    self.searched -= 1;
                    self.unplaced -= 1;
                    kept = Err(AutoLinksError::Cancelled);
                }
                Err(source) => {
                    self.failing.insert(index);
                    self.failures.insert(coord, source);
                }
            }
        }
        kept
    }

    /// How many tiles were searched, of those that waited; finished if none waits and every failure was told.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let left = self.waiting.len() + self.failures.len();
        Progress { done: self.searched, total: self.searched + left as u64 }
    }

    /// The links that are in the mesh, by id.
    pub fn iter(&self) -> impl Iterator<Item = &AutoLink> {
        self.placed.values().map(|placed| &placed.0)
    }

    /// Brings the connections of the mesh up to date.
    fn place(&mut self, mesh: &mut NavMesh) -> Result<(), AddConnectionError> {
        let all = settle_links(self.found.values().flatten().copied().collect(), &self.plan, &self.links);
        let all: BTreeMap<u32, AutoLink> = all.into_iter().map(|link| (link.id, link)).collect();
        self.placed.retain(|id, (link, connection)| {
            let stays = all.get(id) == Some(link);
            if !stays {
                // It is gone where the caller has removed it.
                let _ = mesh.remove_connection(*connection);
            }
            stays
        });
        let new: BTreeMap<u32, AutoLink> = all.into_iter().filter(|(id, _)| !self.placed.contains_key(id)).collect();
        if new.is_empty() && self.adopted.is_empty() {
            return Ok(());
        }
        // Those of an earlier search, which the mesh was stored with.
        let is_there = |it: &&Connection| {
            new.get(&it.definition().user_id).is_some_and(|link| OffMeshConnection::from(link) == *it.definition())
        };
        let there: BTreeMap<u32, PolyRef> =
            mesh.connections().filter(is_there).map(|it| (it.definition().user_id, it.reference())).collect();
        for (id, link) in new {
            let connection = match there.get(&id) {
                Some(&connection) => connection,
                None => mesh.add_connection(OffMeshConnection::from(&link))?,
            };
            self.adopted.remove(&connection);
            self.placed.insert(id, (link, connection));
        }
        self.remove_adopted(mesh);
        Ok(())
    }

    /// Removes adopted links that the searches of all tiles around their start have not found.
    fn remove_adopted(&mut self, mesh: &mut NavMesh) {
        let plan = self.plan;
        let waiting = &self.waiting;
        let failing = &self.failing;
        self.adopted.retain(|&connection| {
            let Ok(there) = mesh.connection(connection) else { return false };
            let start = there.definition().start;
            let may_be_found = plan
                .tiles_touched(&Aabb { min: start, max: start })
                .any(|tile| waiting.contains(&tile) || failing.contains(&tile));
            if !may_be_found {
                // It is there: it was just looked up.
                let _ = mesh.remove_connection(connection);
            }
            may_be_found
        });
    }
}

impl From<&AutoLink> for OffMeshConnection {
    /// With the link's id as the connection's user id.
    fn from(link: &AutoLink) -> Self {
        Self {
            start: link.start,
            end: link.end,
            radius: link.radius,
            two_way: link.two_way,
            area: link.area,
            flags: link.flags,
            user_id: link.id,
        }
    }
}

impl fmt::Debug for AutoLinks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AutoLinks").field("links", &self.placed.len()).finish_non_exhaustive()
    }
}
