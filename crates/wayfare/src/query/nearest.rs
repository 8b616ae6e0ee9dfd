//! Finds the polygon nearest to a point.
//!
//! ```text
//!        . p        over A and within the climb: distance 0
//!   ───────────  A
//!             '───  B    beside: distance to the nearest point of the outline
//! ```
//!
//! A polygon directly below or above the point counts by its vertical distance, minus the agent's climb: a point on a
//! step belongs to the floor beside it. Any other polygon counts by the distance to its nearest point, and only if that
//! point lies in the search box: the box of a long diagonal polygon reaches far beyond the polygon.
//!
//! What is under the point is looked up first, in the grid of its tile: usually it is the answer, or leaves only a
//! small box in which something could be nearer. If that box is large, the bounding tree finds its polygons, nearest
//! first.
//!
//! Ties (a point on a shared edge, two floors within the climb) go to the vertically nearer polygon, then to the one
//! with the smaller slot and index, so that the answer depends on the mesh alone.
//!
//! Cost: the polygons around the point, however large the mesh is; if none is near, logarithmic in those of the tiles
//! under the box.
//!
//! Sources: the question and its free climb are those of Detour's `findNearestPoly`.

use super::QueryFilter;
use crate::math::Aabb;
use crate::mesh::{NavMesh, PolyPoint, PolyRef, Tile};
use crate::tile::{Around, Boxed, EdgeTable, Place, distance_to_box};
use glam::Vec3;

/// The polygon nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The polygon.
    pub poly: PolyRef,
    /// Its point nearest to the given one, on the surface.
    pub point: Vec3,
    /// Whether the given point is directly above or below the polygon.
    pub over: bool,
}

impl Nearest {
    /// The position that was found.
    #[must_use]
    pub fn place(&self) -> PolyPoint {
        PolyPoint { poly: self.poly, point: self.point }
    }
}

/// The polygon nearest to `point` among those that pass `filter` and whose point nearest to `point` lies within
/// `point` ± `half_extents` (metres). `None` if there is none, and for a point or extents that are NaN or below zero.
#[must_use]
pub fn find_nearest<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    point: impl Into<Vec3>,
    half_extents: impl Into<Vec3>,
    filter: &F,
) -> Option<Nearest> {
    let point = point.into();
    let half_extents = half_extents.into();
    find_nearest_in(mesh, point, &Aabb::from_center(point, half_extents), filter)
}

/// Like [`find_nearest`], with a search box that need not be centred on the point: for example with different limits
/// above and below. A polygon whose nearest point lies outside the box is not found, even if another part of it is
/// inside.
#[must_use]
pub fn find_nearest_in<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    point: impl Into<Vec3>,
    search_box: &Aabb,
    filter: &F,
) -> Option<Nearest> {
    find_ranked(mesh, point.into(), search_box, filter).map(|(_, nearest)| nearest)
}

/// The same, with how near it is: for comparing what was found in different parts of a world.
pub(crate) fn find_ranked<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    point: Vec3,
    search_box: &Aabb,
    filter: &F,
) -> Option<(Rank, Nearest)> {
    let mut search = BoxSearch::new(point, search_box, filter);
    // The tile under the point first: what is found there usually makes the others unnecessary.
    let under = (mesh.tile_count() > 1).then(|| mesh.layout().column_row(point));
    if let Some((x, z)) = under {
        mesh.tiles_at(x, z).filter(|tile| tile.bounds().overlaps(search_box)).for_each(|tile| search.look_in(tile));
    }
    mesh.tiles_in_box(&search.worth_looking(), |tile| {
        if under != Some((tile.coord().x, tile.coord().z)) {
            search.look_in(tile);
        }
    });
    search.best
}

/// The parameters, and the best result so far.
struct BoxSearch<'a, F: ?Sized> {
    point: Vec3,
    search_box: &'a Aabb,
    filter: &'a F,
    best: Option<(Rank, Nearest)>,
}

impl<'a, F: QueryFilter + ?Sized> BoxSearch<'a, F> {
    #[inline]
    fn new(point: Vec3, search_box: &'a Aabb, filter: &'a F) -> Self {
        Self { point, search_box, filter, best: None }
    }

    /// The squared distance of the best result.
    #[inline]
    fn bound(&self) -> f32 {
        self.best.map_or(f32::INFINITY, |(rank, _)| rank.distance)
    }

    /// The box in which something nearer could be.
    #[inline]
    fn worth_looking(&self) -> Aabb {
        let distance = self.bound().sqrt() * MORE + SLACK * self.point.abs().max_element();
        let around = Vec3::new(distance, f32::INFINITY, distance);
        Aabb { min: self.search_box.min.max(self.point - around), max: self.search_box.max.min(self.point + around) }
    }

