//! Off-mesh connections: jumps, ladders, teleports and other routes that do not follow the surface.
//!
//! A connection joins two positions anywhere in the mesh. It belongs to the mesh, not to a tile, and has a reference of
//! its own in a reserved slot, so that searches and corridors treat it as a polygon. Each end is attached to the
//! nearest polygon within the connection's radius. As tiles are added and removed the ends are attached again, so a
//! connection survives the tiles at its ends. It can be used while both ends are attached.
//!
//! ```text
//!   start x- - - - - - - - - - -> x end         o: radius
//!       (o)                      (o)
//!   ===poly 3===            ======poly 8=====
//! ```
//!
//! Cost: adding or removing a tile looks at the connections with an end near it.
//!
//! Sources: off-mesh connections are Detour's, and ends are attached as there; connections of any length are ours.

use super::slot::connection_limit;
use super::{
    AddConnectionError, Change, Connection, ConnectionLink, NavMesh, OffMeshConnection, PolyPoint, PolyRef, StaleRef,
    Tile,
};
use crate::math::rounding::slack;
use crate::math::{Aabb, plane};
use crate::tile::{Around, Effort, Exhausted, TileData};
use glam::Vec3;
use std::sync::Arc;

impl NavMesh {
    /// The connection at an index, whatever its salt.
    pub(crate) fn connection_by_index(&self, index: u32) -> Option<&Connection> {
        self.connections.get(index)
    }

    /// One more than the highest index that a connection ever had.
    pub(crate) fn connection_slots(&self) -> u32 {
        self.connections.slots.len()
    }

    /// Adds a connection. Its ends are attached to whatever surface is there, now or later. While both ends are
    /// attached to the same polygon it is not used: an agent can walk straight.
    ///
    /// # Errors
    /// [`AddConnectionError`]; the mesh is then unchanged.
    pub fn add_connection(&mut self, definition: OffMeshConnection) -> Result<PolyRef, AddConnectionError> {
        let (index, salt) = self.connections.slots.lowest_free();
        if index >= PolyRef::POLYS {
            return Err(AddConnectionError::Full);
        }
        self.place_connection(index, salt, definition)
    }

    /// Upper limit (exclusive) of indices for [`add_connection_at`](Self::add_connection_at): 65,536, or eight times
    /// the number of indices ever used including the new one, if that is more.
    #[must_use]
    pub fn connection_limit(&self) -> u32 {
        connection_limit(self.connections.slots.used() as usize + 1)
    }

    /// Adds a connection with a given index and salt, so that its reference stays what it was. The index must be below
    /// the [`connection_limit`](Self::connection_limit). The caller is responsible for the salt, as in
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

    /// Like [`add_connection_at`](Self::add_connection_at) without the limit.
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

    /// Like [`place_connection`](Self::place_connection), but without attaching the ends:
    /// [`link_connections`](Self::link_connections) does that for all connections.
    pub(crate) fn enter_connection(
        &mut self,
        index: u32,
        salt: u16,
        definition: OffMeshConnection,
    ) -> Result<PolyRef, AddConnectionError> {
        let taken = self.connections.get(index).is_some();
        let reference = PolyRef::new(salt, PolyRef::OFF_MESH_SLOT, index).filter(|_| !taken && salt > 0);
        let reference = reference.ok_or(AddConnectionError::Slot { index, salt })?;
        if !(definition.start.is_finite() && definition.end.is_finite()) {
            return Err(AddConnectionError::NotFinite);
        }
        if !(definition.radius.is_finite() && definition.radius >= 0.0) {
            return Err(AddConnectionError::Radius { radius: definition.radius });
        }
        let state = definition.state();
        self.note(Change::ConnectionAdded(reference));
        self.connections.put(Connection { definition, reference, ends: [None; 2], state }, self.layout);
        Ok(reference)
    }

    /// Removes a connection. Its reference becomes stale.
    ///
    /// # Errors
    /// [`StaleRef`].
    pub fn remove_connection(&mut self, reference: PolyRef) -> Result<OffMeshConnection, StaleRef> {
        let connection = *self.connection(reference)?;
        self.note(Change::ConnectionRemoved(reference));
        self.list_connection(&connection, false);
        self.connections.take(reference.poly().get(), self.layout);
        Ok(connection.definition)
    }

    /// How many off-mesh connections it has.
    #[must_use]
    pub fn connection_count(&self) -> u32 {
        self.connections.slots.count()
    }

    /// All off-mesh connections, by index.
    pub fn connections(&self) -> impl Iterator<Item = &Connection> {
        self.connections.slots.iter()
    }

    /// Attaches again the ends of all connections that a tile with these bounds may affect.
    pub(super) fn relink_connections_near(&mut self, bounds: &Aabb) {
        let count = self.connection_count();
        if count == 0 || bounds.is_empty() {
            return;
        }
        let reach = Vec3::splat(self.connections.reach());
        let places = self.places_under(bounds.min - reach, bounds.max + reach, count);
        let near = places.map_or_else(|| self.connections.indices(), |places| self.connections.near(places));
        for index in near {
            self.relink_connection(index);
        }
    }

