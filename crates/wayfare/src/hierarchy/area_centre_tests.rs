//! Nodes at the centres of areas, the other placement that Mikko Mononen's post describes, against nodes on portals:
//! why the graph has the latter. Centres need fewer nodes, but lead to longer paths, and levels make nodes cheap
//! anyway.

use super::tile_areas::TileAreas;
use super::within::Within;
use super::{AbstractGraph, HierarchyScratch, InMemory, Refinement, find_hierarchical_path};
use crate::area::PathStatus;
use crate::math::Rng;
use crate::math::index::{NONE, TileSlot};
use crate::mesh::NavMesh;
use crate::query::test_maps::{at, random_map};
use crate::query::{DefaultFilter, PathRequest, PolyPath, SearchScratch, find_path, string_pull};
use core::cmp::Reverse;
use glam::Vec3;
use std::collections::{BTreeMap, BinaryHeap};

/// An area: the slot of its tile, and its number there.
type AreaNode = (u32, u32);

/// A graph whose nodes are at the centres of areas.
#[derive(Default)]
struct CentreGraph {
    centres: BTreeMap<AreaNode, Vec3>,
    edges: BTreeMap<AreaNode, Vec<(AreaNode, f32)>>,
}

impl CentreGraph {
    fn of(mesh: &NavMesh, graph: &AbstractGraph) -> Self {
        let mut made = Self::default();
        for tile in mesh.tiles() {
            let areas = TileAreas::of(tile.data(), tile.states());
            let mut sums: BTreeMap<u32, (Vec3, f32)> = BTreeMap::new();
            for poly in 0..tile.poly_count() {
                let data = tile.data();
                let corners = data.corners()[data.corner_range(poly)].iter();
                let corners: Vec<Vec3> = corners.map(|&vert| data.verts()[vert as usize]).collect();
                let middle = corners.iter().sum::<Vec3>() / corners.len() as f32;
                let sum = sums.entry(areas.of_poly(poly)).or_default();
                *sum = (sum.0 + middle, sum.1 + 1.0);
            }
            made.centres.extend(sums.into_iter().map(|(area, (sum, n))| ((tile.slot().get(), area), sum / n)));
        }
        for tile in graph.tiles() {
            let slot = tile.tile.slot().get();
            for portal in tile.graph.portals().iter().filter(|portal| portal.areas[1] != NONE) {
                let [a, b] = portal.areas.map(|area| (slot, area));
                made.connect(a, b, [portal.middle; 2]);
                made.connect(b, a, [portal.middle; 2]);
            }
            for join in &tile.joins {
                let here = &tile.graph.portals()[join.from as usize];
                let there = &graph.tile_in(join.slot).unwrap().graph.portals()[join.to as usize];
                made.connect((slot, here.areas[0]), (join.slot, there.areas[0]), [here.middle, there.middle]);
            }
        }
        made
    }

    fn connect(&mut self, a: AreaNode, b: AreaNode, [out, into]: [Vec3; 2]) {
        let length = self.centres[&a].distance(out) + self.centres[&b].distance(into);
        self.edges.entry(a).or_default().push((b, length));
    }

    /// The slots of the tiles on the shortest path from area to area.
    fn slots(&self, from: AreaNode, to: AreaNode) -> Option<Vec<u32>> {
        let mut best: BTreeMap<AreaNode, (f32, AreaNode)> = BTreeMap::from([(from, (0.0, from))]);
        let mut open = BinaryHeap::from([Reverse((0, from))]);
        while let Some(Reverse((bits, here))) = open.pop() {
            let length = f32::from_bits(bits);
            if here == to {
                let mut slots = vec![to.0];
                let mut at = to;
                while at != from {
                    at = best[&at].1;
                    slots.push(at.0);
                }
                slots.sort_unstable();
                slots.dedup();
                return Some(slots);
            }
            if length > best[&here].0 {
                continue;
            }
            for &(next, step) in self.edges.get(&here).into_iter().flatten() {
                if best.get(&next).is_none_or(|(other, _)| length + step < *other) {
                    best.insert(next, (length + step, here));
                    open.push(Reverse(((length + step).to_bits(), next)));
                }
            }
        }
        None
    }
}

fn area_of(mesh: &NavMesh, place: crate::query::PolyPoint) -> AreaNode {
    let tile = mesh.tile_in(TileSlot::new(place.poly.slot().get())).unwrap();
    let areas = TileAreas::of(tile.data(), tile.states());
    (tile.slot().get(), areas.of_poly(place.poly.poly().get()))
}

#[test]
fn centres_of_areas_need_fewer_nodes_but_lead_to_longer_paths() {
    let mut rng = Rng::new(91);
    let filter = DefaultFilter::default();
    let mut scratch = SearchScratch::new();
    let (mut nodes, mut excess, mut worst, mut found) = ([0; 2], [0.0; 2], [0.0_f32; 2], 0);
    for _ in 0..30 {
        let mesh = random_map(&mut rng, 8, 6);
        let graph = AbstractGraph::new(&mesh);
        let centres = CentreGraph::of(&mesh, &graph);
        nodes = [nodes[0] + centres.centres.len() as u64, nodes[1] + graph.size().nodes];
        for _ in 0..10 {
            let mut place = || at(&mesh, (rng.unit() * 48.0, rng.unit() * 48.0));
            let (Some(start), Some(goal)) = (place(), place()) else { continue };
            let request = PathRequest::new(start, goal);
            let flat = find_path(&mesh, &request, &filter, &mut scratch).unwrap();
            let slots = centres.slots(area_of(&mesh, start), area_of(&mesh, goal));
            assert_eq!(slots.is_some(), flat.status == PathStatus::Complete);
            let Some(slots) = slots else { continue };
            let within = Within { filter: &filter, slots: &slots };
            let by_centres = find_path(&mesh, &request, &within, &mut scratch).unwrap();
            let mut world = InMemory::new(&mesh, &graph);
            let memory = &mut HierarchyScratch::new();
            let by_portals = find_hierarchical_path(&mut world, &request, Refinement::Whole, &filter, memory).unwrap();
            let mut length = |path: &PolyPath| string_pull(path, &mut scratch).length + 0.1;
            let least = length(&flat);
            for (k, path) in [&by_centres, &by_portals.path].into_iter().enumerate() {
                assert_eq!(path.status, PathStatus::Complete);
                let more = length(path) / least - 1.0;
                excess[k] += more;
                worst[k] = worst[k].max(more);
            }
            found += 1;
        }
    }
    let means = excess.map(|sum| 100.0 * sum / found as f32);
    println!("{found} paths, nodes {nodes:?}, mean excess {means:?} %, worst {worst:?}");
    assert!(found > 25 && nodes[0] * 2 < nodes[1], "{found} {nodes:?}");
    assert!(means[0] > 2.0 * means[1], "centres {} %, portals {} %", means[0], means[1]);
}
