//! Off-mesh connections as components.

use crate::content::NavContent;
use crate::convert::to_nav;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_reflect::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};
use wayfare::area::{AreaId, PolyFlags};
use wayfare::mesh::OffMeshConnection;

/// A jump, ladder or teleport between two positions. Agents who enter it trigger
/// [`NavLinkEntered`](crate::NavLinkEntered).
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Default)]
#[require(Transform)]
pub struct NavLink {
    /// Where it begins, around the entity's origin.
    pub start: Vec3,
    /// Where it ends, around the entity's origin.
    pub end: Vec3,
    /// Whether it leads from its end to its start as well. Default true.
    pub two_way: bool,
    /// How far from its ends the mesh may be, metres. Default 1.
    pub radius: f32,
    /// Its area type, which sets what it costs: 1…63. Default 63.
    pub area: u8,
    /// The regions that see it: those whose [`layers`](crate::NavRegion::layers) have a bit in common. Default 1.
    pub layers: u32,
}

impl Default for NavLink {
    fn default() -> Self {
        Self { start: Vec3::ZERO, end: Vec3::ZERO, two_way: true, radius: 1.0, area: AreaId::WALKABLE.get(), layers: 1 }
    }
}

impl NavLink {
    /// A link between two positions.
    #[must_use]
    pub fn between(start: Vec3, end: Vec3) -> Self {
        Self { start, end, ..Self::default() }
    }
}

pub(crate) fn collect_links(
    links: Query<(Entity, &NavLink, &GlobalTransform), Or<(Changed<NavLink>, Changed<GlobalTransform>)>>,
    mut content: ResMut<NavContent>,
) {
    for (entity, link, transform) in &links {
        let place = |p: Vec3| to_nav(transform.transform_point(p));
        let connection = OffMeshConnection {
            start: place(link.start),
            end: place(link.end),
            radius: link.radius,
            two_way: link.two_way,
            area: AreaId::from_low_bits(link.area),
            flags: PolyFlags::WALK,
            user_id: entity.index_u32(),
        };
        content.set_link(entity, Some(connection), link.layers);
    }
}

pub(crate) fn forget_link(removed: On<Remove<NavLink>>, mut content: ResMut<NavContent>) {
    content.set_link(removed.entity, None, u32::MAX);
}
