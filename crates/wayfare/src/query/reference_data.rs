//! The reference's meshes and its answers, for tests. Where they are missing, a test says that it was skipped.

use crate::area::{AreaId, PolyFlags};
use crate::math::Aabb;
use crate::mesh::NavMesh;
use crate::tile::{DetailRange, DetailTri, EdgeNeighbour, Poly, Side, TileCoord, TileData, TileLayout};
use glam::Vec3;
use serde_json::Value;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");

/// The meshes that have answers.
pub(super) const NAMES: [&str; 4] = ["nav_test_solo", "nav_test_tiled", "dungeon_solo", "dungeon_tiled"];

/// One of the reference's meshes, and its answers.
pub(super) fn load(name: &str) -> Option<(NavMesh, Value)> {
    let mesh = std::fs::read(format!("{DATA}/reference/mesh/navmesh_{name}.bin"));
    let answers = std::fs::read(format!("{DATA}/reference/query/query_{name}.json"));
    let (Ok(mesh), Ok(answers)) = (mesh, answers) else {
        println!("skipped: the reference's mesh and answers `{name}` are not here");
        return None;
    };
    Some((mesh_set(&mesh), serde_json::from_slice(&answers).unwrap()))
}

/// A point in the answers.
pub(super) fn point(value: &Value) -> Vec3 {
    let number = |i: usize| value[i].as_f64().unwrap() as f32;
    Vec3::new(number(0), number(1), number(2))
}

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.0[at..at + 4].try_into().unwrap())
    }
    fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.0[at..at + 2].try_into().unwrap())
    }
    fn f32(&self, at: usize) -> f32 {
        f32::from_bits(self.u32(at))
    }
    fn vec(&self, at: usize) -> Vec3 {
        Vec3::new(self.f32(at), self.f32(at + 4), self.f32(at + 8))
    }
}

fn mesh_set(bytes: &[u8]) -> NavMesh {
    let b = Bytes(bytes);
    let layout = TileLayout { origin: b.vec(12), tile_width: b.f32(24), tile_depth: b.f32(28) };
    let (mut at, mut tiles) = (40, Vec::new());
    for _ in 0..b.u32(8) {
        let size = b.u32(at + 4) as usize;
        tiles.push(tile(&Bytes(&bytes[at + 8..at + 8 + size])));
        at += 8 + size;
    }
    NavMesh::from_tiles(layout, tiles).unwrap()
}

fn tile(b: &Bytes<'_>) -> TileData {
    let head: Vec<u32> = (0..15).map(|i| b.u32(4 * i)).collect();
    let (poly_count, vert_count, links) = (head[6] as usize, head[7] as usize, head[8] as usize);
    let mut data = TileData::empty(TileCoord { x: head[2] as i32, z: head[3] as i32, layer: head[4] });
    (data.agent_height, data.agent_radius, data.agent_climb) = (b.f32(60), b.f32(64), b.f32(68));
    data.bounds = Aabb { min: b.vec(72), max: b.vec(84) };
    data.verts = (0..vert_count).map(|i| b.vec(100 + 12 * i)).collect();
    let polys = 100 + 12 * vert_count;
    for i in 0..poly_count {
        let at = polys + 32 * i;
        let count = b.0[at + 30] as usize;
        data.polys.push(Poly {
            first: data.corners.len() as u32,
            count: count as u16,
            flags: PolyFlags(b.u16(at + 28)),
            area: AreaId::from_low_bits(b.0[at + 31]),
        });
        for k in 0..count {
            data.corners.push(u32::from(b.u16(at + 4 + 2 * k)));
            data.neighbours.push(match b.u16(at + 16 + 2 * k) {
                0 => EdgeNeighbour::WALL,
                n if n & 0x8000 == 0 => EdgeNeighbour::poly(u32::from(n) - 1),
                n => EdgeNeighbour::border([Side::XMax, Side::ZMax, Side::XMin, Side::ZMin][(n & 7) as usize / 2]),
            });
        }
    }
    let details = polys + 32 * poly_count + 12 * links;
    let detail_verts = details + 12 * head[9] as usize;
    let detail_tris = detail_verts + 12 * head[10] as usize;
    for i in 0..head[9] as usize {
        let at = details + 12 * i;
        data.details.push(DetailRange {
            first_vert: b.u32(at),
            first_tri: b.u32(at + 4),
            vert_count: u16::from(b.0[at + 8]),
            tri_count: u16::from(b.0[at + 9]),
        });
    }
    data.detail_verts = (0..head[10] as usize).map(|i| b.vec(detail_verts + 12 * i)).collect();
    for i in 0..head[11] as usize {
        let t = &b.0[detail_tris + 4 * i..];
        let outline = (0..3).filter(|k| t[3] >> (2 * k) & 3 != 0).map(|k| 1 << k).sum();
        data.detail_tris.push(DetailTri { verts: [t[0], t[1], t[2]].map(u16::from), outline });
    }
    data
}
