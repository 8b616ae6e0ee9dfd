//! Runs every case file in `cases/`: recordings that were saved as tests.
//!
//! With `WAYFARE_BLESS=1` the figures of all are written anew; read the difference before you commit it.

#![allow(clippy::unwrap_used)]

use std::{env, fs, path::Path};
use wayfare_lab::host::Session;
use wayfare_lab::host::case_file::Case;

#[test]
fn every_case_goes_as_it_was_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let mut case = Case::from_text(&fs::read_to_string(&path).unwrap()).unwrap();
        if env::var_os("WAYFARE_BLESS").is_some() {
            let mut session = Session::of(case.recording.clone()).unwrap();
            (0..case.recording.ticks).for_each(|_| session.tick());
            case.figures = Case::of(&session, &case.what).figures;
            fs::write(&path, case.to_text().unwrap()).unwrap();
        }
        assert!(!case.figures.is_empty(), "{}: it expects nothing", path.display());
        assert_eq!(case.run().unwrap(), [""; 0], "{}: {}", path.display(), case.what);
    }
}
