//! The straight line: if the goal is visible from the start, no path is shorter.
//!
//! ```text
//!   S─ ┊─ ─ ┊─ ─ ─┊─ G      one walk along the line, from polygon to polygon, instead of a search
//! ```
//!
//! In open terrain this alone answers many requests; where the line ends at a wall, the walk cost little compared with
//! the search that follows.
//!
//! Cost: linear in the corners of the polygons crossed.
//!
//! Sources: none needed.

use super::search_tile::Barrier;
use crate::area::PathStatus;
use crate::math::funnel::Portal;
use crate::math::predicates::LineXz;
use crate::mesh::NavMesh;
use crate::query::line_walk::{Entered, Left, adjacent_over, leave};
use crate::query::string_pull::straight_line;
use crate::query::{PathRequest, PolyPath, QueryFilter, StraightPath};

/// Polygons after which a straight way is no longer followed: a mesh whose polygons fold over their own links must not
/// trap the walk.
const MOST_STEPS: usize = 4096;

/// Writes down the straight way from start to goal. `false` if there is none, or if it leads through a vertex, where
/// several polygons may go on; the path is then empty.
pub(super) fn line_of_sight<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    request: &PathRequest,
    barrier: &Barrier<'_, '_, F>,
    (path, straight): (&mut PolyPath, &mut StraightPath),
) -> bool {
    let found = walk(mesh, request, barrier, path).is_some();
    if found {
        (path.status, path.start, path.end) = (PathStatus::Complete, request.start.point, request.goal.point);
        path.nodes = path.polys.len() as u32;
        straight_line(path, straight);
    } else {
        path.clear();
    }
    found
}

fn walk<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    request: &PathRequest,
    barrier: &Barrier<'_, '_, F>,
    path: &mut PolyPath,
) -> Option<()> {
    let start = request.start;
    let goal = request.goal;
    let (tile, poly) = mesh.locate(start.poly).ok()?;
    let line = LineXz::new(start.point, goal.point);
    let mut at = Entered::new(tile, poly);
    path.polys.push(start.poly);
    for _ in 0..MOST_STEPS.min(request.limits.max_nodes as usize) {
        if path.polys.last() == Some(&goal.poly) {
            return Some(());
        }
        let Left::Over(exit) = leave(line, at) else { return None };
        let portal = if let Some(next) = at.beyond(exit) {
            at = next;
            Portal { left: exit.start(), right: exit.end() }
        } else {
            let mut ways = adjacent_over(mesh, at.tile, exit.beyond(), barrier.filter);
            let way = ways.find(|way| line.side(way.a) > 0.0 && line.side(way.b) < 0.0)?;
            at = Entered::new(way.tile, way.poly);
            Portal { left: way.a, right: way.b }
        };
        let reference = at.reference();
        if !barrier.passes(reference, at.tile.state(at.poly)) {
            return None;
        }
        path.portals.push(portal);
        path.polys.push(reference);
    }
    None
}
