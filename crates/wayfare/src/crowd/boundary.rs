//! Keeps the nearest of the walls around an agent, on whichever side.
//!
//! Walls are looked up again only when the agent has moved a fraction of its range, since walls do not move.
//!
//! Cost: the polygons within the range, once every few ticks.
//!
//! Sources: Mikko Mononen, "Finding Local 2D Neighborhood of Navmesh", Digesting Duck, July 2010; Detour's
//! `dtLocalBoundary`.

use super::AgentParams;
use super::floor_walls::FloorWalls;
use super::scratch::PhaseScratch;
use crate::avoid::Wall;
use crate::math::plane;
use crate::mesh::NavMesh;
use crate::query::{PolyPoint, QueryFilter};
use glam::{Vec2, Vec3};

/// Whether the line from `at` to `to` crosses a wall.
pub(super) fn crosses(wall: &Wall, at: Vec2, to: Vec2) -> bool {
    let side = |a: Vec2, b: Vec2, p: Vec2| (b - a).perp_dot(p - a);
    side(wall.a, wall.b, at) * side(wall.a, wall.b, to) <= 0.0 && side(at, to, wall.a) * side(at, to, wall.b) <= 0.0
}

/// The nearest walls around a position.
#[derive(Clone, Debug)]
pub(super) struct Boundary {
    /// Where they were looked up; not finite if they must be looked up again.
    pub(super) center: Vec3,
    /// Those of the mesh, nearest first; then those of obstacles.
    pub(super) walls: Vec<Wall>,
    /// How many are from the mesh.
    pub(super) from_mesh: u32,
    /// The distance of the mesh from the actual walls, metres.
    pub(super) erosion: f32,
}

/// A passage farther from an agent than this many radii is ignored.
const NEAR: f32 = 8.0;
/// A passage is narrower than this many radii, six bodies: in one of three or four, two opposing streams jam as they do
/// in a door.
const NARROW: f32 = 12.0;

impl Default for Boundary {
    fn default() -> Self {
        Self { center: Vec3::NAN, walls: Vec::new(), from_mesh: 0, erosion: 0.0 }
    }
}

impl Boundary {
    /// Makes the next call look up the walls again.
    pub(super) fn forget(&mut self) {
        self.center = Vec3::NAN;
    }

    /// Looks up the walls that the agent sees, if it has moved a quarter of its range since the last look-up.
    pub(super) fn update<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        place: PolyPoint,
        params: &AgentParams,
        filter: &F,
        scratch: &mut PhaseScratch,
    ) {
        let range = params.neighbour_range;
        let count = params.max_walls as usize;
        let stale = range * 0.25;
        // NaN: never looked up.
        if plane::distance(place.point, self.center) <= stale {
            return;
        }
        self.center = place.point;
        self.walls.clear();
        self.from_mesh = 0;
        let PhaseScratch { corridor, polys, walls, near, .. } = scratch;
        near.clear();
        // The agent may come nearer before the next look-up.
        let wanted = FloorWalls { mesh, filter, place, range, moves: stale, height: params.height };
        let is_there = wanted.each(&mut corridor.search, (polys, walls), |wall, distance| {
            let wall = Wall { a: plane::xz(wall.start), b: plane::xz(wall.end) };
            let at = near.partition_point(|(other, _)| *other <= distance);
            if at < count {
                near.insert(at, (distance, wall));
                near.truncate(count);
            }
        });
        if !is_there {
            return;
        }
        let radius = mesh.locate(place.poly).map_or(0.0, |(tile, _)| tile.data().baked_for().radius);
        self.erosion = if radius > 0.0 && radius.is_finite() { radius } else { 0.0 };
        self.walls.extend(near.iter().map(|(_, wall)| *wall));
        self.from_mesh = self.walls.len() as u32;
    }

    /// Removes the walls of obstacles.
    pub(super) fn forget_obstacles(&mut self) {
        self.walls.truncate(self.from_mesh as usize);
    }

    /// Adds the walls of an obstacle.
    pub(super) fn add_obstacle(&mut self, walls: impl Iterator<Item = Wall>) {
        self.walls.extend(walls);
    }

    /// Whether there is a passage near a position for bodies of this radius: two walls that face each other, too close
    /// together for a jam between them to spread out. Without one, the surface is open.
    pub(super) fn has_passage(&self, at: Vec2, radius: f32) -> bool {
        let width = radius * NARROW - 2.0 * self.erosion;
        let near = radius * NEAR;
        let is_passage = |a: &Wall, b: &Wall| {
            let ends = [(a.nearest(b.a), b.a), (a.nearest(b.b), b.b), (a.a, b.nearest(a.a)), (a.b, b.nearest(a.b))];
            ends.iter().any(|&(p, q)| {
                let across = q - p;
                a.ground_normal().dot(across) > 0.0
                    && b.ground_normal().dot(across) < 0.0
                    && across.length_squared() < width * width
                    && ((p + q) * 0.5).distance_squared(at) < near * near
            })
        };
        (0..self.walls.len()).any(|i| self.walls[..i].iter().any(|other| is_passage(&self.walls[i], other)))
    }

    /// Whether any wall is within `reach` of a position.
    pub(super) fn is_near(&self, at: Vec2, reach: f32) -> bool {
        self.walls.iter().any(|wall| wall.nearest(at).distance_squared(at) <= reach * reach)
    }
}
