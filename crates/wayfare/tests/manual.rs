//! The manual's table of settings, held to the settings.

use std::fs;
use std::path::Path;
use wayfare::input::BakeSettings;

#[test]
fn the_table_of_settings_gives_the_defaults() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/baking.md");
    let text = fs::read_to_string(path).unwrap();
    let stated = |name: &str| -> f32 {
        let start = format!("| `{name}` | ");
        let row = text.lines().find_map(|l| l.strip_prefix(&start)).unwrap_or_else(|| panic!("no row for {name}"));
        row.split('|').next().unwrap().trim().trim_end_matches('°').parse().unwrap()
    };
    let BakeSettings {
        agent,
        cell_size,
        cell_height,
        filters: _,
        erosion: _,
        partition: _,
        region_min_size,
        region_merge_size,
        edge_max_len,
        edge_max_error,
        verts_per_poly,
        detail_sample_dist,
        detail_sample_max_error,
        tile_size,
    } = BakeSettings::default();
    for (name, value) in [
        ("cell_size", cell_size),
        ("cell_height", cell_height),
        ("agent.height", agent.height),
        ("agent.radius", agent.radius),
        ("agent.max_climb", agent.max_climb),
        ("agent.max_drop", agent.max_drop),
        ("region_min_size", region_min_size as f32),
        ("region_merge_size", region_merge_size as f32),
        ("edge_max_len", edge_max_len),
        ("edge_max_error", edge_max_error),
        ("verts_per_poly", verts_per_poly as f32),
        ("detail_sample_dist", detail_sample_dist),
        ("detail_sample_max_error", detail_sample_max_error),
        ("tile_size", tile_size as f32),
    ] {
        assert_eq!(stated(name), value, "{name}");
    }
    assert!((stated("agent.max_slope").to_radians() - agent.max_slope).abs() < 1e-6);
}
