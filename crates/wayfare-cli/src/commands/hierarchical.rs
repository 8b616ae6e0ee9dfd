//! A path by hierarchical search, and how it went.

use crate::output::numbers::number;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};
use wayfare::hierarchy::{
    AbstractGraph, HierarchicalAnswer, HierarchicalPath, HierarchyScratch, InMemory, Refinement, TileAccess,
    find_hierarchical_path,
};
use wayfare::mesh::{NavMesh, StaleRef};
use wayfare::query::{DefaultFilter, PathRequest, PolyPath};

/// Hierarchical searches, and the answer of the last.
#[derive(Default)]
pub(super) struct Hierarchical {
    scratch: HierarchyScratch,
    answer: HierarchicalAnswer,
    first_corridor: Duration,
    tiles: u32,
}

impl Hierarchical {
    /// Finds a path over a mesh in memory.
    pub(super) fn search(
        &mut self,
        (mesh, graph): (&NavMesh, &AbstractGraph),
        request: &PathRequest,
        filter: &DefaultFilter,
    ) -> Result<&PolyPath, StaleRef> {
        self.tiles = mesh.tile_count();
        self.search_in(&mut InMemory::new(mesh, graph), request, filter)
    }

    fn search_in<W: TileAccess>(
        &mut self,
        world: &mut W,
        request: &PathRequest,
        filter: &DefaultFilter,
    ) -> Result<&PolyPath, StaleRef> {
        let refinement = Refinement::default();
        let started = Instant::now();
        let mut first = HierarchicalPath::new(request, refinement);
        first.next_corridor(world, filter, &mut self.scratch, &mut PolyPath::default())?;
        self.first_corridor = started.elapsed();
        self.answer = find_hierarchical_path(world, request, refinement, filter, &mut self.scratch)?;
        Ok(&self.answer.path)
    }

    /// What an answer says besides the path.
    pub(super) fn fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("first_corridor_us".into(), number(self.first_corridor.as_secs_f32() * 1e6));
        fields.insert("abstract_nodes".into(), json!(self.answer.abstract_nodes));
        fields.insert("corridors".into(), json!(self.answer.corridors));
        fields.insert("tiles_loaded".into(), json!(0));
        fields.insert("resident_max".into(), json!(self.tiles));
        if let Some(event) = self.answer.events.first() {
            fields.insert("event".into(), json!(event.to_string()));
        }
        fields
    }
}
