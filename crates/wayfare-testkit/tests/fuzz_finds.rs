//! All files under `fuzz/seeds`, and a little random input, through the checks of the fuzz targets: what fuzzing found once
//! stays found.

use std::fs;
use std::path::{Path, PathBuf};
use wayfare::input::Partition;
use wayfare_testkit::levels::{bake, connect};
use wayfare_testkit::{Rng, fuzz, property};

fn seeds(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "fuzz/seeds/{target} is empty");
    files
}

fn random_bytes(rng: &mut Rng, most: i32) -> Vec<u8> {
    (0..rng.whole(0, most)).map(|_| rng.bits() as u8).collect()
}

#[test]
fn bakes() {
    for file in seeds("bake") {
        println!("{}", file.display());
        fuzz::bake(&fs::read(file).unwrap());
    }
    property("bakes", 60, |rng| fuzz::bake(&random_bytes(rng, 600)));
}

#[test]
fn reasons_and_links() {
    for file in seeds("bake") {
        println!("{}", file.display());
        fuzz::explain(&fs::read(file).unwrap());
    }
    property("reasons_and_links", 40, |rng| fuzz::explain(&random_bytes(rng, 600)));
}

#[test]
fn way_files() {
    for file in seeds("way") {
        println!("{}", file.display());
        fuzz::way(&fs::read(file).unwrap());
    }
    let scene = wayfare_scenes::scene("stairs").unwrap();
    let whole = connect(bake(&scene, Partition::Watershed, 24).0).to_bytes();
    fuzz::way(&whole);
    property("way_files", 300, |rng| {
        let mut bytes = whole.clone();
        for _ in 0..rng.whole(1, 3) {
            let at = rng.whole(0, bytes.len() as i32 - 1) as usize;
            match rng.whole(0, 2) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes[at] = rng.bits() as u8,
                _ => bytes[at] ^= 1 << rng.whole(0, 7),
            }
        }
        fuzz::way(&bytes);
    });
}
