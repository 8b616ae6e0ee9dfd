//! Processes many path requests at once, over several steps.
//!
//! Requests wait in the order in which they were made. Up to [`PathQueue::AT_ONCE`] of them are in progress. In each
//! round every one of these, the oldest first, gets a slice of the remaining budget, all slices are processed on as
//! many threads as there are, and what was not needed is returned. So a short path does not wait for a long one to
//! finish, a long one always makes progress, and who gets which nodes does not depend on the number of threads.
//!
//! ```text
//!   budget 700    A: 256   B: 256   C: 188       round 1: A is found after 40 nodes and gives 216 back
//!   budget 216    B: 216                         round 2: … until the budget is spent or nobody waits
//! ```
//!
//! A search continues on the mesh on which it was begun, so it finishes however often the mesh changes. Its path is
//! checked against the mesh of the step in which it ends: it is cut before what is no longer there
//! ([`PathAnswer::stale`]), and reports whether anything has changed in the meantime ([`PathAnswer::is_outdated`]),
//! what that has broken and how far ahead ([`PathAnswer::broken`]), and what will break soon ([`PathAnswer::soon`]). To
//! search on the current mesh instead, [restart](PathQueue::restart) the request.
//!
//! Cost: that of the searches, plus a few hundred instructions per slice. Memory: the answer of each request, and a
//! [`SearchScratch`] for each search in progress. At most `AT_ONCE` of these and 256 answers are kept for reuse.
//!
//! Sources: the queue follows Detour's `dtPathQueue` (Mikko Mononen, 2010), with many searches in progress instead of
//! one.

use super::active::{Active, SearchWork, step_all};
use super::{PathAnswer, PlanOutcome, Planned, Planner, RequestId, RequestState, SharedFilter, UnknownRequest};
use crate::context::Budget;
use crate::mesh::{ChangeSet, NavMesh};
use crate::query::PathRequest;
#[cfg(doc)]
use crate::query::SearchScratch;
use core::cmp::Reverse;
use core::fmt;
use std::collections::{BinaryHeap, VecDeque};

/// Many path requests, answered over several steps.
///
/// ```
/// use wayfare::context::Budget;
/// use wayfare::input::{AgentSettings, TriMesh};
/// use wayfare::mesh::NavMesh;
/// use wayfare::plan::{AStarPlanner, PathQueue, SharedFilter};
/// use wayfare::query::{DefaultFilter, PathRequest, find_nearest};
/// use wayfare::Vec3;
///
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0]].map(Vec3::from);
/// let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
/// let mesh = NavMesh::bake(&level, &AgentSettings::default()).unwrap();
/// let filter: SharedFilter = std::sync::Arc::new(DefaultFilter::default());
/// let place = |x, z| find_nearest(&mesh, Vec3::new(x, 0.0, z), Vec3::ONE, filter.as_ref()).unwrap().place();
///
/// let (mut queue, mut planner) = (PathQueue::new(), AStarPlanner::new());
/// let id = queue.request(PathRequest::new(place(2.0, 2.0), place(18.0, 18.0)), filter.clone());
/// // Once a tick:
/// queue.step(&mesh, &mut planner, &mut Budget::new(4096));
/// if let Some(answer) = queue.take(id).unwrap() {
///     assert_eq!(answer.path.end, place(18.0, 18.0).point);
/// }
/// ```
#[derive(Clone, Default)]
pub struct PathQueue {
    entries: Vec<QueueEntry>,
    /// Entries without a request. The lowest is used first, so that the same requests find the same memory again.
    free: BinaryHeap<Reverse<u32>>,
    /// Requests not begun, and some that were cancelled since.
    waiting: VecDeque<RequestId>,
    /// The request that the planner itself works on: the first of those waiting.
    planning: Option<RequestId>,
    /// Room for searches, and which is in use, in the order in which the searches were begun.
    rooms: Vec<Active>,
    order: Vec<usize>,
    idle: BinaryHeap<Reverse<usize>>,
    /// In the order in which they were finished, including some that were taken since.
    finished: VecDeque<RequestId>,
    /// The last answer that was lent and whose memory is not kept.
    lent: PathAnswer,
    /// The mesh of the last step.
    mesh: Option<NavMesh>,
}

/// A place for a request.
#[derive(Clone, Default)]
struct QueueEntry {
    generation: u32,
    state: Option<RequestState>,
    /// The parameters, while it waits.
    asked: Option<(PathRequest, SharedFilter)>,
    answer: PathAnswer,
}

