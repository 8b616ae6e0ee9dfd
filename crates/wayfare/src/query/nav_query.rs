//! A query session: a mesh, a filter and memory, held together.
//!
//! The functions of this module take mesh, parameters, filter, memory and an answer to fill on every call. A session
//! holds all of them except the parameters, looks points up on the mesh, and returns answers in its own memory, so that
//! the second query allocates nothing.
//!
//! ```text
//!   functions   find_path_into(&mesh, &request, &filter, &mut scratch, &mut path)?
//!   session     query.path(from, to)?
//!   one call    mesh.find_path(from, to)
//! ```
//!
//! Cost: that of the function each method calls, and of looking up points that come without a polygon.
//!
//! Sources: none needed.

use super::query_point::QueryPoint;
use super::{
    AroundRequest, CostBounds, DefaultFilter, Nearest, NearestGoalRequest, NearestWall, NeighbourhoodRequest,
    NodePlacement, OptimalPath, PathExplanation, PathQuestion, PathRequest, PointSampler, PolyPath, PolyPoint,
    QueryFilter, Raycast, ReachedPoly, SearchLimits, SearchScratch, StraightPath, WallSegment, explain_path,
    find_bounded_path_into, find_distance_to_wall, find_nearest, find_optimal_path_into, find_path_into,
    find_path_to_nearest_into, is_reachable, local_neighbourhood_into, move_along_surface_into, polys_around_into,
    random_point_in_circle, raycast_into, raycast_with_cost_into, string_pull_into, wall_segments_into,
};
use crate::area::{LimitHit, PathStatus};
use crate::graph::SearchObserver;
use crate::math::Rng;
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use core::borrow::Borrow;
use glam::Vec3;

/// How far the mesh may be from a given point unless one says otherwise, in metres: two horizontally, four vertically.
pub const DEFAULT_REACH: Vec3 = Vec3::new(2.0, 4.0, 2.0);

/// Queries on one mesh with one filter, in memory that is reused.
///
/// The mesh is borrowed or owned: `&NavMesh`, `Arc<NavMesh>`, or a `NavMesh` itself, which can be a snapshot (a clone
/// is a few pointers). Use one session per thread; it is `Send` if mesh and filter are.
///
/// Points are anything that converts to a `Vec3`, and are looked up within [`reach`](Self::with_reach); or a
/// [`PolyPoint`] from an earlier answer, which is used as it is. If a point is not near the mesh, the answer says so: a
/// path has [`PathStatus::None`], a list is empty, a position is `None`.
///
/// Methods that accept a [`PolyPoint`] fail with [`StaleRef`] if its polygon no longer exists; with points alone none
/// can.
///
/// ```
/// use wayfare::input::{AgentSettings, TriMesh};
/// use wayfare::mesh::NavMesh;
/// use wayfare::query::NavQuery;
///
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 10.0], [10.0, 0.0, 10.0], [10.0, 0.0, 0.0]].map(Into::into);
/// let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let mesh = NavMesh::bake(&level, &AgentSettings::default())?;
///
/// let mut query = NavQuery::of(&mesh);
/// let answer = query.straight_path([1.0, 0.0, 1.0], [9.0, 0.0, 8.0])?;
/// assert_eq!(answer.straight.points.len(), 2);
/// assert!(!query.ray([1.0, 0.0, 1.0], [9.0, 0.0, 8.0])?.hit);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NavQuery<M, F = DefaultFilter, O = ()> {
    mesh: M,
    filter: F,
    /// Makes the filter of each mesh; `None` if the caller has chosen one.
    filter_of: Option<fn(&NavMesh) -> F>,
    reach: Vec3,
    limits: SearchLimits,
    placement: NodePlacement,
    scratch: SearchScratch<O>,
    memory: Memory,
}

