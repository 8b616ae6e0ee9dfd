//! One level: its parts, and the mesh that follows them, changed tile by tile.
//!
//! The first bake is nothing special: all tiles are invalid, and baked from the parts. So a scene that is baked, a
//! crate that is pushed, and a door that closes are the same few lines. Works on any thread.

use crate::WayAsset;
use crate::content::{Part, Parts};
use bevy_ecs::entity::Entity;
use std::collections::BTreeMap;
use wayfare::area::AreaId;
use wayfare::context::{Budget, Context, Progress};
use wayfare::dynamic::{LevelCheckpoints, ObjectLevel, ObjectRef, ObstacleRef, Obstacles};
use wayfare::input::{BakeSettings, MarkedVolume, Marking, TriMesh};
use wayfare::mesh::{NavMesh, PolyRef};

/// The parts of a level, and its mesh.
pub(crate) struct Level {
    pub(crate) mesh: NavMesh,
    /// What tiles are rebuilt from; `None` for a file without layers.
    obstacles: Option<Obstacles>,
    /// `None` for a mesh from a file: its tiles are rebuilt from their checkpoints.
    objects: Option<ObjectLevel>,
    object_of: BTreeMap<Entity, ObjectRef>,
    obstacle_of: BTreeMap<Entity, ObstacleRef>,
    link_of: BTreeMap<Entity, PolyRef>,
    /// What could not be done, in sentences.
    problems: Vec<String>,
}

impl Level {
    /// An empty one; the settings give its bounds.
    pub(crate) fn new(settings: &BakeSettings) -> Result<Self, String> {
        let checkpoints = LevelCheckpoints::empty(settings).map_err(|e| e.to_string())?;
        let mesh = NavMesh::new(checkpoints.plan().layout());
        let objects = ObjectLevel::new(TriMesh::EMPTY, checkpoints.plan());
        Ok(Self::with(mesh, Some(Obstacles::new(checkpoints)), Some(objects)))
    }

    /// One from a file: obstacles and areas change it where it has layers, links always.
    pub(crate) fn of_file(asset: &WayAsset) -> Self {
        Self::with(asset.mesh.clone(), asset.layers.as_deref().cloned().map(Obstacles::new), None)
    }

    fn with(mesh: NavMesh, obstacles: Option<Obstacles>, objects: Option<ObjectLevel>) -> Self {
        Self {
            mesh,
            obstacles,
            objects,
            object_of: BTreeMap::new(),
            obstacle_of: BTreeMap::new(),
            link_of: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    /// Takes changes of the scene in. The mesh follows with [`step`](Self::step).
    pub(crate) fn apply(&mut self, changes: Parts) {
        for ((_, entity), part) in changes {
            if let Err(problem) = self.apply_one(entity, part) {
                self.problems.push(format!("entity {entity}: {problem}"));
            }
        }
        if let Some(obstacles) = &self.obstacles {
            obstacles.announce(&mut self.mesh);
        }
    }

    fn apply_one(&mut self, entity: Entity, part: Part) -> Result<(), Box<dyn core::error::Error>> {
        match (part, &mut self.obstacles, &mut self.objects) {
            (Part::Geometry(surface), Some(obstacles), Some(objects)) => {
                if let Some(old) = self.object_of.remove(&entity) {
                    obstacles.invalidate(&objects.remove(old)?);
                }
                if let Some(surface) = surface {
                    let (object, bounds) = objects.add(surface, wayfare::Vec3::ZERO)?;
                    self.object_of.insert(entity, object);
                    obstacles.invalidate(&bounds);
                }
            }
            (Part::Volume(Some(marked)), Some(obstacles), _) => {
                let marked = down_to_heads(marked, obstacles.checkpoints().settings());
                match self.obstacle_of.get(&entity) {
                    Some(&obstacle) => drop(obstacles.replace(obstacle, marked)?),
                    None => drop(self.obstacle_of.insert(entity, obstacles.add(marked)?.0)),
                }
            }
            (Part::Volume(Some(_)), None, _) => {
                return Err("the mesh's file has no layers, so obstacles and areas cannot change it: bake it with \
                            `wayfare bake --layers`"
                    .into());
            }
            (Part::Volume(None), Some(obstacles), _) => {
                if let Some(obstacle) = self.obstacle_of.remove(&entity) {
                    obstacles.remove(obstacle)?;
                }
            }
            // Geometry is not for meshes from files.
            (Part::Geometry(_) | Part::Volume(None), ..) => {}
            (Part::Link(link), ..) => {
                if let Some(old) = self.link_of.remove(&entity) {
                    self.mesh.remove_connection(old)?;
                }
                if let Some(link) = link {
                    self.link_of.insert(entity, self.mesh.add_connection(link)?);
                }
            }
        }
        Ok(())
    }

    /// Rebuilds tiles as far as the budget reaches.
    pub(crate) fn step(&mut self, budget: Budget) -> Progress {
        let Some(obstacles) = &mut self.obstacles else { return Progress { done: 1, total: 1 } };
        let context = Context::default();
        let stepped = match &self.objects {
            Some(objects) => obstacles.step_from(&mut self.mesh, objects, budget, &context),
            None => obstacles.step(&mut self.mesh, budget, &context),
        };
        stepped.unwrap_or_else(|problem| {
            self.problems.push(problem.to_string());
            obstacles.progress()
        })
    }

    /// What could not be done since this was last asked.
    pub(crate) fn take_problems(&mut self) -> Vec<String> {
        core::mem::take(&mut self.problems)
    }
}

/// What is in the way counts wherever somebody would touch it: just above the floor, or as high as heads.
fn down_to_heads(marked: MarkedVolume, settings: &BakeSettings) -> MarkedVolume {
    if marked.area != AreaId::NULL || marked.when != Marking::BeforeErosion {
        return marked;
    }
    let reach = (settings.agent.height - settings.cell_height).max(0.0);
    MarkedVolume { volume: marked.volume.reaching_down(reach), ..marked }
}
