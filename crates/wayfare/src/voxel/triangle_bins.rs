//! Finds the triangles that each tile of a level has to rasterise.
//!
//! The level's cells are divided into tiles; a tile's bin lists the triangles whose box touches the tile or the border
//! around it, in ascending order. Three passes over the triangles: find rows with triangles, count, fill.
//!
//! Cost: linear in triangles, in the tiles that each triangle's box touches, and in all tiles of the rows that have
//! triangles: two islands far apart take no memory for the sea between them. Sources: counting sort.

use super::Grid;
use super::grid_lines::GridLines;
use crate::input::TriMesh;
use crate::math::index::NONE;
use glam::Vec3;

/// The triangles of every tile.
#[derive(Clone, Debug, Default)]
pub struct TriangleBins {
    columns: u32,
    /// Which of the rows that have triangles it is; [`NONE`] for one without.
    rows: Vec<u32>,
    /// Where the bins of these rows start, and where the last one ends.
    starts: Vec<u64>,
    triangles: Vec<u32>,
}

impl TriangleBins {
    /// Sorts the triangles of a mesh into tiles of `tile_size_vx` × `tile_size_vx` cells, counted from the level's low
    /// corner, with `border_vx` cells around each. A tile size of 0 means one tile.
    #[must_use]
    pub fn new(mesh: &TriMesh, level: &Grid, tile_size_vx: u32, border_vx: u32) -> Self {
        Self::of_rectangles(mesh, level, [tile_size_vx; 2], border_vx)
    }

    /// Like [`new`](Self::new), with tiles of this many cells along x and z.
    #[must_use]
    pub fn of_rectangles(mesh: &TriMesh, level: &Grid, tile_size_vx: [u32; 2], border_vx: u32) -> Self {
        let axes = axes(level, tile_size_vx, border_vx);
        let columns = axes[0].count;
        let (rows, filled) = rows_with_triangles(mesh, &axes);
        let mut starts = vec![0u64; filled as usize * columns as usize + 1];
        let bin = |row: u32, column: u32| rows[row as usize] as usize * columns as usize + column as usize;
        for_each_bin(mesh, &axes, |row, column, _| starts[bin(row, column)] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += core::mem::replace(start, sum);
        }
        let mut triangles = vec![0; sum as usize];
        for_each_bin(mesh, &axes, |row, column, triangle| {
            let start = &mut starts[bin(row, column)];
            triangles[*start as usize] = triangle;
            *start += 1;
        });
        // Each start has advanced to the next tile's.
        let bins = starts.len() - 1;
        starts.copy_within(0..bins, 1);
        starts[0] = 0;
        Self { columns, rows, starts, triangles }
    }

    /// The bytes that the bins of such tiles would take.
    #[must_use]
    pub fn bytes(mesh: &TriMesh, level: &Grid, tile_size_vx: [u32; 2], border_vx: u32) -> u64 {
        let axes = axes(level, tile_size_vx, border_vx);
        let (_, filled) = rows_with_triangles(mesh, &axes);
        let [x, z] = axes;
        let in_bins = |triangle: usize| {
            let TouchedTiles { rows, columns } = touched(mesh.corners(triangle), &x, &z);
            let count = |[first, last]: [u32; 2]| (u64::from(last) + 1).saturating_sub(u64::from(first));
            count(rows) * count(columns)
        };
        let starts = u64::from(x.count) * u64::from(filled) + 1;
        let table = 8 * starts + 4 * u64::from(z.count);
        (0..mesh.tris().len()).map(in_bins).fold(table, |sum, count| sum.saturating_add(4 * count))
    }

    /// Tiles along x.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Tiles along z.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows.len() as u32
    }

    /// The triangles that a tile has to rasterise, ascending; none for a tile that does not exist.
    #[must_use]
    pub fn tile(&self, column: u32, row: u32) -> &[u32] {
        let filled = self.rows.get(row as usize).copied().filter(|&filled| filled != NONE && column < self.columns);
        let Some(filled) = filled else { return &[] };
        let bin = filled as usize * self.columns as usize + column as usize;
        &self.triangles[self.starts[bin] as usize..self.starts[bin + 1] as usize]
    }
}

/// Tiles along x and z; a size of 0 is one tile.
fn axes(level: &Grid, tile_size_vx: [u32; 2], border_vx: u32) -> [TileAxis; 2] {
    let whole = level.width.max(level.depth).max(1);
    let [width, depth] = tile_size_vx.map(|size| if size == 0 { whole } else { size });
    let columns = level.width.div_ceil(width).max(1);
    let rows = level.depth.div_ceil(depth).max(1);
    [
        TileAxis::new(level.origin.x, level, width, border_vx, columns),
        TileAxis::new(level.origin.z, level, depth, border_vx, rows),
    ]
}

/// The tiles that a triangle's box touches: first and last; none if the last comes before the first.
struct TouchedTiles {
    rows: [u32; 2],
    columns: [u32; 2],
}

#[inline]
fn touched([a, b, c]: [Vec3; 3], x: &TileAxis, z: &TileAxis) -> TouchedTiles {
    let low = a.min(b).min(c);
    let high = a.max(b).max(c);
    TouchedTiles { rows: z.tiles(low.z, high.z), columns: x.tiles(low.x, high.x) }
}

