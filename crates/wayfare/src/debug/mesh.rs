//! Draws a whole mesh: its polygons in their current state, walls, and which tile borders are linked.

use super::tile::{draw_edges, draw_ground};
use super::{DebugSink, Role, draw_connection, draw_one_way_connection};
use crate::mesh::{NavMesh, Tile};
use crate::tile::TileLayout;
use glam::Vec3;

/// Draws a mesh. Where an edge on a tile's border is linked to another tile, it is drawn as [`Role::TileEdge`]; the
/// rest of it as [`Role::Wall`]. Off-mesh connections are drawn as arcs. Tiles are outlined if there is more than one.
pub fn draw_mesh(mesh: &NavMesh, sink: &mut impl DebugSink) {
    for tile in mesh.tiles() {
        if mesh.tile_count() > 1 {
            sink.line(&outline(&mesh.layout(), tile), Role::TileOutline);
        }
        draw_ground(tile.data(), |poly| tile.state(poly).area, sink);
    }
    for tile in mesh.tiles() {
        let mut linked: Vec<(u32, [Vec3; 2])> = tile.links().all().iter().map(|l| (l.edge, [l.a, l.b])).collect();
        linked.sort_by_key(|&(edge, _)| edge);
        draw_edges(tile.data(), sink, |edge, ends, sink| {
            let first = linked.partition_point(|&(e, _)| e < edge);
            let parts = linked[first..].iter().take_while(|&&(e, _)| e == edge).map(|&(_, part)| part);
            draw_border_edge(ends, parts, sink);
        });
    }
    for connection in mesh.connections() {
        let [start, end] = connection.points();
        if connection.definition().two_way {
            draw_connection(start, end, sink);
        } else {
            draw_one_way_connection(start, end, sink);
        }
    }
}

/// Draws the linked parts of an edge, and walls in the gaps between them.
fn draw_border_edge([a, b]: [Vec3; 2], parts: impl Iterator<Item = [Vec3; 2]>, sink: &mut impl DebugSink) {
    // Shorter gaps are rounding errors.
    const LEAST_GAP: f32 = 1e-3;
    let length_squared = (b - a).length_squared().max(f32::MIN_POSITIVE);
    let along = |p: Vec3| ((p - a).dot(b - a) / length_squared).clamp(0.0, 1.0);
    let mut open: Vec<[f32; 2]> = parts.map(|[p, q]| [along(p), along(q)]).collect();
    open.sort_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
    let mut reached = 0.0;
    for [from, to] in open {
        if from > reached + LEAST_GAP {
            sink.line(&[a.lerp(b, reached), a.lerp(b, from)], Role::Wall);
        }
        if to > reached {
            sink.line(&[a.lerp(b, from.max(reached)), a.lerp(b, to)], Role::TileEdge);
            reached = to;
        }
    }
    if reached < 1.0 - LEAST_GAP {
        sink.line(&[a.lerp(b, reached), b], Role::Wall);
    }
}

/// The tile's rectangle in the layout, at the height of its lowest corner.
fn outline(layout: &TileLayout, tile: &Tile) -> [Vec3; 5] {
    let coord = tile.coord();
    let y = tile.bounds().min.y;
    let corner = |dx: i32, dz: i32| {
        let corner = layout.corner(coord.x.saturating_add(dx), coord.z.saturating_add(dz));
        Vec3::new(corner.x, y, corner.y)
    };
    [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1), corner(0, 0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::ShapeList;

    fn drawn(parts: &[[f32; 2]]) -> Vec<(Role, f32, f32)> {
        let at = |x: f32| Vec3::new(x, 0.0, 0.0);
        let mut list = ShapeList::new();
        draw_border_edge([at(0.0), at(10.0)], parts.iter().map(|&[p, q]| [at(p), at(q)]), &mut list);
        list.shapes().iter().map(|s| (s.role, list.points(s)[0].x, list.points(s)[1].x)).collect()
    }

    #[test]
    fn what_is_not_linked_is_a_wall() {
        assert_eq!(drawn(&[]), [(Role::Wall, 0.0, 10.0)]);
        assert_eq!(drawn(&[[0.0, 10.0]]), [(Role::TileEdge, 0.0, 10.0)]);
        assert_eq!(
            drawn(&[[7.0, 10.0], [2.0, 5.0]]),
            [(Role::Wall, 0.0, 2.0), (Role::TileEdge, 2.0, 5.0), (Role::Wall, 5.0, 7.0), (Role::TileEdge, 7.0, 10.0)]
        );
        assert_eq!(drawn(&[[0.0, 6.0], [4.0, 10.0]]), [(Role::TileEdge, 0.0, 6.0), (Role::TileEdge, 6.0, 10.0)]);
    }
}
