//! `wayfare bake --draw-stages FOLDER`: a picture of each stage's product, to see what a setting does.

use crate::baking;
use crate::failure::{Failure, Result};
use crate::output::write_picture;
use std::path::Path;
use wayfare::bake::{BakeReport, Products, TileBaker};
use wayfare::context::Context;
use wayfare::debug::{
    ShapeList, draw_compact_heightfield, draw_contours, draw_detail_mesh, draw_distance_field, draw_heightfield,
    draw_poly_mesh, draw_regions,
};
use wayfare::input::{BakeSettings, Level};
use wayfare_draw::{Caption, draw_shapes};

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

/// Bakes the level as one tile and draws what each stage made of it, in a folder that is there.
pub(super) fn draw(level: Level<'_>, settings: &BakeSettings, size: u32, folder: &Path) -> Result<()> {
    if settings.tile_size > 0 {
        return Err(Failure::new("--draw-stages draws one tile: leave out --tile-size"));
    }
    let plan = baking::plan(level, settings)?;
    let mut baker = TileBaker::new(plan.level, plan.settings);
    let mut report = BakeReport::new(level.bounds());
    baker.bake(level, None, &plan.tile(0), &Context::default(), &mut report).map_err(baking::refused)?;
    for (name, title, shapes) in pictures(baker.products()) {
        let caption = Caption { title: title.to_owned(), ..Caption::default() };
        write_picture(&draw_shapes(&shapes, &caption, size), &folder.join(name))?;
    }
    Ok(())
}

/// File name, title and shapes of each stage.
fn pictures(products: &Products) -> Vec<(&'static str, &'static str, ShapeList)> {
    let Products { heightfield, compact, distances, regions, contours, polygons, detail } = products;
    let [solid, eroded, far, cut, outlined, convex, high] = FILES;
    let mut pictures = Vec::new();
    let mut add = |name, title, draw: &dyn Fn(&mut ShapeList)| {
        let mut shapes = ShapeList::new();
        draw(&mut shapes);
        pictures.push((name, title, shapes));
    };
    add(solid, "Solid spans after the filters: where one can stand, and where not", &|s| {
        draw_heightfield(heightfield, s);
    });
    add(eroded, "Open surfaces: grey is nearer to an edge than the agent's radius", &|s| {
        draw_compact_heightfield(compact, s);
    });
    if distances.distance.len() == compact.span_count() {
        add(far, "Distance to the nearest edge", &|s| {
            draw_distance_field(compact, distances, s);
        });
    }
    add(cut, "Regions", &|s| draw_regions(compact, regions, s));
    add(outlined, "Contours of the regions", &|s| {
        draw_regions(compact, regions, s);
        draw_contours(contours, s);
    });
    add(convex, "Polygons", &|s| draw_poly_mesh(polygons, s));
    add(high, "Detail triangles", &|s| draw_detail_mesh(polygons, detail, s));
    pictures
}
