//! All files under `fuzz/seeds`, and a little random input, through the checks of the fuzz targets: what fuzzing found
//! once stays found.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use wayfare::format::RefBits;
use wayfare::input::Partition;
use wayfare::mesh::NavMesh;
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
fn obstacles() {
    for file in seeds("obstacles") {
        fuzz::obstacles(&fs::read(file).unwrap());
    }
    property("operations on obstacles", 12, |rng| fuzz::obstacles(&random_bytes(rng, 200)));
}

#[test]
fn checkpoints() {
    let floor = seeds("checkpoint").into_iter().map(|file| fs::read(file).unwrap());
    for bytes in floor {
        fuzz::checkpoint(&bytes);
        property("altered checkpoints", 300, |rng| {
            // Some codes say that numbers are written out, which follow them.
            let mut codes = bytes[5..].to_vec();
            for _ in 0..rng.whole(1, 6) {
                let at = rng.whole(0, codes.len() as i32 - 1) as usize;
                codes[at] = rng.bits() as u8;
            }
            let numbers = random_bytes(rng, 60);
            let lengths = [codes.len() + numbers.len(), codes.len()].map(|len| [len as u8 | 0x80, (len >> 7) as u8]);
            let of_counts = rng.whole(0, numbers.len() as i32) as u8;
            fuzz::checkpoint(&[lengths.concat(), vec![of_counts], codes, numbers].concat());
        });
    }
    property("checkpoints", 300, |rng| fuzz::checkpoint(&random_bytes(rng, 600)));
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
    for file in [seeds("bake"), seeds("explain")].concat() {
        println!("{}", file.display());
        fuzz::explain(&fs::read(file).unwrap());
    }
    property("reasons_and_links", 40, |rng| fuzz::explain(&random_bytes(rng, 600)));
}

/// Cut, set and flipped in one to three places.
fn broken(whole: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..rng.whole(1, 3) {
        let at = rng.whole(0, bytes.len() as i32 - 1) as usize;
        match rng.whole(0, 2) {
            0 => bytes.truncate(at.max(1)),
            1 => bytes[at] = rng.bits() as u8,
            _ => bytes[at] ^= 1 << rng.whole(0, 7),
        }
    }
    bytes
}

fn stairs() -> NavMesh {
    connect(bake(&wayfare_scenes::scene("stairs").unwrap(), Partition::Watershed, 24).0)
}

#[test]
fn way_files() {
    for file in seeds("way") {
        println!("{}", file.display());
        fuzz::way(&fs::read(file).unwrap());
    }
    let whole = stairs().to_bytes();
    assert_eq!(fuzz::way(&whole), 2);
    let read = Cell::new(0);
    property("way_files", 300, |rng| read.set(read.get() + fuzz::way(&broken(&whole, rng))));
    assert!(read.get() > 20, "only {} broken files got past the checksum and were read", read.get());
}

#[test]
fn detour_files() {
    for file in seeds("detour") {
        println!("{}", file.display());
        fuzz::detour(&fs::read(file).unwrap());
    }
    for bits in [RefBits::Bits32, RefBits::Bits64] {
        let whole = stairs().to_detour(bits).unwrap();
        fuzz::detour(&whole);
        property("detour_files", 300, |rng| fuzz::detour(&broken(&whole, rng)));
    }
}

#[test]
fn stored_states() {
    for file in seeds("states") {
        println!("{}", file.display());
        fuzz::states(&fs::read(file).unwrap());
    }
    let restored = Cell::new(0);
    for whole in fuzz::stored_states() {
        assert_eq!(fuzz::states(&whole), 2);
        property("stored_states", 300, |rng| restored.set(restored.get() + fuzz::states(&broken(&whole, rng))));
    }
    assert!(restored.get() > 20, "only {} broken states got past the checksum and were restored", restored.get());
}

#[test]
fn tile_operations() {
    for file in seeds("operations") {
        println!("{}", file.display());
        fuzz::operations(&fs::read(file).unwrap());
    }
    let tiles = Cell::new(0);
    property("tile_operations", 60, |rng| tiles.set(tiles.get() + fuzz::operations(&random_bytes(rng, 1200))));
    assert!(tiles.get() > 120, "{} tiles are left in all", tiles.get());
}

#[test]
fn crowds() {
    for file in seeds("crowd") {
        println!("{}", file.display());
        fuzz::crowd(&fs::read(file).unwrap());
    }
    let agents = Cell::new(0);
    property("crowds", 60, |rng| agents.set(agents.get() + fuzz::crowd(&random_bytes(rng, 1600))));
    assert!(agents.get() > 300, "{} agents are left in all", agents.get());
}

#[test]
fn local_grids() {
    for file in seeds("grid") {
        println!("{}", file.display());
        fuzz::grid(&fs::read(file).unwrap());
    }
    let ways = Cell::new(0);
    property("local_grids", 200, |rng| ways.set(ways.get() + fuzz::grid(&random_bytes(rng, 900))));
    assert!(ways.get() > 100, "{} ways reached their goal", ways.get());
}

#[test]
fn block_worlds() {
    for file in seeds("blocks") {
        println!("{}", file.display());
        fuzz::blocks(&fs::read(file).unwrap());
    }
    let ways = Cell::new(0);
    property("block_worlds", 60, |rng| ways.set(ways.get() + fuzz::blocks(&random_bytes(rng, 900))));
    assert!(ways.get() > 100, "{} ways reached their goal", ways.get());
}

#[test]
fn hulls() {
    for file in seeds("hulls") {
        println!("{}", file.display());
        fuzz::hulls(&fs::read(file).unwrap());
    }
    let faces = Cell::new(0);
    property("hulls", 400, |rng| faces.set(faces.get() + fuzz::hulls(&random_bytes(rng, 400))));
    assert!(faces.get() > 100, "{} faces in all", faces.get());
}
