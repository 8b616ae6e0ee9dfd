//! Meshes, paths and avoidance, drawn with Bevy's gizmos.

use crate::agent::NavAgent;
use crate::convert::to_bevy;
use crate::crowd::NavCrowd;
use crate::region::NavMap;
use bevy_app::prelude::*;
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::prelude::*;
use bevy_math::{Isometry3d, Quat, Vec3};
use bevy_reflect::prelude::*;
use core::f32::consts::FRAC_PI_2;
use std::collections::BTreeMap;
use wayfare::debug::{DebugSink, Role, draw_mesh};

/// What is drawn, and in which colours.
#[derive(GizmoConfigGroup, Reflect, Clone, Debug)]
pub struct NavGizmos {
    /// Whether meshes are drawn. Default true.
    pub mesh: bool,
    /// Whether the corners that agents walk to are drawn. Default true.
    pub paths: bool,
    /// Whether agents and their velocities are drawn. Default true.
    pub agents: bool,
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
    /// How far above the surface lines are drawn, metres. Default 0.05.
    pub lift: f32,
}

impl Default for NavGizmos {
    fn default() -> Self {
        Self {
            mesh: true,
            paths: true,
            agents: true,
            edge: Color::srgba(0.35, 0.75, 0.9, 0.5),
            wall: Color::srgb(0.1, 0.45, 0.7),
            link: Color::srgb(0.8, 0.5, 0.9),
            path: Color::srgb(0.95, 0.55, 0.1),
            agent: Color::srgb(0.95, 0.85, 0.2),
            lift: 0.05,
        }
    }
}

/// Draws the navigation of the scene. Needs Bevy's gizmos.
#[derive(Default)]
pub struct WayfareGizmosPlugin;

impl Plugin for WayfareGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<NavGizmos>().add_systems(Update, (draw_meshes, draw_agents));
    }
}

/// Lines of a mesh, kept until it changes.
#[derive(Default)]
struct MeshLines {
    revision: u64,
    lines: Vec<(Vec<Vec3>, Role)>,
}

impl DebugSink for MeshLines {
    fn polygon(&mut self, corners: &[wayfare::Vec3], role: Role) {
        let closed = corners.iter().chain(corners.first()).copied().map(to_bevy).collect();
        self.lines.push((closed, role));
    }

    fn line(&mut self, points: &[wayfare::Vec3], role: Role) {
        self.lines.push((points.iter().copied().map(to_bevy).collect(), role));
    }

    fn point(&mut self, _: wayfare::Vec3, _: Role) {}
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
        let lines = kept.entry(entity).or_default();
        if lines.revision != map.revision() {
            lines.revision = map.revision();
            lines.lines.clear();
            draw_mesh(map.mesh(), lines);
        }
        for (points, role) in &lines.lines {
            let color = match role {
                Role::Wall => look.wall,
                Role::Connection => look.link,
                _ => look.edge,
            };
            gizmos.linestrip(points.iter().map(|&p| p + Vec3::Y * look.lift), color);
        }
    }
}

fn draw_agents(agents: Query<(Entity, &NavAgent)>, crowds: Query<&NavCrowd>, mut gizmos: Gizmos<NavGizmos>) {
    let look = gizmos.config_ext.clone();
    let lift = Vec3::Y * look.lift;
    for (entity, agent) in &agents {
        let Some((crowd, id)) = crowds.iter().find_map(|crowd| Some((crowd.crowd(), crowd.agent(entity)?))) else {
            continue;
        };
        let at = to_bevy(crowd.positions()[id.index()]) + lift;
        if look.agents {
            let flat = Isometry3d::new(at, Quat::from_rotation_x(FRAC_PI_2));
            gizmos.circle(flat, agent.radius, look.agent);
            gizmos.line(at, at + to_bevy(crowd.velocities()[id.index()]) * 0.5, look.agent);
        }
        if look.paths {
            let corners = crowd.corners_of(id).unwrap_or_default().iter().map(|corner| to_bevy(corner.point) + lift);
            gizmos.linestrip(core::iter::once(at).chain(corners), look.path);
        }
    }
}
