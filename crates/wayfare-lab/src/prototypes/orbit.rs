//! The smallest prototype: a dot that goes round.
use crate::prelude::*;
use wayfare::math::ops;

#[derive(Clone, Default)]
pub(super) struct Orbit(f32);

impl Prototype for Orbit {
    fn meta(&self) -> Meta { Meta { title: "A dot that goes round", ..Meta::default() } }
    fn update(&mut self, dt: f32, _: &Input) { self.0 += dt; }
    fn draw(&self, canvas: &mut Canvas) { canvas.dot(Vec3::new(ops::cos(self.0), 0.0, ops::sin(self.0)), 9.0, Ink::Path(0)); }
}
