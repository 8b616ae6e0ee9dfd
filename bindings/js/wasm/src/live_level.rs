//! A level that changes, and the mesh that follows it.
//!
//! The mesh is an object of the page's own. Each step begins with it as it is, so that it may be edited between steps, and
//! leaves the result in it.

use crate::callback::MEMORY_LIMIT;
use crate::fault::{Answer, Fault};
use crate::level::{RawLevel, triangles};
use crate::links::{link_settings, list};
use crate::mesh::RawMesh;
use crate::named::bake_settings;
use crate::numbers::Numbers;
use crate::obstacles::{budget, coords, rebuilt, vec3};
use crate::record::Record;
use crate::volume::RawVolume;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use wayfare::context::Context;
use wayfare::dynamic::{AutoLinks, LiveLevel, LiveLevelError, LiveStage, ObjectRef, ObstacleRef, Obstacles};
use wayfare::input::{AgentSettings, BakeSettings, TriMesh};
use wayfare::mesh::NavMesh;
use wayfare::tile::TileKeys;

#[wasm_bindgen(js_name = RawLiveLevel)]
pub struct RawLiveLevel {
    level: LiveLevel,
    obstacles: Numbers<ObstacleRef>,
    objects: Numbers<ObjectRef>,
}

/// The triangles of a level that has nothing else.
fn only_triangles(level: &RawLevel) -> Answer<TriMesh> {
    if level.parts.terrain.is_some() || !level.parts.volumes.is_empty() {
        return Err(Fault::argument(
            "only triangles are taken here, but the level has volumes or a height map: give one without; volumes can be \
             added by addObstacle, and replaceTerrain takes a height map",
        ));
    }
    Ok(level.parts.mesh.clone())
}

/// Refuses a mesh whose tiles were baked for another agent, or in other cells, than those that would be baked beside them.
fn must_be_of(settings: &BakeSettings, mesh: &NavMesh) -> Answer<()> {
    let Some(made) = mesh.tiles().map(|tile| tile.data().baked_for()).find(|made| made.cell_size > 0.0) else {
        return Ok(());
    };
    let stored = settings.to_voxel()?;
    let both = [
        ("agent.radius", made.radius, stored.eroded_radius()),
        ("agent.height", made.height, settings.agent.height),
        ("agent.maxClimb", made.climb, settings.agent.max_climb),
        ("cellSize", made.cell_size, settings.cell_size),
        ("cellHeight", made.cell_height, settings.cell_height),
    ];
    let Some((name, made, stored)) = both.into_iter().find(|(_, made, stored)| made != stored) else { return Ok(()) };
    Err(Fault::argument(format_args!(
        "what is stored beside the mesh is of another one: it rebuilds tiles with {name} {stored}, but those of the mesh were \
         baked with {made}; give the mesh as store() left it"
    )))
}

impl RawLiveLevel {
    /// With links by rules; undefined for none.
    fn finish(level: LiveLevel, rules: &JsValue, agent: &AgentSettings) -> Answer<Self> {
        let level = if rules.is_undefined() { level } else { level.with_links(&link_settings(rules, agent)?)? };
        let mut obstacles = Numbers::new("obstacle");
        let mut there = level.obstacles().into_iter().flat_map(Obstacles::iter);
        there.try_for_each(|(reference, _)| obstacles.add(reference).map(drop))?;
        drop(there);
        Ok(Self { level, obstacles, objects: Numbers::new("object") })
    }

    /// A stored level, and its agent.
    fn read(mesh: &RawMesh) -> Answer<(LiveLevel, AgentSettings)> {
        let level = LiveLevel::from_file(&mesh.file)?;
        let settings = *level.obstacles().ok_or(LiveLevelError::NoCheckpoints)?.checkpoints().settings();
        must_be_of(&settings, mesh.mesh())?;
        Ok((level, settings.agent))
    }

    /// Does something with the mesh as the page has it.
    fn on_mesh<T>(&mut self, mesh: &mut RawMesh, work: impl FnOnce(&mut LiveLevel) -> T) -> T {
        *self.level.mesh_mut() = mesh.mesh().clone();
        let answer = work(&mut self.level);
        mesh.file.mesh = self.level.mesh().clone();
        answer
    }
}

#[wasm_bindgen(js_class = RawLiveLevel)]
impl RawLiveLevel {
    pub fn create(level: &RawLevel, options: &JsValue, rules: &JsValue) -> Answer<RawLiveLevel> {
        let settings = bake_settings(options)?;
        Self::finish(LiveLevel::new(level.parts.level(), &settings)?, rules, &settings.agent)
    }

    /// A mesh that was saved with what `store` puts beside it.
    pub fn stored(mesh: &RawMesh) -> Answer<RawLiveLevel> {
        let (level, agent) = Self::read(mesh)?;
        Self::finish(level, &JsValue::UNDEFINED, &agent)
    }

    /// The same with the level that it was baked from.
    #[wasm_bindgen(js_name = storedWith)]
    pub fn stored_with(mesh: &RawMesh, level: &RawLevel, rules: &JsValue) -> Answer<RawLiveLevel> {
        let (stored, agent) = Self::read(mesh)?;
        Self::finish(stored.with_level(level.parts.level())?, rules, &agent)
    }

