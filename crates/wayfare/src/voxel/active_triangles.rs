//! The triangles that cross the band of rows being swept, from the lowest up.
//!
//! Their order does not affect the result. But height ranges in ascending order usually touch the span below or lie
//! above all others, which merging handles best. A rough sort is enough for that: by counting, with about as many
//! height steps as triangles.
//!
//! Cost: linear in the triangles of a band. Sources: own work.

use super::cell_triangle::CellTriangle;
use super::triangle_rows::RowTriangle;

/// The active list of the sweep.
#[derive(Debug, Default)]
pub(super) struct ActiveTriangles {
    /// In any order.
    triangles: Vec<RowTriangle>,
    /// Numbers of all triangles, from the lowest up.
    order: Vec<u32>,
    /// Where those of each height step end in `order`.
    ends: Vec<u32>,
    /// Those of the band that lie within one cell, in any order: neighbours on a surface are consecutive.
    pub(super) in_cells: Vec<CellTriangle>,
}

impl ActiveTriangles {
    pub(super) fn clear(&mut self) {
        self.triangles.clear();
        self.in_cells.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Adds triangles, which are in order once they are sorted.
    pub(super) fn join(&mut self, triangles: impl Iterator<Item = RowTriangle>) {
        self.triangles.extend(triangles);
    }

    /// Puts all triangles in order.
    pub(super) fn sort(&mut self) {
        let Self { triangles, order, ends, .. } = self;
        let highest = triangles.iter().map(|triangle| triangle.lowest()).fold(0.0, f32::max);
        let last_step = triangles.len().next_power_of_two() - 1;
        let per_height = last_step as f32 / highest.max(1.0);
        let step = |triangle: &RowTriangle| ((triangle.lowest() * per_height) as usize).min(last_step);
        ends.clear();
        ends.resize(last_step + 1, 0);
        triangles.iter().for_each(|triangle| ends[step(triangle)] += 1);
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += core::mem::replace(end, sum);
        }
        order.resize(triangles.len(), 0);
        for (number, triangle) in (0..).zip(triangles.iter()) {
            let end = &mut ends[step(triangle)];
            order[*end as usize] = number;
            *end += 1;
        }
    }

    /// Visits each that was there when they were sorted, from the lowest up.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = &RowTriangle> {
        self.order.iter().map(|&number| &self.triangles[number as usize])
    }

    /// Removes those for which `f` returns true, and all that lie within one cell.
    pub(super) fn leave(&mut self, f: impl Fn(&RowTriangle) -> bool) {
        self.in_cells.clear();
        self.triangles.retain(|triangle| !f(triangle));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::AreaId;
    use crate::voxel::grid_lines::GridLines;
    use glam::Vec3;

    #[test]
    fn triangles_come_from_the_lowest_up() {
        let lines = GridLines::new(0.0, 1.0);
        let at = |y: f32| {
            let corners = [Vec3::new(0.0, y, 0.0), Vec3::new(1.0, y, 0.0), Vec3::new(0.0, y + 3.0, 1.0)];
            RowTriangle::new(corners, AreaId::WALKABLE, [0, 0], [&lines; 2])
        };
        let heights = |active: &ActiveTriangles| active.iter().map(|t| t.lowest()).collect::<Vec<_>>();
        let mut active = ActiveTriangles::default();
        active.sort();
        assert!(heights(&active).is_empty());
        active.join([40.0, 0.0, -5.0, 700.0].map(at).into_iter());
        active.join([300.0].map(at).into_iter());
        active.sort();
        assert_eq!(heights(&active)[3..], [300.0, 700.0]);
        active.leave(|triangle| triangle.lowest() == 300.0);
        active.join([500.0].map(at).into_iter());
        active.sort();
        assert_eq!(heights(&active)[3..], [500.0, 700.0]);
    }
}
