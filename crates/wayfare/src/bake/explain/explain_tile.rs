//! Replays the bake of one tile, or of all, and records the reasons.
//!
//! ```text
//!   after rasterising    with no slope limit, and with any side up: what differs is steep, or faces down;
//!                        the filters, one by one: what each takes away
//!   after erosion        what is gone, and the edge that took it
//!   at the end           surface without a region, without a polygon, outside of its polygons
//! ```
//!
//! The bake itself runs unchanged: an observer records the reasons.
//!
//! Cost: about four bakes. Sources: own.

use super::cause::Edges;
use super::explain_map::{ExplainMap, Reason, TileRecord, Verdict};
use crate::area::AreaId;
use crate::bake::cell_point::turn;
use crate::bake::ground_islands::for_each_island;
use crate::bake::{
    BakeError, BakeObserver, BakeReport, BakeStep, Door, Products, TileBaker, TileInput, TileInputs, TilePlan, TileRect,
};
use crate::context::{Context, SharedCount};
use crate::input::{Level, VoxelSettings};
use crate::voxel::{
    CompactHeightfield, DIRECTIONS, Grid, Heightfield, RasterInput, filter_ledges, filter_low_hanging_obstacles,
    filter_low_height, rasterize,
};
use glam::Vec3;

/// Explains every position of a level: bakes it again by `plan`, slowly, and records what happens to every span.
///
/// With feature `rayon`, tiles are replayed on the threads of the pool from which it is called; the result is the same
/// for any number of threads. `context.progress` is called after each tile.
///
/// # Errors
/// Like [`bake_tiles`](crate::bake::bake_tiles).
pub fn explain_level<'a>(
    level: impl Into<Level<'a>>,
    plan: &TilePlan,
    context: &Context<'_>,
) -> Result<ExplainMap, BakeError> {
    let level = level.into();
    let done = SharedCount::default();
    let one = |baker: &mut TileBaker, _, input: TileInput<'_>| {
        context.check_cancelled()?;
        let record = explain_tile(baker, &Replay { plan, input }, context);
        done.add(1, |done| context.progress(done, plan.tile_count()));
        record
    };
    let baker = || TileBaker::new(plan.level, plan.settings);
    let tiles = TileInputs::new(level, plan).map(baker, one);
    let tiles = tiles.into_iter().collect::<Result<Vec<TileRecord>, BakeError>>()?;
    Ok(ExplainMap { level: plan.level, agent: plan.settings.agent, tiles, hollow: Vec::new() })
}

/// Explains only the tile around a point, which is much faster than the whole level if tiles are small.
///
/// # Errors
/// Like [`bake_tiles`](crate::bake::bake_tiles).
pub fn explain_around<'a>(
    level: impl Into<Level<'a>>,
    plan: &TilePlan,
    point: impl Into<Vec3>,
    context: &Context<'_>,
) -> Result<ExplainMap, BakeError> {
    let level = level.into();
    let (x, z) = plan.layout().column_row(point.into());
    let mut map = ExplainMap { level: plan.level, agent: plan.settings.agent, tiles: Vec::new(), hollow: Vec::new() };
    if let Some(index) = plan.index_at(x, z) {
        let input = TileInput { level, triangles: None, tile: plan.tile(index) };
        let mut baker = TileBaker::new(plan.level, plan.settings);
        map.tiles.push(explain_tile(&mut baker, &Replay { plan, input }, context)?);
    }
    Ok(map)
}

type Recorded = Result<TileRecord, BakeError>;

/// One tile to replay.
struct Replay<'a> {
    plan: &'a TilePlan,
    input: TileInput<'a>,
}

