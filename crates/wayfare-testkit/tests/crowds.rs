//! Crowds, agents without a mesh, and paths through blocks: the same bits as when somebody last looked, for any number
//! of threads, in debug and release builds. The goldens are compared on WebAssembly as well: `cargo xtask wasm`.

use wayfare_testkit::golden;
use wayfare_testkit::golden_texts::{avoidance, blocks, crowd_of_400, crowds};

#[test]
fn crowds_walk_as_in_the_goldens() {
    golden("crowds.txt", &crowds());
}

#[test]
fn crowds_do_not_depend_on_threads() {
    let run = |threads: usize| -> String {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(crowd_of_400)
    };
    let one = run(1);
    golden("crowd-of-400.txt", &one);
    for threads in [2, 4] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

#[test]
fn agents_without_a_mesh_avoid_as_in_the_goldens() {
    golden("avoidance.txt", &avoidance());
}

#[test]
fn paths_through_blocks_are_those_of_the_goldens() {
    golden("blocks.txt", &blocks());
}
