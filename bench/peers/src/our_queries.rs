//! Our side of the queries: the reference's mesh as one of ours, polygon by polygon, and the library's own calls.

use crate::detour::Detour;
use crate::query::{Engine, Errand, Questions};
use crate::recast::DetourMesh;
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::input::BakeSettings;
use wayfare::math::funnel::Portal;
use wayfare::mesh::{Connection, NavMesh, OffMeshConnection, PolyRef};
use wayfare::query::{
    AroundRequest, DefaultFilter, PathRequest, PolyPath, PolyPoint, Raycast, ReachedPoly, SearchScratch, StraightPath,
    find_distance_to_wall, find_nearest, find_path_into, is_reachable, move_along_surface_into, polys_around_into,
    raycast_into, string_pull_into,
};
use wayfare::tile::{
    BakedFor, DetailRange, DetailTri, EdgeNeighbour, Poly, Side, TileBuilder, TileCoord, TileData, TileLayout,
};
use wayfare_scenes::Scene;

/// The reference's mesh, copied: same polygons, same corners, same detail, in the same order.
pub fn mesh_of(theirs: &DetourMesh) -> Result<NavMesh, String> {
    // SAFETY: all pointers lie in the mesh, with the lengths that the headers tell.
    unsafe {
        let params = &*(*theirs.as_ptr()).getParams();
        let layout =
            TileLayout { origin: params.orig.into(), tile_width: params.tileWidth, tile_depth: params.tileHeight };
        NavMesh::from_tiles(layout, theirs.tiles().map(|t| tile_of(t)).collect::<Result<_, _>>()?)
            .map_err(|e| e.to_string())
    }
}

/// SAFETY: `tile` is a tile of a mesh.
unsafe fn tile_of(tile: &recastnavigation_sys::dtMeshTile) -> Result<TileData, String> {
    // SAFETY: the caller's promise.
    unsafe {
        let h = &*tile.header;
        let point = |ptr: *const f32, i: usize| Vec3::from(*ptr.add(i * 3).cast::<[f32; 3]>());
        let mut data = TileBuilder::new(TileCoord { x: h.x, z: h.y, layer: h.layer as u32 });
        (data.bounds.min, data.bounds.max) = (h.bmin.into(), h.bmax.into());
        let (height, radius, climb) = (h.walkableHeight, h.walkableRadius, h.walkableClimb);
        data.baked_for = BakedFor { height, radius, climb, ..BakedFor::NOTHING };
        data.verts = (0..h.vertCount as usize).map(|i| point(tile.verts, i)).collect();
        for p in 0..h.polyCount as usize {
            let poly = &*tile.polys.add(p);
            let first = data.corners.len() as u32;
            let (flags, area) = (PolyFlags(poly.flags), AreaId::from_low_bits(poly.areaAndtype));
            data.polys.push(Poly::new(first, u16::from(poly.vertCount), flags, area));
            for k in 0..usize::from(poly.vertCount) {
                data.corners.push(u32::from(poly.verts[k]));
                data.neighbours.push(match poly.neis[k] {
                    0 => EdgeNeighbour::WALL,
                    n if n & 0x8000 == 0 => EdgeNeighbour::poly(u32::from(n) - 1),
                    n => EdgeNeighbour::border(match n & 0xff {
                        0 => Side::XMax,
                        2 => Side::ZMax,
                        4 => Side::XMin,
                        _ => Side::ZMin,
                    }),
                });
            }
            let detail = &*tile.detailMeshes.add(p);
            data.details.push(DetailRange {
                first_vert: detail.vertBase,
                first_tri: detail.triBase,
                vert_count: u16::from(detail.vertCount),
                tri_count: u16::from(detail.triCount),
            });
        }
        data.detail_verts = (0..h.detailVertCount as usize).map(|i| point(tile.detailVerts, i)).collect();
        let tri = |i: usize| {
            let [a, b, c, flags] = *tile.detailTris.add(i * 4).cast::<[u8; 4]>();
            let outline = (0..3).filter(|k| flags >> (2 * k) & 1 != 0).fold(0, |bits, k| bits | 1 << k);
            DetailTri { verts: [a, b, c].map(u16::from), outline }
        };
        data.detail_tris = (0..h.detailTriCount as usize).map(tri).collect();
        data.build().map_err(|e| e.to_string())
    }
}

/// A scene as we bake it, in tiles of so many cells or, with 0, in one.
pub fn baked(scene: &Scene, tile_size: u32) -> Result<NavMesh, String> {
    let soup = scene.mesh().map_err(|e| e.to_string())?;
    let settings = BakeSettings { tile_size, ..scene.settings };
    let (baked, _) = bake_tiles(&soup, &settings, &Context::default()).map_err(|e| e.to_string())?;
    NavMesh::from_tiles(baked.layout, baked.tiles).map_err(|e| e.to_string())
}

