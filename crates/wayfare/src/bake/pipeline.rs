//! The stages one after another for one tile: the recipe.
//!
//! Each numbered step is a public function that can be called, drawn and replaced by itself; [`TileBaker`] calls them
//! in order, times them, counts their products, and keeps every product's memory for the next tile.
//!
//! Sources: the order of the stages is Recast's (Mikko Mononen, 2009).

use super::memory::{TooMuchMemory, rasterize_in_memory};
use super::seams::build_seams_into;
use super::{
    BakeReport, ContourScratch, ContourSet, ContourSettings, DetailInput, DetailMesh, DetailSampling, DetailScratch,
    DistanceField, DistanceScratch, PolyMesh, PolyMeshScratch, RegionLimits, RegionScratch, Regions, Stage, TileParts,
    build_contours_into, build_detail_mesh_into, build_poly_mesh_into, distance_field_into, layer_regions_into,
    monotone_regions_into, watershed_regions_into,
};
use crate::context::{Cancelled, Context};
use crate::input::{AgentSettings, Erosion, Level, Marking, Partition, SettingsError, VoxelSettings};
use crate::tile::{MAX_POLYS, SeamCell, TileCoord, TileData};
use crate::voxel::{
    CompactHeightfield, ErodeScratch, FilterScratch, Grid, GridError, Heightfield, RasterInput, RasterScratch, Window,
    compact_in_place, compact_into, compact_window_into, erode_euclidean_into, erode_into, filter_into, mark_volume,
};
use core::time::Duration;

/// Why a bake gave no mesh.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// A setting is out of range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The level does not fit the grid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Agents that are to be baked together differ in more than their own settings.
    #[error("{name} differs between agents that are baked together: give them one, or bake them one by one")]
    AgentsDiffer {
        /// What differs: a field of the settings, or what it is in words.
        name: &'static str,
    },
    /// A triangle to be baked that the level does not have.
    #[error("there is no triangle {index}: the level has {count}, counted from 0")]
    NoSuchTriangle {
        /// The number that was given.
        index: u32,
        /// How many the level has.
        count: usize,
    },
    /// More memory is needed than the caller allows.
    #[error(transparent)]
    TooMuchMemory(#[from] TooMuchMemory),
    /// One tile has more polygons than a polygon reference can count.
    #[error(
        "tile ({x}, {z}) has {count} polygons, more than the {MAX_POLYS} that one tile can hold: use smaller tiles"
    )]
    TooManyPolygons {
        /// Column of the tile.
        x: i32,
        /// Row of the tile.
        z: i32,
        /// Polygons it would have.
        count: usize,
    },
}

/// Which cells a tile has, and where it stands among the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileRect {
    /// Place in the mesh.
    pub coord: TileCoord,
    /// The cells of the tile proper.
    pub grid: Grid,
    /// Cells around it that are baked with it; 0 for the one tile of an untiled bake.
    pub border: u32,
}

impl TileRect {
    /// The cells that are baked: the tile and its border.
    #[must_use]
    pub fn baked_grid(&self) -> Grid {
        let border = self.border as i32;
        Grid {
            x: self.grid.x - border,
            z: self.grid.z - border,
            width: self.grid.width + 2 * self.border,
            depth: self.grid.depth + 2 * self.border,
            ..self.grid
        }
    }
}

/// Bakes one tile after another with the same settings, and keeps its memory in between: from the second tile on,
/// nothing is allocated but the finished tile.
pub struct TileBaker {
    settings: VoxelSettings,
    level: Grid,
    keep: Keep,
    products: Products,
    scratch: Scratch,
}

/// What a [`TileBaker`] keeps when a tile is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// The products, to look at, and all memory.
    Products,
    /// Memory for the next tile.
    Memory,
    /// Nothing: each stage's memory is free for the stages that follow. There is no next tile.
    Nothing,
}

/// What each stage made of the tile that was baked last.
#[derive(Debug)]
pub struct Products {
    /// Solid spans, after the filters.
    pub heightfield: Heightfield,
    /// Open ground, after erosion.
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

#[derive(Default)]
struct Scratch {
    rasterize: RasterScratch,
    filter: FilterScratch,
    erode: ErodeScratch,
    distance: DistanceScratch,
    regions: RegionScratch,
    contours: ContourScratch,
    polygons: PolyMeshScratch,
    detail: DetailScratch,
    seams: Vec<SeamCell>,
}

impl TileBaker {
    /// A baker for tiles of a level.
    #[must_use]
    pub fn new(level: Grid, settings: VoxelSettings) -> Self {
        Self::keeping(Keep::Products, level, settings)
    }