/// Tiles along one axis.
struct TileAxis {
    lines: GridLines,
    size: u32,
    border: i64,
    /// At least one.
    count: u32,
}

impl TileAxis {
    fn new(origin: f32, level: &Grid, size: u32, border: u32, count: u32) -> Self {
        let lines = GridLines::new(origin, level.cell_size);
        Self { lines, size, border: i64::from(border), count }
    }

    /// First and last tile whose cells or border an interval of the axis touches. One more cell on each side: where the
    /// rasteriser cuts a triangle's edge, rounding may put the cut just outside the triangle's box.
    fn tiles(&self, low: f32, high: f32) -> [u32; 2] {
        let reach = self.border + 1;
        let [from, to] = [i64::from(self.lines.cell(low)) - reach, i64::from(self.lines.cell(high)) + reach];
        if to < 0 {
            return [1, 0];
        }
        // In 32 bits: dividing in 64 takes several times as long.
        let tile = |cell: i64| u32::try_from(cell).unwrap_or(u32::MAX) / self.size;
        [tile(from.max(0)), tile(to).min(self.count - 1)]
    }
}

/// Numbers the rows that have triangles, [`NONE`] for the others; and how many they are.
fn rows_with_triangles(mesh: &TriMesh, [x, z]: &[TileAxis; 2]) -> (Vec<u32>, u32) {
    let mut rows = vec![NONE; z.count as usize];
    for triangle in 0..mesh.tris().len() {
        let TouchedTiles { rows: [first, last], columns } = touched(mesh.corners(triangle), x, z);
        if columns[0] <= columns[1] && first <= last {
            rows[first as usize..=last as usize].fill(0);
        }
    }
    let filled = rows.iter_mut().filter(|row| **row != NONE);
    let count = (0..).zip(filled).map(|(number, row)| *row = number).count();
    (rows, count as u32)
}

/// Calls `f` with every row, column and triangle of a bin, triangles ascending.
fn for_each_bin(mesh: &TriMesh, [x, z]: &[TileAxis; 2], mut f: impl FnMut(u32, u32, u32)) {
    for triangle in 0..mesh.tris().len() {
        let TouchedTiles { rows, columns } = touched(mesh.corners(triangle), x, z);
        for row in rows[0]..=rows[1] {
            for column in columns[0]..=columns[1] {
                f(row, column, triangle as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::BakeSettings;
    use crate::math::Aabb;

    #[test]
    fn tiles_list_what_touches_them_and_their_border() {
        let corner = |x: f32, z: f32| [Vec3::new(x, 0.0, z), Vec3::new(x, 0.0, z + 1.0), Vec3::new(x + 1.0, 0.0, z)];
        // A level of 40 x 20 cells of 1 m, tiles of 10.
        let verts: Vec<Vec3> = [corner(0.2, 0.2), corner(7.5, 0.5), corner(38.5, 18.5)].concat();
        let mesh = TriMesh::new(verts, vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]]).unwrap();
        let settings = BakeSettings { cell_size: 1.0, ..BakeSettings::default() }.to_voxel().unwrap();
        let level = Grid::of_level(Aabb { min: Vec3::ZERO, max: Vec3::new(40.0, 1.0, 20.0) }, &settings).unwrap();
        let bins = TriangleBins::new(&mesh, &level, 10, 1);
        assert_eq!((bins.columns(), bins.rows()), (4, 2));
        assert_eq!(bins.tile(0, 0), [0, 1]);
        assert_eq!(bins.tile(1, 0), [1], "within the border of the second tile");
        assert_eq!(bins.tile(3, 1), [2]);
        assert!(bins.tile(2, 1).is_empty() && bins.tile(4, 0).is_empty());
        assert_eq!(TriangleBins::bytes(&mesh, &level, [10; 2], 1), 8 * 9 + 4 * 2 + 4 * bins.triangles.len() as u64);
        assert_eq!(TriangleBins::new(&mesh, &level, 0, 5).tile(0, 0), [0, 1, 2]);
    }
    #[test]
    fn the_sea_between_two_islands_takes_no_memory() {
        let island = |at: f32| [[at, 0.0, at], [at, 0.0, at + 9.0], [at + 9.0, 0.0, at]].map(Vec3::from);
        let verts: Vec<Vec3> = [island(0.0), island(1e6)].concat();
        let mesh = TriMesh::new(verts, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
        let settings = BakeSettings::default().to_voxel().unwrap();
        let level = Grid::of_level(mesh.bounds(), &settings).unwrap();
        let bins = TriangleBins::new(&mesh, &level, 48, 4);
        assert!(bins.starts.len() < 1_000_000, "{}", bins.starts.len());
        assert_eq!(bins.tile(0, 0), [0]);
        assert_eq!(bins.tile(bins.columns() - 1, bins.rows() - 1), [1]);
        assert!(bins.tile(bins.columns() / 2, 0).is_empty() && bins.tile(0, bins.rows() / 2).is_empty());
    }
}
