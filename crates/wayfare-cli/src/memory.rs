//! Whether a bake fits in memory, told before it begins: an allocation that fails in the middle ends the program
//! without a word about what to do.

use crate::failure::{Failure, Result};
use wayfare::input::BakeSettings;
use wayfare::math::Aabb;
use wayfare::voxel::Grid;

/// What a cell of an untiled bake takes at its worst moment, ground on one level: 66 bytes measured on flat ground
/// (4,000,000 cells, 273 MB), the mesh's own not counted.
const BYTES_A_CELL: u64 = 70;

/// Fails if one heightfield over the whole level would not fit in the memory that is available. Tiles always fit.
pub(crate) fn check(level: Aabb, settings: &BakeSettings) -> Result<()> {
    match available() {
        Some(available) => fits(level, settings, available),
        None => Ok(()),
    }
}

fn fits(level: Aabb, settings: &BakeSettings, available: u64) -> Result<()> {
    let Ok(vx) = settings.to_voxel() else { return Ok(()) };
    if settings.tile_size > 0 {
        return Ok(());
    }
    // A level that has no grid at all is refused by the bake, with its own words.
    let Ok(grid) = Grid::of_level(level, &vx) else { return Ok(()) };
    let needed = u64::from(grid.width) * u64::from(grid.depth) * BYTES_A_CELL;
    if grid.check_size().is_ok() && needed > available {
        let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
        return Err(Failure::new(format_args!(
            "{} x {} cells in one tile need about {:.1} GiB of memory, but {:.1} GiB are available: bake in tiles, as with \
             --tile-size 256, use a larger --cell-size (now {}), or, if its sizes are not in metres, --scale",
            grid.width,
            grid.depth,
            gib(needed),
            gib(available),
            settings.cell_size
        )));
    }
    Ok(())
}

/// Bytes that this process may still take; `None` where that is unknown.
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

/// What the system could give, as Linux tells it.
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

    #[test]
    fn what_cannot_fit_is_refused_and_tiles_are_not() {
        let level = Aabb { min: Vec3::ZERO, max: Vec3::new(3000.0, 0.0, 3000.0) };
        let solo = BakeSettings::default();
        let Err(Failure::Message(m)) = fits(level, &solo, 1 << 30) else { panic!("fits") };
        assert!(m.starts_with("10000 x 10000 cells in one tile need about 6.5 GiB"), "{m}");
        assert!(fits(level, &solo, 16 << 30).is_ok());
        assert!(fits(level, &BakeSettings { tile_size: 64, ..solo }, 1 << 30).is_ok());
    }
}
