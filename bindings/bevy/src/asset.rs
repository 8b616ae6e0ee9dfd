//! Meshes from `.way` files, as assets.

use crate::region::{NavMap, NavRegion, NavStatus};
use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetEvent, AssetLoader, Assets, Handle, LoadContext};
use bevy_ecs::prelude::*;
use bevy_reflect::{TypePath, prelude::*};
use wayfare::mesh::NavMesh;

/// A navigation mesh that was baked before, by `wayfare bake` or by the library.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct WayAsset(
    /// The mesh.
    pub NavMesh,
);

/// Gives a [region](NavRegion) its mesh from a file instead of from the scene. When the file changes, and Bevy watches
/// its assets, the mesh is replaced.
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
}

impl core::fmt::Display for WayAssetError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
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
        NavMesh::from_bytes(&bytes).map(WayAsset).map_err(WayAssetError::Read)
    }

    fn extensions(&self) -> &[&str] {
        &["way"]
    }
}

/// Gives regions their meshes once they are loaded, and again when they change.
pub(crate) fn show_files(
    mut regions: Query<(Ref<NavMeshFile>, &mut NavMap, &mut NavStatus), With<NavRegion>>,
    assets: Res<Assets<WayAsset>>,
    mut events: MessageReader<AssetEvent<WayAsset>>,
) {
    let events: Vec<AssetEvent<WayAsset>> = events.read().copied().collect();
    for (file, mut map, mut status) in &mut regions {
        let is_news = |event: &AssetEvent<WayAsset>| match *event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => id == file.0.id(),
            _ => false,
        };
        if !file.is_changed() && !events.iter().any(is_news) {
            continue;
        }
        if let Some(asset) = assets.get(&file.0) {
            map.replace(asset.0.clone());
            *status = NavStatus::Ready;
        }
    }
}

/// Changes by the game of meshes that come from files.
pub(crate) fn edit_files(mut regions: Query<&mut NavMap, With<NavMeshFile>>) {
    for mut map in &mut regions {
        if !map.edits.is_empty() {
            let edits = core::mem::take(&mut map.edits);
            map.shared.edit(|mesh| edits.into_iter().for_each(|edit| edit(mesh)));
            map.refresh();
        }
    }
}
