//! A goal on an island made the game stutter: the search opened the whole map before it gave up, for every agent, every
//! time.

use super::{bake, floors, surface};
use wayfare::Vec3;
use wayfare::area::{LimitHit, PathStatus};
use wayfare::input::BakeSettings;
use wayfare::query::{
    DEFAULT_REACH, DefaultFilter, PathRequest, SearchLimits, SearchScratch, find_nearest, find_path, is_reachable,
};
use wayfare::tile::TileCoord;

#[test]
fn a_goal_on_an_island_costs_no_more_than_the_way_to_the_shore() {
    let hills = |x: u32, z: u32| ((x * 7 + z * 5) % 4) as f32 * 0.4;
    let (mesh, _) = bake(&surface(40, 40, 2.0, hills), &BakeSettings { tile_size: 32, ..BakeSettings::default() });
    let island = floors(&[([90.0, 96.0], [30.0, 36.0], 0.0)]);
    // One mesh of both: the island comes as one more tile, at a place far from the others.
    let (far, _) = bake(&island, &BakeSettings::default());
    let mut tile = far.tiles().next().unwrap().data().to_builder();
    tile.coord = TileCoord { x: 500, z: 500, layer: 0 };
    let tile = tile.build().unwrap();
    let mut mesh = mesh;
    mesh.add_tile(tile).unwrap();
    let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
    let place = |x: f32, z: f32| find_nearest(&mesh, Vec3::new(x, 0.5, z), DEFAULT_REACH, &filter).unwrap().place();
    let polygons: u32 = mesh.tiles().map(|t| t.poly_count()).sum();
    let request = PathRequest::new(place(70.0, 33.0), place(93.0, 33.0));
    let path = find_path(&mesh, &request, &filter, &mut scratch).unwrap();
    assert_eq!(path.status, PathStatus::Partial);
    assert!(path.nodes * 4 < polygons, "{} nodes, {polygons} polygons", path.nodes);
    assert_eq!(is_reachable(&mesh, &request, &filter, &mut scratch), Ok(Some(false)));
    // No ground of the start's is nearer to the goal than where the path ends.
    let start = mesh.components().component(request.start.poly);
    let nearest = mesh
        .tiles()
        .flat_map(|t| (0..t.poly_count()).map(move |p| (t, p)))
        .filter(|(t, p)| mesh.components().component(t.reference(*p)) == start)
        .map(|(t, p)| t.data().closest_point(p, request.goal.point).point.distance(request.goal.point))
        .fold(f32::INFINITY, f32::min);
    assert!(path.end.distance(request.goal.point) <= nearest + 0.5, "{} {nearest}", path.end);
    // And a search can be bounded: it says so.
    let limits = SearchLimits { max_nodes: 8, ..SearchLimits::default() };
    let far = PathRequest { limits, ..PathRequest::new(place(5.0, 5.0), place(75.0, 75.0)) };
    let cut = find_path(&mesh, &far, &filter, &mut scratch).unwrap();
    assert_eq!((cut.status, cut.limit), (PathStatus::Partial, Some(LimitHit::Nodes)));
}
