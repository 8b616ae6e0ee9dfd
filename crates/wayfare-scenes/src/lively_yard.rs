//! A lively yard, for local grids: walls and crates, moving people and a cart, and a door that is blocked for a while.
//!
//! ```text
//!    o people       |        +---------+
//!    [] crates      |  cart  |  shed   |      The agent comes from the corner below and wants into the shed. A cart drives
//!          o  []    |   |    D    x    |      back and forth before its door D, people walk in circles; from tick 60 to 100
//!    start     o    |   |    |         |      a second cart stands in the door.
//! ```
//!
//! Everything is a function of the seed and the tick: nothing has to be simulated up to a tick.

use crate::parse::{self, Param, SceneError};
use crate::random::Rng;
use core::f32::consts::TAU;
use core::ops::Range;
use wayfare::Vec3;
use wayfare::grid::{Obstacle, Shape};
use wayfare::math::ops;

const NAME: &str = "lively_yard";
const PARAMS: &[Param] = &[Param::count("tick", 80, [0, 100_000], "when it is looked at, tenths of a second")];

/// Seconds per tick.
const TICK: f32 = 0.1;
const PEOPLE: u32 = 7;
/// How far the cart drives each way, metres, and how fast, m/s.
const DRIVE: f32 = 11.0;
const CART_SPEED: f32 = 0.8;

/// Walls as segments: the shed with its door towards −x, and a fence.
const WALLS: [[[f32; 2]; 2]; 6] = [
    [[2.0, -3.0], [7.0, -3.0]],
    [[7.0, -3.0], [7.0, 3.0]],
    [[7.0, 3.0], [2.0, 3.0]],
    [[2.0, 3.0], [2.0, 0.9]],
    [[2.0, -0.9], [2.0, -3.0]],
    [[-1.4, -2.6], [-1.4, 2.2]],
];

/// A person who walks in a circle.
#[derive(Clone, Copy, Debug)]
struct Walker {
    center: Vec3,
    radius: f32,
    /// Radians at tick 0, and per second.
    phase: f32,
    speed: f32,
}

/// The yard for one seed: a square of 16 m about the origin.
#[derive(Clone, Debug)]
pub struct LivelyYard {
    /// The time, in ticks of a tenth of a second.
    pub tick: u32,
    people: Vec<Walker>,
}

impl LivelyYard {
    /// The radius of the agent, metres.
    pub const RADIUS: f32 = 0.4;
    /// The start of the agent.
    pub const START: Vec3 = Vec3::new(-6.5, 0.0, 6.5);
    /// Its goal: inside the shed.
    pub const SHED: Vec3 = Vec3::new(5.2, 0.0, 0.4);
    /// A point behind the shed, which no door can block.
    pub const CORNER: Vec3 = Vec3::new(7.0, 0.0, -6.0);
    /// During these ticks a cart blocks the door.
    pub const SHUT: Range<u32> = 60..100;
    /// The number of that cart.
    pub const DOOR: u32 = 100;

    /// The yard for a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut dice = Rng::new(seed);
        let walker = |_| Walker {
            center: Vec3::new(dice.real(-5.5, -3.0), 0.0, dice.real(-5.5, 4.0)),
            radius: dice.real(0.5, 1.4),
            phase: dice.real(0.0, TAU),
            speed: dice.real(-1.0, 1.0),
        };
        Self { tick: 80, people: (0..PEOPLE).map(walker).collect() }
    }

    /// The static obstacles: walls and crates, with the numbers 0 to 7.
    #[must_use]
    pub fn still() -> Vec<Obstacle> {
        let at = |[x, z]: [f32; 2]| Vec3::new(x, 0.0, z);
        let walls = WALLS.map(|[a, b]| Shape::Segment { a: at(a), b: at(b) });
        let crates = [([-3.6, 2.4], 0.4), ([0.2, 5.4], 1.1)];
        let crates = crates.map(|(center, yaw)| Shape::Box { center: at(center), half: [0.7, 0.5], yaw });
        (0..).zip(walls.into_iter().chain(crates)).map(|(id, shape)| Obstacle { shape, id }).collect()
    }

    /// The moving obstacles at a tick: the cart (8), people (9 and up), and the cart in the door while it is there.
    #[must_use]
    pub fn moving(&self, tick: u32) -> Vec<Obstacle> {
        let time = tick as f32 * TICK;
        // Back and forth: up for the first half of a round, down for the second.
        let round = (time * CART_SPEED) % (2.0 * DRIVE);
        let along = if round < DRIVE { round } else { 2.0 * DRIVE - round };
        let cart = Vec3::new(0.4, 0.0, along - DRIVE * 0.5);
        let mut all = vec![Obstacle { shape: Shape::Box { center: cart, half: [0.4, 0.8], yaw: 0.0 }, id: 8 }];
        for (id, walker) in (9..).zip(&self.people) {
            let angle = walker.phase + walker.speed * time;
            let center = walker.center + Vec3::new(ops::cos(angle), 0.0, ops::sin(angle)) * walker.radius;
            all.push(Obstacle { shape: Shape::Disc { center, radius: 0.3 }, id });
        }
        if Self::SHUT.contains(&tick) {
            let shape = Shape::Box { center: Vec3::new(2.0, 0.0, 0.0), half: [0.3, 0.8], yaw: 0.0 };
            all.push(Obstacle { shape, id: Self::DOOR });
        }
        all
    }
}

/// The lively yard described by a spec: `lively_yard?seed=…&tick=…`.
///
/// # Errors
/// Another name, an unknown key, or a value out of range: the message lists what is allowed.
pub fn lively_yard(spec: &str) -> Result<LivelyYard, SceneError> {
    let (name, query) = spec.split_once('?').unwrap_or((spec, ""));
    if name != NAME {
        return Err(SceneError::UnknownScene { name: name.to_owned(), known: NAME.to_owned() });
    }
    let params = parse::read(NAME, PARAMS, query)?;
    Ok(LivelyYard { tick: params.count("tick"), ..LivelyYard::new(params.seed()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_names_seed_and_tick() {
        let yard = lively_yard("lively_yard?seed=3&tick=61").unwrap();
        assert_eq!((yard.tick, yard.moving(61)), (61, LivelyYard::new(3).moving(61)));
        assert!(yard.moving(61).iter().any(|o| o.id == LivelyYard::DOOR));
        assert_ne!(yard.moving(61), LivelyYard::new(4).moving(61));
        assert!(lively_yard("yard").unwrap_err().to_string().contains("lively_yard"));
        assert!(lively_yard("lively_yard?size=3").unwrap_err().to_string().contains("tick"));
    }
}
