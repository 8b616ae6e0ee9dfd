//! Where the walls of a tile are no longer those of the tile that it replaces.
//!
//! A tile is rebuilt around an obstacle that moves. Agents on the other side of the tile see the same walls as before,
//! and no path through there has become shorter. So the two outlines are compared, edge by edge:
//!
//! ```text
//!   .-----------.     .-----------.     .-----------.
//!   |  []       |     |   []      |     |  ###      |
//!   |           |  →  |           |     |  ###      |      ### changed
//!   |           |     |           |     |           |
//!   '-----------'     '-----------'     '-----------'
//! ```
//!
//! Cost: sorting the edges of the two tiles.
//!
//! Sources: none needed.

use crate::math::Aabb;
use crate::mesh::Tile;
use glam::Vec3;

/// The box of all walls that only one of two tiles in the same place has; of both tiles if their polygons differ in
/// area types or flags, since these decide what is a wall for an agent. Empty if there is no difference.
pub(super) fn changed_ground(before: &Tile, now: &Tile) -> Aabb {
    let mut states = before.states().iter().chain(now.states());
    let first = states.next();
    if !states.all(|state| Some(state) == first) {
        return before.bounds().union(now.bounds());
    }
    let [before, now] = [before, now].map(walls);
    let only_in = |walls: &[WallBits], others: &[WallBits]| {
        let is_new = |wall: &&WallBits| others.binary_search(wall).is_err();
        Aabb::around(walls.iter().filter(is_new).flat_map(|wall| wall.map(|p| Vec3::from(p.map(f32::from_bits)))))
    };
    only_in(&before, &now).union(only_in(&now, &before))
}

/// Both ends of a wall, as bits, which have a total order.
type WallBits = [[u32; 3]; 2];

/// The edges of a tile that do not lead to another of its polygons, sorted.
fn walls(tile: &Tile) -> Vec<WallBits> {
    let data = tile.data();
    let mut walls = Vec::new();
    for poly in 0..tile.poly_count() {
        for (corner, neighbour) in data.corner_range(poly).zip(data.neighbours_of(poly)) {
            if neighbour.as_poly().is_none() {
                walls.push(data.edge(poly, corner as u32).map(|end| end.to_array().map(f32::to_bits)));
            }
        }
    }
    walls.sort_unstable();
    walls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::PolyFlags;
    use crate::mesh::NavMesh;
    use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};

    fn mesh(picture: &str) -> NavMesh {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 6.0, tile_depth: 6.0 };
        NavMesh::from_tiles(layout, vec![sketch(TileCoord { x: 0, z: 0, layer: 0 }, picture)]).unwrap()
    }

    fn changed(before: &NavMesh, now: &NavMesh) -> Aabb {
        changed_ground(before.tiles().next().unwrap(), now.tiles().next().unwrap())
    }

    #[test]
    fn only_around_what_has_moved() {
        let open = mesh("aaaaaa\naaaaaa\naaaaaa\naaaaaa\naaaaaa\naaaaaa");
        let near = mesh("aaaaaa\na.aaaa\naaaaaa\naaaaaa\naaaaaa\naaaaaa");
        let moved = mesh("aaaaaa\naa.aaa\naaaaaa\naaaaaa\naaaaaa\naaaaaa");
        let cells =
            |x: [f32; 2], z: [f32; 2]| Aabb { min: Vec3::new(x[0], 0.0, z[0]), max: Vec3::new(x[1], 0.0, z[1]) };
        assert!(changed(&open, &open).is_empty());
        assert_eq!(changed(&open, &near), cells([1.0, 2.0], [4.0, 5.0]));
        assert_eq!(changed(&near, &moved), cells([1.0, 3.0], [4.0, 5.0]));
        assert_eq!(changed(&moved, &near), changed(&near, &moved));
    }

    #[test]
    fn a_polygon_that_may_be_closed_counts_as_a_whole() {
        let open = mesh("aa\naa");
        let mut closed = open.clone();
        let tile = open.tiles().next().unwrap();
        closed.set_flags(tile.reference(0), PolyFlags::NONE).unwrap();
        assert_eq!(changed(&open, &closed), tile.bounds());
    }
}
