//! Every scene, baked in every way: the same bytes as when somebody last looked, the same for any number of threads and
//! for debug and release builds, no violation, and the errands' known answers.
//!
//! The golden is compared on WebAssembly as well: `cargo xtask wasm`.

use wayfare_scenes::scene;
use wayfare_testkit::levels::{WAYS, bake, connect, golden_specs};
use wayfare_testkit::oracle::MeshFlood;
use wayfare_testkit::{golden, golden_texts};

#[test]
fn bytes_are_those_of_the_goldens() {
    golden("scenes.txt", &golden_texts::scenes());
}

/// One tile is baked by one thread; only tiles are shared out. All scenes in a release build, some in a slow one.
#[test]
fn bytes_do_not_depend_on_threads() {
    let some = ["dungeon?size=120", "terrain?size=64", "city?blocks=1", "offices", "river"].map(String::from).to_vec();
    let specs = if cfg!(debug_assertions) { some } else { golden_specs() };
    let digests = |threads: usize| -> Vec<String> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let tiled = WAYS.into_iter().filter(|way| way.2 > 0);
        let each = specs.iter().flat_map(|spec| tiled.clone().map(move |way| (spec.clone(), way)));
        pool.install(|| {
            each.map(|(spec, (way, partition, tile_size))| {
                let nav = connect(bake(&scene(&spec).unwrap(), partition, tile_size).0);
                format!("{spec} {way} {}", nav.digest())
            })
            .collect()
        })
    };
    let one = digests(1);
    for threads in [2, 4] {
        assert_eq!(digests(threads), one, "{threads} threads");
    }
}

#[test]
fn every_scene_bakes_clean_and_keeps_its_errands() {
    for spec in golden_specs() {
        let scene = scene(&spec).unwrap();
        for (way, partition, tile_size) in WAYS {
            let (baked, _) = bake(&scene, partition, tile_size);
            let nav = connect(baked);
            let violations = nav.check();
            assert!(violations.is_empty(), "{spec} {way}: {} violations, first {:?}", violations.len(), violations[0]);
            let flood = MeshFlood::new(&nav);
            for errand in &scene.errands {
                let ends = [errand.from, errand.to].map(|p| {
                    flood
                        .component_at(p, 1.5)
                        .unwrap_or_else(|| panic!("{spec} {way}: {}: no mesh at {p}", errand.what))
                });
                assert_eq!(ends[0] == ends[1], errand.reachable, "{spec} {way}: {}", errand.what);
            }
        }
    }
}
