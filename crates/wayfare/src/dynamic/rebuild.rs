//! Rebuilds one tile, in pieces: from its checkpoint with the obstacles marked on it, or from triangles.
//!
//! ```text
//!   bytes ─ unpack, own volumes, erode ─> kept ─ obstacles, erode around them, paint ─> Door::Eroded ─ recipe ─> tile
//! ```
//!
//! Cost: unpacking takes some nanoseconds a cell, once; then the cells under the obstacles and near them, and the
//! recipe from the eroded ground on.
//!
//! Sources: Mikko Mononen, "Handling Temporary Obstacles", Digesting Duck, 2010.

use super::level_checkpoints::TileCheckpoint;
use super::tile_ground::{ErosionScratch, TileGround};
use super::{LevelCheckpoints, RebuildError};
use crate::bake::{BakeError, BakeReport, BakeStep, Door, Products, TileBaker, TileInput, TileRect};
use crate::context::{Budget, Context, parallel};
use crate::input::{Level, MarkedVolume, Marking, TriMesh};
use crate::mesh::PreparedTile;
use crate::tile::{TileCoord, TileData};
use crate::voxel::{Checkpoints, CompactHeightfield, Grid, MarkedCells, mark_cells};
use core::mem::swap;
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What a tile goes through: unpacking, and the steps of the recipe behind [`Door::Open`].
pub(super) const STEPS: u64 = 1 + (BakeStep::ALL.len() - BakeStep::MarkBefore as usize) as u64;

/// The most tiles that are worked on at once within a budget.
pub(super) const TILES_AT_ONCE: usize = 8;

/// Memory in which a tile is rebuilt.
pub(super) struct Workbench {
    baker: TileBaker,
    checkpoints: Checkpoints,
    erosion: ErosionScratch,
}

/// Memory that no tile is in at the moment, for as many tiles as are worked on at once.
#[derive(Default)]
pub(super) struct Workbenches(Mutex<Vec<Box<Workbench>>>);

impl Workbenches {
    fn take(&self, ground: &LevelCheckpoints) -> Box<Workbench> {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.unwrap_or_else(|| {
            let baker = TileBaker::new(ground.plan.level, ground.plan.settings);
            let checkpoints = Checkpoints::new(&ground.plan.settings);
            Box::new(Workbench { baker, checkpoints, erosion: ErosionScratch::default() })
        })
    }

    fn put_back(&self, bench: Box<Workbench>) {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.len() < parallel::threads().max(TILES_AT_ONCE) {
            spare.push(bench);
        }
    }
}

/// What all tiles are rebuilt with.
#[derive(Clone, Copy)]
pub(super) struct Workshop<'a> {
    pub(super) level: &'a LevelCheckpoints,
    /// The level's own volumes by the tiles that they change.
    pub(super) own: &'a BTreeMap<u64, Vec<u32>>,
    pub(super) benches: &'a Workbenches,
}

impl Workshop<'_> {
    fn own_volumes(&self, tile: u64) -> impl Iterator<Item = &MarkedVolume> {
        self.own.get(&tile).into_iter().flatten().filter_map(|&i| self.level.volumes.get(i as usize))
    }
}

/// A tile to be rebuilt, with the obstacles in it.
pub(super) struct TileTask {
    pub(super) index: u64,
    pub(super) coord: TileCoord,
    /// In the order in which they are marked.
    pub(super) obstacles: Vec<Arc<MarkedVolume>>,
    cells: u64,
    next: TaskPiece,
    /// Whether it is baked from triangles.
    is_anew: bool,
    /// These triangles, while they are needed.
    triangles: Option<TriMesh>,
    /// The checkpoint that came of them; `None` inside: nothing can be walked on.
    pub(super) made: Option<Option<TileCheckpoint>>,
    /// Its ground, or memory for it.
    ground: Option<Box<TileGround>>,
    /// Where it is under way, once it has begun.
    bench: Option<Box<Workbench>>,
    price: TilePrice,
    credit: u64,
    /// The finished tile, until it is paid for.
    finished: Option<Option<PreparedTile>>,
    pub(super) time: Duration,
}

