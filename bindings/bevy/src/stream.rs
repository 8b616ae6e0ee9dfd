//! Worlds larger than memory: the tiles around cameras and players, read on the task pool.

use crate::convert::to_nav;
use crate::events::{NavBakeProgress, NavReady, tell_failure};
use crate::region::{NavBakeStage, NavMap, NavStatus};
use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;
use bevy_tasks::futures::check_ready;
use bevy_tasks::{AsyncComputeTaskPool, Task};
use bevy_transform::components::GlobalTransform;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wayfare::area::PolyFlags;
use wayfare::hierarchy::{NotLoadedReason, ResidentBudget, ResidentWorld, TileAccess, TileReader};
use wayfare::mesh::{NavMesh, PolyRef, PreparedTile, StaleRef};
use wayfare::tile::TileLayout;

/// Tiles that are read at the same time.
const AT_ONCE: usize = 8;

/// Gives a [region](crate::NavRegion) the tiles of a store that lie around entities, instead of a mesh of the scene.
///
/// Tiles are read and checked on the task pool as those entities come near, and go when the budget is full and they are
/// far. References to polygons are valid again when a tile is back. Geometry, areas, links and obstacles of the scene
/// do not change it, but for obstacles that agents [walk around](crate::NavObstacleMode::WalkAround); links of the
/// store are there. [`NavMap::edit`] does nothing to it: use [`set_flags`](Self::set_flags).
#[derive(Component, Reflect)]
#[reflect(Component, from_reflect = false)]
pub struct NavStream {
    /// The entities around which tiles are wanted: cameras, players.
    #[entities]
    pub around: Vec<Entity>,
    /// How far around them, metres, in a square.
    pub radius: f32,
    #[reflect(ignore)]
    world: ResidentWorld<Arc<dyn TileReader + Send + Sync>>,
    #[reflect(ignore)]
    pinned: BTreeSet<u32>,
    #[reflect(ignore)]
    reading: BTreeMap<u32, Task<Result<PreparedTile, NotLoadedReason>>>,
    /// Wanted tiles that could not be read; they are tried again when they are wanted anew.
    #[reflect(ignore)]
    lost: BTreeSet<u32>,
    /// Whether a tile found no room: none is read before another is let go.
    #[reflect(ignore)]
    is_full: bool,
    /// Whether that was said, and not all that is wanted has been there since.
    #[reflect(ignore)]
    is_full_known: bool,
    #[reflect(ignore)]
    is_shown: bool,
}

impl NavStream {
    /// A stream of tiles around entities, with no limit of resident tiles: none is let go.
    pub fn new(
        reader: impl TileReader + Send + Sync + 'static,
        around: impl IntoIterator<Item = Entity>,
        radius: f32,
    ) -> Self {
        Self::with_budget(reader, around, radius, ResidentBudget::default())
    }

    /// The same with another budget. Tiles within the radius stay, so the budget should hold them; the rest is kept
    /// until there is no room.
    pub fn with_budget(
        reader: impl TileReader + Send + Sync + 'static,
        around: impl IntoIterator<Item = Entity>,
        radius: f32,
        budget: ResidentBudget,
    ) -> Self {
        let reader: Arc<dyn TileReader + Send + Sync> = Arc::new(reader);
        Self {
            around: around.into_iter().collect(),
            radius,
            world: ResidentWorld::new(reader, budget),
            pinned: BTreeSet::new(),
            reading: BTreeMap::new(),
            lost: BTreeSet::new(),
            is_full: false,
            is_full_known: false,
            is_shown: false,
        }
    }

    /// Changes the flags of a polygon of a tile that is in memory: to close a door, for example. They are kept while
    /// the tile is away.
    ///
    /// # Errors
    /// [`StaleRef`] if the tile is not in memory.
    pub fn set_flags(&mut self, poly: PolyRef, flags: PolyFlags) -> Result<(), StaleRef> {
        self.world.set_flags(poly, flags)
    }

    /// How many tiles are in memory.
    #[must_use]
    pub fn resident_tiles(&self) -> usize {
        self.world.resident_slots().count()
    }

    /// How many tiles the store has.
    #[must_use]
    pub fn stored_tiles(&self) -> usize {
        self.world.tile_count()
    }

    /// The tiles around these places, the nearest first.
    fn tiles_around(&self, places: &[wayfare::Vec3]) -> Vec<u32> {
        let slots = places.iter().flat_map(|&place| self.world.tiles_around(place, self.radius));
        let slots: BTreeSet<u32> = slots.collect();
        let layout = self.world.mesh().layout();
        let distance = |slot: u32| {
            let middle = self
                .world
                .coords()
                .get(slot as usize)
                .map_or(layout.origin, |coord| middle_of(layout, [coord.x, coord.z]));
            let flat = places.iter().map(|place| (*place - middle).with_y(0.0).length_squared());
            flat.fold(f32::INFINITY, f32::min)
        };
        let mut near: Vec<(f32, u32)> = slots.into_iter().map(|slot| (distance(slot), slot)).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.into_iter().map(|(_, slot)| slot).collect()
    }

