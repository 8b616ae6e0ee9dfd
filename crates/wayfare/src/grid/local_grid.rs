//! The local grid: one bit per cell, one word per row.
//!
//! A cell is blocked if it touches any obstacle grown by the agent's radius, so a path through free cells keeps that
//! distance. The grid is at most 64 cells wide, so a row is one machine word and blocking a run of cells is one `or`.
//!
//! Sources: Mikko Mononen, "Local Navigation Grids", Digesting Duck, March 19, 2010.

use super::shape::{Grown, Obstacle};
use glam::{Vec2, Vec3};

/// A square of cells around an agent, each free or blocked.
#[derive(Clone, Debug)]
pub struct LocalGrid {
    size: u32,
    cell_size: f32,
    origin: Vec2,
    blocked: Vec<u64>,
}

/// Why the size of a grid was refused.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LocalGridError {
    /// Too few or too many cells per side.
    #[error("a local grid of {size} x {size} cells is out of range: use 1 to 64 (20 to 64 are useful)")]
    Size {
        /// Cells per side, as requested.
        size: u32,
    },
    /// A cell size too small or too large to count coordinates in.
    #[error(
        "a cell size of {cell_size} m is out of range: use 0.000001 to 1000000 (the agent's radius or less is useful)"
    )]
    CellSize {
        /// Cell size in metres, as requested.
        cell_size: f32,
    },
}

impl LocalGrid {
    /// Most cells per side: a row is one 64-bit word.
    pub const MAX_SIZE: u32 = 64;

    /// A grid of `size` × `size` free cells of `cell_size` metres, centered on the origin. Cells of about the agent's
    /// radius or less find narrow gaps. The grid should reach a little beyond the distance to the next global point.
    ///
    /// # Errors
    /// [`LocalGridError`] for a size outside 1…64 or a cell size outside 10⁻⁶…10⁶ m.
    pub fn new(size: u32, cell_size: f32) -> Result<Self, LocalGridError> {
        if !(1..=Self::MAX_SIZE).contains(&size) {
            return Err(LocalGridError::Size { size });
        }
        if !(1e-6..=1e6).contains(&cell_size) {
            return Err(LocalGridError::CellSize { cell_size });
        }
        let mut grid = Self { size, cell_size, origin: Vec2::ZERO, blocked: vec![0; size as usize] };
        grid.recenter(Vec3::ZERO);
        Ok(grid)
    }

    /// Moves the grid so that `center` lies in its middle cell, and frees every cell. Cells are aligned to multiples of
    /// the cell size, so obstacles at rest block the same cells while the agent moves. If `center` is not finite, the
    /// grid stays where it was.
    pub fn recenter(&mut self, center: impl Into<Vec3>) {
        let center = center.into();
        let half = (self.size / 2) as f32;
        let snap = |v: f32| ((v / self.cell_size).floor() - half) * self.cell_size;
        let origin = Vec2::new(snap(center.x), snap(center.z));
        if origin.is_finite() {
            self.origin = origin;
        }
        self.clear();
    }

    /// Frees every cell.
    pub fn clear(&mut self) {
        self.blocked.fill(0);
    }

    /// Blocks every cell that the obstacle touches when grown by `radius` metres (the agent's radius; below 0 counts as
    /// 0). An obstacle or a radius with a number that is not finite blocks nothing. O(rows it covers).
    pub fn block(&mut self, obstacle: &Obstacle, radius: f32) {
        if !radius.is_finite() {
            return;
        }
        let Some(grown) = Grown::new(&obstacle.shape, radius.max(0.0)) else { return };
        let scale = 1.0 / self.cell_size;
        let (z0, z1) = grown.z_range();
        // From the first cell to one past the last. A shape without width still takes one cell, else a wall exactly
        // between two rows would block neither.
        let cells = |low: f32, high: f32, origin: f32| {
            let first = ((low - origin) * scale).floor();
            let end = ((high - origin) * scale).ceil().max(first + 1.0);
            [first, end].map(|cell| cell.clamp(0.0, self.size as f32) as u32)
        };
        let [first, end] = cells(z0, z1, self.origin.y);
        for row in first..end {
            // Rounding must not make a shape that lies exactly between two rows miss both.
            let bottom = self.origin.y + row as f32 * self.cell_size;
            let (low, high) = grown.x_range_between(bottom.min(z1), (bottom + self.cell_size).max(z0));
            if low > high {
                continue;
            }
            let [from, to] = cells(low, high, self.origin.x);
            if from < to {
                self.blocked[row as usize] |= (u64::MAX >> (64 - (to - from))) << from;
            }
        }
    }

