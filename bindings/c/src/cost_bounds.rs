//! Lower bounds of costs, computed in advance, that guide searches.

use crate::border::{fill, put};
use crate::filter::{AnyFilter, WayfareFilter, by_filter};
use crate::geometry::WayfareVec3;
use crate::handle::{Handle, handle};
use crate::mesh::WayfareMesh;
use crate::status::{WayfareStatus, border};
use std::sync::Arc;
use wayfare_nav::query::CostBounds;

/// Lower bounds of costs from anywhere to anywhere on a mesh. Searches that they guide find the cheapest path, usually
/// several times faster than those without on meshes of thousands of polygons.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareCostBounds {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareCostBounds, Arc<CostBounds>, "cost bounds");

/// Computes bounds for a mesh as it is now, and a filter: the most common one, since bounds also serve others, but less the
/// more their costs differ. Filter id 0: the mesh's own. It takes some hundred milliseconds for 30,000 polygons, and some
/// 200 bytes a polygon.
///
/// After any change of the mesh searches go on without them until new ones are made; that can be done on another thread, of
/// a copy of the mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_cost_bounds_new(
    mesh: WayfareMesh,
    filter: WayfareFilter,
    bounds: *mut WayfareCostBounds,
) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?.mesh.clone();
        let made = by_filter!(&AnyFilter::of(filter, &mesh)?, |filter| CostBounds::new(&mesh, filter));
        put!(bounds, WayfareCostBounds::keep(Arc::new(made))?)
    })
}

/// Whether bounds hold for a mesh as it is now: `answer` is 1, or 0 if it has changed since.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_cost_bounds_hold(
    bounds: WayfareCostBounds,
    mesh: WayfareMesh,
    answer: *mut u32,
) -> WayfareStatus {
    border(|| put!(answer, bounds.read()?.is_for(&mesh.read()?.mesh).into()))
}

/// The reference points that bounds were computed from, for drawings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_cost_bounds_points(
    bounds: WayfareCostBounds,
    points: *mut WayfareVec3,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(points, capacity, count, bounds.read()?.points().iter().map(|at| (*at).into())))
}

/// Bytes that bounds take in memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_cost_bounds_size(bounds: WayfareCostBounds, bytes: *mut u64) -> WayfareStatus {
    border(|| put!(bytes, bounds.read()?.bytes() as u64))
}

/// Frees bounds; planners and searches keep theirs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_cost_bounds_free(bounds: WayfareCostBounds) -> WayfareStatus {
    border(|| bounds.free())
}
