//! Wayfare for Python.
//!
//! Each file wraps one part of the library. What Python gives is looked at first: whatever is wrong with it is an exception with a
//! sentence, never an abort. Long work releases the interpreter's lock.

mod arrays;
mod bake;
mod batch;
mod blocks;
mod bounds;
mod corridor;
mod crowd;
mod crowd_events;
mod errors;
mod explain;
mod filter;
mod formation;
mod grid;
mod held;
mod hierarchy;
mod level;
mod live_level;
mod long;
mod mesh;
mod obstacles;
mod overlay;
mod params;
mod path;
mod picture;
mod planner;
mod query;
mod search;
mod settings;
mod stages;
mod store;
mod threads;
mod whole;
mod world;

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(wayfare, Cancelled, PyException, "Work that was cancelled from another thread.");

/// The compiled part of wayfare.
#[pymodule(gil_used = true)]
mod _wayfare {
    /// The version of the library.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use super::Cancelled;
    #[pymodule_export]
    use crate::bake::{PyAutoLink, PyBakeJob, PyBakeReport, PyWarning, bake, bake_agents, py_find_links, rebake};
    #[pymodule_export]
    use crate::blocks::{PyBlockCorridor, PyBlockNav, PyBlockPath, PyBlockWorld};
    #[pymodule_export]
    use crate::bounds::PyCostBounds;
    #[pymodule_export]
    use crate::corridor::PyCorridor;
    #[pymodule_export]
    use crate::crowd::{PyAgentId, PyCrowd};
    #[pymodule_export]
    use crate::crowd_events::PyCrowdEvent;
    #[pymodule_export]
    use crate::errors::{BakeError, FormatError, OutdatedError, StaleReferenceError, WorldStoreError};
    #[pymodule_export]
    use crate::explain::{PyExplainMap, explain};
    #[pymodule_export]
    use crate::filter::PyFilter;
    #[pymodule_export]
    use crate::formation::PyFormation;
    #[pymodule_export]
    use crate::grid::{PyGridObstacle, PyLocalGrid};
    #[pymodule_export]
    use crate::hierarchy::{PyAbstractGraph, PyResidentWorld};
    #[pymodule_export]
    use crate::level::PyLevel;
    #[pymodule_export]
    use crate::live_level::PyLiveLevel;
    #[pymodule_export]
    use crate::long::PyCancel;
    #[pymodule_export]
    use crate::mesh::{
        PyClearance, PyMeshVersion, PyNavMesh, mesh_from_outlines, mesh_from_polys, poly_name, poly_named,
    };
    #[pymodule_export]
    use crate::obstacles::{PyObjectId, PyObjectLevel, PyObstacleId, PyObstacles, PyRequest};
    #[pymodule_export]
    use crate::overlay::PyOverlay;
    #[pymodule_export]
    use crate::params::{_agent_defaults, _avoidance_defaults, _crowd_defaults, pedestrians};
    #[pymodule_export]
    use crate::path::{PyPath, PyPaths, PyPlace, PyRay, PyWall};
    #[pymodule_export]
    use crate::picture::scenes;
    #[pymodule_export]
    use crate::planner::{PyPathQueue, PyQueuedPath, PyRequestId};
    #[pymodule_export]
    use crate::query::PyQuery;
    #[pymodule_export]
    use crate::search::{PyCostMap, PySlicedSearch};
    #[pymodule_export]
    use crate::settings::{_default_settings, _links_for_agent, _settings_advice, _settings_for_agent, PyFrame};
    #[pymodule_export]
    use crate::stages::{avoid_velocity, bake_stages, py_convex_hull, py_convex_hull3};
    #[pymodule_export]
    use crate::store::{
        _head_difference, _index_has_surface, _index_parts, _index_tiles, _merge_indices, PyStore, compact_store,
        join_stores, repair_store,
    };
    #[pymodule_export]
    use crate::threads::{_after_fork, set_threads};
    #[pymodule_export]
    use crate::world::{_bake_range, _head_with_levels, _placed_triangles, PyGenerated, bake_world, plan_world};
}
