//! A whole path by hierarchical search: all corridors, one after the other.
//!
//! Corridors are found one by one, so the path may return to a polygon that it has crossed before: such loops are cut
//! out. If all tiles are in memory and the hierarchical search finds no path, an ordinary search decides: so "no path"
//! is always right, and the answer leads to the nearest position that can be reached.
//!
//! Cost: that of the corridors; if no path is found in memory, also that of an ordinary search.
//!
//! Sources: Mikko Mononen, "Sketch for Hierarchical Pathfinding Using Detour", Digesting Duck, March 2010.

use super::HierarchyScratch;
use super::hierarchical_path::{HierarchicalPath, NextCorridor, Refinement};
use super::tile_access::{NotLoaded, TileAccess};
use crate::area::PathStatus;
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use crate::query::{BrokenBy, PathRequest, PolyPath, QueryFilter, find_path_into};

/// The answer of a hierarchical search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HierarchicalAnswer {
    /// The path, whose nodes are those over polygons.
    pub path: PolyPath,
    /// Nodes of the abstract graph that were expanded.
    pub abstract_nodes: u32,
    /// The number of corridors; 0 if an ordinary search found the path.
    pub corridors: u32,
    /// Tiles that could not be loaded. If there are any, there may be a path although none was found.
    pub events: Vec<NotLoaded>,
}

/// How many edges may turn out to be closed before an ordinary search takes over, if all tiles are in memory. Filters
/// that depend on more than area types and flags can close any number.
const MOST_CLOSED: usize = 32;

/// Finds a path over the abstract graph, and then over polygons.
///
/// # Errors
/// [`StaleRef`] if the start's or the goal's polygon is not in the mesh.
pub fn find_hierarchical_path<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
    world: &mut W,
    request: &PathRequest,
    refinement: Refinement,
    filter: &F,
    scratch: &mut HierarchyScratch,
) -> Result<HierarchicalAnswer, StaleRef> {
    let mut search = HierarchicalPath::new(request, refinement);
    let mut corridors = Corridors::new(request);
    let mut piece = PolyPath::default();
    let is_decided = |search: &HierarchicalPath| search.closed_edges() < MOST_CLOSED;
    while is_open(world.mesh(), request, filter) && (!world.is_whole() || is_decided(&search)) {
        match search.next_corridor(world, filter, scratch, &mut piece)? {
            NextCorridor::More => corridors.add(&piece),
            NextCorridor::Last => {
                corridors.add(&piece);
                break;
            }
            NextCorridor::None | NextCorridor::Done => break,
        }
    }
    let mut answer = corridors.finish(&search);
    if answer.path.status != PathStatus::Complete && world.is_whole() {
        find_path_into(world.mesh(), request, filter, &mut scratch.query, &mut answer.path)?;
        answer.corridors = 0;
    }
    Ok(answer)
}

/// Whether the polygons at both ends may be entered, if they are in memory. An agent may still leave a closed polygon
/// that it stands on: an ordinary search allows for that.
fn is_open<F: QueryFilter + ?Sized>(mesh: &NavMesh, request: &PathRequest, filter: &F) -> bool {
    let passes = |poly: PolyRef| mesh.state(poly).map_or(true, |state| filter.passes(poly, state));
    passes(request.start.poly) && passes(request.goal.poly)
}

/// Joins corridors to a path.
#[derive(Clone, Debug)]
pub struct Corridors {
    path: PolyPath,
    count: u32,
}

impl Corridors {
    /// Without corridors: a path that ends where it begins.
    #[must_use]
    pub fn new(request: &PathRequest) -> Self {
        let start = request.start.point;
        let polys = vec![request.start.poly];
        let path = PolyPath { status: PathStatus::Partial, polys, start, end: start, ..PolyPath::default() };
        Self { path, count: 0 }
    }

    /// Adds the next corridor.
    pub fn add(&mut self, corridor: &PolyPath) {
        self.path.polys.extend(corridor.polys.iter().skip(1));
        self.path.portals.extend_from_slice(&corridor.portals);
        self.path.end = corridor.end;
        self.count += 1;
    }

    /// Whether all of them can still be walked.
    pub(super) fn can_be_walked<F: QueryFilter + ?Sized>(&self, mesh: &NavMesh, filter: &F) -> bool {
        self.path.check(mesh, filter).is_none_or(|broken| broken.by == BrokenBy::Soon)
    }

    /// The path along all corridors, without loops.
    #[must_use]
    pub fn into_path(mut self) -> PolyPath {
        cut_loops(&mut self.path);
        self.path
    }

    fn finish(self, search: &HierarchicalPath) -> HierarchicalAnswer {
        let corridors = self.count;
        let mut path = self.into_path();
        path.status = search.status();
        path.limit = search.limit();
        path.cost = search.cost();
        path.nodes = search.nodes();
        let events = search.events().to_vec();
        HierarchicalAnswer { path, abstract_nodes: search.abstract_nodes(), corridors, events }
    }
}

/// Cuts out everything between two visits to the same polygon.
fn cut_loops(path: &mut PolyPath) {
    let mut visits: Vec<(PolyRef, u32)> = path.polys.iter().copied().zip(0..).collect();
    visits.sort_unstable();
    let last_visit = |poly: PolyRef| {
        let behind = visits.partition_point(|(other, _)| *other <= poly);
        visits[behind - 1].1 as usize
    };
    let mut kept = PolyPath { polys: Vec::with_capacity(path.polys.len()), ..PolyPath::default() };
    let mut at = 0;
    while let Some(&poly) = path.polys.get(at) {
        // Entered as at the first visit, left as at the last.
        let last = last_visit(poly);
        kept.polys.push(poly);
        kept.portals.extend(path.portals.get(last));
        at = last + 1;
    }
    (path.polys, path.portals) = (kept.polys, kept.portals);
}