    /// Blocks or frees the cell in column `x`, row `z`, for a grid that comes from sensors. Cells outside the grid are
    /// left as they are. A path keeps its distance only if what is occupied was grown by the agent's radius.
    pub fn set_blocked(&mut self, x: u32, z: u32, blocked: bool) {
        if x < self.size && z < self.size {
            let row = &mut self.blocked[z as usize];
            *row = *row & !(1 << x) | u64::from(blocked) << x;
        }
    }

    /// Cells per side.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Side of a cell in metres.
    #[must_use]
    pub fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// The low corner: (x, z).
    #[must_use]
    pub fn origin(&self) -> Vec2 {
        self.origin
    }

    /// Whether the cell in column `x`, row `z` is blocked. Cells outside the grid count as blocked.
    #[must_use]
    pub fn is_blocked(&self, x: u32, z: u32) -> bool {
        x >= self.size || z >= self.size || self.blocked[z as usize] >> x & 1 != 0
    }

    /// The free cells of a row, one bit each, column 0 lowest.
    pub(super) fn free_row(&self, row: usize) -> u64 {
        !self.blocked[row] & u64::MAX >> (64 - self.size)
    }

    /// Converts a point to cells from the low corner.
    pub(super) fn to_cells(&self, p: Vec3) -> Vec2 {
        (Vec2::new(p.x, p.z) - self.origin) / self.cell_size
    }

