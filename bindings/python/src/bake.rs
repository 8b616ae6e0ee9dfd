//! From a level to a mesh: in one go, for several agents, again where something has changed, or in steps.

use crate::arrays::{Corners, Point, aabb, corners, from_points};
use crate::held::{Own, Seen, own, seen};
use crate::level::PyLevel;
use crate::long::{Callbacks, PyCancel};
use crate::mesh::PyNavMesh;
use crate::settings::{AgentIn, BakeIn, LinksIn, area_rules, area_table};
use crate::threads::{self, Threads};
use crate::whole::{budget_or_all, whole};
use crate::{errors, long};
use numpy::PyArray2;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Mutex, mpsc};
use wayfare::area::{AreaRules, AreaTable, PolyFlags};
use wayfare::bake::{
    AutoLink, BakeError, BakeJob, BakeReport, BakedTiles, EmptyBake, Stage, TilePlan, TileSink, bake_agents_planned,
    find_links, tile_keys,
};
use wayfare::context::{Budget, Cancel, Cancelled, Context, Progress};
use wayfare::format::WayFile;
use wayfare::input::{BakeSettings, Level};
use wayfare::mesh::{BakeCache, NavMesh};
use wayfare::tile::{TileCoord, TileData, TileKeys};

/// What is said to a bake besides level and settings.
#[derive(Default)]
struct Extras {
    table: AreaTable,
    rules: AreaRules,
    allow_empty: bool,
}

/// Settings as they are given: nothing, an agent, or all.
pub(crate) fn settings_arg(given: Option<&Bound<'_, PyAny>>) -> PyResult<BakeSettings> {
    let Some(object) = given else { return Ok(BakeSettings::for_agent(wayfare::input::AgentSettings::default())) };
    let name = crate::settings::class_name(object, &["BakeSettings", "AgentSettings"])?;
    match name.as_str() {
        "BakeSettings" => object.extract::<BakeIn>()?.get(),
        "AgentSettings" => Ok(BakeSettings::for_agent(object.extract::<AgentIn>()?.get())),
        _ => Err(PyTypeError::new_err(format!("settings must be BakeSettings or AgentSettings, not {name}"))),
    }
}

/// Tiles of an agent as they are baked, and those of before.
struct Tiles<'a> {
    keys: &'a TileKeys,
    old: Option<&'a BakeCache>,
    rules: &'a AreaRules,
    tiles: Vec<TileData>,
}

impl TileSink for Tiles<'_> {
    fn known(&mut self, coord: TileCoord) -> Option<Option<TileData>> {
        let tile = self.old?.unchanged_tile(coord, self.keys.get(coord)?)?;
        Some(tile.cloned())
    }

    fn take(&mut self, _coord: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled> {
        // Tiles of before have the flags of their bake, which may have had other rules.
        let is_plain = self.rules.is_empty() && self.old.is_none();
        self.tiles.extend(tile.map(|tile| if is_plain { tile } else { with_flags(&tile, self.rules) }));
        Ok(())
    }
}

/// A tile whose polygons have the flags of a bake with these rules.
fn with_flags(tile: &TileData, rules: &AreaRules) -> TileData {
    tile.with_states(|_, poly| (rules.flags(poly.area).unwrap_or(PolyFlags::WALK), poly.area))
}

type Made = Result<Vec<(NavMesh, TileKeys, BakeReport)>, BakeError>;

fn bake_meshes(
    level: Level<'_>,
    settings: &[BakeSettings],
    old: &[Option<BakeCache>],
    rules: &AreaRules,
    context: &Context<'_>,
) -> Made {
    let plans = settings.iter().map(|s| TilePlan::new(level, s)).collect::<Result<Vec<_>, _>>()?;
    let mut reports: Vec<_> = plans.iter().zip(settings).map(|(plan, s)| plan.report(&level, s)).collect();
    let keys: Vec<TileKeys> = plans.iter().map(|plan| tile_keys(level, plan)).collect();
    let of = |i: usize| Tiles { keys: &keys[i], old: old.get(i).and_then(Option::as_ref), rules, tiles: Vec::new() };
    let mut kept: Vec<Tiles<'_>> = (0..plans.len()).map(of).collect();
    {
        let mut sinks: Vec<&mut dyn TileSink> = kept.iter_mut().map(|tiles| tiles as _).collect();
        bake_agents_planned(level, &plans, context, &mut reports, &mut sinks)?;
    }
    let tiles: Vec<Vec<TileData>> = kept.into_iter().map(|tiles| tiles.tiles).collect();
    let mut made = Vec::new();
    for (((plan, tiles), keys), report) in plans.iter().zip(tiles).zip(keys).zip(reports) {
        let mesh = NavMesh::from_tiles(plan.layout(), tiles).map_err(|_| BakeError::Cancelled(Cancelled))?;
        made.push((mesh, keys, report));
    }
    Ok(made)
}

