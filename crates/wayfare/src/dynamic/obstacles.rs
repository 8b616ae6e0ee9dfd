//! The session of a changing world: it holds the obstacles of a level, records which tiles they change, and rebuilds
//! those tiles in steps.
//!
//! Cost: a request costs a little for each tile that it touches, a step as much as its budget allows. Sources: Mikko
//! Mononen, "Handling Temporary Obstacles", Digesting Duck, 2010.

use super::dirty_tiles::DirtyTiles;
use super::ground_cache::GroundCache;
use super::obstacle::checked_bounds;
use super::obstacle_table::ObstacleTable;
use super::rebuild::{STEPS, Workbenches};
use super::round::{Round, RoundResults};
use super::{LevelCheckpoints, ObstacleError, ObstacleRef, RebuildError, RebuiltTile, TriangleSource};
use crate::context::{Budget, Context, Progress};
use crate::input::{MarkedVolume, Volume};
use crate::math::Aabb;
use crate::mesh::{NavMesh, PolyRef, TileRef};
use crate::tile::TileCoord;
use glam::Vec3;
use std::collections::{BTreeMap, BTreeSet};

/// How far an accepted request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its tiles are rebuilt and in the mesh.
    Built,
    /// Its tiles are not rebuilt yet: [`Obstacles::step`].
    Waiting,
    /// It touches no tile with walkable surface, so the mesh does not change.
    Outside,
    /// A tile of it could not be rebuilt, which a [`RebuildError`] of a step tells: the mesh still holds what was there
    /// before. It is built if a later change of that tile succeeds.
    Failed,
}

impl Outcome {
    /// Its name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Built => "built",
            Self::Waiting => "waiting",
            Self::Outside => "outside",
            Self::Failed => "failed",
        }
    }
}

/// An accepted request, and the tiles that it touches. [`Obstacles::outcome`] says how far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The tiles that are rebuilt for it, row by row.
    pub tiles: Vec<TileCoord>,
    /// The round in which they are.
    round: u64,
}

/// Obstacles that are added, moved and removed while agents walk, and the rebuild of the tiles under them.
///
/// An obstacle is a [`MarkedVolume`]. One that [blocks](MarkedVolume::block) removes the surface inside it, and agents
/// keep the distance of their radius from it; one that [paints](MarkedVolume::paint) changes the area type of the
/// surface inside it. There may be any number of obstacles, of any size; they may overlap.
///
/// A request is accepted at once and costs little; [`step`](Self::step) does the work. Until all tiles of a request are
/// rebuilt, the mesh stays as it is; then they change together. Tiles have the same bytes for any budget and any number
/// of threads: the bytes of a bake of the level whose volumes are followed by the obstacles, in the order in which they
/// were added. Steps with the same budgets publish the same tiles, whatever is kept in memory.
///
/// ```
/// use wayfare::bake::bake_tiles;
/// use wayfare::context::{Budget, Context};
/// use wayfare::dynamic::{LevelCheckpoints, Obstacles, Outcome};
/// use wayfare::input::{BakeSettings, MarkedVolume, TriMesh, Volume};
/// use wayfare::mesh::NavMesh;
///
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0]].map(Into::into);
/// let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
/// let context = Context::default();
/// let (baked, _) = bake_tiles(&level, &settings, &context)?;
/// let mut mesh = NavMesh::from_tiles(baked.layout, baked.tiles)?;
/// let mut obstacles = Obstacles::new(LevelCheckpoints::bake(&level, &settings, &context)?);
///
/// let barrel = Volume::Cylinder { base: [10.0, 0.0, 10.0].into(), radius: 1.0, height: 1.5 };
/// let (barrel, request) = obstacles.add(MarkedVolume::block(barrel))?;
/// assert_eq!(obstacles.outcome(&request), Outcome::Waiting);
/// // Each frame, as much as there is time for.
/// while !obstacles.step(&mut mesh, Budget::new(20_000), &context)?.is_finished() {}
/// assert_eq!(obstacles.outcome(&request), Outcome::Built);
///
/// obstacles.remove(barrel)?;
/// assert!(obstacles.remove(barrel).is_err(), "it is gone already");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Obstacles {
    pub(super) ground: LevelCheckpoints,
    pub(super) table: ObstacleTable,
    /// The level's own volumes by the tiles that they change.
    pub(super) own: BTreeMap<u64, Vec<u32>>,
    /// Tiles that are to be rebuilt in the next round.
    pub(super) dirty: DirtyTiles,
    /// Tiles that are to be baked from triangles, when they are rebuilt.
    pub(super) stale: BTreeSet<u64>,
    /// Tiles that wait for triangles, or were given them in this round, and the first round that began without them.
    pub(super) left_out: BTreeMap<u64, u64>,
    pub(super) round: Option<Round>,
    /// How many rounds are over.
    pub(super) over: u64,
    pub(super) benches: Workbenches,
    pub(super) unpacked: GroundCache,
    pub(super) results: RoundResults,
}

