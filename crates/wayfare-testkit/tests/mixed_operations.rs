//! A world in which everything happens at once: obstacles, tiles that come and go, doors, jumps, overlays, a crowd that
//! walks, snapshots, saves and loads, in a seeded order. Whatever came before, the mesh holds its rules, and when all
//! is taken away again it is what it was.
//!
//! A few thousand operations here; `WAYFARE_OPERATIONS=1000000` makes them a million (see CONTRIBUTING.md).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::context::{Budget, Context};
use wayfare::crowd::{AgentId, AgentParams, Crowd, EventKind, Target};
use wayfare::dynamic::TileChange;
use wayfare::input::{BakeSettings, MarkedVolume, Volume};
use wayfare::math::Aabb;
use wayfare::mesh::{ChangeSet, MeshVersion, NavMesh, OffMeshConnection, PolyRef, TileRef};
use wayfare::plan::{AStarPlanner, PathQueue, RequestId, SharedFilter};
use wayfare::query::{
    CostOverlay, DEFAULT_REACH, DefaultFilter, Overlaid, OverlayError, OverlaySettings, OverlayShape, PathRequest,
    PolyPath, find_nearest,
};
use wayfare::tile::{TileCoord, TileData};
use wayfare::{Vec2, Vec3};
use wayfare_scenes::Rng;
use wayfare_testkit::changing::{ChangingLevel, PlainTile, plain_tiles};
use wayfare_testkit::levels::boxes;

const SIDE: f32 = 24.0;
const DOOR: AreaId = AreaId::from_low_bits(7);

/// The world, and all that is kept of it.
struct World {
    level: ChangingLevel,
    first: BTreeMap<TileCoord, PlainTile>,
    /// Tiles that were streamed out, and the state that they had.
    away: Vec<(TileData, Vec<u8>)>,
    jumps: Vec<PolyRef>,
    /// Snapshots that somebody still holds, and their bytes.
    held: Vec<(NavMesh, Vec<u8>)>,
    danger: CostOverlay,
    /// The filter that the crowd was given last.
    given: Overlaid<DefaultFilter>,
    crowd: Crowd,
    agents: Vec<AgentId>,
    queue: PathQueue,
    asked: Vec<RequestId>,
    planner: AStarPlanner,
    /// A path that somebody follows, and the version that he has seen.
    followed: PolyPath,
    seen: MeshVersion,
    counts: BTreeMap<&'static str, u32>,
}

