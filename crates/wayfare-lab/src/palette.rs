//! The colours of everything, light and dark.
//!
//! Surfaces are muted, so that what is drawn on them stands out; what means "good" is green and what means "bad" is
//! red, and both differ in lightness as well, for eyes that do not see the difference in hue.
//!
//! Sources: Björn Ottosson, "A perceptual color space for image processing", 2020; Masataka Okabe and Kei Ito, "Color
//! universal design", 2002.

use crate::canvas::Ink;
use wayfare_draw::Colour;

/// The looks of the lab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Theme {
    /// Dark ink on light paper.
    #[default]
    Light,
    /// Light ink on a dark ground.
    Dark,
}

/// A colour in sRGB.
pub type Rgb = [u8; 3];

/// What everything is drawn on.
#[must_use]
pub fn background(theme: Theme) -> Rgb {
    match theme {
        Theme::Light => [0xf4, 0xf3, 0xee],
        Theme::Dark => [0x1c, 0x1f, 0x24],
    }
}

/// The colour of an ink.
#[must_use]
pub fn colour(ink: Ink, theme: Theme) -> Rgb {
    let dark = theme == Theme::Dark;
    let either = |light: u32, dark_one: u32| rgb(if dark { dark_one } else { light });
    match ink {
        Ink::Ground(area) => ground(area.get(), dark),
        Ink::Region(number) => {
            oklch(if dark { 0.50 } else { 0.80 } + 0.05 * f64::from(number % 3) / 2.0, 0.08, turn(number))
        }
        Ink::Value(value) => scale(f64::from(value.clamp(0.0, 1.0))),
        Ink::Path(number) => PATHS[number as usize % PATHS.len()].map_dark(dark),
        Ink::Agent(number) => {
            oklch(if dark { 0.70 } else { 0.56 } + 0.06 * f64::from(number % 3), 0.14, turn(number) + 20.0)
        }
        Ink::Solid => either(0xb3ada2, 0x5a5d63),
        Ink::Wall => either(0x2b333d, 0xd3d9e0),
        Ink::InnerEdge => either(0xe6f0f2, 0x5b6b74),
        Ink::TileEdge => either(0xf7fdff, 0x86a2ad),
        Ink::Outline => either(0x9aa0a8, 0x70767e),
        Ink::Connection => either(0xb0268a, 0xea7fcf),
        Ink::Start => either(0x157f43, 0x43d186),
        Ink::Goal => either(0xd6333b, 0xff6b70),
        Ink::Open => either(0x2f7fe0, 0x6fb1ff),
        Ink::Closed => either(0xd98a1f, 0xf2b04c),
        Ink::Tree => either(0x6d6a75, 0xa9a6b3),
        Ink::Current => either(0xe0b400, 0xffd84a),
        Ink::Left => either(0x1d6fe0, 0x66aaff),
        Ink::Right => either(0xd1453b, 0xff7d73),
        Ink::Allowed => either(0x1a8250, 0x4fd08e),
        Ink::Forbidden => either(0xc23a3a, 0xf0736f),
        Ink::Wish => either(0x2f7fe0, 0x6fb1ff),
        Ink::Chosen => either(0x0f7a40, 0x4fe08e),
        Ink::Faint => either(0x8a8f97, 0x6d737b),
        Ink::Text => either(0x262b33, 0xe8eaee),
        Ink::Warning => either(0xc2185b, 0xff5fa2),
    }
}

fn rgb(hex: u32) -> Rgb {
    [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8]
}

/// The golden angle keeps consecutive numbers apart.
fn turn(number: u32) -> f64 {
    f64::from(number) * 137.508 % 360.0
}

/// Area types with a usual meaning: 1 water, 2 road, 3 door, 4 grass, 5 jump; all others by number.
fn ground(area: u8, dark: bool) -> Rgb {
    let lightness = if dark { 0.42 } else { 0.80 };
    match area {
        0 | 63 => oklch(lightness, 0.035, 215.0),
        1 => oklch(lightness - 0.08, 0.09, 255.0),
        2 => oklch(lightness + 0.04, 0.06, 85.0),
        3 => oklch(lightness - 0.08, 0.08, 50.0),
        4 => oklch(lightness - 0.03, 0.08, 145.0),
        5 => oklch(lightness, 0.09, 325.0),
        other => oklch(lightness, 0.07, turn(u32::from(other))),
    }
}

/// A value, 0…1: dark blue over green to pale yellow.
fn scale(value: f64) -> Rgb {
    oklch(0.34 + 0.58 * value, 0.08 + 0.05 * (1.0 - (2.0 * value - 1.0).powi(2)), 275.0 - 175.0 * value)
}

/// A colour in light and one in dark looks.
struct Two(u32, u32);

impl Two {
    fn map_dark(&self, dark: bool) -> Rgb {
        rgb(if dark { self.1 } else { self.0 })
    }
}

const PATHS: [Two; 8] = [
    Two(0xd92b4b, 0xff6f88),
    Two(0x6a2fb5, 0xb890ff),
    Two(0x1d8ef5, 0x6dbaff),
    Two(0x3f8f1b, 0x8fdd5f),
    Two(0x85311b, 0xe0906f),
    Two(0xc42fae, 0xff86ec),
    Two(0x0f8f8f, 0x4fd6d6),
    Two(0x232a36, 0xe4e8ee),
];

fn oklch(lightness: f64, chroma: f64, hue: f64) -> Rgb {
    let Colour(red, green, blue) = Colour::oklch(lightness, chroma, hue);
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::area::AreaId;

    /// Relative luminance.
    fn light(colour: Rgb) -> f64 {
        let [r, g, b] = colour.map(|c| (f64::from(c) / 255.0).powf(2.2));
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(a: Rgb, b: Rgb) -> f64 {
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn what_matters_stands_out_from_the_ground() {
        for theme in [Theme::Light, Theme::Dark] {
            let plain = colour(Ink::Ground(AreaId::WALKABLE), theme);
            for ink in [Ink::Text, Ink::Wall, Ink::Path(0), Ink::Start, Ink::Goal, Ink::Forbidden, Ink::Chosen] {
                assert!(contrast(colour(ink, theme), plain) > 1.9, "{ink:?} {theme:?}");
            }
            assert!(contrast(colour(Ink::Text, theme), background(theme)) > 7.0);
        }
    }
}
