//! Worlds in stores: baked tile by tile, resumed where they stopped, loaded whole or tile by tile.

use crate::border::{fill, list, put, text};
use crate::bytes::{WayfareBytes, put_bytes};
use crate::context::{WayfareContext, with_context};
use crate::geometry::{WayfarePlace, WayfareTileCoord, WayfareVec3, length, point, poly_ref};
use crate::handle::{Handle, handle};
use crate::level::WayfareLevel;
use crate::mesh::{MeshObject, WayfareMesh};
use crate::paths::WayfarePath;
use crate::settings::{WayfareBakeSettings, bake_settings, poly_flags};
use crate::status::{Failure, WayfareStatus, border};
use core::ffi::c_char;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use wayfare_nav::area::PathStatus;
use wayfare_nav::context::Budget;
use wayfare_nav::format::{StoreError, WorldStore, load_store};
use wayfare_nav::hierarchy::{
    HierarchyScratch, Refinement, ResidentBudget, ResidentWorld, StoredTiles, TileAccess, find_hierarchical_path,
};
use wayfare_nav::query::{DEFAULT_REACH, DefaultFilter, PathRequest, SearchScratch, string_pull};
use wayfare_nav::world::{LevelSource, WorldBake, WorldBakeError, WorldSettings};
use wayfare_store::Store;

fn store_failure(error: StoreError) -> Failure {
    match error {
        StoreError::Broken { .. } | StoreError::Replaced { .. } | StoreError::Index(_) | StoreError::Head(_) => {
            Failure::data(error)
        }
        _ => Failure::io(error),
    }
}

fn bake_failure(error: WorldBakeError) -> Failure {
    match error {
        WorldBakeError::Bake(error) => crate::bake::bake_failure(error),
        WorldBakeError::Store(error) => store_failure(error),
        _ => Failure::new(WayfareStatus::BakeFailed, error),
    }
}

/// Bakes a level into a store at `path`, tile by tile, and commits as it goes: one file, whatever its name, or a folder with a
/// file for each tile if the path ends with a slash or is a folder. What a store holds already and has not changed is not
/// baked again, so that a bake that was stopped goes on where it was. Where the settings say nothing of tiles (null, or a `tile_size` of 0), they have 64 cells to each side.
/// `tiles` is how many tiles the store has then; may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_store_bake(
    path: *const c_char,
    level: WayfareLevel,
    settings: *const WayfareBakeSettings,
    context: *const WayfareContext,
    tiles: *mut usize,
) -> WayfareStatus {
    border(|| {
        let (path, parts) = (Path::new(text!(path)?), level.read()?);
        let mut bake = bake_settings(settings)?;
        if bake.tile_size == 0 {
            // One tile could be neither resumed nor loaded in part.
            bake.tile_size = WorldSettings::TILE_SIZE;
        }
        let world = WorldSettings { bake, ..WorldSettings::default() };
        let source = LevelSource::new(parts.level()?, world.bake.bounds, &[]);
        let mut bake = WorldBake::new(&source, &world).map_err(bake_failure)?;
        let mut store = wayfare_store::open_to_write(path, bake.head()).map_err(store_failure)?;
        with_context(context, |context| {
            while !bake.step(Budget::new(64), &mut store, context).map_err(bake_failure)?.is_finished() {}
            store.commit().map_err(store_failure)
        })?;
        let count = store.index().tile_count();
        store.finish().map_err(store_failure)?;
        if tiles.is_null() { Ok(()) } else { put!(tiles, count) }
    })
}

/// Loads a whole store into a mesh. `broken` is how many tiles could not be read; may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_store_load(
    path: *const c_char,
    mesh: *mut WayfareMesh,
    broken: *mut usize,
) -> WayfareStatus {
    border(|| {
        let store = wayfare_store::open(Path::new(text!(path)?)).map_err(store_failure)?;
        let (file, faults) = load_store(&store).map_err(store_failure)?;
        put!(mesh, WayfareMesh::keep(MeshObject::of_file(file))?)?;
        if broken.is_null() { Ok(()) } else { put!(broken, faults.len()) }
    })
}

