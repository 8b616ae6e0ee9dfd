//! What every scene promises: valid triangles, the same ones each time, ends of errands that stand on something.

use wayfare::Vec3;
use wayfare_scenes::{Scene, all, scene};

/// The highest surface that faces up below `p`, at most `reach` below it.
fn ground_below(scene: &Scene, p: Vec3, reach: f32) -> bool {
    scene.tris.iter().any(|t| {
        let [a, b, c] = t.map(|v| scene.verts[v as usize]);
        let normal = (b - a).cross(c - a);
        if normal.y <= 0.0 || normal.y.is_nan() {
            return false;
        }
        let inside = [(a, b), (b, c), (c, a)].iter().all(|&(a, b)| wayfare::math::plane::cross(a, b, p) <= 1e-3);
        let y = a.y - ((p.x - a.x) * normal.x + (p.z - a.z) * normal.z) / normal.y;
        inside && (p.y - y).abs() <= reach
    })
}

#[test]
fn every_scene_is_a_valid_mesh_and_only_soup_is_dirty() {
    for info in all() {
        let scene = scene(info.name).unwrap();
        let mesh = scene.mesh().unwrap();
        let report = mesh.report();
        assert_eq!(scene.spec, info.name);
        assert!(mesh.bounds().size().x > 1.0, "{}", info.name);
        let dropped = report.not_finite + report.degenerate;
        assert_eq!(dropped > 0, info.name == "soup", "{}: {report:?}", info.name);
        scene.settings.to_voxel().unwrap();
    }
}

#[test]
fn the_same_spec_gives_the_same_bits_and_another_seed_others() {
    let bits = |spec: &str| {
        let scene = scene(spec).unwrap();
        (scene.verts.iter().flat_map(|v| v.to_array().map(f32::to_bits)).collect::<Vec<_>>(), scene.tris)
    };
    for info in all() {
        assert_eq!(bits(info.name), bits(info.name), "{}", info.name);
    }
    for name in ["dungeon", "terrain", "city", "holes_and_pillars", "offices", "soup"] {
        assert_ne!(bits(name), bits(&format!("{name}?seed=2")), "{name}");
    }
}

#[test]
fn errands_begin_and_end_on_ground() {
    for info in all() {
        let scene = scene(info.name).unwrap();
        for errand in &scene.errands {
            for end in [errand.from, errand.to] {
                assert!(ground_below(&scene, end, 0.5), "{}: {} at {end}", info.name, errand.what);
            }
        }
    }
}

#[test]
fn every_parameter_can_be_set_to_both_ends_of_its_range() {
    for info in all() {
        for param in info.params {
            // Sizes that would take minutes are tested by the scenes' users.
            let most = if param.name == "km" { 0.5 } else { 60.0_f64 };
            for value in [param.min, param.max.min(most.max(param.default))] {
                let spec = format!("{}?{}={value}", info.name, param.name);
                scene(&spec).unwrap().mesh().unwrap_or_else(|e| panic!("{spec}: {e}"));
            }
        }
    }
}

#[test]
fn a_terrain_of_708_cells_has_a_million_triangles() {
    assert_eq!(scene("terrain?size=708").unwrap().tris.len(), 2 * 708 * 708);
}
