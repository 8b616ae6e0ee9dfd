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
use crate::math::bytes::{Reader, put_number};
use crate::math::envelope::{with_checksum, without_checksum};
use crate::voxel::Grid;
use glam::Vec3;

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
        with_checksum(out)
    }

    /// Reads the map and its mark. Memory is bounded by the number of bytes.
    ///
    /// # Errors
    /// [`ExplainBytesError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, u64), ExplainBytesError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ExplainBytesError::OtherFile);
        }
        let damaged = ExplainBytesError::Damaged { at: bytes.len() };
        let body = without_checksum(bytes).ok_or(damaged)?;
        let mut reader = Reader::new(body.strip_prefix(MAGIC).ok_or(damaged)?);
        let map = read_map(&mut reader).filter(|_| reader.is_empty());
        map.ok_or(ExplainBytesError::Damaged { at: body.len() - reader.left() })
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

/// The map and its mark; `None` if the bytes end early or contain an invalid value, and so for all below.
fn read_map(reader: &mut Reader<'_>) -> Option<(ExplainMap, u64)> {
    let mark = reader.u64().ok()?;
    let origin = read_point(reader)?;
    let cell_size = read_real(reader)?;
    let cell_height = read_real(reader)?;
    let height = read_real(reader)?;
    let radius = read_real(reader)?;
    let max_climb = read_real(reader)?;
    let max_slope = read_real(reader)?;
    let max_drop = read_real(reader)?;
    let agent = AgentSettings { height, radius, max_climb, max_slope, max_drop };
    let grid = Grid { origin, cell_size, cell_height, x: 0, z: 0, width: 0, depth: 0 };
    let level = read_rectangle(&grid, reader)?;
    let mut tiles = Vec::new();
    for _ in 0..reader.u32().ok()? {
        tiles.push(read_tile(&grid, reader)?);
    }
    let mut hollow = Vec::new();
    for _ in 0..reader.u32().ok()? {
        hollow.push(read_point(reader)?);
    }
    (cell_size > 0.0 && cell_height > 0.0).then_some((ExplainMap { level, agent, tiles, hollow }, mark))
}

fn read_real(reader: &mut Reader<'_>) -> Option<f32> {
    reader.f32().ok().filter(|number| number.is_finite())
}

fn read_point(reader: &mut Reader<'_>) -> Option<Vec3> {
    reader.vec3().ok().filter(|point| point.is_finite())
}

fn read_rectangle(grid: &Grid, reader: &mut Reader<'_>) -> Option<Grid> {
    let [x, z] = [reader.i32().ok()?, reader.i32().ok()?];
    let [width, depth] = [reader.u32().ok()?, reader.u32().ok()?];
    let fits = [width, depth, x.unsigned_abs(), z.unsigned_abs()].iter().all(|&cells| cells <= Grid::MAX_SIDE);
    fits.then_some(Grid { x, z, width, depth, ..*grid })
}

fn read_tile(grid: &Grid, reader: &mut Reader<'_>) -> Option<TileRecord> {
    let grid = read_rectangle(grid, reader)?;
    // Each cell takes at least one byte.
    let cells = u64::from(grid.width) * u64::from(grid.depth);
    if cells > reader.left() as u64 {
        return None;
    }
    let mut tile = TileRecord { grid, columns: vec![0], tops: Vec::new(), verdicts: Vec::new() };
    for _ in 0..cells {
        let mut top = 0u32;
        for _ in 0..reader.number().ok()? {
            top = top.checked_add(reader.number().ok()?)?;
            tile.tops.push(u16::try_from(top).ok()?);
            tile.verdicts.push(read_verdict(reader)?);
        }
        tile.columns.push(tile.tops.len() as u32);
    }
    Some(tile)
}

fn read_reason(reader: &mut Reader<'_>) -> Option<Reason> {
    Reason::from_byte(reader.u8().ok()?)
}

fn read_verdict(reader: &mut Reader<'_>) -> Option<Verdict> {
    let reason = read_reason(reader)?;
    Some(match reason {
        Reason::Eroded => {
            let cause = read_reason(reader)?;
            let from = [reader.u16().ok()? as i16, reader.u16().ok()? as i16];
            Verdict { cause, from, ..Verdict::plain(reason) }
        }
        Reason::Drop | Reason::LowCeiling | Reason::SmallIsland => Verdict::with(reason, reader.u16().ok()?),
        _ => Verdict::plain(reason),
    })
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
                if let Ok((map, _)) = ExplainMap::from_bytes(&with_checksum(changed)) {
                    let _ = map.at(Vec3::ONE);
                    map.for_each_surface(|_, _| {});
                }
            }
        }
    }
}
