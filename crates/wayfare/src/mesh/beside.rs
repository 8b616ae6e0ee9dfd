//! What modules above keep beside a mesh: derived once for all snapshots of a version, and kept up from one version to
//! the next.
//!
//! Many threads hold snapshots of one mesh, and most searches need what is derived from all of it (which components of
//! it are connected). If each search held its own, each thread would derive it, and a single question would derive it
//! anew. So a mesh has a place where such things stand; what they are it does not know.
//!
//! ```text
//!   version a ── [ components ]         version b ── [ next(components): what they were, nothing derived yet ]
//! ```
//!
//! Cost: a look-up is two loads and a comparison of types.
//!
//! Sources: none needed.

use super::feed::Feed;
use super::once::once;
use core::any::Any;
use core::fmt::Debug;
use std::sync::{Arc, OnceLock};

/// Something that stands beside the versions of a mesh. What it has derived of a version holds the
/// [name](NavMesh::version) of that; then the next change makes a new version.
pub(crate) trait KeptBeside: Any + Debug + Send + Sync {
    /// What stands beside the next version: it may keep what was derived of this one, to be brought up to date by the
    /// [feed](NavMesh::changes_since) when somebody asks; what the feed does not know any more it lets go.
    fn next(&self, feed: &Feed) -> Arc<dyn KeptBeside>;
}

/// The things beside one version, shared by its snapshots. A list, of which each thing is added by the first that looks
/// for one of its type.
#[derive(Clone, Debug, Default)]
pub(super) struct BesideVersion(Arc<OnceLock<ThingBeside>>);

/// One of them.
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

    /// The same list of what `change` makes of each thing.
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

    /// The things beside the next version.
    #[must_use]
    pub(super) fn next(&self, feed: &Feed) -> Self {
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
        fn next(&self, _: &Feed) -> Arc<dyn KeptBeside> {
            Arc::new(Self(self.0 + 1))
        }
    }

    impl KeptBeside for Doubled {
        fn next(&self, _: &Feed) -> Arc<dyn KeptBeside> {
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
