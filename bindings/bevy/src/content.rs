//! The level content of the scene: geometry, obstacles, areas and links by entity, and which of it has changed.

use bevy_ecs::prelude::*;
use bevy_transform::components::GlobalTransform;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wayfare::grid::{Obstacle, Shape};
use wayfare::input::{MarkedVolume, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::OffMeshConnection;

/// A part of a level that came, changed or went.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Geometry(Option<Arc<TriMesh>>),
    Volume(Option<MarkedVolume>),
    Link(Option<OffMeshConnection>),
}

/// Which kind of part of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Geometry,
    Volume,
    Link,
}

/// Parts of levels by kind and entity: of each the newest.
pub(crate) type Parts = BTreeMap<(Kind, Entity), Part>;

/// Which of the components of an entity its geometry is made from. Of several, the least counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SourceKind {
    /// One that the game has registered, in their order.
    Registered(u32),
    Triangles,
    Mesh,
    Shape,
}

/// Everything that regions can be made from. Ordered by entity, so that the same scene gives the same meshes.
#[derive(Resource, Default)]
pub(crate) struct NavContent {
    geometry: BTreeMap<(Entity, SourceKind), Surface>,
    volumes: BTreeMap<Entity, Placed>,
    links: BTreeMap<Entity, (OffMeshConnection, u32)>,
    changed: BTreeSet<(Kind, Entity)>,
    /// Obstacles that agents walk around, with their layers.
    loose: BTreeMap<Entity, (Shape, u32)>,
    /// Goes up when those change.
    loose_revision: u64,
    /// Obstacles and areas that have lost a component since they were last looked at.
    poorer: BTreeSet<Entity>,
    /// Entities that may be other parts of the level since they were last looked at.
    undecided: BTreeSet<Entity>,
    /// Why sources of geometry give none.
    problems: BTreeMap<(Entity, SourceKind), String>,
    /// How many sources the game has registered.
    registered: u32,
}

/// Geometry of an entity, in the world.
#[derive(Clone)]
pub(crate) struct Surface {
    pub(crate) mesh: Arc<TriMesh>,
    /// Where the entity is.
    pub(crate) at: GlobalTransform,
    pub(crate) layers: u32,
}

impl Surface {
    fn is_like(&self, other: &Self) -> bool {
        self.layers == other.layers && (Arc::ptr_eq(&self.mesh, &other.mesh) || self.mesh == other.mesh)
    }
}

struct Placed {
    marked: MarkedVolume,
    at: GlobalTransform,
    layers: u32,
}

/// Geometry and links that move by less, metres, have not moved.
const SAME_PLACE: f32 = 1e-4;

impl NavContent {
    /// A new source that the game registers.
    pub(crate) fn register_source(&mut self) -> SourceKind {
        self.registered += 1;
        SourceKind::Registered(self.registered)
    }

    /// Sets what one source of an entity gives.
    pub(crate) fn set_geometry(&mut self, entity: Entity, source: SourceKind, surface: Option<Surface>) {
        let before = self.surface(entity).cloned();
        match surface {
            Some(surface) => drop(self.geometry.insert((entity, source), surface)),
            None => drop(self.geometry.remove(&(entity, source))),
        }
        let is_same = match (&before, self.surface(entity)) {
            (None, None) => true,
            (Some(before), Some(now)) => before.is_like(now),
            _ => false,
        };
        if !is_same {
            self.changed.insert((Kind::Geometry, entity));
        }
    }

    /// Whether a source has given geometry that is where its entity is now.
    pub(crate) fn is_placed(&self, entity: Entity, source: SourceKind, now: &GlobalTransform) -> bool {
        self.geometry.get(&(entity, source)).is_some_and(|surface| {
            surface.at.translation().distance(now.translation()) < SAME_PLACE
                && surface.at.affine().matrix3.abs_diff_eq(now.affine().matrix3, 1e-5)
        })
    }

    /// The geometry of an entity that counts.
    fn surface(&self, entity: Entity) -> Option<&Surface> {
        let all = (entity, SourceKind::Registered(0))..=(entity, SourceKind::Shape);
        self.geometry.range(all).next().map(|(_, surface)| surface)
    }

    /// Sets why a source of an entity gives no geometry, if it should; the reason again if that is news.
    pub(crate) fn new_problem(
        &mut self,
        entity: Entity,
        source: SourceKind,
        problem: Option<String>,
    ) -> Option<String> {
        let before = match &problem {
            Some(problem) => self.problems.insert((entity, source), problem.clone()),
            None => self.problems.remove(&(entity, source)),
        };
        problem.filter(|problem| Some(problem) != before.as_ref())
    }

    /// Forgets what one source of an entity has given.
    pub(crate) fn forget_source(&mut self, entity: Entity, source: SourceKind) {
        self.set_geometry(entity, source, None);
        self.problems.remove(&(entity, source));
    }

    /// Forgets all geometry of an entity.
    pub(crate) fn forget_geometry(&mut self, entity: Entity) {
        let all = (entity, SourceKind::Registered(0))..=(entity, SourceKind::Shape);
        let given = self.geometry.range(all.clone()).map(|((_, source), _)| *source);
        let failed = self.problems.range(all).map(|((_, source), _)| *source);
        let sources: BTreeSet<SourceKind> = given.chain(failed).collect();
        sources.into_iter().for_each(|source| self.forget_source(entity, source));
    }

    /// Notes that an entity may be another part of the level than before.
    pub(crate) fn note_undecided(&mut self, entity: Entity) {
        self.undecided.insert(entity);
    }

    /// Those that were noted.
    pub(crate) fn take_undecided(&mut self) -> BTreeSet<Entity> {
        core::mem::take(&mut self.undecided)
    }

