//! What a scene is made of.

use crate::parse::{Param, Params};
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::input::{BakeSettings, InputReport, MarkedVolume, TriMesh, TriMeshError};

/// A way through a scene whose answer is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Errand {
    /// What it is about, in a few words.
    pub what: &'static str,
    /// Where it begins: on the ground, metres.
    pub from: Vec3,
    /// Where it should lead: on the ground, metres.
    pub to: Vec3,
    /// Whether an agent of the scene's settings can get there.
    pub reachable: bool,
}

impl Errand {
    /// An errand that succeeds.
    pub(crate) fn open(what: &'static str, from: [f32; 3], to: [f32; 3]) -> Self {
        Self { what, from: from.into(), to: to.into(), reachable: true }
    }

    /// An errand that fails, although both ends are ground.
    pub(crate) fn shut(what: &'static str, from: [f32; 3], to: [f32; 3]) -> Self {
        Self { reachable: false, ..Self::open(what, from, to) }
    }
}

/// A level, built.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Name and parameters, those that differ from the defaults: building it again from this gives the same scene.
    pub spec: String,
    /// Vertices, metres. The `soup` scene has some that are NaN or infinite.
    pub verts: Vec<Vec3>,
    /// Triangles, three indices into `verts` each.
    pub tris: Vec<[u32; 3]>,
    /// The area type of each triangle.
    pub areas: Vec<AreaId>,
    /// Volumes that mark ground, in their order. Most scenes have none.
    pub volumes: Vec<MarkedVolume>,
    /// What it should be baked with.
    pub settings: BakeSettings,
    /// Ways through it whose answers are known, for `settings` and whole levels baked as one tile or many.
    pub errands: Vec<Errand>,
}

impl Scene {
    /// The triangles with their area types, checked, ready to be baked; with `volumes` they are the whole level.
    ///
    /// # Errors
    /// Never for a built-in scene; the type is that of [`TriMesh::with_areas`].
    pub fn mesh(&self) -> Result<(TriMesh, InputReport), TriMeshError> {
        TriMesh::with_areas(self.verts.clone(), self.tris.clone(), self.areas.clone())
    }
}

/// A scene that can be built.
#[derive(Clone, Copy, Debug)]
pub struct SceneInfo {
    /// Its name.
    pub name: &'static str,
    /// What it shows, in one line.
    pub summary: &'static str,
    /// Its parameters; every scene takes `seed` besides.
    pub params: &'static [Param],
    /// Builds it.
    pub(crate) build: fn(&Params) -> Scene,
}
