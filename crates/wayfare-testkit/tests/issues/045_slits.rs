//! Without the ledge filter and with a thin agent, agents walked up steps higher than their climb, and here and there a
//! piece of ground was missing from the mesh. Where a region lies beside itself across a step, as one that winds around
//! does, its outline runs along both sides of the step. The two sides were simplified each by itself, so that one came
//! to lie on the wrong side of the other and the outline was inside out there; and where both had the same corners, the
//! wall between them was taken for a spike and left out.

use super::{bake, surface};
use wayfare::Vec3;
use wayfare::bake::{TilePlan, WarningKind};
use wayfare::input::{AgentSettings, BakeSettings, Filters, Partition, TriMesh};
use wayfare::mesh::NavMesh;
use wayfare::voxel::{CompactHeightfield, RasterInput, compact, erode, filter, rasterize};
use wayfare_testkit::levels::random_level;
use wayfare_testkit::{Rng, property};

/// Steep ground, all steps and slits.
fn noise(rng: &mut Rng) -> TriMesh {
    let heights: Vec<f32> = (0..21 * 21).map(|_| rng.real(0.0, 6.0)).collect();
    surface(20, 20, 1.0, |x, z| heights[(z * 21 + x) as usize])
}

/// The eroded ground of a level as one piece.
fn ground_of(level: &TriMesh, settings: &BakeSettings) -> CompactHeightfield {
    let plan = TilePlan::new(level, settings).unwrap();
    let mut field = rasterize(&RasterInput::whole(level, &plan.level, &plan.settings));
    filter(&mut field, &plan.level, &plan.settings);
    let mut ground = compact(&field, 0, &plan.settings);
    erode(&mut ground, plan.settings.agent_radius_vx);
    ground
}

/// Sides of cells from which no step leads on.
fn wall_sides(ground: &CompactHeightfield) -> usize {
    let is_ground = |span: u32| ground.area.get(span as usize).is_some_and(|area| !area.is_null());
    let spans = ground.neighbours.iter().zip(&ground.area).filter(|(_, area)| !area.is_null());
    spans.flat_map(|(links, _)| links).filter(|&&link| !is_ground(link)).count()
}

/// Length of all edges that lead nowhere, metres.
fn wall_length(mesh: &NavMesh) -> f64 {
    let mut length = 0.0;
    for tile in mesh.tiles() {
        for poly in 0..tile.poly_count() {
            let points: Vec<Vec3> = tile.data().points_of(poly).collect();
            let ends = points.iter().zip(points.iter().cycle().skip(1));
            let edges = ends.zip(tile.data().neighbours_of(poly)).filter(|(_, beyond)| beyond.is_wall());
            length += edges.map(|((a, b), _)| f64::from(a.with_y(0.0).distance(b.with_y(0.0)))).sum::<f64>();
        }
    }
    length
}

#[test]
fn a_region_beside_itself_keeps_its_ground_and_its_walls() {
    property("a_region_beside_itself_keeps_its_ground_and_its_walls", 12, |rng| {
        let is_noise = rng.whole(0, 3) == 0;
        let level = if is_noise { noise(rng) } else { random_level(rng) };
        let max_slope = [0.785, 1.4][rng.whole(0, 1) as usize];
        for radius in [0.0, 0.1] {
            let own = BakeSettings {
                agent: AgentSettings { radius, max_slope, ..AgentSettings::default() },
                filters: Filters { ledges: false, ..Filters::default() },
                region_min_size: 0,
                ..BakeSettings::default()
            };
            let (ground, cell) = (ground_of(&level, &own), f64::from(own.cell_size));
            let area = ground.walkable_count() as f64 * cell * cell;
            for partition in [Partition::Watershed, Partition::Monotone, Partition::Layers] {
                for (tile_size, edge_max_error) in [(0, 0.0), (0, 1.3), (32, 0.0), (32, 1.3)] {
                    let what = format!("{partition:?}, radius {radius}, tiles of {tile_size}, error {edge_max_error}");
                    let (mesh, report) = bake(&level, &BakeSettings { partition, tile_size, edge_max_error, ..own });
                    assert_eq!(mesh.check(), [], "{what}");
                    let lost = [WarningKind::HoleDropped, WarningKind::TriangulationIncomplete];
                    assert!(report.warnings.iter().all(|w| !lost.contains(&w.kind)), "{what}: {:?}", report.warnings);
                    // Islands no wider than the error may come to nothing, and noise is full of them.
                    let share = report.stats.poly_area / area - 1.0;
                    let error = if edge_max_error == 0.0 { 1e-6 } else { 0.02 };
                    assert!(is_noise && edge_max_error > 0.0 || share.abs() < error, "{what}: {share}");
                    if tile_size == 0 && edge_max_error == 0.0 {
                        let (sides, length) = (wall_sides(&ground) as f64 * cell, wall_length(&mesh));
                        assert!((length - sides).abs() < 0.1 * cell, "{what}: {length} m of walls, not {sides}");
                    }
                }
            }
        }
    });
}
