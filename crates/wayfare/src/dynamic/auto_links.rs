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

/// Tiles after which links are placed though others wait: where something moves all the time, some always do.
const PLACED_AFTER: u64 = 64;

/// Why automatic links could not be brought up to date. Those that were there stay.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AutoLinksError {
    /// A tile could not be searched; it is not tried again before something near it changes.
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
/// Other connections are left alone. Links that the mesh has already, because it was stored with them, are taken over
/// where they are found again; so [`step`](Self::step) until all is searched before the level of a loaded mesh changes:
/// those that a change makes impossible would otherwise stay.
///
/// It goes beside [`Obstacles`](super::Obstacles): [`invalidate`](Self::invalidate) it where the level changes, and
/// [`step`](Self::step) it when the tiles are rebuilt. A new one waits for all tiles.
pub struct AutoLinks {
    plan: TilePlan,
    links: LinkSettings,
    /// How far from a tile a change can change its links, metres.
    reach: f32,
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
}

impl AutoLinks {
    /// For meshes baked by a plan.
    ///
    /// # Errors
    /// Settings of links out of range: [`BakeError`].
    pub fn new(plan: &TilePlan, links: &LinkSettings) -> Result<Self, BakeError> {
        links.check()?;
        let waiting = if links.is_empty() { BTreeSet::new() } else { (0..plan.tile_count()).collect() };
        let reach = LinkTileSearcher::new(plan, links).border() as f32 * plan.level.cell_size;
        let found = BTreeMap::new();
        let placed = BTreeMap::new();
        Ok(Self { plan: *plan, links: *links, reach, found, waiting, turn: 0, searched: 0, unplaced: 0, placed })
    }

    /// Notes that the level has changed inside the bounds: tiles are searched again whose links can be others now.
    pub fn invalidate(&mut self, changed: &Aabb) {
        if self.links.is_empty() || changed.is_empty() {
            return;
        }
        let around = Vec3::new(self.reach, 0.0, self.reach);
        self.waiting.extend(self.plan.tiles_touched(&Aabb { min: changed.min - around, max: changed.max + around }));
    }

    /// Searches tiles as far as the budget reaches, at least one; a unit is a cell of a tile or its surroundings. When
    /// no tile waits any more, and after each 64 tiles, links that have come and gone are added to the mesh and removed
    /// from it.
    ///
    /// `source` and `volumes` are the level as it is: what the mesh was rebuilt from. With feature `rayon`, each thread
    /// works on a tile of its own. The context's cancellation and limit of memory are heeded.
    ///
    /// # Errors
    /// [`AutoLinksError`]. Later steps go on with what is left.
    pub fn step(
        &mut self,
        mesh: &mut NavMesh,
        source: &dyn TriangleSource,
        volumes: &[MarkedVolume],
        budget: Budget,
        context: &Context<'_>,
    ) -> Result<Progress, AutoLinksError> {
        if self.waiting.is_empty() {
            return Ok(self.progress());
        }
        let plan = self.plan;
        let links = self.links;
        let searcher = LinkTileSearcher::new(&plan, &links);
        let taken = self.take_tiles(mesh, source, searcher.border(), budget);
        let search = |scratch: &mut _, (index, tile, data, triangles): Taken<'_>| {
            let level = Level { mesh: &triangles, terrain: None, volumes };
            let input = TileInput { level, triangles: None, tile };
            let found = searcher.search(input, data, scratch, context);
            (index, tile.coord, found)
        };
        let kept = self.keep(parallel::map(taken, || searcher.scratch(), search));
        if kept == Err(AutoLinksError::Cancelled) {
            return Err(AutoLinksError::Cancelled);
        }
        if self.waiting.is_empty() {
            self.searched = 0;
        }
        if self.waiting.is_empty() || self.unplaced >= PLACED_AFTER {
            self.unplaced = 0;
            self.place(mesh)?;
        }
        kept.map(|()| self.progress())
    }

    /// Takes the tiles whose turn it is, as many as the budget allows, with what they are searched in.
    fn take_tiles<'m>(
        &mut self,
        mesh: &'m NavMesh,
        source: &dyn TriangleSource,
        border: u32,
        mut budget: Budget,
    ) -> Vec<Taken<'m>> {
        let mut taken = Vec::new();
        while let Some(index) = take_in_turn(&mut self.waiting, &mut self.turn) {
            let tile = TileRect { border, ..self.plan.tile(index) };
            self.searched += 1;
            self.unplaced += 1;
            let Some(data) = mesh.tile_at(tile.coord) else {
                self.found.remove(&index);
                continue;
            };
            taken.push((index, tile, data.data(), source.triangles_in(&tile.bounds_with_border())));
            if !budget.charge(tile.baked_grid().cell_count() as u64) {
                break;
            }
        }
        taken
    }

    /// Keeps what tiles have given. Those whose search was cancelled wait again.
    fn keep(&mut self, searched: Vec<(u64, TileCoord, Searched)>) -> Result<(), AutoLinksError> {
        let mut kept = Ok(());
        for (index, coord, found) in searched {
            match found {
                Ok(found) if !found.is_empty() => drop(self.found.insert(index, found)),
                Ok(_) => drop(self.found.remove(&index)),
                Err(BakeError::Cancelled(_)) => {
                    self.waiting.insert(index);
                    self.searched -= 1;
                    self.unplaced -= 1;
                    kept = Err(AutoLinksError::Cancelled);
                }
                Err(source) => {
                    self.found.remove(&index);
                    kept = kept.and(Err(AutoLinksError::Search { coord, source }));
                }
            }
        }
        kept
    }

    /// How many tiles were searched, of those that waited; finished if none waits.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress { done: self.searched, total: self.searched + self.waiting.len() as u64 }
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
        if new.is_empty() {
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
            self.placed.insert(id, (link, connection));
        }
        Ok(())
    }
}

/// Takes the tile that is searched next: in turn, so that none waits for ever.
fn take_in_turn(waiting: &mut BTreeSet<u64>, turn: &mut u64) -> Option<u64> {
    let index = waiting.range(*turn..).next().or(waiting.first()).copied()?;
    waiting.remove(&index);
    *turn = index + 1;
    Some(index)
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
