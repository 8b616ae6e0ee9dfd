//! A level that changes and the mesh that follows it, in one session.
//!
//! ```text
//!   triangles, terrain, objects, obstacles ─> tiles to rebuild ─ step(budget) ─> tiles of the mesh, then automatic links
//! ```
//!
//! The first bake is nothing special: every tile under the level is invalid, and baked from its triangles. So a level
//! that is loaded, a wall that is built and a door that closes are the same few lines.
//!
//! Sources: none needed.

use super::{
    AutoLinks, AutoLinksError, LevelCheckpoints, ObjectError, ObjectLevel, ObjectRef, ObstacleError, ObstacleFileError,
    ObstacleRef, Obstacles, RebuildError, RebuiltTile, TriangleSource,
};
use crate::bake::BakeError;
use crate::context::{Budget, Context, Progress};
use crate::format::WayFile;
use crate::input::{BakeSettings, HeightMap, Level, LinkSettings, MarkedVolume, TriMesh};
use crate::math::Aabb;
use crate::math::bytes::{Reader, Writer};
use crate::math::envelope::{with_checksum, without_checksum};
use crate::mesh::{NavMesh, PolyRef};
use glam::Vec3;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Why a live level could not be changed, or did not follow a change.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LiveLevelError {
    /// The mesh was loaded without checkpoints, so its tiles cannot be rebuilt.
    #[error(
        "the mesh was stored without layers, so obstacles and areas cannot change it: store its checkpoints with it \
         (`wayfare bake --layers`), or bake it here"
    )]
    NoCheckpoints,
    /// The mesh was loaded without its level, so objects cannot be added.
    #[error("the mesh was loaded without the level to which an object could be added: give it by `with_level`")]
    NoLevel,
    /// An object was refused.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// An obstacle was refused.
    #[error(transparent)]
    Obstacle(#[from] ObstacleError),
    /// A tile could not be rebuilt; the mesh keeps the old one. Or the step was cancelled.
    #[error(transparent)]
    Rebuild(#[from] RebuildError),
    /// Automatic links could not be brought up to date; those that were there stay.
    #[error(transparent)]
    Links(AutoLinksError),
}

impl From<AutoLinksError> for LiveLevelError {
    fn from(error: AutoLinksError) -> Self {
        match error {
            AutoLinksError::Cancelled => Self::Rebuild(RebuildError::Cancelled),
            error => Self::Links(error),
        }
    }
}

/// What a live level is working on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveStage {
    /// Tiles that have changed are rebuilt.
    Tiles,
    /// The tiles are there, and automatic links are searched on them.
    Links,
}

/// How far a live level has followed its changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveProgress {
    /// What it is working on.
    pub stage: LiveStage,
    /// How much of that is done.
    pub progress: Progress,
}

impl LiveProgress {
    /// Whether nothing is left to do.
    #[must_use]
    pub fn is_finished(self) -> bool {
        self.progress.is_finished()
    }
}

