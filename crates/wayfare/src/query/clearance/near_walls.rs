//! Finds the walls near a polygon, following the surface.
//!
//! Floods outwards from the polygon over portals within the radius of it, and collects the walls of the reached
//! polygons that are also within the radius. Walls of other floors are not found, since the surface does not lead there
//! within the radius. Where it does, on steep winding stairs, walls higher above or lower below than the agent's height
//! are ignored.
//!
//! If a wall lies in front of a polygon and every corner of the polygon is within the radius of it, so is every point
//! of the polygon, since it is convex. Nothing of it remains, and no other wall is needed: a radius of many rooms
//! searches no farther than one of them.
//!
//! Cost: linear in the edges of the polygons reached: those within the radius, or up to the first wall that covers the
//! polygon.
//!
//! Sources: a breadth-first flood, as in Mikko Mononen, "Finding Local 2D Neighborhood of Navmesh", Digesting Duck,
//! July 2010.

use crate::graph::{Fringe, Node, Order, SearchObserver, SearchSpace};
use crate::math::Aabb;
use crate::mesh::{NavMesh, PolyRef, Tile};
use crate::query::flood::{self, PolyFlood};
use crate::query::scratch::SearchMemory;
use crate::query::{PolyPoint, QueryFilter, SearchScratch, WallSegment};
use core::ops::ControlFlow;
use glam::Vec3;

/// The polygon from which the flood starts.
struct Center {
    outline: Vec<[f64; 2]>,
    bounds: Aabb,
    radius: f64,
    height: f32,
}

/// Adds every wall within `radius` of polygon `poly` to `walls`, with start and end as in
/// [`WallSegment`](crate::query::WallSegment). Returns false, with an incomplete list, if one wall covers the whole
/// polygon.
pub(super) fn walls_near<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    (tile, poly): (&Tile, u32),
    (radius, filter): (f32, &F),
    scratch: &mut SearchScratch,
    walls: &mut Vec<[Vec3; 2]>,
) -> bool {
    walls.clear();
    let SearchMemory { nodes, queue, .. } = &mut scratch.memory;
    let data = tile.data();
    let center = Center {
        outline: data.points_of(poly).map(plan).collect(),
        bounds: Aabb::around(data.points_of(poly)),
        radius: f64::from(radius),
        height: if data.baked_for().height > 0.0 { data.baked_for().height } else { f32::INFINITY },
    };
    let mut space = NearSpace { mesh, filter, near: WallsNear { center: &center, walls, is_covered: false } };
    let place = PolyPoint { poly: tile.reference(poly), point: Vec3::ZERO };
    flood::run((mesh, place), &mut space, (nodes, queue, &mut ())).is_err() || !space.near.is_covered
}

/// The surface around the polygon.
struct NearSpace<'a, F: ?Sized> {
    mesh: &'a NavMesh,
    filter: &'a F,
    near: WallsNear<'a>,
}

/// The result.
struct WallsNear<'a> {
    center: &'a Center,
    walls: &'a mut Vec<[Vec3; 2]>,
    /// Whether one of them covers the polygon.
    is_covered: bool,
}

