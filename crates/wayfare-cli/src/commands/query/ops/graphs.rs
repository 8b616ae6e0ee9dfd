//! The abstract graphs of the meshes that a batch searches, each built once.

use std::rc::Rc;
use std::sync::Arc;
use wayfare::hierarchy::AbstractGraph;
use wayfare::mesh::NavMesh;
use wayfare::query::DefaultFilter;

/// Filters that get levels of their own: those that come later search portal by portal.
const MOST_LEVELS: usize = 4;

/// Graphs, with their meshes.
#[derive(Default)]
pub(super) struct Graphs {
    made: Vec<MeshGraph>,
}

struct MeshGraph {
    mesh: NavMesh,
    graph: Rc<AbstractGraph>,
    /// For which it has levels, if it is large enough for any.
    filters: Vec<DefaultFilter>,
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
}