/// Memory that holds the answers.
#[derive(Clone, Debug, Default)]
struct Memory {
    path: PolyPath,
    /// Goals, of which one is enough, and the number of each among those given.
    goals: Vec<PolyPoint>,
    numbers: Vec<usize>,
    straight: StraightPath,
    optimal: OptimalPath,
    ray: Raycast,
    moved: Vec<PolyRef>,
    reached: Vec<ReachedPoly>,
    polys: Vec<PolyRef>,
    walls: Vec<WallSegment>,
    /// Covers the whole mesh; built when it is first needed.
    sampler: Option<PointSampler>,
}

/// A path together with its straight path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PulledPath<'a> {
    /// Polygons, portals, status and limit.
    pub path: &'a PolyPath,
    /// The points to walk along: start, corners, end. Empty if there is no path.
    pub straight: &'a StraightPath,
}

impl PulledPath<'_> {
    /// Whether the path leads to the goal.
    #[must_use]
    pub fn status(&self) -> PathStatus {
        self.path.status
    }

    /// The limit that cut the search short, if any.
    #[must_use]
    pub fn limit(&self) -> Option<LimitHit> {
        self.path.limit
    }
}

impl<M: Borrow<NavMesh>> NavQuery<M> {
    /// A session that passes everything with any flag, with the costs of the mesh's [table of area
    /// types](NavMesh::areas). After [`set_mesh`](Self::set_mesh) the costs are those of the new mesh.
    #[must_use]
    pub fn of(mesh: M) -> Self {
        Self::with_filter_of(mesh, DefaultFilter::of)
    }
}

impl<M: Borrow<NavMesh>, F: QueryFilter> NavQuery<M, F> {
    /// A session with a filter.
    #[must_use]
    pub fn new(mesh: M, filter: F) -> Self {
        let limits = SearchLimits::default();
        let placement = NodePlacement::default();
        let scratch = SearchScratch::new();
        Self {
            mesh,
            filter,
            filter_of: None,
            reach: DEFAULT_REACH,
            limits,
            placement,
            scratch,
            memory: Memory::default(),
        }
    }

    /// A session whose filter is made from the mesh: now, and again by every [`set_mesh`](Self::set_mesh), until
    /// [`set_filter`](Self::set_filter) gives it another.
    #[must_use]
    pub fn with_filter_of(mesh: M, filter_of: fn(&NavMesh) -> F) -> Self {
        let filter = filter_of(mesh.borrow());
        Self { filter_of: Some(filter_of), ..Self::new(mesh, filter) }
    }
}

/// What it asks with.
impl<M: Borrow<NavMesh>, F: QueryFilter, O: SearchObserver<PolyRef>> NavQuery<M, F, O> {
    /// The same session with another reach: how far the mesh may be from a point, metres in each direction along x, y
    /// and z. Default: [`DEFAULT_REACH`]. With NaN or a negative value, nothing is found.
    #[must_use]
    pub fn with_reach(self, reach: impl Into<Vec3>) -> Self {
        Self { reach: reach.into(), ..self }
    }

    /// The same session with limits for path searches. Default: none.
    #[must_use]
    pub fn with_limits(self, limits: SearchLimits) -> Self {
        Self { limits, ..self }
    }

    /// The same session with another rule for placing nodes. Default: [`NodePlacement::Middle`].
    #[must_use]
    pub fn with_placement(self, placement: NodePlacement) -> Self {
        Self { placement, ..self }
    }

    /// The same session with an observer of its searches, see [`SearchObserver`]. Default: none. Pass a `&mut` to keep
    /// the observer.
    #[must_use]
    pub fn observed_by<N: SearchObserver<PolyRef>>(self, observer: N) -> NavQuery<M, F, N> {
        let Self { mesh, filter, filter_of, reach, limits, placement, scratch, memory } = self;
        NavQuery { mesh, filter, filter_of, reach, limits, placement, scratch: scratch.observed_by(observer), memory }
    }

    /// The observer of its searches.
    #[must_use]
    pub fn observer(&self) -> &O {
        self.scratch.observer()
    }