/// A world of which some tiles are in memory: the others are read from its store when a path needs them. Only one call at a
/// time may use it, even to ask something: another is BUSY.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareWorld {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareWorld, Mutex<World>, "world");

/// A world and the memory of its searches.
pub(crate) struct World {
    world: ResidentWorld<StoredTiles<Store>>,
    scratch: HierarchyScratch,
    points: Vec<WayfareVec3>,
}

/// Opens a store as a world, of which at most so many tiles, bytes of tiles, and parts of the abstract graph (a kilobyte
/// or two each) are in memory; 0 for no limit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_world_open(
    path: *const c_char,
    max_tiles: usize,
    max_bytes: usize,
    max_parts: usize,
    world: *mut WayfareWorld,
) -> WayfareStatus {
    border(|| {
        let store = wayfare_store::open(Path::new(text!(path)?)).map_err(store_failure)?;
        let limit = |most: usize| if most == 0 { usize::MAX } else { most };
        let budget = ResidentBudget { tiles: limit(max_tiles), bytes: limit(max_bytes), parts: limit(max_parts) };
        let world_made = ResidentWorld::new(StoredTiles::new(store), budget);
        let made = World { world: world_made, scratch: HierarchyScratch::new(), points: Vec::new() };
        put!(world, WayfareWorld::keep(Mutex::new(made))?)
    })
}

/// Loads the tiles around a point; `loaded` is how many were read, and may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_world_prefetch(
    world: WayfareWorld,
    center: WayfareVec3,
    radius: f32,
    loaded: *mut u32,
) -> WayfareStatus {
    border(|| {
        let mut held = world.write()?;
        let held = held.get_mut().unwrap_or_else(PoisonError::into_inner);
        let slots = held.world.tiles_around(point(center, "center")?, length(radius, "radius")?);
        let count = held.world.prefetch(slots);
        if loaded.is_null() { Ok(()) } else { put!(loaded, count) }
    })
}

/// Finds a path over the world by its hierarchy; tiles are read as they are needed. Its points: `wayfare_world_points`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_world_path(
    world: WayfareWorld,
    from: WayfareVec3,
    to: WayfareVec3,
    path: *mut WayfarePath,
) -> WayfareStatus {
    border(|| {
        let [from, to] = [point(from, "from")?, point(to, "to")?];
        let mut held = world.write()?;
        let World { world, scratch, points } = held.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (filter, reach) = (DefaultFilter::of(world.mesh()), DEFAULT_REACH);
        points.clear();
        let ends = world.nearest(from, reach, &filter).zip(world.nearest(to, reach, &filter));
        let Some((start, goal)) = ends else {
            return put!(path, WayfarePath { status: PathStatus::None as u32, ..WayfarePath::default() });
        };
        let request = PathRequest::new(start, goal);
        let answer =
            find_hierarchical_path(world, &request, Refinement::default(), &filter, scratch).map_err(Failure::stale)?;
        let line = string_pull(&answer.path, &mut SearchScratch::new());
        points.extend(line.points.iter().map(|corner| WayfareVec3::from(corner.point)));
        put!(path, WayfarePath::of(&answer.path, Some(&line)))
    })
}

/// The points of its last path.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_world_points(
    world: WayfareWorld,
    points: *mut WayfareVec3,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let mut held = world.write()?;
        let held = held.get_mut().unwrap_or_else(PoisonError::into_inner);
        fill!(points, capacity, count, held.points.iter().copied())
    })
}

/// The place on the world nearest to a point, among the tiles in memory and those that it needs; polygon 0 for none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_world_nearest(
    world: WayfareWorld,
    at: WayfareVec3,
    place: *mut WayfarePlace,
) -> WayfareStatus {
    border(|| {
        let at = point(at, "at")?;
        let mut held = world.write()?;
        let held = held.get_mut().unwrap_or_else(PoisonError::into_inner);
        let filter = DefaultFilter::of(held.world.mesh());
        let found = held.world.nearest(at, DEFAULT_REACH, &filter);
        put!(place, found.map_or(WayfarePlace::default(), Into::into))
    })
}