    /// Notes that an obstacle or area may be none any more.
    pub(crate) fn note_poorer(&mut self, entity: Entity) {
        self.poorer.insert(entity);
    }

    /// Those that were noted.
    pub(crate) fn take_poorer(&mut self) -> BTreeSet<Entity> {
        core::mem::take(&mut self.poorer)
    }

    pub(crate) fn set_volume(&mut self, entity: Entity, volume: Option<(MarkedVolume, &GlobalTransform)>, layers: u32) {
        let before = match volume {
            Some((marked, at)) => {
                let is_same = |placed: &Placed| placed.layers == layers && placed.marked == marked;
                if self.volumes.get(&entity).is_some_and(is_same) {
                    return;
                }
                self.changed.insert((Kind::Volume, entity));
                self.volumes.insert(entity, Placed { marked, at: *at, layers })
            }
            None => self.volumes.remove(&entity),
        };
        if before.is_some() {
            self.changed.insert((Kind::Volume, entity));
        }
    }

    /// Sets an obstacle that agents walk around, or removes it.
    pub(crate) fn set_loose(&mut self, entity: Entity, obstacle: Option<(Shape, u32)>) {
        let is_wanted = obstacle.is_some();
        let before = match obstacle {
            Some(obstacle) => self.loose.insert(entity, obstacle),
            None => self.loose.remove(&entity),
        };
        if is_wanted || before.is_some() {
            self.loose_revision += 1;
        }
    }

    /// The obstacles that agents in a region with these layers walk around, numbered as their entities are listed.
    pub(crate) fn loose(&self, layers: u32) -> (Vec<Obstacle>, Vec<Entity>) {
        let seen = self.loose.iter().filter(|(_, obstacle)| obstacle.1 & layers != 0);
        let number = |(id, (&entity, &(shape, _))): (usize, (&Entity, &(Shape, u32)))| {
            (Obstacle { shape, id: id as u32 }, entity)
        };
        seen.enumerate().map(number).unzip()
    }

    /// Goes up when obstacles change that agents walk around.
    pub(crate) fn loose_revision(&self) -> u64 {
        self.loose_revision
    }

    pub(crate) fn set_link(&mut self, entity: Entity, link: Option<OffMeshConnection>, layers: u32) {
        let before = self.links.get(&entity);
        let is_same = match (before, &link) {
            (None, None) => true,
            (Some((before, seen_by)), Some(link)) => {
                let ends = [before.start.distance(link.start), before.end.distance(link.end)];
                let moved = OffMeshConnection { start: link.start, end: link.end, ..*before };
                *seen_by == layers && moved == *link && ends.iter().all(|moved| *moved < SAME_PLACE)
            }
            _ => false,
        };
        if is_same {
            return;
        }
        match link {
            Some(link) => drop(self.links.insert(entity, (link, layers))),
            None => drop(self.links.remove(&entity)),
        }
        self.changed.insert((Kind::Link, entity));
    }

    /// The entity of a link, by the number that its connection has.
    pub(crate) fn link_of(&self, connection: &OffMeshConnection) -> Option<(Entity, &OffMeshConnection)> {
        let mut found = self.links.iter().filter(|(_, (link, _))| link.user_id == connection.user_id);
        found.next().map(|(&entity, (link, _))| (entity, link))
    }

    /// Whether an obstacle has moved by so much, or turned visibly, since it was last seen.
    pub(crate) fn has_moved(&self, entity: Entity, now: &GlobalTransform, tolerance: f32) -> bool {
        self.volumes.get(&entity).is_none_or(|placed| {
            placed.at.translation().distance(now.translation()) >= tolerance
                || !placed.at.affine().matrix3.abs_diff_eq(now.affine().matrix3, 0.01)
        })
    }

    /// What has changed for a region with these layers since [`forget_changes`](Self::forget_changes).
    pub(crate) fn changes(&self, layers: u32) -> Parts {
        self.changed.iter().map(|&(kind, entity)| ((kind, entity), self.part(kind, entity, layers))).collect()
    }

    /// All parts for a region with these layers.
    pub(crate) fn all(&self, layers: u32) -> Parts {
        let geometry = self.geometry.keys().map(|&(entity, _)| (Kind::Geometry, entity));
        let volumes = self.volumes.keys().map(|&entity| (Kind::Volume, entity));
        let links = self.links.keys().map(|&entity| (Kind::Link, entity));
        let all = geometry.chain(volumes).chain(links);
        all.map(|(kind, entity)| ((kind, entity), self.part(kind, entity, layers))).collect()
    }

    /// The box around all geometry for a region with these layers; `None` if there is none.
    pub(crate) fn bounds(&self, layers: u32) -> Option<Aabb> {
        let seen = self.geometry.values().filter(|surface| surface.layers & layers != 0);
        seen.map(|surface| surface.mesh.bounds()).reduce(Aabb::union)
    }

    pub(crate) fn forget_changes(&mut self) {
        self.changed.clear();
    }

    fn part(&self, kind: Kind, entity: Entity, layers: u32) -> Part {
        match kind {
            Kind::Geometry => {
                let surface = self.surface(entity).filter(|surface| surface.layers & layers != 0);
                Part::Geometry(surface.map(|surface| Arc::clone(&surface.mesh)))
            }
            Kind::Volume => {
                let part = self.volumes.get(&entity).filter(|part| part.layers & layers != 0);
                Part::Volume(part.map(|part| part.marked.clone()))
            }
            Kind::Link => {
                let part = self.links.get(&entity).filter(|part| part.1 & layers != 0);
                Part::Link(part.map(|part| part.0))
            }
        }
    }
}
