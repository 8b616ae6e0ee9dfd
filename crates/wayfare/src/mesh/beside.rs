//! Data that other modules derive from a mesh and store with it: derived once per version, shared by all snapshots of
//! that version, and carried over to the next version.
//!
//! Many threads hold snapshots of one mesh, and most searches need data derived from the whole of it (such as its
//! connected components). If each search kept its own copy, each thread would derive it again, and so would each single
//! query. So a mesh has a place to store such data without knowing what it is.
//!
//! ```text
//!   version a ── [ components ]         version b ── [ next(components): what they were, nothing derived yet ]
//! ```
//!
//! Cost: a look-up is two loads and a comparison of types.
//!
//! Sources: none needed.

use super::change_feed::ChangeFeed;
use super::once::once;
use core::any::Any;
use core::fmt::Debug;
use std::sync::{Arc, OnceLock};

/// Derived data stored with the versions of a mesh. Data derived from a version remembers that version's
/// [name](super::NavMesh::version), which makes the next change start a new version.
pub(crate) trait KeptBeside: Any + Debug + Send + Sync {
    /// The data for the next version. It may keep what was derived from this one and bring it up to date from the
    /// [feed](super::NavMesh::changes_since) when it is next read; what the feed no longer covers is dropped.
    fn next(&self, feed: &ChangeFeed) -> Arc<dyn KeptBeside>;
}

/// The data stored with one version, shared by its snapshots. A list: each kind of data is added by the first reader
/// that looks for its type.
#[derive(Clone, Debug, Default)]
pub(super) struct BesideVersion(Arc<OnceLock<ThingBeside>>);

/// One entry.
pub(super) type Thing = Arc<dyn KeptBeside>;

#[derive(Debug)]
struct ThingBeside {
    thing: Thing,
    others: OnceLock<Box<ThingBeside>>,
}

impl ThingBeside {
    fn new(thing: Thing) -> Self {
        Self { thing, others: OnceLock::new() }
    }

    #[inline]
    pub(super) fn find<T: KeptBeside + Default>(&self) -> &T {
        let thing: &dyn Any = &*self.thing;
        match thing.downcast_ref() {
            Some(thing) => thing,
            None => once(&self.others, || Box::new(Self::new(Arc::new(T::default())))).find(),
        }
    }

    /// The list with `change` applied to each entry.
    fn map(&self, change: &mut dyn FnMut(&Thing) -> Thing) -> Self {
        let thing = change(&self.thing);
        let others = self.others.get().map_or_else(OnceLock::new, |others| Box::new(others.map(change)).into());
        Self { thing, others }
    }
}

impl BesideVersion {
    #[inline]
    pub(super) fn find<T: KeptBeside + Default>(&self) -> &T {
        once(&self.0, || ThingBeside::new(Arc::new(T::default()))).find()
    }

    /// The list for the next version.
    #[must_use]
    pub(super) fn next(&self, feed: &ChangeFeed) -> Self {
        self.map(&mut |thing| thing.next(feed))
    }

    pub(super) fn map(&self, change: &mut dyn FnMut(&Thing) -> Thing) -> Self {
        Self(self.0.get().map_or_else(Arc::default, |entry| Arc::new(entry.map(change).into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::NavMesh;
    use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};
    use glam::Vec3;

    /// How many versions have gone by.
    #[derive(Debug, Default)]
    struct Versions(u32);

    #[derive(Debug, Default)]
    struct Doubled(u32);

    impl KeptBeside for Versions {
        fn next(&self, _: &ChangeFeed) -> Arc<dyn KeptBeside> {
            Arc::new(Self(self.0 + 1))
        }
    }

    impl KeptBeside for Doubled {
        fn next(&self, _: &ChangeFeed) -> Arc<dyn KeptBeside> {
            Arc::new(Self(self.0 * 2))
        }
    }

    #[test]
    fn things_of_several_types_follow_the_versions_and_snapshots_keep_theirs() {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
        let mut mesh = NavMesh::new(layout);
        assert_eq!(mesh.beside::<Versions>().0, 0);
        mesh.set_beside(Doubled(3));
        let snapshot = mesh.clone();
        assert!(core::ptr::eq(mesh.beside::<Doubled>(), snapshot.beside::<Doubled>()));
        mesh.add_tile(sketch(TileCoord::default(), "aa\naa")).unwrap();
        assert_eq!((mesh.beside::<Versions>().0, mesh.beside::<Doubled>().0), (1, 6));
        assert_eq!((snapshot.beside::<Versions>().0, snapshot.beside::<Doubled>().0), (0, 3));
        mesh.set_beside(Versions(9));
        assert_eq!((mesh.beside::<Versions>().0, mesh.beside::<Doubled>().0), (9, 6));
    }
}
