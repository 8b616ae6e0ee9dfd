//! Builds the levels above an abstract graph, and updates them as tiles change.
//!
//! ```text
//!   changed tiles ──> their clusters: which portals lead out of them
//!                 ──> those and the clusters beside them: which portals are chosen as entrances
//!                 ──> clusters that have changed, or have new entrances: costs        ──> the next level
//! ```
//!
//! Building a level is an update in which all its clusters have changed.
//!
//! Cost: for each cluster, one pass over the edges within it, and a search through it for each entrance.
//!
//! Sources: see [`GraphLevels`].

use super::GraphLevels;
use super::area_costs::{area_cost, connection_cost, cost_in};
use super::closed_parts::AbstractNode;
use super::cluster::{Cluster, ClusterBorder, ClusterExit, Entrance};
use super::cluster_graph::{ClusterFlood, ClusterGraph, InnerEdge};
use super::entrances::chosen_between;
use super::graph_levels::{ClusterLevel, SIDE};
use super::graph_tile::{GraphTile, Join};
use super::tile_access::TileAccess;
use super::tile_graph::GraphEdge;
use crate::math::index::NONE;
use crate::mesh::NavMesh;
use crate::plan::SharedFilter;
use crate::query::QueryFilter;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Memory of the work.
struct BuildWork {
    filter: SharedFilter,
    graph: ClusterGraph,
    flood: ClusterFlood,
    /// Costs of a metre in the areas of tiles, by slot: a map, since an update needs only a few of many tiles.
    costs: BTreeMap<u32, Vec<f32>>,
    /// The first portal of each tile of a cluster.
    firsts: Vec<u32>,
    /// Of which cluster the graph is: level and number.
    gathered: Option<(usize, u32)>,
}

impl GraphLevels {
    /// Builds this many levels above the tiles in these slots.
    pub(super) fn of_world<W: TileAccess + ?Sized>(
        world: &mut W,
        filter: SharedFilter,
        slots: &BTreeSet<u32>,
        count: u32,
    ) -> Self {
        let mut levels = Self::empty(Some(filter), world.mesh().layout(), count);
        levels.update(world, slots);
        levels
    }

    /// Updates them for tiles that were added, removed or changed, or whose neighbours were.
    pub(super) fn update<W: TileAccess + ?Sized>(&mut self, world: &mut W, changed: &BTreeSet<u32>) {
        // Levels that were read from a store are not updated.
        let Some(filter) = self.filter.clone() else { return };
        let mut work = BuildWork {
            filter,
            graph: ClusterGraph::default(),
            flood: ClusterFlood::default(),
            costs: BTreeMap::new(),
            firsts: Vec::new(),
            gathered: None,
        };
        let mut dirty = self.place_tiles(world, changed);
        for level in 0..self.levels.len() {
            let renewed = self.renew(level, world, &dirty, &mut work);
            dirty = self.members_above(level, &renewed);
        }
    }

    /// Puts tiles into their clusters, and records the costs of their states. Returns the clusters of the lowest level
    /// that have changed.
    fn place_tiles<W: TileAccess + ?Sized>(&mut self, world: &mut W, changed: &BTreeSet<u32>) -> BTreeSet<u32> {
        let mut dirty = BTreeSet::new();
        for &slot in changed {
            let (tile, mesh) = world.graph_tile_and_mesh(slot);
            let coord = tile.map(|tile| tile.coord);
            let areas = tile.iter().flat_map(|tile| tile.graph.areas()).map(|area| area.state);
            let connections = tile.iter().flat_map(|tile| &tile.joins).filter_map(|join| join.connection);
            areas.chain(connections.filter_map(|one| mesh.state(one).ok())).for_each(|state| self.note(mesh, state));
            for (number, level) in self.levels.iter_mut().enumerate() {
                let before = level.of_slot(slot);
                let now = coord.map_or(NONE, |coord| level.number_at(level.place(coord)));
                if level.of_slot.len() <= slot as usize {
                    level.of_slot.resize(slot as usize + 1, NONE);
                }
                level.of_slot[slot as usize] = now;
                if number > 0 {
                    continue;
                }
                for (cluster, is_member) in [(before, before == now), (now, true)] {
                    if cluster != NONE {
                        set_member(level, (cluster, slot), is_member);
                        dirty.insert(cluster);
                    }
                }
            }
        }
        dirty
    }

