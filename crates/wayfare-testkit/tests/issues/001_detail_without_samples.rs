//! A bake with a detail sample distance of 0, which the documentation calls legal, never ended and took all memory.
//!
//! It means: no samples. Polygons have the heights of their own corners.

use super::{bake, surface};
use wayfare::input::BakeSettings;

#[test]
fn without_samples_polygons_have_the_heights_of_their_corners() {
    let hills = surface(40, 40, 1.0, |x, z| ((x % 8) * (z % 8)) as f32 * 0.04);
    for distance in [0.0, 0.5, 0.89] {
        let settings = BakeSettings { detail_sample_dist: distance, ..BakeSettings::default() };
        let (mesh, report) = bake(&hills, &settings);
        assert!(mesh.tiles().next().is_some_and(|tile| tile.data().detail_verts().is_empty()));
        let corners: usize = mesh.tiles().map(|tile| tile.data().corners().len()).sum();
        assert_eq!(report.stats.detail_verts, corners as u64);
    }
    let (sampled, _) = bake(&hills, &BakeSettings::default());
    assert!(sampled.tiles().any(|tile| !tile.data().detail_verts().is_empty()), "the hills need samples");
}
