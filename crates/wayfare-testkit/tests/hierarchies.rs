//! Hierarchical searches on random worlds of many small tiles: they find a path exactly where an ordinary search does,
//! before and after edits, in memory and under a budget of tiles, while tiles come and go, are lost, and come back.
//!
//! More of it: `WAYFARE_ITERATIONS=2000 cargo test --profile quick -p wayfare-testkit --test hierarchies`.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wayfare::Vec3;
use wayfare::area::{AreaId, PathStatus, PolyFlags};
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd};
use wayfare::format::{MemoryStore, Sections, StoreHead, StoreRecord, WayEnd, WorldStore};
use wayfare::hierarchy::{
    AbstractGraph, HierarchyScratch, InMemory, NotLoadedReason, Refinement, ResidentBudget, ResidentWorld, StoredTiles,
    TileAccess, TileGraph, TileReader, find_hierarchical_path, write_levels,
};
use wayfare::mesh::{NavMesh, OffMeshConnection, PreparedTile};
use wayfare::plan::{AStarPlanner, SharedFilter};
use wayfare::query::{
    CostBounds, DefaultFilter, PathRequest, PolyPoint, SearchScratch, find_bounded_path, find_nearest, find_path,
};
use wayfare::tile::{SourcePoly, TileCoord, TileData, TileLayout, TileSource, build_tile};
use wayfare_scenes::Rng;
use wayfare_testkit::property;

/// A door that is closed for the filter.
const CLOSED: PolyFlags = PolyFlags(2);
/// Tiles in memory at most.
const RESIDENT: usize = 16;

fn filter() -> DefaultFilter {
    let mut filter = DefaultFilter::new(PolyFlags::WALK, PolyFlags::NONE);
    filter.set_area_cost(AreaId::new(7).unwrap(), 3.0).unwrap();
    filter
}

/// A world of `tiles` × `tiles` tiles of `cells` × `cells` squares of a metre, some of which are missing, of another
/// area type, or closed.
struct Sketch {
    tiles: i32,
    cells: i32,
    data: BTreeMap<TileCoord, TileData>,
}

impl Sketch {
    fn new(rng: &mut Rng) -> Self {
        let tiles = rng.whole(3, 14);
        let cells = rng.whole(2, 6);
        let missing = rng.real(0.0, 0.45);
        let mut data = BTreeMap::new();
        for (x, z) in (0..tiles * tiles).map(|i| (i % tiles, i / tiles)) {
            let coord = TileCoord { x, z, layer: 0 };
            data.extend(tile(coord, cells, missing, rng).map(|tile| (coord, tile)));
        }
        Self { tiles, cells, data }
    }

    fn layout(&self) -> TileLayout {
        let side = self.cells as f32;
        TileLayout { origin: Vec3::ZERO, tile_width: side, tile_depth: side }
    }

    fn mesh(&self) -> NavMesh {
        NavMesh::from_tiles(self.layout(), self.data.values().cloned().collect()).unwrap()
    }

    fn place(&self, rng: &mut Rng) -> Vec3 {
        let side = (self.tiles * self.cells) as f32;
        Vec3::new(rng.real(0.0, side), 0.0, rng.real(0.0, side))
    }

    /// Start and goal of a path.
    fn ends(&self, rng: &mut Rng, mesh: &NavMesh) -> Option<[PolyPoint; 2]> {
        let mut place = || {
            let found = find_nearest(mesh, self.place(rng), Vec3::splat(0.1), &DefaultFilter::default())?;
            found.over.then(|| found.place())
        };
        Some([place()?, place()?])
    }

    fn store(&self, mesh: &NavMesh) -> MemoryStore {
        let connections: Vec<_> = mesh.connections().map(|connection| *connection.definition()).collect();
        let head = StoreHead::new(self.layout(), WayEnd { connections: &connections, ..WayEnd::default() }).unwrap();
        let mut store = MemoryStore::new(head);
        for (&coord, tile) in &self.data {
            let mut beside = Sections::EMPTY;
            beside.set(StoreRecord::GRAPH_SECTION, 1, TileGraph::as_made(tile).to_bytes());
            let record = StoreRecord::new(store.head(), coord, 1, Some(tile), &beside).unwrap();
            store.write(&record).unwrap();
        }
        write_levels(&mut store, Arc::new(filter())).unwrap();
        store
    }
}