    fn look_in(&mut self, tile: &Tile) {
        let point = self.point;
        let climb = tile.data().baked_for().climb;
        if distance_to_box(point, &tile.bounds(), climb) > self.bound() {
            return;
        }
        // What is under the point is usually the answer, or bounds the search.
        let tree = tile.tree();
        let grid = tile.grid();
        let edges = tile.edges();
        for Boxed { bounds, poly } in grid.under(tree, point) {
            let is_worth = bounds.overlaps(self.search_box) && distance_to_box(point, &bounds, climb) <= self.bound();
            if is_worth && edges.outline_of(poly).is_over(point) {
                self.consider(tile, poly, true);
            }
        }
        // Nothing beside the point can be at distance zero.
        if self.bound() == 0.0 {
            return;
        }
        let done = grid.visit_around(tree, &self.worth_looking(), |near| {
            self.look_beside(tile, edges, near.poly, &near.bounds);
        });
        if !done {
            let around = Around { point, within: *self.search_box, free_height: climb };
            tree.visit_nearest(&around, self.bound(), |poly, leaf| {
                self.look_beside(tile, edges, poly, &tree.box_of_leaf(leaf));
                self.bound()
            });
        }
    }

    /// Considers a polygon beside which the point may lie, where the whole vertical distance counts.
    #[inline]
    fn look_beside(&mut self, tile: &Tile, edges: &EdgeTable, poly: u32, bounds: &Aabb) {
        if distance_to_box(self.point, bounds, 0.0) > self.bound() || !bounds.overlaps(self.search_box) {
            return;
        }
        let vertical = bounds.outside(self.point).y;
        let on_plane = self.bound() * MORE - vertical * vertical;
        if edges.outline_of(poly).place_of(self.point, on_plane) == Place::Beside {
            self.consider(tile, poly, false);
        }
    }

    /// Keeps the polygon's nearest point if it is the best so far.
    fn consider(&mut self, tile: &Tile, poly: u32, over: bool) {
        let point = self.point;
        let reference = tile.reference(poly);
        if !self.filter.passes(reference, tile.state(poly)) {
            return;
        }
        let place = tile.place_at(poly, point, over);
        let vertical = (point.y - place.y).abs();
        let distance = if over {
            let beyond = (vertical - tile.data().baked_for().climb).max(0.0);
            beyond * beyond
        } else {
            point.distance_squared(place)
        };
        let rank = Rank { distance, vertical, poly: (reference.slot().get(), poly) };
        if self.best.is_none_or(|(than, _)| rank.is_before(&than)) && self.is_in_box(place) {
            self.best = Some((rank, Nearest { poly: reference, point: place, over }));
        }
    }

    /// Whether a position lies in the search box. Heights are rounded: a box of size zero finds the surface on which
    /// its point lies.
    #[inline]
    fn is_in_box(&self, place: Vec3) -> bool {
        let slack = Vec3::splat(SLACK * (1.0 + self.point.abs().max_element()));
        Aabb { min: self.search_box.min - slack, max: self.search_box.max + slack }.contains(place)
    }
}

/// Distance bounds are enlarged by this factor for rounding.
const MORE: f32 = 1.001;

/// How far rounding may move a position, per metre of its coordinates.
const SLACK: f32 = 4.0 * f32::EPSILON;

/// Decides between polygons, in this order.
#[derive(Clone, Copy)]
pub(crate) struct Rank {
    distance: f32,
    vertical: f32,
    poly: (u32, u32),
}

impl Rank {
    /// Whether nothing can be nearer.
    pub(crate) fn is_least(&self) -> bool {
        self.distance == 0.0 && self.vertical == 0.0
    }

