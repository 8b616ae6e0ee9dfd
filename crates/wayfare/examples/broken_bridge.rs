//! A crowd whose bridge is blown up and mended: agents are told, go round, and come back.
//!
//! Two banks are joined by two bridges, and a crowd walks to and fro over the nearer one. It is blown up: those whose
//! paths lead over it are told how far ahead, before anything has changed; those who stand on it when it goes are put
//! on the nearest surface; all others go round by the other bridge, and nobody else is disturbed. When it is mended,
//! those who are on the way round turn back where that is shorter.
//! Run it with `cargo run -p wayfare --example broken_bridge`.

use std::error::Error;
use wayfare::Vec3;
use wayfare::bake::bake_tiles;
use wayfare::context::{Budget, Context};
use wayfare::crowd::{AgentId, AgentParams, Crowd, EventKind, Target};
use wayfare::dynamic::{LevelCheckpoints, Obstacles};
use wayfare::input::{BakeSettings, Level, MarkedVolume, TriMesh, Volume};
use wayfare::math::Aabb;
use wayfare::mesh::NavMesh;
use wayfare::plan::AStarPlanner;
use wayfare::query::{DefaultFilter, find_nearest};

const SIZE: [f32; 2] = [36.0, 28.0];
/// The river, from bank to bank, and the bridges over it: along z.
const RIVER: [f32; 2] = [15.0, 21.0];
const NEAR: [f32; 2] = [4.0, 9.0];
const FAR: [f32; 2] = [20.0, 25.0];
const AGENTS: usize = 24;
/// Twenty ticks a second, and so many cells of work on tiles in each.
const DT: f32 = 0.05;
const A_TICK: Budget = Budget::new(20_000);

/// What is seen at one moment.
pub(crate) struct Frame {
    pub(crate) title: &'static str,
    pub(crate) mesh: NavMesh,
    /// Where the agents are, and where each has been in the last four seconds.
    pub(crate) trails: Vec<Vec<Vec3>>,
}

/// What happened in one part of the story.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    over_near: u32,
    over_far: u32,
    warned: u32,
    lost: u32,
    displaced: u32,
}

/// A box by its corners on the plane (x, z), from below the floor up to 3 m.
fn block([x0, x1]: [f32; 2], [z0, z1]: [f32; 2]) -> MarkedVolume {
    let bounds = Aabb { min: Vec3::new(x0, -1.0, z0), max: Vec3::new(x1, 3.0, z1) };
    MarkedVolume::block(Volume::Box(bounds))
}

/// The world, and the crowd in it.
struct Story {
    mesh: NavMesh,
    obstacles: Obstacles,
    crowd: Crowd,
    agents: Vec<AgentId>,
    planner: AStarPlanner,
    /// Where everybody was, tick by tick.
    trails: Vec<Vec<Vec3>>,
}

