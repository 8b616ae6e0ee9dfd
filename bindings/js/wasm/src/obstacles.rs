//! Obstacles that come and go, and the tiles that are rebuilt under them.

use crate::callback::MEMORY_LIMIT;
use crate::checkpoints::RawCheckpoints;
use crate::fault::{Answer, Fault};
use crate::level::{RawLevel, triangles};
use crate::mesh::RawMesh;
use crate::numbers::Numbers;
use crate::record::{Record, to_list};
use crate::volume::RawVolume;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{ObjectLevel, ObjectRef, ObstacleRef, Obstacles, Outcome, RebuiltTile, Request, TileChange};
use wayfare::tile::TileCoord;

#[wasm_bindgen(js_name = RawObstacles)]
pub struct RawObstacles {
    obstacles: Obstacles,
    refs: Numbers<ObstacleRef>,
    last: Option<Request>,
    objects: Option<Objects>,
}

/// Pieces of geometry that move, beside a level that does not.
struct Objects {
    level: ObjectLevel,
    refs: Numbers<ObjectRef>,
}

pub(crate) fn vec3(at: &[f32]) -> Answer<Vec3> {
    let [x, y, z] = crate::volume::fixed("point", at)?;
    Ok(Vec3::new(x, y, z))
}

/// A number of units of work, 0 for no limit.
pub(crate) fn budget(units: f64) -> Budget {
    if units > 0.0 { Budget::new(units as u64) } else { Budget::unlimited() }
}

/// x, z, layer of each.
pub(crate) fn coords(tiles: impl Iterator<Item = TileCoord>) -> Vec<i32> {
    tiles.flat_map(|coord| [coord.x, coord.z, coord.layer as i32]).collect()
}

/// What has become of tiles.
pub(crate) fn rebuilt(tiles: &[RebuiltTile]) -> JsValue {
    to_list(tiles.iter().map(|tile| {
        let change = match tile.change {
            TileChange::Same => "same",
            TileChange::Replaced => "replaced",
            TileChange::Removed => "removed",
            TileChange::Added => "added",
        };
        Record::new()
            .with("x", tile.coord.x)
            .with("z", tile.coord.z)
            .with("layer", tile.coord.layer)
            .with("change", change)
            .with("tile", tile.tile.map_or(0, |tile| tile.to_bits()))
            .done()
    }))
}

#[wasm_bindgen(js_class = RawObstacles)]
impl RawObstacles {
    #[wasm_bindgen(constructor)]
    pub fn new(checkpoints: &RawCheckpoints) -> RawObstacles {
        let obstacles = Obstacles::new(checkpoints.0.clone());
        Self { obstacles, refs: Numbers::new("obstacle"), last: None, objects: None }
    }

    pub fn add(&mut self, volume: &RawVolume) -> Answer<f64> {
        let (reference, request) = self.obstacles.add(volume.0.clone())?;
        self.last = Some(request);
        self.refs.add(reference)
    }

    #[wasm_bindgen(js_name = moveTo)]
    pub fn move_to(&mut self, number: f64, to: &[f32]) -> Answer<()> {
        self.last = Some(self.obstacles.move_to(self.refs.get(number)?, vec3(to)?)?);
        Ok(())
    }

    #[wasm_bindgen(js_name = moveBy)]
    pub fn move_by(&mut self, number: f64, by: &[f32]) -> Answer<()> {
        self.last = Some(self.obstacles.move_by(self.refs.get(number)?, vec3(by)?)?);
        Ok(())
    }

    pub fn replace(&mut self, number: f64, volume: &RawVolume) -> Answer<()> {
        self.last = Some(self.obstacles.replace(self.refs.get(number)?, volume.0.clone())?);
        Ok(())
    }

    pub fn remove(&mut self, number: f64) -> Answer<()> {
        self.last = Some(self.obstacles.remove(self.refs.get(number)?)?);
        self.refs.remove(number)
    }

    pub fn clear(&mut self) -> Answer<()> {
        self.last = Some(self.obstacles.clear());
        self.refs.all().into_iter().try_for_each(|number| self.refs.remove(number))
    }

    /// Has the tiles of a box rebuilt from the level's geometry.
    pub fn invalidate(&mut self, bounds: &[f32]) -> Answer<()> {
        self.last = Some(self.obstacles.invalidate(&crate::volume::bounds(bounds)?));
        Ok(())
    }

    /// The tiles that the last change concerns: x, z, layer of each.
    #[wasm_bindgen(js_name = lastTiles)]
    pub fn last_tiles(&self) -> Vec<i32> {
        coords(self.last.iter().flat_map(|request| &request.tiles).copied())
    }

    /// What has become of the last change.
    #[wasm_bindgen(js_name = lastOutcome)]
    pub fn last_outcome(&self) -> String {
        let outcome = self.last.as_ref().map_or(Outcome::Built, |request| self.obstacles.outcome(request));
        outcome.name().to_owned()
    }

