//! One level: its parts, and the mesh that follows them, changed tile by tile.
//!
//! The first bake is nothing special: all tiles are invalid, and baked from the parts. So a scene that is baked, a
//! crate that is pushed, and a door that closes are the same few lines. Works on any thread.

use crate::WayAsset;
use crate::bake_settings::NavAutoLinks;
use crate::content::{Part, Parts};
use crate::region::NavBakeStage;
use bevy_ecs::entity::Entity;
use std::collections::BTreeMap;
use wayfare::area::AreaId;
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{AutoLinks, LevelCheckpoints, ObjectLevel, ObjectRef, ObstacleRef, Obstacles};
use wayfare::input::{BakeSettings, MarkedVolume, Marking, TriMesh};
use wayfare::math::Aabb;
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
    /// Those that are found.
    auto_links: Option<AutoLinks>,
    /// What could not be done, in sentences.
    problems: Vec<String>,
}

impl Level {
    /// An empty one; the settings give its bounds.
    pub(crate) fn new(settings: &BakeSettings, links: Option<&NavAutoLinks>) -> Result<Self, String> {
        let checkpoints = LevelCheckpoints::empty(settings).map_err(|e| e.to_string())?;
        let mesh = NavMesh::new(checkpoints.plan().layout());
        let objects = ObjectLevel::new(TriMesh::EMPTY, checkpoints.plan());
        let links = links.map(|links| AutoLinks::new(checkpoints.plan(), &links.settings(&settings.agent)));
        let auto_links = links.transpose().map_err(|e| e.to_string())?;
        Ok(Self { auto_links, ..Self::with(mesh, Some(Obstacles::new(checkpoints)), Some(objects)) })
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
            auto_links: None,
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
        let changed = |links: &mut Option<AutoLinks>, bounds: &Aabb| {
            if let Some(links) = links {
                links.invalidate(bounds);
            }
        };
        let links = &mut self.auto_links;
        match (part, &mut self.obstacles, &mut self.objects) {
            (Part::Geometry(surface), Some(obstacles), Some(objects)) => {
                if let Some(old) = self.object_of.remove(&entity) {
                    let bounds = objects.remove(old)?;
                    obstacles.invalidate(&bounds);
                    changed(links, &bounds);
                }
                if let Some(surface) = surface {
                    let (object, bounds) = objects.add(surface, wayfare::Vec3::ZERO)?;
                    self.object_of.insert(entity, object);
                    obstacles.invalidate(&bounds);
                    changed(links, &bounds);
                }
            }
            (Part::Volume(Some(marked)), Some(obstacles), _) => {
                let marked = down_to_heads(marked, obstacles.checkpoints().settings());
                let bounds = marked.volume.bounds();
                match self.obstacle_of.get(&entity) {
                    Some(&obstacle) => {
                        let before = obstacles.get(obstacle)?.volume.bounds();
                        obstacles.replace(obstacle, marked)?;
                        changed(links, &before);
                    }
                    None => drop(self.obstacle_of.insert(entity, obstacles.add(marked)?.0)),
                }
                changed(links, &bounds);
            }
            (Part::Volume(Some(_)), None, _) => {
                return Err("the mesh's file has no layers, so obstacles and areas cannot change it: bake it with \
                            `wayfare bake --layers`"
                    .into());
            }
            (Part::Volume(None), Some(obstacles), _) => {
                if let Some(obstacle) = self.obstacle_of.remove(&entity) {
                    changed(links, &obstacles.get(obstacle)?.volume.bounds());
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

    /// Rebuilds tiles as far as the budget reaches; when all are there, searches links. Whether it is done, and how far it
    /// is.
    pub(crate) fn step(&mut self, budget: Budget) -> Stepped {
        let Some(obstacles) = &mut self.obstacles else { return Stepped::DONE };
        let context = Context::default();
        let has_links = self.auto_links.as_ref().is_some_and(|links| !links.progress().is_finished());
        let mut budget = budget;
        if !obstacles.progress().is_finished() {
            if has_links {
                // The other half is for links, which would wait for ever where something moves all the time.
                budget = Budget::new((budget.left() / 2).max(1));
            }
            let stepped = match &self.objects {
                Some(objects) => obstacles.step_from(&mut self.mesh, objects, budget, &context),
                None => obstacles.step(&mut self.mesh, budget, &context),
            };
            let progress = stepped.unwrap_or_else(|problem| {
                self.problems.push(problem.to_string());
                obstacles.progress()
            });
            let is_done = progress.is_finished();
            if !is_done || !has_links {
                return Stepped { is_done, stage: NavBakeStage::Tiles, share: progress.share() };
            }
        }
        let (Some(links), Some(objects)) = (&mut self.auto_links, &self.objects) else { return Stepped::DONE };
        if links.progress().is_finished() {
            return Stepped::DONE;
        }
        let volumes: Vec<MarkedVolume> = obstacles.iter().map(|(_, marked)| marked.clone()).collect();
        let progress = links.step(&mut self.mesh, objects, &volumes, budget).unwrap_or_else(|problem| {
            self.problems.push(problem.to_string());
            links.progress()
        });
        Stepped { is_done: progress.is_finished(), stage: NavBakeStage::Links, share: progress.share() }
    }

    /// What could not be done since this was last asked.
    pub(crate) fn take_problems(&mut self) -> Vec<String> {
        core::mem::take(&mut self.problems)
    }
}

/// How far a level is.
pub(crate) struct Stepped {
    pub(crate) is_done: bool,
    pub(crate) stage: NavBakeStage,
    /// How much of the stage is done, 0…1.
    pub(crate) share: f32,
}

impl Stepped {
    const DONE: Self = Self { is_done: true, stage: NavBakeStage::Tiles, share: 1.0 };
}

/// What is in the way counts wherever somebody would touch it: just above the floor, or as high as heads.
fn down_to_heads(marked: MarkedVolume, settings: &BakeSettings) -> MarkedVolume {
    if marked.area != AreaId::NULL || marked.when != Marking::BeforeErosion {
        return marked;
    }
    let reach = (settings.agent.height - settings.cell_height).max(0.0);
    MarkedVolume { volume: marked.volume.reaching_down(reach), ..marked }
}
