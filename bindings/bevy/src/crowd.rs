//! The crowd of a region: adds and removes agents, passes on their targets, steps them, and writes their positions
//! back.

use crate::agent::{NavAgent, NavAgentState, NavAreaCosts, NavDrive, NavFacing, NavTarget, NavVelocity};
use crate::content::NavContent;
use crate::convert::{to_bevy, to_nav};
use crate::events::{
    NavArrived, NavDisplaced, NavGaveUp, NavLinkEntered, NavLinkLeft, NavObstructed, NavPathFound, NavPathLost,
    NavStuck, NavUnreachable,
};
use crate::region::{NavMap, NavRegion};
use crate::{NavLinkDrive, NavMeshFile, NavStream};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_reflect::prelude::*;
use bevy_time::Time;
use bevy_transform::components::{GlobalTransform, Transform};
use std::collections::BTreeMap;
use wayfare::area::{AreaId, AreaTable};
use wayfare::context::Context;
use wayfare::corridor::ConnectionCrossing;
use wayfare::crowd::{AgentId, Crowd, EventKind, Target, TargetStatus};
use wayfare::mesh::{NavMesh, PolyPoint};
use wayfare::plan::AStarPlanner;
use wayfare::query::{DefaultFilter, NavQuery};

/// An agent moved farther than this from where it was put, metres, was moved by the game.
const MOVED: f32 = 1e-3;
/// A target that moves by less, metres, is the same.
const SAME_TARGET: f32 = 0.05;

/// The agents of a region, as the library knows them: corridors, neighbours, events, times of all phases.
#[derive(Component, Reflect, Default)]
#[reflect(Component, from_reflect = false)]
pub struct NavCrowd {
    #[reflect(ignore)]
    crowd: Crowd,
    #[reflect(ignore)]
    planner: AStarPlanner,
    #[reflect(ignore)]
    members: BTreeMap<Entity, Member>,
    #[reflect(ignore)]
    entity_of: BTreeMap<AgentId, Entity>,
    /// Numbers of filters that nobody uses.
    #[reflect(ignore)]
    free_filters: Vec<u32>,
    /// The obstacles that its agents walk around, by their numbers in the crowd.
    obstacles: Vec<Entity>,
    /// Of which revision those are, and for which layers.
    #[reflect(ignore)]
    obstacles_of: (u64, u32),
    /// The mesh that the agents were added on.
    generation: u64,
    /// What areas cost on the mesh that filters were made for.
    #[reflect(ignore)]
    areas: AreaTable,
    ticks: u64,
    /// Whether time has passed in this run: events are of the last tick.
    has_stepped: bool,
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

    /// Says how far an agent is on the [`NavLink`](crate::NavLink) that it crosses, 0…1, where its
    /// [`link_drive`](NavAgent::link_drive) leaves that to the game; at 1 it walks on. `false` if it is on no link of
    /// this region.
    pub fn set_link_progress(&mut self, entity: Entity, progress: f32) -> bool {
        let Some(id) = self.agent(entity) else { return false };
        is_on_link(&self.crowd, id) && self.crowd.set_connection_progress(id, progress).is_ok()
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

    /// The number of a filter with these costs, on top of those of the mesh.
    fn filter_of(&mut self, mesh: &NavMesh, costs: &NavAreaCosts, own: Option<u32>) -> u32 {
        let mut filter = DefaultFilter::of(mesh);
        for (&area, &cost) in &costs.0 {
            // A cost that is none leaves the type as it is.
            let _ = AreaId::new(area).map(|area| filter.set_area_cost(area, cost));
        }
        let Some(number) = own.or_else(|| self.free_filters.pop()) else {
            return self.crowd.add_filter(filter);
        };
        // Paths that have become dear are searched anew, and those that are closed. Numbers are of this crowd.
        let _ = self.crowd.set_costs(number, filter.clone());
        let _ = self.crowd.set_filter(number, filter);
        number
    }

    /// Whether the mesh says other costs than the filters were made for.
    fn has_other_costs(&mut self, mesh: &NavMesh) -> bool {
        let is_other = self.areas != *mesh.areas();
        if is_other {
            self.areas = mesh.areas().clone();
        }
        is_other
    }
}

type Agents<'a> = (
    Entity,
    Ref<'a, NavAgent>,
    Option<Ref<'a, NavTarget>>,
    &'a mut Transform,
    &'a GlobalTransform,
    Option<&'a ChildOf>,
    &'a mut NavVelocity,
    &'a mut NavAgentState,
    Option<Ref<'a, NavAreaCosts>>,
);

