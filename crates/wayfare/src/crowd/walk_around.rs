//! Leads agents around obstacles that the mesh does not contain, a part of phase 4.
//!
//! An agent avoids the outlines of obstacles like walls, except those it stands in, and steers by its
//! [local path](super::local_path).
//!
//! Cost: that of local paths, for agents with obstacles near them.
//!
//! Sources: Mikko Mononen, "Local Navigation Grids", Digesting Duck, March 19, 2010.

use super::agent::Agent;
use super::local_path::{LocalRequest, RADII};
use super::loose_obstacles::LooseObstacles;
use super::scratch::PhaseScratch;
use super::{AgentId, AgentParams, Crowd, CrowdError, EventKind};
use crate::avoid::Wall;
use crate::grid::{Obstacle, outline};
use crate::math::plane;
use crate::mesh::NavMesh;
use crate::query::{PolyPoint, QueryFilter};
use glam::{Vec2, Vec3};

impl Agent {
    /// Takes the obstacles near the agent into account: its walls, and where it steers.
    pub(super) fn walk_around<F: QueryFilter + ?Sized>(
        &mut self,
        (mesh, filter): (&NavMesh, &F),
        place: PolyPoint,
        obstacles: &LooseObstacles,
        scratch: &mut PhaseScratch,
    ) {
        self.boundary.forget_obstacles();
        let was_obstructed = !self.local.obstructed_by.is_empty();
        self.local.clear();
        if obstacles.is_empty() {
            return;
        }
        let AgentParams { radius, height, neighbour_range, .. } = self.params;
        for obstacle in obstacles.near(place.point, neighbour_range, height) {
            self.add_walls(plane::xz(place.point), &obstacle);
        }
        let PhaseScratch { local, corridor, .. } = scratch;
        local.near.clear();
        local.near.extend(obstacles.near(place.point, RADII * radius, height));
        if self.follows_path() && !local.near.is_empty() {
            let request = LocalRequest { place, corners: &self.corners, radius, height: self.params.height };
            self.local.find((mesh, filter), &request, local, &mut corridor.search);
        }
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
}

impl Crowd {
    /// Sets all obstacles that agents walk around although the mesh does not contain them, in place of the earlier
    /// ones. Call it again whenever any of them has moved. Default none.
    ///
    /// An agent whose line to its next corner is blocked by one finds a [local path](crate::grid) around it, within 22
    /// times its radius, and avoids it like a wall. If there is no local path,
    /// it goes as near as it can, [`EventKind::Obstructed`](super::EventKind::Obstructed) says so, and
    /// [`obstructed_by`](Self::obstructed_by) lists the obstacles: whoever set them knows whether to wait, to push, or
    /// to raise [costs](super::Crowd::set_costs) so that another path is planned. For obstacles that stay, change the
    /// mesh (`dynamic`): global paths then take them into account.
    ///
    /// Obstacles farther above or below an agent than its height are ignored by it, and those with a number that is not
    /// finite by all. A crowd's [bytes](Self::to_bytes) do not contain them.
    ///
    /// Cost: a sort. An agent that is blocked costs a look-up of the walls around it and a search in a grid of 64 × 64
    /// cells in each tick; an agent with obstacles in its range, a test for each of them; other agents, a binary
    /// search.
    ///
    /// ```
    /// use wayfare::Vec3;
    /// use wayfare::context::Context;
    /// use wayfare::crowd::{AgentParams, Crowd};
    /// use wayfare::grid::{Obstacle, Shape};
    /// use wayfare::input::{AgentSettings, TriMesh};
    /// use wayfare::mesh::NavMesh;
    /// use wayfare::plan::AStarPlanner;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0]].map(Vec3::from);
    /// let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    /// let mesh = NavMesh::bake(&level, &AgentSettings::default())?;
    ///
    /// let mut crowd = Crowd::default();
    /// let agent = crowd.add(&mesh, Vec3::new(2.0, 0.0, 10.0), AgentParams::default())?;
    /// crowd.go_to(&mesh, agent, Vec3::new(18.0, 0.0, 10.0))?;
    /// let cart = Shape::Box { center: Vec3::new(10.0, 0.0, 10.0), half: [0.5, 2.0], yaw: 0.3 };
    /// crowd.set_obstacles([Obstacle { shape: cart, id: 7 }]);
    ///
    /// let mut planner = AStarPlanner::new();
    /// let mut widest = 0.0_f32;
    /// for _ in 0..200 {
    ///     crowd.step(&mesh, 0.05, &mut planner, &Context::default());
    ///     widest = widest.max((crowd.position(agent)?.z - 10.0).abs());
    /// }
    /// assert!(crowd.position(agent)?.x > 17.0 && widest > 2.0, "around the cart");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_obstacles(&mut self, obstacles: impl IntoIterator<Item = Obstacle>) {
        self.obstacles = LooseObstacles::new(obstacles);
    }

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
