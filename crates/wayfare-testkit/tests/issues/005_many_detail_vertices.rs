//! On finely sampled rough ground, agents stood metres above or below it: a tile of more than 65,535 detail vertices
//! lost count of them and took the heights of others, and nothing was reported.

use super::{bake, ground_at, surface};
use wayfare::Vec3;
use wayfare::input::{AgentSettings, BakeSettings, Partition};

#[test]
fn heights_are_right_with_more_than_65535_detail_vertices() {
    // A bump or none at each corner, as a sieve decides: nearly every sample is needed.
    let bump = |x: u32, z: u32| if (x.wrapping_mul(7919) ^ z.wrapping_mul(104_729)) % 5 < 2 { 0.4 } else { 0.0 };
    let ground = surface(330, 330, 0.3, bump);
    let settings = BakeSettings {
        agent: AgentSettings { max_slope: 1.4, ..AgentSettings::default() },
        partition: Partition::Monotone,
        detail_sample_dist: 1.0,
        detail_sample_max_error: 0.0,
        edge_max_len: 5.0,
        ..BakeSettings::default()
    };
    let (mesh, report) = bake(&ground, &settings);
    assert!(report.stats.detail_verts > 65_535, "{} vertices are too few to tell", report.stats.detail_verts);
    assert_eq!(mesh.check(), []);
    for k in 0..2000u32 {
        let (x, z) = (3 + k.wrapping_mul(31) % 323, 3 + k.wrapping_mul(57) % 323);
        let at = Vec3::new(x as f32 * 0.3, 0.2, z as f32 * 0.3);
        let found = ground_at(&mesh, at, 2.0);
        assert!(found.is_none_or(|(_, y)| (-0.01..=0.81).contains(&y)), "{at}: {found:?}");
    }
}
