//! Sessions of questions: a mesh, a filter, memory that is kept, and the last answer of each kind.

use crate::border::{Sized32, put, put_sized, sized};
use crate::choices::{Choice, WayfareLimitHit, WayfareNodePlacement};
use crate::filter::{AnyFilter, WayfareFilter, by_filter};
use crate::geometry::{WayfarePlace, WayfareVec3, length, query_point};
use crate::handle::{Handle, handle};
use crate::mesh::WayfareMesh;
use crate::status::{Failure, Outcome, WayfareStatus, border};
use core::mem::offset_of;
use wayfare_nav::Vec3;
use wayfare_nav::area::LimitHit;
use wayfare_nav::mesh::{NavMesh, PolyPoint, PolyRef};
use wayfare_nav::query::{
    DEFAULT_REACH, NodePlacement, OptimalPath, PathRequest, PointSampler, PolyPath, QueryPoint, Raycast, ReachedPoly,
    SearchLimits, SearchScratch, StraightPath, WallSegment, find_nearest,
};

/// Questions to a mesh with a filter. One for each thread that asks; it holds a copy of the mesh, and keeps its memory,
/// so that the second question allocates nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareQuery {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareQuery, Session, "query");

/// A mesh, a filter, and what its answers stand in.
pub(crate) struct Session {
    pub(crate) mesh: NavMesh,
    pub(crate) filter: AnyFilter,
    /// Whether nobody gave one: then it is that of whichever mesh is asked.
    is_of_mesh: bool,
    pub(crate) reach: Vec3,
    pub(crate) limits: SearchLimits,
    pub(crate) placement: NodePlacement,
    pub(crate) scratch: SearchScratch,
    pub(crate) path: PolyPath,
    pub(crate) straight: StraightPath,
    pub(crate) optimal: OptimalPath,
    pub(crate) ray: Raycast,
    pub(crate) moved: Vec<PolyRef>,
    pub(crate) reached: Vec<ReachedPoly>,
    pub(crate) polys: Vec<PolyRef>,
    pub(crate) walls: Vec<WallSegment>,
    pub(crate) sampler: Option<PointSampler>,
}

impl Session {
    /// With a filter of somebody's choice.
    pub(crate) fn new(mesh: NavMesh, filter: AnyFilter) -> Self {
        Self {
            mesh,
            filter,
            is_of_mesh: false,
            reach: DEFAULT_REACH,
            limits: SearchLimits::default(),
            placement: NodePlacement::default(),
            scratch: SearchScratch::new(),
            path: PolyPath::default(),
            straight: StraightPath::default(),
            optimal: OptimalPath::default(),
            ray: Raycast::default(),
            moved: Vec::new(),
            reached: Vec::new(),
            polys: Vec::new(),
            walls: Vec::new(),
            sampler: None,
        }
    }

    /// The place on the mesh that is meant; `None` if it is not near it.
    pub(crate) fn place(&self, given: WayfarePlace, name: &str) -> Outcome<Option<PolyPoint>> {
        match query_point(given, name)? {
            QueryPoint::On(place) => {
                self.mesh.locate(place.poly).map_err(Failure::stale)?;
                Ok(Some(place))
            }
            QueryPoint::Anywhere(at) => {
                let nearest = by_filter!(&self.filter, |filter| find_nearest(&self.mesh, at, self.reach, filter));
                Ok(nearest.map(|nearest| nearest.place()))
            }
        }
    }

    /// A request from place to place; `None` if one of them is not near the mesh.
    pub(crate) fn request(&self, from: WayfarePlace, to: WayfarePlace) -> Outcome<Option<PathRequest>> {
        let (start, goal) = (self.place(from, "from")?, self.place(to, "to")?);
        let Some((start, goal)) = start.zip(goal) else { return Ok(None) };
        Ok(Some(PathRequest { start, goal, limits: self.limits, placement: self.placement }))
    }
}

/// How a query asks.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareQuerySettings {
    /// The size of this structure: set by `wayfare_query_settings_default`.
    pub size: u32,
    /// A `WayfareNodePlacement`: where searches place nodes. Default middle.
    pub placement: u32,
    /// How far from a point the mesh may be, to each side. Default 2, 4, 2.
    pub reach: WayfareVec3,
    /// The most nodes of a search; default no limit.
    pub max_nodes: u32,
    /// The most that a path may cost; default infinite.
    pub max_cost: f32,
}

