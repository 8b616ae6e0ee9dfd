//! Regions, contours and polygons on the reference's levels are at least as good as its own.

use super::facts;
use wayfare::bake::{
    BakeReport, ContourSettings, RegionLimits, Regions, bake_tiles, build_contours, build_poly_mesh, distance_field,
    layer_regions, monotone_regions, watershed_regions,
};
use wayfare::context::Context;
use wayfare::input::{BakeSettings, Partition};
use wayfare::voxel::{Grid, RasterInput, compact, erode, filter, rasterize};
use wayfare_testkit::data;

/// What the reference has.
struct Theirs {
    max_distance: u16,
    /// One less than it says, since it counts "no region" too.
    regions: u32,
    /// Without holes, which it counts too.
    contours: usize,
    raw_verts: u32,
    simplified_verts: usize,
    polys: usize,
    /// Square metres.
    area: f64,
}

/// Asserts that `ours` is within `share` of `theirs`.
fn close(what: &str, ours: f64, theirs: f64, share: f64) {
    let off = (ours - theirs).abs() / theirs;
    assert!(off <= share, "{what}: {ours}, the reference has {theirs} ({:.3} % off)", off * 100.0);
}

fn check(file: &str, partition: Partition, theirs: &Theirs) {
    let Some(mesh) = data::level(&format!("levels/{file}"), 1.0) else { return };
    let vx = BakeSettings::default().to_voxel().unwrap();
    let level = Grid::of_level(mesh.bounds(), &vx).unwrap();
    let mut solid = rasterize(&RasterInput::whole(&mesh, &level, &vx));
    filter(&mut solid, &level, &vx);
    let mut ground = compact(&solid, 0, &vx);
    erode(&mut ground, vx.agent_radius_vx);
    let limits = RegionLimits { min_cells: vx.min_region_cells, merge_cells: vx.merge_region_cells };
    let regions: Regions = match partition {
        Partition::Watershed => {
            let distances = distance_field(&ground);
            assert_eq!(distances.max, theirs.max_distance);
            watershed_regions(&ground, &distances, limits)
        }
        Partition::Monotone => monotone_regions(&ground, limits),
        Partition::Layers => layer_regions(&ground, limits),
    };
    let mut report = BakeReport::new(mesh.bounds());
    let settings = ContourSettings { max_error: vx.edge_max_error, max_edge_len: vx.edge_max_len_vx };
    let contours = build_contours(&ground, &regions, settings, &mut report);
    let polys = build_poly_mesh(&contours, vx.verts_per_poly, &mut report);
    println!(
        "{file} {partition:?}: {} regions, {} contours, {} raw and {} simplified vertices, {} polygons, {} m², {:?}",
        regions.count,
        contours.contours.len(),
        contours.raw_vert_count,
        contours.verts.len(),
        polys.polys.len(),
        polys.area(),
        report.warnings,
    );
    assert_eq!(regions.count, theirs.regions);
    assert_eq!(contours.contours.len(), theirs.contours);
    close("raw contour vertices", contours.raw_vert_count.into(), theirs.raw_verts.into(), 0.01);
    close("contour vertices", contours.verts.len() as f64, theirs.simplified_verts as f64, 0.05);
    assert!(polys.polys.len() as f64 <= theirs.polys as f64 * 1.05, "{} polygons", polys.polys.len());
    close("area", polys.area(), theirs.area, 0.005);
}

#[test]
fn nav_test_by_watersheds() {
    let theirs = Theirs {
        max_distance: 60,
        regions: 47,
        contours: 47,
        raw_verts: 6584,
        simplified_verts: 439,
        polys: 155,
        area: 4002.03,
    };
    check("nav_test.obj", Partition::Watershed, &theirs);
}

#[test]
fn nav_test_by_sweeps() {
    let theirs = Theirs {
        max_distance: 0,
        regions: 49,
        contours: 49,
        raw_verts: 8124,
        simplified_verts: 435,
        polys: 186,
        area: 4003.88,
    };
    check("nav_test.obj", Partition::Monotone, &theirs);
}

#[test]
fn nav_test_by_layers() {
    let theirs = Theirs {
        max_distance: 0,
        regions: 18,
        contours: 18,
        raw_verts: 4936,
        simplified_verts: 342,
        polys: 150,
        area: 4009.95,
    };
    check("nav_test.obj", Partition::Layers, &theirs);
}

#[test]
fn dungeon_by_watersheds() {
    let theirs = Theirs {
        max_distance: 52,
        regions: 15,
        contours: 15,
        raw_verts: 2620,
        simplified_verts: 247,
        polys: 118,
        area: 1585.31,
    };
    check("dungeon.obj", Partition::Watershed, &theirs);
}

#[test]
fn dungeon_by_sweeps() {
    let theirs = Theirs {
        max_distance: 0,
        regions: 16,
        contours: 16,
        raw_verts: 3164,
        simplified_verts: 236,
        polys: 100,
        area: 1582.02,
    };
    check("dungeon.obj", Partition::Monotone, &theirs);
}

#[test]
fn dungeon_by_layers() {
    let theirs = Theirs {
        max_distance: 0,
        regions: 4,
        contours: 4,
        raw_verts: 2250,
        simplified_verts: 205,
        polys: 97,
        area: 1586.79,
    };
    check("dungeon.obj", Partition::Layers, &theirs);
}

/// The counts of whole bakes that other ports state: the same regions, and no more polygons and triangles but for a
/// few. (They count "no region" as one, too.)
#[test]
fn whole_bakes_have_the_counts_of_other_ports() {
    let Some(cases) = facts("recast_solo_mesh.json") else { return };
    assert!(cases.len() >= 6);
    for case in cases {
        let (file, name) = (case["mesh"].as_str().unwrap(), case["partition"].as_str().unwrap());
        let partition = match name {
            "watershed" => Partition::Watershed,
            "monotone" => Partition::Monotone,
            _ => Partition::Layers,
        };
        let Some(level) = data::level(&format!("levels/{file}"), 1.0) else { return };
        let settings = BakeSettings { partition, ..BakeSettings::default() };
        let (_, report) = bake_tiles(&level, &settings, &Context::default()).unwrap();
        let (ours, theirs) = (report.stats, |what: &str| case["expected"][what].as_f64().unwrap());
        println!("{file} {name}: {ours:?}");
        assert_eq!(f64::from(ours.max_distance), theirs("max_distance"), "{file} {name}");
        assert_eq!(ours.regions as f64, theirs("max_regions") - 1.0, "{file} {name}");
        assert!(ours.contours as f64 <= theirs("contours"), "{file} {name}: {} contours", ours.contours);
        close("vertices of polygons", ours.poly_verts as f64, theirs("poly_mesh_verts"), 0.05);
        let at_most = |what: &str, ours: u64| {
            assert!(ours as f64 <= theirs(what) * 1.05, "{file} {name}: {ours} for {what}");
        };
        at_most("poly_mesh_polys", ours.polys);
        at_most("detail_verts", ours.detail_verts);
        at_most("detail_tris", ours.detail_tris);
    }
}
