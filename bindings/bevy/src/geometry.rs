//! Level geometry: what regions are baked from, and where its triangles come from.

use crate::WayfareSystems;
use crate::content::{NavContent, SourceKind, Surface};
use crate::convert::to_nav;
use crate::shape::NavShape;
use bevy_app::prelude::*;
use bevy_asset::{AssetEvent, Assets};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology, VertexAttributeValues};
use bevy_reflect::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};
use std::sync::Arc;
use wayfare::area::AreaId;
use wayfare::input::TriMesh;

/// Makes its entity a part of the level: regions are baked from it, and again where it moves, changes or goes.
///
/// The triangles are those of the entity's `Mesh3d`, [`NavShape`] or [`NavTriangles`], or of a component that was
/// registered as a [source](NavSourceAppExt::add_nav_source). Of an entity with several of them, the first counts: of a
/// registered source, `NavTriangles`, `Mesh3d`, and `NavShape`.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Default)]
#[require(Transform)]
pub struct NavGeometry {
    /// Area type of its surface where it is flat enough to walk on: 1…63, and 0 for a surface that is never walked on.
    /// Default 63, plain ground.
    pub area: u8,
    /// The regions that see it: those whose [`layers`](crate::NavRegion::layers) have a bit in common. Default 1.
    pub layers: u32,
}

impl Default for NavGeometry {
    fn default() -> Self {
        Self { area: AreaId::WALKABLE.get(), layers: 1 }
    }
}

/// Triangles for [`NavGeometry`], around the entity's origin.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Clone, Default)]
pub struct NavTriangles {
    /// Corners, metres.
    pub positions: Vec<Vec3>,
    /// Three corners each, counter-clockwise as seen from the walkable side.
    pub triangles: Vec<[u32; 3]>,
}

/// A component from which level geometry can be made: the colliders of a physics crate, tiles of a map.
pub trait NavSource: Component {
    /// The triangles, around the entity's origin; `None` while they are not there, or where there are none.
    fn nav_triangles(&self) -> Option<NavTriangles>;
}

impl NavSource for NavTriangles {
    fn nav_triangles(&self) -> Option<NavTriangles> {
        Some(self.clone())
    }
}

impl NavSource for NavShape {
    fn nav_triangles(&self) -> Option<NavTriangles> {
        let (positions, triangles) = self.triangles();
        Some(NavTriangles { positions, triangles })
    }
}

/// Registers sources of geometry.
pub trait NavSourceAppExt {
    /// Lets entities with [`NavGeometry`] and this component be parts of the level. `schedule` is that of the
    /// [plugin](crate::WayfarePlugin::in_schedule).
    fn add_nav_source<C: NavSource>(&mut self, schedule: impl ScheduleLabel) -> &mut Self;

    /// The same for a component of another crate, such as a collider: `triangles` are those around the entity's origin;
    /// `None` while they are not there, or where there are none.
    fn add_nav_source_from<C: Component>(
        &mut self,
        schedule: impl ScheduleLabel,
        triangles: fn(&C) -> Option<NavTriangles>,
    ) -> &mut Self;
}

impl NavSourceAppExt for App {
    fn add_nav_source<C: NavSource>(&mut self, schedule: impl ScheduleLabel) -> &mut Self {
        self.add_nav_source_from::<C>(schedule, C::nav_triangles)
    }

    fn add_nav_source_from<C: Component>(
        &mut self,
        schedule: impl ScheduleLabel,
        triangles: fn(&C) -> Option<NavTriangles>,
    ) -> &mut Self {
        let source = self.init_resource::<NavContent>().world_mut().resource_mut::<NavContent>().register_source();
        add_source(self, schedule, source, triangles);
        self
    }
}

/// Registers a source, of this rank among those of an entity.
pub(crate) fn add_source<C: Component>(
    app: &mut App,
    schedule: impl ScheduleLabel,
    source: SourceKind,
    triangles: fn(&C) -> Option<NavTriangles>,
) {
    let collect = move |parts: Query<SourceOf<C>, Moved<C>>, mut content: ResMut<NavContent>| {
        for (entity, component, geometry, transform) in &parts {
            let is_news = component.is_changed() || geometry.is_changed();
            if is_news || !content.is_placed(entity, source, transform) {
                let surface = triangles(&component).and_then(|found| surface(&found, &geometry, transform));
                content.set_geometry(entity, source, surface);
            }
        }
    };
    app.add_systems(schedule, collect.in_set(WayfareSystems::Collect));
    app.add_observer(move |removed: On<Remove<C>>, mut content: ResMut<NavContent>| {
        content.set_geometry(removed.entity, source, None);
    });
}

