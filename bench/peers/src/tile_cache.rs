//! The C++ reference's tile cache: the layers of each tile of a level, compressed, and a Detour mesh whose tiles are
//! built from them anew where obstacles come and go.
//!
//! Set up as the Recast demo does, with its linear allocator. Two things differ: layers are compressed by LZ4 in place
//! of FastLZ, which the published package does not have and which is the slower of the two; and obstacles are enlarged
//! by the agent's radius, which the reference leaves to its callers.

use crate::job::{Bins, Job};
use crate::measure::{now, seconds};
use crate::recast::{DetourMesh, OpenField, Owned, Part, Silent, for_each_tile, mark_walkable, ok, open_field};
use recastnavigation_sys as sys;
use std::ffi::c_void;

/// Layers of a tile that are kept, as in the demo.
const MAX_LAYERS: i32 = 32;
const MAX_OBSTACLES: i32 = 256;
/// Requests that the reference takes before the next update.
const MAX_REQUESTS: usize = 64;
const SUCCESS: u32 = 1 << 30;
const FAILURE: u32 = 1 << 31;

/// Memory for one tile's build, thrown away as a whole. Far more than is needed.
struct Linear {
    memory: Vec<u64>,
    top: usize,
}

// SAFETY (the functions below): the reference passes back the pointers that it was given with them, and buffers of
// the lengths it tells.
unsafe extern "C" fn reset(linear: *mut c_void) {
    unsafe { (*linear.cast::<Linear>()).top = 0 };
}

unsafe extern "C" fn allocate(linear: *mut c_void, bytes: usize) -> *mut c_void {
    let linear = unsafe { &mut *linear.cast::<Linear>() };
    let words = bytes.div_ceil(8);
    if linear.top + words > linear.memory.len() {
        return std::ptr::null_mut();
    }
    linear.top += words;
    unsafe { linear.memory.as_mut_ptr().add(linear.top - words).cast() }
}

unsafe extern "C" fn free(_: *mut c_void, _: *mut c_void) {}

unsafe extern "C" fn max_compressed_size(_: *mut c_void, bytes: i32) -> i32 {
    lz4_flex::block::get_maximum_output_size(bytes as usize) as i32
}

/// What reads bytes and writes others, and says how many.
type Recode = fn(&[u8], &mut [u8]) -> Option<usize>;

/// Runs it on the reference's buffers.
unsafe fn recode(run: Recode, from: (*const u8, i32), to: (*mut u8, i32), written: *mut i32) -> u32 {
    let count = unsafe {
        run(std::slice::from_raw_parts(from.0, from.1 as usize), std::slice::from_raw_parts_mut(to.0, to.1 as usize))
    };
    match count {
        Some(count) => {
            unsafe { *written = count as i32 };
            SUCCESS
        }
        None => FAILURE,
    }
}

unsafe extern "C" fn compress(
    _: *mut c_void,
    from: *const u8,
    bytes: i32,
    to: *mut u8,
    most: i32,
    written: *mut i32,
) -> u32 {
    let run: Recode = |from, to| lz4_flex::block::compress_into(from, to).ok();
    unsafe { recode(run, (from, bytes), (to, most), written) }
}

unsafe extern "C" fn decompress(
    _: *mut c_void,
    from: *const u8,
    bytes: i32,
    to: *mut u8,
    most: i32,
    written: *mut i32,
) -> u32 {
    let run: Recode = |from, to| lz4_flex::block::decompress_into(from, to).ok();
    unsafe { recode(run, (from, bytes), (to, most), written) }
}

/// Gives every polygon the flag that the default filter asks for.
unsafe extern "C" fn give_flags(
    _: *mut c_void,
    params: *mut sys::dtNavMeshCreateParams,
    _areas: *mut u8,
    flags: *mut u16,
) {
    unsafe { std::slice::from_raw_parts_mut(flags, (*params).polyCount as usize).fill(1) };
}

