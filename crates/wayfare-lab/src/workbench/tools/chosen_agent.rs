//! One agent of the crowd in detail: its corridor, neighbours and walls, and the velocities that it must avoid.
//!
//! Sources: Mikko Mononen, "Debug Visualization for Crowds" and the posts on velocity obstacles, Digesting Duck,
//! 2010–2011.

use super::path::fill;
use crate::canvas::{Canvas, Ink, Pen};
use crate::workbench::controls::Controls;
use wayfare::avoid::{AgentState, AvoidScratch, Avoidance, Neighbour, Surroundings};
use wayfare::crowd::{AgentId, Crowd};
use wayfare::mesh::NavMesh;
use wayfare::query::NavQuery;
use wayfare::{Vec2, Vec3};

/// The agent that was chosen, and what of it is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChosenAgent {
    pub(super) id: Option<AgentId>,
    shows_corridor: bool,
    shows_neighbours: bool,
    pub(super) shows_obstacles: bool,
}

impl Default for ChosenAgent {
    fn default() -> Self {
        Self { id: None, shows_corridor: true, shows_neighbours: true, shows_obstacles: false }
    }
}

impl ChosenAgent {
    /// Nobody is chosen any more; what is shown of the next one stays as it is.
    pub(super) fn without_agent(self) -> Self {
        Self { id: None, ..self }
    }

    /// What is shown of it.
    pub(super) fn panel(&mut self, crowd: &Crowd, controls: &mut dyn Controls) {
        controls.toggle("Corridor", &mut self.shows_corridor);
        controls.toggle("Neighbours and walls", &mut self.shows_neighbours);
        controls.toggle("Velocity obstacles and samples", &mut self.shows_obstacles);
        if let Some(status) = self.id.and_then(|agent| crowd.target_status(agent).ok()) {
            controls.figure("Its path", status.name());
        }
    }

    /// Draws why it walks as it does.
    pub(super) fn draw(&self, crowd: &Crowd, mesh: &NavMesh, canvas: &mut Canvas) {
        let Some((agent, at)) = self.id.and_then(|agent| Some((agent, crowd.position(agent).ok()?))) else {
            return;
        };
        let Ok(params) = crowd.params(agent) else { return };
        canvas.circle(at, params.radius * 1.5, Pen::of(Ink::Current).width(3.0));
        if let (true, Ok(corridor)) = (self.shows_corridor, crowd.corridor(agent)) {
            corridor.polys().iter().for_each(|&poly| fill(mesh, poly, Ink::Path(0), canvas));
            let corners = crowd.corners_of(agent).unwrap_or_default();
            let line: Vec<Vec3> = std::iter::once(at).chain(corners.iter().map(|corner| corner.point)).collect();
            canvas.path(&line, Pen::of(Ink::Path(0)).width(3.0));
        }
        if self.shows_neighbours {
            canvas.circle(at, params.neighbour_range, Ink::Faint);
            for &other in crowd.neighbours_of(agent).unwrap_or_default() {
                if let Some(&place) = crowd.positions().get(other as usize) {
                    canvas.line(at + Vec3::Y, place + Vec3::Y, Pen::of(Ink::Open).width(1.5));
                }
            }
            let mut query = NavQuery::of(mesh);
            for wall in query.walls(at).unwrap_or_default() {
                canvas.line(wall.start, wall.end, Pen::of(Ink::Forbidden).width(3.0));
            }
        }
        let velocity = crowd.velocity(agent).unwrap_or_default();
        canvas.arrow(at + Vec3::Y * 0.1, velocity, Ink::Chosen);
        if self.shows_obstacles {
            draw_velocity_obstacles(crowd, agent, at, canvas);
        }
    }
}

/// The velocities of the chosen agent that would end in its neighbours, as cones about it, and those that were
/// tried, by penalty, where its method tries any.
fn draw_velocity_obstacles(crowd: &Crowd, agent: AgentId, at: Vec3, canvas: &mut Canvas) {
    let Some(scene) = surroundings(crowd, agent) else { return };
    let around = Surroundings { agent: scene.0, neighbours: &scene.1, walls: &[] };
    let point = |v: Vec2| at + Vec3::new(v.x, 0.15, v.y);
    let mut scratch = AvoidScratch::default();
    match crowd.params(agent).map(|params| params.avoidance) {
        Ok(Avoidance::Sampled(method)) => {
            let mut tried = Vec::new();
            method.penalties(&around, &mut scratch, &mut tried);
            draw_samples(&tried, point, canvas);
        }
        Ok(Avoidance::Adaptive(method)) => {
            let mut rings = Vec::new();
            method.penalties(&around, &mut scratch, &mut rings);
            rings.iter().for_each(|tried| draw_samples(tried, point, canvas));
        }
        Ok(Avoidance::Orca(method)) => {
            let mut planes = Vec::new();
            method.half_planes(&around, &mut planes);
            for plane in planes {
                let middle = plane.normal * plane.offset;
                let along = plane.normal.perp() * 4.0;
                canvas.line(point(middle - along), point(middle + along), Pen::of(Ink::Forbidden).width(2.0));
                canvas.line(point(middle), point(middle + plane.normal * 0.6), Ink::Allowed);
            }
        }
        Ok(Avoidance::ClearPath(method)) => {
            let mut regions = Vec::new();
            method.regions(&around, 6.0, &mut regions);
            draw_regions(&regions, point, canvas);
        }
        Ok(Avoidance::Hrvo(method)) => {
            let mut regions = Vec::new();
            method.regions(&around, 6.0, &mut regions);
            draw_regions(&regions, point, canvas);
        }
        _ => {}
    }
}

fn surroundings(crowd: &Crowd, agent: AgentId) -> Option<(AgentState, Vec<Neighbour>)> {
    let flat = |v: Vec3| Vec2::new(v.x, v.z);
    let params = crowd.params(agent).ok()?;
    let at = crowd.position(agent).ok()?;
    let corner = crowd.corners_of(agent).ok()?.first().map_or(at, |corner| corner.point);
    let state = AgentState {
        position: flat(at),
        velocity: flat(crowd.velocity(agent).ok()?),
        desired: flat(corner - at).normalize_or_zero() * params.max_speed,
        radius: params.radius,
        max_speed: params.max_speed,
        wall_distance: f32::INFINITY,
    };
    let neighbours = crowd.neighbours_of(agent).ok()?.iter().filter_map(|&other| {
        let velocity = flat(*crowd.velocities().get(other as usize)?);
        let position = flat(*crowd.positions().get(other as usize)?);
        Some(Neighbour { position, velocity, desired: velocity, radius: params.radius, share: 0.5 })
    });
    Some((state, neighbours.collect()))
}

fn draw_samples(tried: &[(Vec2, f32)], point: impl Fn(Vec2) -> Vec3, canvas: &mut Canvas) {
    let most = tried.iter().map(|&(_, penalty)| penalty).filter(|penalty| penalty.is_finite()).fold(0.01, f32::max);
    for &(velocity, penalty) in tried {
        canvas.dot(point(velocity), 5.0, Ink::Value((penalty / most).clamp(0.0, 1.0)));
    }
}

fn draw_regions(regions: &[[Vec2; 5]], point: impl Fn(Vec2) -> Vec3, canvas: &mut Canvas) {
    for region in regions {
        let corners: Vec<Vec3> = region.iter().map(|&corner| point(corner)).collect();
        canvas.fill(&corners, Ink::Forbidden, 0.15);
        canvas.outline(&corners, Pen::of(Ink::Forbidden).width(1.0));
    }
}