type Regions<'a> = (Entity, &'a NavRegion, &'a NavMap, &'a mut NavCrowd);

/// Agents come and go, and are told what has changed about them.
pub(crate) fn instruct_agents(
    mut agents: Query<Agents<'_>>,
    places: Query<&GlobalTransform>,
    mut regions: Query<Regions<'_>>,
    content: Res<NavContent>,
    mut commands: Commands,
) {
    let mut recosted: Vec<Entity> = Vec::new();
    for (entity, region, map, mut crowd) in &mut regions {
        crowd.see(&content, region.layers);
        crowd.crowd.settings_mut().path_nodes = region.path_nodes.max(1);
        if crowd.generation != map.generation {
            crowd.clear();
            crowd.generation = map.generation;
        }
        if crowd.has_other_costs(map.mesh()) {
            recosted.push(entity);
        }
    }
    let homes = homes(&agents, &regions);
    for (region, _, _, mut crowd) in &mut regions {
        let is_away = |entity: &Entity| {
            homes.binary_search_by_key(entity, |home| home.0).map_or(None, |at| homes[at].1) != Some(region)
        };
        // Also those that are gone, or no agents any more.
        let away: Vec<Entity> = crowd.members.keys().copied().filter(is_away).collect();
        away.into_iter().for_each(|entity| crowd.remove(entity));
    }
    for (entity, home) in homes {
        let Ok((_, agent, target, transform, global, parent, mut velocity, mut state, costs)) = agents.get_mut(entity)
        else {
            continue;
        };
        let Some((home, (_, _, map, mut crowd))) = home.and_then(|home| Some((home, regions.get_mut(home).ok()?)))
        else {
            // There is no region, or its own is gone.
            state.set_if_neq(NavAgentState::OffMesh);
            velocity.set_if_neq(NavVelocity::default());
            continue;
        };
        let crowd = &mut *crowd;
        let put = in_world(&transform, global, parent).translation;
        let at = put - Vec3::Y * agent.origin_height;
        let before = crowd.members.get(&entity);
        let is_new = before.is_none();
        let has_other_costs = match (&costs, before.and_then(|member| member.filter)) {
            (Some(costs), _) => costs.is_changed() || recosted.contains(&home),
            (None, filter) => filter.is_some(),
        };
        if is_new || agent.is_changed() || has_other_costs {
            let given = (agent.as_ref(), costs.as_deref());
            if !crowd.enter(entity, map.mesh(), given, (at, put)) {
                state.set_if_neq(NavAgentState::OffMesh);
                velocity.set_if_neq(NavVelocity::default());
                continue;
            }
        }
        crowd.follow(entity, map.mesh(), &agent, (at, put));
        // Who could not get there tries again when told the same once more.
        let is_told = target.as_ref().is_some_and(|target| target.is_changed());
        let is_retry = is_new || (is_told && *state == NavAgentState::Unreachable);
        let target = target.map_or(NavTarget::None, |target| *target);
        if !crowd.aim(entity, map.mesh(), (target, is_retry), &places) {
            state.set_if_neq(NavAgentState::Unreachable);
            commands.trigger(NavUnreachable { entity });
        }
    }
}

