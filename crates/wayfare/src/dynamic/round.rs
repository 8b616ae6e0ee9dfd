//! A round: tiles that are rebuilt together and put into the mesh in the same step.
//!
//! All tiles that are dirty when a round begins belong to it, with the obstacles of that moment, but for those that
//! wait for triangles; later requests wait for the next round. So all tiles of a request change in the same step, and
//! the mesh changes now and then even if obstacles move faster than tiles are rebuilt. A tile that comes out unchanged
//! stays in the mesh, and paths over it stay valid.
//!
//! Cost: the tiles. Sources: own work.

use super::RebuildError;
use super::rebuild::TileTask;
use crate::context::Context;
use crate::input::MarkedVolume;
use crate::mesh::{AddTileError, NavMesh, PreparedTile, TileRef};
use crate::tile::TileCoord;
use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// What a rebuild did to a tile of the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileChange {
    /// It came out unchanged and stays: references into it stay valid.
    Same,
    /// It replaced the old tile.
    Replaced,
    /// It has no walkable surface any more, so it was removed.
    Removed,
    /// There was no tile before.
    Added,
}

/// A tile that a step has finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RebuiltTile {
    /// Its column, row and layer.
    pub coord: TileCoord,
    /// What the rebuild did to it.
    pub change: TileChange,
    /// The tile there now, if there is one.
    pub tile: Option<TileRef>,
    /// How long the rebuild took, over all steps; zero without a clock.
    pub time: Duration,
}

/// What rounds came to.
#[derive(Default)]
pub(super) struct RoundResults {
    /// Of the last step.
    pub(super) rebuilt: Vec<RebuiltTile>,
    /// The last one of each tile that nobody was told of.
    failures: BTreeMap<TileCoord, RebuildError>,
    /// Tiles that were to be rebuilt, and stay as they are.
    pub(super) kept: Vec<TileCoord>,
    /// Tiles whose last rebuild failed, with the first round since which it does.
    failing: BTreeMap<TileCoord, u64>,
}

impl RoundResults {
    fn add(&mut self, tile: RebuiltTile) {
        self.failing.remove(&tile.coord);
        if tile.change == TileChange::Same {
            self.kept.push(tile.coord);
        }
        self.rebuilt.push(tile);
    }

    /// A tile could not be rebuilt in a round.
    pub(super) fn fail(&mut self, round: u64, coord: TileCoord, error: RebuildError) {
        self.failing.entry(coord).or_insert(round);
        self.kept.push(coord);
        self.failures.insert(coord, error);
    }

    /// A failure that nobody was told of yet.
    pub(super) fn tell(&mut self) -> Option<RebuildError> {
        self.failures.pop_first().map(|(_, error)| error)
    }

    /// Whether a tile could not be rebuilt in a round, and not since.
    pub(super) fn has_failed(&self, coord: &TileCoord, round: u64) -> bool {
        self.failing.get(coord).is_some_and(|&since| since <= round)
    }
}

/// Tiles that are rebuilt together.
pub(super) struct Round {
    /// Its tiles, but for those that could not be rebuilt.
    pub(super) members: BTreeSet<u64>,
    /// Those that are baked from triangles, and are not done.
    pub(super) baking: BTreeSet<u64>,
    /// Not finished; those that have begun come first.
    pub(super) tasks: VecDeque<TileTask>,
    pub(super) finished: Vec<FinishedTile>,
    /// All the work, and what is done of it.
    pub(super) total: u64,
    pub(super) done: u64,
    /// Whether triangles were given when it began: then no tile is left out.
    pub(super) has_source: bool,
    /// Whether tasks have units that were granted before it was saved, which are due to them at once.
    pub(super) has_credit: bool,
}

/// A tile that is ready to enter the mesh; `None`: it has nothing to walk on.
pub(super) struct FinishedTile {
    pub(super) index: u64,
    pub(super) coord: TileCoord,
    pub(super) obstacles: Vec<Arc<MarkedVolume>>,
    /// The units of the budget that it took.
    pub(super) granted: u64,
    pub(super) time: Duration,
    pub(super) tile: Option<PreparedTile>,
}