    /// Keeps the tiles that are wanted, lets the others go when there is no room, and has missing ones read, the first
    /// first.
    fn want(&mut self, wanted: &[u32]) {
        let is_wanted: BTreeSet<u32> = wanted.iter().copied().collect();
        for slot in self.pinned.iter().filter(|slot| !is_wanted.contains(slot)) {
            self.world.unpin(*slot);
            self.is_full = false;
        }
        self.pinned.retain(|slot| is_wanted.contains(slot));
        self.lost.retain(|slot| is_wanted.contains(slot));
        let resident: BTreeSet<u32> = self.world.resident_slots().collect();
        for &slot in wanted {
            if resident.contains(&slot) {
                // It is there, so nothing is read here.
                if !self.pinned.contains(&slot) && self.world.pin(slot).is_ok() {
                    self.pinned.insert(slot);
                }
                continue;
            }
            let is_free = self.reading.len() < AT_ONCE && !self.is_full;
            if is_free && !self.reading.contains_key(&slot) && !self.lost.contains(&slot) {
                let Some(&coord) = self.world.coords().get(slot as usize) else { continue };
                let reader = Arc::clone(self.world.source());
                let read = AsyncComputeTaskPool::get().spawn(async move { reader.read_tile(coord) });
                self.reading.insert(slot, read);
            }
        }
    }

    /// Puts in what was read; what could not be, in sentences.
    fn take_in(&mut self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut done = Vec::new();
        for (&slot, read) in &mut self.reading {
            if let Some(answer) = check_ready(read) {
                done.push((slot, answer));
            }
        }
        for (slot, answer) in done {
            self.reading.remove(&slot);
            let put = answer.and_then(|tile| self.world.put(slot, tile).map_err(|event| event.why));
            match put {
                // At once, lest the next one takes its place.
                Ok(()) if self.world.pin(slot).is_ok() => _ = self.pinned.insert(slot),
                Ok(()) => {}
                // Another try when something has gone.
                Err(NotLoadedReason::NoRoom) => {
                    self.is_full = true;
                    if !core::mem::replace(&mut self.is_full_known, true) {
                        problems.push(format!(
                            "more tiles lie within {} m than the budget of the stream holds: raise the budget, or make \
                             the radius smaller",
                            self.radius
                        ));
                    }
                }
                Err(why) => {
                    self.lost.insert(slot);
                    let coord = self.world.coords().get(slot as usize).copied().unwrap_or_default();
                    problems.push(format!("the tile in column {}, row {} is {why}", coord.x, coord.z));
                }
            }
        }
        problems
    }
}

type Regions<'a> = (Entity, &'a mut NavStream, &'a mut NavMap, &'a mut NavStatus);

/// Lets regions with streams follow the entities that they are around.
pub(crate) fn stream_regions(mut regions: Query<Regions<'_>>, places: Query<&GlobalTransform>, mut commands: Commands) {
    for (entity, mut stream, mut map, mut status) in &mut regions {
        let stream = &mut *stream;
        let mut problems = stream.take_in();
        if !map.edits.is_empty() {
            map.edits.clear();
            problems.push("NavMap::edit does not change the tiles of a stream: use NavStream::set_flags".into());
        }
        let centers = stream.around.iter().filter_map(|&center| places.get(center).ok());
        let centers = centers.map(|place| to_nav(place.translation())).filter(|place| place.is_finite());
        let wanted = stream.tiles_around(&centers.collect::<Vec<_>>());
        stream.want(&wanted);
        let missing = wanted.iter().filter(|slot| !stream.pinned.contains(slot) && !stream.lost.contains(slot)).count();
        stream.is_full_known &= missing > 0;
        let mesh: &NavMesh = stream.world.mesh();
        if !stream.is_shown {
            map.replace(mesh.clone());
            stream.is_shown = true;
        } else if !map.mesh().is_same_as(mesh) {
            map.shared.replace(mesh.clone());
            map.refresh();
        }
        if !problems.is_empty() {
            tell_failure(&mut commands, entity, problems.join("; "));
        }
        let now = match missing {
            0 => NavStatus::Ready,
            _ if stream.is_full => NavStatus::Failed(format!("{missing} tiles of the stream have no room")),
            _ => {
                let done = 1.0 - missing as f32 / wanted.len().max(1) as f32;
                NavStatus::Baking { stage: NavBakeStage::Reading, done }
            }
        };
        if now == NavStatus::Ready && *status != now {
            commands.trigger(NavReady { entity });
        }
        if let NavStatus::Baking { stage, done } = now
            && *status != now
        {
            commands.trigger(NavBakeProgress { entity, stage, done });
        }
        status.set_if_neq(now);
    }
}

/// The middle of the tile in a column and a row.
fn middle_of(layout: TileLayout, [column, row]: [i32; 2]) -> wayfare::Vec3 {
    let along = |place: i32, size: f32| (place as f32 + 0.5) * size;
    layout.origin + wayfare::Vec3::new(along(column, layout.tile_width), 0.0, along(row, layout.tile_depth))
}