    /// Puts clusters into those of the next level, and returns these.
    fn members_above(&mut self, level: usize, renewed: &BTreeSet<u32>) -> BTreeSet<u32> {
        let (below, above) = self.levels.split_at_mut(level + 1);
        let Some((below, above)) = below.last().zip(above.first_mut()) else { return BTreeSet::new() };
        let mut dirty = BTreeSet::new();
        for &number in renewed {
            let Some(cluster) = below.cluster(number) else { continue };
            let (x, z) = cluster.at;
            let parent = above.number_at((x.div_euclid(SIDE), z.div_euclid(SIDE)));
            set_member(above, (parent, number), true);
            dirty.insert(parent);
        }
        dirty
    }

    /// Rebuilds clusters of a level, and others whose entrances change. Returns the numbers of all of them.
    fn renew<W: TileAccess + ?Sized>(
        &mut self,
        level: usize,
        world: &mut W,
        dirty: &BTreeSet<u32>,
        work: &mut BuildWork,
    ) -> BTreeSet<u32> {
        let mut near = dirty.clone();
        let mut renewed = BTreeSet::new();
        for &number in dirty {
            let before = self.beside(level, number);
            self.gather(level, number, world, work);
            let of_slot = |slot: u32| self.levels[level].of_slot(slot);
            let leads_out = |portal: &Entrance| portal.beyond != NONE && of_slot(portal.beyond) != number;
            let all = work.graph.leading_out(leads_out);
            let cluster = cluster_mut(&mut self.levels[level], number);
            // What leads out of a cluster decides about entrances on both sides of its border.
            if cluster.all != all {
                cluster.all = all;
                renewed.insert(number);
                near.extend(before);
                near.extend(self.beside(level, number));
            }
        }
        for &number in &near {
            let chosen = self.choose(level, number);
            let has_others = self.levels[level].clusters[number as usize].chosen != chosen;
            if !has_others && !dirty.contains(&number) {
                continue;
            }
            self.gather(level, number, world, work);
            let costs = costs_between(&chosen, work);
            let cluster = cluster_mut(&mut self.levels[level], number);
            if has_others || cluster.costs != costs {
                (cluster.chosen, cluster.costs) = (chosen, costs);
                renewed.insert(number);
            }
        }
        renewed
    }

    /// The clusters that the exits of a cluster lead to.
    fn beside(&self, level: usize, number: u32) -> BTreeSet<u32> {
        let level = &self.levels[level];
        let exits = level.cluster(number).map_or(&[][..], |cluster| &cluster.all.exits);
        let others = exits.iter().map(|exit| level.of_slot(exit.to.slot));
        others.filter(|&other| other != NONE && other != number).collect()
    }

    /// Chooses the entrances of a cluster.
    fn choose(&self, number_of_level: usize, number: u32) -> ClusterBorder {
        let level = &self.levels[number_of_level];
        let Some(cluster) = level.cluster(number) else { return ClusterBorder::default() };
        let mut kept = BTreeSet::new();
        for (at, portal) in (0..).zip(&cluster.all.portals) {
            if portal.beyond != NONE && level.of_slot(portal.beyond) != number {
                kept.insert(at);
            }
        }
        let tile_side = self.layout.tile_width.max(self.layout.tile_depth);
        let spacing = tile_side * level.side as f32;
        for other in self.beside(number_of_level, number) {
            // In the same order for either of the two, so that both make the same choice.
            let [first, second] = [number.min(other), number.max(other)];
            let is_there = |slot: u32| level.of_slot(slot) == second;
            let Some((a, b)) = level.cluster(first).zip(level.cluster(second)) else { continue };
            let pairs = chosen_between(&a.all, &b.all, is_there, spacing);
            kept.extend(pairs.iter().map(|pair| if number == first { pair[0] } else { pair[1] }));
        }
        cluster.all.only(&kept.into_iter().collect::<Vec<_>>())
    }

