//! Many agents that walk over a mesh, and avoid each other.

use crate::arrays::{Point, from_column, from_points, read_only, rows, tuple};
use crate::bounds::PyCostBounds;
use crate::crowd_events::PyCrowdEvent;
use crate::filter::{AnyFilter, PyFilter, raise_first};
use crate::grid::PyGridObstacle;
use crate::held::{Own, Seen, seen};
use crate::mesh::PyNavMesh;
use crate::params::{CrowdIn, ParamsIn, crowd_out, params_out};
use crate::planner::AnyPlanner;
use crate::threads;
use crate::whole::whole;
use crate::{errors, long};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use pyo3::{PyTraverseError, PyVisit};
use std::sync::Arc;
use wayfare::Vec3;
use wayfare::context::Context;
use wayfare::crowd::{AgentId, AgentParams, Crowd, CrowdError, CrowdSettings, Phase, Target, TargetStatus};
use wayfare::plan::SharedFilter;

/// Names an agent of a crowd; that of one who was removed means nobody.
#[pyclass(module = "wayfare", name = "AgentId", frozen, eq, ord, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PyAgentId(pub(crate) AgentId);

#[pymethods]
impl PyAgentId {
    /// Its place in the crowd, 0 and up; used again by others after it was removed.
    #[getter]
    fn index(&self) -> usize {
        self.0.index()
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.AgentId {}>", self.0.index())
    }
}

fn failed(error: CrowdError) -> PyErr {
    match error {
        CrowdError::NoAgent { .. } => errors::stale(error),
        error => errors::value(error),
    }
}

const PHASES: [Phase; 10] = Phase::ALL;

/// Many agents on a mesh. Each tick, `step` moves them: it finds their paths, steers, avoids, and keeps them on the mesh. The same for any
/// number of threads.
#[pyclass(module = "wayfare", name = "Crowd")]
pub(crate) struct PyCrowd {
    nav: Py<PyNavMesh>,
    crowd: Crowd,
    planner: AnyPlanner,
    /// Those in use that may raise.
    filters: Vec<AnyFilter>,
}

impl PyCrowd {
    fn rows(&self, of: &[Vec3]) -> Vec<Vec3> {
        self.crowd.ids().map(|id| of.get(id.index()).copied().unwrap_or_default()).collect()
    }

    /// The filter for this crowd alone. What its functions raise, the calls raise during which they do; searches may go on with a filter after it
    /// was replaced.
    fn hear(&mut self, filter: &PyFilter) -> AnyFilter {
        self.filters.retain(AnyFilter::is_used);
        let filter = filter.any.apart();
        if filter.may_raise() {
            self.filters.push(filter.clone());
        }
        filter
    }

    pub(crate) fn with_mesh<T>(
        &mut self,
        py: Python<'_>,
        call: impl FnOnce(&mut Crowd, &wayfare::mesh::NavMesh) -> Result<T, CrowdError>,
    ) -> PyResult<T> {
        let nav = seen(self.nav.bind(py))?;
        let answer = call(&mut self.crowd, nav.mesh());
        self.heard(answer)
    }

    /// What a call gives, unless a filter's functions have raised on the way to it.
    fn heard<T>(&self, answer: Result<T, CrowdError>) -> PyResult<T> {
        raise_first(&self.filters)?;
        answer.map_err(failed)
    }

    fn add_all(&mut self, py: Python<'_>, points: &[Vec3], params: Option<ParamsIn>) -> PyResult<Vec<PyAgentId>> {
        let params = params.map_or_else(|| Ok(AgentParams::default()), ParamsIn::get)?;
        let mut added = Vec::new();
        let done = self.with_mesh(py, |crowd, mesh| {
            points.iter().try_for_each(|at| {
                added.push(PyAgentId(crowd.add(mesh, *at, params.clone())?));
                Ok(())
            })
        });
        if done.is_err() {
            added.iter().try_for_each(|agent| self.crowd.remove(agent.0)).map_err(failed)?;
        }
        done.map(|()| added)
    }

    fn tick(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut Crowd, &wayfare::mesh::NavMesh, &mut AnyPlanner) + Send,
    ) -> PyResult<()> {
        let mesh = seen(self.nav.bind(py))?.mesh().clone();
        let Self { crowd, planner, .. } = self;
        threads::detach(py, || work(crowd, &mesh, planner))?;
        raise_first(&self.filters)
    }
}

