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
//! - Settings are structures that begin with their own size, so that later versions can add fields.
//! - Results are written into the caller's memory. A list says how many values there are; where the capacity is less,
//!   nothing is lost: it is asked for again.
//! - No panic crosses the border.
//!
//! This is the one place of the project with `unsafe`. It stands in [`border`], and in callbacks.

mod avoid;
mod bake;
mod bake_extras;
mod batch;
mod blocks;
mod border;
mod bytes;
mod context;
mod corridor;
mod crowd;
mod crowd_extras;
mod crowd_params;
mod draw;
mod dynamic;
mod filter;
mod geometry;
mod grid;
mod handle;
mod hierarchy;
mod level;
mod mesh;
mod mesh_changes;
mod mesh_connections;
mod mesh_polygons;
mod mesh_tiles;
mod overlay;
mod paths;
mod queue;
mod query;
mod query_around;
mod search;
mod settings;
mod status;
mod store;
mod volume;
