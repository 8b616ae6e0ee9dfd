//! Letters as outlines, for pictures that have no fonts of their own.

use std::sync::OnceLock;
use ttf_parser::{Face, OutlineBuilder};

fn face() -> Option<&'static Face<'static>> {
    static FACE: OnceLock<Option<Face<'static>>> = OnceLock::new();
    FACE.get_or_init(|| Face::parse(epaint_default_fonts::UBUNTU_LIGHT, 0).ok()).as_ref()
}

/// Width of a text in pixels.
pub(super) fn width(text: &str, size: f32) -> f32 {
    let Some(face) = face() else { return 0.0 };
    let units: f32 =
        text.chars().map(|c| face.glyph_index(c).and_then(|g| face.glyph_hor_advance(g)).map_or(0.0, f32::from)).sum();
    units * size / f32::from(face.units_per_em())
}

/// Draws a text whose base line begins at `at`, as outlines in pixels, y down.
pub(super) fn outline(text: &str, size: f32, at: [f32; 2], out: &mut dyn OutlineBuilder) {
    let Some(face) = face() else { return };
    let scale = size / f32::from(face.units_per_em());
    let mut pen = Placed { out, x: at[0], y: at[1], scale };
    for c in text.chars() {
        let Some(glyph) = face.glyph_index(c) else { continue };
        face.outline_glyph(glyph, &mut pen);
        pen.x += f32::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
    }
}

/// Font units (y up) to pixels (y down).
struct Placed<'a> {
    out: &'a mut dyn OutlineBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Placed<'_> {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Placed<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.out.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.out.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.out.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.out.curve_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.out.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_a_width() {
        assert!(width("10 m", 12.0) > width("1 m", 12.0));
        assert!(width("m", 24.0) > 12.0 && width("m", 24.0) < 30.0);
    }
}
