//! Pedestrian movement: towards the direction that is free for longest, and slower the less room is ahead.
//!
//! ```text
//!         \  |  /           1  Of a few directions around the desired one, take the one that leads nearest to the goal
//!       -  \ | /  -            before the agent meets a wall, or a neighbour that keeps its current velocity.
//!     -  - ( o ) -  -       2  Walk in that direction as fast as the gap to the agent ahead allows: keep a gap of
//!                              `time_gap` seconds, with less effort where there is more room.
//! ```
//!
//! Methods that only avoid collisions walk at full speed wherever there is a gap, and so let three times as many agents
//! through a door as real people. Here speed follows from the gap by Newell's law, v = v₀ (1 − exp(−gap ⁄ (v₀ T))), so
//! flow, density and speed are related as they are in a crowd of people.
//!
//! Of two agents, only the one behind slows down. Which one is ahead is decided along the mean of both directions, so
//! of two that meet at a corner exactly one goes first. Near walls people queue in that order, whichever direction they
//! walk: at a doorway the order is that of distance to it. In the open, where streams cross, such an order may be
//! cyclic; there people slow down only for those who walk in the same direction, and brush past all others. An agent
//! that has waited for long stands closer, and so finds a gap.
//!
//! Cost: O(directions × (neighbours + walls)).
//!
//! Sources: Mehdi Moussaïd, Dirk Helbing, Guy Theraulaz, "How simple rules determine pedestrian behavior and crowd
//! disasters", 2011 (both steps); Gordon Newell, "Nonlinear effects in the dynamics of car following", 1961 (the law);
//! Antoine Tordeux, Mohcine Chraibi, Armin Seyfried, "Collision-free speed model for pedestrian dynamics", 2016 (the
//! gap to the agent ahead); Mohcine Chraibi, Armin Seyfried, Andreas Schadschneider, "Generalized centrifugal-force
//! model for pedestrian dynamics", 2010 (bodies as ellipses). Who goes first: own.

use super::agent::{AgentState, Neighbour, Surroundings, Wall, capped};
use super::{AvoidScratch, Avoider};
use crate::math::ops;
use glam::Vec2;

/// The pedestrian method and its parameters, whose defaults are fitted to people. They go with a person's size and
/// speed: set those of the crowd's agents too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pedestrian {
    /// Time gap that an agent keeps to the one ahead, seconds, above 0. Default 0.19. Longer lets fewer through a door.
    pub time_gap: f32,
    /// How far ahead the agent looks for a free direction, metres, above 0. Default 3.2.
    pub look_ahead: f32,
    /// How far the agent turns from its desired direction, radians, 0…π/2. Default 0.9.
    pub field: f32,
    /// Length of a body as seen by an agent behind it, as a multiple of its diameter, 0 or more. Default 1.3.
    pub length: f32,
    /// Width of a body, likewise: agents farther to the side are not ahead. Default 1.36, since shoulders sway.
    pub width: f32,
}

impl Default for Pedestrian {
    fn default() -> Self {
        Self { time_gap: 0.19, look_ahead: 3.2, field: 0.9, length: 1.3, width: 1.36 }
    }
}

impl Pedestrian {
    /// Adapts the method to an agent that has waited. If `part`, the fraction of its time that other methods would look
    /// ahead, is less than [`LONG_WAIT`], it has waited for long and stands closer: only that fraction of the room
    /// around bodies, beyond the bodies themselves, is kept. A shorter wait, as in a queue, changes nothing.
    pub(super) fn wait(&mut self, part: f32) {
        if part < LONG_WAIT {
            let left = |size: f32| 1.0 + (size - 1.0) * part;
            (self.length, self.width) = (left(self.length), left(self.width));
        }
    }
}

/// An agent that looks ahead for less than this fraction of the usual time has waited for long.
const LONG_WAIT: f32 = 0.2;
/// Directions tried on either side of the desired one.
const DIRECTIONS: u32 = 6;
/// Who is ahead is decided along a direction turned to the right by this, radians: of two agents in perfect symmetry,
/// the one on the right goes first.
const RIGHT_FIRST: f32 = 0.1;
/// Cosine of 60 degrees: agents whose directions differ by less walk in the same direction.
const SAME_WAY: f32 = 0.5;
/// People queue if a wall is at least as near as this, metres.
const BESIDE_WALLS: f32 = 1.0;
/// Slower movement than this, m/s, does not count as walking.
const STEPPING: f32 = 0.3;
/// A shorter vector than this has no direction.
const LEAST: f32 = 1e-4;

