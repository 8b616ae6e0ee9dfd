//! An off-mesh connection: its definition, and the polygons its ends are attached to.
//!
//! Sources: off-mesh connections are Detour's.

use super::{PolyPoint, PolyRef, PolyState};
use crate::area::{AreaId, PolyFlags};
use glam::Vec3;

/// The definition of a connection, independent of what it currently connects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffMeshConnection {
    /// Where it begins.
    pub start: Vec3,
    /// Where it ends.
    pub end: Vec3,
    /// How far the surface may be from its ends, measured horizontally; metres, 0 or above. The vertical limit is the
    /// climb of the tile's agent or that agent's radius, whichever is larger.
    pub radius: f32,
    /// Whether it can also be used from its end to its start.
    pub two_way: bool,
    /// Area type.
    pub area: AreaId,
    /// Abilities needed to use it.
    pub flags: PolyFlags,
    /// A number for the caller's own use.
    pub user_id: u32,
}

impl OffMeshConnection {
    pub(crate) fn state(&self) -> PolyState {
        PolyState { flags: self.flags, area: self.area }
    }
}

/// A connection of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Connection {
    pub(super) definition: OffMeshConnection,
    pub(super) reference: PolyRef,
    pub(super) ends: [Option<PolyPoint>; 2],
    pub(super) state: PolyState,
}

impl Connection {
    /// Its reference.
    #[must_use]
    pub fn reference(&self) -> PolyRef {
        self.reference
    }

    /// Its definition, as it was added.
    #[must_use]
    pub fn definition(&self) -> &OffMeshConnection {
        &self.definition
    }

    /// Its current area type and flags.
    #[must_use]
    pub fn state(&self) -> PolyState {
        self.state
    }

    /// Area type and flags it was added with.
    pub(crate) fn original_state(&self) -> PolyState {
        self.definition.state()
    }

    /// Where its start and its end are attached to the mesh, if they are.
    #[must_use]
    pub fn ends(&self) -> [Option<PolyPoint>; 2] {
        self.ends
    }

    /// Where its start and its end are attached to the mesh, or else the positions of its definition.
    #[must_use]
    pub fn points(&self) -> [Vec3; 2] {
        let places = [self.definition.start, self.definition.end];
        [0, 1].map(|k| self.ends[k].map_or(places[k], |end| end.point))
    }

    /// Both ends, starting with the one at which it is entered (0: start, 1: end). `None` if an end is not attached, or
    /// if the connection may not be used in that direction.
    #[must_use]
    pub fn passage(&self, end: u32) -> Option<[PolyPoint; 2]> {
        let [start, other] = [self.ends[0]?, self.ends[1]?];
        match end {
            0 => Some([start, other]),
            1 if self.definition.two_way => Some([other, start]),
            _ => None,
        }
    }

    /// Both ends for an agent that enters from polygon `from`, starting with the end where it enters.
    #[must_use]
    pub fn passage_from(&self, from: PolyRef) -> Option<[PolyPoint; 2]> {
        [0, 1].into_iter().filter_map(|end| self.passage(end)).find(|[entered, _]| entered.poly == from)
    }
}

/// A connection that cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AddConnectionError {
    /// An end is not finite.
    #[error("an end of the connection is not finite")]
    NotFinite,
    /// The radius is negative or not finite.
    #[error("the connection's radius is {radius}, but must be finite, 0 or above")]
    Radius {
        /// The radius.
        radius: f32,
    },
    /// The requested index or salt is taken or does not exist.
    #[error(
        "connection {index} with salt {salt} is taken or out of range: there are {}, salts are 1 or more",
        PolyRef::POLYS
    )]
    Slot {
        /// The index.
        index: u32,
        /// The salt.
        salt: u16,
    },
    /// The requested index is much higher than the number of indices in use allows.
    #[error(
        "connection {index} is too high for so few: tables grow with the highest index, which must be below {limit} here; use lower ones, or add connections there first"
    )]
    IndexFar {
        /// The index.
        index: u32,
        /// Indices must be below this one.
        limit: u32,
    },
    /// All references are taken.
    #[error("a mesh holds at most {} off-mesh connections", PolyRef::POLYS)]
    Full,
    /// So many polygons lie near the ends of the connections that attaching them takes far more work than a mesh of
    /// that size justifies.
    #[error(
        "so much ground lies around the ends of connections that finding it takes more than {limit} steps: use smaller radii, and leave out polygons that lie on others"
    )]
    Crowded {
        /// Number of steps allowed; it depends on the size of the mesh.
        limit: u64,
    },
}
