//! A small grid that follows an agent.

use crate::border::{fill, list, put};
use crate::choices::{Choice, WayfareGridShape};
use crate::geometry::{WayfareVec3, finite, length, point};
use crate::handle::{Handle, handle};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use wayfare_nav::grid::{GridSearch, LocalGrid, Obstacle, Shape, blockers};

/// A small grid around an agent, in which others and things block cells.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareGrid {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareGrid, Grid, "grid");

/// A grid and the memory of its searches.
pub(crate) struct Grid {
    grid: LocalGrid,
    search: GridSearch,
}

/// Something in the way.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareGridObstacle {
    /// A `WayfareGridShape`.
    pub shape: u32,
    /// A number of the user.
    pub id: u32,
    /// Segment: one end. Disc, box: the middle.
    pub a: WayfareVec3,
    /// Segment: the other end.
    pub b: WayfareVec3,
    /// Disc.
    pub radius: f32,
    /// Box: half its width.
    pub half_x: f32,
    /// Box: half its depth.
    pub half_z: f32,
    /// Box: radians around the vertical.
    pub yaw: f32,
}

impl WayfareGridObstacle {
    fn get(&self) -> Outcome<Obstacle> {
        let shape = match WayfareGridShape::of(self.shape, "shape")? {
            WayfareGridShape::Segment => Shape::Segment { a: point(self.a, "a")?, b: point(self.b, "b")? },
            WayfareGridShape::Disc => {
                Shape::Disc { center: point(self.a, "a")?, radius: length(self.radius, "radius")? }
            }
            WayfareGridShape::Box => {
                let half = [length(self.half_x, "half_x")?, length(self.half_z, "half_z")?];
                Shape::Box { center: point(self.a, "a")?, half, yaw: finite(self.yaw, "yaw")? }
            }
        };
        Ok(Obstacle { shape, id: self.id })
    }
}

pub(crate) fn grid_obstacles(given: &[WayfareGridObstacle]) -> Outcome<Vec<Obstacle>> {
    given.iter().map(WayfareGridObstacle::get).collect()
}

/// A grid of `size` cells to each side, 64 at most.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_grid_new(size: u32, cell_size: f32, grid: *mut WayfareGrid) -> WayfareStatus {
    border(|| {
        let made = LocalGrid::new(size, cell_size).map_err(Failure::argument)?;
        put!(grid, WayfareGrid::keep(Grid { grid: made, search: GridSearch::default() })?)
    })
}

/// Moves a grid: it is empty then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_grid_recenter(grid: WayfareGrid, center: WayfareVec3) -> WayfareStatus {
    border(|| {
        let center = point(center, "center")?;
        grid.write()?.grid.recenter(center);
        Ok(())
    })
}

/// Empties a grid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_grid_clear(grid: WayfareGrid) -> WayfareStatus {
    border(|| {
        grid.write()?.grid.clear();
        Ok(())
    })
}

/// Blocks the cells where an agent of this radius would touch an obstacle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_grid_block(
    grid: WayfareGrid,
    obstacles: *const WayfareGridObstacle,
    count: usize,
    radius: f32,
) -> WayfareStatus {
    border(|| {
        let (all, radius) = (grid_obstacles(list!(obstacles, count)?)?, length(radius, "radius")?);
        let mut held = grid.write()?;
        for obstacle in &all {
            held.grid.block(obstacle, radius);
        }
        Ok(())
    })
}

fn check_cell(grid: &LocalGrid, x: u32, z: u32) -> Outcome {
    let size = grid.size();
    if x < size && z < size {
        return Ok(());
    }
    Err(Failure::argument(format_args!("cell {x}, {z}: the grid has {size} to each side")))
}

/// Blocks the cell in column `x`, row `z`, or frees it (`blocked` 0): for grids that come from sensors. What is occupied must
/// be grown by the agent's radius, if paths are to keep that distance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_grid_set_blocked(grid: WayfareGrid, x: u32, z: u32, blocked: u32) -> WayfareStatus {
    border(|| {
        let mut held = grid.write()?;
        check_cell(&held.grid, x, z)?;
        held.grid.set_blocked(x, z, blocked != 0);
        Ok(())
    })
}

/// Whether a cell is blocked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_grid_is_blocked(
    grid: WayfareGrid,
    x: u32,
    z: u32,
    blocked: *mut u32,
) -> WayfareStatus {
    border(|| {
        let held = grid.read()?;
        check_cell(&held.grid, x, z)?;
        put!(blocked, held.grid.is_blocked(x, z).into())
    })
}

/// A path over free cells. `status` as that of paths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_grid_path(
    grid: WayfareGrid,
    from: WayfareVec3,
    to: WayfareVec3,
    status: *mut u32,
    points: *mut WayfareVec3,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let (from, to, mut held) = (point(from, "from")?, point(to, "to")?, grid.write()?);
        let Grid { grid, search } = &mut *held;
        let path = search.find_path(grid, from, to);
        put!(status, path.status as u32)?;
        fill!(points, capacity, count, path.points.iter().map(|at| (*at).into()))
    })
}

/// Frees a grid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_grid_free(grid: WayfareGrid) -> WayfareStatus {
    border(|| grid.free())
}

/// The numbers of the obstacles that stand in the way between two points: what must be moved or walked around.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_grid_blockers(
    obstacles: *const WayfareGridObstacle,
    obstacle_count: usize,
    from: WayfareVec3,
    to: WayfareVec3,
    radius: f32,
    ids: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let all = grid_obstacles(list!(obstacles, obstacle_count)?)?;
        let [from, to] = [point(from, "from")?, point(to, "to")?];
        fill!(ids, capacity, count, blockers(&all, from, to, length(radius, "radius")?).into_iter())
    })
}