impl FinishedTile {
    /// What a task came to.
    pub(super) fn of(task: TileTask, tile: Option<PreparedTile>) -> Self {
        let granted = task.granted();
        let TileTask { index, coord, obstacles, time, .. } = task;
        Self { index, coord, obstacles, granted, time, tile }
    }
}

impl Round {
    pub(super) fn new(tasks: VecDeque<TileTask>) -> Self {
        let total = tasks.iter().map(TileTask::total).sum();
        let members = tasks.iter().map(|task| task.index).collect();
        let baking = tasks.iter().filter(|task| task.is_baked_anew()).map(|task| task.index).collect();
        Self { members, baking, tasks, finished: Vec::new(), total, done: 0, has_source: false, has_credit: false }
    }

    /// Leaves a tile to a later round.
    pub(super) fn leave_out(&mut self, task: &TileTask) {
        self.members.remove(&task.index);
        self.baking.remove(&task.index);
        self.total -= task.total();
    }

    /// Takes a task that was worked on: it goes on.
    pub(super) fn put_back(&mut self, task: TileTask) {
        self.done += task.done();
        self.tasks.push_front(task);
    }

    /// A task is over.
    pub(super) fn end(&mut self, task: &TileTask) {
        self.done += task.total();
        self.baking.remove(&task.index);
    }

    /// A task is over, and its tile stays as it is.
    pub(super) fn fail(&mut self, task: &TileTask) {
        self.end(task);
        self.members.remove(&task.index);
    }

    /// Takes so many tasks out, to work on them.
    pub(super) fn take_tasks(&mut self, count: usize) -> Vec<TileTask> {
        let taken: Vec<TileTask> = self.tasks.drain(..count.min(self.tasks.len())).collect();
        self.done -= taken.iter().map(TileTask::done).sum::<u64>();
        taken
    }

    /// The tiles in it with their obstacles, and the units of the budget that they were granted, in no order.
    pub(super) fn obstacles(&self) -> impl Iterator<Item = (u64, &[Arc<MarkedVolume>], u64)> {
        let finished = self.finished.iter();
        let finished = finished.map(|finished| (finished.index, &finished.obstacles[..], finished.granted));
        self.tasks.iter().map(|task| (task.index, &task.obstacles[..], task.granted())).chain(finished)
    }

    /// Puts the finished tiles into the mesh.
    pub(super) fn publish(
        mut self,
        number: u64,
        mesh: &mut NavMesh,
        context: &Context<'_>,
        results: &mut RoundResults,
    ) {
        self.finished.sort_unstable_by_key(|finished| finished.index);
        for FinishedTile { coord, time, tile, .. } in self.finished {
            let (entered, linking) = context.timed(|| enter(mesh, coord, tile));
            match entered {
                Ok((change, tile)) => results.add(RebuiltTile { coord, change, tile, time: time + linking }),
                Err(source) => results.fail(number, coord, RebuildError::Tile { coord, source }),
            }
        }
    }
}

fn enter(
    mesh: &mut NavMesh,
    coord: TileCoord,
    tile: Option<PreparedTile>,
) -> Result<(TileChange, Option<TileRef>), AddTileError> {
    let old = mesh.tile_at(coord);
    let old_ref = old.map(|old| old.tile_ref());
    Ok(match (old_ref, tile) {
        (None, None) => (TileChange::Same, None),
        (Some(there), Some(tile)) if old.is_some_and(|old| old.data() == tile.data()) => {
            (TileChange::Same, Some(there))
        }
        (Some(there), Some(tile)) => (TileChange::Replaced, Some(mesh.replace_prepared(there, tile)?.0)),
        (Some(there), None) => {
            mesh.remove_tile(there)?;
            (TileChange::Removed, None)
        }
        (None, Some(tile)) => (TileChange::Added, Some(mesh.add_prepared(tile)?)),
    })
}
