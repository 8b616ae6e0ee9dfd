//! A picture as SVG.

use crate::control::escaped;
use crate::picture::{Anchor, Colour, Item, Pen, Picture};
use std::fmt::Write as _;
use svg::Document;
use svg::node::element::{Circle, Path, Rectangle, Text};
use svg::node::{Node, Value};

/// The picture as the text of an SVG file.
pub(crate) fn encode(picture: &Picture) -> String {
    let (w, h) = (picture.width, picture.height);
    let background = Rectangle::new().set("width", w).set("height", h).set("fill", hex(picture.background));
    let mut document = Document::new()
        .set("viewBox", (0, 0, w, h))
        .set("width", w)
        .set("height", h)
        .set("stroke-linejoin", "round")
        .set("stroke-linecap", "round")
        .set("font-family", "Ubuntu, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif")
        .add(background);
    for item in &picture.items {
        document = match item {
            Item::Polygon { points, fill, outline } => document
                .add(stroked(Path::new().set("d", path(points, true)).set("fill", hex(*fill)), outline.as_ref())),
            Item::Line { points, pen } => {
                document.add(stroked(Path::new().set("d", path(points, false)).set("fill", "none"), Some(pen)))
            }
            Item::Circle { center: [x, y], radius, fill, outline } => {
                let circle = Circle::new().set("cx", short(*x)).set("cy", short(*y)).set("r", short(*radius));
                document.add(stroked(circle.set("fill", hex(*fill)), outline.as_ref()))
            }
            Item::Text { at: [x, y], size, text, anchor, colour } => {
                let anchor = match anchor {
                    Anchor::Left => "start",
                    Anchor::Middle => "middle",
                    Anchor::Right => "end",
                };
                let text =
                    Text::new(escaped(text)).set("x", short(*x)).set("y", short(*y)).set("font-size", short(*size));
                document.add(text.set("text-anchor", anchor).set("fill", hex(*colour)))
            }
        };
    }
    let mut text = document.to_string();
    text.push('\n');
    text
}

/// Gives an element a stroke, if there is one.
fn stroked<T: Node>(mut element: T, pen: Option<&Pen>) -> T {
    let mut set = |name: &str, value: Value| element.assign(name, value);
    if let Some(pen) = pen {
        set("stroke", hex(pen.colour).into());
        set("stroke-width", short(pen.width).into());
        if pen.opacity < 1.0 {
            set("stroke-opacity", short(pen.opacity).into());
        }
        if pen.dash > 0.0 {
            set("stroke-dasharray", short(pen.dash).into());
        }
    }
    element
}

fn hex(Colour(r, g, b): Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Two decimals at most, without trailing zeros.
fn short(number: f32) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.to_owned() }
}

fn path(points: &[[f32; 2]], closed: bool) -> String {
    let mut d = String::new();
    for (i, [x, y]) in points.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(d, "{}{} {}", if i == 0 { "M" } else { "L" }, short(*x), short(*y));
    }
    if closed {
        d.push('Z');
    }
    d
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_text_is_escaped() {
        assert_eq!([1.0, 0.25, -0.001, 12.345].map(short), ["1", "0.25", "0", "12.35"].map(String::from));
        let text = "a < b & c\u{1b}".to_string();
        let item = Item::Text { at: [1.0, 2.0], size: 9.0, text, anchor: Anchor::Left, colour: Colour(1, 2, 255) };
        let picture = Picture { width: 10, height: 10, background: Colour(0, 0, 0), items: vec![item] };
        let text = encode(&picture);
        assert!(text.contains("a &lt; b &amp; c\\u{1b}") && text.contains("#0102ff"), "{text}");
    }
}