/// A request as it is stored: see [`PathQueue::stored`].
pub(crate) struct StoredRequest {
    pub(crate) id: RequestId,
    pub(crate) request: PathRequest,
    /// Its outcome, if it was begun and that is determined.
    pub(crate) outcome: Option<PlanOutcome>,
    pub(crate) is_outdated: bool,
    /// Whether the planner itself works on it, to an end that cannot be seen: then it stays as it is, wherever its
    /// start has moved to.
    pub(crate) is_planned: bool,
}

impl PathQueue {
    /// The maximum number of searches in progress at once.
    pub const AT_ONCE: usize = 32;
    /// The number of nodes that a search opens before the next continues.
    pub const SLICE: u64 = 256;
    /// How many answers keep their memory for later requests; further ones allocate.
    const ANSWERS_KEPT: usize = 256;

    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests a path. The filter must give the same answers until the path is ready; otherwise
    /// [restart](Self::restart) the request.
    pub fn request(&mut self, request: PathRequest, filter: SharedFilter) -> RequestId {
        let index = if let Some(Reverse(index)) = self.free.pop() {
            index
        } else {
            self.entries.push(QueueEntry::default());
            self.entries.len() as u32 - 1
        };
        let entry = &mut self.entries[index as usize];
        (entry.state, entry.asked) = (Some(RequestState::Waiting), Some((request, filter)));
        let id = RequestId { index, generation: entry.generation };
        self.waiting.push_back(id);
        id
    }

    /// The progress of a request.
    ///
    /// # Errors
    /// [`UnknownRequest`].
    pub fn state(&self, id: RequestId) -> Result<RequestState, UnknownRequest> {
        state_of(&self.entries, id).ok_or(UnknownRequest { id })
    }

    /// How many requests are waiting or in progress.
    #[must_use]
    pub fn pending(&self) -> usize {
        let waiting = self.waiting.iter().filter(|id| self.state(**id) == Ok(RequestState::Waiting));
        waiting.count() + self.order.len()
    }

    /// Changes the parameters of a request that has not been begun: its start may have moved on. Returns whether it
    /// did; the request keeps its place in the queue.
    ///
    /// # Errors
    /// [`UnknownRequest`].
    pub fn update(
        &mut self,
        id: RequestId,
        request: PathRequest,
        filter: &SharedFilter,
    ) -> Result<bool, UnknownRequest> {
        let is_waiting = self.state(id)? == RequestState::Waiting && self.planning != Some(id);
        if is_waiting && let Some((asked, by)) = &mut self.entries[id.index()].asked {
            *asked = request;
            by.clone_from(filter);
        }
        Ok(is_waiting)
    }

    /// Cancels a request, including a search in progress.
    ///
    /// # Errors
    /// [`UnknownRequest`].
    pub fn cancel(&mut self, id: RequestId) -> Result<(), UnknownRequest> {
        if self.state(id)? == RequestState::Searching {
            self.break_off(id);
        }
        self.release(id);
        // A few cancelled ones may remain among those waiting until they are reached, but no more than there are
        // others.
        if self.waiting.len() > 2 * (self.entries.len() - self.free.len()) {
            let entries = &self.entries;
            self.waiting.retain(|id| state_of(entries, *id).is_some());
        }
        Ok(())
    }

    /// Cancels what was done for a request and restarts it, before all that wait: on the mesh of the next step, with
    /// the filter's answers at that time. An answer that is ready but was not taken is kept.
    ///
    /// # Errors
    /// [`UnknownRequest`].
    pub fn restart(&mut self, id: RequestId) -> Result<(), UnknownRequest> {
        if self.planning == Some(id) {
            self.planning = None;
        }
        if self.state(id)? == RequestState::Searching {
            let asked = self.break_off(id);
            let entry = &mut self.entries[id.index()];
            (entry.state, entry.asked) = (Some(RequestState::Waiting), asked);
            self.waiting.push_front(id);
        }
        Ok(())
    }

    /// [Restarts](Self::restart) all requests in progress; they keep their order.
    pub(crate) fn restart_all(&mut self) {
        self.planning = None;
        let searching: Vec<RequestId> = self.order.iter().rev().map(|&room| self.rooms[room].id).collect();
        for id in searching {
            let _ = self.restart(id);
        }
    }

    /// Ends a search and returns its parameters.
    fn break_off(&mut self, id: RequestId) -> Option<(PathRequest, SharedFilter)> {
        let at = self.order.iter().position(|&room| self.rooms[room].id == id)?;
        let room = self.order.remove(at);
        self.idle.push(Reverse(room));
        let asked = self.rooms[room].asked.take();
        self.rooms[room].clear();
        asked
    }