fn tile(coord: TileCoord, cells: i32, missing: f32, rng: &mut Rng) -> Option<TileData> {
    let low = Vec3::new((coord.x * cells) as f32, 0.0, (coord.z * cells) as f32);
    let row = cells as u32 + 1;
    let open: Vec<(u32, u32)> = (0..cells * cells)
        .filter(|_| rng.unit() >= missing)
        .map(|i| ((i % cells) as u32, (i / cells) as u32))
        .collect();
    let corners = open.iter().map(|(x, z)| z * row + x).flat_map(|i| [i, i + row, i + row + 1, i + 1]);
    let corners: Vec<u32> = corners.collect();
    let used: Vec<u32> = corners.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect();
    let verts: Vec<Vec3> = used.iter().map(|i| low + Vec3::new((i % row) as f32, 0.0, (i / row) as f32)).collect();
    let corners: Vec<u32> = corners.iter().map(|i| used.binary_search(i).unwrap() as u32).collect();
    let poly = |rng: &mut Rng| SourcePoly {
        count: 4,
        flags: if rng.one_in(12) { CLOSED } else { PolyFlags::WALK },
        area: if rng.one_in(8) { AreaId::new(7).unwrap() } else { AreaId::WALKABLE },
    };
    let polys: Vec<SourcePoly> = open.iter().map(|_| poly(rng)).collect();
    let side = cells as f32;
    let frame = Some([[low.x, low.z].into(), [low.x + side, low.z + side].into()]);
    let source = TileSource { coord, verts: &verts, corners: &corners, polys: &polys, frame, ..TileSource::default() };
    (!polys.is_empty()).then(|| build_tile(&source).unwrap())
}

fn random_tile<'a>(rng: &mut Rng, mesh: &'a NavMesh) -> &'a wayfare::mesh::Tile {
    mesh.tiles().nth(rng.whole(0, mesh.tile_count() as i32 - 1) as usize).unwrap()
}

/// A door, another area type, a tile that is taken away or replaced, a connection that comes or goes.
fn edit(rng: &mut Rng, sketch: &Sketch, mesh: &mut NavMesh) {
    if mesh.tile_count() == 0 {
        return;
    }
    let tile = random_tile(rng, mesh);
    let (reference, coord) = (tile.tile_ref(), tile.coord());
    let poly = tile.reference(rng.whole(0, tile.poly_count() as i32 - 1) as u32);
    match rng.whole(0, 6) {
        0 | 1 => {
            let is_open = mesh.state(poly).unwrap().flags == PolyFlags::WALK;
            mesh.set_flags(poly, if is_open { CLOSED } else { PolyFlags::WALK }).unwrap();
        }
        2 => mesh.set_area(poly, AreaId::new(7).unwrap()).unwrap(),
        3 => {
            mesh.remove_tile(reference).unwrap();
        }
        4 => {
            mesh.remove_tile(reference).unwrap();
            if let Some(tile) = tile_of(rng, sketch, coord) {
                mesh.add_tile(tile).unwrap();
            }
        }
        5 => {
            let (start, end) = (sketch.place(rng), sketch.place(rng));
            let two_way = rng.one_in(2);
            let (area, flags) = (AreaId::WALKABLE, PolyFlags::WALK);
            let added = OffMeshConnection { start, end, radius: 0.4, two_way, area, flags, user_id: 0 };
            mesh.add_connection(added).unwrap();
        }
        _ => {
            let first = mesh.connections().next().map(|connection| connection.reference());
            if let Some(connection) = first {
                mesh.remove_connection(connection).unwrap();
            }
        }
    }
}

fn tile_of(rng: &mut Rng, sketch: &Sketch, coord: TileCoord) -> Option<TileData> {
    tile(coord, sketch.cells, 0.3, rng)
}

const REFINEMENTS: [Refinement; 4] =
    [Refinement::Whole, Refinement::NearestExit, Refinement::PulledExit, Refinement::Workspace(4)];

#[test]
fn in_memory_a_path_is_found_exactly_where_an_ordinary_search_finds_one() {
    let (complete, none) = (Cell::new(0), Cell::new(0));
    property("in_memory_a_path_is_found_exactly_where_an_ordinary_search_finds_one", 40, |rng| {
        let sketch = Sketch::new(rng);
        let mut mesh = sketch.mesh();
        let filter = filter();
        let mut graph = AbstractGraph::new(&mesh);
        graph.add_levels(&mesh, Arc::new(filter.clone()) as SharedFilter);
        let (mut scratch, mut memory) = (SearchScratch::new(), HierarchyScratch::new());
        for round in 0..12 {
            let bounds = CostBounds::new(&mesh, &filter);
            for ends in (0..12).filter_map(|_| sketch.ends(rng, &mesh)).collect::<Vec<_>>() {
                let request = PathRequest::new(ends[0], ends[1]);
                let flat = find_path(&mesh, &request, &filter, &mut scratch).unwrap();
                let guided = find_bounded_path((&mesh, &bounds), &request, &filter, &mut scratch).unwrap();
                assert_eq!(guided.status, flat.status, "round {round}, with bounds: {ends:?}");
                let refinement = REFINEMENTS[rng.whole(0, 3) as usize];
                let mut world = InMemory::new(&mesh, &graph);
                let found = find_hierarchical_path(&mut world, &request, refinement, &filter, &mut memory).unwrap();
                assert_eq!(found.path.status, flat.status, "round {round}, {refinement:?}: {ends:?}");
                let is_complete = flat.status == PathStatus::Complete;
                let is_closed = mesh.state(ends[0].poly).unwrap().flags == CLOSED;
                assert!(found.corridors > 0 || is_closed || !is_complete, "round {round}: no false no on the way");
                let count = if is_complete { &complete } else { &none };
                count.set(count.get() + 1);
            }
            (0..rng.whole(1, 4)).for_each(|_| edit(rng, &sketch, &mut mesh));
            graph.update(&mesh);
        }
    });
    assert!(complete.get() > 50 && none.get() > 50, "{complete:?} {none:?}");
}

