//! Finds the goal to use when the requested one cannot be reached: the nearest reachable position.
//!
//! A search for a goal in another [component](crate::components::Components) would open everything connected with the
//! start before it gave up, and only then find the position nearest to the goal. Components show this immediately, so
//! the nearest surface of the start's component is looked up first, and the search goes there as to any other goal:
//!
//! ```text
//!   .-----------.        .-------.
//!   | S ~~~~~~~ x        | G     |       x: the point of S's component nearest to G
//!   '-----------'        '-------'
//! ```
//!
//! If the mesh keeps components for the filter's [mask](crate::mesh::NavMesh::keep_components_for), closed doors are
//! taken into account. If the filter blocks the path in another way, the search opens everything it can reach and takes
//! the nearest position of that.
//!
//! Cost: that of finding the nearest polygon among those of one component: places around the goal, wider and wider, and
//! if it is far away, trees of tiles. It does not grow with the mesh, except for the tree over its squares of tiles,
//! which the first such query after an edit builds.
//!
//! Sources: components as in Detour's successors; the reference floods the whole component instead.

use super::flag_components::flag_components;
use super::outline_place::place_near;
use super::{PolyPoint, QueryFilter};
use crate::components::Components;
use crate::math::Aabb;
use crate::mesh::{NavMesh, Tile};
use crate::tile::{Around, MIXED};
use glam::Vec3;

/// Places of the grid of tiles that are examined around the goal before the tree is used.
const MOST_PLACES: usize = 64;

/// The position nearest to `goal` on a polygon that passes the filter and can be reached from `start`; `None` if the
/// goal itself can be reached. `reached` is working memory.
pub(super) fn nearest_reachable<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    (start, goal): (PolyPoint, PolyPoint),
    filter: &F,
    reached: &mut Vec<u32>,
) -> Option<PolyPoint> {
    let kept = flag_components(mesh, filter, start.poly);
    let by_flags = kept.is_some();
    let all = || Some((mesh.components(), mesh.components().component(start.poly)?));
    let (components, from) = kept.or_else(all)?;
    let to = components.component(goal.poly);
    if Some(from) == to || !by_flags && to.is_none() {
        return None;
    }
    components.reachable_into(from, reached);
    if to.is_some_and(|to| reached.binary_search(&to).is_ok()) {
        return None;
    }
    let mut search = NearestSearch { components, by_flags, reached, start, filter, goal: goal.point, best: None };
    // Around the goal, wider and wider, while it seems to be near.
    let layout = mesh.layout();
    let mut reach = layout.tile_width.max(layout.tile_depth).max(1.0);
    let mut work = MOST_PLACES;
    loop {
        let tall = Vec3::new(reach, f32::INFINITY, reach);
        let near = Aabb { min: goal.point - tall, max: goal.point + tall };
        let Some(places) = mesh.places_near(&near).filter(|places| *places <= work) else { break };
        work -= places;
        mesh.tiles_in_box(&near, |tile| search.look_in(tile));
        let distance = search.best.map(|(distance, _)| distance.sqrt());
        if distance.is_some_and(|distance| distance <= reach) {
            return search.best.map(|(_, place)| place);
        }
        // What was found limits where something nearer can be.
        reach = distance.map_or(2.0 * reach, |distance| distance * 1.001);
    }
    search.look_far(mesh);
    search.best.map(|(_, place)| place)
}

/// The nearest position so far, with its squared distance.
struct NearestSearch<'a, F: ?Sized> {
    components: &'a Components,
    /// Whether they are components by flags.
    by_flags: bool,
    reached: &'a [u32],
    start: PolyPoint,
    filter: &'a F,
    goal: Vec3,
    best: Option<(f32, PolyPoint)>,
}

