//! Paths on their way out.
//!
//! One list of numbers a path, so that an answer is one call: status, limit, cost, length, nodes opened, then for each
//! point x, y, z, what happens there, and the place of its polygon in the path.

use crate::fault::{Answer, Fault};
use crate::record::Record;
use crate::refs::poly;
use wasm_bindgen::JsValue;
use wayfare::Vec3;
use wayfare::area::{LimitHit, PathStatus};
use wayfare::mesh::{NavMesh, StaleReason};
use wayfare::query::{Broken, BrokenBy, PathChange, PointKind, PolyPath, StraightPath};

/// Numbers before the points.
pub(crate) const HEAD: usize = 5;

pub(crate) fn status(status: PathStatus) -> u8 {
    match status {
        PathStatus::Complete => 2,
        PathStatus::Partial => 1,
        PathStatus::None => 0,
    }
}

pub(crate) fn limit(limit: Option<LimitHit>) -> u8 {
    match limit {
        None => 0,
        Some(LimitHit::Nodes) => 1,
        Some(_) => 2,
    }
}

fn kind(kind: PointKind) -> u8 {
    match kind {
        PointKind::Start => 0,
        PointKind::Left => 1,
        PointKind::Right => 2,
        PointKind::Enter => 3,
        PointKind::Leave => 4,
        PointKind::Crossing => 5,
        PointKind::End => 6,
    }
}

pub(crate) fn pack(path: &PolyPath, straight: &StraightPath) -> Vec<f32> {
    let mut numbers = Vec::with_capacity(HEAD + 5 * straight.points.len());
    numbers.extend([f32::from(status(path.status)), f32::from(limit(path.limit)), path.cost]);
    numbers.extend([straight.length, path.nodes as f32]);
    numbers.extend(straight.points.iter().flat_map(|at| at.point.to_array()));
    numbers.extend(straight.points.iter().map(|at| f32::from(kind(at.kind))));
    numbers.extend(straight.points.iter().map(|at| at.step as f32));
    numbers
}

/// A path that the page gives back: its polygons in their order, its start and its end.
pub(crate) fn unpack(mesh: &NavMesh, polys: &[u64], ends: &[f32]) -> Answer<PolyPath> {
    let &[x, y, z, to_x, to_y, to_z] = ends else {
        return Err(Fault::argument("a path has a start and an end"));
    };
    let polys = polys.iter().map(|bits| poly(*bits)).collect::<Answer<Vec<_>>>()?;
    Ok(PolyPath::along(mesh, &polys, Vec3::new(x, y, z), Vec3::new(to_x, to_y, to_z))?)
}

/// What breaks a path, or null.
pub(crate) fn broken(broken: Option<Broken>) -> JsValue {
    let Some(broken) = broken else { return JsValue::NULL };
    Record::new()
        .with("step", broken.step)
        .with("poly", broken.poly.to_bits())
        .with("by", broken_by(broken.by))
        .with("ahead", broken.ahead)
        .done()
}

pub(crate) fn broken_by(by: BrokenBy) -> &'static str {
    match by {
        BrokenBy::Gone(StaleReason::Relinked) => "relinked",
        BrokenBy::Gone(_) => "gone",
        BrokenBy::Closed => "closed",
        BrokenBy::Apart => "apart",
        BrokenBy::Soon => "soon",
        _ => "other",
    }
}

pub(crate) fn change(change: &PathChange) -> JsValue {
    Record::new()
        .with("isTouched", change.is_touched)
        .with("broken", broken(change.broken))
        .with("soon", broken(change.soon))
        .done()
}