/// The region of each agent, in their order.
fn homes(agents: &Query<Agents<'_>>, regions: &Query<Regions<'_>>) -> Vec<(Entity, Option<Entity>)> {
    let mut sizes: Vec<(Entity, f32)> =
        regions.iter().map(|(entity, region, ..)| (entity, region.agent_radius)).collect();
    sizes.sort_by(NavRegion::by_size);
    let home_of = |entity: Entity, agent: &NavAgent, put: Vec3| {
        let size = sizes.iter().find(|size| size.1 >= agent.radius).or(sizes.last())?.1;
        let equals: Vec<Entity> = sizes.iter().filter(|other| other.1 == size).map(|other| other.0).collect();
        if equals.len() == 1 {
            return equals.first().copied();
        }
        // Of several for the same size the one that it stands on; it stays there unless the game moves it.
        let is_settled = |member: &Member| put.distance(member.put) <= MOVED;
        let foot = to_nav(put - Vec3::Y * agent.origin_height);
        let distance = |region: Entity| match regions.get(region) {
            Ok((.., crowd)) if crowd.members.get(&entity).is_some_and(is_settled) => -1.0,
            Ok((_, _, map, _)) => {
                NavQuery::of(map.mesh()).nearest(foot).map_or(f32::INFINITY, |near| near.point.distance(foot))
            }
            Err(_) => f32::INFINITY,
        };
        let distances = equals.into_iter().map(|region| (region, distance(region)));
        distances.min_by(|a, b| a.1.total_cmp(&b.1)).map(|found| found.0)
    };
    let mut homes = Vec::with_capacity(agents.iter().size_hint().0);
    for (entity, agent, _, transform, global, parent, ..) in agents.iter() {
        let put = in_world(transform, global, parent).translation;
        let home = agent.region.or_else(|| home_of(entity, &agent, put));
        homes.push((entity, home.filter(|&home| regions.contains(home))));
    }
    homes.sort_unstable_by_key(|home| home.0);
    homes
}

/// Whether an agent is on a link.
fn is_on_link(crowd: &Crowd, id: AgentId) -> bool {
    matches!(crowd.on_connection(id), Ok(Some(_)))
}

/// Where an agent is in the world; under a parent, as that was when the run began.
fn in_world(transform: &Transform, global: &GlobalTransform, parent: Option<&ChildOf>) -> Transform {
    if parent.is_some() { global.compute_transform() } else { *transform }
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
        let own = before.and_then(|member| member.1);
        let filter = costs.map(|costs| self.filter_of(mesh, costs, own));
        let params = agent.params(filter.unwrap_or(0));
        let entered = match before {
            Some((id, _)) => self.crowd.set_params(id, params).map(|()| id),
            None => self.crowd.add(mesh, to_nav(at), params),
        };
        let Ok(id) = entered else {
            // Its own filter is free when it has left.
            self.free_filters.extend(filter.filter(|_| own.is_none()));
            self.remove(entity);
            return false;
        };
        // Nobody uses the one that it had.
        self.free_filters.extend(own.filter(|_| filter.is_none()));
        let member = Member { id, filter, put, told: NavTarget::None, aim: Vec3::INFINITY, remaining: None };
        self.entity_of.insert(id, entity);
        self.members.entry(entity).and_modify(|member| member.filter = filter).or_insert(member);
        true
    }

    /// Lets an agent follow its entity, where the game has moved that.
    fn follow(&mut self, entity: Entity, mesh: &NavMesh, agent: &NavAgent, (at, put): (Vec3, Vec3)) {
        let is_carried = self.is_carried(entity, agent);
        let Some(member) = self.members.get_mut(&entity) else { return };
        match agent.drive {
            NavDrive::Transform if is_carried => {}
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

    /// Whether an agent is on a link over which the game moves it.
    fn is_carried(&self, entity: Entity, agent: &NavAgent) -> bool {
        agent.link_drive == NavLinkDrive::Game && self.agent(entity).is_some_and(|id| is_on_link(&self.crowd, id))
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
        crowd.has_stepped = !crowd.members.is_empty() && time.delta_secs() > 0.0;
        if crowd.has_stepped {
            let NavCrowd { crowd, planner, .. } = &mut *crowd;
            crowd.step(map.mesh(), time.delta_secs(), planner, &Context::default());
        }
    }
}

type Walkers<'a> = (
    &'a NavAgent,
    Option<&'a NavTarget>,
    &'a mut Transform,
    &'a GlobalTransform,
    Option<&'a ChildOf>,
    &'a mut NavVelocity,
    &'a mut NavAgentState,
    Option<&'a NavFacing>,
);

