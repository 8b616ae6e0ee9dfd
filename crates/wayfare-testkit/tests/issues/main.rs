//! One file for each fault that users of navigation meshes have met, elsewhere or here. The first paragraph of each
//! says what a user saw.

#[path = "049_a_thousand_ask_at_once.rs"]
mod a_thousand_ask_at_once;
#[path = "026_alone_beside_a_wall.rs"]
mod alone_beside_a_wall;
#[path = "063_announced_and_not_changed.rs"]
mod announced_and_not_changed;
#[path = "051_bent_in_the_open.rs"]
mod bent_in_the_open;
#[path = "046_clearance_far_and_small.rs"]
mod clearance_far_and_small;
#[path = "014_clipped_triangles.rs"]
mod clipped_triangles;
#[path = "038_closed_doors.rs"]
mod closed_doors;
#[path = "001_detail_without_samples.rs"]
mod detail_without_samples;
#[path = "030_details_that_polygons_share.rs"]
mod details_that_polygons_share;
#[path = "052_doors_that_reopen.rs"]
mod doors_that_reopen;
#[path = "028_edges_on_one_another.rs"]
mod edges_on_one_another;
#[path = "057_ends_between_tiles.rs"]
mod ends_between_tiles;
#[path = "008_even_rings.rs"]
mod even_rings;
#[path = "020_far_connections.rs"]
mod far_connections;
#[path = "012_far_crowds.rs"]
mod far_crowds;
#[path = "022_floors_and_shared_edges.rs"]
mod floors_and_shared_edges;
#[path = "044_flows_of_people.rs"]
mod flows_of_people;
#[path = "017_four_tiles.rs"]
mod four_tiles;
#[path = "037_gathering.rs"]
mod gathering;
#[path = "021_holes_and_folds.rs"]
mod holes_and_folds;
#[path = "047_hollow_bodies.rs"]
mod hollow_bodies;
mod hostile;
#[path = "013_large_levels.rs"]
mod large_levels;
#[path = "029_layers_of_one_column.rs"]
mod layers_of_one_column;
#[path = "006_low_corner_boxes.rs"]
mod low_corner_boxes;
#[path = "005_many_detail_vertices.rs"]
mod many_detail_vertices;
#[path = "003_many_regions.rs"]
mod many_regions;
#[path = "033_memory_limits.rs"]
mod memory_limits;
#[path = "023_moves_and_places.rs"]
mod moves_and_places;
#[path = "009_nearest_neighbours.rs"]
mod nearest_neighbours;
#[path = "050_nodes_of_another_search.rs"]
mod nodes_of_another_search;
#[path = "059_one_tile_of_a_file.rs"]
mod one_tile_of_a_file;
#[path = "034_parts_of_height_maps.rs"]
mod parts_of_height_maps;
#[path = "019_points_in_a_circle.rs"]
mod points_in_a_circle;
#[path = "041_priority.rs"]
mod priority;
#[path = "002_rows_of_layers.rs"]
mod rows_of_layers;
#[path = "060_sections_of_others.rs"]
mod sections_of_others;
#[path = "018_shortcuts_in_any_direction.rs"]
mod shortcuts_in_any_direction;
#[path = "045_slits.rs"]
mod slits;
#[path = "048_stale_tile.rs"]
mod stale_tile;
#[path = "053_stopping_a_large_tile.rs"]
mod stopping_a_large_tile;
#[path = "004_tall_columns.rs"]
mod tall_columns;
#[path = "015_tall_worlds.rs"]
mod tall_worlds;
#[path = "016_tile_seams.rs"]
mod tile_seams;
#[path = "027_towers_in_layers.rs"]
mod towers_in_layers;
#[path = "011_triangle_order.rs"]
mod triangle_order;
#[path = "032_triangles_on_one_another.rs"]
mod triangles_on_one_another;
#[path = "010_unreachable_goals.rs"]
mod unreachable_crowd_goals;
#[path = "024_unreachable_goals.rs"]
mod unreachable_goals;
#[path = "061_what_has_changed.rs"]
mod what_has_changed;
#[path = "054_where_warnings_are.rs"]
mod where_warnings_are;

use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::bake::{BakeReport, bake_tiles};
use wayfare::context::Context;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::tile::{SourcePoly, TileCoord, TileData, TileLayout, TileSource, build_tile};

/// Level rectangles that face up, as [low x, high x], [low z, high z] and height.
fn floors(rectangles: &[([f32; 2], [f32; 2], f32)]) -> TriMesh {
    let (mut verts, mut tris) = (Vec::new(), Vec::new());
    for &(x, z, y) in rectangles {
        let first = verts.len() as u32;
        verts.extend([[x[0], y, z[0]], [x[0], y, z[1]], [x[1], y, z[1]], [x[1], y, z[0]]].map(Vec3::from));
        tris.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    TriMesh::new(verts, tris).unwrap()
}

/// A surface over `columns` × `rows` squares of `side` metres, with the heights of their corners.
fn surface(columns: u32, rows: u32, side: f32, height: impl Fn(u32, u32) -> f32) -> TriMesh {
    let (mut verts, mut tris) = (Vec::new(), Vec::new());
    for row in 0..=rows {
        verts.extend(
            (0..=columns).map(|column| Vec3::new(column as f32 * side, height(column, row), row as f32 * side)),
        );
    }
    for row in 0..rows {
        for column in 0..columns {
            let a = row * (columns + 1) + column;
            let (b, c, d) = (a + columns + 1, a + columns + 2, a + 1);
            tris.extend([[a, b, c], [a, c, d]]);
        }
    }
    TriMesh::new(verts, tris).unwrap()
}

fn bake(level: &TriMesh, settings: &BakeSettings) -> (NavMesh, BakeReport) {
    let (baked, report) = bake_tiles(level, settings, &Context::default()).unwrap();
    (NavMesh::from_tiles(baked.layout, baked.tiles).unwrap(), report)
}

/// The polygon within `reach` metres above or below a point, and its height there.
fn ground_at(mesh: &NavMesh, point: Vec3, reach: f32) -> Option<(PolyRef, f32)> {
    let (mut found, near) = (None, Aabb::from_center(point, Vec3::new(0.0, reach, 0.0)));
    mesh.tiles_in_box(&near, |tile| {
        tile.tree().polys_in_box(&near, |poly, _| {
            let height = tile.data().height_at(poly, point).filter(|y| (y - point.y).abs() <= reach);
            found = height.map(|y| (tile.reference(poly), y)).or(found);
        });
    });
    found
}

/// A tile that is one square of four by four metres, in a row along x.
fn square(x: i32) -> TileData {
    let low = 4.0 * x as f32;
    let verts = [[low, 0.0], [low, 4.0], [low + 4.0, 4.0], [low + 4.0, 0.0]].map(|[x, z]| Vec3::new(x, 0.0, z));
    let polys = [SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE }];
    let coord = TileCoord { x, z: 0, layer: 0 };
    build_tile(&TileSource { coord, verts: &verts, corners: &[0, 1, 2, 3], polys: &polys, ..TileSource::default() })
        .unwrap()
}

/// A mesh of so many of these squares.
fn row_of_squares(count: i32) -> NavMesh {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 4.0 };
    NavMesh::from_tiles(layout, (0..count).map(square).collect()).unwrap()
}
