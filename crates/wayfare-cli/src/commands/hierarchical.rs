//! Finds a path by hierarchical search, and reports details of the search.

use crate::failure::Failure;
use crate::input::store_file;
use crate::options::Residency;
use crate::output::numbers::number;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use wayfare::Vec3;
use wayfare::hierarchy::{
    AbstractGraph, HierarchicalAnswer, HierarchicalPath, HierarchyScratch, InMemory, Refinement, ResidentBudget,
    ResidentWorld, StoredTiles, TileAccess, find_hierarchical_path,
};
use wayfare::mesh::{NavMesh, StaleRef};
use wayfare::query::{DefaultFilter, PathRequest, PolyPath, PolyPoint, QueryFilter, SearchScratch};
use wayfare_store::Store;

/// A store with some of its tiles in memory.
pub(super) struct StoredWorld {
    world: ResidentWorld<StoredTiles<Store>>,
}

impl StoredWorld {
    /// Opens a store.
    pub(super) fn open(path: &Path, residency: Residency) -> Result<Self, Failure> {
        let store = store_file::open(path)?;
        let budget = ResidentBudget { tiles: residency.tiles(), ..ResidentBudget::default() };
        Ok(Self { world: ResidentWorld::new(StoredTiles::new(store), budget) })
    }

    /// The mesh of the tiles in memory.
    pub(super) fn mesh(&self) -> &NavMesh {
        self.world.mesh()
    }

    pub(super) fn default_filter(&self) -> DefaultFilter {
        DefaultFilter::of(self.world.mesh())
    }

    pub(super) fn nearest(&mut self, asked: Vec3, half_extents: Vec3, filter: &DefaultFilter) -> Option<PolyPoint> {
        self.world.nearest(asked, half_extents, filter)
    }

    /// The first tile that could not be loaded since the last call.
    pub(super) fn event(&mut self) -> Option<String> {
        self.world.take_events().first().map(ToString::to_string)
    }
}

/// Hierarchical searches, and the last answer.
#[derive(Default)]
pub(super) struct Hierarchical {
    scratch: HierarchyScratch,
    answer: HierarchicalAnswer,
    first_corridor: Duration,
    /// For a store: how long its first corridor waited for tiles.
    load: Option<Duration>,
    tiles_loaded: u64,
    resident_max: usize,
}

impl Hierarchical {
    /// Finds a path over a mesh in memory.
    pub(super) fn search<F: QueryFilter>(
        &mut self,
        (mesh, graph): (&NavMesh, &AbstractGraph),
        request: &PathRequest,
        filter: &F,
    ) -> Result<&PolyPath, StaleRef> {
        self.resident_max = mesh.tile_count() as usize;
        let mut world = InMemory::new(mesh, graph);
        self.first_corridor = self.time_first(&mut world, request, filter)?;
        self.answer = find_hierarchical_path(&mut world, request, Refinement::default(), filter, &mut self.scratch)?;
        Ok(&self.answer.path)
    }

    /// Finds a path over a store. The first corridor is found twice: the second time everything it needs is loaded.
    pub(super) fn search_stored(
        &mut self,
        stored: &mut StoredWorld,
        request: &PathRequest,
        filter: &DefaultFilter,
    ) -> Result<&PolyPath, StaleRef> {
        let world = &mut stored.world;
        let before = world.stats().loaded;
        let with_loads = self.time_first(world, request, filter)?;
        self.first_corridor = self.time_first(world, request, filter)?;
        self.load = Some(with_loads.saturating_sub(self.first_corridor));
        self.answer = find_hierarchical_path(world, request, Refinement::default(), filter, &mut self.scratch)?;
        self.tiles_loaded = world.stats().loaded - before;
        self.resident_max = world.stats().most_tiles;
        Ok(&self.answer.path)
    }

    fn time_first<W: TileAccess, F: QueryFilter>(
        &mut self,
        world: &mut W,
        request: &PathRequest,
        filter: &F,
    ) -> Result<Duration, StaleRef> {
        let started = Instant::now();
        let mut first = HierarchicalPath::new(request, Refinement::default());
        first.next_corridor(world, filter, &mut self.scratch, &mut PolyPath::default())?;
        Ok(started.elapsed())
    }

    /// Memory for other searches.
    pub(super) fn scratch(&mut self) -> &mut SearchScratch {
        &mut self.scratch.query
    }

    /// The fields of an answer other than the path.
    pub(super) fn fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        let micros = |time: Duration| number(time.as_secs_f32() * 1e6);
        fields.insert("first_corridor_us".into(), micros(self.first_corridor));
        if let Some(load) = self.load {
            fields.insert("load_us".into(), micros(load));
        }
        fields.insert("abstract_nodes".into(), json!(self.answer.abstract_nodes));
        fields.insert("corridors".into(), json!(self.answer.corridors));
        fields.insert("tiles_loaded".into(), json!(self.tiles_loaded));
        fields.insert("resident_max".into(), json!(self.resident_max));
        if let Some(event) = self.answer.events.first() {
            fields.insert("event".into(), json!(event.to_string()));
        }
        fields
    }
}
