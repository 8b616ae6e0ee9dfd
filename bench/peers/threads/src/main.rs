//! Tiled bakes on one thread and on as many as the machine has, in turns: `threads SCENE ROUNDS` prints one JSON
//! document. A program of its own, since the comparison with peers is built without threads.
//!
//! Measured is time on the wall, from triangles in memory to the finished mesh; what else runs on the machine counts.
//! So in each turn as many separate bakes as there are threads run side by side, each on one: what threads that have
//! nothing to do with one another gain on this machine, in this hour, is the most that can be had.
//! Of peak memory, what is held above what was held before.

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};
use std::time::Instant;
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::mesh::NavMesh;

/// Side of a tile in cells, as in the comparison with peers.
const TILE: u32 = 32;

/// Counts live bytes while it is on.
struct Counting;

static ON: AtomicBool = AtomicBool::new(false);
static LIVE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

fn count(bytes: i64) {
    if ON.load(Relaxed) {
        let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
        PEAK.fetch_max(live, Relaxed);
    }
}

// SAFETY: every call is passed on to the system allocator unchanged; only counters are touched besides.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: as above.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size as i64 - layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn peak_of(work: impl FnOnce()) -> i64 {
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    ON.store(true, Relaxed);
    work();
    ON.store(false, Relaxed);
    PEAK.load(Relaxed)
}

fn run(spec: &str, rounds: usize) -> Result<serde_json::Value, String> {
    let scene = wayfare_scenes::scene(spec).map_err(|e| e.to_string())?;
    let mesh = scene.mesh().map_err(|e| e.to_string())?;
    let settings = BakeSettings { tile_size: TILE, ..BakeSettings::default() };
    let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let pool = |threads: usize| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|e| format!("{threads} threads: {e}"))
    };
    let pools = [pool(1)?, pool(all)?];
    let bake = |pool: &rayon::ThreadPool| pool.install(|| whole_bake(&mesh, &settings));
    // These warm up.
    let ((first, tiles), (second, _)) = (bake(&pools[0])?, bake(&pools[1])?);
    let apart = (0..all).map(|_| pool(1)).collect::<Result<Vec<_>, _>>()?;
    let side_by_side = || std::thread::scope(|scope| apart.iter().for_each(|pool| drop(scope.spawn(|| bake(pool)))));
    let mut seconds = [const { Vec::new() }; 3];
    for _ in 0..rounds {
        for (pool, seconds) in pools.iter().zip(&mut seconds) {
            let began = Instant::now();
            let mesh = bake(pool)?;
            seconds.push(began.elapsed().as_secs_f64());
            drop(mesh);
        }
        let began = Instant::now();
        side_by_side();
        seconds[2].push(began.elapsed().as_secs_f64());
    }
    let peaks = pools.each_ref().map(|pool| peak_of(|| drop(bake(pool))));
    Ok(serde_json::json!({
        "threads": all, "triangles": mesh.tris().len(), "tiles": tiles, "equal": first.to_bytes() == second.to_bytes(),
        "one": seconds[0], "all": seconds[1], "apart": seconds[2], "peak_one": peaks[0], "peak_all": peaks[1],
    }))
}

/// The mesh, and how many tiles were baked.
fn whole_bake(mesh: &TriMesh, settings: &BakeSettings) -> Result<(NavMesh, u64), String> {
    let (baked, report) = bake_tiles(mesh, settings, &Context::default()).map_err(|e| e.to_string())?;
    let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).map_err(|e| e.to_string())?;
    Ok((mesh, u64::from(report.stats.tiles)))
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [spec, rounds] = &words[..] else {
        eprintln!("usage: threads SCENE ROUNDS");
        return ExitCode::from(2);
    };
    match rounds.parse().map_err(|e| format!("{rounds}: {e}")).and_then(|rounds| run(spec, rounds)) {
        Ok(result) => {
            println!("{result}");
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("{spec}: {e}");
            ExitCode::from(2)
        }
    }
}