    pub fn mesh(&self) -> RawMesh {
        RawMesh::new(self.level.mesh().clone(), TileKeys::EMPTY)
    }

    #[wasm_bindgen(js_name = addObstacle)]
    pub fn add_obstacle(&mut self, volume: &RawVolume) -> Answer<f64> {
        self.obstacles.add(self.level.add_obstacle(volume.0.clone())?)
    }

    #[wasm_bindgen(js_name = moveObstacleBy)]
    pub fn move_obstacle_by(&mut self, number: f64, by: &[f32]) -> Answer<()> {
        Ok(self.level.move_obstacle_by(self.obstacles.get(number)?, vec3(by)?)?)
    }

    #[wasm_bindgen(js_name = replaceObstacle)]
    pub fn replace_obstacle(&mut self, number: f64, volume: &RawVolume) -> Answer<()> {
        Ok(self.level.replace_obstacle(self.obstacles.get(number)?, volume.0.clone())?)
    }

    #[wasm_bindgen(js_name = removeObstacle)]
    pub fn remove_obstacle(&mut self, number: f64) -> Answer<()> {
        self.level.remove_obstacle(self.obstacles.get(number)?)?;
        self.obstacles.remove(number)
    }

    /// The numbers of all obstacles.
    pub fn obstacles(&self) -> Vec<f64> {
        self.obstacles.all()
    }

    /// The box around an obstacle.
    #[wasm_bindgen(js_name = obstacleBounds)]
    pub fn obstacle_bounds(&self, number: f64) -> Answer<Vec<f32>> {
        let reference = self.obstacles.get(number)?;
        let bounds = self.level.obstacles().ok_or(LiveLevelError::NoCheckpoints)?.get(reference)?.volume.bounds();
        Ok([bounds.min.to_array(), bounds.max.to_array()].concat())
    }

    #[wasm_bindgen(js_name = addObject)]
    pub fn add_object(&mut self, positions: &[f32], indices: &[u32], offset: &[f32]) -> Answer<f64> {
        let surface = triangles(positions, indices)?;
        self.objects.add(self.level.add_object(Arc::new(surface), vec3(offset)?)?)
    }

    #[wasm_bindgen(js_name = moveObject)]
    pub fn move_object(&mut self, number: f64, offset: &[f32]) -> Answer<()> {
        Ok(self.level.move_object(self.objects.get(number)?, vec3(offset)?)?)
    }

    #[wasm_bindgen(js_name = removeObject)]
    pub fn remove_object(&mut self, number: f64) -> Answer<()> {
        self.level.remove_object(self.objects.get(number)?)?;
        self.objects.remove(number)
    }

    /// The numbers of all objects.
    pub fn objects(&self) -> Vec<f64> {
        self.objects.all()
    }

    #[wasm_bindgen(js_name = replaceTriangles)]
    pub fn replace_triangles(&mut self, level: &RawLevel) -> Answer<()> {
        Ok(self.level.replace_triangles(only_triangles(level)?)?)
    }

    #[wasm_bindgen(js_name = replaceTerrain)]
    pub fn replace_terrain(&mut self, level: &RawLevel) -> Answer<()> {
        Ok(self.level.replace_terrain(level.parts.terrain.clone())?)
    }

    pub fn announce(&mut self, mesh: &mut RawMesh) {
        self.on_mesh(mesh, LiveLevel::announce);
    }

    /// Follows the changes by a number of units, 0 for no limit; whether all is done.
    pub fn step(&mut self, mesh: &mut RawMesh, units: f64) -> Answer<bool> {
        let context = Context { memory_limit: Some(MEMORY_LIMIT), ..Context::default() };
        Ok(self.on_mesh(mesh, |level| level.step(budget(units), &context))?.is_finished())
    }

    pub fn progress(&self) -> JsValue {
        let at = self.level.progress();
        let stage = match at.stage {
            LiveStage::Tiles => "tiles",
            LiveStage::Links => "links",
        };
        let record = Record::new().with("stage", stage);
        record.with("done", at.progress.done as f64).with("total", at.progress.total as f64).done()
    }

    /// The tiles that the last step was done with.
    pub fn rebuilt(&self) -> JsValue {
        rebuilt(self.level.rebuilt())
    }

    #[wasm_bindgen(js_name = aboutToChange)]
    pub fn about_to_change(&self) -> Vec<i32> {
        coords(self.level.obstacles().into_iter().flat_map(Obstacles::about_to_change))
    }

    /// The automatic links that are in the mesh.
    pub fn links(&self) -> JsValue {
        list(self.level.links().into_iter().flat_map(AutoLinks::iter))
    }

    /// Puts obstacles and what tiles are rebuilt from beside the mesh, to be saved with it.
    pub fn store(&self, mesh: &mut RawMesh) {
        let now = mesh.mesh().clone();
        self.level.write_to(&mut mesh.file);
        // It may have been edited since the last step.
        mesh.file.mesh = now;
    }
}
