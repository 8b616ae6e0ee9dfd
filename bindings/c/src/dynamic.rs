//! Worlds that change: obstacles, solid objects, and the rebuild of the tiles under them.

use crate::bake::bake_failure;
use crate::border::{fill, list, put};
use crate::bytes::{WayfareBytes, put_bytes};
use crate::choices::WayfareTileChange;
use crate::context::{WayfareContext, with_context};
use crate::geometry::{WayfareBox, WayfareTileCoord, WayfareVec3, bounds, point};
use crate::handle::{Handle, handle};
use crate::level::WayfareLevel;
use crate::mesh::WayfareMesh;
use crate::names::Named;
use crate::settings::{WayfareBakeSettings, bake_settings};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use crate::volume::{WayfareVolume, marked_volume};
use std::sync::Arc;
use wayfare_nav::bake::TilePlan;
use wayfare_nav::context::{Budget, Progress};
use wayfare_nav::dynamic::{
    LevelCheckpoints, ObjectError, ObjectLevel, ObjectRef, ObstacleError, ObstacleRef, Obstacles, RebuildError,
    RebuiltTile, Request, TileChange,
};
use wayfare_nav::mesh::NavMesh;

/// What the tiles of a level are rebuilt from: the level as it is before obstacles.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareCheckpoints {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareCheckpoints, LevelCheckpoints, "checkpoints");

/// Bakes the checkpoints of a level: with the settings of its mesh, which must have tiles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_checkpoints_bake(
    level: WayfareLevel,
    settings: *const WayfareBakeSettings,
    context: *const WayfareContext,
    checkpoints: *mut WayfareCheckpoints,
) -> WayfareStatus {
    border(|| {
        let (parts, settings) = (level.read()?, bake_settings(settings)?);
        let level = parts.level()?;
        let baked =
            with_context(context, |context| LevelCheckpoints::bake(level, &settings, context).map_err(bake_failure))?;
        put!(checkpoints, WayfareCheckpoints::keep(baked)?)
    })
}

/// Saves checkpoints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_checkpoints_save(
    checkpoints: WayfareCheckpoints,
    bytes: *mut WayfareBytes,
) -> WayfareStatus {
    border(|| put_bytes(bytes, checkpoints.read()?.to_bytes()))
}

/// Loads checkpoints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_checkpoints_load(
    bytes: *const u8,
    count: usize,
    checkpoints: *mut WayfareCheckpoints,
) -> WayfareStatus {
    border(|| {
        let loaded = LevelCheckpoints::from_bytes(list!(bytes, count)?).map_err(Failure::data)?;
        put!(checkpoints, WayfareCheckpoints::keep(loaded)?)
    })
}

/// Frees checkpoints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_checkpoints_free(checkpoints: WayfareCheckpoints) -> WayfareStatus {
    border(|| checkpoints.free())
}

/// Obstacles in a level, and the rebuild of the tiles under them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareObstacles {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareObstacles, Obstacles, "obstacles");

pub(crate) fn obstacle_failure(error: ObstacleError) -> Failure {
    match error {
        ObstacleError::Gone { .. } => Failure::stale(error),
        ObstacleError::Full => Failure::limit(error),
        _ => Failure::argument(error),
    }
}

/// Obstacles over checkpoints, of which they take a copy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_new(
    checkpoints: WayfareCheckpoints,
    obstacles: *mut WayfareObstacles,
) -> WayfareStatus {
    border(|| {
        let ground = checkpoints.read()?.clone();
        put!(obstacles, WayfareObstacles::keep(Obstacles::new(ground))?)
    })
}

fn put_tiles(tiles: *mut usize, request: &Request) -> Outcome {
    if tiles.is_null() { Ok(()) } else { put!(tiles, request.tiles.len()) }
}

/// Adds an obstacle. Nothing changes before `wayfare_obstacles_step`. `tiles` is how many tiles it touches; may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_add(
    obstacles: WayfareObstacles,
    volume: *const WayfareVolume,
    obstacle: *mut u64,
    tiles: *mut usize,
) -> WayfareStatus {
    border(|| {
        let marked = marked_volume(volume)?;
        let mut held = obstacles.write()?;
        crate::border::check_out(obstacle, "obstacle")?;
        let (added, request) = held.add(marked).map_err(obstacle_failure)?;
        put!(obstacle, added.to_bits())?;
        put_tiles(tiles, &request)
    })
}

/// Moves an obstacle to a point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_move(
    obstacles: WayfareObstacles,
    obstacle: u64,
    to: WayfareVec3,
    tiles: *mut usize,
) -> WayfareStatus {
    border(|| {
        let mut held = obstacles.write()?;
        let (which, to) = (ObstacleRef::of(obstacle)?, point(to, "to")?);
        put_tiles(tiles, &held.move_to(which, to).map_err(obstacle_failure)?)
    })
}

