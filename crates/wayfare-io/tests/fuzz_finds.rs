//! What fuzzing found, and broken files of every format, through the checks of the fuzz targets.

use std::fs;
use std::path::Path;
use wayfare_io::fuzz;
use wayfare_scenes::Rng;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "fuzz/seeds/{target} is empty");
    files.into_iter().map(|file| fs::read(file).unwrap()).collect()
}

#[test]
fn what_fuzzing_found_is_read_or_refused() {
    seeds("obj").iter().for_each(|seed| fuzz::obj_file(seed));
}

/// Each seed is sound; cut, set and flipped in one to three places it is read or refused.
#[test]
fn files_of_every_format_are_read_or_refused() {
    let mut rng = Rng::new(9);
    for seed in seeds("formats") {
        let kind = seed[0] as char;
        assert!(fuzz::formats(&seed), "{kind}");
        let mut read = 0;
        for _ in 0..400 {
            let mut bytes = seed.clone();
            for _ in 0..rng.whole(1, 3) {
                let at = rng.whole(1, bytes.len() as i32 - 1) as usize;
                match rng.whole(0, 2) {
                    0 => bytes.truncate(at.max(2)),
                    1 => bytes[at] = rng.bits() as u8,
                    _ => bytes[at] ^= 1 << rng.whole(0, 7),
                }
            }
            read += u32::from(fuzz::formats(&bytes));
        }
        assert!(read < 400, "{kind}: no broken file was refused");
    }
}
