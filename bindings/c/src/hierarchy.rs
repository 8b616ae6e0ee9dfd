//! Paths over tiles first, and meshes cut for wider agents.

use crate::border::{fill, put};
use crate::filter::{AnyFilter, WayfareFilter, by_filter};
use crate::geometry::{WayfarePlace, length, poly_ref};
use crate::handle::{Handle, handle};
use crate::mesh::{WayfareMesh, put_mesh};
use crate::paths::{WayfarePath, WayfarePathPoint};
use crate::query::WayfareQuery;
use crate::status::{Failure, WayfareStatus, border};
use wayfare_nav::area::PathStatus;
use wayfare_nav::hierarchy::{
    AbstractGraph, GraphSize, HierarchyScratch, InMemory, Refinement, find_hierarchical_path,
};
use wayfare_nav::mesh::NavMesh;
use wayfare_nav::query::{ClearanceMesh, StraightPath, string_pull};

/// The abstract graph of a mesh: paths over tiles first, then over polygons.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareHierarchy {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareHierarchy, Hierarchy, "hierarchy");

/// A graph, the mesh it is of, and memory.
pub(crate) struct Hierarchy {
    graph: AbstractGraph,
    mesh: NavMesh,
    scratch: HierarchyScratch,
    straight: StraightPath,
}

/// The abstract graph of a mesh as it is now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_hierarchy_new(mesh: WayfareMesh, hierarchy: *mut WayfareHierarchy) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?.mesh.clone();
        let (graph, scratch) = (AbstractGraph::new(&mesh), HierarchyScratch::new());
        put!(hierarchy, WayfareHierarchy::keep(Hierarchy { graph, mesh, scratch, straight: StraightPath::default() })?)
    })
}

/// Follows a mesh that has changed: only the tiles that did are looked at, of which `changed` is the number; may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_hierarchy_update(
    hierarchy: WayfareHierarchy,
    mesh: WayfareMesh,
    changed: *mut u32,
) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?.mesh.clone();
        let mut held = hierarchy.write()?;
        let count = held.graph.update(&mesh);
        held.mesh = mesh;
        if changed.is_null() { Ok(()) } else { put!(changed, count) }
    })
}

/// How large an abstract graph is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareGraphSize {
    /// Tiles.
    pub tiles: u64,
    /// Areas: connected parts of tiles.
    pub areas: u64,
    /// Nodes: portals between tiles.
    pub nodes: u64,
    /// Edges.
    pub edges: u64,
    /// Bytes.
    pub bytes: u64,
}

/// How large it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_hierarchy_size(
    hierarchy: WayfareHierarchy,
    size: *mut WayfareGraphSize,
) -> WayfareStatus {
    border(|| {
        let GraphSize { tiles, areas, nodes, edges, bytes } = hierarchy.read()?.graph.size();
        put!(size, WayfareGraphSize { tiles, areas, nodes, edges, bytes })
    })
}

/// Finds a path by the hierarchy, with the filter, reach and limits of a query of the same mesh. Its points:
/// `wayfare_hierarchy_points`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_hierarchy_path(
    hierarchy: WayfareHierarchy,
    query: WayfareQuery,
    from: WayfarePlace,
    to: WayfarePlace,
    path: *mut WayfarePath,
) -> WayfareStatus {
    border(|| {
        let (session, mut held) = (query.read()?, hierarchy.write()?);
        let Hierarchy { graph, mesh, scratch, straight } = &mut *held;
        let Some(request) = session.request(from, to)? else {
            straight.points.clear();
            return put!(path, WayfarePath { status: PathStatus::None as u32, ..WayfarePath::default() });
        };
        let world = &mut InMemory::new(mesh, graph);
        let answer = by_filter!(&session.filter, |filter| {
            find_hierarchical_path(world, &request, Refinement::default(), filter, scratch)
        });
        let found = answer.map_err(Failure::stale)?.path;
        *straight = if found.status == PathStatus::None {
            StraightPath::default()
        } else {
            string_pull(&found, &mut scratch.query)
        };
        put!(path, WayfarePath::of(&found, Some(straight)))
    })
}

/// The points of its last path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_hierarchy_points(
    hierarchy: WayfareHierarchy,
    points: *mut WayfarePathPoint,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(points, capacity, count, hierarchy.read()?.straight.points.iter().map(WayfarePathPoint::of)))
}

/// Frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_hierarchy_free(hierarchy: WayfareHierarchy) -> WayfareStatus {
    border(|| hierarchy.free())
}

/// A mesh cut for wider agents.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareClearance {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareClearance, ClearanceMesh, "clearance mesh");

/// Cuts a mesh for agents that are wider by `radius` than those it was baked for. Filter id 0: the mesh's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_clearance_new(
    mesh: WayfareMesh,
    radius: f32,
    filter: WayfareFilter,
    clearance: *mut WayfareClearance,
) -> WayfareStatus {
    border(|| {
        let base = mesh.read()?;
        let filter = AnyFilter::of(filter, &base)?;
        let cut = by_filter!(&filter, |filter| ClearanceMesh::new(&base, length(radius, "radius")?, filter));
        put!(clearance, WayfareClearance::keep(cut.map_err(Failure::argument)?)?)
    })
}

/// Follows the mesh after it has changed; `changed` is how many tiles were cut anew, and may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_clearance_follow(
    clearance: WayfareClearance,
    mesh: WayfareMesh,
    filter: WayfareFilter,
    changed: *mut u32,
) -> WayfareStatus {
    border(|| {
        let base = mesh.read()?;
        let filter = AnyFilter::of(filter, &base)?;
        let mut cut = clearance.write()?;
        let count = by_filter!(&filter, |filter| cut.follow(&base, filter)).map_err(Failure::argument)?;
        if changed.is_null() { Ok(()) } else { put!(changed, count) }
    })
}

/// The mesh that was cut, as it is now: a copy, for queries and crowds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_clearance_mesh(clearance: WayfareClearance, mesh: *mut WayfareMesh) -> WayfareStatus {
    border(|| {
        let cut = clearance.read()?.mesh().clone();
        put_mesh(mesh, cut)
    })
}

/// The polygon of the first mesh of which a polygon is a piece; 0 if it is gone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_clearance_base_poly(
    clearance: WayfareClearance,
    poly: u64,
    base: *mut u64,
) -> WayfareStatus {
    border(|| put!(base, clearance.read()?.base_poly(poly_ref(poly, "poly")?).map_or(0, |base| base.to_bits())))
}

/// Frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_clearance_free(clearance: WayfareClearance) -> WayfareStatus {
    border(|| clearance.free())
}
