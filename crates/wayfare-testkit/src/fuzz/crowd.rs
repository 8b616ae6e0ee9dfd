//! A crowd in use: agents come, go, are carried, sent and stopped in any order, tiles change under them, and ticks go
//! by.

use super::Bytes;
use super::operations::tile;
use wayfare::avoid::Avoidance;
use wayfare::context::Context;
use wayfare::crowd::{AgentId, AgentParams, Crowd, CrowdSettings, Driver, FlowPlanner, Target};
use wayfare::mesh::NavMesh;
use wayfare::plan::{AStarPlanner, Planner};
use wayfare::query::{DefaultFilter, find_nearest};
use wayfare::tile::TileLayout;
use wayfare::{Vec2, Vec3};

/// Agents beyond this many only take longer.
const MOST: usize = 40;
const DT: f32 = 0.05;

/// Does to a crowd on a mesh of nine places in two layers what `data` says, an operation for every few bytes. After
/// every tick all who are here stand on the mesh, move no faster than they can, and are told of by finite numbers; who
/// was removed is nobody. How many agents there are at the end.
///
/// # Panics
/// If any of this does not hold.
pub fn crowd(data: &[u8]) -> usize {
    let mut bytes = Bytes(data);
    let mut game = Game::new(bytes.next());
    while bytes.left() > 0 {
        game.operate(&mut bytes);
    }
    game.tick(0.05);
    game.crowd.len()
}

struct Game {
    mesh: NavMesh,
    crowd: Crowd,
    planner: Box<dyn Planner>,
    /// Those who should be here, and some who should not.
    here: Vec<AgentId>,
    gone: Vec<AgentId>,
    /// Who was put somewhere since the last tick.
    put: Vec<AgentId>,
}

