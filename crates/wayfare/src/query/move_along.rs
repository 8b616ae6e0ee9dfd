//! Moves a short distance over the mesh, sliding along walls.
//!
//! If the straight line is free, the move follows it. Otherwise the polygons around it are visited outwards from the
//! start. If the end is in one of them, the move ends there; if not, it ends at the point of their walls nearest to the
//! end. So a move into a wall slides along it, and a move into a corner stops there. Meant for the steps of an agent,
//! not for long distances: in the second case it does not check that the straight line is free, only that the surface
//! near it connects.
//!
//! ```text
//!        end                circle around the middle of start → end;
//!    ─────x───o──────       portals outside it are not crossed;
//!           .  ^ result     walls inside it are candidates
//!        start
//! ```
//!
//! Cost: the corners of the polygons within the circle.
//!
//! Sources: Mikko Mononen, "Constrained Movement Along Navmesh pt. 2" and "pt. 3", Digesting Duck, May and July 2010.

use super::flood::{Adjacent, PolyFlood};
use super::line_walk::walk_freely;
use super::scratch::SearchMemory;
use super::wall_segment::WallSegment;
use super::{PolyPoint, QueryFilter, SearchScratch, flood};
use crate::graph::{Fringe, Node, Order, SearchObserver, SearchSpace};
use crate::math::predicates::LineXz;
use crate::math::{plane, segment};
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use crate::tile::OutlineBlock;
use core::ops::ControlFlow;
use glam::Vec3;

/// Result of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// Where it ended. Its height is that of `end` if the line was free, otherwise that of the wall's edge.
    /// [`poly_height`](super::poly_height) gives the height of the surface, at more than the cost of the move.
    pub place: PolyPoint,
    /// The polygons from that of the start to that of the end, in order.
    pub visited: Vec<PolyRef>,
}

/// Moves from a position towards `end`. If `end` is not finite, the move ends where it began. If it is more than a
/// thousand kilometres away and not straight ahead on the mesh, only its direction counts. A start that is so far
/// outside its polygon that nothing can be reached from there is first moved onto it.
///
/// # Errors
/// [`StaleRef`].
pub fn move_along_surface<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    start: PolyPoint,
    end: Vec3,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> Result<Moved, StaleRef> {
    let mut visited = Vec::new();
    let place = move_along_surface_into(mesh, start, end, filter, scratch, &mut visited)?;
    Ok(Moved { place, visited })
}

/// Like [`move_along_surface`], but fills an existing list.
///
/// # Errors
/// [`StaleRef`]; the list is then empty.
pub fn move_along_surface_into<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    start: PolyPoint,
    end: Vec3,
    filter: &F,
    scratch: &mut SearchScratch<O>,
    visited: &mut Vec<PolyRef>,
) -> Result<PolyPoint, StaleRef> {
    visited.clear();
    let (tile, poly) = mesh.locate(start.poly)?;
    // Most steps end in the same polygon, or straight ahead after an edge or two.
    visited.push(start.poly);
    if !end.is_finite() {
        return Ok(start);
    }
    if tile.outline(poly).is_over(end) {
        return Ok(PolyPoint { poly: start.poly, point: end });
    }
    if let Some(poly) = walk_freely((mesh, filter), (tile, poly), LineXz::new(start.point, end), visited) {
        return Ok(PolyPoint { poly, point: end });
    }
    visited.clear();
    let end = within_sight(start.point, end);
    let SearchScratch { memory: SearchMemory { nodes, queue, .. }, observer } = scratch;
    // Some slack, so that a portal through the start or the end itself is never outside.
    let reach = plane::distance(start.point, end) * 0.5 + 0.001;
    let center = (start.point + end) * 0.5;
    let slide = Slide { end, center, reach_squared: reach * reach, best: (0, start.point, f32::INFINITY) };
    let mut space = SlideSpace { mesh, filter, slide };
    flood::run((mesh, start), &mut space, (&mut *nodes, queue, observer))?;
    let (best, mut point, distance) = space.slide.best;
    // Neither surface nor wall was found: the start is not in its polygon.
    if distance == f32::INFINITY && !tile.outline(poly).is_over(point) {
        point = tile.data().closest_on_outline(poly, point);
    }
    flood::write_polys(nodes, best, visited);
    Ok(PolyPoint { poly: nodes.get(best).of, point })
}

