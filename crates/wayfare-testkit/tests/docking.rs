//! A level whose pieces move: a ship docks and sails again.

use wayfare::area::PathStatus;
use wayfare::mesh::NavMesh;
use wayfare::query::{DefaultFilter, PathRequest, SearchScratch, find_nearest, find_path};
use wayfare_scenes::Harbour;
use wayfare_testkit::docking::{AGENTS, docking};

/// Whether there is a path up the gangway.
fn is_docked(mesh: &NavMesh) -> bool {
    let filter = DefaultFilter::default();
    let place = |at| find_nearest(mesh, at, [0.5; 3], &filter).map(|near| near.place());
    let (Some(quay), Some(deck)) = (place(Harbour::PLACES[0]), place(Harbour::PLACES[1])) else { return false };
    let path = find_path(mesh, &PathRequest::new(quay, deck), &filter, &mut SearchScratch::new()).unwrap();
    path.status == PathStatus::Complete
}

#[test]
fn a_ship_docks_is_boarded_and_sails() {
    let frames = docking().unwrap();
    let told: Vec<_> = frames.iter().map(|frame| (is_docked(&frame.mesh), frame.aboard)).collect();
    let [sea, docked, boarding, aboard, ashore, sailed] = told[..] else { panic!("{told:?}") };
    assert_eq!((sea, docked), ((false, 0), (true, 0)), "{told:?}");
    assert!(boarding.0 && (1..AGENTS).contains(&boarding.1), "{told:?}");
    assert_eq!([aboard, ashore, sailed], [(true, AGENTS), (true, 0), (false, 0)], "{told:?}");
    assert!(frames.iter().all(|frame| frame.mesh.check().is_empty()));
    // Where the ship was when nobody was aboard it is as it was.
    let tiles = |mesh: &NavMesh| mesh.tiles().map(|tile| tile.data().clone()).collect::<Vec<_>>();
    let near = |mesh: &NavMesh| tiles(mesh).into_iter().filter(|tile| tile.bounds().max.x < 1.0).collect::<Vec<_>>();
    assert_eq!(near(&frames[0].mesh), near(&frames[5].mesh));
}
