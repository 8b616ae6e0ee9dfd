//! The cheapest costs from a portal to all others, in both directions of every portal.
//!
//! Sums are kept in double precision, so that rounding stays far below what is left of a bound for it.
//!
//! Cost: for every portal those around its two polygons, and the logarithm of the open ones.
//!
//! Sources: Edsger Dijkstra, "A note on two problems in connexion with graphs", 1959.

use super::portal_graph::PortalGraph;
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// Memory of the work, and its result.
#[derive(Default)]
pub(super) struct PortalCosts {
    /// By portal; infinite where no path leads.
    pub(super) costs: Vec<f64>,
    /// Costs as bits, which are in the order of the numbers, since none is negative.
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

impl PortalCosts {
    /// Computes the costs from a portal, given what a metre costs in each polygon.
    pub(super) fn from(&mut self, graph: &PortalGraph, metre: &[f32], portal: u32) {
        self.costs.clear();
        self.costs.resize(graph.edges.len(), f64::INFINITY);
        self.reach(portal, 0.0);
        while let Some(Reverse((bits, here))) = self.open.pop() {
            let cost = f64::from_bits(bits);
            if cost > self.costs[here as usize] {
                continue;
            }
            let edge = graph.edges[here as usize];
            for side in edge.sides {
                let metre = f64::from(metre[side as usize]);
                if metre == f64::INFINITY {
                    continue;
                }
                for &way in graph.around(side) {
                    let there = way >> 1;
                    let length = graph.edges[there as usize].at.as_dvec3().distance(edge.at.as_dvec3());
                    self.reach(there, cost + length * metre);
                }
            }
        }
    }

    fn reach(&mut self, portal: u32, cost: f64) {
        let best = &mut self.costs[portal as usize];
        if cost < *best {
            *best = cost;
            self.open.push(Reverse((cost.to_bits(), portal)));
        }
    }

    /// The portal that is farthest away of those that can be reached, the first of equals.
    pub(super) fn farthest(&self) -> Option<u32> {
        let reached = (0..).zip(&self.costs).filter(|(_, cost)| cost.is_finite());
        reached.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0))).map(|(portal, _)| portal)
    }
}
