//! The product of the bake that is shown: drawn in the background, and kept until the level is baked again.

use super::products::{Drawing, Product};
use super::stage::Stage;
use super::task::Task;
use crate::canvas::{Canvas, Ink};
use std::sync::Arc;
use wayfare::bake::BakeError;
use wayfare::context::Context;

/// The drawing of a product.
#[derive(Debug, Default)]
pub(super) struct ProductView {
    /// What the drawing is of, or will be: the product, and the number of the bake. What tools change afterwards is
    /// not in it.
    of: Option<(Product, u64)>,
    drawing: Option<Task<Result<Canvas, BakeError>>>,
    canvas: Arc<Canvas>,
    legend: Vec<(Ink, String)>,
}

impl ProductView {
    pub(super) fn canvas(&self) -> &Arc<Canvas> {
        &self.canvas
    }

    /// What its colours mean.
    pub(super) fn legend(&self) -> &[(Ink, String)] {
        &self.legend
    }

    pub(super) fn is_drawing(&self) -> bool {
        self.drawing.is_some()
    }

    /// Takes a drawing that is finished, and begins another where it is of something else.
    pub(super) fn update(&mut self, product: Product, stage: &mut Stage) {
        if let Some(answer) = self.drawing.as_mut().and_then(Task::poll) {
            self.drawing = None;
            match answer {
                Ok(canvas) => {
                    self.legend = self.of.map_or_else(Vec::new, |(product, _)| product.legend(&canvas));
                    self.canvas = Arc::new(canvas);
                }
                Err(error) => stage.log.error(format!("The product cannot be shown: {error}.")),
            }
        }
        let wanted = (product, stage.world.as_ref().map_or(0, |world| world.bake));
        if self.of == Some(wanted) {
            return;
        }
        *self = Self { of: Some(wanted), ..Self::default() };
        let (Some(level), Some(world)) = (&stage.level, &stage.world) else { return };
        if let (Some(plan), true) = (world.plan, product != Product::Finished) {
            let mut drawing = Drawing::new(level.input(&stage.volumes), plan, product);
            self.drawing =
                Some(Task::start_pieces(|| move |_, context: &Context<'_>| drawing.step(context).transpose()));
        }
    }
}