fn explain_tile(baker: &mut TileBaker, replay: &Replay<'_>, context: &Context<'_>) -> Recorded {
    let Replay { plan, input } = *replay;
    let nothing = Grid { width: 0, depth: 0, ..plan.level };
    let solid = Heightfield::empty(nothing);
    let open = CompactHeightfield::empty(nothing);
    let mut notes = Notes { replay, solid, verdicts: Vec::new(), open, eroded: Vec::new() };
    let doors = [Door::Triangles, Door::Tile];
    let report = &mut BakeReport::new(input.level.bounds());
    baker.run(&input, doors, &mut notes, context, report)?;
    let products = baker.products();
    let settings = &plan.settings;
    let Notes { solid, mut verdicts, open, eroded, .. } = notes;
    let edges = Edges {
        level: &plan.level,
        solid: &solid,
        filtered: &verdicts,
        open: &open,
        height_vx: settings.agent_height_vx,
        climb_vx: settings.agent_climb_vx,
    };
    let nearest = edges.nearest(settings.agent_radius_vx.saturating_mul(2).saturating_add(4));
    let standing: Vec<u32> = (0..solid.span_count() as u32).filter(|&s| !solid.area[s as usize].is_null()).collect();
    let after = After { products, settings, islands: islands(&products.compact), has_polygons: has_polygons(products) };
    let mut cell = 0;
    for (span, &of_solid) in standing.iter().enumerate() {
        while open.columns[cell + 1] as usize <= span {
            cell += 1;
        }
        let place = [cell as u32 % open.grid.width, cell as u32 / open.grid.width].map(|c| c as i32);
        verdicts[of_solid as usize] = if open.area[span].is_null() {
            Verdict::plain(Reason::Volume)
        } else if eroded[span].is_null() {
            nearest[span].map_or(Verdict::plain(Reason::Eroded), |edge| Verdict {
                cause: edge.cause,
                from: [0, 1].map(|k| (edge.cell[k] - place[k]).clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16),
                ..Verdict::plain(Reason::Eroded)
            })
        } else if products.compact.area[span].is_null() {
            Verdict::plain(Reason::Volume)
        } else {
            after.verdict(span)
        };
    }
    after.mark_polygons(&solid, &standing, &mut verdicts);
    Ok(record(&input.tile, &solid, &verdicts))
}

/// What is recorded while the tile is baked.
struct Notes<'a> {
    replay: &'a Replay<'a>,
    /// The solid spans after the filters, and the rasteriser's and filters' decision about each.
    solid: Heightfield,
    verdicts: Vec<Verdict>,
    /// The open spans before erosion, and their area types after it.
    open: CompactHeightfield,
    eroded: Vec<AreaId>,
}

impl BakeObserver for Notes<'_> {
    fn after(&mut self, step: BakeStep, products: &Products) {
        match step {
            BakeStep::Rasterize => (self.solid, self.verdicts) = self.replay.filters(products.heightfield.clone()),
            BakeStep::MarkBefore => self.open = products.compact.clone(),
            BakeStep::Erode => self.eroded.clone_from(&products.compact.area),
            _ => {}
        }
    }
}

