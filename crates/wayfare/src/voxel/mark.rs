//! Marks volumes: the surface inside a volume gets its area type.
//!
//! A span is inside if the centre of its cell is inside the volume's outline, seen from above, and its floor is between
//! the volume's bottom and top. For solids whose height varies (capsules, hulls, meshes), a span is inside if an agent
//! that stands on it would touch the solid. Spans that are not walkable stay so: a volume changes surfaces, it does not
//! create them.
//!
//! ```text
//!     agent  |     ####        touches: the floor is not above the solid's top there, and floor + agent height is
//!            |    ######       above its bottom there
//!     floor  +__################
//! ```
//!
//! Mark before eroding to keep agents away from the volume by their radius (an obstacle: [`AreaId::NULL`]), after
//! eroding to paint the exact surface (a road, mud).
//!
//! Cost: linear in the cells of the volume's box that are in the rectangle, times the outline's corners for prisms; for
//! meshes also in all triangles, in those over the rectangle for each row, and in those over the row for each cell.
//!
//! Sources: Mikko Mononen, Recast (`rcMarkConvexPolyArea`, `rcMarkBoxArea`, `rcMarkCylinderArea`), 2009.

use super::{CompactHeightfield, Grid};
use crate::area::AreaId;
use crate::input::{Solid, Volume};
use crate::math::Aabb;
use core::ops::{Range, RangeInclusive};
use glam::Vec2;

/// Sets the area type of the walkable spans inside a volume; [`AreaId::NULL`] makes them unwalkable. Volumes marked
/// later win. `agent_height`, metres, matters for solids only. Returns how many spans were inside.
pub fn mark_volume(field: &mut CompactHeightfield, volume: &Volume, area: AreaId, agent_height: f32) -> usize {
    match MarkedCells::under(&volume.bounds(), &field.grid) {
        Some(cells) => mark_cells(field, &cells, volume, (area, agent_height)),
        None => 0,
    }
}

/// Like [`mark_volume`], if the cells under the volume are known.
pub(crate) fn mark_cells(
    field: &mut CompactHeightfield,
    cells: &MarkedCells,
    volume: &Volume,
    (area, agent_height): (AreaId, f32),
) -> usize {
    match Solid::of(volume, cells.rectangle(&field.grid)) {
        Some(solid) => mark_solid(field, cells, solid, (area, agent_height)),
        None => mark_outline(field, cells, volume, area),
    }
}

/// The cells of a rectangle whose centres can lie between two coordinates.
pub(crate) struct MarkedCells {
    columns: Range<u32>,
    rows: Range<u32>,
    /// From the lowest floor inside to the highest.
    heights: RangeInclusive<f32>,
}

impl MarkedCells {
    /// Those under a box; `None` if there are none.
    pub(crate) fn under(bounds: &Aabb, grid: &Grid) -> Option<Self> {
        if bounds.is_empty() {
            return None;
        }
        let cells = |low: f32, high: f32, origin: f32, first: i32, count: u32| {
            let cell = |v: f32| f64::from((v - origin) / grid.cell_size).floor() - f64::from(first);
            let last = (cell(high) + 1.0).min(f64::from(count));
            // Casts saturate: nothing remains of an interval that ends below 0.
            (cell(low).max(0.0) as u32)..(last as u32)
        };
        let columns = cells(bounds.min.x, bounds.max.x, grid.origin.x, grid.x, grid.width);
        let rows = cells(bounds.min.z, bounds.max.z, grid.origin.z, grid.z, grid.depth);
        let heights = bounds.min.y..=bounds.max.y;
        (!columns.is_empty() && !rows.is_empty()).then_some(Self { columns, rows, heights })
    }

    /// What marking a volume on them takes, in units of a budget: one for each cell, and one for each triangle or point
    /// of a solid.
    pub(crate) fn units(&self, volume: &Volume) -> u64 {
        let parts = match volume {
            Volume::Mesh { surface, .. } => surface.tris().len(),
            Volume::Hull(points) => points.len(),
            _ => 0,
        };
        self.columns.len() as u64 * self.rows.len() as u64 + parts as u64
    }

    /// The low and the high corner of their rectangle. The middles of the cells lie well inside.
    fn rectangle(&self, grid: &Grid) -> [Vec2; 2] {
        let corner = |x: u32, z: u32| Vec2::new(grid.world_x(x as i32), grid.world_z(z as i32));
        [corner(self.columns.start, self.rows.start), corner(self.columns.end, self.rows.end)]
    }
}

fn middle(grid: &Grid, x: u32, z: u32) -> Vec2 {
    Vec2::new(grid.world_x(x as i32), grid.world_z(z as i32)) + Vec2::splat(grid.cell_size * 0.5)
}

fn mark_outline(field: &mut CompactHeightfield, cells: &MarkedCells, volume: &Volume, area: AreaId) -> usize {
    let grid = field.grid;
    let inside = volume.outline();
    let mut marked = 0;
    for z in cells.rows.clone() {
        for x in cells.columns.clone() {
            let column = field.column(grid.index(x, z));
            if column.is_empty() || !inside(middle(&grid, x, z)) {
                continue;
            }
            for i in column {
                let floor = grid.world_y(i32::from(field.y[i]));
                if !field.area[i].is_null() && cells.heights.contains(&floor) {
                    field.area[i] = area;
                    marked += 1;
                }
            }
        }
    }
    marked
}