/// A level of triangles, terrain, objects and obstacles that come, move and go, and the mesh that follows it tile by
/// tile.
///
/// It holds what belongs together: the [`NavMesh`], its [`Obstacles`], the [`ObjectLevel`] that its tiles are baked
/// from, and its [`AutoLinks`]. A change is accepted at once and costs little; [`step`](Self::step) does the work, as
/// much as there is time for, on any thread. Readers elsewhere get clones of the mesh, which are cheap:
/// [`SharedMesh`](crate::mesh::SharedMesh).
///
/// Tiles have the bytes of a bake of the level as it is, in the same bounds, for any budgets and any number of threads.
///
/// ```
/// use std::sync::Arc;
/// use wayfare::context::{Budget, Context};
/// use wayfare::dynamic::LiveLevel;
/// use wayfare::input::{BakeSettings, MarkedVolume, TriMesh, Volume};
/// use wayfare::Vec3;
///
/// let quad = |min: [f32; 3], max: [f32; 3]| {
///     let corners = [min, [min[0], max[1], max[2]], max, [max[0], min[1], min[2]]].map(Vec3::from);
///     TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])
/// };
/// let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
/// let mut level = LiveLevel::new(&quad([0.0, 0.0, 0.0], [30.0, 0.0, 20.0])?, &settings)?;
/// let context = Context::default();
/// while !level.step(Budget::new(100_000), &context)?.is_finished() {}
///
/// // A barrel is pushed, and a ramp is built.
/// let barrel = Volume::Cylinder { base: Vec3::new(10.0, 0.0, 10.0), radius: 1.0, height: 1.5 };
/// let barrel = level.add_obstacle(MarkedVolume::block(barrel))?;
/// let ramp = level.add_object(Arc::new(quad([20.0, 0.0, 5.0], [25.0, 2.0, 8.0])?), Vec3::ZERO)?;
/// level.step(Budget::unlimited(), &context)?;
/// level.move_obstacle_by(barrel, Vec3::X)?;
/// level.remove_object(ramp)?;
/// level.step(Budget::unlimited(), &context)?;
/// assert!(level.mesh().tile_count() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LiveLevel {
    mesh: NavMesh,
    /// What tiles are rebuilt from; `None` for a mesh that was stored without.
    obstacles: Option<Obstacles>,
    /// What tiles are baked from; `None` for a stored mesh whose level was not given.
    objects: Option<ObjectLevel>,
    /// `None` where none are searched.
    links: Option<AutoLinks>,
    /// Which connections were automatic links when the mesh was stored.
    stored_links: BTreeSet<PolyRef>,
}

