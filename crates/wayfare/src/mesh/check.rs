//! Every invariant of a mesh, looked at one by one.
//!
//! A mesh that was built by this library passes; what comes from elsewhere, or from a bug, is found here with its place
//! and a sentence that says what is wrong. Cost: about as long as building the mesh.

use super::{Connection, NavMesh, PolyRef, Portal, Tile};
use crate::math::plane;
use crate::tile::{Defect, TileError};
use core::fmt;
use glam::Vec3;

/// Something that is wrong with a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    /// What.
    pub kind: ViolationKind,
    /// The polygon or connection that it was found at.
    pub poly: PolyRef,
    /// A place near it.
    pub position: Vec3,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ViolationKind {
    /// A polygon has a defect of its own.
    Defect(Defect),
    /// The tile's arrays do not fit together.
    Unsound(TileError),
    /// A link leads to a polygon that is not there.
    DeadLink {
        /// Where it leads.
        to: PolyRef,
    },
    /// A link has no counterpart in the tile it leads to.
    OneSidedLink {
        /// Where it leads.
        to: PolyRef,
    },
    /// A polygon touches one of another tile, and neither has a link to the other.
    MissingLink {
        /// The other polygon.
        to: PolyRef,
    },
    /// A link's stretch does not lie on its edge.
    LinkOffEdge {
        /// Where it leads.
        to: PolyRef,
        /// How far beside the edge, metres.
        by: f32,
    },
    /// A tile cannot be found by its column, row and layer.
    LostTile,
    /// All of a tile's ground lies outside of the rectangle at its column and row: it is linked to the wrong
    /// neighbours, if to any.
    Astray {
        /// How far outside, metres.
        by: f32,
    },
    /// A tile stands in a slot with another salt, or has a salt that no tile may have.
    Salt {
        /// Its salt.
        salt: u16,
    },
    /// An end of an off-mesh connection holds on to a polygon that is not there.
    DeadEnd {
        /// The polygon.
        to: PolyRef,
    },
    /// A tile does not know of a connection that begins on it, or knows of one that does not.
    ConnectionList {
        /// The end concerned, 0 or 1.
        end: u32,
    },
}

impl ViolationKind {
    /// A short name, for lists and counts.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Defect(defect) => defect.kind(),
            Self::Unsound(_) => "unsound",
            Self::DeadLink { .. } => "dead-link",
            Self::OneSidedLink { .. } => "one-sided-link",
            Self::MissingLink { .. } => "missing-link",
            Self::LinkOffEdge { .. } => "link-off-edge",
            Self::LostTile => "lost-tile",
            Self::Astray { .. } => "astray",
            Self::Salt { .. } => "salt",
            Self::DeadEnd { .. } => "dead-end",
            Self::ConnectionList { .. } => "connection-list",
        }
    }
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Defect(defect) => defect.fmt(f),
            Self::Unsound(error) => error.fmt(f),
            Self::DeadLink { to } => write!(f, "a link leads to {to}, which is not there"),
            Self::OneSidedLink { to } => write!(f, "a link leads to {to}, which does not lead back"),
            Self::MissingLink { to } => write!(f, "it touches {to}, but no link leads there or back"),
            Self::LinkOffEdge { to, by } => write!(f, "the link to {to} lies {by} m beside its edge"),
            Self::LostTile => f.write_str("its tile cannot be found by column, row and layer"),
            Self::Astray { by } => write!(f, "its tile lies {by} m outside of the rectangle at its column and row"),
            Self::Salt { salt } => write!(f, "its tile has salt {salt}, but its slot has another"),
            Self::DeadEnd { to } => write!(f, "an end holds on to {to}, which is not there"),
            Self::ConnectionList { end } => {
                write!(f, "the tile at its {} does not list it rightly", if *end == 0 { "start" } else { "end" })
            }
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.position.to_array();
        write!(f, "{} at ({x}, {y}, {z}): {}", self.poly, self.kind)
    }
}