    /// Removes a request.
    fn release(&mut self, id: RequestId) {
        let entry = &mut self.entries[id.index()];
        entry.generation = entry.generation.saturating_add(1);
        (entry.state, entry.asked) = (None, None);
        if id.index() >= Self::ANSWERS_KEPT {
            entry.answer = PathAnswer::default();
        }
        // The place whose ids are all given away is not used again.
        if entry.generation != u32::MAX {
            self.free.push(Reverse(id.index));
        }
    }

    /// Processes the requests until the budget, in nodes, is used up or none is left.
    pub fn step(&mut self, mesh: &NavMesh, planner: &mut dyn Planner, budget: &mut Budget) {
        if !self.mesh.as_ref().is_some_and(|last| last.version() == mesh.version()) {
            let last = self.mesh.replace(mesh.clone());
            if last.is_none_or(|last| ChangeSet::since(mesh, last.version()).has_changes()) {
                planner.mesh_changed(mesh);
                self.outdate();
            }
        }
        self.work(mesh, planner, budget);
    }

    /// The mesh has changed, or something else that searches in progress do not know about.
    pub(crate) fn outdate(&mut self) {
        self.rooms.iter_mut().for_each(|search| search.answer.is_outdated = true);
    }

    /// Like [`step`](Self::step), for callers that detect mesh changes themselves.
    pub(crate) fn work(&mut self, mesh: &NavMesh, planner: &mut dyn Planner, budget: &mut Budget) {
        let mut is_planner_busy = false;
        loop {
            for &room in &self.order {
                self.rooms[room].budget = budget.split_off(Self::SLICE);
            }
            if !is_planner_busy {
                is_planner_busy = self.begin(mesh, planner, budget);
            }
            // The oldest gets the first slice.
            if self.order.first().is_none_or(|&room| self.rooms[room].budget.left() == 0) {
                break;
            }
            step_all(&mut self.rooms, mesh);
            self.settle(budget);
        }
    }

    /// Passes waiting requests to the planner, as long as there are room and a slice for each. Returns whether the
    /// planner is itself busy with one.
    fn begin(&mut self, mesh: &NavMesh, planner: &mut dyn Planner, budget: &mut Budget) -> bool {
        while self.order.len() < Self::AT_ONCE && budget.left() > 0 {
            let Some(&id) = self.waiting.front() else { break };
            let entry = &mut self.entries[id.index()];
            let Some((request, filter)) = entry.asked.as_ref().filter(|_| entry.generation == id.generation) else {
                self.waiting.pop_front(); // It was cancelled.
                continue;
            };
            if self.planning != Some(id) {
                planner.forget();
                self.planning = Some(id);
            }
            let planned = planner.plan(mesh, request, filter, budget, &mut entry.answer.path);
            if matches!(planned, Planned::Working) {
                return true;
            }
            self.planning = None;
            self.waiting.pop_front();
            (entry.answer.stale, entry.answer.is_outdated, entry.answer.broken) = (None, false, None);
            if let Planned::Search { kind, limits } = planned {
                self.search(id, SearchWork::New(kind, limits)).budget = budget.split_off(Self::SLICE);
            } else {
                entry.answer.soon = entry.answer.path.soon_broken(mesh);
                self.finish(id);
            }
        }
        false
    }

    /// Makes room for the search of a request.
    fn search(&mut self, id: RequestId, work: SearchWork) -> &mut Active {
        let room = if let Some(Reverse(room)) = self.idle.pop() {
            room
        } else {
            self.rooms.push(Active::default());
            self.rooms.len() - 1
        };
        self.order.push(room);
        let entry = &mut self.entries[id.index()];
        entry.state = Some(RequestState::Searching);
        let search = &mut self.rooms[room];
        (search.id, search.asked, search.work) = (id, entry.asked.take(), work);
        core::mem::swap(&mut search.answer, &mut entry.answer);
        search
    }

    /// Marks the answer to a request as ready.
    fn finish(&mut self, id: RequestId) {
        let entries = &mut self.entries;
        (entries[id.index()].state, entries[id.index()].asked) = (Some(RequestState::Done), None);
        if self.finished.len() > entries.len() {
            self.finished.retain(|id| state_of(entries, *id).is_some());
        }
        self.finished.push_back(id);
    }

