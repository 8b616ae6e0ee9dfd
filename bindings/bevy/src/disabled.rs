//! Entities that are disabled: they are not part of the level until they are enabled again.

use crate::area::{NavArea, NavObstacle};
use crate::content::NavContent;
use crate::link::NavLink;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;

/// What is disabled goes as if it were despawned.
pub(crate) fn put_to_sleep(disabled: On<Add<Disabled>>, mut content: ResMut<NavContent>) {
    content.note_undecided(disabled.entity);
    content.set_link(disabled.entity, None, u32::MAX);
    content.note_poorer(disabled.entity);
}

type Parts<'a> = (Option<&'a mut NavObstacle>, Option<&'a mut NavArea>, Option<&'a mut NavLink>);

/// What is enabled is looked at as if it had just come.
pub(crate) fn wake(
    enabled: On<Remove<Disabled>>,
    mut parts: Query<Parts<'_>, With<Disabled>>,
    mut content: ResMut<NavContent>,
) {
    content.note_undecided(enabled.entity);
    let Ok((obstacle, area, link)) = parts.get_mut(enabled.entity) else { return };
    obstacle.into_iter().for_each(|mut part| part.set_changed());
    area.into_iter().for_each(|mut part| part.set_changed());
    link.into_iter().for_each(|mut part| part.set_changed());
}
