//! The content of a scene.

use crate::parse::{Param, Params};
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::input::{BakeSettings, MarkedVolume, TriMesh, TriMeshError};

/// A path query in a scene whose answer is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Errand {
    /// A short description.
    pub what: &'static str,
    /// The start: on the surface, metres.
    pub from: Vec3,
    /// The goal: on the surface, metres.
    pub to: Vec3,
    /// Whether an agent with the scene's settings can get there.
    pub reachable: bool,
}

impl Errand {
    /// An errand with a path.
    pub(crate) fn open(what: &'static str, from: [f32; 3], to: [f32; 3]) -> Self {
        Self { what, from: from.into(), to: to.into(), reachable: true }
    }

    /// An errand without a path, although both ends are on surfaces.
    pub(crate) fn shut(what: &'static str, from: [f32; 3], to: [f32; 3]) -> Self {
        Self { reachable: false, ..Self::open(what, from, to) }
    }
}

/// A scene that has been built.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name and parameters that differ from the defaults: building it again from this gives the same scene.
    pub spec: String,
    /// Vertices, metres. The `soup` scene has some that are NaN or infinite.
    pub verts: Vec<Vec3>,
    /// Triangles, three indices into `verts` each.
    pub tris: Vec<[u32; 3]>,
    /// The area type of each triangle.
    pub areas: Vec<AreaId>,
    /// Volumes that mark surfaces, in order. Most scenes have none.
    pub volumes: Vec<MarkedVolume>,
    /// The bake settings for it.
    pub settings: BakeSettings,
    /// Path queries with known answers, for `settings` and the whole level baked as one tile or many.
    pub errands: Vec<Errand>,
}

impl Scene {
    /// The triangles with their area types, checked, ready to be baked; together with `volumes` they are the whole
    /// level.
    ///
    /// # Errors
    /// Never for a built-in scene; the type is that of [`TriMesh::with_areas`].
    pub fn mesh(&self) -> Result<TriMesh, TriMeshError> {
        TriMesh::with_areas(self.verts.clone(), self.tris.clone(), self.areas.clone())
    }
}

/// A scene that can be built.
#[derive(Clone, Copy, Debug)]
pub struct SceneInfo {
    /// Its name.
    pub name: &'static str,
    /// A description in one line.
    pub summary: &'static str,
    /// Its parameters; every scene also takes `seed`.
    pub params: &'static [Param],
    /// Builds it.
    pub(crate) build: fn(&Params) -> Scene,
}
