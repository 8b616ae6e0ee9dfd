//! Tiles drawn as text, for tests.

use super::{SourcePoly, TileCoord, TileData, TileSource, build_tile};
use crate::area::{AreaId, PolyFlags};
use glam::{Vec2, Vec3};

/// A tile with one square polygon, one metre wide, for each letter; `.` is nothing. The first line is the highest z.
/// Areas are the letters' places in the alphabet, digits instead of letters are heights in metres. The tile is as large
/// as the map and lies where its coordinates say.
pub(crate) fn sketch(coord: TileCoord, map: &str) -> TileData {
    let rows: Vec<&[u8]> = map.lines().map(|line| line.trim().as_bytes()).rev().collect();
    let (width, depth) = (rows[0].len(), rows.len());
    let low = Vec2::new(coord.x as f32 * width as f32, coord.z as f32 * depth as f32);
    let (mut verts, mut corners, mut polys) = (Vec::new(), Vec::new(), Vec::new());
    let mut vert = |x: usize, y: f32, z: usize| {
        let v = Vec3::new(low.x + x as f32, y, low.y + z as f32);
        verts.iter().position(|&w| w == v).unwrap_or_else(|| {
            verts.push(v);
            verts.len() - 1
        }) as u32
    };
    for (z, row) in rows.iter().enumerate() {
        for (x, &cell) in row.iter().enumerate() {
            let (y, area) = match cell {
                b'0'..=b'9' => (f32::from(cell - b'0'), AreaId::WALKABLE),
                b'a'..=b'z' => (0.0, AreaId::new(cell - b'a' + 1).unwrap()),
                _ => continue,
            };
            corners.extend([vert(x, y, z), vert(x, y, z + 1), vert(x + 1, y, z + 1), vert(x + 1, y, z)]);
            polys.push(SourcePoly { count: 4, flags: PolyFlags::WALK, area });
        }
    }
    build_tile(&TileSource {
        coord,
        agent_height: 2.0,
        agent_radius: 0.3,
        agent_climb: 0.5,
        verts: &verts,
        corners: &corners,
        polys: &polys,
        frame: Some([low, low + Vec2::new(width as f32, depth as f32)]),
        ..TileSource::default()
    })
    .unwrap()
}
