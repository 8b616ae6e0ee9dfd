//! Obstacles that the mesh does not contain: crates, parked cars, doors ajar. The game sets them anew whenever they move.
//!
//! Cost: setting, a sort; finding those near an agent, a binary search and a test for each that is as near along x.
//!
//! Sources: Mikko Mononen, "Local Navigation Grids", Digesting Duck, March 19, 2010.

use super::Crowd;
use crate::grid::{Obstacle, Shape};
use crate::math::plane::xz;
use glam::{Vec2, Vec3};

/// The obstacles of a crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct Obstacles {
    /// By the lowest x of their bounds.
    list: Vec<Bounded>,
    /// The greatest extent of any along x.
    widest: f32,
}

/// An obstacle with its bounds in the plane and its range of heights.
#[derive(Clone, Copy, Debug)]
struct Bounded {
    obstacle: Obstacle,
    low: Vec2,
    high: Vec2,
    heights: [f32; 2],
}

impl Bounded {
    /// `None` if a number in it is not finite.
    fn new(obstacle: Obstacle) -> Option<Self> {
        let (a, b, grown) = match obstacle.shape {
            Shape::Segment { a, b } => (a, b, 0.0),
            Shape::Disc { center, radius } => (center, center, if radius < 0.0 { 0.0 } else { radius }),
            // Half a diagonal, however it is rotated.
            Shape::Box { center, half, yaw } => (center, center, half[0].hypot(half[1]) + 0.0 * yaw),
        };
        let grown = Vec2::splat(grown);
        let (low, high) = (xz(a).min(xz(b)) - grown, xz(a).max(xz(b)) + grown);
        let heights = [a.y.min(b.y), a.y.max(b.y)];
        let numbers = [low.x, low.y, high.x, high.y, heights[0], heights[1], grown.x];
        // The minimum of NaN and a number is the number.
        let is_finite = a.is_finite() && b.is_finite() && numbers.iter().all(|number| number.is_finite());
        is_finite.then_some(Self { obstacle, low, high, heights })
    }
}

impl Obstacles {
    fn new(obstacles: impl IntoIterator<Item = Obstacle>) -> Self {
        let mut list: Vec<Bounded> = obstacles.into_iter().filter_map(Bounded::new).collect();
        list.sort_by(|a, b| a.low.x.total_cmp(&b.low.x));
        let widest = list.iter().fold(0.0_f32, |widest, one| widest.max(one.high.x - one.low.x));
        Self { list, widest }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Those within `range` of a position, by their bounds, that are no farther above or below it than `height`.
    pub(super) fn near(&self, at: Vec3, range: f32, height: f32) -> impl Iterator<Item = Obstacle> + '_ {
        let place = xz(at);
        let first = self.list.partition_point(|one| one.low.x < place.x - range - self.widest);
        let along = self.list[first..].iter().take_while(move |one| one.low.x <= place.x + range);
        let is_near = move |one: &&Bounded| {
            place.clamp(one.low, one.high).distance_squared(place) <= range * range
                && one.heights[0] - height <= at.y
                && at.y <= one.heights[1] + height
        };
        along.filter(is_near).map(|one| one.obstacle)
    }
}

impl Crowd {
    /// Sets all obstacles that agents walk around although the mesh does not contain them, in place of the earlier ones.
    /// Call it again whenever any of them has moved. Default none.
    ///
    /// An agent whose line to its next corner is blocked by one finds a [local path](crate::grid) around it, within 22
    /// times its radius, and avoids it like a wall. If there is no local path,
    /// it goes as near as it can, [`EventKind::Obstructed`](super::EventKind::Obstructed) says so, and
    /// [`obstructed_by`](Self::obstructed_by) lists the obstacles: whoever set them knows whether to wait, to push, or
    /// to raise [costs](super::Crowd::set_costs) so that another path is planned. For obstacles that stay, change the
    /// mesh ([`dynamic`](crate::dynamic)): global paths then take them into account.
    ///
    /// Obstacles farther above or below an agent than its height are ignored by it, and those with a number that is not
    /// finite by all. A crowd's [bytes](Self::to_bytes) do not contain them.
    ///
    /// Cost: a sort. An agent that is blocked costs a look-up of the walls around it and a search in a grid of 64 × 64
    /// cells in each tick; an agent with obstacles in its range, a test for each of them; other agents, a binary search.
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
    /// let (level, _) = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
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
        self.obstacles = Obstacles::new(obstacles);
    }
}
