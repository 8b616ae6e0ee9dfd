//! Triangles that do not fit in memory, sorted by position in a temporary file.
//!
//! ```text
//!   triangles ──> a list for each cell of a grid ──> full lists are appended to the file, chunk by chunk
//!                                              box ──> the chunks of the cells under it ──> triangles in their order
//! ```
//!
//! The file has no name: it disappears when the program ends, however it ends.
//!
//! Cost: each triangle is written once, 48 bytes, and read for each block of tiles that it may touch; in memory are the
//! lists, up to a limit, and twelve bytes per chunk.

use crate::failure::{Failure, Result};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::sync::{Mutex, PoisonError};
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::math::{Aabb, BoxGrid};
use wayfare::world::SourceError;

/// Maximum size of the lists in memory, in bytes.
const IN_MEMORY: usize = 32 << 20;
/// Size of a triangle in bytes: its number, its corners, its area type.
const TRIANGLE: usize = 8 + 36 + 4;
/// Side of the smallest cells, metres.
const CELL: f32 = 32.0;

/// Triangles in a temporary file.
pub(super) struct Spill {
    file: Mutex<File>,
    cells: BoxGrid<Cell>,
    in_memory: usize,
    /// Bytes in the file.
    written: u64,
    /// Triangles so far.
    pub(super) count: u64,
    pub(super) bounds: Aabb,
}

#[derive(Default)]
struct Cell {
    /// The chunks in the file: the first byte and the length.
    chunks: Vec<(u64, u32)>,
    list: Vec<u8>,
}

impl Spill {
    pub(super) fn new() -> Result<Self> {
        let file = tempfile::tempfile().map_err(|e| {
            Failure::new(format_args!("no temporary file can be made for the triangles of the world: {e}"))
        })?;
        let cells = BoxGrid::new(CELL);
        Ok(Self { file: Mutex::new(file), cells, in_memory: 0, written: 0, count: 0, bounds: Aabb::EMPTY })
    }

    /// Appends a triangle.
    pub(super) fn add(&mut self, corners: [Vec3; 3], area: AreaId) -> Result<()> {
        let bounds = Aabb::around(corners);
        self.bounds = self.bounds.union(bounds);
        let list = &mut self.cells.cell_of(&bounds).list;
        list.extend(self.count.to_le_bytes());
        corners.iter().flat_map(|corner| corner.to_array()).for_each(|c| list.extend(c.to_le_bytes()));
        list.extend(u32::from(area.get()).to_le_bytes());
        self.count += 1;
        self.in_memory += TRIANGLE;
        if self.in_memory > IN_MEMORY { self.flush() } else { Ok(()) }
    }

    /// Writes all lists to the file.
    pub(super) fn flush(&mut self) -> Result<()> {
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut out = std::io::BufWriter::with_capacity(1 << 20, file);
        for cell in self.cells.cells_mut().filter(|cell| !cell.list.is_empty()) {
            out.write_all(&cell.list)
                .map_err(|e| Failure::io("the temporary file for the triangles of the world", &e))?;
            cell.chunks.push((self.written, cell.list.len() as u32));
            self.written += cell.list.len() as u64;
            cell.list = Vec::new();
        }
        self.in_memory = 0;
        out.flush().map_err(|e| Failure::io("the temporary file for the triangles of the world", &e))
    }

    /// The triangles that may touch a box, in the order in which they were added.
    pub(super) fn under(&self, bounds: &Aabb) -> std::result::Result<Vec<([Vec3; 3], AreaId)>, SourceError> {
        let mut found = Vec::new();
        for cell in self.cells.under(bounds) {
            self.read(cell, &mut found)?;
        }
        found.sort_unstable_by_key(|(number, _)| *number);
        Ok(found.into_iter().map(|(_, triangle)| triangle).collect())
    }

    fn read(&self, cell: &Cell, found: &mut Vec<(u64, ([Vec3; 3], AreaId))>) -> std::result::Result<(), SourceError> {
        let failed = |e: std::io::Error| SourceError(format!("the temporary file cannot be read: {e}"));
        for &(offset, length) in &cell.chunks {
            let mut bytes = vec![0; length as usize];
            {
                let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut bytes)).map_err(failed)?;
            }
            found.extend(bytes.chunks_exact(TRIANGLE).map(triangle));
        }
        Ok(())
    }
}

fn triangle(bytes: &[u8]) -> (u64, ([Vec3; 3], AreaId)) {
    let word = |k: usize| {
        let word = bytes.get(8 + 4 * k..).and_then(<[u8]>::first_chunk::<4>);
        u32::from_le_bytes(word.copied().unwrap_or_default())
    };
    let number = bytes.first_chunk::<8>().copied().unwrap_or_default();
    let corner =
        |k: usize| Vec3::new(f32::from_bits(word(k)), f32::from_bits(word(k + 1)), f32::from_bits(word(k + 2)));
    (u64::from_le_bytes(number), ([corner(0), corner(3), corner(6)], AreaId::from_low_bits(word(9) as u8)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_touches_a_box_is_found_in_order() {
        let Ok(mut spill) = Spill::new() else { unreachable!() };
        let at = |k: u32| (k.wrapping_mul(2_654_435_761) >> 8) as f32 / 20_000.0;
        let triangles: Vec<[Vec3; 3]> = (0..500)
            .map(|k| [0, 2, 4].map(|c| Vec3::new(at(9 * k) + at(k + c) * 0.05, 0.0, at(7 * k) + at(k + c + 1) * 0.05)))
            .collect();
        for (k, corners) in triangles.iter().enumerate() {
            assert!(spill.add(*corners, AreaId::from_low_bits(k as u8)).is_ok());
            if k % 100 == 99 {
                assert!(spill.flush().is_ok());
            }
        }
        for k in 0..40 {
            let min = Vec3::new(at(3 * k), -9.0, at(5 * k + 1));
            let asked = Aabb { min, max: min + Vec3::splat(30.0) };
            let found = spill.under(&asked).unwrap();
            let place = |corners: &[Vec3; 3]| triangles.iter().position(|t| t == corners).unwrap();
            assert!(found.windows(2).all(|pair| place(&pair[0].0) < place(&pair[1].0)));
            let touching = triangles.iter().filter(|t| Aabb::around(**t).overlaps(&asked));
            assert!(touching.into_iter().all(|t| found.iter().any(|(corners, _)| corners == t)));
        }
    }
}
