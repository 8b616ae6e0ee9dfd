//! The recipe for one tile: runs its steps one after another, from door to door.
//!
//! Each step is a public function that can be called, drawn and replaced separately; [`TileBaker`] calls them in order
//! and, after each, measures its time, counts its product, passes it to the observer, and keeps or frees memory. Long
//! steps run in pieces; between two pieces a bake can be cancelled, or continued in another frame.
//!
//! Sources: the order of the steps is Recast's (Mikko Mononen, 2009).

use super::products::StepScratch;
use super::{BakeError, BakeObserver, BakeStep, Door, Keep, Products, TileInput, TileRect};
use crate::bake::BakeReport;
use crate::context::{Budget, Context};
use crate::input::{Level, VoxelSettings};
use crate::tile::{MAX_POLYS, TileData};
use crate::voxel::Grid;

/// Units of work between two checks whether to continue: a few milliseconds, where the work can be divided.
const PIECE: u64 = 1 << 16;

/// Bakes one tile after another with the same settings, reusing memory: from the second tile on, only the finished tile
/// is allocated.
pub struct TileBaker {
    pub(super) settings: VoxelSettings,
    pub(super) level: Grid,
    pub(super) keep: Keep,
    pub(super) products: Products,
    pub(super) scratch: StepScratch,
    pub(super) tile: Option<TileData>,
    /// The next step, and the step before which the recipe ends, by number.
    next: usize,
    end: usize,
    /// Whether the next step has begun, and its progress if that is not in its scratch.
    pub(super) has_begun: bool,
    pub(super) row: u32,
    /// How many of the tile's cells have been counted for the step.
    counted: u64,
}

/// What a baker needs while it runs.
pub(in crate::bake) struct BakeRun<'a, 'c> {
    pub(in crate::bake) context: &'a Context<'c>,
    pub(in crate::bake) report: &'a mut BakeReport,
    pub(in crate::bake) observer: &'a mut dyn BakeObserver,
    pub(in crate::bake) budget: &'a mut Budget,
    /// Called after each piece with its part of the work: each step counts as many units as there are cells, so that
    /// the work of a tile is known in advance.
    pub(in crate::bake) worked: &'a mut dyn FnMut(u64),
}

impl TileBaker {
    /// A baker for tiles of a level.
    #[must_use]
    pub fn new(level: Grid, settings: VoxelSettings) -> Self {
        Self::keeping(Keep::Products, level, settings)
    }

    /// A baker that keeps its products only if asked to.
    pub(in crate::bake) fn keeping(keep: Keep, level: Grid, settings: VoxelSettings) -> Self {
        Self {
            settings,
            level,
            keep,
            products: Products::empty(level),
            scratch: StepScratch::default(),
            tile: None,
            next: 0,
            end: 0,
            has_begun: false,
            row: 0,
            counted: 0,
        }
    }

    /// The products of the tile that was baked last, to inspect, draw or dump.
    #[must_use]
    pub fn products(&self) -> &Products {
        &self.products
    }

    /// The same, mutable: to insert a product with which the recipe is [entered](Self::run).
    pub fn products_mut(&mut self) -> &mut Products {
        &mut self.products
    }