    /// The observer of its searches, mutable.
    pub fn observer_mut(&mut self) -> &mut O {
        self.scratch.observer_mut()
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &NavMesh {
        self.mesh.borrow()
    }

    /// Continues with another mesh, such as a newer snapshot. Polygons of the old one are [stale](StaleRef) if their
    /// tiles are gone. The filter stays, unless it is [made from the mesh](Self::with_filter_of).
    pub fn set_mesh(&mut self, mesh: M) {
        self.mesh = mesh;
        if let Some(filter_of) = self.filter_of {
            self.filter = filter_of(self.mesh.borrow());
        }
        self.memory.sampler = None;
    }

    /// The filter.
    #[must_use]
    pub fn filter(&self) -> &F {
        &self.filter
    }

    /// Continues with another filter, which also stays when the mesh changes.
    pub fn set_filter(&mut self, filter: F) {
        self.filter = filter;
        self.filter_of = None;
        self.memory.sampler = None;
    }

    /// The memory of its searches, for query functions that have no method here.
    pub fn scratch(&mut self) -> &mut SearchScratch<O> {
        &mut self.scratch
    }

    fn place(&self, point: QueryPoint) -> Result<Option<PolyPoint>, StaleRef> {
        point.place(self.mesh.borrow(), self.reach, &self.filter)
    }

    /// The request for a path between two points; `None` if one of them is not near the mesh.
    fn request(&self, from: QueryPoint, to: QueryPoint) -> Result<Option<PathRequest>, StaleRef> {
        let Some(start) = self.place(from)? else { return Ok(None) };
        let Some(goal) = self.place(to)? else { return Ok(None) };
        Ok(Some(PathRequest { start, goal, limits: self.limits, placement: self.placement }))
    }
}

/// Queries about one point.
impl<M: Borrow<NavMesh>, F: QueryFilter, O: SearchObserver<PolyRef>> NavQuery<M, F, O> {
    /// The polygon nearest to a point: see [`find_nearest`].
    #[must_use]
    pub fn nearest(&self, point: impl Into<Vec3>) -> Option<Nearest> {
        find_nearest(self.mesh.borrow(), point, self.reach, &self.filter)
    }

    /// The wall nearest to a point, if there is one within `max_radius` metres: see [`find_distance_to_wall`].
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn nearest_wall(
        &mut self,
        at: impl Into<QueryPoint>,
        max_radius: f32,
    ) -> Result<Option<NearestWall>, StaleRef> {
        let Some(place) = self.place(at.into())? else { return Ok(None) };
        find_distance_to_wall(self.mesh.borrow(), place, max_radius, &self.filter, &mut self.scratch)
    }

    /// The wall segments around the polygon under a point: see [`wall_segments`](super::wall_segments).
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn walls(&mut self, at: impl Into<QueryPoint>) -> Result<&[WallSegment], StaleRef> {
        let walls = &mut self.memory.walls;
        walls.clear();
        let place = at.into().place(self.mesh.borrow(), self.reach, &self.filter)?;
        if let Some(place) = place {
            wall_segments_into(self.mesh.borrow(), place.poly, &self.filter, walls)?;
        }
        Ok(walls)
    }

    /// The polygons that can be reached without leaving a circle, cheapest first: see
    /// [`polys_around`](super::polys_around).
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn around(&mut self, at: impl Into<QueryPoint>, radius: f32) -> Result<&[ReachedPoly], StaleRef> {
        let place = self.place(at.into())?;
        let scratch = &mut self.scratch;
        let Memory { reached, .. } = &mut self.memory;
        reached.clear();
        if let Some(place) = place {
            let request = AroundRequest::circle(place, radius).placed_by(self.placement);
            polys_around_into(self.mesh.borrow(), &request, &self.filter, scratch, reached)?;
        }
        Ok(reached)
    }

