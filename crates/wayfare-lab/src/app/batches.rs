//! Batches that are made once and kept until what they show changes.

use crate::canvas::Canvas;
use crate::palette::Theme;
use crate::view::{Batch, Looks, Pickable, TextMark, draw_level};
use crate::workbench::level::LoadedLevel;
use crate::workbench::{Layer, Workbench};
use std::sync::Arc;
use wayfare::Vec3;

/// The batch of a canvas, kept as long as canvas and looks are the same.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    of: Option<(Arc<Canvas>, Looks)>,
    batch: Arc<Batch>,
    pub(crate) texts: Vec<TextMark>,
}

impl Kept {
    /// The batch of a drawing that was made anew: the same batch if it is the same drawing.
    pub(crate) fn show(&mut self, canvas: Canvas, looks: Looks) -> Arc<Batch> {
        let kept = self.of.as_ref().map(|(kept, _)| kept.clone());
        self.get(kept.filter(|kept| **kept == canvas).unwrap_or_else(|| Arc::new(canvas)), looks)
    }

    fn get(&mut self, canvas: Arc<Canvas>, looks: Looks) -> Arc<Batch> {
        let is_same = self.of.as_ref().is_some_and(|(kept, how)| Arc::ptr_eq(kept, &canvas) && *how == looks);
        if !is_same {
            self.batch = Arc::new(looks.batch(&canvas));
            self.texts = looks.texts(&canvas);
            self.of = Some((canvas, looks));
        }
        self.batch.clone()
    }
}

/// What the workbench shows.
#[derive(Debug, Default)]
pub(crate) struct BenchPicture {
    level: Option<(Arc<LoadedLevel>, Theme, Arc<Batch>)>,
    mesh: Kept,
    product: Kept,
    backdrop: Kept,
    tools: Kept,
    pickable: Option<(u64, Pickable)>,
    pub(crate) texts: Vec<TextMark>,
}

impl BenchPicture {
    /// The layers to draw, from the lowest to the topmost.
    pub(crate) fn layers(&mut self, bench: &mut Workbench, theme: Theme) -> Vec<Arc<Batch>> {
        let mut layers = Vec::new();
        self.texts.clear();
        let backdrop = bench.backdrop();
        let shows_level = bench.layers.has(Layer::Level) && backdrop.is_none();
        if let (Some(level), true) = (&bench.stage.level, shows_level) {
            layers.push(self.level(level.clone(), theme));
        }
        if let Some(backdrop) = backdrop {
            layers.push(self.backdrop.get(backdrop, Looks::plain(theme)));
        } else {
            let has_product = !bench.product_canvas().fills.is_empty() || !bench.product_canvas().lines.is_empty();
            if has_product {
                layers.push(self.product.get(bench.product_canvas(), Looks::on_level(theme, 0.85)));
                self.texts.extend_from_slice(&self.product.texts);
            } else {
                let ground = if bench.layers.has(Layer::Level) { 0.62 } else { 1.0 };
                layers.push(self.mesh.get(bench.mesh_canvas(), Looks::on_level(theme, ground)));
                self.texts.extend_from_slice(&self.mesh.texts);
            }
        }
        let mut canvas = Canvas::new();
        bench.draw_tools(&mut canvas);
        layers.push(self.tools.show(canvas, Looks { theme, ground: 1.0, lift: 0.06 }));
        self.texts.extend_from_slice(&self.tools.texts);
        layers
    }

    fn level(&mut self, level: Arc<LoadedLevel>, theme: Theme) -> Arc<Batch> {
        let is_same = self.level.as_ref().is_some_and(|(kept, how, _)| Arc::ptr_eq(kept, &level) && *how == theme);
        if !is_same {
            let mut batch = Batch::default();
            draw_level(&level.mesh, theme, &mut batch);
            if let Some(terrain) = &level.terrain {
                crate::view::draw_terrain(terrain, theme, &mut batch);
            }
            self.level = Some((level.clone(), theme, Arc::new(batch)));
        }
        self.level.as_ref().map(|(.., batch)| batch.clone()).unwrap_or_default()
    }

    /// Where a ray meets the level, or the mesh if there is none.
    pub(crate) fn hit(&mut self, bench: &Workbench, ray: &crate::input::Ray) -> Option<Vec3> {
        if let Some(level) = &bench.stage.level {
            return level.pickable.hit(ray).map(|hit| hit.at);
        }
        let mesh = bench.stage.mesh()?;
        if self.pickable.as_ref().is_none_or(|(version, _)| *version != bench.stage.version()) {
            let mut triangles = Vec::new();
            for tile in mesh.tiles() {
                for poly in 0..tile.poly_count() {
                    let corners: Vec<Vec3> = tile.data().points_of(poly).collect();
                    triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
                }
            }
            self.pickable = Some((bench.stage.version(), Pickable::new(triangles)));
        }
        self.pickable.as_ref().and_then(|(_, pickable)| pickable.hit(ray)).map(|hit| hit.at)
    }
}