impl Replay<'_> {
    /// Filters the rasterised spans; returns them with the rasteriser's and filters' decision about each.
    fn filters(&self, mut solid: Heightfield) -> (Heightfield, Vec<Verdict>) {
        let Self { plan, input: TileInput { level, triangles, tile } } = *self;
        let raster = |min_walkable_normal_y: f32| {
            let settings = VoxelSettings { min_walkable_normal_y, ..plan.settings };
            let grid = tile.baked_grid();
            let mesh = level.mesh;
            let terrain = level.terrain;
            rasterize(&RasterInput { mesh, terrain, triangles, level: &plan.level, grid, settings: &settings })
        };
        // Vertical triangles are as steep as possible, but do not face down.
        let upward = raster(UPRIGHT);
        let any = raster(-2.0);
        let settings = &plan.settings;
        let height = settings.agent_height_vx;
        let climb = settings.agent_climb_vx;
        let filters = settings.filters;
        if filters.low_hanging_obstacles {
            filter_low_hanging_obstacles(&mut solid, climb);
        }
        let mut verdicts: Vec<Verdict> = (0..solid.span_count())
            .map(|span| {
                Verdict::plain(match [solid.area[span], upward.area[span], any.area[span]].map(|area| area.is_null()) {
                    [false, ..] => Reason::Walkable,
                    [_, false, _] => Reason::Steep,
                    [_, _, false] => Reason::FacesDown,
                    _ => Reason::NotWalkableArea,
                })
            })
            .collect();
        let mut note = |solid: &Heightfield, why: &dyn Fn([u32; 2], usize) -> Verdict| {
            for_each_span(solid, |place, span| {
                if solid.area[span].is_null() && verdicts[span].reason == Reason::Walkable {
                    verdicts[span] = why(place, span);
                }
            });
        };
        if filters.ledges {
            filter_ledges(&mut solid, &plan.level, settings);
            note(&solid, &|place, span| self.why_ledge(&solid, place, span));
        }
        if filters.low_height {
            filter_low_height(&mut solid, height);
            note(&solid, &|_, span| {
                let free = solid.min.get(span + 1).map_or(0, |&ceiling| ceiling.saturating_sub(solid.max[span]));
                Verdict::with(Reason::LowCeiling, free)
            });
        }
        (solid, verdicts)
    }

    /// Why the ledge filter removed a span.
    fn why_ledge(&self, solid: &Heightfield, [x, z]: [u32; 2], span: usize) -> Verdict {
        const SKY: i32 = 1 << 20;
        let level = &self.plan.level;
        let grid = &solid.grid;
        let settings = &self.plan.settings;
        let height = settings.agent_height_vx as i32;
        let drop = settings.agent_climb_vx.max(settings.agent_drop_vx) as i32;
        let ceiling_over = |s: usize, end: usize| if s + 1 < end { i32::from(solid.min[s + 1]) } else { SKY };
        let floor = i32::from(solid.max[span]);
        let end = solid.column(grid.index(x, z)).end;
        let ceiling = ceiling_over(span, end);
        let mut deepest = None;
        for (dx, dz) in DIRECTIONS {
            let nx = x as i32 + dx;
            let nz = z as i32 + dz;
            let in_level = (0..level.width as i32).contains(&(grid.x + nx - level.x))
                && (0..level.depth as i32).contains(&(grid.z + nz - level.z));
            if !in_level || nx < 0 || nz < 0 || nx >= grid.width as i32 || nz >= grid.depth as i32 {
                return Verdict::plain(Reason::LevelEdge);
            }
            let column = solid.column(grid.index(nx as u32, nz as u32));
            let lowest = solid.min[column.clone()].first().map_or(SKY, |&m| i32::from(m));
            if ceiling.min(lowest) - floor >= height {
                return Verdict::with(Reason::Drop, u16::MAX);
            }
            for n in column.clone() {
                let other = i32::from(solid.max[n]);
                let passes = ceiling.min(ceiling_over(n, column.end)) - floor.max(other) >= height;
                if passes && floor - other > drop {
                    deepest = deepest.max(Some(floor - other));
                }
            }
        }
        deepest.map_or(Verdict::plain(Reason::Uneven), |depth| Verdict::with(Reason::Drop, depth as u16))
    }
}

/// Triangles whose normal points down by less than this count as vertical.
const UPRIGHT: f32 = -0.05;

/// What happened after erosion.
struct After<'a> {
    products: &'a Products,
    settings: &'a VoxelSettings,
    /// Number of cells of the island of each open span.
    islands: Vec<u32>,
    /// Whether a region has polygons, by region.
    has_polygons: Vec<bool>,
}

