//! Fills a local grid from walls and neighbours. They come as plain data, so the grid depends on neither mesh nor
//! crowd.
//!
//! Sources: Mikko Mononen, "Local Navigation Grids", Digesting Duck, March 19, 2010 (some 6 segments and 6 agents
//! around an agent).

use super::{LocalGrid, Obstacle, Shape};
use glam::Vec3;

/// A nearby agent that is an obstacle: its position and radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearbyAgent {
    /// Its position.
    pub at: Vec3,
    /// Its radius in metres.
    pub radius: f32,
    /// The caller's number for it.
    pub id: u32,
}

impl LocalGrid {
    /// Centers the grid on an agent of `radius` metres and blocks the cells that `walls` (ends of segments, as
    /// `query::wall_segments` returns them) and `neighbours` occupy. Walls are grown by `wall_distance` metres: use 0
    /// where they are the border of a mesh, which is already eroded by the agent's radius, else the radius.
    ///
    /// A cell is blocked as a whole. A gap between walls at an angle `a` to the grid's axes is sure to stay open if it
    /// is wider than twice `wall_distance` by `2 (|cos a| + |sin a|)` cells: two along the axes, 2.83 across. A
    /// narrower gap may be closed, depending on where the cells lie.
    ///
    /// `obstacles` is filled with the neighbours that reach into the grid, for [`blockers`](super::blockers). It does
    /// not hold the walls: the global plan has already taken them into account. O((walls + neighbours) × rows they
    /// cover).
    pub fn surround(
        &mut self,
        agent: Vec3,
        radius: f32,
        walls: &[[Vec3; 2]],
        wall_distance: f32,
        neighbours: &[NearbyAgent],
        obstacles: &mut Vec<Obstacle>,
    ) {
        self.recenter(agent);
        for &[a, b] in walls {
            self.block(&Obstacle { shape: Shape::Segment { a, b }, id: 0 }, wall_distance);
        }
        obstacles.clear();
        let discs = neighbours.iter().map(|n| (Shape::Disc { center: n.at, radius: n.radius }, n.id));
        obstacles.extend(discs.map(|(shape, id)| Obstacle { shape, id }).filter(|o| self.reaches(o, radius)));
        obstacles.iter().for_each(|obstacle| self.block(obstacle, radius));
    }

