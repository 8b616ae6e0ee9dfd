//! Crowds: the reference's own errands on its own mesh, walked by its crowd and by ours, in alternating ticks.
//!
//! Both load the same bytes; agents have the same size, speed and range of sight, adaptive sampling the same rings. The
//! reference runs with all its options on. Speed alone says nothing of a crowd, so arrivals and overlaps stand beside
//! it, and a row agrees only if as many of ours arrive (but for one in a hundred) and no more of them overlap (by a
//! twentieth of a pair a tick: an empty level is no contest).
//!
//! Times are those of ticks in which people walk: until on either side half of the agents have been at their goals.
//! Crowds that stand about cost next to nothing, ours still less than the reference's, and that is no contest either.
//! Arrivals and overlaps are those of the whole run.
//!
//! On an open field, as large as keeps the density the same, up to ten thousand show how the cost grows.

use crate::Options;
use crate::levels::data_dir;
use crate::measure::{seconds, spread};
use crate::our_queries;
use crate::recast::{DetourMesh, ok};
use crate::table::{Row, print_row};
use recastnavigation_sys as sys;
use serde_json::Value;
use std::path::Path;
use wayfare::avoid::Avoidance;
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd, CrowdSettings, Recovery};
use wayfare::format::RefBits;
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;
use wayfare::plan::AStarPlanner;
use wayfare::{Vec2, Vec3};
use wayfare_scenes::{Trip, Walk, WalkFigures};

const RADIUS: f32 = 0.6;
const HEIGHT: f32 = 2.0;
pub const DT: f32 = 0.05;
/// Ticks of one round; a ratio is taken for each.
const ROUND: usize = 50;
/// So many more overlapping pairs a tick are the same.
const SAME: f32 = 0.05;
/// The crowds in the open, how far apart their agents stand, metres, and for how many ticks they walk.
const FIELDS: [usize; 4] = [1000, 2000, 5000, 10_000];
const APART: f32 = 5.0;
const FIELD_TICKS: usize = 300;

/// What all agents of a crowd are like.
#[derive(Clone, Copy)]
pub struct Walker {
    pub radius: f32,
    pub max_speed: f32,
    /// To which part of its radius a blocked one may make itself narrow; of ours alone.
    pub squeeze: f32,
}

impl Walker {
    /// By what its walks are judged.
    pub fn walk(self, gate: Option<[Vec2; 2]>) -> Walk {
        Walk { dt: DT, radius: self.radius, height: HEIGHT, gate, probe: None }
    }
}

/// Whether as many of ours arrive, but for one in a hundred, and no more of them overlap.
pub fn is_as_good(ours: &WalkFigures, theirs: &WalkFigures) -> bool {
    let as_many = ours.arrived() + ours.agents() / 100 >= theirs.arrived();
    as_many && ours.overlaps_per_tick() <= theirs.overlaps_per_tick() + SAME
}

/// As in the reference's demo.
const WALKER: Walker = Walker { radius: RADIUS, max_speed: 3.5, squeeze: 0.0 };

/// The reference's crowd.
pub struct Theirs {
    crowd: *mut sys::dtCrowd,
    pub places: Vec<Vec3>,
}

impl Theirs {
    /// The mesh must outlive the crowd.
    pub fn new(mesh: &DetourMesh, trips: &[Trip], walker: Walker) -> Result<Self, String> {
        let radius = walker.radius;
        // SAFETY: the crowd is freed before the mesh, as its callers see to; points are three floats.
        unsafe {
            let crowd = sys::dtAllocCrowd();
            let this = Self { crowd, places: vec![Vec3::ZERO; trips.len()] };
            if !(*crowd).init(trips.len() as i32, radius, mesh.as_ptr()) {
                return Err("dtCrowd::init".into());
            }
            let avoidance = sys::dtObstacleAvoidanceParams {
                velBias: 0.5,
                weightDesVel: 2.0,
                weightCurVel: 0.75,
                weightSide: 0.75,
                weightToi: 2.5,
                horizTime: 2.5,
                gridSize: 33,
                adaptiveDivs: 7,
                adaptiveRings: 3,
                adaptiveDepth: 3,
            };
            (*crowd).setObstacleAvoidanceParams(3, &avoidance);
            let params = sys::dtCrowdAgentParams {
                radius,
                height: HEIGHT,
                maxAcceleration: 8.0,
                maxSpeed: walker.max_speed,
                collisionQueryRange: 12.0 * radius,
                pathOptimizationRange: 30.0 * radius,
                separationWeight: 2.0,
                updateFlags: 31,
                obstacleAvoidanceType: 3,
                queryFilterType: 0,
                userData: std::ptr::null_mut(),
            };
            let filter = sys::dtQueryFilter { m_areaCost: [1.0; 64], m_includeFlags: 0xffff, m_excludeFlags: 0 };
            for trip in trips {
                let [start, goal] = [trip.start, trip.goal].map(|p| p.to_array());
                let agent = (*crowd).addAgent(start.as_ptr(), &params);
                let (mut poly, mut at) = (0, [0.0f32; 3]);
                let status = (*(*crowd).m_navquery).findNearestPoly(
                    goal.as_ptr(),
                    [2.0f32, 4.0, 2.0].as_ptr(),
                    &filter,
                    &mut poly,
                    at.as_mut_ptr(),
                );
                ok(status, "findNearestPoly")?;
                (*crowd).requestMoveTarget(agent, poly, at.as_ptr());
            }
            Ok(this)
        }
    }