impl After<'_> {
    /// The decision about a span that was not eroded, unless a polygon turns out to cover it.
    fn verdict(&self, span: usize) -> Verdict {
        let region = self.region(span);
        if region == 0 {
            let cells = self.islands[span];
            let reason =
                if cells < self.settings.min_region_cells { Reason::SmallIsland } else { Reason::ContourDropped };
            return Verdict::with(reason, cells.min(u32::from(u16::MAX)) as u16);
        }
        let has_polygons = self.has_polygons.get(region as usize).is_some_and(|has| *has);
        Verdict::plain(if has_polygons { Reason::Outline } else { Reason::ContourDropped })
    }

    fn region(&self, span: usize) -> u32 {
        self.products.regions.id.get(span).copied().unwrap_or(0)
    }

    /// Marks the spans under the polygons as walkable, including where simplified outlines cover slightly more than
    /// their region.
    fn mark_polygons(&self, solid: &Heightfield, standing: &[u32], verdicts: &mut [Verdict]) {
        let Products { compact, polygons: mesh, .. } = self.products;
        let border = compact.border;
        for (i, poly) in mesh.polys.iter().enumerate() {
            let corners: Vec<[i32; 3]> = mesh.corners_of(i).iter().map(|&v| mesh.verts[v as usize]).collect();
            visit_cells(&corners, |[x, z], y| {
                let cell = compact.grid.index(border + x, border + z);
                let own = compact.column(cell).find(|&span| self.region(span) == poly.region);
                let away = |span: &usize| f64::from(solid.max[*span]) - y;
                let near = || {
                    let nearest = solid.column(cell).min_by(|a, b| away(a).abs().total_cmp(&away(b).abs()))?;
                    (away(&nearest).abs() <= f64::from(self.settings.agent_climb_vx.max(1))).then_some(nearest)
                };
                if let Some(span) = own.map(|span| standing[span] as usize).or_else(near) {
                    verdicts[span] = Verdict::plain(Reason::Walkable);
                }
            });
        }
    }
}

/// Calls `visit` with each cell whose centre lies in a convex polygon, and the polygon's height there.
fn visit_cells(corners: &[[i32; 3]], mut visit: impl FnMut([u32; 2], f64)) {
    let flat = |c: &[i32; 3]| [2 * c[0], 2 * c[2]];
    let range = |axis: usize| {
        let along = corners.iter().map(|c| c[axis]);
        along.clone().min().unwrap_or(0).max(0)..along.max().unwrap_or(0)
    };
    for z in range(2) {
        for x in range(0) {
            let middle = [2 * x + 1, 2 * z + 1];
            let fan = (1..corners.len().max(2) - 1).find_map(|k| {
                let [a, b, c] = [&corners[0], &corners[k], &corners[k + 1]];
                let weights = [(b, c), (c, a), (a, b)].map(|(p, q)| turn(flat(p), flat(q), middle));
                let inside = weights.iter().all(|&w| w <= 0) || weights.iter().all(|&w| w >= 0);
                let sum: i64 = weights.iter().sum();
                let height = |w: &i64, c: &[i32; 3]| *w as f64 * f64::from(c[1]) / sum as f64;
                (inside && sum != 0).then(|| weights.iter().zip([a, b, c]).map(|(w, c)| height(w, c)).sum::<f64>())
            });
            if let Some(y) = fan {
                visit([x as u32, z as u32], y);
            }
        }
    }
}

/// For each region, whether it has polygons.
fn has_polygons(products: &Products) -> Vec<bool> {
    let polys = &products.polygons.polys;
    let mut has = vec![false; polys.iter().map(|poly| poly.region as usize + 1).max().unwrap_or(0)];
    polys.iter().for_each(|poly| has[poly.region as usize] = true);
    has
}

/// For each walkable span, the number of spans in its island.
fn islands(field: &CompactHeightfield) -> Vec<u32> {
    let mut sizes = vec![0; field.span_count()];
    for_each_island(field, |island| island.iter().for_each(|&span| sizes[span as usize] = island.len() as u32));
    sizes
}

fn for_each_span(solid: &Heightfield, mut visit: impl FnMut([u32; 2], usize)) {
    let grid = &solid.grid;
    for z in 0..grid.depth {
        for x in 0..grid.width {
            solid.column(grid.index(x, z)).for_each(|span| visit([x, z], span));
        }
    }
}

/// The part of the map that belongs to the tile itself.
fn record(tile: &TileRect, solid: &Heightfield, verdicts: &[Verdict]) -> TileRecord {
    let grid: Grid = tile.grid;
    let mut out = TileRecord { grid, columns: vec![0], tops: Vec::new(), verdicts: Vec::new() };
    for z in 0..grid.depth {
        for x in 0..grid.width {
            let column = solid.column(solid.grid.index(x + tile.border, z + tile.border));
            out.tops.extend_from_slice(&solid.max[column.clone()]);
            out.verdicts.extend_from_slice(&verdicts[column]);
            out.columns.push(out.tops.len() as u32);
        }
    }
    out
}