/// A neighbour as seen by the agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Its position relative to the agent.
    to: Vec2,
    velocity: Vec2,
    /// Sum of both radii.
    room: f32,
    /// Whether the agent follows it: its speed then depends on the gap.
    is_followed: bool,
}

/// What the agent bases its choice on.
struct PedestrianView<'a> {
    around: &'a Surroundings<'a>,
    method: &'a Pedestrian,
    /// The desired direction.
    ahead: Vec2,
    /// The desired speed.
    speed: f32,
    /// How far it looks: less if it wants to be slow, as it does near its goal. Agents beyond the goal are not
    /// obstacles.
    far: f32,
    /// The neighbours that it heeds.
    others: &'a [Seen],
}

impl Avoider for Pedestrian {
    fn velocity(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
        let wanted = around.agent.goal_velocity();
        let speed = wanted.length();
        if speed < LEAST {
            return Vec2::ZERO;
        }
        let ahead = wanted / speed;
        let others = &mut scratch.people;
        others.clear();
        let queues = around.walls_from_agent().any(|wall| wall.nearest(Vec2::ZERO).length() < BESIDE_WALLS);
        others.extend(around.seen().filter_map(|other| heeded(&around.agent, (ahead, queues), other)));
        let far = self.look_ahead * (speed / around.agent.max_speed).min(1.0);
        let view = PedestrianView { around, method: self, ahead, speed, far, others };
        let direction = view.direction();
        let chosen = direction * speed_behind(view.gap(direction), speed, self.time_gap);
        capped(chosen, around.agent.max_speed)
    }
}

/// The neighbour as the agent sees it, if it is ahead of the agent's direction `ahead` or comes towards it. An agent
/// that `queues` follows any neighbour that is ahead and wants to move.
fn heeded(agent: &AgentState, (ahead, queues): (Vec2, bool), other: &Neighbour) -> Option<Seen> {
    let to = other.position - agent.position;
    // If the neighbour has no desired velocity but moves (pushed, or stepping aside), its velocity takes its place.
    let moves = other.velocity.length_squared() > STEPPING * STEPPING;
    let known = if other.desired == Vec2::ZERO && moves { other.velocity } else { other.desired };
    let heading = known.normalize_or_zero();
    let is_ahead = (to + to.perp() * RIGHT_FIRST).dot(ahead + heading) > 0.0;
    let comes = heading.dot(ahead) < 0.0 && to.dot(ahead) > 0.0;
    let goes_along = if queues { heading != Vec2::ZERO } else { heading.dot(ahead) > SAME_WAY };
    let room = agent.radius + other.radius;
    let seen = Seen { to, velocity: other.velocity, room, is_followed: is_ahead && goes_along };
    (is_ahead || comes).then_some(seen)
}

/// The speed of a walker that wants `wanted` m/s and follows another whose body starts `gap` metres ahead.
fn speed_behind(gap: f32, wanted: f32, time_gap: f32) -> f32 {
    let part = 1.0 - ops::exp(-gap / (wanted * time_gap));
    // NaN: neither a gap nor a time to keep.
    if part.is_finite() { wanted * part.clamp(0.0, 1.0) } else { wanted }
}

impl PedestrianView<'_> {
    /// The direction that leads nearest to a goal at the distance of sight, before it meets anything.
    fn direction(&self) -> Vec2 {
        let far = self.far;
        let mut best = (f32::INFINITY, self.ahead);
        for k in 0..=2 * DIRECTIONS {
            let turn = self.method.field * (k.div_ceil(2) as f32 / DIRECTIONS as f32);
            let sin = ops::sin(turn);
            let cos = ops::cos(turn);
            // Right before left.
            let towards = Vec2::new(cos, if k % 2 == 1 { sin } else { -sin }).rotate(self.ahead);
            let mut free = self.others.iter().fold(far, |free, other| free.min(self.free_of(other, towards)));
            if k > 0 {
                // The desired direction is that of a path, which does not lead through walls.
                free = self.around.walls_from_agent().fold(free, |free, wall| free.min(to_wall(&wall, towards)));
            }
            let left = far * far + free * free - 2.0 * far * free * cos;
            if left < best.0 {
                best = (left, towards);
            }
        }
        best.1
    }

    /// How far it can walk in a direction before it meets another, if both keep walking; infinite if they never meet.
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

    /// How far it can walk in a direction before it touches an agent that it follows, if all stood still; infinite if
    /// there is none.
    fn gap(&self, direction: Vec2) -> f32 {
        let mut gap = f32::INFINITY;
        for other in self.others.iter().filter(|other| other.is_followed) {
            let along = other.to.dot(direction);
            let aside = direction.perp_dot(other.to) / (other.room * self.method.width);
            if along > 0.0 && aside.abs() < 1.0 {
                gap = gap.min(along - other.room * self.method.length * (1.0 - aside * aside).sqrt());
            }
        }
        gap.max(0.0)
    }
}

