//! Writes a mesh while it is baked: tile by tile into the file, so that it never has to fit in memory.

use crate::baking::{FlagsOf, Known, with_flags};
use crate::failure::{Failure, Result};
use crate::loose_ends::LooseEnds;
use crate::output::atomic_file::Unfinished;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};
use wayfare::bake::TileSink;
use wayfare::context::Cancelled;
use wayfare::format::{WayEnd, WayStream};
use wayfare::tile::{TileCoord, TileData, TileLayout};

/// A `.way` file to which tiles are appended.
pub(crate) struct FileSink<'a> {
    file: Unfinished,
    stream: WayStream,
    piece: Vec<u8>,
    known: &'a Known,
    layout: TileLayout,
    /// The connections to be written at its end.
    pub(crate) loose_ends: LooseEnds,
    flags: FlagsOf<'a>,
    written: Written,
    /// Why no more tiles were accepted.
    failure: Option<Failure>,
}

/// The summary of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    pub(crate) bytes: u64,
    pub(crate) tiles: u32,
    /// Time spent on the file, not on the bake.
    pub(crate) time: Duration,
}

/// A file that is complete.
pub(crate) struct WholeFile {
    file: Unfinished,
    written: Written,
    digest: String,
}

impl WholeFile {
    /// Moves the file into place, and returns its summary and its digest.
    pub(crate) fn put(self) -> Result<(Written, String)> {
        self.file.finish()?;
        Ok((self.written, self.digest))
    }
}

impl<'a> FileSink<'a> {
    /// Begins a file.
    pub(crate) fn begin(
        target: &Path,
        layout: TileLayout,
        known: &'a Known,
        flags: FlagsOf<'a>,
        loose_ends: LooseEnds,
    ) -> Result<Self> {
        let file = Unfinished::begin(target)?;
        let mut piece = Vec::new();
        let stream = WayStream::new(layout, 0, &mut piece);
        Ok(Self { file, stream, piece, known, layout, loose_ends, flags, written: Written::default(), failure: None })
    }

    /// Writes the end of the file, which is not in place yet.
    pub(crate) fn end(mut self, end: WayEnd<'_>) -> Result<WholeFile> {
        self.flush()?;
        let Self { mut file, stream, mut piece, mut written, .. } = self;
        let digest = stream.finish(end, &mut piece).map_err(Failure::new)?;
        file.write_all(&piece).and_then(|()| file.flush()).map_err(|e| file.failure(&e))?;
        written.bytes += piece.len() as u64;
        Ok(WholeFile { file, written, digest })
    }

    /// Why this file ended the bake, if it did.
    pub(crate) fn failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }

    fn flush(&mut self) -> Result<()> {
        self.file.write_all(&self.piece).map_err(|e| self.file.failure(&e))?;
        self.written.bytes += self.piece.len() as u64;
        self.piece.clear();
        Ok(())
    }

    fn write(&mut self, tile: &TileData) -> Result<()> {
        self.stream.tile(tile, &mut self.piece).map_err(Failure::new)?;
        self.written.tiles += 1;
        self.flush()
    }
}

impl TileSink for FileSink<'_> {
    fn known(&mut self, coord: TileCoord) -> Option<Option<TileData>> {
        self.known.tile(coord)
    }

    fn take(&mut self, _: TileCoord, tile: Option<TileData>) -> core::result::Result<(), Cancelled> {
        let Some(tile) = tile else { return Ok(()) };
        let began = Instant::now();
        let tile = with_flags(&tile, self.flags);
        self.loose_ends.look(self.layout, &tile);
        let outcome = self.write(&tile);
        self.written.time += began.elapsed();
        outcome.map_err(|failure| {
            self.failure = Some(failure);
            Cancelled
        })
    }
}
