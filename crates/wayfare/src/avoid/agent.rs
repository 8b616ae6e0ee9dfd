//! The input of avoidance methods: one agent, its neighbours, and the walls near it.
//!
//! All of it lies in the xz-plane: `x` is the world's x, `y` the world's z. The caller, which knows heights, leaves out
//! agents on other floors.
//!
//! Sources: separating avoidance from everything else follows Mikko Mononen, "Crowd Manager Progress", Digesting Duck,
//! October 2010.

use glam::Vec2;

/// The agent for which a velocity is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentState {
    /// Its position, metres.
    pub position: Vec2,
    /// Its current velocity, m/s.
    pub velocity: Vec2,
    /// The velocity it would have if it were alone, m/s. Capped at `max_speed`.
    pub desired: Vec2,
    /// Radius, metres, 0 or more.
    pub radius: f32,
    /// Upper limit of its speed, m/s, 0 or more.
    pub max_speed: f32,
    /// Distance to keep from walls, metres: 0 if the walls are the border of a mesh that is already eroded by the
    /// agent's radius, else the radius.
    pub wall_distance: f32,
}

impl AgentState {
    /// Whether a velocity can be computed at all: its numbers are finite, and its greatest speed is above 0.
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

/// A nearby agent to avoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Its position, metres.
    pub position: Vec2,
    /// Its current velocity, m/s.
    pub velocity: Vec2,
    /// Its desired velocity, m/s; its `velocity` if that is unknown. Decides on which side to pass it.
    pub desired: Vec2,
    /// Radius, metres, 0 or more.
    pub radius: f32,
    /// The part of the avoidance that the agent takes on itself: 0.5 between equals, 1 for a neighbour that does not
    /// give way (a player, a cart), less than 0.5 for one that gives way to the agent. The shares of a pair should add
    /// up to 1. Clamped to 0.05…1.
    pub share: f32,
}

impl Neighbour {
    /// Whether its numbers are finite; if not, it is ignored.
    pub(super) fn is_finite(&self) -> bool {
        (self.position + self.velocity + self.desired).is_finite() && self.radius.is_finite()
    }

    /// The share, clamped to its range; 0.5 if it is NaN.
    #[must_use]
    pub fn bounded_share(&self) -> f32 {
        if self.share.is_nan() { 0.5 } else { self.share.clamp(0.05, 1.0) }
    }
}

/// A wall from `a` to `b`, which blocks from both sides. For an agent exactly on it, the walkable side is that of
/// [`ground_normal`](Self::ground_normal).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// One end, metres.
    pub a: Vec2,
    /// The other end.
    pub b: Vec2,
}

impl Wall {
    /// The point on the wall nearest to `p`.
    #[must_use]
    pub fn nearest(&self, p: Vec2) -> Vec2 {
        let along = self.b - self.a;
        let length_squared = along.length_squared();
        let t = if length_squared > 0.0 { ((p - self.a).dot(along) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
        self.a + along * t
    }

    /// Unit normal that points into a polygon with the library's winding that has this wall as an edge; zero for a wall
    /// without length.
    #[must_use]
    pub fn ground_normal(&self) -> Vec2 {
        let along = self.b - self.a;
        Vec2::new(along.y, -along.x).normalize_or_zero()
    }

    /// Unit normal of the wall's line on the side of `p`.
    #[must_use]
    pub fn normal_towards(&self, p: Vec2) -> Vec2 {
        let normal = self.ground_normal();
        if normal.dot(p - self.a) < 0.0 { -normal } else { normal }
    }
}

/// One agent and everything that it should avoid.
///
/// Bad numbers are not an error here, since a game must go on. For an agent with a number that is not finite, or with a
/// greatest speed of 0 or below, the result is zero. Neighbours and walls with such numbers are ignored.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// The agent.
    pub agent: AgentState,
    /// Its neighbours, nearest first (methods that cannot avoid them all give up the last ones first). Any number.
    pub neighbours: &'a [Neighbour],
    /// The walls. Any number.
    pub walls: &'a [Wall],
}

impl Surroundings<'_> {
    /// The neighbours whose numbers are finite.
    pub(super) fn seen(&self) -> impl Iterator<Item = &Neighbour> {
        self.neighbours.iter().filter(|other| other.is_finite())
    }

    /// The walls, relative to the agent: far from the origin, sums with its position would lose precision.
    pub(super) fn walls_from_agent(&self) -> impl Iterator<Item = Wall> {
        let from = self.agent.position;
        let relative = self.walls.iter().map(move |wall| Wall { a: wall.a - from, b: wall.b - from });
        relative.filter(|wall| (wall.a + wall.b).is_finite())
    }

    /// How much of the avoidance falls to the agent, relative to an agent among equals: 1 if all give way as it does, 2
    /// if nobody else does, near 0 if all give way to it. Also 1 if it has no neighbours.
    #[must_use]
    pub(super) fn burden(&self) -> f32 {
        let shares: f32 = self.neighbours.iter().map(Neighbour::bounded_share).sum();
        if self.neighbours.is_empty() { 1.0 } else { burden(shares, self.neighbours.len() as f32) }
    }

    /// The desired velocity, turned to the right if it has neighbours, so that all agents pass each other on the same
    /// side.
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

/// The burden of an agent with this many neighbours, from the sum of its shares.
#[must_use]
pub(super) fn burden(shares: f32, neighbours: f32) -> f32 {
    2.0 * shares / neighbours
}

/// A turn by a small angle: by its tangent, then scaled back to the same length, which needs no sine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) tangent: f32,
    /// The length to which the tangent stretches a vector of length 1.
    pub(super) length: f32,
}

impl Turn {
    /// A turn to the right by `angle`, radians, for an agent among equals, and by less for an agent that others give
    /// way to.
    #[must_use]
    pub(super) fn right(angle: f32, burden: f32) -> Self {
        // An agent that does all of the avoidance does not turn more: in front of one that never moves it would turn
        // into the wall beside it.
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