impl LiveLevel {
    /// A copy of a level of which nothing is baked yet; the first steps bake the tiles under its triangles and terrain.
    /// Its volumes stay as they are: those that come and go are obstacles. Whatever is added later counts inside the
    /// settings' [bounds](BakeSettings::bounds), by default those of the level.
    ///
    /// # Errors
    /// [`BakeError::NoBounds`] if neither the level nor the settings have bounds; [`BakeError`] for settings out of
    /// range, or bounds that do not fit a grid.
    pub fn new<'a>(level: impl Into<Level<'a>>, settings: &BakeSettings) -> Result<Self, BakeError> {
        let level = level.into();
        let mut obstacles = Obstacles::new(LevelCheckpoints::empty(level, settings)?);
        obstacles.invalidate(&level.bounds());
        let plan = obstacles.checkpoints().plan();
        let mesh = NavMesh::new(plan.layout());
        let objects = Some(ObjectLevel::new(level, plan));
        Ok(Self { mesh, obstacles: Some(obstacles), objects, links: None, stored_links: BTreeSet::new() })
    }

    /// A mesh that was baked before, and what its tiles are rebuilt from: `None` if it was stored without, and only
    /// connections, areas and costs can change. Objects need the level as well: [`with_level`](Self::with_level).
    ///
    /// # Errors
    /// [`RebuildError::OtherMesh`] if the checkpoints are of another bake.
    pub fn stored(mesh: NavMesh, obstacles: Option<Obstacles>) -> Result<Self, RebuildError> {
        if obstacles.as_ref().is_some_and(|obstacles| obstacles.checkpoints().plan().layout() != mesh.layout()) {
            return Err(RebuildError::OtherMesh);
        }
        Ok(Self { mesh, obstacles, objects: None, links: None, stored_links: BTreeSet::new() })
    }

    /// A level from a file that [`write_to`](Self::write_to) or `wayfare bake --layers` wrote. One that was stored
    /// without checkpoints is as [`stored`](Self::stored) says.
    ///
    /// # Errors
    /// [`ObstacleFileError`].
    pub fn from_file(file: &WayFile) -> Result<Self, ObstacleFileError> {
        let obstacles = Obstacles::from_file(file)?;
        let stored_links = match file.sections.get(AutoLinks::SECTION) {
            Some(section) => read_links(&section.bytes).ok_or(ObstacleFileError::Links)?,
            None => BTreeSet::new(),
        };
        Ok(Self { mesh: file.mesh.clone(), obstacles, objects: None, links: None, stored_links })
    }

    /// Puts the mesh, the obstacles and what tiles are rebuilt from into a file, between two steps, and which
    /// connections are automatic links; other sections of it stay. Work that is left is done after loading. Not stored
    /// are objects: add them again where they stood.
    pub fn write_to(&self, file: &mut WayFile) {
        file.mesh = self.mesh.clone();
        if let Some(obstacles) = &self.obstacles {
            obstacles.write_to(file);
        }
        let links = self.links.as_ref().map_or_else(|| self.stored_links.clone(), AutoLinks::connections);
        if links.is_empty() {
            file.sections.remove(AutoLinks::SECTION);
        } else {
            file.sections.set(AutoLinks::SECTION, AutoLinks::SECTION_VERSION, write_links(&links));
        }
    }

    /// A copy of the level that a stored mesh was baked from, so that objects can be added to it. Its triangles and
    /// terrain must be the same, since no tile is baked again for them; its volumes are those of the checkpoints.
    ///
    /// # Errors
    /// [`LiveLevelError::NoCheckpoints`].
    pub fn with_level<'a>(mut self, level: impl Into<Level<'a>>) -> Result<Self, LiveLevelError> {
        let obstacles = self.obstacles.as_ref().ok_or(LiveLevelError::NoCheckpoints)?;
        self.objects = Some(ObjectLevel::new(level, obstacles.checkpoints().plan()));
        Ok(self)
    }

    /// Finds drops, jumps and climbs, and keeps them up to date: connections with the ids of links as user ids. They
    /// are searched once all tiles are there, again where the level changes. Those that a stored mesh has already are
    /// taken over. Nothing happens for a stored mesh without its level.
    ///
    /// # Errors
    /// Settings of links out of range: [`BakeError`].
    pub fn with_links(mut self, links: &LinkSettings) -> Result<Self, BakeError> {
        links.check()?;
        let plan = self.obstacles.as_ref().filter(|_| self.objects.is_some()).map(|all| *all.checkpoints().plan());
        self.links = plan.filter(|_| !links.is_empty()).map(|plan| AutoLinks::new(&plan, links)).transpose()?;
        if let Some(links) = &mut self.links {
            links.adopt(core::mem::take(&mut self.stored_links));
        }
        Ok(self)
    }

    /// The mesh, as far as it has followed.
    #[must_use]
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// The mesh, to change its connections, areas and rules. Tiles that are put in or taken out by hand come back as
    /// they were with the next rebuild.
    pub fn mesh_mut(&mut self) -> &mut NavMesh {
        &mut self.mesh
    }

    /// Obstacles and checkpoints, to be saved with the mesh; `None` for a mesh that was stored without.
    #[must_use]
    pub fn obstacles(&self) -> Option<&Obstacles> {
        self.obstacles.as_ref()
    }

    /// The level and its objects, from which tiles are baked; `None` for a stored mesh without.
    #[must_use]
    pub fn objects(&self) -> Option<&ObjectLevel> {
        self.objects.as_ref()
    }

    /// The automatic links; `None` where none are searched.
    #[must_use]
    pub fn links(&self) -> Option<&AutoLinks> {
        self.links.as_ref()
    }

    /// The tiles that the last step put into the mesh or found unchanged, in order.
    #[must_use]
    pub fn rebuilt(&self) -> &[RebuiltTile] {
        self.obstacles.as_ref().map_or(&[], Obstacles::rebuilt)
    }

    /// Replaces the triangles that are neither objects nor terrain. Only tiles under triangles that came or went are
    /// baked again.
    ///
    /// # Errors
    /// [`LiveLevelError::NoLevel`] for a stored mesh without its level.
    pub fn replace_triangles(&mut self, triangles: TriMesh) -> Result<(), LiveLevelError> {
        let changed = self.objects_mut()?.replace_fixed(triangles);
        self.invalidate(&changed);
        Ok(())
    }

    /// Replaces the terrain, or takes it away with `None`. If the new map has its points where the old one has them,
    /// only tiles under points whose height is another are baked again: dig by giving the same map with other heights.
    ///
    /// # Errors
    /// [`LiveLevelError::NoLevel`] for a stored mesh without its level.
    pub fn replace_terrain(&mut self, terrain: Option<HeightMap>) -> Result<(), LiveLevelError> {
        let changed = self.objects_mut()?.replace_terrain(terrain);
        self.invalidate(&changed);
        Ok(())
    }

    /// Adds an object, its surface moved by an offset: it can be walked on, and is in the way.
    ///
    /// # Errors
    /// [`LiveLevelError::Object`], [`LiveLevelError::NoLevel`].
    pub fn add_object(&mut self, surface: Arc<TriMesh>, offset: Vec3) -> Result<ObjectRef, LiveLevelError> {
        let (object, changed) = self.objects_mut()?.add(surface, offset)?;
        self.invalidate(&[changed]);
        Ok(object)
    }

    /// Moves an object: its surface is now moved by this offset.
    ///
    /// # Errors
    /// [`LiveLevelError::Object`], [`LiveLevelError::NoLevel`]; it then stays where it is.
    pub fn move_object(&mut self, object: ObjectRef, offset: Vec3) -> Result<(), LiveLevelError> {
        let changed = self.objects_mut()?.move_to(object, offset)?;
        self.invalidate(&changed);
        Ok(())
    }

    /// Removes an object.
    ///
    /// # Errors
    /// [`LiveLevelError::Object`], [`LiveLevelError::NoLevel`].
    pub fn remove_object(&mut self, object: ObjectRef) -> Result<(), LiveLevelError> {
        let changed = self.objects_mut()?.remove(object)?;
        self.invalidate(&[changed]);
        Ok(())
    }

    /// Adds an obstacle, or paints an area: [`Obstacles::add`].
    ///
    /// # Errors
    /// [`LiveLevelError::Obstacle`], [`LiveLevelError::NoCheckpoints`].
    pub fn add_obstacle(&mut self, marked: MarkedVolume) -> Result<ObstacleRef, LiveLevelError> {
        let bounds = marked.volume.bounds();
        let (obstacle, _) = self.obstacles_mut()?.add(marked)?;
        self.search_links_in(&[bounds]);
        Ok(obstacle)
    }

    /// Moves an obstacle, metres.
    ///
    /// # Errors
    /// [`LiveLevelError::Obstacle`], [`LiveLevelError::NoCheckpoints`]; it then stays where it is.
    pub fn move_obstacle_by(&mut self, obstacle: ObstacleRef, by: Vec3) -> Result<(), LiveLevelError> {
        self.change_obstacle(obstacle, |obstacles| obstacles.move_by(obstacle, by).map(drop))
    }

    /// Puts another volume in an obstacle's place.
    ///
    /// # Errors
    /// [`LiveLevelError::Obstacle`], [`LiveLevelError::NoCheckpoints`]; it then stays as it is.
    pub fn replace_obstacle(&mut self, obstacle: ObstacleRef, marked: MarkedVolume) -> Result<(), LiveLevelError> {
        self.change_obstacle(obstacle, |obstacles| obstacles.replace(obstacle, marked).map(drop))
    }

    /// Removes an obstacle.
    ///
    /// # Errors
    /// [`LiveLevelError::Obstacle`], [`LiveLevelError::NoCheckpoints`].
    pub fn remove_obstacle(&mut self, obstacle: ObstacleRef) -> Result<(), LiveLevelError> {
        self.change_obstacle(obstacle, |obstacles| obstacles.remove(obstacle).map(drop))
    }

    fn change_obstacle(
        &mut self,
        obstacle: ObstacleRef,
        change: impl FnOnce(&mut Obstacles) -> Result<(), ObstacleError>,
    ) -> Result<(), LiveLevelError> {
        let obstacles = self.obstacles_mut()?;
        let bounds = |obstacles: &Obstacles| Some(obstacles.get(obstacle).ok()?.volume.bounds());
        let before = bounds(obstacles);
        change(obstacles)?;
        let after = bounds(obstacles);
        self.search_links_in(&[before, after].map(|bounds| bounds.unwrap_or(Aabb::EMPTY)));
        Ok(())
    }

    /// [Announces](NavMesh::announce) the tiles that will be rebuilt, so that those who walk on them learn of it before
    /// it happens. Call it after changes.
    pub fn announce(&mut self) {
        if let Some(obstacles) = &self.obstacles {
            obstacles.announce(&mut self.mesh);
        }
    }

    /// Follows the changes as far as the budget reaches: rebuilds tiles ([`Obstacles::step_from`]), and searches links
    /// ([`AutoLinks::step`]) on tiles that are not about to change. As long as there is such a tile to be searched,
    /// half of a limited budget is kept for links: they would otherwise wait for ever where something moves all the
    /// time.
    ///
    /// # Errors
    /// [`LiveLevelError::Rebuild`] and [`LiveLevelError::Links`], each failure once. Later steps go on with the rest,
    /// and with what was cancelled.
    pub fn step(&mut self, budget: Budget, context: &Context<'_>) -> Result<LiveProgress, LiveLevelError> {
        let Some(obstacles) = &mut self.obstacles else { return Ok(self.progress()) };
        let mut links = self.links.as_mut().filter(|links| !links.progress().is_finished());
        let mut for_tiles = budget;
        let is_ready = |links: &AutoLinks, obstacles: &Obstacles| links.is_ready(&|tile| !obstacles.is_pending(tile));
        if budget != Budget::unlimited() && links.as_ref().is_some_and(|links| is_ready(links, obstacles)) {
            for_tiles = Budget::new(budget.left().div_ceil(2));
        }
        let given = for_tiles.left();
        let source = self.objects.as_ref().map(|objects| objects as &dyn TriangleSource);
        let rebuilt = obstacles.step_with(&mut self.mesh, source, &mut for_tiles, context);
        if rebuilt == Err(RebuildError::Cancelled) {
            return Err(RebuildError::Cancelled.into());
        }
        let mut rest = budget;
        rest.charge(given - for_tiles.left());
        if let (Some(links), Some(source)) = (links.as_mut().filter(|links| is_ready(links, obstacles)), source) {
            let of_level = obstacles.checkpoints().volumes().iter();
            let volumes: Vec<MarkedVolume> =
                of_level.chain(obstacles.iter().map(|(_, marked)| marked)).cloned().collect();
            let is_settled = |tile| !obstacles.is_pending(tile);
            let searched = links.search(&mut self.mesh, (source, &volumes), (rest, &is_settled), context);
            rebuilt?;
            searched?;
        } else {
            rebuilt?;
        }
        // Failures of links are kept until they are told.
        links.and_then(AutoLinks::tell).map_or_else(|| Ok(self.progress()), |error| Err(error.into()))
    }

    /// How far the mesh has followed.
    #[must_use]
    pub fn progress(&self) -> LiveProgress {
        let tiles = self.obstacles.as_ref().map(Obstacles::progress);
        let links = self.links.as_ref().map(AutoLinks::progress);
        match (tiles, links) {
            (Some(tiles), _) if !tiles.is_finished() => LiveProgress { stage: LiveStage::Tiles, progress: tiles },
            (_, Some(links)) => LiveProgress { stage: LiveStage::Links, progress: links },
            (tiles, None) => {
                LiveProgress { stage: LiveStage::Tiles, progress: tiles.unwrap_or(Progress { done: 0, total: 0 }) }
            }
        }
    }

    fn obstacles_mut(&mut self) -> Result<&mut Obstacles, LiveLevelError> {
        self.obstacles.as_mut().ok_or(LiveLevelError::NoCheckpoints)
    }

    fn objects_mut(&mut self) -> Result<&mut ObjectLevel, LiveLevelError> {
        self.objects.as_mut().ok_or(LiveLevelError::NoLevel)
    }

    /// The level's triangles have changed there.
    fn invalidate(&mut self, changed: &[Aabb]) {
        if let Some(obstacles) = &mut self.obstacles {
            changed.iter().for_each(|bounds| drop(obstacles.invalidate(bounds)));
        }
        self.search_links_in(changed);
    }

    fn search_links_in(&mut self, changed: &[Aabb]) {
        if let Some(links) = &mut self.links {
            changed.iter().for_each(|bounds| links.invalidate(bounds));
        }
    }
}

fn write_links(links: &BTreeSet<PolyRef>) -> Vec<u8> {
    let mut out = Writer::default();
    links.iter().for_each(|link| out.u64(link.to_bits()));
    with_checksum(out.bytes)
}

fn read_links(bytes: &[u8]) -> Option<BTreeSet<PolyRef>> {
    let mut rest = Reader::new(without_checksum(bytes)?);
    let mut links = BTreeSet::new();
    while !rest.is_empty() {
        links.insert(PolyRef::from_bits(rest.u64().ok()?)?);
    }
    Some(links)
}
