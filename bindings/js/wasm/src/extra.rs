//! The full build: shortest paths in any direction, paths over tiles first, meshes for wider agents, outlines.

use crate::callback::rethrow;
use crate::fault::Answer;
use crate::filter::RawFilter;
use crate::mesh::RawMesh;
use crate::path::pack;
use crate::query::RawQuery;
use crate::volume::points2;
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::hierarchy::{AbstractGraph, HierarchyScratch, InMemory, Refinement, find_hierarchical_path};
use wayfare::math::{Hull3, convex_hull, convex_hull3};
use wayfare::mesh::NavMesh;
use wayfare::query::{ClearanceMesh, OptimalSource, PathRequest, extra_radius, find_optimal_path, string_pull};
use wayfare::tile::{TileKeys, build_outline_tile};

fn ends(numbers: &[f32]) -> Answer<[Vec3; 2]> {
    let [a, b, c, x, y, z] = crate::volume::fixed("question", numbers)?;
    Ok([Vec3::new(a, b, c), Vec3::new(x, y, z)])
}

fn request(query: &RawQuery, mesh: &NavMesh, numbers: &[f32]) -> Answer<Option<PathRequest>> {
    let [from, to] = ends(numbers)?;
    let (Some(start), Some(goal)) = (query.place(mesh, from, 0)?, query.place(mesh, to, 0)?) else { return Ok(None) };
    Ok(Some(PathRequest { start, goal, limits: query.limits, placement: query.placement }))
}

/// The shortest path, not over the middles of portals: the bound and the source first, then a path.
#[wasm_bindgen(js_name = findOptimalPath)]
pub fn optimal_path(query: &mut RawQuery, mesh: &RawMesh, numbers: &[f32]) -> Answer<Vec<f32>> {
    query.path.clear();
    let mut packed = vec![0.0, 0.0];
    query.straight.points.clear();
    query.straight.length = 0.0;
    if let Some(request) = request(query, mesh.mesh(), numbers)? {
        let found = find_optimal_path(mesh.mesh(), &request, query.filter.get(), &mut query.scratch)?;
        packed = vec![found.bound, f32::from(u8::from(found.source == OptimalSource::AnyAngle))];
        query.path = found.path;
        query.straight = found.straight;
    }
    rethrow()?;
    packed.extend(pack(&query.path, &query.straight));
    Ok(packed)
}

/// What leads from tile to tile.
#[wasm_bindgen(js_name = RawGraph)]
pub struct RawGraph {
    graph: AbstractGraph,
    scratch: HierarchyScratch,
}

#[wasm_bindgen(js_class = RawGraph)]
impl RawGraph {
    #[wasm_bindgen(constructor)]
    pub fn new(mesh: &RawMesh) -> RawGraph {
        Self { graph: AbstractGraph::new(mesh.mesh()), scratch: HierarchyScratch::new() }
    }

    /// Follows the mesh; returns how many tiles were looked at anew.
    pub fn update(&mut self, mesh: &RawMesh) -> u32 {
        self.graph.update(mesh.mesh())
    }

    /// A path over tiles first: abstract nodes and corridors come before it. Refinement 0 is whole, 1 the nearest exit,
    /// 2 the pulled exit, any other so many tiles at once.
    #[wasm_bindgen(js_name = findPath)]
    pub fn find_path(
        &mut self,
        query: &mut RawQuery,
        mesh: &RawMesh,
        numbers: &[f32],
        refinement: u32,
    ) -> Answer<Vec<f32>> {
        self.graph.update(mesh.mesh());
        let refinement = match refinement {
            0 => Refinement::Whole,
            1 => Refinement::NearestExit,
            2 => Refinement::PulledExit,
            tiles => Refinement::Workspace(tiles - 2),
        };
        query.path.clear();
        let mut packed = vec![0.0, 0.0];
        if let Some(request) = request(query, mesh.mesh(), numbers)? {
            let mut world = InMemory::new(mesh.mesh(), &self.graph);
            let filter = query.filter.get();
            let found = find_hierarchical_path(&mut world, &request, refinement, filter, &mut self.scratch)?;
            packed = vec![found.abstract_nodes as f32, found.corridors as f32];
            query.path = found.path;
        }
        query.straight = string_pull(&query.path, &mut query.scratch);
        rethrow()?;
        packed.extend(pack(&query.path, &query.straight));
        Ok(packed)
    }
}

