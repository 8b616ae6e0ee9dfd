//! Pictures of the manual are links into the lab: each leads somewhere, and nothing that it names is left out.

#![allow(clippy::unwrap_used)]

use std::{fs, path::Path};
use wayfare_lab::app::LabAddress;
use wayfare_lab::host::address::{self, Place};
use wayfare_lab::workbench::Workbench;

/// The addresses in the links to the lab, with the chapters that they stand in.
fn links() -> Vec<(String, String)> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut found = Vec::new();
    for entry in fs::read_dir(docs).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "md") {
            let text = fs::read_to_string(&path).unwrap();
            let links = text.split("](lab/index.html#").skip(1);
            found.extend(links.map(|rest| (path.display().to_string(), rest.split(')').next().unwrap().to_owned())));
        }
    }
    found
}

#[test]
fn every_link_of_the_manual_leads_somewhere() {
    let links = links();
    assert!(links.len() > 25, "{}", links.len());
    for (chapter, link) in links {
        let place = LabAddress::parse(&link);
        if let Some(prototype) = &place.prototype {
            let Place::One(session) = address::open(prototype).unwrap() else { panic!("one") };
            assert_eq!(address::of(&session), *prototype, "{chapter}: {link}");
            continue;
        }
        let mut bench = Workbench::default();
        bench.open_scene(place.scene.as_ref().unwrap()).unwrap();
        bench.change_settings(&place.bake);
        bench.cancel();
        let mut changed = place.bake.clone();
        changed.retain(|wanted| !bench.changed_settings().contains(wanted));
        assert!(changed.is_empty(), "{chapter}: {link}: {changed:?}");
    }
}