/// What a tile has taken so far, in units of the budget, and what of it was granted.
///
/// The last piece of work in a step may take more than is left; the next step pays for it first. And a tile is only
/// done when it is paid for. So the step in which it is done depends on what it takes in all, and not on how it was
/// divided into pieces, nor on whether something was remembered, which costs as much as doing it again.
#[derive(Clone, Copy, Debug, Default)]
struct TilePrice {
    taken: u64,
    granted: u64,
    /// What the recipe has taken of it, from the eroded ground on.
    recipe: u64,
}

/// What is done next; of volumes, from which on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TaskPiece {
    Unpack,
    /// The steps of the recipe up to [`Door::Open`].
    Bake,
    Own(usize),
    Obstacles(usize),
    Paint(usize),
    Enter,
    /// The steps of the recipe behind [`Door::Eroded`], so many of which are done.
    Recipe(u64),
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

/// What a tile is worked on with.
struct Desk<'a> {
    shop: Workshop<'a>,
    bench: &'a mut Workbench,
    ground: &'a mut TileGround,
    tile: TileRect,
}

impl TileTask {
    pub(super) fn new(level: &LevelCheckpoints, index: u64, obstacles: Vec<Arc<MarkedVolume>>) -> Self {
        let tile = level.plan.tile(index);
        let cells = tile.baked_grid().cell_count() as u64;
        let next = TaskPiece::Unpack;
        Self {
            index,
            coord: tile.coord,
            obstacles,
            cells,
            next,
            is_anew: false,
            triangles: None,
            made: None,
            ground: None,
            bench: None,
            price: TilePrice::default(),
            credit: 0,
            finished: None,
            time: Duration::ZERO,
        }
    }

    /// The same, which was granted so many units before it was begun again: they are due to it at once.
    pub(super) fn with_credit(self, credit: u64) -> Self {
        Self { credit, ..self }
    }

    /// The same, from triangles instead of from its checkpoint.
    pub(super) fn anew(self) -> Self {
        Self { is_anew: true, ..self }
    }

    /// Whether it is baked from triangles.
    pub(super) fn is_baked_anew(&self) -> bool {
        self.is_anew
    }

    /// Whether it waits for its triangles.
    pub(super) fn needs_triangles(&self) -> bool {
        self.is_anew && self.next == TaskPiece::Unpack && self.triangles.is_none()
    }

    /// Gives it the triangles that touch the tile and its border.
    pub(super) fn give_triangles(&mut self, triangles: TriMesh) {
        self.triangles = Some(triangles);
    }

    /// Whether nothing is done yet, and it has no memory to begin in.
    pub(super) fn needs_memory(&self) -> bool {
        self.next == TaskPiece::Unpack && self.ground.is_none()
    }

    /// How many units of the budget it was granted so far.
    pub(super) fn granted(&self) -> u64 {
        self.price.granted + self.credit
    }

    /// Gives it the ground of the tile as an earlier task unpacked it, or memory to unpack into.
    pub(super) fn lend(&mut self, ground: Option<Box<TileGround>>) {
        self.ground = ground;
    }

    /// The unpacked ground of a tile that is done.
    pub(super) fn take_ground(&mut self) -> Option<Box<TileGround>> {
        self.ground.take()
    }

    /// How much work it is: its cells, with its border, for each step.
    pub(super) fn total(&self) -> u64 {
        STEPS * self.cells
    }

    /// How much of it is done.
    pub(super) fn done(&self) -> u64 {
        let steps = match self.next {
            TaskPiece::Unpack | TaskPiece::Bake => 0,
            TaskPiece::Own(_) | TaskPiece::Obstacles(_) => 1,
            TaskPiece::Paint(_) => 3,
            TaskPiece::Enter => 4,
            TaskPiece::Recipe(steps) => 4 + steps,
        };
        steps.min(STEPS) * self.cells
    }

