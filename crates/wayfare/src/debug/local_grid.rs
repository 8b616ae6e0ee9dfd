//! Draws a local grid and the runs of free cells that its last search was made of.
//!
//! Sources: the pictures of Mikko Mononen, "Local Navigation Grids", Digesting Duck, March 2010.

use super::{DebugSink, Role};
use crate::grid::{GridSpan, LocalGrid};
use glam::Vec3;

/// Draws the outline of a grid at a height, its blocked cells as solid, and `spans`, those of
/// [`GridSearch::spans`](crate::grid::GridSearch::spans), as regions.
pub fn draw_local_grid(grid: &LocalGrid, spans: &[GridSpan], y: f32, sink: &mut impl DebugSink) {
    let origin = grid.origin();
    let cell = grid.cell_size();
    let size = grid.size();
    let corner = |x: u32, z: u32| Vec3::new(origin.x + x as f32 * cell, y, origin.y + z as f32 * cell);
    let rect =
        |x: [u32; 2], z: [u32; 2]| [corner(x[0], z[0]), corner(x[0], z[1]), corner(x[1], z[1]), corner(x[1], z[0])];
    for (number, span) in (0..).zip(spans) {
        let [row, first, end] = [span.row, span.first, span.end].map(u32::from);
        sink.polygon(&rect([first, end], [row, row + 1]), Role::Region(number));
    }
    for z in 0..size {
        for x in (0..size).filter(|&x| grid.is_blocked(x, z)) {
            sink.polygon(&rect([x, x + 1], [z, z + 1]), Role::Solid);
        }
    }
    let [a, b, c, d] = rect([0, size], [0, size]);
    sink.line(&[a, b, c, d, a], Role::TileOutline);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::ShapeList;
    use crate::grid::{GridSearch, Obstacle, Shape};

    #[test]
    fn blocked_cells_and_runs_cover_the_grid() {
        let mut grid = LocalGrid::new(8, 0.5).unwrap();
        grid.recenter(Vec3::ZERO);
        grid.block(&Obstacle { shape: Shape::Disc { center: Vec3::ZERO, radius: 0.6 }, id: 0 }, 0.0);
        let mut search = GridSearch::default();
        search.find_path(&grid, Vec3::new(-1.5, 0.0, 0.0), Vec3::new(1.5, 0.0, 0.0));
        let mut list = ShapeList::new();
        draw_local_grid(&grid, search.spans(), 1.0, &mut list);
        let width = |role: fn(Role) -> bool| -> f32 {
            let shapes = list.shapes().iter().filter(|shape| role(shape.role));
            shapes.map(|shape| list.points(shape)[2].x - list.points(shape)[0].x).sum()
        };
        let cells = width(|role| matches!(role, Role::Region(_))) + width(|role| role == Role::Solid);
        assert!((cells - 8.0 * 8.0 * 0.5).abs() < 1e-4, "{cells}");
        assert!(list.bounds().min.y == 1.0 && list.bounds().max.y == 1.0);
    }
}
