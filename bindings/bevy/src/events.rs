//! What happens to agents and regions, as events of their entities.
//!
//! Observe them with `app.add_observer(|arrived: On<NavArrived>| …)`, or of one entity with
//! `commands.entity(agent).observe(…)`.

use crate::region::NavBakeStage;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_reflect::prelude::*;

/// The mesh of a region shows the scene: after the first bake, and after each change.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
pub struct NavReady {
    /// The region.
    pub entity: Entity,
}

/// Tiles of a region are baked, or its automatic links are searched: how far that is, each time that it has got on.
/// [`NavStatus`](crate::NavStatus) says the same.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
pub struct NavBakeProgress {
    /// The region.
    pub entity: Entity,
    /// What is being done.
    pub stage: NavBakeStage,
    /// How much of that is done, 0…1.
    pub done: f32,
}

/// Nothing, or not everything, of a region could be baked, or its file could not be loaded. Written to the log as well.
#[derive(EntityEvent, Reflect, Clone, Debug, PartialEq)]
pub struct NavBakeFailed {
    /// The region.
    pub entity: Entity,
    /// Why, in a sentence.
    pub reason: String,
}

/// An entity with [`NavGeometry`](crate::NavGeometry), or below one, has triangles that cannot be used: it is no part
/// of the level. Written to the log as well. Once, until it is mended or fails in another way.
#[derive(EntityEvent, Reflect, Clone, Debug, PartialEq)]
pub struct NavGeometryFailed {
    /// The entity.
    pub entity: Entity,
    /// Why, and what to change, in a sentence.
    pub reason: String,
}

/// The mesh of a region was made anew, since its settings, its bounds or its file have changed, and the
/// [edits](crate::NavMap::edit) of the one before are gone: make them again. Only what
/// was said of area types stays, names, costs and flags, in a mesh that is baked from the scene.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
pub struct NavEditsLost {
    /// The region.
    pub entity: Entity,
}

/// An agent is at its target, or as near as others who rest there allow.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
pub struct NavArrived {
    /// The agent.
    pub entity: Entity,
}

/// A path was found.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
pub struct NavPathFound {
    /// The agent.
    pub entity: Entity,
    /// Whether it leads to the target itself; if not, as near as was found.
    pub complete: bool,
}

/// No path leads to the target.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
pub struct NavUnreachable {
    /// The agent.
    pub entity: Entity,
}

/// The mesh has changed, or is about to, under the path of an agent.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
pub struct NavPathLost {
    /// The agent.
    pub entity: Entity,
    /// How far ahead along the path, metres.
    pub distance: f32,
    /// Whether that is yet to come: the agent still walks the path. Else another is searched already.
    pub soon: bool,
}

/// An obstacle came down on an agent, or its surface is gone: it was moved to the nearest that is left.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
pub struct NavDisplaced {
    /// The agent.
    pub entity: Entity,
    /// Where it was.
    pub from: Vec3,
    /// Where it is.
    pub to: Vec3,
}

/// An agent enters a [`NavLink`](crate::NavLink).
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
pub struct NavLinkEntered {
    /// The agent.
    pub entity: Entity,
    /// The link; `None` for one that was found, or came with the mesh from a file or a store.
    pub link: Option<Entity>,
    /// Where it enters.
    pub from: Vec3,
    /// Where it will leave.
    pub to: Vec3,
}

/// An agent leaves a [`NavLink`](crate::NavLink).
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
pub struct NavLinkLeft {
    /// The agent.
    pub entity: Entity,
    /// The link; `None` for one that was found, that came with the mesh from a file or a store, or that is gone.
    pub link: Option<Entity>,
}

/// An agent gets no nearer to its target.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
pub struct NavStuck {
    /// The agent.
    pub entity: Entity,
    /// For how many spells in a row.
    pub spells: u32,
}

/// An agent has given its target up: it was stuck for too long, or whom it followed is gone.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
pub struct NavGaveUp {
    /// The agent.
    pub entity: Entity,
}

/// An agent has come to an obstacle that it should [walk around](crate::NavObstacleMode::WalkAround), and there is no
/// way around. It goes as near as it can, and on when the obstacle is gone: whoever set the obstacle knows whether to
/// wait, to push it, or to close the way.
#[derive(EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
pub struct NavObstructed {
    /// The agent.
    pub entity: Entity,
    /// The obstacle.
    pub by: Entity,
}

/// Says that something could not be baked.
pub(crate) fn tell_failure(commands: &mut Commands<'_, '_>, entity: Entity, reason: String) {
    log::warn!("region {entity}: {reason}");
    commands.trigger(NavBakeFailed { entity, reason });
}
