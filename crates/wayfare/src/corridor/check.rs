//! Checks and repairs a corridor after the mesh has changed: what is broken, how far ahead, and what can be kept.
//!
//! ```text
//!   ● [ A ][ B ][ ? ][ D ] ● end        check:  C is gone, 7.5 m ahead
//!   ● [ A ][ B ]● end                   repair: the part up to there is kept, the rest must be searched again
//! ```
//!
//! If the surface under the agent itself is gone, the nearest surface within reach replaces it.
//!
//! Cost: a look-up for each polygon checked; the nearest surface only if the first polygon is gone.
//!
//! Sources: Mikko Mononen, "On Navigation Robustness", Digesting Duck, September 2010; the repair follows Detour's
//! crowd.

use super::PathCorridor;
use crate::mesh::{ChangeSet, NavMesh};
use crate::query::{Broken, PathChange, QueryFilter, change_of, find_nearest, first_announced, first_broken};
use glam::Vec3;

/// Result of a repair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Repair {
    /// Nothing was broken.
    Whole,
    /// The break is ahead of the agent: the corridor now ends before it.
    Cut(Broken),
    /// The surface under the agent was gone: it now stands on the nearest one, and the corridor is only that position.
    Moved(Broken),
    /// The surface under the agent is gone and there is none within reach: the corridor is empty.
    Lost(Broken),
}

impl PathCorridor {
    /// The first of the next `look_ahead` polygons (all, for `u32::MAX`) that is broken.
    pub fn check<F: QueryFilter + ?Sized>(&self, mesh: &NavMesh, look_ahead: u32, filter: &F) -> Option<Broken> {
        // One more is needed to tell whether a connection leads on.
        let seen = self.polys.len().min((look_ahead as usize).saturating_add(1));
        let broken = first_broken(mesh, (&self.polys[..seen], &self.portals), self.start, filter)?;
        (broken.step < look_ahead).then_some(broken)
    }

    /// Whether the corridor is not empty and none of the next `look_ahead` polygons is broken.
    pub fn is_valid<F: QueryFilter + ?Sized>(&self, mesh: &NavMesh, look_ahead: u32, filter: &F) -> bool {
        !self.polys.is_empty() && self.check(mesh, look_ahead, filter).is_none()
    }

    /// The effect of mesh changes on the corridor. Polygons are looked up only if the corridor crosses something that
    /// has changed, so many corridors can be checked against the changes of a tick.
    pub fn change<F: QueryFilter + ?Sized>(&self, mesh: &NavMesh, changes: &ChangeSet, filter: &F) -> PathChange {
        change_of(mesh, (&self.polys, &self.portals), self.start, changes, filter)
    }

    /// The first polygon on a tile [announced](NavMesh::announce) to be replaced or removed; `None` if there is none.
    #[must_use]
    pub fn soon_broken(&self, mesh: &NavMesh) -> Option<Broken> {
        first_announced(mesh, (&self.polys, &self.portals), self.start)
    }

