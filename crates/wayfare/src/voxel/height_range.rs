//! The height range of a triangle in one cell, rounded to cell heights.

/// Bottom and top of a span, `low << 16 | high`: solid from `low` up to below `high`.
pub(super) type HeightRange = u32;

/// The highest top: one below the greatest number of 16 bits.
const HIGHEST: f32 = (u16::MAX - 1) as f32;

/// Whether all heights in the range fit in 16 bits above the lowest point of the level.
#[inline]
pub(super) fn fits([low, high]: [f32; 2]) -> bool {
    low >= 0.0 && high <= HIGHEST - 1.0
}

/// The range for heights that fit, if they round to a single one.
#[inline]
pub(super) fn single([low, high]: [f32; 2]) -> Option<HeightRange> {
    let [low, high] = [low, high].map(|y| y as u32);
    (low == high).then_some(low << 16 | (low + 1))
}

/// The range between two heights, rounded outwards, at least one high; clamped to the floor and to 16 bits. `None` if
/// nothing is left.
#[inline]
pub(super) fn round(low: f32, high: f32) -> Option<HeightRange> {
    if !(high >= 0.0 && low < HIGHEST && low <= high) {
        return None;
    }
    let high = if high < HIGHEST { high } else { HIGHEST };
    let low = if low > 0.0 { low as u32 } else { 0 };
    let whole = high as u32;
    let high = whole + u32::from(high > whole as f32);
    Some(low << 16 | high.max(low + 1))
}