    /// Builds the graph within a cluster.
    fn gather<W: TileAccess + ?Sized>(&self, level: usize, number: u32, world: &mut W, work: &mut BuildWork) {
        if work.gathered.replace((level, number)) == Some((level, number)) {
            return;
        }
        work.graph.clear();
        match level.checked_sub(1) {
            None => self.gather_tiles(number, world, work),
            Some(below) => {
                gather_clusters([&self.levels[below], &self.levels[level]], number, &mut work.graph);
            }
        }
        work.graph.finish();
    }

    fn gather_tiles<W: TileAccess + ?Sized>(&self, number: u32, world: &mut W, work: &mut BuildWork) {
        let Some(cluster) = self.levels[0].cluster(number) else { return };
        work.firsts.clear();
        work.costs.clear();
        let portals = &mut work.graph.border.portals;
        for &slot in &cluster.members {
            work.firsts.push(portals.len() as u32);
            let Some(tile) = world.graph_tile(slot) else { continue };
            portals.extend((0..).zip(tile.graph.portals()).map(|(portal, there)| Entrance {
                node: AbstractNode { slot, portal },
                at: there.middle,
                ends: there.ends,
                beyond: tile.slot_beyond(portal),
                component: NONE,
            }));
        }
        for at in 0..cluster.members.len() {
            self.gather_edges(number, at, world, work);
        }
    }

    /// Adds the edges and exits of one tile in a cluster of the lowest level: that of the member with index `at`.
    fn gather_edges<W: TileAccess + ?Sized>(&self, number: u32, at: usize, world: &mut W, work: &mut BuildWork) {
        let Some(cluster) = self.levels[0].cluster(number) else { return };
        let (Some(tile), mesh) = world.graph_tile_and_mesh(cluster.members[at]) else { return };
        let first = work.firsts[at];
        let costs = costs_of(&mut work.costs, tile, mesh, &*work.filter);
        let mut factors = Vec::new();
        for (from, portal) in (first..).zip(tile.graph.portals()) {
            factors.push(cost_in(costs, portal.areas[0]));
            let edges = tile.graph.edges_of(from - first).iter();
            let edge = |edge: &GraphEdge| {
                let cost = edge.length * cost_in(costs, edge.area);
                InnerEdge { from, to: first + edge.to, cost, is_two_way: true }
            };
            work.graph.edges.extend(edges.map(edge).filter(|edge| edge.cost.is_finite()));
        }
        let joins = tile.joins.clone();
        for Join { from, slot, to, connection } in joins {
            let from_at = work.graph.border.portals[(first + from) as usize].at;
            let (Some(there), mesh) = world.graph_tile_and_mesh(slot) else { continue };
            let Some(portal) = there.graph.portals().get(to as usize) else { continue };
            let beyond = cost_in(costs_of(&mut work.costs, there, mesh, &*work.filter), portal.areas[0]);
            let cost = match connection {
                Some(connection) => connection_cost(mesh, connection, [from_at, portal.middle], &*work.filter),
                None => from_at.distance(portal.middle) * factors[from as usize],
            };
            // No step leads into or out of a closed area.
            if !(cost + beyond + factors[from as usize]).is_finite() {
                continue;
            }
            let from = first + from;
            if self.levels[0].of_slot(slot) == number {
                let to = work.firsts[cluster.members.binary_search(&slot).unwrap_or_default()] + to;
                work.graph.edges.push(InnerEdge { from, to, cost, is_two_way: connection.is_none() });
            } else {
                work.graph.border.exits.push(ClusterExit {
                    from,
                    to: AbstractNode { slot, portal: to },
                    cost,
                    connection,
                });
            }
        }
    }
}