impl<F: QueryFilter + ?Sized> NearestSearch<'_, F> {
    /// The tiles that contain part of the components, starting with those that may contain the nearest position.
    fn look_far(&mut self, mesh: &NavMesh) {
        let components = self.components;
        let goal = self.goal;
        let bound = |best: &Option<(f32, PolyPoint)>| best.map_or(f32::INFINITY, |(distance, _)| distance);
        for &component in self.reached {
            components.visit_near(mesh, component, goal, bound(&self.best), &mut |tile, _| {
                self.look_in(tile);
                bound(&self.best)
            });
        }
    }

    fn look_in(&mut self, tile: &Tile) {
        let islands = self.components.of_tile(tile.slot());
        let is_reached = |component: u32| match self.reached {
            [only] => component == *only,
            several => several.binary_search(&component).is_ok(),
        };
        if !islands.iter().any(is_reached) {
            return;
        }
        let anywhere = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
        let around = Around { point: self.goal, within: anywhere, free_height: 0.0 };
        let base = tile.base();
        let mut best = self.best;
        let bound = |best: &Option<(f32, PolyPoint)>| best.map_or(f32::INFINITY, |(distance, _)| distance);
        // The tree knows the islands of the whole surface; those by flags are checked polygon by polygon.
        let by_flags = self.by_flags;
        let wanted = |node: u32| {
            let is_own = |island: u32| by_flags || island == MIXED || islands.of_island(island).is_some_and(is_reached);
            tile.islands_under()
                .node(node)
                .iter()
                .enumerate()
                .map(|(k, &island)| u8::from(is_own(island)) << k)
                .fold(0, |all, bit| all | bit)
        };
        tile.tree().visit_nearest_of(&around, bound(&best), wanted, |poly, _| {
            let component = || islands.of_island(*islands.islands.get(poly as usize)?);
            if by_flags && !component().is_some_and(is_reached) {
                return bound(&best);
            }
            let reference = base.sibling(poly);
            if !self.filter.passes(reference, tile.state(poly)) && reference != self.start.poly {
                return bound(&best);
            }
            if let Some((distance, point)) = place_near(tile, poly, self.goal, bound(&best)) {
                let is_better = |(than, place): (f32, PolyPoint)| (distance, reference) < (than, place.poly);
                if best.is_none_or(is_better) {
                    best = Some((distance, PolyPoint { poly: reference, point }));
                }
            }
            bound(&best)
        });
        self.best = best;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{PathStatus, PolyFlags};
    use crate::math::Rng;
    use crate::query::test_maps::{at, mesh, random_map};
    use crate::query::{DefaultFilter, PathRequest, SearchScratch, find_path};

    #[test]
    fn as_near_as_a_look_at_every_polygon_that_can_be_reached() {
        let mut rng = Rng::new(31);
        let filter = DefaultFilter::default();
        let mut found = 0;
        for round in 0..200 {
            let mesh = random_map(&mut rng, 3, 6);
            let mut place = || at(&mesh, (rng.unit() * 18.0, rng.unit() * 18.0));
            let (Some(start), Some(goal)) = (place(), place()) else { continue };
            let components = mesh.components();
            let nearest_reachable = nearest_reachable(&mesh, (start, goal), &filter, &mut Vec::new());
            let own = components.component(start.poly);
            assert_eq!(nearest_reachable.is_none(), own == components.component(goal.poly), "round {round}");
            let Some(nearest_reachable) = nearest_reachable else { continue };
            assert_eq!(components.component(nearest_reachable.poly), own);
            let polys = mesh.tiles().flat_map(|t| (0..t.poly_count()).map(move |i| (t, i)));
            let all = polys.filter(|(t, i)| components.component(t.reference(*i)) == own);
            let least = all.map(|(t, i)| t.data().closest_point(i, goal.point).point.distance(goal.point));
            let least = least.fold(f32::INFINITY, f32::min);
            assert!((nearest_reachable.point.distance(goal.point) - least).abs() < 1e-5, "round {round}");
            let path = find_path(&mesh, &PathRequest::new(start, goal), &filter, &mut SearchScratch::new()).unwrap();
            assert_eq!((path.status, path.end), (PathStatus::Partial, nearest_reachable.point), "round {round}");
            found += 1;
        }
        assert!(found > 30, "{found}");
    }

    #[test]
    fn far_from_all_ground_of_the_component_as_near_as_a_look_at_every_polygon() {
        let mut rng = Rng::new(7);
        // Surface in a corner, and islands so far off that there are too many places between to look at.
        let mut tiles: Vec<_> = (0..36).map(|i| ((i % 6, i / 6), "aa\na.")).collect();
        tiles.extend([(40, 3), (-50, -20), (5, 90)].map(|at| (at, "a.\n.a")));
        let mesh = mesh(&tiles);
        let components = mesh.components();
        let filter = DefaultFilter::default();
        let polys = || mesh.tiles().flat_map(|t| (0..t.poly_count()).map(move |i| (t, i)));
        let all: Vec<PolyPoint> = polys()
            .map(|(t, i)| PolyPoint { poly: t.reference(i), point: mesh.poly(t.reference(i)).unwrap().center() })
            .collect();
        let mut far = 0;
        for round in 0..300 {
            let mut place = || all[rng.below(all.len() as u32) as usize];
            let start = place();
            let goal = place();
            let own = components.component(start.poly);
            let Some(found) = nearest_reachable(&mesh, (start, goal), &filter, &mut Vec::new()) else { continue };
            let mine = polys().filter(|(t, i)| components.component(t.reference(*i)) == own);
            let least = mine.map(|(t, i)| t.data().closest_point(i, goal.point).point.distance(goal.point));
            let least = least.fold(f32::INFINITY, f32::min);
            assert!((found.point.distance(goal.point) - least).abs() < 1e-4 * (1.0 + least), "round {round}");
            far += u32::from(least > 30.0);
        }
        assert!(far > 20, "{far}");
    }

    #[test]
    fn a_closed_way_to_the_stand_in_leads_to_the_nearest_that_is_open() {
        let mut mesh = mesh(&[((0, 0), "aaaaa.a")]);
        let start = at(&mesh, (0.5, 0.5)).unwrap();
        let goal = at(&mesh, (6.5, 0.5)).unwrap();
        let ask = |mesh: &NavMesh| {
            find_path(mesh, &PathRequest::new(start, goal), &DefaultFilter::default(), &mut SearchScratch::new())
                .map(|path| (path.status, path.end.x))
        };
        assert_eq!(ask(&mesh), Ok((PathStatus::Partial, 5.0)));
        let door = at(&mesh, (2.5, 0.5)).unwrap().poly;
        mesh.set_flags(door, PolyFlags::NONE).unwrap();
        assert_eq!(ask(&mesh), Ok((PathStatus::Partial, 2.0)));
    }
}