/// A store some of whose tiles cannot be read.
#[derive(Clone)]
struct Lossy {
    tiles: StoredTiles<MemoryStore>,
    lost: BTreeMap<TileCoord, NotLoadedReason>,
}

impl TileReader for Lossy {
    fn empty_mesh(&self) -> NavMesh {
        self.tiles.empty_mesh()
    }

    fn coords(&self) -> Vec<TileCoord> {
        self.tiles.coords()
    }

    fn read_tile(&self, coord: TileCoord) -> Result<PreparedTile, NotLoadedReason> {
        self.lost.get(&coord).map_or_else(|| self.tiles.read_tile(coord), |why| Err(*why))
    }

    fn read_graph(&self, coord: TileCoord) -> Result<Option<Vec<u8>>, NotLoadedReason> {
        self.tiles.read_graph(coord)
    }

    fn read_levels(&self) -> Option<(Vec<u8>, String)> {
        self.tiles.read_levels()
    }
}

/// The same changes in a mesh and in a world with room for 16 tiles, whose tiles are evicted at random, lost and found
/// again, and which is saved and loaded.
#[test]
fn under_a_budget_the_same_pairs_connect_whatever_is_evicted_lost_or_broken() {
    let (complete, none, lost) = (Cell::new(0), Cell::new(0), Cell::new(0));
    property("under_a_budget_the_same_pairs_connect_whatever_is_evicted_lost_or_broken", 30, |rng| {
        let sketch = Sketch::new(rng);
        let mut mesh = sketch.mesh();
        for _ in 0..rng.whole(0, 4) {
            let (start, end) = (sketch.place(rng), sketch.place(rng));
            let (area, flags) = (AreaId::WALKABLE, PolyFlags::WALK);
            let two_way = rng.one_in(2);
            mesh.add_connection(OffMeshConnection { start, end, radius: 0.4, two_way, area, flags, user_id: 0 })
                .unwrap();
        }
        let filter = filter();
        let reader = Lossy { tiles: StoredTiles::new(sketch.store(&mesh)), lost: BTreeMap::new() };
        let parts = if rng.one_in(2) { 20 } else { usize::MAX };
        let budget = ResidentBudget { tiles: RESIDENT, parts, ..ResidentBudget::default() };
        let mut world = ResidentWorld::new(reader, budget);
        let (mut scratch, mut memory) = (SearchScratch::new(), HierarchyScratch::new());
        for _ in 0..60 {
            match rng.whole(0, 8) {
                // The game is saved, and another goes on.
                8 => {
                    let saved = world.store_changes();
                    let mut again = ResidentWorld::new(world.source().clone(), budget);
                    again.restore_changes(&saved).unwrap();
                    assert_eq!(again.mesh().digest(), world.mesh().digest());
                    assert_eq!(again.store_changes(), saved);
                    world = again;
                }
                // A door.
                0 if mesh.tile_count() > 0 => {
                    let tile = random_tile(rng, &mesh);
                    let poly = rng.whole(0, tile.poly_count() as i32 - 1) as u32;
                    let (coord, door) = (tile.coord(), tile.reference(poly));
                    let flags = if mesh.state(door).unwrap().flags == CLOSED { PolyFlags::WALK } else { CLOSED };
                    mesh.set_flags(door, flags).unwrap();
                    world.load(&[world.slot_at(coord).unwrap()]).unwrap();
                    let door = world.mesh().tile_at(coord).unwrap().reference(poly);
                    world.set_flags(door, flags).unwrap();
                }
                // A tile is deleted, or its bytes are damaged.
                1 if mesh.tile_count() > 1 => {
                    let tile = random_tile(rng, &mesh);
                    let (coord, reference) = (tile.coord(), tile.tile_ref());
                    mesh.remove_tile(reference).unwrap();
                    let why = if rng.one_in(2) { NotLoadedReason::Missing } else { NotLoadedReason::Broken };
                    world.source_mut().lost.insert(coord, why);
                    world.refresh(coord);
                    lost.set(lost.get() + 1);
                }
                // One is back.
                2 => {
                    if let Some((coord, _)) = world.source_mut().lost.pop_first() {
                        mesh.add_tile(sketch.data[&coord].clone()).unwrap();
                        world.refresh(coord);
                    }
                }
                // Others are loaded in their place.
                3 | 4 => {
                    let count = world.tile_count() as i32;
                    let some: Vec<u32> = (0..rng.whole(1, 12)).map(|_| rng.whole(0, count - 1) as u32).collect();
                    world.prefetch(some.iter().copied());
                    let _ = world.load(&some);
                }
                _ => {}
            }
            let Some(ends) = sketch.ends(rng, &mesh) else { continue };
            let request = PathRequest::new(ends[0], ends[1]);
            let flat = find_path(&mesh, &request, &filter, &mut scratch).unwrap();
            let half = Vec3::new(0.05, 1.0, 0.05);
            let near = ends.map(|end| world.nearest(end.point, half, &DefaultFilter::default()));
            let [Some(start), Some(goal)] = near else { panic!("both ends are on tiles that can be read: {ends:?}") };
            let request = PathRequest::new(start, goal);
            let found =
                find_hierarchical_path(&mut world, &request, Refinement::default(), &filter, &mut memory).unwrap();
            assert!(world.stats().most_tiles <= RESIDENT && world.mesh().tile_count() as usize <= RESIDENT);
            if ends.iter().any(|end| mesh.state(end.poly).unwrap().flags == CLOSED) {
                continue;
            }
            let is_complete = flat.status == PathStatus::Complete;
            assert_eq!(found.path.status == PathStatus::Complete, is_complete, "{ends:?} {:?}", found.events);
            let count = if is_complete { &complete } else { &none };
            count.set(count.get() + 1);
        }
    });
    assert!(complete.get() > 50 && none.get() > 50 && lost.get() > 50, "{complete:?} {none:?} {lost:?}");
}

