//! A level: triangles, a height map, volumes.

use crate::fault::{Answer, Fault};
use crate::named::area;
use crate::record::Record;
use crate::volume::{RawVolume, points3};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::input::{HeightMap, HeightScale, Level, MarkedVolume, TriMesh};
use wayfare::math::{Frame, Handedness, UpAxis};

/// What a bake reads. Shared with bakes that are under way: whoever changes it takes a copy.
#[derive(Clone)]
pub(crate) struct LevelParts {
    pub(crate) mesh: TriMesh,
    pub(crate) terrain: Option<HeightMap>,
    pub(crate) volumes: Vec<MarkedVolume>,
}

impl LevelParts {
    pub(crate) fn level(&self) -> Level<'_> {
        Level { mesh: &self.mesh, terrain: self.terrain.as_ref(), volumes: &self.volumes }
    }
}

#[wasm_bindgen(js_name = RawLevel)]
pub struct RawLevel {
    pub(crate) parts: Rc<LevelParts>,
}

fn corners(indices: &[u32]) -> Answer<Vec<[u32; 3]>> {
    let (triangles, rest) = indices.as_chunks::<3>();
    if rest.is_empty() {
        return Ok(triangles.to_vec());
    }
    Err(Fault::argument(format_args!("{} indices are not triangles of 3 each", indices.len())))
}

pub(crate) fn triangles(positions: &[f32], indices: &[u32]) -> Answer<TriMesh> {
    Ok(TriMesh::new(points3(positions)?, corners(indices)?)?)
}

fn frame(is_z_up: bool, is_left_handed: bool, unit: f64) -> Answer<Frame> {
    let up = if is_z_up { UpAxis::Z } else { UpAxis::Y };
    let hand = if is_left_handed { Handedness::Left } else { Handedness::Right };
    Ok(Frame::new(up, hand, unit)?)
}

#[wasm_bindgen(js_class = RawLevel)]
impl RawLevel {
    /// Triangles with an area type each, or none for plain ones.
    #[wasm_bindgen(constructor)]
    pub fn new(positions: &[f32], indices: &[u32], areas: Option<Vec<u8>>) -> Answer<RawLevel> {
        let (verts, tris) = (points3(positions)?, corners(indices)?);
        let mesh = match areas {
            None => TriMesh::new(verts, tris)?,
            Some(areas) => {
                let areas = areas.into_iter().map(AreaId::new).collect::<Result<_, _>>()?;
                TriMesh::with_areas(verts, tris, areas)?
            }
        };
        Ok(Self { parts: Rc::new(LevelParts { mesh, terrain: None, volumes: Vec::new() }) })
    }

    /// The level as it is now.
    pub fn copy(&self) -> RawLevel {
        Self { parts: Rc::clone(&self.parts) }
    }

    /// A level without triangles: for a height map.
    pub fn empty() -> RawLevel {
        let parts = LevelParts { mesh: TriMesh::EMPTY, terrain: None, volumes: Vec::new() };
        Self { parts: Rc::new(parts) }
    }

    /// Triangles in the coordinates of another engine.
    pub fn framed(
        positions: &[f32],
        indices: &[u32],
        is_z_up: bool,
        is_left_handed: bool,
        unit: f64,
    ) -> Answer<RawLevel> {
        let frame = frame(is_z_up, is_left_handed, unit)?;
        let mesh = TriMesh::in_frame(frame, points3(positions)?, corners(indices)?)?;
        Ok(Self { parts: Rc::new(LevelParts { mesh, terrain: None, volumes: Vec::new() }) })
    }

    #[wasm_bindgen(js_name = setTerrain)]
    pub fn set_terrain(
        &mut self,
        size: &[u32],
        samples: Vec<u16>,
        origin: &[f32],
        steps: &[f64],
        area_id: u32,
    ) -> Answer<()> {
        let (&[columns, rows], &[x, y, z], &[spacing, step]) = (size, origin, steps) else {
            return Err(Fault::argument("a height map takes its size, samples, origin, spacing and step"));
        };
        let scale = HeightScale { origin: Vec3::new(x, y, z), spacing, step };
        let map = HeightMap::new(columns, rows, samples, scale)?.with_area(area(area_id)?);
        Rc::make_mut(&mut self.parts).terrain = Some(map);
        Ok(())
    }

    #[wasm_bindgen(js_name = addVolume)]
    pub fn add_volume(&mut self, volume: &RawVolume) {
        Rc::make_mut(&mut self.parts).volumes.push(volume.0.clone());
    }

    #[wasm_bindgen(js_name = clearVolumes)]
    pub fn clear_volumes(&mut self) {
        Rc::make_mut(&mut self.parts).volumes.clear();
    }

    /// The box around all of it, lowest corner first.
    pub fn bounds(&self) -> Vec<f32> {
        let bounds = self.parts.level().bounds();
        [bounds.min.to_array(), bounds.max.to_array()].concat()
    }

    pub fn positions(&self) -> Vec<f32> {
        crate::record::flat(self.parts.mesh.verts().iter().copied())
    }

    pub fn indices(&self) -> Vec<u32> {
        self.parts.mesh.tris().concat()
    }

    /// The area type of each triangle.
    pub fn areas(&self) -> Vec<u8> {
        self.parts.mesh.areas().iter().map(|area| area.get()).collect()
    }

    /// The samples of the height map, if there is one.
    #[wasm_bindgen(js_name = terrainSamples)]
    pub fn terrain_samples(&self) -> Option<Vec<u16>> {
        self.parts.terrain.as_ref().map(|map| map.samples().to_vec())
    }

    /// Columns, rows, origin, spacing, step and area of the height map.
    #[wasm_bindgen(js_name = terrainGrid)]
    pub fn terrain_grid(&self) -> Vec<f64> {
        let Some(map) = &self.parts.terrain else {
            return Vec::new();
        };
        let HeightScale { origin, spacing, step } = map.scale();
        let [x, y, z] = origin.to_array().map(f64::from);
        vec![map.columns().into(), map.rows().into(), x, y, z, spacing, step, map.area().get().into()]
    }

    /// What was left out of the triangles.
    pub fn report(&self) -> JsValue {
        let report = self.parts.mesh.report();
        Record::new()
            .with("notFinite", report.not_finite)
            .with("degenerate", report.degenerate)
            .point("firstNotFiniteAt", report.first_not_finite_at)
            .point("firstDegenerateAt", report.first_degenerate_at)
            .done()
    }
}
