//! Colours and widths of everything that can be drawn.
//!
//! Surfaces are coloured in OKLCH, where equal steps look equal: the area type gives the hue, the height the lightness
//! (low is dark, high is light), and the slope a slight shading, lit from the upper left as maps are.
//!
//! Sources: Björn Ottosson, "A perceptual color space for image processing", 2020; Masataka Okabe and Kei Ito, "Color
//! universal design", 2002; for the test, Machado, Oliveira and Fernandes, "A physiologically-based model for
//! simulation of color vision deficiency", 2009.

use crate::picture::{Colour, Pen};
use wayfare::area::AreaId;

pub(crate) const BACKGROUND: Colour = Colour(0xf6, 0xf4, 0xee);
pub(crate) const INK: Colour = Colour(0x26, 0x2b, 0x33);
pub(crate) const FAINT_INK: Colour = Colour(0x7d, 0x82, 0x88);
pub(crate) const WHITE: Colour = Colour(0xff, 0xff, 0xff);
pub(crate) const START: Colour = Colour(0x1f, 0x9d, 0x55);
pub(crate) const GOAL: Colour = Colour(0xd6, 0x33, 0x3b);
pub(crate) const SOLID: Colour = Colour(0xb9, 0xb3, 0xa8);

/// The area types with a usual meaning, as in the Recast demo: 1 water, 2 road, 3 door, 4 grass, 5 jump; their
/// lightness at half height, chroma and hue. The hues are near those of Okabe and Ito, optimised so that the two most
/// similar, at any height and also for red-blind and green-blind eyes, are nearly as different as a search could make
/// them.
const AREAS: [(u8, [f64; 3]); 5] = [
    (1, [0.62, 0.130, 268.0]),
    (2, [0.88, 0.120, 85.0]),
    (3, [0.54, 0.130, 48.0]),
    (4, [0.60, 0.115, 155.0]),
    (5, [0.78, 0.150, 325.0]),
];

/// The colour of a surface: `height` 0…1 from the lowest to the highest, `light` 0…1 from shadow to light.
pub(crate) fn ground(area: AreaId, height: f64, light: f64) -> Colour {
    let id = area.get();
    let shade = 0.10 * (light - 0.75);
    if id == AreaId::NULL.get() || area == AreaId::WALKABLE {
        return Colour::oklch(0.57 + 0.33 * height + shade, 0.055 - 0.012 * height, 200.0 + 50.0 * (0.5 - height));
    }
    let known = AREAS.iter().find(|(known, _)| *known == id).map(|(_, colour)| *colour);
    // The golden angle separates consecutive numbers, and three steps of lightness those with a similar hue.
    let other = || [0.58 + 0.10 * f64::from(id % 3), 0.13, f64::from(id) * 137.508 % 360.0];
    let [lightness, chroma, hue] = known.unwrap_or_else(other);
    Colour::oklch(lightness + 0.16 * (height - 0.5) + shade, chroma, hue)
}

/// The colour of a region: neighbouring numbers look different.
pub(crate) fn region(id: u32, light: f64) -> Colour {
    Colour::oklch(0.76 + 0.08 * f64::from(id % 3) / 2.0 + 0.1 * (light - 0.75), 0.09, (f64::from(id) * 137.508) % 360.0)
}

/// The colour of a value, 0…1: from dark blue over green to pale yellow.
pub(crate) fn value(value: f64) -> Colour {
    Colour::oklch(0.38 + 0.54 * value, 0.075 + 0.05 * (1.0 - (2.0 * value - 1.0).powi(2)), 270.0 - 170.0 * value)
}

/// The colours of paths, found by search: the most similar pair differs as much as possible, for every kind of colour
/// vision, and so does each from the default surface colour.
const PATHS: [Colour; 8] = [
    Colour(0xd9, 0x2b, 0x4b),
    Colour(0x6a, 0x2f, 0xb5),
    Colour(0x7b, 0xbe, 0x33),
    Colour(0x1d, 0x8e, 0xf5),
    Colour(0x85, 0x31, 0x1b),
    Colour(0xde, 0x3b, 0xc2),
    Colour(0xd7, 0x90, 0xa5),
    Colour(0x23, 0x2a, 0x36),
];

/// The colour of path `number`.
pub(crate) fn path(number: u32) -> Colour {
    PATHS[number as usize % PATHS.len()]
}

