//! Navigation for Bevy, on [`wayfare`]: meshes baked from the scene while it runs, agents that walk on them.
//!
//! ```
//! use bevy_app::prelude::*;
//! use bevy_ecs::prelude::*;
//! use bevy_math::Vec3;
//! use bevy_transform::prelude::*;
//! use bevy_wayfare::prelude::*;
//!
//! fn setup(mut commands: Commands) {
//!     commands.spawn(NavRegion::default());
//!     // Anything with a `Mesh3d` and `NavGeometry` is part of the level; so are shapes without any picture.
//!     commands.spawn((NavGeometry::default(), NavShape::floor(20.0, 20.0)));
//!     commands.spawn((NavObstacle::default(), NavShape::cylinder(1.0, 2.0)));
//!     commands.spawn((NavAgent::default(), NavTarget::Point(Vec3::new(8.0, 0.0, 8.0)), Transform::from_xyz(-8.0, 0.0, -8.0)));
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((bevy_app::TaskPoolPlugin::default(), bevy_time::TimePlugin, TransformPlugin, WayfarePlugin::default()));
//! app.add_systems(Startup, setup).add_observer(|arrived: On<NavArrived>| println!("{} is there", arrived.entity));
//! app.update();
//! ```
//!
//! | you add | and get |
//! |---|---|
//! | [`NavRegion`] | a navigation mesh for one size of agent, baked in the background and kept up to date, with links that are found by themselves: [`NavMap`], [`NavStatus`] |
//! | [`NavGeometry`] beside a `Mesh3d`, a [`NavShape`], [`NavTriangles`], or a component of your own ([`NavSource`]), or on the root of a loaded scene | a part of the level; when it moves, only the tiles under it are baked again |
//! | [`NavObstacle`], [`NavArea`], [`NavLink`] | obstacles and areas that follow their entities; jumps, ladders and teleports |
//! | [`NavAgent`] and [`NavTarget`] | somebody who walks there and avoids others; [`NavVelocity`] and [`NavAgentState`] say how it goes |
//! | the parameter [`NavQueries`] in a system | paths, rays, nearest positions |
//! | [`NavMeshFile`] | a mesh from a `.way` file, loaded as an asset and replaced when the file changes |
//! | [`NavStream`] | a world larger than memory: the tiles of a store that lie around cameras and players |
//! | [`NavBodyAppExt::add_nav_body`] | agents moved by a physics crate |
//! | [`WayfareGizmosPlugin`] | all of it drawn |
//!
//! Positions are metres, +Y is up, as in Bevy. Everything runs in [`FixedUpdate`](bevy_app::FixedUpdate) unless
//! [`WayfarePlugin::in_schedule`] says otherwise. With [`NavUpdate::InStep`] a simulation gives the same positions on
//! every machine and for any number of threads.

#![forbid(unsafe_code)]

mod agent;
mod area;
mod asset;
mod bake_settings;
mod content;
mod convert;
mod crowd;
mod disabled;
mod events;
mod geometry;
#[cfg(feature = "gizmos")]
mod gizmos;
mod inherit;
mod level;
mod link;
mod mesh_geometry;
mod physics;
mod plugin;
mod query;
mod region;
mod region_update;
mod shape;
mod stream;

pub use agent::{
    NavAgent, NavAgentState, NavAreaCosts, NavAvoidance, NavDrive, NavFacing, NavLinkDrive, NavStyle, NavTarget,
    NavVelocity,
};
pub use area::{NavArea, NavObstacle, NavObstacleMode};
pub use asset::{NavMeshFile, WayAsset, WayAssetError, WayAssetLoader};
pub use bake_settings::{NavAutoLinks, NavBake, NavLinkRule, NavPartition};
pub use crowd::NavCrowd;
pub use events::{
    NavArrived, NavBakeFailed, NavBakeProgress, NavDisplaced, NavEditsLost, NavGaveUp, NavGeometryFailed,
    NavLinkEntered, NavLinkLeft, NavObstructed, NavPathFound, NavPathLost, NavReady, NavStuck, NavUnreachable,
};
pub use geometry::{NavGeometry, NavSource, NavSourceAppExt, NavTriangles};
#[cfg(feature = "gizmos")]
pub use gizmos::{NavGizmos, WayfareGizmosPlugin};
pub use link::NavLink;
pub use physics::NavBodyAppExt;
pub use plugin::{WayfarePlugin, WayfareSystems};
pub use query::NavQueries;
pub use region::{NavBakeStage, NavMap, NavRegion, NavStatus, NavUpdate};
pub use shape::NavShape;
pub use stream::NavStream;
pub use wayfare;

/// What most programs need.
pub mod prelude {
    #[cfg(feature = "gizmos")]
    pub use crate::WayfareGizmosPlugin;
    pub use crate::{
        NavAgent, NavAgentState, NavArea, NavAreaCosts, NavArrived, NavAutoLinks, NavAvoidance, NavBake, NavBakeFailed,
        NavBakeProgress, NavBakeStage, NavBodyAppExt, NavCrowd, NavDisplaced, NavDrive, NavEditsLost, NavFacing,
        NavGaveUp, NavGeometry, NavGeometryFailed, NavLink, NavLinkDrive, NavLinkEntered, NavLinkLeft, NavLinkRule,
        NavMap, NavMeshFile, NavObstacle, NavObstacleMode, NavObstructed, NavPartition, NavPathFound, NavPathLost,
        NavQueries, NavReady, NavRegion, NavShape, NavSource, NavSourceAppExt, NavStatus, NavStream, NavStuck,
        NavStyle, NavTarget, NavTriangles, NavUnreachable, NavUpdate, NavVelocity, WayfarePlugin, WayfareSystems,
    };
}
