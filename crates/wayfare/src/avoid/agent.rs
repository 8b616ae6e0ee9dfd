//! What an avoidance method is told: one agent, its neighbours, and the walls near it.
//!
//! All of it lies on the ground plane: `x` is the world's x, `y` the world's z. Whoever stands on another floor is left
//! out by the caller, which knows heights.
//!
//! Sources: the split of avoidance from everything else is Mikko Mononen's, "Crowd Manager Progress", Digesting Duck,
//! October 2010.

use glam::Vec2;

/// The agent whose velocity is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentState {
    /// Where it stands, metres.
    pub position: Vec2,
    /// How it moves now, m/s.
    pub velocity: Vec2,
    /// How it would move if nobody were near, m/s. Longer than `max_speed` is cut to it.
    pub desired: Vec2,
    /// Radius, metres, 0 or more.
    pub radius: f32,
    /// No answer is faster than this, m/s, 0 or more.
    pub max_speed: f32,
    /// What is kept from walls, metres: 0 where the walls are the border of a mesh that is already eroded by the
    /// agent's radius, else the radius.
    pub wall_distance: f32,
}

impl AgentState {
    /// Whether it can be asked for a velocity at all: its numbers are finite, and it may move.
    pub(super) fn can_move(&self) -> bool {
        let numbers = self.position + self.velocity + self.desired;
        numbers.is_finite() && (self.radius + self.wall_distance + self.max_speed).is_finite() && self.max_speed > 0.0
    }

    /// The desired velocity, no faster than `max_speed`; zero for an agent with bad numbers, see [`Surroundings`].
    #[must_use]
    pub fn goal_velocity(&self) -> Vec2 {
        if self.can_move() { capped(self.desired, self.max_speed) } else { Vec2::ZERO }
    }
}

/// Another agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Where it stands, metres.
    pub position: Vec2,
    /// How it moves now, m/s.
    pub velocity: Vec2,
    /// How it wants to move, m/s; its `velocity` where that is not known. Used to choose the side on which it is
    /// passed.
    pub desired: Vec2,
    /// Radius, metres, 0 or more.
    pub radius: f32,
    /// The part of the work of avoiding this one that the asking agent takes on itself: 0.5 for equals, 1 for a
    /// neighbour that does not give way (a player, a cart), less than 0.5 for somebody who gives way to it. The shares
    /// of a pair should add up to 1. Kept within 0.05…1.
    pub share: f32,
}

impl Neighbour {
    /// Whether its numbers are finite; one with others is not seen.
    pub(super) fn is_finite(&self) -> bool {
        (self.position + self.velocity + self.desired).is_finite() && self.radius.is_finite()
    }

    /// The share, within its bounds; a half if it is NaN.
    #[must_use]
    pub fn bounded_share(&self) -> f32 {
        if self.share.is_nan() { 0.5 } else { self.share.clamp(0.05, 1.0) }
    }
}

/// A wall from `a` to `b`, which blocks from both sides. For an agent that stands exactly on it, the ground is on the
/// side of [`ground_normal`](Self::ground_normal).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// One end, metres.
    pub a: Vec2,
    /// The other end.
    pub b: Vec2,
}

impl Wall {
    /// The point of the wall nearest to `p`.
    #[must_use]
    pub fn nearest(&self, p: Vec2) -> Vec2 {
        let along = self.b - self.a;
        let length_squared = along.length_squared();
        let t = if length_squared > 0.0 { ((p - self.a).dot(along) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
        self.a + along * t
    }

    /// Unit normal towards the inside of a polygon that winds like the library's and has this wall as an edge; zero for
    /// a wall without length.
    #[must_use]
    pub fn ground_normal(&self) -> Vec2 {
        let along = self.b - self.a;
        Vec2::new(along.y, -along.x).normalize_or_zero()
    }

    /// Unit normal of the wall's line on the side where `p` is.
    #[must_use]
    pub fn normal_towards(&self, p: Vec2) -> Vec2 {
        let normal = self.ground_normal();
        if normal.dot(p - self.a) < 0.0 { -normal } else { normal }
    }
}

/// One agent and all that it should avoid.
///
/// Bad numbers are no error here, for a game must go on: an agent that has a number that is not finite, or a greatest
/// speed that is not above 0, is answered with zero; neighbours and walls that have one are not seen.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// The agent.
    pub agent: AgentState,
    /// The others, nearest first (methods that cannot please everybody give up the last ones first). Any number.
    pub neighbours: &'a [Neighbour],
    /// The walls. Any number.
    pub walls: &'a [Wall],
}

impl Surroundings<'_> {
    /// The neighbours that can be seen.
    pub(super) fn seen(&self) -> impl Iterator<Item = &Neighbour> {
        self.neighbours.iter().filter(|other| other.is_finite())
    }

    /// The walls, relative to the agent: far from the origin, sums with its place would lose what matters.
    pub(super) fn walls_from_agent(&self) -> impl Iterator<Item = Wall> {
        let from = self.agent.position;
        let relative = self.walls.iter().map(move |wall| Wall { a: wall.a - from, b: wall.b - from });
        relative.filter(|wall| (wall.a + wall.b).is_finite())
    }

    /// How much of the avoiding falls to the agent, beside what falls to one among equals: 1 if all give way as it
    /// does, 2 if nobody else does, near 0 if all give way to it. Also 1 where nobody is near.
    #[must_use]
    pub(super) fn burden(&self) -> f32 {
        let shares: f32 = self.neighbours.iter().map(Neighbour::bounded_share).sum();
        if self.neighbours.is_empty() { 1.0 } else { burden(shares, self.neighbours.len() as f32) }
    }

    /// The desired velocity, turned to the right where somebody is near: what makes everybody go round one another the
    /// same way.
    #[must_use]
    pub(super) fn keeping_right(&self, turn: Turn) -> Vec2 {
        let v = self.agent.goal_velocity();
        if self.neighbours.is_empty() {
            return v;
        }
        let Turn { tangent, length } = turn;
        let turned = Vec2::new(v.x - tangent * v.y, v.y + tangent * v.x) / length;
        capped(turned, self.agent.max_speed)
    }
}

/// The burden of who has so many neighbours, from the sum of its shares.
#[must_use]
pub(super) fn burden(shares: f32, neighbours: f32) -> f32 {
    2.0 * shares / neighbours
}

/// A turn by a small angle: the tangent, then back to the same length, for which no sine is needed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) tangent: f32,
    /// How long a vector of length 1 becomes by the tangent.
    pub(super) length: f32,
}

impl Turn {
    /// To the right by a part of giving way: by `angle`, radians, for one among equals, and by less for whom others
    /// give way to.
    #[must_use]
    pub(super) fn right(angle: f32, burden: f32) -> Self {
        // Who does all of the avoiding turns no more: before one that never moves it would turn into the wall beside it.
        let tangent = angle * burden.min(1.0);
        Self { tangent, length: (1.0 + tangent * tangent).sqrt() }
    }
}

/// `v`, shortened to `length` if it is longer; zero if it is not finite.
#[must_use]
pub(super) fn capped(v: Vec2, length: f32) -> Vec2 {
    let squared = v.length_squared();
    if !v.is_finite() {
        Vec2::ZERO
    } else if squared.is_infinite() {
        (v / v.abs().max_element()).normalize() * length
    } else if squared > length * length {
        v * (length / squared.sqrt())
    } else {
        v
    }
}
