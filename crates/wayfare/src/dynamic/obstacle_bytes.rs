//! A session of obstacles as bytes: saved in the middle of a game, and continued after loading.
//!
//! ```text
//!   version | digest of the checkpoints | rounds | slots with salts and shapes | dirty tiles | round under way | checksum
//! ```
//!
//! Handles stay valid, and the next obstacle gets the handle that it would have got. If a round is in progress, its
//! tiles are saved with the shapes that were in them when it began, and with the units of the budget that they have
//! used. The first step after loading repeats this work, and the tiles enter the mesh together, in the same step as
//! without the save.
//!
//! Cost: linear in obstacles and checkpoints, whose digest is computed.
//!
//! Sources: Mikko Mononen, "Saving Game State", Digesting Duck, March 2011.

use super::obstacle_table::ObstacleTable;
use super::rebuild::TileTask;
use super::round::Round;
use super::volume_bytes::{read_volume, write_volume};
use super::{LevelCheckpoints, Obstacles};
use crate::input::MarkedVolume;
use crate::math::bytes::{Reader, Truncated, Writer};
use crate::math::envelope::{with_checksum, without_checksum};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Bytes that cannot be read as the obstacles of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObstacleBytesError {
    /// They were written by another version.
    #[error("the obstacles are of version {version}, this library reads {VERSION}: begin without them")]
    Version {
        /// The version.
        version: u32,
    },
    /// They belong to another level, or to one baked with other settings.
    #[error("the obstacles were saved with other checkpoints: give those of the same bake")]
    OtherLevel,
    /// They are truncated or altered.
    #[error("the obstacles are damaged: begin without them")]
    Damaged,
}

const VERSION: u32 = Obstacles::SECTION_VERSION;

impl From<Truncated> for ObstacleBytesError {
    fn from(_: Truncated) -> Self {
        Self::Damaged
    }
}

impl Obstacles {
    /// The name of their section in a `.way` file: [`WayFile::sections`](crate::format::WayFile::sections).
    pub const SECTION: &str = "obstacles";
    /// The version of their bytes. It is raised when the format changes.
    pub const SECTION_VERSION: u32 = 2;

