//! Finds the next corners of a corridor, towards which an agent steers.
//!
//! The straight path from start to end is computed through the portals, but only as far as needed. Corners at the
//! agent's own position are left out, since it cannot steer towards them, and the list ends where an off-mesh
//! connection is entered: the path after it is separate.
//!
//! ```text
//!   start ●.         ┌────            corners 1, 2, then the end; with a limit of 1 the scan stops once
//!           `.1──────2                corner 1 is certain
//!       ─────┘        `.● end
//! ```
//!
//! An agent that has moved a little usually has the same corners ahead, and checking that is cheaper than computing
//! them: a path that is straight up to the first corner, and bends there as before, is the shortest, and there is only
//! one shortest path.
//!
//! Cost: linear in the portals up to the last corner requested, twice over in the worst case; checking that nothing has
//! changed is constant while the agent stays between the two portal ends that bound its view of the first corner.
//!
//! Sources: Mikko Mononen, "Simple Stupid Funnel Algorithm", March 2010, and "Path Corridor Optimizations", November
//! 2010, Digesting Duck.

use super::path_corridor::Found;
use super::{CorridorScratch, PathCorridor};
use crate::math::funnel::{Corner, CornerKind, Portal, pull_first, string_pull_into};
use crate::math::plane;
use crate::math::predicates::{orient_xz, rounding_at};
use crate::math::segment::point_distance_squared;
use crate::math::steps;
use crate::mesh::PolyRef;
use crate::query::length_over_portals;
use glam::Vec3;

/// What kind of corner this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CornerAt {
    /// The path bends to the left.
    Left,
    /// The path bends to the right.
    Right,
    /// An off-mesh connection is entered here: the corner's polygon is the connection.
    Connection,
    /// The corridor ends here.
    End,
}

/// A point to steer to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorridorCorner {
    /// The position.
    pub point: Vec3,
    /// The kind of corner.
    pub at: CornerAt,
    /// The polygon that the path enters here, or the connection.
    pub poly: PolyRef,
    /// The index of that polygon in the corridor.
    pub step: u32,
}

/// Corners nearer to the agent than this, metres, count as passed.
const REACHED: f32 = 0.01;

impl PathCorridor {
    /// The next corners, at most `limit` (at least one is searched), nearest first; the last is a connection or the end
    /// if those are near enough. Empty for an empty corridor.
    pub fn corners_into(&self, limit: usize, scratch: &mut CorridorScratch, corners: &mut Vec<CorridorCorner>) {
        corners.clear();
        let Some(last) = self.polys.len().checked_sub(1) else { return };
        let entry = self.polys.iter().position(|poly| poly.is_off_mesh()).unwrap_or(last + 1);
        // The portal into a connection is its entrance, a single point: the path ends there.
        let (portals, end, at, step) = match entry {
            0 => (&self.portals[..0], self.portals.first().map_or(self.end, |exit| exit.left), CornerAt::Connection, 0),
            entry if entry <= last => {
                (&self.portals[..entry - 1], self.portals[entry - 1].left, CornerAt::Connection, entry)
            }
            _ => (&self.portals[..], self.end, CornerAt::End, last),
        };
        steps::count(1);
        let limit = limit.max(1);
        let pulled = &mut scratch.corners;
        pull_first(self.start, end, portals.len(), |i| portals[i], limit, pulled);
        let is_behind = |corner: &Corner| {
            let is_bend = matches!(corner.kind, CornerKind::Left | CornerKind::Right);
            is_bend && plane::distance(corner.point, self.start) < REACHED
        };
        if pulled.get(1).is_some_and(is_behind) {
            // Rare: then one more is needed instead.
            pull_first(self.start, end, portals.len(), |i| portals[i], limit.saturating_add(1), pulled);
        }
        for corner in &pulled[1..] {
            let bend = |at| (at, corner.portal as usize + 1);
            let (at, step) = match corner.kind {
                CornerKind::Left => bend(CornerAt::Left),
                CornerKind::Right => bend(CornerAt::Right),
                CornerKind::Start | CornerKind::End => (at, step),
            };
            if !(corners.is_empty() && is_behind(corner)) {
                corners.push(CorridorCorner { point: corner.point, at, poly: self.polys[step], step: step as u32 });
            }
        }
        corners.truncate(limit);
    }

    /// Like [`corners_into`](Self::corners_into), where `corners` are the result of the previous call with the same
    /// limit.
    pub(crate) fn next_corners(
        &mut self,
        limit: usize,
        scratch: &mut CorridorScratch,
        corners: &mut Vec<CorridorCorner>,
    ) {
        if !self.still_has(corners) {
            (self.found.sight, self.found.rest) = (None, None);
            self.corners_into(limit, scratch, corners);
        }
        let count = self.polys.len();
        self.found = Found { count, settled: count, ..self.found };
    }

