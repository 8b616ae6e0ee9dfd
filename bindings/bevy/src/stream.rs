//! Worlds larger than memory: the tiles around cameras and players, read on the task pool.

use crate::convert::to_nav;
use crate::events::{NavBakeFailed, NavReady};
use crate::region::{NavMap, NavStatus};
use bevy_ecs::prelude::*;
use bevy_tasks::futures::check_ready;
use bevy_tasks::{AsyncComputeTaskPool, Task};
use bevy_transform::components::GlobalTransform;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wayfare::hierarchy::{NotLoadedReason, ResidentBudget, ResidentWorld, TileAccess, TileReader};
use wayfare::mesh::{NavMesh, PreparedTile};
use wayfare::tile::TileCoord;

/// Tiles that are read at the same time.
const AT_ONCE: usize = 8;

/// Gives a [region](crate::NavRegion) the tiles of a store that lie around entities, instead of a mesh of the scene.
///
/// Tiles are read and checked on the task pool as those entities come near, and go when the budget is full and they are
/// far. References to polygons are valid again when a tile is back. Geometry, obstacles, areas and links of the scene do
/// not change it; links of the store are there.
#[derive(Component)]
pub struct NavStream {
    /// The entities around which tiles are wanted: cameras, players.
    pub around: Vec<Entity>,
    /// How far around them, metres, in a square.
    pub radius: f32,
    world: ResidentWorld<Reader>,
    coord_of: BTreeMap<u32, TileCoord>,
    pinned: BTreeSet<u32>,
    reading: BTreeMap<u32, Task<Result<PreparedTile, NotLoadedReason>>>,
    /// Tiles that are missing or broken; they are not tried again.
    lost: BTreeSet<u32>,
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
        let coords = reader.coords();
        let world = ResidentWorld::new(Reader(Arc::new(reader)), budget);
        let coord_of = coords.into_iter().filter_map(|coord| Some((world.slot_at(coord)?, coord))).collect();
        Self {
            around: around.into_iter().collect(),
            radius,
            world,
            coord_of,
            pinned: BTreeSet::new(),
            reading: BTreeMap::new(),
            lost: BTreeSet::new(),
            is_shown: false,
        }
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

    /// Keeps the tiles that are wanted, lets the others go when there is no room, and has missing ones read.
    fn want(&mut self, wanted: &BTreeSet<u32>) {
        let resident: BTreeSet<u32> = self.world.resident_slots().collect();
        for slot in self.pinned.iter().filter(|slot| !wanted.contains(slot)) {
            self.world.unpin(*slot);
        }
        self.pinned.retain(|slot| wanted.contains(slot));
        for &slot in wanted {
            if resident.contains(&slot) {
                // It is there, so nothing is read here.
                if !self.pinned.contains(&slot) && self.world.pin(slot).is_ok() {
                    self.pinned.insert(slot);
                }
            } else if self.reading.len() < AT_ONCE && !self.reading.contains_key(&slot) && !self.lost.contains(&slot) {
                let Some(&coord) = self.coord_of.get(&slot) else { continue };
                let reader = Arc::clone(&self.world.source().0);
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
                // Another try when something has gone.
                Ok(()) | Err(NotLoadedReason::NoRoom) => {}
                Err(why) => {
                    self.lost.insert(slot);
                    let coord = self.coord_of.get(&slot);
                    problems.push(match coord {
                        Some(coord) => format!("the tile in column {}, row {} is {why}", coord.x, coord.z),
                        None => format!("a tile is {why}"),
                    });
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
        let problems = stream.take_in();
        let mut wanted = BTreeSet::new();
        for &center in &stream.around {
            if let Ok(place) = places.get(center).map(|place| to_nav(place.translation()))
                && place.is_finite()
            {
                wanted.extend(stream.world.tiles_around(place, stream.radius));
            }
        }
        stream.want(&wanted);
        let missing = wanted.iter().filter(|slot| !stream.pinned.contains(slot) && !stream.lost.contains(slot)).count();
        let mesh: &NavMesh = stream.world.mesh();
        if !stream.is_shown {
            map.replace(mesh.clone());
            stream.is_shown = true;
        } else if !map.mesh().is_same_as(mesh) {
            map.shared.publish(mesh.clone());
            map.refresh();
        }
        if !problems.is_empty() {
            commands.trigger(NavBakeFailed { entity, reason: problems.join("; ") });
        }
        let now = match missing {
            0 => NavStatus::Ready,
            _ => NavStatus::Baking { done: 1.0 - missing as f32 / wanted.len().max(1) as f32 },
        };
        if now == NavStatus::Ready && *status != now {
            commands.trigger(NavReady { entity });
        }
        status.set_if_neq(now);
    }
}

/// A reader that tasks share.
#[derive(Clone)]
struct Reader(Arc<dyn TileReader + Send + Sync>);

impl TileReader for Reader {
    fn empty_mesh(&self) -> NavMesh {
        self.0.empty_mesh()
    }

    fn coords(&self) -> Vec<TileCoord> {
        self.0.coords()
    }

    fn read_tile(&self, coord: TileCoord) -> Result<PreparedTile, NotLoadedReason> {
        self.0.read_tile(coord)
    }

    fn read_graph(&self, coord: TileCoord) -> Result<Option<Vec<u8>>, NotLoadedReason> {
        self.0.read_graph(coord)
    }

    fn read_levels(&self) -> Option<(Vec<u8>, String)> {
        self.0.read_levels()
    }
}
