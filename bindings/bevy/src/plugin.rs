//! The plugin: which systems run, and when.

use crate::agent::{NavAgent, NavAgentState, NavAreaCosts, NavFacing, NavTarget, NavVelocity};
use crate::area::{NavArea, NavObstacle, collect_footprints, note_poorer};
use crate::asset::{NavMeshFile, WayAsset, WayAssetLoader, forget_file, show_files};
use crate::content::{NavContent, SourceKind};
use crate::crowd::{NavCrowd, instruct_agents, place_agents, step_crowds};
use crate::disabled::{put_to_sleep, wake};
use crate::events::{
    NavArrived, NavBakeFailed, NavBakeProgress, NavDisplaced, NavEditsLost, NavGaveUp, NavGeometryFailed,
    NavLinkEntered, NavLinkLeft, NavObstructed, NavPathFound, NavPathLost, NavReady, NavStuck, NavUnreachable,
};
use crate::geometry::{CollectParts, NavGeometry, NavSource, NavTriangles, add_source};
use crate::inherit::{forget_part, inherit_geometry, note_undecided};
use crate::link::{NavLink, collect_links, forget_link};
use crate::mesh_geometry::{collect_meshes, forget_mesh};
use crate::region::{NavMap, NavRegion, NavStatus};
use crate::region_update::update_regions;
use crate::shape::NavShape;
use crate::stream::{NavStream, stream_regions};
use bevy_app::prelude::*;
use bevy_asset::{AssetApp, AssetPlugin};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_mesh::Mesh;
use bevy_transform::systems::{
    StaticTransformOptimizations, mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms,
};

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

/// Brings `GlobalTransform` up to date, before all else.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Propagate;

impl Plugin for WayfarePlugin {
    fn build(&self, app: &mut App) {
        use WayfareSystems::{Agents, Collect, Output, Regions, Step};
        let schedule = self.schedule;
        app.init_resource::<NavContent>();
        app.configure_sets(schedule, (Collect, Regions, Agents, Step, Output).chain());
        // Entities are where this run finds them, not where the last frame has drawn them.
        app.init_resource::<StaticTransformOptimizations>();
        let propagate = (mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms).chain();
        app.add_systems(schedule, propagate.in_set(Propagate).before(Collect));
        app.configure_sets(schedule, CollectParts.in_set(Collect));
        app.add_systems(schedule, inherit_geometry.in_set(CollectParts));
        add_source(app, schedule, SourceKind::Triangles, NavTriangles::nav_triangles);
        add_source(app, schedule, SourceKind::Shape, NavShape::nav_triangles);
        app.add_systems(schedule, (collect_footprints, collect_links).chain().in_set(Collect));
        app.add_systems(schedule, (update_regions, stream_regions).chain().in_set(Regions));
        app.add_systems(schedule, instruct_agents.in_set(Agents));
        // What goes is noted at once: messages of removals are lost in frames without a run.
        app.add_observer(note_undecided).add_observer(forget_part);
        app.add_observer(note_poorer).add_observer(forget_link);
        app.add_observer(put_to_sleep).add_observer(wake);
        app.add_systems(schedule, step_crowds.in_set(Step));
        app.add_systems(schedule, place_agents.in_set(Output));
        app.register_type::<NavRegion>().register_type::<NavStatus>().register_type::<NavGeometry>();
        app.register_type::<NavMap>().register_type::<NavCrowd>().register_type::<NavStream>();
        app.register_type::<NavTriangles>().register_type::<NavShape>().register_type::<NavObstacle>();
        app.register_type::<NavArea>().register_type::<NavLink>().register_type::<NavMeshFile>();
        app.register_type::<NavAgent>().register_type::<NavTarget>().register_type::<NavVelocity>();
        app.register_type::<NavAgentState>().register_type::<NavAreaCosts>().register_type::<NavFacing>();
        app.register_type::<NavReady>().register_type::<NavBakeFailed>().register_type::<NavArrived>();
        app.register_type::<NavPathFound>().register_type::<NavPathLost>().register_type::<NavUnreachable>();
        app.register_type::<NavDisplaced>().register_type::<NavLinkEntered>().register_type::<NavLinkLeft>();
        app.register_type::<NavBakeProgress>().register_type::<NavGeometryFailed>().register_type::<NavEditsLost>();
        app.register_type::<NavStuck>().register_type::<NavGaveUp>().register_type::<NavObstructed>();
    }

    fn finish(&self, app: &mut App) {
        // Without assets there are neither pictures nor files.
        if app.is_plugin_added::<AssetPlugin>() {
            app.init_asset::<Mesh>().init_asset::<WayAsset>().init_asset_loader::<WayAssetLoader>();
            app.add_systems(self.schedule, collect_meshes.in_set(WayfareSystems::Collect).after(CollectParts));
            app.add_observer(forget_mesh).add_observer(forget_file);
            app.add_systems(self.schedule, show_files.in_set(WayfareSystems::Regions).before(update_regions));
        }
    }
}
