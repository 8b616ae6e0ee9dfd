//! Many path requests at once, answered over several steps.
//!
//! Requests wait in the order in which they were made. Up to [`PathQueue::AT_ONCE`] of them are under way; in each
//! round every one of these, the oldest first, is given a slice of what is left of the budget, all slices are worked
//! off on as many threads as there are, and what was not needed goes back. So a short path does not wait for a long
//! one to be finished, a long one is never starved, and who gets which nodes does not depend on how many threads
//! there are.
//!
//! ```text
//!   budget 700    A: 256   B: 256   C: 188       round 1: A is found after 40 nodes and gives 216 back
//!   budget 216    B: 216                         round 2: … until the budget is spent or nobody waits
//! ```
//!
//! A search goes on over the mesh that it was begun on, so it ends however often the mesh changes. Its path is held
//! against the mesh of the step in which it ends: it is cut before what is no longer there ([`PathAnswer::stale`]), and
//! says whether anything has changed meanwhile ([`PathAnswer::is_outdated`]), what that has broken of it and how far
//! ahead ([`PathAnswer::broken`]), and what will break soon ([`PathAnswer::soon`]). Who wants a search over the mesh as
//! it is now [restarts](PathQueue::restart) the request.
//!
//! Cost: that of the searches; some hundred instructions a slice. Memory: of a request its answer; of a search under
//! way that of [`SearchScratch`], of which never more than `AT_ONCE` are kept, and of answers 256.
//!
//! Sources: the queue follows Detour's `dtPathQueue` (Mikko Mononen, 2010), with many searches under way in place of
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
/// let (level, _) = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
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
    /// Entries without a request. The first is taken, so that the same requests find the same memory again.
    free: BinaryHeap<Reverse<u32>>,
    /// Those that nothing has been done for, and some that were cancelled meanwhile.
    waiting: VecDeque<RequestId>,
    /// The request that the planner works on by itself: the first of those waiting.
    planning: Option<RequestId>,
    /// Room for searches, and which of it is in use, by the order in which the searches were begun.
    rooms: Vec<Active>,
    order: Vec<usize>,
    idle: BinaryHeap<Reverse<usize>>,
    /// In the order in which they were finished, and some that were taken meanwhile.
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
    /// What is asked, while it waits.
    asked: Option<(PathRequest, SharedFilter)>,
    answer: PathAnswer,
}

/// A request as it is stored: see [`PathQueue::stored`].
pub(crate) struct StoredRequest {
    pub(crate) id: RequestId,
    pub(crate) request: PathRequest,
    /// What comes out of it, if it was begun and that is settled.
    pub(crate) outcome: Option<PlanOutcome>,
    pub(crate) is_outdated: bool,
}

impl PathQueue {
    /// So many searches are under way at once at most.
    pub const AT_ONCE: usize = 32;
    /// So many nodes are opened by a search before the next gets its turn.
    pub const SLICE: u64 = 256;
    /// So many answers keep their memory for the next requests; what more are made at once allocates.
    const ANSWERS_KEPT: usize = 256;

    /// A queue without requests.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for a path. The filter must answer alike until the answer stands, or the request be
    /// [restarted](Self::restart).
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

    /// How far a request has got.
    ///
    /// # Errors
    /// [`UnknownRequest`].
    pub fn state(&self, id: RequestId) -> Result<RequestState, UnknownRequest> {
        state_of(&self.entries, id).ok_or(UnknownRequest { id })
    }

    /// How many requests wait or are under way.
    #[must_use]
    pub fn pending(&self) -> usize {
        let waiting = self.waiting.iter().filter(|id| self.state(**id) == Ok(RequestState::Waiting));
        waiting.count() + self.order.len()
    }

    /// Changes what a request asks for, if nothing has been done for it yet: its start may have moved on. Whether it
    /// did; it keeps its place in the queue.
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

    /// Takes a request back. A search that is under way for it is broken off.
    ///
    /// # Errors
    /// [`UnknownRequest`].
    pub fn cancel(&mut self, id: RequestId) -> Result<(), UnknownRequest> {
        if self.state(id)? == RequestState::Searching {
            self.break_off(id);
        }
        self.release(id);
        // A few that were cancelled may stand among those that wait until their turn comes, but no more than there are.
        if self.waiting.len() > 2 * (self.entries.len() - self.free.len()) {
            let entries = &self.entries;
            self.waiting.retain(|id| state_of(entries, *id).is_some());
        }
        Ok(())
    }

    /// Breaks off what was done for a request and begins anew, before all that wait: on the mesh of the next step, and
    /// by what its filter answers then. An answer that was not taken stands.
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