impl<F: QueryFilter + ?Sized> SearchSpace for NearSpace<'_, F> {
    type Key = PolyRef;
    const IMPROVES: bool = false;

    fn expand<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        number: u32,
        node: Node<PolyRef>,
    ) -> ControlFlow<()> {
        flood::expand((self.mesh, self.filter), &mut self.near, fringe, (number, node));
        if self.near.is_covered { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<'a> PolyFlood<'a> for WallsNear<'_> {
    fn is_near(&self, a: Vec3, b: Vec3) -> bool {
        self.center.is_near(a, b)
    }

    fn wall(&mut self, _: u32, wall: WallSegment) {
        self.walls.push([wall.start, wall.end]);
        self.is_covered |= self.center.is_covered_by(plan(wall.start), plan(wall.end));
    }
}

impl Center {
    /// Whether the whole polygon lies in front of a wall and within the radius of it.
    fn is_covered_by(&self, a: [f64; 2], b: [f64; 2]) -> bool {
        let reach = self.radius * self.radius;
        self.outline.iter().all(|&p| cross(a, b, p) <= 0.0 && point_distance_squared(p, a, b) < reach)
    }

    fn is_near(&self, a: Vec3, b: Vec3) -> bool {
        let low = a.min(b);
        let high = a.max(b);
        let reach = self.radius as f32;
        if low.x > self.bounds.max.x + reach
            || high.x < self.bounds.min.x - reach
            || low.z > self.bounds.max.z + reach
            || high.z < self.bounds.min.z - reach
            || low.y > self.bounds.max.y + self.height
            || high.y < self.bounds.min.y - self.height
        {
            return false;
        }
        let a = plan(a);
        let b = plan(b);
        let edges = self.outline.iter().zip(self.outline.iter().cycle().skip(1));
        let mut inside = true;
        for (&p, &q) in edges {
            if segments_distance_squared([p, q], [a, b]) < self.radius * self.radius {
                return true;
            }
            inside &= cross(p, q, a) <= 0.0;
        }
        inside
    }
}

fn plan(p: Vec3) -> [f64; 2] {
    [f64::from(p.x), f64::from(p.z)]
}

/// Above 0 where c lies to the left of a→b, seen with x to the right and z up; polygons have their inside to the right.
fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    // Like `math::plane::cross`: positive outside of an edge.
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn segments_distance_squared([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2]) -> f64 {
    let apart = |p: f64, q: f64| (p > 0.0) != (q > 0.0);
    if apart(cross(a, b, c), cross(a, b, d)) && apart(cross(c, d, a), cross(c, d, b)) {
        return 0.0;
    }
    let ends = [(a, c, d), (b, c, d), (c, a, b), (d, a, b)];
    ends.into_iter().map(|(p, s, e)| point_distance_squared(p, s, e)).fold(f64::INFINITY, f64::min)
}

fn point_distance_squared(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let d = [b[0] - a[0], b[1] - a[1]];
    let w = [p[0] - a[0], p[1] - a[1]];
    let length_squared = d[0] * d[0] + d[1] * d[1];
    let t = if length_squared > 0.0 { ((w[0] * d[0] + w[1] * d[1]) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    let off = [w[0] - t * d[0], w[1] - t * d[1]];
    off[0] * off[0] + off[1] * off[1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::DefaultFilter;
    use crate::query::test_maps::{at, mesh};

    #[test]
    fn walls_are_near_over_the_ground_only() {
        // The two rooms touch nowhere; their walls are half a metre apart for who goes through rock.
        let mesh = mesh(&[((0, 0), "aaa.aaa\naaa.aaa\naaa.aaa")]);
        let place = at(&mesh, (2.5, 1.5)).unwrap().poly;
        let (tile, poly) = mesh.locate(place).unwrap();
        let mut walls = Vec::new();
        let mut ask = |radius: f32| {
            let how = (radius, &DefaultFilter::default());
            let mut scratch = SearchScratch::new();
            let is_left = walls_near(&mesh, (tile, poly), how, &mut scratch, &mut walls);
            (is_left, walls.len())
        };
        assert_eq!(ask(0.4), (true, 3), "the wall beside it, and those that touch its corners");
        assert!(ask(0.99).0);
        // Nowhere is it farther from the wall beside it than its own width.
        assert_eq!(ask(1.1), (false, 1));
        assert_eq!(ask(100.0), (false, 1));
    }
    #[test]
    fn walls_inside_of_a_tile_are_near_only_within_the_radius() {
        let mesh = mesh(&[((0, 0), ".......\n.aaaaa.\n.aaaaa.\n.aaaaa.\n.......")]);
        let mut walls = Vec::new();
        let mut scratch = SearchScratch::new();
        let mut ask = |x: f32, z: f32, radius: f32| {
            let (tile, poly) = mesh.locate(at(&mesh, (x, z)).unwrap().poly).unwrap();
            walls_near(&mesh, (tile, poly), (radius, &DefaultFilter::default()), &mut scratch, &mut walls);
            walls.len()
        };
        assert_eq!(ask(3.5, 2.5, 0.5), 0, "in the middle");
        assert_eq!(ask(5.5, 2.5, 0.5), 3, "the wall beside it, and those that touch its corners");
        assert_eq!(ask(5.5, 3.5, 0.5), 4, "a corner's two walls, and one beyond each");
    }
}
