//! Walks straight over the mesh until a wall: a ray in the horizontal plane.
//!
//! The ray goes from polygon to polygon over the edge by which it [leaves](super::line_walk). All sides are decided
//! exactly, so it cannot slip between two polygons that share an edge. Where it passes exactly through a vertex, the
//! polygons around the vertex are searched for one in which it continues; it stops there, at a wall, only if there is
//! none. A ray along an edge is in both polygons beside it.
//!
//! ```text
//!    .-------.-------.
//!    |   B   | ,-'D  |      from A through the vertex into D, via B or C, whichever is open
//!    |     ,-V-------|
//!    | ,-' A |   C   |
//!    '-------'-------'
//! ```
//!
//! Cost: linear in the corners of the polygons passed; at a vertex, of those around it.
//!
//! Sources: the walk is folklore; the answer's form (a fraction of the way, the wall's normal) is Detour's. Exact
//! predicates: Jonathan Shewchuk, 1997.

use super::around_vertex::AroundVertex;
use super::line_walk::{Entered, Exit, Left, adjacent_over, cross, exits, follow};
use super::scratch::SearchMemory;
use super::{Crossing, PolyPoint, QueryFilter, SearchScratch};
use crate::math::predicates::{LineXz, rounding_at};
use crate::math::segment;
use crate::mesh::{NavMesh, PolyRef, PolyState, StaleRef};
use crate::tile::{Beyond, TileData};
use glam::Vec3;

/// Result of a raycast.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Raycast {
    /// Whether a wall was hit.
    pub hit: bool,
    /// How far it got: 0 at the start, 1 at the end.
    pub t: f32,
    /// Where it got to. Its height is that of the straight line to the end.
    pub point: Vec3,
    /// The normal of the wall that was hit, on the plane, towards the start; zero if none was.
    pub normal: Vec3,
    /// The edge that was hit, counted within the last polygon; `None` if none was.
    pub edge: Option<u32>,
    /// The polygons it passed over, in order.
    pub polys: Vec<PolyRef>,
    /// Cost of the line by the filter, with the heights of the edges that it crosses; 0 unless requested with
    /// [`raycast_with_cost`].
    pub cost: f32,
}

impl Raycast {
    /// Stopped at its start, without hitting a wall.
    pub(super) fn stop_at(&mut self, point: Vec3) {
        self.polys.clear();
        (self.hit, self.t, self.point) = (true, 0.0, point);
        (self.normal, self.edge, self.cost) = (Vec3::ZERO, None, 0.0);
    }
}

