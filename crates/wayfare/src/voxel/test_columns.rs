//! Heightfields written by hand, for the tests of this module.

use super::{Grid, Heightfield};
use crate::area::AreaId;
use glam::Vec3;

/// A field of `width` columns a row, each a list of (bottom, top, area).
pub(crate) fn field_of_columns(width: u32, columns: &[&[(u16, u16, AreaId)]]) -> Heightfield {
    let depth = columns.len() as u32 / width;
    let grid = Grid { origin: Vec3::ZERO, cell_size: 1.0, cell_height: 1.0, x: 0, z: 0, width, depth };
    let mut field = Heightfield::empty(grid);
    for (cell, column) in columns.iter().enumerate() {
        for &(min, max, area) in *column {
            field.min.push(min);
            field.max.push(max);
            field.area.push(area);
        }
        field.columns[cell + 1] = field.area.len() as u32;
    }
    field
}