    /// Does as much as the budget reaches for, and takes off what it needed.
    pub(super) fn go_on(&mut self, shop: Workshop<'_>, budget: &mut Budget, context: &Context<'_>) -> PieceEnd {
        // Before anything is begun: it would keep its memory until the next step.
        if context.check_cancelled().is_err() {
            return PieceEnd::Cancelled;
        }
        if self.credit > 0 {
            let mut credit = Budget::new(self.credit);
            let end = self.go_on_within(shop, &mut credit, context);
            self.credit = credit.left();
            if !matches!(end, PieceEnd::UnderWay) {
                return end;
            }
        }
        self.go_on_within(shop, budget, context)
    }

    fn go_on_within(&mut self, shop: Workshop<'_>, budget: &mut Budget, context: &Context<'_>) -> PieceEnd {
        self.pay(budget);
        if budget.left() > 0 && self.finished.is_none() {
            let granted = budget.left();
            let before = budget.taken();
            let end = self.work_at_bench(shop, budget, context);
            let taken = budget.taken() - before;
            self.price.taken += taken;
            self.price.granted += taken.min(granted);
            match end {
                PieceEnd::Done(tile) => self.finished = Some(tile),
                other => return other,
            }
        }
        let is_paid = self.price.granted == self.price.taken;
        self.finished.take_if(|_| is_paid).map_or(PieceEnd::UnderWay, PieceEnd::Done)
    }

    /// Pays for what was taken without being granted.
    fn pay(&mut self, budget: &mut Budget) {
        let paid = (self.price.taken - self.price.granted).min(budget.left());
        budget.charge(paid);
        self.price.granted += paid;
    }

    fn work_at_bench(&mut self, shop: Workshop<'_>, budget: &mut Budget, context: &Context<'_>) -> PieceEnd {
        let mut bench = self.bench.take().unwrap_or_else(|| shop.benches.take(shop.level));
        let mut ground = self.ground.take().unwrap_or_else(|| Box::new(TileGround::new(no_field(shop.level))));
        let tile = shop.level.plan.tile(self.index);
        let mut desk = Desk { shop, bench: &mut bench, ground: &mut ground, tile };
        let (end, time) = context.timed(|| self.work(&mut desk, budget, context));
        self.time += time;
        match end {
            Ok(PieceEnd::Done(tile)) => {
                shop.benches.put_back(bench);
                self.ground = Some(ground);
                PieceEnd::Done(tile)
            }
            Err(error) if error != RebuildError::Cancelled => {
                shop.benches.put_back(bench);
                PieceEnd::Failed(error)
            }
            under_way => {
                (self.bench, self.ground) = (Some(bench), Some(ground));
                under_way.unwrap_or(PieceEnd::Cancelled)
            }
        }
    }

    fn work(
        &mut self,
        desk: &mut Desk<'_>,
        budget: &mut Budget,
        context: &Context<'_>,
    ) -> Result<PieceEnd, RebuildError> {
        while !matches!(self.next, TaskPiece::Enter | TaskPiece::Recipe(_)) {
            let is_from_triangles = matches!(self.next, TaskPiece::Unpack | TaskPiece::Bake) && self.is_anew;
            self.next =
                if is_from_triangles { self.bake_ground(desk, budget, context)? } else { self.prepare(desk, budget)? };
            context.check_cancelled().map_err(|_| RebuildError::Cancelled)?;
            if budget.left() == 0 {
                return Ok(PieceEnd::UnderWay);
            }
        }
        if self.next == TaskPiece::Enter
            && let Some((tile, units)) = desk.ground.outcome()
        {
            budget.charge(units);
            return Ok(PieceEnd::Done(tile));
        }
        self.run_recipe(desk, budget, context)
    }