impl Sized32 for WayfareQuerySettings {
    const LEAST: usize = offset_of!(Self, max_cost) + 4;
    fn set_size(&mut self, size: u32) {
        self.size = size;
    }
    fn usual() -> Self {
        let limits = SearchLimits::default();
        Self {
            size: size_of::<Self>() as u32,
            placement: WayfareNodePlacement::Middle as u32,
            reach: DEFAULT_REACH.into(),
            max_nodes: limits.max_nodes,
            max_cost: limits.max_cost,
        }
    }
}

pub(crate) fn placement_of(number: u32) -> Outcome<NodePlacement> {
    Ok(match WayfareNodePlacement::of(number, "placement")? {
        WayfareNodePlacement::Middle => NodePlacement::Middle,
        WayfareNodePlacement::Nearest => NodePlacement::Nearest,
        WayfareNodePlacement::Visible => NodePlacement::Visible,
    })
}

/// The number of a `WayfareLimitHit`.
pub(crate) fn limit_number(limit: Option<LimitHit>) -> u32 {
    match limit {
        None => WayfareLimitHit::None as u32,
        Some(LimitHit::Nodes) => WayfareLimitHit::Nodes as u32,
        Some(_) => WayfareLimitHit::Cost as u32,
    }
}

/// Fills settings with what is usual.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_settings_default(
    settings: *mut WayfareQuerySettings,
    size: usize,
) -> WayfareStatus {
    border(|| put_sized!(settings, size, WayfareQuerySettings::usual()))
}

/// A query of a mesh as it is now. `filter` may be null (id 0) for the mesh's own costs, also those of the meshes that it
/// goes on with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_new(
    mesh: WayfareMesh,
    filter: WayfareFilter,
    query: *mut WayfareQuery,
) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?.mesh.clone();
        let used = AnyFilter::of(filter, &mesh)?;
        put!(query, WayfareQuery::keep(Session { is_of_mesh: filter.id == 0, ..Session::new(mesh, used) })?)
    })
}

/// Changes how a query asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_set(
    query: WayfareQuery,
    settings: *const WayfareQuerySettings,
) -> WayfareStatus {
    border(|| {
        let WayfareQuerySettings { placement, reach, max_nodes, max_cost, .. } = sized!(settings)?;
        if max_cost.is_nan() {
            return Err(Failure::argument("`max_cost` is NaN"));
        }
        let reach = Vec3::new(length(reach.x, "reach")?, length(reach.y, "reach")?, length(reach.z, "reach")?);
        let (placement, limits) = (placement_of(placement)?, SearchLimits { max_nodes, max_cost });
        let mut session = query.write()?;
        (session.placement, session.reach, session.limits) = (placement, reach, limits);
        Ok(())
    })
}

/// Goes on with a mesh as it is now: after it was edited, or with a newer one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_set_mesh(query: WayfareQuery, mesh: WayfareMesh) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?.mesh.clone();
        let mut session = query.write()?;
        if session.is_of_mesh {
            session.filter = AnyFilter::of(WayfareFilter { id: 0 }, &mesh)?;
        }
        session.mesh = mesh;
        session.sampler = None;
        Ok(())
    })
}

/// Goes on with another filter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_set_filter(query: WayfareQuery, filter: WayfareFilter) -> WayfareStatus {
    border(|| {
        let mut session = query.write()?;
        session.filter = AnyFilter::of(filter, &session.mesh)?;
        session.is_of_mesh = filter.id == 0;
        session.sampler = None;
        Ok(())
    })
}

/// Forgets what it knows of the mesh by its filter: where random places can be. To be called once a filter's callbacks
/// have given answers that hold no longer, or gave others since they failed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_forget(query: WayfareQuery) -> WayfareStatus {
    border(|| {
        query.write()?.sampler = None;
        Ok(())
    })
}

/// Frees a query.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_free(query: WayfareQuery) -> WayfareStatus {
    border(|| query.free())
}

/// The nearest place on the mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareNearest {
    /// 1 if one is near.
    pub found: u32,
    /// 1 if the point lies over its polygon.
    pub over: u32,
    /// The place.
    pub place: WayfarePlace,
}

/// The place on the mesh nearest to a point, within the query's reach.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_nearest(
    query: WayfareQuery,
    at: WayfareVec3,
    nearest: *mut WayfareNearest,
) -> WayfareStatus {
    border(|| {
        let session = query.read()?;
        let at = crate::geometry::point(at, "at")?;
        let found = by_filter!(&session.filter, |filter| find_nearest(&session.mesh, at, session.reach, filter));
        let answer = found.map_or(WayfareNearest::default(), |found| WayfareNearest {
            found: 1,
            over: found.over.into(),
            place: found.place().into(),
        });
        put!(nearest, answer)
    })
}
