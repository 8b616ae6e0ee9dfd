//! A straight walk over the mesh until a wall: a ray on the plane.
//!
//! From polygon to polygon over the edge by which the ray leaves. All sides are decided exactly, so the ray cannot slip
//! between two polygons that share an edge. Where it passes exactly through a vertex, the polygons around that vertex are
//! looked through for one in which it goes on: it is stopped there only if none of them takes it, and then it was stopped
//! by a wall. A ray along an edge is in both polygons beside it.
//!
//! ```text
//!    .-------.-------.
//!    |   B   | ,-'D  |      from A through the vertex into D, by way of B or C, whichever is open
//!    |     ,-V-------|
//!    | ,-' A |   C   |
//!    '-------'-------'
//! ```
//!
//! Cost: linear in the corners of the polygons passed; at a vertex, of those around it.
//!
//! Sources: the walk is folklore; the answer's form (a fraction of the way, the wall's normal) is Detour's. Exact
//! predicates: Jonathan Shewchuk, 1997.

use super::{PolyPoint, QueryFilter, SearchScratch, flood};
use crate::math::predicates::{orient_xz, rounding_at};
use crate::math::segment;
use crate::mesh::{NavMesh, PolyRef, Portal, StaleRef, Tile};
use crate::tile::TileData;
use glam::Vec3;

/// How far a ray got.
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
    /// The polygons it passed over, in order.
    pub polys: Vec<PolyRef>,
    /// What the way costs by the filter.
    pub cost: f32,
}

/// Walks straight from a place towards `end`, on the plane, until there or at a wall.
///
/// # Errors
/// [`StaleRef`].
pub fn raycast<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    start: PolyPoint,
    end: Vec3,
    filter: &F,
    scratch: &mut SearchScratch,
) -> Result<Raycast, StaleRef> {
    let mut answer = Raycast::default();
    raycast_into(mesh, start, end, filter, (scratch, &mut answer))?;
    Ok(answer)
}

/// [`raycast`] into an answer that keeps its memory.
///
/// # Errors
/// [`StaleRef`]; the answer then has no polygons.
pub fn raycast_into<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    start: PolyPoint,
    end: Vec3,
    filter: &F,
    (scratch, answer): (&mut SearchScratch, &mut Raycast),
) -> Result<(), StaleRef> {
    answer.polys.clear();
    (answer.hit, answer.t, answer.point) = (false, 0.0, start.point);
    (answer.normal, answer.cost) = (Vec3::ZERO, 0.0);
    let (tile, poly) = mesh.locate(start.poly)?;
    answer.polys.push(start.poly);
    if !(start.point.is_finite() && end.is_finite()) {
        answer.hit = true;
        return Ok(());
    }
    let from = inside(tile.data(), poly, start.point, end);
    let mut walk = Walk { mesh, filter, from, to: end, t: 0.0, cost: 0.0, at: start.point };
    walk.run((tile, poly), scratch, answer);
    answer.point = segment::at(start.point, end, answer.t);
    answer.cost = walk.cost;
    Ok(())
}

/// The start, moved into the polygon if the line to `end` would miss it: a start beside the polygon by rounding.
fn inside(data: &TileData, poly: u32, start: Vec3, end: Vec3) -> Vec3 {
    if data.is_over(poly, start) || exits(data, poly, start, end)[0].is_some() {
        return start;
    }
    let center = data.center_of(poly);
    let near = data.closest_on_outline(poly, start);
    let mut share = (4.0 * rounding_at(near) / near.distance(center)).min(1.0);
    while share < 1.0 {
        let moved = near + (center - near) * share;
        if data.is_over(poly, moved) {
            return moved;
        }
        share *= 4.0;
    }
    center
}

/// An edge by which a line leaves a polygon.
#[derive(Clone, Copy)]
struct Exit {
    corner: u32,
    a: Vec3,
    b: Vec3,
    /// How far along the line.
    t: f32,
    /// Whether the line passes through an end of it.
    is_vertex: bool,
}

/// The edges of a polygon by which the line from → to leaves it before its end: one, or the two at a vertex; none if the
/// end is in the polygon. Each corner's side of the line is decided once.
#[inline]
fn exits(data: &TileData, poly: u32, from: Vec3, to: Vec3) -> [Option<Exit>; 2] {
    let range = data.corner_range(poly);
    let corners = &data.corners[range.clone()];
    let mut found = [None; 2];
    let Some(&last) = corners.last() else { return found };
    let mut a = data.verts[last as usize];
    let mut side_a = orient_xz(from, to, a);
    for (k, &corner) in corners.iter().enumerate() {
        let b = data.verts[corner as usize];
        let side_b = orient_xz(from, to, b);
        if side_a >= 0.0 && side_b <= 0.0 && side_a > side_b {
            let beyond = orient_xz(a, b, to);
            if beyond > 0.0 {
                let before = orient_xz(a, b, from);
                let t = if before < 0.0 { (before / (before - beyond)) as f32 } else { 0.0 };
                let edge = if k == 0 { range.end - 1 } else { range.start + k - 1 };
                let exit = Exit { corner: edge as u32, a, b, t, is_vertex: side_a == 0.0 || side_b == 0.0 };
                found[usize::from(found[0].is_some())] = Some(exit);
            }
        }
        (a, side_a) = (b, side_b);
    }
    found
}

