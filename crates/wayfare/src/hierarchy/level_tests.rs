//! Levels above tiles against the search portal by portal, on random maps of many small tiles.

use super::abstract_search::AbstractSearch;
use super::abstract_task::AbstractTask;
use super::attach::{attach, direct};
use super::closed_parts::ClosedParts;
use super::cluster::ClusterBorder;
use super::tests::edit;
use super::{
    AbstractGraph, GraphLevels, HierarchyScratch, InMemory, MeshTiles, NotLoadedReason, Refinement, ResidentBudget,
    ResidentWorld, StoredTiles, TileAccess, TileGraph, TileReader, find_hierarchical_path, read_levels, write_levels,
};
use crate::area::{AreaId, PathStatus, PolyFlags};
use crate::format::{MemoryStore, Sections, StoreHead, StoreRecord, WayEnd, WorldStore};
use crate::math::Rng;
use crate::mesh::{NavMesh, OffMeshConnection, PreparedTile};
use crate::plan::SharedFilter;
use crate::query::test_maps::{at, random_map};
use crate::query::{DefaultFilter, PathRequest, PolyPoint, SearchScratch, find_path};
use crate::tile::TileCoord;
use glam::Vec3;
use std::collections::BTreeSet;
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

/// A cluster: its level, its column and row, its entrances, those that were chosen, and its costs.
type ClusterContent = (usize, (i32, i32), ClusterBorder, ClusterBorder, Vec<f32>);

