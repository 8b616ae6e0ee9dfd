//! Bakes, step by step: whoever calls decides how much is done at a time, tells progress, and stops by not going on.

use crate::callback::{Callback, MEMORY_LIMIT, PageLog, rethrow};
use crate::fault::{Answer, Fault, option_names};
use crate::level::{LevelParts, RawLevel};
use crate::mesh::RawMesh;
use crate::named::bake_settings;
use crate::report;
use js_sys::Function;
use self_cell::self_cell;
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wayfare::bake::{BakeError, BakeJob, BakeReport, BakedTiles, EmptyBake, TilePlan, TileSink, bake_agents_planned};
use wayfare::context::{Budget, Cancelled, Context, Log};
use wayfare::input::BakeSettings;
use wayfare::mesh::NavMesh;
use wayfare::tile::{TileCoord, TileData, TileKeys};

self_cell!(
    /// A job and the level that it reads.
    struct OwnedJob {
        owner: Rc<LevelParts>,

        #[not_covariant]
        dependent: BakeJob,
    }
);

#[wasm_bindgen(js_name = RawBakeJob)]
pub struct RawBakeJob {
    job: Option<OwnedJob>,
    level: Rc<LevelParts>,
    settings: Vec<BakeSettings>,
    baked: VecDeque<(BakedTiles, BakeReport)>,
    log: Option<PageLog>,
    memory_limit: u64,
}

pub(crate) fn context() -> Context<'static> {
    Context { memory_limit: Some(MEMORY_LIMIT), ..Context::default() }
}

#[wasm_bindgen(js_class = RawBakeJob)]
impl RawBakeJob {
    /// A bake for one agent, or for several at once.
    #[wasm_bindgen(constructor)]
    pub fn new(level: &RawLevel, options: Vec<JsValue>) -> Answer<RawBakeJob> {
        let settings = options.iter().map(bake_settings).collect::<Answer<Vec<_>>>()?;
        if settings.is_empty() {
            return Err(Fault::new("settings", "a bake needs the settings of at least one agent"));
        }
        let level = Rc::clone(&level.parts);
        let job = OwnedJob::try_new(Rc::clone(&level), |level| BakeJob::of_agents(level.level(), &settings))?;
        let baked = VecDeque::new();
        Ok(Self { job: Some(job), level, settings, baked, log: None, memory_limit: MEMORY_LIMIT })
    }

    /// Takes the bake's remarks.
    #[wasm_bindgen(js_name = setLog)]
    pub fn set_log(&mut self, function: Function) {
        self.log = Some(PageLog(Callback::new(function)));
    }

    /// Bytes that it may take.
    #[wasm_bindgen(js_name = setMemoryLimit)]
    pub fn set_memory_limit(&mut self, bytes: f64) {
        self.memory_limit = bytes.max(0.0) as u64;
    }

    /// Goes on by a number of units, 0 for no limit, and says how far it is: done and total.
    pub fn step(&mut self, units: f64) -> Answer<Vec<f64>> {
        let budget = if units > 0.0 { Budget::new(units as u64) } else { Budget::unlimited() };
        let Some(job) = &mut self.job else {
            return Err(Fault::new("bake", "the bake is over"));
        };
        let log = self.log.as_ref().map(|log| log as &dyn Log);
        let context = Context { memory_limit: Some(self.memory_limit), log, ..Context::default() };
        let progress = job.with_dependent_mut(|_, job| job.step(budget, &context));
        rethrow()?;
        let progress = progress?;
        if progress.is_finished() {
            self.baked = self.job.take().map_or_else(VecDeque::new, |mut job| {
                job.with_dependent_mut(|level, job| {
                    // The job is taken out by leaving an empty one.
                    let empty = BakeJob::of_agents(level.level(), &self.settings);
                    empty.map_or_else(|_| VecDeque::new(), |empty| core::mem::replace(job, empty).into_tiles().into())
                })
            });
        }
        Ok(vec![progress.done as f64, progress.total as f64])
    }

    /// The next agent's mesh, when all is baked.
    #[wasm_bindgen(js_name = takeMesh)]
    pub fn take_mesh(&mut self, is_keyed: bool) -> Answer<RawBaked> {
        let Some((tiles, report)) = self.baked.pop_front() else {
            return Err(Fault::new("bake", "the bake is not finished"));
        };
        let settings = self.settings[self.settings.len() - 1 - self.baked.len()];
        let empty = tiles.tiles.is_empty().then(|| EmptyBake::of(self.level.level(), &settings));
        let mesh = NavMesh::from_tiles(tiles.layout, tiles.tiles)?;
        #[cfg(feature = "extra")]
        let keys = if is_keyed {
            wayfare::bake::tile_keys(self.level.level(), &TilePlan::new(self.level.level(), &settings)?)
        } else {
            TileKeys::EMPTY
        };
        #[cfg(not(feature = "extra"))]
        let keys = if is_keyed { return Err(crate::fault::not_here("keep")) } else { TileKeys::EMPTY };
        Ok(RawBaked { mesh: Some(RawMesh::new(mesh, keys)), report, empty })
    }
}