/// A mesh cut from another for wider agents.
#[wasm_bindgen(js_name = RawClearance)]
pub struct RawClearance(ClearanceMesh);

#[wasm_bindgen(js_class = RawClearance)]
impl RawClearance {
    #[wasm_bindgen(constructor)]
    pub fn new(base: &RawMesh, radius: f32, filter: &RawFilter) -> Answer<RawClearance> {
        let mesh = ClearanceMesh::new(base.mesh(), radius, filter.get())?;
        rethrow()?;
        Ok(Self(mesh))
    }

    pub fn mesh(&self) -> RawMesh {
        RawMesh::new(self.0.mesh().clone(), TileKeys::EMPTY)
    }

    /// Follows changes of the mesh below; returns how many tiles were cut anew.
    pub fn follow(&mut self, base: &RawMesh, filter: &RawFilter) -> Answer<u32> {
        let count = self.0.follow(base.mesh(), filter.get())?;
        rethrow()?;
        Ok(count)
    }

    #[wasm_bindgen(js_name = basePoly)]
    pub fn base_poly(&self, reference: u64) -> Answer<u64> {
        Ok(self.0.base_poly(crate::refs::poly(reference)?).map_or(0, |poly| poly.to_bits()))
    }
}

/// A mesh on a plane from outlines with holes: x and z of all corners, and how many each outline has.
#[wasm_bindgen(js_name = meshFromOutlines)]
pub fn mesh_from_outlines(corners: &[f32], counts: &[u32], y: f32) -> Answer<RawMesh> {
    let corners = points2(corners)?;
    let mut rest = &corners[..];
    let mut outlines = Vec::new();
    for count in counts {
        let Some((outline, after)) = rest.split_at_checked(*count as usize) else {
            return Err(crate::fault::Fault::argument("the outlines have more corners than were given"));
        };
        outlines.push(outline.to_vec());
        rest = after;
    }
    Ok(RawMesh::new(NavMesh::from_tile(build_outline_tile(&outlines, y)?)?, TileKeys::EMPTY))
}

/// By how much an agent is wider than those that a mesh was baked for.
#[wasm_bindgen(js_name = extraRadius)]
pub fn extra_radius_of(mesh: &RawMesh, radius: f32) -> f32 {
    extra_radius(mesh.mesh(), radius)
}

/// The corners of the convex hull of points of the plane, as their numbers.
#[wasm_bindgen(js_name = convexHull)]
pub fn hull2(points: &[f32]) -> Answer<Vec<u32>> {
    Ok(convex_hull(&points2(points)?))
}

/// The triangles of the convex hull of points, or the one line or point that it is: three, two or one number each.
#[wasm_bindgen(js_name = convexHull3)]
pub fn hull3(points: &[f32]) -> Answer<Vec<u32>> {
    Ok(match convex_hull3(&crate::volume::points3(points)?) {
        Hull3::Empty => Vec::new(),
        Hull3::Point(point) => vec![point],
        Hull3::Line(ends) => ends.to_vec(),
        // A polygon, as triangles of both sides.
        Hull3::Flat(corners) => corners
            .windows(2)
            .skip(1)
            .flat_map(|pair| [corners[0], pair[0], pair[1], corners[0], pair[1], pair[0]])
            .collect(),
        Hull3::Solid(solid) => solid.triangles.concat(),
    })
}

/// Many shortest paths: their lengths, infinite where there is none.
#[wasm_bindgen(js_name = optimalLengths)]
pub fn optimal_lengths(query: &mut RawQuery, mesh: &RawMesh, from: &[f32], to: &[f32]) -> Answer<Vec<f32>> {
    let mut lengths = Vec::new();
    for [from, to] in crate::batch::pairs(from, to)? {
        let places = (query.place(mesh.mesh(), from, 0)?, query.place(mesh.mesh(), to, 0)?);
        let (Some(start), Some(goal)) = places else {
            lengths.push(f32::INFINITY);
            continue;
        };
        let request = PathRequest { start, goal, limits: query.limits, placement: query.placement };
        let found = find_optimal_path(mesh.mesh(), &request, query.filter.get(), &mut query.scratch)?;
        let is_complete = found.path.status == wayfare::area::PathStatus::Complete;
        lengths.push(if is_complete { found.straight.length } else { f32::INFINITY });
    }
    rethrow()?;
    Ok(lengths)
}
