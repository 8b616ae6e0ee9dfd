//! What each step does: a call of its function, or a piece of it.

use super::{BakeError, Keep, Step, TileBaker, TileSource};
use crate::bake::contour::ContourInput;
use crate::bake::memory::rasterize_in_memory;
use crate::bake::region::RegionInput;
use crate::bake::{
    BakeReport, ContourSettings, DetailInput, DetailSampling, RegionLimits, TileParts, build_seams_into,
    distance_field_into,
};
use crate::context::{Budget, Context};
use crate::input::{AgentSettings, Erosion, Level, Marking, Partition, VoxelSettings};
use crate::tile::TileData;
use crate::voxel::{
    CompactHeightfield, ErodeScratch, RasterInput, Window, begin_rasterize, compact_in_place, compact_into,
    compact_window_into, erode_euclidean_into, erode_into, filter_rows, mark_volume,
};

impl TileBaker {
    /// Does a piece of a step; tells whether the step is done.
    pub(super) fn work(
        &mut self,
        step: Step,
        source: &TileSource<'_>,
        (context, report): (&Context<'_>, &mut BakeReport),
        budget: &mut Budget,
    ) -> Result<bool, BakeError> {
        Ok(match step {
            Step::Rasterize => self.rasterize(source, context, budget)?,
            Step::Filter => self.filter(budget),
            Step::Compact => self.compact(source, report, budget),
            Step::MarkBefore => self.mark(&source.level, Marking::BeforeErosion),
            Step::Erode => self.erode(budget),
            Step::MarkAfter => self.mark(&source.level, Marking::AfterErosion),
            Step::Distance => self.find_distances(budget),
            Step::Regions => self.cut_regions(budget),
            Step::Contours => self.outline(report, budget),
            Step::Polygons => self.polygonize(report, budget),
            Step::Detail => self.follow_ground(report, budget),
            Step::Tile => {
                self.tile = Some(self.finish(source));
                true
            }
        })
    }

    fn rasterize(
        &mut self,
        source: &TileSource<'_>,
        context: &Context<'_>,
        budget: &mut Budget,
    ) -> Result<bool, BakeError> {
        let TileSource { level: Level { mesh, terrain, .. }, triangles, tile } = *source;
        let grid = tile.baked_grid();
        let input = RasterInput { mesh, terrain, triangles, level: &self.level, grid, settings: &self.settings };
        let (scratch, out) = (&mut self.scratch.rasterize, &mut self.products.heightfield);
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

    fn compact(&mut self, source: &TileSource<'_>, report: &mut BakeReport, budget: &mut Budget) -> bool {
        let Self { settings, keep, products, .. } = self;
        let (field, compact) = (&mut products.heightfield, &mut products.compact);
        let (grid, border) = (source.tile.baked_grid(), source.tile.border);
        let solid = if field.grid == grid {
            let solid = field.span_count();
            match keep {
                Keep::Products => compact_into(field, border, settings, compact),
                Keep::Memory | Keep::Nothing => compact_in_place(field, border, settings, compact),
            }
            solid
        } else {
            // Filtered alone, the tile's outermost cells would have been ledges.
            let window = Window { grid, border, at_drop: settings.filters.ledges };
            compact_window_into(field, &window, settings, compact)
        };
        report.stats.spans += solid as u64;
        budget.charge((grid.cell_count() + solid) as u64);
        true
    }

    /// Marks those volumes whose turn it is.
    fn mark(&mut self, level: &Level<'_>, when: Marking) -> bool {
        for marked in level.volumes.iter().filter(|marked| marked.when == when) {
            mark_volume(&mut self.products.compact, &marked.volume, marked.area);
        }
        true
    }

    fn erode(&mut self, budget: &mut Budget) -> bool {
        erode_for(&self.settings, &mut self.products.compact, &mut self.scratch.erode);
        budget.charge(self.products.compact.span_count() as u64);
        true
    }

    fn find_distances(&mut self, budget: &mut Budget) -> bool {
        if self.settings.partition == Partition::Watershed {
            let (compact, out) = (&self.products.compact, &mut self.products.distances);
            distance_field_into(compact, &mut self.scratch.distance, out);
            budget.charge(compact.span_count() as u64);
        }
        true
    }

    fn cut_regions(&mut self, budget: &mut Budget) -> bool {
        let Self { settings, products, scratch, .. } = self;
        let limits = RegionLimits { min_cells: settings.min_region_cells, merge_cells: settings.merge_region_cells };
        let (field, distances) = (&products.compact, &products.distances);
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
        let (contours, scratch) = (&products.contours, &mut scratch.polygons);
        if !self.has_begun {
            scratch.begin(contours);
        }
        let is_cut = scratch.cut(contours, report, budget);
        if is_cut {
            scratch.join(contours, settings.verts_per_poly, &mut products.polygons);
            budget.charge(contours.verts.len() as u64);
        }
        is_cut
    }

    fn follow_ground(&mut self, report: &mut BakeReport, budget: &mut Budget) -> bool {
        let Self { settings, products, scratch, .. } = self;
        let (mesh, sampling) = (&products.polygons, DetailSampling::of(settings));
        let (field, regions) = (&products.compact, &products.regions);
        let input = DetailInput { mesh, field, regions, edge_max_error: settings.edge_max_error, sampling };
        if !self.has_begun {
            scratch.detail.begin(mesh, &mut products.detail);
        }
        scratch.detail.follow(&input, report, budget, &mut products.detail)
    }

    /// The finished tile, in world coordinates.
    fn finish(&mut self, source: &TileSource<'_>) -> TileData {
        let (products, seams) = (&self.products, &mut self.scratch.seams);
        seams.clear();
        if source.tile.border > 0 {
            build_seams_into(&products.compact, &products.regions, &products.polygons, seams);
        }
        let agent = AgentSettings { radius: self.settings.eroded_radius(), ..self.settings.agent };
        let (mesh, detail) = (&products.polygons, &products.detail);
        TileParts { coord: source.tile.coord, mesh, detail, seams: seams.clone(), agent }.into_tile()
    }
}

/// Takes the agent's radius away, in the way that the settings ask for.
fn erode_for(settings: &VoxelSettings, field: &mut CompactHeightfield, scratch: &mut ErodeScratch) {
    match settings.erosion {
        Erosion::Chamfer => erode_into(field, settings.agent_radius_vx, scratch),
        Erosion::Euclidean => erode_euclidean_into(field, settings.agent.radius / settings.cell_size, scratch),
    }
}
