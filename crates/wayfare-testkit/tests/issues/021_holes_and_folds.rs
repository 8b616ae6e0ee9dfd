//! Ground with many holes lost whole regions, or the bake gave up altogether: a contour that could not be joined with
//! its holes, or that folded onto itself, was dropped with all that lay in it.

use super::{bake, floors};
use wayfare::bake::WarningKind;
use wayfare::input::{AgentSettings, BakeSettings, Partition};
use wayfare::math::Rng;

#[test]
fn ground_full_of_holes_keeps_its_area() {
    let mut rng = Rng::new(21);
    for (round, partition) in (0..12).zip([Partition::Watershed, Partition::Monotone, Partition::Layers].iter().cycle())
    {
        // Squares of a metre, of which some are missing: single ones, rows, and diagonals whose corners touch.
        const SIDE: usize = 28;
        let mut whole = vec![true; SIDE * SIDE];
        for _ in 0..12 + round * 4 {
            let (x, z) = (1 + rng.below(SIDE as u32 - 8) as usize, 1 + rng.below(SIDE as u32 - 8) as usize);
            let (dx, dz) = [(0, 0), (1, 0), (0, 1), (1, 1)][rng.below(4) as usize];
            (0..1 + rng.below(6) as usize).for_each(|k| whole[(z + k * dz) * SIDE + x + k * dx] = false);
        }
        let squares = (0..SIDE * SIDE).filter(|&i| whole[i]).map(|i| ((i % SIDE) as f32, (i / SIDE) as f32));
        let level = floors(&squares.map(|(x, z)| ([x, x + 1.0], [z, z + 1.0], 0.0)).collect::<Vec<_>>());
        for radius in [0.0, 0.2] {
            let settings = BakeSettings {
                agent: AgentSettings { radius, ..AgentSettings::default() },
                cell_size: 0.2,
                region_min_size: 0,
                partition: *partition,
                ..BakeSettings::default()
            };
            let (mesh, report) = bake(&level, &settings);
            let what = format!("round {round}, {partition:?}, radius {radius}");
            assert_eq!(mesh.check(), [], "{what}");
            let lost = [WarningKind::HoleDropped, WarningKind::TriangulationIncomplete];
            assert!(report.warnings.iter().all(|w| !lost.contains(&w.kind)), "{what}: {:?}", report.warnings);
            let ground = report.stats.eroded_spans as f64 * 0.04;
            let share = report.stats.poly_area / ground;
            assert!((0.93..1.07).contains(&share), "{what}: {} m² of {ground} m²", report.stats.poly_area);
        }
    }
}