    /// Whether previously found corners are still the next ones; if so, updates their indices in the corridor.
    pub(super) fn still_has(&mut self, corners: &mut [CorridorCorner]) -> bool {
        let Found { count, sight, .. } = self.found;
        let [first, rest @ ..] = &*corners else { return false };
        let to = first.point;
        // Counted from the end.
        let left = count.saturating_sub(first.step as usize);
        let is_bend = matches!(first.at, CornerAt::Left | CornerAt::Right);
        if !self.is_unchanged_from(first) || is_bend && plane::distance(to, self.start) < REACHED {
            return false;
        }
        let bends = match (first.at, rest.first()) {
            (CornerAt::End | CornerAt::Connection, _) => true,
            (_, None) => false,
            (at, Some(next)) => {
                let turn = orient_xz(self.start, to, next.point);
                let tolerance = rounding_at(to);
                let is_ahead = if at == CornerAt::Left { turn > 0.0 } else { turn < 0.0 };
                is_ahead && point_distance_squared(to, self.start, next.point) > tolerance * tolerance
            }
        };
        if !bends {
            return false;
        }
        let start = self.start;
        let is_left_of = |p: Vec3| orient_xz(start, to, p) > 0.0;
        let is_right_of = |p: Vec3| orient_xz(start, to, p) < 0.0;
        if !sight.is_some_and(|[left, right]| is_left_of(left) && is_right_of(right)) {
            // A line exactly through the end of another portal is left to the full computation.
            let passes = |portal: &Portal| {
                (first.at == CornerAt::Left && portal.left == to || is_left_of(portal.left))
                    && (first.at == CornerAt::Right && portal.right == to || is_right_of(portal.right))
            };
            let step = self.polys.len() - left;
            let before = if first.at == CornerAt::End { step } else { step - 1 };
            if !self.portals[..before].iter().all(passes) {
                return false;
            }
            self.found.sight = sight_of(first, &self.portals[..before]);
        }
        for corner in corners {
            corner.step = (corner.step as usize + self.polys.len() - count) as u32;
        }
        true
    }

    /// Whether the corridor from a corner found before to its end is the same as then.
    fn is_unchanged_from(&self, corner: &CorridorCorner) -> bool {
        let Found { count, settled, .. } = self.found;
        // The polygon before the corner must be the same too, or the portal between may not be.
        count.saturating_sub(corner.step as usize) < settled && settled <= self.polys.len()
    }

    /// Like [`corners_into`](Self::corners_into), as a new list.
    #[must_use]
    pub fn corners(&self, limit: usize, scratch: &mut CorridorScratch) -> Vec<CorridorCorner> {
        let mut corners = Vec::new();
        self.corners_into(limit, scratch, &mut corners);
        corners
    }

    /// The distance to the end: the horizontal length of the straight path, with connections counted as straight lines.
    /// Metres.
    #[must_use]
    pub fn length(&self, scratch: &mut CorridorScratch) -> f32 {
        // Both portals of a connection are points, so the straight path of the whole corridor passes through them.
        length(self.start, self.end, &self.portals, scratch)
    }

    /// The distance to the end over the middles of the portals, which is no shorter, and found with less work.
    pub(crate) fn length_over_portals(&self) -> f32 {
        length_over_portals(self.start, &self.portals, self.end)
    }

    /// [`length`](Self::length) by way of the first of the corners that [`next_corners`](Self::next_corners) has found:
    /// from there on the path is as long as before, until another corner is the first.
    pub(crate) fn length_by(&mut self, corners: &[CorridorCorner], scratch: &mut CorridorScratch) -> f32 {
        let Some(first) = corners.first().filter(|first| self.is_unchanged_from(first)) else {
            return self.length(scratch);
        };
        let step = self.polys.len() - (self.found.count - first.step as usize);
        let rest = self.found.rest.unwrap_or_else(|| length(first.point, self.end, &self.portals[step..], scratch));
        self.found.rest = Some(rest);
        plane::distance(self.start, first.point) + rest
    }
}

/// The horizontal length of the straight path through portals.
fn length(start: Vec3, end: Vec3, portals: &[Portal], scratch: &mut CorridorScratch) -> f32 {
    string_pull_into(start, end, portals, &mut scratch.corners);
    scratch.corners.windows(2).map(|pair| plane::distance(pair[0].point, pair[1].point)).sum()
}

