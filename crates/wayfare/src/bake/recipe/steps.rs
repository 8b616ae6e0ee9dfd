//! Runs each step: a call of its function, or a part of it.

use super::products::StepScratch;
use super::{BakeError, BakeStep, Keep, TileBaker, TileInput};
use crate::bake::contour::ContourInput;
use crate::bake::memory::rasterize_in_memory;
use crate::bake::region::RegionInput;
use crate::bake::{
    BakeReport, ContourSettings, DetailInput, DetailSampling, RegionLimits, TileParts, build_seams_into,
};
use crate::context::{Budget, Context};
use crate::input::{AgentSettings, Erosion, Level, Marking, Partition};
use crate::tile::TileData;
use crate::voxel::{
    MarkedCells, RasterInput, Window, begin_rasterize, filter_rows, link_rows, mark_cells, take_ground_in_place,
    take_ground_into,
};

impl TileBaker {
    /// Runs a piece of a step; returns whether the step is finished.
    pub(super) fn work(
        &mut self,
        step: BakeStep,
        source: &TileInput<'_>,
        (context, report): (&Context<'_>, &mut BakeReport),
        budget: &mut Budget,
    ) -> Result<bool, BakeError> {
        Ok(match step {
            BakeStep::Rasterize => self.rasterize(source, context, budget)?,
            BakeStep::Filter => self.filter(budget),
            BakeStep::Compact => self.compact(source, report, budget),
            BakeStep::MarkBefore => self.mark(&source.level, Marking::BeforeErosion, budget),
            BakeStep::Erode => self.erode(budget),
            BakeStep::MarkAfter => self.mark(&source.level, Marking::AfterErosion, budget),
            BakeStep::Distance => self.find_distances(budget),
            BakeStep::Regions => self.cut_regions(budget),
            BakeStep::Contours => self.outline(report, budget),
            BakeStep::Polygons => self.polygonize(report, budget),
            BakeStep::Detail => self.follow_ground(report, budget),
            BakeStep::Tile => {
                self.tile = Some(self.finish(source)?);
                true
            }
        })
    }

    fn rasterize(
        &mut self,
        source: &TileInput<'_>,
        context: &Context<'_>,
        budget: &mut Budget,
    ) -> Result<bool, BakeError> {
        let TileInput { level: Level { mesh, terrain, .. }, triangles, tile } = *source;
        let grid = tile.baked_grid();
        let input = RasterInput { mesh, terrain, triangles, level: &self.level, grid, settings: &self.settings };
        let scratch = &mut self.scratch.rasterize;
        let out = &mut self.products.heightfield;
        if !self.has_begun {
            begin_rasterize(&input, scratch, out);
        }
        Ok(rasterize_in_memory(&input, context, budget, scratch, out)?)
    }

    fn filter(&mut self, budget: &mut Budget) -> bool {
        let field = &mut self.products.heightfield;
        let first = if self.has_begun { self.row } else { 0 };
        let width = u64::from(field.grid.width).max(1);
        let rows = budget.left().div_ceil(width).min(u64::from(field.grid.depth - first)) as u32;
        let end = first + rows;
        filter_rows(field, &self.level, &self.settings, first..end, &mut self.scratch.filter);
        budget.charge(u64::from(rows) * width);
        self.row = end;
        end == field.grid.depth
    }

    fn compact(&mut self, source: &TileInput<'_>, report: &mut BakeReport, budget: &mut Budget) -> bool {
        if !self.has_begun {
            let solid = self.take_ground(source) as u64;
            report.stats.spans += solid;
            self.row = 0;
            if !budget.charge(solid) {
                return false;
            }
        }
        let compact = &mut self.products.compact;
        let width = source.tile.baked_grid().width;
        let rows = (budget.left() / u64::from(width).max(1)).clamp(1, u64::from(compact.grid.depth - self.row).max(1));
        let first = self.row;
        let end = (self.row + rows as u32).min(compact.grid.depth);
        link_rows(&self.settings, first..end, compact);
        budget.charge(rows * u64::from(width));
        self.row = end;
        end == compact.grid.depth
    }

    /// Computes the open spans from the solid spans of the tile, which are counted.
    fn take_ground(&mut self, source: &TileInput<'_>) -> usize {
        let field = &mut self.products.heightfield;
        let compact = &mut self.products.compact;
        let grid = source.tile.baked_grid();
        let border = source.tile.border;
        let is_cut_out = field.grid != grid;
        if !is_cut_out && self.keep != Keep::Products {
            let solid = field.span_count();
            take_ground_in_place(field, border, compact);
            return solid;
        }
        // If the tile were filtered alone, its outermost cells would have been ledges.
        let at_drop = is_cut_out && self.settings.filters.ledges;
        take_ground_into(field, &Window { grid, border, at_drop }, compact)
    }

    /// Marks the volumes of the current step, one after another.
    fn mark(&mut self, level: &Level<'_>, when: Marking, budget: &mut Budget) -> bool {
        let first = if self.has_begun { self.row as usize } else { 0 };
        let field = &mut self.products.compact;
        let agent_height = self.settings.agent_height_vx as f32 * self.settings.cell_height;
        for (at, marked) in level.volumes.iter().enumerate().skip(first).filter(|(_, marked)| marked.when == when) {
            if budget.left() == 0 {
                self.row = at as u32;
                return false;
            }
            budget.charge(1);
            if let Some(cells) = MarkedCells::under(&marked.volume.bounds(), &field.grid) {
                mark_cells(field, &cells, &marked.volume, (marked.area, agent_height));
                budget.charge(cells.units(&marked.volume));
            }
        }
        true
    }

    fn erode(&mut self, budget: &mut Budget) -> bool {
        let Self { settings, products, scratch, .. } = self;
        let field = &mut products.compact;
        if !self.has_begun {
            scratch.erode.begin();
        }
        match settings.erosion {
            Erosion::Chamfer => scratch.erode.erode(field, settings.agent_radius_vx, budget),
            Erosion::Euclidean => {
                scratch.erode.erode_exactly(field, settings.agent.radius / settings.cell_size, budget)
            }
        }
    }

    fn find_distances(&mut self, budget: &mut Budget) -> bool {
        if self.settings.partition != Partition::Watershed {
            return true;
        }
        let scratch = &mut self.scratch.distance;
        if !self.has_begun {
            scratch.begin();
        }
        scratch.measure(&self.products.compact, budget, &mut self.products.distances)
    }

    fn cut_regions(&mut self, budget: &mut Budget) -> bool {
        let Self { settings, products, scratch, .. } = self;
        let limits = RegionLimits { min_cells: settings.min_region_cells, merge_cells: settings.merge_region_cells };
        let field = &products.compact;
        let distances = &products.distances;
        let input = RegionInput { field, distances, limits, partition: settings.partition };
        if !self.has_begun {
            scratch.regions.begin();
        }
        scratch.regions.cut(&input, budget, &mut products.regions)
    }

    fn outline(&mut self, report: &mut BakeReport, budget: &mut Budget) -> bool {
        let Self { settings: s, products, scratch, .. } = self;
        let settings = ContourSettings { max_error: s.edge_max_error, max_edge_len: s.edge_max_len_vx };
        let input = ContourInput { field: &products.compact, regions: &products.regions, settings };
        if !self.has_begun {
            scratch.contours.begin();
        }
        scratch.contours.outline(&input, report, budget, &mut products.contours)
    }

    fn polygonize(&mut self, report: &mut BakeReport, budget: &mut Budget) -> bool {
        let Self { settings, products, scratch, .. } = self;
        let contours = &products.contours;
        let scratch = &mut scratch.polygons;
        if !self.has_begun {
            scratch.begin(contours);
        }
        scratch.build(contours, settings.verts_per_poly, (report, budget), &mut products.polygons)
    }

    fn follow_ground(&mut self, report: &mut BakeReport, budget: &mut Budget) -> bool {
        let Self { settings, products, scratch, .. } = self;
        let mesh = &products.polygons;
        let sampling = DetailSampling::of(settings);
        let field = &products.compact;
        let regions = &products.regions;
        let input = DetailInput { mesh, field, regions, edge_max_error: settings.edge_max_error, sampling };
        if !self.has_begun {
            scratch.detail.begin(mesh, &mut products.detail);
        }
        scratch.detail.follow(&input, report, budget, &mut products.detail)
    }

    /// The finished tile, in world coordinates.
    fn finish(&mut self, source: &TileInput<'_>) -> Result<TileData, BakeError> {
        let products = &self.products;
        let StepScratch { seams, tile, .. } = &mut self.scratch;
        seams.clear();
        if source.tile.border > 0 {
            build_seams_into(&products.compact, &products.regions, &products.polygons, seams);
        }
        let agent = AgentSettings { radius: self.settings.eroded_radius(), ..self.settings.agent };
        let mesh = &products.polygons;
        let detail = &products.detail;
        let coord = source.tile.coord;
        let parts = TileParts { coord, mesh, detail, seams, agent };
        parts.into_tile(tile).map_err(|error| BakeError::Tile { x: coord.x, z: coord.z, error })
    }
}