#[pymethods]
impl PyCrowd {
    /// A crowd on a mesh. `planner` finds the paths: "corridor", which is the default, "optimal", "hierarchical", "flow" for many who go to the
    /// same place, or `CostBounds`.
    #[new]
    #[pyo3(signature = (mesh, settings = None, *, planner = AnyPlanner::corridor()))]
    fn new(mesh: Py<PyNavMesh>, settings: Option<CrowdIn>, planner: AnyPlanner) -> Self {
        let settings = settings.map_or_else(CrowdSettings::default, |settings| settings.get());
        Self { nav: mesh, crowd: Crowd::new(settings), planner, filters: Vec::new() }
    }

    /// Goes on with other bounds, those of the mesh as it is now, where the planner is `CostBounds`.
    fn set_bounds(mut slf: Own<'_, Self>, bounds: &Bound<'_, PyCostBounds>) -> PyResult<()> {
        slf.planner.set_bounds(bounds.get(), "crowd")
    }

    /// Sets all obstacles that agents walk around although the mesh does not contain them, in place of the earlier ones: crates, parked cars,
    /// doors ajar. Call it again whenever one has moved. For obstacles that stay, change the mesh (`Obstacles`): paths then take them into account.
    ///
    /// An agent whose line to its next corner is blocked finds a path around them, within 22 times its radius. Where there is none, it goes as
    /// near as it can, and `obstructed_by` and an event "obstructed" say what is in its way. They are not saved with the crowd.
    fn set_obstacles(mut slf: Own<'_, Self>, obstacles: Vec<PyGridObstacle>) {
        slf.crowd.set_obstacles(obstacles.into_iter().map(|obstacle| obstacle.0));
    }

    /// The ids of the obstacles on an agent's line to its next corner, nearest first, if no path led around them in the last tick; else none.
    fn obstructed_by(slf: Seen<'_, Self>, agent: PyAgentId) -> PyResult<Vec<u32>> {
        slf.crowd.obstructed_by(agent.0).map(<[u32]>::to_vec).map_err(failed)
    }

    /// Where an agent steers instead of its next corner, to get around obstacles; None if its line is free.
    fn local_bend(slf: Seen<'_, Self>, agent: PyAgentId) -> PyResult<Option<(f32, f32, f32)>> {
        Ok(slf.crowd.local_bend_of(agent.0).map_err(failed)?.map(tuple))
    }

    /// The mesh.
    #[getter]
    fn mesh(slf: Seen<'_, Self>, py: Python<'_>) -> Py<PyNavMesh> {
        slf.nav.clone_ref(py)
    }