type Moved<C> = Or<(Changed<C>, Changed<NavGeometry>, Changed<GlobalTransform>)>;

type SourceOf<'a, C> = (Entity, Ref<'a, C>, Ref<'a, NavGeometry>, &'a GlobalTransform);

/// Entities whose picture is their geometry.
pub(crate) fn collect_meshes(
    meshes: Query<(Entity, Ref<Mesh3d>, Ref<NavGeometry>, Ref<GlobalTransform>)>,
    assets: Res<Assets<Mesh>>,
    mut events: MessageReader<AssetEvent<Mesh>>,
    mut content: ResMut<NavContent>,
) {
    let events: Vec<AssetEvent<Mesh>> = events.read().copied().collect();
    let has_changed = |mesh: &Mesh3d| {
        events.iter().any(|event| match *event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } | AssetEvent::LoadedWithDependencies { id } => {
                id == mesh.0.id()
            }
            AssetEvent::Removed { .. } | AssetEvent::Unused { .. } => false,
        })
    };
    for (entity, mesh, geometry, transform) in &meshes {
        let is_news = mesh.is_changed() || geometry.is_changed() || has_changed(&mesh);
        let has_moved = || transform.is_changed() && !content.is_placed(entity, SourceKind::Mesh, &transform);
        if !is_news && !has_moved() {
            continue;
        }
        let triangles = assets.get(&mesh.0).and_then(mesh_triangles);
        let surface = triangles.and_then(|triangles| surface(&triangles, &geometry, &transform));
        content.set_geometry(entity, SourceKind::Mesh, surface);
    }
}

/// Geometry goes at once with the component that it was made from, whenever systems run next.
pub(crate) fn forget_geometry(removed: On<Remove<NavGeometry>>, mut content: ResMut<NavContent>) {
    content.forget_geometry(removed.entity);
}

/// The same for pictures.
pub(crate) fn forget_mesh(removed: On<Remove<Mesh3d>>, mut content: ResMut<NavContent>) {
    content.set_geometry(removed.entity, SourceKind::Mesh, None);
}

/// The triangles of a mesh that can be read on the processor.
fn mesh_triangles(mesh: &Mesh) -> Option<NavTriangles> {
    if mesh.primitive_topology() != PrimitiveTopology::TriangleList {
        return None;
    }
    let VertexAttributeValues::Float32x3(positions) = mesh.try_attribute(Mesh::ATTRIBUTE_POSITION).ok()? else {
        return None;
    };
    let positions: Vec<Vec3> = positions.iter().copied().map(Vec3::from).collect();
    let indices: Vec<u32> = match mesh.try_indices_option().ok()? {
        Some(Indices::U16(indices)) => indices.iter().map(|&i| u32::from(i)).collect(),
        Some(Indices::U32(indices)) => indices.clone(),
        None => (0..positions.len() as u32).collect(),
    };
    let triangles = indices.as_chunks().0.to_vec();
    Some(NavTriangles { positions, triangles })
}

/// Triangles in the world; `None` if there are none, or a corner is not finite or missing.
fn surface(triangles: &NavTriangles, geometry: &NavGeometry, transform: &GlobalTransform) -> Option<Surface> {
    let place = |&p: &Vec3| to_nav(transform.transform_point(p));
    let corners = triangles.positions.iter().map(place).collect();
    // A mirrored entity shows its surfaces from the other side.
    let is_mirrored = transform.affine().matrix3.determinant() < 0.0;
    let wound = |&[a, b, c]: &[u32; 3]| if is_mirrored { [a, c, b] } else { [a, b, c] };
    let tris: Vec<[u32; 3]> = triangles.triangles.iter().map(wound).collect();
    let areas = vec![AreaId::from_low_bits(geometry.area); tris.len()];
    let (mesh, _) = TriMesh::with_areas(corners, tris, areas).ok()?;
    let is_there = !mesh.tris().is_empty();
    is_there.then(|| Surface { mesh: Arc::new(mesh), at: *transform, layers: geometry.layers })
}