    /// Bakes a tile of a level, from the level's triangles that touch it (`None`: all); `Ok(None)` if nothing in it is
    /// walkable. Counts, times and warnings are added to `report`.
    ///
    /// # Errors
    /// [`BakeError::Grid`] for a tile that does not fit in one heightfield, [`BakeError::NoSuchTriangle`],
    /// [`BakeError::TooMuchMemory`], [`BakeError::TooManyPolygons`], and [`BakeError::Cancelled`], which is checked
    /// between [pieces of work](crate::bake::BakeJob::step): every few milliseconds, unless the tile is very large.
    pub fn bake<'a>(
        &mut self,
        level: impl Into<Level<'a>>,
        triangles: Option<&[u32]>,
        tile: &TileRect,
        context: &Context<'_>,
        report: &mut BakeReport,
    ) -> Result<Option<TileData>, BakeError> {
        let source = TileInput { level: level.into(), triangles, tile: *tile };
        self.run(&source, [Door::Triangles, Door::Tile], &mut (), context, report)
    }

    /// Runs the recipe from one door to another, and passes the products to `observer` after each step. The product for
    /// the first door must be in [`products_mut`](Self::products_mut); earlier steps are skipped. A tile is only
    /// returned at [`Door::Tile`], if anything in it is walkable. Does nothing if the doors are the same, or in the
    /// wrong order.
    ///
    /// The triangles are read only when starting at [`Door::Triangles`], the volumes when starting before
    /// [`Door::Eroded`].
    ///
    /// # Errors
    /// Like [`bake`](Self::bake), and [`BakeError::NoProduct`].
    pub fn run(
        &mut self,
        source: &TileInput<'_>,
        doors: [Door; 2],
        observer: &mut dyn BakeObserver,
        context: &Context<'_>,
        report: &mut BakeReport,
    ) -> Result<Option<TileData>, BakeError> {
        self.enter(source, doors)?;
        let budget = &mut Budget::unlimited();
        let worked = &mut |_| {};
        self.go_on(source, &mut BakeRun { context, report, observer, budget, worked })?;
        Ok(self.take_tile())
    }

    /// Prepares to go from door to door [step by step](Self::step). The product for the first door must be in
    /// [`products_mut`](Self::products_mut), as for [`run`](Self::run).
    ///
    /// # Errors
    /// Like [`run`](Self::run), except for cancelling.
    pub fn enter(&mut self, source: &TileInput<'_>, [from, to]: [Door; 2]) -> Result<(), BakeError> {
        let grid = source.tile.baked_grid();
        source.tile.check_size()?;
        let is_there = match from {
            Door::Triangles => {
                let count = source.level.mesh.tris().len();
                let is_beyond = |&&index: &&u32| index as usize >= count;
                if let Some(&index) = source.triangles.and_then(|given| given.iter().find(is_beyond)) {
                    return Err(BakeError::NoSuchTriangle { index, count });
                }
                true
            }
            Door::Solid | Door::Filtered => self.products.heightfield.covers(&grid),
            Door::Open | Door::Eroded => self.products.compact.is_of(&grid, source.tile.border),
            Door::Tile => true,
        };
        if !is_there {
            return Err(BakeError::NoProduct { door: from });
        }
        self.tile = None;
        (self.next, self.end) = (from.first_step(), to.first_step());
        self.has_begun = false;
        self.counted = 0;
        Ok(())
    }

    /// Continues from where [`enter`](Self::enter) or the last call stopped, within the budget, from which the work is
    /// subtracted. A unit of work is a cell, a span, a triangle, a corner or a sample, depending on the step. Returns
    /// whether the last door is reached: then call [`take_tile`](Self::take_tile). `source` must be the same in all
    /// calls. After [`BakeError::Cancelled`] it can be continued.
    ///
    /// # Errors
    /// Like [`run`](Self::run).
    pub fn step(
        &mut self,
        source: &TileInput<'_>,
        budget: &mut Budget,
        observer: &mut dyn BakeObserver,
        context: &Context<'_>,
        report: &mut BakeReport,
    ) -> Result<bool, BakeError> {
        self.go_on(source, &mut BakeRun { context, report, observer, budget, worked: &mut |_| {} })
    }

    /// The tile that was finished last, unless it was already taken.
    pub fn take_tile(&mut self) -> Option<TileData> {
        self.tile.take()
    }

    /// Continues with the steps within the budget. A unit of work is a cell, a span, a triangle, a corner or a sample,
    /// depending on the step. Returns whether the door is reached, or nothing is left to process.
    pub(in crate::bake) fn go_on(
        &mut self,
        source: &TileInput<'_>,
        run: &mut BakeRun<'_, '_>,
    ) -> Result<bool, BakeError> {
        while self.next < self.end {
            if run.budget.left() == 0 {
                return Ok(false);
            }
            let step = BakeStep::ALL[self.next];
            if !self.has_begun && self.is_empty(step, run.report) {
                if step == BakeStep::Distance && self.keep == Keep::Products {
                    self.products.clear_surface(source.tile.grid);
                }
                self.next = self.end;
                return Ok(true);
            }
            let mut piece = Budget::new(PIECE.min(run.budget.left()));
            let (done, time) = run.context.timed(|| self.work(step, source, (run.context, run.report), &mut piece));
            run.report.times.add(step.stage(), time);
            let is_done = done?;
            self.has_begun = !is_done;
            // A piece may take more than it was given: what a tile takes in all does not depend on how it is divided.
            let units = piece.taken();
            run.budget.charge(units);
            let rest = source.tile.baked_grid().cell_count() as u64 - self.counted;
            let counted = if is_done { rest } else { units.min(rest) };
            self.counted += counted;
            (run.worked)(counted);
            if is_done {
                self.counted = 0;
                self.next += 1;
                self.products.count(step, &mut run.report.stats);
                run.observer.after(step, &self.products);
                self.keep.tidy(step, &mut self.products, &mut self.scratch);
            }
            if step == BakeStep::Polygons && is_done {
                self.check_polygons(&source.tile)?;
            }
            run.context.check_cancelled()?;
        }
        Ok(true)
    }

    /// Whether nothing is left for the steps from `step` on; counts the tile once its open spans are known.
    fn is_empty(&self, step: BakeStep, report: &mut BakeReport) -> bool {
        let stats = &mut report.stats;
        let is_empty = match step {
            BakeStep::Distance => {
                let walkable = self.products.compact.walkable_count();
                stats.tiles += 1;
                stats.eroded_spans += walkable as u64;
                walkable == 0
            }
            BakeStep::Tile => self.products.polygons.polys.is_empty(),
            _ => false,
        };
        stats.empty_tiles += u32::from(is_empty);
        is_empty
    }

    fn check_polygons(&self, tile: &TileRect) -> Result<(), BakeError> {
        let count = self.products.polygons.polys.len();
        if count > MAX_POLYS {
            return Err(BakeError::TooManyPolygons { x: tile.coord.x, z: tile.coord.z, count });
        }
        Ok(())
    }
}

impl core::fmt::Debug for TileBaker {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TileBaker")
            .field("level", &self.level)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
