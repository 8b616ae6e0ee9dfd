//! Detour's files, from anybody.

use super::way;
use wayfare::Vec3;
use wayfare::format::RefBits;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{
    AroundRequest, DefaultFilter, NeighbourhoodRequest, PathRequest, PolyPoint, SearchScratch, find_distance_to_wall,
    find_nearest, find_optimal_path, find_path, local_neighbourhood, move_along_surface, polys_around, raycast,
    string_pull, wall_segments,
};

/// Polygons of a mesh that are asked about: more only take longer.
const ASKED: usize = 6;

/// Reads `data` as a Detour file.
///
/// # Panics
/// If it is read and then cannot be checked, asked, or written and read again.
pub fn detour(data: &[u8]) {
    let Ok(nav) = NavMesh::from_detour(data) else { return };
    let violations = nav.check();
    for bits in [RefBits::Bits32, RefBits::Bits64] {
        // What does not fit that format is an error that says what.
        let Ok(back) = nav.to_detour(bits) else { continue };
        let again = NavMesh::from_detour(&back).unwrap_or_else(|e| panic!("our own set is refused: {e}"));
        assert_eq!((again.tile_count(), again.connection_count()), (nav.tile_count(), nav.connection_count()));
    }
    let whole = nav.to_bytes();
    if violations.is_empty() {
        way(&whole);
    }
    ask(&nav);
}

/// Asks questions of a mesh that may be unsound in all that `check` names. Whatever they answer, they answer.
fn ask(nav: &NavMesh) {
    let polys: Vec<PolyRef> =
        nav.tiles().flat_map(|tile| (0..tile.poly_count()).map(|poly| tile.reference(poly))).take(ASKED).collect();
    let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
    let center = nav.bounds().center();
    let _ = find_nearest(nav, center, Vec3::splat(3.0), &filter);
    let places = polys.iter().filter_map(|&poly| Some(PolyPoint { poly, point: nav.poly(poly).ok()?.center() }));
    let places: Vec<PolyPoint> = places.collect();
    for (&start, &goal) in places.iter().zip(places.iter().rev()) {
        let request = PathRequest::new(start, goal);
        if let Ok(path) = find_path(nav, &request, &filter, &mut scratch) {
            let _ = string_pull(&path, &mut scratch);
        }
        let _ = find_optimal_path(nav, &request, &filter, &mut scratch);
        let _ = raycast(nav, start, goal.point, &filter, &mut scratch);
        let _ = move_along_surface(nav, start, goal.point, &filter, &mut scratch);
        let _ = find_distance_to_wall(nav, start, 10.0, &filter, &mut scratch);
        let _ = polys_around(nav, &AroundRequest::circle(start, 10.0), &filter, &mut scratch);
        let _ = local_neighbourhood(nav, &NeighbourhoodRequest::new(start, 5.0), &filter, &mut scratch);
        let _ = wall_segments(nav, start.poly, &filter);
    }
}
