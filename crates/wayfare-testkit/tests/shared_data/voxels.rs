//! The voxel stages give the reference's counts on its levels.

use wayfare::input::{AgentSettings, BakeSettings, TriMesh};
use wayfare::voxel::{Grid, RasterInput, compact, erode, filter, rasterize};
use wayfare_testkit::data;

/// What a bake has after each stage.
#[derive(Debug)]
struct Counts {
    cells: usize,
    spans: usize,
    walkable_after_filter: usize,
    compact: usize,
    links: usize,
    walkable_after_erode: usize,
}

fn count(mesh: &TriMesh, settings: &BakeSettings) -> Counts {
    let vx = settings.to_voxel().unwrap();
    let level = Grid::of_level(mesh.bounds(), &vx).unwrap();
    let mut field = rasterize(&RasterInput::whole(mesh, &level, &vx));
    filter(&mut field, &level, &vx);
    let mut ground = compact(&field, 0, &vx);
    let links = ground.neighbours.iter().flatten().filter(|&&n| n != wayfare::math::index::NONE).count();
    let compact = ground.span_count();
    erode(&mut ground, vx.agent_radius_vx);
    Counts {
        cells: level.cell_count(),
        spans: field.span_count(),
        walkable_after_filter: field.walkable_count(),
        compact,
        links,
        walkable_after_erode: ground.walkable_count(),
    }
}

/// Asserts that `ours` is within `share` of `theirs`.
fn close(what: &str, ours: usize, theirs: usize, share: f64) {
    let off = (ours as f64 - theirs as f64).abs() / theirs as f64;
    assert!(off <= share, "{what}: {ours}, the reference has {theirs} ({:.3} % off)", off * 100.0);
}

fn check_demo_level(file: &str, theirs: &Counts) {
    let Some(level) = data::level(&format!("levels/{file}"), 1.0) else { return };
    let ours = count(&level, &BakeSettings::default());
    println!("{file}: {ours:?}");
    assert_eq!(ours.cells, theirs.cells);
    close("spans", ours.spans, theirs.spans, 0.001);
    close("walkable after filters", ours.walkable_after_filter, theirs.walkable_after_filter, 0.01);
    close("compact spans", ours.compact, theirs.compact, 0.01);
    close("links", ours.links, theirs.links, 0.01);
    close("walkable after erosion", ours.walkable_after_erode, theirs.walkable_after_erode, 0.001);
}

#[test]
fn nav_test_has_the_references_counts() {
    let theirs = Counts {
        cells: 78690,
        spans: 120_183,
        walkable_after_filter: 56795,
        compact: 56795,
        links: 220_370,
        walkable_after_erode: 45117,
    };
    check_demo_level("nav_test.obj", &theirs);
}

#[test]
fn dungeon_has_the_references_counts() {
    let theirs = Counts {
        cells: 81840,
        spans: 52106,
        walkable_after_filter: 23569,
        compact: 23569,
        links: 88554,
        walkable_after_erode: 17500,
    };
    check_demo_level("dungeon.obj", &theirs);
}

/// Levels of other origins, baked for agents of their size: file, scale, [cell size, cell height, height, radius,
/// climb], [spans, walkable after filters, walkable after erosion].
const OTHERS: &[(&str, f32, [f32; 5], [usize; 3])] = &[
    ("cube2/redeclipse/dutility.obj", 0.125, [0.2, 0.1, 1.8, 0.5, 0.6], [211_546, 96576, 73478]),
    ("cube2/tesseract/turbine.obj", 0.125, [0.2, 0.1, 1.8, 0.5, 0.6], [151_858, 67038, 48763]),
    ("freedoom/dm04.obj", 1.0, [0.125, 0.1, 1.75, 0.5, 0.6], [389_147, 189_799, 162_851]),
    ("freedoom/map01.obj", 1.0, [0.125, 0.1, 1.75, 0.5, 0.6], [482_115, 237_819, 180_594]),
    ("aws/warehouse_collision.obj", 1.0, [0.05, 0.05, 1.0, 0.25, 0.05], [290_220, 140_986, 91629]),
    ("aws/warehouse_visual.obj", 1.0, [0.05, 0.05, 1.0, 0.25, 0.05], [397_435, 133_239, 69497]),
    ("aws/small_house_collision.obj", 1.0, [0.05, 0.05, 1.0, 0.25, 0.05], [103_890, 74067, 46429]),
    ("dotrecast/annotation_test.obj", 1.0, [0.1, 0.1, 0.8, 0.2, 0.3], [104_818, 49770, 39062]),
    ("dotrecast/house.obj", 1.0, [0.1, 0.1, 1.8, 0.3, 0.4], [106_315, 35955, 29073]),
    ("dotrecast/bridge.obj", 1.0, [0.1, 0.1, 1.8, 0.3, 0.4], [33227, 16801, 14133]),
    ("terrain/jacksboro_dem.obj", 1.0, [30.0, 5.0, 20.0, 30.0, 20.0], [1_053_705, 912_394, 810_359]),
    ("godot/level_mesh.obj", 1.0, [0.1, 0.1, 1.0, 0.2, 0.4], [6588, 5133, 3025]),
];

#[test]
fn other_levels_have_nearly_the_references_counts() {
    for &(file, scale, [cell_size, cell_height, height, radius, max_climb], [spans, filtered, eroded]) in OTHERS {
        let agent = AgentSettings { height, radius, max_climb, ..AgentSettings::default() };
        let settings = BakeSettings { agent, cell_size, cell_height, ..BakeSettings::default() };
        let Some(level) = data::level(&format!("levels/{file}"), scale) else { continue };
        let ours = count(&level, &settings);
        let off = |a: usize, b: usize| (a as f64 / b as f64 - 1.0) * 100.0;
        println!(
            "{file}: {ours:?} off by {:.3} % {:.3} % {:.3} %",
            off(ours.spans, spans),
            off(ours.walkable_after_filter, filtered),
            off(ours.walkable_after_erode, eroded)
        );
        close("spans", ours.spans, spans, 0.002);
        close("walkable after filters", ours.walkable_after_filter, filtered, 0.01);
        close("walkable after erosion", ours.walkable_after_erode, eroded, 0.002);
    }
}
