//! The inside of a cluster as one graph: the portals of its tiles, or the entrances of its clusters one level below.
//!
//! Cost: linear in the edges; the costs from one node to all others take a search through the cluster.
//!
//! Sources: Edsger Dijkstra, "A note on two problems in connexion with graphs", 1959.

use super::cluster::{ClusterBorder, ClusterExit, Entrance};
use crate::math::OpenList;
use crate::math::disjoint_sets::{number_sets, unite};

/// An edge within a cluster.
#[derive(Clone, Copy, Debug)]
pub(super) struct InnerEdge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) cost: f32,
    /// Whether the opposite direction has a finite cost too.
    pub(super) is_two_way: bool,
}

/// The graph within a cluster.
#[derive(Clone, Debug, Default)]
pub(super) struct ClusterGraph {
    /// All nodes, sorted, and the steps out of the cluster.
    pub(super) border: ClusterBorder,
    pub(super) edges: Vec<InnerEdge>,
    /// The first edge of each node, once edges are sorted.
    first: Vec<u32>,
}

impl ClusterGraph {
    /// Empties it, keeping its memory.
    pub(super) fn clear(&mut self) {
        self.border.portals.clear();
        self.border.exits.clear();
        self.edges.clear();
    }

    /// Sorts the edges, and numbers the connected components.
    pub(super) fn finish(&mut self) {
        let nodes = self.border.portals.len();
        self.edges.sort_by_key(|edge| edge.from);
        self.border.exits.sort_by_key(|exit| (exit.from, exit.to));
        self.first.clear();
        self.first.resize(nodes + 1, 0);
        let mut component: Vec<u32> = (0..nodes as u32).collect();
        for edge in &self.edges {
            self.first[edge.from as usize + 1] += 1;
            if edge.is_two_way {
                unite(&mut component, edge.from, edge.to);
            }
        }
        for at in 0..nodes {
            self.first[at + 1] += self.first[at];
        }
        number_sets(&mut component);
        self.border.portals.iter_mut().zip(component).for_each(|(portal, number)| portal.component = number);
    }

    /// The nodes that lead out of the cluster, and those that `forced` puts on its border.
    pub(super) fn leading_out(&self, forced: impl Fn(&Entrance) -> bool) -> ClusterBorder {
        let leads_out = |at: u32| !self.border.exits_of(at).is_empty() || forced(&self.border.portals[at as usize]);
        let kept: Vec<u32> = (0..self.border.portals.len() as u32).filter(|&at| leads_out(at)).collect();
        self.border.only(&kept)
    }

    fn edges_of(&self, node: u32) -> &[InnerEdge] {
        let at = node as usize;
        &self.edges[self.first[at] as usize..self.first[at + 1] as usize]
    }
}

/// Searches through clusters. There are a few hundred nodes, all of which are reached, so plain lists serve better than
/// the search kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct ClusterFlood {
    /// By node, from where the search began.
    costs: Vec<f32>,
    open: OpenList,
}

impl ClusterFlood {
    /// The costs of the cheapest paths from a node to others; infinite where there is none.
    pub(super) fn costs(&mut self, graph: &ClusterGraph, from: u32, to: &[u32], costs: &mut Vec<f32>) {
        self.costs.clear();
        self.costs.resize(graph.border.portals.len(), f32::INFINITY);
        self.open.clear();
        self.reach(from, 0.0);
        while let Some((cost, node)) = self.open.pop() {
            if cost > self.costs[node as usize] {
                continue;
            }
            for edge in graph.edges_of(node) {
                self.reach(edge.to, cost + edge.cost);
            }
        }
        costs.extend(to.iter().map(|&to| self.costs[to as usize]));
    }

    #[inline]
    fn reach(&mut self, node: u32, cost: f32) {
        let best = &mut self.costs[node as usize];
        if cost < *best {
            *best = cost;
            self.open.push(cost, node);
        }
    }
}

impl ClusterExit {
    /// Whether it crosses a border, and so can be taken in both directions.
    pub(super) fn is_plain(&self) -> bool {
        self.connection.is_none()
    }
}
