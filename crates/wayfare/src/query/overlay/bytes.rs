//! An overlay as bytes, for saved games.
//!
//! ```text
//!   WAYCOST1, length | cell size, cell height, half-life, most cells | age | blocks: place, 64 costs | checksum
//! ```
//!
//! Cost: linear in the cells.
//!
//! Sources: none needed.

use super::cells::{BLOCK, FARTHEST};
use super::cost_overlay::{CostOverlay, OverlaySettings};
use super::overlay_error::OverlayError;
use crate::math::bytes::Truncated;
use crate::math::envelope::{self, Envelope, EnvelopeError};

const ENVELOPE: Envelope = Envelope::first(*b"WAYCOST");

/// Why bytes cannot be read as an overlay.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OverlayReadError {
    /// They do not begin with the magic number of this version.
    #[error("these are not the bytes of a cost overlay of this version, which begin with WAYCOST1")]
    Magic,
    /// They are truncated or extended.
    #[error("the overlay is damaged: {have} bytes are here, and it says that it has {want}")]
    Length {
        /// The number of bytes.
        have: u64,
        /// The number of bytes that they should have.
        want: u64,
    },
    /// They are altered.
    #[error("the overlay is damaged: its checksum is wrong")]
    Checksum,
    /// A number is not valid.
    #[error("the overlay's {what} is not valid")]
    Value {
        /// The name of the number.
        what: &'static str,
    },
    /// A setting is out of range.
    #[error(transparent)]
    Settings(OverlayError),
}

impl From<Truncated> for OverlayReadError {
    fn from(_: Truncated) -> Self {
        Self::Value { what: "number of blocks" }
    }
}

impl CostOverlay {
    /// The overlay as bytes, for [`from_bytes`](Self::from_bytes).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.to_bytes_into(&mut bytes);
        bytes
    }

    /// Like [`to_bytes`](Self::to_bytes), replacing the content of `bytes`.
    pub fn to_bytes_into(&self, bytes: &mut Vec<u8>) {
        let mut out = ENVELOPE.begin(core::mem::take(bytes));
        let OverlaySettings { cell_size, cell_height, half_life, max_cells } = self.settings;
        out.f32(cell_size);
        out.f32(cell_height);
        out.u32(half_life);
        out.u32(max_cells);
        out.u64(self.age);
        out.u32(self.cell_count() / BLOCK as u32);
        for (place, block) in self.cells.blocks() {
            place.iter().for_each(|&number| out.i32(number));
            block.iter().for_each(|&cost| out.f32(cost));
        }
        *bytes = envelope::seal(out);
    }

    /// The overlay that was [saved](Self::to_bytes), exact to the bit.
    ///
    /// # Errors
    /// [`OverlayReadError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, OverlayReadError> {
        let (mut from, _) = ENVELOPE.open(bytes)?;
        let settings = OverlaySettings {
            cell_size: from.f32()?,
            cell_height: from.f32()?,
            half_life: from.u32()?,
            max_cells: from.u32()?,
        };
        let mut overlay = Self::new(settings).map_err(OverlayReadError::Settings)?;
        overlay.age = from.u64()?;
        if overlay.age > settings.oldest() {
            return Err(OverlayReadError::Value { what: "age" });
        }
        let count = from.u32()?;
        if u64::from(count) * BLOCK as u64 > u64::from(settings.max_cells) {
            return Err(OverlayReadError::Value { what: "number of blocks" });
        }
        for _ in 0..count {
            let place = [from.i32()?, from.i32()?, from.i32()?];
            if place.iter().any(|number| number.unsigned_abs() > FARTHEST as u32) {
                return Err(OverlayReadError::Value { what: "place of a block" });
            }
            let mut block = [0.0; BLOCK];
            for cost in &mut block {
                *cost = from.f32()?;
            }
            if block.iter().any(|cost| !(cost.is_finite() && *cost >= 0.0)) || overlay.cells.has_block(place) {
                return Err(OverlayReadError::Value { what: "cost of a cell" });
            }
            overlay.cells.put_block(place, block);
        }
        if !from.is_empty() {
            return Err(OverlayReadError::Value { what: "number of blocks" });
        }
        overlay.renew_share();
        overlay.greatest = overlay.cells.greatest();
        Ok(overlay)
    }
}

impl From<EnvelopeError> for OverlayReadError {
    fn from(error: EnvelopeError) -> Self {
        match error {
            EnvelopeError::Name { .. } | EnvelopeError::Version { .. } => Self::Magic,
            EnvelopeError::Length { have, want } => Self::Length { have, want },
            EnvelopeError::Checksum { .. } => Self::Checksum,
        }
    }
}
