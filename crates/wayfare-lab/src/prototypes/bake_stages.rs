//! From triangles to polygons: the product of each step of the bake.
//!
//! Sources: Mikko Mononen, "The Moment You Get It", Digesting Duck, May 2010.

use crate::kit::Stepper;
use crate::prelude::*;
use std::rc::Rc;
use wayfare::bake::{BakeReport, BakeStep, Door, Products, TileBaker, TileInput, TilePlan};
use wayfare::context::Context;
use wayfare::debug::{
    draw_compact_heightfield, draw_contours, draw_detail_mesh, draw_distance_field, draw_heightfield, draw_poly_mesh,
    draw_regions,
};
use wayfare::input::{BakeSettings, Level, Partition};

const PARTITIONS: &[&str] = &["watershed", "monotone", "layers"];
const SCENES: &[&str] = &["yard", "holes_and_pillars", "bridge"];

#[derive(Clone)]
pub(super) struct BakeStages {
    partition: usize,
    scene: usize,
    radius: f32,
    cell: f32,
    stepper: Stepper,
    /// What is seen after each step that leaves something to see.
    views: Rc<Vec<(&'static str, Canvas)>>,
    counts: [usize; 3],
}

impl Default for BakeStages {
    fn default() -> Self {
        Self {
            partition: 0,
            scene: 0,
            radius: 0.5,
            cell: 0.3,
            stepper: Stepper::of_pace(1.0),
            views: Rc::default(),
            counts: [0; 3],
        }
    }
}

/// What there is to see after a step: its name and the drawing.
fn view(step: BakeStep, products: &Products) -> Option<(&'static str, Canvas)> {
    let mut canvas = Canvas::new();
    let name = match step {
        BakeStep::Rasterize => {
            draw_heightfield(&products.heightfield, &mut canvas);
            "solid spans: the triangles as columns of voxels"
        }
        BakeStep::Compact => {
            draw_compact_heightfield(&products.compact, &mut canvas);
            "open spans: where one can stand"
        }
        BakeStep::Erode => {
            draw_compact_heightfield(&products.compact, &mut canvas);
            "eroded by the agent's radius"
        }
        BakeStep::Distance => {
            draw_distance_field(&products.compact, &products.distances, &mut canvas);
            "how far it is to the nearest edge"
        }
        BakeStep::Regions => {
            draw_regions(&products.compact, &products.regions, &mut canvas);
            "regions without holes"
        }
        BakeStep::Contours => {
            draw_contours(&products.contours, &mut canvas);
            "outlines of the regions, simplified"
        }
        BakeStep::Polygons => {
            draw_poly_mesh(&products.polygons, &mut canvas);
            "convex polygons"
        }
        BakeStep::Detail => {
            draw_detail_mesh(&products.polygons, &products.detail, &mut canvas);
            "detail: the heights within the polygons"
        }
        _ => return None,
    };
    Some((name, canvas))
}

impl BakeStages {
    fn bake(&mut self) -> Option<()> {
        let scene = wayfare_scenes::scene(SCENES.get(self.scene)?).ok()?;
        let mesh = scene.mesh().ok()?;
        let mut settings = BakeSettings { tile_size: 0, cell_size: self.cell, ..scene.settings };
        settings.agent.radius = self.radius;
        settings.partition = [Partition::Watershed, Partition::Monotone, Partition::Layers][self.partition.min(2)];
        let level = Level { mesh: &mesh, terrain: None, volumes: &scene.volumes };
        let plan = TilePlan::new(level, &settings).ok()?;
        let mut baker = TileBaker::new(plan.level, plan.settings);
        let (mut views, mut counts) = (Vec::new(), [0; 3]);
        let mut observer = |step: BakeStep, products: &Products| {
            views.extend(view(step, products));
            counts = [products.compact.span_count(), products.regions.count as usize, products.polygons.polys.len()];
        };
        let source = TileInput { level, triangles: None, tile: plan.tile(0) };
        let mut report = BakeReport::default();
        baker.run(&source, [Door::Triangles, Door::Tile], &mut observer, &Context::default(), &mut report).ok()?;
        (self.views, self.counts) = (Rc::new(views), counts);
        Some(())
    }
}

impl Prototype for BakeStages {
    fn meta(&self) -> Meta {
        Meta {
            title: "A bake, stage by stage",
            category: Category::Geometry,
            help: "Triangles become columns of voxels, open ground, regions, outlines and polygons. Every stage is plain data \
                   that can be looked at. Compare the three partitions: watersheds make the best polygons, sweeps are fast. \
                   Make the cells coarse, or the agent wide, and see where narrow places are lost.",
            source: "The Moment You Get It, May 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        self.stepper.params(params);
        params.choice("partition", &mut self.partition, PARTITIONS).restarts();
        params.choice("scene", &mut self.scene, SCENES).restarts();
        params.slider("radius", &mut self.radius, 0.0..=1.5).restarts().help("Of the agent, metres.");
        params.slider("cell", &mut self.cell, 0.2..=1.0).restarts().help("Of the voxels, metres.");
    }

    fn init(&mut self, _: &Setup) {
        self.views = Rc::default();
        // A scene that cannot be baked shows nothing.
        let _ = self.bake();
        self.stepper.step = 0;
    }

    fn update(&mut self, dt: f32, input: &Input) {
        self.stepper.update(dt, input, self.views.len() as u32);
    }

    fn draw(&self, canvas: &mut Canvas) {
        let Some((name, view)) = self.views.get(self.stepper.step as usize) else { return };
        *canvas = view.clone();
        let bounds = view.bounds();
        if !bounds.is_empty() {
            let above = Vec3::new(bounds.center().x, bounds.min.y, bounds.min.z - 1.5);
            canvas.label(above, *name, Ink::Text);
        }
    }

    fn figures(&self, figures: &mut Figures) {
        let [spans, regions, polygons] = self.counts;
        figures.count("stage", self.stepper.step as usize + 1);
        figures.count("open spans", spans);
        figures.count("regions", regions);
        figures.count("polygons", polygons);
    }

    fn report(&self, report: &mut Report) {
        report.must(!self.views.is_empty(), "the level could not be baked", None);
    }
}
