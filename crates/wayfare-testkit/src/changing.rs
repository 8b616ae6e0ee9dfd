//! A level under obstacles, beside what a bake with the same shapes gives.

use crate::levels::connect;
use std::collections::BTreeMap;
use wayfare::Vec3;
use wayfare::bake::bake_tiles;
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{LevelCheckpoints, ObstacleRef, Obstacles, Request, TileChange};
use wayfare::input::{BakeSettings, Level, MarkedVolume, TriMesh};
use wayfare::mesh::{NavMesh, OffMeshConnection, StaleReason};
use wayfare::tile::{TileCoord, TileData};

/// A link without what depends on the order in which tiles came: its edge and that beyond, the shared part, and the
/// polygon beyond.
type PlainLink = (u32, u32, [[u32; 3]; 2], TileCoord, u32);

/// What two meshes that should be equal must have in common of a tile, whatever its slot and salt are.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainTile {
    /// Its data.
    pub data: TileData,
    links: Vec<PlainLink>,
    /// Connections by polygon, end, and index.
    connections: Vec<[u32; 3]>,
}

/// The tiles of a mesh by their places.
///
/// # Panics
/// If a link leads to a tile that is not there.
#[must_use]
pub fn plain_tiles(mesh: &NavMesh) -> BTreeMap<TileCoord, PlainTile> {
    let plain = |tile: &wayfare::mesh::Tile| {
        let link = |link: &wayfare::mesh::Link| {
            let (there, poly) = mesh.locate(link.to).unwrap_or_else(|e| panic!("a link leads nowhere: {e}"));
            let part = [link.a, link.b].map(|p| p.to_array().map(f32::to_bits));
            (link.edge, link.there, part, there.coord(), poly)
        };
        let mut links: Vec<_> = tile.links().all().iter().map(link).collect();
        links.sort_unstable();
        let connection = |c: &wayfare::mesh::ConnectionLink| [c.poly, c.end, c.to.poly().get()];
        let mut connections: Vec<_> = tile.links().connections().iter().map(connection).collect();
        connections.sort_unstable();
        PlainTile { data: tile.data().clone(), links, connections }
    };
    mesh.tiles().map(|tile| (tile.coord(), plain(tile))).collect()
}

/// A level, its mesh, and the obstacles in it.
pub struct ChangingLevel {
    level: TriMesh,
    volumes: Vec<MarkedVolume>,
    settings: BakeSettings,
    connections: Vec<OffMeshConnection>,
    /// The mesh that changes.
    pub mesh: NavMesh,
    /// The session.
    pub obstacles: Obstacles,
    /// The obstacles that are there, in the order in which they came.
    pub placed: Vec<ObstacleRef>,
    first: BTreeMap<TileCoord, PlainTile>,
}

impl ChangingLevel {
    /// Bakes a level and its checkpoints, which go through their bytes.
    ///
    /// # Panics
    /// If the level cannot be baked.
    #[must_use]
    pub fn new(level: TriMesh, volumes: Vec<MarkedVolume>, settings: BakeSettings) -> Self {
        let input = Level { mesh: &level, terrain: None, volumes: &volumes };
        let checkpoints = LevelCheckpoints::bake(input, &settings, &Context::default());
        let checkpoints = checkpoints.unwrap_or_else(|e| panic!("the checkpoints: {e}"));
        let again = LevelCheckpoints::from_bytes(&checkpoints.to_bytes());
        let again = again.unwrap_or_else(|e| panic!("our own bytes are refused: {e}"));
        assert!(again.to_bytes() == checkpoints.to_bytes(), "written and read again, they differ");
        let mesh = connect(baked(input, &settings));
        let first = plain_tiles(&mesh);
        let obstacles = Obstacles::new(again);
        Self { level, volumes, settings, connections: Vec::new(), mesh, obstacles, placed: Vec::new(), first }
    }

    /// Adds connections to the mesh.
    ///
    /// # Panics
    /// If one is refused.
    pub fn connect(&mut self, connections: Vec<OffMeshConnection>) {
        add(&mut self.mesh, &connections);
        self.connections.extend(connections);
        self.first = plain_tiles(&self.mesh);
    }