impl Obstacles {
    /// The default of [`set_unpacked_bytes`](Self::set_unpacked_bytes): enough for about 150 tiles of 48 x 48 cells.
    pub const UNPACKED_BYTES: u64 = 32 << 20;

    /// A session without obstacles, on this level.
    #[must_use]
    pub fn new(ground: LevelCheckpoints) -> Self {
        let mut own = BTreeMap::<u64, Vec<u32>>::new();
        for (i, marked) in (0..).zip(&ground.volumes) {
            for tile in ground.plan.tiles_touched(&marked.volume.bounds()) {
                own.entry(tile).or_default().push(i);
            }
        }
        Self {
            ground,
            table: ObstacleTable::default(),
            own,
            dirty: DirtyTiles::default(),
            stale: BTreeSet::new(),
            left_out: BTreeMap::new(),
            round: None,
            over: 0,
            benches: Workbenches::default(),
            unpacked: GroundCache::new(Self::UNPACKED_BYTES),
            results: RoundResults::default(),
        }
    }

    /// The checkpoints from which tiles are rebuilt.
    #[must_use]
    pub fn checkpoints(&self) -> &LevelCheckpoints {
        &self.ground
    }

    /// Sets how many bytes of unpacked heightfields are kept, each with the last tiles built from it, for tiles that
    /// change again; the least recently rebuilt are dropped first. Rebuilding a tile that is not kept takes 1.6 to 1.8
    /// times as long. 0 keeps nothing. [Default](Self::UNPACKED_BYTES): 32 MiB. Neither the tiles nor the step that
    /// publishes them depend on it.
    pub fn set_unpacked_bytes(&mut self, most: u64) {
        self.unpacked.set_limit(most);
    }

    /// How many bytes of unpacked heightfields are kept.
    #[must_use]
    pub fn unpacked_bytes(&self) -> u64 {
        self.unpacked.bytes()
    }

    /// Adds an obstacle.
    ///
    /// # Errors
    /// [`ObstacleError`] for shapes that are empty or not finite. A shape outside the level is accepted, and may be
    /// moved into it.
    pub fn add(&mut self, marked: MarkedVolume) -> Result<(ObstacleRef, Request), ObstacleError> {
        let tiles = self.touched(&checked_bounds(&marked.volume)?);
        let obstacle = self.table.add(marked, &tiles)?;
        Ok((obstacle, self.request(tiles)))
    }

    /// Moves an obstacle by a vector. Its position in the order of obstacles stays the same.
    ///
    /// # Errors
    /// [`ObstacleError`]; it then stays where it is.
    pub fn move_by(&mut self, obstacle: ObstacleRef, by: Vec3) -> Result<Request, ObstacleError> {
        let mut marked = self.table.get(obstacle)?.clone();
        marked.volume.move_by(by);
        self.replace(obstacle, marked)
    }

    /// Moves an obstacle to a position: that of the centre of a turned box, of the lowest point of the axis of a
    /// cylinder or capsule, the offset of a mesh; for other shapes, of the middle of the bottom of the box around them.
    ///
    /// # Errors
    /// [`ObstacleError`]; it then stays where it is.
    pub fn move_to(&mut self, obstacle: ObstacleRef, to: Vec3) -> Result<Request, ObstacleError> {
        let mut marked = self.table.get(obstacle)?.clone();
        match &mut marked.volume {
            Volume::TurnedBox { center: place, .. }
            | Volume::Cylinder { base: place, .. }
            | Volume::Capsule { base: place, .. }
            | Volume::Mesh { offset: place, .. } => *place = to,
            volume @ (Volume::Prism { .. } | Volume::Box(_) | Volume::Hull(_)) => {
                let bounds = volume.bounds();
                volume.move_by(to - bounds.center().with_y(bounds.min.y));
            }
        }
        self.replace(obstacle, marked)
    }