    /// The polygons around a point that do not lie above each other: see
    /// [`local_neighbourhood`](super::local_neighbourhood).
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn neighbourhood(&mut self, at: impl Into<QueryPoint>, radius: f32) -> Result<&[PolyRef], StaleRef> {
        let place = self.place(at.into())?;
        let scratch = &mut self.scratch;
        let Memory { polys, .. } = &mut self.memory;
        polys.clear();
        if let Some(place) = place {
            let request = NeighbourhoodRequest::new(place, radius);
            local_neighbourhood_into(self.mesh.borrow(), &request, &self.filter, scratch, polys)?;
        }
        Ok(polys)
    }

    /// A random point on the whole mesh, uniform by area: see [`PointSampler`], which is built at the first call and
    /// again after the mesh or the filter changes. `None` if nothing passes the filter.
    pub fn random(&mut self, rng: &mut Rng) -> Option<PolyPoint> {
        let mesh = self.mesh.borrow();
        let sampler = self.memory.sampler.get_or_insert_with(|| PointSampler::on_mesh(mesh, &self.filter));
        sampler.sample(mesh, rng).ok().flatten()
    }

    /// A random point within `radius` metres that can be reached: see [`random_point_in_circle`].
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn random_around(
        &mut self,
        at: impl Into<QueryPoint>,
        radius: f32,
        rng: &mut Rng,
    ) -> Result<Option<PolyPoint>, StaleRef> {
        let Some(place) = self.place(at.into())? else { return Ok(None) };
        random_point_in_circle(self.mesh.borrow(), place, radius, &self.filter, &mut self.scratch, rng)
    }
}

/// Queries from one point to another.
impl<M: Borrow<NavMesh>, F: QueryFilter, O: SearchObserver<PolyRef>> NavQuery<M, F, O> {
    /// A path over polygons: see [`find_path`](super::find_path).
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn path(&mut self, from: impl Into<QueryPoint>, to: impl Into<QueryPoint>) -> Result<&PolyPath, StaleRef> {
        let request = self.request(from.into(), to.into())?;
        let scratch = &mut self.scratch;
        let Memory { path, .. } = &mut self.memory;
        path.clear();
        if let Some(request) = request {
            find_path_into(self.mesh.borrow(), &request, &self.filter, scratch, path)?;
        }
        Ok(path)
    }

    /// A path to the cheapest of several goals, and which of them it leads to: see
    /// [`find_path_to_nearest`](super::find_path_to_nearest). Goals that are not near the mesh are ignored.
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn path_to_nearest<P: Into<QueryPoint>>(
        &mut self,
        from: impl Into<QueryPoint>,
        to: impl IntoIterator<Item = P>,
    ) -> Result<(&PolyPath, Option<usize>), StaleRef> {
        self.memory.path.clear();
        self.memory.goals.clear();
        self.memory.numbers.clear();
        let start = self.place(from.into())?;
        for (number, point) in to.into_iter().enumerate() {
            if let Some(goal) = self.place(point.into())? {
                self.memory.goals.push(goal);
                self.memory.numbers.push(number);
            }
        }
        let Some(start) = start else { return Ok((&self.memory.path, None)) };
        let scratch = &mut self.scratch;
        let Memory { path, goals, numbers, .. } = &mut self.memory;
        let request = NearestGoalRequest { start, goals, limits: self.limits, placement: self.placement };
        let reached = find_path_to_nearest_into(self.mesh.borrow(), &request, &self.filter, scratch, path)?;
        Ok((path, reached.map(|goal| numbers[goal])))
    }

    /// A path together with its straight path: see [`string_pull`](super::string_pull).
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn straight_path(
        &mut self,
        from: impl Into<QueryPoint>,
        to: impl Into<QueryPoint>,
    ) -> Result<PulledPath<'_>, StaleRef> {
        self.path(from, to)?;
        let scratch = &mut self.scratch;
        let Memory { path, straight, .. } = &mut self.memory;
        string_pull_into(path, scratch, straight);
        Ok(PulledPath { path, straight })
    }

