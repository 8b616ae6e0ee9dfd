//! Obstacles that the mesh does not contain: crates, parked cars, doors ajar. The game sets them anew whenever they
//! move.
//!
//! Cost: setting, a sort; finding those near an agent, a binary search and a test for each that is as near along x.
//!
//! Sources: Mikko Mononen, "Local Navigation Grids", Digesting Duck, March 19, 2010.

use crate::grid::{Obstacle, Shape, bounds};
use crate::math::plane::xz;
use glam::{Vec2, Vec3};

/// The obstacles of a crowd that its mesh does not contain.
#[derive(Clone, Debug, Default)]
pub(super) struct LooseObstacles {
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
        let [low, high] = bounds(&obstacle.shape)?;
        let [a, b] = match obstacle.shape {
            Shape::Segment { a, b } => [a.y, b.y],
            Shape::Disc { center, .. } | Shape::Box { center, .. } => [center.y; 2],
        };
        (a.is_finite() && b.is_finite()).then_some(Self { obstacle, low, high, heights: [a.min(b), a.max(b)] })
    }
}

impl LooseObstacles {
    pub(super) fn new(obstacles: impl IntoIterator<Item = Obstacle>) -> Self {
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
