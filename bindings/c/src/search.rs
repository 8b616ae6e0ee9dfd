//! Searches in steps, cost maps, and what a search did.

use crate::border::{fill, put};
use crate::cost_bounds::WayfareCostBounds;
use crate::filter::{AnyFilter, by_filter};
use crate::geometry::{WayfarePlace, WayfareVec3, place_near, poly_ref};
use crate::handle::{Handle, handle};
use crate::paths::{WayfarePath, WayfarePathPoint};
use crate::query::WayfareQuery;
use crate::status::{Failure, Outcome, WayfareStatus, border};
use wayfare_nav::Vec3;
use wayfare_nav::area::PathStatus;
use wayfare_nav::context::Budget;
use wayfare_nav::graph::SearchRecord;
use wayfare_nav::mesh::{NavMesh, PolyRef, StaleRef};
use wayfare_nav::query::{
    BoundedSearch, CostMap, CostMapRequest, OptimalPath, OptimalSearch, PathRequest, PolyPath, SearchScratch,
    SlicedSearch, StraightPath, find_nearest, find_path_into, string_pull,
};

/// A path search in steps.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareSearch {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareSearch, Search, "search");

enum Kind {
    Polygons(SlicedSearch),
    Optimal(OptimalSearch),
    Bounded(BoundedSearch),
}

/// A search, and what it searches.
pub(crate) struct Search {
    kind: Kind,
    mesh: NavMesh,
    filter: AnyFilter,
    straight: StraightPath,
}

/// Begins a search that is done in steps: over polygons, or with `optimal` 1 for the shortest path. Both places must be
/// near the query's mesh; the query is free for other questions meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_search_new(
    query: WayfareQuery,
    from: WayfarePlace,
    to: WayfarePlace,
    optimal: u32,
    search: *mut WayfareSearch,
) -> WayfareStatus {
    border(|| {
        let begun = Search::begin(query, from, to, |mesh, request, filter| {
            by_filter!(filter, |filter| if optimal == 0 {
                SlicedSearch::new(mesh, request, filter).map(Kind::Polygons)
            } else {
                OptimalSearch::new(mesh, request, filter).map(Kind::Optimal)
            })
        })?;
        put!(search, WayfareSearch::keep(begun)?)
    })
}

/// Begins a search in steps that is guided by bounds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_search_bounded(
    query: WayfareQuery,
    bounds: WayfareCostBounds,
    from: WayfarePlace,
    to: WayfarePlace,
    search: *mut WayfareSearch,
) -> WayfareStatus {
    border(|| {
        let bounds = bounds.read()?;
        let begun = Search::begin(query, from, to, |mesh, request, filter| {
            let memory = SearchScratch::new();
            by_filter!(filter, |filter| BoundedSearch::new((mesh, &*bounds), request, filter, memory))
                .map(Kind::Bounded)
        })?;
        put!(search, WayfareSearch::keep(begun)?)
    })
}

impl Search {
    fn begin(
        query: WayfareQuery,
        from: WayfarePlace,
        to: WayfarePlace,
        begin: impl FnOnce(&NavMesh, &PathRequest, &AnyFilter) -> Result<Kind, StaleRef>,
    ) -> Outcome<Self> {
        let session = query.read()?;
        let request = session.request(from, to)?;
        let request = request.ok_or_else(|| Failure::argument("`from` or `to` is not near the mesh"))?;
        let (mesh, filter) = (session.mesh.clone(), session.filter.clone());
        let kind = begin(&mesh, &request, &filter).map_err(Failure::stale)?;
        Ok(Self { kind, mesh, filter, straight: StraightPath::default() })
    }
}

/// Searches on for `budget` nodes. `finished` is 1 once it is done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_search_step(search: WayfareSearch, budget: u64, finished: *mut u32) -> WayfareStatus {
    border(|| {
        let mut search = search.write()?;
        let Search { kind, filter, .. } = &mut *search;
        let mut budget = Budget::new(budget);
        let is_done = by_filter!(&*filter, |filter| match kind {
            Kind::Polygons(search) => search.step(filter, &mut budget),
            Kind::Optimal(search) => search.step(filter, &mut budget),
            Kind::Bounded(search) => search.step(filter, &mut budget),
        });
        put!(finished, is_done.into())
    })
}

/// The path that was found; before the end, the one to the place nearest to the goal so far.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_search_path(search: WayfareSearch, path: *mut WayfarePath) -> WayfareStatus {
    border(|| {
        let mut search = search.write()?;
        let Search { kind, mesh, straight, .. } = &mut *search;
        let found = match kind {
            Kind::Polygons(search) => {
                let (found, _) = search.path(mesh);
                *straight = line(&found);
                found
            }
            Kind::Optimal(search) => {
                let mut found = OptimalPath::default();
                let _ = search.path_into(mesh, &mut found);
                *straight = found.straight;
                found.path
            }
            Kind::Bounded(search) => {
                let mut found = PolyPath::default();
                let _ = search.path_into(mesh, &mut found);
                *straight = line(&found);
                found
            }
        };
        put!(path, WayfarePath::of(&found, Some(straight)))
    })
}

