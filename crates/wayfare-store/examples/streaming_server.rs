//! A server that streams a continent: many agents walk across a world of which a few tiles are in memory.
//!
//! The world is baked into a store once, tile by tile. The server opens it, and answers its agents under a budget: each
//! gets the first corridor of its path at once, and the next when it has walked the last. Tiles are read ahead around
//! agents and along their paths; those that nobody was near for longest go. Run it with
//! `cargo run --release -p wayfare-store --example streaming_server`.

use std::error::Error;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::context::{Budget, Context};
use wayfare::hierarchy::{
    HierarchicalPath, HierarchyScratch, NextCorridor, Refinement, ResidentBudget, ResidentWorld, StoredTiles,
};
use wayfare::math::{Aabb, Rng};
use wayfare::query::{DefaultFilter, PathRequest, PolyPath, PolyPoint};
use wayfare::world::{SourceError, WorldBake, WorldPiece, WorldSettings, WorldSource};
use wayfare_store::{Store, open, open_to_write};

/// Side of the world, and of the fields that it is made of, metres.
const WORLD: f32 = 240.0;
const FIELD: f32 = 8.0;
const AGENTS: usize = 12;
/// Tiles in memory at most, of 169.
const RESIDENT: usize = 40;

/// Fields, and gaps between some of them. Nothing of it is held: what is asked for is made.
struct Continent;

impl Continent {
    fn is_field(x: i32, z: i32) -> bool {
        let mut rng = Rng::new((x * 1000 + z) as u64);
        rng.below(10) > 1
    }
}

impl WorldSource for Continent {
    fn bounds(&self) -> Aabb {
        Aabb { min: Vec3::new(0.0, -1.0, 0.0), max: Vec3::new(WORLD, 1.0, WORLD) }
    }

    fn piece(&self, bounds: &Aabb) -> Result<WorldPiece<'_>, SourceError> {
        // Row by row, whichever box is asked.
        let count = (WORLD / FIELD) as i32;
        let all = (0..count).flat_map(|z| (0..count).map(move |x| (x, z))).filter(|&(x, z)| Self::is_field(x, z));
        let triangles = all.flat_map(|(x, z)| {
            let a = Vec3::new(x as f32, 0.0, z as f32) * FIELD;
            let [b, c, d] = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0]].map(|[x, z]| a + Vec3::new(x, 0.0, z) * FIELD);
            [([a, b, c], AreaId::WALKABLE), ([a, c, d], AreaId::WALKABLE)]
        });
        Ok(WorldPiece::of_triangles(triangles, bounds))
    }
}

/// Bakes the continent into a store; run again after a kill, it goes on.
fn bake(path: &std::path::Path) -> Result<(), Box<dyn Error>> {
    let settings = WorldSettings::default();
    let mut bake = WorldBake::new(&Continent, &settings)?;
    let mut store = open_to_write(path, bake.head())?;
    while !bake.step(Budget::unlimited(), &mut store, &Context::default())?.is_finished() {}
    store.finish()?;
    Ok(())
}

/// Somebody who walks.
struct Agent {
    at: PolyPoint,
    /// Where to, corridor by corridor; none for who has just arrived.
    path: Option<HierarchicalPath>,
}

/// What the server holds.
struct Server {
    world: ResidentWorld<StoredTiles<Store>>,
    filter: DefaultFilter,
    scratch: HierarchyScratch,
    rng: Rng,
    agents: Vec<Agent>,
    arrived: u32,
}

impl Server {
    fn new(store: Store) -> Result<Self, Box<dyn Error>> {
        let budget = ResidentBudget { tiles: RESIDENT, ..ResidentBudget::default() };
        let world = ResidentWorld::new(StoredTiles::new(store), budget);
        let filter = DefaultFilter::default();
        let scratch = HierarchyScratch::new();
        let mut server = Self { world, filter, scratch, rng: Rng::new(5), agents: Vec::new(), arrived: 0 };
        for _ in 0..AGENTS {
            let at = server.somewhere();
            server.agents.push(Agent { at, path: None });
        }
        Ok(server)
    }

    /// A place on the ground, whose tile is loaded to find it.
    fn somewhere(&mut self) -> PolyPoint {
        loop {
            let point = Vec3::new(self.rng.unit() * WORLD, 0.0, self.rng.unit() * WORLD);
            if let Some(place) = self.world.nearest(point, Vec3::splat(4.0), &self.filter) {
                return place;
            }
        }
    }

    /// An agent walks one corridor on. What it walks along is loaded now; what comes next is read ahead.
    fn walk(&mut self, number: usize, corridor: &mut PolyPath) -> Result<(), Box<dyn Error>> {
        let at = self.agents[number].at;
        let path = match self.agents[number].path.take() {
            Some(path) => path,
            None => {
                let goal = self.somewhere();
                HierarchicalPath::new(&PathRequest::new(at, goal), Refinement::default())
            }
        };
        let mut path = path;
        let next = path.next_corridor(&mut self.world, &self.filter, &mut self.scratch, corridor)?;
        self.agents[number].at = path.end();
        match next {
            NextCorridor::More => {
                let ahead: Vec<u32> = path.tiles_ahead().take(4).collect();
                let around = self.world.tiles_around(path.end().point, 10.0);
                self.world.prefetch(around.into_iter().chain(ahead));
                self.agents[number].path = Some(path);
            }
            NextCorridor::Last => self.arrived += 1,
            // It cannot be reached: somewhere else next time.
            NextCorridor::None | NextCorridor::Done => {}
        }
        Ok(())
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("continent.wayworld");
    bake(&path)?;
    let mut server = Server::new(open(&path)?)?;
    let mut corridor = PolyPath::default();
    for _ in 0..60 {
        for agent in 0..AGENTS {
            server.walk(agent, &mut corridor)?;
        }
    }
    let stats = server.world.stats();
    println!("{} tiles, {} arrivals, {stats:?}", server.world.tile_count(), server.arrived);
    assert!(stats.most_tiles <= RESIDENT, "the budget holds");
    assert!(stats.evicted > 0 && server.arrived > 20, "agents arrive, and tiles come and go");
    assert!(server.world.take_events().is_empty(), "no tile was missing or broken");
    Ok(())
}
