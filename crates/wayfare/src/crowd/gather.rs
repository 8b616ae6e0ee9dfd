//! Agents that gather: at one place, or around somebody.
//!
//! Only one body has room at a goal. Who has arrived there has made the goal wider: those who come to the same one do
//! not avoid it, but slow down before its body as they would before the goal, do not push it, and have arrived, too,
//! when they touch it at rest. So a group grows from its middle. Arriving is not stopping: an agent goes on towards the
//! goal until somebody who has arrived is in its way, and then looks to both sides whether, rolling around a body that
//! it touches, it comes to a free place that is nearer. If not, it rests, and looks again now and then. Every roll
//! leads nearer to the goal by a quarter of a radius, so all come to rest, and no place at the rim is much farther from
//! the goal than another: the group is a disc.
//!
//! ```text
//!          j j            i touches j, which rests; the goal is below
//!    i -> j j j   ╮       it rolls around j into the notch
//!          j * j  ↓
//! ```
//!
//! Cost: a look at the neighbours for those near others at rest; a roll tries a few places around each body in touch.
//!
//! Sources: own; growing a group from a seed body by body, each rolling to the nearest place of rest, is the ballistic
//! deposition of W. Visscher and M. Bolsterli, "Random Packing of Equal and Unequal Spheres in Two and Three
//! Dimensions", Nature 239, 1972.

use super::Target;
use super::agent::Agent;
use super::boundary::crosses;
use super::destination::{AT_END, Destination, leads_to};
use super::neighbours::Lists;
use crate::avoid::Wall;
use crate::math::plane::xz;
use glam::{Vec2, Vec3};

/// A gap of no more than so many radii is touching.
pub(super) const TOUCH: f32 = 0.1;
/// A roll that leads nearer to the goal by less than so many radii is not worth it.
const GAIN: f32 = 0.25;
/// A roll is tried in steps of this angle, a 24th of a half turn: its cosine and sine.
const STEP: Vec2 = Vec2::new(0.991_444_9, 0.130_526_2);
/// So many steps to either side at most: from one neighbour of a body to the next but one is a third of a turn.
const STEPS: usize = 16;
/// The part of its greatest speed at which an agent rolls.
pub(super) const ROLLING: f32 = 0.4;
/// An agent that has looked in vain for a place nearer looks again after the time in which it could walk so many radii.
const PAUSE: f32 = 3.0;
/// And one that rolls is given so many times as long as the way takes.
const PATIENCE: f32 = 3.0;
/// Nearer to the end of a roll than so many radii it is there.
const REACHED: f32 = 0.1;

/// A body on the plane.
#[derive(Clone, Copy, Debug)]
struct BodyDisc {
    at: Vec2,
    radius: f32,
}

/// All others, as one who gathers looks at them.
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

    /// Those of `among` whom `i`, which is `agent`, sees at its goal.
    fn seen(&self, (i, agent): (usize, &Agent), among: &[bool]) -> impl Iterator<Item = BodyDisc> {
        let neighbours = self.lists.of(i).iter().map(|&j| j as usize).filter(|&j| among[j]);
        neighbours.filter(move |&j| leads_to(self.goals, (i, agent), j)).map(|j| self.disc(j))
    }

    /// Those who have arrived at its goal.
    fn gathered(&self, who: (usize, &Agent)) -> impl Iterator<Item = BodyDisc> {
        self.seen(who, self.arrived)
    }

    /// As [`Agent::bodies`].
    pub(super) fn bodies(&self, (i, agent): (usize, &Agent)) -> f32 {
        agent.bodies(i, self.radius)
    }

    /// Whether it touches one who rests at its goal.
    pub(super) fn touches(&self, who: (usize, &Agent)) -> bool {
        let own = self.disc(who.0);
        self.seen(who, self.rests).any(|body| own.touches(&body))
    }

    /// How far it can go in a direction, of length one, until it touches one who has arrived there.
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

    /// What remains of a velocity that leads into bodies in touch: along them.
    pub(super) fn along_bodies(&self, who: (usize, &Agent), mut velocity: Vec2) -> Vec2 {
        let own = self.disc(who.0);
        // Twice: what one body has turned aside may lead into another.
        for _ in 0..2 {
            for body in self.gathered(who).filter(|body| own.touches(body)) {
                let towards = (body.at - own.at).normalize_or_zero();
                velocity -= towards * velocity.dot(towards).max(0.0);
            }
        }
        velocity
    }

    /// Whether it can go from one place to the next beside a body without touching another, or a wall.
    fn is_free(&self, (i, agent): (usize, &Agent), beside: &BodyDisc, [from, to]: [Vec2; 2]) -> bool {
        let own = BodyDisc { at: to, radius: self.radius[i] };
        let touches = |&j: &u32| {
            let other = self.disc(j as usize);
            other.at != beside.at && own.touches(&other)
        };
        let is_barred = |wall: &Wall| crosses(wall, from, to);
        !self.lists.of(i).iter().any(touches) && !agent.boundary.walls.iter().any(is_barred)
    }

    /// The free place nearest to `goal` to which the agent can roll around a body that it touches.
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
    /// Whether it follows another.
    pub(super) fn chases(&self, other: usize) -> bool {
        matches!(self.target, Target::Agent(id) if id.index() == other)
    }

    /// How far the body of the agent that this one, which is `i`, follows reaches together with its own; 0 if it
    /// follows none.
    pub(super) fn bodies(&self, i: usize, radius: &[f32]) -> f32 {
        match self.target {
            Target::Agent(other) => radius.get(other.index()).map_or(0.0, |other| other + radius[i]),
            _ => 0.0,
        }
    }

    /// From how far away it counts as having arrived, if its body and that of the one it follows reach so far.
    pub(super) fn arrives_within(&self, bodies: f32) -> f32 {
        bodies + self.params.arrival.max(self.params.stopping_distance + AT_END)
    }

    /// After a tick in which it has come to `at`: rolls on, looks for a place nearer, or rests.
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
        // Beyond the next corner every place is as near as the corner is.
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
