//! Many questions in one call.

use crate::callback::rethrow;
use crate::fault::{Answer, Fault};
use crate::mesh::RawMesh;
use crate::path::status;
use crate::query::RawQuery;
use crate::volume::points3;
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::query::{find_distance_to_wall, find_nearest, move_along_surface, raycast};

/// Answers to many questions for paths.
#[wasm_bindgen(js_name = RawPaths)]
#[derive(Default)]
pub struct RawPaths {
    statuses: Vec<u8>,
    lengths: Vec<f32>,
    costs: Vec<f32>,
    /// Where the points of each path begin, and where the last end.
    offsets: Vec<u32>,
    points: Vec<f32>,
}

#[wasm_bindgen(js_class = RawPaths)]
impl RawPaths {
    pub fn statuses(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.statuses)
    }

    pub fn lengths(&mut self) -> Vec<f32> {
        core::mem::take(&mut self.lengths)
    }

    pub fn costs(&mut self) -> Vec<f32> {
        core::mem::take(&mut self.costs)
    }

    pub fn offsets(&mut self) -> Vec<u32> {
        core::mem::take(&mut self.offsets)
    }

    pub fn points(&mut self) -> Vec<f32> {
        core::mem::take(&mut self.points)
    }
}

pub(crate) fn pairs(from: &[f32], to: &[f32]) -> Answer<Vec<[Vec3; 2]>> {
    let (from, to) = (points3(from)?, points3(to)?);
    if from.len() != to.len() {
        return Err(Fault::argument(format_args!("{} starts and {} goals do not make pairs", from.len(), to.len())));
    }
    Ok(from.into_iter().zip(to).map(|(from, to)| [from, to]).collect())
}

impl RawQuery {
    /// The paths of many pairs; `search` finds one into the memory, and pulls its string.
    pub(crate) fn paths(
        &mut self,
        from: &[f32],
        to: &[f32],
        search: impl Fn(&mut Self, [Vec3; 2]) -> Answer<()>,
    ) -> Answer<RawPaths> {
        let mut answers = RawPaths { offsets: vec![0], ..RawPaths::default() };
        for ends in pairs(from, to)? {
            search(self, ends)?;
            answers.statuses.push(status(self.path.status));
            answers.lengths.push(self.straight.length);
            answers.costs.push(self.path.cost);
            answers.points.extend(self.straight.points.iter().flat_map(|at| at.point.to_array()));
            answers.offsets.push((answers.points.len() / 3) as u32);
        }
        rethrow()?;
        Ok(answers)
    }
}

#[wasm_bindgen(js_class = RawQuery)]
impl RawQuery {
    #[wasm_bindgen(js_name = findPaths)]
    pub fn find_paths(&mut self, mesh: &RawMesh, from: &[f32], to: &[f32]) -> Answer<RawPaths> {
        self.paths(from, to, |query, ends| query.search(mesh.mesh(), ends, [0, 0]))
    }

    /// The nearest points, and their polygons as those visited; NaN and 0 where nothing is near.
    #[wasm_bindgen(js_name = findNearestMany)]
    pub fn find_nearest_many(&mut self, mesh: &RawMesh, points: &[f32]) -> Answer<RawPlaces> {
        let found = points3(points)?;
        let found = found.into_iter().map(|at| find_nearest(mesh.mesh(), at, self.reach, self.filter()));
        let mut places = RawPlaces::default();
        for nearest in found {
            places.polys.push(nearest.map_or(0, |nearest| nearest.poly.to_bits()));
            places.points.extend(nearest.map_or(Vec3::NAN, |nearest| nearest.point).to_array());
        }
        rethrow()?;
        Ok(places)
    }

    /// How far each ray gets, 0 to 1; NaN where it does not begin on the mesh.
    #[wasm_bindgen(js_name = raycastMany)]
    pub fn raycast_many(&mut self, mesh: &RawMesh, from: &[f32], to: &[f32]) -> Answer<Vec<f32>> {
        let mut reached = Vec::new();
        for [from, to] in pairs(from, to)? {
            reached.push(match self.place(mesh.mesh(), from, 0)? {
                Some(start) => {
                    let ray = raycast(mesh.mesh(), start, to, self.filter.get(), &mut self.scratch)?;
                    if ray.hit { ray.t } else { 1.0 }
                }
                None => f32::NAN,
            });
        }
        rethrow()?;
        Ok(reached)
    }
}

/// More questions.
#[wasm_bindgen(js_class = RawQuery)]
impl RawQuery {
    /// Of each pair: 1 reachable, 0 not, 2 left open by the limits.
    #[wasm_bindgen(js_name = isReachableMany)]
    pub fn is_reachable_many(&mut self, mesh: &RawMesh, from: &[f32], to: &[f32]) -> Answer<Vec<u8>> {
        let mut answers = Vec::new();
        for ends in pairs(from, to)? {
            answers.push(self.reaches(mesh.mesh(), ends, [0, 0])?);
        }
        rethrow()?;
        Ok(answers)
    }

    /// Where each move ends; NaN where it does not begin on the mesh.
    #[wasm_bindgen(js_name = moveAlongMany)]
    pub fn move_along_many(&mut self, mesh: &RawMesh, from: &[f32], to: &[f32]) -> Answer<RawPlaces> {
        let mut places = RawPlaces::default();
        for [from, to] in pairs(from, to)? {
            let start = self.place(mesh.mesh(), from, 0)?;
            let end = match start {
                Some(start) => {
                    Some(move_along_surface(mesh.mesh(), start, to, self.filter.get(), &mut self.scratch)?.place)
                }
                None => None,
            };
            places.polys.push(end.map_or(0, |end| end.poly.to_bits()));
            places.points.extend(end.map_or(Vec3::NAN, |end| end.point).to_array());
        }
        rethrow()?;
        Ok(places)
    }

    /// The distance of each point to the nearest wall; infinite where none is near, NaN beside the mesh.
    #[wasm_bindgen(js_name = wallDistances)]
    pub fn wall_distances(&mut self, mesh: &RawMesh, points: &[f32], max_radius: f32) -> Answer<Vec<f32>> {
        let mut distances = Vec::new();
        for at in points3(points)? {
            distances.push(match self.place(mesh.mesh(), at, 0)? {
                Some(place) => {
                    let filter = self.filter.get();
                    let wall = find_distance_to_wall(mesh.mesh(), place, max_radius, filter, &mut self.scratch)?;
                    wall.map_or(f32::INFINITY, |wall| wall.distance)
                }
                None => f32::NAN,
            });
        }
        rethrow()?;
        Ok(distances)
    }
}

/// Many places on the mesh.
#[wasm_bindgen(js_name = RawPlaces)]
#[derive(Default)]
pub struct RawPlaces {
    polys: Vec<u64>,
    points: Vec<f32>,
}

#[wasm_bindgen(js_class = RawPlaces)]
impl RawPlaces {
    pub fn polys(&mut self) -> Vec<u64> {
        core::mem::take(&mut self.polys)
    }

    pub fn points(&mut self) -> Vec<f32> {
        core::mem::take(&mut self.points)
    }
}
