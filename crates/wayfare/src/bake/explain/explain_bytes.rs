//! Saves an [`ExplainMap`] as bytes, to be kept beside the mesh that it explains.
//!
//! ```text
//!   magic "WAYEXPL2" · mark 8 · level grid 36 · agent 20 · tiles 4 · tile… · points 4 · point 12… · xxh3 of all before, 8
//!   tile: grid 16 · per cell: spans (varint), per span: top above the span below (varint), reason, and what belongs to it
//!   point: on a surface inside a hollow body
//! ```
//!
//! Little endian. `mark` is chosen by the caller, to identify the mesh it belongs to.

use super::explain_map::{ExplainMap, Reason, TileRecord, Verdict};
use crate::input::AgentSettings;
use crate::math::bytes::put_number;
use crate::voxel::Grid;
use glam::Vec3;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 8] = b"WAYEXPL2";

/// Bytes that cannot be read as an explain map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainBytesError {
    /// They begin differently.
    #[error("this is no record of a bake's reasons, as `ExplainMap::to_bytes` makes them")]
    OtherFile,
    /// They end early, are too long, or contain invalid values.
    #[error("the record of the bake's reasons is damaged at byte {at}: bake again")]
    Damaged {
        /// Where.
        at: usize,
    },
}

impl ExplainMap {
    /// The map as bytes. `mark` is returned by [`from_bytes`](Self::from_bytes).
    #[must_use]
    pub fn to_bytes(&self, mark: u64) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(mark.to_le_bytes());
        let level = &self.level;
        let agent = &self.agent;
        let Vec3 { x, y, z } = level.origin;
        let AgentSettings { height, radius, max_climb, max_slope, max_drop } = *agent;
        for number in [x, y, z, level.cell_size, level.cell_height, height, radius, max_climb, max_slope, max_drop] {
            out.extend(number.to_le_bytes());
        }
        write_rectangle(level, &mut out);
        out.extend((self.tiles.len() as u32).to_le_bytes());
        self.tiles.iter().for_each(|tile| write_tile(tile, &mut out));
        out.extend((self.hollow.len() as u32).to_le_bytes());
        self.hollow.iter().flat_map(Vec3::to_array).for_each(|number| out.extend(number.to_le_bytes()));
        let check = xxh3_64(&out);
        out.extend(check.to_le_bytes());
        out
    }

    /// Reads the map and its mark. Memory is bounded by the number of bytes.
    ///
    /// # Errors
    /// [`ExplainBytesError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, u64), ExplainBytesError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ExplainBytesError::OtherFile);
        }
        let end = bytes.len().saturating_sub(8).max(MAGIC.len());
        let mut reader = Reader { bytes: &bytes[..end], at: MAGIC.len() };
        if xxh3_64(reader.bytes).to_le_bytes() != bytes[end..] {
            return Err(ExplainBytesError::Damaged { at: end });
        }
        let damaged = |reader: &Reader<'_>| ExplainBytesError::Damaged { at: reader.at };
        let map = reader.map().filter(|_| reader.at == end);
        map.ok_or_else(|| damaged(&reader))
    }
}

fn write_rectangle(grid: &Grid, out: &mut Vec<u8>) {
    for number in [grid.x as u32, grid.z as u32, grid.width, grid.depth] {
        out.extend(number.to_le_bytes());
    }
}

fn write_tile(tile: &TileRecord, out: &mut Vec<u8>) {
    write_rectangle(&tile.grid, out);
    for cell in tile.columns.windows(2) {
        put_number(cell[1] - cell[0], out);
        let mut below = 0;
        for span in cell[0] as usize..cell[1] as usize {
            let Verdict { reason, value, cause, from } = tile.verdicts[span];
            put_number(u32::from(core::mem::replace(&mut below, tile.tops[span]).abs_diff(tile.tops[span])), out);
            out.push(reason as u8);
            match reason {
                Reason::Eroded => {
                    out.push(cause as u8);
                    from.into_iter().for_each(|step| out.extend(step.to_le_bytes()));
                }
                Reason::Drop | Reason::LowCeiling | Reason::SmallIsland => out.extend(value.to_le_bytes()),
                _ => {}
            }
        }
    }
}

