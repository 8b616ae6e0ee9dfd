//! A small grid that follows an agent.

use crate::fault::{Answer, Fault};
use crate::grid_obstacle::obstacles;
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::grid::{GridSearch, LocalGrid, Obstacle, blockers};

#[wasm_bindgen(js_name = RawLocalGrid)]
pub struct RawLocalGrid {
    grid: LocalGrid,
    search: GridSearch,
    obstacles: Vec<Obstacle>,
}

fn vec3(at: &[f32]) -> Answer<Vec3> {
    match at {
        &[x, y, z] => Ok(Vec3::new(x, y, z)),
        _ => Err(Fault::argument("a point has 3 numbers")),
    }
}

#[wasm_bindgen(js_class = RawLocalGrid)]
impl RawLocalGrid {
    #[wasm_bindgen(constructor)]
    pub fn new(size: u32, cell_size: f32) -> Answer<RawLocalGrid> {
        let grid = LocalGrid::new(size, cell_size)?;
        Ok(Self { grid, search: GridSearch::default(), obstacles: Vec::new() })
    }

    pub fn recenter(&mut self, at: &[f32]) -> Answer<()> {
        self.grid.recenter(vec3(at)?);
        Ok(())
    }

    pub fn clear(&mut self) {
        self.grid.clear();
        self.obstacles.clear();
    }

    /// Blocks what an agent of a radius cannot enter for obstacles.
    pub fn block(&mut self, numbers: &[f32], ids: &[u32], radius: f32) -> Answer<()> {
        let obstacles = obstacles(numbers, ids)?;
        obstacles.iter().for_each(|obstacle| self.grid.block(obstacle, radius));
        self.obstacles.extend(obstacles);
        Ok(())
    }

    #[wasm_bindgen(js_name = setBlocked)]
    pub fn set_blocked(&mut self, x: u32, z: u32, blocked: bool) {
        self.grid.set_blocked(x, z, blocked);
    }

    /// Whether each cell is blocked, row by row.
    #[wasm_bindgen(js_name = setCells)]
    pub fn set_cells(&mut self, cells: &[u8]) -> Answer<()> {
        let size = self.grid.size();
        if cells.len() != (size * size) as usize {
            let sentence = format_args!("{} cells do not fill a grid of {size} by {size}", cells.len());
            return Err(Fault::argument(sentence));
        }
        for (row, z) in cells.chunks_exact(size as usize).zip(0..) {
            row.iter().zip(0..).for_each(|(&cell, x)| self.grid.set_blocked(x, z, cell != 0));
        }
        Ok(())
    }

    /// A path: status and runs visited, then the points.
    #[wasm_bindgen(js_name = findPath)]
    pub fn find_path(&mut self, start: &[f32], goal: &[f32]) -> Answer<Vec<f32>> {
        let path = self.search.find_path(&self.grid, vec3(start)?, vec3(goal)?);
        let status = match path.status {
            PathStatus::Complete => 2.0,
            PathStatus::Partial => 1.0,
            PathStatus::None => 0.0,
        };
        let mut numbers = vec![status, path.visited as f32];
        numbers.extend(path.points.iter().flat_map(Vec3::to_array));
        Ok(numbers)
    }

    /// The obstacles that a straight walk would touch, by their numbers.
    pub fn blockers(&self, start: &[f32], goal: &[f32], radius: f32) -> Answer<Vec<u32>> {
        Ok(blockers(&self.obstacles, vec3(start)?, vec3(goal)?, radius))
    }

    pub fn size(&self) -> u32 {
        self.grid.size()
    }

    /// The corner of the grid with the lowest x and z.
    pub fn origin(&self) -> Vec<f32> {
        self.grid.origin().to_array().to_vec()
    }

    /// Whether each cell is blocked, row by row.
    pub fn cells(&self) -> Vec<u8> {
        let size = self.grid.size();
        (0..size).flat_map(|z| (0..size).map(move |x| (x, z))).map(|(x, z)| self.grid.is_blocked(x, z).into()).collect()
    }
}
