//! The crowd of a region: agents come, are told where to go, walk, and are put where they are.

use crate::agent::{NavAgent, NavAgentState, NavAreaCosts, NavDrive, NavFacing, NavTarget, NavVelocity};
use crate::content::NavContent;
use crate::convert::{to_bevy, to_nav};
use crate::events::{
    NavArrived, NavDisplaced, NavGaveUp, NavLinkEntered, NavLinkLeft, NavObstructed, NavPathFound, NavPathLost,
    NavStuck, NavUnreachable,
};
use crate::region::{NavMap, NavRegion};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_time::Time;
use bevy_transform::components::{GlobalTransform, Transform};
use std::collections::BTreeMap;
use wayfare::area::AreaId;
use wayfare::context::Context;
use wayfare::crowd::{AgentId, Crowd, EventKind, Target, TargetStatus};
use wayfare::mesh::{NavMesh, PolyPoint};
use wayfare::plan::AStarPlanner;
use wayfare::query::DefaultFilter;

/// An agent moved farther than this from where it was put, metres, was moved by the game.
const MOVED: f32 = 1e-3;
/// A target that moves by less, metres, is the same.
const SAME_TARGET: f32 = 0.05;

/// The agents of a region, as the library knows them: corridors, neighbours, events, times of all phases.
#[derive(Component, Default)]
pub struct NavCrowd {
    crowd: Crowd,
    planner: AStarPlanner,
    members: BTreeMap<Entity, Member>,
    entity_of: BTreeMap<AgentId, Entity>,
    /// Numbers of filters that nobody uses.
    free_filters: Vec<u32>,
    /// The obstacles that its agents walk around, by their numbers in the crowd.
    obstacles: Vec<Entity>,
    /// Of which revision those are, and for which layers.
    obstacles_of: (u64, u32),
    /// The mesh that the agents were added on.
    generation: u64,
    ticks: u64,
}

struct Member {
    id: AgentId,
    filter: Option<u32>,
    /// Where its entity was put last.
    put: Vec3,
    /// What it was told last.
    told: NavTarget,
    /// Where the entity is that it was told to go to.
    aim: Vec3,
    /// How far it has to go, metres, and whether that was of a path to the target itself.
    remaining: Option<(f32, bool)>,
}

/// Ticks after which the length of a path is measured again; in between, what was walked is taken off.
const MEASURED: u64 = 16;

impl NavCrowd {
    /// The library's crowd.
    #[must_use]
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// An agent's name in the library's crowd; `None` if it does not walk in this region.
    #[must_use]
    pub fn agent(&self, entity: Entity) -> Option<AgentId> {
        self.members.get(&entity).map(|member| member.id)
    }

    /// The obstacles in an agent's way, the nearest first, if it should [walk around](crate::NavObstacleMode) them and
    /// finds no way around; else none.
    pub fn obstructed_by(&self, entity: Entity) -> impl Iterator<Item = Entity> + '_ {
        let by = self.agent(entity).and_then(|agent| self.crowd.obstructed_by(agent).ok()).unwrap_or_default();
        by.iter().filter_map(|&number| self.obstacles.get(number as usize).copied())
    }

    /// Takes up what agents walk around, if that has changed.
    fn see(&mut self, content: &NavContent, layers: u32) {
        let now = (content.loose_revision(), layers);
        if self.obstacles_of != now {
            self.obstacles_of = now;
            let (outlines, entities) = content.loose(layers);
            self.crowd.set_obstacles(outlines);
            self.obstacles = entities;
        }
    }

    fn remove(&mut self, entity: Entity) {
        if let Some(member) = self.members.remove(&entity) {
            self.entity_of.remove(&member.id);
            self.free_filters.extend(member.filter);
            // It is gone where its name is stale.
            let _ = self.crowd.remove(member.id);
        }
    }

    fn clear(&mut self) {
        self.members.keys().copied().collect::<Vec<_>>().into_iter().for_each(|entity| self.remove(entity));
    }

    /// The number of a filter with these costs; 0, that of the mesh, without any.
    fn filter_of(&mut self, costs: Option<&NavAreaCosts>, own: Option<u32>) -> Option<u32> {
        let Some(costs) = costs else {
            self.free_filters.extend(own);
            return None;
        };
        let mut filter = DefaultFilter::default();
        for (&area, &cost) in &costs.0 {
            // A cost that is none leaves the type as it is.
            let _ = AreaId::new(area).map(|area| filter.set_area_cost(area, cost));
        }
        let Some(number) = own.or_else(|| self.free_filters.pop()) else {
            return Some(self.crowd.add_filter(filter));
        };
        self.crowd.set_filter(number, filter).ok().map(|()| number)
    }
}

