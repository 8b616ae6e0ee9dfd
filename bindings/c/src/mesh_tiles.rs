//! Tiles: listed, taken as bytes, put into meshes, made from polygons of other sources; and their state.

use crate::border::{fill, list, put};
use crate::bytes::{WayfareBytes, put_bytes};
use crate::geometry::{WayfareBox, WayfareTileCoord, WayfareVec3, points, tile_ref};
use crate::handle::Handle;
use crate::mesh::{WayfareMesh, put_mesh};
use crate::settings::{area_id, poly_flags};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use wayfare_nav::area::PolyFlags;
use wayfare_nav::mesh::{AddTileError, NavMesh};
use wayfare_nav::tile::{SourcePoly, TileCoord, TileData, TileSource, build_tile};

/// What a tile is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareTileInfo {
    /// Its reference.
    pub tile: u64,
    /// Where it is.
    pub coord: WayfareTileCoord,
    /// How many polygons it has.
    pub polys: u32,
    /// The box around them.
    pub bounds: WayfareBox,
    /// The number that a user gave it.
    pub user_id: u32,
    /// Nothing; 0.
    pub reserved: u32,
}

fn put_failure(error: AddTileError) -> Failure {
    match error {
        AddTileError::Stale(stale) => Failure::stale(stale),
        AddTileError::Full | AddTileError::Crowded { .. } => Failure::limit(error),
        _ => Failure::argument(error),
    }
}

/// All tiles, in the order of their slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_tiles(
    mesh: WayfareMesh,
    tiles: *mut WayfareTileInfo,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?;
        let all = mesh.tiles().map(|tile| WayfareTileInfo {
            tile: tile.tile_ref().to_bits(),
            coord: tile.coord().into(),
            polys: tile.poly_count(),
            bounds: tile.bounds().into(),
            user_id: tile.data().user_id(),
            reserved: 0,
        });
        fill!(tiles, capacity, count, all.collect::<Vec<_>>().into_iter())
    })
}

/// The tile at a column, row and layer; 0 if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_tile_at(
    mesh: WayfareMesh,
    coord: WayfareTileCoord,
    tile: *mut u64,
) -> WayfareStatus {
    border(|| put!(tile, mesh.read()?.tile_at(coord.into()).map_or(0, |tile| tile.tile_ref().to_bits())))
}

/// The column and row of a point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_tile_of_point(
    mesh: WayfareMesh,
    at: WayfareVec3,
    coord: *mut WayfareTileCoord,
) -> WayfareStatus {
    border(|| {
        let (x, z) = mesh.read()?.layout().column_row(crate::geometry::point(at, "at")?);
        put!(coord, WayfareTileCoord { x, z, layer: 0 })
    })
}

/// A tile as bytes: to be kept, sent, and put into a mesh of the same layout.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_tile_bytes(
    mesh: WayfareMesh,
    tile: u64,
    bytes: *mut WayfareBytes,
) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?;
        put_bytes(bytes, mesh.tile(tile_ref(tile, "tile")?).map_err(Failure::stale)?.data().block().into_owned())
    })
}

/// An empty mesh with the layout of another, to put tiles into.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_empty_like(mesh: WayfareMesh, empty: *mut WayfareMesh) -> WayfareStatus {
    border(|| {
        let layout = mesh.read()?.layout();
        put_mesh(empty, NavMesh::new(layout))
    })
}

/// Puts a tile into a mesh, at the place that it says; `tile` may be null, else it gets its reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_add_tile(
    mesh: WayfareMesh,
    bytes: *const u8,
    count: usize,
    tile: *mut u64,
) -> WayfareStatus {
    border(|| {
        let data = TileData::from_block(list!(bytes, count)?).map_err(Failure::data)?;
        let added = mesh.write()?.mesh.add_tile(data).map_err(put_failure)?;
        if tile.is_null() { Ok(()) } else { put!(tile, added.to_bits()) }
    })
}

/// Puts a tile in the place of another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_replace_tile(
    mesh: WayfareMesh,
    old: u64,
    bytes: *const u8,
    count: usize,
    tile: *mut u64,
) -> WayfareStatus {
    border(|| {
        let (old, data) = (tile_ref(old, "old")?, TileData::from_block(list!(bytes, count)?).map_err(Failure::data)?);
        let (added, _) = mesh.write()?.mesh.replace_tile(old, data).map_err(put_failure)?;
        if tile.is_null() { Ok(()) } else { put!(tile, added.to_bits()) }
    })
}

