//! Surfaces inside hollow bodies: finds those of a mesh, and whether a position lies on one.

use wayfare::Vec3;
use wayfare::bake::{Explanation, inside_bodies};
use wayfare::input::{BakeSettings, Level};
use wayfare::mesh::NavMesh;
use wayfare::query::{DEFAULT_REACH, DefaultFilter, find_nearest};

/// A point on each surface of a mesh that lies inside a hollow body of its level.
pub(super) fn surfaces(mesh: &NavMesh, level: Level<'_>, settings: &BakeSettings) -> Vec<Vec3> {
    mesh.hollow_surfaces(level, settings.agent.height).into_iter().map(|surface| surface.at).collect()
}

/// Whether the surface of an explanation is connected with one of these points on the mesh.
pub(super) fn lies_on(mesh: &NavMesh, points: &[Vec3], told: &Explanation) -> bool {
    let component = |point: Vec3| {
        let found = find_nearest(mesh, point, DEFAULT_REACH, &DefaultFilter::of(mesh))?;
        mesh.components().component(found.poly)
    };
    let own = told.ground.filter(|_| told.is_walkable() && !points.is_empty()).and_then(component);
    own.is_some() && points.iter().any(|point| component(*point) == own)
}

/// Whether the surface of an explanation may lie inside a hollow body, as far as the triangles around it show.
pub(super) fn may_enclose(level: Level<'_>, told: &Explanation, settings: &BakeSettings) -> bool {
    let above = told.ground.filter(|_| told.is_walkable()).map(|at| at + Vec3::Y * (settings.agent.height * 0.5));
    above.is_some_and(|point| inside_bodies(level.mesh, &[point]).contains(&true))
}