/// Compressed layers, and the mesh that is built from them.
pub struct TileCache {
    cache: Owned<sys::dtTileCache>,
    mesh: DetourMesh,
    // Used by the cache, so they are dropped after it.
    _alloc: Owned<sys::dtTileCacheAlloc>,
    _compressor: Owned<sys::dtTileCacheCompressor>,
    _process: Owned<sys::dtTileCacheMeshProcess>,
    _memory: Box<Linear>,
    radius: f32,
    /// Of all layers, compressed.
    pub bytes: u64,
    /// Columns and rows of cells of all tiles, without borders.
    pub cells: u64,
}

impl TileCache {
    /// Rasterises a tiled level, and keeps its layers compressed; nothing is built of them yet.
    pub fn new(job: &Job) -> Result<Self, String> {
        let mut cache = Self::empty(job)?;
        let ctx = Silent::new();
        for_each_tile(job, &Bins::new(job), &mark_walkable(job), |part, tris| {
            let open = open_field(&ctx, job, part, tris)?;
            cache.add_layers(&ctx, job, part, &open)
        })?;
        Ok(cache)
    }

    fn empty(job: &Job) -> Result<Self, String> {
        let mut memory = Box::new(Linear { memory: vec![0; 1 << 17], top: 0 });
        let linear: *mut c_void = std::ptr::from_mut(&mut *memory).cast();
        // SAFETY: the functions have the signatures that are asked for, and `memory` lives as long as they are called.
        let (alloc, compressor, process) = unsafe {
            (
                sys::CreateForwardedTileCacheAlloc(linear, Some(reset), Some(allocate), Some(free)),
                sys::CreateForwardedTileCacheCompressor(
                    linear,
                    Some(max_compressed_size),
                    Some(compress),
                    Some(decompress),
                ),
                sys::CreateForwardedTileCacheMeshProcess(linear, Some(give_flags)),
            )
        };
        let cache = Owned::new(sys::dtAllocTileCache, sys::dtFreeTileCache);
        let [columns, rows] = job.tiles();
        let most = (columns * rows * 4) as u32;
        let params = sys::dtTileCacheParams {
            orig: job.min,
            cs: job.vx.cell_size,
            ch: job.vx.cell_height,
            width: job.vx.tile_size_vx as i32,
            height: job.vx.tile_size_vx as i32,
            walkableHeight: job.settings.agent.height,
            walkableRadius: job.settings.agent.radius,
            walkableClimb: job.settings.agent.max_climb,
            maxSimplificationError: job.vx.edge_max_error,
            maxTiles: most as i32,
            maxObstacles: MAX_OBSTACLES,
        };
        // SAFETY: all objects outlive the cache: see the order of the fields.
        ok(unsafe { (*cache.ptr).init(&params, alloc, compressor, process) }, "dtTileCache::init")?;
        let mesh = DetourMesh::for_tiles(job, most)?;
        Ok(Self {
            cache,
            mesh,
            _alloc: Owned { ptr: alloc, free: sys::DeleteTileCacheAlloc },
            _compressor: Owned { ptr: compressor, free: sys::DeleteTileCacheCompressor },
            _process: Owned { ptr: process, free: sys::DeleteTileCacheMeshProcess },
            _memory: memory,
            radius: job.settings.agent.radius,
            bytes: 0,
            cells: 0,
        })
    }