/// Removes a tile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_remove_tile(mesh: WayfareMesh, tile: u64) -> WayfareStatus {
    border(|| {
        let tile = tile_ref(tile, "tile")?;
        mesh.write()?.mesh.remove_tile(tile).map(drop).map_err(Failure::stale)
    })
}

/// Polygons of another source, to be made a mesh of one tile.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WayfarePolygons {
    /// The corners of all.
    pub verts: *const WayfareVec3,
    /// How many.
    pub vert_count: usize,
    /// Indices of the polygons' corners, one polygon after the other, counter-clockwise seen from above.
    pub corners: *const u32,
    /// How many.
    pub corner_count: usize,
    /// How many corners each polygon has: convex, 3 or more.
    pub counts: *const u16,
    /// How many polygons.
    pub poly_count: usize,
    /// Area types, one for each; null for 63.
    pub areas: *const u8,
    /// Flags, one for each; null for 1, walking.
    pub flags: *const u16,
    /// What agents the polygons are for: height.
    pub agent_height: f32,
    /// Radius.
    pub agent_radius: f32,
    /// Climb.
    pub agent_climb: f32,
    /// A number of the user.
    pub user_id: u32,
}

fn tile_of(given: &WayfarePolygons) -> Outcome<TileData> {
    let WayfarePolygons { verts, vert_count, corners, corner_count, counts, poly_count, areas, flags, .. } = *given;
    let verts = points(list!(verts, vert_count)?, "verts")?;
    let (corners, counts) = (list!(corners, corner_count)?, list!(counts, poly_count)?);
    let areas = if areas.is_null() { &[] } else { list!(areas, poly_count)? };
    let flags = if flags.is_null() { &[] } else { list!(flags, poly_count)? };
    let polys = counts.iter().enumerate().map(|(i, count)| {
        let area = area_id(areas.get(i).map_or(63, |area| u32::from(*area)))?;
        let flags = poly_flags(flags.get(i).map_or(u32::from(PolyFlags::WALK.0), |flags| u32::from(*flags)), "flags")?;
        Ok(SourcePoly { count: *count, flags, area })
    });
    let polys: Vec<SourcePoly> = polys.collect::<Outcome<_>>()?;
    let source = TileSource {
        coord: TileCoord::default(),
        user_id: given.user_id,
        agent_height: given.agent_height,
        agent_radius: given.agent_radius,
        agent_climb: given.agent_climb,
        verts: &verts,
        corners,
        polys: &polys,
        ..TileSource::default()
    };
    build_tile(&source).map_err(Failure::argument)
}

/// A mesh of one tile from polygons of another source. Polygons that share two corners are neighbours.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_from_polygons(
    polygons: *const WayfarePolygons,
    mesh: *mut WayfareMesh,
) -> WayfareStatus {
    border(|| {
        let [given] = list!(polygons, 1)? else { return Err(Failure::argument("`polygons` is null")) };
        put_mesh(mesh, NavMesh::from_tile(tile_of(given)?).map_err(put_failure)?)
    })
}

/// The flags and areas of a tile's polygons as bytes: what a saved game keeps of a tile that it can load.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_save_tile_state(
    mesh: WayfareMesh,
    tile: u64,
    bytes: *mut WayfareBytes,
) -> WayfareStatus {
    border(|| put_bytes(bytes, mesh.read()?.store_tile_state(tile_ref(tile, "tile")?).map_err(Failure::stale)?))
}

/// Restores them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_load_tile_state(
    mesh: WayfareMesh,
    tile: u64,
    bytes: *const u8,
    count: usize,
) -> WayfareStatus {
    border(|| {
        let (tile, bytes) = (tile_ref(tile, "tile")?, list!(bytes, count)?);
        mesh.write()?.mesh.restore_tile_state(tile, bytes).map_err(Failure::data)
    })
}

/// The states of all polygons and connections that differ from the bake, as bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_save_delta(mesh: WayfareMesh, bytes: *mut WayfareBytes) -> WayfareStatus {
    border(|| put_bytes(bytes, mesh.read()?.store_delta()))
}

/// Restores them: all others are as they were baked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_load_delta(mesh: WayfareMesh, bytes: *const u8, count: usize) -> WayfareStatus {
    border(|| {
        let bytes = list!(bytes, count)?;
        mesh.write()?.mesh.restore_delta(bytes).map_err(Failure::data)
    })
}