    /// Repairs the corridor, keeping as much as possible: see [`Repair`]. If the surface under the agent is gone,
    /// another is searched within `half_extents`. The end is not restored: that takes a search.
    pub fn repair<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        look_ahead: u32,
        half_extents: Vec3,
        filter: &F,
    ) -> Repair {
        let Some(broken) = self.check(mesh, look_ahead, filter) else { return Repair::Whole };
        if broken.step > 0 {
            self.cut(mesh, broken.step);
            return Repair::Cut(broken);
        }
        if let Some(ground) = find_nearest(mesh, self.start, half_extents, filter) {
            self.reset(ground.place());
            return Repair::Moved(broken);
        }
        *self = Self::default();
        Repair::Lost(broken)
    }

    /// Ends the corridor with the polygon before `step`, at the middle of the portal out of it. A corridor cannot end
    /// on a connection.
    pub(super) fn cut(&mut self, mesh: &NavMesh, step: u32) {
        let mut keep = step as usize;
        while keep > 1 && self.polys[keep - 1].is_off_mesh() {
            keep -= 1;
        }
        if let Some(out) = self.portals.get(keep - 1) {
            let end = out.middle();
            let poly = self.polys[keep - 1];
            self.end = super::path_corridor::on_ground(mesh, crate::query::PolyPoint { poly, point: end });
        }
        self.found.settled = 0;
        self.polys.truncate(keep);
        self.portals.truncate(keep - 1);
    }

    /// Ends the corridor at the agent's position.
    pub fn stop(&mut self) {
        self.found.settled = 0;
        self.polys.truncate(1);
        self.portals.clear();
        self.end = self.start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PolyFlags};
    use crate::corridor::CorridorScratch;
    use crate::corridor::test_ground::{find, place};
    use crate::mesh::{OffMeshConnection, StaleReason, TileRef};
    use crate::query::{BrokenBy, DefaultFilter};
    use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};

    fn three_tiles() -> NavMesh {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
        let tiles = (0..3).map(|x| sketch(TileCoord { x, z: 0, layer: 0 }, "aa\naa")).collect();
        NavMesh::from_tiles(layout, tiles).unwrap()
    }

    const REACH: Vec3 = Vec3::new(1.0, 1.0, 1.0);

    #[test]
    fn a_tile_that_was_replaced_ahead() {
        let mut mesh = three_tiles();
        let filter = DefaultFilter::default();
        let mut corridor = find(&mesh, (0.5, 0.5), (5.5, 0.5));
        assert!(corridor.is_valid(&mesh, u32::MAX, &filter));
        let tile = sketch(TileCoord { x: 2, z: 0, layer: 0 }, "aa\naa");
        mesh.replace_tile(TileRef::new(1, 2).unwrap(), tile).unwrap();
        assert!(corridor.is_valid(&mesh, 4, &filter) && !corridor.is_valid(&mesh, 5, &filter));
        let broken = corridor.check(&mesh, u32::MAX, &filter).unwrap();
        assert_eq!((broken.step, broken.by, broken.ahead), (4, BrokenBy::Gone(StaleReason::Replaced), 3.5));
        assert_eq!(corridor.repair(&mesh, u32::MAX, REACH, &filter), Repair::Cut(broken));
        assert_eq!((corridor.polys().len(), corridor.end().unwrap().point), (4, Vec3::new(4.0, 0.0, 0.5)));
        assert_eq!(corridor.repair(&mesh, u32::MAX, REACH, &filter), Repair::Whole);
    }

    #[test]
    fn changes_elsewhere_do_not_touch_it() {
        let mut mesh = three_tiles();
        let filter = DefaultFilter::default();
        let corridor = find(&mesh, (0.5, 0.5), (3.5, 0.5));
        let [crossed, other] = [1, 2].map(|slot| TileRef::new(1, slot).unwrap());
        let change = |mesh: &NavMesh, seen| corridor.change(mesh, &ChangeSet::since(mesh, seen), &filter);
        let seen = mesh.version().clone();
        mesh.announce(&[crossed, other]);
        let soon = change(&mesh, &seen).soon.unwrap();
        assert_eq!((soon.by, soon.ahead, corridor.soon_broken(&mesh)), (BrokenBy::Soon, 1.5, Some(soon)));
        let seen = mesh.version().clone();
        mesh.set_flags(mesh.tile(other).unwrap().reference(0), PolyFlags::NONE).unwrap();
        assert_eq!(change(&mesh, &seen), PathChange::default());
        mesh.remove_tile(crossed).unwrap();
        let gone = change(&mesh, &seen);
        assert_eq!((gone.is_touched, gone.broken), (true, corridor.check(&mesh, u32::MAX, &filter)));
        assert!(gone.broken.is_some_and(|broken| broken.ahead == 1.5));
    }

    #[test]
    fn a_connection_that_leads_nowhere_any_more() {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
        let tile = |x| sketch(TileCoord { x, z: 0, layer: 0 }, "aa\naa");
        let mut mesh = NavMesh::from_tiles(layout, vec![tile(0), tile(2)]).unwrap();
        let jump = OffMeshConnection {
            start: Vec3::new(1.5, 0.0, 0.5),
            end: Vec3::new(4.5, 0.0, 0.5),
            radius: 0.3,
            two_way: false,
            area: AreaId::WALKABLE,
            flags: PolyFlags::WALK,
            user_id: 0,
        };
        let connection = mesh.add_connection(jump).unwrap();
        let filter = DefaultFilter::default();
        let mut corridor = find(&mesh, (0.5, 0.5), (5.5, 0.5));
        assert!(corridor.polys().contains(&connection) && corridor.is_valid(&mesh, u32::MAX, &filter));
        mesh.remove_tile(TileRef::new(1, 1).unwrap()).unwrap();
        let broken = corridor.check(&mesh, u32::MAX, &filter).unwrap();
        assert_eq!((broken.poly, broken.by, broken.ahead), (connection, BrokenBy::Apart, 1.0));
        assert_eq!(corridor.repair(&mesh, u32::MAX, REACH, &filter), Repair::Cut(broken));
        assert_eq!(corridor.end().unwrap(), place(&mesh, (1.5, 0.5)));
    }

    #[test]
    fn ground_lost_under_the_agent() {
        let mut mesh = three_tiles();
        let filter = DefaultFilter::default();
        let mut corridor = find(&mesh, (0.5, 0.5), (5.5, 0.5));
        mesh.remove_tile(TileRef::new(1, 0).unwrap()).unwrap();
        let mut lost = corridor.clone();
        assert!(matches!(lost.repair(&mesh, 10, REACH, &filter), Repair::Lost(_)) && lost.polys().is_empty());
        let moved = corridor.repair(&mesh, 10, Vec3::splat(2.0), &filter);
        assert!(matches!(moved, Repair::Moved(Broken { step: 0, ahead: 0.0, .. })), "{moved:?}");
        assert_eq!(corridor.start().unwrap(), place(&mesh, (2.0, 0.5)));
    }

    #[test]
    fn a_closed_door_and_an_agent_in_it() {
        let mut mesh = three_tiles();
        let filter = DefaultFilter::default();
        let corridor = find(&mesh, (0.5, 0.5), (5.5, 0.5));
        let door = corridor.polys()[2];
        mesh.set_flags(door, PolyFlags::NONE).unwrap();
        let broken = corridor.check(&mesh, u32::MAX, &filter).unwrap();
        assert_eq!((broken.step, broken.poly, broken.by), (2, door, BrokenBy::Closed));
        assert!(find(&mesh, (0.5, 0.5), (1.5, 0.5)).is_valid(&mesh, 9, &filter));
        let within = PathCorridor::new(crate::query::PolyPoint { poly: door, point: Vec3::new(2.5, 0.0, 0.5) });
        assert!(within.is_valid(&mesh, 9, &filter), "an agent in the door may leave it");
    }

    #[test]
    fn who_is_pushed_off_a_closed_polygon_is_not_led_back_over_it() {
        let filter = DefaultFilter::default();
        let mut scratch = CorridorScratch::new();
        for is_closed in [true, false] {
            let mut mesh = three_tiles();
            let mut corridor = find(&mesh, (2.5, 0.5), (5.5, 0.5));
            let before = corridor.polys().to_vec();
            if is_closed {
                mesh.set_flags(before[0], PolyFlags::NONE).unwrap();
            }
            assert!(corridor.is_valid(&mesh, 9, &filter));
            corridor.move_start(&mesh, Vec3::new(1.5, 0.0, 0.5), &filter, &mut scratch).unwrap();
            assert_eq!(corridor.check(&mesh, u32::MAX, &filter), None);
            let behind = place(&mesh, (1.5, 0.5)).poly;
            if is_closed {
                assert_eq!((corridor.polys(), corridor.portals().len()), (&[behind][..], 0));
                assert_eq!(corridor.end().unwrap().point, Vec3::new(2.0, 0.0, 0.5));
            } else {
                assert_eq!((corridor.polys()[0], &corridor.polys()[1..]), (behind, &before[..]));
            }
        }
    }
}