/// Clusters by level, column and row, with what their numbers do not change.
fn clusters(levels: &GraphLevels) -> Vec<ClusterContent> {
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

fn store_of(mesh: &NavMesh) -> MemoryStore {
    let mut store = MemoryStore::new(StoreHead::new(mesh.layout(), WayEnd::default()).unwrap());
    for tile in mesh.tiles() {
        let mut beside = Sections::EMPTY;
        beside.set(StoreRecord::GRAPH_SECTION, 1, TileGraph::as_made(tile.data()).to_bytes());
        let record = StoreRecord::new(store.head(), tile.coord(), 1, Some(tile.data()), &beside).unwrap();
        store.write(&record).unwrap();
    }
    store
}

/// Tiles of a store, some of which cannot be read.
struct Lossy {
    tiles: StoredTiles<MemoryStore>,
    lost: BTreeSet<TileCoord>,
}

impl TileReader for Lossy {
    fn empty_mesh(&self) -> NavMesh {
        self.tiles.empty_mesh()
    }

    fn coords(&self) -> Vec<TileCoord> {
        self.tiles.coords()
    }

    fn read_tile(&self, coord: TileCoord) -> Result<PreparedTile, NotLoadedReason> {
        if self.lost.contains(&coord) { Err(NotLoadedReason::Broken) } else { self.tiles.read_tile(coord) }
    }

    fn read_graph(&self, coord: TileCoord) -> Result<Option<Vec<u8>>, NotLoadedReason> {
        self.tiles.read_graph(coord)
    }

    fn read_levels(&self) -> Option<(Vec<u8>, String)> {
        self.tiles.read_levels()
    }
}

/// Asks a world and a mesh for a path between two random places of the mesh: whether there is one, the same in both.
fn same_answer<S: TileReader>(rng: &mut Rng, world: &mut ResidentWorld<S>, mesh: &NavMesh) -> Option<bool> {
    let ends = random_ends(rng, mesh)?;
    let flat = find_path(mesh, &PathRequest::new(ends[0], ends[1]), &*filter(), &mut SearchScratch::new()).unwrap();
    let is_open = ends.iter().all(|end| mesh.state(end.poly).unwrap().flags == PolyFlags::WALK);
    let half = Vec3::new(0.05, 1.0, 0.05);
    let [start, goal] = ends.map(|end| world.nearest(end.point, half, &DefaultFilter::default()).unwrap());
    let request = PathRequest::new(start, goal);
    let scratch = &mut HierarchyScratch::new();
    let answer = find_hierarchical_path(world, &request, Refinement::default(), &*filter(), scratch).unwrap();
    if !is_open {
        return None;
    }
    assert_eq!(answer.path.status == PathStatus::Complete, flat.status == PathStatus::Complete, "{ends:?}");
    assert!(world.stats().most_tiles <= 16);
    Some(flat.status == PathStatus::Complete)
}

/// Levels of a store, 16 tiles in memory: tiles come and go, doors close, tiles cannot be read any more.
#[test]
fn a_store_with_levels_connects_what_a_mesh_connects() {
    let mut rng = Rng::new(73);
    let mut found = [0, 0];
    for _ in 0..4 {
        let mut mesh = random_map(&mut rng, TILES, CELLS);
        let mut store = store_of(&mesh);
        write_levels(&mut store, filter()).unwrap();
        assert_eq!(read_levels(&store).map(|levels| levels.count()), Some(1));
        let reader = Lossy { tiles: StoredTiles::new(store), lost: BTreeSet::new() };
        let mut world = ResidentWorld::new(reader, ResidentBudget { tiles: 16, ..ResidentBudget::default() });
        assert_eq!(world.levels().len(), 1);
        for step in 0..60 {
            let tile = mesh.tiles().nth(rng.below(mesh.tile_count()) as usize).unwrap();
            let (coord, reference) = (tile.coord(), tile.tile_ref());
            let poly = rng.below(tile.poly_count());
            match if step < 20 { 9 } else { rng.below(4) } {
                0 => {
                    mesh.set_flags(mesh.tile(reference).unwrap().reference(poly), PolyFlags(2)).unwrap();
                    let slot = world.slot_at(coord).unwrap();
                    world.load(&[slot]).unwrap();
                    let door = world.mesh().tile_at(coord).unwrap().reference(poly);
                    world.set_flags(door, PolyFlags(2)).unwrap();
                }
                1 => {
                    mesh.remove_tile(reference).unwrap();
                    world.source_mut().lost.insert(coord);
                    world.refresh(coord);
                }
                _ => {}
            }
            for _ in 0..4 {
                if let Some(is_found) = same_answer(&mut rng, &mut world, &mesh) {
                    found[usize::from(is_found)] += 1;
                }
            }
        }
    }
    assert!(found[0] > 50 && found[1] > 20, "{found:?}");
}

/// Connections of a world of which only some tiles are in memory.
#[test]
fn connections_are_taken_over_tiles_that_are_not_loaded() {
    let mut rng = Rng::new(74);
    let (mut found, mut by_connection) = (0, 0);
    for _ in 0..12 {
        let mut mesh = random_map(&mut rng, 10, CELLS);
        for _ in 0..8 {
            let mut place = || Vec3::new(rng.unit() * 40.0, 0.0, rng.unit() * 40.0);
            let (start, end) = (place(), place());
            let (radius, two_way) = (0.4, rng.below(2) == 0);
            let (area, flags) = (AreaId::WALKABLE, PolyFlags::WALK);
            mesh.add_connection(OffMeshConnection { start, end, radius, two_way, area, flags, user_id: 0 }).unwrap();
        }
        let budget = ResidentBudget { tiles: 16, ..ResidentBudget::default() };
        let mut world = ResidentWorld::new(MeshTiles::new(&mesh), budget);
        for _ in 0..20 {
            let mut place = || at(&mesh, (rng.unit() * 40.0, rng.unit() * 40.0));
            let (Some(start), Some(goal)) = (place(), place()) else { continue };
            let flat = find_path(&mesh, &PathRequest::new(start, goal), &*filter(), &mut SearchScratch::new()).unwrap();
            let half = Vec3::new(0.05, 1.0, 0.05);
            let ends = [start, goal].map(|end| world.nearest(end.point, half, &*filter()).unwrap());
            let request = PathRequest::new(ends[0], ends[1]);
            let scratch = &mut HierarchyScratch::new();
            let answer = find_hierarchical_path(&mut world, &request, Refinement::default(), &*filter(), scratch);
            let answer = answer.unwrap();
            assert_eq!(answer.path.status == PathStatus::Complete, flat.status == PathStatus::Complete);
            found += u32::from(flat.status == PathStatus::Complete);
            by_connection += u32::from(answer.path.polys.iter().any(|poly| poly.is_off_mesh()));
        }
    }
    assert!(found > 20 && by_connection > 5, "{found} {by_connection}");
}

#[test]
fn bytes_of_levels_are_read_back_and_others_do_no_harm() {
    let mut rng = Rng::new(75);
    let mesh = random_map(&mut rng, TILES, CELLS);
    let mut store = store_of(&mesh);
    write_levels(&mut store, filter()).unwrap();
    let section = store.head().sections().unwrap().remove(StoreHead::LEVELS_SECTION).unwrap();
    let reading = |bytes: &[u8]| {
        let mut other = store.clone();
        let section = crate::format::Section { version: 1, bytes: bytes.to_vec() };
        let head = other.head().with_section(StoreHead::LEVELS_SECTION, Some(section)).unwrap();
        other.set_head(head).unwrap();
        read_levels(&other)
    };
    let read = reading(&section.bytes).unwrap();
    assert!(read.sizes().next().is_some_and(|size| size.entrances > 20 && size.costs > 50));
    for end in (0..section.bytes.len()).step_by(1 + section.bytes.len() / 200) {
        assert!(reading(&section.bytes[..end]).is_none());
    }
    for _ in 0..200 {
        let mut worse = section.bytes.clone();
        let at = rng.below(worse.len() as u32) as usize;
        worse[at] ^= 1 << rng.below(8);
        let _ = reading(&worse);
    }
    // Of other tiles they say nothing.
    let coord = mesh.tiles().next().unwrap().coord();
    let mut other = store.clone();
    other.remove(coord).unwrap();
    assert!(read_levels(&other).is_none() && store.head().is_same_world(other.head()));
    assert!(store.head().is_same_world(&StoreHead::new(mesh.layout(), WayEnd::default()).unwrap()));
}