    pub fn count(&self) -> usize {
        self.obstacles.count()
    }

    /// The numbers of all obstacles.
    pub fn numbers(&self) -> Vec<f64> {
        self.refs.all()
    }

    /// The box around an obstacle.
    pub fn bounds(&self, number: f64) -> Answer<Vec<f32>> {
        let bounds = self.obstacles.get(self.refs.get(number)?)?.volume.bounds();
        Ok([bounds.min.to_array(), bounds.max.to_array()].concat())
    }

    /// Rebuilds tiles, by a number of units, 0 for no limit: done and total.
    pub fn step(&mut self, mesh: &mut RawMesh, units: f64) -> Answer<Vec<f64>> {
        let budget = budget(units);
        let context = Context { memory_limit: Some(MEMORY_LIMIT), ..Context::default() };
        let mesh = &mut mesh.file.mesh;
        let progress = match &self.objects {
            None => self.obstacles.step(mesh, budget, &context)?,
            Some(objects) => self.obstacles.step_from(mesh, &objects.level, budget, &context)?,
        };
        Ok(vec![progress.done as f64, progress.total as f64])
    }

    /// The tiles that the last step was done with.
    pub fn rebuilt(&self) -> JsValue {
        rebuilt(self.obstacles.rebuilt())
    }

    #[wasm_bindgen(js_name = aboutToChange)]
    pub fn about_to_change(&self) -> Vec<i32> {
        coords(self.obstacles.about_to_change())
    }
}

/// As bytes.
#[cfg(feature = "extra")]
#[wasm_bindgen(js_class = RawObstacles)]
impl RawObstacles {
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.obstacles.to_bytes()
    }

    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(checkpoints: &RawCheckpoints, bytes: &[u8]) -> Answer<RawObstacles> {
        let obstacles = Obstacles::from_bytes(checkpoints.0.clone(), bytes)?;
        let mut refs = Numbers::new("obstacle");
        obstacles.iter().try_for_each(|(reference, _)| refs.add(reference).map(drop))?;
        Ok(Self { obstacles, refs, last: None, objects: None })
    }
}

/// Geometry that moves.
#[wasm_bindgen(js_class = RawObstacles)]
impl RawObstacles {
    /// Rebuilds from a level from now on, which makes room for objects on it. Objects stay where there was a level before, and
    /// tiles are rebuilt under what is another.
    #[wasm_bindgen(js_name = useLevel)]
    pub fn use_level(&mut self, level: &RawLevel) {
        let Some(objects) = &mut self.objects else {
            let level = ObjectLevel::new(level.parts.level(), self.obstacles.checkpoints().plan());
            self.objects = Some(Objects { level, refs: Numbers::new("object") });
            return;
        };
        let mut changed = objects.level.replace_fixed(level.parts.mesh.clone());
        changed.extend(objects.level.replace_terrain(level.parts.terrain.clone()));
        let requests = changed.iter().map(|bounds| self.obstacles.invalidate(bounds));
        self.last = requests.reduce(|mut all, more| {
            all.tiles.extend(more.tiles);
            all
        });
    }

    fn objects(&mut self) -> Answer<&mut Objects> {
        let none = || Fault::argument("objects need the level: call useLevel first");
        self.objects.as_mut().ok_or_else(none)
    }

    #[wasm_bindgen(js_name = addObject)]
    pub fn add_object(&mut self, positions: &[f32], indices: &[u32], offset: &[f32]) -> Answer<f64> {
        let surface = triangles(positions, indices)?;
        let offset = vec3(offset)?;
        let objects = self.objects()?;
        let (reference, bounds) = objects.level.add(Arc::new(surface), offset)?;
        let number = objects.refs.add(reference)?;
        self.last = Some(self.obstacles.invalidate(&bounds));
        Ok(number)
    }

    #[wasm_bindgen(js_name = moveObject)]
    pub fn move_object(&mut self, number: f64, offset: &[f32]) -> Answer<()> {
        let offset = vec3(offset)?;
        let objects = self.objects()?;
        let reference = objects.refs.get(number)?;
        let [before, after] = objects.level.move_to(reference, offset)?;
        self.last = Some(self.obstacles.invalidate(&before));
        let after = self.obstacles.invalidate(&after);
        if let Some(request) = &mut self.last {
            request.tiles.extend(after.tiles);
        }
        Ok(())
    }

    #[wasm_bindgen(js_name = removeObject)]
    pub fn remove_object(&mut self, number: f64) -> Answer<()> {
        let objects = self.objects()?;
        let reference = objects.refs.get(number)?;
        let bounds = objects.level.remove(reference)?;
        objects.refs.remove(number)?;
        self.last = Some(self.obstacles.invalidate(&bounds));
        Ok(())
    }
}