impl Story {
    fn new() -> Result<Self, Box<dyn Error>> {
        let [w, d] = SIZE;
        let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, d], [w, 0.0, d], [w, 0.0, 0.0]].map(Vec3::from);
        let floor = TriMesh::new(floor.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
        let water = [[-1.0, NEAR[0]], [NEAR[1], FAR[0]], [FAR[1], d + 1.0]].map(|part| block(RIVER, part));
        let level = Level { mesh: &floor, terrain: None, volumes: &water };
        let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
        let (baked, _) = bake_tiles(level, &settings, &Context::default())?;
        let mesh = NavMesh::from_tiles(baked.layout, baked.tiles)?;
        let obstacles = Obstacles::new(LevelCheckpoints::bake(level, &settings, &Context::default())?);

        let mut crowd = Crowd::default();
        let mut agents = Vec::new();
        for i in 0..AGENTS {
            let at = Vec3::new(2.0 + 1.6 * (i % 6) as f32, 0.0, 2.0 + 2.0 * (i / 6) as f32);
            agents.push(crowd.add(&mesh, at, AgentParams::default())?);
        }
        let trails = vec![Vec::new(); AGENTS];
        let mut story = Self { mesh, obstacles, crowd, agents, planner: AStarPlanner::new(), trails };
        for i in 0..AGENTS {
            story.send(i)?;
        }
        Ok(story)
    }

    /// Sends an agent to the other bank.
    fn send(&mut self, i: usize) -> Result<(), Box<dyn Error>> {
        let at = self.crowd.position(self.agents[i])?;
        let x = if at.x < 18.0 { SIZE[0] - 2.0 - 1.6 * (i % 6) as f32 } else { 2.0 + 1.6 * (i % 6) as f32 };
        let place = Vec3::new(x, 0.0, 2.0 + 2.0 * (i / 6) as f32);
        let near = find_nearest(&self.mesh, place, Vec3::ONE, &DefaultFilter::default()).ok_or("no surface")?;
        Ok(self.crowd.set_target(self.agents[i], Target::Point(near.place()))?)
    }

    /// What becomes of the bridge; the tiles under it are announced, and rebuilt in the next ticks.
    fn change(&mut self, change: impl FnOnce(&mut Obstacles)) {
        change(&mut self.obstacles);
        self.obstacles.announce(&mut self.mesh);
    }

    /// A part of the story, of so many seconds.
    fn play(&mut self, seconds: f32) -> Result<Count, Box<dyn Error>> {
        let mut count = Count::default();
        for tick in 0..(seconds / DT) as u32 {
            // What was announced is seen for a tick before it happens.
            if tick > 0 {
                self.obstacles.step(&mut self.mesh, A_TICK, &Context::default())?;
            }
            self.crowd.step(&self.mesh, DT, &mut self.planner, &Context::default());
            for event in self.crowd.events() {
                match event.kind {
                    EventKind::PathBreaksSoon(_) => count.warned += 1,
                    EventKind::PathLost(_) => count.lost += 1,
                    EventKind::Displaced { .. } => count.displaced += 1,
                    _ => {}
                }
            }
            for i in 0..AGENTS {
                let at = self.crowd.position(self.agents[i])?;
                let middle = 0.5 * (RIVER[0] + RIVER[1]);
                let has_crossed = self.trails[i].last().is_some_and(|last| (last.x < middle) != (at.x < middle));
                let by_far = at.z > 14.0;
                count.over_far += u32::from(has_crossed && by_far);
                count.over_near += u32::from(has_crossed && !by_far);
                self.trails[i].push(at);
                if self.crowd.is_at_rest(self.agents[i])? || has_arrived(&self.crowd, self.agents[i]) {
                    self.send(i)?;
                }
            }
        }
        Ok(count)
    }

    fn frame(&self, title: &'static str) -> Frame {
        let last = |trail: &Vec<Vec3>| trail[trail.len().saturating_sub((4.0 / DT) as usize)..].to_vec();
        Frame { title, mesh: self.mesh.clone(), trails: self.trails.iter().map(last).collect() }
    }
}

fn has_arrived(crowd: &Crowd, agent: AgentId) -> bool {
    crowd.events().iter().any(|event| event.agent == agent && event.kind == EventKind::Arrived)
}

/// The whole story, and a frame for each part of it.
pub(crate) fn tell() -> Result<Vec<Frame>, Box<dyn Error>> {
    let mut story = Story::new()?;
    let whole = story.play(14.0)?;
    println!("the bridge stands:     {whole:?}");
    assert!(whole.over_near > 20 && whole.over_far == 0 && whole.lost == 0);
    let mut frames = vec![story.frame("the bridge stands")];

    let mut bridge = None;
    story.change(|obstacles| bridge = obstacles.add(block(RIVER, NEAR)).ok());
    let (bridge, _) = bridge.ok_or("the bridge cannot be blown up")?;
    let blown = story.play(3.0)?;
    println!("it is blown up:        {blown:?}");
    assert!(blown.warned > 0 && blown.lost > 0, "told before, and when it was gone");
    frames.push(story.frame("it is blown up"));
    let round = story.play(17.0)?;
    println!("the crowd goes round:  {round:?}");
    assert!(round.over_far > 10 && round.over_near == 0);
    frames.push(story.frame("the crowd goes round"));

    story.change(|obstacles| drop(obstacles.remove(bridge)));
    let mended = story.play(4.0)?;
    println!("it is mended:          {mended:?}");
    frames.push(story.frame("it is mended"));
    let back = story.play(16.0)?;
    println!("the crowd comes back:  {back:?}");
    assert!(back.over_near > 20 && back.over_far == 0);
    frames.push(story.frame("the crowd comes back"));
    Ok(frames)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let frames = tell()?;
    for Frame { title, mesh, trails } in &frames {
        assert!(mesh.check().is_empty() && trails.len() == AGENTS, "{title}");
    }
    // What is mended leaves no trace.
    let polys = |frame: &Frame| frame.mesh.tiles().map(|tile| tile.poly_count()).sum::<u32>();
    assert_eq!(polys(&frames[0]), polys(&frames[4]));
    Ok(())
}