    /// Ends a search. What it was asked.
    fn break_off(&mut self, id: RequestId) -> Option<(PathRequest, SharedFilter)> {
        let at = self.order.iter().position(|&room| self.rooms[room].id == id)?;
        let room = self.order.remove(at);
        self.idle.push(Reverse(room));
        let asked = self.rooms[room].asked.take();
        self.rooms[room].clear();
        asked
    }

    /// Forgets a request.
    fn release(&mut self, id: RequestId) {
        let entry = &mut self.entries[id.index()];
        entry.generation = entry.generation.wrapping_add(1);
        (entry.state, entry.asked) = (None, None);
        if id.index() >= Self::ANSWERS_KEPT {
            entry.answer = PathAnswer::default();
        }
        self.free.push(Reverse(id.index));
    }

    /// Works on the requests until the budget, in nodes, is spent or none is left.
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

    /// The mesh has changed, or something else of which searches under way know nothing.
    pub(crate) fn outdate(&mut self) {
        self.rooms.iter_mut().for_each(|search| search.answer.is_outdated = true);
    }

    /// [`step`](Self::step) for those who notice by themselves that the mesh has changed.
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

    /// Asks the planner for the requests that wait, as long as searches have room and there is a slice for each.
    /// Whether the planner is busy with one itself.
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
            if planned == Planned::Working {
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

    /// Makes room for the search for a request.
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

    /// The answer to a request stands.
    fn finish(&mut self, id: RequestId) {
        let entries = &mut self.entries;
        (entries[id.index()].state, entries[id.index()].asked) = (Some(RequestState::Done), None);
        if self.finished.len() > entries.len() {
            self.finished.retain(|id| state_of(entries, *id).is_some());
        }
        self.finished.push_back(id);
    }

    /// Takes back what is left of the slices, and the answers of those that have finished.
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

    /// Takes the answer to a request, if it stands: the request then is no more.
    ///
    /// # Errors
    /// [`UnknownRequest`].
    pub fn take(&mut self, id: RequestId) -> Result<Option<PathAnswer>, UnknownRequest> {
        let mut answer = PathAnswer::default();
        Ok(self.take_into(id, &mut answer)?.then_some(answer))
    }

    /// [`take`](Self::take) in exchange for an answer whose memory the queue goes on with. Whether there was one; if
    /// not, nothing is exchanged.
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

    /// Takes the answer that has stood for longest, and whose it is; `None` if there is none. The request then is no
    /// more; what is lent stays the queue's memory.
    pub fn take_next(&mut self) -> Option<(RequestId, &PathAnswer)> {
        loop {
            let id = self.finished.pop_front()?;
            // Others were taken by name, or cancelled.
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

    /// All requests under way and waiting, in that order, for those who store them; `planner` is that of the steps.
    pub(crate) fn stored<'a>(&'a self, planner: &'a dyn Planner) -> impl Iterator<Item = StoredRequest> + 'a {
        let searching = self.order.iter().filter_map(|&room| {
            let search = &self.rooms[room];
            let (request, _) = search.asked.as_ref()?;
            let is_outdated = search.answer.is_outdated;
            Some(StoredRequest { id: search.id, request: *request, outcome: search.outcome(), is_outdated })
        });
        let waiting = self.waiting.iter().filter_map(|&id| {
            let entry = self.entries.get(id.index()).filter(|entry| entry.generation == id.generation)?;
            let (request, filter) = entry.asked.as_ref()?;
            let outcome = if self.planning == Some(id) { planner.outcome(filter) } else { None };
            Some(StoredRequest { id, request: *request, outcome, is_outdated: false })
        });
        searching.chain(waiting)
    }

    /// Puts a request that was stored behind the others. What comes out of it may be settled; of more than
    /// [`AT_ONCE`](Self::AT_ONCE) of those it is asked for anew.
    pub(crate) fn restore(
        &mut self,
        request: PathRequest,
        filter: SharedFilter,
        settled: Option<(PlanOutcome, bool)>,
    ) -> RequestId {
        let id = self.request(request, filter);
        if self.order.len() < Self::AT_ONCE
            && let Some((outcome, is_outdated)) = settled
        {
            self.waiting.pop_back();
            self.search(id, SearchWork::Settled(outcome)).answer.is_outdated = is_outdated;
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

    /// How many names of requests stand in its lists.
    pub(super) fn names_kept(&self) -> usize {
        self.waiting.len() + self.finished.len() + self.entries.len()
    }
}

/// The state of a request that is there.
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
