//! Checks every invariant of a mesh.
//!
//! A mesh built by this library passes. In a mesh from elsewhere, or one damaged by a bug, each fault is reported with
//! its position and a sentence that says what is wrong. Cost: about as long as building the mesh.

use super::{Connection, Link, NavMesh, PolyRef, Tile};
use crate::math::plane;
use crate::tile::{Defect, Effort, Exhausted, TileCoord};
use core::fmt;
use glam::Vec3;

/// A violated invariant of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    /// What is wrong.
    pub kind: ViolationKind,
    /// The polygon or connection at which it was found.
    pub poly: PolyRef,
    /// A position near it.
    pub position: Vec3,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ViolationKind {
    /// A polygon is itself defective.
    Defect(Defect),
    /// A link leads to a polygon that does not exist.
    DeadLink {
        /// Its target.
        to: PolyRef,
    },
    /// A link has no counterpart in the tile it leads to.
    OneSidedLink {
        /// Its target.
        to: PolyRef,
    },
    /// A polygon touches one of another tile, but neither has a link to the other.
    MissingLink {
        /// The other polygon.
        to: PolyRef,
    },
    /// A link's portal does not lie on its edge.
    LinkOffEdge {
        /// Its target.
        to: PolyRef,
        /// How far off the edge, metres.
        by: f32,
    },
    /// A tile cannot be found by its column, row and layer.
    LostTile,
    /// A tile's surface lies entirely outside the rectangle at its column and row, so it is linked to the wrong
    /// neighbours, if to any.
    Astray {
        /// How far outside, metres.
        by: f32,
    },
    /// A tile's salt differs from that of its slot, or is one that no tile may have.
    Salt {
        /// Its salt.
        salt: u16,
    },
    /// An end of an off-mesh connection is attached to a polygon that does not exist.
    DeadEnd {
        /// The polygon.
        to: PolyRef,
    },
    /// Too many border edges overlap to compare all of them.
    Crowded,
    /// A tile does not list a connection that begins on it, or lists one that does not.
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
            Self::DeadLink { .. } => "dead-link",
            Self::OneSidedLink { .. } => "one-sided-link",
            Self::MissingLink { .. } => "missing-link",
            Self::LinkOffEdge { .. } => "link-off-edge",
            Self::LostTile => "lost-tile",
            Self::Astray { .. } => "astray",
            Self::Salt { .. } => "salt",
            Self::DeadEnd { .. } => "dead-end",
            Self::Crowded => "crowded",
            Self::ConnectionList { .. } => "connection-list",
        }
    }
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Defect(defect) => defect.fmt(f),
            Self::DeadLink { to } => write!(f, "a link leads to {to}, which is not there"),
            Self::OneSidedLink { to } => write!(f, "a link leads to {to}, which does not lead back"),
            Self::MissingLink { to } => write!(f, "it touches {to}, but no link leads there or back"),
            Self::LinkOffEdge { to, by } => write!(f, "the link to {to} lies {by} m beside its edge"),
            Self::LostTile => f.write_str("its tile cannot be found by column, row and layer"),
            Self::Astray { by } => write!(f, "its tile lies {by} m outside of the rectangle at its column and row"),
            Self::Salt { salt } => write!(f, "its tile has salt {salt}, but its slot has another"),
            Self::DeadEnd { to } => write!(f, "an end holds on to {to}, which is not there"),
            Self::Crowded => f.write_str("so many border edges lie on one another that not all were compared"),
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
    /// Checks every invariant and returns the violations: tile by tile, then missing links, then connections. Empty for
    /// a sound mesh.
    #[must_use]
    pub fn check(&self) -> Vec<Violation> {
        let mut found = Vec::new();
        let lost = self.lost_tiles();
        let mut effort = Effort::for_bytes(self.tiles().map(|tile| tile.data().bytes()).sum());
        let mut crowded = None;
        for tile in self.tiles() {
            let is_lost = lost.binary_search(&tile.slot).is_ok();
            if self.check_tile(tile, is_lost, &mut effort, &mut found).is_err() {
                crowded.get_or_insert(tile);
            }
        }
        let missing = |poly, link: Link| {
            found.push(Violation { kind: ViolationKind::MissingLink { to: link.to }, poly, position: link.a });
        };
        if self.unlinked(&mut effort, missing).is_err() {
            crowded = crowded.or(self.tiles().next());
        }
        found.extend(crowded.map(|tile| {
            let kind = ViolationKind::Crowded;
            let position = tile.bounds().min;
            Violation { kind, poly: tile.base(), position }
        }));
        for connection in self.connections() {
            self.check_connection(connection, &mut found);
        }
        found
    }

    /// The slots of tiles that cannot be found by column, row and layer, in order.
    fn lost_tiles(&self) -> Vec<u32> {
        let by_place = |tile: &Tile| (tile.coord(), tile.slot);
        let mut listed: Vec<(TileCoord, u32)> = Vec::new();
        for tile in self.tiles() {
            let TileCoord { x, z, .. } = tile.coord();
            // Lists all tiles at a position when the first of them is reached.
            if self.tiles.places.first(x, z) == Some(tile.slot) {
                listed.extend(self.tiles_at(x, z).map(by_place));
            }
        }
        listed.sort_unstable();
        // Of several tiles at the same coordinates, only the first is found.
        listed.dedup_by_key(|(coord, _)| *coord);
        let is_lost = |tile: &&Tile| listed.binary_search(&by_place(tile)).is_err();
        self.tiles().filter(is_lost).map(|tile| tile.slot).collect()
    }

    fn check_tile(
        &self,
        tile: &Tile,
        is_lost: bool,
        effort: &mut Effort,
        found: &mut Vec<Violation>,
    ) -> Result<(), Exhausted> {
        let place = tile.bounds().min;
        let mut report = |poly, position, kind| found.push(Violation { kind, poly, position });
        let salt = self.tiles.slots.salt(tile.slot);
        if tile.salt == 0 || salt != tile.salt {
            report(tile.base(), place, ViolationKind::Salt { salt: tile.salt });
        }
        if is_lost {
            report(tile.base(), place, ViolationKind::LostTile);
        }
        let by = self.layout.gap(tile.coord(), &tile.bounds());
        if by > 0.0 {
            report(tile.base(), place, ViolationKind::Astray { by });
        }
        tile.data().defects(|poly, at, defect| report(tile.reference(poly), at, ViolationKind::Defect(defect)));
        for link in tile.links().connections() {
            let known = self.connection(link.to).ok().and_then(|c| c.passage(link.end));
            let reference = tile.reference(link.poly.min(PolyRef::POLYS - 1));
            if known.is_none_or(|[entered, _]| entered.poly != reference) {
                report(reference, place, ViolationKind::ConnectionList { end: link.end });
            }
        }
        for (number, link) in tile.links().numbered() {
            let poly = tile.data().border_edges()[number as usize].poly;
            effort.spend(1 + self.links_back(tile, poly, &link).len())?;
            if let Some(kind) = self.check_link(tile, (number, poly), &link) {
                report(tile.reference(poly), link.a, kind);
            }
        }
        Ok(())
    }

    /// The links that may be the counterpart of one from a polygon of a tile.
    fn links_back(&self, tile: &Tile, poly: u32, link: &Link) -> &[Link] {
        self.locate(link.to).map_or(&[], |(other, _)| other.links().over_to(link.there, tile.reference(poly)))
    }

    /// Checks a link over a border edge of a tile, given the edge's number and polygon.
    fn check_link(&self, tile: &Tile, (number, poly): (u32, u32), portal: &Link) -> Option<ViolationKind> {
        let to = portal.to;
        if self.locate(to).is_err() {
            return Some(ViolationKind::DeadLink { to });
        }
        let leads_back = |back: &Link| back.there == number && back.a == portal.b && back.b == portal.a;
        if !self.links_back(tile, poly, portal).iter().any(leads_back) {
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
            // An end that is not attached waits for a tile to be added: no fault.
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
