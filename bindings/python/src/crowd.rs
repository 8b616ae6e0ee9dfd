//! Many agents that walk over a mesh, and avoid each other.

use crate::arrays::{Point, from_column, from_points, rows, tuple};
use crate::bounds::PyCostBounds;
use crate::crowd_events::PyCrowdEvent;
use crate::filter::{PyFilter, or_default};
use crate::grid::PyGridObstacle;
use crate::mesh::PyNavMesh;
use crate::params::{CrowdIn, ParamsIn, crowd_out, params_out};
use crate::planner::AnyPlanner;
use crate::threads;
use crate::{errors, long};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
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
    filters: Vec<crate::filter::AnyFilter>,
}

impl PyCrowd {
    fn rows(&self, of: &[Vec3]) -> Vec<Vec3> {
        self.crowd.ids().map(|id| of.get(id.index()).copied().unwrap_or_default()).collect()
    }

    pub(crate) fn with_mesh<T>(
        &mut self,
        py: Python<'_>,
        call: impl FnOnce(&mut Crowd, &wayfare::mesh::NavMesh) -> Result<T, CrowdError>,
    ) -> PyResult<T> {
        let nav = self.nav.try_borrow(py)?;
        let answer = call(&mut self.crowd, nav.mesh());
        self.filters.iter().try_for_each(crate::filter::AnyFilter::raise)?;
        answer.map_err(failed)
    }