    /// The shortest path in any direction, with its corners: see [`find_optimal_path`](super::find_optimal_path).
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn optimal_path(
        &mut self,
        from: impl Into<QueryPoint>,
        to: impl Into<QueryPoint>,
    ) -> Result<&OptimalPath, StaleRef> {
        let request = self.request(from.into(), to.into())?;
        let scratch = &mut self.scratch;
        let Memory { optimal, .. } = &mut self.memory;
        optimal.clear();
        if let Some(request) = request {
            find_optimal_path_into(self.mesh.borrow(), &request, &self.filter, scratch, optimal)?;
        }
        Ok(optimal)
    }

    /// The cheapest path, guided by bounds, together with its straight path: see
    /// [`find_bounded_path`](super::find_bounded_path).
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn bounded_path(
        &mut self,
        bounds: &CostBounds,
        from: impl Into<QueryPoint>,
        to: impl Into<QueryPoint>,
    ) -> Result<PulledPath<'_>, StaleRef> {
        let request = self.request(from.into(), to.into())?;
        let scratch = &mut self.scratch;
        let Memory { path, straight, .. } = &mut self.memory;
        path.clear();
        if let Some(request) = request {
            find_bounded_path_into((self.mesh.borrow(), bounds), &request, &self.filter, scratch, path)?;
        }
        string_pull_into(path, scratch, straight);
        Ok(PulledPath { path, straight })
    }

    /// Whether a path leads there; `None` if a limit was hit before that was decided. See [`is_reachable`].
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn reachable(
        &mut self,
        from: impl Into<QueryPoint>,
        to: impl Into<QueryPoint>,
    ) -> Result<Option<bool>, StaleRef> {
        let Some(request) = self.request(from.into(), to.into())? else { return Ok(Some(false)) };
        is_reachable(self.mesh.borrow(), &request, &self.filter, &mut self.scratch)
    }

    /// Why there is no path, in one sentence, or that there is one: see [`explain_path`].
    pub fn explain(&mut self, from: impl Into<Vec3>, to: impl Into<Vec3>) -> PathExplanation {
        let question = PathQuestion { from: from.into(), to: to.into(), half_extents: self.reach, limits: self.limits };
        explain_path(self.mesh.borrow(), &question, &self.filter, &mut self.scratch)
    }

    /// How far a straight line is free of walls, in the horizontal plane: see [`raycast`](super::raycast). From a point
    /// that is not near the mesh, it is stopped at its start without hitting a wall.
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn ray(&mut self, from: impl Into<QueryPoint>, to: impl Into<Vec3>) -> Result<&Raycast, StaleRef> {
        let from = from.into();
        let place = self.place(from)?;
        let scratch = &mut self.scratch;
        let Memory { ray, .. } = &mut self.memory;
        match place {
            Some(start) => raycast_into(self.mesh.borrow(), start, to.into(), &self.filter, scratch, ray)?,
            None => ray.stop_at(from.point()),
        }
        Ok(ray)
    }

    /// Like [`ray`](Self::ray), with the cost of the line: see [`raycast_with_cost`](super::raycast_with_cost).
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn ray_with_cost(&mut self, from: impl Into<QueryPoint>, to: impl Into<Vec3>) -> Result<&Raycast, StaleRef> {
        let from = from.into();
        let place = self.place(from)?;
        let scratch = &mut self.scratch;
        let Memory { ray, .. } = &mut self.memory;
        match place {
            Some(start) => raycast_with_cost_into(self.mesh.borrow(), start, to.into(), &self.filter, scratch, ray)?,
            None => ray.stop_at(from.point()),
        }
        Ok(ray)
    }

    /// Moves along the surface, sliding along walls: see [`move_along_surface`](super::move_along_surface). `None` if
    /// `from` is not near the mesh.
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn move_along(
        &mut self,
        from: impl Into<QueryPoint>,
        to: impl Into<Vec3>,
    ) -> Result<Option<PolyPoint>, StaleRef> {
        let Some(start) = self.place(from.into())? else { return Ok(None) };
        let scratch = &mut self.scratch;
        let Memory { moved, .. } = &mut self.memory;
        move_along_surface_into(self.mesh.borrow(), start, to.into(), &self.filter, scratch, moved).map(Some)
    }

    /// The polygons of the last [move](Self::move_along), from that of its start to that of its end, for updating a
    /// corridor.
    #[must_use]
    pub fn moved_over(&self) -> &[PolyRef] {
        &self.memory.moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaInfo, AreaTable};
    use crate::query::test_maps::{at, mesh, random_map};
    use crate::query::{
        find_optimal_path, find_path, find_path_to_nearest, local_neighbourhood, move_along_surface, polys_around,
        raycast, string_pull, wall_segments,
    };
    use std::sync::Arc;

    /// A session answers as the functions do.
    #[test]
    fn a_session_answers_as_the_functions_do() {
        let mut rng = Rng::new(4);
        let mut scratch = SearchScratch::new();
        let filter = DefaultFilter::default();
        let mut asked = 0;
        for _ in 0..60 {
            let mesh = random_map(&mut rng, 2, 6);
            let mut query = NavQuery::of(&mesh);
            let from = Vec3::new(rng.unit() * 12.0, 0.0, rng.unit() * 12.0);
            let to = Vec3::new(rng.unit() * 12.0, 0.0, rng.unit() * 12.0);
            let Some(start) = query.nearest(from).map(|found| found.place()) else { continue };
            let Some(goal) = query.nearest(to.to_array()).map(|found| found.place()) else { continue };
            let request = PathRequest::new(start, goal);
            let path = find_path(&mesh, &request, &filter, &mut scratch).unwrap();
            assert_eq!(query.path(from, to).unwrap(), &path);
            assert_eq!(query.path(start, goal).unwrap(), &path);
            let far = Vec3::new(1e3, 0.0, 1e3);
            let of_many = query.path_to_nearest(from, [far, to, from + Vec3::X * 1e4]).unwrap();
            let found = find_path_to_nearest(&mesh, &NearestGoalRequest::new(start, &[goal]), &filter, &mut scratch);
            let (to_nearest, reached) = found.unwrap();
            assert_eq!(of_many, (&to_nearest, reached.map(|_| 1)));
            let pulled = query.straight_path(start, to).unwrap();
            assert_eq!((pulled.path, pulled.straight), (&path, &string_pull(&path, &mut scratch)));
            let optimal = find_optimal_path(&mesh, &request, &filter, &mut scratch).unwrap();
            assert_eq!(query.optimal_path(from, to).unwrap(), &optimal);
            let ray = raycast(&mesh, start, to, &filter, &mut scratch).unwrap();
            assert_eq!(query.ray(from, to).unwrap(), &ray);
            let moved = move_along_surface(&mesh, start, to, &filter, &mut scratch).unwrap();
            assert_eq!(query.move_along(from, to).unwrap(), Some(moved.place));
            assert_eq!(query.moved_over(), moved.visited);
            let around = polys_around(&mesh, &AroundRequest::circle(start, 3.0), &filter, &mut scratch).unwrap();
            assert_eq!(query.around(from, 3.0).unwrap(), around);
            let near = NeighbourhoodRequest::new(start, 3.0);
            let near = local_neighbourhood(&mesh, &near, &filter, &mut scratch).unwrap();
            assert_eq!(query.neighbourhood(from, 3.0).unwrap(), near);
            assert_eq!(query.walls(from).unwrap(), wall_segments(&mesh, start.poly, &filter).unwrap());
            assert_eq!(query.reachable(from, to).unwrap(), Some(path.status == PathStatus::Complete));
            assert_eq!(query.explain(from, to).is_found(), path.status == PathStatus::Complete);
            assert!(query.random(&mut rng).is_some() && query.random_around(from, 2.0, &mut rng).unwrap().is_some());
            asked += 1;
        }
        assert!(asked > 20);
    }

    #[test]
    fn far_from_the_mesh_every_answer_says_so() {
        let mesh = Arc::new(mesh(&[((0, 0), "aa")]));
        let mut query = NavQuery::of(Arc::clone(&mesh)).with_reach([0.5, 1.0, 0.5]);
        let here = [0.5, 0.0, 0.5];
        let far = [50.0, 0.0, 0.0];
        assert_eq!(query.path(here, here).unwrap().status, PathStatus::Complete);
        assert_eq!(query.nearest(far), None);
        assert_eq!(query.path(here, far).unwrap(), &PolyPath::default());
        assert_eq!(query.straight_path(far, here).unwrap().straight, &StraightPath::default());
        assert_eq!(query.optimal_path(here, far).unwrap().path.status, PathStatus::None);
        let ray = query.ray(far, here).unwrap();
        assert_eq!((ray.hit, ray.t, ray.point, ray.polys.len()), (true, 0.0, far.into(), 0));
        assert_eq!(query.move_along(far, here).unwrap(), None);
        assert_eq!(query.nearest_wall(far, 3.0).unwrap(), None);
        assert!(query.walls(far).unwrap().is_empty() && query.around(far, 3.0).unwrap().is_empty());
        assert_eq!(query.reachable(far, here).unwrap(), Some(false));
        assert!(!query.explain(here, far).is_found());
    }

    /// A session without a filter of its own has the costs of whichever mesh it is given.
    #[test]
    fn the_default_filter_follows_the_costs_of_the_mesh() {
        let mut changed = mesh(&[((0, 0), "aa")]);
        let mut query = NavQuery::of(changed.clone());
        let (from, to) = ([0.5, 0.0, 0.5], [1.5, 0.0, 0.5]);
        let cost = |query: &mut NavQuery<NavMesh>| query.path(from, to).unwrap().cost;
        let usual = cost(&mut query);
        let area = changed.state(query.nearest(from).unwrap().poly).unwrap().area;
        let table = |cost| AreaTable::new(vec![AreaInfo { area, name: String::new(), cost }]).unwrap();
        changed.set_areas(table(3.0));
        query.set_mesh(changed.clone());
        assert!((cost(&mut query) - 3.0 * usual).abs() < 1e-4);
        // One that was chosen stays.
        query.set_filter(DefaultFilter::default());
        query.set_mesh(changed.clone());
        assert!((cost(&mut query) - usual).abs() < 1e-4);
        let mut chosen = NavQuery::new(changed.clone(), DefaultFilter::of(&changed));
        changed.set_areas(table(5.0));
        chosen.set_mesh(changed);
        assert!((cost(&mut chosen) - 3.0 * usual).abs() < 1e-4);
    }

    /// A place in a tile that has gone is a typed answer, whatever is asked.
    #[test]
    fn stale_places_are_typed_answers() {
        let old = mesh(&[((0, 0), "aa"), ((1, 0), "aa")]);
        let gone = at(&old, (2.5, 0.5)).unwrap();
        let mut query = NavQuery::of(old.clone());
        assert!(query.path([0.5, 0.0, 0.5], gone).is_ok());
        let mut new = old;
        new.remove_tile(gone.poly.tile().unwrap()).unwrap();
        query.set_mesh(new);
        let here = [0.5, 0.0, 0.5];
        assert!(query.path(here, gone).is_err() && query.ray(gone, here).is_err() && query.walls(gone).is_err());
        assert!(query.move_along(gone, here).is_err() && query.reachable(gone, here).is_err());
        assert!(query.random(&mut Rng::new(1)).is_some_and(|place| place.point.x <= 2.0));
    }
}