/// Steps without getting farther after which a ray counts as stopped.
const MAX_STALLED: u32 = 256;

struct Walk<'a, F: ?Sized> {
    mesh: &'a NavMesh,
    filter: &'a F,
    from: Vec3,
    to: Vec3,
    t: f32,
    cost: f32,
    /// The place up to which the cost is counted.
    at: Vec3,
}

impl<'a, F: QueryFilter + ?Sized> Walk<'a, F> {
    fn run(&mut self, start: (&'a Tile, u32), scratch: &mut SearchScratch, answer: &mut Raycast) {
        let (mut tile, mut poly) = start;
        // On sound meshes every few steps lead farther; a mesh whose polygons fold over their own links must not trap a ray.
        let mut stalled = 0;
        while stalled < MAX_STALLED {
            let before = self.t;
            let [first, second] = exits(tile.data(), poly, self.from, self.to);
            let Some(exit) = first else {
                self.pay(tile, poly, 1.0);
                answer.t = 1.0;
                return;
            };
            self.pay(tile, poly, exit.t);
            stalled = if self.t > before { 0 } else { stalled + 1 };
            let next = match self.vertex_on_way(&exit) {
                None => self.cross(tile, poly, &exit),
                Some(vertex) => self.around_vertex((tile, poly), vertex, scratch, answer),
            };
            let Some(next) = next else {
                (answer.hit, answer.t) = (true, self.t.min(1.0));
                answer.normal = self.wall_normal((tile, poly), &exit, second.as_ref());
                return;
            };
            (tile, poly) = (next.tile, next.poly);
            answer.polys.push(next.reference());
        }
        (answer.hit, answer.t) = (true, self.t.min(1.0));
    }

    /// The end of an edge that lies exactly on the ray.
    fn vertex_on_way(&self, exit: &Exit) -> Option<Vec3> {
        if !exit.is_vertex {
            return None;
        }
        [exit.a, exit.b].into_iter().find(|&v| orient_xz(self.from, self.to, v) == 0.0)
    }

    /// Counts the cost of the way over a polygon up to `t`, which never goes back.
    fn pay(&mut self, tile: &Tile, poly: u32, t: f32) {
        self.t = self.t.max(t);
        let place = segment::at(self.from, self.to, self.t);
        self.cost += self.filter.cost(self.at, place, tile.reference(poly), tile.state(poly));
        self.at = place;
    }

    /// The polygon beyond an edge, where the ray crosses it.
    fn cross(&self, tile: &'a Tile, poly: u32, exit: &Exit) -> Option<Next<'a>> {
        let neighbour = tile.data().neighbours[exit.corner as usize];
        if let Some(next) = neighbour.as_poly() {
            return self.admit(tile, next);
        }
        neighbour.as_border()?;
        self.ways_over(tile, poly, exit.corner)
            .find(|(portal, _)| {
                orient_xz(self.from, self.to, portal.a) >= 0.0 && orient_xz(self.from, self.to, portal.b) <= 0.0
            })
            .map(|(_, next)| next)
    }

    /// A polygon, if it passes the filter.
    fn admit(&self, tile: &'a Tile, poly: u32) -> Option<Next<'a>> {
        self.filter.passes(tile.reference(poly), tile.state(poly)).then_some(Next { tile, poly })
    }

    /// The polygons beyond an edge that pass the filter.
    fn ways_over(&self, tile: &'a Tile, poly: u32, corner: u32) -> impl Iterator<Item = (Portal, Next<'a>)> + '_ {
        let portals = tile.portals(poly).filter(move |portal| portal.edge == corner);
        portals.filter_map(|portal| {
            let next = self.admit(self.mesh.tile(portal.to.slot())?, portal.to.poly().get())?;
            Some((portal, next))
        })
    }

    /// The ray leaves a polygon exactly at a vertex: the polygon around it in which it goes on, if there is one. Those in between are
    /// written to the answer.
    fn around_vertex(
        &self,
        (tile, poly): (&'a Tile, u32),
        vertex: Vec3,
        scratch: &mut SearchScratch,
        answer: &mut Raycast,
    ) -> Option<Next<'a>> {
        let touches = |p: Vec3| (p.x, p.z) == (vertex.x, vertex.z);
        let first = flood::begin(self.mesh, tile.reference(poly), vertex, scratch).ok()?;
        let SearchScratch { nodes, queue, .. } = scratch;
        queue.clear();
        queue.push(first);
        let mut at = 0;
        while let Some(&index) = queue.get(at) {
            at += 1;
            let tile = flood::tile_of(self.mesh, nodes, index)?;
            let poly = nodes.get(index).poly;
            for portal in tile.portals(poly).filter(|portal| touches(portal.a) || touches(portal.b)) {
                let Some(beyond) = flood::look(self.mesh, &portal, self.filter, nodes).filter(|b| b.known.is_none())
                else {
                    continue;
                };
                let new = flood::add(nodes, &beyond, index, vertex, 0.0);
                if self.goes_on(beyond.tile.data(), beyond.poly, vertex) {
                    let start = answer.polys.len();
                    flood::write_polys(self.mesh, nodes, index, &mut answer.polys);
                    // The first is where we stand already.
                    answer.polys.remove(start);
                    return Some(Next { tile: beyond.tile, poly: beyond.poly });
                }
                queue.push(new);
            }
        }
        None
    }

    /// Whether the ray, having come to a vertex of a polygon, has more of its way in that polygon: the direction points into the corner or along
    /// one of its edges.
    fn goes_on(&self, data: &TileData, poly: u32, vertex: Vec3) -> bool {
        let corners = data.corner_range(poly);
        let mut edges = corners.map(|corner| data.edge(poly, corner as u32));
        edges.all(|[a, b]| {
            let touches = |p: Vec3| (p.x, p.z) == (vertex.x, vertex.z);
            !(touches(a) || touches(b)) || orient_xz(a, b, self.to) <= 0.0
        })
    }

    /// The normal of the wall at an exit; at a vertex that of the edge that is more against the ray, if it is a wall.
    fn wall_normal(&self, (tile, poly): (&'a Tile, u32), exit: &Exit, other: Option<&Exit>) -> Vec3 {
        let direction = self.to - self.from;
        let normal = |exit: &Exit| segment::inward_normal(exit.a, exit.b);
        let Some(other) = other else { return normal(exit) };
        let is_open = |exit: &Exit| self.ways_over(tile, poly, exit.corner).next().is_some();
        let against = |exit: &Exit| (is_open(exit), normal(exit).dot(direction));
        if against(other) < against(exit) { normal(other) } else { normal(exit) }
    }
}

struct Next<'a> {
    tile: &'a Tile,
    poly: u32,
}

impl Next<'_> {
    fn reference(&self) -> PolyRef {
        self.tile.reference(self.poly)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;
    use crate::query::test_maps::{at, mesh, random_map};
    use crate::query::{DefaultFilter, find_nearest};

    fn ask(mesh: &NavMesh, from: (f32, f32), to: (f32, f32)) -> Raycast {
        let start = at(mesh, from).unwrap();
        raycast(mesh, start, Vec3::new(to.0, 0.0, to.1), &DefaultFilter::default(), &mut SearchScratch::new()).unwrap()
    }

    #[test]
    fn free_way_and_wall() {
        let mesh = mesh(&[((0, 0), "aaaa\naa.a\naaaa"), ((1, 0), "aaaa\naaaa\naaaa")]);
        let free = ask(&mesh, (0.5, 0.5), (5.5, 0.75));
        assert_eq!((free.hit, free.t, free.polys.len(), free.normal), (false, 1.0, 6, Vec3::ZERO));
        assert!((free.cost - free.point.distance(Vec3::new(0.5, 0.0, 0.5))).abs() < 1e-4);
        let wall = ask(&mesh, (0.5, 1.5), (4.5, 1.5));
        assert_eq!((wall.hit, wall.t, wall.normal), (true, 0.375, Vec3::NEG_X));
        assert_eq!((wall.point, wall.polys.len(), wall.cost), (Vec3::new(2.0, 0.0, 1.5), 2, 1.5));
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
        let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
        let mut start = at(&mesh, (0.5, 0.5)).unwrap();
        start.point.z = -1e-6;
        let mut ask = |start, end| raycast(&mesh, start, end, &filter, &mut scratch).unwrap();
        let ray = ask(start, Vec3::new(2.5, 0.0, 0.0));
        assert_eq!((ray.polys.len(), ray.hit), (3, false), "{ray:?}");
        assert_eq!((ask(start, Vec3::new(0.5, 0.0, -1.0)).hit, ask(start, Vec3::NAN).hit), (true, true));
    }

    /// On random maps, from and to points that lie on edges and vertices as often as not: what was passed is ground, and
    /// what stopped the ray is none.
    #[test]
    fn a_ray_ends_where_the_ground_does() {
        let (mut rng, filter, mut scratch) = (Rng::new(12), DefaultFilter::default(), SearchScratch::new());
        let (mut hits, mut free) = (0, 0);
        for _ in 0..150 {
            let mesh = random_map(&mut rng, 3, 4);
            let over = |p: Vec3| mesh.tiles().any(|t| (0..t.poly_count()).any(|i| t.data().is_over(i, p)));
            for _ in 0..40 {
                let mut place = || {
                    let mut coordinate = || rng.below(49) as f32 / 4.0;
                    Vec3::new(coordinate(), 0.0, coordinate())
                };
                let (from, to) = (place(), place());
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
