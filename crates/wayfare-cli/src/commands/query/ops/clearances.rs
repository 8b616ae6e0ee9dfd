//! The meshes for wider agents that a batch needs, each cut once.

use std::rc::Rc;
use wayfare::mesh::NavMesh;
use wayfare::query::{ClearanceMesh, DefaultFilter, extra_radius};

/// Meshes by the radius and the filter for which they were cut.
#[derive(Default)]
pub(super) struct Clearances {
    cut: Vec<(f32, DefaultFilter, Rc<ClearanceMesh>)>,
}

impl Clearances {
    /// The mesh for agents of `radius` metres.
    pub(super) fn of(
        &mut self,
        mesh: &NavMesh,
        radius: f32,
        filter: &DefaultFilter,
    ) -> Result<Rc<ClearanceMesh>, String> {
        let extra = extra_radius(mesh, radius);
        if let Some((.., known)) = self.cut.iter().find(|(r, f, _)| *r == extra && f == filter) {
            return Ok(Rc::clone(known));
        }
        let cut = Rc::new(ClearanceMesh::new(mesh, extra, filter).map_err(|e| e.to_string())?);
        self.cut.push((extra, filter.clone(), Rc::clone(&cut)));
        Ok(cut)
    }
}
