//! A level of tens of thousands of islands baked "successfully", but regions beyond 32,767 were taken for the border of
//! the tile and vanished; beyond 65,535 the bake read foreign memory.

use super::{bake, floors};
use wayfare::input::{AgentSettings, BakeSettings, Filters, Partition};

#[test]
fn regions_are_counted_with_32_bits() {
    for (side, partition) in [(183, Partition::Watershed), (260, Partition::Monotone), (260, Partition::Layers)] {
        // Islands of two cells by two, a cell apart.
        let at = |k: u32| k as f32 * 0.9;
        // Beginning and end lie amid cells, but for the first, with which the grid begins.
        let begin = |k: u32| at(k) + if k == 0 { 0.0 } else { 0.1 };
        let places = (0..side).flat_map(|z| (0..side).map(move |x| (x, z)));
        let islands: Vec<_> = places.map(|(x, z)| ([begin(x), at(x) + 0.5], [begin(z), at(z) + 0.5], 0.0)).collect();
        let settings = BakeSettings {
            agent: AgentSettings { radius: 0.0, ..AgentSettings::default() },
            filters: Filters { ledges: false, ..Filters::default() },
            partition,
            region_min_size: 0,
            region_merge_size: 0,
            ..BakeSettings::default()
        };
        let (mesh, report) = bake(&floors(&islands), &settings);
        let count = islands.len() as u64;
        assert!(count > if partition == Partition::Watershed { 32_767 } else { 65_535 });
        assert_eq!((report.stats.regions, report.stats.polys), (count, count), "{partition:?}");
        assert_eq!(wayfare::components::Components::of(&mesh).count(), count as u32, "{partition:?}");
    }
}
