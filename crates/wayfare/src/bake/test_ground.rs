//! Hand-made surfaces for the tests of this module.

use super::{BORDER_REGION, Regions};
use crate::area::AreaId;
use crate::math::index::NONE;
use crate::voxel::{CompactHeightfield, DIRECTIONS, Grid};

/// Steps up to this height are linked.
const CLIMB: u16 = 4;

/// A surface whose columns have the given heights, all of region 1; spans of neighbouring cells are linked where the
/// step is at most four.
pub(super) fn ground(width: u32, depth: u32, heights: impl Fn(i32, i32) -> Vec<u16>) -> (CompactHeightfield, Regions) {
    ground_with_border(width, depth, 0, heights)
}

/// The same with `border` cells around it, whose regions are border regions. Coordinates count from the tile proper.
pub(super) fn ground_with_border(
    width: u32,
    depth: u32,
    border: u32,
    heights: impl Fn(i32, i32) -> Vec<u16>,
) -> (CompactHeightfield, Regions) {
    let b = border as i32;
    let grid = Grid {
        origin: glam::Vec3::new(10.0, 5.0, -20.0),
        cell_size: 0.5,
        cell_height: 0.25,
        x: -b,
        z: -b,
        width: width + 2 * border,
        depth: depth + 2 * border,
    };
    let mut field = CompactHeightfield::empty(grid);
    field.border = border;
    field.columns.clear();
    let mut regions = Regions { id: Vec::new(), count: 1 };
    for z in -b..depth as i32 + b {
        for x in -b..width as i32 + b {
            field.columns.push(field.y.len() as u32);
            let inside = x >= 0 && z >= 0 && x < width as i32 && z < depth as i32;
            for y in heights(x, z) {
                field.y.push(y);
                field.clearance.push(10);
                field.area.push(AreaId::WALKABLE);
                regions.id.push(if inside { 1 } else { BORDER_REGION | 1 });
            }
        }
    }
    field.columns.push(field.y.len() as u32);
    field.neighbours = vec![[NONE; 4]; field.y.len()];
    for z in 0..grid.depth as i32 {
        for x in 0..grid.width as i32 {
            for (direction, (dx, dz)) in DIRECTIONS.into_iter().enumerate() {
                let (nx, nz) = (x + dx, z + dz);
                if nx < 0 || nz < 0 || nx >= grid.width as i32 || nz >= grid.depth as i32 {
                    continue;
                }
                for s in field.column(grid.index(x as u32, z as u32)) {
                    let to = field.column(grid.index(nx as u32, nz as u32));
                    let near = to.into_iter().find(|&t| field.y[t].abs_diff(field.y[s]) <= CLIMB);
                    field.neighbours[s][direction] = near.map_or(NONE, |t| t as u32);
                }
            }
        }
    }
    (field, regions)
}