/// A mesh with its report.
#[wasm_bindgen(js_name = RawBaked)]
pub struct RawBaked {
    pub(crate) mesh: Option<RawMesh>,
    pub(crate) report: BakeReport,
    pub(crate) empty: Option<EmptyBake>,
}

#[wasm_bindgen(js_class = RawBaked)]
impl RawBaked {
    #[wasm_bindgen(js_name = takeMesh)]
    pub fn take_mesh(&mut self) -> Option<RawMesh> {
        self.mesh.take()
    }

    pub fn report(&self) -> JsValue {
        report::to_object(&self.report)
    }

    /// Why nothing can be walked on, where that is so.
    #[wasm_bindgen(js_name = whyEmpty)]
    pub fn why_empty(&self) -> Option<String> {
        self.empty.as_ref().map(ToString::to_string)
    }
}

/// Some of the tiles of a level, baked by one of several workers.
#[wasm_bindgen(js_name = RawTiles)]
pub struct RawTiles {
    plan: TilePlan,
    tiles: Vec<TileData>,
    report: BakeReport,
}

/// Bakes only the tiles of a range, and counts the others as known to be empty.
struct Range {
    columns: u32,
    wanted: core::ops::Range<u64>,
    tiles: Vec<TileData>,
}

impl TileSink for Range {
    fn known(&mut self, coord: TileCoord) -> Option<Option<TileData>> {
        let number = coord.z as u64 * u64::from(self.columns) + coord.x as u64;
        (!self.wanted.contains(&number)).then_some(None)
    }

    fn take(&mut self, _: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled> {
        self.tiles.extend(tile);
        Ok(())
    }
}

#[wasm_bindgen(js_class = RawTiles)]
impl RawTiles {
    /// Bakes the tiles from one number up to another, row by row.
    pub fn bake(level: &RawLevel, options: &JsValue, from: f64, to: f64) -> Answer<RawTiles> {
        let settings = bake_settings(options)?;
        let level = level.parts.level();
        let plan = TilePlan::new(level, &settings)?;
        let mut report = plan.report(&level, &settings);
        let mut sink = Range { columns: plan.columns, wanted: from as u64..to as u64, tiles: Vec::new() };
        bake_agents_planned(
            level,
            core::slice::from_ref(&plan),
            &context(),
            core::slice::from_mut(&mut report),
            &mut [&mut sink],
        )?;
        Ok(Self { plan, tiles: sink.tiles, report })
    }

    /// How many tiles the level has: columns and rows.
    pub fn plan(level: &RawLevel, options: &JsValue) -> Answer<Vec<u32>> {
        let plan = TilePlan::new(level.parts.level(), &bake_settings(options)?)?;
        Ok(vec![plan.columns, plan.rows])
    }

    /// The blocks of all tiles, one after another, each after its length.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for tile in &self.tiles {
            let block = tile.block();
            bytes.extend((block.len() as u32).to_le_bytes());
            bytes.extend_from_slice(&block);
        }
        bytes
    }

    pub fn report(&self) -> JsValue {
        report::to_object(&self.report)
    }

    /// Why nothing can be walked on, where that is so.
    #[wasm_bindgen(js_name = whyEmpty)]
    pub fn why_empty(&self, level: &RawLevel, options: &JsValue) -> Answer<Option<String>> {
        let settings = bake_settings(options)?;
        let level = level.parts.level();
        Ok(self.tiles.is_empty().then(|| EmptyBake::of(level, &settings).to_string()))
    }

    /// Takes in what another worker baked, in the order of the tiles.
    pub fn append(&mut self, bytes: &[u8]) -> Answer<()> {
        let mut rest = bytes;
        while let Some((length, after)) = rest.split_first_chunk::<4>() {
            let length = u32::from_le_bytes(*length) as usize;
            let Some((block, after)) = after.split_at_checked(length) else {
                return Err(Fault::new("format", "a worker's tiles end in the middle of a tile"));
            };
            self.tiles.push(TileData::from_block(block)?);
            rest = after;
        }
        Ok(())
    }

    #[wasm_bindgen(js_name = takeMesh)]
    pub fn take_mesh(&mut self) -> Answer<RawMesh> {
        let tiles = core::mem::take(&mut self.tiles);
        Ok(RawMesh::new(NavMesh::from_tiles(self.plan.layout(), tiles)?, TileKeys::EMPTY))
    }
}

/// Advice on settings that are legal and unwise, a sentence each.
#[wasm_bindgen(js_name = settingsWarnings)]
pub fn settings_warnings(options: &JsValue) -> Answer<Vec<String>> {
    let settings = bake_settings(options)?;
    settings.to_voxel().map_err(BakeError::from)?;
    Ok(settings
        .warnings()
        .iter()
        .map(|warning| option_names(&format!("{} is {}: {}", warning.name, warning.value, warning.advice)))
        .collect())
}
