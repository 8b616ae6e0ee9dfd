//! A colour with its opacity, as it is sent to the screen.

use crate::canvas::Ink;
use crate::palette::{self, Theme};
use bytemuck::{Pod, Zeroable};

/// Red, green, blue, opacity.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct Colour(pub [u8; 4]);

impl Colour {
    /// An opaque colour.
    #[must_use]
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue, 255])
    }

    /// That of an ink.
    #[must_use]
    pub fn of(ink: Ink, theme: Theme) -> Self {
        let [red, green, blue] = palette::colour(ink, theme);
        Self::rgb(red, green, blue)
    }

    /// The same, with an opacity of 0…1.
    #[must_use]
    pub fn faded(self, opacity: f32) -> Self {
        let [red, green, blue, _] = self.0;
        Self([red, green, blue, (opacity.clamp(0.0, 1.0) * 255.0).round() as u8])
    }

    /// Whether nothing is seen through it.
    #[must_use]
    pub const fn is_opaque(self) -> bool {
        self.0[3] == 255
    }

    /// Between this one and another: 0 is this, 1 the other.
    #[must_use]
    pub fn mixed(self, other: Self, part: f32) -> Self {
        let part = part.clamp(0.0, 1.0);
        let mix = |i: usize| {
            let [a, b] = [self.0[i], other.0[i]].map(f32::from);
            (a + (b - a) * part).round() as u8
        };
        Self([mix(0), mix(1), mix(2), mix(3)])
    }
}
