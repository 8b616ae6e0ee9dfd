//! The corridor: start, end, the polygons between, and the portals that join them.
//!
//! ```text
//!   start ● [ A | B | C | D ] ● end         polys: A B C D;   portals: A|B, B|C, C|D, kept so that corners cost no look-ups
//! ```
//!
//! The start is always on the first polygon and the end on the last. This is the corridor's only invariant, and every
//! operation keeps it. When the mesh has changed, [`check`](PathCorridor::check) detects a violation and
//! [`repair`](PathCorridor::repair) restores it.
//!
//! Cost: moving an end costs the move over the mesh (a few polygons) and the polygons that it walked through.
//!
//! Sources: Mikko Mononen, "Following Moving Target", Digesting Duck, October 2010; "On Navigation Robustness",
//! September 2010.

use super::{CorridorCorner, CorridorScratch, Fused, fuse_end, fuse_start};
use crate::math::funnel::Portal;
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use crate::query::{self, PolyPath, PolyPoint, QueryFilter};
use glam::Vec3;

/// A path over the mesh that is updated while its ends move. Without polygons (the default) it is empty, and has no
/// position.
#[derive(Clone, Debug, Default)]
pub struct PathCorridor {
    pub(crate) polys: Vec<PolyRef>,
    /// Between each polygon and the next, as seen when walking along the corridor.
    pub(crate) portals: Vec<Portal>,
    pub(crate) start: Vec3,
    pub(crate) end: Vec3,
    pub(crate) found: Found,
}

/// Which part of the corridor is unchanged since corners were last found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// How many polygons it had then.
    pub(crate) count: usize,
    /// How many polygons at its end are unchanged since. The end has not moved, unless this is 0.
    pub(crate) settled: usize,
    /// The portal ends, left and right, between which the first corner is visible, while the corridor's beginning is
    /// unchanged.
    pub(crate) sight: Option<[Vec3; 2]>,
    /// How long the path is from the first corner on, if that was asked for.
    pub(crate) rest: Option<f32>,
}

impl PartialEq for PathCorridor {
    /// Whether the paths are the same.
    fn eq(&self, other: &Self) -> bool {
        let ends = |corridor: &Self| [corridor.start, corridor.end];
        self.polys == other.polys && self.portals == other.portals && ends(self) == ends(other)
    }
}

/// A path that begins nowhere on the corridor it should replace, and does not cross the agent's polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the path has no polygon in common with where the corridor begins: search it anew from there")]
pub struct NotOnPath;

impl PathCorridor {
    /// A corridor that begins and ends at one position.
    #[must_use]
    pub fn new(place: PolyPoint) -> Self {
        let mut corridor = Self::default();
        corridor.reset(place);
        corridor
    }

    /// Whether this stored data is a valid corridor with these next corners: what the other operations rely on.
    pub(crate) fn is_sound(&self, corners: &[CorridorCorner]) -> bool {
        let Found { count, settled, .. } = self.found;
        let pairs = self.polys.len().saturating_sub(1);
        let rises = corners.windows(2).all(|pair| pair[0].step <= pair[1].step);
        let is_within = corners.iter().all(|corner| (corner.step as usize) < count);
        self.portals.len() == pairs && count <= u32::MAX as usize && settled <= count && rises && is_within
    }

    /// Makes it begin and end at one position.
    pub fn reset(&mut self, place: PolyPoint) {
        self.polys.clear();
        self.portals.clear();
        self.polys.push(place.poly);
        (self.start, self.end) = (place.point, place.point);
        self.found.settled = 0;
    }

    /// The polygons, starting with that of the start, including off-mesh connections.
    #[must_use]
    pub fn polys(&self) -> &[PolyRef] {
        &self.polys
    }

    /// The portals between the polygons, one fewer than polygons.
    #[must_use]
    pub fn portals(&self) -> &[Portal] {
        &self.portals
    }

    /// The agent's position; `None` for an empty corridor.
    #[must_use]
    pub fn start(&self) -> Option<PolyPoint> {
        self.polys.first().map(|&poly| PolyPoint { poly, point: self.start })
    }

    /// Where it leads; `None` for an empty corridor.
    #[must_use]
    pub fn end(&self) -> Option<PolyPoint> {
        self.polys.last().map(|&poly| PolyPoint { poly, point: self.end })
    }

    /// Replaces the corridor by a path that was searched from the agent's current or earlier position. If the agent has
    /// moved on since, the polygons it walked through are merged into the path.
    ///
    /// # Errors
    /// [`NotOnPath`] if path and corridor cannot be merged, or the path lacks portals between its polygons; the
    /// corridor is then unchanged.
    pub fn follow(&mut self, path: &PolyPath) -> Result<(), NotOnPath> {
        let Some(portals) = path.polys.len().checked_sub(1).and_then(|pairs| path.portals.get(..pairs)) else {
            return Err(NotOnPath);
        };
        let begins = |poly: &PolyRef| path.polys.iter().rposition(|p| p == poly);
        let Some(at) = self.polys.first().and_then(begins) else { return self.follow_from(path, portals) };
        self.found.settled = 0;
        self.polys.clear();
        self.polys.extend_from_slice(&path.polys[at..]);
        self.portals.clear();
        self.portals.extend_from_slice(&portals[at..]);
        self.end = path.end;
        Ok(())
    }

