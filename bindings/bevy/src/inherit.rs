//! Which entities are parts of the level: those with [`NavGeometry`], and those below them.
//!
//! What an entity is by what is above it is written to a component of its own, [`NavPart`], so that the systems that
//! collect geometry look at one component alone. Only entities that change their parent or one of the components that
//! decide are looked at again, and those below them as far as it makes a difference to them.

use crate::agent::NavAgent;
use crate::area::NavObstacle;
use crate::content::NavContent;
use crate::geometry::NavGeometry;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;

/// What part of the level an entity is, by its own [`NavGeometry`] or the nearest above it.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub(crate) struct NavPart {
    pub(crate) area: u8,
    pub(crate) layers: u32,
    /// Whether the entity itself says so.
    pub(crate) is_own: bool,
    /// Whether those below it are parts as well.
    passes_on: bool,
}

type Deciding<'a> = (
    Option<&'a NavGeometry>,
    Option<&'a NavPart>,
    Option<&'a ChildOf>,
    Option<&'a Children>,
    Has<NavAgent>,
    Has<NavObstacle>,
    Has<Disabled>,
);

type Decided = Or<(Changed<NavGeometry>, Changed<ChildOf>, Added<NavAgent>, Added<NavObstacle>)>;

/// Entities that lose a component which decides, or are disabled, are looked at in the next run, however many frames
/// later.
pub(crate) fn note_undecided(
    removed: On<Remove<(NavGeometry, ChildOf, NavAgent, NavObstacle)>>,
    mut content: ResMut<NavContent>,
) {
    content.note_undecided(removed.entity);
}

/// Lets what is below [`NavGeometry`] be part of the level.
pub(crate) fn inherit_geometry(
    decided: Query<Entity, Decided>,
    tree: Query<Deciding<'_>>,
    mut content: ResMut<NavContent>,
    mut commands: Commands,
) {
    let mut open: Vec<Entity> = content.take_undecided().into_iter().chain(&decided).collect();
    open.sort_unstable();
    open.dedup();
    while let Some(entity) = open.pop() {
        let Ok((_, before, _, children, ..)) = tree.get(entity) else { continue };
        let part = part_of(entity, &tree);
        if part.as_ref() == before {
            // Nor is it other for those below, but for those that are looked at anyway.
            continue;
        }
        match part {
            Some(part) => _ = commands.entity(entity).try_insert(part),
            None => _ = commands.entity(entity).try_remove::<NavPart>(),
        }
        open.extend(children.into_iter().flatten());
    }
}

/// What an entity is by itself and what is above it.
fn part_of(entity: Entity, tree: &Query<Deciding<'_>>) -> Option<NavPart> {
    let mut at = entity;
    loop {
        let (geometry, _, parent, _, is_agent, is_obstacle, is_disabled) = tree.get(at).ok()?;
        if is_disabled {
            return None;
        }
        let is_own = at == entity;
        if let Some(&NavGeometry { area, layers, descendants }) = geometry {
            let part = NavPart { area, layers, is_own, passes_on: descendants };
            return (is_own || descendants).then_some(part);
        }
        if is_agent || is_obstacle {
            return None;
        }
        at = parent?.parent();
    }
}

/// Geometry goes at once with what made it a part, whenever systems run next.
pub(crate) fn forget_part(removed: On<Remove<NavPart>>, mut content: ResMut<NavContent>) {
    content.forget_geometry(removed.entity);
}
