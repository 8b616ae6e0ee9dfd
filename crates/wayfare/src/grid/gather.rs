//! From what a mesh and a crowd know to obstacles: as plain data, since the grid knows neither.
//!
//! Sources: Mikko Mononen, "Local Navigation Grids", Digesting Duck, March 19, 2010 (some 6 segments and 6 agents
//! around an agent).

use super::{LocalGrid, Obstacle, Shape};
use glam::Vec3;

/// Somebody who stands in the way: where, and how wide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Where it is.
    pub at: Vec3,
    /// Its radius in metres.
    pub radius: f32,
    /// The caller's number for it.
    pub id: u32,
}

impl LocalGrid {
    /// Centers the grid on an agent of `radius` metres and blocks what `walls` (ends of segments, as
    /// `query::wall_segments` gives them) and `neighbours` take. `obstacles` is filled with those that reach into the
    /// grid, for [`blockers`](super::blockers): walls carry the numbers `first_wall`, `first_wall + 1`, … O(obstacles ×
    /// rows they cover).
    pub fn surround(
        &mut self,
        agent: Vec3,
        radius: f32,
        walls: &[[Vec3; 2]],
        first_wall: u32,
        neighbours: &[Neighbour],
        obstacles: &mut Vec<Obstacle>,
    ) {
        self.recenter(agent);
        obstacles.clear();
        let walls = walls.iter().zip(first_wall..);
        obstacles.extend(walls.map(|(&[a, b], id)| Obstacle { shape: Shape::Segment { a, b }, id }));
        let discs = neighbours.iter().map(|n| (Shape::Disc { center: n.at, radius: n.radius }, n.id));
        obstacles.extend(discs.map(|(shape, id)| Obstacle { shape, id }));
        obstacles.retain(|obstacle| self.reaches(obstacle, radius));
        obstacles.iter().for_each(|obstacle| self.block(obstacle, radius));
    }

    /// Whether an obstacle grown by a radius may reach into the grid.
    fn reaches(&self, obstacle: &Obstacle, radius: f32) -> bool {
        let (low, high, grown) = match obstacle.shape {
            Shape::Segment { a, b } => (a.min(b), a.max(b), radius),
            Shape::Disc { center, radius: own } => (center, center, own.max(0.0) + radius),
            // A box turned by any angle stays within its diagonal.
            Shape::Box { center, half, .. } => (center, center, half[0].abs() + half[1].abs() + radius),
        };
        let (origin, side) = (self.origin(), self.size() as f32 * self.cell_size());
        low.x - grown <= origin.x + side
            && high.x + grown >= origin.x
            && low.z - grown <= origin.y + side
            && high.z + grown >= origin.y
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{GridSearch, GridStatus, blockers};

    #[test]
    fn walls_and_neighbours_block_and_are_named() {
        let mut grid = LocalGrid::new(32, 0.25).unwrap();
        let walls = [
            [Vec3::new(2.0, 0.0, -3.0), Vec3::new(2.0, 0.0, 0.5)],
            [Vec3::new(50.0, 0.0, 0.0), Vec3::new(60.0, 0.0, 0.0)],
        ];
        let crowd = [Neighbour { at: Vec3::new(1.0, 0.0, 0.0), radius: 0.4, id: 3 }];
        let mut obstacles = Vec::new();
        grid.surround(Vec3::ZERO, 0.3, &walls, 100, &crowd, &mut obstacles);
        assert_eq!(obstacles.iter().map(|o| o.id).collect::<Vec<_>>(), [100, 3], "the far wall is left out");
        let goal = Vec3::new(3.0, 0.0, 0.0);
        let mut search = GridSearch::default();
        let path = search.find_path(&grid, Vec3::ZERO, goal);
        assert!(path.status == GridStatus::Complete && path.points.len() > 2);
        assert_eq!(blockers(&obstacles, Vec3::ZERO, goal, 0.3), [3, 100]);
    }
}
