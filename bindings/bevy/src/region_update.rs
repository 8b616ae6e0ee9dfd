//! Lets regions follow the scene: on a thread of the pool, or in steps on this one.

use crate::content::{Kind, NavContent, Part, Parts};
use crate::events::{NavBakeProgress, NavEditsLost, NavReady, tell_failure};
use crate::level::Level;
use crate::region::{NavBakeStage, NavMap, NavRegion, NavStatus, NavUpdate};
use crate::{NavMeshFile, NavStream};
use bevy_ecs::prelude::*;
use bevy_tasks::futures::check_ready;
use bevy_tasks::futures_lite::future::yield_now;
use bevy_tasks::{AsyncComputeTaskPool, Task};
use std::sync::{Arc, Mutex, PoisonError};
use wayfare::area::AreaId;
use wayfare::context::Budget;
use wayfare::dynamic::LiveStage;
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, SharedMesh};

/// Cells of work after which a background task lets others have the thread, and may be cancelled.
const SLICE: Budget = Budget::new(100_000);

/// Below the lowest corner of the geometry, metres: a floor has a cell below it.
const BELOW: f32 = 1.0;

/// What a region is about.
#[derive(Component, Default)]
pub(crate) struct RegionWork {
    /// What the level was made for; `None` before the first time.
    made_for: Option<NavRegion>,
    bounds: Option<Aabb>,
    /// Not here while a task has it.
    level: Option<Box<Level>>,
    /// Changes that the level has not seen.
    waiting: Parts,
    task: Option<Task<Box<Level>>>,
    /// How far the task is.
    progress: Arc<Mutex<(NavBakeStage, f32)>>,
    /// Whether the level has tiles to rebuild.
    is_behind: bool,
    /// Whether the region's mesh is that of this level; one that was made anew takes its place when it is done.
    is_shown: bool,
    /// Whether the region's mesh was replaced, edits and all, and nobody was told yet.
    has_lost_edits: bool,
}