pub(crate) fn bake_failed(error: BakeError) -> PyErr {
    match error {
        error @ (BakeError::Settings(_) | BakeError::OtherLayout) => errors::value(error),
        BakeError::Cancelled(_) => crate::Cancelled::new_err("the bake was cancelled"),
        error => errors::bake(error),
    }
}

fn finish(
    level: &PyLevel,
    settings: &BakeSettings,
    extras: &Extras,
    (mut mesh, keys, report): (NavMesh, TileKeys, BakeReport),
) -> PyResult<PyNavMesh> {
    if mesh.tile_count() == 0 && !extras.allow_empty {
        let why = EmptyBake::of(level.level(), settings);
        return Err(errors::bake(format_args!("nothing can be walked on: {why}")));
    }
    for connection in &level.connections {
        mesh.add_connection(*connection).map_err(errors::value)?;
    }
    mesh.set_areas(extras.table.clone());
    let mut made = PyNavMesh::of(WayFile::new(mesh, keys));
    made.report = Some(report);
    made.area_flags = extras.rules;
    Ok(made)
}

/// Bakes a level into a mesh.
///
/// `settings` are `BakeSettings`, or `AgentSettings` alone, for which cells are made that fit. `progress` is called with tiles done and tiles
/// in all; if it raises, the bake is cancelled and the exception goes on. Ctrl-C cancels, too. `links` looks for drops, jumps and climbs.
/// `area_names` gives area types names and costs, `area_flags` the flags of their polygons. With `reuse`, a mesh of an earlier bake, only
/// tiles whose input has changed are baked; unless `area_flags` are given, they are those of that bake. A level on which the agent can stand nowhere raises BakeError, unless `allow_empty`.
#[pyfunction]
#[pyo3(signature = (level, settings = None, *, links = None, area_names = BTreeMap::new(), area_flags = None, reuse = None, allow_empty = false, progress = None, log = None, cancel = None, memory_limit = None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn bake(
    py: Python<'_>,
    level: PyLevel,
    settings: Option<&Bound<'_, PyAny>>,
    links: Option<LinksIn>,
    area_names: BTreeMap<i64, (String, f32)>,
    area_flags: Option<BTreeMap<i64, u16>>,
    reuse: Option<Seen<'_, PyNavMesh>>,
    allow_empty: bool,
    progress: Option<Py<PyAny>>,
    log: Option<Py<PyAny>>,
    cancel: Option<PyCancel>,
    #[pyo3(from_py_with = whole)] memory_limit: Option<u64>,
) -> PyResult<PyNavMesh> {
    let settings = settings_arg(settings)?;
    let callbacks = Callbacks { progress, log, cancel: cancel.map(|c| c.0), memory_limit };
    let rules = match (&area_flags, &reuse) {
        (Some(given), _) => area_rules(given)?,
        (None, Some(nav)) => nav.area_flags,
        (None, None) => AreaRules::NONE,
    };
    let extras = Extras { table: area_table(&area_names)?, rules, allow_empty };
    let old = reuse.map(|nav| nav.file.cache.clone());
    let links = links.map(|links| links.get()).transpose()?;
    let made =
        long::run(py, &callbacks, |context| bake_meshes(level.level(), &[settings], &[old], &extras.rules, context))?;
    let made = made.map_err(bake_failed)?.pop().ok_or_else(|| errors::bake("nothing was baked"))?;
    let mut nav = finish(&level, &settings, &extras, made)?;
    if let Some(links) = links {
        let mesh = nav.file.mesh.clone();
        let found = long::run(py, &Callbacks { progress: None, ..callbacks }, |context| {
            links_of(level.level(), &settings, &mesh, &links, context)
        })?;
        let found = found.map_err(bake_failed)?;
        nav.file.mesh.add_connections(&found).map_err(errors::value)?;
    }
    Ok(nav)
}

