//! Agents that walk like people, fitted to measurements of pedestrians.
//!
//! Sources: Jun Zhang, Wolfram Klingsch, Andreas Schadschneider, Armin Seyfried, "Transitions in pedestrian fundamental
//! diagrams of straight corridors and T-junctions", 2011 (desired speeds; the experiments that the method is fitted
//! to); Ulrich Weidmann, "Transporttechnik der Fussgänger", 1993 (size, acceleration). The method of avoidance has its
//! own.

use super::{AgentParams, Recovery, Style};
use crate::avoid::{Avoidance, Pedestrian};
use crate::math::Rng;

/// Radius of a body in a crowd, and its height, metres.
const SIZE: [f32; 2] = [0.18, 1.75];
/// The speed at which people walk if they have room, m/s, and its standard deviation: the participants had 1.55 ± 0.18.
const SPEED: [f32; 2] = [1.5, 0.18];
/// How fast they change their speed, m/s².
const ACCELERATION: f32 = 3.0;
/// How far away they see others, metres.
const RANGE: f32 = 3.0;

impl AgentParams {
    /// A person who walks at the mean speed of people, for levels baked for a radius of about 0.2 m. The flow, density
    /// and speed in doors and corridors match what was measured with people. For a crowd in which each person has a
    /// different speed, see [`Pedestrians`].
    #[must_use]
    pub fn pedestrian() -> Self {
        let [radius, height] = SIZE;
        Self {
            max_speed: SPEED[0],
            max_acceleration: ACCELERATION,
            neighbour_range: RANGE,
            avoidance: Avoidance::Pedestrian(Pedestrian::default()),
            style: Style::Straight,
            recovery: Recovery { squeeze: 1.0, ..Recovery::default() },
            ..Self::of_size(radius, height)
        }
    }
}

/// An endless sequence of people: each is an [`AgentParams::pedestrian`] with a speed of their own. The same seed gives
/// the same people on every platform.
///
/// ```
/// use wayfare::crowd::Pedestrians;
///
/// let speeds: Vec<f32> = Pedestrians::new(7).take(3).map(|person| person.max_speed).collect();
/// assert!(speeds.iter().all(|speed| (0.5..2.6).contains(speed)) && speeds[0] != speeds[1]);
/// ```
#[derive(Clone, Debug)]
pub struct Pedestrians(Rng);

/// Random numbers for each person.
const DRAWS: u32 = 12;

impl Pedestrians {
    /// People generated from a seed, which may be any number.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }
}

impl Iterator for Pedestrians {
    type Item = AgentParams;

    fn next(&mut self) -> Option<AgentParams> {
        // The sum of twelve is very nearly normal, and bounded.
        let deviations = (0..DRAWS).map(|_| self.0.unit()).sum::<f32>() - 6.0;
        let [mean, deviation] = SPEED;
        Some(AgentParams { max_speed: mean + deviation * deviations.clamp(-3.0, 3.0), ..AgentParams::pedestrian() })
    }

    /// O(1): nobody before them is drawn.
    fn nth(&mut self, count: usize) -> Option<AgentParams> {
        self.0.skip((count as u64).wrapping_mul(DRAWS.into()));
        self.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_spread_about_the_mean_and_the_same_for_a_seed() {
        let speeds = |seed| Pedestrians::new(seed).take(2000).map(|person| person.max_speed).collect::<Vec<_>>();
        let (first, other) = (speeds(1), speeds(2));
        assert!(first == speeds(1) && first != other);
        let mean = first.iter().sum::<f32>() / first.len() as f32;
        let squares = first.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / first.len() as f32;
        assert!((mean - SPEED[0]).abs() < 0.02 && (squares.sqrt() - SPEED[1]).abs() < 0.02, "{mean} {squares}");
        assert!(Pedestrians::new(3).take(100).all(|person| person.check().is_ok()));
    }

    #[test]
    fn a_person_by_number_is_the_one_of_the_sequence() {
        let speeds: Vec<f32> = Pedestrians::new(9).take(50).map(|person| person.max_speed).collect();
        for (number, speed) in speeds.iter().enumerate() {
            assert_eq!(Pedestrians::new(9).nth(number).map(|person| person.max_speed), Some(*speed));
        }
        let every_other: Vec<f32> = Pedestrians::new(9).step_by(2).take(25).map(|person| person.max_speed).collect();
        assert_eq!(every_other, speeds.iter().copied().step_by(2).collect::<Vec<_>>());
        assert!(Pedestrians::new(9).nth(usize::MAX).is_some(), "far along, at once");
    }
}