    pub fn tick(&mut self) -> f64 {
        // SAFETY: made in `new`; agents are numbered from 0.
        unsafe {
            let ((), spent) = seconds(|| (*self.crowd).update(DT, std::ptr::null_mut()));
            for (i, place) in self.places.iter_mut().enumerate() {
                *place = (*(*self.crowd).getAgent(i as i32)).npos.into();
            }
            spent
        }
    }
}

impl Drop for Theirs {
    fn drop(&mut self) {
        // SAFETY: made in `new`.
        unsafe { sys::dtFreeCrowd(self.crowd) };
    }
}

/// Ours.
pub struct Ours {
    crowd: Crowd,
    planner: AStarPlanner,
    pub places: Vec<Vec3>,
}

impl Ours {
    pub fn new(mesh: &NavMesh, trips: &[Trip], walker: Walker, method: Avoidance) -> Result<Self, String> {
        let mut crowd = Crowd::new(CrowdSettings::default());
        let Walker { radius, max_speed, squeeze } = walker;
        let recovery = Recovery { squeeze, ..Recovery::default() };
        let size = AgentParams::of_size(radius, HEIGHT);
        let params = AgentParams { max_speed, recovery, avoidance: method, ..size };
        for trip in trips {
            let agent = crowd.add(mesh, trip.start, params.clone()).map_err(|e| e.to_string())?;
            crowd.go_to(mesh, agent, trip.goal).map_err(|e| e.to_string())?;
        }
        Ok(Self { crowd, planner: AStarPlanner::new(), places: Vec::new() })
    }

    pub fn tick(&mut self, mesh: &NavMesh) -> f64 {
        let ((), spent) = seconds(|| self.crowd.step(mesh, DT, &mut self.planner, &Context::default()));
        self.places.clear();
        self.places.extend_from_slice(self.crowd.positions());
        spent
    }
}

/// The rows of the group `crowd` against the C++ reference.
pub fn rows(options: &Options) -> Vec<Row> {
    let Some(data) = data_dir().map(|d| d.join("reference")) else {
        eprintln!("skipped: no ../shared/data: crowds have no errands");
        return Vec::new();
    };
    let mut rows = Vec::new();
    let mut keep = |what: &str, row: Result<Row, String>| match row {
        Ok(row) => {
            print_row(&row);
            rows.push(row);
        }
        Err(e) => eprintln!("skipped: crowd {what}: {e}"),
    };
    for level in ["nav_test", "dungeon"].into_iter().filter(|level| options.wants(level)) {
        for agents in [25, 100, 500, 1000] {
            keep(&format!("on {level}"), on_level(&data, level, agents, options.quick));
        }
    }
    if options.only.is_none() && !options.quick || options.only.is_some() && options.wants("field") {
        for agents in FIELDS {
            keep("in the field", in_field(agents, options.quick));
        }
    }
    rows
}

/// The reference's own errands on its own mesh.
fn on_level(data: &Path, level: &str, agents: usize, quick: bool) -> Result<Row, String> {
    let (trips, ticks) = errands(&data.join(format!("crowd/crowd_{level}_{agents}.json")))?;
    let file = data.join(format!("mesh/navmesh_{level}_solo.bin"));
    let bytes = std::fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let ticks = if quick { ticks / 4 } else { ticks };
    compare(&format!("{level}, {agents} agents, a tick"), &bytes, &trips, ticks)
}

