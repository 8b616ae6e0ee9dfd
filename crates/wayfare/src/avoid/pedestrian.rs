//! How people walk: towards where the way is free for longest, and the slower the less room is left ahead.
//!
//! ```text
//!         \  |  /           1  Of a few directions about the wanted one, the one that brings it nearest to its goal
//!       -  \ | /  -            before somebody, as all walk now, or a wall is met.
//!     -  - ( o ) -  -       2  In that direction, as fast as the gap to whoever is ahead allows: a gap of `time_gap`
//!                              seconds is left, more at ease where there is more room.
//! ```
//!
//! Methods that only keep from colliding walk at full speed wherever there is a gap, and so pass three times as many
//! through a door as people do. Here speed follows from the gap by Newell's law, v = v₀ (1 − exp(−gap ⁄ (v₀ T))), so
//! that flow, density and speed come to hang together as they do in a crowd of people.
//!
//! Of two, only the one behind heeds the other: who is ahead is told along the mean of both directions, by which of two
//! who meet at a corner always exactly one goes first. Nobody waits for somebody who waits for him.
//!
//! Cost: O(directions × (neighbours + walls)).
//!
//! Sources: Mehdi Moussaïd, Dirk Helbing, Guy Theraulaz, "How simple rules determine pedestrian behavior and crowd
//! disasters", 2011 (both steps); Gordon Newell, "Nonlinear effects in the dynamics of car following", 1961 (the law);
//! Antoine Tordeux, Mohcine Chraibi, Armin Seyfried, "Collision-free speed model for pedestrian dynamics", 2016 (the
//! gap to who is ahead); Mohcine Chraibi, Armin Seyfried, Andreas Schadschneider, "Generalized centrifugal-force model
//! for pedestrian dynamics", 2010 (bodies as ellipses). Who goes first: own.

use super::agent::{AgentState, Neighbour, Surroundings, Wall, capped};
use super::{AvoidScratch, Avoider};
use crate::math::ops;
use glam::Vec2;

/// The method and its parameters, whose defaults are fitted to people. A body's size and speed belong to that: a crowd
/// has agents with all of it together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pedestrian {
    /// Seconds that an agent leaves between itself and the one ahead, above 0. Default 0.19. Longer: fewer get through
    /// a door.
    pub time_gap: f32,
    /// How far ahead it looks for a free direction, metres, above 0. Default 3.2.
    pub look_ahead: f32,
    /// How far it turns from the direction that it wants, radians, 0…π/2. Default 0.9.
    pub field: f32,
    /// How long a body is to whoever walks behind it, as a part of its diameter, 0 or more. Default 1.3.
    pub length: f32,
    /// How wide: who walks beside that much is not ahead. Default 1.36, since shoulders sway.
    pub width: f32,
}

impl Default for Pedestrian {
    fn default() -> Self {
        Self { time_gap: 0.19, look_ahead: 3.2, field: 0.9, length: 1.3, width: 1.36 }
    }
}

/// Directions that are tried to either side of the wanted one.
const DIRECTIONS: u32 = 6;
/// Who is ahead is told along a direction turned to the right by this, radians: of two in perfect symmetry, the one on
/// the right goes first.
const RIGHT_FIRST: f32 = 0.1;
/// Shorter than this is no direction.
const LEAST: f32 = 1e-4;

/// Another as the one who asks sees them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Where, from the agent.
    to: Vec2,
    velocity: Vec2,
    /// The sum of both radii.
    room: f32,
    /// Whether they are ahead, rather than coming towards the agent.
    is_ahead: bool,
}

/// What an agent walks by.
struct View<'a> {
    around: &'a Surroundings<'a>,
    method: &'a Pedestrian,
    /// The direction that it wants.
    ahead: Vec2,
    /// The speed that it wants.
    speed: f32,
    /// Whom it heeds.
    others: &'a [Seen],
}

impl Avoider for Pedestrian {
    fn velocity(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
        let wanted = around.agent.goal_velocity();
        let speed = wanted.length();
        if speed < LEAST {
            return Vec2::ZERO;
        }
        let (ahead, others) = (wanted / speed, &mut scratch.people);
        others.clear();
        others.extend(around.seen().filter_map(|other| heeded(&around.agent, ahead, other)));
        let view = View { around, method: self, ahead, speed, others };
        let direction = view.direction();
        let chosen = direction * speed_behind(view.gap(direction), speed, self.time_gap);
        capped(chosen, around.agent.max_speed)
    }
}