/// Distance from the origin to a wall in a direction; infinite if the direction misses the wall or leads away from it.
fn to_wall(wall: &Wall, towards: Vec2) -> f32 {
    let normal = wall.normal_towards(Vec2::ZERO);
    let nearing = -normal.dot(towards);
    if nearing <= LEAST {
        return f32::INFINITY;
    }
    let distance = (-normal.dot(wall.a)).max(0.0) / nearing;
    let met = towards * distance - wall.a;
    let along = wall.b - wall.a;
    let is_met = (0.0..=along.length_squared()).contains(&met.dot(along));
    if is_met { distance } else { f32::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent() -> AgentState {
        let position = Vec2::ZERO;
        let velocity = Vec2::X;
        AgentState { position, velocity, desired: 1.5 * Vec2::X, radius: 0.2, max_speed: 1.5, wall_distance: 0.0 }
    }

    fn other(position: Vec2, desired: Vec2) -> Neighbour {
        Neighbour { position, velocity: desired, desired, radius: 0.2, share: 0.5 }
    }

    fn velocity(neighbours: &[Neighbour], walls: &[Wall]) -> Vec2 {
        let around = Surroundings { agent: agent(), neighbours, walls };
        Pedestrian::default().velocity(&around, &mut AvoidScratch::default())
    }

    #[test]
    fn speed_falls_with_the_gap_and_those_behind_and_beside_do_not_count() {
        // A corridor too narrow to walk side by side.
        let walls = [0.05, -0.05].map(|z: f32| Wall { a: Vec2::new(9.0, z), b: Vec2::new(-9.0, z) });
        let behind = |gap: f32| velocity(&[other(Vec2::new(gap, 0.0), Vec2::X)], &walls).length();
        let speeds = [0.5, 0.7, 1.0, 1.5, 3.0].map(behind);
        assert!(speeds.is_sorted() && speeds[0] < 0.3 && speeds[4] > 1.45, "{speeds:?}");
        assert_eq!(velocity(&[], &walls), agent().desired);
        let rest = [other(Vec2::new(-0.45, 0.0), Vec2::X), other(Vec2::new(0.1, 0.6), Vec2::X)];
        assert_eq!(velocity(&rest, &[]), agent().desired);
    }

    #[test]
    fn who_has_waited_for_long_stands_closer_but_within_nobody() {
        let usual = Pedestrian::default();
        let mut queueing = Pedestrian::default();
        let mut waiting = Pedestrian::default();
        queueing.wait(0.25);
        waiting.wait(0.125);
        assert_eq!(queueing, usual);
        assert!((1.0..1.1).contains(&waiting.length) && (1.0..1.1).contains(&waiting.width), "{waiting:?}");
    }

    #[test]
    fn of_two_at_a_corner_exactly_one_goes_first() {
        let mut firsts = [0; 3];
        let turned = |angle: f32| Vec2::new(ops::cos(angle), ops::sin(angle));
        for k in 0..100 {
            let place = turned(k as f32 * 0.61) * 0.5;
            let heading = turned(k as f32 * 0.13);
            let follows = |to: Vec2, own: Vec2, theirs: Vec2| {
                heeded(&agent(), (own, true), &other(to, theirs)).is_some_and(|seen| seen.is_followed)
            };
            let both = [follows(place, Vec2::X, heading), follows(-place, heading, Vec2::X)];
            firsts[usize::from(both[0]) + usize::from(both[1])] += 1;
        }
        assert_eq!(firsts, [0, 100, 0]);
    }

    #[test]
    fn somebody_who_comes_is_passed_on_the_right_and_nobody_is_followed_across_a_square() {
        let v = velocity(&[other(Vec2::new(2.0, 0.0), -1.5 * Vec2::X)], &[]);
        assert!(v.y > 0.2 && v.x > 0.9 && (v.length() - 1.5).abs() < 1e-4, "{v}");
        let crossing = velocity(&[other(Vec2::new(0.41, 0.0), 1.5 * Vec2::Y)], &[]);
        assert!((crossing.length() - 1.5).abs() < 1e-4, "{crossing}");
    }
}
