//! Names of path requests, and the answers to them.
//!
//! Sources: none needed.

use crate::mesh::{NavMesh, StaleRef};
use crate::query::{Broken, BrokenBy, PolyPath, QueryFilter};

/// Names a request of a [`PathQueue`](super::PathQueue). It means nothing any more once its answer was taken or it
/// was cancelled, also when another request has taken its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

impl RequestId {
    /// Its place among the requests: small, and used again by others later.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// A request was cancelled or its answer taken, or it is one of another queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("request {} is not in the queue (any more): its answer was taken or it was cancelled", id.index)]
pub struct UnknownRequest {
    /// The request.
    pub id: RequestId,
}

/// How far a request has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestState {
    /// Nothing has been done for it.
    Waiting,
    /// Its search is under way.
    Searching,
    /// The answer can be taken.
    Done,
}

/// The answer to a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathAnswer {
    /// The path: every polygon of it is in the mesh of the step in which the search ended.
    pub path: PolyPath,
    /// What was no longer in that mesh, if anything was: the path ends before it. With an empty path it is the start or
    /// the goal of the request.
    pub stale: Option<StaleRef>,
    /// Whether the mesh has changed while the search was under way: by now another path may be better, polygons of this
    /// one may be closed ([`PolyPath::check`]), and that no path was found is not certain any more.
    pub is_outdated: bool,
    /// What a change of the mesh meanwhile has broken of the path that was found, and how far ahead: what is
    /// [stale](Self::stale), where the path ends now; or what the filter lets nobody into any more, which is still part
    /// of it.
    pub broken: Option<Broken>,
    /// The first polygon of the path on a tile that is [about](NavMesh::announce) to be replaced or removed.
    pub soon: Option<Broken>,
}

impl PathAnswer {
    /// Holds the path, which has been cut before what is stale, against the mesh as it is.
    pub(super) fn compare_with<F: QueryFilter + ?Sized>(&mut self, mesh: &NavMesh, filter: &F) {
        let path = &self.path;
        self.soon = path.soon_broken(mesh);
        let gone = |stale: StaleRef| Broken {
            step: path.polys.len() as u32,
            poly: stale.reference,
            by: BrokenBy::Gone(stale.reason),
            ahead: path.length_over_portals(),
        };
        let closed = if self.is_outdated { path.check(mesh, filter) } else { None };
        self.broken = closed.or(self.stale.map(gone));
    }
}
