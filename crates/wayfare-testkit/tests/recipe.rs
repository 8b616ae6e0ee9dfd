//! The three levels of the API give the same bytes: the steps by hand, the recipe for a tile, the one call.

use wayfare::Vec3;
use wayfare::bake::{
    BakeReport, ContourSettings, DetailInput, DetailSampling, RegionLimits, TileBaker, TileParts, TilePlan,
    WarningKind, bake_tiles, build_contours, build_detail_mesh, build_poly_mesh, distance_field, watershed_regions,
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
        let mesh = scene.mesh().unwrap();
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

/// Over the second tile there is only a ceiling that nobody can stand on.
#[test]
fn after_a_tile_without_surface_there_are_no_products_of_another() {
    let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.6], [6.0, 0.0, 9.6], [6.0, 0.0, 0.0]];
    let ceiling = floor.map(|[x, y, z]| [19.2 - x, y, z]);
    let verts = floor.into_iter().chain(ceiling).map(Vec3::from).collect();
    let mesh = TriMesh::new(verts, vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]).unwrap();
    let plan = TilePlan::new(&mesh, &BakeSettings { tile_size: 32, ..BakeSettings::default() }).unwrap();
    let mut baker = TileBaker::new(plan.level, plan.settings);
    let report = &mut BakeReport::new(mesh.bounds());
    let mut bake = |index: u64| {
        let tile = baker.bake(&mesh, None, &plan.tile(index), &Context::default(), report).unwrap();
        let products = baker.products();
        assert_eq!(products.regions.id.len(), products.compact.span_count());
        let counts = [products.contours.contours.len(), products.polygons.polys.len(), products.detail.patches.len()];
        (tile.is_some(), counts, products.regions.count, products.distances.max > 0, products.polygons.grid.x)
    };
    assert_eq!(bake(0), (true, [1, 1, 1], 1, true, 0));
    assert_eq!(bake(1), (false, [0, 0, 0], 0, false, 32));
}

#[test]
fn triangles_that_were_left_out_are_warned_of() {
    let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 0.0], [f32::NAN, 0.0, 0.0]].map(Vec3::from);
    let mesh = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 1, 3], [0, 1, 1], [2, 2, 2]]).unwrap();
    let (_, report) = bake_tiles(&mesh, &BakeSettings::default(), &Context::default()).unwrap();
    let told: Vec<_> = report.warnings.iter().map(|warning| (warning.kind, warning.count)).collect();
    assert_eq!(told, [(WarningKind::TriangleNotFinite, 1), (WarningKind::TriangleDegenerate, 2)]);
}