    /// The obstacles as bytes, for [`from_bytes`](Self::from_bytes), between two steps; save the mesh as it is now, and
    /// the [checkpoints](Self::checkpoints), with them. Nothing is changed.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.u32(VERSION);
        out.u64(self.ground.digest());
        out.u64(self.over);
        // What is being baked is begun again, in a round of its own.
        let anew: BTreeSet<u64> = self.round.iter().flat_map(|round| &round.baking).copied().collect();
        let gone = self.round.iter().flat_map(Round::obstacles).map(|(tile, ..)| tile);
        let gone: BTreeSet<u64> = gone.filter(|tile| !self.ground.tiles.contains_key(tile)).collect();
        let again: BTreeSet<u64> = anew.union(&gone).copied().collect();
        write_tiles(&self.stale.union(&again).copied().collect(), &mut out);
        write_tiles(&self.dirty.tiles().union(&again).copied().collect(), &mut out);
        self.table.write(&mut out);
        out.u8(u8::from(self.round.is_some()));
        if let Some(round) = &self.round {
            write_round(round, &again, &mut out);
        }
        with_checksum(out.bytes)
    }

    /// The session that [`to_bytes`](Self::to_bytes) wrote, on the same level. Steps that follow rebuild the tiles that
    /// they would have rebuilt, to the same bytes, and publish them in the same step. The first step takes longer,
    /// since it repeats the work already counted. Only tiles that were being baked [from triangles](Self::step_from)
    /// start over.
    ///
    /// # Errors
    /// [`ObstacleBytesError`].
    pub fn from_bytes(ground: LevelCheckpoints, bytes: &[u8]) -> Result<Self, ObstacleBytesError> {
        let version = Reader::new(bytes).u32()?;
        if version != VERSION {
            return Err(ObstacleBytesError::Version { version });
        }
        let body = without_checksum(bytes).ok_or(ObstacleBytesError::Damaged)?;
        let mut rest = Reader::new(body);
        rest.u32()?;
        if rest.u64()? != ground.digest() {
            return Err(ObstacleBytesError::OtherLevel);
        }
        let mut session = Self::new(ground);
        session.over = rest.u64()?.min(u64::MAX / 2);
        session.stale = session.read_tiles(&mut rest)?;
        let dirty = session.read_tiles(&mut rest)?;
        // Requests for tiles that are baked from triangles wait for them, whichever round was to have them.
        session.left_out = session.stale.intersection(&dirty).map(|&tile| (tile, 0)).collect();
        session.dirty.extend(dirty, &session.ground.plan);
        session.table = ObstacleTable::read(&mut rest, |bounds| session.touched(bounds))?;
        if rest.u8()? == 1 {
            session.round = Some(session.read_round(&mut rest)?);
        }
        if rest.is_empty() { Ok(session) } else { Err(ObstacleBytesError::Damaged) }
    }

    fn read_tiles(&self, rest: &mut Reader<'_>) -> Result<BTreeSet<u64>, Truncated> {
        let count = rest.u64()?;
        (0..count).map(|_| self.read_tile(rest)).collect()
    }

    fn read_tile(&self, rest: &mut Reader<'_>) -> Result<u64, Truncated> {
        let tile = rest.u64()?;
        if tile < self.ground.plan.tile_count() { Ok(tile) } else { Err(Truncated) }
    }

    fn read_round(&self, rest: &mut Reader<'_>) -> Result<Round, Truncated> {
        let count = rest.u32()?;
        let shapes = (0..count).map(|_| read_volume(rest).map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
        let count = rest.u32()?;
        let mut tasks = VecDeque::new();
        let mut tiles = BTreeSet::new();
        for _ in 0..count {
            let tile = self.read_tile(rest)?;
            if !self.ground.tiles.contains_key(&tile) || !tiles.insert(tile) {
                return Err(Truncated);
            }
            let count = rest.u32()?;
            let shape = |_| shapes.get(rest.u32()? as usize).cloned().ok_or(Truncated);
            let obstacles = (0..count).map(shape).collect::<Result<_, _>>()?;
            // No tile takes as much; what it takes is added to it.
            let credit = rest.u64().ok().filter(|&credit| credit < u64::MAX / 2).ok_or(Truncated)?;
            tasks.push_back(TileTask::new(&self.ground, tile, obstacles).with_credit(credit));
        }
        Ok(Round { has_credit: true, ..Round::new(tasks) })
    }
}

fn write_tiles(tiles: &BTreeSet<u64>, out: &mut Writer) {
    out.u64(tiles.len() as u64);
    tiles.iter().for_each(|&tile| out.u64(tile));
}

/// Each shape once, then the tiles with the numbers of theirs, but for some.
fn write_round(round: &Round, but: &BTreeSet<u64>, out: &mut Writer) {
    let mut numbers = BTreeMap::<*const MarkedVolume, u32>::new();
    let mut shapes = Vec::new();
    let mut tiles = Writer::default();
    let mut all: Vec<_> = round.obstacles().filter(|(tile, ..)| !but.contains(tile)).collect();
    all.sort_unstable_by_key(|&(tile, ..)| tile);
    for &(tile, obstacles, granted) in &all {
        tiles.u64(tile);
        tiles.u32(obstacles.len() as u32);
        for marked in obstacles {
            let number = *numbers.entry(Arc::as_ptr(marked)).or_insert_with(|| {
                shapes.push(marked);
                shapes.len() as u32 - 1
            });
            tiles.u32(number);
        }
        tiles.u64(granted);
    }
    out.u32(shapes.len() as u32);
    shapes.into_iter().for_each(|marked| write_volume(marked, out));
    out.u32(all.len() as u32);
    out.bytes.extend_from_slice(&tiles.bytes);
}