    /// Converts a point in cells to world coordinates, at height `y`.
    pub(super) fn to_world(&self, p: Vec2, y: f32) -> Vec3 {
        let p = self.origin + p * self.cell_size;
        Vec3::new(p.x, y, p.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Shape;

    fn picture(grid: &LocalGrid) -> String {
        let row = |z| (0..grid.size()).map(|x| if grid.is_blocked(x, z) { '#' } else { '.' }).collect::<String>();
        (0..grid.size()).map(row).collect::<Vec<_>>().join("\n")
    }

    fn blocked_by(shape: Shape, radius: f32) -> String {
        let mut grid = LocalGrid::new(8, 1.0).unwrap();
        grid.block(&Obstacle { shape, id: 0 }, radius);
        picture(&grid)
    }

    #[test]
    fn a_disc_blocks_what_it_touches() {
        let disc = Shape::Disc { center: Vec3::new(0.5, 0.0, 0.5), radius: 1.0 };
        let want = "........\n........\n........\n...###..\n...###..\n...###..\n........\n........";
        assert_eq!(blocked_by(disc, 0.2), want);
    }

    #[test]
    fn what_is_no_number_blocks_nothing_and_no_disc_is_too_large() {
        let disc = |z: f32, radius: f32| Shape::Disc { center: Vec3::new(0.5, 0.0, z), radius };
        assert!(!blocked_by(disc(0.5, f32::NAN), 0.2).contains('#'));
        assert!(!blocked_by(disc(f32::NAN, 1.0), 0.2).contains('#'));
        for (z, radius) in [(-2e19, 3e19), (0.0, 1e38), (1e30, 2e30)] {
            assert!(!blocked_by(disc(z, radius), 0.2).contains('.'), "{z} {radius}");
        }
    }

    #[test]
    fn a_wall_blocks_a_band() {
        let wall = Shape::Segment { a: Vec3::new(-3.5, 0.0, -3.5), b: Vec3::new(3.5, 0.0, 3.5) };
        let picture = blocked_by(wall, 0.1);
        for (z, row) in picture.lines().enumerate() {
            let blocked: Vec<usize> = row.match_indices('#').map(|(x, _)| x).collect();
            assert!(blocked.contains(&z) && blocked.iter().all(|x| x.abs_diff(z) <= 1), "{picture}");
        }
    }

    #[test]
    fn a_wall_between_two_rows_of_cells_blocks_one_of_them() {
        let wall =
            |ax, az, bx, bz| blocked_by(Shape::Segment { a: Vec3::new(ax, 0.0, az), b: Vec3::new(bx, 0.0, bz) }, 0.0);
        assert_eq!(wall(1.0, -9.0, 1.0, 9.0), [".....#.."; 8].join("\n"));
        let level = wall(-9.0, 1.0, 9.0, 1.0);
        assert!(
            level.lines().enumerate().all(|(z, row)| row == if z == 5 { "########" } else { "........" }),
            "{level}"
        );
        for beside in [wall(4.0, -9.0, 4.0, 9.0), wall(-9.0, -4.5, 9.0, -4.5), wall(99.0, 0.0, 99.0, 1.0)] {
            assert!(!beside.contains('#'), "{beside}");
        }
    }

    #[test]
    fn a_thin_box_is_a_wall_however_it_is_turned() {
        let quarter = core::f32::consts::FRAC_PI_2;
        let boxed =
            |half, turns: i32| blocked_by(Shape::Box { center: Vec3::ZERO, half, yaw: turns as f32 * quarter }, 0.0);
        for turns in -8..=8 {
            let along = |x: f32, z: f32| if turns % 2 == 0 { [x, z] } else { [z, x] };
            assert_eq!(boxed(along(2.0, 0.0), turns), boxed([2.0, 0.0], 0), "{turns}");
            assert_eq!(boxed(along(0.0, 2.0), turns), boxed([0.0, 2.0], 0), "{turns}");
        }
        assert_eq!(boxed([2.0, 0.0], 0).matches('#').count(), 4);
    }

    #[test]
    fn cells_are_blocked_and_freed_one_by_one() {
        let mut grid = LocalGrid::new(64, 0.5).unwrap();
        for cell in [(0, 0), (63, 63), (63, 0), (5, 9)] {
            grid.set_blocked(cell.0, cell.1, true);
            grid.set_blocked(cell.0, cell.1, true);
            assert!(grid.is_blocked(cell.0, cell.1));
        }
        assert_eq!(picture(&grid).matches('#').count(), 4);
        grid.set_blocked(5, 9, false);
        assert!(!grid.is_blocked(5, 9) && grid.is_blocked(63, 63));
        let before = picture(&grid);
        for (x, z) in [(64, 0), (0, 64), (u32::MAX, 0), (3, u32::MAX)] {
            grid.set_blocked(x, z, false);
            grid.set_blocked(x, z, true);
        }
        assert_eq!(picture(&grid), before);
    }

    #[test]
    fn bad_sizes_are_refused_and_bad_obstacles_ignored() {
        assert_eq!(LocalGrid::new(65, 1.0).unwrap_err(), LocalGridError::Size { size: 65 });
        assert!(LocalGrid::new(0, 1.0).is_err());
        assert!([f32::NAN, 0.0, -1.0, 1e-30, 1e30].iter().all(|cell| LocalGrid::new(8, *cell).is_err()));
        let nowhere = Shape::Disc { center: Vec3::NAN, radius: 1.0 };
        assert!(!blocked_by(nowhere, 0.0).contains('#'));
        let all = Shape::Disc { center: Vec3::ZERO, radius: 1e30 };
        assert!(!blocked_by(all, 0.0).contains('.'));
    }

    /// Each cell against a dense sampling of its area.
    #[test]
    fn shapes_block_just_the_cells_they_touch() {
        let mut rng = crate::math::Rng::new(5);
        for _ in 0..300 {
            let mut point = || Vec3::new(rng.unit() * 10.0 - 5.0, 0.0, rng.unit() * 10.0 - 5.0);
            let (a, b) = (point(), point());
            let shapes = [
                Shape::Segment { a, b },
                Shape::Disc { center: a, radius: b.x.abs() * 0.5 },
                Shape::Box { center: a, half: [b.x.abs() * 0.4, b.z.abs() * 0.4], yaw: b.x },
            ];
            for shape in shapes {
                let radius = 0.3;
                let mut grid = LocalGrid::new(16, 0.5).unwrap();
                grid.block(&Obstacle { shape, id: 0 }, radius);
                for z in 0..16 {
                    for x in 0..16 {
                        let sample = |i: u32, n: u32| (i as f32 + 0.5) / n as f32;
                        let nearest = (0..36)
                            .map(|i| Vec2::new(x as f32 + sample(i % 6, 6), z as f32 + sample(i / 6, 6)))
                            .map(|p| crate::grid::blockers::distance_to_core(&shape, grid.to_world(p, 0.0)))
                            .fold(f32::INFINITY, f32::min);
                        let radius = radius + if let Shape::Disc { radius, .. } = shape { radius } else { 0.0 };
                        if nearest < radius - 1e-3 {
                            assert!(grid.is_blocked(x, z), "{shape:?} misses {x} {z}");
                        }
                        if nearest > radius + 0.5 * 0.25 {
                            assert!(!grid.is_blocked(x, z), "{shape:?} blocks {x} {z} at {nearest}");
                        }
                    }
                }
            }
        }
    }
}
