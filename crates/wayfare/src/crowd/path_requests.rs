//! The requests of a crowd in its [`PathQueue`], and to which agents they belong.

use super::AgentId;
use crate::context::Budget;
use crate::mesh::{NavMesh, PolyRef};
use crate::plan::{PathAnswer, PathQueue, PlanOutcome, Planner, RequestId, RequestState, SharedFilter};
use crate::query::{PathRequest, PolyPoint};

/// The requests that agents have made, at most one each.
#[derive(Clone, Debug, Default)]
pub(super) struct PathRequests {
    queue: PathQueue,
    /// The request of each agent, by its index.
    of_agent: Vec<Option<RequestId>>,
    /// The agent of each request, by its index.
    asked: Vec<Asked>,
    /// Positions of moving targets, by agent, and agents that search for a better topology: reused memory.
    pub(super) goals: Vec<Option<PolyPoint>>,
    pub(super) longest: Vec<(f64, u32)>,
}

/// The agent that has requested a path, and the polygon it leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) agent: AgentId,
    pub(super) to: PolyRef,
}

/// An agent's request as it is stored.
#[derive(Clone, Debug)]
pub(super) struct AgentRequest {
    pub(super) agent: AgentId,
    pub(super) request: PathRequest,
    /// Its outcome, if it was begun.
    pub(super) outcome: Option<PlanOutcome>,
    /// Whether the mesh has changed since.
    pub(super) is_outdated: bool,
    /// Whether the planner itself works on it.
    pub(super) is_planned: bool,
}

impl PathRequests {
    /// The agent at an index that has requested a path: it may have left since.
    pub(super) fn asker(&self, index: usize) -> Option<AgentId> {
        let id = (*self.of_agent.get(index)?)?;
        Some(self.asked[id.index()].agent)
    }

    /// Requests a path for an agent without a request.
    pub(super) fn ask(&mut self, agent: AgentId, request: PathRequest, filter: SharedFilter) {
        let id = self.queue.request(request, filter);
        self.note(id, Asked { agent, to: request.goal.poly });
    }

    fn note(&mut self, id: RequestId, asked: Asked) {
        let agent = asked.agent.index();
        if self.of_agent.len() <= agent {
            self.of_agent.resize(agent + 1, None);
        }
        if self.asked.len() <= id.index() {
            self.asked.resize(id.index() + 1, asked);
        }
        self.of_agent[agent] = Some(id);
        self.asked[id.index()] = asked;
    }

    /// The request of the agent at an index has changed: applies unless its search is in progress.
    pub(super) fn update(&mut self, index: usize, request: PathRequest, filter: &SharedFilter) {
        if let Some(&Some(id)) = self.of_agent.get(index)
            && self.queue.update(id, request, filter) == Ok(true)
        {
            self.asked[id.index()].to = request.goal.poly;
        }
    }

    /// Cancels the request of the agent at an index.
    pub(super) fn cancel(&mut self, index: usize) {
        if let Some(id) = self.of_agent.get_mut(index).and_then(Option::take) {
            let _ = self.queue.cancel(id);
        }
    }

    /// Whether a search is in progress for the agent at an index.
    pub(super) fn is_searching(&self, index: usize) -> bool {
        let id = self.of_agent.get(index).copied().flatten();
        id.is_some_and(|id| self.queue.state(id) == Ok(RequestState::Searching))
    }

    /// Restarts the search for the agent at an index.
    pub(super) fn restart(&mut self, index: usize) {
        if let Some(Some(id)) = self.of_agent.get(index) {
            let _ = self.queue.restart(*id);
        }
    }

    /// Restarts all searches in progress.
    pub(super) fn restart_all(&mut self) {
        self.queue.restart_all();
    }

    /// The mesh has changed: if a search in progress finds no path, that is no longer an answer.
    pub(super) fn outdate(&mut self) {
        self.queue.outdate();
    }

    /// Processes the requests within a budget.
    pub(super) fn work(&mut self, mesh: &NavMesh, planner: &mut dyn Planner, budget: &mut Budget) {
        self.queue.work(mesh, planner, budget);
    }

    /// The next answer, and the request it belongs to.
    pub(super) fn take_answer(&mut self) -> Option<(Asked, &PathAnswer)> {
        let (id, answer) = self.queue.take_next()?;
        let asked = self.asked[id.index()];
        self.of_agent[asked.agent.index()] = None;
        Some((asked, answer))
    }

    /// How many agents wait for a path.
    pub(super) fn pending(&self) -> usize {
        self.queue.pending()
    }

    /// All requests, in their order.
    pub(super) fn stored<'a>(&'a self, planner: &'a dyn Planner) -> impl Iterator<Item = AgentRequest> + 'a {
        self.queue.stored(planner).map(|stored| AgentRequest {
            agent: self.asked[stored.id.index()].agent,
            request: stored.request,
            outcome: stored.outcome,
            is_outdated: stored.is_outdated,
            is_planned: stored.is_planned,
        })
    }

    /// Appends a request that was stored.
    pub(super) fn restore(&mut self, stored: AgentRequest, filter: SharedFilter) {
        let settled = stored.outcome.map(|outcome| (outcome, stored.is_outdated));
        let id = self.queue.restore(stored.request, filter, settled, stored.is_planned);
        self.note(id, Asked { agent: stored.agent, to: stored.request.goal.poly });
    }
}
