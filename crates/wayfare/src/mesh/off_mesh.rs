//! Off-mesh connections: jumps, ladders, teleports — ways that do not lie on the ground.
//!
//! A connection joins two places anywhere in the mesh. It belongs to the mesh, not to a tile, and has a reference of
//! its own in a reserved slot, so that searches and corridors treat it as a polygon. Each end holds on to the polygon
//! nearest to it within the connection's radius; as tiles come and go the ends are looked up anew, so a connection
//! survives the tiles at its ends. It can be used while both ends have ground.
//!
//! ```text
//!   start x- - - - - - - - - - -> x end         o: radius
//!       (o)                      (o)
//!   ===poly 3===            ======poly 8=====
//! ```
//!
//! Cost: adding or removing a tile looks at the connections with an end near it.
//!
//! Sources: off-mesh connections are Detour's, and what an end holds on to is decided as there; that it may be any
//! distance away is ours.

use super::slot::{Slot, connection_limit};
use super::{ConnectionLink, NavMesh, PolyPoint, PolyRef, PolyState, StaleRef, Tile};
use crate::area::{AreaId, PolyFlags};
use crate::math::rounding::slack;
use crate::math::{Aabb, plane};
use crate::tile::{Around, Effort, Exhausted, TileData};
use glam::Vec3;
use std::sync::Arc;

/// What a connection is, whatever it currently connects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffMeshConnection {
    /// Where it begins.
    pub start: Vec3,
    /// Where it ends.
    pub end: Vec3,
    /// How far from its ends, on the plane, the ground may be; metres, 0 or above. Above and below them it may be as
    /// far as the agent of the tile climbs, and at least by that agent's radius.
    pub radius: f32,
    /// Whether it can be used from its end to its start as well.
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
    definition: OffMeshConnection,
    reference: PolyRef,
    ends: [Option<PolyPoint>; 2],
    pub(super) state: PolyState,
}

impl Connection {
    /// Its reference.
    #[must_use]
    pub fn reference(&self) -> PolyRef {
        self.reference
    }

    /// What it was added as.
    #[must_use]
    pub fn definition(&self) -> &OffMeshConnection {
        &self.definition
    }

    /// Area type and flags now.
    #[must_use]
    pub fn state(&self) -> PolyState {
        self.state
    }

    /// Area type and flags it was added with.
    pub(crate) fn original_state(&self) -> PolyState {
        self.definition.state()
    }

    /// Where its start and its end meet the ground, if they do.
    #[must_use]
    pub fn ends(&self) -> [Option<PolyPoint>; 2] {
        self.ends
    }

    /// Where its start and its end meet the ground, or the places it was added with.
    #[must_use]
    pub fn points(&self) -> [Vec3; 2] {
        let places = [self.definition.start, self.definition.end];
        [0, 1].map(|k| self.ends[k].map_or(places[k], |end| end.point))
    }

    /// Both ends, entered at `end` (0: start, 1: end) first; `None` if an end has no ground, or if it may not be used
    /// that way.
    #[must_use]
    pub fn passage(&self, end: u32) -> Option<[PolyPoint; 2]> {
        let [start, other] = [self.ends[0]?, self.ends[1]?];
        match end {
            0 => Some([start, other]),
            1 if self.definition.two_way => Some([other, start]),
            _ => None,
        }
    }

    /// The way through it for an agent that comes from polygon `from`.
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
    /// The index or salt asked for is taken or does not exist.
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
    /// The index asked for is much higher than the mesh has indices in use.
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
    /// So much ground lies within the reach of the connections that looking for their ends takes far more work than
    /// a mesh of that size can be worth.
    #[error(
        "so much ground lies around the ends of connections that finding it takes more than {limit} steps: use smaller radii, and leave out polygons that lie on others"
    )]
    Crowded {
        /// Steps that may be taken; they go by the size of the mesh.
        limit: u64,
    },
}

impl NavMesh {
    /// The connection with an index, whatever its salt.
    pub(crate) fn connection_by_index(&self, index: u32) -> Option<&Connection> {
        self.connections.get(index)?.content.as_ref()
    }