    /// Does a piece of what comes before the recipe; what is next.
    fn prepare(&self, desk: &mut Desk<'_>, budget: &mut Budget) -> Result<TaskPiece, RebuildError> {
        let Desk { shop, bench, ground, tile } = desk;
        let settings = &shop.level.plan.settings;
        let agent_height = settings.agent_height_vx as f32 * settings.cell_height;
        let own = shop.own_volumes(self.index);
        let obstacles = self.obstacles.iter().map(|marked| &**marked);
        Ok(match self.next {
            TaskPiece::Unpack => {
                if !ground.is_open() {
                    let bytes = shop.level.tiles.get(&self.index).map_or(&[][..], |tile| &tile.bytes);
                    let read = bench.checkpoints.read(bytes, &tile.baked_grid(), tile.border, &mut ground.field);
                    read.map_err(|source| RebuildError::Checkpoint { coord: self.coord, source })?;
                }
                budget.charge(self.cells);
                TaskPiece::Own(0)
            }
            TaskPiece::Own(from) => {
                let turn = (Marking::BeforeErosion, from);
                let rest = if ground.is_open() {
                    mark_with(&ground.field.grid, own, turn, budget, |_, _| {})
                } else {
                    mark((&mut ground.field, agent_height), own, turn, budget)
                };
                if let Some(rest) = rest {
                    return Ok(TaskPiece::Own(rest));
                }
                if !ground.is_open() {
                    ground.set_open(settings, &mut bench.erosion);
                }
                budget.charge(ground.field.span_count() as u64);
                TaskPiece::Obstacles(0)
            }
            TaskPiece::Obstacles(from) => {
                if from == 0 {
                    ground.set_clear();
                }
                let field = (&mut ground.field, agent_height);
                if let Some(rest) = mark(field, obstacles, (Marking::BeforeErosion, from), budget) {
                    return Ok(TaskPiece::Obstacles(rest));
                }
                ground.erode(settings, &mut bench.erosion);
                budget.charge(ground.field.span_count() as u64);
                TaskPiece::Paint(0)
            }
            TaskPiece::Paint(from) => {
                let field = (&mut ground.field, agent_height);
                let rest = mark(field, own.chain(obstacles), (Marking::AfterErosion, from), budget);
                rest.map_or(TaskPiece::Enter, TaskPiece::Paint)
            }
            next @ (TaskPiece::Bake | TaskPiece::Enter | TaskPiece::Recipe(_)) => next,
        })
    }

    /// Bakes the ground from triangles, and makes its checkpoint; what is next.
    fn bake_ground(
        &mut self,
        desk: &mut Desk<'_>,
        budget: &mut Budget,
        context: &Context<'_>,
    ) -> Result<TaskPiece, RebuildError> {
        let Workbench { baker, checkpoints, .. } = &mut *desk.bench;
        let nothing = TriMesh::EMPTY;
        let mesh = self.triangles.as_ref().unwrap_or(&nothing);
        let level = Level { mesh, terrain: None, volumes: &[] };
        let source = TileInput { level, triangles: None, tile: desk.tile };
        if self.next == TaskPiece::Unpack {
            baker.enter(&source, [Door::Triangles, Door::Open]).map_err(|e| refused(self.coord, e))?;
        }
        let unread = &mut BakeReport::default();
        if !baker.step(&source, budget, &mut (), context, unread).map_err(|e| refused(self.coord, e))? {
            return Ok(TaskPiece::Bake);
        }
        let field = &mut baker.products_mut().compact;
        self.made = Some((field.walkable_count() > 0).then(|| TileCheckpoint::of(field, checkpoints)));
        self.triangles = None;
        desk.ground.close();
        swap(field, &mut desk.ground.field);
        Ok(TaskPiece::Own(0))
    }

