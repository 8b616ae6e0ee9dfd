//! Wayfare for C: every capability of the library behind plain functions, opaque handles and a status.
//!
//! ```text
//!   C, C++, C# ──> extern "C" fn ──> border (catch panics, check pointers) ──> handles (check salts, borrow) ──> wayfare
//! ```
//!
//! The rules of the border, which `include/wayfare.h` repeats for its readers:
//!
//! - Every call returns a [`status::WayfareStatus`]. After one that is not OK, `wayfare_last_error` gives a sentence, for
//!   the thread that called. Answers such as "no path" are no errors.
//! - A handle is a number with a salt. One that was freed, or never made, is `DEAD_HANDLE`; it is never followed.
//! - Handles may be used from any thread. A call that reads an object may run beside others that read it; one that changes
//!   it needs it alone, and gives `BUSY` where it is not: nobody waits, and nothing is torn.
//! - Settings are structures that begin with their own size, so that later versions can add fields. Functions that fill
//!   them are given that size.
//! - Results are written into the caller's memory. A list says how many values there are; where the capacity is less,
//!   nothing is lost: it is asked for again.
//! - No panic crosses the border.
//!
//! This is the one place of the project with `unsafe`. It stands in [`border`], and in callbacks.

pub mod avoid;
pub mod bake;
pub mod bake_extras;
pub mod batch;
pub mod block_walk;
pub mod blocks;
mod border;
pub mod bytes;
pub mod choices;
pub mod context;
pub mod corridor;
pub mod cost_bounds;
pub mod crowd;
pub mod crowd_extras;
mod crowd_object;
pub mod crowd_params;
pub mod draw;
pub mod dynamic;
pub mod filter;
pub mod geometry;
pub mod grid;
mod handle;
pub mod hierarchy;
pub mod level;
pub mod live_level;
pub mod mesh;
pub mod mesh_changes;
pub mod mesh_connections;
pub mod mesh_polygons;
pub mod mesh_tiles;
mod names;
pub mod overlay;
pub mod paths;
pub mod query;
pub mod query_around;
pub mod queue;
pub mod search;
pub mod settings;
pub mod status;
pub mod store;
pub mod volume;