/// Agents walk on the tiles around them, a door elsewhere is closed, and the game is saved: world and crowd.
#[test]
fn a_crowd_in_a_world_of_which_only_some_tiles_are_in_memory_is_saved_with_it() {
    let mut rng = Rng::new(4);
    let (tiles, cells) = (8, 8);
    let places = (0..tiles * tiles).map(|i| TileCoord { x: i % tiles, z: i / tiles, layer: 0 });
    let data = places.filter_map(|coord| Some((coord, tile(coord, cells, 0.0, &mut rng)?))).collect();
    let sketch = Sketch { tiles, cells, data };
    let reader = StoredTiles::new(sketch.store(&sketch.mesh()));
    let budget = ResidentBudget { tiles: RESIDENT, ..ResidentBudget::default() };
    let mut world = ResidentWorld::new(reader.clone(), budget);

    // A door far away, whose tile is evicted.
    world.load(&[60]).unwrap();
    let door = world.mesh().tiles().next().unwrap().reference(3);
    world.set_flags(door, PolyFlags(64)).unwrap();
    for slot in world.tiles_around([16.0, 0.0, 16.0], 15.0) {
        world.pin(slot).unwrap();
    }
    assert!(world.mesh().state(door).is_err() && world.mesh().tile_count() as usize == RESIDENT);

    let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
    for row in 0..6 {
        let agent = crowd.add(world.mesh(), [2.0, 0.0, 2.0 + row as f32 * 4.0], AgentParams::default()).unwrap();
        crowd.go_to(world.mesh(), agent, [28.0, 0.0, 28.0 - row as f32 * 4.0]).unwrap();
    }
    let walk = |crowd: &mut Crowd, world: &ResidentWorld<_>, planner: &mut AStarPlanner| {
        (0..40).for_each(|_| crowd.step(world.mesh(), 0.05, planner, &Context::default()));
    };
    walk(&mut crowd, &world, &mut planner);
    let saved = (world.store_changes(), crowd.to_bytes(world.mesh(), &planner));

    let mut loaded = ResidentWorld::new(reader, budget);
    assert!(Crowd::from_bytes(&saved.1, loaded.mesh(), &[]).is_err(), "the world first");
    loaded.restore_changes(&saved.0).unwrap();
    let mut loaded_crowd = Crowd::from_bytes(&saved.1, loaded.mesh(), &[]).unwrap();
    let before = crowd.positions().to_vec();
    walk(&mut crowd, &world, &mut planner);
    walk(&mut loaded_crowd, &loaded, &mut AStarPlanner::new());
    assert!(crowd.positions() == loaded_crowd.positions() && crowd.positions() != before);
    loaded.load(&[60]).unwrap();
    assert_eq!(loaded.mesh().state(door).unwrap().flags, PolyFlags(64));
}
