//! A bake's report as a plain object.

use crate::record::{Record, to_list, to_point};
use wasm_bindgen::JsValue;
use wayfare::bake::{BakeReport, BakeStats, Warning};

pub(crate) fn to_object(report: &BakeReport) -> JsValue {
    Record::new()
        .with("bounds", to_list([to_point(report.bounds.min), to_point(report.bounds.max)]))
        .with("stats", stats(&report.stats))
        .with("warnings", to_list(report.warnings.iter().map(warning)))
        .done()
}

fn warning(warning: &Warning) -> JsValue {
    Record::new()
        .with("kind", warning.kind.name())
        .with("count", warning.count)
        .with("places", to_list(warning.places.iter().map(|place| to_point(*place))))
        .done()
}

fn stats(stats: &BakeStats) -> JsValue {
    Record::new()
        .with("tiles", stats.tiles)
        .with("emptyTiles", stats.empty_tiles)
        .with("reusedTiles", stats.reused_tiles)
        .with("width", stats.width)
        .with("depth", stats.depth)
        .with("trianglesOutside", stats.tris_outside as f64)
        .with("spans", stats.spans as f64)
        .with("walkableSpans", stats.walkable_spans as f64)
        .with("erodedSpans", stats.eroded_spans as f64)
        .with("regions", stats.regions as f64)
        .with("contours", stats.contours as f64)
        .with("polys", stats.polys as f64)
        .with("polyVerts", stats.poly_verts as f64)
        .with("polyArea", stats.poly_area)
        .with("detailVerts", stats.detail_verts as f64)
        .with("detailTriangles", stats.detail_tris as f64)
        .done()
}
