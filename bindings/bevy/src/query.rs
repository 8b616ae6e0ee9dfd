//! Queries on the meshes of the scene, as a system parameter.

use crate::convert::{to_bevy, to_nav};
use crate::region::{NavMap, NavRegion};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec3;
use wayfare::query::NavQuery;

/// Asks the meshes of the scene. The short questions are asked of one region: of the only one, or of that for the
/// smallest agents; [`of`](Self::of) gives all of the library's queries for any.
#[derive(SystemParam)]
pub struct NavQueries<'w, 's> {
    regions: Query<'w, 's, (Entity, &'static NavRegion, &'static NavMap)>,
}

impl NavQueries<'_, '_> {
    /// The region that short questions are asked of.
    #[must_use]
    pub fn region(&self) -> Option<Entity> {
        let sizes = self.regions.iter().map(|(entity, region, _)| (entity, region.agent_radius));
        sizes.min_by(NavRegion::by_size).map(|found| found.0)
    }

    /// All queries of the library on the mesh of a region.
    #[must_use]
    pub fn of(&self, region: Entity) -> Option<NavQuery<wayfare::mesh::NavMesh>> {
        self.regions.get(region).ok().map(|(_, _, map)| NavQuery::of(map.mesh().clone()))
    }

    /// The shortest path between two positions, as points to walk over; `None` if there is none to the goal itself.
    #[must_use]
    pub fn path(&self, from: Vec3, to: Vec3) -> Option<Vec<Vec3>> {
        let route = self.map()?.mesh().find_path(to_nav(from), to_nav(to));
        route.is_complete().then(|| route.points.into_iter().map(to_bevy).collect())
    }

    /// The position on the mesh nearest to a position, within two metres sideways and four up and down.
    #[must_use]
    pub fn nearest(&self, to: Vec3) -> Option<Vec3> {
        NavQuery::of(self.map()?.mesh()).nearest(to_nav(to)).map(|found| to_bevy(found.point))
    }

    /// Where a straight walk from one position to another ends: at the other, or at the first wall.
    #[must_use]
    pub fn ray(&self, from: Vec3, to: Vec3) -> Option<Vec3> {
        let mut query = NavQuery::of(self.map()?.mesh());
        query.ray(to_nav(from), to_nav(to)).ok().map(|ray| to_bevy(ray.point))
    }

    /// Moves a position along the mesh towards another: it slides along walls.
    #[must_use]
    pub fn move_along(&self, from: Vec3, to: Vec3) -> Option<Vec3> {
        let mut query = NavQuery::of(self.map()?.mesh());
        query.move_along(to_nav(from), to_nav(to)).ok().flatten().map(|moved| to_bevy(moved.point))
    }

    fn map(&self) -> Option<&NavMap> {
        self.regions.get(self.region()?).ok().map(|(_, _, map)| map)
    }
}
