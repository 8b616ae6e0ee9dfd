//! Places: nearest polygons, heights, boxes, middles of polygons, random points.

use super::{dungeon, facts, mesh, number, reference, references, vec3};
use wayfare::Vec3;
use wayfare::area::PolyFlags;
use wayfare::math::{Aabb, Rng, plane, polygon};
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{
    DefaultFilter, PointSampler, PolyPoint, SearchScratch, find_nearest, poly_height, polys_in_box,
    random_point_in_circle,
};
use wayfare_testkit::data;

#[test]
fn nearest_polygons_are_those_that_other_ports_find() {
    let Some(cases) = facts("detour_find_nearest_poly.json") else { return };
    let (mesh, nothing) = (dungeon(), DefaultFilter::new(PolyFlags::NONE, PolyFlags::NONE));
    for case in &cases {
        let plain = case["filter"] == "default";
        let filter = if plain { DefaultFilter::default() } else { nothing.clone() };
        let found = find_nearest(&mesh, vec3(&case["pos"]), vec3(&case["half_extents"]), &filter);
        if !plain {
            // There "no polygon" is a success with reference 0 and a point that ports disagree about.
            assert!(case["expected_poly"].is_null() && found.is_none(), "{case}");
            continue;
        }
        let found = found.unwrap();
        assert_eq!(found.poly, reference(&case["expected_ref"]), "{case}");
        assert!(found.point.distance(vec3(&case["expected_pos"])) <= number(&case["tolerance"]), "{found:?} {case}");
    }
    assert!(cases.len() >= 10);
}

#[test]
fn heights_are_those_of_the_reference() {
    let Some(cases) = facts("detour_poly_height_upstream_reference.json") else { return };
    let mesh = dungeon();
    for case in cases {
        let height = poly_height(&mesh, reference(&case["ref"]), vec3(&case["pos"])).unwrap().unwrap();
        assert!((height - number(&case["expected_height"])).abs() <= number(&case["tolerance"]), "{height} {case}");
    }
}

/// A reference of a file with 32 bits, of which slot and polygon have as many as its parameters ask for.
fn narrow(mesh: &NavMesh, bits: u64, [slots, polys]: [u32; 2]) -> PolyRef {
    let slot = bits >> polys.ilog2() & u64::from(slots - 1);
    let tile = mesh.tiles().find(|tile| u64::from(tile.slot().get()) == slot).unwrap();
    tile.reference(bits as u32 & (polys - 1))
}

#[test]
fn centers_and_nearest_polygons_on_a_tiled_mesh_of_32_bit_references() {
    let Some(cases) = facts("godetour_nearest_and_center.json") else { return };
    let file = "detour_files/go-detour/mesh2.bin";
    let (mesh, filter) = (mesh(file), DefaultFilter::default());
    // The greatest numbers of tiles and of polygons of a tile stand last in the set's head.
    let head = data::bytes(file).unwrap();
    let room = [32, 36].map(|at| u32::from_le_bytes(head[at..at + 4].try_into().unwrap()));
    let mut judged = 0;
    for case in cases {
        let bits = |name: &str| case[name].as_u64();
        if let Some(center) = case.get("expected") {
            let view = mesh.poly(narrow(&mesh, bits("ref").unwrap(), room)).unwrap();
            assert!(view.center().distance(vec3(center)) < 1e-3, "{} {case}", view.center());
            judged += 1;
        } else if let Some(expected) = bits("expected_ref") {
            let near = |wider: f32| {
                let reach = vec3(&case["half_extents"]) + Vec3::Y * wider;
                find_nearest(&mesh, vec3(&case["pos"]), reach, &filter).map(|found| found.poly)
            };
            let expected = (expected != 0).then(|| narrow(&mesh, expected, room));
            // A box without height: there, boxes are rounded to cells of 0.3 m and so reach the ground 0.2 m above;
            // ours are exact.
            let wider = if case["half_extents"][1] == 0 { 0.3 } else { 0.0 };
            assert_eq!((near(0.0).is_some(), near(wider)), (expected.is_some() && wider == 0.0, expected), "{case}");
            judged += 1;
        }
    }
    assert_eq!(judged, 4);
}

#[test]
fn boxes_find_the_polygons_that_other_ports_find() {
    let Some(cases) = facts("detour_query_polygons.json") else { return };
    let (mesh, filter) = (dungeon(), DefaultFilter::default());
    for case in cases {
        let near = Aabb::from_center(vec3(&case["center"]), vec3(&case["half_extents"]));
        let found = polys_in_box(&mesh, &near, &filter);
        let expected = references(&case["expected_refs"]);
        // Detour's answer counts what its quantised boxes touch, up to two cells of 0.3 m beyond the box asked for;
        // ours is exact.
        let wide = Aabb { min: near.min - Vec3::splat(0.6), max: near.max + Vec3::splat(0.6) };
        assert!(found.iter().all(|poly| expected.contains(poly)), "{found:?} {case}");
        for &poly in expected.iter().filter(|poly| !found.contains(poly)) {
            let (tile, index) = mesh.locate(poly).unwrap();
            let mut exact = Aabb::EMPTY;
            tile.tree()
                .polys_in_box(&tile.bounds(), |poly, bounds| exact = if poly == index { *bounds } else { exact });
            assert!(!exact.overlaps(&near) && exact.overlaps(&wide), "{poly} {case}");
        }
    }
}

/// The box of a polygon on the plane holds `point`, to within rounding.
fn is_beside(mesh: &NavMesh, place: PolyPoint) -> bool {
    let bounds = Aabb::around(mesh.poly(place.poly).unwrap().points());
    let slack = Vec3::new(1e-4, f32::INFINITY, 1e-4);
    Aabb { min: bounds.min - slack, max: bounds.max + slack }.contains(place.point)
}

#[test]
fn random_points_lie_where_other_ports_expect_them() {
    let Some(cases) = facts("detour_random_point.json") else { return };
    let (mesh, filter, mut scratch) = (dungeon(), DefaultFilter::default(), SearchScratch::new());
    let (sampler, mut rng) = (PointSampler::on_mesh(&mesh, &filter), Rng::new(1));
    for case in cases {
        let mut place = sampler.sample(&mesh, &mut rng).unwrap().unwrap();
        let radius = case["radius"].as_f64().map(|radius| radius as f32);
        for _ in 0..case["iterations"].as_u64().unwrap() / 2 {
            let Some(radius) = radius else {
                place = sampler.sample(&mesh, &mut rng).unwrap().unwrap();
                assert!(is_beside(&mesh, place), "{place:?}");
                continue;
            };
            // Two functions there: one whose points may lie outside the circle, one whose points may not. Ours never
            // do.
            let next = random_point_in_circle(&mesh, place, radius, &filter, &mut scratch, &mut rng).unwrap().unwrap();
            assert!(is_beside(&mesh, next) && plane::distance(place.point, next.point) <= radius, "{place:?} {next:?}");
            place = next;
        }
    }
}

/// Two numbers become a point of a triangle by the same map; the order of the two is the other way round.
#[test]
fn two_numbers_give_the_point_of_a_triangle_that_they_give_there() {
    let Some(cases) = facts("detour_random_point_in_convex_poly_upstream.json") else { return };
    let triangle = [Vec3::ZERO, Vec3::Z, Vec3::X];
    for case in cases {
        let found = polygon::random_point(&triangle, [1.0, number(&case["s"])]).unwrap();
        assert!(found.distance(vec3(&case["expected"])) < 1e-6, "{found} {case}");
    }
}
