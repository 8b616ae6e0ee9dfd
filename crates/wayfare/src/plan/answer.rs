//! Identifiers of path requests, and their answers.
//!
//! Sources: none needed.

use crate::math::index::{slot_from_bits, slot_to_bits};
use crate::mesh::{NavMesh, StaleRef};
use crate::query::{Broken, BrokenBy, PolyPath, QueryFilter};

/// Identifies a request of a [`PathQueue`](super::PathQueue). It is invalid once its answer was taken or the request
/// was cancelled, even if another request has taken its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

impl RequestId {
    /// The id as a number, to store it or to pass it to another language; never 0.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        slot_to_bits(self.index, self.generation)
    }

    /// The id of a number from [`to_bits`](Self::to_bits). `None` for numbers that it never returns, such as 0. For any
    /// other number, the request may be gone, or may never have existed.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        match slot_from_bits(bits) {
            Some((index, generation)) => Some(Self { index, generation }),
            None => None,
        }
    }

    /// Its index among the requests: small, and reused by later ones.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// The request was cancelled, its answer was taken, or it belongs to another queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("request {} is not in the queue (any more): its answer was taken or it was cancelled", id.index)]
pub struct UnknownRequest {
    /// The request.
    pub id: RequestId,
}

/// The progress of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestState {
    /// Nothing has been done for it yet.
    Waiting,
    /// Its search is in progress.
    Searching,
    /// The answer can be taken.
    Done,
}

/// The answer to a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathAnswer {
    /// The path: all its polygons are in the mesh of the step in which the search ended.
    pub path: PolyPath,
    /// The reference that was no longer in that mesh, if there was one: the path ends before it. With an empty path it
    /// is the start or the goal of the request.
    pub stale: Option<StaleRef>,
    /// Whether the mesh has changed during the search: another path may now be better, polygons of this one may be
    /// closed ([`PolyPath::check`]), and if no path was found there may be one now.
    pub is_outdated: bool,
    /// Where a change of the mesh during the search has broken the path, and how far ahead: at what is
    /// [stale](Self::stale), where the path now ends; or at a polygon that the filter now blocks, which is still part
    /// of it.
    pub broken: Option<Broken>,
    /// The first polygon of the path on a tile [announced](NavMesh::announce) to be replaced or removed.
    pub soon: Option<Broken>,
}

impl PathAnswer {
    /// Checks the path, which has been cut before what is stale, against the current mesh.
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