    /// Whether a disc grown by a radius may overlap the grid.
    fn reaches(&self, disc: &Obstacle, radius: f32) -> bool {
        let Shape::Disc { center, radius: own } = disc.shape else { return true };
        let side = self.size() as f32 * self.cell_size();
        let grown = own.max(0.0) + radius;
        let inside = |at: f32, low: f32| at - grown <= low + side && at + grown >= low;
        inside(center.x, self.origin().x) && inside(center.z, self.origin().y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::PathStatus;
    use crate::grid::{GridSearch, blockers};

    const GOAL: Vec3 = Vec3::new(3.0, 0.0, 0.0);

    fn person(x: f32, z: f32, id: u32) -> NearbyAgent {
        NearbyAgent { at: Vec3::new(x, 0.0, z), radius: 0.4, id }
    }

    #[test]
    fn walls_and_neighbours_block_and_those_that_no_plan_knows_are_named() {
        let mut grid = LocalGrid::new(32, 0.25).unwrap();
        let walls = [[Vec3::new(2.0, 0.0, -3.0), Vec3::new(2.0, 0.0, 0.5)]];
        let crowd = [person(1.0, 0.0, 3), person(50.0, 0.0, 4), person(1.0, 3.0, 5)];
        let mut obstacles = Vec::new();
        grid.surround(Vec3::ZERO, 0.3, &walls, 0.3, &crowd, &mut obstacles);
        assert_eq!(obstacles.iter().map(|o| o.id).collect::<Vec<_>>(), [3, 5], "who is far away is left out");
        let mut search = GridSearch::default();
        let path = search.find_path(&grid, Vec3::ZERO, GOAL);
        assert!(path.status == PathStatus::Complete && path.points.iter().any(|p| p.z > 0.5), "{path:?}");
        assert_eq!(blockers(&obstacles, Vec3::ZERO, GOAL, 0.3), [3]);
    }

    #[test]
    fn walls_all_around_leave_no_gap_wherever_they_stand() {
        let mut rng = crate::math::Rng::new(6);
        let mut search = GridSearch::default();
        let mut obstacles = Vec::new();
        for round in 0..500 {
            let mut grid = LocalGrid::new(64, [0.25, 0.15, 0.1, 0.3][round % 4]).unwrap();
            let cell = grid.cell_size();
            // Exactly between cells (as far as rounding allows), or anywhere.
            let mut coordinate = |from: u32, to: u32| {
                let cells = (from + rng.below(to - from)) as f32;
                cell * if round % 3 == 0 { cells + rng.unit() } else { cells }
            };
            let x0 = -coordinate(2, 20);
            let x1 = coordinate(2, 20);
            let z0 = -coordinate(2, 20);
            let z1 = coordinate(2, 20);
            let here = Vec3::new(coordinate(0, 90) - 7.0, 0.0, coordinate(0, 90) - 7.0);
            let corners = [(x0, z0), (x1, z0), (x1, z1), (x0, z1)].map(|(x, z)| here + Vec3::new(x, 0.0, z));
            let walls: Vec<[Vec3; 2]> = (0..4).map(|i| [corners[i], corners[(i + 1) % 4]]).collect();
            grid.surround(here, 0.3, &walls, 0.0, &[], &mut obstacles);
            for outside in [(28.0, 0.0), (0.0, 28.0), (-28.0, 0.0), (0.0, -28.0)] {
                let goal = here + Vec3::new(outside.0, 0.0, outside.1) * cell;
                let path = search.find_path(&grid, here, goal);
                assert_eq!(path.status, PathStatus::Partial, "round {round}: {walls:?}, {:?}", path.points);
            }
        }
    }

    #[test]
    fn gaps_of_two_cells_stay_open_and_of_three_in_any_direction() {
        let mut rng = crate::math::Rng::new(7);
        let mut search = GridSearch::default();
        let mut obstacles = Vec::new();
        let mut closed = 0;
        for round in 0..2000 {
            let mut grid = LocalGrid::new(20 + round % 45, 0.25).unwrap();
            let cell = grid.cell_size();
            let kept = [0.0, 0.1, 0.6][round as usize % 3];
            let angle =
                if round % 2 == 0 { rng.unit() * 6.3 } else { core::f32::consts::FRAC_PI_2 * (round % 8) as f32 };
            let sin = crate::math::ops::sin(angle);
            let cos = crate::math::ops::cos(angle);
            let mut anywhere = || (rng.unit() - 0.5) * 40.0;
            let middle = Vec3::new(anywhere(), 0.0, anywhere());
            let along = Vec3::new(cos, 0.0, sin);
            let aside = Vec3::new(-sin, 0.0, cos);
            let [from, to] = [-1.9, 1.9].map(|far| middle + along * far);
            let mut status = |cells: f32| {
                let wide = (2.0 * kept + cells * cell) * 0.5;
                let walls = [wide, -wide].map(|off| [-20.0, 20.0].map(|far| middle + along * far + aside * off));
                grid.surround(middle, 0.3, &walls, kept, &[], &mut obstacles);
                search.find_path(&grid, from, to).status
            };
            let enough = 2.0 * (sin.abs() + cos.abs()) + 1e-3;
            assert_eq!(status(enough), PathStatus::Complete, "round {round}: {angle} at {middle}");
            closed += u32::from(status(enough - 0.5) != PathStatus::Complete);
        }
        assert!(closed > 100, "narrower ones are closed now and then: {closed}");
    }

    #[test]
    fn the_door_of_a_mesh_is_as_wide_as_the_mesh_says() {
        // The mesh is eroded already: the agent's centre may be anywhere in this width.
        let wall = |side: f32| [Vec3::new(1.0, 0.0, side * 9.0), Vec3::new(1.0, 0.0, side * 0.5)];
        let mut grid = LocalGrid::new(32, 0.25).unwrap();
        let mut search = GridSearch::default();
        let mut obstacles = Vec::new();
        let mut status = |wall_distance: f32, crowd: &[NearbyAgent]| {
            let walls = [wall(1.0), wall(-1.0)];
            grid.surround(Vec3::ZERO, 0.6, &walls, wall_distance, crowd, &mut obstacles);
            (search.find_path(&grid, Vec3::ZERO, GOAL).status, blockers(&obstacles, Vec3::ZERO, GOAL, 0.6))
        };
        assert_eq!(status(0.0, &[]), (PathStatus::Complete, vec![]));
        assert_eq!(status(0.6, &[]), (PathStatus::Partial, vec![]), "bare walls, a metre apart, are too near");
        assert_eq!(status(0.0, &[person(1.0, 0.0, 8)]), (PathStatus::Partial, vec![8]), "somebody stands in it");
    }
}
