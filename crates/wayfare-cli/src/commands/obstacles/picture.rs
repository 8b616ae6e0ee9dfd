//! The picture: the mesh and the obstacles as they are.

use super::play::Stage;
use crate::failure::Result;
use crate::output::{caption_of, draw_picture};
use std::path::Path;
use wayfare::debug::{DebugSink, Role, ShapeList, draw_mesh, draw_overlay};
use wayfare::input::Volume;
use wayfare::math::{convex_hull, ops};
use wayfare::{Vec2, Vec3};

pub(super) fn draw(file: &Path, stage: &Stage, size: u32, target: &Path) -> Result<()> {
    let mut shapes = ShapeList::new();
    show(stage, &mut shapes);
    draw_picture(&shapes, &caption_of(file, &stage.mesh), size, target)
}

/// The mesh and the obstacles as they are.
pub(super) fn show(stage: &Stage, sink: &mut impl DebugSink) {
    draw_mesh(&stage.mesh, sink);
    for overlay in stage.costs.overlays() {
        draw_overlay(overlay, sink);
    }
    for (_, marked) in stage.things.obstacles.iter() {
        let top = marked.volume.bounds().max.y;
        let line: Vec<Vec3> = outline(&marked.volume).iter().map(|p| Vec3::new(p.x, top, p.y)).collect();
        sink.line(&line, Role::Wall);
    }
}

/// The outline seen from above, closed.
fn outline(volume: &Volume) -> Vec<Vec2> {
    let mut corners = match volume {
        Volume::Prism { outline, .. } => outline.clone(),
        Volume::Box(bounds) => rectangle(bounds.center(), bounds.size() * 0.5, 0.0),
        Volume::TurnedBox { center, half_extents, angle } => rectangle(*center, *half_extents, *angle),
        Volume::Cylinder { base, radius, .. } | Volume::Capsule { base, radius, .. } => {
            let angle = |i: u32| i as f32 * core::f32::consts::TAU / 24.0;
            let at = |i: u32| Vec2::new(ops::cos(angle(i)), ops::sin(angle(i))) * *radius;
            (0..24).map(|i| Vec2::new(base.x, base.z) + at(i)).collect()
        }
        Volume::Hull(points) => hull(points.iter().map(|p| Vec2::new(p.x, p.z))),
        Volume::Mesh { surface, offset } => {
            hull(surface.verts().iter().map(|p| Vec2::new(p.x + offset.x, p.z + offset.z)))
        }
    };
    corners.extend(corners.first().copied());
    corners
}

fn rectangle(center: Vec3, half: Vec3, angle: f32) -> Vec<Vec2> {
    let (cos, sin) = (ops::cos(angle), ops::sin(angle));
    let corner = |[u, v]: [f32; 2]| {
        let (u, v) = (u * half.x, v * half.z);
        Vec2::new(center.x + u * cos - v * sin, center.z + u * sin + v * cos)
    };
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner).to_vec()
}

fn hull(points: impl Iterator<Item = Vec2>) -> Vec<Vec2> {
    let points: Vec<Vec2> = points.collect();
    convex_hull(&points).into_iter().map(|i| points[i as usize]).collect()
}