type Agents<'a> = (
    Entity,
    Ref<'a, NavAgent>,
    Ref<'a, NavTarget>,
    &'a mut Transform,
    &'a mut NavVelocity,
    &'a mut NavAgentState,
    Option<Ref<'a, NavAreaCosts>>,
    Option<&'a NavFacing>,
);

/// Agents leave that are gone.
pub(crate) fn leave_crowds(mut removed: RemovedComponents<NavAgent>, mut crowds: Query<&mut NavCrowd>) {
    for entity in removed.read() {
        crowds.iter_mut().for_each(|mut crowd| crowd.remove(entity));
    }
}

/// Agents come, and are told what has changed about them.
pub(crate) fn instruct_agents(
    mut agents: Query<Agents<'_>>,
    places: Query<&GlobalTransform>,
    mut regions: Query<(Entity, &NavRegion, &NavMap, &mut NavCrowd)>,
    content: Res<NavContent>,
    mut commands: Commands,
) {
    for (_, region, map, mut crowd) in &mut regions {
        crowd.see(&content, region.layers);
        crowd.crowd.settings_mut().path_nodes = region.path_nodes.max(1);
        if crowd.generation != map.generation {
            crowd.clear();
            crowd.generation = map.generation;
        }
    }
    let mut sizes: Vec<(Entity, f32)> =
        regions.iter().map(|(entity, region, ..)| (entity, region.agent_radius)).collect();
    sizes.sort_by(NavRegion::by_size);
    let mut order: Vec<Entity> = agents.iter().map(|agent| agent.0).collect();
    order.sort_unstable();
    for entity in order {
        let Ok((_, agent, target, transform, mut velocity, mut state, costs, _)) = agents.get_mut(entity) else {
            continue;
        };
        let fitting = || sizes.iter().find(|size| size.1 >= agent.radius).or(sizes.last()).map(|size| size.0);
        let home = agent.region.or_else(fitting).filter(|&home| regions.contains(home));
        let Some(home) = home else {
            // There is no region, or its own is gone.
            state.set_if_neq(NavAgentState::OffMesh);
            velocity.set_if_neq(NavVelocity::default());
            continue;
        };
        if agent.is_changed() {
            let elsewhere = regions.iter_mut().filter(|region| region.0 != home);
            elsewhere.into_iter().for_each(|mut region| region.3.remove(entity));
        }
        let Ok((_, _, map, mut crowd)) = regions.get_mut(home) else { continue };
        let crowd = &mut *crowd;
        let at = transform.translation - Vec3::Y * agent.origin_height;
        let is_new = !crowd.members.contains_key(&entity);
        if is_new || agent.is_changed() || costs.as_ref().is_some_and(|costs| costs.is_changed()) {
            let given = (agent.as_ref(), costs.as_deref());
            if !crowd.enter(entity, map.mesh(), given, (at, transform.translation)) {
                state.set_if_neq(NavAgentState::OffMesh);
                velocity.set_if_neq(NavVelocity::default());
                continue;
            }
        }
        crowd.follow(entity, map.mesh(), agent.drive, (at, transform.translation));
        // Who could not get there tries again when told the same once more.
        let is_retry = is_new || (target.is_changed() && *state == NavAgentState::Unreachable);
        if !crowd.aim(entity, map.mesh(), (*target, is_retry), &places) {
            state.set_if_neq(NavAgentState::Unreachable);
            commands.trigger(NavUnreachable { entity });
        }
    }
}

impl NavCrowd {
    /// Adds an agent whose feet are `at` and whose entity was `put` there, or gives it other parameters. `false` if it
    /// is not near the mesh, or its numbers make no agent: that is tried again while it is there.
    fn enter(
        &mut self,
        entity: Entity,
        mesh: &NavMesh,
        (agent, costs): (&NavAgent, Option<&NavAreaCosts>),
        (at, put): (Vec3, Vec3),
    ) -> bool {
        let before = self.members.get(&entity).map(|member| (member.id, member.filter));
        let filter = self.filter_of(costs, before.and_then(|member| member.1));
        let params = agent.params(filter.unwrap_or(0));
        let id = match before {
            Some((id, _)) => self.crowd.set_params(id, params).map(|()| id),
            None => self.crowd.add(mesh, to_nav(at), params),
        };
        let Ok(id) = id else {
            self.free_filters.extend(filter);
            return false;
        };
        let member = Member { id, filter, put, told: NavTarget::None, aim: Vec3::INFINITY, remaining: None };
        self.entity_of.insert(id, entity);
        self.members.entry(entity).and_modify(|member| member.filter = filter).or_insert(member);
        true
    }

