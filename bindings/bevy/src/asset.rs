//! Meshes from `.way` files, as assets.

use crate::content::NavContent;
use crate::events::tell_failure;
use crate::level::Level;
use crate::region::{NavMap, NavRegion, NavStatus};
use crate::region_update::RegionWork;
use bevy_asset::io::Reader;
use bevy_asset::{
    Asset, AssetEvent, AssetId, AssetLoadFailedEvent, AssetLoader, AssetServer, Assets, Handle, LoadContext, LoadState,
};
use bevy_ecs::prelude::*;
use bevy_reflect::{TypePath, prelude::*};
use std::sync::Arc;
use wayfare::dynamic::{LevelCheckpoints, Obstacles};
use wayfare::format::WayFile;
use wayfare::mesh::NavMesh;

/// A navigation mesh that was baked before, by `wayfare bake` or by the library.
///
/// Links change it, and obstacles and areas as well if it was baked with `--layers`.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct WayAsset {
    /// The mesh.
    pub mesh: NavMesh,
    /// What its tiles are rebuilt from.
    pub(crate) layers: Option<Arc<LevelCheckpoints>>,
    /// The obstacles that it was saved with, as bytes.
    obstacles: Option<Arc<[u8]>>,
}

impl WayAsset {
    /// Reads the bytes of a `.way` file.
    ///
    /// # Errors
    /// [`WayAssetError`]: they are damaged, or no such file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WayAssetError> {
        let file = WayFile::from_bytes(bytes).map_err(WayAssetError::Read)?;
        let layers = Obstacles::from_file(&file).map_err(WayAssetError::Layers)?;
        let layers = layers.map(|all| Arc::new(all.checkpoints().clone()));
        let obstacles = file.sections.get(Obstacles::SECTION).map(|section| section.bytes.as_slice().into());
        Ok(Self { mesh: file.mesh, layers, obstacles })
    }

    /// What its tiles are rebuilt from, without the obstacles that it was saved with: those of the scene take their
    /// place.
    pub(crate) fn cleared(&self) -> Option<Obstacles> {
        let layers = self.layers.as_deref()?;
        // They were read once already.
        let saved = self.obstacles.as_deref().and_then(|bytes| Obstacles::from_bytes(layers.clone(), bytes).ok());
        let mut obstacles = saved.unwrap_or_else(|| Obstacles::new(layers.clone()));
        obstacles.clear();
        Some(obstacles)
    }
}

impl From<NavMesh> for WayAsset {
    /// Without layers.
    fn from(mesh: NavMesh) -> Self {
        Self { mesh, layers: None, obstacles: None }
    }
}

/// Gives a [region](NavRegion) its mesh from a file instead of from the scene. When the file changes, and Bevy watches
/// its assets, the mesh is replaced. A file that cannot be loaded leaves it as it is, and triggers
/// [`NavBakeFailed`](crate::NavBakeFailed).
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(Component, Clone)]
pub struct NavMeshFile(
    /// The asset.
    pub Handle<WayAsset>,
);

/// Loads `.way` files.
#[derive(TypePath, Default)]
pub struct WayAssetLoader;

/// Why a `.way` file could not be loaded.
#[derive(Debug)]
pub enum WayAssetError {
    /// It could not be read.
    Io(std::io::Error),
    /// It is damaged, or no `.way` file.
    Read(wayfare::format::ReadError),
    /// Its layers are damaged, or those of another mesh.
    Layers(wayfare::dynamic::ObstacleFileError),
}

impl core::fmt::Display for WayAssetError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
            Self::Layers(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for WayAssetError {}

impl AssetLoader for WayAssetLoader {
    type Asset = WayAsset;
    type Settings = ();
    type Error = WayAssetError;

    async fn load(&self, reader: &mut dyn Reader, (): &(), _: &mut LoadContext<'_>) -> Result<WayAsset, WayAssetError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await.map_err(WayAssetError::Io)?;
        WayAsset::from_bytes(&bytes)
    }

    fn extensions(&self) -> &[&str] {
        &["way"]
    }
}

type Shown<'a> =
    (Entity, Ref<'a, NavMeshFile>, Ref<'a, NavRegion>, &'a mut NavMap, &'a mut NavStatus, &'a mut RegionWork);

/// Gives regions their meshes once they are loaded, and again when they change.
pub(crate) fn show_files(
    mut regions: Query<Shown<'_>>,
    (assets, server): (Res<Assets<WayAsset>>, Res<AssetServer>),
    content: Res<NavContent>,
    mut events: MessageReader<AssetEvent<WayAsset>>,
    mut failures: MessageReader<AssetLoadFailedEvent<WayAsset>>,
    mut commands: Commands,
) {
    let events: Vec<AssetEvent<WayAsset>> = events.read().copied().collect();
    let failures: Vec<(AssetId<WayAsset>, String)> =
        failures.read().map(|failure| (failure.id, failure.error.to_string())).collect();
    for (entity, file, region, mut map, mut status, mut work) in &mut regions {
        let is_news = |event: &AssetEvent<WayAsset>| match *event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => id == file.0.id(),
            _ => false,
        };
        let failed = failures.iter().find(|failure| failure.0 == file.0.id()).map(|failure| failure.1.clone());
        // One that had failed before the region came.
        let failed = failed.or_else(|| match server.get_load_state(file.0.id()) {
            Some(LoadState::Failed(why)) if file.is_changed() => Some(why.to_string()),
            _ => None,
        });
        if let Some(why) = failed {
            let reason = format!("its file could not be loaded: {why}");
            *status = NavStatus::Failed(reason.clone());
            tell_failure(&mut commands, entity, reason);
            continue;
        }
        // Another set of layers sees other obstacles.
        let is_changed = file.is_changed() || (region.is_changed() && !work.sees(region.layers));
        if !is_changed && !events.iter().any(is_news) {
            continue;
        }
        if let Some(asset) = assets.get(&file.0) {
            match Level::of_file(asset) {
                Ok(level) => work.show(&region, level, content.all(region.layers), &mut map),
                Err(reason) => {
                    *status = NavStatus::Failed(reason.clone());
                    tell_failure(&mut commands, entity, reason);
                }
            }
        }
    }
}

/// A region whose file was taken away is baked from the scene again.
pub(crate) fn forget_file(removed: On<Remove<NavMeshFile>>, mut works: Query<&mut RegionWork>) {
    if let Ok(mut work) = works.get_mut(removed.entity) {
        *work = RegionWork::default();
    }
}