    /// Returns what is left of the slices to the budget, and collects the answers of finished searches.
    fn settle(&mut self, budget: &mut Budget) {
        let mut order = core::mem::take(&mut self.order);
        order.retain(|&room| {
            let search = &mut self.rooms[room];
            budget.put_back(core::mem::replace(&mut search.budget, Budget::new(0)));
            let has_finished = matches!(search.work, SearchWork::Done);
            if has_finished {
                let id = search.id;
                search.clear();
                core::mem::swap(&mut search.answer, &mut self.entries[id.index()].answer);
                self.idle.push(Reverse(room));
                self.finish(id);
            }
            !has_finished
        });
        self.order = order;
    }

    /// Takes the answer to a request if it is ready, which removes the request.
    ///
    /// # Errors
    /// [`UnknownRequest`].
    pub fn take(&mut self, id: RequestId) -> Result<Option<PathAnswer>, UnknownRequest> {
        let mut answer = PathAnswer::default();
        Ok(self.take_into(id, &mut answer)?.then_some(answer))
    }

    /// Like [`take`](Self::take), swapping the answer for one whose memory the queue then reuses. Returns whether it
    /// was ready; if not, nothing is swapped.
    ///
    /// # Errors
    /// [`UnknownRequest`].
    pub fn take_into(&mut self, id: RequestId, answer: &mut PathAnswer) -> Result<bool, UnknownRequest> {
        if self.state(id)? != RequestState::Done {
            return Ok(false);
        }
        core::mem::swap(&mut self.entries[id.index()].answer, answer);
        self.release(id);
        Ok(true)
    }

    /// The answer that has been ready for longest, with its request; `None` if there is none. The request is removed;
    /// the answer is lent and stays the queue's memory.
    pub fn take_next(&mut self) -> Option<(RequestId, &PathAnswer)> {
        loop {
            let id = self.finished.pop_front()?;
            // Others were taken by id, or cancelled.
            if self.state(id) != Ok(RequestState::Done) {
                continue;
            }
            let is_kept = id.index() < Self::ANSWERS_KEPT;
            if !is_kept {
                self.lent = core::mem::take(&mut self.entries[id.index()].answer);
            }
            self.release(id);
            return Some((id, if is_kept { &self.entries[id.index()].answer } else { &self.lent }));
        }
    }

    /// All requests in progress and waiting, in that order, for storing them; `planner` is that of the steps.
    pub(crate) fn stored<'a>(&'a self, planner: &'a dyn Planner) -> impl Iterator<Item = StoredRequest> + 'a {
        let searching = self.order.iter().filter_map(|&room| {
            let search = &self.rooms[room];
            let (request, _) = search.asked.as_ref()?;
            let is_outdated = search.answer.is_outdated;
            let outcome = search.outcome();
            Some(StoredRequest { id: search.id, request: *request, outcome, is_outdated, is_planned: false })
        });
        let waiting = self.waiting.iter().filter_map(|&id| {
            let entry = self.entries.get(id.index()).filter(|entry| entry.generation == id.generation)?;
            let (request, filter) = entry.asked.as_ref()?;
            let is_planned = self.planning == Some(id);
            let outcome = if is_planned { planner.outcome(filter) } else { None };
            let is_planned = is_planned && outcome.is_none();
            Some(StoredRequest { id, request: *request, outcome, is_outdated: false, is_planned })
        });
        searching.chain(waiting)
    }

    /// Appends a request that was stored. Its outcome may be determined; beyond [`AT_ONCE`](Self::AT_ONCE) of those,
    /// requests start again.
    pub(crate) fn restore(
        &mut self,
        request: PathRequest,
        filter: SharedFilter,
        settled: Option<(PlanOutcome, bool)>,
        is_planned: bool,
    ) -> RequestId {
        let id = self.request(request, filter);
        match settled {
            Some((outcome, is_outdated)) if self.order.len() < Self::AT_ONCE => {
                self.waiting.pop_back();
                self.search(id, SearchWork::Settled(outcome)).answer.is_outdated = is_outdated;
            }
            _ if is_planned => self.planning = Some(id),
            _ => {}
        }
        id
    }
}

#[cfg(test)]
impl PathQueue {
    /// How many searches it holds memory for.
    pub(super) fn searches_kept(&self) -> usize {
        self.rooms.len()
    }

    /// How many request ids its lists hold.
    pub(super) fn names_kept(&self) -> usize {
        self.waiting.len() + self.finished.len() + self.entries.len()
    }
}

/// The state of an existing request.
fn state_of(entries: &[QueueEntry], id: RequestId) -> Option<RequestState> {
    entries.get(id.index()).filter(|entry| entry.generation == id.generation)?.state
}

impl fmt::Debug for PathQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PathQueue")
            .field("pending", &self.pending())
            .field("searching", &self.order.len())
            .finish_non_exhaustive()
    }
}