/// Puts another volume in the place of an obstacle; its number stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_replace(
    obstacles: WayfareObstacles,
    obstacle: u64,
    volume: *const WayfareVolume,
    tiles: *mut usize,
) -> WayfareStatus {
    border(|| {
        let marked = marked_volume(volume)?;
        let mut held = obstacles.write()?;
        let which = ObstacleRef::of(obstacle)?;
        put_tiles(tiles, &held.replace(which, marked).map_err(obstacle_failure)?)
    })
}

/// Removes an obstacle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_remove(
    obstacles: WayfareObstacles,
    obstacle: u64,
    tiles: *mut usize,
) -> WayfareStatus {
    border(|| {
        let mut held = obstacles.write()?;
        let which = ObstacleRef::of(obstacle)?;
        let request = held.remove(which).map_err(obstacle_failure)?;
        put_tiles(tiles, &request)
    })
}

/// Removes all obstacles. `tiles` is how many tiles that touches; may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_clear(obstacles: WayfareObstacles, tiles: *mut usize) -> WayfareStatus {
    border(|| {
        let request = obstacles.write()?.clear();
        put_tiles(tiles, &request)
    })
}

/// Says that the geometry in a box has changed: its tiles are built anew from an object level.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_invalidate(
    obstacles: WayfareObstacles,
    area: WayfareBox,
    tiles: *mut usize,
) -> WayfareStatus {
    border(|| {
        let area = bounds(area, "area")?;
        let request = obstacles.write()?.invalidate(&area);
        put_tiles(tiles, &request)
    })
}

/// The numbers of all obstacles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_list(
    obstacles: WayfareObstacles,
    list: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let numbers = numbers(&*obstacles.read()?);
        fill!(list, capacity, count, numbers.into_iter())
    })
}

pub(crate) fn numbers(obstacles: &Obstacles) -> Vec<u64> {
    obstacles.iter().map(|(obstacle, _)| obstacle.to_bits()).collect()
}

pub(crate) fn rebuild_failure(error: RebuildError) -> Failure {
    match error {
        RebuildError::Cancelled => Failure::new(WayfareStatus::Cancelled, error),
        RebuildError::OtherMesh | RebuildError::NoSource { .. } => Failure::argument(error),
        _ => Failure::new(WayfareStatus::BakeFailed, error),
    }
}

/// So many units of work; 0 for as many as it takes.
pub(crate) fn step_budget(units: u64) -> Budget {
    if units == 0 { Budget::unlimited() } else { Budget::new(units) }
}

fn step(
    held: &mut Obstacles,
    mesh: &mut NavMesh,
    objects: Option<&ObjectLevel>,
    (budget, context): (u64, *const WayfareContext),
) -> Outcome<Progress> {
    let budget = step_budget(budget);
    with_context(context, |context| {
        let stepped = match objects {
            None => held.step(mesh, budget, context),
            Some(objects) => held.step_from(mesh, objects, budget, context),
        };
        stepped.map_err(rebuild_failure)
    })
}

/// Rebuilds tiles of the mesh for `budget` units of work; 0 for as many as it takes. It is finished once `done` equals
/// `total`; both may be null. `objects` gives the geometry of tiles that were invalidated; id 0 for none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_step(
    obstacles: WayfareObstacles,
    mesh: WayfareMesh,
    objects: WayfareObjects,
    budget: u64,
    context: *const WayfareContext,
    done: *mut u64,
    total: *mut u64,
) -> WayfareStatus {
    border(|| {
        let (mut held, mut mesh) = (obstacles.write()?, mesh.write()?);
        let progress = if objects.id == 0 {
            step(&mut held, &mut mesh.mesh, None, (budget, context))?
        } else {
            let objects = objects.read()?;
            step(&mut held, &mut mesh.mesh, Some(&*objects), (budget, context))?
        };
        if !done.is_null() {
            put!(done, progress.done)?;
        }
        if total.is_null() { Ok(()) } else { put!(total, progress.total) }
    })
}

/// A tile that was rebuilt.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareRebuiltTile {
    /// Where it is.
    pub coord: WayfareTileCoord,
    /// A `WayfareTileChange`.
    pub change: u32,
    /// Its reference now; 0 for none.
    pub tile: u64,
}

impl WayfareRebuiltTile {
    pub(crate) fn of(tile: &RebuiltTile) -> Self {
        let change = match tile.change {
            TileChange::Same => WayfareTileChange::Same,
            TileChange::Replaced => WayfareTileChange::Replaced,
            TileChange::Removed => WayfareTileChange::Removed,
            TileChange::Added => WayfareTileChange::Added,
        };
        let (coord, tile) = (tile.coord.into(), tile.tile.map_or(0, |tile| tile.to_bits()));
        Self { coord, change: change as u32, tile }
    }
}

