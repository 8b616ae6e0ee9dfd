//! Rasterisation, slow and obvious: every triangle is cut to every cell's square with all of its numbers in f64.
//!
//! ```text
//!        /\            cut to the square of one cell, a triangle is a polygon; the span reaches
//!    +--/--\--+        from the floor of its lowest corner to the ceiling of its highest
//!    | /____\ |
//!    +--------+
//! ```
//!
//! Sources: I. Sutherland, G. Hodgman, "Reentrant polygon clipping", CACM 1974.

use glam::DVec3;
use wayfare::voxel::RasterInput;

/// The solid spans of every cell of the wanted rectangle, as ranges of cell heights, lowest first, merged where they
/// touch. Rows follow each other. Cost: triangles × cells.
#[must_use]
pub fn raster_columns(input: &RasterInput<'_>) -> Vec<Vec<[u16; 2]>> {
    let (grid, level) = (input.grid, input.level);
    let mut columns = Vec::with_capacity(grid.cell_count());
    for z in 0..grid.depth as i32 {
        for x in 0..grid.width as i32 {
            let (column, row) = (grid.x + x, grid.z + z);
            let in_level = (0..level.width as i32).contains(&(column - level.x))
                && (0..level.depth as i32).contains(&(row - level.z));
            let spans = if in_level { spans_of_cell(input, column, row) } else { Vec::new() };
            columns.push(merge(spans));
        }
    }
    columns
}

fn spans_of_cell(input: &RasterInput<'_>, column: i32, row: i32) -> Vec<[u16; 2]> {
    let (origin, side) = (input.level.origin.as_dvec3(), f64::from(input.level.cell_size));
    let low = [origin.x + f64::from(column) * side, origin.z + f64::from(row) * side];
    let height = f64::from(input.level.cell_height);
    let mut spans = Vec::new();
    for i in 0..input.mesh.tris().len() {
        if input.triangles.is_some_and(|some| !some.contains(&(i as u32))) {
            continue;
        }
        let mut polygon: Vec<DVec3> = input.mesh.corners(i).iter().map(|c| c.as_dvec3()).collect();
        polygon = cut(&polygon, |p| p.x - low[0]);
        polygon = cut(&polygon, |p| low[0] + side - p.x);
        polygon = cut(&polygon, |p| p.z - low[1]);
        polygon = cut(&polygon, |p| low[1] + side - p.z);
        if polygon.len() < 3 {
            continue;
        }
        let heights = polygon.iter().map(|p| (p.y - origin.y) / height);
        let (bottom, top) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
        let bottom = bottom.floor().clamp(0.0, 65534.0) as u16;
        spans.push([bottom, (top.ceil().clamp(0.0, 65535.0) as u16).max(bottom + 1)]);
    }
    spans
}

/// The part of a polygon where `inside` is not negative.
fn cut(polygon: &[DVec3], inside: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
    let mut out = Vec::new();
    for (i, &a) in polygon.iter().enumerate() {
        let b = polygon[(i + 1) % polygon.len()];
        let (from, to) = (inside(a), inside(b));
        if from >= 0.0 {
            out.push(a);
        }
        if (from > 0.0 && to < 0.0) || (from < 0.0 && to > 0.0) {
            out.push(a + (b - a) * (from / (from - to)));
        }
    }
    out
}

fn merge(mut spans: Vec<[u16; 2]>) -> Vec<[u16; 2]> {
    spans.sort_unstable();
    let mut merged: Vec<[u16; 2]> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if span[0] <= last[1] => last[1] = last[1].max(span[1]),
            _ => merged.push(span),
        }
    }
    merged
}