/// Sets the flags of a polygon, whose tile must be in memory, or of an off-mesh connection. They are kept while the tile is
/// not in memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_world_set_poly_flags(world: WayfareWorld, poly: u64, flags: u32) -> WayfareStatus {
    border(|| {
        let (poly, flags) = (poly_ref(poly, "poly")?, poly_flags(flags, "flags")?);
        let mut held = world.write()?;
        let held = held.get_mut().unwrap_or_else(PoisonError::into_inner);
        held.world.set_flags(poly, flags).map_err(Failure::stale)
    })
}

/// What has changed in a world since it was opened, whether its tiles are in memory or not, and which of them are:
/// without the tiles themselves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_world_save_changes(world: WayfareWorld, bytes: *mut WayfareBytes) -> WayfareStatus {
    border(|| {
        let mut held = world.write()?;
        let held = held.get_mut().unwrap_or_else(PoisonError::into_inner);
        put_bytes(bytes, held.world.store_changes())
    })
}

/// Restores what was saved of a world with the same tiles: all else returns to what the store says. Tiles that were in
/// memory are read again, as many as the limits allow. Bytes that cannot be restored are BAD_DATA, and change nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_world_load_changes(
    world: WayfareWorld,
    bytes: *const u8,
    count: usize,
) -> WayfareStatus {
    border(|| {
        let bytes = list!(bytes, count)?;
        let mut held = world.write()?;
        let held = held.get_mut().unwrap_or_else(PoisonError::into_inner);
        held.world.restore_changes(bytes).map_err(Failure::data)
    })
}

/// What a world has in memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareWorldStats {
    /// Tiles of the whole world.
    pub tiles: u64,
    /// Tiles in memory.
    pub resident: u64,
    /// Tiles read so far.
    pub loaded: u64,
    /// Tiles given up so far.
    pub evicted: u64,
}

/// What a world has in memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_world_stats(world: WayfareWorld, stats: *mut WayfareWorldStats) -> WayfareStatus {
    border(|| {
        let mut held = world.write()?;
        let world = &held.get_mut().unwrap_or_else(PoisonError::into_inner).world;
        let counted = world.stats();
        let (tiles, resident) = (world.tile_count() as u64, world.resident_slots().count() as u64);
        put!(stats, WayfareWorldStats { tiles, resident, loaded: counted.loaded, evicted: counted.evicted })
    })
}

/// Closes a world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_world_free(world: WayfareWorld) -> WayfareStatus {
    border(|| world.free())
}

/// A store that is open to be read tile by tile. Only one call at a time may use it: another is BUSY.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareStore {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareStore, Mutex<Store>, "store");

/// Opens a store, and reads which tiles it has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_store_open(path: *const c_char, store: *mut WayfareStore) -> WayfareStatus {
    border(|| {
        let opened = wayfare_store::open(Path::new(text!(path)?)).map_err(store_failure)?;
        put!(store, WayfareStore::keep(Mutex::new(opened))?)
    })
}

/// Closes a store.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_store_free(store: WayfareStore) -> WayfareStatus {
    border(|| store.free())
}

/// One tile of a store as bytes, for `wayfare_mesh_add_tile`: id 0 if the place has no surface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_store_tile(
    store: WayfareStore,
    coord: WayfareTileCoord,
    bytes: *mut WayfareBytes,
) -> WayfareStatus {
    border(|| {
        let mut held = store.write()?;
        let store = held.get_mut().unwrap_or_else(PoisonError::into_inner);
        match store.read_tile(coord.into()).map_err(store_failure)?.tile {
            None => put!(bytes, WayfareBytes { id: 0 }),
            Some(tile) => put_bytes(bytes, tile.data().block().into_owned()),
        }
    })
}
