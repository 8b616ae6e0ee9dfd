//! The overlay itself: painting, adding up, decaying, reading.
//!
//! All cells decay at the same rate, so they hold their costs as of one moment, and one factor says what is left of
//! them now: a tick changes that factor and no cell. After sixteen half-lives the factor is multiplied into the cells,
//! and negligible ones are dropped.
//!
//! ```text
//!   cell now = stored cell × share               a tick: share shrinks       paint: cell += cost / share
//! ```
//!
//! Cost: painting, one lookup for each cell; a tick, one exponential; a copy, one reference count, and at the first
//! change after it one pointer for each block. Memory: four bytes a cell, in blocks of 64, never more than
//! [`OverlaySettings::max_cells`].
//!
//! Sources: influence maps are described by Paul Tozour, "Influence Mapping", Game Programming Gems 2, 2001.

use super::cells::{CellMap, CellPlace, block_of};
use super::overlay_error::{OverlayError, OverlayFull};
use super::shapes::OverlayShape;
use crate::math::ops;
use glam::{DVec3, Vec3};
use std::collections::BTreeSet;

/// Less than this for a metre is as good as nothing.
const NEGLIGIBLE: f32 = 1.0 / 1024.0;
/// What is painted never adds up to more than this for a metre: dear, but never a wall.
const MOST: f32 = 1e6;
/// After so many half-lives the share is multiplied in.
const HALVINGS: u64 = 16;

/// The settings of a [`CostOverlay`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverlaySettings {
    /// Side of a cell in metres, above 0. Default 1. Smaller cells follow shapes more closely, take more memory, and
    /// make searches slower.
    pub cell_size: f32,
    /// Height of a cell in metres, above 0. Default 1. It must be small enough that paint on one storey does not reach
    /// the next.
    pub cell_height: f32,
    /// The number of ticks after which half of a painted cost is left. Default 0: costs do not decay.
    pub half_life: u32,
    /// The maximum number of cells in memory, which come in blocks of 64. Default 65,536: 256 kB.
    pub max_cells: u32,
}

impl Default for OverlaySettings {
    fn default() -> Self {
        Self { cell_size: 1.0, cell_height: 1.0, half_life: 0, max_cells: 65_536 }
    }
}

impl OverlaySettings {
    /// Ticks after which the share is multiplied in.
    pub(super) fn oldest(&self) -> u64 {
        u64::from(self.half_life) * HALVINGS
    }

    fn check(&self) -> Result<(), OverlayError> {
        for (name, value) in [("cell_size", self.cell_size), ("cell_height", self.cell_height)] {
            if !(value.is_finite() && value >= 1e-3) {
                return Err(OverlayError::Setting { name, value });
            }
        }
        Ok(())
    }
}

/// What a metre costs in addition, by position: danger, fire, crowding. A copy is cheap and does not change: filters
/// hold copies, since their answers must not change during a search.
///
/// ```
/// use wayfare::query::{CostOverlay, DefaultFilter, Overlaid, OverlaySettings, OverlayShape};
/// use wayfare::Vec3;
///
/// // Somebody has died here: others avoid the place, half as much every 200 ticks.
/// let mut fear = CostOverlay::new(OverlaySettings { half_life: 200, ..OverlaySettings::default() })?;
/// let here = Vec3::new(4.0, 0.0, 7.0);
/// fear.paint(&OverlayShape::Disc { center: here, radius: 3.0, reach: 1.0 }, 8.0)?;
/// assert_eq!(fear.cost_at(here), 8.0);
///
/// // Searches by this filter see it; cowards would give it more weight.
/// let filter = Overlaid::new(DefaultFilter::default()).with(&fear, 1.0)?;
/// # let _ = filter;
///
/// // Once a tick.
/// fear.advance(1);
/// fear.advance(199);
/// assert!((fear.cost_at(here) - 4.0).abs() < 1e-3);
/// # Ok::<(), wayfare::query::OverlayError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CostOverlay {
    pub(super) settings: OverlaySettings,
    pub(super) cells: CellMap,
    /// Ticks since cells were as they are kept.
    pub(super) age: u64,
    /// What is left of them.
    share: f32,
    /// The greatest that any cell holds, as it is kept; it may have been painted over or let go since.
    pub(super) greatest: f32,
}

impl CostOverlay {
    /// An overlay on which nothing is painted.
    ///
    /// # Errors
    /// [`OverlayError::Setting`].
    pub fn new(settings: OverlaySettings) -> Result<Self, OverlayError> {
        settings.check()?;
        Ok(Self { settings, cells: CellMap::default(), age: 0, share: 1.0, greatest: 0.0 })
    }

    /// Its settings.
    #[must_use]
    pub fn settings(&self) -> &OverlaySettings {
        &self.settings
    }