/// Bakes meshes for several agents from one pass over the level; cells must be the same in all settings.
#[pyfunction]
#[pyo3(signature = (level, settings, *, progress = None, cancel = None))]
pub(crate) fn bake_agents(
    py: Python<'_>,
    level: PyLevel,
    settings: Vec<BakeIn>,
    progress: Option<Py<PyAny>>,
    cancel: Option<PyCancel>,
) -> PyResult<Vec<PyNavMesh>> {
    let settings = settings.into_iter().map(BakeIn::get).collect::<PyResult<Vec<_>>>()?;
    let callbacks = Callbacks { progress, cancel: cancel.map(|c| c.0), ..Callbacks::default() };
    let made =
        long::run(py, &callbacks, |context| bake_meshes(level.level(), &settings, &[], &AreaRules::NONE, context))?;
    let made = made.map_err(bake_failed)?;
    let extras = Extras { allow_empty: true, ..Extras::default() };
    made.into_iter().zip(&settings).map(|(made, settings)| finish(&level, settings, &extras, made)).collect()
}

fn links_of(
    level: Level<'_>,
    settings: &BakeSettings,
    mesh: &NavMesh,
    links: &wayfare::input::LinkSettings,
    context: &Context<'_>,
) -> Result<Vec<AutoLink>, BakeError> {
    let plan = TilePlan::new(level, settings)?;
    let tiles: Vec<&TileData> = mesh.tiles().map(|tile| tile.data()).collect();
    find_links(level, &plan, &tiles, links, context)
}

/// A drop, jump or climb that was found.
#[pyclass(module = "wayfare", name = "AutoLink", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct PyAutoLink {
    /// "drop", "jump-down", "jump-across" or "climb".
    kind: &'static str,
    /// Its number, the user id of the connection.
    id: u32,
    /// Where it begins.
    start: (f32, f32, f32),
    /// Where it ends.
    end: (f32, f32, f32),
    /// The agent's radius.
    radius: f32,
    /// Whether it can be used in the other direction.
    two_way: bool,
    /// Its area type.
    area: u8,
    /// Its flags.
    flags: u16,
}

impl PyAutoLink {
    pub(crate) fn of(link: &AutoLink) -> Self {
        let tuple = crate::arrays::tuple;
        Self {
            kind: link.kind.name(),
            id: link.id,
            start: tuple(link.start),
            end: tuple(link.end),
            radius: link.radius,
            two_way: link.two_way,
            area: link.area.get(),
            flags: link.flags.0,
        }
    }
}

#[pymethods]
impl PyAutoLink {
    fn __repr__(&self) -> String {
        format!("<wayfare.AutoLink {} {:?} to {:?}>", self.kind, self.start, self.end)
    }
}

