//! Draws a picture as PNG: the same items as in SVG, painted by `tiny-skia`.

use crate::font;
use crate::picture::{Anchor, Colour, Item, Pen, Picture};
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

/// The picture as the bytes of a PNG file; `None` if it has no pixels, or more than fit in memory.
pub(crate) fn encode(picture: &Picture) -> Option<Vec<u8>> {
    let mut canvas = Pixmap::new(picture.width, picture.height)?;
    let Colour(r, g, b) = picture.background;
    canvas.fill(tiny_skia::Color::from_rgba8(r, g, b, 255));
    for item in &picture.items {
        paint(&mut canvas, item);
    }
    compress(&canvas).ok()
}

fn paint(canvas: &mut Pixmap, item: &Item) {
    match item {
        Item::Polygon { points, fill, outline } => {
            if let Some(path) = polyline(points, true) {
                fill_path(canvas, &path, *fill);
                stroke(canvas, &path, outline.as_ref());
            }
        }
        Item::Line { points, pen } => {
            if let Some(path) = polyline(points, false) {
                stroke(canvas, &path, Some(pen));
            }
        }
        Item::Circle { center: [x, y], radius, fill, outline } => {
            if let Some(path) = PathBuilder::from_circle(*x, *y, *radius) {
                fill_path(canvas, &path, *fill);
                stroke(canvas, &path, outline.as_ref());
            }
        }
        Item::Text { at: [x, y], size, text, anchor, colour } => {
            let before = match anchor {
                Anchor::Left => 0.0,
                Anchor::Middle => 0.5,
                Anchor::Right => 1.0,
            };
            if let Some(path) = font::outline(text, *size, [x - before * font::width(text, *size), *y]) {
                fill_path(canvas, &path, *colour);
            }
        }
    }
}

fn polyline(points: &[[f32; 2]], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let (&[x, y], rest) = points.split_first()?;
    builder.move_to(x, y);
    rest.iter().for_each(|&[x, y]| builder.line_to(x, y));
    if closed {
        builder.close();
    }
    builder.finish()
}

fn colour_of(Colour(r, g, b): Colour, opacity: f32) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(r, g, b, (opacity.clamp(0.0, 1.0) * 255.0 + 0.5) as u8);
    paint
}

fn fill_path(canvas: &mut Pixmap, path: &Path, colour: Colour) {
    canvas.fill_path(path, &colour_of(colour, 1.0), FillRule::Winding, Transform::identity(), None);
}

fn stroke(canvas: &mut Pixmap, path: &Path, pen: Option<&Pen>) {
    let Some(pen) = pen else { return };
    let dash = if pen.dash > 0.0 { StrokeDash::new(vec![pen.dash; 2], 0.0) } else { None };
    let (line_cap, line_join) = (LineCap::Round, LineJoin::Round);
    let stroke = Stroke { width: pen.width, line_cap, line_join, dash, ..Stroke::default() };
    canvas.stroke_path(path, &colour_of(pen.colour, pen.opacity), &stroke, Transform::identity(), None);
}

/// The canvas is opaque, so its bytes are plain colours and alpha can be dropped.
fn compress(canvas: &Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, canvas.width(), canvas.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let rgb: Vec<u8> = canvas.data().chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_red_square_is_red() {
        let red = Colour(255, 0, 0);
        let points = vec![[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]];
        let square = Item::Polygon { points, fill: red, outline: None };
        let picture = Picture { width: 8, height: 8, background: Colour(0, 0, 0), items: vec![square] };
        let bytes = encode(&picture).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert!(pixels.chunks_exact(3).all(|p| p == [255, 0, 0]));
    }

    #[test]
    fn a_picture_without_pixels_is_an_error() {
        assert!(encode(&Picture { width: 0, height: 5, background: Colour(0, 0, 0), items: vec![] }).is_none());
    }
}
