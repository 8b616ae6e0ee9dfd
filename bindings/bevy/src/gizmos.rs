//! Draws meshes, paths, avoidance and problems with Bevy's gizmos.

use crate::agent::{NavAgent, NavAgentState};
use crate::convert::to_bevy;
use crate::crowd::NavCrowd;
use crate::region::{NavMap, NavStatus};
use bevy_app::prelude::*;
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::prelude::*;
use bevy_math::{Isometry3d, Quat, Vec3};
use bevy_reflect::prelude::*;
use bevy_transform::components::GlobalTransform;
use core::f32::consts::FRAC_PI_2;
use std::collections::BTreeMap;
use wayfare::debug::{DebugSink, Role, draw_corridor, draw_mesh, draw_sight};

/// What is drawn, and in which colours.
#[derive(GizmoConfigGroup, Reflect, Clone, Debug)]
pub struct NavGizmos {
    /// Whether meshes are drawn. Default true.
    pub mesh: bool,
    /// Whether the corners that agents walk to are drawn. Default true.
    pub paths: bool,
    /// Whether agents and their velocities are drawn. Default true.
    pub agents: bool,
    /// Whether the polygons are drawn over which agents walk. Default false.
    pub corridors: bool,
    /// Whether the walls and neighbours are drawn that agents avoid, with velocities. Default false.
    pub avoidance: bool,
    /// Whether agents that are off the mesh, cannot reach their target or are obstructed are marked, and meshes that
    /// could not be baked. Default true.
    pub warnings: bool,
    /// Edges between polygons.
    pub edge: Color,
    /// Walls.
    pub wall: Color,
    /// Off-mesh connections.
    pub link: Color,
    /// Paths.
    pub path: Color,
    /// Agents and their velocities.
    pub agent: Color,
    /// What is wrong.
    pub warning: Color,
    /// How far above the surface lines are drawn, metres. Default 0.05.
    pub lift: f32,
}

impl Default for NavGizmos {
    fn default() -> Self {
        Self {
            mesh: true,
            paths: true,
            agents: true,
            corridors: false,
            avoidance: false,
            warnings: true,
            edge: Color::srgba(0.35, 0.75, 0.9, 0.5),
            wall: Color::srgb(0.1, 0.45, 0.7),
            link: Color::srgb(0.8, 0.5, 0.9),
            path: Color::srgb(0.95, 0.55, 0.1),
            agent: Color::srgb(0.95, 0.85, 0.2),
            warning: Color::srgb(0.95, 0.2, 0.15),
            lift: 0.05,
        }
    }
}

/// Draws the navigation of the scene. Needs Bevy's gizmos.
#[derive(Default)]
pub struct WayfareGizmosPlugin;

impl Plugin for WayfareGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<NavGizmos>().add_systems(Update, (draw_meshes, draw_agents, draw_warnings));
    }
}

/// What the library draws, as lines.
#[derive(Default)]
struct Lines(Vec<(Vec<Vec3>, Role)>);

impl DebugSink for Lines {
    fn polygon(&mut self, corners: &[wayfare::Vec3], role: Role) {
        let closed = corners.iter().chain(corners.first()).copied().map(to_bevy).collect();
        self.0.push((closed, role));
    }

    fn line(&mut self, points: &[wayfare::Vec3], role: Role) {
        self.0.push((points.iter().copied().map(to_bevy).collect(), role));
    }

    fn point(&mut self, _: wayfare::Vec3, _: Role) {}
}

impl Lines {
    fn draw(&self, look: &NavGizmos, gizmos: &mut Gizmos<'_, '_, NavGizmos>) {
        for (points, role) in &self.0 {
            let color = match role {
                Role::Wall => look.wall,
                Role::Connection => look.link,
                Role::Path(_) => look.path,
                Role::OneWayConnection => look.agent,
                _ => look.edge,
            };
            gizmos.linestrip(points.iter().map(|&p| p + Vec3::Y * look.lift), color);
        }
    }
}

