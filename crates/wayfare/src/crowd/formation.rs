//! Formations: positions that move with a leader, and which member takes which.
//!
//! The positions are given in the leader's frame, which slowly turns after the leader. Each is found along a straight
//! line from the leader, so that a position behind a wall is moved in front of it. Members take positions so that the
//! sum of the squared distances is small: two are exchanged whenever that makes it smaller.
//!
//! ```text
//!        ▲ leader            offsets: x to the right, y ahead
//!      1   2                 a turn of the leader: 1 and 2 change places
//!    3   4   5               rather than crossing each other
//! ```
//!
//! Cost: per tick, a ray per position and the square of the members.
//!
//! Sources: exchanging pairs is the 2-opt of G. Croes, "A Method for Solving Traveling-Salesman Problems", 1958, on an
//! assignment.

use super::{AgentId, Crowd, CrowdError, Target};
use crate::math::plane;
use crate::mesh::NavMesh;
use crate::plan::SharedFilter;
use crate::query::{PolyPoint, Raycast, SearchScratch, closest_point_on_poly, raycast_into};
use glam::{Vec2, Vec3};

/// Some members of a crowd that follow a leader in formation.
#[derive(Clone, Debug)]
pub struct Formation {
    pub(super) leader: AgentId,
    /// Positions, as offsets from the leader: metres to the right and ahead.
    pub(super) slots: Vec<Vec2>,
    pub(super) members: Vec<AgentId>,
    /// The slot of each member.
    pub(super) slot_of: Vec<usize>,
    pub(super) heading: Vec2,
    /// The crowd's time when the heading was last turned, seconds.
    pub(super) turned_at: f64,
    pub(super) places: Vec<PolyPoint>,
    pub(super) search: SearchScratch,
    pub(super) ray: Raycast,
}

/// The assigned position of a member.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slot {
    /// The member.
    pub agent: AgentId,
    /// The number of the slot.
    pub slot: usize,
    /// The current position of the slot.
    pub place: PolyPoint,
}

/// How fast the frame turns towards the leader's direction: the fraction of the remaining angle per second.
const TURNING: f64 = 4.0;
/// Exchanges that save less than this, m², are not made.
const WORTH_IT: f32 = 0.25;

impl Formation {
    /// A formation behind a leader, who is not a member. Members beyond the number of slots are not controlled.
    #[must_use]
    pub fn new(leader: AgentId, slots: Vec<Vec2>, mut members: Vec<AgentId>) -> Self {
        members.retain(|&member| member != leader);
        let slot_of = (0..members.len()).collect();
        Self {
            leader,
            slots,
            members,
            slot_of,
            heading: Vec2::ZERO,
            turned_at: 0.0,
            places: Vec::new(),
            search: SearchScratch::new(),
            ray: Raycast::default(),
        }
    }

    /// Slots in rows of `columns` behind the leader, `spacing` metres apart.
    #[must_use]
    pub fn block(count: usize, columns: usize, spacing: f32) -> Vec<Vec2> {
        let columns = columns.max(1);
        let offset = |i: usize| {
            let row = i / columns;
            let column = i % columns;
            Vec2::new(column as f32 - (columns - 1) as f32 * 0.5, -1.0 - row as f32) * spacing
        };
        (0..count).map(offset).collect()
    }

    /// Slots alternately to the left and right behind the leader, like flying geese, `spacing` metres apart.
    #[must_use]
    pub fn wedge(count: usize, spacing: f32) -> Vec<Vec2> {
        let offset = |i: usize| {
            let rank = (i / 2 + 1) as f32 * spacing;
            Vec2::new(if i.is_multiple_of(2) { -rank } else { rank }, -rank)
        };
        (0..count).map(offset).collect()
    }

