//! Questions about what is around a point: polygons, walls, random places, heights.

use crate::callback::rethrow;
use crate::fault::Answer;
use crate::mesh::RawMesh;
use crate::query::RawQuery;
use crate::record::flat;
use crate::refs::{bits, poly};
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::math::Rng;
use wayfare::query::{
    AroundRequest, AroundShape, NeighbourhoodRequest, PointSampler, ReachedPoly, closest_point_on_boundary,
    closest_point_on_poly, find_distance_to_wall, local_neighbourhood, poly_height, polys_around, polys_in_box,
    random_point_in_circle, wall_segments,
};

/// Random numbers from a seed, the same everywhere.
#[wasm_bindgen(js_name = RawRandom)]
pub struct RawRandom(pub(crate) Rng);

#[wasm_bindgen(js_class = RawRandom)]
impl RawRandom {
    #[wasm_bindgen(constructor)]
    pub fn new(seed: u64) -> RawRandom {
        Self(Rng::new(seed))
    }

    pub fn unit(&mut self) -> f32 {
        self.0.unit()
    }

    pub fn below(&mut self, bound: u32) -> u32 {
        self.0.below(bound)
    }
}

/// Polygons that a flood reached.
#[wasm_bindgen(js_name = RawReached)]
pub struct RawReached(Vec<ReachedPoly>);

#[wasm_bindgen(js_class = RawReached)]
impl RawReached {
    pub fn polys(&self) -> Vec<u64> {
        self.0.iter().map(|reached| reached.poly.to_bits()).collect()
    }

    /// The polygon from which each was reached; 0 for the first.
    pub fn parents(&self) -> Vec<u64> {
        self.0.iter().map(|reached| reached.parent.map_or(0, |parent| parent.to_bits())).collect()
    }

    pub fn costs(&self) -> Vec<f32> {
        self.0.iter().map(|reached| reached.cost).collect()
    }
}

fn point(at: &[f32]) -> Answer<Vec3> {
    let [x, y, z] = crate::volume::fixed("point", at)?;
    Ok(Vec3::new(x, y, z))
}

#[wasm_bindgen(js_class = RawQuery)]
impl RawQuery {
    /// Polygons that touch a circle, or a convex shape if it has corners, and can be reached in it.
    #[wasm_bindgen(js_name = polysAround)]
    pub fn polys_around(
        &mut self,
        mesh: &RawMesh,
        at: &[f32],
        from_poly: u64,
        radius: f32,
        corners: &[f32],
    ) -> Answer<RawReached> {
        let corners = crate::volume::points3(corners)?;
        let Some(place) = self.place(mesh.mesh(), point(at)?, from_poly)? else { return Ok(RawReached(Vec::new())) };
        let shape = if corners.is_empty() { AroundShape::Circle(radius) } else { AroundShape::Convex(&corners) };
        let request = AroundRequest { place, shape, placement: self.placement };
        let found = polys_around(mesh.mesh(), &request, self.filter.get(), &mut self.scratch)?;
        rethrow()?;
        Ok(RawReached(found))
    }

    /// Polygons near a point that do not overlap one another.
    pub fn neighbourhood(
        &mut self,
        mesh: &RawMesh,
        at: &[f32],
        from_poly: u64,
        radius: f32,
        is_by_distance: bool,
    ) -> Answer<Vec<u64>> {
        let Some(place) = self.place(mesh.mesh(), point(at)?, from_poly)? else { return Ok(Vec::new()) };
        let request = NeighbourhoodRequest::new(place, radius);
        let request = if is_by_distance { request.by_distance() } else { request };
        let found = local_neighbourhood(mesh.mesh(), &request, self.filter.get(), &mut self.scratch)?;
        rethrow()?;
        Ok(bits(&found))
    }

    #[wasm_bindgen(js_name = polysInBox)]
    pub fn polys_in_box(&self, mesh: &RawMesh, bounds: &[f32]) -> Answer<Vec<u64>> {
        let found = polys_in_box(mesh.mesh(), &crate::volume::bounds(bounds)?, self.filter());
        rethrow()?;
        Ok(bits(&found))
    }

