//! Tiles drawn as text, or polygon by polygon, for tests.

use super::{
    DetailRange, DetailTri, EdgeNeighbour, Poly, SourcePoly, TileBuilder, TileCoord, TileData, TileSource, build_tile,
};
use crate::area::{AreaId, PolyFlags};
use crate::math::Aabb;
use glam::{Vec2, Vec3};

/// Polygons from which tiles are built; corners at one place are one vertex.
#[derive(Default)]
pub(crate) struct Drawing {
    verts: Vec<Vec3>,
    corners: Vec<u32>,
    polys: Vec<SourcePoly>,
}

impl Drawing {
    /// Level polygons, by their corners (x, z).
    pub(crate) fn of_polygons<const N: usize>(polygons: &[[[f32; 2]; N]]) -> Self {
        let mut drawing = Self::default();
        for polygon in polygons {
            drawing.add(&polygon.map(|[x, z]| Vec3::new(x, 0.0, z)), AreaId::WALKABLE);
        }
        drawing
    }

    pub(crate) fn add(&mut self, polygon: &[Vec3], area: AreaId) {
        self.polys.push(SourcePoly { count: polygon.len() as u16, flags: PolyFlags::WALK, area });
        for corner in polygon {
            let vert = self.verts.iter().position(|vert| vert == corner);
            self.corners.push(vert.unwrap_or(self.verts.len()) as u32);
            self.verts.extend(vert.is_none().then_some(corner));
        }
    }

    /// Adds a polygon that shares no vertex with others.
    pub(crate) fn add_alone(&mut self, polygon: &[Vec3], area: AreaId) {
        self.polys.push(SourcePoly { count: polygon.len() as u16, flags: PolyFlags::WALK, area });
        self.corners.extend((0..polygon.len()).map(|k| (self.verts.len() + k) as u32));
        self.verts.extend_from_slice(polygon);
    }

    /// A tile in the rectangle between two corners.
    pub(crate) fn tile(&self, coord: TileCoord, frame: [Vec2; 2]) -> TileData {
        self.build(coord, Some(frame))
    }

    /// A tile that stands alone.
    pub(crate) fn alone(&self) -> TileData {
        self.build(TileCoord::default(), None)
    }

    fn build(&self, coord: TileCoord, frame: Option<[Vec2; 2]>) -> TileData {
        let Self { verts, corners, polys } = self;
        let agent = TileSource { agent_height: 2.0, agent_radius: 0.3, agent_climb: 0.5, ..TileSource::default() };
        build_tile(&TileSource { coord, verts, corners, polys, frame, ..agent }).unwrap()
    }
}

impl TileData {
    /// The tile with its lists changed.
    pub(crate) fn edited(&self, edit: impl FnOnce(&mut TileBuilder)) -> Self {
        let mut lists = self.to_builder();
        edit(&mut lists);
        lists.build().unwrap()
    }
}

impl TileBuilder {
    /// Sets the box around all vertices.
    pub(crate) fn fit_bounds(&mut self) {
        self.bounds = Aabb::around(self.verts.iter().chain(&self.detail_verts).copied());
    }

    /// Makes the first polygon, of four corners, a peak of four triangles around a vertex.
    pub(crate) fn raise_peak(&mut self, peak: Vec3) {
        self.detail_verts = vec![peak];
        self.detail_tris = (0..4).map(|k| DetailTri { verts: [k, (k + 1) % 4, 4], outline: 1 }).collect();
        self.details = vec![DetailRange::default(); self.polys.len()];
        self.details[0] = DetailRange { first_vert: 0, first_tri: 0, vert_count: 1, tri_count: 4 };
    }
}

/// A tile of one polygon that may be anything, all walls around it.
pub(crate) fn single_polygon(verts: Vec<Vec3>) -> TileData {
    let mut lists = TileBuilder::default();
    lists.corners = (0..verts.len() as u32).collect();
    lists.neighbours = vec![EdgeNeighbour::WALL; verts.len()];
    lists.polys = vec![Poly::new(0, verts.len() as u16, PolyFlags::WALK, AreaId::WALKABLE)];
    lists.verts = verts;
    lists.build().unwrap()
}

/// A tile with one square polygon, one metre wide, for each letter; `.` is nothing. The first line is the highest z.
/// Areas are the letters' places in the alphabet, digits instead of letters are heights in metres. The tile is as large
/// as the map and lies where its coordinates say.
pub(crate) fn sketch(coord: TileCoord, map: &str) -> TileData {
    let rows: Vec<&[u8]> = map.lines().map(|line| line.trim().as_bytes()).rev().collect();
    let size = Vec2::new(rows[0].len() as f32, rows.len() as f32);
    let low = Vec2::new(coord.x as f32, coord.z as f32) * size;
    let mut drawing = Drawing::default();
    for (z, row) in rows.iter().enumerate() {
        for (x, &cell) in row.iter().enumerate() {
            let (y, area) = match cell {
                b'0'..=b'9' => (f32::from(cell - b'0'), AreaId::WALKABLE),
                b'a'..=b'z' => (0.0, AreaId::new(cell - b'a' + 1).unwrap()),
                _ => continue,
            };
            let corner = |x: usize, z: usize| Vec3::new(low.x + x as f32, y, low.y + z as f32);
            drawing.add(&[corner(x, z), corner(x, z + 1), corner(x + 1, z + 1), corner(x + 1, z)], area);
        }
    }
    drawing.tile(coord, [low, low + size])
}
