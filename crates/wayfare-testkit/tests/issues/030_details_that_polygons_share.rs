//! A file of 3.6 MB took a minute to read: each of its polygons has all of the tile's detail triangles. Details belong
//! to one polygon; a tile whose polygons share them is refused.

use super::hostile::{add_triangle, tile_at};
use wayfare::Vec3;
use wayfare::tile::{DetailRange, DetailTri, TileError};

#[test]
fn polygons_with_the_same_details_are_refused() {
    let mut tile = tile_at(0, 0);
    for _ in 0..40 {
        add_triangle(&mut tile, [Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], None);
    }
    tile.detail_tris = vec![DetailTri { verts: [0, 1, 2], outline: 0 }; 40];
    let own = |k: u32| DetailRange { first_vert: 0, first_tri: k, vert_count: 0, tri_count: 1 };
    tile.details = (0..40).map(own).collect();
    assert!(tile.build().is_ok());
    tile.details.fill(DetailRange { tri_count: 40, ..own(0) });
    let shared = TileError::Shared { what: "detail triangles", used: 1600, have: 40 };
    assert_eq!(tile.build(), Err(shared));
    assert!(shared.to_string().contains("give each polygon its own"));
}