/// The limits of the positions from which a corner is visible through all these portals, given one such position: the
/// portal ends nearest to the line of sight on its left and right. Between the lines through these ends and the corner,
/// all other ends stay on their sides.
///
/// ```text
///   left ●──┐    │          from everywhere in the wedge
///        .  │    ●─┐        the corner is seen
///     start ·  ·  ·  ● corner
///        .      ●────┘
///  right ●──────┘
/// ```
fn sight_of(corner: &CorridorCorner, portals: &[Portal]) -> Option<[Vec3; 2]> {
    let to = corner.point;
    // The corner itself is not a limit.
    let lefts = || portals.iter().map(|portal| portal.left).filter(|&p| corner.at != CornerAt::Left || p != to);
    let rights = || portals.iter().map(|portal| portal.right).filter(|&p| corner.at != CornerAt::Right || p != to);
    let left = lefts().reduce(|best, p| if orient_xz(to, best, p) > 0.0 { p } else { best })?;
    let right = rights().reduce(|best, p| if orient_xz(to, best, p) < 0.0 { p } else { best })?;
    // Otherwise some end, seen from one edge of the wedge, is behind the corner.
    let is_wedge = lefts().all(|p| orient_xz(right, to, p) > 0.0) && rights().all(|p| orient_xz(left, to, p) < 0.0);
    is_wedge.then_some([left, right])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PolyFlags};
    use crate::corridor::test_ground::{find, world};
    use crate::math::Rng;
    use crate::mesh::OffMeshConnection;
    use crate::query::{DefaultFilter, PathRequest, SearchScratch, find_path, string_pull};

    #[test]
    fn as_many_as_wanted_and_none_behind() {
        let mesh = world("aaa\n..a\naaa");
        let mut scratch = CorridorScratch::new();
        let mut corridor = find(&mesh, (0.5, 0.5), (0.5, 2.5));
        let seen = |corridor: &PathCorridor, limit, scratch: &mut CorridorScratch| -> Vec<(CornerAt, f32, f32)> {
            corridor.corners(limit, scratch).iter().map(|c| (c.at, c.point.x, c.point.z)).collect()
        };
        assert_eq!(seen(&corridor, 1, &mut scratch), [(CornerAt::Left, 2.0, 1.0)]);
        let all = [(CornerAt::Left, 2.0, 1.0), (CornerAt::Left, 2.0, 2.0), (CornerAt::End, 0.5, 2.5)];
        assert_eq!(seen(&corridor, 9, &mut scratch), all);
        assert!((corridor.length(&mut scratch) - (2.0 * 2.5_f32.sqrt() + 1.0)).abs() < 1e-5);
        // On the corner, it is the next that counts.
        corridor.move_start(&mesh, Vec3::new(2.0, 0.0, 0.995), &DefaultFilter::default(), &mut scratch).unwrap();
        assert_eq!(seen(&corridor, 1, &mut scratch), all[1..2]);
        assert!(PathCorridor::default().corners(3, &mut scratch).is_empty());
    }

    #[test]
    fn the_row_ends_where_a_connection_is_entered() {
        let mut mesh = world("aaa....aa");
        let connection = OffMeshConnection {
            start: Vec3::new(2.5, 0.0, 0.25),
            end: Vec3::new(7.5, 0.0, 0.75),
            radius: 0.2,
            two_way: true,
            area: AreaId::WALKABLE,
            flags: PolyFlags::WALK,
            user_id: 0,
        };
        let reference = mesh.add_connection(connection).unwrap();
        let mut scratch = CorridorScratch::new();
        for (from, to, entrance) in [(0.5, 8.5, 2.5), (8.5, 0.5, 7.5)] {
            let corners = find(&mesh, (from, 0.5), (to, 0.5)).corners(4, &mut scratch);
            assert_eq!((corners.len(), corners[0].at, corners[0].poly), (1, CornerAt::Connection, reference));
            assert_eq!(corners[0].point.x, entrance);
        }
    }

    #[test]
    fn the_corners_of_a_path_are_those_of_its_string() {
        let mut rng = Rng::new(4);
        let mut scratch = CorridorScratch::new();
        let filter = DefaultFilter::default();
        for _ in 0..200 {
            let mesh = crate::corridor::test_ground::random_world(&mut rng, 2, 6);
            let sampler = crate::query::PointSampler::on_mesh(&mesh, &filter);
            let [start, goal] = [(); 2].map(|()| sampler.sample(&mesh, &mut rng).unwrap().unwrap());
            let path = find_path(&mesh, &PathRequest::new(start, goal), &filter, &mut SearchScratch::new()).unwrap();
            let mut corridor = PathCorridor::new(start);
            corridor.follow(&path).unwrap();
            let string = string_pull(&path, &mut SearchScratch::new());
            let corners: Vec<Vec3> = corridor.corners(100, &mut scratch).iter().map(|c| c.point).collect();
            let expected: Vec<Vec3> = string.points[1..].iter().map(|p| p.point).collect();
            assert!(expected.ends_with(&corners) && corners.len() + 1 >= expected.len(), "{corners:?} {expected:?}");
            // As many as there are, also right beside a bend.
            let beside = expected[0];
            corridor.move_start(&mesh, beside, &filter, &mut scratch).unwrap();
            let [all, most] = [usize::MAX, 100].map(|limit| corridor.corners(limit, &mut scratch));
            assert!(all == most && !all.is_empty(), "{all:?} {most:?}");
        }
    }
}