/// The end, or a point in its direction if it is so far away that squared distances cannot distinguish the corners of a
/// level.
fn within_sight(start: Vec3, end: Vec3) -> Vec3 {
    const FAR: f32 = 1e6;
    let way = end - start;
    let longest = way.x.abs().max(way.z.abs());
    if longest <= FAR { end } else { start + way * (FAR / longest) }
}

/// The polygons around a move, outwards from its start.
struct SlideSpace<'a, F: ?Sized> {
    mesh: &'a NavMesh,
    filter: &'a F,
    slide: Slide,
}

/// A move that does not lead straight to its end, in progress.
struct Slide {
    end: Vec3,
    /// The circle that bounds the move.
    center: Vec3,
    reach_squared: f32,
    /// The position nearest to the end so far: its polygon's node, the point, and its squared distance.
    best: (u32, Vec3, f32),
}

impl<F: QueryFilter + ?Sized> SearchSpace for SlideSpace<'_, F> {
    type Key = PolyRef;
    const IMPROVES: bool = false;

    #[inline]
    fn expand<Q: Order, O: SearchObserver<PolyRef>>(
        &mut self,
        fringe: &mut Fringe<'_, PolyRef, Q, O>,
        number: u32,
        node: Node<PolyRef>,
    ) -> ControlFlow<()> {
        let end = self.slide.end;
        if node.tile(self.mesh).is_some_and(|tile| tile.outline(node.poly()).is_over(end)) {
            self.slide.best = (number, end, 0.0);
            return ControlFlow::Break(());
        }
        flood::expand((self.mesh, self.filter), &mut self.slide, fringe, (number, node));
        ControlFlow::Continue(())
    }
}

impl<'a> PolyFlood<'a> for Slide {
    #[inline]
    fn near_edges(&mut self, block: &OutlineBlock) -> u32 {
        block.edges()
    }

    #[inline]
    fn wall(&mut self, node: u32, wall: WallSegment) {
        if segment::is_within(self.end, wall.start, wall.end, self.best.2) {
            let point = segment::closest_point(self.end, wall.start, wall.end);
            let distance = plane::distance_squared(self.end, point);
            if distance < self.best.2 {
                self.best = (node, point, distance);
            }
        }
    }

