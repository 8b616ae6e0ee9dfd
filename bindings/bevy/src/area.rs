//! Obstacles and areas that follow their entities.

use crate::content::NavContent;
use crate::shape::NavShape;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};
use wayfare::area::AreaId;
use wayfare::input::MarkedVolume;

/// Keeps agents out of the [`NavShape`] of its entity: crates, parked cars, closed doors. Agents avoid each other
/// without it.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Default)]
#[require(Transform, NavShape)]
pub struct NavObstacle {
    /// Whether the mesh follows it, or agents alone. Default the mesh.
    pub mode: NavObstacleMode,
    /// How far the entity may move before the mesh follows, metres. Default 0.1.
    pub tolerance: f32,
    /// The regions that see it: those whose [`layers`](crate::NavRegion::layers) have a bit in common. Default 1.
    pub layers: u32,
}

impl Default for NavObstacle {
    fn default() -> Self {
        Self { mode: NavObstacleMode::default(), tolerance: 0.1, layers: 1 }
    }
}

impl NavObstacle {
    /// One that agents walk around, and that the mesh does not know.
    #[must_use]
    pub fn to_walk_around() -> Self {
        Self { mode: NavObstacleMode::WalkAround, ..Self::default() }
    }
}

/// How an obstacle keeps agents out.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Clone, Default)]
pub enum NavObstacleMode {
    /// As a wall would: the tiles under it, and no others, are rebuilt when it comes, moves and goes. For what stays
    /// for a while, and for what may close a way: paths take it into account.
    #[default]
    Carve,
    /// Agents walk around it when they come near, and nothing is rebuilt: for what moves all the time, or is gone soon.
    /// Paths lead through it; an agent that finds no way around triggers [`NavObstructed`](crate::NavObstructed).
    ///
    /// It counts for agents that stand no farther above or below its lowest point than they are high. What is neither a
    /// box nor round counts as the box around it.
    WalkAround,
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

type Part<'a> = (Option<Ref<'a, NavObstacle>>, Option<Ref<'a, NavArea>>, Ref<'a, NavShape>, &'a GlobalTransform);

type Touched = (
    Or<(With<NavObstacle>, With<NavArea>)>,
    Or<(Changed<NavObstacle>, Changed<NavArea>, Changed<NavShape>, Changed<GlobalTransform>)>,
);

/// Obstacles and areas that lose a component are looked at in the next run, however many frames later.
pub(crate) fn note_poorer(
    removed: On<Remove<(NavObstacle, NavArea, NavShape)>>,
    parts: Query<(), Or<(With<NavObstacle>, With<NavArea>, With<Disabled>)>>,
    mut content: ResMut<NavContent>,
) {
    if parts.contains(removed.entity) {
        content.note_poorer(removed.entity);
    }
}

pub(crate) fn collect_footprints(
    touched: Query<Entity, Touched>,
    parts: Query<Part<'_>>,
    mut content: ResMut<NavContent>,
) {
    let poorer = content.take_poorer().into_iter().map(|entity| (entity, true));
    for (entity, is_poorer) in poorer.chain(touched.iter().map(|entity| (entity, false))) {
        let Ok((obstacle, area, shape, at)) = parts.get(entity) else {
            content.set_volume(entity, None, u32::MAX);
            content.set_loose(entity, None);
            continue;
        };
        let is_loose = obstacle.as_ref().is_some_and(|obstacle| obstacle.mode == NavObstacleMode::WalkAround);
        let loose = obstacle.as_ref().filter(|_| is_loose);
        let loose = loose.and_then(|obstacle| Some((shape.outline(at)?, obstacle.layers)));
        content.set_loose(entity, loose);
        let Some(volume) = shape.volume(at) else {
            content.set_volume(entity, None, u32::MAX);
            continue;
        };
        // The surface under an obstacle has no type: the obstacle goes first.
        let (marked, tolerance, layers, is_changed) = match (obstacle, area) {
            (Some(obstacle), _) if !is_loose => {
                let marked = MarkedVolume::block(volume);
                (marked, obstacle.tolerance, obstacle.layers, obstacle.is_changed())
            }
            (None, Some(area)) => {
                let marked = MarkedVolume::paint(volume, AreaId::from_low_bits(area.area));
                (marked, area.tolerance, area.layers, area.is_changed())
            }
            _ => {
                content.set_volume(entity, None, u32::MAX);
                continue;
            }
        };
        if is_poorer || is_changed || shape.is_changed() || content.has_moved(entity, at, tolerance) {
            content.set_volume(entity, Some((marked, at)), layers);
        }
    }
}