/// Another, if they are ahead of an agent that wants to go in direction `ahead`, or come towards it.
fn heeded(agent: &AgentState, ahead: Vec2, other: &Neighbour) -> Option<Seen> {
    let to = other.position - agent.position;
    // Who stands has no direction.
    let heading = other.desired.normalize_or_zero();
    let is_ahead = (to + to.perp() * RIGHT_FIRST).dot(ahead + heading) > 0.0;
    let comes = heading.dot(ahead) < 0.0 && to.dot(ahead) > 0.0;
    let seen = Seen { to, velocity: other.velocity, room: agent.radius + other.radius, is_ahead };
    (is_ahead || comes).then_some(seen)
}

/// The speed at which a walker who would go at `wanted` m/s follows another whose body begins `gap` metres ahead.
fn speed_behind(gap: f32, wanted: f32, time_gap: f32) -> f32 {
    let part = 1.0 - ops::exp(-gap / (wanted * time_gap));
    // No number: neither a gap nor time to keep.
    if part.is_finite() { wanted * part.clamp(0.0, 1.0) } else { wanted }
}

impl View<'_> {
    /// The direction in which it gets nearest to a goal as far off as it looks, before it meets anybody.
    fn direction(&self) -> Vec2 {
        let far = self.method.look_ahead;
        let mut best = (f32::INFINITY, self.ahead);
        for k in 0..=2 * DIRECTIONS {
            let turn = self.method.field * (k.div_ceil(2) as f32 / DIRECTIONS as f32);
            let (sin, cos) = (ops::sin(turn), ops::cos(turn));
            // To the right first.
            let towards = Vec2::new(cos, if k % 2 == 1 { sin } else { -sin }).rotate(self.ahead);
            let mut free = self.others.iter().fold(far, |free, other| free.min(self.free_of(other, towards)));
            if k > 0 {
                // The wanted direction is that of a path, which leads through walls nowhere.
                free = self.around.walls_from_agent().fold(free, |free, wall| free.min(to_wall(&wall, towards)));
            }
            let left = far * far + free * free - 2.0 * far * free * cos;
            if left < best.0 {
                best = (left, towards);
            }
        }
        best.1
    }

    /// How far it can walk in a direction before it meets another, if both walk on; infinitely far if they never meet.
    fn free_of(&self, other: &Seen, towards: Vec2) -> f32 {
        let relative = towards * self.speed - other.velocity;
        let nearing = other.to.dot(relative);
        if nearing <= 0.0 {
            return f32::INFINITY;
        }
        let apart = other.to.length_squared() - other.room * other.room;
        let squared = relative.length_squared();
        let root = nearing * nearing - squared * apart;
        if apart <= 0.0 {
            0.0
        } else if root > 0.0 {
            (nearing - root.sqrt()) / squared * self.speed
        } else {
            f32::INFINITY
        }
    }

    /// How far it can walk in a direction before it touches somebody who is ahead, as if all stood still; infinitely
    /// far if nobody is.
    fn gap(&self, direction: Vec2) -> f32 {
        let mut gap = f32::INFINITY;
        for other in self.others.iter().filter(|other| other.is_ahead) {
            let (along, beside) = (other.to.dot(direction), direction.perp_dot(other.to));
            let aside = beside / (other.room * self.method.width);
            if along > 0.0 && aside.abs() < 1.0 {
                gap = gap.min(along - other.room * self.method.length * (1.0 - aside * aside).sqrt());
            }
        }
        gap.max(0.0)
    }
}

/// How far a wall is away in a direction, from the origin; infinitely far if it is not met, or left.
fn to_wall(wall: &Wall, towards: Vec2) -> f32 {
    let normal = wall.normal_towards(Vec2::ZERO);
    let nearing = -normal.dot(towards);
    if nearing <= LEAST {
        return f32::INFINITY;
    }
    let distance = (-normal.dot(wall.a)).max(0.0) / nearing;
    let (met, along) = (towards * distance - wall.a, wall.b - wall.a);
    let is_met = (0.0..=along.length_squared()).contains(&met.dot(along));
    if is_met { distance } else { f32::INFINITY }
}
