//! Finds what changes of the mesh do to a path: where it is broken, where it soon will be, and how far ahead.
//!
//! A path is examined only if it crosses something that has changed. So code that holds many paths reads the feed once,
//! and for most paths only the tiles of their polygons are looked up.
//!
//! ```text
//!   changes since [ s1:t4 gone, s1:t7 announced ]
//!   ● [ t3 ][ t3 ][ t4 ][ t5 ][ t7 ] ● end       broken: 12 m ahead, gone      soon: 31 m ahead
//!   ● [ t3 ][ t2 ] ● end                         neither, and no polygon was looked up
//! ```
//!
//! Cost: a binary search in the changes for each polygon of the path; a look-up for each only if one is touched.
//!
//! Sources: Mikko Mononen, "On Navigation Robustness", Digesting Duck, September 2010.

use super::path_check::distance_along;
use super::{Broken, BrokenBy, PolyPath, QueryFilter, first_broken};
use crate::math::funnel::Portal;
use crate::mesh::{ChangeSet, NavMesh, PolyRef};
use glam::Vec3;

/// The effect of mesh changes on a path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PathChange {
    /// Whether the path crosses anything that has changed, broken or not: another path may now be cheaper.
    pub is_touched: bool,
    /// The first polygon that can no longer be walked.
    pub broken: Option<Broken>,
    /// The first polygon on a tile that will be replaced or removed soon ([`BrokenBy::Soon`]), if the path crosses one
    /// that was announced among these changes.
    pub soon: Option<Broken>,
}

impl PolyPath {
    /// The effect of mesh changes on this path.
    ///
    /// ```
    /// use wayfare::area::PolyFlags;
    /// use wayfare::mesh::{ChangeSet, NavMesh};
    /// use wayfare::query::{BrokenBy, DefaultFilter, PathRequest, SearchScratch, find_nearest, find_path};
    /// # use wayfare::input::{AgentSettings, TriMesh};
    /// # use wayfare::Vec3;
    /// # let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0]].map(Vec3::from);
    /// # let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    /// # let mut mesh = NavMesh::bake(&level, &AgentSettings::default()).unwrap();
    /// let filter = DefaultFilter::default();
    /// # let place = |x, z| find_nearest(&mesh, Vec3::new(x, 0.0, z), Vec3::ONE, &filter).unwrap().place();
    /// # let request = PathRequest::new(place(2.0, 2.0), place(18.0, 18.0));
    /// let path = find_path(&mesh, &request, &filter, &mut SearchScratch::new()).unwrap();
    /// let seen = mesh.version().clone();
    ///
    /// // Somebody says that a tile will be rebuilt.
    /// let tile = mesh.tiles().next().unwrap().tile_ref();
    /// mesh.announce(&[tile]);
    ///
    /// // Once a tick: all paths are held against the same changes.
    /// let changes = ChangeSet::since(&mesh, &seen);
    /// let change = path.change(&mesh, &changes, &filter);
    /// assert_eq!((change.is_touched, change.broken), (false, None), "nothing has changed yet");
    /// let soon = change.soon.unwrap();
    /// assert_eq!((soon.by, soon.ahead), (BrokenBy::Soon, 0.0));
    /// ```
    #[must_use]
    pub fn change<F: QueryFilter + ?Sized>(&self, mesh: &NavMesh, changes: &ChangeSet, filter: &F) -> PathChange {
        change_of(mesh, (&self.polys, &self.portals), self.start, changes, filter)
    }

    /// The first polygon of the path on a tile [announced](NavMesh::announce) to be replaced or removed; `None` if
    /// there is none. Unlike [`change`](Self::change), this considers all announcements, however old.
    #[must_use]
    pub fn soon_broken(&self, mesh: &NavMesh) -> Option<Broken> {
        first_announced(mesh, (&self.polys, &self.portals), self.start)
    }
}

/// The effect of changes on polygons joined by these portals, for a path that begins at `start`.
pub(crate) fn change_of<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    (polys, portals): (&[PolyRef], &[Portal]),
    start: Vec3,
    changes: &ChangeSet,
    filter: &F,
) -> PathChange {
    let is_touched = changes.touches_any(polys);
    let is_announced = changes.is_unknown() || changes.announces_any(polys);
    PathChange {
        is_touched,
        broken: is_touched.then(|| first_broken(mesh, (polys, portals), start, filter)).flatten(),
        soon: is_announced.then(|| first_announced(mesh, (polys, portals), start)).flatten(),
    }
}