/// The lines of a mesh, kept until it changes.
#[derive(Default)]
struct MeshLines {
    revision: u64,
    lines: Lines,
}

fn draw_meshes(
    maps: Query<(Entity, &NavMap)>,
    mut kept: Local<BTreeMap<Entity, MeshLines>>,
    mut gizmos: Gizmos<NavGizmos>,
) {
    let look = gizmos.config_ext.clone();
    kept.retain(|&entity, _| maps.contains(entity));
    if !look.mesh {
        return;
    }
    for (entity, map) in &maps {
        let MeshLines { revision, lines } = kept.entry(entity).or_default();
        if *revision != map.revision() {
            *revision = map.revision();
            lines.0.clear();
            draw_mesh(map.mesh(), lines);
        }
        lines.draw(&look, &mut gizmos);
    }
}

fn draw_agents(agents: Query<(Entity, &NavAgent)>, crowds: Query<(&NavMap, &NavCrowd)>, mut gizmos: Gizmos<NavGizmos>) {
    let look = gizmos.config_ext.clone();
    let lift = Vec3::Y * look.lift;
    for (entity, agent) in &agents {
        let home = crowds.iter().find_map(|(map, crowd)| Some((map.mesh(), crowd.crowd(), crowd.agent(entity)?)));
        let Some((mesh, crowd, id)) = home else { continue };
        let at = to_bevy(crowd.positions()[id.index()]) + lift;
        if look.agents {
            let flat = Isometry3d::new(at, Quat::from_rotation_x(FRAC_PI_2));
            gizmos.circle(flat, agent.radius, look.agent);
            gizmos.line(at, at + to_bevy(crowd.velocities()[id.index()]) * 0.5, look.agent);
        }
        if look.paths {
            let bend = crowd.local_bend_of(id).ok().flatten();
            let corners = crowd.corners_of(id).unwrap_or_default().iter().map(|corner| corner.point);
            let ahead = bend.into_iter().chain(corners).map(|corner| to_bevy(corner) + lift);
            gizmos.linestrip(core::iter::once(at).chain(ahead), look.path);
        }
        let mut lines = Lines::default();
        if look.corridors
            && let Ok(corridor) = crowd.corridor(id)
        {
            draw_corridor(mesh, corridor, 0, &mut lines);
        }
        if look.avoidance
            && let Ok(sight) = crowd.sight_of(id)
        {
            draw_sight(&sight, at.y, &mut lines);
        }
        lines.draw(&look, &mut gizmos);
    }
}

fn draw_warnings(
    agents: Query<(Entity, &NavAgent, &NavAgentState, &GlobalTransform)>,
    regions: Query<(&NavMap, &NavStatus, &NavCrowd)>,
    mut gizmos: Gizmos<NavGizmos>,
) {
    let look = gizmos.config_ext.clone();
    if !look.warnings {
        return;
    }
    for (entity, agent, state, place) in &agents {
        let is_obstructed = || regions.iter().any(|(_, _, crowd)| crowd.obstructed_by(entity).next().is_some());
        if matches!(state, NavAgentState::OffMesh | NavAgentState::Unreachable) || is_obstructed() {
            let foot = place.translation() - Vec3::Y * agent.origin_height;
            let head = foot + Vec3::Y * agent.height;
            gizmos.line(foot, head, look.warning);
            gizmos.circle(Isometry3d::new(head, Quat::from_rotation_x(FRAC_PI_2)), agent.radius, look.warning);
        }
    }
    for (map, status, _) in &regions {
        let bounds = map.mesh().bounds();
        if matches!(status, NavStatus::Failed(_)) && bounds.min.cmple(bounds.max).all() {
            let corner = |x: f32, z: f32| Vec3::new(x, bounds.max.y + look.lift, z);
            let ([x, _, z], [u, _, w]) = (bounds.min.to_array(), bounds.max.to_array());
            let outline = [corner(x, z), corner(u, z), corner(u, w), corner(x, w), corner(x, z)];
            gizmos.linestrip(outline, look.warning);
        }
    }
}