    /// One more than the highest index that a connection ever had.
    pub(crate) fn connection_slots(&self) -> u32 {
        self.connections.len()
    }

    /// Adds a connection. Its ends hold on to whatever ground is there, now or later. While both hold on to the same
    /// polygon no way leads over it: one can walk straight.
    ///
    /// # Errors
    /// [`AddConnectionError`]; the mesh is then unchanged.
    pub fn add_connection(&mut self, definition: OffMeshConnection) -> Result<PolyRef, AddConnectionError> {
        let is_free = |index: &u32| self.connections.get(*index).is_none_or(Slot::is_free);
        let index = (self.connections_free_from..).find(is_free).unwrap_or(PolyRef::POLYS);
        self.connections_free_from = index;
        if index >= PolyRef::POLYS {
            return Err(AddConnectionError::Full);
        }
        let salt = self.connections.get(index).map_or(1, |slot| slot.salt);
        self.place_connection(index, salt, definition)
    }

    /// What indices that connections are [added at](Self::add_connection_at) must be below: 65,536, or eight times as
    /// many as there will be indices that have or had a connection, if that is more.
    #[must_use]
    pub fn connection_limit(&self) -> u32 {
        connection_limit(self.used_connections as usize + 1)
    }

    /// Adds a connection with a given index and salt, so that its reference stays what it was. The index must be below
    /// the [`connection_limit`](Self::connection_limit); the caller answers for the salt, as in
    /// [`add_tile_at`](Self::add_tile_at).
    ///
    /// # Errors
    /// [`AddConnectionError`]; the mesh is then unchanged.
    pub fn add_connection_at(
        &mut self,
        index: u32,
        salt: u16,
        definition: OffMeshConnection,
    ) -> Result<PolyRef, AddConnectionError> {
        let limit = self.connection_limit();
        if index >= limit && index < PolyRef::POLYS {
            return Err(AddConnectionError::IndexFar { index, limit });
        }
        self.place_connection(index, salt, definition)
    }

    /// As [`add_connection_at`](Self::add_connection_at), without that limit.
    pub(crate) fn place_connection(
        &mut self,
        index: u32,
        salt: u16,
        definition: OffMeshConnection,
    ) -> Result<PolyRef, AddConnectionError> {
        let reference = self.enter_connection(index, salt, definition)?;
        self.relink_connection(index);
        Ok(reference)
    }

    /// As [`place_connection`](Self::place_connection), but its ends are not looked up:
    /// [`link_connections`](Self::link_connections) does so for all.
    pub(crate) fn enter_connection(
        &mut self,
        index: u32,
        salt: u16,
        definition: OffMeshConnection,
    ) -> Result<PolyRef, AddConnectionError> {
        let taken = self.connections.get(index).is_some_and(|slot| slot.content.is_some());
        let reference = PolyRef::new(salt, PolyRef::OFF_MESH_SLOT, index).filter(|_| !taken && salt > 0);
        let reference = reference.ok_or(AddConnectionError::Slot { index, salt })?;
        if !(definition.start.is_finite() && definition.end.is_finite()) {
            return Err(AddConnectionError::NotFinite);
        }
        if !(definition.radius.is_finite() && definition.radius >= 0.0) {
            return Err(AddConnectionError::Radius { radius: definition.radius });
        }
        let state = definition.state();
        let connection = Connection { definition, reference, ends: [None; 2], state };
        let slot = self.connections.write(index);
        self.used_connections += u32::from(!slot.is_used());
        slot.fill(connection, salt);
        self.connection_count += 1;
        self.connection_reach = self.connection_reach.max(definition.radius);
        for (end, point) in [definition.start, definition.end].into_iter().enumerate() {
            let (x, z) = self.layout.column_row(point);
            self.connection_ends.insert(x, z, 2 * index + end as u32);
        }
        Ok(reference)
    }

