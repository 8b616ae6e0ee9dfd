//! The checkpoints of a level as bytes, for a section of a `.way` file.
//!
//! ```text
//!   version | settings | bounds | flags by area | volumes | tiles: number, spans, length, checkpoint | checksum of all
//! ```
//!
//! Cost: linear. Reading takes no more memory than a small multiple of the bytes.
//!
//! Sources: none needed.

use super::LevelCheckpoints;
use super::level_checkpoints::TileCheckpoint;
use super::volume_bytes::{read_bool, read_volume, write_volume};
use crate::area::{AREA_COUNT, AreaId, AreaRules, PolyFlags};
use crate::bake::{BakeError, TilePlan};
use crate::input::{AgentSettings, BakeSettings, Erosion, Filters, Partition, TriMesh};
use crate::math::Aabb;
use crate::math::bytes::{Reader, Truncated, Writer};
use crate::math::envelope::{with_checksum, without_checksum};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::Xxh3;

/// Bytes that cannot be read as the checkpoints of a level.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointBytesError {
    /// They were written by another version.
    #[error("the checkpoints are of version {version}, this library reads {VERSION}: bake the level again")]
    Version {
        /// The version.
        version: u32,
    },
    /// They are cut short or altered.
    #[error("the checkpoints are damaged: bake the level again")]
    Damaged,
    /// No level is baked with such settings.
    #[error("the checkpoints have settings that no bake has: {0}")]
    Settings(BakeError),
}

const VERSION: u32 = LevelCheckpoints::SECTION_VERSION;

impl From<Truncated> for CheckpointBytesError {
    fn from(_: Truncated) -> Self {
        Self::Damaged
    }
}

type Read<T> = Result<T, CheckpointBytesError>;

impl LevelCheckpoints {
    /// The version of their bytes. It is raised when the format changes.
    pub const SECTION_VERSION: u32 = 3;

    /// The bytes of a section of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut all = Vec::new();
        self.each_piece(|piece| all.extend_from_slice(piece));
        with_checksum(all)
    }

    /// A number that tells levels and settings apart: the checksum of [`to_bytes`](Self::to_bytes), which are not put
    /// together for it.
    pub(super) fn digest(&self) -> u64 {
        let mut hash = Xxh3::new();
        self.each_piece(|piece| hash.update(piece));
        hash.digest()
    }

    /// Shows the bytes piece by piece.
    fn each_piece(&self, mut piece: impl FnMut(&[u8])) {
        let mut out = Writer::default();
        out.u32(VERSION);
        write_settings(&self.settings, &mut out);
        for area in areas() {
            let flags = self.flags.flags(area);
            out.u8(u8::from(flags.is_some()));
            out.u16(flags.unwrap_or(PolyFlags::NONE).0);
        }
        out.u32(self.volumes.len() as u32);
        self.volumes.iter().for_each(|marked| write_volume(marked, &mut out));
        out.u64(self.tiles.len() as u64);
        for (&index, tile) in &self.tiles {
            out.u64(index);
            out.u32(tile.spans);
            out.u32(tile.bytes.len() as u32);
            piece(&out.bytes);
            piece(&tile.bytes);
            out.bytes.clear();
        }
        piece(&out.bytes);
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote. The checkpoint of a tile is checked when the tile is
    /// rebuilt.
    ///
    /// # Errors
    /// [`CheckpointBytesError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointBytesError> {
        let version = Reader::new(bytes).u32()?;
        if version != VERSION {
            return Err(CheckpointBytesError::Version { version });
        }
        let mut rest = Reader::new(without_checksum(bytes).ok_or(CheckpointBytesError::Damaged)?);
        rest.u32()?;
        let settings = read_settings(&mut rest)?;
        let plan = TilePlan::new(&TriMesh::EMPTY, &settings).map_err(CheckpointBytesError::Settings)?;
        let mut flags = AreaRules::default();
        for area in areas() {
            let is_set = read_bool(&mut rest)?;
            let given = PolyFlags(rest.u16()?);
            flags.set(area, is_set.then_some(given));
        }
        let count = rest.u32()?;
        let volumes = (0..count).map(|_| read_volume(&mut rest)).collect::<Result<_, _>>()?;
        let tiles = read_tiles(&mut rest, plan.tile_count())?;
        if rest.is_empty() {
            Ok(Self { settings, plan, volumes, flags, tiles })
        } else {
            Err(CheckpointBytesError::Damaged)
        }
    }
}

