//! Lets agents gather at one position, or around another agent.
//!
//! A goal has room for only one body. Agents that have arrived there enlarge the goal: others with the same goal do not
//! avoid them, but slow down before them as before the goal, do not push them, and have arrived too when they touch one
//! at rest. So a group grows from its centre. Arriving does not mean stopping: an agent continues towards the goal
//! until another that has arrived is in front of it. Then it checks on both sides whether it can roll around a body
//! that it touches to a free position nearer to the goal. If not, it rests, and checks again from time to time. Every
//! roll leads nearer to the goal by at least a quarter of a radius, so all come to rest, and no position at the rim is
//! much farther from the goal than another: the group is a disc.
//!
//! ```text
//!          j j            i touches j, which rests; the goal is below
//!    i -> j j j   ╮       it rolls around j into the notch
//!          j * j  ↓
//! ```
//!
//! Cost: a look at the neighbours for agents near others at rest; a roll tries a few positions around each touching
//! body.
//!
//! Sources: own; growing a group from a seed body by body, each rolling to the nearest resting position, is the
//! ballistic deposition of W. Visscher and M. Bolsterli, "Random Packing of Equal and Unequal Spheres in Two and Three
//! Dimensions", Nature 239, 1972.

use super::Target;
use super::agent::Agent;
use super::boundary::crosses;
use super::destination::{AT_END, Destination, leads_to};
use super::neighbours::Lists;
use crate::avoid::Wall;
use crate::math::plane::xz;
use glam::{Vec2, Vec3};

/// Bodies with a gap of at most this many radii touch.
pub(super) const TOUCH: f32 = 0.1;
/// A roll that leads nearer to the goal by less than this many radii is not made.
const GAIN: f32 = 0.25;
/// A roll is tried in steps of this angle, 1/24 of a half turn: its cosine and sine.
const STEP: Vec2 = Vec2::new(0.991_444_9, 0.130_526_2);
/// At most this many steps to either side: from one neighbour of a body to the next but one is a third of a turn.
const STEPS: usize = 16;
/// The fraction of its maximum speed at which an agent rolls.
pub(super) const ROLLING: f32 = 0.4;
/// An agent that has found no nearer position checks again after the time in which it could walk this many radii.
const PAUSE: f32 = 3.0;
/// A roll may take this many times as long as its distance requires.
const PATIENCE: f32 = 3.0;
/// Nearer to the end of a roll than this many radii, it is finished.
const REACHED: f32 = 0.1;

/// A body in the plane.
#[derive(Clone, Copy, Debug)]
struct BodyDisc {
    at: Vec2,
    radius: f32,
}

/// All other agents, as seen by one that gathers.
pub(super) struct Company<'a> {
    pub(super) places: &'a [Vec3],
    pub(super) radius: &'a [f32],
    pub(super) arrived: &'a [bool],
    pub(super) rests: &'a [bool],
    pub(super) goals: &'a [Destination],
    pub(super) lists: &'a Lists,
}

