//! Wayfare as WebAssembly: plain exports, on which the package's TypeScript is written.
//!
//! Nothing here is meant to be called by users. Points come as three numbers, lists as typed arrays, settings as the
//! options object itself; answers go out as typed arrays, or as plain objects where time does not matter. Every error
//! is the package's own `WayfareError`, with a code and a sentence.
//!
//! | file | |
//! |---|---|
//! | `fault` | errors on their way out |
//! | `options`, `named` | options objects into settings |
//! | `record` | answers into plain objects |
//! | `callback` | functions of the page: progress, filters, and what they throw |
//! | `memory` | the allocator |

mod callback;
mod fault;
mod memory;
#[cfg_attr(not(feature = "mesh"), allow(dead_code, reason = "blocks have options of few kinds"))]
mod options;
#[cfg_attr(not(feature = "mesh"), allow(dead_code, reason = "blocks have answers of few kinds"))]
mod record;

#[cfg(feature = "mesh")]
mod areas;
#[cfg(feature = "extra")]
mod avoid;
#[cfg(feature = "mesh")]
mod bake;
#[cfg(feature = "mesh")]
mod batch;
#[cfg(feature = "mesh")]
mod checkpoints;
#[cfg(feature = "mesh")]
mod connections;
#[cfg(feature = "mesh")]
mod corridor;
#[cfg(feature = "extra")]
mod cost_bounds;
#[cfg(feature = "extra")]
mod cost_map;
#[cfg(feature = "mesh")]
mod crowd;
#[cfg(feature = "mesh")]
mod crowd_agents;
#[cfg(feature = "mesh")]
mod crowd_events;
#[cfg(feature = "mesh")]
mod crowd_obstacles;
#[cfg(feature = "extra")]
mod explain;
#[cfg(feature = "mesh")]
mod filter;
#[cfg(feature = "extra")]
mod formation;
#[cfg(feature = "mesh")]
mod geometry;
#[cfg(any(feature = "mesh", feature = "blocks"))]
mod grid_obstacle;
#[cfg(feature = "mesh")]
mod level;
#[cfg(feature = "extra")]
mod links;
#[cfg(feature = "mesh")]
mod mesh;
#[cfg(feature = "mesh")]
mod named;
#[cfg(feature = "mesh")]
mod numbers;
#[cfg(feature = "mesh")]
mod obstacles;
#[cfg(feature = "mesh")]
mod overlay;
#[cfg(feature = "mesh")]
mod path;
#[cfg(feature = "mesh")]
mod path_queue;
#[cfg(feature = "mesh")]
mod planner;
#[cfg(feature = "mesh")]
mod query;
#[cfg(feature = "mesh")]
mod query_around;
#[cfg(feature = "mesh")]
mod refs;
#[cfg(feature = "mesh")]
mod report;
#[cfg(feature = "mesh")]
mod tiles;
#[cfg(feature = "mesh")]
mod volume;

#[cfg(feature = "extra")]
mod crowd_save;
#[cfg(feature = "extra")]
mod extra;
#[cfg(feature = "extra")]
mod live_level;
#[cfg(feature = "extra")]
mod mesh_extra;
#[cfg(feature = "extra")]
mod rebake;

#[cfg(feature = "blocks")]
mod block_source;
#[cfg(feature = "blocks")]
mod blocks;
#[cfg(feature = "blocks")]
mod grid;

/// The version of the library.
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