    #[inline]
    fn crosses(&self, adjacent: &Adjacent<'a>) -> bool {
        segment::is_within(self.center, adjacent.a, adjacent.b, self.reach_squared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;
    use crate::query::test_maps::{at, mesh, random_map};
    use crate::query::{DefaultFilter, find_nearest};

    fn ask(mesh: &NavMesh, from: (f32, f32), to: (f32, f32)) -> Moved {
        let start = at(mesh, from).unwrap();
        let end = Vec3::new(to.0, 0.0, to.1);
        move_along_surface(mesh, start, end, &DefaultFilter::default(), &mut SearchScratch::new()).unwrap()
    }

    #[test]
    fn free_ground_a_wall_and_a_corner() {
        let mesh = mesh(&[((0, 0), "aaa\naa.\naaa"), ((1, 0), "aaa\naaa\naaa")]);
        let free = ask(&mesh, (0.5, 0.5), (3.5, 0.25));
        assert_eq!((free.place.point, free.visited.len()), (Vec3::new(3.5, 0.0, 0.25), 4));
        let slid = ask(&mesh, (1.5, 1.5), (2.25, 1.625));
        assert_eq!((slid.place.point, slid.visited.len()), (Vec3::new(2.0, 0.0, 1.625), 1));
        let corner = ask(&mesh, (0.5, 0.5), (-3.0, -4.0));
        assert_eq!(corner.place.point, Vec3::ZERO);
    }

    #[test]
    fn a_start_slightly_beside_its_polygon_is_no_obstacle() {
        let mesh = mesh(&[((0, 0), "aa")]);
        let mut start = at(&mesh, (0.5, 0.5)).unwrap();
        start.point = Vec3::new(0.5, 0.0, -1e-5);
        let end = Vec3::new(1.5, 0.0, 0.5);
        let moved =
            move_along_surface(&mesh, start, end, &DefaultFilter::default(), &mut SearchScratch::new()).unwrap();
        assert_eq!(moved.place.point, end);
    }

    #[test]
    fn a_start_far_beside_its_polygon_is_moved_onto_it() {
        let mesh = mesh(&[((0, 0), "aaa\naaa\naaa")]);
        let (start, filter, mut scratch) =
            (at(&mesh, (1.5, 1.5)).unwrap(), DefaultFilter::default(), SearchScratch::new());
        for far in [Vec3::new(9.0, 0.0, 8.0), Vec3::new(-1e30, 0.0, 1.5)] {
            let start = PolyPoint { point: far, ..start };
            let moved = move_along_surface(&mesh, start, far + Vec3::Z, &filter, &mut scratch).unwrap();
            assert_eq!(moved.visited, [start.poly]);
            assert!(mesh.tiles().all(|t| t.data().is_over(start.poly.poly().get(), moved.place.point)), "{moved:?}");
            assert!(far.x < 0.0 || moved.place.point == Vec3::new(2.0, 0.0, 2.0), "{moved:?}");
        }
    }

    #[test]
    fn a_move_to_the_end_of_the_world_goes_in_its_direction() {
        let mesh = mesh(&[((0, 0), "aaa\naaa\naaa"), ((1, 0), "aaa\naaa\naaa")]);
        for far in [1e5, 1e7, 1e10, 1e20, 1e30] {
            assert_eq!(ask(&mesh, (0.5, 0.5), (far, 0.9 * far)).place.point, Vec3::new(6.0, 0.0, 3.0), "{far}");
            assert_eq!(ask(&mesh, (5.5, 0.5), (-far, 0.9 * far)).place.point, Vec3::new(0.0, 0.0, 3.0), "{far}");
        }
    }

    #[test]
    fn a_move_to_nowhere_stays() {
        let mesh = mesh(&[((0, 0), "aa")]);
        let (start, filter, mut scratch) =
            (at(&mesh, (0.5, 0.5)).unwrap(), DefaultFilter::default(), SearchScratch::new());
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for end in [Vec3::splat(odd), start.point.with_x(odd), start.point.with_y(odd), start.point.with_z(odd)] {
                let moved = move_along_surface(&mesh, start, end, &filter, &mut scratch).unwrap();
                assert_eq!(moved, Moved { place: start, visited: vec![start.poly] }, "{end}");
            }
        }
    }

    #[test]
    fn an_agent_never_leaves_its_component_and_nearest_agrees_with_move() {
        let (mut rng, filter, mut scratch) = (Rng::new(8), DefaultFilter::default(), SearchScratch::new());
        for _ in 0..60 {
            let mesh = random_map(&mut rng, 2, 5);
            let Some(mut place) = at(&mesh, (rng.unit() * 10.0, rng.unit() * 10.0)) else { continue };
            for _ in 0..50 {
                let step = Vec3::new(rng.unit() * 2.0 - 1.0, 0.0, rng.unit() * 2.0 - 1.0);
                let moved = move_along_surface(&mesh, place, place.point + step, &filter, &mut scratch).unwrap();
                assert_eq!((moved.visited[0], *moved.visited.last().unwrap()), (place.poly, moved.place.poly));
                for pair in moved.visited.windows(2) {
                    assert!(mesh.poly(pair[0]).unwrap().portals().any(|p| p.to == pair[1]));
                }
                let found = find_nearest(&mesh, moved.place.point, Vec3::splat(0.5), &filter).unwrap();
                assert!(found.point.distance(moved.place.point) < 1e-6, "{found:?} {moved:?}");
                place = moved.place;
            }
        }
    }
}