/// Finds drops, jumps and climbs of a level whose mesh was baked with these settings. Nothing is added: see `NavMesh.add_connection`.
#[pyfunction]
#[pyo3(name = "find_links", signature = (level, mesh, links, settings = None, *, progress = None))]
pub(crate) fn py_find_links(
    py: Python<'_>,
    level: PyLevel,
    mesh: Seen<'_, PyNavMesh>,
    links: LinksIn,
    settings: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<PyAutoLink>> {
    let (settings, links) = (settings_arg(settings)?, links.get()?);
    let mesh = mesh.file.mesh.clone();
    let callbacks = Callbacks { progress, ..Callbacks::default() };
    let found = long::run(py, &callbacks, |context| links_of(level.level(), &settings, &mesh, &links, context))?;
    Ok(found.map_err(bake_failed)?.iter().map(PyAutoLink::of).collect())
}

/// Bakes the tiles that a box touches again, from the level as it is now, and puts them into the mesh. `settings` and bounds must be those
/// of the first bake. So must `area_flags`: unless given, they are those of the bake that made this mesh, which a file does not keep. Returns
/// how many tiles were baked.
#[pyfunction]
#[pyo3(signature = (mesh, level, bounds, settings, *, area_flags = None))]
pub(crate) fn rebake(
    py: Python<'_>,
    mesh: &Bound<'_, PyNavMesh>,
    level: PyLevel,
    bounds: (Point, Point),
    settings: &Bound<'_, PyAny>,
    area_flags: Option<BTreeMap<i64, u16>>,
) -> PyResult<usize> {
    let (changed, settings) = (aabb(bounds)?, settings_arg(Some(settings))?);
    let rules = flags_or_those_of(mesh, area_flags)?;
    let plan = TilePlan::new(level.level(), &settings).map_err(bake_failed)?;
    plan.check_layout(seen(mesh)?.file.mesh.layout()).map_err(bake_failed)?;
    let baked = long::run(py, &Callbacks::default(), |context| {
        let mut baker = wayfare::bake::TileBaker::new(plan.level, plan.settings);
        let mut report = plan.report(&level.level(), &settings);
        let one = |index| {
            let rect = plan.tile(index);
            let tile = baker.bake(level.level(), None, &rect, context, &mut report)?;
            Ok((rect.coord, tile.map(|tile| with_flags(&tile, &rules))))
        };
        plan.tiles_touched(&changed).map(one).collect::<Result<Vec<_>, BakeError>>()
    })?;
    let baked = baked.map_err(bake_failed)?;
    let count = baked.len();
    let mut mesh = own(mesh)?;
    let nav = &mut mesh.file.mesh;
    for (coord, tile) in baked {
        let old = nav.tile_at(coord).map(|tile| tile.tile_ref());
        match (tile, old) {
            (Some(tile), Some(old)) => drop(nav.replace_tile(old, tile).map_err(errors::value)?),
            (Some(tile), None) => drop(nav.add_tile(tile).map_err(errors::value)?),
            (None, Some(old)) => drop(nav.remove_tile(old).map_err(errors::stale)?),
            (None, None) => {}
        }
    }
    Ok(count)
}

/// The rules that are given, or those of the bake that made a mesh.
pub(crate) fn flags_or_those_of(mesh: &Bound<'_, PyNavMesh>, given: Option<BTreeMap<i64, u16>>) -> PyResult<AreaRules> {
    match given {
        Some(given) => area_rules(&given),
        None => Ok(seen(mesh)?.area_flags),
    }
}

/// What the thread of a job is asked.
enum Ask {
    Step(Budget, Cancel),
    Finish,
}

/// What it answers.
enum Told {
    Progress(Result<Progress, BakeError>),
    Done(Vec<(BakedTiles, BakeReport)>),
}

/// A bake in steps of a budget: a little each frame. The job lives on a thread of its own, which works only while `step` is called.
#[pyclass(module = "wayfare", name = "BakeJob")]
pub(crate) struct PyBakeJob {
    level: PyLevel,
    settings: BakeSettings,
    ask: mpsc::Sender<Ask>,
    told: Mutex<mpsc::Receiver<Told>>,
    progress: Progress,
    /// Where that thread is: it is not copied by a fork.
    process: u32,
}

fn ended() -> PyErr {
    errors::value("the job is finished: begin another")
}

#[pymethods]
impl PyBakeJob {
    #[new]
    #[pyo3(signature = (level, settings = None))]
    fn new(py: Python<'_>, level: PyLevel, settings: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let settings = settings_arg(settings)?;
        let progress = BakeJob::new(level.level(), &settings).map_err(bake_failed)?.progress();
        let (ask, asked) = mpsc::channel();
        let (tell, told) = mpsc::channel();
        let threads = Threads::of_process(py)?;
        let own = level.clone();
        std::thread::spawn(move || work(&own, &settings, threads, &asked, &tell));
        let process = std::process::id();
        Ok(Self { level, settings, ask, told: Mutex::new(told), progress, process })
    }

    /// Goes on as far as the budget, 1 or more, reaches (None: to the end): cells, spans, triangles, whichever a stage counts. Returns what is
    /// done and what there is in all; the same tiles come out for any budgets. Ctrl-C ends the job.
    #[pyo3(signature = (budget = 20_000))]
    fn step(
        mut slf: Own<'_, Self>,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] budget: Option<u64>,
    ) -> PyResult<(u64, u64)> {
        let (budget, to_the_end) = (budget_or_all(budget)?, budget.is_none());
        loop {
            let Told::Progress(progress) = slf.exchange(py, |cancel| Ask::Step(budget, cancel))? else {
                return Err(ended());
            };
            slf.progress = progress.map_err(bake_failed)?;
            // A step of the library takes some tiles at most.
            if !to_the_end || slf.progress.is_finished() {
                return Ok((slf.progress.done, slf.progress.total));
            }
        }
    }

    /// What is done and what there is in all, in cells.
    #[getter]
    fn progress(slf: Seen<'_, Self>) -> (u64, u64) {
        (slf.progress.done, slf.progress.total)
    }

    /// Whether all is done.
    #[getter]
    fn is_finished(slf: Seen<'_, Self>) -> bool {
        slf.progress.is_finished()
    }

    /// The mesh, once all is done.
    fn finish(mut slf: Own<'_, Self>, py: Python<'_>) -> PyResult<PyNavMesh> {
        if !slf.progress.is_finished() {
            let Progress { done, total } = slf.progress;
            return Err(errors::value(format_args!("{done} of {total} cells are baked: call step until is_finished")));
        }
        let Told::Done(mut tiles) = slf.exchange(py, |_| Ask::Finish)? else { return Err(ended()) };
        let (BakedTiles { layout, tiles }, report) = tiles.pop().ok_or_else(ended)?;
        let mesh = NavMesh::from_tiles(layout, tiles).map_err(errors::bake)?;
        let plan = TilePlan::new(slf.level.level(), &slf.settings).map_err(bake_failed)?;
        let slf = &mut *slf;
        let keys = threads::detach(py, || tile_keys(slf.level.level(), &plan))?;
        finish(&slf.level, &slf.settings, &Extras::default(), (mesh, keys, report))
    }
}

impl PyBakeJob {
    /// Asks the job's thread, and waits for its answer. Ctrl-C cancels what was asked.
    fn exchange(&self, py: Python<'_>, ask: impl FnOnce(Cancel) -> Ask) -> PyResult<Told> {
        if self.process != std::process::id() {
            return Err(errors::value("the job was begun in another process: begin another in this one"));
        }
        let cancel = Cancel::new();
        let ask = ask(cancel.clone());
        py.detach(|| {
            let told = self.told.lock().map_err(|_| ended())?;
            self.ask.send(ask).map_err(|_| ended())?;
            let mut failure = None;
            loop {
                match told.recv_timeout(long::LOOK) {
                    Ok(answer) => return failure.map_or(Ok(answer), Err),
                    Err(RecvTimeoutError::Disconnected) => return Err(failure.unwrap_or_else(ended)),
                    Err(RecvTimeoutError::Timeout) if failure.is_none() => {
                        failure = Python::attach(|py| py.check_signals()).err();
                        if failure.is_some() {
                            cancel.cancel();
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    }
}

fn work(
    level: &PyLevel,
    settings: &BakeSettings,
    threads: Threads,
    asked: &mpsc::Receiver<Ask>,
    tell: &mpsc::Sender<Told>,
) {
    let Ok(mut job) = BakeJob::new(level.level(), settings) else { return };
    while let Ok(Ask::Step(budget, cancel)) = asked.recv() {
        let context = Context { clock: Some(long::clock()), cancel: Some(&cancel), ..Context::default() };
        let progress = threads.run(|| job.step(budget, &context));
        if tell.send(Told::Progress(progress)).is_err() {
            return;
        }
    }
    let _ = tell.send(Told::Done(job.into_tiles()));
}

/// A warning of a bake: what, how often, and where first.
#[pyclass(module = "wayfare", name = "BakeWarning", frozen)]
pub(crate) struct PyWarning(wayfare::bake::Warning);

#[pymethods]
impl PyWarning {
    /// What is warned of, in one word.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// How often.
    #[getter]
    fn count(&self) -> u32 {
        self.0.count
    }

    /// Where, shape (n, 3): the first thousand places.
    #[getter]
    fn places<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        from_points(py, self.0.places.clone())
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.BakeWarning {} x {}>", self.kind(), self.count())
    }
}

/// What a bake says of itself: counts, times, warnings.
#[pyclass(module = "wayfare", name = "BakeReport", frozen)]
pub(crate) struct PyBakeReport(pub(crate) BakeReport);

#[pymethods]
impl PyBakeReport {
    /// Warnings, each with places.
    #[getter]
    fn warnings(&self) -> Vec<PyWarning> {
        self.0.warnings.iter().cloned().map(PyWarning).collect()
    }

    /// Seconds by stage, summed over threads.
    #[getter]
    fn times(&self) -> BTreeMap<&'static str, f64> {
        Stage::ALL.iter().map(|stage| (stage.name(), self.0.times.get(*stage).as_secs_f64())).collect()
    }

    /// The box that was baked.
    #[getter]
    fn bounds(&self) -> Option<Corners> {
        corners(&self.0.bounds)
    }

    /// Counts of tiles, spans, regions, contours, polygons.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (s, dict) = (&self.0.stats, PyDict::new(py));
        let counts: [(&str, u64); 17] = [
            ("tiles", s.tiles.into()),
            ("empty_tiles", s.empty_tiles.into()),
            ("reused_tiles", s.reused_tiles.into()),
            ("width", s.width.into()),
            ("depth", s.depth.into()),
            ("triangles_outside", s.tris_outside),
            ("spans", s.spans),
            ("walkable_spans", s.walkable_spans),
            ("eroded_spans", s.eroded_spans),
            ("max_distance", s.max_distance.into()),
            ("regions", s.regions),
            ("contours", s.contours),
            ("contour_vertices", s.contour_verts),
            ("poly_vertices", s.poly_verts),
            ("polys", s.polys),
            ("detail_vertices", s.detail_verts),
            ("detail_triangles", s.detail_tris),
        ];
        counts.iter().try_for_each(|(name, count)| dict.set_item(*name, *count))?;
        dict.set_item("poly_area", s.poly_area)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        let s = &self.0.stats;
        format!("<wayfare.BakeReport: {} tiles, {} polygons, {} warnings>", s.tiles, s.polys, self.0.warnings.len())
    }
}