    /// Gives an obstacle another shape: turned, grown, or painting another area.
    ///
    /// # Errors
    /// [`ObstacleError`]; it then stays as it is.
    pub fn replace(&mut self, obstacle: ObstacleRef, marked: MarkedVolume) -> Result<Request, ObstacleError> {
        let before = self.touched(&self.table.get(obstacle)?.volume.bounds());
        let after = self.touched(&checked_bounds(&marked.volume)?);
        self.table.replace(obstacle, marked, [&before, &after])?;
        let both: BTreeSet<u64> = before.into_iter().chain(after).collect();
        Ok(self.request(both.into_iter().collect()))
    }

    /// Removes an obstacle.
    ///
    /// # Errors
    /// [`ObstacleError::Gone`].
    pub fn remove(&mut self, obstacle: ObstacleRef) -> Result<Request, ObstacleError> {
        let tiles = self.take_out(obstacle)?;
        Ok(self.request(tiles))
    }

    /// Removes all obstacles.
    pub fn clear(&mut self) -> Request {
        let all: Vec<_> = self.iter().map(|(obstacle, _)| obstacle).collect();
        // Each is there: it was just listed.
        let tiles: BTreeSet<u64> =
            all.into_iter().filter_map(|obstacle| self.take_out(obstacle).ok()).flatten().collect();
        self.request(tiles.into_iter().collect())
    }

    /// Removes an obstacle from the table. The tiles that it touched.
    fn take_out(&mut self, obstacle: ObstacleRef) -> Result<Vec<u64>, ObstacleError> {
        let tiles = self.touched(&self.table.get(obstacle)?.volume.bounds());
        self.table.remove(obstacle, &tiles)?;
        Ok(tiles)
    }

    /// Tells that the level's triangles have changed inside the bounds. All tiles that the bounds touch, including
    /// those without walkable surface, are baked again by the steps that follow, with their obstacles, from the source
    /// that is passed to [`step_from`](Self::step_from).
    ///
    /// An object that moves changes two bounds, the old and the new ones: call this for both.
    pub fn invalidate(&mut self, bounds: &Aabb) -> Request {
        let tiles = self.ground.plan.tiles_touched(bounds).collect();
        self.bake_again(tiles)
    }

    /// Bakes tiles again, of which some may have had no ground.
    pub(super) fn bake_again(&mut self, tiles: Vec<u64>) -> Request {
        let is_new = |tile: &u64| !self.ground.tiles.contains_key(tile) && self.stale.insert(*tile);
        let new: BTreeSet<u64> = tiles.iter().copied().filter(is_new).collect();
        self.stale.extend(&tiles);
        tiles.iter().for_each(|&tile| self.unpacked.forget(tile));
        if !new.is_empty() {
            let plan = &self.ground.plan;
            self.table.enter_new_tiles(|bounds| plan.touched_range(bounds).among(&new));
        }
        self.request(tiles)
    }

    /// Forgets a tile that is not under way, though it may be about to change: its ground, and the tile in the mesh.
    pub(super) fn let_go(&mut self, mesh: &mut NavMesh, tile: u64) {
        self.ground.tiles.remove(&tile);
        self.stale.remove(&tile);
        self.dirty.remove(tile, &self.ground.plan);
        self.left_out.remove(&tile);
        self.unpacked.forget(tile);
        self.table.forget_tile(tile);
        let there = mesh.tile_at(self.ground.coord(tile)).map(|there| there.tile_ref());
        // One that is there can be removed.
        let _ = there.map(|there| mesh.remove_tile(there));
    }

    /// An obstacle as last requested, rebuilt or not.
    ///
    /// # Errors
    /// [`ObstacleError::Gone`].
    pub fn get(&self, obstacle: ObstacleRef) -> Result<&MarkedVolume, ObstacleError> {
        self.table.get(obstacle)
    }

    /// All obstacles as last requested, rebuilt or not.
    pub fn iter(&self) -> impl Iterator<Item = (ObstacleRef, &MarkedVolume)> {
        self.table.iter()
    }