    fn add_layers(&mut self, ctx: &Silent, job: &Job, part: &Part, open: &OpenField) -> Result<(), String> {
        let set = Owned::new(sys::rcAllocHeightfieldLayerSet, sys::rcFreeHeightfieldLayerSet);
        // SAFETY: objects of the reference that are alive; planes have as many bytes as a layer has cells.
        unsafe {
            let height = job.vx.agent_height_vx as i32;
            if !sys::rcBuildHeightfieldLayers(ctx.0, &*open.ptr, part.border, height, &mut *set.ptr) {
                return Err("rcBuildHeightfieldLayers failed".into());
            }
            for number in 0..(*set.ptr).nlayers.min(MAX_LAYERS) {
                let layer = &*(*set.ptr).layers.add(number as usize);
                let mut header: sys::dtTileCacheLayerHeader = std::mem::zeroed();
                (header.magic, header.version) = (sys::DT_TILECACHE_MAGIC, sys::DT_TILECACHE_VERSION);
                [header.tx, header.ty] = part.coord;
                header.tlayer = number;
                (header.bmin, header.bmax) = (layer.bmin, layer.bmax);
                (header.width, header.height) = (layer.width as u8, layer.height as u8);
                (header.minx, header.maxx) = (layer.minx as u8, layer.maxx as u8);
                (header.miny, header.maxy) = (layer.miny as u8, layer.maxy as u8);
                (header.hmin, header.hmax) = (layer.hmin as u16, layer.hmax as u16);
                let (mut data, mut size) = (std::ptr::null_mut(), 0);
                let status = sys::dtBuildTileCacheLayer(
                    self._compressor.ptr,
                    &mut header,
                    layer.heights,
                    layer.areas,
                    layer.cons,
                    &mut data,
                    &mut size,
                );
                ok(status, "dtBuildTileCacheLayer")?;
                let flags = sys::dtCompressedTileFlags_DT_COMPRESSEDTILE_FREE_DATA as u8;
                ok((*self.cache.ptr).addTile(data, size, flags, std::ptr::null_mut()), "dtTileCache::addTile")?;
                self.bytes += size as u64;
                self.cells += (layer.width * layer.height) as u64;
            }
        }
        Ok(())
    }

    /// Builds all tiles.
    pub fn build_all(&mut self, job: &Job) -> Result<(), String> {
        let [columns, rows] = job.tiles();
        for (z, x) in (0..rows).flat_map(|z| (0..columns).map(move |x| (z, x))) {
            // SAFETY: both are alive.
            ok(unsafe { (*self.cache.ptr).buildNavMeshTilesAt(x, z, self.mesh.as_ptr()) }, "building a tile")?;
        }
        Ok(())
    }

    /// Asks for a cylinder around which agents are to keep their radius.
    pub fn add(&mut self, base: [f32; 3], radius: f32, height: f32) -> Result<u32, String> {
        let mut obstacle = 0;
        // SAFETY: a place of three numbers.
        let status =
            unsafe { (*self.cache.ptr).addObstacle(base.as_ptr(), radius + self.radius, height, &mut obstacle) };
        ok(status, "dtTileCache::addObstacle").map(|()| obstacle)
    }

    pub fn remove(&mut self, obstacle: u32) -> Result<(), String> {
        // SAFETY: no preconditions.
        ok(unsafe { (*self.cache.ptr).removeObstacle(obstacle) }, "dtTileCache::removeObstacle")
    }

    /// Rebuilds what was touched; seconds for each tile.
    pub fn update(&mut self) -> Result<Vec<f64>, String> {
        let mut times = Vec::new();
        let mut is_done = false;
        while !is_done {
            // SAFETY: both are alive.
            let update = || unsafe { (*self.cache.ptr).update(0.0, self.mesh.as_ptr(), &mut is_done) };
            let (status, time) = seconds(update);
            ok(status, "dtTileCache::update")?;
            times.push(time);
        }
        Ok(times)
    }

    /// Moves all obstacles in one frame, in parts as large as the reference takes requests; seconds.
    pub fn move_all(
        &mut self,
        obstacles: &mut [u32],
        mut to: impl FnMut(usize) -> [f32; 3],
        (radius, height): (f32, f32),
    ) -> Result<f64, String> {
        let began = now();
        for first in (0..obstacles.len()).step_by(MAX_REQUESTS / 2) {
            let end = (first + MAX_REQUESTS / 2).min(obstacles.len());
            for at in first..end {
                self.remove(obstacles[at])?;
                obstacles[at] = self.add(to(at), radius, height)?;
            }
            self.update()?;
        }
        Ok((now() - began).as_secs_f64())
    }

    pub fn mesh(&self) -> &DetourMesh {
        &self.mesh
    }
}
