//! What is around a place: polygons in circles and shapes, neighbourhoods, walls.

use super::{dungeon, facts, number, place, reference, references, vec3};
use wayfare::Vec3;
use wayfare::math::ops;
use wayfare::query::{
    AroundRequest, DefaultFilter, NeighbourhoodRequest, ReachedPoly, SearchScratch, local_neighbourhood, polys_around,
    wall_segments,
};

fn by_poly(mut reached: Vec<ReachedPoly>) -> Vec<ReachedPoly> {
    reached.sort_by_key(|r| r.poly);
    reached
}

#[test]
fn circles_reach_the_polygons_that_other_ports_reach() {
    let Some(cases) = facts("detour_find_polys_around_circle.json") else { return };
    let (mesh, filter, mut scratch) = (dungeon(), DefaultFilter::default(), SearchScratch::new());
    for case in &cases {
        let (place, radius) = (place(&case["ref"], &case["pos"]), number(&case["radius"]));
        let found = by_poly(polys_around(&mesh, &AroundRequest::circle(place, radius), &filter, &mut scratch).unwrap());
        let mut expected: Vec<_> = case["expected"].as_array().unwrap().iter().collect();
        expected.sort_by_key(|e| e["ref"].as_u64());
        assert_eq!(found.len(), expected.len(), "{case}");
        for (ours, theirs) in found.iter().zip(expected) {
            let parent =
                theirs["parent_ref"].as_u64().filter(|bits| *bits != 0).map(|_| reference(&theirs["parent_ref"]));
            assert_eq!((ours.poly, ours.parent), (reference(&theirs["ref"]), parent), "{theirs}");
            assert!(
                (ours.cost - number(&theirs["cost"])).abs() <= number(&case["cost_tolerance"]),
                "{ours:?} {theirs}"
            );
        }
        // A shape with many corners reaches what the circle around it reaches, but for portals that only touch the
        // circle.
        let outer = corners(place.point, radius);
        let in_shape =
            by_poly(polys_around(&mesh, &AroundRequest::convex(place, &outer), &filter, &mut scratch).unwrap());
        assert_eq!(in_shape, found, "{case}");
    }
}

/// A circle as a shape of 256 corners, wound like polygons of a mesh: z to x.
fn corners(center: Vec3, radius: f32) -> Vec<Vec3> {
    (0..256)
        .map(|k| {
            let angle = core::f32::consts::TAU * k as f32 / 256.0;
            center + Vec3::new(ops::sin(angle), 0.0, ops::cos(angle)) * radius
        })
        .collect()
}

#[test]
fn neighbourhoods_are_those_of_other_ports() {
    let Some(cases) = facts("detour_find_local_neighbourhood.json") else { return };
    let (mesh, filter, mut scratch) = (dungeon(), DefaultFilter::default(), SearchScratch::new());
    for case in &cases {
        let (place, radius) = (place(&case["ref"], &case["pos"]), number(&case["radius"]));
        let found =
            local_neighbourhood(&mesh, &NeighbourhoodRequest::new(place, radius), &filter, &mut scratch).unwrap();
        let [mut ours, mut theirs] = [found.clone(), references(&case["expected_refs"])];
        assert_eq!(ours[0], theirs[0], "the place's own polygon is the first");
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{case}");
        // Every other polygon is entered from one that stands before it, as the parents there say.
        for (at, &poly) in found.iter().enumerate().skip(1) {
            let before = &found[..at];
            assert!(mesh.poly(poly).unwrap().portals().any(|p| before.contains(&p.to)), "{poly} {case}");
        }
    }
}

/// There one list holds walls and ways out, told apart by a reference; here `wall_segments` gives the walls and
/// `PolyView::portals` the ways out.
#[test]
fn walls_and_ways_out_are_those_of_other_ports() {
    let Some(cases) = facts("detour_get_poly_wall_segments.json") else { return };
    let (mesh, filter) = (dungeon(), DefaultFilter::default());
    for case in &cases {
        let poly = reference(&case["ref"]);
        let mut ours: Vec<(Option<_>, [Vec3; 2])> = Vec::new();
        ours.extend(wall_segments(&mesh, poly, &filter).unwrap().iter().map(|w| (None, [w.start, w.end])));
        assert_eq!(ours.len() as u64, case["upstream_cpp_walls_only_count"].as_u64().unwrap(), "{case}");
        ours.extend(mesh.poly(poly).unwrap().portals().map(|p| (Some(p.to), [p.a, p.b])));
        let theirs = case["expected_segments"].as_array().unwrap();
        assert_eq!(ours.len(), theirs.len(), "{case}");
        for segment in theirs {
            let beyond =
                segment["neighbour_ref"].as_u64().filter(|r| *r != 0).map(|_| reference(&segment["neighbour_ref"]));
            let [a, b] = [vec3(&segment["a"]), vec3(&segment["b"])];
            let same = |(to, ends): &(Option<_>, [Vec3; 2])| {
                *to == beyond && ends[0].distance(a) < 1e-3 && ends[1].distance(b) < 1e-3
            };
            assert!(ours.iter().any(same), "{segment} of {ours:?}");
        }
    }
}