/// The tiles that the last step rebuilt.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_rebuilt(
    obstacles: WayfareObstacles,
    tiles: *mut WayfareRebuiltTile,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = obstacles.read()?;
        fill!(tiles, capacity, count, held.rebuilt().iter().map(WayfareRebuiltTile::of))
    })
}

/// The tiles that will change: what was asked for and not built yet. None if all is built.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_pending(
    obstacles: WayfareObstacles,
    tiles: *mut WayfareTileCoord,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let pending: Vec<WayfareTileCoord> = obstacles.read()?.about_to_change().map(Into::into).collect();
        fill!(tiles, capacity, count, pending.into_iter())
    })
}

/// Saves obstacles, without their checkpoints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_save(
    obstacles: WayfareObstacles,
    bytes: *mut WayfareBytes,
) -> WayfareStatus {
    border(|| put_bytes(bytes, obstacles.read()?.to_bytes()))
}

/// Loads obstacles over the checkpoints that they stood on. They keep their numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_load(
    checkpoints: WayfareCheckpoints,
    bytes: *const u8,
    count: usize,
    obstacles: *mut WayfareObstacles,
) -> WayfareStatus {
    border(|| {
        let ground = checkpoints.read()?.clone();
        let loaded = Obstacles::from_bytes(ground, list!(bytes, count)?).map_err(Failure::data)?;
        put!(obstacles, WayfareObstacles::keep(loaded)?)
    })
}

/// A copy of their checkpoints as they are now, to be saved with them: tiles whose geometry was invalidated have others
/// than at first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_checkpoints(
    obstacles: WayfareObstacles,
    checkpoints: *mut WayfareCheckpoints,
) -> WayfareStatus {
    border(|| {
        let ground = obstacles.read()?.checkpoints().clone();
        put!(checkpoints, WayfareCheckpoints::keep(ground)?)
    })
}

/// Frees obstacles; the mesh stays as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_obstacles_free(obstacles: WayfareObstacles) -> WayfareStatus {
    border(|| obstacles.free())
}

/// A level of solid objects that are placed and moved.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareObjects {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareObjects, ObjectLevel, "object level");

pub(crate) fn object_failure(error: ObjectError) -> Failure {
    match error {
        ObjectError::Gone { .. } => Failure::stale(error),
        ObjectError::Full => Failure::limit(error),
        _ => Failure::argument(error),
    }
}

/// A level of which triangles and height map are fixed, to put objects into. The settings are those of its bake, with bounds.
/// Its volumes are those of the checkpoints. Levels of objects may have neither volumes nor a height map.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_objects_new(
    fixed: WayfareLevel,
    settings: *const WayfareBakeSettings,
    objects: *mut WayfareObjects,
) -> WayfareStatus {
    border(|| {
        let (parts, settings) = (fixed.read()?, bake_settings(settings)?);
        let plan = TilePlan::new(parts.level()?, &settings).map_err(bake_failure)?;
        let level = ObjectLevel::new(parts.level()?, &plan);
        put!(objects, WayfareObjects::keep(level)?)
    })
}

/// Places an object: the triangles of a level. `area` gets the box that has changed, for `wayfare_obstacles_invalidate`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_objects_add(
    objects: WayfareObjects,
    shape: WayfareLevel,
    at: WayfareVec3,
    object: *mut u64,
    area: *mut WayfareBox,
) -> WayfareStatus {
    border(|| {
        let surface = Arc::new(shape.read()?.only_triangles()?);
        let mut held = objects.write()?;
        crate::border::check_out(object, "object")?;
        let (added, changed) = held.add(surface, point(at, "at")?).map_err(object_failure)?;
        put!(object, added.to_bits())?;
        put!(area, changed.into())
    })
}

/// Moves an object. `areas` gets two boxes: where it was, and where it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_objects_move(
    objects: WayfareObjects,
    object: u64,
    to: WayfareVec3,
    areas: *mut WayfareBox,
) -> WayfareStatus {
    border(|| {
        let mut held = objects.write()?;
        let (which, to) = (ObjectRef::of(object)?, point(to, "to")?);
        let changed = held.move_to(which, to).map_err(object_failure)?;
        let mut written = 0;
        fill!(areas, 2, &raw mut written, changed.into_iter().map(WayfareBox::from))
    })
}

/// Removes an object. `area` gets the box that has changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_objects_remove(
    objects: WayfareObjects,
    object: u64,
    area: *mut WayfareBox,
) -> WayfareStatus {
    border(|| {
        let mut held = objects.write()?;
        let which = ObjectRef::of(object)?;
        let changed = held.remove(which).map_err(object_failure)?;
        put!(area, changed.into())
    })
}

/// Frees an object level.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_objects_free(objects: WayfareObjects) -> WayfareStatus {
    border(|| objects.free())
}
