//! A part of a heightfield as one of its own.
//!
//! A cell is rasterised to the same spans whatever the rectangle, so the part is what rasterising it alone would have given:
//! agents of different radius share one rasterisation, each with the border that it needs.
//!
//! Cost: the spans copied. Sources: own work.

use super::{Grid, Heightfield};

/// Copies the cells of `grid` out of a heightfield of the same level; cells that it does not have are empty. Replaces what
/// `out` holds and keeps its memory.
pub fn crop_into(field: &Heightfield, grid: Grid, out: &mut Heightfield) {
    out.grid = grid;
    out.columns.clear();
    out.columns.reserve(grid.cell_count() + 1);
    out.columns.push(0);
    out.min.clear();
    out.max.clear();
    out.area.clear();
    let from = &field.grid;
    for z in 0..grid.depth {
        let row = i64::from(grid.z) + i64::from(z) - i64::from(from.z);
        let left = i64::from(grid.x) - i64::from(from.x);
        // The columns of this row that both have, counted in the part.
        let first = (-left).clamp(0, i64::from(grid.width));
        let end = (i64::from(from.width) - left).clamp(first, i64::from(grid.width));
        let end = if (0..i64::from(from.depth)).contains(&row) { end } else { first };
        let mut taken = out.area.len() as u32;
        out.columns.extend((0..first).map(|_| taken));
        if first < end {
            let cells =
                from.index((left + first) as u32, row as u32)..from.index((left + end - 1) as u32, row as u32) + 1;
            let starts = &field.columns[cells.start..=cells.end];
            let spans = starts[0] as usize..starts[starts.len() - 1] as usize;
            out.columns.extend(starts[1..].iter().map(|&start| taken + start - starts[0]));
            out.min.extend_from_slice(&field.min[spans.clone()]);
            out.max.extend_from_slice(&field.max[spans.clone()]);
            out.area.extend_from_slice(&field.area[spans]);
        }
        taken = out.area.len() as u32;
        out.columns.extend((end..i64::from(grid.width)).map(|_| taken));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::AreaId;
    use crate::voxel::column_tests::field_of_columns;

    #[test]
    fn a_part_has_the_spans_of_its_cells_and_nothing_beyond() {
        let span = |y: u16| [(0, y, AreaId::WALKABLE), (y + 5, y + 6, AreaId::NULL)];
        let columns: Vec<_> = (1..=12).map(span).collect();
        let slices: Vec<&[(u16, u16, AreaId)]> =
            columns.iter().enumerate().map(|(i, c)| if i % 5 == 3 { &c[..0] } else { &c[..1 + i % 2] }).collect();
        let field = field_of_columns(4, &slices);
        for (x, z, width, depth) in
            [(0, 0, 4, 3), (1, 1, 2, 1), (-2, -1, 9, 9), (2, 2, 5, 5), (-5, 0, 2, 2), (9, 9, 2, 2)]
        {
            let grid = Grid { x, z, width, depth, ..field.grid };
            let mut part = Heightfield::empty(grid);
            crop_into(&field, grid, &mut part);
            assert_eq!(part.columns.len(), grid.cell_count() + 1);
            for (cx, cz) in (0..width).flat_map(|cx| (0..depth).map(move |cz| (cx, cz))) {
                let (fx, fz) = (x + cx as i32, z + cz as i32);
                let inside = (0..4).contains(&fx) && (0..3).contains(&fz);
                let spans = |f: &Heightfield, cell| f.column(cell).map(|s| (f.min[s], f.max[s], f.area[s])).collect();
                let expected: Vec<_> =
                    if inside { spans(&field, field.grid.index(fx as u32, fz as u32)) } else { Vec::new() };
                let found: Vec<_> = spans(&part, grid.index(cx, cz));
                assert_eq!(found, expected, "cell {fx}, {fz}");
            }
        }
    }
}
