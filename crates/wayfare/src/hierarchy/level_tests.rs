//! Levels above tiles against the search portal by portal, on random maps of many small tiles.

use super::abstract_search::{AbstractSearch, AbstractTask};
use super::attach::{attach, direct};
use super::closed_parts::ClosedParts;
use super::cluster::Border;
use super::tests::edit;
use super::{AbstractGraph, GraphLevels, HierarchyScratch, InMemory, Refinement, TileAccess, find_hierarchical_path};
use crate::area::{AreaId, PathStatus, PolyFlags};
use crate::math::Rng;
use crate::mesh::NavMesh;
use crate::plan::SharedFilter;
use crate::query::test_maps::{at, random_map};
use crate::query::{DefaultFilter, PathRequest, PolyPoint, SearchScratch, find_path};
use std::sync::Arc;

const TILES: i32 = 18;
const CELLS: usize = 4;

fn filter() -> SharedFilter {
    let mut filter = DefaultFilter::new(PolyFlags::WALK, PolyFlags::NONE);
    filter.set_area_cost(AreaId::new(7).unwrap(), 3.0).unwrap();
    Arc::new(filter)
}

fn graph_of(mesh: &NavMesh) -> AbstractGraph {
    let mut graph = AbstractGraph::new(mesh);
    graph.add_so_many_levels(mesh, filter(), 2);
    graph
}

fn random_ends(rng: &mut Rng, mesh: &NavMesh) -> Option<[PolyPoint; 2]> {
    let size = TILES as f32 * CELLS as f32;
    let mut place = || at(mesh, (rng.unit() * size, rng.unit() * size));
    Some([place()?, place()?])
}

/// What the abstract path costs, over clusters or portal by portal, and how many nodes were expanded.
fn cost(mesh: &NavMesh, graph: &AbstractGraph, [start, goal]: [PolyPoint; 2], by_clusters: bool) -> (Option<f32>, u32) {
    let mut world = InMemory::new(mesh, graph);
    let flood = &mut HierarchyScratch::new().flood;
    let goal_at = attach(&mut world, goal, flood).unwrap();
    let start = attach(&mut world, start, flood).unwrap();
    let direct = direct(&world, &start, goal, flood);
    let closed = &ClosedParts::default();
    let task = AbstractTask { start: &start, goal: &goal_at, direct, closed, by_clusters };
    let mut search = AbstractSearch::default();
    let found = search.run(&mut world, &task, &*filter());
    (found.map(|path| path.cost), search.opened())
}

/// Clusters by level, column and row, with what their numbers do not change.
fn clusters(levels: &GraphLevels) -> Vec<(usize, (i32, i32), Border, Border, Vec<f32>)> {
    let mut all = Vec::new();
    for (number, level) in levels.levels.iter().enumerate() {
        let there = level.clusters.iter().filter(|cluster| !cluster.all.portals.is_empty());
        all.extend(there.map(|c| (number, c.at, c.all.clone(), c.chosen.clone(), c.costs.clone())));
    }
    all.sort_by_key(|cluster| (cluster.0, cluster.1));
    all
}

#[test]
fn levels_connect_what_portals_connect_and_follow_the_mesh() {
    let mut rng = Rng::new(71);
    let (mut found, mut missed) = (0, 0);
    let mut ratio = 0.0;
    for _ in 0..4 {
        let mut mesh = random_map(&mut rng, TILES, CELLS);
        let mut graph = graph_of(&mesh);
        for _ in 0..8 {
            for ends in (0..25).filter_map(|_| random_ends(&mut rng, &mesh)).collect::<Vec<_>>() {
                let (by_portals, _) = cost(&mesh, &graph, ends, false);
                let (over_clusters, _) = cost(&mesh, &graph, ends, true);
                assert_eq!(by_portals.is_some(), over_clusters.is_some(), "{ends:?}");
                match by_portals.zip(over_clusters) {
                    Some((least, cost)) => {
                        assert!(cost >= least * 0.9999, "{cost} {least}");
                        ratio += (cost + 0.1) / (least + 0.1);
                        found += 1;
                    }
                    None => missed += 1,
                }
            }
            (0..3).for_each(|_| edit(&mut rng, &mut mesh));
            graph.update(&mesh);
            let [kept, made] = [&graph, &graph_of(&mesh)].map(|graph| clusters(&graph.levels()[0]));
            let differ = kept.iter().zip(&made).find(|(a, b)| a != b);
            assert!(differ.is_none() && kept.len() == made.len(), "{differ:?}");
        }
    }
    assert!(found > 50 && missed > 20, "{found} {missed}");
    assert!(ratio / (found as f32) < 1.1, "{}", ratio / found as f32);
}

#[test]
fn corridors_over_clusters_lead_where_an_ordinary_search_does() {
    let mut rng = Rng::new(72);
    let mut found = 0;
    for _ in 0..8 {
        let mesh = random_map(&mut rng, TILES, CELLS);
        let graph = graph_of(&mesh);
        for ends in (0..30).filter_map(|_| random_ends(&mut rng, &mesh)).collect::<Vec<_>>() {
            let request = PathRequest::new(ends[0], ends[1]);
            let flat = find_path(&mesh, &request, &*filter(), &mut SearchScratch::new()).unwrap();
            let mut world = InMemory::new(&mesh, &graph);
            assert_eq!(world.levels().len(), 1);
            let scratch = &mut HierarchyScratch::new();
            let refinement = Refinement::default();
            let answer = find_hierarchical_path(&mut world, &request, refinement, &*filter(), scratch).unwrap();
            assert_eq!(answer.path.status, flat.status);
            if flat.status == PathStatus::Complete {
                assert!(answer.corridors > 0 && answer.path.end == ends[1].point);
                assert!(answer.path.cost < flat.cost * 1.6 + 4.0, "{} {}", answer.path.cost, flat.cost);
                found += 1;
            }
        }
    }
    assert!(found > 20, "{found}");
}

/// The number of nodes grows far less than that of tiles.
#[test]
fn a_path_across_a_large_world_touches_few_nodes() {
    let open = "aaaa\naaaa\naaaa\naaaa";
    let nodes = [16, 64].map(|side: i32| {
        let tiles: Vec<_> = (0..side * side).map(|i| ((i % side, i / side), open)).collect();
        let mesh = crate::query::test_maps::mesh(&tiles);
        let mut graph = AbstractGraph::new(&mesh);
        graph.add_levels(&mesh, filter());
        let end = side as f32 * 4.0 - 1.5;
        let ends = [at(&mesh, (1.5, 1.5)).unwrap(), at(&mesh, (end, end * 0.7)).unwrap()];
        cost(&mesh, &graph, ends, true).1
    });
    assert!(nodes[1] < 400 && nodes[1] < nodes[0] * 3, "{nodes:?}");
}
