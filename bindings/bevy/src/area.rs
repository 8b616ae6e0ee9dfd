//! Obstacles and areas that follow their entities.

use crate::content::NavContent;
use crate::shape::NavShape;
use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};
use wayfare::area::AreaId;
use wayfare::input::{MarkedVolume, Volume};

/// Keeps agents out of the [`NavShape`] of its entity, as a wall would: crates, parked cars, closed doors. Only the
/// tiles under it are rebuilt when it comes, moves and goes.
///
/// It follows the entity when that has moved by [`tolerance`](Self::tolerance). Agents avoid each other without it.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Default)]
#[require(Transform, NavShape)]
pub struct NavObstacle {
    /// How far the entity may move before the mesh follows, metres. Default 0.1.
    pub tolerance: f32,
    /// The regions that see it: those whose [`layers`](crate::NavRegion::layers) have a bit in common. Default 1.
    pub layers: u32,
}

impl Default for NavObstacle {
    fn default() -> Self {
        Self { tolerance: 0.1, layers: 1 }
    }
}

/// Gives the surface inside the [`NavShape`] of its entity an area type: mud, water, a road. What a type costs is said
/// by [`NavAreaCosts`](crate::NavAreaCosts).
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Default)]
#[require(Transform, NavShape)]
pub struct NavArea {
    /// The area type: 1…63, and 0 for surfaces that cannot be walked on.
    pub area: u8,
    /// How far the entity may move before the mesh follows, metres. Default 0.1.
    pub tolerance: f32,
    /// The regions that see it: those whose [`layers`](crate::NavRegion::layers) have a bit in common. Default 1.
    pub layers: u32,
}

impl Default for NavArea {
    fn default() -> Self {
        Self { area: 1, tolerance: 0.1, layers: 1 }
    }
}

/// What obstacles and areas have in common: a shape that follows its entity and marks the level.
pub(crate) trait Footprint: Component {
    fn tolerance(&self) -> f32;
    fn layers(&self) -> u32;
    fn mark(&self, volume: Volume) -> MarkedVolume;
}

impl Footprint for NavObstacle {
    fn tolerance(&self) -> f32 {
        self.tolerance
    }

    fn layers(&self) -> u32 {
        self.layers
    }

    fn mark(&self, volume: Volume) -> MarkedVolume {
        MarkedVolume::block(volume)
    }
}

impl Footprint for NavArea {
    fn tolerance(&self) -> f32 {
        self.tolerance
    }

    fn layers(&self) -> u32 {
        self.layers
    }

    fn mark(&self, volume: Volume) -> MarkedVolume {
        MarkedVolume::paint(volume, AreaId::from_low_bits(self.area))
    }
}

type Moved<C> = Or<(Changed<C>, Changed<NavShape>, Changed<GlobalTransform>)>;

pub(crate) fn collect_footprints<C: Footprint>(
    footprints: Query<(Entity, Ref<C>, Ref<NavShape>, &GlobalTransform), Moved<C>>,
    mut removed: RemovedComponents<C>,
    mut content: ResMut<NavContent>,
) {
    for entity in removed.read() {
        content.set_volume(entity, None, u32::MAX);
    }
    for (entity, footprint, shape, transform) in &footprints {
        let is_changed = footprint.is_changed() || shape.is_changed();
        if is_changed || content.has_moved(entity, transform, footprint.tolerance()) {
            let marked = footprint.mark(shape.volume(transform));
            content.set_volume(entity, Some((marked, transform)), footprint.layers());
        }
    }
}