/// So many from anywhere to anywhere in the open.
fn in_field(agents: usize, quick: bool) -> Result<Row, String> {
    let side = agents.isqrt() + 1;
    let size = side as f32 * APART;
    let scene = wayfare_scenes::scene(&format!("flat?size={}", size + 10.0)).map_err(|e| e.to_string())?;
    let mesh = our_queries::baked(&scene, scene.settings.tile_size)?;
    let bytes = mesh.to_detour(RefBits::Bits32).map_err(|e| e.to_string())?;
    let (middle, mut rng) = (mesh.bounds().center(), Rng::new(3));
    let mut errand = |i: usize| {
        let jitter = [rng.unit() - 0.5, rng.unit() - 0.5].map(|part| part * 2.0);
        let start = [i % side, i / side].map(|place| (place as f32 + 0.5) * APART - size * 0.5);
        let goal = [rng.unit() - 0.5, rng.unit() - 0.5].map(|part| part * size);
        let place = |p: [f32; 2]| middle + Vec3::new(p[0], 0.0, p[1]);
        trip(place([start[0] + jitter[0], start[1] + jitter[1]]), place(goal))
    };
    let trips: Vec<Trip> = (0..agents).map(&mut errand).collect();
    let ticks = if quick { FIELD_TICKS / 4 } else { FIELD_TICKS };
    compare(&format!("field, {agents} agents, a tick"), &bytes, &trips, ticks)
}

/// How much longer a way gets than it must be is not asked here.
fn trip(start: Vec3, goal: Vec3) -> Trip {
    Trip { start, goal, chases: None, shortest: 0.0 }
}

fn errands(file: &Path) -> Result<(Vec<Trip>, usize), String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let value: Value = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))?;
    let point = |value: &Value| Vec3::from([0, 1, 2].map(|k| value[k].as_f64().unwrap_or_default() as f32));
    let agents = value["agents_detail"].as_array().ok_or("no agents_detail")?.iter();
    let ticks = value["ticks"].as_u64().unwrap_or(1200) as usize;
    Ok((agents.map(|a| trip(point(&a["start"]), point(&a["goal"]))).collect(), ticks))
}

/// Both crowds on one mesh, tick about.
fn compare(work: &str, bytes: &[u8], trips: &[Trip], ticks: usize) -> Result<Row, String> {
    let mesh = NavMesh::from_detour(bytes).map_err(|e| e.to_string())?;
    let detour = DetourMesh::from_set(bytes)?;
    let (mut ours, mut theirs) =
        (Ours::new(&mesh, trips, WALKER, Avoidance::default())?, Theirs::new(&detour, trips, WALKER)?);
    let begin = || WalkFigures::begin(WALKER.walk(None), trips.iter().copied());
    let (mut our_figures, mut their_figures) = (begin(), begin());
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ticks {
        let walking = [&our_figures, &their_figures].iter().all(|figures| figures.arrived() * 2 < trips.len());
        let spent = [ours.tick(&mesh), theirs.tick()];
        if walking {
            times.iter_mut().zip(spent).for_each(|(times, spent)| times.push(spent));
        }
        our_figures.look(&ours.places);
        their_figures.look(&theirs.places);
    }
    let rounds: Vec<f64> = times[1]
        .chunks(ROUND)
        .zip(times[0].chunks(ROUND))
        .map(|(t, o)| t.iter().sum::<f64>() / o.iter().sum::<f64>())
        .collect();
    let counted = times[0].len();
    let [our_time, their_time] = times.map(|times| spread(&times).median * 1e3);
    Ok(Row {
        group: "crowd",
        work: work.into(),
        peer: "recastnavigation",
        ours: our_time,
        theirs: their_time,
        unit: "ms",
        ratio: spread(&rounds),
        agrees: Some(is_as_good(&our_figures, &their_figures)),
        note: format!(
            "arrived {} against {}, overlapping pairs a tick {:.2} against {:.2}; {counted} of {ticks} ticks timed",
            our_figures.arrived(),
            their_figures.arrived(),
            our_figures.overlaps_per_tick(),
            their_figures.overlaps_per_tick()
        ),
        ..Row::default()
    })
}
