//! A strip of pictures side by side: the mesh and the obstacles after each line that may have changed tiles.

use super::picture::show;
use super::play::Stage;
use crate::failure::Result;
use crate::output::{caption_of, draw_picture};
use std::path::Path;
use wayfare::Vec3;
use wayfare::debug::{DebugSink, Role, ShapeList};
use wayfare::math::Aabb;

/// Frames in a row.
const ROW: u32 = 4;

/// The frames so far.
pub(super) struct Film {
    shapes: ShapeList,
    count: u32,
}

impl Film {
    pub(super) fn new() -> Self {
        Self { shapes: ShapeList::new(), count: 0 }
    }

    /// Adds a frame with a name.
    pub(super) fn add(&mut self, stage: &Stage, name: &str) {
        let bounds = stage.things.obstacles.checkpoints().settings().bounds.unwrap_or(Aabb::EMPTY);
        let step = bounds.size() * 1.08;
        let at = |along: u32, length: f32| along as f32 * length;
        let by = Vec3::new(at(self.count % ROW, step.x), 0.0, at(self.count / ROW, step.z));
        let mut shifted = Shifted { sink: &mut self.shapes, by };
        show(stage, &mut shifted);
        shifted.label(bounds.min, name, Role::Wall);
        self.count += 1;
    }

    pub(super) fn draw(&self, file: &Path, stage: &Stage, size: u32, target: &Path) -> Result<()> {
        draw_picture(&self.shapes, &caption_of(file, &stage.mesh), size, target)
    }
}

/// Draws everything with an offset.
struct Shifted<'a> {
    sink: &'a mut ShapeList,
    by: Vec3,
}

impl Shifted<'_> {
    fn all(&self, points: &[Vec3]) -> Vec<Vec3> {
        points.iter().map(|&point| point + self.by).collect()
    }
}

impl DebugSink for Shifted<'_> {
    fn polygon(&mut self, corners: &[Vec3], role: Role) {
        self.sink.polygon(&self.all(corners), role);
    }

    fn line(&mut self, points: &[Vec3], role: Role) {
        self.sink.line(&self.all(points), role);
    }

    fn point(&mut self, at: Vec3, role: Role) {
        self.sink.point(at + self.by, role);
    }

    fn label(&mut self, at: Vec3, text: &str, role: Role) {
        self.sink.label(at + self.by, text, role);
    }
}
