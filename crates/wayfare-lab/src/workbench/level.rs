//! Levels to work on: built-in scenes and files.

use crate::view::Pickable;
use std::fmt::Write as _;
use std::sync::Arc;
use wayfare::Vec3;
use wayfare::input::{BakeSettings, HeightMap, Level, MarkedVolume, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::OffMeshConnection;
use wayfare_io::{Files, LevelError};
use wayfare_scenes::{SceneError, SceneInfo};

/// A level in memory.
#[derive(Debug)]
pub struct LoadedLevel {
    /// A scene's spec after `scene:`, or a file's name.
    pub name: String,
    /// What it shows, if anybody says so.
    pub summary: String,
    /// Its triangles.
    pub mesh: Arc<TriMesh>,
    /// Its surface where it is given by heights.
    pub terrain: Option<Arc<HeightMap>>,
    /// Its own volumes.
    pub volumes: Vec<MarkedVolume>,
    /// Its own off-mesh connections.
    pub connections: Vec<OffMeshConnection>,
    /// What it should be baked with.
    pub settings: BakeSettings,
    /// A start and a goal worth asking for, if there are any.
    pub errand: Option<[Vec3; 2]>,
    /// What there is to say about the file.
    pub remarks: Vec<String>,
    /// Its triangles, to be clicked on; a terrain's among them.
    pub pickable: Pickable,
}

/// Why a level cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A scene that does not exist, or not so.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A file that cannot be read.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// A scene with triangles that are none.
    #[error(transparent)]
    Triangles(#[from] wayfare::input::TriMeshError),
    /// A file of a mesh that cannot be read.
    #[error("{name}: {error}")]
    Mesh {
        /// The file.
        name: String,
        /// What is wrong with it.
        error: wayfare_io::ReadError,
    },
}

impl LoadedLevel {
    /// A built-in scene: `dungeon`, `terrain?size=128`.
    ///
    /// # Errors
    /// [`OpenError::Scene`].
    pub fn of_scene(spec: &str) -> Result<Self, OpenError> {
        let scene = wayfare_scenes::scene(spec)?;
        let mesh = scene.mesh()?;
        let errand = scene.errands.iter().find(|errand| errand.reachable);
        let name = spec.split('?').next().unwrap_or_default();
        Ok(Self {
            name: format!("scene:{}", scene.spec),
            summary: scene_info(name).map_or_else(String::new, |info| info.summary.to_owned()),
            pickable: Pickable::of_level(&mesh),
            mesh: Arc::new(mesh),
            terrain: None,
            volumes: scene.volumes,
            connections: Vec::new(),
            settings: scene.settings,
            errand: errand.map(|errand| [errand.from, errand.to]),
            remarks: Vec::new(),
        })
    }

    /// A file, from its bytes; `files` finds what it names.
    ///
    /// # Errors
    /// [`OpenError::Level`].
    pub fn of_file(name: &str, bytes: &[u8], files: &mut dyn Files) -> Result<Self, OpenError> {
        let level = wayfare_io::read_level(name, bytes, files)?;
        let heights = level.terrain.iter().flat_map(HeightMap::all_triangles);
        let triangles = (0..level.mesh.tris().len()).map(|i| level.mesh.corners(i)).chain(heights);
        let size = level.size;
        let mut remarks = level.remarks;
        remarks.extend(level.stray);
        Ok(Self {
            name: name.to_owned(),
            summary: format!("{} triangles from {name}", size.triangles),
            pickable: Pickable::new(triangles),
            mesh: Arc::new(level.mesh),
            terrain: level.terrain.map(Arc::new),
            volumes: level.volumes,
            connections: level.connections,
            settings: BakeSettings::default(),
            errand: None,
            remarks,
        })
    }

    /// The box around it.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        Level { mesh: &self.mesh, terrain: self.terrain.as_deref(), volumes: &[] }.bounds()
    }

    /// What a bake takes, with further volumes.
    #[must_use]
    pub fn input(&self, painted: &[MarkedVolume]) -> BakeInput {
        let volumes = self.volumes.iter().chain(painted).cloned().collect();
        BakeInput { mesh: self.mesh.clone(), terrain: self.terrain.clone(), volumes }
    }
}

