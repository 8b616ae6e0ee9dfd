//! Bakes: in one call, in steps, for several agents; and what they say about themselves.

use crate::border::{check_out, fill, fill_text, put, sized_list};
use crate::context::{WayfareContext, with_context};
use crate::geometry::{WayfareBox, WayfareVec3};
use crate::handle::{Handle, handle};
use crate::level::WayfareLevel;
use crate::mesh::{MeshObject, WayfareMesh};
use crate::settings::{WayfareBakeSettings, bake_settings};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use core::ffi::c_char;
use std::sync::{Arc, Mutex, PoisonError};
use wayfare_nav::bake::{BakeError, BakeJob, BakeReport, BakedTiles, EmptyBake, Stage, bake_agents, bake_tiles};
use wayfare_nav::context::{Budget, Context};
use wayfare_nav::input::{BakeSettings, HeightMap, Level, MarkedVolume, TriMesh};
use wayfare_nav::mesh::NavMesh;

/// What a bake did: counts, times, warnings.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareReport {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareReport, BakeReport, "report");

/// A bake in steps.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareBakeJob {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareBakeJob, Mutex<StepwiseBake>, "bake job");

pub(crate) fn bake_failure(error: BakeError) -> Failure {
    let status = match error {
        BakeError::Settings(_) | BakeError::OtherLayout => WayfareStatus::InvalidArgument,
        BakeError::Cancelled(_) => WayfareStatus::Cancelled,
        BakeError::TooMuchMemory(_) => WayfareStatus::Limit,
        _ => WayfareStatus::BakeFailed,
    };
    Failure::new(status, error)
}

pub(crate) fn mesh_of(baked: BakedTiles) -> Outcome<NavMesh> {
    NavMesh::from_tiles(baked.layout, baked.tiles).map_err(|e| Failure::new(WayfareStatus::BakeFailed, e))
}

fn keep_report(report: BakeReport, out: *mut WayfareReport) -> Outcome {
    if out.is_null() { Ok(()) } else { put!(out, WayfareReport::keep(report)?) }
}

/// Bakes a level into a mesh.
///
/// `settings` may be null for the defaults, `context` for none. `report` may be null; else it gets what the bake did, also
/// where nothing can be walked on, which is the status NOTHING_WALKABLE with a sentence that says why.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_bake(
    level: WayfareLevel,
    settings: *const WayfareBakeSettings,
    context: *const WayfareContext,
    mesh: *mut WayfareMesh,
    report: *mut WayfareReport,
) -> WayfareStatus {
    border(|| {
        let (parts, settings) = (level.read()?, bake_settings(settings)?);
        let level = parts.level()?;
        let (baked, told) =
            with_context(context, |context| bake_tiles(level, &settings, context).map_err(bake_failure))?;
        keep_report(told, report)?;
        if baked.tiles.is_empty() {
            let why = EmptyBake::of(level, &settings);
            return Err(Failure::new(WayfareStatus::NothingWalkable, format_args!("nothing can be walked on: {why}")));
        }
        put!(mesh, WayfareMesh::keep(MeshObject::new(mesh_of(baked)?))?)
    })
}

/// Bakes meshes for several agents from one pass over the level: `meshes` has room for `count`, as `settings` has
/// `count` structures one after the other, all of the same size. All must agree in cells, tiles and bounds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_bake_agents(
    level: WayfareLevel,
    settings: *const WayfareBakeSettings,
    count: usize,
    context: *const WayfareContext,
    meshes: *mut WayfareMesh,
) -> WayfareStatus {
    border(|| {
        // First, since what is kept for nobody would never be freed.
        if count > 0 {
            check_out(meshes, "meshes")?;
        }
        let given = sized_list!(settings, count)?;
        let settings: Vec<BakeSettings> = given.iter().map(WayfareBakeSettings::get).collect::<Outcome<_>>()?;
        let parts = level.read()?;
        let level = parts.level()?;
        let baked = with_context(context, |context| bake_agents(level, &settings, context).map_err(bake_failure))?;
        let made: Vec<NavMesh> = baked.into_iter().map(|(tiles, _)| mesh_of(tiles)).collect::<Outcome<_>>()?;
        let kept: Vec<WayfareMesh> =
            made.into_iter().map(|mesh| WayfareMesh::keep(MeshObject::new(mesh))).collect::<Outcome<_>>()?;
        let mut written = 0;
        fill!(meshes, count, &raw mut written, kept.into_iter())
    })
}

