//! Finds paths to goals that are not a single point: the nearest of many, or a box.
//!
//! ```text
//!        g1        .---------.
//!     S      g2    |   box   |     the search aims at the goal point nearest to each node,
//!   g3             '---------'     so its estimate never exceeds the rest of the path
//! ```
//!
//! Cost: that of one path, plus for each node a pass over the goals, or over its polygon's corners for a box.
//!
//! Sources: Peter Hart, Nils Nilsson, Bertram Raphael, 1968.

use super::goal_point::GoalPoint;
use super::search::{Search, SearchTask};
use super::search_goal::Goal;
use super::{BoxGoalRequest, NearestGoalRequest, PlaceNodes, PolyPath, PolyPoint, QueryFilter, SearchScratch};
use crate::context::Budget;
use crate::graph::SearchObserver;
use crate::math::index::TileSlot;
use crate::math::{Aabb, polygon};
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use core::cell::RefCell;
use glam::Vec3;

/// A path to whichever of several goals is cheapest to reach by the search's own measure, over the middles of portals
/// (if two are about equally far, the other may be nearer after string pulling), and the index of that goal in `goals`:
/// the lowest one among goals at the same position, the one that the search reaches first among goals of equal cost.
/// `None` if none was reached. Goals that are not finite are ignored.
///
/// # Errors
/// [`StaleRef`] if the start's polygon or that of a goal is not in the mesh.
pub fn find_path_to_nearest<F: QueryFilter + ?Sized, P: PlaceNodes, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &NearestGoalRequest<'_, P>,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> Result<(PolyPath, Option<usize>), StaleRef> {
    let mut path = PolyPath::default();
    let reached = find_path_to_nearest_into(mesh, request, filter, scratch, &mut path)?;
    Ok((path, reached))
}

/// Like [`find_path_to_nearest`], but fills an existing path.
///
/// # Errors
/// [`StaleRef`] if the start's polygon or that of a goal is not in the mesh; the path is then empty.
pub fn find_path_to_nearest_into<F: QueryFilter + ?Sized, P: PlaceNodes, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &NearestGoalRequest<'_, P>,
    filter: &F,
    scratch: &mut SearchScratch<O>,
    path: &mut PolyPath,
) -> Result<Option<usize>, StaleRef> {
    path.clear();
    let NearestGoalRequest { start, goals, limits, ref placement } = *request;
    mesh.locate(start.poly)?;
    for goal in goals {
        mesh.locate(goal.poly)?;
    }
    let mut places = core::mem::take(&mut scratch.memory.places);
    places.clear();
    let place = |(index, goal): (usize, &PolyPoint)| {
        let slot = goal.poly.slot().get();
        let poly = goal.poly.poly().get();
        GoalPoint { slot, poly, point: goal.point, index }
    };
    places.extend(goals.iter().enumerate().filter(|(_, goal)| goal.point.is_finite()).map(place));
    if places.is_empty() {
        scratch.memory.places = places;
        return Ok(None);
    }
    places.sort_unstable_by_key(|p| (p.slot, p.poly, p.index));
    let mut search =
        Search::begin(mesh, SearchTask { start, goal: AnyOf { places }, limits, placement }, filter, scratch)?;
    search.run(mesh, filter, scratch, &mut Budget::unlimited());
    search.finish(mesh, scratch, path);
    let is_reached = search.is_reached();
    let last = path.polys.last().copied();
    scratch.memory.places = search.into_goal().places;
    Ok(goals.iter().position(|g| is_reached && Some(g.poly) == last && g.point == path.end))
}

/// A path to the part of the mesh within a box that is cheapest to enter. It ends where it enters the box. For an empty
/// box the status is [`PathStatus::None`](crate::area::PathStatus::None). Only the corners of polygons decide what lies
/// in the box: on hilly terrain, make it some metres high.
///
/// # Errors
/// [`StaleRef`] if the start's polygon is not in the mesh.
pub fn find_path_to_box<F: QueryFilter + ?Sized, P: PlaceNodes, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &BoxGoalRequest<P>,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> Result<PolyPath, StaleRef> {
    let mut path = PolyPath::default();
    find_path_to_box_into(mesh, request, filter, scratch, &mut path)?;
    Ok(path)
}