fn line(path: &PolyPath) -> StraightPath {
    if path.status == PathStatus::None { StraightPath::default() } else { string_pull(path, &mut SearchScratch::new()) }
}

/// The points of the path that was asked for last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_search_points(
    search: WayfareSearch,
    points: *mut WayfarePathPoint,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(points, capacity, count, search.read()?.straight.points.iter().map(WayfarePathPoint::of)))
}

/// Frees a search.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_search_free(search: WayfareSearch) -> WayfareStatus {
    border(|| search.free())
}

/// What it costs to get from one place to all others.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareCostMap {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareCostMap, Costs, "cost map");

/// A cost map, and what it was made on.
pub(crate) struct Costs {
    map: CostMap,
    mesh: NavMesh,
    filter: AnyFilter,
    reach: Vec3,
    straight: StraightPath,
}

/// The costs of all polygons around a place, within the limits of the query.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_cost_map_new(
    query: WayfareQuery,
    from: WayfarePlace,
    map: *mut WayfareCostMap,
) -> WayfareStatus {
    border(|| {
        let session = query.read()?;
        let start = session.place(from, "from")?.ok_or_else(|| Failure::argument("`from` is not near the mesh"))?;
        let request = CostMapRequest::new(start).within(session.limits).placed_by(session.placement);
        let (mesh, filter) = (session.mesh.clone(), session.filter.clone());
        let made = by_filter!(&filter, |filter| CostMap::new(&mesh, &request, filter)).map_err(Failure::stale)?;
        let (reach, straight) = (session.reach, StraightPath::default());
        put!(map, WayfareCostMap::keep(Costs { map: made, mesh, filter, reach, straight })?)
    })
}

/// What it costs to get to a polygon; infinite if that was not reached.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_cost_map_cost(map: WayfareCostMap, poly: u64, cost: *mut f32) -> WayfareStatus {
    border(|| put!(cost, map.read()?.map.cost_to(poly_ref(poly, "poly")?).unwrap_or(f32::INFINITY)))
}

/// The path to a place, out of the map. A point without a polygon is looked up with the filter and reach of the query that
/// the map was made by. Its points: `wayfare_cost_map_points`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_cost_map_path(
    map: WayfareCostMap,
    to: WayfarePlace,
    path: *mut WayfarePath,
) -> WayfareStatus {
    border(|| {
        let mut costs = map.write()?;
        let mut found = PolyPath::default();
        let Costs { map, mesh, filter, reach, straight } = &mut *costs;
        let nearest =
            |at| by_filter!(&*filter, |filter| find_nearest(mesh, at, *reach, filter)).map(|near| near.place());
        let goal = place_near(mesh, to, "to", nearest)?;
        let stale = by_filter!(&*filter, |filter| map.path_to(mesh, goal, filter, &mut found));
        if let Some(stale) = stale {
            return Err(Failure::stale(stale));
        }
        *straight = line(&found);
        put!(path, WayfarePath::of(&found, Some(straight)))
    })
}

/// The points of the last path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_cost_map_points(
    map: WayfareCostMap,
    points: *mut WayfarePathPoint,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(points, capacity, count, map.read()?.straight.points.iter().map(WayfarePathPoint::of)))
}

/// Frees a cost map.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_cost_map_free(map: WayfareCostMap) -> WayfareStatus {
    border(|| map.free())
}

/// A node that a search opened.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareSearchNode {
    /// Its polygon.
    pub poly: u64,
    /// Where it was placed.
    pub at: WayfareVec3,
    /// What it cost to get there.
    pub cost: f32,
    /// That, and the estimate to the goal.
    pub total: f32,
    /// The number of the node before it; `UINT32_MAX` for the first.
    pub parent: u32,
    /// 1 if the search was done with it.
    pub closed: u32,
    /// Nothing; 0.
    pub reserved: u32,
}

/// Finds a path over polygons and says which nodes the search opened, in their order: for tools that show searches.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_record_search(
    query: WayfareQuery,
    from: WayfarePlace,
    to: WayfarePlace,
    nodes: *mut WayfareSearchNode,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let session = query.read()?;
        let mut scratch = SearchScratch::new().observed_by(SearchRecord::<PolyRef>::new());
        if let Some(request) = session.request(from, to)? {
            let mut path = PolyPath::default();
            let done: Outcome = by_filter!(&session.filter, |filter| {
                find_path_into(&session.mesh, &request, filter, &mut scratch, &mut path).map_err(Failure::stale)
            });
            done?;
        }
        let searches = scratch.observer().searches();
        let opened = searches.iter().flat_map(|search| {
            search.nodes().iter().map(|node| WayfareSearchNode {
                poly: node.of.to_bits(),
                at: node.at.into(),
                cost: node.cost,
                total: node.total,
                parent: node.parent.unwrap_or(u32::MAX),
                closed: search.is_closed(node.number).into(),
                reserved: 0,
            })
        });
        fill!(nodes, capacity, count, opened.collect::<Vec<_>>().into_iter())
    })
}
