//! The abstract graphs of the meshes that a batch searches, each built once.

use std::rc::Rc;
use wayfare::hierarchy::AbstractGraph;
use wayfare::mesh::NavMesh;

/// Graphs, with their meshes.
#[derive(Default)]
pub(super) struct Graphs {
    made: Vec<(NavMesh, Rc<AbstractGraph>)>,
}

impl Graphs {
    /// The graph of a mesh.
    pub(super) fn of(&mut self, mesh: &NavMesh) -> Rc<AbstractGraph> {
        if let Some((_, known)) = self.made.iter().find(|(other, _)| other.is_same_as(mesh)) {
            return Rc::clone(known);
        }
        let graph = Rc::new(AbstractGraph::new(mesh));
        self.made.push((mesh.clone(), Rc::clone(&graph)));
        graph
    }
}
