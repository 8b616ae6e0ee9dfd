//! A local path around obstacles: where an agent steers instead of its next corner.
//!
//! ```text
//!                 ┌───┐
//!    agent ─ ─ ─ ─│   │─ ─ ─> corner      The line to the next corner is blocked: a local grid around the agent, with
//!         `.      └───┘                   walls and obstacles in it, gives the bend to steer to instead.
//!           `──> bend
//! ```
//!
//! The grid is filled and searched anew in each tick, so it needs no memory of how obstacles move. Where it has no
//! path, the obstacles on the line are listed: the global path assumed that this line is free.
//!
//! Cost: a test for each obstacle in reach; if the line is blocked, the walls within reach of the grid and one search.
//!
//! Sources: Mikko Mononen, "Local Navigation Grids", Digesting Duck, March 19, 2010.

use super::floor_walls::FloorWalls;
use crate::corridor::CorridorCorner;
use crate::grid::{GridSearch, LocalGrid, Obstacle, Shape, blockers_into};
use crate::math::plane;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{PolyPoint, QueryFilter, SearchScratch, WallSegment};
use glam::Vec3;

/// Cells per side of the grid.
const CELLS: u32 = LocalGrid::MAX_SIZE;
/// Side of a cell, in radii of the agent.
const CELL: f32 = 0.75;
/// How far ahead the goal of a local path may be, in cells; the others are a margin.
const REACH: f32 = 30.0;
/// A local path that ends within this many cells of its goal reaches it: corners of the mesh lie on walls, whose cells
/// are blocked.
const AT_GOAL: f32 = 2.5;

/// How far a local path looks, in radii of the agent.
pub(super) const RADII: f32 = REACH * CELL;

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
    polys: Vec<PolyRef>,
    walls: Vec<WallSegment>,
    /// The obstacles in reach.
    pub(super) near: Vec<Obstacle>,
    on_line: Vec<u32>,
}

/// What a local path is about.
pub(super) struct LocalRequest<'a> {
    pub(super) place: PolyPoint,
    /// The next corners of the path, at least one.
    pub(super) corners: &'a [CorridorCorner],
    /// Of the agent.
    pub(super) radius: f32,
    /// Of the agent.
    pub(super) height: f32,
}

impl LocalPath {
    /// Forgets it: the line is free.
    pub(super) fn clear(&mut self) {
        self.bend = None;
        self.obstructed_by.clear();
    }

    /// Finds a path around the obstacles in `scratch`, if any of them is on the line to the corner.
    pub(super) fn find<F: QueryFilter + ?Sized>(
        &mut self,
        (mesh, filter): (&NavMesh, &F),
        request: &LocalRequest<'_>,
        scratch: &mut LocalScratch,
        memory: &mut SearchScratch,
    ) {
        let LocalScratch { grid, search, polys, walls, near, on_line } = scratch;
        let LocalRequest { place, corners, radius, height } = *request;
        let from = place.point;
        let Some(next) = corners.first() else { return };
        let last = corners.last().unwrap_or(next);
        blockers_into(near, from, next.point, radius, on_line);
        if on_line.is_empty() {
            return;
        }
        let cell = CELL * radius;
        let reach = REACH * cell;
        // A corner of polygons that the agent has left sideways may lie in the obstacle itself.
        let is_free = |corner: &&CorridorCorner| {
            blockers_into(near, corner.point, corner.point, radius, on_line);
            on_line.is_empty()
        };
        let corner = corners.iter().find(is_free).unwrap_or(last).point;
        let away = plane::distance(from, corner);
        let goal = if away > reach { from + (corner - from) * (reach / away) } else { corner };
        blockers_into(near, from, goal, radius, on_line);
        if on_line.is_empty() {
            // The line to a later corner may be free, past the obstacle in which the next one lies.
            blockers_into(near, from, next.point, radius, on_line);
        }
        // Refused for a radius that is not sensible: then there is no local path.
        if grid.as_ref().is_none_or(|grid| grid.cell_size() != cell) {
            *grid = LocalGrid::new(CELLS, cell).ok();
        }
        let Some(grid) = grid else { return };
        grid.recenter(from);
        let range = core::f32::consts::SQRT_2 * 0.5 * CELLS as f32 * cell;
        let wanted = FloorWalls { mesh, filter, place, range, moves: 0.0, height };
        let is_there = wanted.each(memory, (polys, walls), |wall, _| {
            // The mesh is already eroded by the radius.
            grid.block(&Obstacle { shape: Shape::Segment { a: wall.start, b: wall.end }, id: 0 }, 0.0);
        });
        if !is_there {
            return;
        }
        near.iter().for_each(|obstacle| grid.block(obstacle, radius));
        let points = search.find_path(grid, from, goal).points;
        let is_ahead = |point: &&Vec3| plane::distance(from, **point) > cell;
        self.bend = Some(points.iter().find(is_ahead).copied().unwrap_or(from));
        let end = points.last().copied().unwrap_or(from);
        let [left, walked] = [goal, from].map(|to| plane::distance(end, to));
        // The goal within range may lie in an obstacle whose far side is out of range: then it goes on to see more.
        if left > AT_GOAL * cell && (away <= reach || walked <= AT_GOAL * cell) {
            self.obstructed_by.clone_from(on_line);
        }
    }
}
