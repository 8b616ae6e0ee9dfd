//! The products of the steps, and their working memory.

use super::BakeStep;
use crate::bake::{
    BakeStats, ContourScratch, ContourSet, DetailMesh, DetailScratch, DistanceField, DistanceScratch, PolyMesh,
    PolyMeshScratch, RegionScratch, Regions,
};
use crate::tile::{SeamCell, TileBuilder};
use crate::voxel::{CompactHeightfield, ErodeScratch, FilterScratch, Grid, Heightfield, RasterScratch};

/// The product of each step for the tile that was baked last.
#[derive(Debug)]
pub struct Products {
    /// Solid spans, after the filters.
    pub heightfield: Heightfield,
    /// Open spans, after erosion.
    pub compact: CompactHeightfield,
    /// Distances to the nearest edge.
    pub distances: DistanceField,
    /// Regions.
    pub regions: Regions,
    /// Outlines.
    pub contours: ContourSet,
    /// Polygons.
    pub polygons: PolyMesh,
    /// Detail triangles.
    pub detail: DetailMesh,
}

impl Products {
    pub(super) fn empty(level: Grid) -> Self {
        let nothing = Grid { width: 0, depth: 0, ..level };
        Self {
            heightfield: Heightfield::empty(nothing),
            compact: CompactHeightfield::empty(nothing),
            distances: DistanceField::default(),
            regions: Regions::default(),
            contours: ContourSet::empty(nothing),
            polygons: PolyMesh::empty(nothing),
            detail: DetailMesh::default(),
        }
    }

    /// Empties the products after the open spans, which are of another tile: this one has nothing walkable. `grid`: the
    /// tile without its border.
    pub(super) fn clear_surface(&mut self, grid: Grid) {
        let spans = self.compact.span_count();
        let Self { distances, regions, contours, polygons, detail, heightfield: _, compact: _ } = self;
        distances.distance.clear();
        distances.distance.resize(spans, 0);
        distances.max = 0;
        regions.id.clear();
        regions.id.resize(spans, 0);
        regions.count = 0;
        contours.clear(grid);
        polygons.clear(grid);
        detail.patches.clear();
        detail.verts.clear();
        detail.tris.clear();
    }

    /// Counts the product of a step. (Tiles and solid spans are counted during the bake.)
    pub(super) fn count(&self, step: BakeStep, stats: &mut BakeStats) {
        match step {
            BakeStep::Compact => stats.walkable_spans += self.compact.span_count() as u64,
            BakeStep::Distance => stats.max_distance = stats.max_distance.max(self.distances.max),
            BakeStep::Regions => stats.regions += u64::from(self.regions.count),
            BakeStep::Contours => {
                stats.contours += self.contours.contours.len() as u64;
                stats.raw_contour_verts += u64::from(self.contours.raw_vert_count);
                stats.contour_verts += self.contours.verts.len() as u64;
            }
            BakeStep::Polygons => {
                stats.poly_verts += self.polygons.verts.len() as u64;
                stats.polys += self.polygons.polys.len() as u64;
                stats.poly_area += self.polygons.area();
            }
            BakeStep::Detail => {
                stats.detail_verts += (self.detail.verts.len() + self.polygons.corners.len()) as u64;
                stats.detail_tris += self.detail.tris.len() as u64;
            }
            _ => {}
        }
    }
}

/// Working memory of the steps.
#[derive(Default)]
pub(super) struct StepScratch {
    pub(super) rasterize: RasterScratch,
    pub(super) filter: FilterScratch,
    pub(super) erode: ErodeScratch,
    pub(super) distance: DistanceScratch,
    pub(super) regions: RegionScratch,
    pub(super) contours: ContourScratch,
    pub(super) polygons: PolyMeshScratch,
    pub(super) detail: DetailScratch,
    pub(super) seams: Vec<SeamCell>,
    pub(super) tile: TileBuilder,
}

/// What a baker keeps when a tile is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::bake) enum Keep {
    /// The products, for inspection, and all memory.
    Products,
    /// Memory for the next tile.
    Memory,
    /// Nothing: the memory of each step is freed for the steps that follow. There is no next tile.
    Nothing,
}

impl Keep {
    /// Frees what no step after `step` needs, if there is no next tile.
    pub(super) fn tidy(self, step: BakeStep, products: &mut Products, scratch: &mut StepScratch) {
        if self != Self::Nothing {
            return;
        }
        match step {
            BakeStep::Rasterize => scratch.rasterize = RasterScratch::default(),
            BakeStep::Filter => scratch.filter = FilterScratch::default(),
            BakeStep::Compact => products.compact.shrink_to_fit(),
            BakeStep::Erode => scratch.erode = ErodeScratch::default(),
            BakeStep::Distance => scratch.distance = DistanceScratch::default(),
            BakeStep::Regions => {
                products.distances = DistanceField::default();
                scratch.regions = RegionScratch::default();
            }
            BakeStep::Contours => scratch.contours = ContourScratch::default(),
            BakeStep::Polygons => scratch.polygons = PolyMeshScratch::default(),
            BakeStep::MarkBefore | BakeStep::MarkAfter | BakeStep::Detail | BakeStep::Tile => {}
        }
    }
}
