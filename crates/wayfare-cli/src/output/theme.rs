//! Colours and widths of everything that can be drawn.
//!
//! Ground is coloured in OKLCH, where equal steps look equal: the area type gives the hue, the height the lightness
//! (deep places dark, high places light), and the slope a little shadow, lit from the upper left as maps are.
//!
//! Sources: Björn Ottosson, "A perceptual color space for image processing", 2020.

use super::picture::{Colour, Pen};
use wayfare::area::AreaId;

pub(super) const BACKGROUND: Colour = Colour(0xf6, 0xf4, 0xee);
pub(super) const INK: Colour = Colour(0x26, 0x2b, 0x33);
pub(super) const FAINT_INK: Colour = Colour(0x7d, 0x82, 0x88);
pub(super) const WHITE: Colour = Colour(0xff, 0xff, 0xff);
pub(super) const START: Colour = Colour(0x1f, 0x9d, 0x55);
pub(super) const GOAL: Colour = Colour(0xd6, 0x33, 0x3b);
pub(super) const SOLID: Colour = Colour(0xb9, 0xb3, 0xa8);

/// Hues of the area types that have a usual meaning, as in the Recast demo: 0 plain ground, 1 water, 2 road, 3 door,
/// 4 grass, 5 jump, 63 walkable.
const HUES: [(u8, f64, f64); 7] = [
    (0, 200.0, 0.068),
    (1, 250.0, 0.110),
    (2, 75.0, 0.060),
    (3, 50.0, 0.110),
    (4, 140.0, 0.090),
    (5, 330.0, 0.080),
    (63, 200.0, 0.068),
];

/// The colour of ground: `height` 0…1 from the lowest to the highest, `light` 0…1 from shadow to light.
pub(super) fn ground(area: AreaId, height: f64, light: f64) -> Colour {
    let (hue, chroma) = match HUES.iter().find(|(id, ..)| *id == area.get()) {
        Some(&(_, hue, chroma)) => (hue, chroma),
        // The golden angle keeps neighbouring numbers apart.
        None => ((f64::from(area.get()) * 137.508) % 360.0, 0.085),
    };
    let lightness = 0.57 + 0.33 * height + 0.10 * (light - 0.75);
    oklch(lightness, chroma * (1.0 - 0.2 * height), hue + 80.0 * (0.5 - height))
}

/// The colour of a region: neighbouring numbers look different.
pub(super) fn region(id: u32, light: f64) -> Colour {
    oklch(0.76 + 0.08 * f64::from(id % 3) / 2.0 + 0.1 * (light - 0.75), 0.09, (f64::from(id) * 137.508) % 360.0)
}

/// The colour of a value, 0…1: dark blue over green to pale yellow.
pub(super) fn value(value: f64) -> Colour {
    oklch(0.38 + 0.54 * value, 0.075 + 0.05 * (1.0 - (2.0 * value - 1.0).powi(2)), 270.0 - 170.0 * value)
}

/// The colour of path `number`.
pub(super) fn path(number: u32) -> Colour {
    const PATHS: [Colour; 8] = [
        Colour(0xd9, 0x2b, 0x4b),
        Colour(0x6a, 0x2f, 0xb5),
        Colour(0xe3, 0x6a, 0x0a),
        Colour(0x15, 0x57, 0xc0),
        Colour(0x9c, 0x1c, 0x80),
        Colour(0x4d, 0x5b, 0x06),
        Colour(0x7a, 0x3b, 0x12),
        Colour(0x23, 0x2a, 0x36),
    ];
    PATHS[number as usize % PATHS.len()]
}

/// The colour of an agent's trail: neighbouring numbers look different.
pub(super) fn trail(number: u32) -> Colour {
    oklch(0.52 + 0.08 * f64::from(number % 3), 0.15, f64::from(number) * 137.508 % 360.0)
}

pub(super) const WALL: Pen = Pen::solid(Colour(0x2b, 0x33, 0x3d), 1.7);
pub(super) const INNER_EDGE: Pen = Pen { colour: WHITE, width: 0.7, opacity: 0.55, dash: 0.0 };
pub(super) const TILE_EDGE: Pen = Pen { colour: Colour(0xf0, 0xfb, 0xff), width: 1.1, opacity: 0.9, dash: 0.0 };
pub(super) const DETAIL_EDGE: Pen = Pen { colour: INK, width: 0.4, opacity: 0.25, dash: 0.0 };
pub(super) const TILE_OUTLINE: Pen = Pen { colour: Colour(0x9a, 0xa0, 0xa8), width: 0.8, opacity: 0.75, dash: 5.0 };
pub(super) const LINK: Pen = Pen::solid(Colour(0xc4, 0x2c, 0x9a), 2.0);

/// OKLCH to sRGB, clipped to what can be shown. Hue in degrees.
fn oklch(lightness: f64, chroma: f64, hue: f64) -> Colour {
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
    Colour(r, g, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_grey_and_black_come_out_as_such() {
        assert_eq!(oklch(1.0, 0.0, 0.0), WHITE);
        assert_eq!(oklch(0.0, 0.0, 0.0), Colour(0, 0, 0));
        let Colour(r, g, b) = oklch(0.6, 0.0, 123.0);
        assert!(r == g && g == b);
    }

    #[test]
    fn higher_ground_is_lighter() {
        let sum = |c: Colour| u32::from(c.0) + u32::from(c.1) + u32::from(c.2);
        let at = |h| sum(ground(AreaId::WALKABLE, h, 0.75));
        assert!(at(0.0) + 60 < at(0.5) && at(0.5) + 60 < at(1.0));
    }
}