/// A level that a job holds while it works: its own copy, so that the caller's may go.
struct Held {
    mesh: TriMesh,
    terrain: Option<HeightMap>,
    volumes: Vec<MarkedVolume>,
}

impl Held {
    fn level(&self) -> Level<'_> {
        Level { mesh: &self.mesh, terrain: self.terrain.as_ref(), volumes: &self.volumes }
    }
}

/// A job and the level that it borrows from.
pub(crate) struct StepwiseBake {
    /// Borrows from `level`, and stands first so that it is dropped first.
    job: Option<BakeJob<'static>>,
    level: Arc<Held>,
    settings: BakeSettings,
}

/// Begins a bake that is done in steps; the level may be changed or freed meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_bake_job_new(
    level: WayfareLevel,
    settings: *const WayfareBakeSettings,
    job: *mut WayfareBakeJob,
) -> WayfareStatus {
    border(|| {
        let (parts, settings) = (level.read()?, bake_settings(settings)?);
        let terrain = parts.terrain.clone();
        let level = Arc::new(Held { mesh: parts.triangles()?, terrain, volumes: parts.volumes.clone() });
        // SAFETY: `level` is held beside the job, is never changed, and is dropped after it; an `Arc` does not move what it
        // holds. So what the job borrows lives as long as the job.
        let borrowed: Level<'static> = unsafe { core::mem::transmute::<Level<'_>, Level<'static>>(level.level()) };
        let begun = BakeJob::new(borrowed, &settings).map_err(bake_failure)?;
        let kept = StepwiseBake { job: Some(begun), level, settings };
        put!(job, WayfareBakeJob::keep(Mutex::new(kept))?)
    })
}

/// Bakes on for `budget` units of work (tiles' stages), at least one. `done` and `total` say how far it is; it is finished
/// once they are equal. Both may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_bake_job_step(
    job: WayfareBakeJob,
    budget: u64,
    context: *const WayfareContext,
    done: *mut u64,
    total: *mut u64,
) -> WayfareStatus {
    border(|| {
        let mut held = job.write()?;
        let held = held.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(job) = &mut held.job else { return Err(Failure::argument("the job has given its mesh")) };
        let step = |context: &Context<'_>| job.step(Budget::new(budget.max(1)), context).map_err(bake_failure);
        let progress = with_context(context, step)?;
        if !done.is_null() {
            put!(done, progress.done)?;
        }
        if total.is_null() { Ok(()) } else { put!(total, progress.total) }
    })
}

/// The mesh of a finished job, and its report (which may be null). The job is then of no more use, and must be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_bake_job_finish(
    job: WayfareBakeJob,
    mesh: *mut WayfareMesh,
    report: *mut WayfareReport,
) -> WayfareStatus {
    border(|| {
        let mut held = job.write()?;
        let held = held.get_mut().unwrap_or_else(PoisonError::into_inner);
        let is_finished = held.job.as_ref().is_some_and(|job| job.progress().is_finished());
        let Some(done) = held.job.take_if(|_| is_finished) else {
            return Err(Failure::argument("the job is not finished: step it until `done` equals `total`"));
        };
        let Some((baked, told)) = done.into_tiles().into_iter().next() else {
            return Err(Failure::new(WayfareStatus::Internal, "a job without a mesh"));
        };
        keep_report(told, report)?;
        if baked.tiles.is_empty() {
            let why = EmptyBake::of(held.level.level(), &held.settings);
            return Err(Failure::new(WayfareStatus::NothingWalkable, format_args!("nothing can be walked on: {why}")));
        }
        put!(mesh, WayfareMesh::keep(MeshObject::new(mesh_of(baked)?))?)
    })
}

/// Frees a job, finished or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_bake_job_free(job: WayfareBakeJob) -> WayfareStatus {
    border(|| job.free())
}

