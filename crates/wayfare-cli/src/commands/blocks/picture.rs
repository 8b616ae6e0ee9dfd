//! The picture of `wayfare blocks`: the built parts, the rest of the world, and the paths.

use super::report::Run;
use crate::failure::Result;
use crate::output::draw_picture;
use std::path::Path;
use wayfare::area::{AreaId, PathStatus};
use wayfare::blocks::{BlockNav, DenseBlocks};
use wayfare::debug::{Role, ShapeList, draw_block_nav, draw_block_world, draw_partial_path, draw_path};
use wayfare_draw::Caption;

/// More paths would make the picture unreadable.
const MOST_PATHS: usize = 8;

/// How things are drawn.
const SAMPLES: [(Role, &str); 6] = [
    (Role::Solid, "not built"),
    (Role::Ground(AreaId::WALKABLE), "built"),
    (Role::TileEdge, "edge of a node, not connected yet"),
    (Role::InnerEdge, "edge of a connected node"),
    (Role::Start(0), "start"),
    (Role::Goal(0), "goal"),
];

pub(super) fn draw(
    name: &str,
    nav: &BlockNav,
    world: &DenseBlocks,
    runs: &[Run],
    size: u32,
    target: &Path,
) -> Result<()> {
    let mut shapes = ShapeList::new();
    draw_block_world(world, &mut shapes);
    draw_block_nav(nav, &mut shapes);
    let mut key = Vec::new();
    for (number, run) in (0u32..).zip(runs.iter().take(MOST_PATHS)) {
        let result = if run.path.status == PathStatus::Complete {
            draw_path(&run.path.points, run.to, number, &mut shapes);
            format!("{:.1} m, {} nodes", run.path.length, run.path.visited)
        } else {
            draw_partial_path(&run.path.points, run.to, number, &mut shapes);
            "not reached".to_owned()
        };
        let place = |p: wayfare::Vec3| format!("{},{},{}", p.x, p.y, p.z);
        key.push(format!("{} to {}: {result}", place(run.from), place(run.to)));
    }
    let stats = nav.stats();
    let short = Path::new(name).file_name().map_or_else(|| name.to_owned(), |n| n.to_string_lossy().into_owned());
    let title = format!("{short}: {} mini meshes built, {} connected", stats.built, stats.connected);
    draw_picture(&shapes, &Caption { title, paths: key, samples: &SAMPLES, ..Caption::default() }, size, target)
}