impl Company<'_> {
    fn disc(&self, j: usize) -> BodyDisc {
        BodyDisc { at: xz(self.places[j]), radius: self.radius[j] }
    }

    /// Those of `among` that `i`, which is `agent`, sees at its goal.
    fn seen(&self, (i, agent): (usize, &Agent), among: &[bool]) -> impl Iterator<Item = BodyDisc> {
        let neighbours = self.lists.of(i).iter().map(|&j| j as usize).filter(|&j| among[j]);
        neighbours.filter(move |&j| leads_to(self.goals, (i, agent), j)).map(|j| self.disc(j))
    }

    /// Those that have arrived at its goal.
    fn gathered(&self, who: (usize, &Agent)) -> impl Iterator<Item = BodyDisc> {
        self.seen(who, self.arrived)
    }

    /// Like [`Agent::bodies`].
    pub(super) fn bodies(&self, (i, agent): (usize, &Agent)) -> f32 {
        agent.bodies(i, self.radius)
    }

    /// Whether it touches one that rests at its goal.
    pub(super) fn touches(&self, who: (usize, &Agent)) -> bool {
        let own = self.disc(who.0);
        self.seen(who, self.rests).any(|body| own.touches(&body))
    }

    /// How far it can go in a direction (unit vector) until it touches one that has arrived there.
    pub(super) fn free_way(&self, who: (usize, &Agent), direction: Vec2) -> f32 {
        let own = self.disc(who.0);
        let ways = self.gathered(who).map(|body| {
            let to = body.at - own.at;
            let reach = body.radius + own.radius;
            let along = to.dot(direction);
            let gap = to.length_squared() - reach * reach;
            let root = along * along - gap;
            if along <= 0.0 || root <= 0.0 { f32::INFINITY } else { (along - root.sqrt()).max(0.0) }
        });
        ways.fold(f32::INFINITY, f32::min)
    }

    /// A velocity without its components into touching bodies: it slides along them.
    pub(super) fn along_bodies(&self, who: (usize, &Agent), mut velocity: Vec2) -> Vec2 {
        let own = self.disc(who.0);
        // Twice: a velocity deflected by one body may lead into another.
        for _ in 0..2 {
            for body in self.gathered(who).filter(|body| own.touches(body)) {
                let towards = (body.at - own.at).normalize_or_zero();
                velocity -= towards * velocity.dot(towards).max(0.0);
            }
        }
        velocity
    }

    /// Whether it can go from one position to the next beside a body without touching another, or a wall.
    fn is_free(&self, (i, agent): (usize, &Agent), beside: &BodyDisc, [from, to]: [Vec2; 2]) -> bool {
        let own = BodyDisc { at: to, radius: self.radius[i] };
        let touches = |&j: &u32| {
            let other = self.disc(j as usize);
            other.at != beside.at && own.touches(&other)
        };
        let is_barred = |wall: &Wall| crosses(wall, from, to);
        !self.lists.of(i).iter().any(touches) && !agent.boundary.walls.iter().any(is_barred)
    }

    /// The free position nearest to `goal` to which the agent can roll around a body that it touches.
    fn place_nearer(&self, who: (usize, &Agent), goal: Vec2) -> Option<Vec2> {
        let own = self.disc(who.0);
        let mut best = (own.at.distance(goal) - GAIN * own.radius, None);
        for body in self.gathered(who).filter(|body| own.touches(body)) {
            let arm = own.at - body.at;
            let reach = (body.radius + own.radius).max(arm.length());
            for turn in [STEP, STEP.with_y(-STEP.y)] {
                let mut around = arm.normalize_or_zero() * reach;
                let mut from = own.at;
                for _ in 0..STEPS {
                    around = around.rotate(turn);
                    let to = body.at + around;
                    if !self.is_free(who, &body, [from, to]) {
                        break;
                    }
                    let distance = to.distance(goal);
                    if distance < best.0 {
                        best = (distance, Some(to));
                    }
                    from = to;
                }
            }
        }
        best.1
    }
}

impl BodyDisc {
    fn touches(&self, other: &Self) -> bool {
        let reach = self.radius + other.radius + TOUCH * self.radius;
        self.at.distance_squared(other.at) <= reach * reach
    }
}

impl Agent {
    /// Whether it follows another agent.
    pub(super) fn chases(&self, other: usize) -> bool {
        matches!(self.target, Target::Agent(id) if id.index() == other)
    }

    /// The sum of the radii of this agent, which is `i`, and of the agent that it follows; 0 if it follows none.
    pub(super) fn bodies(&self, i: usize, radius: &[f32]) -> f32 {
        match self.target {
            Target::Agent(other) => radius.get(other.index()).map_or(0.0, |other| other + radius[i]),
            _ => 0.0,
        }
    }

    /// The distance at which it counts as arrived, given the sum of its radius and that of the agent it follows.
    pub(super) fn arrives_within(&self, bodies: f32) -> f32 {
        bodies + self.params.arrival.max(self.params.stopping_distance + AT_END)
    }

    /// After a tick in which it has moved to `at`: rolls on, searches for a nearer position, or rests.
    pub(super) fn settle(&mut self, i: usize, at: Vec2, dt: f32, company: &Company<'_>) {
        let settling = &mut self.progress.settling;
        settling.left -= dt;
        let is_there = settling.to.is_some_and(|to| at.distance(to) <= REACHED * self.params.radius);
        let is_waiting = settling.to.is_some() || settling.is_still;
        if is_there || settling.left <= 0.0 && is_waiting {
            self.look_for_a_place(i, at, company);
        }
    }

    fn look_for_a_place(&mut self, i: usize, at: Vec2, company: &Company<'_>) {
        let end = self.corridor.end().map_or(Vec3::NAN, |end| end.point);
        // Beyond the next corner every position is as near as the corner.
        let goal = self.corners.first().map_or(end, |corner| corner.point);
        let stops_at = company.bodies((i, self)) + self.params.stopping_distance + AT_END;
        let is_short = at.distance(xz(end)) > stops_at;
        let to = if is_short { company.place_nearer((i, self), xz(goal)) } else { None };
        // Seconds in which it walks one radius.
        let pace = self.params.radius / self.params.max_speed;
        let settling = &mut self.progress.settling;
        settling.to = to;
        match to {
            Some(to) => settling.left = PATIENCE / ROLLING * (at.distance(to) / self.params.radius + 1.0) * pace,
            None => {
                settling.left = PAUSE * pace;
                settling.goal = end;
            }
        }
    }
}