type Region<'a> =
    (Entity, &'a NavRegion, &'a mut NavMap, &'a mut NavStatus, &'a mut RegionWork, Option<&'a NavMeshFile>);

pub(crate) fn update_regions(
    mut regions: Query<Region<'_>, Without<NavStream>>,
    mut content: ResMut<NavContent>,
    mut commands: Commands,
) {
    for (entity, region, mut map, mut status, mut work, file) in &mut regions {
        if file.is_some() {
            work.collect_parts(region, &content);
        } else {
            work.collect(region, &content);
        }
        let news = work.go_on(region, &mut map);
        map.refresh();
        if core::mem::take(&mut work.has_lost_edits) {
            commands.trigger(NavEditsLost { entity });
        }
        match news {
            News::None => {}
            News::Empty => {
                status.set_if_neq(NavStatus::Empty);
            }
            News::Baking(stage, done) => {
                if status.set_if_neq(NavStatus::Baking { stage, done }) {
                    commands.trigger(NavBakeProgress { entity, stage, done });
                }
            }
            News::Finished(problems) if problems.is_empty() => {
                *status = NavStatus::Ready;
                commands.trigger(NavReady { entity });
            }
            News::Finished(problems) => {
                let reason = problems.join("; ");
                *status = NavStatus::Failed(reason.clone());
                tell_failure(&mut commands, entity, reason);
            }
        }
    }
    content.forget_changes();
}

/// How a region got on.
enum News {
    None,
    Empty,
    Baking(NavBakeStage, f32),
    Finished(Vec<String>),
}

impl RegionWork {
    /// Whether its parts are those that a region with these layers sees.
    pub(crate) fn sees(&self, layers: u32) -> bool {
        self.made_for.is_none_or(|made_for| made_for.layers == layers)
    }

    /// Shows a mesh from a file; `parts` are all that lies on it.
    pub(crate) fn show(&mut self, region: &NavRegion, level: Level, parts: Parts, map: &mut NavMap) {
        let has_lost_edits = map.replace(level.mesh().clone());
        let made_for = Some(*region);
        let waiting = parts.into_iter().filter(is_no_geometry).collect();
        // Even where nothing lies on it: it is ready once it has been looked at.
        *self = Self {
            made_for,
            level: Some(Box::new(level)),
            waiting,
            is_behind: true,
            is_shown: true,
            has_lost_edits,
            ..Self::default()
        };
    }

    /// Takes changes of what lies on a mesh from a file in.
    fn collect_parts(&mut self, region: &NavRegion, content: &NavContent) {
        if self.made_for.is_some() {
            self.waiting.extend(content.changes(region.layers).into_iter().filter(is_no_geometry));
        }
    }

    /// Takes changes of the scene in; all of it where the level has to be made anew.
    fn collect(&mut self, region: &NavRegion, content: &NavContent) {
        let is_same = self.made_for.is_some_and(|before| before.bakes_like(region));
        if is_same {
            self.waiting.extend(content.changes(region.layers));
        }
        let has_outgrown = || {
            let reaches_beyond = |part: &Part| match part {
                Part::Geometry(Some(surface)) => self.bounds.is_none_or(|bounds| !contains(&bounds, &surface.bounds())),
                _ => false,
            };
            region.bounds.is_none() && self.waiting.values().any(reaches_beyond)
        };
        if is_same && !has_outgrown() {
            return;
        }
        let before = self.bounds.filter(|_| is_same);
        let needed = content.bounds(region.layers);
        let grown =
            || needed.map(|needed| before.map_or_else(|| with_room_below(needed), |before| grown(before, needed)));
        self.bounds = region.fixed_bounds().or_else(grown);
        if self.bounds.is_some() {
            self.made_for = Some(*region);
            self.waiting = content.all(region.layers);
            self.level = None;
            self.is_shown = false;
            // Its work is for nothing now.
            self.task = None;
        }
    }

    fn go_on(&mut self, region: &NavRegion, map: &mut NavMap) -> News {
        if let Some(task) = &mut self.task {
            let Some(level) = check_ready(task) else {
                let (stage, done) = *self.progress.lock().unwrap_or_else(PoisonError::into_inner);
                return News::Baking(stage, done);
            };
            self.task = None;
            return self.finish(level, map);
        }
        let mut level = match (self.level.take(), self.bounds) {
            (Some(level), _) => level,
            (None, None) => return News::Empty,
            (None, _) if self.waiting.is_empty() => return News::None,
            (None, Some(bounds)) => match Level::new(&region.settings(bounds), region.links.as_ref()) {
                Ok(mut level) => {
                    keep_areas(map.mesh(), level.mesh_mut());
                    Box::new(level)
                }
                Err(problem) => {
                    // Not tried again before the scene or the settings change.
                    self.waiting.clear();
                    return News::Finished(vec![problem]);
                }
            },
        };
        if !map.edits.is_empty() {
            map.edits.drain(..).for_each(|edit| edit(level.mesh_mut()));
            map.is_edited = true;
            self.publish(&level, map);
        }
        let is_wanted = match region.update {
            NavUpdate::Manual => core::mem::take(&mut map.is_wanted),
            NavUpdate::Background | NavUpdate::InStep { .. } => true,
        };
        if !is_wanted || (self.waiting.is_empty() && !self.is_behind) {
            self.level = Some(level);
            return News::None;
        }
        let changes = core::mem::take(&mut self.waiting);
        if let NavUpdate::InStep { cells } = region.update {
            level.apply(changes);
            let stepped = level.step(Budget::new(cells.max(1)));
            if stepped.is_finished() {
                return self.finish(level, map);
            }
            self.publish(&level, map);
            self.is_behind = true;
            self.level = Some(level);
            return News::Baking(stepped.stage.into(), stepped.progress.share());
        }
        self.progress = Arc::default();
        // So agents learn of paths that will break before they do.
        let shared = self.is_shown.then(|| map.shared.clone());
        self.task =
            Some(AsyncComputeTaskPool::get().spawn(catch_up(level, changes, shared, Arc::clone(&self.progress))));
        News::Baking(NavBakeStage::Tiles, 0.0)
    }

    /// Shows what has become of the level so far, if it is shown at all yet.
    fn publish(&self, level: &Level, map: &NavMap) {
        if self.is_shown {
            map.shared.replace(level.mesh().clone());
        }
    }

    fn finish(&mut self, mut level: Box<Level>, map: &mut NavMap) -> News {
        if self.is_shown {
            map.shared.replace(level.mesh().clone());
        } else {
            self.has_lost_edits |= map.replace(level.mesh().clone());
            self.is_shown = true;
        }
        let problems = level.take_problems();
        self.level = Some(level);
        self.is_behind = false;
        News::Finished(problems)
    }
}

/// Brings a level up to date. What is about to change is announced in `shared`, if it is shown there, and tiles are
/// there before their links are.
async fn catch_up(
    mut level: Box<Level>,
    changes: Parts,
    shared: Option<SharedMesh>,
    progress: Arc<Mutex<(NavBakeStage, f32)>>,
) -> Box<Level> {
    level.apply(changes);
    let show = |level: &Level| {
        if let Some(shared) = &shared {
            shared.replace(level.mesh().clone());
        }
    };
    show(&level);
    let mut stage = LiveStage::Tiles;
    loop {
        let stepped = level.step(SLICE);
        if stepped.is_finished() {
            break;
        }
        if core::mem::replace(&mut stage, stepped.stage) != stepped.stage {
            show(&level);
        }
        *progress.lock().unwrap_or_else(PoisonError::into_inner) = (stage.into(), stepped.progress.share());
        yield_now().await;
    }
    level
}

/// What the game has said of area types is true of any mesh.
fn keep_areas(before: &NavMesh, mesh: &mut NavMesh) {
    mesh.set_areas(before.areas().clone());
    for area in (0..64).map(AreaId::from_low_bits) {
        if let Some(flags) = before.area_rules().flags(area) {
            mesh.set_area_flags(area, flags);
        }
    }
}

fn is_no_geometry(part: &((Kind, Entity), Part)) -> bool {
    part.0.0 != Kind::Geometry
}

fn contains(outer: &Aabb, inner: &Aabb) -> bool {
    // Upwards there is room enough.
    outer.min.cmple(inner.min).all() && outer.max.x >= inner.max.x && outer.max.z >= inner.max.z
}

fn with_room_below(bounds: Aabb) -> Aabb {
    Aabb { min: bounds.min - wayfare::Vec3::Y * BELOW, ..bounds }
}

/// Bounds that hold what has come. On the sides where it reaches beyond the old ones there is half a level to spare:
/// something that sails away does not have everything baked anew at each of its steps.
fn grown(before: Aabb, needed: Aabb) -> Aabb {
    let all = before.union(needed);
    let spare = (all.max - all.min).max(wayfare::Vec3::splat(BELOW)) / 2.0;
    let is_beyond = |beyond: bool, spare: f32| if beyond { spare } else { 0.0 };
    let below = wayfare::Vec3::new(
        is_beyond(needed.min.x < before.min.x, spare.x),
        is_beyond(needed.min.y < before.min.y, spare.y),
        is_beyond(needed.min.z < before.min.z, spare.z),
    );
    let above = wayfare::Vec3::new(
        is_beyond(needed.max.x > before.max.x, spare.x),
        0.0,
        is_beyond(needed.max.z > before.max.z, spare.z),
    );
    Aabb { min: all.min - below, max: all.max + above }
}
