//! Decides in which tile of a Detour file an off-mesh connection is stored, and whether Detour will link it there.
//!
//! A connection is stored in the tile of its start. Its *side* says where Detour looks for its end: in the tile's own
//! place, in all layers, or in one of the eight places around it. There it takes the nearest polygon within the radius.
//!
//! ```text
//!   3 | 2 | 1        z
//!   4 |255| 0        ^
//!   5 | 6 | 7        +-> x
//! ```
//!
//! Sources: Detour's `classifyOffMeshPoint`, `baseOffMeshLinks`, `connectExtOffMeshLinks`, `findNearestPolyInTile`.
//! There the side follows from the tile's rectangle; here from the polygon to which the end is attached, which may
//! extend beyond it.

use super::write_error::DetourWriteError;
use crate::math::bytes::Writer;
use crate::math::index::TileSlot;
use crate::math::{Aabb, plane};
use crate::mesh::{Connection, NavMesh, OffMeshConnection, PolyPoint, Tile, distance_to};
use crate::tile::TileCoord;
use glam::Vec3;

/// The side of a connection that ends at the place of its own tile.
const SAME_PLACE: u8 = 0xff;

/// Column and row offsets of the surrounding places, by side.
const AROUND: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

impl NavMesh {
    /// Whether Detour will link a connection of this mesh as [`to_detour`](Self::to_detour) writes it. Detour looks for
    /// the start in one tile, and for the end at the same place or one of the eight around it, within the radius, and
    /// at most the agent's climb above or below; a point above or below the whole tile counts as level with it. (Detour
    /// rounds heights to cells, so it may find a surface a cell or two farther away.)
    #[must_use]
    pub fn is_linked_in_detour(&self, connection: &Connection) -> bool {
        let Some(home) = self.home_of(connection).ok().and_then(|slot| self.tile_in(slot)) else { return false };
        let OffMeshConnection { start, end, radius, .. } = *connection.definition();
        let climb = home.data().baked_for().climb;
        let TileCoord { x, z, .. } = home.coord();
        let (dx, dz) = AROUND.get(self.detour_side(connection, home.coord()) as usize).copied().unwrap_or_default();
        let x = x.saturating_add(dx);
        let z = z.saturating_add(dz);
        lands(home, start, radius, climb) && self.tiles_at(x, z).any(|tile| lands(tile, end, radius, climb))
    }

    /// The tile with which a connection is written: that of its start, or the first if there is none.
    pub(super) fn home_of(&self, connection: &Connection) -> Result<TileSlot, DetourWriteError> {
        let slot = match connection.ends()[0] {
            Some(start) => Some(start.poly.slot()),
            None => {
                let (x, z) = self.layout().column_row(connection.definition().start);
                self.tile_at(TileCoord { x, z, layer: 0 }).map(Tile::slot)
            }
        };
        let there = slot.and_then(|slot| self.tile_in(slot)).or_else(|| self.tiles().next());
        there.map(Tile::slot).ok_or(DetourWriteError::NoTile { count: self.connection_count() })
    }

    /// The side of a connection written with the tile at `home`.
    pub(super) fn detour_side(&self, connection: &Connection, home: TileCoord) -> u8 {
        let tile_of = |end: PolyPoint| self.tile_in(end.poly.slot());
        let (x, z) = match connection.ends()[1].and_then(tile_of) {
            Some(tile) => (tile.coord().x, tile.coord().z),
            None => self.layout().column_row(connection.definition().end),
        };
        let step = (x.saturating_sub(home.x).signum(), z.saturating_sub(home.z).signum());
        AROUND.iter().position(|&around| around == step).map_or(SAME_PLACE, |side| side as u8)
    }
}

/// Whether the polygon of a tile that Detour finds nearest to a point lies within the radius.
fn lands(tile: &Tile, place: Vec3, radius: f32, climb: f32) -> bool {
    let Aabb { min, max } = tile.data().bounds().or_origin();
    let reach = Vec3::new(radius, climb, radius);
    let near = Aabb { min: (place - reach).max(min).min(max), max: (place + reach).max(min).min(max) };
    let mut best: Option<(f32, Vec3)> = None;
    tile.tree().polys_in_box(&near, |poly, _| {
        let Some((distance, ground)) = distance_to(tile.data(), poly, place, climb) else { return };
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, ground));
        }
    });
    best.is_some_and(|(_, ground)| plane::distance_squared(ground, place) <= radius * radius)
}

pub(super) fn write_connection(definition: &OffMeshConnection, poly: u16, side: u8, out: &mut Writer) {
    out.vec3(definition.start);
    out.vec3(definition.end);
    out.f32(definition.radius);
    out.u16(poly);
    out.u8(u8::from(definition.two_way));
    out.u8(side);
    out.u32(definition.user_id);
}
