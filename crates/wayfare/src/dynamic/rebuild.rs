//! One tile made anew from its checkpoint, in pieces.
//!
//! Cost: unpacking takes some nanoseconds a cell, the rest is the recipe from the open ground on.
//!
//! Sources: Mikko Mononen, "Handling Temporary Obstacles", Digesting Duck, 2010.

use super::{LevelCheckpoints, RebuildError};
use crate::bake::{BakeError, BakeReport, BakeStep, Door, Products, TileBaker, TileInput};
use crate::context::{Budget, Context};
use crate::input::{Level, MarkedVolume, TriMesh};
use crate::mesh::PreparedTile;
use crate::tile::{TileCoord, TileData};
use crate::voxel::Checkpoints;
use core::time::Duration;
use std::sync::{Mutex, PoisonError};

/// What a tile goes through: unpacking, and the steps of the recipe behind [`Door::Open`].
pub(super) const STEPS: u64 = 1 + (BakeStep::ALL.len() - BakeStep::MarkBefore as usize) as u64;

/// Memory in which a tile is rebuilt.
pub(super) struct Workbench {
    baker: TileBaker,
    checkpoints: Checkpoints,
}

/// Memory that no tile is in at the moment.
#[derive(Default)]
pub(super) struct Workbenches(Mutex<Vec<Box<Workbench>>>);

impl Workbenches {
    fn take(&self, ground: &LevelCheckpoints) -> Box<Workbench> {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.unwrap_or_else(|| {
            let baker = TileBaker::new(ground.plan.level, ground.plan.settings);
            let checkpoints = Checkpoints::new(&ground.plan.settings);
            Box::new(Workbench { baker, checkpoints })
        })
    }

    fn put_back(&self, bench: Box<Workbench>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(bench);
    }
}

/// A tile to be rebuilt, with all that stands in it.
pub(super) struct TileTask {
    pub(super) index: u64,
    pub(super) coord: TileCoord,
    /// In the order in which they are marked.
    volumes: Vec<MarkedVolume>,
    cells: u64,
    steps: u64,
    /// Where it is under way, once it has begun.
    bench: Option<Box<Workbench>>,
    pub(super) time: Duration,
}

/// What a piece of work on a tile came to.
pub(super) enum PieceEnd {
    /// There is more to do.
    UnderWay,
    /// It was asked to stop, and can go on.
    Cancelled,
    /// The tile; `None` if nothing in it can be walked on.
    Done(Option<PreparedTile>),
    Failed(RebuildError),
}

impl TileTask {
    pub(super) fn new(ground: &LevelCheckpoints, index: u64, volumes: Vec<MarkedVolume>) -> Self {
        let tile = ground.plan.tile(index);
        let cells = tile.baked_grid().cell_count() as u64;
        Self { index, coord: tile.coord, volumes, cells, steps: 0, bench: None, time: Duration::ZERO }
    }

    /// How much work it is: its cells, with its border, for each step.
    pub(super) fn total(&self) -> u64 {
        STEPS * self.cells
    }

    /// How much of it is done.
    pub(super) fn done(&self) -> u64 {
        self.steps.min(STEPS) * self.cells
    }

    /// Does as much as the budget reaches for, and takes off what it needed.
    pub(super) fn go_on(
        &mut self,
        (ground, benches): (&LevelCheckpoints, &Workbenches),
        budget: &mut Budget,
        context: &Context<'_>,
    ) -> PieceEnd {
        let mut bench = self.bench.take().unwrap_or_else(|| benches.take(ground));
        let (end, time) = context.timed(|| self.work((ground, &mut *bench), budget, context));
        self.time += time;
        let (is_begun, end) = match end {
            Ok(PieceEnd::UnderWay) => (true, PieceEnd::UnderWay),
            Ok(end) => (false, end),
            Err(RebuildError::Cancelled) => (true, PieceEnd::Cancelled),
            Err(error) => (false, PieceEnd::Failed(error)),
        };
        if is_begun {
            self.bench = Some(bench);
        } else {
            benches.put_back(bench);
        }
        end
    }

    fn work(
        &mut self,
        (ground, bench): (&LevelCheckpoints, &mut Workbench),
        budget: &mut Budget,
        context: &Context<'_>,
    ) -> Result<PieceEnd, RebuildError> {
        let coord = self.coord;
        let refused = |source| match source {
            BakeError::Cancelled(_) => RebuildError::Cancelled,
            source => RebuildError::Bake { coord, source },
        };
        let nothing = TriMesh::EMPTY;
        let level = Level { mesh: &nothing, terrain: None, volumes: &self.volumes };
        let tile = ground.plan.tile(self.index);
        let source = TileInput { level, triangles: Some(&[]), tile };
        let Workbench { baker, checkpoints } = bench;
        if self.steps == 0 {
            let bytes = ground.tiles.get(&self.index).map_or(&[][..], |tile| &tile.bytes);
            let field = &mut baker.products_mut().compact;
            let read = checkpoints.read(bytes, &tile.baked_grid(), tile.border, field);
            read.map_err(|source| RebuildError::Checkpoint { coord, source })?;
            baker.enter(&source, [Door::Open, Door::Tile]).map_err(refused)?;
            self.steps = 1;
            if !budget.charge(self.cells) {
                return Ok(PieceEnd::UnderWay);
            }
        }
        let steps = &mut self.steps;
        let mut count = |_: BakeStep, _: &Products| *steps += 1;
        let unread = &mut BakeReport::default();
        if !baker.step(&source, budget, &mut count, context, unread).map_err(refused)? {
            return Ok(PieceEnd::UnderWay);
        }
        self.steps = STEPS;
        let Some(data) = baker.take_tile() else { return Ok(PieceEnd::Done(None)) };
        Ok(PieceEnd::Done(Some(PreparedTile::new(with_flags(ground, &data)))))
    }
}

fn with_flags(ground: &LevelCheckpoints, tile: &TileData) -> TileData {
    tile.with_states(|_, poly| (ground.flags.flags(poly.area).unwrap_or(poly.flags), poly.area))
}
