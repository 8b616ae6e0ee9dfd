//! The three levels of the API give the same bytes: the steps by hand, the recipe for a tile, the one call.

use wayfare::bake::{
    BakeReport, ContourSettings, DetailInput, DetailSampling, RegionLimits, TileBaker, TileParts, TilePlan, bake_tiles,
    build_contours, build_detail_mesh, build_poly_mesh, distance_field, watershed_regions,
};
use wayfare::context::Context;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::mesh::NavMesh;
use wayfare::tile::{TileBuilder, TileCoord, TileData};
use wayfare::voxel::{Grid, RasterInput, compact, erode, filter, rasterize};
use wayfare_scenes::scene;

/// Every step by hand, with none of the scratch that the recipe keeps.
fn by_hand(mesh: &TriMesh, settings: &BakeSettings) -> TileData {
    let voxel = settings.to_voxel().unwrap();
    let level = Grid::of_level(mesh.bounds(), &voxel).unwrap();
    let mut report = BakeReport::new(mesh.bounds());
    let mut heightfield = rasterize(&RasterInput::whole(mesh, &level, &voxel));
    filter(&mut heightfield, &level, &voxel);
    let mut field = compact(&heightfield, 0, &voxel);
    erode(&mut field, voxel.agent_radius_vx);
    let limits = RegionLimits { min_cells: voxel.min_region_cells, merge_cells: voxel.merge_region_cells };
    let regions = watershed_regions(&field, &distance_field(&field), limits);
    let outlines = ContourSettings { max_error: voxel.edge_max_error, max_edge_len: voxel.edge_max_len_vx };
    let contours = build_contours(&field, &regions, outlines, &mut report);
    let polygons = build_poly_mesh(&contours, voxel.verts_per_poly, &mut report);
    let input = DetailInput {
        mesh: &polygons,
        field: &field,
        regions: &regions,
        edge_max_error: voxel.edge_max_error,
        sampling: DetailSampling::of(&voxel),
    };
    let detail = build_detail_mesh(&input, &mut report);
    let coord = TileCoord::default();
    let parts = TileParts { coord, mesh: &polygons, detail: &detail, seams: &[], agent: voxel.agent };
    parts.into_tile(&mut TileBuilder::default()).unwrap()
}

#[test]
fn by_hand_by_recipe_and_by_one_call() {
    for name in ["stairs", "bridge", "two_floors", "holes_and_pillars", "spiral_ramp"] {
        let scene = scene(name).unwrap();
        let (mesh, _) = scene.mesh().unwrap();
        let agent = scene.settings.agent;
        let settings = BakeSettings::for_agent(agent);

        let plan = TilePlan::new(&mesh, &settings).unwrap();
        let mut baker = TileBaker::new(plan.level, plan.settings);
        let mut report = BakeReport::new(mesh.bounds());
        let tile = baker.bake(&mesh, None, &plan.tile(0), &Context::default(), &mut report).unwrap().unwrap();
        assert_eq!(tile, by_hand(&mesh, &settings), "{name}: the recipe is not its steps");

        let recipe = NavMesh::from_tiles(plan.layout(), vec![tile]).unwrap().to_bytes();
        let (baked, _) = bake_tiles(&mesh, &settings, &Context::default()).unwrap();
        let tiles = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap().to_bytes();
        let one_call = NavMesh::bake(&mesh, &agent).unwrap().to_bytes();
        assert!(recipe == tiles && tiles == one_call, "{name}: the levels of the API differ");
    }
}
