//! The abstract graphs and the bounds of costs of the meshes that a batch searches, each built once.

use std::rc::Rc;
use std::sync::Arc;
use wayfare::hierarchy::AbstractGraph;
use wayfare::mesh::NavMesh;
use wayfare::query::{CostBounds, DefaultFilter};

/// Filters that get levels of their own: those that come later search portal by portal.
const MOST_LEVELS: usize = 4;

/// Graphs, with their meshes.
#[derive(Default)]
pub(super) struct Graphs {
    made: Vec<MeshGraph>,
    bounds: Vec<MeshBounds>,
}

struct MeshGraph {
    mesh: NavMesh,
    graph: Rc<AbstractGraph>,
    /// For which it has levels, if it is large enough for any.
    filters: Vec<DefaultFilter>,
}

/// The bounds of costs of a mesh, for each filter that was used.
struct MeshBounds {
    mesh: NavMesh,
    filter: DefaultFilter,
    bounds: Rc<CostBounds>,
}

impl Graphs {
    /// The graph of a mesh, with levels for a filter.
    pub(super) fn of(&mut self, mesh: &NavMesh, filter: &DefaultFilter) -> Rc<AbstractGraph> {
        let known = self.made.iter().position(|made| made.mesh.is_same_as(mesh));
        let at = known.unwrap_or_else(|| {
            let graph = Rc::new(AbstractGraph::new(mesh));
            self.made.push(MeshGraph { mesh: mesh.clone(), graph, filters: Vec::new() });
            self.made.len() - 1
        });
        let MeshGraph { graph, filters, .. } = &mut self.made[at];
        if filters.len() < MOST_LEVELS && !filters.contains(filter) {
            Rc::make_mut(graph).add_levels(mesh, Arc::new(filter.clone()));
            filters.push(filter.clone());
        }
        Rc::clone(graph)
    }

    /// The bounds of costs of a mesh: those for this filter or, if there are many filters, for one of the first.
    pub(super) fn bounds_of(&mut self, mesh: &NavMesh, filter: &DefaultFilter) -> Rc<CostBounds> {
        let of_mesh = || self.bounds.iter().filter(|made| made.mesh.is_same_as(mesh));
        let known = of_mesh().find(|made| made.filter == *filter);
        let known = known.or_else(|| of_mesh().next().filter(|_| of_mesh().count() >= MOST_LEVELS));
        if let Some(made) = known {
            return Rc::clone(&made.bounds);
        }
        let bounds = Rc::new(CostBounds::new(mesh, filter));
        self.bounds.push(MeshBounds { mesh: mesh.clone(), filter: filter.clone(), bounds: Rc::clone(&bounds) });
        bounds
    }
}
