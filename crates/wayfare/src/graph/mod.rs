//! The search kernel: nodes, open list, limits, backtrace and observer, for any search space.
//!
//! A search over polygons, floods around a position, optimal paths and a search over an abstract graph differ in what
//! their nodes represent, where those lead and what that costs. Everything else is the same, and is here.
//!
//! ```text
//!   SearchSpace ──expand──> Fringe ──┬─> NodeStore   which nodes there are, by key, and from where each was entered
//!   what leads where        open,    ├─> open list   whose turn is next: cheapest first, or first found first
//!   at what cost            improve  ├─> Course      limits, the best so far
//!                                    └─> observer    sees nodes as they open, close and get parents
//! ```
//!
//! Public are the [observer](SearchObserver), a [record](SearchRecord) that stores what it observes, and the
//! [limits](SearchLimits). A search reports its nodes to the observer of the scratch or session that runs it:
//!
//! ```
//! use wayfare::graph::SearchRecord;
//! use wayfare::input::{AgentSettings, TriMesh};
//! use wayfare::mesh::NavMesh;
//! use wayfare::query::NavQuery;
//!
//! # let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 10.0], [10.0, 0.0, 10.0], [10.0, 0.0, 0.0]].map(Into::into);
//! # let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
//! # let mesh = NavMesh::bake(&level, &AgentSettings::default())?;
//! let mut query = NavQuery::of(&mesh).observed_by(SearchRecord::new());
//! query.path([1.0, 0.0, 1.0], [9.0, 0.0, 8.0])?;
//! let search = &query.observer().searches()[0];
//! assert!(search.nodes().len() >= 1 && search.closed_order().len() >= 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arena;
mod course;
mod entries;
mod fringe;
mod limits;
mod node_store;
mod observer;
mod order;
#[cfg(test)]
mod plain_graph_tests;
mod record;
mod search_loop;

pub(crate) use arena::{Arena, Linked};
pub(crate) use course::Course;
pub(crate) use entries::{Entries, Known, Page, PageSize};
pub(crate) use fringe::Fringe;
pub use limits::SearchLimits;
pub(crate) use node_store::{Node, NodeStore};
pub use observer::{SearchNode, SearchObserver, SightCone};
pub(crate) use order::{FirstFound, InHand, Order};
pub use record::{RecordedSearch, SearchRecord, SearchStep};
pub(crate) use search_loop::{BestFirst, SearchSpace, run, run_best_first};
