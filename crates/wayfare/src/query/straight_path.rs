//! The shortest path through the polygons of a path: string pulling.
//!
//! The portals between the polygons are handed to the funnel of [`math`](crate::math::funnel); what comes back are the places
//! where the path bends. All of them are ends of portals, so they carry the height of the mesh there.
//!
//! Cost: linear in the polygons of the path, in practice; no allocation once the scratch is warm.
//!
//! Sources: Mikko Mononen, "Simple Stupid Funnel Algorithm", Digesting Duck, March 2010.

use super::{PolyPath, SearchScratch};
use crate::math::funnel::{self, CornerKind};
use crate::mesh::PolyRef;
use glam::Vec3;

/// A point of a pulled string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightPoint {
    /// Where.
    pub point: Vec3,
    /// Whether the path starts, bends left, bends right or ends here.
    pub kind: CornerKind,
    /// The polygon that the path enters here; at the end the last one.
    pub poly: PolyRef,
    /// That polygon's place in the path.
    pub step: u32,
}

/// A pulled string: start, bends, end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StraightPath {
    /// The points; empty for a path without polygons.
    pub points: Vec<StraightPoint>,
    /// The sum of the lengths of its segments in space, metres.
    pub length: f32,
}

/// The shortest path (on the plane) through the polygons of a path.
#[must_use]
pub fn string_pull(path: &PolyPath, scratch: &mut SearchScratch) -> StraightPath {
    let mut straight = StraightPath::default();
    string_pull_into(path, scratch, &mut straight);
    straight
}

/// [`string_pull`] into a path that keeps its memory.
pub fn string_pull_into(path: &PolyPath, scratch: &mut SearchScratch, out: &mut StraightPath) {
    out.points.clear();
    out.length = 0.0;
    let Some(last) = path.polys.len().checked_sub(1) else { return };
    let portals = &path.portals[..last.min(path.portals.len())];
    funnel::string_pull_into(path.start, path.end, portals, &mut scratch.corners);
    let mut before = path.start;
    out.points.extend(scratch.corners.iter().map(|corner| {
        out.length += before.distance(corner.point);
        before = corner.point;
        let step = match corner.kind {
            CornerKind::Start => 0,
            CornerKind::End => last,
            CornerKind::Left | CornerKind::Right => corner.portal as usize + 1,
        };
        StraightPoint { point: corner.point, kind: corner.kind, poly: path.polys[step], step: step as u32 }
    }));
}