    /// Replaces the rest of the corridor by a path that begins farther along it.
    fn follow_from(&mut self, path: &PolyPath, portals: &[Portal]) -> Result<(), NotOnPath> {
        let joint = |poly: &PolyRef| self.polys.iter().position(|p| p == poly);
        let at = path.polys.first().and_then(joint).ok_or(NotOnPath)?;
        self.found.settled = 0;
        self.polys.truncate(at);
        self.polys.extend_from_slice(&path.polys);
        self.portals.truncate(at);
        self.portals.extend_from_slice(portals);
        self.end = path.end;
        Ok(())
    }

    /// Moves the start towards `to` as far as the mesh allows, sliding along walls; its height becomes that of the
    /// surface. If `to` is not finite, it stays. Returns the new position.
    ///
    /// Who moves off a polygon that is closed by now cannot go back over it. A corridor that would lead back over it
    /// ends before it instead: [`end`](Self::end) is then another, and a new path should be searched.
    ///
    /// # Errors
    /// [`StaleRef`] if the start's polygon is not in the mesh (any more); nothing has then changed.
    pub fn move_start<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        to: Vec3,
        filter: &F,
        scratch: &mut CorridorScratch,
    ) -> Result<Vec3, StaleRef> {
        let Some(start) = self.start() else { return Ok(self.start) };
        let (tile, poly) = mesh.locate(start.poly)?;
        if !to.is_finite() {
            return Ok(self.start);
        }
        // Nearly every step of an agent ends in the polygon it began in.
        if tile.outline(poly).is_over(to) {
            self.start = tile.place_at(poly, to, true);
            return Ok(self.start);
        }
        let CorridorScratch { search, visited, .. } = scratch;
        let moved = query::move_along_surface_into(mesh, start, to, filter, search, visited)?;
        if let Some(fused) = fuse_start(&mut self.polys, &scratch.visited) {
            self.renew_first_portals(mesh, fused, scratch);
            // All that it walked through lets it pass, but for where it began.
            let leads_back = fused.new > 0 && self.polys.get(fused.new) == Some(&start.poly);
            if leads_back && !filter.passes(start.poly, tile.state(poly)) {
                self.cut(mesh, fused.new as u32);
            }
        }
        self.start = on_ground(mesh, moved);
        Ok(self.start)
    }

    /// Moves the end, for a moving target, towards `to` as far as the mesh allows; if `to` is not finite, it stays.
    /// Returns the new position: if that is not `to`, the target has jumped or cannot be followed, and a new path
    /// should be searched.
    ///
    /// # Errors
    /// [`StaleRef`] if the end's polygon is not in the mesh (any more); nothing has then changed.
    pub fn move_end<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        to: Vec3,
        filter: &F,
        scratch: &mut CorridorScratch,
    ) -> Result<Vec3, StaleRef> {
        let Some(end) = self.end() else { return Ok(self.end) };
        if end.poly.is_off_mesh() {
            return Ok(self.end);
        }
        let CorridorScratch { search, visited, .. } = scratch;
        let moved = query::move_along_surface_into(mesh, end, to, filter, search, visited)?;
        self.found.settled = 0;
        if let Some(fused) = fuse_end(&mut self.polys, &scratch.visited) {
            self.portals.truncate(fused.old);
            for pair in fused.old..self.polys.len() - 1 {
                self.portals.push(self.portal_after(mesh, pair));
            }
        }
        self.end = on_ground(mesh, moved);
        Ok(self.end)
    }

    /// After the beginning was merged: the portals before the first polygon that was kept.
    pub(super) fn renew_first_portals(&mut self, mesh: &NavMesh, fused: Fused, scratch: &mut CorridorScratch) {
        scratch.portals.clear();
        for pair in 0..fused.new {
            scratch.portals.push(self.portal_after(mesh, pair));
        }
        self.portals.splice(..fused.old.min(self.portals.len()), scratch.portals.drain(..));
        if fused.new > 0 {
            self.found.sight = None;
        }
        self.found.settled = self.found.settled.min(self.polys.len() - fused.new);
    }

    /// The portal from polygon `pair` of the corridor to the next.
    fn portal_after(&self, mesh: &NavMesh, pair: usize) -> Portal {
        let found = query::portal_between(mesh, self.polys[pair], self.polys[pair + 1]).ok().flatten();
        // Corridors are merged from polygons that were walked through, so there is one; if there were none, the path
        // would pass through this point.
        found.unwrap_or(Portal::point(self.start))
    }
}