    /// Lets an agent follow its entity, where the game has moved that.
    fn follow(&mut self, entity: Entity, mesh: &NavMesh, drive: NavDrive, (at, put): (Vec3, Vec3)) {
        let Some(member) = self.members.get_mut(&entity) else { return };
        match drive {
            NavDrive::Transform if put.distance(member.put) > MOVED => {
                let _ = self.crowd.teleport(mesh, member.id, to_nav(at));
                // What it was told is told again from there.
                member.told = NavTarget::None;
            }
            NavDrive::Transform => {}
            NavDrive::Velocity => {
                let _ = self.crowd.set_position(member.id, to_nav(at));
            }
        }
    }

    /// Tells an agent its target, if that is another than before or `again`. `false` if the target is not near the
    /// mesh.
    fn aim(
        &mut self,
        entity: Entity,
        mesh: &NavMesh,
        (target, again): (NavTarget, bool),
        places: &Query<&GlobalTransform>,
    ) -> bool {
        let (wish, aim) = match target {
            NavTarget::None => (Wish::Told(Target::None), Vec3::ZERO),
            NavTarget::Velocity(velocity) => (Wish::Told(Target::Velocity(to_nav(velocity))), Vec3::ZERO),
            NavTarget::Point(place) => (Wish::Near(Target::Point), place),
            NavTarget::Entity(other) => match self.members.get(&other) {
                Some(other) => (Wish::Told(Target::Agent(other.id)), Vec3::ZERO),
                None => (Wish::Near(Target::Moving), places.get(other).map_or(Vec3::NAN, GlobalTransform::translation)),
            },
        };
        let Some(member) = self.members.get_mut(&entity) else { return true };
        // A place that is none has not moved.
        let has_moved = aim.distance(member.aim) > SAME_TARGET;
        if !again && !has_moved && member.told == target {
            return true;
        }
        (member.told, member.aim) = (target, aim);
        let id = member.id;
        let found = match wish {
            Wish::Told(target) => Some(target),
            Wish::Near(target) => self.crowd.ground(mesh, id, to_nav(aim)).ok().map(target),
        };
        let _ = self.crowd.set_target(id, found.unwrap_or(Target::None));
        found.is_some()
    }
}

/// A target, or what becomes one at the position on the mesh nearest to a place.
enum Wish {
    Told(Target),
    Near(fn(PolyPoint) -> Target),
}

/// A tick of all crowds.
pub(crate) fn step_crowds(time: Res<Time>, mut crowds: Query<(&NavMap, &mut NavCrowd)>) {
    for (map, mut crowd) in &mut crowds {
        if !crowd.members.is_empty() && time.delta_secs() > 0.0 {
            let NavCrowd { crowd, planner, .. } = &mut *crowd;
            crowd.step(map.mesh(), time.delta_secs(), planner, &Context::default());
        }
    }
}

/// Puts agents where they are, and says how they are.
pub(crate) fn place_agents(
    time: Res<Time>,
    mut agents: Query<Agents<'_>>,
    mut crowds: Query<(Entity, &mut NavCrowd)>,
    mut commands: Commands,
) {
    let mut order: Vec<Entity> = crowds.iter().map(|crowd| crowd.0).collect();
    order.sort_unstable();
    for region in order {
        let Ok((_, mut crowd)) = crowds.get_mut(region) else { continue };
        let NavCrowd { crowd, members, entity_of, obstacles, ticks, .. } = &mut *crowd;
        *ticks += 1;
        let tick = *ticks;
        for (&entity, member) in members.iter_mut() {
            let Ok((_, agent, target, mut transform, mut velocity, mut state, _, facing)) = agents.get_mut(entity)
            else {
                continue;
            };
            let i = member.id.index();
            let wanted = match agent.drive {
                NavDrive::Transform => {
                    let place = to_bevy(crowd.positions()[i]) + Vec3::Y * agent.origin_height;
                    if place.is_finite() && place != transform.translation {
                        transform.translation = place;
                    }
                    crowd.velocities()[i]
                }
                NavDrive::Velocity => crowd.avoiding_mut()[i],
            };
            member.put = transform.translation;
            let wanted = to_bevy(wanted);
            velocity.set_if_neq(NavVelocity(wanted));
            if let Some(facing) = facing {
                turn(&mut transform, wanted, facing.speed * time.delta_secs());
            }
            state.set_if_neq(state_of(crowd, member, *target, (tick, wanted.with_y(0.0).length() * time.delta_secs())));
        }
        for event in crowd.events() {
            if let Some(&entity) = entity_of.get(&event.agent) {
                if matches!(event.kind, EventKind::PathFound { .. }) {
                    members.entry(entity).and_modify(|member| member.remaining = None);
                }
                tell(&mut commands, entity, event.kind, obstacles);
            }
        }
    }
}

