//! Letters as outlines, for pictures that have no fonts of their own.

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider as _};
use tiny_skia::{Path, PathBuilder};

/// The font, and pixels per font unit at a size.
fn font(size: f32) -> Option<(FontRef<'static>, f32)> {
    let font = FontRef::new(epaint_default_fonts::UBUNTU_LIGHT).ok()?;
    let units = font.metrics(Size::unscaled(), LocationRef::default()).units_per_em;
    Some((font, size / f32::from(units)))
}

/// The glyphs of a text and where each begins, in font units, and where the last one ends.
fn lay_out(font: &FontRef<'static>, text: &str) -> (Vec<(GlyphId, f32)>, f32) {
    let (charmap, metrics) = (font.charmap(), font.glyph_metrics(Size::unscaled(), LocationRef::default()));
    let mut end = 0.0;
    let glyphs = text.chars().filter_map(|c| charmap.map(c));
    let placed = glyphs.map(|glyph| {
        let begin = end;
        end += metrics.advance_width(glyph).unwrap_or(0.0);
        (glyph, begin)
    });
    (placed.collect(), end)
}

/// Width of a text in pixels.
pub(crate) fn width(text: &str, size: f32) -> f32 {
    font(size).map_or(0.0, |(font, scale)| lay_out(&font, text).1 * scale)
}

/// A text whose base line begins at `at`, as outlines in pixels, y down; `None` if there is nothing to draw.
pub(crate) fn outline(text: &str, size: f32, at: [f32; 2]) -> Option<Path> {
    let (font, scale) = font(size)?;
    let outlines = font.outline_glyphs();
    let mut pen = Pen { path: PathBuilder::new(), at, scale };
    for (glyph, begin) in lay_out(&font, text).0 {
        pen.at[0] = at[0] + begin * scale;
        let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
        // Characters without an outline in the font are left blank.
        let _ = outlines.get(glyph).and_then(|glyph| glyph.draw(settings, &mut pen).ok());
    }
    pen.path.finish()
}

/// Draws glyphs: converts font units (y up) to pixels (y down).
struct Pen {
    path: PathBuilder,
    at: [f32; 2],
    scale: f32,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.at[0] + x * self.scale, self.at[1] - y * self.scale)
    }
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
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

    #[test]
    fn letters_stand_on_their_base_line_side_by_side() {
        let bounds = |text: &str| outline(text, 24.0, [100.0, 50.0]).unwrap().bounds();
        let (one, two) = (bounds("l"), bounds("ll"));
        assert!((one.bottom() - 50.0).abs() < 0.5 && one.top() < 40.0 && one.top() > 26.0, "{one:?}");
        assert!(one.left() > 100.0 && (two.right() - one.right() - width("l", 24.0)).abs() < 0.1, "{two:?}");
        assert!(outline(" ", 24.0, [0.0, 0.0]).is_none() && outline("", 24.0, [0.0, 0.0]).is_none());
    }
}