impl Game {
    fn new(options: u8) -> Self {
        let mut mesh = NavMesh::new(TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 4.0 });
        for place in 0..9 {
            // Squares of the lowest height, all of them.
            let ground = [place, 0x55, 0x55, 0x55, 0x55];
            let _ = mesh.add_tile(tile(&mut Bytes(&ground), 0)).unwrap_or_else(|e| panic!("a free place: {e}"));
        }
        let path_nodes = [4096, 1, 7, 64][usize::from(options % 4)];
        let planner: Box<dyn Planner> =
            if options & 4 == 0 { Box::new(AStarPlanner::new()) } else { Box::new(FlowPlanner::new()) };
        let crowd = Crowd::new(CrowdSettings { path_nodes, ..CrowdSettings::default() });
        Self { mesh, crowd, planner, here: Vec::new(), gone: Vec::new(), put: Vec::new() }
    }

    fn operate(&mut self, bytes: &mut Bytes<'_>) {
        let operation = bytes.next();
        let one = self.here.get(usize::from(bytes.next()) % self.here.len().max(1)).copied();
        match (operation % 16, one) {
            (0 | 1, _) => self.add(bytes),
            (2, Some(agent)) => self.remove(agent),
            (3, Some(agent)) => {
                if self.crowd.teleport(&self.mesh, agent, place(bytes)).is_ok() {
                    self.put.push(agent);
                }
            }
            (4 | 5, Some(agent)) => _ = self.crowd.go_to(&self.mesh, agent, place(bytes)),
            (6, Some(agent)) => self.retarget(agent, bytes),
            (7 | 8, _) => self.replace_tile(bytes),
            (9, Some(agent)) => self.crowd.pause(agent, bytes.next() & 1 == 0).unwrap_or_else(|e| panic!("{e}")),
            (10, Some(agent)) => {
                let _ = self.crowd.set_position(agent, place(bytes));
                self.put.push(agent);
                let _ = self.crowd.set_velocity(agent, place(bytes));
            }
            (11, Some(agent)) => _ = self.crowd.set_params(agent, params(bytes)),
            (12, _) => self.by_hand(bytes),
            (13, _) => self.store(),
            _ => self.tick([0.05, 0.05, 0.0, 0.5][usize::from(operation >> 6)]),
        }
    }

    fn add(&mut self, bytes: &mut Bytes<'_>) {
        let (at, params) = (place(bytes), params(bytes));
        if self.here.len() < MOST
            && let Ok(agent) = self.crowd.add(&self.mesh, at, params)
        {
            assert!(!self.here.contains(&agent) && !self.gone.contains(&agent), "{agent:?} was somebody else");
            self.here.push(agent);
            self.put.push(agent);
        }
    }

    fn remove(&mut self, agent: AgentId) {
        self.crowd.remove(agent).unwrap_or_else(|e| panic!("{agent:?} was here: {e}"));
        self.here.retain(|other| *other != agent);
        self.gone.push(agent);
    }

    fn retarget(&mut self, agent: AgentId, bytes: &mut Bytes<'_>) {
        let other = self.here[usize::from(bytes.next()) % self.here.len()];
        let near = find_nearest(&self.mesh, place(bytes), Vec3::ONE, &DefaultFilter::default()).map(|n| n.place());
        let target = match (bytes.next() % 5, near) {
            (0, _) => Target::None,
            (1, _) => Target::Velocity(place(bytes)),
            (2, Some(ground)) => Target::Moving(ground),
            (3, Some(ground)) => Target::Point(ground),
            _ => Target::Agent(other),
        };
        self.crowd.set_target(agent, target).unwrap_or_else(|e| panic!("{agent:?} is here: {e}"));
    }

    fn replace_tile(&mut self, bytes: &mut Bytes<'_>) {
        let tile = tile(bytes, 0);
        match self.mesh.tile_at(tile.coord()).map(|old| old.tile_ref()) {
            Some(old) if bytes.next() & 7 == 0 => _ = self.mesh.remove_tile(old),
            Some(old) => _ = self.mesh.replace_tile(old, tile).unwrap_or_else(|e| panic!("a tile for a tile: {e}")),
            None => _ = self.mesh.add_tile(tile).unwrap_or_else(|e| panic!("a free place: {e}")),
        }
    }

    /// Phases by hand, with velocities and places that a game makes up between them.
    fn by_hand(&mut self, bytes: &mut Bytes<'_>) {
        let (after, given) = (usize::from(bytes.next() % 10), place(bytes));
        self.crowd.begin(DT);
        for (number, phase) in wayfare::crowd::Phase::ALL.into_iter().enumerate() {
            self.crowd.run(phase, &self.mesh, DT, self.planner.as_mut(), &Context::default());
            if number == after {
                let arrays = [Crowd::desired_mut, Crowd::avoiding_mut, Crowd::next_mut];
                arrays[after % 3](&mut self.crowd).iter_mut().step_by(2).for_each(|v| *v = given);
            }
        }
        self.crowd.finish();
        self.put.clear();
        self.check(None, DT);
    }

    /// Goes on with what was stored and read.
    fn store(&mut self) {
        let bytes = self.crowd.to_bytes(&self.mesh, self.planner.as_ref());
        let read = Crowd::from_bytes(&bytes, &self.mesh, &[]).unwrap_or_else(|e| panic!("our own crowd: {e}"));
        assert!(read.to_bytes(&self.mesh, self.planner.as_ref()) == bytes, "read and stored again, the bytes differ");
        self.crowd = read;
    }

    fn tick(&mut self, dt: f32) {
        // A change of the mesh moves those whose ground it takes, before they walk.
        self.crowd.begin(dt);
        self.crowd.validate(&self.mesh, self.planner.as_mut());
        let before: Vec<Vec3> = self.crowd.positions().to_vec();
        for phase in &wayfare::crowd::Phase::ALL[1..] {
            self.crowd.run(*phase, &self.mesh, dt, self.planner.as_mut(), &Context::default());
        }
        self.crowd.finish();
        self.check(Some(&before), dt);
        self.put.clear();
    }

    fn check(&self, before: Option<&[Vec3]>, dt: f32) {
        let filter = DefaultFilter::default();
        assert!(self.crowd.len() == self.here.len() && self.crowd.ids().count() == self.here.len());
        for agent in &self.gone {
            assert!(!self.crowd.contains(*agent), "{agent:?} is gone");
        }
        for event in self.crowd.events() {
            assert!(self.here.contains(&event.agent), "{event:?} of nobody");
        }
        for &agent in &self.here {
            let told = |what: &str| format!("{agent:?}: {what}, {:?}", self.crowd.target_status(agent));
            let at = self.crowd.position(agent).unwrap_or_else(|e| panic!("{e}"));
            let velocity = self.crowd.velocity(agent).unwrap_or_else(|e| panic!("{e}"));
            assert!(at.is_finite() && velocity.is_finite(), "{}", told("not a number"));
            let corridor = self.crowd.corridor(agent).unwrap_or_else(|e| panic!("{e}"));
            let params = self.crowd.params(agent).unwrap_or_else(|e| panic!("{e}"));
            if corridor.polys().is_empty() {
                continue;
            }
            let near = find_nearest(&self.mesh, at, Vec3::new(0.1, 0.5, 0.1), &filter);
            let flat = |v: Vec3| Vec2::new(v.x, v.z);
            assert!(near.is_some_and(|near| flat(near.point).distance(flat(at)) < 0.01), "{}", told("off the mesh"));
            assert!(corridor.is_valid(&self.mesh, u32::MAX, &filter), "{}", told("a broken way"));
            if let Some(before) = before
                && params.driver == Driver::Crowd
                && !self.put.contains(&agent)
            {
                let step = flat(at).distance(flat(before[agent.index()]));
                assert!(step <= params.max_speed * dt * 1.01 + 1e-4, "{}", told(&format!("a step of {step} m")));
            }
        }
    }
}

/// Anywhere in the world, and now and then beyond it or nowhere.
fn place(bytes: &mut Bytes<'_>) -> Vec3 {
    match bytes.next() {
        255 => Vec3::new(f32::NAN, 0.0, f32::INFINITY),
        254 => Vec3::splat(1e9),
        x => Vec3::new(f32::from(x) / 20.0, f32::from(bytes.next() & 1), f32::from(bytes.next()) / 20.0),
    }
}

fn params(bytes: &mut Bytes<'_>) -> AgentParams {
    let (kind, method) = (bytes.next(), usize::from(bytes.next()) % Avoidance::NAMES.len());
    let size = AgentParams::of_size([0.2, 0.6, 0.01, 3.0][usize::from(kind & 3)], 1.8);
    AgentParams {
        max_speed: [2.0, 0.0, 3.5, 20.0][usize::from(kind >> 2 & 3)],
        driver: if kind & 16 == 0 { Driver::Crowd } else { Driver::Game },
        separation: if kind & 32 == 0 { 0.0 } else { 2.0 },
        max_neighbours: if kind & 64 == 0 { 10 } else { 0 },
        layer_mask: if kind & 128 == 0 { u32::MAX } else { 2 },
        avoidance: Avoidance::by_name(Avoidance::NAMES[method]).unwrap_or_default(),
        ..size
    }
}
