//! A level that changes and the mesh that follows it, in one session: obstacles, solid objects, automatic links.
//!
//! Sources: none needed.

use crate::bake::bake_failure;
use crate::bake_extras::WayfareLink;
use crate::border::{check_out, fill, list, put, sized};
use crate::bytes::{WayfareBytes, put_bytes};
use crate::choices::WayfareLiveStage;
use crate::context::{WayfareContext, with_context};
use crate::dynamic::{
    WayfareObstacles, WayfareRebuiltTile, numbers, object_failure, obstacle_failure, rebuild_failure, step_budget,
};
use crate::geometry::{WayfareVec3, point};
use crate::handle::{Handle, handle};
use crate::level::WayfareLevel;
use crate::mesh::{WayfareMesh, put_mesh};
use crate::mesh_changes::outdated;
use crate::names::Named;
use crate::settings::{WayfareBakeSettings, WayfareLinkSettings, bake_settings};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use crate::volume::{WayfareVolume, marked_volume};
use std::sync::Arc;
use wayfare_nav::dynamic::{
    AutoLinksError, LiveLevel, LiveLevelError, LiveProgress, LiveStage, ObjectRef, ObstacleRef, Obstacles,
};
use wayfare_nav::format::WayFile;

/// A level of triangles, solid objects and obstacles that come, move and go, and the mesh that follows it tile by tile,
/// with automatic links. A change is accepted at once and costs little: `wayfare_live_level_step` does the work.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareLiveLevel {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareLiveLevel, LiveLevel, "live level");

fn failure(error: LiveLevelError) -> Failure {
    match error {
        LiveLevelError::NoCheckpoints => Failure::argument(
            "the live level was made of a mesh without obstacles, so its tiles cannot be built anew: give it obstacles \
             over the checkpoints of that mesh",
        ),
        LiveLevelError::NoLevel => Failure::argument(
            "the live level knows nothing of its level, which this would change: give it the level of its mesh when it is made",
        ),
        LiveLevelError::Object(error) => object_failure(error),
        LiveLevelError::Obstacle(error) => obstacle_failure(error),
        LiveLevelError::Rebuild(error) => rebuild_failure(error),
        LiveLevelError::Links(error @ AutoLinksError::Search { source, .. }) => {
            Failure::new(bake_failure(source).status, error)
        }
        LiveLevelError::Links(error) => Failure::limit(error),
        _ => Failure::new(WayfareStatus::BakeFailed, error),
    }
}

/// Keeps up the links that `rules` ask for; null for none.
fn with_links(live: LiveLevel, rules: *const WayfareLinkSettings) -> Outcome<LiveLevel> {
    if rules.is_null() {
        return Ok(live);
    }
    live.with_links(&sized!(rules)?.get()?).map_err(Failure::argument)
}

/// A live level of which nothing is baked yet: its first steps bake the tiles under its triangles and its height map. A
/// change bakes the tiles that it touches: give the settings a `tile_size`, or all is one tile. What is added later counts
/// inside their bounds, by default those of the level. The level's volumes stay as they are: those that come and go are
/// obstacles. `links` are the rules of drops, jumps and climbs that are found and kept up; null for none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_new(
    level: WayfareLevel,
    settings: *const WayfareBakeSettings,
    links: *const WayfareLinkSettings,
    live: *mut WayfareLiveLevel,
) -> WayfareStatus {
    border(|| {
        let (parts, settings) = (level.read()?, bake_settings(settings)?);
        let made = LiveLevel::new(parts.level()?, &settings).map_err(bake_failure)?;
        put!(live, WayfareLiveLevel::keep(with_links(made, links)?)?)
    })
}

/// A live level of a mesh that was baked before, of which it takes a copy; so it does of `obstacles`, which its tiles are
/// built anew from: id 0 for none, and then only connections, areas and flags can change. `level` is what the mesh was baked
/// from, for objects and links: id 0 for neither. Its volumes are those of the obstacles' checkpoints. The connections of
/// `links` that the mesh has already are taken over if they are found again; `wayfare_live_level_load` also knows those that
/// were to be removed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_stored(
    mesh: WayfareMesh,
    obstacles: WayfareObstacles,
    level: WayfareLevel,
    links: *const WayfareLinkSettings,
    live: *mut WayfareLiveLevel,
) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?.mesh.clone();
        let obstacles = if obstacles.id == 0 { None } else { Some(copied(&*obstacles.read()?)?) };
        let made = LiveLevel::stored(mesh, obstacles).map_err(rebuild_failure)?;
        put!(live, WayfareLiveLevel::keep(with_level(made, level, links)?)?)
    })
}

