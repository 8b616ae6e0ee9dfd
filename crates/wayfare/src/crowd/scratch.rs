//! Memory for the phases: one piece for each working thread, kept for the next tick.

use super::local_path::LocalScratch;
use crate::avoid::{AvoidScratch, Near, NearestScratch, Neighbour, Wall};
use crate::corridor::CorridorScratch;
use crate::mesh::PolyRef;
use crate::query::WallSegment;
use std::sync::{Mutex, PoisonError};

/// The working memory of a phase.
#[derive(Clone, Debug, Default)]
pub(super) struct PhaseScratch {
    pub(super) corridor: CorridorScratch,
    pub(super) avoid: AvoidScratch,
    /// Polygons around an agent, and their walls.
    pub(super) polys: Vec<PolyRef>,
    pub(super) walls: Vec<WallSegment>,
    /// Walls near an agent, by distance.
    pub(super) near: Vec<(f32, Wall)>,
    /// For a run of agents, one after the other.
    pub(super) neighbours: Vec<Neighbour>,
    /// Others near an agent.
    pub(super) near_agents: Vec<Near>,
    pub(super) nearest: NearestScratch,
    pub(super) local: LocalScratch,
}

/// Pieces of memory that are not in use.
#[derive(Debug, Default)]
pub(super) struct ScratchPool(Mutex<Vec<PhaseScratch>>);

impl ScratchPool {
    /// Lends a piece for as long as `work` runs.
    pub(super) fn lend<T>(&self, work: impl FnOnce(&mut PhaseScratch) -> T) -> T {
        let mut scratch = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let result = work(&mut scratch);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        result
    }
}

impl Clone for ScratchPool {
    /// A clone of a crowd starts with its own empty memory.
    fn clone(&self) -> Self {
        Self::default()
    }
}
