//! Navigation for Godot 4, on [`wayfare`]: meshes that are baked in the editor and at run time, obstacles, areas and
//! links that they follow, agents that walk and avoid each other.
//!
//! Whoever knows Godot's own navigation finds each node, property, signal and call under a name that they know:
//!
//! | Godot | here |
//! |---|---|
//! | `NavigationRegion3D`, `NavigationMesh` | [`WayfareRegion`], [`WayfareMesh`] |
//! | `NavigationAgent3D` | [`WayfareAgent`] |
//! | `NavigationObstacle3D` | [`WayfareObstacle`] |
//! | `NavigationLink3D` | [`WayfareLink`] |
//! | costs of regions | [`WayfareArea`] |
//! | `NavigationServer3D` | [`WayfareServer`] |
//!
//! `core` holds maps, their parts and agents, and knows nothing of the engine; nodes describe themselves to it before
//! each physics tick, and are told after it what has happened. Nothing calls the engine while that state is borrowed,
//! so scripts may call anything from any signal.

#![deny(unsafe_code)]

mod agent;
mod agent_news;
mod area;
mod ask;
mod convert;
mod core;
mod debug_draw;
mod layers;
mod link;
mod mesh;
mod mesh_convert;
mod nodes;
mod obstacle;
mod region;
mod same;
mod segment;
mod server;
mod shape;
mod source;

pub use agent::{AgentMovement, AgentStatus, AvoidanceMethod, WayfareAgent};
pub use area::WayfareArea;
pub use link::WayfareLink;
pub use mesh::{ParsedGeometry, SamplePartition, SourceMode, WayfareMesh};
pub use obstacle::WayfareObstacle;
pub use region::WayfareRegion;
pub use server::WayfareServer;
pub use shape::Shape;

/// The promise to Godot that this is an extension.
#[allow(unsafe_code)]
mod entry {
    use godot::init::InitStage;
    use godot::prelude::*;

    struct WayfareExtension;

    #[gdextension]
    unsafe impl ExtensionLibrary for WayfareExtension {
        fn on_stage_deinit(stage: InitStage) {
            if stage == InitStage::Scene {
                crate::core::end();
            }
        }
    }
}