    /// A baker whose products, unless it is told to keep them, are not there to be looked at.
    pub(super) fn keeping(keep: Keep, level: Grid, settings: VoxelSettings) -> Self {
        let nothing = Grid { width: 0, depth: 0, ..level };
        let products = Products {
            heightfield: Heightfield::empty(nothing),
            compact: CompactHeightfield::empty(nothing),
            distances: DistanceField::default(),
            regions: Regions::default(),
            contours: ContourSet::empty(nothing),
            polygons: PolyMesh::empty(nothing),
            detail: DetailMesh::default(),
        };
        Self { settings, level, keep, products, scratch: Scratch::default() }
    }

    /// The products of the stages for the tile that was baked last, to look at, draw or dump.
    #[must_use]
    pub fn products(&self) -> &Products {
        &self.products
    }

    /// Bakes a tile of a level, from those of its triangles that touch it (`None`: all); `Ok(None)` if nothing in it
    /// can be walked on. Counts, times and warnings are added to `report`.
    ///
    /// # Errors
    /// [`BakeError::Grid`] for a tile that one heightfield cannot hold, [`BakeError::NoSuchTriangle`],
    /// [`BakeError::TooMuchMemory`], [`BakeError::TooManyPolygons`], and [`BakeError::Cancelled`], which is looked for
    /// between the stages.
    pub fn bake<'a>(
        &mut self,
        level: impl Into<Level<'a>>,
        triangles: Option<&[u32]>,
        tile: &TileRect,
        context: &Context<'_>,
        report: &mut BakeReport,
    ) -> Result<Option<TileData>, BakeError> {
        tile.baked_grid().check_size()?;
        let level = level.into();
        let count = level.mesh.tris().len();
        if let Some(&index) = triangles.and_then(|given| given.iter().find(|&&index| index as usize >= count)) {
            return Err(BakeError::NoSuchTriangle { index, count });
        }
        self.voxelize(&level, triangles, tile, context, report)?;
        self.make_tile(tile, context, report)
    }

    /// As [`bake`](Self::bake), from solid spans of the tile with its border, or more, which are rasterised and
    /// filtered. Gives the same bytes; the solid spans are not among the products.
    pub(super) fn bake_filtered(
        &mut self,
        level: &Level<'_>,
        solid: &Heightfield,
        tile: &TileRect,
        context: &Context<'_>,
        report: &mut BakeReport,
    ) -> Result<Option<TileData>, BakeError> {
        let (settings, compact) = (&self.settings, &mut self.products.compact);
        // Filtered alone, the tile's outermost cells would have been ledges.
        let window = Window { grid: tile.baked_grid(), border: tile.border, at_drop: settings.filters.ledges };
        let mut spans = 0;
        let work = || spans = compact_window_into(solid, &window, settings, compact);
        Stages { context, report: &mut *report }.run(Stage::Compact, work)?;
        report.stats.spans += spans as u64;
        report.stats.walkable_spans += compact.span_count() as u64;
        self.erode(level, context, report)?;
        self.make_tile(tile, context, report)
    }

    /// Open ground to the finished tile.
    fn make_tile(
        &mut self,
        tile: &TileRect,
        context: &Context<'_>,
        report: &mut BakeReport,
    ) -> Result<Option<TileData>, BakeError> {
        if self.products.compact.walkable_count() == 0 {
            report.stats.empty_tiles += 1;
            return Ok(None);
        }
        self.polygonize(context, report)?;
        let count = self.products.polygons.polys.len();
        if count == 0 {
            report.stats.empty_tiles += 1;
            return Ok(None);
        }
        if count > MAX_POLYS {
            return Err(BakeError::TooManyPolygons { x: tile.coord.x, z: tile.coord.z, count });
        }
        Ok(Some(self.finish(tile, context, report)))
    }

