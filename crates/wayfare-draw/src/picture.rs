//! A picture as plain 2D items: what the two back ends, SVG and PNG, have in common.
//!
//! Pixels, x to the right, y down. Items are painted in order.

use crate::{png, svg};

/// An opaque sRGB colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(
    /// Red.
    pub u8,
    /// Green.
    pub u8,
    /// Blue.
    pub u8,
);

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// Its colour.
    pub colour: Colour,
    /// Pixels.
    pub width: f32,
    /// From 0, not to be seen, to 1.
    pub opacity: f32,
    /// Lengths of dash and gap in pixels; 0: solid.
    pub dash: f32,
}

impl Pen {
    /// A line without gaps.
    #[must_use]
    pub const fn solid(colour: Colour, width: f32) -> Self {
        Self { colour, width, opacity: 1.0, dash: 0.0 }
    }
}

/// Which side of its place a text stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Left,
    /// Its middle is there.
    Middle,
    /// It ends there.
    Right,
}

/// One thing to paint.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A filled polygon with an outline.
    Polygon {
        /// Its corners.
        points: Vec<[f32; 2]>,
        /// What it is filled with.
        fill: Colour,
        /// The line around it.
        outline: Option<Pen>,
    },
    /// An open line.
    Line {
        /// Its corners.
        points: Vec<[f32; 2]>,
        /// How it is drawn.
        pen: Pen,
    },
    /// A filled circle with an outline.
    Circle {
        /// Its middle.
        center: [f32; 2],
        /// Pixels.
        radius: f32,
        /// What it is filled with.
        fill: Colour,
        /// The line around it.
        outline: Option<Pen>,
    },
    /// Words on a base line.
    Text {
        /// A place on the base line.
        at: [f32; 2],
        /// Height of the font, pixels.
        size: f32,
        /// What it says.
        text: String,
        /// Where that place is in the text.
        anchor: Anchor,
        /// Its colour.
        colour: Colour,
    },
}

/// A whole picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// What is under all items.
    pub background: Colour,
    /// What is painted, in this order.
    pub items: Vec<Item>,
}

/// A picture has more pixels than memory can hold, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a picture of {width} x {height} pixels cannot be made: give another size")]
pub struct PictureSizeError {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

impl Picture {
    /// The picture as the text of an SVG file.
    #[must_use]
    pub fn to_svg(&self) -> String {
        svg::encode(self)
    }

    /// The picture as the bytes of a PNG file, of 8 bits a channel, opaque.
    ///
    /// # Errors
    /// [`PictureSizeError`].
    pub fn to_png(&self) -> Result<Vec<u8>, PictureSizeError> {
        png::encode(self).ok_or(PictureSizeError { width: self.width, height: self.height })
    }
}