impl World {
    fn new() -> Self {
        let ground = [[0.0, -1.0, 0.0], [SIDE, 0.0, SIDE]];
        let shed = [[4.0, 2.6, 4.0], [11.0, 3.0, 11.0]];
        let settings = BakeSettings { tile_size: 20, ..BakeSettings::default() };
        let level = ChangingLevel::new(boxes(&[ground, shed]), Vec::new(), settings);
        let settings = OverlaySettings { half_life: 40, max_cells: 2048, ..OverlaySettings::default() };
        let mut world = Self {
            first: plain_tiles(&level.mesh),
            seen: level.mesh.version().clone(),
            level,
            away: Vec::new(),
            jumps: Vec::new(),
            held: Vec::new(),
            danger: CostOverlay::new(settings).unwrap(),
            given: Overlaid::new(DefaultFilter::default()),
            crowd: Crowd::default(),
            agents: Vec::new(),
            queue: PathQueue::new(),
            asked: Vec::new(),
            planner: AStarPlanner::new(),
            followed: PolyPath::default(),
            counts: BTreeMap::new(),
        };
        world.set_costs();
        world
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn place(rng: &mut Rng) -> Vec3 {
        Vec3::new(rng.real(0.5, SIDE - 0.5), if rng.one_in(6) { 3.0 } else { 0.0 }, rng.real(0.5, SIDE - 0.5))
    }

    fn tile(&self, rng: &mut Rng) -> Option<TileRef> {
        let tiles: Vec<TileRef> = self.level.mesh.tiles().map(|tile| tile.tile_ref()).collect();
        tiles.get(rng.whole(0, tiles.len() as i32 - 1) as usize).copied()
    }

    fn filter(&self) -> Overlaid<DefaultFilter> {
        Overlaid::new(DefaultFilter::default()).with(&self.danger, 1.0).unwrap()
    }

    fn set_costs(&mut self) {
        self.given = self.filter();
        self.crowd.set_costs(0, self.given.clone()).unwrap();
    }

    /// One operation.
    fn act(&mut self, rng: &mut Rng) {
        match rng.whole(0, 99) {
            0..=13 => self.change_obstacles(rng),
            14..=27 => self.rebuild(rng),
            28..=33 => self.stream(rng),
            34..=45 => self.change_state(rng),
            46..=49 => self.change_jumps(rng),
            50..=69 => self.tick(),
            70..=77 => self.send(rng),
            78..=85 => self.change_costs(rng),
            86..=93 => self.ask(rng),
            94..=97 => self.follow(),
            98 => self.hold(rng),
            _ => self.save(rng),
        }
    }

    fn change_obstacles(&mut self, rng: &mut Rng) {
        let count = self.level.placed.len();
        match rng.whole(0, 3) {
            0 | 1 if count < 12 => {
                let base = Self::place(rng).with_y(0.0);
                let radius = rng.real(0.2, 1.5);
                let volume = Volume::Cylinder { base: base - Vec3::Y, radius, height: 2.5 };
                let marked =
                    if rng.one_in(3) { MarkedVolume::paint(volume, DOOR) } else { MarkedVolume::block(volume) };
                self.level.add(marked).unwrap();
                self.count("obstacle added");
            }
            2 if count > 0 => {
                let at = rng.whole(0, count as i32 - 1) as usize;
                self.level.remove(at);
                self.count("obstacle removed");
            }
            _ if count > 0 => {
                let at = rng.whole(0, count as i32 - 1) as usize;
                let by = Vec3::new(rng.real(-1.5, 1.5), 0.0, rng.real(-1.5, 1.5));
                self.level.obstacles.move_by(self.level.placed[at], by).unwrap();
                self.count("obstacle moved");
            }
            _ => {}
        }
        self.level.obstacles.announce(&mut self.level.mesh);
    }

    fn rebuild(&mut self, rng: &mut Rng) {
        let budget = Budget::new([3_000, 20_000, 100_000][rng.whole(0, 2) as usize]);
        self.level.obstacles.step(&mut self.level.mesh, budget, &Context::default()).unwrap();
        let built = self.level.obstacles.rebuilt().iter().filter(|tile| tile.change != TileChange::Same).count();
        let soon: BTreeSet<TileCoord> = self.level.obstacles.about_to_change().collect();
        for tile in self.level.mesh.tiles().filter(|tile| self.level.mesh.is_announced(tile.tile_ref())) {
            assert!(soon.contains(&tile.coord()), "{:?} stays as it is, and is announced", tile.coord());
        }
        *self.counts.entry("tile rebuilt").or_default() += built as u32;
    }

    /// A tile is streamed out, or one comes back; or one is replaced by its like.
    fn stream(&mut self, rng: &mut Rng) {
        let back = !self.away.is_empty() && (self.away.len() > 2 || rng.one_in(2));
        if back {
            let (tile, state) = self.away.remove(0);
            // It may have been rebuilt meanwhile.
            if let Ok(tile) = self.level.mesh.add_tile(tile) {
                self.level.mesh.restore_tile_state(tile, &state).unwrap();
                self.count("tile streamed in");
            }
            return;
        }
        let Some(tile) = self.tile(rng) else { return };
        if rng.one_in(3) {
            let like = self.level.mesh.tile(tile).unwrap().data().clone();
            self.level.mesh.replace_tile(tile, like).unwrap();
            self.count("tile replaced");
        } else {
            // As it was made, not with the flags of now.
            let data = self.level.mesh.tile(tile).unwrap().data().clone();
            let state = self.level.mesh.store_tile_state(tile).unwrap();
            self.level.mesh.remove_tile(tile).unwrap();
            self.away.push((data, state));
            self.count("tile streamed out");
        }
    }

    /// Doors, and single polygons.
    fn change_state(&mut self, rng: &mut Rng) {
        let flags = if rng.one_in(3) { PolyFlags::NONE } else { PolyFlags::WALK };
        if rng.one_in(3) {
            self.level.mesh.set_area_flags(DOOR, flags);
            self.count(if flags == PolyFlags::NONE { "doors closed" } else { "doors opened" });
        } else if let Some(tile) = self.tile(rng) {
            let tile = self.level.mesh.tile(tile).unwrap();
            let poly = tile.reference(rng.whole(0, tile.poly_count() as i32 - 1) as u32);
            self.level.mesh.set_flags(poly, flags).unwrap();
            self.count("flags set");
        }
    }

    fn change_jumps(&mut self, rng: &mut Rng) {
        if self.jumps.len() < 4 {
            let start = Self::place(rng);
            let end = Self::place(rng);
            let two_way = rng.one_in(2);
            let area = AreaId::WALKABLE;
            let flags = PolyFlags::WALK;
            let jump = OffMeshConnection { start, end, radius: 0.6, two_way, area, flags, user_id: 1 };
            self.jumps.push(self.level.mesh.add_connection(jump).unwrap());
            self.count("jump added");
        } else {
            let at = rng.whole(0, 3) as usize;
            self.level.mesh.remove_connection(self.jumps.swap_remove(at)).unwrap();
            self.count("jump removed");
        }
    }

    fn tick(&mut self) {
        self.crowd.step(&self.level.mesh, 0.05, &mut self.planner, &Context::default());
        self.danger.advance(1);
        self.count("crowd tick");
        for event in self.crowd.events() {
            let what = match event.kind {
                EventKind::PathLost(broken) => {
                    assert!(broken.ahead.is_finite() && broken.ahead >= 0.0);
                    "path lost"
                }
                EventKind::PathBreaksSoon(soon) => {
                    assert!(soon.ahead.is_finite() && soon.ahead >= 0.0);
                    "path breaks soon"
                }
                EventKind::Displaced { .. } => "displaced",
                EventKind::GroundLost => "surface lost",
                EventKind::Arrived => "arrived",
                _ => continue,
            };
            *self.counts.entry(what).or_default() += 1;
        }
        for &agent in &self.agents {
            let corridor = self.crowd.corridor(agent).unwrap();
            let broken = corridor.check(&self.level.mesh, u32::MAX, &DefaultFilter::default());
            assert!(broken.is_none(), "{agent:?} follows a path that is broken: {broken:?}");
            assert!(self.crowd.position(agent).unwrap().is_finite());
        }
    }

    fn send(&mut self, rng: &mut Rng) {
        let place = Self::place(rng);
        if self.agents.len() < 12 {
            let params = AgentParams { max_speed: 2.0, ..AgentParams::of_size(0.4, 1.8) };
            self.agents.extend(self.crowd.add(&self.level.mesh, place, params));
        } else if rng.one_in(12) {
            let agent = self.agents.swap_remove(rng.whole(0, 11) as usize);
            self.crowd.remove(agent).unwrap();
        } else {
            let agent = self.agents[rng.whole(0, self.agents.len() as i32 - 1) as usize];
            let other = self.agents[0];
            let _ = match rng.whole(0, 7) {
                0 => self.crowd.set_target(agent, Target::Agent(other)),
                1 => self.crowd.teleport(&self.level.mesh, agent, place),
                _ => self.crowd.go_to(&self.level.mesh, agent, place),
            };
        }
        self.count("agents sent");
    }

    fn change_costs(&mut self, rng: &mut Rng) {
        let center = Self::place(rng);
        let painted = match rng.whole(0, 2) {
            0 => self.danger.paint(&OverlayShape::Disc { center, radius: rng.real(0.2, 4.0), reach: 1.0 }, 5.0),
            1 => self.danger.paint(&OverlayShape::Box(Aabb::from_center(center, Vec3::splat(1.5))), 2.0),
            _ => {
                let corners = [[0.0, 0.0], [3.0, 1.0], [1.0, 3.0]].map(|[x, z]| Vec2::new(center.x + x, center.z + z));
                self.danger.paint(&OverlayShape::Polygon { corners: &corners, min_y: 0.0, max_y: 1.0 }, 1.0)
            }
        };
        let what = match painted {
            Ok(_) => "overlay painted",
            Err(OverlayError::Full(full)) => {
                assert!(full.needed > full.most && self.danger.cell_count() <= full.most);
                "overlay full"
            }
            Err(error) => panic!("{error}"),
        };
        if rng.one_in(3) {
            self.set_costs();
        }
        self.count(what);
    }

    /// Path requests that are under way while the mesh changes.
    fn ask(&mut self, rng: &mut Rng) {
        let filter: SharedFilter = Arc::new(self.filter());
        let mesh = &self.level.mesh;
        let mut near = || find_nearest(mesh, Self::place(rng), DEFAULT_REACH, filter.as_ref()).map(|near| near.place());
        if let (Some(start), Some(goal)) = (near(), near()) {
            self.asked.push(self.queue.request(PathRequest::new(start, goal), filter.clone()));
        }
        self.queue.step(mesh, &mut self.planner, &mut Budget::new(10));
        let (mut broken, mut soon) = (0, 0);
        while let Some((_, answer)) = self.queue.take_next() {
            assert!(answer.path.polys.iter().all(|&poly| mesh.is_valid(poly)));
            assert!(answer.broken.is_none() || answer.is_outdated || answer.stale.is_some());
            broken += u32::from(answer.broken.is_some());
            soon += u32::from(answer.soon.is_some());
            if answer.broken.is_none() {
                self.followed.clone_from(&answer.path);
                self.seen = mesh.version().clone();
            }
        }
        *self.counts.entry("answer broken").or_default() += broken;
        *self.counts.entry("answer breaks soon").or_default() += soon;
        self.count("path asked for");
    }

    /// Somebody follows a path by himself, and reads the feed.
    fn follow(&mut self) {
        let filter = DefaultFilter::default();
        let mesh = &self.level.mesh;
        let change = self.followed.change(mesh, &ChangeSet::since(mesh, &self.seen), &filter);
        let broken = self.followed.check(mesh, &filter);
        self.seen = mesh.version().clone();
        assert_eq!(change.broken, broken, "what the feed says is what a look at the whole path finds");
        if broken.is_some() {
            self.followed = PolyPath::default();
            self.count("followed path broken");
        }
    }

    fn hold(&mut self, rng: &mut Rng) {
        if self.held.len() == 3 {
            let (snapshot, bytes) = self.held.remove(rng.whole(0, 2) as usize);
            assert!(snapshot.to_bytes() == bytes, "a snapshot has changed");
            assert_eq!(snapshot.check(), []);
        }
        self.held.push((self.level.mesh.clone(), self.level.mesh.to_bytes()));
        self.count("snapshot");
    }

    fn save(&mut self, rng: &mut Rng) {
        let mesh = &mut self.level.mesh;
        let bytes = mesh.to_bytes();
        let filters: [SharedFilter; 1] = [Arc::new(self.given.clone())];
        let crowd = self.crowd.to_bytes(mesh, &self.planner);
        if rng.one_in(2) {
            *mesh = NavMesh::from_bytes(&bytes).unwrap();
        } else {
            let delta = mesh.store_delta();
            mesh.restore_delta(&delta).unwrap();
        }
        assert!(mesh.to_bytes() == bytes, "loaded and saved again, it differs");
        self.crowd = Crowd::from_bytes(&crowd, mesh, &filters).unwrap();
        self.danger = CostOverlay::from_bytes(&self.danger.to_bytes()).unwrap();
        // The other sessions go on with what was loaded: a mesh that they do not know.
        self.count("saved and loaded");
    }

    fn check(&self) {
        let violations = self.level.mesh.check();
        assert!(violations.is_empty(), "{} violations, first {:?}", violations.len(), violations[0]);
    }

    /// Takes everything away.
    fn clear(mut self) {
        for jump in core::mem::take(&mut self.jumps) {
            self.level.mesh.remove_connection(jump).unwrap();
        }
        for (tile, _) in core::mem::take(&mut self.away) {
            let _ = self.level.mesh.add_tile(tile);
        }
        while !self.level.placed.is_empty() {
            self.level.remove(0);
        }
        while !self
            .level
            .obstacles
            .step(&mut self.level.mesh, Budget::unlimited(), &Context::default())
            .unwrap()
            .is_finished()
        {}
        self.check();
        assert!(plain_tiles(&self.level.mesh) == self.first, "with nothing left of it, the mesh is not what it was");
    }
}

fn play(seed: u64, operations: u64) -> BTreeMap<&'static str, u32> {
    let mut rng = Rng::new(seed);
    let mut world = World::new();
    for operation in 0..operations {
        world.act(&mut rng);
        if operation % 100 == 0 {
            world.check();
        }
    }
    let counts = world.counts.clone();
    world.clear();
    counts
}

#[test]
fn whatever_happens_the_mesh_holds_its_rules() {
    let operations = std::env::var("WAYFARE_OPERATIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(4000);
    // Worlds of their own, so that one that fails is found again soon.
    let a_world = 20_000;
    let mut counts = BTreeMap::<&str, u32>::new();
    for world in 0..u64::div_ceil(operations, a_world) {
        let seed = 1 + world;
        let part = a_world.min(operations - world * a_world);
        eprintln!("world {seed}: {part} operations");
        for (what, count) in play(seed, part) {
            *counts.entry(what).or_default() += count;
        }
    }
    eprintln!("{counts:#?}");
    for what in ["tile rebuilt", "path lost", "path breaks soon", "displaced", "answer broken", "followed path broken"]
    {
        assert!(counts.get(what).is_some_and(|&count| count > 0), "never: {what}");
    }
}