    fn tick(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut Crowd, &wayfare::mesh::NavMesh, &mut AnyPlanner) + Send,
    ) -> PyResult<()> {
        let mesh = self.nav.try_borrow(py)?.mesh().clone();
        let Self { crowd, planner, .. } = self;
        threads::detach(py, || work(crowd, &mesh, planner))?;
        self.filters.iter().try_for_each(crate::filter::AnyFilter::raise)
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
    fn set_bounds(&mut self, bounds: &Bound<'_, PyCostBounds>) -> PyResult<()> {
        self.planner.set_bounds(bounds.get(), "crowd")
    }

    /// Sets all obstacles that agents walk around although the mesh does not contain them, in place of the earlier ones: crates, parked cars,
    /// doors ajar. Call it again whenever one has moved. For obstacles that stay, change the mesh (`Obstacles`): paths then take them into account.
    ///
    /// An agent whose line to its next corner is blocked finds a path around them, within 22 times its radius. Where there is none, it goes as
    /// near as it can, and `obstructed_by` and an event "obstructed" say what is in its way. They are not saved with the crowd.
    fn set_obstacles(&mut self, obstacles: Vec<PyGridObstacle>) {
        self.crowd.set_obstacles(obstacles.into_iter().map(|obstacle| obstacle.0));
    }

    /// The ids of the obstacles on an agent's line to its next corner, nearest first, if no path led around them in the last tick; else none.
    fn obstructed_by(&self, agent: PyAgentId) -> PyResult<Vec<u32>> {
        self.crowd.obstructed_by(agent.0).map(<[u32]>::to_vec).map_err(failed)
    }

    /// Where an agent steers instead of its next corner, to get around obstacles; None if its line is free.
    fn local_bend(&self, agent: PyAgentId) -> PyResult<Option<(f32, f32, f32)>> {
        Ok(self.crowd.local_bend_of(agent.0).map_err(failed)?.map(tuple))
    }

    /// The mesh.
    #[getter]
    fn mesh(&self, py: Python<'_>) -> Py<PyNavMesh> {
        self.nav.clone_ref(py)
    }

    /// The settings; set them as a whole.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crowd_out(py, self.crowd.settings())
    }

    #[setter]
    fn set_settings(&mut self, settings: CrowdIn) {
        *self.crowd.settings_mut() = settings.get();
    }

    /// Adds an agent at the place nearest to a point.
    #[pyo3(signature = (at, params = None))]
    fn add(&mut self, py: Python<'_>, at: Point, params: Option<ParamsIn>) -> PyResult<PyAgentId> {
        let params = params.map_or_else(|| Ok(AgentParams::default()), ParamsIn::get)?;
        self.with_mesh(py, |crowd, mesh| crowd.add(mesh, at.0, params)).map(PyAgentId)
    }

    /// Adds an agent at each of these points, shape (n, 3).
    #[pyo3(signature = (points, params = None))]
    fn add_many(
        &mut self,
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        params: Option<ParamsIn>,
    ) -> PyResult<Vec<PyAgentId>> {
        let params = params.map_or_else(|| Ok(AgentParams::default()), ParamsIn::get)?;
        let points = crate::arrays::points(points, "points")?;
        let points = points.as_slice()?;
        self.with_mesh(py, |crowd, mesh| {
            points.iter().map(|at| crowd.add(mesh, *at, params.clone()).map(PyAgentId)).collect()
        })
    }

    /// Removes an agent.
    fn remove(&mut self, agent: PyAgentId) -> PyResult<()> {
        self.crowd.remove(agent.0).map_err(failed)
    }

    /// All agents, in the order of the rows of all arrays.
    #[getter]
    fn agents(&self) -> Vec<PyAgentId> {
        self.crowd.ids().map(PyAgentId).collect()
    }

    /// Goes to the place nearest to a point.
    fn go_to(&mut self, py: Python<'_>, agent: PyAgentId, point: Point) -> PyResult<()> {
        self.with_mesh(py, |crowd, mesh| crowd.go_to(mesh, agent.0, point.0))
    }

    /// Sends each agent to the place nearest to its row of `points`, shape (n, 3), in the order of `agents`.
    fn go_to_many(&mut self, py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<()> {
        let points = crate::arrays::points(points, "points")?;
        let points = points.as_slice()?;
        crate::arrays::same_length(("points", points.len()), ("the crowd", self.crowd.len()))?;
        let ids: Vec<AgentId> = self.crowd.ids().collect();
        self.with_mesh(py, |crowd, mesh| {
            ids.iter().zip(points).try_for_each(|(id, point)| crowd.go_to(mesh, *id, *point))
        })
    }

    /// Goes to a place that moves: call it whenever it has moved.
    fn follow_point(&mut self, py: Python<'_>, agent: PyAgentId, point: Point) -> PyResult<()> {
        self.with_mesh(py, |crowd, mesh| {
            let filter = wayfare::query::DefaultFilter::of(mesh);
            let reach = crowd.settings().reach;
            let found = wayfare::query::find_nearest(mesh, point.0, reach, &filter);
            let place = found.ok_or(CrowdError::NoGround { at: point.0, reach })?.place();
            crowd.set_target(agent.0, Target::Moving(place))
        })
    }

    /// Follows another agent.
    fn follow_agent(&mut self, agent: PyAgentId, leader: PyAgentId) -> PyResult<()> {
        self.crowd.set_target(agent.0, Target::Agent(leader.0)).map_err(failed)
    }

    /// Walks with a velocity, m/s, wherever that leads.
    fn walk(&mut self, agent: PyAgentId, velocity: Point) -> PyResult<()> {
        self.crowd.set_target(agent.0, Target::Velocity(velocity.0)).map_err(failed)
    }

    /// Gives each agent a velocity that it wants, shape (n, 3) or (n, 2) for x and z, in the order of `agents`.
    fn walk_many(&mut self, velocities: &Bound<'_, PyAny>) -> PyResult<()> {
        let list: Vec<Vec3> = match rows::<f32>(velocities, "velocities", 2, "float32") {
            Ok(plane) => plane.as_array().outer_iter().map(|row| Vec3::new(row[0], 0.0, row[1])).collect(),
            Err(_) => crate::arrays::loose_points(velocities, "velocities")?.as_slice()?.to_vec(),
        };
        if let Some(row) = list.iter().position(|velocity| !velocity.is_finite()) {
            return Err(errors::value(format_args!("row {row} of velocities is not finite")));
        }
        crate::arrays::same_length(("velocities", list.len()), ("the crowd", self.crowd.len()))?;
        let ids: Vec<AgentId> = self.crowd.ids().collect();
        let one = |(id, velocity): (&AgentId, &Vec3)| self.crowd.set_target(*id, Target::Velocity(*velocity));
        ids.iter().zip(&list).try_for_each(one).map_err(failed)
    }

    /// Stands, and steps aside for others.
    fn stop(&mut self, agent: PyAgentId) -> PyResult<()> {
        self.crowd.set_target(agent.0, Target::None).map_err(failed)
    }

    /// Puts an agent somewhere else; its target stays.
    fn teleport(&mut self, py: Python<'_>, agent: PyAgentId, point: Point) -> PyResult<()> {
        self.with_mesh(py, |crowd, mesh| crowd.teleport(mesh, agent.0, point.0))
    }

    /// Moves an agent that the game drives.
    fn set_position(&mut self, agent: PyAgentId, point: Point) -> PyResult<()> {
        self.crowd.set_position(agent.0, point.0).map_err(failed)
    }

    /// Pushes an agent: its velocity from now on, m/s.
    fn set_velocity(&mut self, agent: PyAgentId, velocity: Point) -> PyResult<()> {
        self.crowd.set_velocity(agent.0, velocity.0).map_err(failed)
    }

    /// Lets an agent stand, or go on.
    #[pyo3(signature = (agent, paused = true))]
    fn pause(&mut self, agent: PyAgentId, paused: bool) -> PyResult<()> {
        self.crowd.pause(agent.0, paused).map_err(failed)
    }

    /// An agent's parameters.
    fn params<'py>(&self, py: Python<'py>, agent: PyAgentId) -> PyResult<Bound<'py, PyAny>> {
        params_out(py, self.crowd.params(agent.0).map_err(failed)?)
    }

    /// Sets an agent's parameters.
    fn set_params(&mut self, agent: PyAgentId, params: ParamsIn) -> PyResult<()> {
        self.crowd.set_params(agent.0, params.get()?).map_err(failed)
    }

    /// How far an agent has come over its connection, 0 to 1, where the game moves it.
    fn set_connection_progress(&mut self, agent: PyAgentId, progress: f32) -> PyResult<()> {
        self.crowd.set_connection_progress(agent.0, progress).map_err(failed)
    }

    /// The connection that an agent is on, from where to where, and how far it has come; None if it is on none.
    #[allow(clippy::type_complexity)]
    fn on_connection(&self, agent: PyAgentId) -> PyResult<Option<(u64, (f32, f32, f32), (f32, f32, f32), f32)>> {
        let on = self.crowd.on_connection(agent.0).map_err(failed)?;
        Ok(on.map(|on| (on.crossing.connection.to_bits(), tuple(on.crossing.from), tuple(on.crossing.to), on.progress)))
    }

    /// Where an agent is.
    fn position(&self, agent: PyAgentId) -> PyResult<(f32, f32, f32)> {
        self.crowd.position(agent.0).map(tuple).map_err(failed)
    }

    /// How fast it goes, m/s.
    fn velocity(&self, agent: PyAgentId) -> PyResult<(f32, f32, f32)> {
        self.crowd.velocity(agent.0).map(tuple).map_err(failed)
    }

    /// How it stands with its path: "none", "waiting", "complete", "partial", "arrived", "unreachable", "lost".
    fn status(&self, agent: PyAgentId) -> PyResult<&'static str> {
        self.crowd.target_status(agent.0).map(TargetStatus::name).map_err(failed)
    }

    /// Metres along its path to the target; None if it has none.
    fn remaining_distance(&self, agent: PyAgentId) -> PyResult<Option<f32>> {
        self.crowd.remaining_distance(agent.0).map_err(failed)
    }

    /// Whether it rests.
    fn is_at_rest(&self, agent: PyAgentId) -> PyResult<bool> {
        self.crowd.is_at_rest(agent.0).map_err(failed)
    }

    /// What it goes to: a word and a point, an agent or a velocity.
    fn target<'py>(&self, py: Python<'py>, agent: PyAgentId) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.crowd.target(agent.0).map_err(failed)? {
            Target::Point(place) => ("point", tuple(place.point)).into_pyobject(py)?.into_any(),
            Target::Moving(place) => ("moving", tuple(place.point)).into_pyobject(py)?.into_any(),
            Target::Agent(other) => ("agent", PyAgentId(other)).into_pyobject(py)?.into_any(),
            Target::Velocity(velocity) => ("velocity", tuple(velocity)).into_pyobject(py)?.into_any(),
            _ => py.None().into_bound(py),
        })
    }

    /// The polygons of its corridor.
    fn corridor<'py>(&self, py: Python<'py>, agent: PyAgentId) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let corridor = self.crowd.corridor(agent.0).map_err(failed)?;
        Ok(from_column(py, corridor.polys().iter().map(|poly| poly.to_bits()).collect()))
    }

    /// The next corners of its path, shape (n, 3).
    fn corners<'py>(&self, py: Python<'py>, agent: PyAgentId) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let corners = self.crowd.corners_of(agent.0).map_err(failed)?;
        from_points(py, corners.iter().map(|corner| corner.point).collect())
    }

    /// The agents that it sees, nearest first.
    fn neighbours(&self, agent: PyAgentId) -> PyResult<Vec<PyAgentId>> {
        let seen = self.crowd.neighbours_of(agent.0).map_err(failed)?;
        let ids: Vec<AgentId> = self.crowd.ids().collect();
        let of = |index: &u32| ids.iter().find(|id| id.index() == *index as usize).copied().map(PyAgentId);
        Ok(seen.iter().filter_map(of).collect())
    }

    /// Positions of all agents, shape (n, 3), in the order of `agents`.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        from_points(py, self.rows(self.crowd.positions()))
    }

    /// Velocities of all agents, shape (n, 3).
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        from_points(py, self.rows(self.crowd.velocities()))
    }

    /// How each agent stands with its path, in words.
    #[getter]
    fn statuses(&self) -> PyResult<Vec<&'static str>> {
        self.crowd.ids().map(|id| self.crowd.target_status(id).map(TargetStatus::name).map_err(failed)).collect()
    }

    /// The velocities that steering wants, shape (n, 3): to be set between the phases "steer" and "avoid".
    #[getter]
    fn desired<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let all = self.crowd.desired_mut().to_vec();
        from_points(py, self.rows(&all))
    }

    #[setter]
    fn set_desired(&mut self, velocities: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids: Vec<AgentId> = self.crowd.ids().collect();
        write(self.crowd.desired_mut(), &ids, velocities)
    }

    /// The velocities that avoidance chose, shape (n, 3): to be set between the phases "avoid" and "integrate".
    #[getter]
    fn avoiding<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let all = self.crowd.avoiding_mut().to_vec();
        from_points(py, self.rows(&all))
    }

    #[setter]
    fn set_avoiding(&mut self, velocities: &Bound<'_, PyAny>) -> PyResult<()> {
        let ids: Vec<AgentId> = self.crowd.ids().collect();
        write(self.crowd.avoiding_mut(), &ids, velocities)
    }

    /// Moves the crowd on by `dt` seconds, so many times.
    #[pyo3(signature = (dt, ticks = 1))]
    fn step(&mut self, py: Python<'_>, dt: f32, ticks: u32) -> PyResult<()> {
        check_dt(dt)?;
        for _ in 0..ticks {
            self.tick(py, |crowd, mesh, planner| {
                let context = Context { clock: Some(long::clock()), ..Context::default() };
                planner.with(|planner| crowd.step(mesh, dt, planner, &context));
            })?;
            py.check_signals()?;
        }
        Ok(())
    }

    /// Runs one phase of a tick: "validate", "plan", "neighbours", "corners", "connections", "steer", "avoid", "integrate", "resolve",
    /// "constrain", in this order, between `begin` and `finish`.
    fn run_phase(&mut self, py: Python<'_>, phase: &str, dt: f32) -> PyResult<()> {
        check_dt(dt)?;
        let words: Vec<(&str, Phase)> = PHASES.iter().map(|phase| (phase.name(), *phase)).collect();
        let phase = crate::settings::word(phase, "phase", &words)?;
        self.tick(py, |crowd, mesh, planner| {
            let context = Context { clock: Some(long::clock()), ..Context::default() };
            planner.with(|planner| crowd.run(phase, mesh, dt, planner, &context));
        })
    }

    /// Begins a tick of single phases.
    fn begin(&mut self, dt: f32) -> PyResult<()> {
        check_dt(dt)?;
        self.crowd.begin(dt);
        Ok(())
    }

    /// Ends a tick of single phases.
    fn finish(&mut self) {
        self.crowd.finish();
    }

    /// What happened in the last tick.
    #[getter]
    fn events(&self) -> Vec<PyCrowdEvent> {
        self.crowd.events().iter().map(|event| PyCrowdEvent(*event)).collect()
    }

    /// Seconds by phase, and counts, of the last tick.
    #[getter]
    fn profile<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (profile, dict) = (self.crowd.profile(), PyDict::new(py));
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
    fn time(&self) -> f64 {
        self.crowd.time()
    }

    /// Adds a filter; agents name it by its number.
    fn add_filter(&mut self, py: Python<'_>, filter: PyRef<'_, PyFilter>) -> PyResult<u32> {
        let any = or_default(Some(&filter), self.nav.try_borrow(py)?.mesh());
        self.filters.push(any.clone());
        Ok(self.crowd.add_filter(any))
    }

    /// Puts another filter in the place of one.
    fn set_filter(&mut self, number: u32, filter: PyRef<'_, PyFilter>) -> PyResult<()> {
        self.filters.push(filter.any.clone());
        self.crowd.set_filter(number, filter.any.clone()).map_err(failed)
    }

    /// The same where only costs have changed: who is on a path that costs more now asks for another.
    fn set_costs(&mut self, py: Python<'_>, number: u32, filter: PyRef<'_, PyFilter>) -> PyResult<()> {
        // On threads, which may ask a filter in Python.
        let (crowd, any) = (&mut self.crowd, filter.any.clone());
        threads::detach(py, move || crowd.set_costs(number, any))?.map_err(failed)
    }

    /// The crowd as bytes: agents, corridors, jumps, random state. Mesh and filters are saved by themselves.
    fn to_bytes<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let nav = self.nav.try_borrow(py)?;
        let (crowd, planner) = (&self.crowd, &mut self.planner);
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
        let nav = mesh.try_borrow(py)?;
        let mut all: Vec<SharedFilter> = Vec::new();
        all.extend(filters.iter().map(|filter| Arc::new(filter.get().any.clone()) as SharedFilter));
        let crowd = Crowd::from_bytes(data, nav.mesh(), &all).map_err(errors::format)?;
        drop(nav);
        let filters = filters.iter().map(|filter| filter.get().any.clone()).collect();
        Ok(Self { nav: mesh, crowd, planner, filters })
    }

    fn __len__(&self) -> usize {
        self.crowd.len()
    }

    fn __contains__(&self, agent: PyAgentId) -> bool {
        self.crowd.contains(agent.0)
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.Crowd: {} agents, {:.2} s>", self.crowd.len(), self.crowd.time())
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