    /// The level.
    #[must_use]
    pub fn level(&self) -> Level<'_> {
        Level { mesh: &self.level, terrain: None, volumes: &self.volumes }
    }

    /// Adds an obstacle; `None` if it is refused.
    pub fn add(&mut self, marked: MarkedVolume) -> Option<Request> {
        let (obstacle, request) = self.obstacles.add(marked).ok()?;
        self.placed.push(obstacle);
        Some(request)
    }

    /// Removes the obstacle that came as number `at` of those that are there.
    ///
    /// # Panics
    /// If it is gone already.
    pub fn remove(&mut self, at: usize) {
        let obstacle = self.placed.remove(at);
        self.obstacles.remove(obstacle).unwrap_or_else(|e| panic!("{e}"));
        assert!(self.obstacles.remove(obstacle).is_err(), "it was there twice");
        assert!(self.obstacles.move_by(obstacle, Vec3::ONE).is_err(), "it is gone, and moves");
    }

    /// Rebuilds until nothing is left to do, by steps of a budget (`None`: without end). How many tiles were replaced,
    /// added or removed.
    ///
    /// # Panics
    /// If a tile cannot be rebuilt, or changes before its time.
    pub fn rebuild(&mut self, budget: Option<u64>) -> usize {
        let budget = budget.map_or(Budget::unlimited(), Budget::new);
        let mut changed = 0;
        loop {
            let before = self.mesh.clone();
            let progress = self.obstacles.step(&mut self.mesh, budget, &Context::default());
            let progress = progress.unwrap_or_else(|e| panic!("{e}"));
            let rebuilt = self.obstacles.rebuilt();
            let is_same = rebuilt.iter().all(|tile| tile.change == TileChange::Same);
            assert!(!is_same || before.is_same_as(&self.mesh), "the mesh changed unsaid");
            changed += rebuilt.iter().filter(|tile| tile.change != TileChange::Same).count();
            // A tile may have been rebuilt twice: with what was under way, and with what was asked for since.
            let last: BTreeMap<TileCoord, _> = rebuilt.iter().map(|tile| (tile.coord, tile)).collect();
            for tile in last.into_values() {
                let there = self.mesh.tile_at(tile.coord).map(|tile| tile.tile_ref());
                assert_eq!(there, tile.tile, "{:?}", tile.coord);
                let old = before.tile_at(tile.coord).map(|tile| tile.tile_ref()).filter(|_| there.is_none());
                let stale = old.and_then(|old| self.mesh.tile(old).err());
                assert!(stale.is_none_or(|stale| stale.reason == StaleReason::Removed));
            }
            if progress.is_finished() {
                assert_eq!(self.obstacles.about_to_change().count(), 0);
                return changed;
            }
        }
    }

    /// Compares the mesh with that of a bake that has the obstacles among its volumes.
    ///
    /// # Panics
    /// If they differ, or the mesh is unsound.
    pub fn check(&self) {
        let placed = self.placed.iter().map(|&o| self.obstacles.get(o).unwrap_or_else(|e| panic!("{e}")).clone());
        let volumes: Vec<_> = self.volumes.iter().cloned().chain(placed).collect();
        let mut expected = connect(baked(Level { volumes: &volumes, ..self.level() }, &self.settings));
        add(&mut expected, &self.connections);
        differ(&plain_tiles(&self.mesh), &plain_tiles(&expected));
        let violations = self.mesh.check();
        assert!(violations.is_empty(), "{} violations, first {:?}", violations.len(), violations[0]);
    }

    /// Removes all obstacles and compares the mesh with what it was.
    ///
    /// # Panics
    /// If it is not the same again.
    pub fn clear(&mut self, budget: Option<u64>) {
        while !self.placed.is_empty() {
            self.remove(self.placed.len() / 2);
        }
        assert_eq!(self.obstacles.count(), 0);
        self.rebuild(budget);
        differ(&plain_tiles(&self.mesh), &self.first);
    }
}

fn baked(level: Level<'_>, settings: &BakeSettings) -> wayfare::bake::BakedTiles {
    // Where obstacles take all ground, the bounds stay those of the level all the same.
    bake_tiles(level, settings, &Context::default()).unwrap_or_else(|e| panic!("{e}")).0
}

fn add(mesh: &mut NavMesh, connections: &[OffMeshConnection]) {
    for connection in connections {
        mesh.add_connection(*connection).unwrap_or_else(|e| panic!("{e}"));
    }
}

fn differ(a: &BTreeMap<TileCoord, PlainTile>, b: &BTreeMap<TileCoord, PlainTile>) {
    assert!(a.keys().eq(b.keys()), "other tiles are there: {:?} instead of {:?}", a.keys(), b.keys());
    for ((coord, a), b) in a.iter().zip(b.values()) {
        assert!(a.data == b.data, "{coord:?}: {} polygons instead of {}", a.data.polys().len(), b.data.polys().len());
        assert_eq!(a.links, b.links, "links of {coord:?}");
        assert_eq!(a.connections, b.connections, "connections of {coord:?}");
    }
}
