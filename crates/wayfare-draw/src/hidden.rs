//! Finds the parts of walls that are hidden from above: upper floors cover lower ones, and the picture would not show
//! that there is anything beneath. They are drawn dashed, as in floor plans.
//!
//! First the highest surface over each cell of a raster is found; a wall is hidden where the surface over its cell is
//! clearly higher.
//!
//! ```text
//!     ════════════  upper floor
//!     ┆          ┆  hidden: dashed on the page
//!   ──┴──────────┴──  lower floor
//! ```
//!
//! Cost: the cells under each polygon, and one step per cell along each wall.
//!
//! Sources: the highest surface per cell is a depth buffer, Edwin Catmull, 1974.

use wayfare::Vec3;
use wayfare::debug::{DrawnShape, Role, ShapeKind, ShapeList};
use wayfare::math::Aabb;
use wayfare::math::plane::height_on_triangle as height_at;

/// Cells along the longer side: finer than visible in most pictures.
const CELLS: f32 = 512.0;

/// A surface this much above a wall hides it, metres: a floor, not the next step of a stair.
const ABOVE: f32 = 1.0;

/// The parts of walls that are hidden, as lines.
pub(crate) fn walls(shapes: &ShapeList, bounds: &Aabb) -> Vec<Vec<Vec3>> {
    let size = bounds.size();
    if size.y <= ABOVE {
        return Vec::new();
    }
    let tops = Tops::new(shapes, bounds);
    let walls = shapes.shapes().iter().filter(|s| s.role == Role::Wall && s.kind == ShapeKind::Line);
    walls.flat_map(|wall| shapes.points(wall).windows(2).flat_map(|edge| tops.hidden(edge[0], edge[1]))).collect()
}

/// The highest surface over each cell.
struct Tops {
    low: Vec3,
    cell: f32,
    columns: usize,
    rows: usize,
    heights: Vec<f32>,
}

impl Tops {
    fn new(shapes: &ShapeList, bounds: &Aabb) -> Self {
        let size = bounds.size();
        let cell = (size.x.max(size.z) / CELLS).max(1e-3);
        let cells = |length: f32| (length / cell).ceil().max(1.0) as usize;
        let (columns, rows) = (cells(size.x), cells(size.z));
        let mut tops = Self { low: bounds.min, cell, columns, rows, heights: vec![f32::NEG_INFINITY; columns * rows] };
        let is_ground = |s: &&DrawnShape| s.kind == ShapeKind::Polygon && matches!(s.role, Role::Ground(_));
        for shape in shapes.shapes().iter().filter(is_ground) {
            if let [a, rest @ ..] = shapes.points(shape) {
                rest.windows(2).for_each(|edge| tops.cover([*a, edge[0], edge[1]]));
            }
        }
        tops
    }

    /// Raises the cells whose centres lie under a triangle.
    fn cover(&mut self, [a, b, c]: [Vec3; 3]) {
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let cells = |from: f32, to: f32, low: f32, most: usize| {
            let cell = |at: f32| ((at - low) / self.cell).clamp(0.0, most as f32) as usize;
            cell(from)..(cell(to) + 1).min(most)
        };
        let columns = cells(low.x, high.x, self.low.x, self.columns);
        for row in cells(low.z, high.z, self.low.z, self.rows) {
            for column in columns.clone() {
                let middle = |k: usize, low: f32| low + (k as f32 + 0.5) * self.cell;
                let (x, z) = (middle(column, self.low.x), middle(row, self.low.z));
                if let Some(height) = height_at([a, b, c], x, z) {
                    let top = &mut self.heights[row * self.columns + column];
                    *top = top.max(height);
                }
            }
        }
    }

    fn top(&self, at: Vec3) -> f32 {
        let cell = |at: f32, low: f32, most: usize| (((at - low) / self.cell).max(0.0) as usize).min(most - 1);
        let (column, row) = (cell(at.x, self.low.x, self.columns), cell(at.z, self.low.z, self.rows));
        self.heights[row * self.columns + column]
    }

    /// The hidden parts of a line.
    fn hidden(&self, from: Vec3, to: Vec3) -> Vec<Vec<Vec3>> {
        let length = (to - from).with_y(0.0).length();
        let steps = (length / self.cell).ceil().clamp(1.0, 4.0 * CELLS) as u32;
        let at = |step: f32| from.lerp(to, step / steps as f32);
        let is_hidden = |step: u32| {
            let middle = at(step as f32 + 0.5);
            self.top(middle) > middle.y + ABOVE
        };
        let mut parts = Vec::new();
        let mut step = 0;
        while step < steps {
            let end = (step..steps).find(|&k| is_hidden(k) != is_hidden(step)).unwrap_or(steps);
            if is_hidden(step) {
                parts.push(vec![at(step as f32), at(end as f32)]);
            }
            step = end;
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::area::AreaId;
    use wayfare::debug::DebugSink as _;

    #[test]
    fn walls_under_another_floor_are_hidden_where_they_are_under_it() {
        let mut shapes = ShapeList::new();
        let mut square = |x: f32, y: f32, size: f32| {
            let corners = [[0.0, 0.0], [0.0, size], [size, size], [size, 0.0]].map(|[dx, z]| Vec3::new(x + dx, y, z));
            shapes.polygon(&corners, Role::Ground(AreaId::WALKABLE));
        };
        square(0.0, 0.0, 20.0);
        square(10.0, 3.0, 10.0);
        shapes.line(&[Vec3::new(2.0, 0.0, 5.0), Vec3::new(18.0, 0.0, 5.0)], Role::Wall);
        shapes.line(&[Vec3::new(12.0, 3.0, 5.0), Vec3::new(18.0, 3.0, 5.0)], Role::Wall);
        let hidden = walls(&shapes, &shapes.bounds());
        let [part] = &hidden[..] else { panic!("{hidden:?}") };
        assert!((part[0].x - 10.0).abs() < 0.1 && part[1].x == 18.0, "{part:?}");
        let mut flat = ShapeList::new();
        flat.polygon(&[Vec3::ZERO, Vec3::Z, Vec3::X], Role::Ground(AreaId::WALKABLE));
        flat.line(&[Vec3::ZERO, Vec3::X], Role::Wall);
        assert!(walls(&flat, &flat.bounds()).is_empty());
    }
}