/// Walks straight from a position towards `end`, in the horizontal plane, until it arrives or hits a wall. If start or
/// end is not finite, the ray stops at its start without hitting a wall: a hit at 0 without a normal.
///
/// # Errors
/// [`StaleRef`].
pub fn raycast<F: QueryFilter + ?Sized, O>(
    mesh: &NavMesh,
    start: PolyPoint,
    end: Vec3,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> Result<Raycast, StaleRef> {
    let mut answer = Raycast::default();
    raycast_into(mesh, start, end, filter, scratch, &mut answer)?;
    Ok(answer)
}

/// Like [`raycast`], but fills an existing answer.
///
/// # Errors
/// [`StaleRef`]; the answer then has no polygons.
pub fn raycast_into<F: QueryFilter + ?Sized, O>(
    mesh: &NavMesh,
    start: PolyPoint,
    end: Vec3,
    filter: &F,
    scratch: &mut SearchScratch<O>,
    answer: &mut Raycast,
) -> Result<(), StaleRef> {
    walk::<F, false>(mesh, start, end, filter, &mut scratch.memory, answer)
}

/// Like [`raycast`], and also computes the cost of the line by the filter, polygon by polygon, for comparing a straight
/// line with a path found by a search.
///
/// # Errors
/// [`StaleRef`].
pub fn raycast_with_cost<F: QueryFilter + ?Sized, O>(
    mesh: &NavMesh,
    start: PolyPoint,
    end: Vec3,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> Result<Raycast, StaleRef> {
    let mut answer = Raycast::default();
    raycast_with_cost_into(mesh, start, end, filter, scratch, &mut answer)?;
    Ok(answer)
}

/// Like [`raycast_with_cost`], but fills an existing answer.
///
/// # Errors
/// [`StaleRef`]; the answer then has no polygons.
pub fn raycast_with_cost_into<F: QueryFilter + ?Sized, O>(
    mesh: &NavMesh,
    start: PolyPoint,
    end: Vec3,
    filter: &F,
    scratch: &mut SearchScratch<O>,
    answer: &mut Raycast,
) -> Result<(), StaleRef> {
    walk::<F, true>(mesh, start, end, filter, &mut scratch.memory, answer)
}

fn walk<F: QueryFilter + ?Sized, const WITH_COST: bool>(
    mesh: &NavMesh,
    start: PolyPoint,
    end: Vec3,
    filter: &F,
    memory: &mut SearchMemory,
    answer: &mut Raycast,
) -> Result<(), StaleRef> {
    answer.polys.clear();
    (answer.hit, answer.t, answer.point) = (false, 0.0, start.point);
    (answer.normal, answer.edge, answer.cost) = (Vec3::ZERO, None, 0.0);
    let (tile, poly) = mesh.locate(start.poly)?;
    answer.polys.push(start.poly);
    if !(start.point.is_finite() && end.is_finite()) {
        answer.hit = true;
        return Ok(());
    }
    let line = LineXz::new(start.point, end);
    let mut walk = Walk::<'_, F, WITH_COST> { mesh, filter, line, t: 0.0, cost: 0.0, at: start.point, before: None };
    walk.run(Entered::new(tile, poly), (memory, answer));
    answer.point = segment::at(start.point, end, answer.t);
    answer.cost = walk.cost;
    Ok(())
}

/// The start, moved into the polygon: rounding has put it outside, and the line would miss the polygon.
#[cold]
fn inside(data: &TileData, poly: u32, start: Vec3) -> Vec3 {
    let center = data.center_of(poly);
    let near = data.closest_on_outline(poly, start);
    // Never 0, however large the polygon: it must grow.
    let mut share = (4.0 * rounding_at(near) / near.distance(center)).clamp(f32::EPSILON, 1.0);
    while share < 1.0 {
        let moved = near + (center - near) * share;
        if data.is_over(poly, moved) {
            return moved;
        }
        share *= 4.0;
    }
    center
}

/// Steps without progress after which a ray stops. On sound meshes every few steps make progress; a mesh whose polygons
/// fold over their own links must not trap a ray.
const MAX_STALLED: u32 = 256;

struct Walk<'a, F: ?Sized, const WITH_COST: bool> {
    mesh: &'a NavMesh,
    filter: &'a F,
    line: LineXz,
    /// How far it has certainly come.
    t: f32,
    cost: f32,
    /// The point up to which the cost is counted, and the last polygon included.
    at: Vec3,
    before: Option<PolyRef>,
}

impl<'a, F: QueryFilter + ?Sized, const WITH_COST: bool> Walk<'a, F, WITH_COST> {
    #[inline]
    fn run(&mut self, mut at: Entered<'a>, (memory, answer): (&mut SearchMemory, &mut Raycast)) {
        let mut steps = 0;
        let mut last_t = -1.0;
        let mut was_moved = false;
        // Stays in registers: nothing points to it.
        let mut line = self.line;
        loop {
            let (last, left) = follow(self.mesh, line, at, |from, over, next| {
                let enters = next.passes(self.filter) && steps < MAX_STALLED;
                if enters {
                    if WITH_COST {
                        self.pay_up_to(from, over, Some(next.reference()));
                    }
                    steps += 1;
                    answer.polys.push(next.reference());
                }
                enters
            });
            let passed = answer.polys.len();
            let (over, next) = match left {
                // A wall needs no further checks: nearly all rays that do not arrive end here.
                Left::Over(wall) if wall.beyond() == Beyond::WALL => (wall, None),
                Left::Over(over) | Left::Through(over) => {
                    let gets_farther = steps < MAX_STALLED || {
                        steps = 0;
                        self.gets_farther(over, &mut last_t)
                    };
                    steps += 1;
                    (over, if gets_farther { self.beyond(last, left, memory, answer) } else { None })
                }
                Left::Not => {
                    let from = line.from();
                    let to = line.to();
                    if answer.polys.len() == 1 && !was_moved && !last.outline().is_over(from) {
                        let moved = inside(last.tile.data(), last.poly, from);
                        (line, was_moved) = (LineXz::new(moved, to), true);
                        self.line = line;
                        continue;
                    }
                    if WITH_COST {
                        self.pay((last.reference(), last.tile.state(last.poly)), to, None);
                    }
                    answer.t = 1.0;
                    return;
                }
            };
            if WITH_COST {
                let after = next.map(Entered::reference);
                let around = &answer.polys[passed..];
                self.pay_up_to(last, over, around.first().copied().or(after));
                self.pay_around(around, after);
            }
            let Some(next) = next else {
                self.t = self.t.max(over.share_before(line));
                (answer.hit, answer.t) = (true, self.t.min(1.0));
                let wall = if let Left::Through(_) = left { self.wall_at_vertex(last, over) } else { over };
                (answer.normal, answer.edge) = (wall.inward_normal(), Some(wall.within(last.outline())));
                return;
            };
            at = next;
            answer.polys.push(at.reference());
        }
    }

    /// Continues a ray where [`follow`] stopped: at an end of part of a border, or through a vertex.
    #[cold]
    fn beyond(
        &self,
        last: Entered<'a>,
        left: Left<'a>,
        memory: &mut SearchMemory,
        answer: &mut Raycast,
    ) -> Option<Entered<'a>> {
        match left {
            Left::Over(over) => cross((self.mesh, self.filter), self.line, last, over),
            Left::Through(over) => {
                let at = (last, over.vertex_on(self.line)?);
                AroundVertex::cross((self.mesh, self.filter), self.line, at, memory, &mut answer.polys)
            }
            Left::Not => None,
        }
    }

    /// Whether an exit is farther along the line than at the previous call.
    #[cold]
    fn gets_farther(&mut self, exit: Exit<'_>, last_t: &mut f32) -> bool {
        self.t = self.t.max(exit.share_before(self.line));
        self.t > core::mem::replace(last_t, self.t)
    }

    /// Adds the cost of the line over a polygon up to its exit, which never goes back. The height there is that of the
    /// edge: the ray itself may be far above or below the surface.
    fn pay_up_to(&mut self, over: Entered<'_>, exit: Exit<'_>, next: Option<PolyRef>) {
        self.t = self.t.max(exit.share_before(self.line));
        let line = self.line;
        let place = segment::at(line.from(), line.to(), self.t);
        let height = segment::closest_point(place, exit.start(), exit.end()).y;
        self.pay((over.reference(), over.tile.state(over.poly)), place.with_y(height), next);
    }

    /// Adds the cost of polygons touched only at a vertex: the length is zero, but a filter may charge a toll.
    fn pay_around(&mut self, around: &[PolyRef], after: Option<PolyRef>) {
        for (index, &poly) in around.iter().enumerate() {
            if let Ok(state) = self.mesh.state(poly) {
                self.pay((poly, state), self.at, around.get(index + 1).copied().or(after));
            }
        }
    }

    /// Adds the cost of the line over a polygon, up to a point.
    fn pay(&mut self, (poly, state): (PolyRef, PolyState), place: Vec3, next: Option<PolyRef>) {
        let crossing = Crossing::over(self.mesh, poly, state, [self.at, place]).between(self.before, next);
        // Nothing of an infinite cost is no number, and costs nothing.
        self.cost += self.filter.cost(&crossing).max(0.0);
        (self.at, self.before) = (place, Some(poly));
    }

    /// The wall at a vertex: the edge that faces the ray more directly, if it is a wall.
    #[cold]
    fn wall_at_vertex<'e>(&self, at: Entered<'e>, exit: Exit<'e>) -> Exit<'e> {
        let line = self.line;
        let tile = at.tile;
        let [_, Some(other)] = exits(line, at.outline()) else { return exit };
        let is_open = |exit: Exit<'_>| match exit.beyond().as_poly() {
            Some(poly) => self.filter.passes(tile.reference(poly), tile.state(poly)),
            None => adjacent_over(self.mesh, tile, exit.beyond(), self.filter).next().is_some(),
        };
        let against = |exit: Exit<'_>| (is_open(exit), exit.inward_normal().dot(line.to() - line.from()));
        if against(other) < against(exit) { other } else { exit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PolyFlags};
    use crate::math::{Rng, ops};
    use crate::query::test_maps::{at, mesh, random_map};
    use crate::query::{DefaultFilter, find_nearest};
    use crate::tile::test_sketch::single_polygon;
    use crate::tile::{SourcePoly, TileCoord, TileLayout, TileSource, build_tile};

    fn ask(mesh: &NavMesh, from: (f32, f32), to: (f32, f32)) -> Raycast {
        let start = at(mesh, from).unwrap();
        let to = Vec3::new(to.0, 0.0, to.1);
        let filter = DefaultFilter::default();
        let mut scratch = SearchScratch::new();
        let plain = raycast(mesh, start, to, &filter, &mut scratch).unwrap();
        let costed = raycast_with_cost(mesh, start, to, &filter, &mut scratch).unwrap();
        assert_eq!(plain, Raycast { cost: 0.0, ..costed.clone() });
        costed
    }

    #[test]
    fn free_way_and_wall() {
        let mesh = mesh(&[((0, 0), "aaaa\naa.a\naaaa"), ((1, 0), "aaaa\naaaa\naaaa")]);
        let free = ask(&mesh, (0.5, 0.5), (5.5, 0.75));
        assert_eq!((free.hit, free.t, free.polys.len(), free.normal), (false, 1.0, 6, Vec3::ZERO));
        assert_eq!(free.edge, None);
        assert!((free.cost - free.point.distance(Vec3::new(0.5, 0.0, 0.5))).abs() < 1e-4);
        let wall = ask(&mesh, (0.5, 1.5), (4.5, 1.5));
        assert_eq!((wall.hit, wall.t, wall.normal), (true, 0.375, Vec3::NEG_X));
        assert_eq!((wall.point, wall.polys.len(), wall.cost), (Vec3::new(2.0, 0.0, 1.5), 2, 1.5));
    }

    #[test]
    fn what_a_ray_costs_is_what_the_ground_it_crosses_costs() {
        let mesh = mesh(&[((0, 0), "aab"), ((1, 0), "ba.")]);
        let mut filter = DefaultFilter::default();
        filter.set_area_cost(mesh.state(at(&mesh, (2.5, 0.5)).unwrap().poly).unwrap().area, 4.0).unwrap();
        let start = at(&mesh, (0.5, 0.5)).unwrap();
        let cost = |x: f32| {
            let end = Vec3::new(x, 0.0, 0.5);
            raycast_with_cost(&mesh, start, end, &filter, &mut SearchScratch::new()).unwrap().cost
        };
        // A metre and a half of the cheap area, two of the expensive one over the tile's border, then a metre up to the
        // wall.
        for (x, expected) in [(1.5, 1.0), (2.5, 3.5), (4.0, 9.5), (4.5, 10.0), (9.0, 10.5)] {
            assert!((cost(x) - expected).abs() < 1e-4, "{x}: {}", cost(x));
        }
    }

    #[test]
    fn through_vertices_by_whichever_side_is_open() {
        for map in ["aa\naa", "aa\na.", ".a\naa"] {
            let ray = ask(&mesh(&[((0, 0), map)]), (0.5, 0.5), (1.5, 1.5));
            assert_eq!((ray.hit, ray.t), (false, 1.0), "{map}");
        }
        let shut = ask(&mesh(&[((0, 0), ".a\na.")]), (0.5, 0.5), (1.5, 1.5));
        assert_eq!((shut.hit, shut.t, shut.polys.len()), (true, 0.5, 1));
        let over_tiles = mesh(&[((0, 0), "a"), ((1, 0), "a"), ((0, 1), "a"), ((1, 1), "a")]);
        let ray = ask(&over_tiles, (0.5, 0.5), (1.5, 1.5));
        assert_eq!((ray.hit, ray.polys.len()), (false, 3));
    }

    /// A corner of one tile in the middle of an edge of the next, whichever link over it comes first.
    #[test]
    fn through_a_corner_within_an_edge_of_another_tile() {
        let tile = |z: i32, frame: [[f32; 2]; 2], polys: &[[[f32; 2]; 4]]| {
            let verts: Vec<Vec3> = polys.iter().flatten().map(|&[x, z]| Vec3::new(x, 0.0, z)).collect();
            let first = |v: &Vec3| verts.iter().position(|other| other == v).unwrap() as u32;
            let corners: Vec<u32> = verts.iter().map(first).collect();
            let square = SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE };
            let (coord, polys) = (TileCoord { x: 0, z, layer: 0 }, vec![square; polys.len()]);
            let frame = Some(frame.map(glam::Vec2::from));
            let (verts, corners, polys) = (&verts[..], &corners[..], &polys[..]);
            build_tile(&TileSource { coord, verts, corners, polys, frame, ..TileSource::default() }).unwrap()
        };
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 1.0 };
        for turn in 0..4 {
            let mut left = [[1.0, 1.0], [0.0, 1.0], [0.0, 2.0], [1.0, 2.0]];
            let mut right = [[1.0, 1.0], [1.0, 2.0], [2.0, 2.0], [2.0, 1.0]];
            left.rotate_left(turn);
            right.rotate_left(turn);
            for pair in [[left, right], [right, left]] {
                let below = [[0.0, 0.0], [0.0, 1.0], [2.0, 1.0], [2.0, 0.0]];
                let below = tile(0, [[0.0, 0.0], [2.0, 1.0]], &[below]);
                let above = tile(1, [[0.0, 1.0], [2.0, 2.0]], &pair);
                let mesh = NavMesh::from_tiles(layout, vec![below, above]).unwrap();
                for [from, to] in [[0.75, 1.25], [1.25, 0.75]] {
                    let ray = ask(&mesh, (from, 0.5), (to, 1.5));
                    assert!(!ray.hit && ray.t == 1.0 && ray.polys.len() <= 4, "{turn} {from}: {ray:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_touched_only_at_a_vertex_costs_nothing_however_dear() {
        let mesh = mesh(&[((0, 0), "ba\nab")]);
        let mut filter = DefaultFilter::default();
        let dear = mesh.state(at(&mesh, (0.5, 1.5)).unwrap().poly).unwrap().area;
        filter.set_area_cost(dear, f32::INFINITY).unwrap();
        let start = at(&mesh, (0.5, 0.5)).unwrap();
        let end = Vec3::new(1.5, 0.0, 1.5);
        let ray = raycast_with_cost(&mesh, start, end, &filter, &mut SearchScratch::new()).unwrap();
        assert!(!ray.hit && (ray.cost - 2.0_f32.sqrt()).abs() < 1e-5, "{ray:?}");
    }

    #[test]
    fn along_edges_and_walls() {
        let mesh = mesh(&[((0, 0), "aaa\naaa"), ((1, 0), "aaa\n...")]);
        let between = ask(&mesh, (0.5, 1.0), (5.5, 1.0));
        assert_eq!((between.hit, between.t), (false, 1.0));
        let along_wall = ask(&mesh, (0.0, 0.5), (0.0, 2.0));
        assert_eq!((along_wall.hit, along_wall.t), (false, 1.0));
        let out = ask(&mesh, (0.0, 0.5), (0.0, 3.5));
        assert_eq!((out.hit, out.t, out.normal), (true, 0.5, Vec3::NEG_Z));
        let away = ask(&mesh, (0.0, 0.5), (-2.0, 0.5));
        assert_eq!((away.hit, away.t, away.normal), (true, 0.0, Vec3::X));
        let stay = ask(&mesh, (0.5, 0.5), (0.5, 0.5));
        assert_eq!((stay.hit, stay.t, stay.polys.len()), (false, 1.0, 1));
    }

    #[test]
    fn a_start_beside_its_polygon_and_numbers_that_are_none() {
        let mesh = mesh(&[((0, 0), "aaa")]);
        let filter = DefaultFilter::default();
        let mut scratch = SearchScratch::new();
        let mut start = at(&mesh, (0.5, 0.5)).unwrap();
        start.point.z = -1e-6;
        let mut ask = |start, end| raycast(&mesh, start, end, &filter, &mut scratch).unwrap();
        let ray = ask(start, Vec3::new(2.5, 0.0, 0.0));
        assert_eq!((ray.polys.len(), ray.hit), (3, false), "{ray:?}");
        assert!(ask(start, Vec3::new(0.5, 0.0, -1.0)).hit);
        // However far beside: from the outline on.
        for far in [Vec3::new(1e30, 0.0, 0.5), Vec3::new(-3e38, 0.0, 3e38), Vec3::new(0.5, 0.0, -1e20)] {
            let ray = ask(PolyPoint { point: far, ..start }, Vec3::new(2.5, 0.0, 0.5));
            assert!(ray.t >= 0.0 && ray.t <= 1.0, "{far}: {ray:?}");
        }
        for odd in [Vec3::NAN, Vec3::INFINITY, start.point.with_y(f32::NAN)] {
            let ray = ask(start, odd);
            assert_eq!((ray.hit, ray.t, ray.point, ray.normal), (true, 0.0, start.point, Vec3::ZERO));
            assert_eq!((ray.polys, ray.edge), (vec![start.poly], None));
        }
    }

    #[test]
    fn the_edge_that_is_hit_is_named_however_many_there_are() {
        let corners = 20_u32;
        let around = |k: u32| -core::f32::consts::TAU * k as f32 / corners as f32;
        let corner = |k: u32| Vec3::new(ops::cos(around(k)), 0.0, ops::sin(around(k)));
        let tile = single_polygon((0..corners).map(corner).collect());
        let mesh = NavMesh::from_tile(tile).unwrap();
        let filter = DefaultFilter::default();
        let mut scratch = SearchScratch::new();
        let start = PolyPoint { poly: mesh.tiles().next().unwrap().reference(0), point: Vec3::ZERO };
        for k in 0..corners {
            let [a, b] = mesh.tiles().next().unwrap().data().edge(0, k);
            let ray = raycast(&mesh, start, a + b, &filter, &mut scratch).unwrap();
            assert_eq!((ray.hit, ray.edge), (true, Some(k)), "{ray:?}");
        }
    }

    /// On random maps, from and to points that lie on edges and vertices as often as not: what was passed is ground,
    /// and what stopped the ray is none.
    #[test]
    fn a_ray_ends_where_the_ground_does() {
        let mut rng = Rng::new(12);
        let filter = DefaultFilter::default();
        let mut scratch = SearchScratch::new();
        let mut hits = 0;
        let mut free = 0;
        for _ in 0..150 {
            let mesh = random_map(&mut rng, 3, 4);
            let over = |p: Vec3| mesh.tiles().any(|t| (0..t.poly_count()).any(|i| t.data().is_over(i, p)));
            for _ in 0..40 {
                let mut place = || {
                    let mut coordinate = || rng.below(49) as f32 / 4.0;
                    Vec3::new(coordinate(), 0.0, coordinate())
                };
                let from = place();
                let to = place();
                let Some(start) = find_nearest(&mesh, from, Vec3::splat(0.1), &filter).filter(|n| n.over) else {
                    continue;
                };
                let ray = raycast(&mesh, start.place(), to, &filter, &mut scratch).unwrap();
                for k in 0..40 {
                    let p = from + (to - from) * (ray.t * k as f32 / 40.0);
                    assert!(
                        find_nearest(&mesh, p, Vec3::splat(1.0), &filter).is_some_and(|n| n.point.distance(p) < 1e-4)
                    );
                }
                for pair in ray.polys.windows(2) {
                    assert!(mesh.poly(pair[0]).unwrap().portals().any(|p| p.to == pair[1]), "{from} {to} {ray:?}");
                }
                if ray.hit {
                    hits += 1;
                    let p = ray.point;
                    let at_vertex = (p.x - p.x.round()).abs() < 1e-3 && (p.z - p.z.round()).abs() < 1e-3;
                    let beyond = p + (to - from).normalize() * 1e-3;
                    assert!(at_vertex || !over(beyond), "{from} {to} stopped at {p}");
                    let (tile, poly) = mesh.locate(*ray.polys.last().unwrap()).unwrap();
                    let corner = tile.data().polys()[poly as usize].first + ray.edge.unwrap();
                    let [a, b] = tile.data().edge(poly, corner);
                    assert_eq!(ray.normal, segment::inward_normal(a, b), "{from} {to} {ray:?}");
                    assert!(segment::point_distance_squared(p, a, b) < 1e-6, "{from} {to} {ray:?}");
                } else {
                    free += 1;
                    assert_eq!(
                        ray.polys.last().map(|&last| mesh.locate(last).unwrap()).map(|(t, i)| t.data().is_over(i, to)),
                        Some(true)
                    );
                }
            }
        }
        assert!(hits > 500 && free > 300, "{hits} {free}");
    }
}
