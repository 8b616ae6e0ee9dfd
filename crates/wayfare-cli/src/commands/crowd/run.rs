//! A run: sets up a crowd, simulates it tick by tick, and records it.

use super::{Cast, Figures, Preset};
use crate::baking::Stopwatch;
use crate::failure::{Failure, Result};
use crate::output::atomic_file::Unfinished;
use crate::progress::Bar;
use crate::threads;
use std::io::Write as _;
use std::time::Instant;
use wayfare::avoid::Avoidance;
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd, CrowdError, CrowdSettings, FlowPlanner, Recovery, Target};
use wayfare::mesh::NavMesh;
use wayfare::plan::{AStarPlanner, Planner};
use wayfare::{Vec2, Vec3};

/// The time of a tick, seconds.
pub(super) const DT: f32 = 0.05;

/// The parameters of a run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) cast: Cast,
    pub(crate) avoidance: Avoidance,
    /// The source of each agent's parameters, and its seed; the parameters given here, and the cast's size, apply to
    /// all.
    pub(crate) preset: Option<(Preset, u64)>,
    pub(crate) ticks: u32,
    /// Seconds per tick.
    pub(crate) dt: f32,
    pub(crate) threads: usize,
    /// The fraction of its radius to which a blocked agent narrows.
    pub(crate) squeeze: f32,
    /// Whether paths come from flow fields.
    pub(crate) flow: bool,
    /// A line across which the flow is counted.
    pub(crate) gate: Option<[Vec2; 2]>,
    /// A rectangle, lowest and highest corner, in which density and speed are measured.
    pub(crate) probe: Option<[Vec2; 2]>,
    /// Whether it ends as soon as all have arrived.
    pub(crate) ends_early: bool,
}

impl Plan {
    /// A plain run on one thread.
    pub(crate) fn new(cast: Cast, avoidance: Avoidance, ticks: u32) -> Self {
        Self {
            cast,
            avoidance,
            preset: None,
            ticks,
            dt: DT,
            threads: 1,
            squeeze: Recovery::default().squeeze,
            flow: false,
            gate: None,
            probe: None,
            ends_early: false,
        }
    }
}

/// Everything recorded of a run except its metrics.
pub(crate) struct Watch {
    keeps_trails: bool,
    /// The positions of each agent.
    pub(crate) trails: Vec<Vec<Vec3>>,
    /// Receives lines `[tick, agent, x, y, z]` during the run: a long run's do not fit in memory.
    pub(crate) trace: Option<Unfinished>,
    /// Its progress.
    pub(super) bar: Bar,
}

impl Watch {
    pub(crate) fn new(keeps_trails: bool, trace: Option<Unfinished>) -> Self {
        Self { keeps_trails, trails: Vec::new(), trace, bar: Bar::hidden() }
    }

    fn look(&mut self, tick: u32, places: &[Vec3]) -> Result<()> {
        if self.keeps_trails {
            self.trails.resize(places.len(), Vec::new());
            for (trail, place) in self.trails.iter_mut().zip(places) {
                // A tenth of a metre apart is smooth enough.
                if trail.last().is_none_or(|last| last.distance(*place) > 0.1) {
                    trail.push(*place);
                }
            }
        }
        if let Some(trace) = &mut self.trace {
            for (agent, p) in places.iter().enumerate() {
                let written = writeln!(trace, "[{tick},{agent},{},{},{}]", p.x, p.y, p.z);
                written.map_err(|e| Failure::io("the trace", &e))?;
            }
        }
        Ok(())
    }
}

/// What a crowd walks on.
pub(super) trait Ground: Send {
    /// The mesh as it is now.
    fn mesh(&self) -> &NavMesh;

    /// What happens to it before a tick of `dt` seconds.
    fn before(&mut self, tick: u32, dt: f32, crowd: &mut Crowd) -> Result<()>;
}

/// A mesh to which nothing happens.
impl Ground for &NavMesh {
    fn mesh(&self) -> &NavMesh {
        self
    }

    fn before(&mut self, _: u32, _: f32, _: &mut Crowd) -> Result<()> {
        Ok(())
    }
}

/// Runs a plan.
pub(crate) fn walk(mesh: &NavMesh, plan: &Plan, watch: &mut Watch) -> Result<Figures> {
    walk_on(&mut &*mesh, plan, watch)
}

/// Runs a plan on ground that may change.
pub(super) fn walk_on(ground: &mut dyn Ground, plan: &Plan, watch: &mut Watch) -> Result<Figures> {
    threads::pool(plan.threads)?.install(|| walk_here(ground, plan, watch))
}

fn walk_here(ground: &mut dyn Ground, plan: &Plan, watch: &mut Watch) -> Result<Figures> {
    let mut crowd = set_up(ground.mesh(), plan).map_err(Failure::new)?;
    let mut figures = Figures::begin(ground.mesh(), plan);
    let (mut search, mut flow) = (AStarPlanner::new(), FlowPlanner::new());
    let planner: &mut dyn Planner = if plan.flow { &mut flow } else { &mut search };
    let clock = Stopwatch(Instant::now());
    let context = Context { clock: Some(&clock), ..Context::default() };
    for tick in 0..plan.ticks {
        ground.before(tick, plan.dt, &mut crowd)?;
        let (began, mesh) = (Instant::now(), ground.mesh());
        crowd.step(mesh, plan.dt, planner, &context);
        figures.clock(began.elapsed(), &crowd);
        figures.look(mesh, &crowd);
        watch.look(tick, crowd.positions())?;
        watch.bar.set(u64::from(tick) + 1, u64::from(plan.ticks));
        if plan.ends_early && figures.walk.all_arrived() {
            break;
        }
    }
    watch.bar = Bar::hidden();
    Ok(figures)
}

fn set_up(mesh: &NavMesh, plan: &Plan) -> std::result::Result<Crowd, CrowdError> {
    let mut crowd = Crowd::new(CrowdSettings::default());
    let recovery = Recovery { squeeze: plan.squeeze, ..Recovery::default() };
    let size = AgentParams::of_size(plan.cast.radius, plan.cast.height);
    let mut drawn = plan.preset.map(|(preset, seed)| preset.agents(seed));
    let mut agents = Vec::with_capacity(plan.cast.errands.len());
    for errand in &plan.cast.errands {
        let usual = || AgentParams { max_speed: errand.speed, ..size.clone() };
        let params = drawn.as_mut().and_then(Iterator::next).unwrap_or_else(usual);
        agents.push(crowd.add(mesh, errand.start, AgentParams { avoidance: plan.avoidance, recovery, ..params })?);
    }
    for (&agent, errand) in agents.iter().zip(&plan.cast.errands) {
        match errand.chases.and_then(|other| agents.get(other)) {
            Some(&other) => crowd.set_target(agent, Target::Agent(other))?,
            None => crowd.go_to(mesh, agent, errand.goal)?,
        }
    }
    Ok(crowd)
}
