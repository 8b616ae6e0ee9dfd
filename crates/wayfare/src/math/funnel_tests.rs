//! Straight paths through sleeves, hairpins and storeys, compared with slow and simple searches.

use super::Rng;
use super::funnel::{Corner, CornerKind, Portal, pull_first, string_pull};
use super::index::NONE;
use super::plane::distance;
use super::predicates::orient_xz;
use super::segment::point_distance_squared;
use glam::Vec3;

fn p(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

fn length(corners: &[Corner]) -> f64 {
    corners.windows(2).map(|w| f64::from(distance(w[0].point, w[1].point))).sum()
}

/// The slow answer for any chain of convex polygons: the shortest path over start, end and all portal ends. Two points
/// see each other if the line between them meets all portals in between, in order.
fn oracle(start: Vec3, end: Vec3, portals: &[Portal]) -> f64 {
    let mut nodes = vec![(start, 0)];
    nodes.extend((1..).zip(portals).flat_map(|(i, portal)| [(portal.left, i), (portal.right, i)]));
    nodes.push((end, portals.len() + 1));
    let sees = |(a, i): (Vec3, usize), (b, j): (Vec3, usize)| {
        let [ax, az, bx, bz] = [a.x, a.z, b.x, b.z].map(f64::from);
        portals[i..j - 1].iter().try_fold(0.0_f64, |after, portal| {
            let [lx, lz, rx, rz] = [portal.left.x, portal.left.z, portal.right.x, portal.right.z].map(f64::from);
            let (dx, dz, ex, ez) = (bx - ax, bz - az, rx - lx, rz - lz);
            let across = dx * ez - dz * ex;
            if across != 0.0 {
                let t = ((lx - ax) * ez - (lz - az) * ex) / across;
                let u = ((lx - ax) * dz - (lz - az) * dx) / across;
                let meets = (-1e-9..1.0 + 1e-9).contains(&u) && t > after - 1e-9 && t < 1.0 + 1e-9;
                return meets.then_some(t.max(after));
            }
            if (dx, dz) == (0.0, 0.0) {
                return (point_distance_squared(a, portal.left, portal.right) == 0.0).then_some(after);
            }
            if (lx - ax) * dz - (lz - az) * dx != 0.0 {
                return None;
            }
            let along = |x: f64, z: f64| ((x - ax) * dx + (z - az) * dz) / (dx * dx + dz * dz);
            let (t, u) = (along(lx, lz), along(rx, rz));
            let first = t.min(u).max(after);
            (first <= t.max(u) + 1e-9 && first < 1.0 + 1e-9).then_some(first)
        })
    };
    let mut best = vec![f64::INFINITY; nodes.len()];
    best[0] = 0.0;
    for to in 1..nodes.len() {
        for from in 0..to {
            if nodes[from].1 < nodes[to].1 && sees(nodes[from], nodes[to]).is_some() {
                best[to] = best[to].min(best[from] + f64::from(distance(nodes[from].0, nodes[to].0)));
            }
        }
    }
    best[nodes.len() - 1]
}

/// A winding sleeve of portals, with convex polygons between them and each portal ahead of the one before. On a grid,
/// so that coincidences are common. Random steps that do not fit are left out.
fn sleeve(rng: &mut Rng) -> (Vec3, Vec3, Vec<Portal>) {
    let mut portals = vec![Portal { left: p(1., 1. + rng.below(3) as f32), right: p(1., -(rng.below(3) as f32)) }];
    for _ in 0..rng.below(60) {
        let Portal { left, right } = portals[portals.len() - 1];
        let far = left.x.max(right.x);
        let mut ahead = |z: f32| p(far + 1.0 + rng.below(2) as f32, z + rng.below(7) as f32 - 3.0);
        let (new_left, new_right) = (ahead(left.z), ahead(right.z));
        let (left2, right2) = [(new_left, right), (left, new_right), (new_left, new_right)][rng.below(3) as usize];
        let convex = |a, b, c| a == b || b == c || orient_xz(a, b, c) > 0.0;
        let ring = [left, right, right2, left2];
        if left2.z > right2.z && (0..4).all(|i| convex(ring[i], ring[(i + 1) % 4], ring[(i + 2) % 4])) {
            portals.push(Portal { left: left2, right: right2 });
        }
    }
    // The end lies beyond the last portal's line and not too far out.
    let Portal { left, right } = portals[portals.len() - 1];
    let mut x = left.x.max(right.x) + 1.0;
    let z = right.z + rng.below(8) as f32 - 2.0;
    while orient_xz(left, right, p(x, z)) <= 0.0 {
        x += 1.0;
    }
    (p(0., 0.), p(x, z), portals)
}

#[test]
fn as_short_as_the_visibility_graph_of_the_sleeve() {
    let mut rng = Rng::new(20);
    let mut bent = 0;
    for round in 0..4_000 {
        let (start, end, portals) = sleeve(&mut rng);
        let path = string_pull(start, end, &portals);
        let expected = oracle(start, end, &portals);
        bent += usize::from(path.len() > 3);
        assert!((length(&path) - expected).abs() < 1e-4, "round {round}: {path:?}, oracle {expected}");
    }
    assert!(bent > 500);
}

#[test]
fn the_beginning_is_that_of_the_whole_string() {
    let (mut rng, mut first) = (Rng::new(22), Vec::new());
    for round in 0..2_000 {
        let (start, end, portals) = sleeve(&mut rng);
        let path = string_pull(start, end, &portals);
        for bends in 0..6 {
            pull_first(start, end, portals.len(), |i| portals[i], bends, &mut first);
            let expected = &path[..path.len().min(bends.max(1) + 1)];
            assert_eq!(first, expected, "round {round}, {bends} bends");
        }
    }
}

#[test]
fn corners_name_their_portals_and_bend_their_way() {
    let mut rng = Rng::new(21);
    for _ in 0..1_000 {
        let (start, end, portals) = sleeve(&mut rng);
        let path = string_pull(start, end, &portals);
        assert!(
            path.windows(2)
                .all(|w| w[1].portal == portals.len() as u32 || w[0].portal == NONE || w[0].portal < w[1].portal)
        );
        for w in path.windows(3) {
            let portal = portals[w[1].portal as usize];
            let turn = orient_xz(w[0].point, w[1].point, w[2].point);
            match w[1].kind {
                CornerKind::Left => assert!(w[1].point == portal.left && turn > 0.0, "{path:?}"),
                CornerKind::Right => assert!(w[1].point == portal.right && turn < 0.0, "{path:?}"),
                kind => panic!("{kind:?} within a path"),
            }
        }
    }
}

#[test]
fn no_corner_where_four_tiles_meet() {
    // Diagonally across the point where four tiles meet, whose copies differ in the last bit.
    let v = 100.0_f32;
    let (up, down) = (v.next_up(), v.next_down());
    for (a, b) in [(up, down), (down, up), (v, v), (up, v), (v, down)] {
        let portals = [Portal { left: p(a, 200.), right: p(a, v) }, Portal { left: p(v, b), right: p(200., b) }];
        let path = string_pull(p(0., 0.), p(200., 200.), &portals);
        assert_eq!(path.len(), 2, "{path:?}");
    }
    // A real bend at such a point is one corner, not several.
    let portals = [
        Portal { left: p(v, v), right: p(v, 0.) },
        Portal { left: p(up, v), right: p(200., v) },
        Portal { left: p(v, up), right: p(v, 200.) },
    ];
    let path = string_pull(p(0., 90.), p(0., 110.), &portals);
    assert_eq!(path.len(), 3, "{path:?}");
}

#[test]
fn a_start_on_a_portal_and_an_end_on_another_make_no_corner() {
    let portals = [
        Portal { left: p(0., 1.), right: p(0., -1.) },
        Portal { left: p(2., 1.), right: p(0., -1.) },
        Portal { left: p(2., 1.), right: p(4., 0.) },
    ];
    let path = string_pull(p(0., 0.), p(3., 0.5), &portals);
    assert_eq!(path.len(), 2, "{path:?}");
    assert_eq!(string_pull(Vec3::ZERO, Vec3::ZERO, &[]).len(), 2);
    assert_eq!(string_pull(Vec3::ZERO, Vec3::ZERO, &[Portal { left: Vec3::ZERO, right: Vec3::ZERO }]).len(), 2);
}

#[test]
fn a_start_that_has_just_crossed_a_portal_goes_on() {
    let portals = [Portal { left: p(0., 4.), right: p(0., -1.) }, Portal { left: p(5., 1.), right: p(5., -1.) }];
    for past in [-0.5, -0.1, 0.0, 0.1, 0.5] {
        assert_eq!(string_pull(p(past, 0.), p(9., 0.), &portals).len(), 2, "{past}");
    }
}

/// A polygon with three corners in line, one of them left of the line by rounding where the origin is not a round
/// number: the path goes around the nearer of the two where it leaves, in both directions.
#[test]
fn a_portal_in_line_is_gone_around_at_its_nearer_end() {
    let sleeve = [
        [(0., -34.), (12., -7.)],
        [(0., 0.), (11., 0.)],
        [(0., 0.), (12., 8.)],
        [(17., 28.), (14., 16.)],
        [(17., 25.), (14., 16.)],
        [(19., 23.), (19., 18.)],
    ];
    let (mut rng, mut bent) = (Rng::new(23), [0; 3]);
    for round in 0..2_000 {
        let mirror = if round % 2 == 0 { 1.0 } else { -1.0 };
        let origin = p(rng.unit() * 4e4 - 2e4, rng.unit() * 4e4 - 2e4);
        let at = |(x, z): (f32, f32)| origin + p(x * mirror, z) * 0.3;
        let portal = |[left, right]: [(f32, f32); 2]| {
            let (left, right) = (at(left), at(right));
            if mirror > 0.0 { Portal { left, right } } else { Portal { left: right, right: left } }
        };
        let there: Vec<Portal> = sleeve.iter().map(|ends| portal(*ends)).collect();
        let back: Vec<Portal> = there.iter().rev().map(|p| Portal { left: p.right, right: p.left }).collect();
        let (start, end) = (at((25., -56.)), at((36., 18.)));
        let on_line = orient_xz(at((12., 8.)), at((14., 16.)), at((17., 28.)));
        bent[((f64::from(mirror) * on_line).total_cmp(&0.0) as i8 + 1) as usize] += 1;
        for path in [string_pull(start, end, &there), string_pull(end, start, &back)] {
            assert!((length(&path) - 28.939).abs() < 0.02, "round {round}: {} {path:?}", length(&path));
        }
    }
    assert!(bent[0] > 100 && bent[2] > 100, "inwards and outwards: {bent:?}");
}

/// Polygons around one vertex, the tip of a wall: their portals are seen from behind before the turn. The correct
/// answer is the visibility graph in polar coordinates.
#[test]
fn hairpins_go_around_the_tip() {
    let mut rng = Rng::new(24);
    let mut around = 0;
    for round in 0..20_000 {
        // Angle, and distance from the tip, of the start, the portals' far ends and the end.
        let mut angle = 0.0_f64;
        let count = 2 + rng.below(6);
        let mut turn = || {
            angle += f64::from(5 + rng.below(170)).to_radians();
            (angle, f64::from(1 + rng.below(40)))
        };
        let mut places: Vec<(f64, f64)> = (0..count + 1).map(|_| turn()).collect();
        places.retain(|place| place.0 < 6.0);
        let mirror = if round % 2 == 0 { 1.0 } else { -1.0 };
        let at = |(angle, far): (f64, f64)| p((angle.cos() * far * mirror) as f32, (angle.sin() * far) as f32);
        let (first, last) = (places[0], places[places.len() - 1]);
        let portal = |&place: &(f64, f64)| {
            let (tip, far) = (Vec3::ZERO, at(place));
            if mirror > 0.0 { Portal { left: tip, right: far } } else { Portal { left: far, right: tip } }
        };
        let inner = places.get(1..places.len() - 1).unwrap_or_default();
        let there: Vec<Portal> = inner.iter().map(portal).collect();
        let back: Vec<Portal> = there.iter().rev().map(|p| Portal { left: p.right, right: p.left }).collect();
        // How far from the tip the line between two points crosses the ray at an angle between theirs.
        let crossing = |(a, r): (f64, f64), (b, s): (f64, f64), at: f64| {
            r * s * (b - a).sin() / (r * (at - a).sin() + s * (b - at).sin())
        };
        let mut best = vec![f64::INFINITY; places.len()];
        best[0] = 0.0;
        let mut over_tip = f64::INFINITY;
        for to in 0..places.len() {
            for from in 0..to {
                let (a, b) = (places[from], places[to]);
                let between = &places[from + 1..to];
                if b.0 - a.0 < 179.5_f64.to_radians()
                    && between.iter().all(|&(angle, far)| crossing(a, b, angle) <= far)
                {
                    best[to] = best[to].min(best[from] + f64::from(distance(at(a), at(b))));
                }
            }
            over_tip = over_tip.min(best[to] + places[to].1 + last.1);
        }
        let expected = best[places.len() - 1].min(over_tip);
        around += usize::from(over_tip < best[places.len() - 1]);
        for path in [string_pull(at(first), at(last), &there), string_pull(at(last), at(first), &back)] {
            assert!((length(&path) - expected).abs() < 1e-3, "round {round}: {path:?}, {expected} {places:?}");
        }
    }
    assert!(around > 1000, "{around}");
}

/// A chain of rectangles that lie over each other like storeys, joined along parts of their sides: many of its corners
/// are in line. Returns start, end and portals.
fn storeys(rng: &mut Rng) -> (Vec3, Vec3, Vec<Portal>) {
    // The least and the greatest x and z of a rectangle.
    let mut rect = [[0, 4], [0, 4]];
    let inside = |rng: &mut Rng, [x, z]: [[i32; 2]; 2]| {
        let [x, z] = [x, z].map(|[low, high]| low as f32 + (1 + rng.below(7)) as f32 / 8.0 * (high - low) as f32);
        p(x, z)
    };
    let start = inside(rng, rect);
    let (mut entry, mut portals) = (None, Vec::new());
    for _ in 0..1 + rng.below(7) {
        // Across the side where this axis is least or greatest, along the other.
        let (axis, is_high) = (rng.below(2) as usize, rng.below(2) as usize);
        let [low, high] = rect[1 - axis];
        let from = low + rng.below((high - low) as u32) as i32;
        let to = from + 1 + rng.below((high - from) as u32) as i32;
        if entry.is_some_and(|(side, a, b)| side == (axis, is_high) && from < b && a < to) {
            continue;
        }
        let at = rect[axis][is_high];
        let point = |along: i32| if axis == 0 { p(at as f32, along as f32) } else { p(along as f32, at as f32) };
        // Facing greater x, greater z is to the left; facing greater z, lesser x is.
        let (left, right) = if (axis == 0) == (is_high == 1) { (to, from) } else { (from, to) };
        portals.push(Portal { left: point(left), right: point(right) });
        let depth = 1 + rng.below(4) as i32;
        rect[axis] = if is_high == 1 { [at, at + depth] } else { [at - depth, at] };
        rect[1 - axis] = [from - rng.below(4) as i32, to + rng.below(4) as i32];
        entry = Some(((axis, 1 - is_high), from, to));
    }
    (start, inside(rng, rect), portals)
}

#[test]
fn storeys_are_not_skipped() {
    let mut rng = Rng::new(25);
    let mut bent = 0;
    for round in 0..40_000 {
        let (start, end, portals) = storeys(&mut rng);
        let back: Vec<Portal> = portals.iter().rev().map(|p| Portal { left: p.right, right: p.left }).collect();
        let expected = oracle(start, end, &portals);
        for path in [string_pull(start, end, &portals), string_pull(end, start, &back)] {
            let found = length(&path);
            assert!((found - expected).abs() < 1e-4, "round {round}: {found}, {expected} {path:?} {portals:?}");
            bent += usize::from(path.len() > 3);
        }
    }
    assert!(bent > 10_000, "{bent}");
}

#[test]
fn a_spiral_that_passes_over_its_own_corner_is_not_cut_short() {
    // Once around the pillar at the origin, then to a point that was visible from the start.
    let ring = |x: f32, z: f32| Portal { left: p(0., 0.), right: p(x, z) };
    let portals = [ring(4., 0.), ring(0., 4.), ring(-4., 0.), ring(0., -4.), ring(4., 0.)];
    let path = string_pull(p(3., -1.), p(3., 1.), &portals);
    assert!(length(&path) > 6.0, "{path:?}");
}

#[test]
fn numbers_that_are_none_do_no_harm() {
    let nan = Vec3::NAN;
    let path =
        string_pull(nan, p(1., 1.), &[Portal { left: nan, right: p(0., 0.) }, Portal { left: p(1., 0.), right: nan }]);
    assert!(path.len() >= 2);
}