/// Adds off-mesh connections between pairs of places, numbered from 0 by their `user_id`.
pub fn connect<'a>(mesh: &mut NavMesh, ends: impl Iterator<Item = &'a [[f32; 3]]>) -> Result<(), String> {
    for (user_id, ends) in (0..).zip(ends) {
        let connection = OffMeshConnection {
            start: ends[0].into(),
            end: ends[1].into(),
            radius: 0.6,
            two_way: true,
            area: AreaId::from_low_bits(0),
            flags: PolyFlags(1),
            user_id,
        };
        mesh.add_connection(connection).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// Our queries on one mesh, with their memory.
pub struct Ours<'a> {
    mesh: &'a NavMesh,
    filter: DefaultFilter,
    half_extents: Vec3,
    scratch: SearchScratch,
    path: PolyPath,
    straight: StraightPath,
    corridors: Vec<PolyPath>,
    ray: Raycast,
    visited: Vec<PolyRef>,
    reached: Vec<ReachedPoly>,
}

/// An engine, and the reference's questions in our references.
pub fn engine<'a>(
    mesh: &'a NavMesh,
    half_extents: [f32; 3],
    theirs: &Detour<'_>,
    asked: &Questions<u32>,
) -> Result<(Ours<'a>, Questions<PolyRef>), String> {
    let mut ours = Ours {
        mesh,
        filter: DefaultFilter::default(),
        half_extents: half_extents.into(),
        scratch: SearchScratch::new(),
        path: PolyPath::default(),
        straight: StraightPath::default(),
        corridors: Vec::new(),
        ray: Raycast::default(),
        visited: Vec::new(),
        reached: Vec::new(),
    };
    let own = |poly: u32| {
        if let Some(number) = theirs.connection(poly) {
            let found = mesh.connections().find(|c| c.definition().user_id == number);
            return found.map(Connection::reference).ok_or_else(|| format!("no connection {number}"));
        }
        let ([x, z, layer], index) = theirs.place(poly);
        let tile = mesh.tile_at(TileCoord { x, z, layer: layer as u32 });
        tile.map(|t| t.reference(index)).ok_or_else(|| format!("no tile {x}, {z}"))
    };
    let mut questions = Questions { near: asked.near.clone(), errands: Vec::new(), radius: asked.radius };
    for (i, e) in asked.errands.iter().enumerate() {
        let errand = Errand { start: (own(e.start.0)?, e.start.1), end: (own(e.end.0)?, e.end.1), step: e.step };
        let (end, polys) = theirs.corridor(i);
        let polys = polys.iter().map(|&p| own(p)).collect::<Result<Vec<_>, _>>()?;
        ours.keep(&Errand { end: (errand.end.0, end), ..errand }, &polys);
        questions.errands.push(errand);
    }
    Ok((ours, questions))
}

fn place((poly, point): (PolyRef, [f32; 3])) -> PolyPoint {
    PolyPoint { poly, point: point.into() }
}

impl Ours<'_> {
    /// Whether the goal can be reached.
    pub fn is_within_reach(&mut self, errand: &Errand<PolyRef>) -> bool {
        let [start, goal] = [errand.start, errand.end].map(|(poly, at)| PolyPoint { poly, point: at.into() });
        let request = PathRequest::new(start, goal);
        is_reachable(self.mesh, &request, &self.filter, &mut self.scratch) == Ok(Some(true))
    }
}

impl Engine for Ours<'_> {
    type Ref = PolyRef;

    fn nearest(&mut self, point: [f32; 3]) -> Option<(PolyRef, [f32; 3])> {
        let found = find_nearest(self.mesh, point, self.half_extents, &self.filter)?;
        Some((found.poly, found.point.to_array()))
    }

    fn path(&mut self, e: &Errand<PolyRef>) -> bool {
        let request = PathRequest::new(place(e.start), place(e.end));
        let found = find_path_into(self.mesh, &request, &self.filter, &mut self.scratch, &mut self.path);
        found.is_ok() && self.path.status == wayfare::area::PathStatus::Complete
    }

    fn costs_no_more(&self, e: &Errand<PolyRef>, corridor: usize) -> bool {
        let cost = |path: &PolyPath| {
            let (mut sum, mut at) = (0.0, Vec3::from(e.start.1));
            for middle in path.portals.iter().map(Portal::middle).chain([e.end.1.into()]) {
                sum += at.distance(middle);
                at = middle;
            }
            sum
        };
        cost(&self.path) <= cost(&self.corridors[corridor]) * 1.0001
    }

    fn polys(&self) -> &[PolyRef] {
        &self.path.polys
    }

    fn keep(&mut self, e: &Errand<PolyRef>, polys: &[PolyRef]) {
        let path = PolyPath::along(self.mesh, polys, e.start.1.into(), e.end.1.into());
        self.corridors.push(path.unwrap_or_default());
    }

    fn string_pull(&mut self, corridor: usize) {
        string_pull_into(&self.corridors[corridor], &mut self.scratch, &mut self.straight);
    }

    fn string_pull_last(&mut self, _: &Errand<PolyRef>) {
        string_pull_into(&self.path, &mut self.scratch, &mut self.straight);
    }

    fn points(&self) -> Vec<[f32; 3]> {
        self.straight.points.iter().map(|p| p.point.to_array()).collect()
    }

    fn raycast(&mut self, start: (PolyRef, [f32; 3]), end: [f32; 3]) -> f32 {
        let Self { mesh, filter, scratch, ray, .. } = self;
        let asked = raycast_into(mesh, place(start), end.into(), filter, scratch, ray);
        if asked.is_ok() && ray.hit { ray.t } else { 1.0 }
    }

    fn move_along(&mut self, start: (PolyRef, [f32; 3]), end: [f32; 3]) -> [f32; 3] {
        let Self { mesh, filter, scratch, visited, .. } = self;
        let moved = move_along_surface_into(mesh, place(start), end.into(), filter, scratch, visited);
        moved.map_or([f32::NAN; 3], |place| place.point.to_array())
    }

    fn wall(&mut self, at: (PolyRef, [f32; 3]), radius: f32) -> f32 {
        let wall = find_distance_to_wall(self.mesh, place(at), radius, &self.filter, &mut self.scratch);
        wall.map_or(f32::NAN, |wall| wall.map_or(radius, |w| w.distance))
    }

    fn around(&mut self, at: (PolyRef, [f32; 3]), radius: f32) -> usize {
        let Self { mesh, filter, scratch, reached, .. } = self;
        let asked = polys_around_into(mesh, &AroundRequest::circle(place(at), radius), filter, scratch, reached);
        asked.map_or(0, |()| reached.len())
    }
}
