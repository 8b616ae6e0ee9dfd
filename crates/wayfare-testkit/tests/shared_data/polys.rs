//! Polygons and their detail on the reference's levels: sound, as near to the ground as the reference's, and no more of
//! them.

use wayfare::Vec3;
use wayfare::bake::{
    BakeReport, ContourSettings, DetailInput, DetailMesh, DetailSampling, PolyMesh, RegionLimits, Regions, TileParts,
    build_contours, build_detail_mesh, build_poly_mesh, distance_field, watershed_regions,
};
use wayfare::input::{BakeSettings, TriMesh, VoxelSettings};
use wayfare::tile::{TileBuilder, TileCoord, TileData};
use wayfare::voxel::{CompactHeightfield, Grid, RasterInput, compact, erode, filter, rasterize};
use wayfare_testkit::data;

/// One tile and what it was made from.
struct Baked {
    field: CompactHeightfield,
    regions: Regions,
    mesh: PolyMesh,
    detail: DetailMesh,
    tile: TileData,
}

fn bake(level: &TriMesh, whole: &Grid, grid: Grid, border: u32, vx: &VoxelSettings) -> Baked {
    let input = RasterInput { mesh: level, terrain: None, triangles: None, level: whole, grid, settings: vx };
    let mut solid = rasterize(&input);
    filter(&mut solid, whole, vx);
    let mut field = compact(&solid, border, vx);
    erode(&mut field, vx.agent_radius_vx);
    let limits = RegionLimits { min_cells: vx.min_region_cells, merge_cells: vx.merge_region_cells };
    let regions = watershed_regions(&field, &distance_field(&field), limits);
    let mut report = BakeReport::new(level.bounds());
    let settings = ContourSettings { max_error: vx.edge_max_error, max_edge_len: vx.edge_max_len_vx };
    let contours = build_contours(&field, &regions, settings, &mut report);
    report.warnings.clear();
    let mesh = build_poly_mesh(&contours, vx.verts_per_poly, &mut report);
    let sampling = DetailSampling::of(vx);
    let input =
        DetailInput { mesh: &mesh, field: &field, regions: &regions, edge_max_error: vx.edge_max_error, sampling };
    let detail = build_detail_mesh(&input, &mut report);
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    let coord = TileCoord::default();
    let parts = TileParts { coord, mesh: &mesh, detail: &detail, seams: &[], agent: vx.agent };
    let tile = parts.into_tile(&mut TileBuilder::default()).unwrap();
    Baked { field, regions, mesh, detail, tile }
}

/// Mean and greatest distance, up or down, from the ground of walkable cells to the nearest polygon over them.
fn off_the_ground(baked: &Baked, tile: &TileData) -> (f64, f64) {
    let (field, grid) = (&baked.field, &baked.field.grid);
    let (mut sum, mut worst, mut count) = (0.0, 0.0f64, 0);
    for z in (0..grid.depth).step_by(2) {
        for x in (0..grid.width).step_by(2) {
            for span in field.column(grid.index(x, z)).filter(|&s| baked.regions.id[s] != 0) {
                let y = grid.world_y(i32::from(field.y[span]));
                let half = grid.cell_size * 0.5;
                let point = Vec3::new(grid.world_x(x as i32) + half, y, grid.world_z(z as i32) + half);
                let polys = 0..tile.polys().len() as u32;
                let offs = polys.filter_map(|p| tile.height_at(p, point)).map(|h| f64::from((h - y).abs()));
                let nearest = offs.fold(f64::INFINITY, f64::min);
                // Cells that a simplified outline cut off lie under another floor, or under nothing.
                if nearest < 1.8 {
                    sum += nearest;
                    worst = worst.max(nearest);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 3000);
    (sum / f64::from(count), worst)
}

fn check(name: &str, their_detail: [usize; 2]) {
    let Some(level) = data::level(&format!("levels/{name}.obj"), 1.0) else { return };
    let vx = BakeSettings::default().to_voxel().unwrap();
    let whole = Grid::of_level(level.bounds(), &vx).unwrap();
    let baked = bake(&level, &whole, whole, 0, &vx);
    let corners_and_extra = baked.mesh.corners.len() + baked.detail.verts.len();
    println!("{name}: {corners_and_extra} detail vertices, {} triangles", baked.detail.tris.len());
    assert!(corners_and_extra <= their_detail[0] * 21 / 20 && baked.detail.tris.len() <= their_detail[1] * 21 / 20);

    let Some(theirs) = data::detour_mesh(&format!("reference/mesh/navmesh_{name}_solo.bin")) else { return };
    let their_tile = theirs.tiles().next().unwrap();
    let ours = off_the_ground(&baked, &baked.tile);
    let reference = off_the_ground(&baked, their_tile.data());
    println!("{name}: off the ground by {ours:?} m on average and at worst, the reference by {reference:?} m");
    assert!(ours.0 <= reference.0, "on average");
    assert!(ours.1 <= reference.1 + f64::from(vx.cell_height), "at worst");
}

#[test]
fn nav_test_is_as_near_to_the_ground_as_the_references() {
    check("nav_test", [812, 561]);
}

#[test]
fn dungeon_is_as_near_to_the_ground_as_the_references() {
    check("dungeon", [513, 291]);
}

fn check_tiled(name: &str, their_polys: usize, their_area: f64) {
    let Some(level) = data::level(&format!("levels/{name}.obj"), 1.0) else { return };
    let vx = BakeSettings::default().to_voxel().unwrap();
    let whole = Grid::of_level(level.bounds(), &vx).unwrap();
    let (size, border) = (32, vx.border_vx);
    let (mut polys, mut area) = (0, 0.0);
    for z in (0..whole.depth).step_by(size) {
        for x in (0..whole.width).step_by(size) {
            let (width, depth) = ((whole.width - x).min(size as u32), (whole.depth - z).min(size as u32));
            let grid = Grid {
                x: x as i32 - border as i32,
                z: z as i32 - border as i32,
                width: width + 2 * border,
                depth: depth + 2 * border,
                ..whole
            };
            let baked = bake(&level, &whole, grid, border, &vx);
            polys += baked.mesh.polys.len();
            area += baked.mesh.area();
        }
    }
    println!("{name} in tiles: {polys} polygons, {area} m²");
    assert!(polys as f64 <= their_polys as f64 * 1.05);
    assert!((area / their_area - 1.0).abs() <= 0.005);
}

#[test]
fn nav_test_in_tiles() {
    check_tiled("nav_test", 272, 4010.85);
}

#[test]
fn dungeon_in_tiles() {
    check_tiled("dungeon", 143, 1579.23);
}