/// Saves a live level as a file of this library: its mesh, its obstacles, what tiles are built anew from, and which
/// connections are automatic links. `wayfare_mesh_load` and the program read it, too. Objects are not saved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_save(live: WayfareLiveLevel, bytes: *mut WayfareBytes) -> WayfareStatus {
    border(|| {
        let live = live.read()?;
        let mut file = WayFile::from(live.mesh().clone());
        live.write_to(&mut file);
        put_bytes(bytes, file.to_bytes())
    })
}

/// Loads a live level from what `wayfare_live_level_save` or `wayfare bake --layers` gave. `level` is what it was baked from,
/// for objects and links: id 0 for neither. Obstacles keep their numbers; objects are to be added again where they stood,
/// and what was left to do when it was saved is done by the next steps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_load(
    bytes: *const u8,
    count: usize,
    level: WayfareLevel,
    links: *const WayfareLinkSettings,
    live: *mut WayfareLiveLevel,
) -> WayfareStatus {
    border(|| {
        let file = WayFile::from_bytes(list!(bytes, count)?).map_err(Failure::data)?;
        let made = LiveLevel::from_file(&file).map_err(Failure::data)?;
        put!(live, WayfareLiveLevel::keep(with_level(made, level, links)?)?)
    })
}

/// Gives a stored level what it was baked from, and keeps up the links that `rules` ask for.
fn with_level(made: LiveLevel, level: WayfareLevel, rules: *const WayfareLinkSettings) -> Outcome<LiveLevel> {
    if level.id == 0 {
        return match rules.is_null() {
            true => Ok(made),
            false => {
                Err(Failure::argument("links are searched over triangles: give `level`, that of the mesh, as well"))
            }
        };
    }
    with_links(made.with_level(level.read()?.level()?).map_err(failure)?, rules)
}

/// Obstacles hold what they are working on, and are copied as what a game saves.
fn copied(obstacles: &Obstacles) -> Outcome<Obstacles> {
    Obstacles::from_bytes(obstacles.checkpoints().clone(), &obstacles.to_bytes()).map_err(Failure::data)
}

/// A copy of the mesh as far as it has followed: a few pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_mesh(live: WayfareLiveLevel, mesh: *mut WayfareMesh) -> WayfareStatus {
    border(|| {
        let now = live.read()?.mesh().clone();
        put_mesh(mesh, now)
    })
}

/// Goes on with an edited copy of its mesh: for connections, areas, flags and rules. Tiles that are put in or taken out
/// by hand come back as they were when they are built anew. A copy from before the last change of the mesh is OUTDATED, and
/// changes nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_set_mesh(live: WayfareLiveLevel, mesh: WayfareMesh) -> WayfareStatus {
    border(|| {
        let edited = mesh.read()?.mesh.clone();
        let mut held = live.write()?;
        held.mesh_mut().take_over(edited).map_err(outdated)
    })
}

/// The numbers of its obstacles; none for a mesh without.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_list_obstacles(
    live: WayfareLiveLevel,
    list: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let numbers = live.read()?.obstacles().map(numbers).unwrap_or_default();
        fill!(list, capacity, count, numbers.into_iter())
    })
}

/// A copy of its obstacles, to be saved with their checkpoints (`wayfare_obstacles_checkpoints`); id 0 for a mesh
/// without.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_obstacles(
    live: WayfareLiveLevel,
    obstacles: *mut WayfareObstacles,
) -> WayfareStatus {
    border(|| match live.read()?.obstacles() {
        None => put!(obstacles, WayfareObstacles { id: 0 }),
        Some(held) => put!(obstacles, WayfareObstacles::keep(copied(held)?)?),
    })
}

/// The automatic links that are in the mesh, by number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_links(
    live: WayfareLiveLevel,
    links: *mut WayfareLink,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = live.read()?;
        let all: Vec<WayfareLink> =
            held.links().into_iter().flat_map(|links| links.iter()).map(WayfareLink::of).collect();
        fill!(links, capacity, count, all.into_iter())
    })
}

/// Adds an obstacle, or paints an area.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_add_obstacle(
    live: WayfareLiveLevel,
    volume: *const WayfareVolume,
    obstacle: *mut u64,
) -> WayfareStatus {
    border(|| {
        let marked = marked_volume(volume)?;
        let mut held = live.write()?;
        check_out(obstacle, "obstacle")?;
        put!(obstacle, held.add_obstacle(marked).map_err(failure)?.to_bits())
    })
}

/// Moves an obstacle by so much.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_move_obstacle_by(
    live: WayfareLiveLevel,
    obstacle: u64,
    by: WayfareVec3,
) -> WayfareStatus {
    border(|| {
        let (which, by) = (ObstacleRef::of(obstacle)?, point(by, "by")?);
        live.write()?.move_obstacle_by(which, by).map_err(failure)
    })
}

