//! The searches that a queue has in progress, and how they run on many threads.
//!
//! Each round gives every search a slice of the budget, fixed in advance, so what a search does does not depend on the
//! others, and the threads may process them in any order.
//!
//! Cost: a slice takes some tens of microseconds, far more than handing it to a thread.
//!
//! Sources: none needed.

use super::{PathAnswer, PlanOutcome, RequestId, SearchKind, SharedFilter};
use crate::context::Budget;
use crate::mesh::{NavMesh, StaleRef};
use crate::query::{BoundedSearch, OptimalSearch, PathRequest, SearchLimits, SearchScratch, SlicedSearch};

/// Room for a search in progress.
#[derive(Clone)]
pub(super) struct Active {
    /// The request that it belongs to.
    pub(super) id: RequestId,
    /// The parameters, while there is a search.
    pub(super) asked: Option<(PathRequest, SharedFilter)>,
    pub(super) work: SearchWork,
    /// The rest of its slice.
    pub(super) budget: Budget,
    pub(super) answer: PathAnswer,
    /// Memory, while no search uses it.
    memory: SearchScratch,
}

/// Its progress.
#[derive(Clone, Default)]
pub(super) enum SearchWork {
    /// Not begun: the kind of search, and its limits.
    New(SearchKind, SearchLimits),
    AStar(SlicedSearch),
    Optimal(OptimalSearch),
    Bounded(BoundedSearch),
    /// Its outcome is determined: another search had begun it before the queue was stored.
    Settled(PlanOutcome),
    /// There is no search, or the answer is ready.
    #[default]
    Done,
}

impl Default for Active {
    /// Unused room.
    fn default() -> Self {
        Self {
            id: RequestId::default(),
            asked: None,
            work: SearchWork::Done,
            budget: Budget::new(0),
            answer: PathAnswer::default(),
            memory: SearchScratch::new(),
        }
    }
}

impl Active {
    /// Continues the search within its slice of at least one node.
    fn step(&mut self, mesh: &NavMesh) {
        let Some((request, filter)) = &self.asked else { return };
        let before = self.budget;
        if let SearchWork::New(kind, limits) = &mut self.work {
            let kind = core::mem::take(kind);
            let limits = *limits;
            let memory = core::mem::take(&mut self.memory);
            let request = PathRequest { limits, ..*request };
            match SearchWork::begin(kind, mesh, &request, filter, memory) {
                Ok(work) => self.work = work,
                Err(stale) => {
                    self.answer.path.clear();
                    (self.work, self.answer.stale) = (SearchWork::Done, Some(stale));
                }
            }
        }
        let filter = filter.as_ref();
        let is_done = match &mut self.work {
            SearchWork::AStar(search) => search.step(filter, &mut self.budget),
            SearchWork::Optimal(search) => search.step(filter, &mut self.budget),
            SearchWork::Bounded(search) => search.step(filter, &mut self.budget),
            SearchWork::Settled(outcome) => outcome.step(&mut self.budget),
            SearchWork::New(..) | SearchWork::Done => false,
        };
        if is_done {
            self.take_answer(mesh);
        }
        if let (SearchWork::Done, Some((_, filter))) = (&self.work, &self.asked) {
            self.answer.compare_with(mesh, filter.as_ref());
        }
        if self.budget == before {
            self.budget.spend();
        }
    }

    fn take_answer(&mut self, mesh: &NavMesh) {
        let path = &mut self.answer.path;
        self.answer.stale = match core::mem::take(&mut self.work) {
            SearchWork::AStar(search) => {
                let stale = search.path_into(mesh, path);
                self.memory = search.into_scratch();
                stale
            }
            SearchWork::Optimal(search) => {
                let stale = search.corridor_into(mesh, path);
                self.memory = search.into_scratch();
                stale
            }
            SearchWork::Bounded(search) => {
                let stale = search.path_into(mesh, path);
                self.memory = search.into_scratch();
                stale
            }
            SearchWork::Settled(outcome) => outcome.take(mesh, path),
            SearchWork::New(..) | SearchWork::Done => None,
        };
    }

    /// Its outcome.
    pub(super) fn outcome(&self) -> Option<PlanOutcome> {
        let filter = self.asked.as_ref()?.1.as_ref();
        let (path, nodes) = match &self.work {
            SearchWork::AStar(search) => search.outcome(filter),
            SearchWork::Optimal(search) => search.outcome(filter),
            SearchWork::Bounded(search) => search.outcome(filter),
            SearchWork::Settled(outcome) => return Some(outcome.clone()),
            SearchWork::New(..) | SearchWork::Done => return None,
        };
        Some(PlanOutcome { path, nodes })
    }

    /// Cancels what is in progress, keeping its memory.
    pub(super) fn clear(&mut self) {
        self.asked = None;
        match core::mem::take(&mut self.work) {
            SearchWork::AStar(search) => self.memory = search.into_scratch(),
            SearchWork::Optimal(search) => self.memory = search.into_scratch(),
            SearchWork::Bounded(search) => self.memory = search.into_scratch(),
            SearchWork::New(..) | SearchWork::Settled(_) | SearchWork::Done => {}
        }
    }
}

impl SearchWork {
    fn begin(
        kind: SearchKind,
        mesh: &NavMesh,
        request: &PathRequest,
        filter: &SharedFilter,
        memory: SearchScratch,
    ) -> Result<Self, StaleRef> {
        let filter = filter.as_ref();
        Ok(match kind {
            SearchKind::AStar => Self::AStar(SlicedSearch::with_scratch(mesh, request, filter, memory)?),
            SearchKind::Optimal => Self::Optimal(OptimalSearch::with_scratch(mesh, request, filter, memory)?),
            SearchKind::Bounded(bounds) => Self::Bounded(BoundedSearch::new((mesh, &bounds), request, filter, memory)?),
        })
    }
}

/// Runs all searches that have a slice.
pub(super) fn step_all(active: &mut [Active], mesh: &NavMesh) {
    #[cfg(feature = "rayon")]
    if active.iter().filter(|search| search.budget.left() > 0).nth(1).is_some()
        && crate::context::parallel::threads() > 1
    {
        use rayon::prelude::*;
        let with_slice = |search: &&mut Active| search.budget.left() > 0;
        active.par_iter_mut().with_max_len(1).filter(with_slice).for_each(|search| search.step(mesh));
        return;
    }
    active.iter_mut().filter(|search| search.budget.left() > 0).for_each(|search| search.step(mesh));
}
