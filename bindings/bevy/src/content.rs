//! What the scene holds of levels: geometry, obstacles, areas and links by entity, and what of it has changed.

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
enum Kind {
    Geometry,
    Volume,
    Link,
}

/// Everything that regions can be made from. Ordered by entity, so that the same scene gives the same meshes.
#[derive(Resource, Default)]
pub(crate) struct NavContent {
    geometry: BTreeMap<Entity, (Arc<TriMesh>, u32)>,
    volumes: BTreeMap<Entity, Placed>,
    links: BTreeMap<Entity, (OffMeshConnection, u32)>,
    changed: BTreeSet<(Kind, Entity)>,
    /// Obstacles that agents walk around, with their layers.
    loose: BTreeMap<Entity, (Shape, u32)>,
    /// Goes up when those change.
    loose_revision: u64,
}

struct Placed {
    marked: MarkedVolume,
    at: GlobalTransform,
    layers: u32,
}

impl NavContent {
    pub(crate) fn set_geometry(&mut self, entity: Entity, surface: Option<Arc<TriMesh>>, layers: u32) {
        let before = match surface {
            Some(surface) => {
                self.changed.insert((Kind::Geometry, entity));
                self.geometry.insert(entity, (surface, layers))
            }
            None => self.geometry.remove(&entity),
        };
        if before.is_some() {
            self.changed.insert((Kind::Geometry, entity));
        }
    }

    pub(crate) fn set_volume(&mut self, entity: Entity, volume: Option<(MarkedVolume, &GlobalTransform)>, layers: u32) {
        let is_wanted = volume.is_some();
        let before = match volume {
            Some((marked, at)) => self.volumes.insert(entity, Placed { marked, at: *at, layers }),
            None => self.volumes.remove(&entity),
        };
        if is_wanted || before.is_some() {
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
        match link {
            Some(link) => drop(self.links.insert(entity, (link, layers))),
            None => drop(self.links.remove(&entity)),
        }
        self.changed.insert((Kind::Link, entity));
    }

    /// Whether an obstacle has moved by so much, or turned visibly, since it was last seen.
    pub(crate) fn has_moved(&self, entity: Entity, now: &GlobalTransform, tolerance: f32) -> bool {
        self.volumes.get(&entity).is_none_or(|placed| {
            placed.at.translation().distance(now.translation()) >= tolerance
                || !placed.at.affine().matrix3.abs_diff_eq(now.affine().matrix3, 0.01)
        })
    }

    /// What has changed for a region with these layers since [`forget_changes`](Self::forget_changes).
    pub(crate) fn changes(&self, layers: u32) -> Vec<(Entity, Part)> {
        self.changed.iter().map(|&(kind, entity)| (entity, self.part(kind, entity, layers))).collect()
    }

    /// All parts for a region with these layers.
    pub(crate) fn all(&self, layers: u32) -> Vec<(Entity, Part)> {
        let geometry = self.geometry.keys().map(|&entity| (Kind::Geometry, entity));
        let volumes = self.volumes.keys().map(|&entity| (Kind::Volume, entity));
        let links = self.links.keys().map(|&entity| (Kind::Link, entity));
        geometry.chain(volumes).chain(links).map(|(kind, entity)| (entity, self.part(kind, entity, layers))).collect()
    }

    /// The box around all geometry for a region with these layers; `None` if there is none.
    pub(crate) fn bounds(&self, layers: u32) -> Option<Aabb> {
        let seen = self.geometry.values().filter(|part| part.1 & layers != 0);
        seen.map(|part| part.0.bounds()).reduce(|a, b| Aabb { min: a.min.min(b.min), max: a.max.max(b.max) })
    }

    pub(crate) fn forget_changes(&mut self) {
        self.changed.clear();
    }

    fn part(&self, kind: Kind, entity: Entity, layers: u32) -> Part {
        match kind {
            Kind::Geometry => {
                let part = self.geometry.get(&entity).filter(|part| part.1 & layers != 0);
                Part::Geometry(part.map(|part| Arc::clone(&part.0)))
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