fn mark_solid(
    field: &mut CompactHeightfield,
    cells: &MarkedCells,
    mut solid: Solid,
    (area, agent_height): (AreaId, f32),
) -> usize {
    let grid = field.grid;
    let mut marked = 0;
    for z in cells.rows.clone() {
        solid.begin_row(middle(&grid, 0, z).y);
        for x in cells.columns.clone() {
            let column = field.column(grid.index(x, z));
            if column.is_empty() {
                continue;
            }
            let middle = middle(&grid, x, z);
            solid.column(middle.x, middle.y, &mut |bottom, top| {
                for i in column.clone() {
                    let floor = grid.world_y(i32::from(field.y[i]));
                    // Spans that already have the area were inside another range of the column, or need not change.
                    if !field.area[i].is_null()
                        && field.area[i] != area
                        && floor <= top
                        && floor + agent_height > bottom
                    {
                        field.area[i] = area;
                        marked += 1;
                    }
                }
            });
        }
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::BakeSettings;
    use crate::math::Aabb;
    use crate::voxel::compact;
    use crate::voxel::test_columns::field_of_columns;
    use glam::Vec3;

    /// The map of a floor of 8 x 5 cells of 1 m at height 1 after marking a volume with area 7.
    fn marked(volume: &Volume) -> Vec<String> {
        let floor = [(0, 1, AreaId::WALKABLE)];
        let columns: Vec<&[(u16, u16, AreaId)]> = vec![&floor; 40];
        let settings = BakeSettings::default().to_voxel().unwrap();
        let mut field = compact(&field_of_columns(8, &columns), 0, &settings);
        field.area[0] = AreaId::NULL;
        let area = AreaId::from_low_bits(7);
        let count = mark_volume(&mut field, volume, area, 2.0);
        assert_eq!(count, field.area.iter().filter(|&&a| a == area).count());
        let letter = |a: &AreaId| {
            if a.is_null() {
                ' '
            } else if *a == area {
                '7'
            } else {
                '.'
            }
        };
        field.area.chunks(8).map(|row| row.iter().map(letter).collect()).collect()
    }

    #[test]
    fn volumes_mark_the_cells_whose_middles_they_hold() {
        let aabb = Aabb { min: Vec3::new(-9.0, 0.5, -9.0), max: Vec3::new(2.4, 1.5, 1.6) };
        assert_eq!(marked(&Volume::Box(aabb)), [" 7......", "77......", "........", "........", "........"]);
        let outline = vec![Vec2::new(1.0, 1.0), Vec2::new(7.0, 1.0), Vec2::new(1.0, 5.0)];
        let prism = Volume::Prism { outline, heights: [0.0, 2.0] };
        assert_eq!(marked(&prism), [" .......", ".77777..", ".7777...", ".77.....", ".7......"]);
        let cylinder = Volume::Cylinder { base: Vec3::new(4.5, 0.0, 2.5), radius: 1.2, height: 2.0 };
        assert_eq!(marked(&cylinder), [" .......", "....7...", "...777..", "....7...", "........"]);
        let angle = core::f32::consts::FRAC_PI_4;
        let turned =
            Volume::TurnedBox { center: Vec3::new(4.5, 1.0, 2.5), half_extents: Vec3::new(2.9, 1.0, 0.3), angle };
        assert_eq!(marked(&turned), [" .7.....", "...7....", "....7...", ".....7..", "......7."]);
    }

    #[test]
    fn solids_mark_where_an_agent_would_touch_them() {
        // A ball over the floor, which lies at 1: it touches heads at 3, the more of them the lower it is.
        let ball = |y: f32| Volume::Capsule { base: Vec3::new(4.5, y, 2.5), radius: 1.5, height: 3.0 };
        assert!(!marked(&ball(3.1)).concat().contains('7'));
        assert_eq!(marked(&ball(2.8)), [" .......", "........", "....7...", "........", "........"]);
        assert_eq!(marked(&ball(1.9)), [" .......", "...777..", "...777..", "...777..", "........"]);
        // A ramp that rises from under the floor to the right.
        let corners =
            [[1.0, -1.0, 1.0], [7.0, -1.0, 1.0], [1.0, -1.0, 4.0], [7.0, -1.0, 4.0], [7.0, 2.0, 1.0], [7.0, 2.0, 4.0]];
        let ramp = Volume::Hull(corners.map(Vec3::from).to_vec());
        assert_eq!(marked(&ramp), [" .......", ".....77.", ".....77.", ".....77.", "........"]);
    }

    #[test]
    fn volumes_above_the_ground_or_of_no_size_mark_nothing() {
        let above = Aabb { min: Vec3::new(0.0, 1.5, 0.0), max: Vec3::splat(9.0) };
        let nothing = [
            Volume::Box(above),
            Volume::Box(Aabb::EMPTY),
            Volume::Prism { outline: vec![], heights: [0.0, 9.0] },
            Volume::Prism { outline: vec![Vec2::NAN; 3], heights: [0.0, 9.0] },
            Volume::Cylinder { base: Vec3::NAN, radius: 1.0, height: 1.0 },
            Volume::Cylinder { base: Vec3::splat(-1e30), radius: 3.0, height: 1.0 },
            Volume::Capsule { base: Vec3::NAN, radius: 1.0, height: 1.0 },
            Volume::Capsule { base: Vec3::ZERO, radius: -1.0, height: 1.0 },
            Volume::Hull(vec![]),
            Volume::Hull(vec![Vec3::ONE, Vec3::ZERO]),
            Volume::Hull(vec![Vec3::ZERO, Vec3::X * 9.0, Vec3::Z * 9.0, Vec3::NAN]),
        ];
        for volume in nothing {
            assert!(!marked(&volume).concat().contains('7'), "{volume:?}");
        }
    }
}
