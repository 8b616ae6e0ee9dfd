//! All products of the bake on the way from triangles to polygons, for inspection.

use super::level::BakeInput;
use crate::canvas::{Canvas, Ink};
use wayfare::area::AreaId;
use wayfare::bake::{
    BakeError, BakeReport, BakeStep, ContourSettings, Door, Products, Reason, TileBaker, TileInput, TilePlan,
    build_contours, explain_level,
};
use wayfare::context::Context;
use wayfare::debug::{
    draw_compact_heightfield, draw_contours, draw_detail_mesh, draw_distance_field, draw_explain_map, draw_heightfield,
    draw_poly_mesh, draw_regions,
};

/// A product of the bake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Product {
    /// Nothing but the finished mesh.
    #[default]
    Finished,
    /// Tops of solid spans, after the filters.
    SolidSpans,
    /// Open spans before they are eroded.
    OpenSpans,
    /// Open spans after volumes and erosion.
    ErodedSpans,
    /// Distances to the nearest edge.
    Distances,
    /// Regions.
    Regions,
    /// Outlines along the edges of cells.
    RawOutlines,
    /// Outlines, simplified.
    Outlines,
    /// Polygons.
    Polygons,
    /// Detail triangles.
    Detail,
    /// Why each surface is walkable or not.
    Reasons,
}

/// No more tiles than these are shown at once, those in the middle of the level.
const MOST_TILES: u64 = 400;

impl Product {
    /// All, in the order in which they are made.
    pub const ALL: [Self; 11] = [
        Self::Finished,
        Self::SolidSpans,
        Self::OpenSpans,
        Self::ErodedSpans,
        Self::Distances,
        Self::Regions,
        Self::RawOutlines,
        Self::Outlines,
        Self::Polygons,
        Self::Detail,
        Self::Reasons,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Finished => "Finished mesh",
            Self::SolidSpans => "Solid spans",
            Self::OpenSpans => "Open spans",
            Self::ErodedSpans => "Eroded spans",
            Self::Distances => "Distances",
            Self::Regions => "Regions",
            Self::RawOutlines => "Raw outlines",
            Self::Outlines => "Simplified outlines",
            Self::Polygons => "Polygons",
            Self::Detail => "Detail triangles",
            Self::Reasons => "Why not walkable",
        }
    }

    /// What its colours mean, if they need to be told: from the drawing, so that only what is seen is in the list.
    #[must_use]
    pub(crate) fn legend(self, canvas: &Canvas) -> Vec<(Ink, String)> {
        let has = |ink: Ink| canvas.fills.iter().any(|fill| fill.ink == ink);
        match self {
            Self::Reasons => {
                let rows = Reason::ALL.into_iter().map(|reason| match reason {
                    Reason::Walkable => (Ink::Ground(AreaId::WALKABLE), "walkable".to_owned()),
                    reason => (Ink::Region(reason as u32), words(reason).to_owned()),
                });
                rows.filter(|(ink, _)| has(*ink)).collect()
            }
            Self::SolidSpans | Self::OpenSpans | Self::ErodedSpans => {
                vec![(Ink::Ground(AreaId::WALKABLE), "walkable".to_owned()), (Ink::Solid, "not walkable".to_owned())]
            }
            Self::Distances => vec![
                (Ink::Value(0.0), "at an edge".to_owned()),
                (Ink::Value(0.5), "half way".to_owned()),
                (Ink::Value(1.0), "farthest from any edge".to_owned()),
            ],
            _ => Vec::new(),
        }
    }

    /// The step after which it is there.
    const fn step(self) -> BakeStep {
        match self {
            Self::Finished | Self::Reasons => BakeStep::Tile,
            Self::SolidSpans => BakeStep::Filter,
            Self::OpenSpans => BakeStep::Compact,
            Self::ErodedSpans => BakeStep::MarkAfter,
            Self::Distances => BakeStep::Distance,
            Self::Regions => BakeStep::Regions,
            Self::RawOutlines | Self::Outlines => BakeStep::Contours,
            Self::Polygons => BakeStep::Polygons,
            Self::Detail => BakeStep::Detail,
        }
    }

    fn draw(self, products: &Products, canvas: &mut Canvas) {
        match self {
            Self::Finished | Self::Reasons => {}
            Self::SolidSpans => draw_heightfield(&products.heightfield, canvas),
            Self::OpenSpans | Self::ErodedSpans => draw_compact_heightfield(&products.compact, canvas),
            Self::Distances => draw_distance_field(&products.compact, &products.distances, canvas),
            Self::Regions => draw_regions(&products.compact, &products.regions, canvas),
            Self::RawOutlines => draw_raw_outlines(products, canvas),
            Self::Outlines => draw_contours(&products.contours, canvas),
            Self::Polygons => draw_poly_mesh(&products.polygons, canvas),
            Self::Detail => draw_detail_mesh(&products.polygons, &products.detail, canvas),
        }
    }
}