    /// Attaches the ends of all connections, none of which is attached yet.
    ///
    /// # Errors
    /// The index of a connection and [`AddConnectionError::Crowded`].
    pub(crate) fn link_connections(&mut self, effort: &mut Effort) -> Result<(), (u32, AddConnectionError)> {
        let mut listed: Vec<(u32, ConnectionLink)> = Vec::new();
        for index in self.connections.indices() {
            let Some(mut connection) = self.connections.get(index).copied() else { continue };
            let ends = self.ends_of(&connection.definition, effort);
            connection.ends = ends.map_err(|Exhausted { limit }| (index, AddConnectionError::Crowded { limit }))?;
            self.replace_connection(connection);
            let links = [0, 1].map(|end| Some((end, connection.passage(end)?[0].poly)));
            listed.extend(links.into_iter().flatten().map(|(end, entered)| {
                let link = ConnectionLink { poly: entered.poly().get(), end, to: connection.reference };
                (entered.slot().get(), link)
            }));
        }
        listed.sort_unstable();
        for of_tile in listed.chunk_by(|a, b| a.0 == b.0) {
            let slot = of_tile[0].0;
            self.note_tile(slot, Change::TileLinks);
            if let Some(tile) = self.tiles.slots.get_mut(slot) {
                let links = of_tile.iter().map(|(_, link)| *link).collect();
                Arc::make_mut(&mut tile.links).set_connections(links);
            }
        }
        Ok(())
    }

    /// Where both ends of a connection are attached.
    fn ends_of(
        &self,
        definition: &OffMeshConnection,
        effort: &mut Effort,
    ) -> Result<[Option<PolyPoint>; 2], Exhausted> {
        let mut end = |point| self.ground_near(point, definition.radius, effort);
        Ok([end(definition.start)?, end(definition.end)?])
    }

    /// Attaches both ends of a connection again.
    fn relink_connection(&mut self, index: u32) {
        let Some(old) = self.connections.get(index).copied() else { return };
        // Connections added one by one are not limited.
        let Ok(ends) = self.ends_of(&old.definition, &mut Effort::endless()) else { return };
        if ends == old.ends {
            return;
        }
        self.list_connection(&old, false);
        let new = Connection { ends, ..old };
        self.replace_connection(new);
        self.list_connection(&new, true);
    }

    /// Replaces a connection by itself, with its ends attached elsewhere.
    fn replace_connection(&mut self, connection: Connection) {
        self.note(Change::ConnectionEnds(connection.reference));
        if let Some(there) = self.connections.slots.get_mut(connection.reference.poly().get()) {
            *there = connection;
        }
    }

    /// Adds a connection to the lists of the tiles at its ends, or removes it from them.
    fn list_connection(&mut self, connection: &Connection, present: bool) {
        for end in [0, 1] {
            let Some([entered, _]) = connection.passage(end) else { continue };
            let slot = entered.poly.slot();
            if self.tile_in(slot).is_none_or(|tile| tile.salt != entered.poly.salt()) {
                continue;
            }
            self.note_tile(slot.get(), Change::TileLinks);
            if let Some(tile) = self.tiles.slots.get_mut(slot.get()) {
                let link = ConnectionLink { poly: entered.poly.poly().get(), end, to: connection.reference };
                Arc::make_mut(&mut tile.links).set_connection(link, present);
            }
        }
    }

    /// The surface nearest to a point: within `radius` horizontally, and vertically within the climb of the tile's
    /// agent or its radius, whichever is larger. For a surface directly below or above, only the height beyond the
    /// climb counts as distance. Among equally near polygons, the tile in the lowest row, then column, then layer wins,
    /// and in it the first polygon; by reference, the result would change after a tile was replaced.
    fn ground_near(&self, point: Vec3, radius: f32, effort: &mut Effort) -> Result<Option<PolyPoint>, Exhausted> {
        let tall = Vec3::new(radius, f32::INFINITY, radius);
        let within = Aabb { min: point - tall, max: point + tall };
        effort.spend(self.places_near(&within).unwrap_or(self.tile_count() as usize))?;
        let mut best = None;
        let mut enough = Ok(());
        self.tiles_in_box(&within, |tile| {
            if enough.is_ok() {
                enough = ground_of(tile, point, radius, effort, &mut best);
            }
        });
        enough?;
        let near = best.map(|NearestGround { end, .. }| end);
        Ok(near.filter(|end| plane::distance_squared(end.point, point) <= radius * radius))
    }
}

/// The nearest surface found, and the tie-break among equally near ones: row, column, layer, polygon.
#[derive(Clone, Copy)]
struct NearestGround {
    distance: f32,
    place: (i32, i32, u32, u32),
    end: PolyPoint,
}

/// Looks in a tile for a surface nearer to a point than the best so far, nearest polygons first.
fn ground_of(
    tile: &Tile,
    point: Vec3,
    radius: f32,
    effort: &mut Effort,
    best: &mut Option<NearestGround>,
) -> Result<(), Exhausted> {
    effort.spend(LOOK)?;
    // A bake raises the surface by part of a cell, even for agents that cannot climb.
    let climb = tile.data().baked_for().climb.max(tile.data().baked_for().radius);
    let within = Aabb::from_center(point, Vec3::new(radius, climb, radius));
    // By rounding, the computed distance of a polygon may be less than that of its box.
    let rounding = slack(point.x.abs().max(point.y.abs()).max(point.z.abs()), 16.0);
    let bound = |best: &Option<NearestGround>| {
        best.map_or(f32::INFINITY, |best| (best.distance.sqrt() + rounding) * (best.distance.sqrt() + rounding))
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
            let coord = tile.coord();
            let place = (coord.z, coord.x, coord.layer, poly);
            if best.is_none_or(|b| distance < b.distance || (distance == b.distance && place < b.place)) {
                *best = Some(NearestGround { distance, place, end });
            }
        }
        bound(best)
    });
    enough
}

/// The effort counted for visiting a tile or a polygon.
const LOOK: usize = 8;

/// The point of a polygon nearest to `point`, and its distance by the rule above.
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