    /// The nearest wall: distance, point, normal, its two ends; empty if there is none.
    #[wasm_bindgen(js_name = nearestWall)]
    pub fn nearest_wall(&mut self, mesh: &RawMesh, at: &[f32], from_poly: u64, max_radius: f32) -> Answer<Vec<f32>> {
        let Some(place) = self.place(mesh.mesh(), point(at)?, from_poly)? else { return Ok(Vec::new()) };
        let found = find_distance_to_wall(mesh.mesh(), place, max_radius, self.filter.get(), &mut self.scratch)?;
        rethrow()?;
        let Some(found) = found else { return Ok(Vec::new()) };
        let mut numbers = vec![found.distance];
        numbers.extend(flat([found.point, found.normal, found.wall.start, found.wall.end]));
        Ok(numbers)
    }

    /// The walls of a polygon, two points each.
    pub fn walls(&self, mesh: &RawMesh, reference: u64) -> Answer<Vec<f32>> {
        let walls = wall_segments(mesh.mesh(), poly(reference)?, self.filter())?;
        rethrow()?;
        Ok(flat(walls.iter().flat_map(|wall| [wall.start, wall.end])))
    }

    /// A random place: its point; its polygon is the one that was visited.
    #[wasm_bindgen(js_name = randomPoint)]
    pub fn random_point(&mut self, mesh: &RawMesh, random: &mut RawRandom) -> Answer<Vec<f32>> {
        let sampler = match self.sampler.take() {
            Some(sampler) => sampler,
            None => {
                let sampler = PointSampler::on_mesh(mesh.mesh(), self.filter());
                rethrow()?;
                sampler
            }
        };
        let found = self.sampler.insert(sampler).sample(mesh.mesh(), &mut random.0)?;
        Ok(self.visited_at(found))
    }

    /// Many random places, spread evenly over the mesh: points one after another.
    #[wasm_bindgen(js_name = randomPoints)]
    pub fn random_points(&mut self, mesh: &RawMesh, random: &mut RawRandom, count: u32) -> Answer<Vec<f32>> {
        let mut points = Vec::new();
        for _ in 0..count {
            points.extend(self.random_point(mesh, random)?);
        }
        Ok(points)
    }

    #[wasm_bindgen(js_name = randomPointAround)]
    pub fn random_point_around(
        &mut self,
        mesh: &RawMesh,
        at: &[f32],
        from_poly: u64,
        radius: f32,
        random: &mut RawRandom,
    ) -> Answer<Vec<f32>> {
        let Some(place) = self.place(mesh.mesh(), point(at)?, from_poly)? else { return Ok(Vec::new()) };
        let (filter, scratch) = (self.filter.get(), &mut self.scratch);
        let found = random_point_in_circle(mesh.mesh(), place, radius, filter, scratch, &mut random.0)?;
        rethrow()?;
        Ok(self.visited_at(found))
    }

    fn visited_at(&mut self, found: Option<wayfare::mesh::PolyPoint>) -> Vec<f32> {
        self.visited.clear();
        self.visited.extend(found.map(|place| place.poly));
        found.map_or_else(Vec::new, |place| place.point.to_array().to_vec())
    }

    /// Height of a polygon's surface at a point of the plane; `undefined` beside it.
    #[wasm_bindgen(js_name = polyHeight)]
    pub fn poly_height(&self, mesh: &RawMesh, reference: u64, at: &[f32]) -> Answer<Option<f32>> {
        Ok(poly_height(mesh.mesh(), poly(reference)?, point(at)?)?)
    }

    /// The nearest point of a polygon, or of its outline.
    #[wasm_bindgen(js_name = closestPoint)]
    pub fn closest_point(&self, mesh: &RawMesh, reference: u64, at: &[f32], is_on_outline: bool) -> Answer<Vec<f32>> {
        let (reference, at) = (poly(reference)?, point(at)?);
        let point = if is_on_outline {
            closest_point_on_boundary(mesh.mesh(), reference, at)?
        } else {
            closest_point_on_poly(mesh.mesh(), reference, at)?.point
        };
        Ok(point.to_array().to_vec())
    }
}
