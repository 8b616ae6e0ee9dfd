//! An optimal search to a goal in another part of the level said that it had opened thousands of nodes, though it had
//! opened a few: with memory that was used before it counted those of the search before.

use super::{bake, floors};
use wayfare::Vec3;
use wayfare::input::BakeSettings;
use wayfare::query::{DefaultFilter, PathRequest, SearchScratch, find_nearest, find_optimal_path};

#[test]
fn what_a_search_opened_does_not_depend_on_the_one_before() {
    let rooms = [([0.0, 30.0], [0.0, 4.0], 0.0), ([26.0, 30.0], [4.0, 30.0], 0.0), ([40.0, 50.0], [0.0, 30.0], 0.0)];
    let (mesh, _) = bake(&floors(&rooms), &BakeSettings { tile_size: 16, ..BakeSettings::default() });
    let filter = DefaultFilter::default();
    let place = |x, z| find_nearest(&mesh, Vec3::new(x, 0.0, z), Vec3::ONE, &filter).unwrap().place();
    let around = PathRequest::new(place(2.0, 2.0), place(28.0, 28.0));
    let apart = PathRequest::new(place(29.0, 2.0), place(42.0, 2.0));
    let fresh = find_optimal_path(&mesh, &apart, &filter, &mut SearchScratch::new()).unwrap();
    let mut scratch = SearchScratch::new();
    let before = find_optimal_path(&mesh, &around, &filter, &mut scratch).unwrap();
    assert!(before.path.nodes > fresh.path.nodes);
    assert_eq!(find_optimal_path(&mesh, &apart, &filter, &mut scratch).unwrap(), fresh);
}