/// Puts another volume in the place of an obstacle; its number stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_replace_obstacle(
    live: WayfareLiveLevel,
    obstacle: u64,
    volume: *const WayfareVolume,
) -> WayfareStatus {
    border(|| {
        let (which, marked) = (ObstacleRef::of(obstacle)?, marked_volume(volume)?);
        live.write()?.replace_obstacle(which, marked).map_err(failure)
    })
}

/// Removes an obstacle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_remove_obstacle(live: WayfareLiveLevel, obstacle: u64) -> WayfareStatus {
    border(|| live.write()?.remove_obstacle(ObstacleRef::of(obstacle)?).map_err(failure))
}

/// Places an object, the triangles of a level, moved by `at`: it can be walked on, and is in the way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_add_object(
    live: WayfareLiveLevel,
    shape: WayfareLevel,
    at: WayfareVec3,
    object: *mut u64,
) -> WayfareStatus {
    border(|| {
        let surface = Arc::new(shape.read()?.only_triangles()?);
        let mut held = live.write()?;
        check_out(object, "object")?;
        put!(object, held.add_object(surface, point(at, "at")?).map_err(failure)?.to_bits())
    })
}

/// Moves an object: its triangles are now moved by `to`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_move_object(
    live: WayfareLiveLevel,
    object: u64,
    to: WayfareVec3,
) -> WayfareStatus {
    border(|| {
        let (which, to) = (ObjectRef::of(object)?, point(to, "to")?);
        live.write()?.move_object(which, to).map_err(failure)
    })
}

/// Removes an object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_remove_object(live: WayfareLiveLevel, object: u64) -> WayfareStatus {
    border(|| live.write()?.remove_object(ObjectRef::of(object)?).map_err(failure))
}

/// Puts the triangles of another level in the place of those that are not objects: only tiles under triangles that came
/// or went are baked anew.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_replace_triangles(
    live: WayfareLiveLevel,
    level: WayfareLevel,
) -> WayfareStatus {
    border(|| {
        let triangles = level.read()?.only_triangles()?;
        live.write()?.replace_triangles(triangles).map_err(failure)
    })
}

/// Puts the height map of another level in the place of the one that was there; one without takes it away. If both have
/// their points in the same places, only tiles under points whose height is another are baked anew: dig by giving the same
/// map with other samples. Triangles and volumes of the level are not looked at.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_replace_terrain(
    live: WayfareLiveLevel,
    level: WayfareLevel,
) -> WayfareStatus {
    border(|| {
        let terrain = level.read()?.terrain.clone();
        live.write()?.replace_terrain(terrain).map_err(failure)
    })
}

/// Says in its mesh which tiles will be built anew, so that those who walk on them learn of it before. Call it after changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_announce(live: WayfareLiveLevel) -> WayfareStatus {
    border(|| {
        live.write()?.announce();
        Ok(())
    })
}

/// How far a live level has followed its changes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareLiveProgress {
    /// A `WayfareLiveStage`: what it is working on.
    pub stage: u32,
    /// 1 if nothing is left to do.
    pub finished: u32,
    /// How much of that stage is done.
    pub done: u64,
    /// How much there is.
    pub total: u64,
}

impl From<LiveProgress> for WayfareLiveProgress {
    fn from(live: LiveProgress) -> Self {
        let stage = match live.stage {
            LiveStage::Tiles => WayfareLiveStage::Tiles,
            LiveStage::Links => WayfareLiveStage::Links,
        };
        let (done, total) = (live.progress.done, live.progress.total);
        Self { stage: stage as u32, finished: live.is_finished().into(), done, total }
    }
}

/// Follows the changes for `budget` units of work, 0 for as many as it takes: rebuilds tiles, and when all are there,
/// searches links. After an error later steps go on with the rest. `progress` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_step(
    live: WayfareLiveLevel,
    budget: u64,
    context: *const WayfareContext,
    progress: *mut WayfareLiveProgress,
) -> WayfareStatus {
    border(|| {
        let mut held = live.write()?;
        let held = &mut *held;
        let now = with_context(context, |context| held.step(step_budget(budget), context).map_err(failure))?;
        if progress.is_null() { Ok(()) } else { put!(progress, now.into()) }
    })
}

/// How far it has followed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_progress(
    live: WayfareLiveLevel,
    progress: *mut WayfareLiveProgress,
) -> WayfareStatus {
    border(|| put!(progress, live.read()?.progress().into()))
}

/// The tiles that the last step rebuilt.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_rebuilt(
    live: WayfareLiveLevel,
    tiles: *mut WayfareRebuiltTile,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(tiles, capacity, count, live.read()?.rebuilt().iter().map(WayfareRebuiltTile::of)))
}

/// Frees a live level; copies of its mesh stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_live_level_free(live: WayfareLiveLevel) -> WayfareStatus {
    border(|| live.free())
}
