//! Leads an agent around obstacles that its path does not know.
//!
//! ```text
//!                 ┌───┐
//!    agent ─ ─ ─ ─│   │─ ─ ─> corner      The line to the next corner is blocked: a local grid around the agent, with
//!         `.      └───┘                   walls and obstacles in it, gives the bend to steer to instead.
//!           `──> bend
//! ```
//!
//! The grid is filled and searched anew in each tick, so it needs no memory of how obstacles move. Where it has no path,
//! the obstacles on the line are listed: the global path assumed that this line is free.
//!
//! Cost: nothing without obstacles in range; for a blocked agent, the walls within reach of the grid and one search.
//!
//! Sources: Mikko Mononen, "Local Navigation Grids", Digesting Duck, March 19, 2010.

use super::agent::Agent;
use super::obstacles::Obstacles;
use super::scratch::PhaseScratch;
use super::{AgentId, AgentParams, Crowd, CrowdError, EventKind};
use crate::avoid::Wall;
use crate::grid::{GridSearch, LocalGrid, Obstacle, Shape, blockers_into, outline};
use crate::math::plane;
use crate::mesh::NavMesh;
use crate::query::{NeighbourhoodRequest, PolyPoint, QueryFilter, local_neighbourhood_into, wall_segments_into};
use glam::{Vec2, Vec3};

/// Cells per side of the grid.
const CELLS: u32 = LocalGrid::MAX_SIZE;
/// Side of a cell, in radii of the agent.
const CELL: f32 = 0.75;
/// How far ahead the goal of a local path may be, in cells; the others are a margin.
const REACH: f32 = 30.0;
/// A local path that ends within this many cells of its goal reaches it: corners of the mesh lie on walls, whose cells
/// are blocked.
const AT_GOAL: f32 = 2.5;

/// An agent's local path.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LocalPath {
    /// Where to go instead of the next corner.
    pub(super) bend: Option<Vec3>,
    /// The obstacles on the line, if no local path leads around them.
    pub(super) obstructed_by: Vec<u32>,
}

/// The working memory of local paths.
#[derive(Clone, Debug, Default)]
pub(super) struct LocalScratch {
    grid: Option<LocalGrid>,
    search: GridSearch,
    near: Vec<Obstacle>,
    on_line: Vec<u32>,
}

impl Agent {
    /// Takes the obstacles near the agent into account: its walls, and where it steers.
    pub(super) fn walk_around<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        place: PolyPoint,
        (obstacles, filter): (&Obstacles, &F),
        scratch: &mut PhaseScratch,
    ) {
        self.boundary.forget_obstacles();
        self.local.bend = None;
        let was_obstructed = !self.local.obstructed_by.is_empty();
        self.local.obstructed_by.clear();
        if obstacles.is_empty() {
            return;
        }
        let mut local = core::mem::take(&mut scratch.local);
        let AgentParams { radius, height, neighbour_range, .. } = self.params;
        for obstacle in obstacles.near(place.point, neighbour_range, height) {
            self.add_walls(plane::xz(place.point), &obstacle);
        }
        local.near.clear();
        local.near.extend(obstacles.near(place.point, REACH * CELL * radius, height));
        if self.follows_way() && !local.near.is_empty() {
            self.search_around(mesh, place, filter, &mut local, scratch);
        }
        scratch.local = local;
        if let (false, Some(&by)) = (was_obstructed, self.local.obstructed_by.first()) {
            self.raised.push(EventKind::Obstructed { by });
        }
    }

    /// Adds the outline of an obstacle to the walls that the agent avoids, unless the agent stands in it.
    fn add_walls(&mut self, at: Vec2, obstacle: &Obstacle) {
        if let Some(outline) = outline(&obstacle.shape, self.params.radius).filter(|outline| !outline.contains(at)) {
            self.boundary.add_obstacle(outline.edges().map(|[a, b]| Wall { a, b }));
        }
    }

    fn search_around<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        place: PolyPoint,
        filter: &F,
        local: &mut LocalScratch,
        scratch: &mut PhaseScratch,
    ) {
        let LocalScratch { grid, search, near, on_line } = local;
        let radius = self.params.radius;
        let cell = CELL * radius;
        let range = REACH * cell;
        let from = place.point;
        let Some(corner) = self.corners.first() else { return };
        let away = plane::distance(from, corner.point);
        let goal = if away > range { from + (corner.point - from) * (range / away) } else { corner.point };
        blockers_into(near, from, goal, radius, on_line);
        if on_line.is_empty() {
            return;
        }
        // Refused for a radius that is not sensible: then there is no local path.
        if grid.as_ref().is_none_or(|grid| grid.cell_size() != cell) {
            *grid = LocalGrid::new(CELLS, cell).ok();
        }
        let Some(grid) = grid else { return };
        grid.recenter(from);
        let reach = core::f32::consts::SQRT_2 * 0.5 * CELLS as f32 * cell;
        let PhaseScratch { corridor, polys, walls, .. } = scratch;
        let request = NeighbourhoodRequest::new(place, reach);
        if local_neighbourhood_into(mesh, &request, filter, &mut corridor.search, polys).is_err() {
            return;
        }
        for &poly in polys.iter() {
            if wall_segments_into(mesh, poly, filter, walls).is_ok() {
                for wall in walls.iter() {
                    // The mesh is already eroded by the radius.
                    grid.block(&Obstacle { shape: Shape::Segment { a: wall.start, b: wall.end }, id: 0 }, 0.0);
                }
            }
        }
        near.iter().for_each(|obstacle| grid.block(obstacle, radius));
        let points = search.find_path(grid, from, goal).points;
        let is_ahead = |point: &&Vec3| plane::distance(from, **point) > cell;
        self.local.bend = Some(points.iter().find(is_ahead).copied().unwrap_or(from));
        let end = points.last().copied().unwrap_or(from);
        let [left, walked] = [goal, from].map(|to| plane::distance(end, to));
        // The goal within range may lie in an obstacle whose far side is out of range: then it goes on to see more.
        if left > AT_GOAL * cell && (away <= range || walked <= AT_GOAL * cell) {
            self.local.obstructed_by.clone_from(on_line);
        }
    }
}

impl Crowd {
    /// The obstacles on an agent's line to its next corner, nearest first, if no local path led around them in the last
    /// tick; else empty. See [`set_obstacles`](Self::set_obstacles).
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn obstructed_by(&self, agent: AgentId) -> Result<&[u32], CrowdError> {
        Ok(&self.agents[self.find(agent)?].local.obstructed_by)
    }

    /// Where an agent steers instead of its next corner, to get around [obstacles](Self::set_obstacles); `None` if the
    /// line to the corner is free.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`].
    pub fn local_bend_of(&self, agent: AgentId) -> Result<Option<Vec3>, CrowdError> {
        Ok(self.agents[self.find(agent)?].local.bend)
    }
}