    /// Triangles to open ground, shrunk by the agent's radius.
    pub(super) fn voxelize(
        &mut self,
        input: &Level<'_>,
        triangles: Option<&[u32]>,
        tile: &TileRect,
        context: &Context<'_>,
        report: &mut BakeReport,
    ) -> Result<(), BakeError> {
        let Self { settings, level, keep, products, scratch } = self;

        // 1. Triangles become solid spans; triangles too steep to walk on become unwalkable ones.
        let (mesh, terrain) = (input.mesh, input.terrain);
        let raster = RasterInput { mesh, terrain, triangles, level, grid: tile.baked_grid(), settings };
        let heightfield = &mut products.heightfield;
        let mut result = Ok(());
        let work = || result = rasterize_in_memory(&raster, context, &mut scratch.rasterize, heightfield);
        Stages { context, report: &mut *report }.run(Stage::Rasterize, work)?;
        result?;
        keep.done_with(&mut scratch.rasterize);
        self.find_open_ground(input, tile, context, report)
    }

    /// Solid spans to open ground.
    fn find_open_ground(
        &mut self,
        input: &Level<'_>,
        tile: &TileRect,
        context: &Context<'_>,
        report: &mut BakeReport,
    ) -> Result<(), BakeError> {
        let Self { settings, level, keep, products, scratch } = self;
        let Products { heightfield, compact, .. } = products;
        let mut stage = Stages { context, report };

        // 2. Spans that nobody can stand on are found: under low ceilings, beside drops. Curbs are let through.
        stage.run(Stage::Filter, || filter_into(heightfield, level, settings, &mut scratch.filter))?;
        keep.done_with(&mut scratch.filter);
        stage.report.stats.spans += heightfield.span_count() as u64;

        // 3. Only the open ground is kept, with its neighbours.
        stage.run(Stage::Compact, || match keep {
            Keep::Products => compact_into(heightfield, tile.border, settings, compact),
            Keep::Memory => compact_in_place(heightfield, tile.border, settings, compact),
            Keep::Nothing => {
                compact_in_place(heightfield, tile.border, settings, compact);
                compact.shrink_to_fit();
            }
        })?;
        stage.report.stats.walkable_spans += compact.span_count() as u64;

        self.erode(input, context, report)
    }

    /// Open ground to where the agent's center may be.
    fn erode(&mut self, input: &Level<'_>, context: &Context<'_>, report: &mut BakeReport) -> Result<(), BakeError> {
        let Self { settings, keep, products: Products { compact, .. }, scratch, .. } = self;
        let mut stage = Stages { context, report };

        // 4. Volumes take their ground. The agent's center stays a radius away from every edge.
        stage.run(Stage::Erode, || {
            mark_volumes(input, Marking::BeforeErosion, compact);
            erode_for(settings, compact, &mut scratch.erode);
            mark_volumes(input, Marking::AfterErosion, compact);
        })?;
        keep.done_with(&mut scratch.erode);

        let stats = &mut stage.report.stats;
        stats.tiles += 1;
        stats.eroded_spans += compact.walkable_count() as u64;
        Ok(())
    }

