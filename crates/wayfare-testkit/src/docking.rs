//! A ship docks at a quay, people board it and go ashore again, and it sails: a level whose pieces move.
//!
//! The ship is an object of the level. Each of its moves says where the level has changed; the tiles there are baked
//! again in the ticks that follow, while the crowd walks on.

use std::error::Error;
use std::sync::Arc;
use wayfare::Vec3;
use wayfare::bake::bake_tiles;
use wayfare::context::{Budget, Context};
use wayfare::crowd::{AgentId, AgentParams, Crowd, Target};
use wayfare::dynamic::{LevelCheckpoints, ObjectLevel, ObjectRef, Obstacles};
use wayfare::input::BakeSettings;
use wayfare::mesh::NavMesh;
use wayfare::plan::AStarPlanner;
use wayfare::query::{DefaultFilter, find_nearest};
use wayfare_scenes::Harbour;

/// How many walk.
pub const AGENTS: usize = 10;
/// Ticks a second, and the work on tiles in each.
const TICKS: u32 = 20;
const A_TICK: Budget = Budget::new(400_000);
/// The ship makes so many metres each so many ticks.
const STROKE: f32 = 0.6;
const TICKS_PER_STROKE: u32 = 4;
/// How far out it comes from.
const SEA: f32 = 24.0;

/// What is seen at one moment.
pub struct Frame {
    /// What happens.
    pub title: &'static str,
    /// The level as it is.
    pub mesh: NavMesh,
    /// Where each agent has been in the last four seconds.
    pub trails: Vec<Vec<Vec3>>,
    /// How many agents are on the ship.
    pub aboard: usize,
}

struct Story {
    level: ObjectLevel,
    obstacles: Obstacles,
    mesh: NavMesh,
    ship: ObjectRef,
    away: f32,
    crowd: Crowd,
    agents: Vec<AgentId>,
    planner: AStarPlanner,
    trails: Vec<Vec<Vec3>>,
}

/// The place of an agent: in a group around a middle.
fn beside(middle: Vec3, i: usize) -> Vec3 {
    middle + Vec3::new(1.5 * (i % 2) as f32, 0.0, 1.5 * (i / 2) as f32 - 3.0)
}

impl Story {
    fn new() -> Result<Self, Box<dyn Error>> {
        let settings = BakeSettings { tile_size: 32, bounds: Some(Harbour::BOUNDS), ..BakeSettings::default() };
        let (quay, context) = (Harbour::quay()?, Context::default());
        let (baked, _) = bake_tiles(&quay, &settings, &context)?;
        let mut mesh = NavMesh::from_tiles(baked.layout, baked.tiles)?;
        let checkpoints = LevelCheckpoints::bake(&quay, &settings, &context)?;
        let mut level = ObjectLevel::new(&quay, checkpoints.plan());
        let mut obstacles = Obstacles::new(checkpoints);
        let (ship, changed) = level.add(Arc::new(Harbour::ship()?), Vec3::new(SEA, 0.0, 0.0))?;
        obstacles.invalidate(&changed);
        while !obstacles.step_from(&mut mesh, &level, A_TICK, &context)?.is_finished() {}
        let mut crowd = Crowd::default();
        let mut agents = Vec::new();
        for i in 0..AGENTS {
            agents.push(crowd.add(&mesh, beside(Harbour::PLACES[0], i), AgentParams::default())?);
        }
        let (planner, trails) = (AStarPlanner::new(), vec![Vec::new(); AGENTS]);
        Ok(Self { level, obstacles, mesh, ship, away: SEA, crowd, agents, planner, trails })
    }

    /// Sends everybody to a place.
    fn send(&mut self, to: Vec3) -> Result<(), Box<dyn Error>> {
        for i in 0..AGENTS {
            let near = find_nearest(&self.mesh, beside(to, i), Vec3::ONE, &DefaultFilter::default());
            self.crowd.set_target(self.agents[i], Target::Point(near.ok_or("no surface there")?.place()))?;
        }
        Ok(())
    }

    /// Some seconds, in which the ship makes way towards a distance from the quay.
    fn play(&mut self, seconds: u32, to: f32) -> Result<(), Box<dyn Error>> {
        for tick in 0..seconds * TICKS {
            let context = Context::default();
            // It moves on once the mesh shows it where it is.
            let is_stroke = tick.is_multiple_of(TICKS_PER_STROKE) && self.obstacles.progress().is_finished();
            if self.away != to && is_stroke {
                self.away += (to - self.away).clamp(-STROKE, STROKE);
                for changed in self.level.move_to(self.ship, Vec3::new(self.away, 0.0, 0.0))? {
                    self.obstacles.invalidate(&changed);
                }
            }
            self.obstacles.step_from(&mut self.mesh, &self.level, A_TICK, &context)?;
            self.crowd.step(&self.mesh, 1.0 / TICKS as f32, &mut self.planner, &context);
            for (trail, &agent) in self.trails.iter_mut().zip(&self.agents) {
                trail.push(self.crowd.position(agent)?);
            }
        }
        Ok(())
    }

    fn frame(&self, title: &'static str) -> Frame {
        let last = |trail: &Vec<Vec3>| trail[trail.len().saturating_sub(4 * TICKS as usize)..].to_vec();
        let is_aboard = |trail: &&Vec<Vec3>| trail.last().is_some_and(|at| at.x > 1.5);
        Frame {
            title,
            mesh: self.mesh.clone(),
            trails: self.trails.iter().map(last).collect(),
            aboard: self.trails.iter().filter(is_aboard).count(),
        }
    }
}

/// The whole story, and a frame for each part of it.
///
/// # Errors
/// Anything that goes wrong.
pub fn docking() -> Result<Vec<Frame>, Box<dyn Error>> {
    let mut story = Story::new()?;
    let [quay, deck] = Harbour::PLACES;
    story.play(4, 0.5 * SEA)?;
    let mut frames = vec![story.frame("the ship comes in")];
    story.play(8, 0.0)?;
    frames.push(story.frame("it has docked"));
    story.send(deck)?;
    story.play(4, 0.0)?;
    frames.push(story.frame("they go aboard"));
    story.play(14, 0.0)?;
    frames.push(story.frame("all are aboard"));
    story.send(quay)?;
    story.play(18, 0.0)?;
    frames.push(story.frame("they go ashore"));
    story.play(5, SEA)?;
    frames.push(story.frame("the ship sails"));
    Ok(frames)
}