/// Like [`find_path_to_box`], but fills an existing path.
///
/// # Errors
/// [`StaleRef`] if the start's polygon is not in the mesh; the path is then empty.
pub fn find_path_to_box_into<F: QueryFilter + ?Sized, P: PlaceNodes, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &BoxGoalRequest<P>,
    filter: &F,
    scratch: &mut SearchScratch<O>,
    path: &mut PolyPath,
) -> Result<(), StaleRef> {
    path.clear();
    let BoxGoalRequest { start, bounds, limits, ref placement } = *request;
    mesh.locate(start.poly)?;
    if bounds.is_empty() {
        return Ok(());
    }
    let goal = InBox { bounds, clip: RefCell::new(core::mem::take(&mut scratch.memory.clip)) };
    let mut search = Search::begin(mesh, SearchTask { start, goal, limits, placement }, filter, scratch)?;
    search.run(mesh, filter, scratch, &mut Budget::unlimited());
    search.finish(mesh, scratch, path);
    scratch.memory.clip = search.into_goal().clip.into_inner();
    Ok(())
}

/// Any of several points, sorted by slot and polygon. Not empty.
struct AnyOf {
    places: Vec<GoalPoint>,
}

fn nearest(places: &[GoalPoint], p: Vec3) -> Option<Vec3> {
    let by_distance = |a: &&GoalPoint, b: &&GoalPoint| {
        p.distance_squared(a.point).total_cmp(&p.distance_squared(b.point)).then(a.index.cmp(&b.index))
    };
    places.iter().min_by(by_distance).map(|place| place.point)
}

impl AnyOf {
    fn places_in(&self, slot: u32, poly: u32) -> &[GoalPoint] {
        let first = self.places.partition_point(|place| (place.slot, place.poly) < (slot, poly));
        let count = self.places[first..].partition_point(|place| (place.slot, place.poly) == (slot, poly));
        &self.places[first..first + count]
    }
}

impl Goal for AnyOf {
    const IS_SPREAD: bool = true;

    fn aim(&self, p: Vec3) -> Vec3 {
        nearest(&self.places, p).unwrap_or(p)
    }

    fn place_in(&self, _: &NavMesh, slot: u32, poly: u32, from: Vec3) -> Option<Vec3> {
        nearest(self.places_in(slot, poly), from)
    }

    fn nth_place_in(&self, slot: u32, poly: u32, nth: usize) -> Option<Vec3> {
        self.places_in(slot, poly).get(nth).map(|place| place.point)
    }
}

/// Anywhere within a box.
struct InBox {
    bounds: Aabb,
    clip: RefCell<[Vec<Vec3>; 2]>,
}

impl Goal for InBox {
    const IS_SPREAD: bool = true;

    fn aim(&self, p: Vec3) -> Vec3 {
        p.clamp(self.bounds.min, self.bounds.max)
    }

    fn place_in(&self, mesh: &NavMesh, slot: u32, poly: u32, from: Vec3) -> Option<Vec3> {
        let data = mesh.tile_in(TileSlot::new(slot))?.data();
        if !Aabb::around(data.points_of(poly)).overlaps(&self.bounds) {
            return None;
        }
        let clip = &mut *self.clip.borrow_mut();
        clip[0].clear();
        clip[0].extend(data.points_of(poly));
        clip_to_box(&self.bounds, clip);
        let inside = &clip[0];
        if inside.is_empty() {
            return None;
        }
        // An agent that already stands in the part within the box need not move.
        if self.bounds.contains(from) && polygon::contains(inside, from) {
            return Some(from);
        }
        polygon::closest_on_border(inside, from).map(|on| on.point)
    }
}