    /// How many obstacles there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.table.count()
    }

    /// How far a request is.
    #[must_use]
    pub fn outcome(&self, request: &Request) -> Outcome {
        let is_left_out = |coord: &TileCoord| {
            let since = self.ground.plan.index_at(coord.x, coord.z).and_then(|tile| self.left_out.get(&tile));
            since.is_some_and(|&since| since <= request.round)
        };
        // Its tiles may have been let go, so that no round comes.
        let has_work = self.round.is_some() || !self.dirty.tiles().is_empty();
        if request.tiles.is_empty() {
            Outcome::Outside
        } else if request.round > self.over && has_work || request.tiles.iter().any(is_left_out) {
            Outcome::Waiting
        } else if request.tiles.iter().any(|coord| self.results.has_failed(coord, request.round)) {
            Outcome::Failed
        } else {
            Outcome::Built
        }
    }

    /// Rebuilds dirty tiles within the budget, and puts all tiles of a round into the mesh when the last one is done. A
    /// unit of work is a cell, a span, a corner or a sample, depending on the step of the recipe. Pieces of work are
    /// small, but the last one may take more than is left: the next step pays for that first.
    ///
    /// Tiles that are to be baked from triangles wait for [`step_from`](Self::step_from). The other tiles of their
    /// requests do not wait for them.
    ///
    /// Tiles that were [announced](NavMesh::announce) and then come out unchanged, or cannot be rebuilt, are
    /// [withdrawn](NavMesh::withdraw), unless they are [about to change](Self::about_to_change) again.
    ///
    /// With feature `rayon`, each thread works on a tile of its own. With an unlimited budget, all tiles of a round are
    /// processed at once; otherwise one tile for each 4,096 units that are left, but at most eight, whatever the number
    /// of threads. Several meshes need a session each.
    ///
    /// # Errors
    /// [`RebuildError`]: each tile that cannot be rebuilt is reported once, and the mesh keeps the old one. Later steps
    /// continue with the others. [`RebuildError::NoSource`] from every step after which only tiles are left that wait
    /// for triangles.
    pub fn step(
        &mut self,
        mesh: &mut NavMesh,
        budget: Budget,
        context: &Context<'_>,
    ) -> Result<Progress, RebuildError> {
        let mut budget = budget;
        self.step_with(mesh, None, &mut budget, context)?;
        Ok(self.progress())
    }

    /// Like [`step`](Self::step), and also bakes [invalidated](Self::invalidate) tiles: their triangles come from
    /// `source`, which is asked when their round begins; in a round of more than 256 tiles, when the turn of each
    /// comes.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn step_from(
        &mut self,
        mesh: &mut NavMesh,
        source: &dyn TriangleSource,
        budget: Budget,
        context: &Context<'_>,
    ) -> Result<Progress, RebuildError> {
        let mut budget = budget;
        self.step_with(mesh, Some(source), &mut budget, context)?;
        Ok(self.progress())
    }

    /// A step that says what is left of its budget.
    pub(super) fn step_with(
        &mut self,
        mesh: &mut NavMesh,
        source: Option<&dyn TriangleSource>,
        budget: &mut Budget,
        context: &Context<'_>,
    ) -> Result<(), RebuildError> {
        self.results.rebuilt.clear();
        if mesh.layout() != self.ground.plan.layout() {
            return Err(RebuildError::OtherMesh);
        }
        while budget.left() > 0 && self.has_round(source) {
            self.work(source, budget, context)?;
            if let Some(round) = self.round.take_if(|round| round.tasks.is_empty()) {
                if round.has_source {
                    self.left_out.clear();
                }
                self.over += 1;
                round.publish(self.over, mesh, context, &mut self.results);
            }
        }
        self.withdraw(mesh);
        if let Some(error) = self.results.tell() {
            return Err(error);
        }
        match self.dirty.tiles().first() {
            Some(&tile) if source.is_none() && self.round.is_none() && self.dirty.tiles().is_subset(&self.stale) => {
                Err(RebuildError::NoSource { coord: self.ground.coord(tile) })
            }
            _ => Ok(()),
        }
    }

    /// Takes back what was announced of tiles that stay as they are, and that nobody has asked to rebuild again.
    fn withdraw(&mut self, mesh: &mut NavMesh) {
        let kept = core::mem::take(&mut self.results.kept);
        if !mesh.has_announced() || kept.is_empty() {
            return;
        }
        let soon: BTreeSet<TileCoord> = self.about_to_change().collect();
        let staying = kept.iter().filter(|coord| !soon.contains(coord));
        let staying: Vec<TileRef> = staying.filter_map(|&coord| Some(mesh.tile_at(coord)?.tile_ref())).collect();
        mesh.withdraw(&staying);
    }

    /// How far the rebuild is, in cells: each cell of each tile with its border counts once for each step of the
    /// recipe. It is finished if nothing is left to do.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let waiting = STEPS * self.dirty.cells();
        // A round is not over before its tiles are in the mesh.
        let of_round = |round: &Round| (round.done.min(round.total.saturating_sub(1)), round.total);
        let (done, total) = self.round.as_ref().map_or((0, 0), of_round);
        Progress { done, total: total + waiting }
    }

    /// The tiles that the last step put into the mesh or found unchanged, in order.
    #[must_use]
    pub fn rebuilt(&self) -> &[RebuiltTile] {
        &self.results.rebuilt
    }

    /// The tiles that will be rebuilt: paths over them may soon break. Row by row.
    pub fn about_to_change(&self) -> impl Iterator<Item = TileCoord> {
        let under_way = self.round.iter().flat_map(|round| &round.members);
        let all: BTreeSet<u64> = under_way.chain(self.dirty.tiles()).copied().collect();
        all.into_iter().map(|index| self.ground.coord(index))
    }

    /// [Announces](NavMesh::announce) all tiles that will be rebuilt, so that those who walk on them learn of it before
    /// it happens. Call it after changes were requested, on the mesh that is published.
    pub fn announce(&self, mesh: &mut NavMesh) {
        let soon = self.about_to_change().filter_map(|coord| mesh.tile_at(coord));
        let soon: Vec<TileRef> = soon.map(|tile| tile.tile_ref()).collect();
        mesh.announce(&soon);
    }

    /// Whether a tile will be rebuilt.
    pub(super) fn is_pending(&self, tile: u64) -> bool {
        self.dirty.tiles().contains(&tile) || self.is_under_way(tile)
    }

    /// Whether a tile is in the round that is under way.
    pub(super) fn is_under_way(&self, tile: u64) -> bool {
        self.round.as_ref().is_some_and(|round| round.members.contains(&tile))
    }

    /// The index of the first polygon of a path whose tile will be rebuilt: the path is certain to stay valid up to
    /// there. Off-mesh connections and stale references are skipped.
    #[must_use]
    pub fn soon_broken(&self, mesh: &NavMesh, path: &[PolyRef]) -> Option<usize> {
        let soon: BTreeSet<TileCoord> = self.about_to_change().collect();
        if soon.is_empty() {
            return None;
        }
        path.iter().position(|&poly| mesh.locate(poly).is_ok_and(|(tile, _)| soon.contains(&tile.coord())))
    }

    /// The tiles with open ground that can come out otherwise where something inside the bounds changes.
    pub(super) fn touched(&self, bounds: &Aabb) -> Vec<u64> {
        let range = self.ground.plan.touched_range(bounds);
        let baking = self.round.iter().flat_map(|round| &round.baking);
        let known = self.ground.tiles.len() + self.stale.len();
        if range.count() <= known as u64 {
            return range.iter().filter(|&tile| self.has_ground(tile)).collect();
        }
        // The level may be a small part of what is planned.
        let all: BTreeSet<u64> = self.ground.tiles.keys().chain(&self.stale).chain(baking).copied().collect();
        range.among(&all)
    }

    /// Whether a tile has ground, or may have when it is baked again.
    fn has_ground(&self, tile: u64) -> bool {
        let is_under_way = || self.round.as_ref().is_some_and(|round| round.baking.contains(&tile));
        self.ground.tiles.contains_key(&tile) || self.stale.contains(&tile) || is_under_way()
    }

    fn request(&mut self, tiles: Vec<u64>) -> Request {
        self.dirty.extend(tiles.iter().copied(), &self.ground.plan);
        let round = self.over + u64::from(self.round.is_some()) + 1;
        Request { tiles: tiles.into_iter().map(|index| self.ground.coord(index)).collect(), round }
    }
}

impl core::fmt::Debug for Obstacles {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Obstacles")
            .field("obstacles", &self.count())
            .field("progress", &self.progress())
            .finish_non_exhaustive()
    }
}