    /// Adds a cost for each metre, 0 or above, to all cells that a shape covers: those whose centre lies inside it on
    /// the plane and that overlap it in height; if there are none, the cell that contains the shape's centre. Returns
    /// the number of cells. Costs add up to a million at most.
    ///
    /// # Errors
    /// [`OverlayError`]; then nothing is painted.
    pub fn paint(&mut self, shape: &OverlayShape<'_>, cost: f32) -> Result<u32, OverlayError> {
        if !(cost.is_finite() && cost >= 0.0) {
            return Err(OverlayError::Cost { cost });
        }
        let OverlaySettings { cell_size, cell_height, max_cells, .. } = self.settings;
        let cells = shape.cells([cell_size, cell_height], max_cells)?;
        if cost == 0.0 {
            return Ok(cells.len() as u32);
        }
        if let Err(OverlayFull { .. }) = self.check_room(&cells) {
            self.let_go();
            self.check_room(&cells)?;
        }
        let most = MOST / self.share;
        for &cell in &cells {
            let value = self.cells.value_mut(cell);
            *value = (*value + cost / self.share).min(most);
            self.greatest = self.greatest.max(*value);
        }
        Ok(cells.len() as u32)
    }

    fn check_room(&self, cells: &[CellPlace]) -> Result<(), OverlayFull> {
        let blocks: BTreeSet<CellPlace> = cells.iter().map(|&cell| block_of(cell).0).collect();
        let new = blocks.iter().filter(|&&block| !self.cells.has_block(block)).count() as u64;
        let needed = u64::from(self.cells.cell_count()) + new * super::cells::BLOCK as u64;
        let most = self.settings.max_cells;
        let needed = u32::try_from(needed).unwrap_or(u32::MAX);
        if needed <= most { Ok(()) } else { Err(OverlayFull { needed, most }) }
    }

    /// Advances time by a number of ticks: painted costs decay.
    pub fn advance(&mut self, ticks: u32) {
        let half_life = self.settings.half_life;
        if half_life == 0 || self.cells.is_empty() {
            return;
        }
        let whole = self.settings.oldest();
        let age = self.age + u64::from(ticks);
        // What has gone through so many halvings again and again is nothing.
        for _ in 0..(age / whole).min(8) {
            self.age = whole;
            self.renew_share();
            self.let_go();
        }
        if self.cells.is_empty() {
            return self.clear();
        }
        self.age = age % whole;
        self.renew_share();
    }

    pub(super) fn renew_share(&mut self) {
        self.share = match self.settings.half_life {
            0 => 1.0,
            half_life => ops::exp(-core::f32::consts::LN_2 * (self.age as f32 / half_life as f32)),
        };
    }

    /// Keeps cells as they are now, without those that are negligible.
    fn let_go(&mut self) {
        self.cells.scale(self.share, NEGLIGIBLE);
        (self.age, self.share) = (0, 1.0);
        self.greatest = self.cells.greatest();
    }

    /// Removes all costs.
    pub fn clear(&mut self) {
        (self.cells, self.age, self.share, self.greatest) = (CellMap::default(), 0, 1.0, 0.0);
    }

    /// Whether it has no costs.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.cells.is_empty()
    }

    /// The number of cells in memory.
    #[must_use]
    pub fn cell_count(&self) -> u32 {
        self.cells.cell_count()
    }

    /// What a metre costs in addition at a position.
    #[must_use]
    pub fn cost_at(&self, at: Vec3) -> f32 {
        let cell = self.in_cells(at).floor();
        // A place that is no number is nowhere.
        let is_within = cell.is_finite() && cell.abs().max_element() < f64::from(super::cells::FARTHEST);
        if is_within { self.cells.value(cell.as_ivec3().to_array()) * self.share } else { 0.0 }
    }

    /// What a straight line costs in addition: the cost of a metre in each cell, times the length of the line in it.
    #[must_use]
    pub fn cost_along(&self, from: Vec3, to: Vec3) -> f32 {
        let length = f64::from(from.distance(to));
        if self.cells.is_empty() || !(length > 0.0 && length.is_finite()) {
            return 0.0;
        }
        let along = self.cells.along(self.in_cells(from), self.in_cells(to));
        (along * length * f64::from(self.share)) as f32
    }

    /// No metre costs more than this in addition; 0 only if nothing is painted.
    #[must_use]
    pub fn most_cost(&self) -> f32 {
        // What is added up along a line is rounded.
        self.greatest * self.share * 1.0001
    }

    /// All cells that cost anything: the corner with the least coordinates, the opposite one, and what a metre costs.
    pub fn cells(&self) -> impl Iterator<Item = (Vec3, Vec3, f32)> {
        let OverlaySettings { cell_size, cell_height, .. } = self.settings;
        let size = Vec3::new(cell_size, cell_height, cell_size);
        self.cells.cells().map(move |(place, value)| {
            let low = Vec3::from_array(place.map(|number| number as f32)) * size;
            (low, low + size, value * self.share)
        })
    }

    fn in_cells(&self, at: Vec3) -> DVec3 {
        let OverlaySettings { cell_size, cell_height, .. } = self.settings;
        at.as_dvec3() / Vec3::new(cell_size, cell_height, cell_size).as_dvec3()
    }
}