    pub(crate) fn is_before(&self, other: &Self) -> bool {
        self.distance
            .total_cmp(&other.distance)
            .then(self.vertical.total_cmp(&other.vertical))
            .then(self.poly.cmp(&other.poly))
            .is_lt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::PolyFlags;
    use crate::math::Rng;
    use crate::query::DefaultFilter;
    use crate::query::test_maps::{mesh, random_map};

    #[test]
    fn on_a_shared_edge_the_first_polygon_answers_from_every_side() {
        let mesh = mesh(&[((0, 0), "aa\naa"), ((1, 0), "aa\naa")]);
        for (x, z, slot, poly) in
            [(1.0, 0.5, 0, 0), (1.0, 1.0, 0, 0), (2.0, 0.5, 0, 1), (2.0, 1.0, 0, 1), (3.0, 1.0, 1, 0)]
        {
            let p = Vec3::new(x, 0.2, z);
            let found = find_nearest(&mesh, p, Vec3::ONE, &DefaultFilter::default()).unwrap();
            assert_eq!((found.poly.slot().get(), found.poly.poly().get(), found.over), (slot, poly, true), "{p}");
            assert_eq!(found.point, Vec3::new(x, 0.0, z));
        }
    }

    #[test]
    fn beside_the_mesh_and_out_of_reach() {
        let mesh = mesh(&[((0, 0), "a.")]);
        let filter = DefaultFilter::default();
        let found = find_nearest(&mesh, Vec3::new(1.5, 0.0, 0.5), Vec3::ONE, &filter).unwrap();
        assert_eq!((found.point, found.over), (Vec3::new(1.0, 0.0, 0.5), false));
        assert_eq!(find_nearest(&mesh, Vec3::new(3.5, 0.0, 0.5), Vec3::ONE, &filter), None);
        let none = DefaultFilter::new(PolyFlags(2), PolyFlags::NONE);
        assert_eq!(find_nearest(&mesh, Vec3::new(0.5, 0.0, 0.5), Vec3::ONE, &none), None);
        assert_eq!(find_nearest(&mesh, Vec3::NAN, Vec3::ONE, &filter), None);
        assert_eq!(find_nearest(&NavMesh::new(mesh.layout()), Vec3::ZERO, Vec3::ONE, &filter), None);
    }

    #[test]
    fn no_answer_lies_outside_of_the_box() {
        let mut rng = Rng::new(9);
        let mut found = 0;
        let mut beyond = 0;
        for _ in 0..60 {
            let mesh = random_map(&mut rng, 2, 5);
            for _ in 0..30 {
                let p = Vec3::new(rng.unit() * 14.0 - 2.0, rng.unit() * 2.0 - 1.0, rng.unit() * 14.0 - 2.0);
                let reach = Vec3::new(rng.unit(), rng.unit(), rng.unit()) * 3.0;
                // What lies on the surface of the box, to a millimetre, may be found or not.
                let outside_by = |place: Vec3| ((place - p).abs() - reach).max_element();
                let all = mesh.tiles().flat_map(|t| (0..t.poly_count()).map(|i| t.data().closest_point(i, p)));
                let least = all.map(|s| outside_by(s.point)).fold(f32::MAX, f32::min);
                let answer = find_nearest(&mesh, p, reach, &DefaultFilter::default());
                assert!(answer.is_none_or(|n| outside_by(n.point) < 1e-3), "{p} {reach} {answer:?}");
                assert!(answer.is_some() || least > -1e-3, "{p} {reach}");
                found += usize::from(least < -1e-3);
                beyond += usize::from(least > 1e-3);
            }
        }
        assert!(found > 300 && beyond > 300, "{found} {beyond}");
    }

    #[test]
    fn limits_above_and_below_choose_the_floor() {
        use crate::tile::{TileCoord, test_sketch::sketch};
        let layers = ["0", "3"].into_iter().zip(0..);
        let tiles = layers.map(|(map, layer)| sketch(TileCoord { x: 0, z: 0, layer }, map)).collect();
        let mesh = NavMesh::from_tiles(mesh(&[((0, 0), "a")]).layout(), tiles).unwrap();
        let p = Vec3::new(0.5, 1.9, 0.5);
        let within =
            |below: f32, above: f32| Aabb { min: p - Vec3::new(1.0, below, 1.0), max: p + Vec3::new(1.0, above, 1.0) };
        let floor = |limits: Aabb| find_nearest_in(&mesh, p, &limits, &DefaultFilter::default()).map(|n| n.point.y);
        assert_eq!(
            (floor(within(4.0, 4.0)), floor(within(4.0, 0.5)), floor(within(0.5, 0.5))),
            (Some(3.0), Some(0.0), None)
        );
        // Both within the climb: the vertically nearer.
        let p = Vec3::new(0.5, 0.1, 0.5);
        assert_eq!(find_nearest(&mesh, p, Vec3::splat(9.0), &DefaultFilter::default()).map(|n| n.point.y), Some(0.0));
    }

    #[test]
    fn as_near_as_a_look_at_every_polygon() {
        let mut rng = Rng::new(4);
        for _ in 0..60 {
            let mesh = random_map(&mut rng, 2, 5);
            for _ in 0..30 {
                let p = Vec3::new(rng.unit() * 14.0 - 2.0, rng.unit() * 2.0 - 1.0, rng.unit() * 14.0 - 2.0);
                let all = mesh.tiles().flat_map(|t| (0..t.poly_count()).map(|i| t.data().closest_point(i, p)));
                let least = all
                    .map(|s| if s.over { (p.y.abs() - 0.5).max(0.0) } else { p.distance(s.point) })
                    .fold(f32::MAX, f32::min);
                let found = find_nearest(&mesh, p, Vec3::splat(20.0), &DefaultFilter::default()).unwrap();
                let distance = if found.over { (p.y.abs() - 0.5).max(0.0) } else { p.distance(found.point) };
                assert_eq!(distance, least, "{p}");
            }
        }
    }
}
