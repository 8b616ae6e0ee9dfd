//! A picture as plain 2D items, which both back ends, SVG and PNG, draw.
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

impl Colour {
    /// A colour of OKLCH, where equal steps look equal: lightness 0…1, chroma from 0 (grey) to about 0.3, hue in
    /// degrees. Clipped to what can be shown.
    ///
    /// Sources: Björn Ottosson, "A perceptual color space for image processing", 2020.
    #[must_use]
    pub fn oklch(lightness: f64, chroma: f64, hue: f64) -> Self {
        let (sin, cos) = hue.to_radians().sin_cos();
        let (a, b) = (chroma * cos, chroma * sin);
        let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
        let linear = [
            4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
            -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
            -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
        ];
        let [r, g, b] = linear.map(|c| {
            let c = c.clamp(0.0, 1.0);
            let encoded = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
            (encoded * 255.0 + 0.5) as u8
        });
        Self(r, g, b)
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// Its colour.
    pub colour: Colour,
    /// Width in pixels.
    pub width: f32,
    /// Opacity from 0, invisible, to 1.
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

/// Which part of a text is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Left,
    /// Its middle.
    Middle,
    /// Its end.
    Right,
}

/// An item to paint.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A filled polygon with an outline.
    Polygon {
        /// Its corners.
        points: Vec<[f32; 2]>,
        /// Fill colour.
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
        /// Its centre.
        center: [f32; 2],
        /// Radius in pixels.
        radius: f32,
        /// Fill colour.
        fill: Colour,
        /// The line around it.
        outline: Option<Pen>,
    },
    /// Text on a base line.
    Text {
        /// A point on the base line.
        at: [f32; 2],
        /// Height of the font, pixels.
        size: f32,
        /// The text.
        text: String,
        /// Which part of the text is at that point.
        anchor: Anchor,
        /// Its colour.
        colour: Colour,
    },
}

/// A whole picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The background colour.
    pub background: Colour,
    /// The items, painted in this order.
    pub items: Vec<Item>,
}

/// The picture has more pixels than fit in memory, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a picture of {width} x {height} pixels cannot be made: give another size")]
pub struct PictureSizeError {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl Picture {
    /// The picture as the text of an SVG file.
    #[must_use]
    pub fn to_svg(&self) -> String {
        svg::encode(self)
    }

    /// The picture as the bytes of a PNG file, with 8 bits per channel, opaque.
    ///
    /// # Errors
    /// [`PictureSizeError`].
    pub fn to_png(&self) -> Result<Vec<u8>, PictureSizeError> {
        png::encode(self).ok_or(PictureSizeError { width: self.width, height: self.height })
    }
}