/// The costs of a metre in the areas of a tile.
fn costs_of<'a, F: QueryFilter + ?Sized>(
    known: &'a mut BTreeMap<u32, Vec<f32>>,
    tile: &GraphTile,
    mesh: &NavMesh,
    filter: &F,
) -> &'a [f32] {
    let areas = 0..tile.graph.areas().len() as u32;
    let make = || areas.map(|area| area_cost(mesh, tile, area, filter)).collect();
    known.entry(tile.tile.slot().get()).or_insert_with(make)
}

/// Builds the graph within a cluster of clusters.
fn gather_clusters([below, level]: [&ClusterLevel; 2], number: u32, graph: &mut ClusterGraph) {
    let Some(cluster) = level.cluster(number) else { return };
    // By node: the entrance, its cluster and its index there; and the other way round.
    let mut nodes: Vec<(Entrance, u32, u32)> = Vec::new();
    let mut firsts = BTreeMap::new();
    for &member in &cluster.members {
        let Some(inner) = below.cluster(member) else { continue };
        firsts.insert(member, nodes.len());
        nodes.extend((0..).zip(&inner.chosen.portals).map(|(at, portal)| (*portal, member, at)));
    }
    nodes.sort_unstable_by_key(|(portal, ..)| portal.node);
    let mut numbers = vec![0; nodes.len()];
    for (number, (_, member, at)) in (0..).zip(&nodes) {
        numbers[firsts[member] + *at as usize] = number;
    }
    let index = |node: AbstractNode| nodes.binary_search_by_key(&node, |(portal, ..)| portal.node).ok();
    graph.border.portals.extend(nodes.iter().map(|(portal, ..)| *portal));
    for (from, &(_, member, at)) in (0..).zip(&nodes) {
        let Some(inner) = below.cluster(member) else { continue };
        let count = inner.chosen.portals.len();
        let numbers = &numbers[firsts[&member]..];
        for (other, &cost) in inner.costs_from(at).iter().enumerate() {
            if other != at as usize && cost.is_finite() {
                let back = inner.costs.get(other * count + at as usize).copied().unwrap_or(f32::INFINITY);
                graph.edges.push(InnerEdge { from, to: numbers[other], cost, is_two_way: back.is_finite() });
            }
        }
        for exit in inner.chosen.exits_of(at) {
            if level.of_slot(exit.to.slot) != number {
                graph.border.exits.push(ClusterExit { from, ..*exit });
            } else if let Some(to) = index(exit.to) {
                let is_two_way = exit.is_plain();
                graph.edges.push(InnerEdge { from, to: to as u32, cost: exit.cost, is_two_way });
            }
        }
    }
}

fn costs_between(chosen: &ClusterBorder, work: &mut BuildWork) -> Vec<f32> {
    let at = |portal: &Entrance| work.graph.border.find(portal.node).unwrap_or_default();
    let to: Vec<u32> = chosen.portals.iter().map(at).collect();
    let mut costs = Vec::with_capacity(to.len() * to.len());
    for &from in &to {
        work.flood.costs(&work.graph, from, &to, &mut costs);
    }
    costs
}

fn cluster_mut(level: &mut ClusterLevel, number: u32) -> &mut Cluster {
    Arc::make_mut(&mut level.clusters[number as usize])
}

fn set_member(level: &mut ClusterLevel, (cluster, member): (u32, u32), is_member: bool) {
    let members = &level.clusters[cluster as usize].members;
    match members.binary_search(&member) {
        Err(at) if is_member => cluster_mut(level, cluster).members.insert(at, member),
        Ok(at) if !is_member => {
            cluster_mut(level, cluster).members.remove(at);
        }
        _ => {}
    }
}