/// Clips the polygon in the first list to a box, side by side; the second list is working memory.
fn clip_to_box(bounds: &Aabb, [verts, other]: &mut [Vec<Vec3>; 2]) {
    for axis in 0..3 {
        for (limit, above) in [(bounds.min[axis], true), (bounds.max[axis], false)] {
            polygon::clip_half_space_into(verts, axis, limit, above, other);
            core::mem::swap(verts, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::PathStatus;
    use crate::math::Rng;
    use crate::query::test_maps::{at, mesh, random_map};
    use crate::query::{DefaultFilter, DownhillOnly, PathRequest, find_path};
    use crate::tile::test_sketch::{Drawing, single_polygon};

    #[test]
    fn the_nearest_by_the_way_there_not_by_the_bird() {
        let mesh = mesh(&[((0, 0), "aaaaaa\n.....a\naaaaaa")]);
        let filter = DefaultFilter::default();
        let mut scratch = SearchScratch::new();
        let place = |x, z| at(&mesh, (x, z)).unwrap();
        let goals = [place(0.5, 2.5), place(4.5, 0.5), place(4.25, 0.25)];
        let (path, which) =
            find_path_to_nearest(&mesh, &NearestGoalRequest::new(place(0.5, 0.5), &goals), &filter, &mut scratch)
                .unwrap();
        assert_eq!((path.status, which, path.end), (PathStatus::Complete, Some(2), goals[2].point));
        let (path, which) =
            find_path_to_nearest(&mesh, &NearestGoalRequest::new(place(0.5, 0.5), &[]), &filter, &mut scratch).unwrap();
        assert_eq!((path.status, which), (PathStatus::None, None));
    }

    #[test]
    fn a_goal_on_the_way_does_not_hide_a_nearer_one_beyond_its_polygon() {
        // One wide room between two squares; the room is polygon 1.
        let room = |low: f32, high: f32| [[low, 0.0], [low, 4.0], [high, 4.0], [high, 0.0]];
        let rooms = Drawing::of_polygons(&[room(0.0, 1.0), room(1.0, 5.0), room(5.0, 6.0)]);
        let mesh = NavMesh::from_tile(rooms.alone()).unwrap();
        let filter = DefaultFilter::default();
        let mut scratch = SearchScratch::new();
        let place = |x, z| at(&mesh, (x, z)).unwrap();
        for (start, far, near) in [
            // The far goal is in the polygon of the start, or in one that the path to the near goal leads through.
            (place(1.5, 2.0), place(4.5, 3.5), place(0.75, 2.0)),
            (place(0.75, 2.0), place(4.9, 0.1), place(5.1, 2.0)),
        ] {
            for goals in [[far, near], [near, far]] {
                let (path, which) =
                    find_path_to_nearest(&mesh, &NearestGoalRequest::new(start, &goals), &filter, &mut scratch)
                        .unwrap();
                assert_eq!((path.status, path.end), (PathStatus::Complete, near.point), "{start:?} {path:?}");
                assert_eq!(which, goals.iter().position(|goal| *goal == near));
                let single = find_path(&mesh, &PathRequest::new(start, near), &filter, &mut scratch).unwrap();
                assert_eq!((path.cost, path.polys), (single.cost, single.polys));
            }
        }
    }

    /// The nearest goal in a polygon may be the one that the filter closes.
    #[test]
    fn of_several_goals_in_a_polygon_the_one_that_can_be_reached() {
        let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [4.0, 2.0, 2.0], [4.0, 2.0, 0.0]].map(Vec3::from);
        let mesh = NavMesh::from_tile(single_polygon(corners.to_vec())).unwrap();
        let poly = mesh.tiles().next().unwrap().reference(0);
        let on_slope = |x: f32| PolyPoint { poly, point: Vec3::new(x, 0.5 * x, 1.0) };
        let goals = [on_slope(2.5), on_slope(0.5)];
        let filter = DownhillOnly::new(DefaultFilter::default(), 0.01);
        let request = NearestGoalRequest::new(on_slope(2.0), &goals);
        let (path, reached) = find_path_to_nearest(&mesh, &request, &filter, &mut SearchScratch::new()).unwrap();
        assert_eq!((path.status, reached, path.end), (PathStatus::Complete, Some(1), goals[1].point));
    }

    #[test]
    fn of_equal_goals_the_first_and_of_odd_ones_none() {
        let mesh = mesh(&[((0, 0), "aaaa")]);
        let filter = DefaultFilter::default();
        let mut scratch = SearchScratch::new();
        let place = |x| at(&mesh, (x, 0.5)).unwrap();
        let start = place(0.5);
        let goal = place(3.5);
        let mut ask = |goals: &[PolyPoint]| {
            let (path, which) =
                find_path_to_nearest(&mesh, &NearestGoalRequest::new(start, goals), &filter, &mut scratch).unwrap();
            (path.status, which, path.cost)
        };
        assert_eq!(ask(&[goal, goal]), (PathStatus::Complete, Some(0), 3.0));
        assert_eq!(ask(&[goal, start, goal, start]), (PathStatus::Complete, Some(1), 0.0));
        // Which sign a number that is none has differs from processor to processor.
        for odd in [f32::NAN, -f32::NAN, f32::INFINITY] {
            let odd = PolyPoint { point: Vec3::splat(odd), ..place(1.5) };
            assert_eq!(ask(&[odd, goal, odd]), (PathStatus::Complete, Some(1), 3.0));
            assert_eq!(ask(&[odd]), (PathStatus::None, None, 0.0));
            let path = find_path(&mesh, &PathRequest::new(start, odd), &filter, &mut SearchScratch::new()).unwrap();
            assert_eq!((path.status, path.end), (PathStatus::Partial, start.point));
            let here = PathRequest::new(start, PolyPoint { poly: start.poly, ..odd });
            let path = find_path(&mesh, &here, &filter, &mut SearchScratch::new()).unwrap();
            assert_eq!((path.status, path.end), (PathStatus::Partial, start.point));
        }
    }

    #[test]
    fn as_cheap_as_the_cheapest_of_single_searches() {
        let mut rng = Rng::new(6);
        let filter = DefaultFilter::default();
        let mut scratch = SearchScratch::new();
        for _ in 0..60 {
            let mesh = random_map(&mut rng, 2, 6);
            let mut place = || at(&mesh, (rng.unit() * 12.0, rng.unit() * 12.0));
            let Some(start) = place() else { continue };
            let goals: Vec<PolyPoint> = (0..5).filter_map(|_| place()).collect();
            let single = goals.iter().map(|&goal| {
                let path =
                    find_path(&mesh, &PathRequest::new(start, goal), &filter, &mut SearchScratch::new()).unwrap();
                if path.status == PathStatus::Complete { path.cost } else { f32::INFINITY }
            });
            let least = single.fold(f32::INFINITY, f32::min);
            let (path, which) =
                find_path_to_nearest(&mesh, &NearestGoalRequest::new(start, &goals), &filter, &mut scratch).unwrap();
            assert_eq!(which.is_some(), least.is_finite());
            // Nodes stay where they were first entered, so costs may differ a little.
            assert!(which.is_none() || path.cost <= least * 1.1 + 1e-3, "{} {least}", path.cost);
        }
    }

    #[test]
    fn a_box_is_entered_where_it_is_nearest() {
        let mesh = mesh(&[((0, 0), "aaaaaaaa\naaaaaaaa")]);
        let filter = DefaultFilter::default();
        let mut scratch = SearchScratch::new();
        let start = at(&mesh, (0.5, 0.5)).unwrap();
        let mut ask = |min: [f32; 3], max: [f32; 3]| {
            let bounds = Aabb { min: min.into(), max: max.into() };
            find_path_to_box(&mesh, &BoxGoalRequest::new(start, bounds), &filter, &mut scratch).unwrap()
        };
        let path = ask([5.25, -1.0, 0.0], [9.0, 1.0, 0.75]);
        assert_eq!((path.status, path.end), (PathStatus::Complete, Vec3::new(5.25, 0.0, 0.5)));
        assert_eq!(path.polys.len(), 6);
        let above = ask([5.25, 0.5, 0.0], [9.0, 1.0, 0.75]);
        assert_eq!((above.status, above.end.x >= 5.25), (PathStatus::Partial, true));
        let here = ask([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]);
        assert_eq!((here.status, here.cost, here.end), (PathStatus::Complete, 0.0, start.point));
        assert_eq!(ask([2.0; 3], [1.0; 3]).status, PathStatus::None);
        assert_eq!(ask([f32::NAN; 3], [1.0; 3]).status, PathStatus::None);
        // Boxes without breadth or height, and without end.
        let thin = ask([5.25, 0.0, 0.25], [5.25, 0.0, 0.75]);
        assert_eq!((thin.status, thin.end), (PathStatus::Complete, Vec3::new(5.25, 0.0, 0.5)));
        let half = ask([5.25, f32::MIN, f32::NEG_INFINITY], [f32::INFINITY; 3]);
        assert_eq!((half.status, half.end), (PathStatus::Complete, Vec3::new(5.25, 0.0, 0.5)));
    }
}