/// What is baked: shared with the thread that bakes it.
#[derive(Clone, Debug)]
pub struct BakeInput {
    mesh: Arc<TriMesh>,
    terrain: Option<Arc<HeightMap>>,
    volumes: Vec<MarkedVolume>,
}

impl BakeInput {
    /// As the library takes it.
    #[must_use]
    pub fn level(&self) -> Level<'_> {
        Level { mesh: &self.mesh, terrain: self.terrain.as_deref(), volumes: &self.volumes }
    }
}

/// A built-in scene by name.
#[must_use]
pub fn scene_info(name: &str) -> Option<&'static SceneInfo> {
    wayfare_scenes::all().iter().find(|info| info.name == name)
}

/// The form in which a scene's parameters are filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneForm {
    /// The scene's number in the list of all.
    pub scene: usize,
    /// A value for each of its parameters.
    pub values: Vec<f32>,
    /// The seed.
    pub seed: u32,
}

impl SceneForm {
    /// A scene with its defaults.
    #[must_use]
    pub fn of(scene: usize) -> Self {
        let values = wayfare_scenes::all()[scene].params.iter().map(|param| param.default as f32).collect();
        Self { scene, values, seed: 1 }
    }

    /// The scene of this name with its defaults.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        wayfare_scenes::all().iter().position(|info| info.name == name).map(Self::of)
    }

    /// The form that a spec fills in: what it does not say has its default.
    #[must_use]
    pub fn of_spec(spec: &str) -> Option<Self> {
        let (name, rest) = spec.split_once('?').unwrap_or((spec, ""));
        let mut form = Self::named(name)?;
        for (key, value) in rest.split('&').filter_map(|pair| pair.split_once('=')) {
            if key == "seed" {
                form.seed = value.parse().unwrap_or(form.seed);
            }
            let params = wayfare_scenes::all()[form.scene].params;
            if let Some(i) = params.iter().position(|param| param.name == key) {
                form.values[i] = value.parse().unwrap_or(form.values[i]);
            }
        }
        Some(form)
    }

    /// What it says: `stairs?steps=12&seed=3`, defaults left out.
    #[must_use]
    pub fn spec(&self) -> String {
        let info = &wayfare_scenes::all()[self.scene];
        let mut spec = info.name.to_owned();
        let mut add = |key: &str, value: f64| {
            let sign = if spec.contains('?') { '&' } else { '?' };
            // Writing to a string cannot fail.
            let _ = write!(spec, "{sign}{key}={value}");
        };
        for (param, &value) in info.params.iter().zip(&self.values) {
            if value != param.default as f32 {
                // As a person would write it: 0.1, not the nearest number to it in binary.
                add(param.name, format!("{value}").parse().unwrap_or(param.default));
            }
        }
        if self.seed != 1 {
            add("seed", f64::from(self.seed));
        }
        spec
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_opens_with_its_defaults_and_its_form_says_so() {
        for (i, info) in wayfare_scenes::all().iter().enumerate() {
            let form = SceneForm::of(i);
            assert_eq!(form.spec(), info.name);
            assert_eq!(SceneForm::of_spec(&form.spec()), Some(form));
        }
    }

    #[test]
    fn a_form_keeps_what_a_spec_says() {
        let mut form = SceneForm::named("stairs").unwrap();
        form.seed = 7;
        assert_eq!(form.spec(), "stairs?seed=7");
        assert_eq!(SceneForm::of_spec("stairs?seed=7"), Some(form));
        assert_eq!(SceneForm::of_spec("no such scene"), None);
    }

    #[test]
    fn a_file_becomes_a_level() {
        let floor = b"v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n";
        let level = LoadedLevel::of_file("floor.obj", floor, &mut wayfare_io::NoFiles).unwrap();
        assert_eq!(level.bounds().max, Vec3::new(9.0, 0.0, 9.0));
        assert!(LoadedLevel::of_file("floor.xyz", floor, &mut wayfare_io::NoFiles).is_err());
    }
}