/// Reads what was written; `None` if it ends early or contains an invalid value.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let taken = self.bytes.get(self.at..)?.first_chunk::<N>()?;
        self.at += N;
        Some(*taken)
    }

    fn word(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn real(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes).filter(|number| number.is_finite())
    }

    fn point(&mut self) -> Option<Vec3> {
        Some(Vec3::new(self.real()?, self.real()?, self.real()?))
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..32).step_by(7) {
            let [byte] = self.take()?;
            number |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn reason(&mut self) -> Option<Reason> {
        let [byte] = self.take()?;
        Reason::from_byte(byte)
    }

    fn map(&mut self) -> Option<(ExplainMap, u64)> {
        let mark = u64::from_le_bytes(self.take()?);
        let origin = self.point()?;
        let cell_size = self.real()?;
        let cell_height = self.real()?;
        let height = self.real()?;
        let radius = self.real()?;
        let max_climb = self.real()?;
        let max_slope = self.real()?;
        let max_drop = self.real()?;
        let agent = AgentSettings { height, radius, max_climb, max_slope, max_drop };
        let grid = Grid { origin, cell_size, cell_height, x: 0, z: 0, width: 0, depth: 0 };
        let level = self.rectangle(&grid)?;
        let count = self.word()?;
        let mut tiles = Vec::new();
        for _ in 0..count {
            tiles.push(self.tile(&grid)?);
        }
        let mut hollow = Vec::new();
        for _ in 0..self.word()? {
            hollow.push(self.point()?);
        }
        (cell_size > 0.0 && cell_height > 0.0).then_some((ExplainMap { level, agent, tiles, hollow }, mark))
    }

    fn rectangle(&mut self, grid: &Grid) -> Option<Grid> {
        let [x, z] = [self.word()? as i32, self.word()? as i32];
        let width = self.word()?;
        let depth = self.word()?;
        let fits = [width, depth, x.unsigned_abs(), z.unsigned_abs()].iter().all(|&cells| cells <= Grid::MAX_SIDE);
        fits.then_some(Grid { x, z, width, depth, ..*grid })
    }

    fn tile(&mut self, grid: &Grid) -> Option<TileRecord> {
        let grid = self.rectangle(grid)?;
        // Each cell takes at least one byte.
        let cells = u64::from(grid.width) * u64::from(grid.depth);
        if cells > (self.bytes.len() - self.at) as u64 {
            return None;
        }
        let mut tile = TileRecord { grid, columns: vec![0], tops: Vec::new(), verdicts: Vec::new() };
        for _ in 0..cells {
            let mut top = 0u32;
            for _ in 0..self.number()? {
                top = top.checked_add(self.number()?)?;
                tile.tops.push(u16::try_from(top).ok()?);
                let verdict = self.verdict()?;
                tile.verdicts.push(verdict);
            }
            tile.columns.push(tile.tops.len() as u32);
        }
        Some(tile)
    }

    fn verdict(&mut self) -> Option<Verdict> {
        let reason = self.reason()?;
        Some(match reason {
            Reason::Eroded => {
                let cause = self.reason()?;
                let from = [i16::from_le_bytes(self.take()?), i16::from_le_bytes(self.take()?)];
                Verdict { cause, from, ..Verdict::plain(reason) }
            }
            Reason::Drop | Reason::LowCeiling | Reason::SmallIsland => {
                Verdict::with(reason, u16::from_le_bytes(self.take()?))
            }
            _ => Verdict::plain(reason),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> ExplainMap {
        let grid = Grid { origin: Vec3::ONE, cell_size: 0.5, cell_height: 0.25, x: 0, z: 0, width: 2, depth: 1 };
        let eroded = Verdict { cause: Reason::Wall, from: [-3, 400], ..Verdict::plain(Reason::Eroded) };
        let verdicts = vec![Verdict::plain(Reason::Walkable), Verdict::with(Reason::LowCeiling, 7), eroded];
        let tile = TileRecord { grid, columns: vec![0, 2, 3], tops: vec![3, 900, 65535], verdicts };
        ExplainMap {
            level: grid,
            agent: AgentSettings::default(),
            tiles: vec![tile],
            hollow: vec![Vec3::ONE, Vec3::NEG_Y],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = map().to_bytes(77);
        assert_eq!(ExplainMap::from_bytes(&bytes), Ok((map(), 77)));
    }

    #[test]
    fn tiles_farther_away_than_a_level_is_wide_are_refused() {
        for place in [i32::MAX, i32::MIN, Grid::MAX_SIDE as i32 + 1] {
            let mut far = map();
            far.tiles[0].grid.x = place;
            assert!(ExplainMap::from_bytes(&far.to_bytes(1)).is_err());
            far = map();
            far.tiles[0].grid.z = place;
            assert!(ExplainMap::from_bytes(&far.to_bytes(1)).is_err());
        }
    }

    #[test]
    fn every_prefix_every_changed_byte_and_a_byte_more_are_refused() {
        let bytes = map().to_bytes(1);
        for end in 0..bytes.len() {
            assert!(ExplainMap::from_bytes(&bytes[..end]).is_err(), "prefix of {end}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x55;
            assert!(ExplainMap::from_bytes(&changed).is_err(), "byte {at}");
        }
        assert!(ExplainMap::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
    }

    #[test]
    fn bytes_with_a_right_checksum_that_say_nonsense_are_refused_or_read() {
        let bytes = map().to_bytes(1);
        let body = bytes.len() - 8;
        for at in 8..body {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = bytes[..body].to_vec();
                changed[at] = value;
                let check = xxh3_64(&changed);
                changed.extend(check.to_le_bytes());
                if let Ok((map, _)) = ExplainMap::from_bytes(&changed) {
                    let _ = map.at(Vec3::ONE);
                    map.for_each_surface(|_, _| {});
                }
            }
        }
    }
}