    /// Goes through the recipe from the eroded ground on.
    fn run_recipe(
        &mut self,
        desk: &mut Desk<'_>,
        budget: &mut Budget,
        context: &Context<'_>,
    ) -> Result<PieceEnd, RebuildError> {
        let coord = self.coord;
        let nothing = TriMesh::EMPTY;
        let level = Level { mesh: &nothing, terrain: None, volumes: &[] };
        let source = TileInput { level, triangles: Some(&[]), tile: desk.tile };
        let baker = &mut desk.bench.baker;
        if self.next == TaskPiece::Enter {
            swap(&mut baker.products_mut().compact, &mut desk.ground.field);
            baker.enter(&source, [Door::Eroded, Door::Tile]).map_err(|e| refused(coord, e))?;
            self.next = TaskPiece::Recipe(0);
        }
        let TaskPiece::Recipe(steps) = &mut self.next else { return Ok(PieceEnd::UnderWay) };
        let mut count = |_: BakeStep, _: &Products| *steps += 1;
        let unread = &mut BakeReport::default();
        let before = budget.taken();
        let ended = baker.step(&source, budget, &mut count, context, unread);
        self.price.recipe += budget.taken() - before;
        if !ended.map_err(|e| refused(coord, e))? {
            return Ok(PieceEnd::UnderWay);
        }
        *steps = STEPS;
        let data = baker.take_tile();
        swap(&mut baker.products_mut().compact, &mut desk.ground.field);
        let tile = data.map(|data| PreparedTile::new(with_flags(desk.shop.level, &data)));
        desk.ground.remember(tile.clone(), self.price.recipe);
        Ok(PieceEnd::Done(tile))
    }
}

/// Marks those volumes whose turn it is, from one on, as far as the budget reaches; from which on to go on.
fn mark<'v>(
    (field, agent_height): (&mut CompactHeightfield, f32),
    volumes: impl Iterator<Item = &'v MarkedVolume>,
    turn: (Marking, usize),
    budget: &mut Budget,
) -> Option<usize> {
    let grid = field.grid;
    mark_with(&grid, volumes, turn, budget, |cells, marked| {
        mark_cells(field, cells, &marked.volume, (marked.area, agent_height));
    })
}

/// The same, with what marks a volume on its cells.
fn mark_with<'v>(
    grid: &Grid,
    volumes: impl Iterator<Item = &'v MarkedVolume>,
    (when, from): (Marking, usize),
    budget: &mut Budget,
    mut mark: impl FnMut(&MarkedCells, &MarkedVolume),
) -> Option<usize> {
    for (at, marked) in volumes.enumerate().skip(from).filter(|(_, marked)| marked.when == when) {
        if budget.left() == 0 {
            return Some(at);
        }
        budget.charge(1);
        if let Some(cells) = MarkedCells::under(&marked.volume.bounds(), grid) {
            mark(&cells, marked);
            budget.charge(cells.units(&marked.volume));
        }
    }
    None
}

fn refused(coord: TileCoord, source: BakeError) -> RebuildError {
    match source {
        BakeError::Cancelled(_) => RebuildError::Cancelled,
        source => RebuildError::Bake { coord, source },
    }
}

fn no_field(level: &LevelCheckpoints) -> CompactHeightfield {
    CompactHeightfield::empty(Grid { width: 0, depth: 0, ..level.plan.level })
}

fn with_flags(level: &LevelCheckpoints, tile: &TileData) -> TileData {
    tile.with_states(|_, poly| (level.flags.flags(poly.area).unwrap_or(poly.flags), poly.area))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::BakeSettings;
    use glam::Vec3;

    #[test]
    fn memory_is_kept_for_the_tiles_that_are_worked_on_at_once_and_no_more() {
        let bounds = Some(crate::math::Aabb { min: Vec3::ZERO, max: Vec3::splat(9.0) });
        let settings = BakeSettings { tile_size: 8, bounds, ..BakeSettings::default() };
        let level = LevelCheckpoints::empty(&TriMesh::EMPTY, &settings).unwrap();
        let benches = Workbenches::default();
        let most = parallel::threads().max(TILES_AT_ONCE);
        let taken: Vec<_> = (0..most + 20).map(|_| benches.take(&level)).collect();
        taken.into_iter().for_each(|bench| benches.put_back(bench));
        assert_eq!(benches.0.lock().unwrap().len(), most);
    }
}
