//! Draws a single tile: its polygons, its edges, its detail triangles.

use super::{DebugSink, Role};
use crate::area::AreaId;
use crate::tile::{EdgeNeighbour, TileData};
use glam::Vec3;

/// Draws the polygons of a tile and their edges. Edges on the tile's border are drawn as [`Role::TileEdge`], since a
/// single tile has no information about its neighbours.
pub fn draw_tile(tile: &TileData, sink: &mut impl DebugSink) {
    draw_ground(tile, |poly| tile.polys()[poly as usize].area, sink);
    draw_edges(tile, sink, |_, ends, sink| sink.line(&ends, Role::TileEdge));
}

/// Draws the polygons of a tile, with the area types that `area` returns.
pub(super) fn draw_ground(tile: &TileData, area: impl Fn(u32) -> AreaId, sink: &mut impl DebugSink) {
    let mut corners = Vec::new();
    for poly in 0..tile.polys().len() as u32 {
        corners.clear();
        corners.extend(tile.points_of(poly));
        sink.polygon(&corners, Role::Ground(area(poly)));
    }
}

/// Draws walls and inner edges. For each edge on the tile's border it calls `border` with the edge's first corner (as
/// an index into [`TileData::corners`]) and its two ends.
pub(super) fn draw_edges<S: DebugSink>(tile: &TileData, sink: &mut S, mut border: impl FnMut(u32, [Vec3; 2], &mut S)) {
    for poly in 0..tile.polys().len() as u32 {
        for (corner, &beyond) in tile.corner_range(poly).zip(tile.neighbours_of(poly)) {
            let ends = tile.edge(poly, corner as u32);
            match (beyond, beyond.as_poly()) {
                (EdgeNeighbour::WALL, _) => sink.line(&ends, Role::Wall),
                // Each inner edge has two sides; draw it from the lower polygon.
                (_, Some(other)) if other < poly => {}
                (_, Some(_)) => sink.line(&ends, Role::InnerEdge),
                (_, None) => border(corner as u32, ends, sink),
            }
        }
    }
}

/// Draws the edges of a tile's detail triangles.
pub fn draw_tile_detail(tile: &TileData, sink: &mut impl DebugSink) {
    for (poly, detail) in (0u32..).zip(tile.details()) {
        let corners = tile.corners_of(poly);
        let vert = |v: u16| match usize::from(v).checked_sub(corners.len()) {
            None => tile.verts()[corners[usize::from(v)] as usize],
            Some(extra) => tile.detail_verts()[detail.first_vert as usize + extra],
        };
        let first = detail.first_tri as usize;
        for tri in &tile.detail_tris()[first..first + usize::from(detail.tri_count)] {
            let [a, b, c] = tri.verts.map(vert);
            sink.line(&[a, b, c, a], Role::DetailEdge);
        }
    }
}