    /// Which member takes which slot.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        let taken = self.members.iter().zip(&self.slot_of);
        taken.filter_map(|(&agent, &slot)| Some(Slot { agent, slot, place: *self.places.get(slot)? }))
    }

    /// Moves the slots with the leader, lets members exchange slots and sends everyone to theirs. Members that have
    /// left the crowd are removed from the formation. Call it before each tick.
    ///
    /// # Errors
    /// [`CrowdError::NoAgent`] if the leader has left the crowd: there is nobody to follow.
    pub fn lead(&mut self, crowd: &mut Crowd, mesh: &NavMesh) -> Result<(), CrowdError> {
        let velocity = plane::xz(crowd.velocity(self.leader)?);
        let Some(from) = crowd.corridor(self.leader)?.start() else { return Ok(()) };
        self.turn(velocity, crowd.time());
        self.drop_missing(crowd);
        self.find_places(crowd, mesh, from);
        self.exchange(crowd);
        for (&agent, &slot) in self.members.iter().zip(&self.slot_of) {
            if let Some(&place) = self.places.get(slot) {
                crowd.set_target(agent, Target::Moving(place))?;
            }
        }
        Ok(())
    }

    fn turn(&mut self, velocity: Vec2, now: f64) {
        let passed = now - core::mem::replace(&mut self.turned_at, now);
        let Some(ahead) = velocity.try_normalize().filter(|_| velocity.length() > 0.3) else { return };
        let turned = self.heading + (ahead - self.heading) * (TURNING * passed).clamp(0.0, 1.0) as f32;
        self.heading = if self.heading == Vec2::ZERO { ahead } else { turned.try_normalize().unwrap_or(ahead) };
    }

    /// Removes members that are not in the crowd; the last members take their slots.
    fn drop_missing(&mut self, crowd: &Crowd) {
        while let Some(gone) = self.members.iter().position(|&member| !crowd.contains(member)) {
            self.members.remove(gone);
            let freed = self.slot_of.remove(gone);
            if let Some(last) = self.slot_of.iter_mut().max_by_key(|slot| **slot).filter(|last| **last > freed) {
                *last = freed;
            }
        }
    }

    fn find_places(&mut self, crowd: &Crowd, mesh: &NavMesh, from: PolyPoint) {
        self.places.clear();
        let filter = crowd.filter_of(self.leader);
        let ahead = if self.heading == Vec2::ZERO { Vec2::Y } else { self.heading };
        // To the right, looking along +z, is −x: x and z are left-handed seen from above.
        let right = Vec2::new(-ahead.y, ahead.x);
        for slot in self.slots.iter().take(self.members.len()) {
            let offset = right * slot.x + ahead * slot.y;
            let to = from.point + Vec3::new(offset.x, 0.0, offset.y);
            let found = raycast_into(mesh, from, to, filter.as_ref(), &mut self.search, &mut self.ray);
            let place = match (found, self.ray.polys.last()) {
                (Ok(()), Some(&poly)) => {
                    let point = closest_point_on_poly(mesh, poly, self.ray.point).map_or(from.point, |on| on.point);
                    PolyPoint { poly, point }
                }
                _ => from,
            };
            self.places.push(place);
        }
    }

    /// Exchanges slots while that shortens the distances.
    fn exchange(&mut self, crowd: &Crowd) {
        let count = self.members.len().min(self.places.len());
        let cost = |member: AgentId, slot: usize| {
            let Some(place) = self.places.get(slot) else { return 0.0 };
            crowd.position(member).map_or(0.0, |p| plane::distance_squared(p, place.point))
        };
        for a in 0..count {
            for b in a + 1..count {
                let slot_a = self.slot_of[a];
                let slot_b = self.slot_of[b];
                let one = self.members[a];
                let other = self.members[b];
                let kept = cost(one, slot_a) + cost(other, slot_b);
                let exchanged = cost(one, slot_b) + cost(other, slot_a);
                if exchanged < kept - WORTH_IT {
                    self.slot_of.swap(a, b);
                }
            }
        }
    }
}

impl Crowd {
    /// The filter of an agent in the crowd; the first filter for others.
    pub(super) fn filter_of(&self, agent: AgentId) -> &SharedFilter {
        let number = self.find(agent).map_or(0, |i| self.agents[i].params.filter);
        &self.filters[number as usize]
    }
}