type Crowds<'a> = (Entity, &'a NavRegion, &'a mut NavCrowd, &'a NavMap, Has<NavMeshFile>, Has<NavStream>);

/// Puts agents where they are, and says how they are.
pub(crate) fn place_agents(
    time: Res<Time>,
    mut agents: Query<Walkers<'_>>,
    places: Query<&GlobalTransform>,
    mut crowds: Query<Crowds<'_>>,
    content: Res<NavContent>,
    mut commands: Commands,
) {
    let mut order: Vec<Entity> = crowds.iter().map(|crowd| crowd.0).collect();
    order.sort_unstable();
    for region in order {
        let Ok((_, settings, mut crowd, map, is_file, is_stream)) = crowds.get_mut(region) else { continue };
        if !crowd.has_stepped {
            continue;
        }
        let NavCrowd { crowd, members, entity_of, obstacles, ticks, .. } = &mut *crowd;
        *ticks += 1;
        let tick = *ticks;
        for (&entity, member) in members.iter_mut() {
            let Ok((agent, target, mut transform, global, parent, mut velocity, mut state, facing)) =
                agents.get_mut(entity)
            else {
                continue;
            };
            let i = member.id.index();
            let was = in_world(&transform, global, parent);
            let mut now = was;
            let is_carried = agent.link_drive == NavLinkDrive::Game && is_on_link(crowd, member.id);
            let wanted = match agent.drive {
                NavDrive::Transform => {
                    let place = to_bevy(crowd.positions()[i]) + Vec3::Y * agent.origin_height;
                    if place.is_finite() && !is_carried {
                        now.translation = place;
                    }
                    crowd.velocities()[i]
                }
                NavDrive::Velocity => crowd.avoiding_mut()[i],
            };
            member.put = now.translation;
            let wanted = to_bevy(wanted);
            velocity.set_if_neq(NavVelocity(wanted));
            if let Some(facing) = facing.filter(|_| !is_carried) {
                turn(&mut now, wanted, facing.speed * time.delta_secs());
            }
            if now != was {
                let parent = parent.and_then(|parent| places.get(parent.parent()).ok());
                *transform = parent.map_or(now, |parent| GlobalTransform::from(now).reparented_to(parent));
            }
            let target = target.copied().unwrap_or_default();
            state.set_if_neq(state_of(crowd, member, target, (tick, wanted.with_y(0.0).length() * time.delta_secs())));
        }
        let has_others = is_file || is_stream || settings.links.is_some();
        let link = |at: ConnectionCrossing| {
            let connection = *map.mesh().connection(at.connection).ok()?.definition();
            let (entity, link) = content.link_of(&connection)?;
            // Links that are no component's may have the same numbers.
            (!has_others || *link == connection).then_some(entity)
        };
        for event in crowd.events() {
            if let Some(&entity) = entity_of.get(&event.agent) {
                if matches!(event.kind, EventKind::PathFound { .. }) {
                    members.entry(entity).and_modify(|member| member.remaining = None);
                }
                tell(&mut commands, entity, event.kind, (obstacles, &link));
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

fn tell(
    commands: &mut Commands,
    entity: Entity,
    kind: EventKind,
    (obstacles, link): (&[Entity], &dyn Fn(ConnectionCrossing) -> Option<Entity>),
) {
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
            let (from, to) = (to_bevy(crossing.from), to_bevy(crossing.to));
            commands.trigger(NavLinkEntered { entity, link: link(crossing), from, to });
        }
        EventKind::ConnectionLeft(crossing) => commands.trigger(NavLinkLeft { entity, link: link(crossing) }),
        EventKind::Obstructed { by } => {
            if let Some(&by) = obstacles.get(by as usize) {
                commands.trigger(NavObstructed { entity, by });
            }
        }
        _ => {}
    }
}
