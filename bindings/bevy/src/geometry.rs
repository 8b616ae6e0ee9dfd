//! Level geometry: what regions are baked from, and where its triangles come from.

use crate::WayfareSystems;
use crate::content::{NavContent, SourceKind, Surface};
use crate::convert::to_nav;
use crate::events::NavGeometryFailed;
use crate::inherit::NavPart;
use crate::shape::NavShape;
use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::Vec3;
use bevy_reflect::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};
use std::sync::Arc;
use wayfare::area::AreaId;
use wayfare::input::TriMesh;

/// Makes its entity a part of the level: regions are baked from it, and again where it moves, changes or goes.
///
/// The triangles are those of the entity's `Mesh3d`, [`NavShape`] or [`NavTriangles`], or of a component that was
/// registered as a [source](NavSourceAppExt::add_nav_source). Of an entity with several of them, the first counts: of a
/// registered source, `NavTriangles`, `Mesh3d`, and `NavShape`. What cannot be used triggers [`NavGeometryFailed`].
///
/// It counts for all entities below it as well, now and later: on the root of a loaded scene it takes all of its
/// meshes. Below, a `NavGeometry` of their own comes first; a [`NavShape`] counts only beside one; and agents,
/// obstacles and what is below those are never part of the level by themselves.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Default)]
#[require(Transform)]
pub struct NavGeometry {
    /// Area type of its surface where it is flat enough to walk on: 1…63, and 0 for a surface that is never walked on.
    /// Default 63, plain ground.
    pub area: u8,
    /// The regions that see it: those whose [`layers`](crate::NavRegion::layers) have a bit in common. Default 1.
    pub layers: u32,
    /// Whether the entities below it are parts of the level as well. Default true.
    pub descendants: bool,
}

impl Default for NavGeometry {
    fn default() -> Self {
        Self { area: AreaId::WALKABLE.get(), layers: 1, descendants: true }
    }
}

impl NavGeometry {
    /// Keeps an entity and all below it out of the level, whatever is above them: it is in no layer.
    #[must_use]
    pub fn none() -> Self {
        Self { layers: 0, ..Self::default() }
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
    let collect =
        move |parts: Query<SourceOf<C>, Moved<C>>, mut content: ResMut<NavContent>, mut commands: Commands| {
            for (entity, component, part, transform) in &parts {
                let is_news = component.is_changed() || part.is_changed();
                if !is_news && content.is_placed(entity, source, transform) {
                    continue;
                }
                // A shape by itself says nothing of what it is for.
                let is_meant = source != SourceKind::Shape || part.is_own;
                let found = triangles(&component).filter(|found| is_meant && !found.triangles.is_empty());
                let found = found.map(|found| surface(&found, &part, transform));
                put(&mut content, &mut commands, (entity, source), found.transpose());
            }
        };
    app.add_systems(schedule, collect.in_set(WayfareSystems::Collect).after(CollectParts));
    app.add_observer(move |removed: On<Remove<C>>, mut content: ResMut<NavContent>| {
        content.forget_source(removed.entity, source);
    });
}

/// Decides which entities are parts of the level, before their geometry is collected.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CollectParts;

type Moved<C> = Or<(Changed<C>, Changed<NavPart>, Changed<GlobalTransform>)>;

type SourceOf<'a, C> = (Entity, Ref<'a, C>, Ref<'a, NavPart>, &'a GlobalTransform);

/// Takes in what a source gives, and says why it gives nothing, once.
pub(crate) fn put(
    content: &mut NavContent,
    commands: &mut Commands<'_, '_>,
    (entity, source): (Entity, SourceKind),
    found: Result<Option<Surface>, String>,
) {
    let (surface, problem) = match found {
        Ok(surface) => (surface, None),
        Err(problem) => (None, Some(problem)),
    };
    content.set_geometry(entity, source, surface);
    if let Some(reason) = content.new_problem(entity, source, problem) {
        log::warn!("entity {entity} is no part of the level: {reason}");
        commands.trigger(NavGeometryFailed { entity, reason });
    }
}

/// Triangles in the world.
pub(crate) fn surface(
    triangles: &NavTriangles,
    part: &NavPart,
    transform: &GlobalTransform,
) -> Result<Surface, String> {
    let place = |&p: &Vec3| to_nav(transform.transform_point(p));
    let corners = triangles.positions.iter().map(place).collect();
    // A mirrored entity shows its surfaces from the other side.
    let is_mirrored = transform.affine().matrix3.determinant() < 0.0;
    let wound = |&[a, b, c]: &[u32; 3]| if is_mirrored { [a, c, b] } else { [a, b, c] };
    let tris: Vec<[u32; 3]> = triangles.triangles.iter().map(wound).collect();
    let areas = vec![AreaId::from_low_bits(part.area); tris.len()];
    let mesh = TriMesh::with_areas(corners, tris, areas).map_err(|problem| problem.to_string())?;
    Ok(Surface { mesh: Arc::new(mesh), at: *transform, layers: part.layers })
}