    /// The settings; set them as a whole.
    #[getter]
    fn settings<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crowd_out(py, slf.crowd.settings())
    }

    #[setter]
    fn set_settings(mut slf: Own<'_, Self>, settings: CrowdIn) {
        *slf.crowd.settings_mut() = settings.get();
    }

    /// Adds an agent at the place nearest to a point.
    #[pyo3(signature = (at, params = None))]
    fn add(mut slf: Own<'_, Self>, py: Python<'_>, at: Point, params: Option<ParamsIn>) -> PyResult<PyAgentId> {
        let added = slf.add_all(py, &[at.0], params)?;
        added.first().copied().ok_or_else(|| errors::value("no agent was added"))
    }

    /// Adds an agent at each of these points, shape (n, 3): all of them, or none where it raises.
    #[pyo3(signature = (points, params = None))]
    fn add_many(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        params: Option<ParamsIn>,
    ) -> PyResult<Vec<PyAgentId>> {
        let points = crate::arrays::points(points, "points")?;
        slf.add_all(py, points.as_slice()?, params)
    }

    /// Removes an agent.
    fn remove(mut slf: Own<'_, Self>, agent: PyAgentId) -> PyResult<()> {
        slf.crowd.remove(agent.0).map_err(failed)
    }

    /// All agents, in the order of the rows of all arrays.
    #[getter]
    fn agents(slf: Seen<'_, Self>) -> Vec<PyAgentId> {
        slf.crowd.ids().map(PyAgentId).collect()
    }

    /// Goes to the place nearest to a point.
    fn go_to(mut slf: Own<'_, Self>, py: Python<'_>, agent: PyAgentId, point: Point) -> PyResult<()> {
        slf.with_mesh(py, |crowd, mesh| crowd.go_to(mesh, agent.0, point.0))
    }

    /// Sends each agent to the place nearest to its row of `points`, shape (n, 3), in the order of `agents`.
    fn go_to_many(mut slf: Own<'_, Self>, py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<()> {
        let points = crate::arrays::points(points, "points")?;
        let points = points.as_slice()?;
        crate::arrays::same_length(("points", points.len()), ("the crowd", slf.crowd.len()))?;
        let ids: Vec<AgentId> = slf.crowd.ids().collect();
        slf.with_mesh(py, |crowd, mesh| {
            ids.iter().zip(points).try_for_each(|(id, point)| crowd.go_to(mesh, *id, *point))
        })
    }

    /// Goes to a place that moves: call it whenever it has moved.
    fn follow_point(mut slf: Own<'_, Self>, py: Python<'_>, agent: PyAgentId, point: Point) -> PyResult<()> {
        slf.with_mesh(py, |crowd, mesh| {
            let filter = wayfare::query::DefaultFilter::of(mesh);
            let reach = crowd.settings().reach;
            let found = wayfare::query::find_nearest(mesh, point.0, reach, &filter);
            let place = found.ok_or(CrowdError::NoSurface { at: point.0, reach })?.place();
            crowd.set_target(agent.0, Target::Moving(place))
        })
    }

    /// Follows another agent.
    fn follow_agent(mut slf: Own<'_, Self>, agent: PyAgentId, leader: PyAgentId) -> PyResult<()> {
        slf.crowd.set_target(agent.0, Target::Agent(leader.0)).map_err(failed)
    }

    /// Walks with a velocity, m/s, wherever that leads.
    fn walk(mut slf: Own<'_, Self>, agent: PyAgentId, velocity: Point) -> PyResult<()> {
        slf.crowd.set_target(agent.0, Target::Velocity(velocity.0)).map_err(failed)
    }

    /// Gives each agent a velocity that it wants, shape (n, 3) or (n, 2) for x and z, in the order of `agents`.
    fn walk_many(mut slf: Own<'_, Self>, velocities: &Bound<'_, PyAny>) -> PyResult<()> {
        let list: Vec<Vec3> = match rows::<f32>(velocities, "velocities", 2, "float32") {
            Ok(plane) => plane.as_array().outer_iter().map(|row| Vec3::new(row[0], 0.0, row[1])).collect(),
            Err(_) => crate::arrays::loose_points(velocities, "velocities")?.as_slice()?.to_vec(),
        };
        if let Some(row) = list.iter().position(|velocity| !velocity.is_finite()) {
            return Err(errors::value(format_args!("row {row} of velocities is not finite")));
        }
        crate::arrays::same_length(("velocities", list.len()), ("the crowd", slf.crowd.len()))?;
        let ids: Vec<AgentId> = slf.crowd.ids().collect();
        let one = |(id, velocity): (&AgentId, &Vec3)| slf.crowd.set_target(*id, Target::Velocity(*velocity));
        ids.iter().zip(&list).try_for_each(one).map_err(failed)
    }

    /// Stands, and steps aside for others.
    fn stop(mut slf: Own<'_, Self>, agent: PyAgentId) -> PyResult<()> {
        slf.crowd.set_target(agent.0, Target::None).map_err(failed)
    }

    /// Puts an agent somewhere else; its target stays.
    fn teleport(mut slf: Own<'_, Self>, py: Python<'_>, agent: PyAgentId, point: Point) -> PyResult<()> {
        slf.with_mesh(py, |crowd, mesh| crowd.teleport(mesh, agent.0, point.0))
    }

    /// Moves an agent that the game drives.
    fn set_position(mut slf: Own<'_, Self>, agent: PyAgentId, point: Point) -> PyResult<()> {
        slf.crowd.set_position(agent.0, point.0).map_err(failed)
    }

    /// Pushes an agent: its velocity from now on, m/s.
    fn set_velocity(mut slf: Own<'_, Self>, agent: PyAgentId, velocity: Point) -> PyResult<()> {
        slf.crowd.set_velocity(agent.0, velocity.0).map_err(failed)
    }

    /// Lets an agent stand, or go on.
    #[pyo3(signature = (agent, paused = true))]
    fn pause(mut slf: Own<'_, Self>, agent: PyAgentId, paused: bool) -> PyResult<()> {
        slf.crowd.pause(agent.0, paused).map_err(failed)
    }

    /// An agent's parameters.
    fn params<'py>(slf: Seen<'_, Self>, py: Python<'py>, agent: PyAgentId) -> PyResult<Bound<'py, PyAny>> {
        params_out(py, slf.crowd.params(agent.0).map_err(failed)?)
    }

    /// Sets an agent's parameters.
    fn set_params(mut slf: Own<'_, Self>, agent: PyAgentId, params: ParamsIn) -> PyResult<()> {
        slf.crowd.set_params(agent.0, params.get()?).map_err(failed)
    }

    /// How far an agent has come over its connection, 0 to 1, where the game moves it.
    fn set_connection_progress(mut slf: Own<'_, Self>, agent: PyAgentId, progress: f32) -> PyResult<()> {
        slf.crowd.set_connection_progress(agent.0, progress).map_err(failed)
    }

    /// The connection that an agent is on, from where to where, and how far it has come; None if it is on none.
    #[allow(clippy::type_complexity)]
    fn on_connection(
        slf: Seen<'_, Self>,
        agent: PyAgentId,
    ) -> PyResult<Option<(u64, (f32, f32, f32), (f32, f32, f32), f32)>> {
        let on = slf.crowd.on_connection(agent.0).map_err(failed)?;
        Ok(on.map(|on| (on.crossing.connection.to_bits(), tuple(on.crossing.from), tuple(on.crossing.to), on.progress)))
    }

    /// Where an agent is.
    fn position(slf: Seen<'_, Self>, agent: PyAgentId) -> PyResult<(f32, f32, f32)> {
        slf.crowd.position(agent.0).map(tuple).map_err(failed)
    }

    /// How fast it goes, m/s.
    fn velocity(slf: Seen<'_, Self>, agent: PyAgentId) -> PyResult<(f32, f32, f32)> {
        slf.crowd.velocity(agent.0).map(tuple).map_err(failed)
    }

    /// How it stands with its path: "none", "waiting", "complete", "partial", "arrived", "unreachable", "lost".
    fn status(slf: Seen<'_, Self>, agent: PyAgentId) -> PyResult<&'static str> {
        slf.crowd.target_status(agent.0).map(TargetStatus::name).map_err(failed)
    }

    /// Metres along its path to the target; None if it has none.
    fn remaining_distance(slf: Seen<'_, Self>, agent: PyAgentId) -> PyResult<Option<f32>> {
        slf.crowd.remaining_distance(agent.0).map_err(failed)
    }

    /// Whether it rests.
    fn is_at_rest(slf: Seen<'_, Self>, agent: PyAgentId) -> PyResult<bool> {
        slf.crowd.is_at_rest(agent.0).map_err(failed)
    }

    /// What it goes to: a word and a point, an agent or a velocity.
    fn target<'py>(slf: Seen<'_, Self>, py: Python<'py>, agent: PyAgentId) -> PyResult<Bound<'py, PyAny>> {
        Ok(match slf.crowd.target(agent.0).map_err(failed)? {
            Target::Point(place) => ("point", tuple(place.point)).into_pyobject(py)?.into_any(),
            Target::Moving(place) => ("moving", tuple(place.point)).into_pyobject(py)?.into_any(),
            Target::Agent(other) => ("agent", PyAgentId(other)).into_pyobject(py)?.into_any(),
            Target::Velocity(velocity) => ("velocity", tuple(velocity)).into_pyobject(py)?.into_any(),
            _ => py.None().into_bound(py),
        })
    }

    /// The polygons of its corridor.
    fn corridor<'py>(slf: Seen<'_, Self>, py: Python<'py>, agent: PyAgentId) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let corridor = slf.crowd.corridor(agent.0).map_err(failed)?;
        Ok(from_column(py, corridor.polys().iter().map(|poly| poly.to_bits()).collect()))
    }

    /// The next corners of its path, shape (n, 3).
    fn corners<'py>(slf: Seen<'_, Self>, py: Python<'py>, agent: PyAgentId) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let corners = slf.crowd.corners_of(agent.0).map_err(failed)?;
        from_points(py, corners.iter().map(|corner| corner.point).collect())
    }

    /// The agents that it sees, nearest first.
    fn neighbours(slf: Seen<'_, Self>, agent: PyAgentId) -> PyResult<Vec<PyAgentId>> {
        let seen = slf.crowd.neighbours_of(agent.0).map_err(failed)?;
        let ids: Vec<AgentId> = slf.crowd.ids().collect();
        let of = |index: &u32| ids.iter().find(|id| id.index() == *index as usize).copied().map(PyAgentId);
        Ok(seen.iter().filter_map(of).collect())
    }

    /// Positions of all agents, shape (n, 3), in the order of `agents`: a copy that cannot be written to.
    #[getter]
    fn positions<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        read_only(from_points(py, slf.rows(slf.crowd.positions()))?)
    }

    /// Velocities of all agents, shape (n, 3).
    #[getter]
    fn velocities<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        read_only(from_points(py, slf.rows(slf.crowd.velocities()))?)
    }

    /// How each agent stands with its path, in words.
    #[getter]
    fn statuses(slf: Seen<'_, Self>) -> PyResult<Vec<&'static str>> {
        slf.crowd.ids().map(|id| slf.crowd.target_status(id).map(TargetStatus::name).map_err(failed)).collect()
    }

    /// The velocities that steering wants, shape (n, 3): to be set between the phases "steer" and "avoid".
    #[getter]
    fn desired<'py>(mut slf: Own<'_, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let all = slf.crowd.desired_mut().to_vec();
        read_only(from_points(py, slf.rows(&all))?)
    }

    #[setter]
    fn set_desired(mut slf: Own<'_, Self>, velocities: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids: Vec<AgentId> = slf.crowd.ids().collect();
        write(slf.crowd.desired_mut(), &ids, velocities)
    }

    /// The velocities that avoidance chose, shape (n, 3): to be set between the phases "avoid" and "integrate".
    #[getter]
    fn avoiding<'py>(mut slf: Own<'_, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let all = slf.crowd.avoiding_mut().to_vec();
        read_only(from_points(py, slf.rows(&all))?)
    }

    #[setter]
    fn set_avoiding(mut slf: Own<'_, Self>, velocities: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids: Vec<AgentId> = slf.crowd.ids().collect();
        write(slf.crowd.avoiding_mut(), &ids, velocities)
    }

    /// Moves the crowd on by `dt` seconds, so many times. A tick takes at most one second: what is beyond is left out.
    #[pyo3(signature = (dt, ticks = 1))]
    fn step(mut slf: Own<'_, Self>, py: Python<'_>, dt: f32, #[pyo3(from_py_with = whole)] ticks: u32) -> PyResult<()> {
        check_dt(dt)?;
        for _ in 0..ticks {
            slf.tick(py, |crowd, mesh, planner| {
                let context = Context { clock: Some(long::clock()), ..Context::default() };
                planner.with(|planner| crowd.step(mesh, dt, planner, &context));
            })?;
            py.check_signals()?;
        }
        Ok(())
    }

    /// Runs one phase of a tick: "validate", "plan", "neighbours", "corners", "connections", "steer", "avoid", "integrate", "resolve",
    /// "constrain", in this order, between `begin` and `finish`.
    fn run_phase(mut slf: Own<'_, Self>, py: Python<'_>, phase: &str, dt: f32) -> PyResult<()> {
        check_dt(dt)?;
        let words: Vec<(&str, Phase)> = PHASES.iter().map(|phase| (phase.name(), *phase)).collect();
        let phase = crate::settings::word(phase, "phase", &words)?;
        slf.tick(py, |crowd, mesh, planner| {
            let context = Context { clock: Some(long::clock()), ..Context::default() };
            planner.with(|planner| crowd.run(phase, mesh, dt, planner, &context));
        })
    }

    /// Begins a tick of single phases.
    fn begin(mut slf: Own<'_, Self>, dt: f32) -> PyResult<()> {
        check_dt(dt)?;
        slf.crowd.begin(dt);
        Ok(())
    }

    /// Ends a tick of single phases.
    fn finish(mut slf: Own<'_, Self>) {
        slf.crowd.finish();
    }

    /// What happened in the last tick.
    #[getter]
    fn events(slf: Seen<'_, Self>) -> Vec<PyCrowdEvent> {
        slf.crowd.events().iter().map(|event| PyCrowdEvent(*event)).collect()
    }

    /// Seconds by phase, and counts, of the last tick.
    #[getter]
    fn profile<'py>(slf: Seen<'_, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (profile, dict) = (slf.crowd.profile(), PyDict::new(py));
        for phase in PHASES {
            dict.set_item(phase.name(), profile.time(phase).as_secs_f64())?;
        }
        dict.set_item("total", profile.total().as_secs_f64())?;
        dict.set_item("paths", profile.paths)?;
        dict.set_item("nodes", profile.nodes)?;
        dict.set_item("waiting", profile.waiting)?;
        Ok(dict)
    }

    /// Seconds that went by.
    #[getter]
    fn time(slf: Seen<'_, Self>) -> f64 {
        slf.crowd.time()
    }

    /// Adds a filter; agents name it by its number.
    fn add_filter(mut slf: Own<'_, Self>, filter: PyRef<'_, PyFilter>) -> u32 {
        let filter = slf.hear(&filter);
        slf.crowd.add_filter(filter)
    }

    /// Puts another filter in the place of one.
    fn set_filter(mut slf: Own<'_, Self>, number: u32, filter: PyRef<'_, PyFilter>) -> PyResult<()> {
        let filter = slf.hear(&filter);
        let done = slf.crowd.set_filter(number, filter);
        slf.heard(done)
    }

    /// The same where only costs have changed: who is on a path that costs more now asks for another.
    fn set_costs(mut slf: Own<'_, Self>, py: Python<'_>, number: u32, filter: PyRef<'_, PyFilter>) -> PyResult<()> {
        let filter = slf.hear(&filter);
        // On threads, which may ask a filter in Python.
        let crowd = &mut slf.crowd;
        let done = threads::detach(py, move || crowd.set_costs(number, filter))?;
        slf.heard(done)
    }

    /// The crowd as bytes: agents, corridors, jumps, random state. Mesh and filters are saved by themselves.
    fn to_bytes<'py>(mut slf: Own<'_, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let slf = &mut *slf;
        let nav = seen(slf.nav.bind(py))?;
        let (crowd, planner) = (&slf.crowd, &mut slf.planner);
        Ok(PyBytes::new(py, &planner.with(|planner| crowd.to_bytes(nav.mesh(), planner))))
    }

    /// A crowd of such bytes, on the same mesh, with the filters that it had.
    #[staticmethod]
    #[pyo3(signature = (data, mesh, filters = Vec::new(), *, planner = AnyPlanner::corridor()))]
    fn from_bytes(
        py: Python<'_>,
        data: &[u8],
        mesh: Py<PyNavMesh>,
        filters: Vec<Py<PyFilter>>,
        planner: AnyPlanner,
    ) -> PyResult<Self> {
        let mut own = Self { nav: mesh, crowd: Crowd::new(CrowdSettings::default()), planner, filters: Vec::new() };
        let filters: Vec<SharedFilter> =
            filters.iter().map(|filter| Arc::new(own.hear(filter.get())) as SharedFilter).collect();
        let crowd = Crowd::from_bytes(data, seen(own.nav.bind(py))?.mesh(), &filters);
        raise_first(&own.filters)?;
        own.crowd = crowd.map_err(errors::format)?;
        Ok(own)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.filters.iter().try_for_each(|filter| filter.traverse(&visit))
    }

    fn __clear__(&mut self) {
        // Its agents and searches ask by the same functions.
        self.crowd = Crowd::new(CrowdSettings::default());
        self.filters.clear();
    }

    fn __len__(slf: Seen<'_, Self>) -> usize {
        slf.crowd.len()
    }

    fn __contains__(slf: Seen<'_, Self>, agent: &Bound<'_, PyAny>) -> bool {
        agent.extract::<PyAgentId>().is_ok_and(|agent| slf.crowd.contains(agent.0))
    }

    fn __repr__(slf: Seen<'_, Self>) -> String {
        format!("<wayfare.Crowd: {} agents, {:.2} s>", slf.crowd.len(), slf.crowd.time())
    }
}

fn check_dt(dt: f32) -> PyResult<()> {
    if dt.is_finite() && dt >= 0.0 {
        return Ok(());
    }
    Err(errors::value(format_args!("dt is {dt}, but must be seconds, 0 or more")))
}

fn write(all: &mut [Vec3], ids: &[AgentId], velocities: &Bound<'_, PyAny>) -> PyResult<()> {
    let given = crate::arrays::points(velocities, "velocities")?;
    let given = given.as_slice()?;
    crate::arrays::same_length(("velocities", given.len()), ("the crowd", ids.len()))?;
    for (id, velocity) in ids.iter().zip(given) {
        if let Some(slot) = all.get_mut(id.index()) {
            *slot = *velocity;
        }
    }
    Ok(())
}
