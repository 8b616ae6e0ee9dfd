//! Geometry from the meshes that entities are drawn with.

use crate::content::{NavContent, SourceKind};
use crate::geometry::{NavTriangles, put, surface};
use crate::inherit::NavPart;
use bevy_asset::{AssetEvent, AssetId, AssetLoadFailedEvent, AssetServer, Assets, LoadState};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology, VertexAttributeValues};
use bevy_transform::components::GlobalTransform;

/// Entities whose picture is their geometry.
pub(crate) fn collect_meshes(
    meshes: Query<(Entity, Ref<Mesh3d>, Ref<NavPart>, Ref<GlobalTransform>)>,
    (assets, server): (Res<Assets<Mesh>>, Res<AssetServer>),
    mut events: MessageReader<AssetEvent<Mesh>>,
    mut failures: MessageReader<AssetLoadFailedEvent<Mesh>>,
    mut content: ResMut<NavContent>,
    mut commands: Commands,
) {
    let news = events.read().filter_map(|event| match *event {
        AssetEvent::Added { id } | AssetEvent::Modified { id } | AssetEvent::LoadedWithDependencies { id } => Some(id),
        AssetEvent::Removed { .. } | AssetEvent::Unused { .. } => None,
    });
    let news: Vec<AssetId<Mesh>> = news.chain(failures.read().map(|failure| failure.id)).collect();
    for (entity, mesh, part, transform) in &meshes {
        let is_news = mesh.is_changed() || part.is_changed() || news.contains(&mesh.0.id());
        let has_moved = || transform.is_changed() && !content.is_placed(entity, SourceKind::Mesh, &transform);
        if !is_news && !has_moved() {
            continue;
        }
        let found = match (assets.get(&mesh.0), server.get_load_state(mesh.0.id())) {
            (Some(mesh), _) => mesh_triangles(mesh).and_then(|found| surface(&found, &part, &transform)).map(Some),
            (None, Some(LoadState::Failed(why))) => Err(format!("its mesh could not be loaded: {why}")),
            // It is not there yet.
            (None, _) => Ok(None),
        };
        put(&mut content, &mut commands, (entity, SourceKind::Mesh), found);
    }
}

/// Geometry goes at once with the picture that it was made from, whenever systems run next.
pub(crate) fn forget_mesh(removed: On<Remove<Mesh3d>>, mut content: ResMut<NavContent>) {
    content.forget_source(removed.entity, SourceKind::Mesh);
}

const ON_THE_CARD: &str = "its mesh was handed over to the renderer before it could be read: give it \
                           `RenderAssetUsages::MAIN_WORLD` as well, or the entity a `NavShape` or `NavTriangles`";

/// The triangles of a mesh.
fn mesh_triangles(mesh: &Mesh) -> Result<NavTriangles, String> {
    let positions = match mesh.try_attribute_option(Mesh::ATTRIBUTE_POSITION) {
        Ok(Some(VertexAttributeValues::Float32x3(positions))) => positions,
        Ok(Some(_)) => return Err("the positions of its mesh are not `Float32x3`: give it such".into()),
        Ok(None) => return Err("its mesh has no positions: insert `Mesh::ATTRIBUTE_POSITION`".into()),
        Err(_) => return Err(ON_THE_CARD.into()),
    };
    let positions: Vec<Vec3> = positions.iter().copied().map(Vec3::from).collect();
    let indices: Vec<u32> = match mesh.try_indices_option().map_err(|_| ON_THE_CARD)? {
        Some(Indices::U16(indices)) => indices.iter().map(|&i| u32::from(i)).collect(),
        Some(Indices::U32(indices)) => indices.clone(),
        None => (0..positions.len() as u32).collect(),
    };
    let triangles = match mesh.primitive_topology() {
        PrimitiveTopology::TriangleList => indices.as_chunks().0.to_vec(),
        PrimitiveTopology::TriangleStrip => of_strip(&indices),
        other => return Err(format!("its mesh is a {other:?}, not of triangles: give it a `TriangleList`")),
    };
    Ok(NavTriangles { positions, triangles })
}

/// Every second triangle of a strip is wound the other way.
fn of_strip(indices: &[u32]) -> Vec<[u32; 3]> {
    let wound = |(i, corners): (usize, &[u32; 3])| {
        let &[a, b, c] = corners;
        if i % 2 == 0 { [a, b, c] } else { [b, a, c] }
    };
    indices.array_windows().enumerate().map(wound).collect()
}
