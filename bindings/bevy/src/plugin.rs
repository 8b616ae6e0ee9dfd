//! The plugin: what runs when.

use crate::agent::{NavAgent, NavAgentState, NavAreaCosts, NavFacing, NavTarget, NavVelocity};
use crate::area::{NavArea, NavObstacle, collect_footprints};
use crate::asset::{NavMeshFile, WayAsset, WayAssetLoader, forget_files, show_files};
use crate::content::NavContent;
use crate::crowd::{instruct_agents, leave_crowds, place_agents, step_crowds};
use crate::geometry::{NavGeometry, NavSourceAppExt, NavTriangles, collect_meshes, collect_removed};
use crate::link::{NavLink, collect_links};
use crate::region::{NavRegion, NavStatus};
use crate::region_update::update_regions;
use crate::shape::NavShape;
use crate::stream::stream_regions;
use bevy_app::prelude::*;
use bevy_asset::{AssetApp, AssetPlugin};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_mesh::Mesh;

/// Navigation: regions, agents, and what they are made from.
pub struct WayfarePlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for WayfarePlugin {
    fn default() -> Self {
        Self { schedule: FixedUpdate.intern() }
    }
}

impl WayfarePlugin {
    /// Runs in another schedule than [`FixedUpdate`]. Agents move by the time that has passed between two runs.
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

/// What the plugin does in each run, in this order. Game logic that sets targets goes before `Agents`; that which reads
/// velocities, after `Output`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WayfareSystems {
    /// Looks what has changed in the scene.
    Collect,
    /// Lets regions follow.
    Regions,
    /// Tells agents what has changed about them.
    Agents,
    /// Moves the crowds by a tick.
    Step,
    /// Puts agents where they are, and triggers events.
    Output,
}

impl Plugin for WayfarePlugin {
    fn build(&self, app: &mut App) {
        use WayfareSystems::{Agents, Collect, Output, Regions, Step};
        let schedule = self.schedule;
        app.init_resource::<NavContent>();
        app.configure_sets(schedule, (Collect, Regions, Agents, Step, Output).chain());
        app.add_nav_source::<NavTriangles>(schedule).add_nav_source::<NavShape>(schedule);
        let collect = (collect_removed, collect_footprints, collect_links);
        app.add_systems(schedule, (collect.chain()).in_set(Collect));
        app.add_systems(schedule, (forget_files, update_regions, stream_regions).chain().in_set(Regions));
        app.add_systems(schedule, (leave_crowds, instruct_agents).chain().in_set(Agents));
        app.add_systems(schedule, step_crowds.in_set(Step));
        app.add_systems(schedule, place_agents.in_set(Output));
        app.register_type::<NavRegion>().register_type::<NavStatus>().register_type::<NavGeometry>();
        app.register_type::<NavTriangles>().register_type::<NavShape>().register_type::<NavObstacle>();
        app.register_type::<NavArea>().register_type::<NavLink>().register_type::<NavMeshFile>();
        app.register_type::<NavAgent>().register_type::<NavTarget>().register_type::<NavVelocity>();
        app.register_type::<NavAgentState>().register_type::<NavAreaCosts>().register_type::<NavFacing>();
    }

    fn finish(&self, app: &mut App) {
        // Without assets there are neither pictures nor files.
        if app.is_plugin_added::<AssetPlugin>() {
            app.init_asset::<Mesh>().init_asset::<WayAsset>().init_asset_loader::<WayAssetLoader>();
            app.add_systems(self.schedule, collect_meshes.in_set(WayfareSystems::Collect).after(collect_removed));
            app.add_systems(self.schedule, show_files.in_set(WayfareSystems::Regions).before(update_regions));
        }
    }
}