fn areas() -> impl Iterator<Item = AreaId> {
    (0..AREA_COUNT as u8).map(AreaId::from_low_bits)
}

fn read_tiles(rest: &mut Reader<'_>, most: u64) -> Read<BTreeMap<u64, TileCheckpoint>> {
    let mut tiles = BTreeMap::new();
    let count = rest.u64()?;
    let mut next = 0;
    for _ in 0..count {
        let index = rest.u64()?;
        let spans = rest.u32()?;
        let len = rest.u32()?;
        let bytes = rest.take(len as usize)?;
        if index < next || index >= most {
            return Err(CheckpointBytesError::Damaged);
        }
        next = index + 1;
        tiles.insert(index, TileCheckpoint { bytes: bytes.into(), spans });
    }
    Ok(tiles)
}

fn write_settings(settings: &BakeSettings, out: &mut Writer) {
    let &BakeSettings {
        agent: AgentSettings { height, radius, max_climb, max_slope, max_drop },
        cell_size,
        cell_height,
        filters: Filters { low_hanging_obstacles, ledges, low_height },
        erosion,
        partition,
        region_min_size,
        region_merge_size,
        edge_max_len,
        edge_max_error,
        verts_per_poly,
        detail_sample_dist,
        detail_sample_max_error,
        tile_size,
        bounds,
    } = settings;
    let floats = [height, radius, max_climb, max_slope, max_drop, cell_size, cell_height, edge_max_len, edge_max_error];
    floats.into_iter().chain([detail_sample_dist, detail_sample_max_error]).for_each(|value| out.f32(value));
    [region_min_size, region_merge_size, verts_per_poly, tile_size].into_iter().for_each(|value| out.u32(value));
    [low_hanging_obstacles, ledges, low_height].into_iter().for_each(|value| out.u8(u8::from(value)));
    out.u8(erosion as u8);
    out.u8(partition as u8);
    let bounds = bounds.unwrap_or(Aabb::EMPTY);
    out.vec3(bounds.min);
    out.vec3(bounds.max);
}

fn read_settings(rest: &mut Reader<'_>) -> Read<BakeSettings> {
    let agent = AgentSettings {
        height: rest.f32()?,
        radius: rest.f32()?,
        max_climb: rest.f32()?,
        max_slope: rest.f32()?,
        max_drop: rest.f32()?,
    };
    let cell_size = rest.f32()?;
    let cell_height = rest.f32()?;
    let edge_max_len = rest.f32()?;
    let edge_max_error = rest.f32()?;
    let detail_sample_dist = rest.f32()?;
    let detail_sample_max_error = rest.f32()?;
    let region_min_size = rest.u32()?;
    let region_merge_size = rest.u32()?;
    let verts_per_poly = rest.u32()?;
    let tile_size = rest.u32()?;
    let filters =
        Filters { low_hanging_obstacles: read_bool(rest)?, ledges: read_bool(rest)?, low_height: read_bool(rest)? };
    let erosion = if read_bool(rest)? { Erosion::Euclidean } else { Erosion::Chamfer };
    let partitions = [Partition::Watershed, Partition::Monotone, Partition::Layers];
    let partition = *partitions.get(usize::from(rest.u8()?)).ok_or(CheckpointBytesError::Damaged)?;
    let bounds = Some(Aabb { min: rest.vec3()?, max: rest.vec3()? });
    Ok(BakeSettings {
        agent,
        cell_size,
        cell_height,
        filters,
        erosion,
        partition,
        region_min_size,
        region_merge_size,
        edge_max_len,
        edge_max_error,
        verts_per_poly,
        detail_sample_dist,
        detail_sample_max_error,
        tile_size,
        bounds,
    })
}