/// Turns an entity about y towards where it moves; forward is -z.
fn turn(transform: &mut Transform, velocity: Vec3, most: f32) {
    let flat = velocity.with_y(0.0);
    let Some(ahead) = flat.try_normalize().filter(|_| flat.length() > 0.1) else { return };
    let wanted = Quat::from_rotation_arc(Vec3::NEG_Z, ahead);
    transform.rotation = transform.rotation.rotate_towards(wanted, most);
}

/// How an agent is, after the tick of this number in which it walked so far.
fn state_of(crowd: &Crowd, member: &mut Member, target: NavTarget, (tick, walked): (u64, f32)) -> NavAgentState {
    let id = member.id;
    if let Ok(Some(on)) = crowd.on_connection(id) {
        member.remaining = None;
        return NavAgentState::OnLink { progress: on.progress };
    }
    let state = match crowd.target_status(id) {
        Ok(TargetStatus::Waiting) => NavAgentState::Searching,
        Ok(way @ (TargetStatus::Complete | TargetStatus::Partial)) => {
            let complete = way == TargetStatus::Complete;
            // Few of many agents have their paths measured in the same tick.
            let is_due = (tick + id.index() as u64).is_multiple_of(MEASURED);
            let remaining = match member.remaining {
                Some((before, was_complete)) if was_complete == complete && !is_due => (before - walked).max(0.0),
                _ => crowd.remaining_distance(id).ok().flatten().unwrap_or(0.0),
            };
            member.remaining = Some((remaining, complete));
            return NavAgentState::Walking { remaining, complete };
        }
        Ok(TargetStatus::Arrived) => NavAgentState::Arrived,
        Ok(TargetStatus::Unreachable) => NavAgentState::Unreachable,
        Ok(TargetStatus::None) if matches!(target, NavTarget::Point(_) | NavTarget::Entity(_)) => {
            NavAgentState::Unreachable
        }
        Ok(TargetStatus::None) => NavAgentState::Idle,
        Ok(_) | Err(_) => NavAgentState::OffMesh,
    };
    member.remaining = None;
    state
}

fn tell(commands: &mut Commands, entity: Entity, kind: EventKind, obstacles: &[Entity]) {
    match kind {
        EventKind::PathFound { complete } => commands.trigger(NavPathFound { entity, complete }),
        EventKind::Unreachable => commands.trigger(NavUnreachable { entity }),
        EventKind::PathLost(broken) => commands.trigger(NavPathLost { entity, distance: broken.ahead, soon: false }),
        EventKind::PathBreaksSoon(broken) => {
            commands.trigger(NavPathLost { entity, distance: broken.ahead, soon: true })
        }
        EventKind::Displaced { from, to } => {
            commands.trigger(NavDisplaced { entity, from: to_bevy(from), to: to_bevy(to) });
        }
        EventKind::Arrived => commands.trigger(NavArrived { entity }),
        EventKind::Blocked { spells } => commands.trigger(NavStuck { entity, spells }),
        EventKind::GaveUp => commands.trigger(NavGaveUp { entity }),
        EventKind::ConnectionEntered(crossing) => {
            commands.trigger(NavLinkEntered { entity, from: to_bevy(crossing.from), to: to_bevy(crossing.to) });
        }
        EventKind::ConnectionLeft(_) => commands.trigger(NavLinkLeft { entity }),
        EventKind::Obstructed { by } => {
            if let Some(&by) = obstacles.get(by as usize) {
                commands.trigger(NavObstructed { entity, by });
            }
        }
        _ => {}
    }
}