    /// Takes a connection out. Its reference is stale from then on.
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn remove_connection(&mut self, reference: PolyRef) -> Result<OffMeshConnection, StaleRef> {
        let connection = *self.connection(reference)?;
        let index = reference.poly().get();
        self.list_connection(&connection, false);
        for (end, point) in [connection.definition.start, connection.definition.end].into_iter().enumerate() {
            let (x, z) = self.layout.column_row(point);
            self.connection_ends.remove(x, z, 2 * index + end as u32);
        }
        self.connections.write(index).empty();
        self.connection_count -= 1;
        self.connections_free_from = self.connections_free_from.min(index);
        Ok(connection.definition)
    }

    /// How many off-mesh connections it has.
    #[must_use]
    pub fn connection_count(&self) -> u32 {
        self.connection_count
    }

    /// All off-mesh connections, by index.
    pub fn connections(&self) -> impl Iterator<Item = &Connection> {
        self.connections.iter_written().filter_map(|(_, slot)| slot.content.as_ref())
    }

    /// Looks up the ends of all connections anew that a tile with these bounds may concern.
    pub(super) fn relink_connections_near(&mut self, bounds: &Aabb) {
        if self.connection_count == 0 || bounds.is_empty() {
            return;
        }
        let reach = Vec3::splat(self.connection_reach);
        let places = self.places_under(bounds.min - reach, bounds.max + reach, self.connection_count);
        let mut near: Vec<u32> = match places {
            None => self.connections().map(|c| c.reference.poly().get()).collect(),
            Some(places) => {
                let places = places.rows().flat_map(|z| places.columns().map(move |x| (x, z)));
                places.flat_map(|(x, z)| self.connection_ends.at(x, z).map(|end| end / 2)).collect()
            }
        };
        near.sort_unstable();
        near.dedup();
        for index in near {
            self.relink_connection(index);
        }
    }

    /// Looks up the ends of all connections, which were entered and have none.
    ///
    /// # Errors
    /// The index of a connection and [`AddConnectionError::Crowded`].
    pub(crate) fn link_connections(&mut self, effort: &mut Effort) -> Result<(), (u32, AddConnectionError)> {
        let indices: Vec<u32> = self.connections().map(|c| c.reference.poly().get()).collect();
        let mut listed: Vec<(u32, ConnectionLink)> = Vec::new();
        for index in indices {
            let Some(mut connection) = self.connections.get(index).and_then(|slot| slot.content) else { continue };
            let ends = self.ends_of(&connection.definition, effort);
            connection.ends = ends.map_err(|Exhausted { limit }| (index, AddConnectionError::Crowded { limit }))?;
            self.connections.write(index).content = Some(connection);
            let links = [0, 1].map(|end| Some((end, connection.passage(end)?[0].poly)));
            listed.extend(links.into_iter().flatten().map(|(end, entered)| {
                let link = ConnectionLink { poly: entered.poly().get(), end, to: connection.reference };
                (entered.slot().get(), link)
            }));
        }
        listed.sort_unstable();
        for of_tile in listed.chunk_by(|a, b| a.0 == b.0) {
            let slot = of_tile[0].0;
            self.touch(slot);
            if let Some(tile) = &mut self.slots.write(slot).content {
                let links = of_tile.iter().map(|(_, link)| *link).collect();
                Arc::make_mut(&mut tile.links).set_connections(links);
            }
        }
        Ok(())
    }

    /// Where both ends of a connection meet the ground.
    fn ends_of(
        &self,
        definition: &OffMeshConnection,
        effort: &mut Effort,
    ) -> Result<[Option<PolyPoint>; 2], Exhausted> {
        let mut end = |point| self.ground_near(point, definition.radius, effort);
        Ok([end(definition.start)?, end(definition.end)?])
    }

    /// Looks up both ends of a connection.
    fn relink_connection(&mut self, index: u32) {
        let Some(old) = self.connections.get(index).and_then(|slot| slot.content) else { return };
        // What is added one by one takes the work that it takes.
        let Ok(ends) = self.ends_of(&old.definition, &mut Effort::endless()) else { return };
        if ends == old.ends {
            return;
        }
        self.list_connection(&old, false);
        let new = Connection { ends, ..old };
        self.connections.write(index).content = Some(new);
        self.list_connection(&new, true);
    }

