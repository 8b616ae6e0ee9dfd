//! How a session works on its rounds: it begins one with the tiles that are dirty, shares the budget of each step among
//! the first of them, and takes back what has become of them.
//!
//! Cost: the tiles. Sources: own work.

use super::rebuild::{PieceEnd, TILES_AT_ONCE, TileTask, Workshop};
use super::round::{FinishedTile, Round};
use super::{LevelCheckpoints, Obstacles, RebuildError, TriangleSource};
use crate::context::{Budget, Context, parallel};
use std::collections::VecDeque;

/// A budget is shared among tiles that are worked on at once, if each gets so many units: several last pieces, each of
/// which may take more than is left, are otherwise more than a small budget. It must not depend on the number of
/// threads, nor must the number of tiles: which tile was given how much is saved, and decides what is done when.
const WORTH_SHARING: u64 = 4096;

/// The most tiles that are worked on at once without a limit, and whose triangles are in memory at once: they are until
/// all are done.
const MOST_AT_ONCE: usize = 256;

impl Obstacles {
    /// Whether a round is under way; begins one if there is something to do.
    pub(super) fn has_round(&mut self, source: Option<&dyn TriangleSource>) -> bool {
        if self.round.is_some() {
            return true;
        }
        let has_source = source.is_some();
        let stale = &self.stale;
        let ready = self.dirty.take_unless(|tile| !has_source && stale.contains(&tile), &self.ground.plan);
        if ready.is_empty() {
            return false;
        }
        let number = self.over + 1;
        for &tile in self.dirty.tiles() {
            self.left_out.entry(tile).or_insert(number);
        }
        let tasks: VecDeque<_> = ready.into_iter().filter_map(|index| self.task(index)).collect();
        let mut round = Round { has_source, ..Round::new(tasks) };
        // The level may change while the round is under way, of which its tiles would show one half and not the other.
        if let Some(source) = source
            && round.baking.len() <= MOST_AT_ONCE
        {
            give_triangles(round.tasks.iter_mut(), source, &self.ground);
        }
        self.round = Some(round);
        true
    }

    /// What is to be done for a tile; nothing where there is no ground.
    fn task(&mut self, index: u64) -> Option<TileTask> {
        let task = TileTask::new(&self.ground, index, self.table.in_tile(index).cloned().collect());
        if self.stale.remove(&index) {
            return Some(task.anew());
        }
        self.ground.tiles.contains_key(&index).then_some(task)
    }

    /// Leaves tiles that wait for triangles to a later round: this step has none to give.
    fn leave_out_waiting(&mut self) {
        let Some(round) = &mut self.round else { return };
        let (waiting, ready): (VecDeque<_>, VecDeque<_>) = round.tasks.drain(..).partition(TileTask::needs_triangles);
        round.tasks = ready;
        round.has_source &= waiting.is_empty();
        for task in waiting {
            round.leave_out(&task);
            self.stale.insert(task.index);
            self.dirty.extend([task.index], &self.ground.plan);
            self.left_out.entry(task.index).or_insert(self.over + 1);
        }
    }

    /// Does a piece of each of the next tiles of the round.
    pub(super) fn work(
        &mut self,
        source: Option<&dyn TriangleSource>,
        budget: &mut Budget,
        context: &Context<'_>,
    ) -> Result<(), RebuildError> {
        if source.is_none() {
            self.leave_out_waiting();
        }
        let Some(round) = &mut self.round else { return Ok(()) };
        if round.has_credit {
            let tasks = round.take_tasks(usize::MAX).into_iter().map(|task| (task, Budget::new(0))).collect();
            self.run(tasks, context)?;
        }
        let Some(round) = &mut self.round else { return Ok(()) };
        round.has_credit = false;
        let (at_once, share) = if budget.is_unlimited() {
            (MOST_AT_ONCE, *budget)
        } else {
            let at_once = (budget.left() / WORTH_SHARING).clamp(1, TILES_AT_ONCE as u64);
            let at_once = at_once.min(round.tasks.len().max(1) as u64);
            (at_once as usize, Budget::new(budget.left() / at_once))
        };
        let mut tasks = round.take_tasks(at_once);
        if let Some(source) = source {
            give_triangles(tasks.iter_mut(), source, &self.ground);
        }
        budget.charge(self.run(tasks.into_iter().map(|task| (task, share)).collect(), context)?);
        Ok(())
    }

    /// Works on the first tiles of the round, each within its share of the budget; the units that were granted.
    fn run(&mut self, mut tasks: Vec<(TileTask, Budget)>, context: &Context<'_>) -> Result<u64, RebuildError> {
        for (task, _) in tasks.iter_mut().filter(|(task, _)| task.needs_memory()) {
            let ground = if task.is_baked_anew() { None } else { self.unpacked.take(task.index) };
            task.lend(ground.or_else(|| self.unpacked.take_spare()));
        }
        let shop = Workshop { level: &self.ground, own: &self.own, benches: &self.benches };
        let ended = parallel::map(
            tasks,
            || (),
            |(), (mut task, mut share)| {
                let before = share.left();
                let end = task.go_on(shop, &mut share, context);
                (task, end, before - share.left())
            },
        );
        let mut granted = 0;
        let mut is_cancelled = false;
        for (task, end, units) in ended.into_iter().rev() {
            granted += units;
            is_cancelled |= matches!(end, PieceEnd::Cancelled);
            self.take_back(task, end);
        }
        if is_cancelled { Err(RebuildError::Cancelled) } else { Ok(granted) }
    }

    /// Takes a tile back that was worked on: done, failed, or to go on with.
    fn take_back(&mut self, mut task: TileTask, end: PieceEnd) {
        let Some(round) = &mut self.round else { return };
        match end {
            PieceEnd::UnderWay | PieceEnd::Cancelled => round.put_back(task),
            PieceEnd::Done(tile) => {
                round.end(&task);
                match task.made.take() {
                    Some(Some(checkpoint)) => _ = self.ground.tiles.insert(task.index, checkpoint),
                    Some(None) => {
                        self.ground.tiles.remove(&task.index);
                        if !self.stale.contains(&task.index) {
                            self.table.forget_tile(task.index);
                        }
                    }
                    None => {}
                }
                let is_current = self.ground.tiles.contains_key(&task.index) && !self.stale.contains(&task.index);
                if let Some(ground) = task.take_ground().filter(|_| is_current) {
                    self.unpacked.put(task.index, ground);
                }
                round.finished.push(FinishedTile::of(task, tile));
            }
            PieceEnd::Failed(error) => {
                round.fail(&task);
                if task.is_baked_anew() {
                    self.stale.insert(task.index);
                }
                self.results.fail(self.over + 1, task.coord, error);
            }
        }
    }
}

/// Gives tasks their triangles that wait for some.
fn give_triangles<'t>(
    tasks: impl Iterator<Item = &'t mut TileTask>,
    source: &dyn TriangleSource,
    ground: &LevelCheckpoints,
) {
    for task in tasks.filter(|task| task.needs_triangles()) {
        task.give_triangles(source.triangles_in(&ground.bounds_of(task.index)));
    }
}
