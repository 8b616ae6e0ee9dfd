//! A picture as plain 2D items: what the two back ends, SVG and PNG, have in common.
//!
//! Pixels, x to the right, y down. Items are painted in order.

/// An opaque sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour(pub(super) u8, pub(super) u8, pub(super) u8);

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pen {
    pub(super) colour: Colour,
    pub(super) width: f32,
    /// 0…1.
    pub(super) opacity: f32,
    /// Lengths of dash and gap; 0: solid.
    pub(super) dash: f32,
}

impl Pen {
    pub(super) const fn solid(colour: Colour, width: f32) -> Self {
        Self { colour, width, opacity: 1.0, dash: 0.0 }
    }
}

/// Which side of its place a text stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Left,
    Middle,
    Right,
}

/// One thing to paint.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    /// A filled polygon with an outline.
    Polygon { points: Vec<[f32; 2]>, fill: Colour, outline: Option<Pen> },
    /// An open line.
    Line { points: Vec<[f32; 2]>, pen: Pen },
    /// A filled circle with an outline.
    Circle { center: [f32; 2], radius: f32, fill: Colour, outline: Option<Pen> },
    /// Words on a base line.
    Text { at: [f32; 2], size: f32, text: String, anchor: Anchor, colour: Colour },
}

/// A whole picture.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) background: Colour,
    pub(super) items: Vec<Item>,
}