    /// Enters a connection in the tiles at its ends, or takes it out.
    fn list_connection(&mut self, connection: &Connection, present: bool) {
        for end in [0, 1] {
            let Some([entered, _]) = connection.passage(end) else { continue };
            let slot = entered.poly.slot();
            if self.tile_in(slot).is_none_or(|tile| tile.salt != entered.poly.salt()) {
                continue;
            }
            self.touch(slot.get());
            if let Some(tile) = &mut self.slots.write(slot.get()).content {
                let link = ConnectionLink { poly: entered.poly.poly().get(), end, to: connection.reference };
                Arc::make_mut(&mut tile.links).set_connection(link, present);
            }
        }
    }

    /// The ground nearest to a point: within `radius` on the plane, and in height within the climb of the tile's agent,
    /// or its radius if that is more. Ground right below or above counts as near as its height is beyond the climb. Of
    /// equally near polygons the one with the lowest reference.
    fn ground_near(&self, point: Vec3, radius: f32, effort: &mut Effort) -> Result<Option<PolyPoint>, Exhausted> {
        let tall = Vec3::new(radius, f32::INFINITY, radius);
        let within = Aabb { min: point - tall, max: point + tall };
        effort.spend(self.places_near(&within).unwrap_or(self.tile_count as usize))?;
        let (mut best, mut enough) = (None, Ok(()));
        self.tiles_in_box(&within, |tile| {
            if enough.is_ok() {
                enough = ground_of(tile, point, radius, effort, &mut best);
            }
        });
        enough?;
        let near = best.map(|(_, end)| end);
        Ok(near.filter(|end| plane::distance_squared(end.point, point) <= radius * radius))
    }
}

/// Looks for ground of a tile that is nearer to a point than the best so far, nearest polygons first.
fn ground_of(
    tile: &Tile,
    point: Vec3,
    radius: f32,
    effort: &mut Effort,
    best: &mut Option<(f32, PolyPoint)>,
) -> Result<(), Exhausted> {
    effort.spend(LOOK)?;
    // A bake lifts ground by parts of a cell, also for agents that climb nothing.
    let climb = tile.data().agent_climb.max(tile.data().agent_radius);
    let within = Aabb::from_center(point, Vec3::new(radius, climb, radius));
    // The computed distance of a polygon may be less than that of its box by rounding.
    let rounding = slack(point.x.abs().max(point.y.abs()).max(point.z.abs()), 16.0);
    let bound = |best: &Option<(f32, PolyPoint)>| {
        best.map_or(f32::INFINITY, |(distance, _)| (distance.sqrt() + rounding) * (distance.sqrt() + rounding))
    };
    let mut enough = Ok(());
    let first = bound(best);
    tile.tree().visit_nearest(&Around { point, within, free_height: climb }, first, |poly, _| {
        enough = effort.spend(LOOK + tile.data().work_of(poly));
        if enough.is_err() {
            return f32::NEG_INFINITY;
        }
        if let Some((distance, ground)) = distance_to(tile.data(), poly, point, climb) {
            let end = PolyPoint { poly: tile.reference(poly), point: ground };
            if best.is_none_or(|(d, b)| distance < d || (distance == d && end.poly < b.poly)) {
                *best = Some((distance, end));
            }
        }
        bound(best)
    });
    enough
}

/// What a look at a tile or a polygon takes.
const LOOK: usize = 8;

/// The point of a polygon nearest to `point`, and how far that counts.
pub(crate) fn distance_to(tile: &TileData, poly: u32, point: Vec3, climb: f32) -> Option<(f32, Vec3)> {
    let nearest = tile.closest_point(poly, point);
    let distance = if nearest.over {
        let beyond = ((nearest.point.y - point.y).abs() - climb).max(0.0);
        beyond * beyond
    } else {
        nearest.point.distance_squared(point)
    };
    distance.is_finite().then_some((distance, nearest.point))
}