/// Counts of a bake.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareBakeStats {
    /// The box that was baked.
    pub bounds: WayfareBox,
    /// Tiles with surface.
    pub tiles: u32,
    /// Tiles without.
    pub empty_tiles: u32,
    /// Cells along x.
    pub width: u32,
    /// Cells along z.
    pub depth: u32,
    /// Triangles outside the bounds.
    pub triangles_outside: u64,
    /// Spans of the heightfield.
    pub spans: u64,
    /// Of these, walkable before erosion.
    pub walkable_spans: u64,
    /// Of these, walkable after it.
    pub eroded_spans: u64,
    /// Regions.
    pub regions: u64,
    /// Contours.
    pub contours: u64,
    /// Polygons.
    pub polys: u64,
    /// Their area seen from above, square metres.
    pub poly_area: f64,
    /// Triangles of the detail mesh.
    pub detail_triangles: u64,
}

/// The counts of a report.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_report_stats(report: WayfareReport, stats: *mut WayfareBakeStats) -> WayfareStatus {
    border(|| {
        let report = report.read()?;
        let counted = report.stats;
        put!(
            stats,
            WayfareBakeStats {
                bounds: report.bounds.into(),
                tiles: counted.tiles,
                empty_tiles: counted.empty_tiles,
                width: counted.width,
                depth: counted.depth,
                triangles_outside: counted.tris_outside,
                spans: counted.spans,
                walkable_spans: counted.walkable_spans,
                eroded_spans: counted.eroded_spans,
                regions: counted.regions,
                contours: counted.contours,
                polys: counted.polys,
                poly_area: counted.poly_area,
                detail_triangles: counted.detail_tris,
            }
        )
    })
}

/// Seconds that a stage took, 0 to 9 in their order; 0 unless the context asked for times. `name` may be null; else it
/// gets the stage's name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_report_stage(
    report: WayfareReport,
    stage: u32,
    seconds: *mut f64,
    name: *mut c_char,
    capacity: usize,
) -> WayfareStatus {
    border(|| {
        let report = report.read()?;
        let stage = Stage::ALL.get(stage as usize).copied();
        let stage = stage.ok_or_else(|| Failure::argument("`stage`: there are 0 to 9"))?;
        put!(seconds, report.times.get(stage).as_secs_f64())?;
        if name.is_null() {
            return Ok(());
        }
        let mut length = 0;
        fill_text!(name, capacity, &raw mut length, stage.name())
    })
}

/// A warning of a bake.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareWarning {
    /// What it warns of: `wayfare_report_warning_name` says it in words.
    pub kind: u32,
    /// How often.
    pub count: u32,
    /// 1 if it has a place.
    pub has_place: u32,
    /// The first place.
    pub place: WayfareVec3,
}

/// The warnings of a report.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_report_warnings(
    report: WayfareReport,
    warnings: *mut WayfareWarning,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let report = report.read()?;
        let told = report.warnings.iter().map(|warning| WayfareWarning {
            kind: warning.kind as u32,
            count: warning.count,
            has_place: warning.first_place().is_some().into(),
            place: warning.first_place().map_or(WayfareVec3::default(), Into::into),
        });
        fill!(warnings, capacity, count, told)
    })
}

/// All places of one warning of a report, as far as they were kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_report_warning_places(
    report: WayfareReport,
    warning: usize,
    places: *mut WayfareVec3,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let report = report.read()?;
        let warning =
            report.warnings.get(warning).ok_or_else(|| Failure::argument("`warning`: there are not so many"))?;
        fill!(places, capacity, count, warning.places.iter().map(|place| (*place).into()))
    })
}

/// A warning of a report in words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_report_warning_name(
    report: WayfareReport,
    warning: usize,
    name: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> WayfareStatus {
    border(|| {
        let report = report.read()?;
        let warning =
            report.warnings.get(warning).ok_or_else(|| Failure::argument("`warning`: there are not so many"))?;
        fill_text!(name, capacity, length, warning.kind.name())
    })
}

/// Frees a report.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_report_free(report: WayfareReport) -> WayfareStatus {
    border(|| report.free())
}
