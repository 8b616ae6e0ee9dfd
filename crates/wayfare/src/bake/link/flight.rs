//! The trajectory of a link: where the agent's feet are between its ends.
//!
//! ```text
//!        .-- H --.                                   a jump is the parabola through both ends whose top H lies `rise`
//!   ys x'         '.            ys x------.          above the higher one; a drop goes straight out and straight down
//!   ---             '.             ---    |
//!                     'x yl               x yl
//! ```
//!
//! The trajectory is divided into horizontal slices, each with the lowest and the highest position of the feet within
//! it, so that no thin obstacle slips through between two of them.
//!
//! Cost: two slices per cell. Sources: the parabola of a throw; Mikko Mononen's jump links test such a trajectory in
//! steps.

/// A slice of a flight: its horizontal range, and the range of heights of the feet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slice {
    /// Cells from the start.
    pub(super) along: f64,
    /// Cell heights above the lowest point of the level.
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A flight between two heights over a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flight {
    /// Cells between the ends.
    pub(super) distance: f64,
    /// Heights of both ends, cell heights.
    pub(super) from: f64,
    pub(super) to: f64,
    /// How far it rises above the higher end; `None`: straight out, then straight down.
    pub(super) rise: Option<f64>,
}

/// Cells between two slices.
const STEP: f64 = 0.5;

impl Flight {
    /// All slices, from the start.
    pub(super) fn slices(&self) -> impl Iterator<Item = Slice> {
        let flight = *self;
        let count = (flight.distance / STEP).ceil().max(1.0);
        (0..count as u32 + 1).map(move |i| {
            let share = f64::from(i) / count;
            let along = flight.distance * share;
            let Some(rise) = flight.rise else {
                // The last slice is the fall.
                let end = if i == count as u32 { flight.to } else { flight.from };
                return Slice { along, low: flight.from.min(end), high: flight.from.max(end) };
            };
            let before = (share - 0.5 / count).max(0.0);
            let after = (share + 0.5 / count).min(1.0);
            let [y, z] = [before, after].map(|share| flight.height(share, rise));
            let top = self::top_share(&flight, rise);
            let peak = if (before..=after).contains(&top) { flight.from.max(flight.to) + rise } else { y.max(z) };
            Slice { along, low: y.min(z), high: peak }
        })
    }

    /// Height of a jump at a fraction of its length.
    fn height(&self, share: f64, rise: f64) -> f64 {
        let top = self.from.max(self.to) + rise;
        let at = top_share(self, rise);
        // On either side of its top, the height falls with the square of the distance from it.
        let (end, length) = if share <= at { (self.from, at) } else { (self.to, 1.0 - at) };
        let off = if length > 0.0 { (share - at) / length } else { 0.0 };
        top - (top - end) * off * off
    }
}

/// The fraction of the length at which a jump is highest: rise and fall times are proportional to the square roots of
/// the heights.
fn top_share(flight: &Flight, rise: f64) -> f64 {
    let top = flight.from.max(flight.to) + rise;
    let up = (top - flight.from).sqrt();
    let down = (top - flight.to).sqrt();
    if up + down > 0.0 { up / (up + down) } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_jump_is_highest_in_the_middle() {
        let flight = Flight { distance: 4.0, from: 10.0, to: 10.0, rise: Some(4.0) };
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|s| flight.height(s, 4.0)), [10.0, 13.0, 14.0, 10.0]);
        let slices: Vec<Slice> = flight.slices().collect();
        assert_eq!((slices.len(), slices[0].along, slices[8].along), (9, 0.0, 4.0));
        assert_eq!(slices[4].high, 14.0);
        assert!(slices.windows(2).all(|w| w[0].low <= w[1].high && w[1].low <= w[0].high), "slices have gaps");
    }

    #[test]
    fn a_jump_down_is_the_jump_up_backwards() {
        let down = Flight { distance: 6.0, from: 9.0, to: 0.0, rise: Some(7.0) };
        let up = Flight { from: 0.0, to: 9.0, ..down };
        for i in 0..=20 {
            let share = f64::from(i) / 20.0;
            assert!((down.height(share, 7.0) - up.height(1.0 - share, 7.0)).abs() < 1e-9);
        }
        assert_eq!((down.height(0.0, 7.0), down.height(1.0, 7.0)), (9.0, 0.0));
    }

    #[test]
    fn a_drop_stays_up_until_its_end() {
        let flight = Flight { distance: 1.0, from: 8.0, to: 2.0, rise: None };
        let slices: Vec<Slice> = flight.slices().collect();
        assert_eq!(slices[1], Slice { along: 0.5, low: 8.0, high: 8.0 });
        assert_eq!(slices[2], Slice { along: 1.0, low: 2.0, high: 8.0 });
    }
}
