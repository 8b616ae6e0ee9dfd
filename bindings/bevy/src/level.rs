//! One level: its parts, and the mesh that follows them, changed tile by tile.
//!
//! The first bake is nothing special: all tiles are invalid, and baked from the parts. So a scene that is baked, a
//! crate that is pushed, and a door that closes are the same few lines. Works on any thread.

use crate::WayAsset;
use crate::bake_settings::NavAutoLinks;
use crate::content::{Part, Parts};
use bevy_ecs::entity::Entity;
use std::collections::BTreeMap;
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{LiveLevel, LiveLevelError, LiveProgress, ObjectRef, ObstacleRef};
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::mesh::{NavMesh, PolyRef};

/// The parts of a level by their entities, and its mesh.
pub(crate) struct Level {
    live: LiveLevel,
    object_of: BTreeMap<Entity, ObjectRef>,
    obstacle_of: BTreeMap<Entity, ObstacleRef>,
    link_of: BTreeMap<Entity, PolyRef>,
    /// What could not be done, in sentences.
    problems: Vec<String>,
}

impl Level {
    /// An empty one; the settings give its bounds.
    pub(crate) fn new(settings: &BakeSettings, links: Option<&NavAutoLinks>) -> Result<Self, String> {
        let live = LiveLevel::new(&TriMesh::EMPTY, settings);
        let live = match links {
            Some(links) => live.and_then(|live| live.with_links(&links.settings(&settings.agent))),
            None => live,
        };
        live.map(Self::of).map_err(|e| e.to_string())
    }

    /// One from a file: obstacles and areas change it where it has layers, links always.
    pub(crate) fn of_file(asset: &WayAsset) -> Result<Self, String> {
        LiveLevel::stored(asset.mesh.clone(), asset.cleared()).map(Self::of).map_err(|e| e.to_string())
    }

    fn of(live: LiveLevel) -> Self {
        Self {
            live,
            object_of: BTreeMap::new(),
            obstacle_of: BTreeMap::new(),
            link_of: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    pub(crate) fn mesh(&self) -> &NavMesh {
        self.live.mesh()
    }

    pub(crate) fn mesh_mut(&mut self) -> &mut NavMesh {
        self.live.mesh_mut()
    }

    /// Takes changes of the scene in. The mesh follows with [`step`](Self::step).
    pub(crate) fn apply(&mut self, changes: Parts) {
        for ((_, entity), part) in changes {
            if let Err(problem) = self.apply_one(entity, part) {
                self.problems.push(format!("entity {entity}: {problem}"));
            }
        }
        self.live.announce();
    }

    fn apply_one(&mut self, entity: Entity, part: Part) -> Result<(), Box<dyn core::error::Error>> {
        let live = &mut self.live;
        match part {
            // Geometry is not for meshes from files.
            Part::Geometry(_) if live.objects().is_none() => {}
            Part::Geometry(surface) => {
                if let Some(old) = self.object_of.remove(&entity) {
                    live.remove_object(old)?;
                }
                if let Some(surface) = surface {
                    self.object_of.insert(entity, live.add_object(surface, wayfare::Vec3::ZERO)?);
                }
            }
            Part::Volume(Some(marked)) => {
                let settings = live.obstacles().ok_or(LiveLevelError::NoCheckpoints)?.checkpoints().settings();
                let marked = marked.touching_heads(settings);
                match self.obstacle_of.get(&entity) {
                    Some(&obstacle) => live.replace_obstacle(obstacle, marked)?,
                    None => drop(self.obstacle_of.insert(entity, live.add_obstacle(marked)?)),
                }
            }
            Part::Volume(None) => {
                if let Some(obstacle) = self.obstacle_of.remove(&entity) {
                    live.remove_obstacle(obstacle)?;
                }
            }
            Part::Link(link) => {
                if let Some(old) = self.link_of.remove(&entity) {
                    live.mesh_mut().remove_connection(old)?;
                }
                if let Some(link) = link {
                    self.link_of.insert(entity, live.mesh_mut().add_connection(link)?);
                }
            }
        }
        Ok(())
    }

    /// Rebuilds tiles as far as the budget reaches; when all are there, searches links.
    pub(crate) fn step(&mut self, budget: Budget) -> LiveProgress {
        self.live.step(budget, &Context::default()).unwrap_or_else(|problem| {
            self.problems.push(problem.to_string());
            self.live.progress()
        })
    }

    /// What could not be done since this was last asked.
    pub(crate) fn take_problems(&mut self) -> Vec<String> {
        core::mem::take(&mut self.problems)
    }
}
