//! Experiment.

use super::bake;
use std::collections::BTreeMap;
use wayfare::bake::WarningKind;
use wayfare::input::{AgentSettings, BakeSettings, Filters, Partition, TriMesh};
use wayfare_testkit::{Rng, levels::random_level};

fn noise(rng: &mut Rng) -> TriMesh {
    let heights: Vec<f32> = (0..25 * 25).map(|_| rng.real(0.0, 6.0)).collect();
    super::surface(24, 24, 1.0, |x, z| heights[(z * 25 + x) as usize])
}

#[test]
fn experiment() {
    let n: u64 = std::env::var("N").map_or(20, |n| n.parse().unwrap());
    let first: u64 = std::env::var("S").map_or(1, |n| n.parse().unwrap());
    let verbose = std::env::var("V").is_ok();
    let mut bad: BTreeMap<String, usize> = BTreeMap::new();
    let mut rounds = 0;
    for seed in first..first + n {
        let mut rng = Rng::new(seed);
        let level = if seed % 3 == 0 { noise(&mut rng) } else { random_level(&mut rng) };
        for partition in [Partition::Watershed, Partition::Monotone, Partition::Layers] {
            for radius in [0.0, 0.1] {
                for tile_size in [0, 32] {
                    for edge_max_error in [0.0, 1.3] {
                        let max_slope = [0.785, 1.4][seed as usize / 3 % 2];
                        let settings = BakeSettings {
                            agent: AgentSettings { radius, max_slope, ..AgentSettings::default() },
                            filters: Filters { ledges: false, ..Filters::default() },
                            partition,
                            tile_size,
                            edge_max_error,
                            region_min_size: 0,
                            ..BakeSettings::default()
                        };
                        rounds += 1;
                        let what = format!("seed {seed}, {partition:?}, radius {radius}, tiles {tile_size}, error {edge_max_error}");
                        let (mesh, report) = bake(&level, &settings);
                        let mut faults: Vec<String> = mesh.check().iter().map(|v| v.kind.name().to_owned()).collect();
                        if verbose { mesh.check().iter().for_each(|v| println!("{what}: {v}")); }
                        faults.extend(report.warnings.iter().filter(|w| w.kind != WarningKind::ContourRepaired && w.kind != WarningKind::ContourDropped).map(|w| { if verbose { println!("{what}: {w:?}"); } w.kind.name().to_owned() }));
                        let cell = f64::from(settings.cell_size);
                        let ground = report.stats.eroded_spans as f64 * cell * cell;
                        let share = report.stats.poly_area / ground;
                        if edge_max_error == 0.0 && (share - 1.0).abs() > 1e-9 {
                            if verbose { println!("{what}: area {share}"); }
                            faults.push("area".into());
                        } else if (share - 1.0).abs() > 0.03 {
                            if verbose { println!("{what}: area {share}"); }
                            faults.push("area13".into());
                        }
                        faults.sort();
                        faults.dedup();
                        for f in faults {
                            *bad.entry(f.clone()).or_default() += 1;
                            *bad.entry(format!("{f} error {edge_max_error} {}", if seed % 3 == 0 { "noise" } else { "boxes" })).or_default() += 1;
                        }
                    }
                }
            }
        }
    }
    println!("{rounds} bakes: {bad:#?}");
}
