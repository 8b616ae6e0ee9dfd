//! A dot that walks along x.
use crate::prelude::*;
#[derive(Clone, Default)]
pub(super) struct WalkingDot(f32);
#[rustfmt::skip]
impl Prototype for WalkingDot {
    fn meta(&self) -> Meta { Meta { title: "A dot that walks", ..Meta::default() } }
    fn update(&mut self, dt: f32, _: &Input) { self.0 = (self.0 + dt) % 5.0; }
    fn draw(&self, canvas: &mut Canvas) { canvas.dot(Vec3::X * self.0, 9.0, Ink::Path(0)); }
}
