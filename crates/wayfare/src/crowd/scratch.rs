//! Memory for the phases: one piece for each thread that is at work, kept for the next tick.

use crate::avoid::{AvoidScratch, Near, NearestScratch, Neighbour, Wall};
use crate::corridor::CorridorScratch;
use crate::mesh::PolyRef;
use crate::query::WallSegment;
use std::sync::{Mutex, PoisonError};

/// What a phase works with.
#[derive(Clone, Debug, Default)]
pub(super) struct PhaseScratch {
    pub(super) corridor: CorridorScratch,
    pub(super) avoid: AvoidScratch,
    /// Polygons around an agent, and their walls.
    pub(super) polys: Vec<PolyRef>,
    pub(super) walls: Vec<WallSegment>,
    /// Walls near an agent, by distance.
    pub(super) near: Vec<(f32, Wall)>,
    /// Of a run of agents, one's after the other's.
    pub(super) neighbours: Vec<Neighbour>,
    /// Others near an agent.
    pub(super) near_agents: Vec<Near>,
    pub(super) nearest: NearestScratch,
}

/// Pieces of memory that are not lent.
#[derive(Debug, Default)]
pub(super) struct ScratchPool(Mutex<Vec<PhaseScratch>>);

impl ScratchPool {
    /// Lends a piece for as long as `work` takes.
    pub(super) fn lend<T>(&self, work: impl FnOnce(&mut PhaseScratch) -> T) -> T {
        let mut scratch = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let result = work(&mut scratch);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(scratch);
        result
    }
}

impl Clone for ScratchPool {
    /// The copy of a crowd brings its own memory.
    fn clone(&self) -> Self {
        Self::default()
    }
}