    /// Open ground to polygons with detail triangles.
    fn polygonize(&mut self, context: &Context<'_>, report: &mut BakeReport) -> Result<(), BakeError> {
        let Self { settings, keep, products, scratch, .. } = self;
        let Products { compact, distances, regions, contours, polygons, detail, .. } = products;
        let mut stage = Stages { context, report };

        // 5. The ground is cut into regions without holes of other ground over or under themselves.
        if settings.partition == Partition::Watershed {
            stage.run(Stage::Distance, || distance_field_into(compact, &mut scratch.distance, distances))?;
            keep.done_with(&mut scratch.distance);
            stage.report.stats.max_distance = stage.report.stats.max_distance.max(distances.max);
        }
        let limits = RegionLimits { min_cells: settings.min_region_cells, merge_cells: settings.merge_region_cells };
        stage.run(Stage::Regions, || match settings.partition {
            Partition::Watershed => watershed_regions_into(compact, distances, limits, &mut scratch.regions, regions),
            Partition::Monotone => monotone_regions_into(compact, limits, &mut scratch.regions, regions),
            Partition::Layers => layer_regions_into(compact, limits, &mut scratch.regions, regions),
        })?;
        keep.done_with(distances);
        keep.done_with(&mut scratch.regions);

        // 6. Regions become outlines.
        let outlines = ContourSettings { max_error: settings.edge_max_error, max_edge_len: settings.edge_max_len_vx };
        stage.run_reporting(Stage::Contours, |report| {
            build_contours_into(compact, regions, outlines, report, &mut scratch.contours, contours);
        })?;
        keep.done_with(&mut scratch.contours);

        // 7. Outlines become convex polygons.
        stage.run_reporting(Stage::Polygons, |report| {
            build_poly_mesh_into(contours, settings.verts_per_poly, report, &mut scratch.polygons, polygons);
        })?;
        keep.done_with(&mut scratch.polygons);

        // 8. Polygons get triangles that follow the ground.
        let sampling = DetailSampling::of(settings);
        let edge_max_error = settings.edge_max_error;
        let input = DetailInput { mesh: polygons, field: compact, regions, edge_max_error, sampling };
        stage.run_reporting(Stage::Detail, |report| {
            build_detail_mesh_into(&input, report, &mut scratch.detail, detail);
        })?;

        let stats = &mut stage.report.stats;
        stats.regions += u64::from(regions.count);
        stats.contours += contours.contours.len() as u64;
        stats.raw_contour_verts += u64::from(contours.raw_vert_count);
        stats.contour_verts += contours.verts.len() as u64;
        stats.poly_verts += polygons.verts.len() as u64;
        stats.polys += polygons.polys.len() as u64;
        stats.poly_area += polygons.area();
        stats.detail_verts += (detail.verts.len() + polygons.corners.len()) as u64;
        stats.detail_tris += detail.tris.len() as u64;
        Ok(())
    }

    /// The finished tile, in world coordinates.
    fn finish(&mut self, tile: &TileRect, context: &Context<'_>, report: &mut BakeReport) -> TileData {
        let Products { compact, regions, polygons, detail, .. } = &self.products;
        let seams = &mut self.scratch.seams;
        // 9. Voxel units become metres; the steps across the border are recorded for the neighbours.
        let (data, time) = context.timed(|| {
            seams.clear();
            if tile.border > 0 {
                build_seams_into(compact, regions, polygons, seams);
            }
            let agent = AgentSettings { radius: self.settings.eroded_radius(), ..self.settings.agent };
            TileParts { coord: tile.coord, mesh: polygons, detail, seams: seams.clone(), agent }.into_tile()
        });
        report.times.add(Stage::Tile, time);
        data
    }
}

impl Keep {
    /// Lets go of what no later stage of this tile needs, if there is no next tile.
    fn done_with<T: Default>(self, done: &mut T) {
        if self == Self::Nothing {
            *done = T::default();
        }
    }
}

/// Marks those volumes of a level whose turn it is.
pub(super) fn mark_volumes(level: &Level<'_>, when: Marking, field: &mut CompactHeightfield) {
    for marked in level.volumes.iter().filter(|marked| marked.when == when) {
        mark_volume(field, &marked.volume, marked.area);
    }
}

/// Takes the agent's radius away, in the way that the settings ask for.
pub(super) fn erode_for(settings: &VoxelSettings, field: &mut CompactHeightfield, scratch: &mut ErodeScratch) {
    match settings.erosion {
        Erosion::Chamfer => erode_into(field, settings.agent_radius_vx, scratch),
        Erosion::Euclidean => erode_euclidean_into(field, settings.agent.radius / settings.cell_size, scratch),
    }
}

/// Runs stages one by one: times each, and looks whether to go on.
struct Stages<'a, 'c> {
    context: &'a Context<'c>,
    report: &'a mut BakeReport,
}

impl Stages<'_, '_> {
    fn run(&mut self, stage: Stage, work: impl FnOnce()) -> Result<(), Cancelled> {
        let ((), time) = self.context.timed(work);
        self.done(stage, time)
    }

    /// For stages that have warnings to give.
    fn run_reporting(&mut self, stage: Stage, work: impl FnOnce(&mut BakeReport)) -> Result<(), Cancelled> {
        let ((), time) = self.context.timed(|| work(self.report));
        self.done(stage, time)
    }

    fn done(&mut self, stage: Stage, time: Duration) -> Result<(), Cancelled> {
        self.report.times.add(stage, time);
        self.context.check_cancelled()
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