/// The first of some polygons whose tile will be replaced or removed soon.
pub(crate) fn first_announced(
    mesh: &NavMesh,
    (polys, portals): (&[PolyRef], &[Portal]),
    start: Vec3,
) -> Option<Broken> {
    if !mesh.has_announced() {
        return None;
    }
    let is_announced = |poly: &PolyRef| poly.tile().is_some_and(|tile| mesh.is_announced(tile));
    let step = polys.iter().position(is_announced)?;
    let ahead = distance_along(start, &portals[..step.min(portals.len())]);
    Some(Broken { step: step as u32, poly: polys[step], by: BrokenBy::Soon, ahead })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::PolyFlags;
    use crate::math::index::TileSlot;
    use crate::mesh::StaleReason;
    use crate::query::test_maps::{at, mesh};
    use crate::query::{DefaultFilter, PathRequest, SearchScratch, find_path};
    use crate::tile::{TileCoord, test_sketch::sketch};

    #[test]
    fn only_what_a_path_crosses_touches_it() {
        let mut mesh = mesh(&[((0, 0), "aaaa"), ((1, 0), "aaaa"), ((2, 0), "aaaa")]);
        let filter = DefaultFilter::default();
        let ask = PathRequest::new(at(&mesh, (0.5, 0.5)).unwrap(), at(&mesh, (7.5, 0.5)).unwrap());
        let path = find_path(&mesh, &ask, &filter, &mut SearchScratch::new()).unwrap();
        let tiles = [0, 1, 2].map(|slot| mesh.tile_in(TileSlot::new(slot)).unwrap().tile_ref());
        let seen = mesh.version().clone();
        let change = |mesh: &NavMesh, seen| path.change(mesh, &ChangeSet::since(mesh, seen), &filter);
        assert_eq!(change(&mesh, &seen), PathChange::default());

        mesh.announce(&tiles[1..]);
        let soon = change(&mesh, &seen).soon.unwrap();
        assert_eq!((soon.step, soon.by, soon.ahead), (4, BrokenBy::Soon, 3.5));
        assert_eq!(path.soon_broken(&mesh), Some(soon));
        let announced = mesh.version().clone();
        assert_eq!(change(&mesh, &announced), PathChange::default(), "told once");

        // Beyond the path: nothing is touched.
        mesh.replace_tile(tiles[2], sketch(TileCoord { x: 2, z: 0, layer: 0 }, "a..a")).unwrap();
        let beyond = change(&mesh, &announced);
        assert_eq!((beyond.broken, beyond.soon), (None, None));

        let seen = mesh.version().clone();
        mesh.set_flags(path.polys[6], PolyFlags::NONE).unwrap();
        let closed = change(&mesh, &seen).broken.unwrap();
        assert_eq!((closed.by, closed.ahead), (BrokenBy::Closed, 5.5));
        mesh.replace_tile(tiles[1], sketch(TileCoord { x: 1, z: 0, layer: 0 }, "aaaa")).unwrap();
        let gone = change(&mesh, &seen);
        let broken = gone.broken.unwrap();
        assert_eq!((broken.step, broken.by, broken.ahead), (4, BrokenBy::Gone(StaleReason::Replaced), 3.5));
        assert_eq!(
            (path.soon_broken(&mesh), mesh.is_announced(tiles[1])),
            (None, false),
            "what was announced has come"
        );
    }

    #[test]
    fn what_was_announced_may_be_withdrawn() {
        let mut mesh = mesh(&[((0, 0), "aa"), ((1, 0), "aa")]);
        let tiles = [0, 1].map(|slot| mesh.tile_in(TileSlot::new(slot)).unwrap().tile_ref());
        mesh.announce(&tiles);
        let snapshot = mesh.clone();
        mesh.withdraw(&tiles[..1]);
        assert_eq!(tiles.map(|tile| mesh.is_announced(tile)), [false, true]);
        assert_eq!(tiles.map(|tile| snapshot.is_announced(tile)), [true, true]);
        mesh.remove_tile(tiles[1]).unwrap();
        assert!(!mesh.has_announced());
    }

    #[test]
    fn of_another_mesh_anything_may_have_changed() {
        let other = mesh(&[((0, 0), "aa"), ((1, 0), "aa")]);
        let mesh = mesh(&[((0, 0), "aa")]);
        let filter = DefaultFilter::default();
        let ask = PathRequest::new(at(&other, (0.5, 0.5)).unwrap(), at(&other, (3.5, 0.5)).unwrap());
        let path = find_path(&other, &ask, &filter, &mut SearchScratch::new()).unwrap();
        let changes = ChangeSet::since(&mesh, other.version());
        assert!(changes.is_unknown() && changes.has_changes());
        assert_eq!(path.change(&mesh, &changes, &filter).broken.unwrap().step, 2);
    }
}