/// The point of a position, at the height of its surface.
pub(super) fn on_ground(mesh: &NavMesh, place: PolyPoint) -> Vec3 {
    match query::closest_point_on_poly(mesh, place.poly, place.point) {
        Ok(found) => Vec3::new(place.point.x, found.point.y, place.point.z),
        Err(_) => place.point,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corridor::test_ground::{find, place, world};
    use crate::query::DefaultFilter;

    #[test]
    fn the_start_moves_along_and_the_row_gets_shorter() {
        let mesh = world("aaaaa\naaaaa");
        let (filter, mut scratch) = (DefaultFilter::default(), CorridorScratch::new());
        let mut corridor = find(&mesh, (0.5, 0.5), (4.5, 0.5));
        assert_eq!(corridor.polys().len(), 5);
        let at = corridor.move_start(&mesh, Vec3::new(2.5, 0.0, 0.5), &filter, &mut scratch).unwrap();
        assert_eq!((at, corridor.polys().len(), corridor.portals().len()), (Vec3::new(2.5, 0.0, 0.5), 3, 2));
        // Pushed aside: the polygon beside becomes the first.
        corridor.move_start(&mesh, Vec3::new(2.5, 0.0, 1.5), &filter, &mut scratch).unwrap();
        assert_eq!((corridor.polys().len(), corridor.polys()[0]), (4, place(&mesh, (2.5, 1.5)).poly));
        // Pushed against the wall: it stays on the mesh.
        let at = corridor.move_start(&mesh, Vec3::new(2.25, 0.0, 7.0), &filter, &mut scratch).unwrap();
        assert_eq!(at, Vec3::new(2.25, 0.0, 2.0));
    }

    #[test]
    fn neither_end_moves_to_where_nothing_is() {
        let mesh = world("aaaaa\naaaaa");
        let (filter, mut scratch) = (DefaultFilter::default(), CorridorScratch::new());
        let mut corridor = find(&mesh, (0.5, 0.5), (4.5, 0.5));
        let before = corridor.clone();
        for odd in [Vec3::NAN, Vec3::INFINITY, Vec3::new(0.6, f32::NAN, 0.5), Vec3::new(f32::NAN, 0.0, 0.5)] {
            corridor.move_start(&mesh, odd, &filter, &mut scratch).unwrap();
            corridor.move_end(&mesh, odd, &filter, &mut scratch).unwrap();
            assert_eq!(corridor, before, "{odd}");
        }
    }

    #[test]
    fn the_end_follows_a_target() {
        let mesh = world("aaaaa\na...a\naaaaa");
        let (filter, mut scratch) = (DefaultFilter::default(), CorridorScratch::new());
        let mut corridor = find(&mesh, (0.5, 0.5), (4.5, 0.5));
        for z in [1.0, 1.5, 2.0, 2.5] {
            let to = Vec3::new(4.5, 0.0, z);
            assert_eq!(corridor.move_end(&mesh, to, &filter, &mut scratch).unwrap(), to);
        }
        assert_eq!(corridor.polys().len(), 7);
        for z in [2.0, 1.5, 1.0, 0.5] {
            corridor.move_end(&mesh, Vec3::new(4.5, 0.0, z), &filter, &mut scratch).unwrap();
        }
        assert_eq!(corridor, find(&mesh, (0.5, 0.5), (4.5, 0.5)), "there and back again");
        // Into the hole in the middle nobody can be followed.
        let at = corridor.move_end(&mesh, Vec3::new(2.5, 0.0, 1.25), &filter, &mut scratch).unwrap();
        assert_eq!(at, Vec3::new(2.5, 0.0, 1.0));
    }

    #[test]
    fn a_path_is_taken_wherever_the_agent_has_got_to_meanwhile() {
        let mesh = world("aaaaa");
        let (filter, mut scratch) = (DefaultFilter::default(), CorridorScratch::new());
        let path = |from, to| {
            let ask = query::PathRequest::new(place(&mesh, from), place(&mesh, to));
            query::find_path(&mesh, &ask, &filter, &mut query::SearchScratch::new()).unwrap()
        };
        let mut corridor = find(&mesh, (0.5, 0.5), (2.5, 0.5));
        let longer = path((0.5, 0.5), (4.5, 0.5));
        corridor.move_start(&mesh, Vec3::new(1.5, 0.0, 0.5), &filter, &mut scratch).unwrap();
        corridor.follow(&longer).unwrap();
        assert_eq!((corridor.polys(), corridor.portals().len()), (&longer.polys[1..], 3));
        // A path from farther along the corridor.
        let onward = path((3.5, 0.5), (3.25, 0.75));
        corridor.follow(&onward).unwrap();
        assert_eq!((corridor.polys(), corridor.portals().len()), (&longer.polys[1..4], 2));
        assert_eq!(corridor.follow(&path((0.5, 0.5), (0.25, 0.5))), Err(NotOnPath));
        assert_eq!(corridor.polys(), &longer.polys[1..4]);
    }
}
