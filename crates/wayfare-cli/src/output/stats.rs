//! The statistics of a bake as JSON (`--stats`), and as a table for people.

use super::numbers::{count, counted, number, point};
use crate::baking::TimedReport;
use crate::input::Level;
use crate::options::{ErosionName, PartitionName};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;
use wayfare::bake::Stage;
use wayfare::input::BakeSettings;
use wayfare::math::Aabb;
use wayfare_io::LevelSize;

/// The requested options other than the settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) settings: &'a BakeSettings,
    /// In degrees, as given: the settings have radians, which do not convert back to the same number.
    pub(crate) max_slope_degrees: f32,
    pub(crate) threads: usize,
    pub(crate) repeat: u32,
}

/// What was baked, before anything was left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
    pub(crate) bounds: Aabb,
}

impl Input {
    /// A level in memory.
    pub(crate) fn of(level: &Level) -> Self {
        let LevelSize { vertices, triangles } = level.imported.size;
        Self { vertices, triangles, bounds: level.input().bounds() }
    }
}

/// A mesh that was written.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub(crate) bytes: u64,
    pub(crate) tiles: u32,
    pub(crate) digest: String,
}

/// The report of `--stats`.
pub(crate) fn report(input: Input, baked: &TimedReport, asked: Asked<'_>, product: &Product) -> Value {
    let s = &baked.report.stats;
    let stages: Vec<Value> = Stage::ALL
        .iter()
        .zip(baked.stages)
        .map(|(stage, t)| json!({"name": stage.name(), "ms": ms(t.median)}))
        .collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "input": {
            "vertices": input.vertices,
            "triangles": input.triangles,
            "bounds": bounds(input.bounds),
            "triangles_outside": s.tris_outside,
        },
        "settings": settings(asked),
        "threads": asked.threads,
        "repeat": asked.repeat,
        "tiles": {"count": s.tiles, "columns": baked.columns, "rows": baked.rows, "empty": s.empty_tiles,
                  "reused": s.reused_tiles},
        "heightfield": {"width": s.width, "depth": s.depth, "spans": s.spans, "walkable_spans": s.walkable_spans},
        "compact": {"spans": s.walkable_spans, "walkable_spans": s.eroded_spans, "max_distance": s.max_distance},
        "regions": {"count": s.regions},
        "contours": {"count": s.contours, "raw_vertices": s.raw_contour_verts, "vertices": s.contour_verts},
        "polygons": {"vertices": s.poly_verts, "count": s.polys, "area": s.poly_area},
        "detail": {"vertices": s.detail_verts, "triangles": s.detail_tris},
        "mesh": {"bytes": product.bytes},
        "stages": stages,
        "total_ms": ms(baked.total.median),
        "warnings": warnings(baked),
        "digest": product.digest,
    })
}

/// The settings under their names on the command line.
fn settings(asked: Asked<'_>) -> Value {
    let s = asked.settings;
    json!({
        "cell_size": number(s.cell_size),
        "cell_height": number(s.cell_height),
        "agent_height": number(s.agent.height),
        "agent_radius": number(s.agent.radius),
        "agent_max_climb": number(s.agent.max_climb),
        "agent_max_slope": number(asked.max_slope_degrees),
        "agent_max_drop": number(s.agent.max_drop),
        "erosion": ErosionName::from(s.erosion),
        "region_min_size": s.region_min_size,
        "region_merge_size": s.region_merge_size,
        "edge_max_len": number(s.edge_max_len),
        "edge_max_error": number(s.edge_max_error),
        "verts_per_poly": s.verts_per_poly,
        "detail_sample_dist": number(s.detail_sample_dist),
        "detail_sample_max_error": number(s.detail_sample_max_error),
        "partition": PartitionName::from(s.partition),
        "filter_low_hanging": s.filters.low_hanging_obstacles,
        "filter_ledges": s.filters.ledges,
        "filter_low_height": s.filters.low_height,
        "tile_size": s.tile_size,
        "bounds": s.bounds.map(bounds),
    })
}

fn warnings(baked: &TimedReport) -> Vec<Value> {
    let one =
        |w: &wayfare::bake::Warning| json!({"kind": w.kind.name(), "count": w.count, "at": w.first_place().map(point)});
    baked.report.warnings.iter().map(one).collect()
}

/// A box as JSON.
pub(crate) fn bounds(bounds: Aabb) -> Value {
    if bounds.is_empty() {
        return Value::Null;
    }
    json!({"min": point(bounds.min), "max": point(bounds.max)})
}

/// Milliseconds with microseconds as fraction.
pub(crate) fn ms(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e6
}

/// Stages, times and the product of each: a table as text.
pub(crate) fn table(baked: &TimedReport) -> String {
    let s = &baked.report.stats;
    let made = |stage: Stage| match stage {
        Stage::Rasterize => format!("{} x {} cells, {}", count(s.width), count(s.depth), counted(s.spans, "span")),
        Stage::Filter => counted(s.walkable_spans, "walkable span"),
        Stage::Compact => counted(s.walkable_spans, "open span"),
        Stage::Erode => format!("{} after the agent's radius", counted(s.eroded_spans, "span")),
        Stage::Distance => format!("farthest from an edge: {}", s.max_distance),
        Stage::Regions => counted(s.regions, "region"),
        Stage::Contours => {
            format!(
                "{}, {} of {} vertices kept",
                counted(s.contours, "contour"),
                count(s.contour_verts),
                count(s.raw_contour_verts)
            )
        }
        Stage::Polygons => format!("{}, {:.1} m²", counted(s.polys, "polygon"), s.poly_area),
        Stage::Detail => counted(s.detail_tris, "detail triangle"),
        Stage::Tile if s.reused_tiles > 0 => {
            format!("{}, {} of them unchanged", counted(s.tiles, "tile"), count(s.reused_tiles))
        }
        Stage::Tile if s.empty_tiles > 0 => {
            format!("{}, {} of them empty", counted(s.tiles, "tile"), count(s.empty_tiles))
        }
        Stage::Tile => counted(s.tiles, "tile"),
    };
    let total = format!("  {:<10} {:>7.2}   from triangles to mesh", "total", ms(baked.total.median));
    if s.reused_tiles > 0 && s.reused_tiles == s.tiles {
        let kept = format!("{}, {:.1} m²", counted(s.polys, "polygon"), s.poly_area);
        return format!(
            "  nothing was baked: all tiles are unchanged, {} with {kept}\n{total}",
            counted(s.tiles, "tile")
        );
    }
    let mut text = String::from("  stage           ms   result\n");
    for (stage, time) in Stage::ALL.into_iter().zip(baked.stages) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {:<10} {:>7.2}   {}", stage.name(), ms(time.median), made(stage));
    }
    text + &total
}