impl NavMesh {
    /// Looks at every invariant and returns what is violated, tile by tile, connections last. Empty for a mesh that is
    /// as it should be.
    #[must_use]
    pub fn check(&self) -> Vec<Violation> {
        let mut found = Vec::new();
        for tile in self.tiles() {
            self.check_tile(tile, &mut found);
        }
        for connection in self.connections() {
            self.check_connection(connection, &mut found);
        }
        found
    }

    fn check_tile(&self, tile: &Tile, found: &mut Vec<Violation>) {
        let place = tile.bounds().min;
        let mut report = |poly, position, kind| found.push(Violation { kind, poly, position });
        if let Err(error) = tile.data().validate() {
            return report(tile.base(), place, ViolationKind::Unsound(error));
        }
        let salt = self.slots.get(tile.slot).map_or(0, |slot| slot.salt);
        if tile.salt == 0 || salt != tile.salt {
            report(tile.base(), place, ViolationKind::Salt { salt: tile.salt });
        }
        if self.tile_at(tile.coord()).is_none_or(|there| there.slot != tile.slot) {
            report(tile.base(), place, ViolationKind::LostTile);
        }
        let by = self.layout.gap(tile.coord(), &tile.bounds());
        if by > 0.0 {
            report(tile.base(), place, ViolationKind::Astray { by });
        }
        tile.data().defects(|poly, at, defect| report(tile.reference(poly), at, ViolationKind::Defect(defect)));
        for poly in 0..tile.poly_count() {
            for portal in tile.portals(poly).filter(|portal| portal.to.slot() != tile.slot()) {
                if let Some(kind) = self.check_link(tile, poly, &portal) {
                    report(tile.reference(poly), portal.a, kind);
                }
            }
        }
        self.unlinked(tile, |poly, link| report(poly, link.a, ViolationKind::MissingLink { to: link.to }));
        for link in tile.links().connections() {
            let known = self.connection(link.to).ok().and_then(|c| c.passage(link.end));
            let reference = tile.reference(link.poly.min(PolyRef::POLYS - 1));
            if known.is_none_or(|[entered, _]| entered.poly != reference) {
                report(reference, place, ViolationKind::ConnectionList { end: link.end });
            }
        }
    }

    fn check_link(&self, tile: &Tile, poly: u32, portal: &Portal) -> Option<ViolationKind> {
        let to = portal.to;
        let Ok((other, beyond)) = self.locate(to) else { return Some(ViolationKind::DeadLink { to }) };
        let here = tile.reference(poly);
        if !other.portals(beyond).any(|back| back.to == here && back.a == portal.b && back.b == portal.a) {
            return Some(ViolationKind::OneSidedLink { to });
        }
        let [a, b] = tile.data().edge(poly, portal.edge);
        let beside = |p: Vec3| crate::math::segment::point_distance_squared(p, a, b).sqrt();
        let by = beside(portal.a).max(beside(portal.b));
        let tolerance = (a.x.abs().max(a.z.abs()) * (8.0 * f32::EPSILON)).max(2e-4);
        let ordered = plane::distance_squared(a, portal.a) <= plane::distance_squared(a, portal.b);
        (by > tolerance || !ordered).then_some(ViolationKind::LinkOffEdge { to, by })
    }

    fn check_connection(&self, connection: &Connection, found: &mut Vec<Violation>) {
        let poly = connection.reference();
        for (end, (ground, position)) in (0u32..).zip(connection.ends().into_iter().zip(connection.points())) {
            let mut report = |kind| found.push(Violation { kind, poly, position });
            // An end without ground waits for a tile to come: no fault.
            let Some(ground) = ground else { continue };
            let Ok((tile, at)) = self.locate(ground.poly) else {
                report(ViolationKind::DeadEnd { to: ground.poly });
                continue;
            };
            let listed = tile.links().connections_of(at).iter().any(|l| l.end == end && l.to == poly);
            if listed != connection.passage(end).is_some() {
                report(ViolationKind::ConnectionList { end });
            }
        }
    }
}