/// The colour of an agent's trail: neighbouring numbers look different.
pub(crate) fn trail(number: u32) -> Colour {
    Colour::oklch(0.52 + 0.08 * f64::from(number % 3), 0.15, f64::from(number) * 137.508 % 360.0)
}

pub(crate) const WALL: Pen = Pen::solid(Colour(0x2b, 0x33, 0x3d), 1.7);
pub(crate) const INNER_EDGE: Pen = Pen { colour: WHITE, width: 0.7, opacity: 0.55, dash: 0.0 };
pub(crate) const TILE_EDGE: Pen = Pen { colour: Colour(0xf0, 0xfb, 0xff), width: 1.1, opacity: 0.9, dash: 0.0 };
pub(crate) const DETAIL_EDGE: Pen = Pen { colour: INK, width: 0.4, opacity: 0.25, dash: 0.0 };
pub(crate) const TILE_OUTLINE: Pen = Pen { colour: Colour(0x9a, 0xa0, 0xa8), width: 0.8, opacity: 0.75, dash: 5.0 };
/// Walls under other surfaces.
pub(crate) const HIDDEN: Pen = Pen { colour: WALL.colour, width: 1.1, opacity: 0.5, dash: 4.0 };
pub(crate) const LINK: Pen = Pen::solid(Colour(0xc4, 0x2c, 0x9a), 2.0);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_grey_and_black_come_out_as_such() {
        assert_eq!(Colour::oklch(1.0, 0.0, 0.0), WHITE);
        assert_eq!(Colour::oklch(0.0, 0.0, 0.0), Colour(0, 0, 0));
        let Colour(r, g, b) = Colour::oklch(0.6, 0.0, 123.0);
        assert!(r == g && g == b);
    }

    /// sRGB to OKLab, as eyes see it that lack what `sight` says.
    fn seen(Colour(r, g, b): Colour, sight: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = [r, g, b].map(|c| {
            let c = f64::from(c) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        let by = |rows: [[f64; 3]; 3], v: [f64; 3]| rows.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
        let to_lms = [
            [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
            [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
            [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
        ];
        let to_lab = [
            [0.210_454_255_3, 0.793_617_785, -0.004_072_046_8],
            [1.977_998_495_1, -2.428_592_205, 0.450_593_709_9],
            [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766],
        ];
        by(to_lab, by(to_lms, by(sight, linear)).map(f64::cbrt))
    }

    const FULL: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    const NO_RED: [[f64; 3]; 3] =
        [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]];
    const NO_GREEN: [[f64; 3]; 3] =
        [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]];

    /// How different two colours look.
    fn apart(a: Colour, b: Colour, sight: [[f64; 3]; 3]) -> f64 {
        seen(a, sight).iter().zip(seen(b, sight)).map(|(p, q)| (p - q).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn usual_areas_are_told_apart_also_without_red_or_green() {
        for sight in [FULL, NO_RED, NO_GREEN] {
            for height in [0.0, 0.5, 1.0] {
                let areas = [1, 2, 3, 4, 5, 63];
                let at = |id| ground(AreaId::from_low_bits(id), height, 0.75);
                for (k, &a) in areas.iter().enumerate() {
                    for &b in &areas[..k] {
                        let apart = apart(at(a), at(b), sight);
                        assert!(apart > 0.06, "{a} and {b} at {height}: {apart:.3}, {sight:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn paths_are_told_apart_and_from_plain_ground() {
        for (sight, least) in [(FULL, 0.15), (NO_RED, 0.1), (NO_GREEN, 0.1)] {
            for (k, &a) in PATHS.iter().enumerate() {
                for &b in &PATHS[..k] {
                    let apart = apart(a, b, sight);
                    assert!(apart > least, "{a:?} and {b:?}: {apart:.3}, {sight:?}");
                }
            }
        }
        for height in [0.0, 0.5, 1.0] {
            let plain = ground(AreaId::WALKABLE, height, 0.75);
            assert!(PATHS.iter().all(|&path| apart(path, plain, FULL) > 0.12), "at {height}");
        }
    }

    #[test]
    fn higher_ground_is_lighter() {
        let sum = |c: Colour| u32::from(c.0) + u32::from(c.1) + u32::from(c.2);
        let at = |h| sum(ground(AreaId::WALKABLE, h, 0.75));
        assert!(at(0.0) + 60 < at(0.5) && at(0.5) + 60 < at(1.0));
    }
}
