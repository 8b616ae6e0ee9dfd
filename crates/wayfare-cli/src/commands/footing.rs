//! The position on the mesh that is used for a requested point. It may be a storey below, or behind a wall, so that the
//! answer is about another position than intended: its distance is reported.

use wayfare::Vec3;
use wayfare::mesh::NavMesh;
use wayfare::query::PolyPoint;

/// Nearer than this counts as at the point itself, metres: meshes made from polygons have agents of size zero.
const AT_POINT: f32 = 0.01;

/// The position on the mesh found for a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footing {
    pub(super) place: PolyPoint,
    /// Its distance from the point, metres, if it is farther away horizontally than the agent's radius, or vertically
    /// than its climb: no agent that stands at the point stands there.
    pub(super) gap: Option<f32>,
}

impl Footing {
    /// The result for a point, for an agent of `radius` metres, or for that of the mesh if it is wider.
    pub(super) fn new(mesh: &NavMesh, asked: Vec3, place: PolyPoint, radius: f32) -> Self {
        let agent = mesh.locate(place.poly).ok().map(|(tile, _)| tile.data().baked_for());
        let (radius, climb) = agent.map_or((radius, 0.0), |a| (radius.max(a.radius), a.climb));
        let by = place.point - asked;
        let is_near = by.with_y(0.0).length() <= radius.max(AT_POINT) && by.y.abs() <= climb.max(AT_POINT);
        Self { place, gap: (!is_near).then(|| by.length()) }
    }

    /// The remark about a position away from its point, the path's `start` or `goal`.
    pub(super) fn told(&self, end: &str) -> Option<String> {
        let Vec3 { x, y, z } = self.place.point;
        let told = |gap| {
            format!("the nearest point of the mesh to the {end} lies {gap:.2} m from it, at {x:.2},{y:.2},{z:.2}")
        };
        self.gap.map(told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::area::{AreaId, PolyFlags};
    use wayfare::query::{DefaultFilter, find_nearest};
    use wayfare::tile::{SourcePoly, TileSource, build_tile};

    #[test]
    fn ground_within_the_agents_reach_is_not_told() {
        let verts: Vec<Vec3> = (0..4).map(|i| Vec3::new((i / 2 * 8) as f32, 0.0, (i % 2 * 8) as f32)).collect();
        let poly = SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE };
        let source = TileSource { verts: &verts, corners: &[0, 2, 3, 1], polys: &[poly], ..TileSource::default() };
        let tile = build_tile(&TileSource { agent_radius: 0.5, agent_climb: 0.9, ..source }).unwrap();
        let mesh = NavMesh::from_tile(tile).unwrap();
        let gap = |x: f32, y: f32, radius: f32| {
            let asked = Vec3::new(x, y, 4.0);
            let found = find_nearest(&mesh, asked, Vec3::splat(9.0), &DefaultFilter::default()).unwrap();
            Footing::new(&mesh, asked, found.place(), radius).gap
        };
        assert_eq!((gap(4.0, 0.9, 0.0), gap(-0.5, -0.9, 0.0), gap(9.0, 0.0, 1.0)), (None, None, None));
        assert_eq!((gap(4.0, 3.0, 0.0), gap(-0.75, 0.0, 0.0), gap(11.0, 4.0, 1.0)), (Some(3.0), Some(0.75), Some(5.0)));
    }
}
