//! `wayfare bake --draw-stages FOLDER`: a picture of each stage's product, to see the effect of settings.

use crate::baking;
use crate::failure::{Failure, Result};
use crate::output::draw_picture;
use std::path::Path;
use wayfare::bake::{BakeReport, BakeStep, Door, Products, TileBaker, TileInput};
use wayfare::context::Context;
use wayfare::debug::{
    ShapeList, draw_compact_heightfield, draw_contours, draw_detail_mesh, draw_distance_field, draw_heightfield,
    draw_poly_mesh, draw_regions,
};
use wayfare::input::{BakeSettings, Level, Partition};
use wayfare_draw::Caption;

/// The names of all pictures, in the order of the stages.
pub(super) const FILES: [&str; 7] = [
    "1-heightfield.png",
    "2-eroded.png",
    "3-distances.png",
    "4-regions.png",
    "5-contours.png",
    "6-polygons.png",
    "7-detail.png",
];

/// Bakes the level as one tile and draws the product of each stage, in an existing folder.
pub(super) fn draw(level: Level<'_>, settings: &BakeSettings, size: u32, folder: &Path) -> Result<()> {
    if settings.tile_size > 0 {
        return Err(Failure::new("--draw-stages draws one tile: leave out --tile-size"));
    }
    let plan = baking::plan(level, settings)?;
    let mut baker = TileBaker::new(plan.level, plan.settings);
    let mut report = BakeReport::new(level.bounds());
    let source = TileInput { level, triangles: None, tile: plan.tile(0) };
    let mut drawn = Ok(());
    let mut look_on = |step: BakeStep, products: &Products| {
        if step == BakeStep::Distance && settings.partition != Partition::Watershed {
            return;
        }
        if let (Some((name, title, shapes)), Ok(())) = (picture(step, products), &drawn) {
            let caption = Caption { title: title.to_owned(), ..Caption::default() };
            drawn = draw_picture(&shapes, &caption, size, &folder.join(name));
        }
    };
    let doors = [Door::Triangles, Door::Tile];
    baker.run(&source, doors, &mut look_on, &Context::default(), &mut report).map_err(baking::refused)?;
    drawn
}

/// File name, title and shapes of the product of a step.
fn picture(step: BakeStep, products: &Products) -> Option<(&'static str, &'static str, ShapeList)> {
    let Products { heightfield, compact, distances, regions, contours, polygons, detail } = products;
    let [solid, eroded, far, cut, outlined, convex, high] = FILES;
    let mut shapes = ShapeList::new();
    let s = &mut shapes;
    let (name, title) = match step {
        BakeStep::Filter => {
            draw_heightfield(heightfield, s);
            (solid, "Solid spans after the filters: where one can stand, and where not")
        }
        BakeStep::MarkAfter => {
            draw_compact_heightfield(compact, s);
            (eroded, "Open surfaces: grey is nearer to an edge than the agent's radius")
        }
        BakeStep::Distance => {
            draw_distance_field(compact, distances, s);
            (far, "Distance to the nearest edge")
        }
        BakeStep::Regions => {
            draw_regions(compact, regions, s);
            (cut, "Regions")
        }
        BakeStep::Contours => {
            draw_regions(compact, regions, s);
            draw_contours(contours, s);
            (outlined, "Contours of the regions")
        }
        BakeStep::Polygons => {
            draw_poly_mesh(polygons, s);
            (convex, "Polygons")
        }
        BakeStep::Detail => {
            draw_detail_mesh(polygons, detail, s);
            (high, "Detail triangles")
        }
        _ => return None,
    };
    Some((name, title, shapes))
}
