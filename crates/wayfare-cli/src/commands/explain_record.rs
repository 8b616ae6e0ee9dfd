//! The record that `wayfare bake --keep-explain` writes beside a mesh: why each position is walkable or not.

use crate::baking::Work;
use crate::failure::{Failure, Result};
use crate::input::{Level, mesh_file};
use crate::output::atomic_file;
use crate::terminal::Terminal;
use std::path::{Path, PathBuf};
use wayfare::Vec3;
use wayfare::bake::{ExplainMap, TilePlan, explain_level};
use wayfare::context::{Context, Progress};
use wayfare::mesh::NavMesh;

/// The path of a mesh's record.
pub(super) fn record_path(mesh: &Path) -> PathBuf {
    let mut name = mesh.as_os_str().to_owned();
    name.push(".explain");
    name.into()
}

/// The input for the record of a mesh.
#[derive(Clone, Copy)]
pub(super) struct Kept<'a> {
    pub(super) digest: &'a str,
    /// A point on each surface inside a hollow body.
    pub(super) hollow: &'a [Vec3],
}

/// Replays the bake of a mesh, and writes the record of its reasons beside it.
pub(super) fn keep(
    (level, plan): (&Level, &TilePlan),
    (work, terminal): (Work, Terminal),
    of: Kept<'_>,
    output: &Path,
) -> Result<()> {
    let bar = terminal.bar("recording", plan.tile_count());
    let progress = |p: Progress| bar.set(p.done, p.total);
    let context = Context { progress: Some(&progress), ..Context::default() };
    let explain = || explain_level(level.input(), plan, &context);
    let map = work.pool()?.install(explain).map_err(Failure::new)?;
    atomic_file::write(&record_path(output), &map.with_hollow_surfaces(of.hollow.to_vec()).to_bytes(mark(of.digest)?))
}

/// The mark that identifies the mesh of a record.
fn mark(digest: &str) -> Result<u64> {
    let digits = digest.get(..16).unwrap_or(digest);
    u64::from_str_radix(digits, 16).map_err(|_| Failure::new("the mesh has no digest"))
}

/// A mesh and its record.
pub(super) fn read_record(mesh: &Path) -> Result<(NavMesh, ExplainMap)> {
    let (path, file) = (record_path(mesh), mesh_file::read_file(mesh)?);
    let bytes = std::fs::read(&path).map_err(|_| {
        Failure::about(
            mesh.display(),
            "was baked without --keep-explain: bake it with that option, or give the level instead of the mesh, with the \
             options that it is baked with",
        )
    })?;
    let (map, of) = ExplainMap::from_bytes(&bytes).map_err(|e| Failure::about(path.display(), e))?;
    if of != mark(&file.digest())? {
        return Err(Failure::about(
            path.display(),
            "belongs to another bake than the mesh: bake again with --keep-explain",
        ));
    }
    Ok((file.mesh, map))
}
