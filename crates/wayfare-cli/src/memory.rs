//! Memory limits of a bake, checked before it begins: an allocation that fails in the middle would end the program
//! without a helpful message.

use crate::failure::{Failure, Result};
use wayfare::bake::{BYTES_A_CELL, BYTES_A_SPAN, TilePlan};
use wayfare::input::TriMesh;
use wayfare::voxel::TriangleBins;

/// Peak memory of a cell of an untiled bake, for a single level surface.
const BYTES_A_CELL_OF_GROUND: u64 = BYTES_A_CELL + BYTES_A_SPAN;

/// The default limit: most of the free memory, since the mesh itself needs some as well.
pub(crate) fn default_limit() -> Option<u64> {
    available().map(|bytes| bytes / 8 * 7)
}

/// The share of each tile in progress, for the library: several are processed at the same time, one per thread.
pub(crate) fn of_each_tile(limit: u64, plan: &TilePlan, threads: usize) -> u64 {
    let at_once = plan.tile_count().min(threads.max(1) as u64).max(1);
    limit / at_once
}

/// Fails if the known memory would exceed `limit`: that of one heightfield over the whole level, or of the lists of
/// triangles per tile.
pub(crate) fn check(mesh: &TriMesh, plan: &TilePlan, limit: u64) -> Result<()> {
    let (level, tile) = (&plan.level, plan.settings.tile_size_vx);
    let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
    if plan.tile_count() == 1 {
        let needed = u64::from(level.width) * u64::from(level.depth) * BYTES_A_CELL_OF_GROUND;
        if needed > limit {
            return Err(Failure::new(format_args!(
                "{} x {} cells in one tile need about {:.1} GiB of memory, but {:.1} GiB are available: bake in tiles, as \
                 with --tile-size 256, use a larger --cell-size (now {}), allow more with --memory-limit, or, if its sizes \
                 are not in metres, --scale",
                level.width,
                level.depth,
                gib(needed),
                gib(limit),
                plan.settings.cell_size
            )));
        }
        return Ok(());
    }
    let needed = TriangleBins::bytes(mesh, level, [tile; 2], plan.settings.border_vx);
    if needed > limit {
        return Err(Failure::new(format_args!(
            "{} x {} tiles, with triangles that touch many of them, need about {:.1} GiB of memory, but {:.1} GiB are \
             available: use a larger --tile-size (now {tile}) or --cell-size, or allow more with --memory-limit",
            plan.columns,
            plan.rows,
            gib(needed),
            gib(limit)
        )));
    }
    Ok(())
}

/// Bytes that this process may still allocate; `None` if unknown.
fn available() -> Option<u64> {
    match (limit(), free()) {
        (Some(limit), Some(free)) => Some(limit.min(free)),
        (limit, free) => limit.or(free),
    }
}

/// The limit on this process's addresses (`ulimit -v`), if there is one.
#[cfg(unix)]
fn limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current
}

#[cfg(not(unix))]
fn limit() -> Option<u64> {
    None
}

/// The available memory according to Linux.
fn free() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kib: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::Vec3;
    use wayfare::input::BakeSettings;

    /// The estimate for this many triangles spread over a whole square level.
    fn refused(triangles: usize, tile_size: u32, limit: u64) -> Option<String> {
        let verts = vec![Vec3::ZERO, Vec3::new(0.0, 0.0, 3000.0), Vec3::new(3000.0, 0.0, 3000.0)];
        let mesh = TriMesh::new(verts, vec![[0, 1, 2]; triangles]).unwrap();
        let plan = TilePlan::new(&mesh, &BakeSettings { tile_size, ..BakeSettings::default() }).unwrap();
        match check(&mesh, &plan, limit) {
            Err(Failure::Message(message)) => Some(message),
            _ => None,
        }
    }

    #[test]
    fn what_cannot_fit_is_refused_and_tiles_are_not() {
        let one = refused(1, 0, 1 << 30).unwrap();
        assert!(one.starts_with("10000 x 10000 cells in one tile need about 6.5 GiB"), "{one}");
        assert_eq!(refused(1, 0, 16 << 30), None);
        assert_eq!(refused(1, 64, 1 << 30), None);
        let bins = refused(10_000, 64, 1 << 28).unwrap();
        assert!(
            bins.starts_with("157 x 157 tiles, with triangles that touch many of them, need about 0.9 GiB"),
            "{bins}"
        );
    }
}