/// The tiles of a level, baked once more to draw a product of each.
pub(super) struct Drawing {
    input: BakeInput,
    plan: TilePlan,
    product: Product,
    baker: TileBaker,
    report: BakeReport,
    canvas: Canvas,
    /// The next tile, and the one after the last.
    tiles: core::ops::Range<u64>,
    /// How many there are.
    count: u64,
}

impl Drawing {
    pub(super) fn new(input: BakeInput, plan: TilePlan, product: Product) -> Self {
        let shown = plan.tile_count().min(MOST_TILES);
        let first = (plan.tile_count() - shown) / 2;
        let report = BakeReport::new(input.level().bounds());
        let baker = TileBaker::new(plan.level, plan.settings);
        let canvas = Canvas::new();
        Self { input, plan, product, baker, report, canvas, tiles: first..first + shown, count: shown }
    }

    /// Draws one more tile; the drawing, when all are in it.
    pub(super) fn step(&mut self, context: &Context<'_>) -> Result<Option<Canvas>, BakeError> {
        let (level, product, canvas) = (self.input.level(), self.product, &mut self.canvas);
        if product == Product::Reasons {
            draw_explain_map(&explain_level(level, &self.plan, context)?, canvas);
            return Ok(Some(core::mem::take(canvas)));
        }
        context.progress(self.count - (self.tiles.end - self.tiles.start), self.count);
        let Some(index) = self.tiles.next() else { return Ok(Some(core::mem::take(canvas))) };
        let source = TileInput { level, triangles: None, tile: self.plan.tile(index) };
        let mut look = |step: BakeStep, products: &Products| {
            if step == product.step() {
                product.draw(products, canvas);
            }
        };
        self.baker.run(&source, [Door::Triangles, Door::Tile], &mut look, context, &mut self.report)?;
        Ok(None)
    }
}

/// A reason in a few words, for a legend.
const fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::Walkable => "walkable",
        Reason::LevelEdge => "at the edge of the level",
        Reason::Nothing => "no ground",
        Reason::Steep => "too steep",
        Reason::FacesDown => "faces down",
        Reason::NotWalkableArea => "marked as not walkable",
        Reason::Drop => "beside a drop",
        Reason::Uneven => "too uneven",
        Reason::LowCeiling => "ceiling too low",
        Reason::Eroded => "too near to an edge",
        Reason::Wall => "inside something solid",
        Reason::Volume => "in a blocked volume",
        Reason::SmallIsland => "on an island that is too small",
        Reason::ContourDropped => "its outline came to nothing",
        Reason::Outline => "left out by the simplified outline",
        _ => "for another reason",
    }
}

/// Outlines of which nothing is simplified.
fn draw_raw_outlines(products: &Products, canvas: &mut Canvas) {
    let raw = ContourSettings { max_error: 0.0, max_edge_len: 0 };
    let mut report = BakeReport::new(wayfare::math::Aabb::EMPTY);
    draw_contours(&build_contours(&products.compact, &products.regions, raw, &mut report), canvas);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::level::LoadedLevel;
    use wayfare::input::BakeSettings;

    #[test]
    fn every_product_is_drawn_and_raw_outlines_have_more_corners() {
        let level = LoadedLevel::of_scene("stairs").unwrap();
        let settings = BakeSettings { tile_size: 48, ..level.settings };
        let input = level.input(&[]);
        let plan = TilePlan::new(input.level(), &settings).unwrap();
        let drawn = |product| {
            let mut drawing = Drawing::new(input.clone(), plan, product);
            loop {
                if let Some(canvas) = drawing.step(&Context::default()).unwrap() {
                    return canvas;
                }
            }
        };
        for product in Product::ALL {
            assert_eq!(drawn(product) == Canvas::new(), product == Product::Finished, "{}", product.name());
        }
        assert!(drawn(Product::RawOutlines).lines.len() > drawn(Product::Outlines).lines.len());
    }
}
