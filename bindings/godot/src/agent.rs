//! Agents: who walks, where to, and how it goes.

use crate::convert::{to_godot, to_nav};
use crate::core::{Agent, AgentSettings, Goal, Id, Movement, Report, Status, with};
use crate::nodes::{self, Kind};
use crate::same::is_same;
use crate::server::{WayfareServer, id_of, rid};
use godot::classes::{INode, NavigationPathQueryResult3D, Node, Node3D};
use godot::prelude::*;
use wayfare::avoid::Avoidance;

/// A target position that differs by less, metres, is the same.
const SAME_TARGET: f32 = 0.05;

/// Who moves the parent of an agent.
#[derive(GodotConvert, Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum AgentMovement {
    /// The agent: it sets the position of its parent.
    #[default]
    Parent,
    /// A script, by `velocity_computed` or `get_next_path_position`, as with [NavigationAgent3D].
    Script,
}

impl AgentMovement {
    fn of_core(self) -> Movement {
        match self {
            Self::Parent => Movement::Crowd,
            Self::Script => Movement::Script,
        }
    }
}

/// How an agent avoids others.
#[derive(GodotConvert, Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum AvoidanceMethod {
    /// The best of velocities on rings that narrow down.
    #[default]
    Adaptive,
    /// The best of many velocities on a grid.
    Sampled,
    /// Half-planes of admissible velocities, as the built-in navigation.
    Orca,
    /// The nearest velocity on the border of all velocity obstacles.
    ClearPath,
    /// The same, committed to a side on which to pass.
    Hrvo,
    /// As people in corridors and at doors.
    Pedestrian,
}

/// How an agent gets on.
#[derive(GodotConvert, Var, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum AgentStatus {
    /// There is no mesh near it.
    #[default]
    OffMesh,
    /// It has nowhere to go.
    Idle,
    /// A path is searched.
    Searching,
    /// It walks to its target.
    Walking,
    /// It walks as near as it can.
    WalkingNear,
    /// It crosses a link.
    OnLink,
    /// It is there.
    Arrived,
    /// No path leads there.
    Unreachable,
}

/// Walks to a target and avoids others. Add it to a [Node3D]: that is moved along, or moved by a script that listens to
/// the agent. Known from [NavigationAgent3D].
#[derive(GodotClass)]
#[class(tool, init, base = Node)]
pub struct WayfareAgent {
    /// Who moves the parent: the agent itself, or a script. Default the agent.
    #[export]
    #[init(val = AgentMovement::Parent)]
    pub movement: AgentMovement,
    /// Who moves the parent over links: the agent, in a straight line at its greatest speed, or a script, for a jump or
    /// a climb with an animation. That moves the parent as it likes from [signal link_reached] on, and says how far it
    /// is with [method set_link_progress]; at 1 the agent walks on. Default the agent.
    #[export]
    #[init(val = AgentMovement::Parent)]
    pub link_movement: AgentMovement,
    /// Where it is to go, in the world. Setting it sends the agent off.
    #[var(set = set_target_position)]
    #[export]
    pub target_position: Vector3,
    /// A node that it follows instead, wherever that goes; one with an agent is reached body to body.
    #[export]
    #[var(set = set_target_node)]
    pub target_node: Option<Gd<Node3D>>,
    /// How far the origin of the parent is above the surface that it stands on, metres: half the height for a capsule.
    #[export(range = (-10.0, 10.0, 0.01, or_greater, or_less, suffix = "m"))]
    pub origin_height: f32,
    /// How fast the parent turns to where it goes, degrees a second; forward is -z. Default 0: it does not turn.
    #[export(range = (0.0, 1440.0, 1.0, or_greater))]
    pub turn_speed: f32,
    /// Distance at which a corner of the path counts as reached, metres. Default 1.
    #[export_group(name = "Pathfinding")]
    #[export(range = (0.1, 100.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 1.0)]
    pub path_desired_distance: f32,
    /// Distance to the target at which it has arrived, metres. Default 1.
    #[export(range = (0.1, 100.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 1.0)]
    pub target_desired_distance: f32,
    /// The layers of regions and links that it uses. Default 1.
    #[export(flags_3d_navigation)]
    #[init(val = 1)]
    pub navigation_layers: u32,
    /// Whether it goes as near as it can where no path leads to its target. Default true.
    #[export]
    #[init(val = true)]
    pub go_near: bool,
    /// What a metre of an area type costs it, by type: `{1: 10.0}`. Infinite closes a type to it.
    #[export]
    pub area_costs: VarDictionary,
    /// Whether it avoids others. Default true.
    #[export_group(name = "Avoidance")]
    #[export]
    #[init(val = true)]
    pub avoidance_enabled: bool,
    /// How it avoids others.
    #[export]
    #[init(val = AvoidanceMethod::Adaptive)]
    pub avoidance_method: AvoidanceMethod,
    /// Its height, metres. Default 1.5.
    #[export(range = (0.01, 100.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 1.5)]
    pub height: f32,
    /// Its radius, metres. Default 0.5.
    #[export(range = (0.01, 100.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 0.5)]
    pub radius: f32,
    /// Distance from which on it sees others, metres. Default 10.
    #[export(range = (0.1, 500.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 10.0)]
    pub neighbor_distance: f32,
    /// How many others it sees. Default 10.
    #[export(range = (0.0, 64.0, 1.0, or_greater))]
    #[init(val = 10)]
    pub max_neighbors: u32,
    /// Its greatest speed, m/s. Default 5.
    #[export(range = (0.0, 100.0, 0.01, or_greater, suffix = "m/s"))]
    #[init(val = 5.0)]
    pub max_speed: f32,
    /// How fast its velocity changes, m/s². Default 20.
    #[export(range = (0.1, 1000.0, 0.1, or_greater, suffix = "m/s²"))]
    #[init(val = 20.0)]
    pub max_acceleration: f32,
    /// The layers that it is in. Default 1.
    #[var(hint = LAYERS_AVOIDANCE, usage_flags = [DEFAULT])]
    #[init(val = 1)]
    pub avoidance_layers: u32,
    /// The layers that it avoids. Default 1.
    #[var(hint = LAYERS_AVOIDANCE, usage_flags = [DEFAULT])]
    #[init(val = 1)]
    pub avoidance_mask: u32,
    /// Of two agents, each gives way by the share of the other's priority. Default 1.
    #[export(range = (0.0, 1.0, 0.01))]
    #[init(val = 1.0)]
    pub avoidance_priority: f32,
    /// After how many spells in which it came no nearer it gives its target up; 0 never. Default 0.
    #[export(range = (0.0, 100.0, 1.0, or_greater))]
    pub gives_up_after: u32,
    /// The velocity that a script wants it to have, m/s; avoidance answers by [signal velocity_computed]. Only with
    /// [member movement] by script.
    #[var(set = set_velocity)]
    pub velocity: Vector3,
    pub(crate) id: Id,
    map: Option<Id>,
    settings: AgentSettings,
    has_target: bool,
    /// The position that it was sent to.
    sent_to: Vector3,
    /// Whether the target was set since the last tick.
    pub(crate) is_new_target: bool,
    pub(crate) is_finished: bool,
    pub(crate) is_reached: bool,
    /// What the last tick said.
    pub(crate) report: Report,
    base: Base<Node>,
}

#[godot_api]
impl INode for WayfareAgent {
    fn enter_tree(&mut self) {
        self.settings = self.make_settings();
        self.id = with(|state| {
            let id = state.next();
            let agent = Agent { map: self.map, settings: self.settings.clone(), ..Agent::default() };
            state.agents.insert(id, agent);
            id
        });
        nodes::add(Kind::Agent, self.id, self.base().instance_id());
        WayfareServer::keep_running();
    }

    fn exit_tree(&mut self) {
        nodes::remove(Kind::Agent, self.id);
        with(|state| state.remove(self.id));
        self.id = 0;
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        if self.parent().is_none() {
            warnings.push("An agent moves its parent: make it a child of a Node3D.");
        }
        warnings
    }
}

#[godot_api]
impl WayfareAgent {
    /// It was sent off, and a path was found; or another path, since the mesh has changed.
    #[signal]
    pub(crate) fn path_changed();
    /// It is at its target, or as near as others who rest there allow.
    #[signal]
    pub(crate) fn target_reached();
    /// It has reached a corner of its path. `details` has its `position`.
    #[signal]
    pub(crate) fn waypoint_reached(details: VarDictionary);
    /// It enters a link. `details` has `position`, `link_entry_position`, `link_exit_position`, `rid` and `owner`.
    #[signal]
    pub(crate) fn link_reached(details: VarDictionary);
    /// It leaves a link. `details` has `rid` and `owner`.
    #[signal]
    pub(crate) fn link_left(details: VarDictionary);
    /// It will go no farther: it is at its target, or as near as it can be, or has given up.
    #[signal]
    pub(crate) fn navigation_finished();
    /// How it should move, m/s: along its path or as [member velocity] says, but so that it hits nobody. In each
    /// physics tick, if a script moves it.
    #[signal]
    pub(crate) fn velocity_computed(safe_velocity: Vector3);
    /// No path leads to its target.
    #[signal]
    pub(crate) fn target_unreachable();
    /// The mesh under its path has changed, so that it searches another; with `soon`, it is about to, and the agent
    /// walks on meanwhile. `distance` is how far ahead, metres.
    #[signal]
    pub(crate) fn path_lost(distance: f32, soon: bool);
    /// It gets no nearer to its target, for so many spells in a row.
    #[signal]
    pub(crate) fn stuck(spells: i64);
    /// It has given its target up: it was stuck for too long, or whom it followed is gone.
    #[signal]
    pub(crate) fn gave_up();
    /// It has come to an obstacle with [member WayfareObstacle.avoidance_enabled], and finds no way around. It goes as
    /// near as it can, and on when the obstacle is gone. `details` has `rid` and `owner` of the obstacle.
    #[signal]
    pub(crate) fn obstructed(details: VarDictionary);
    /// An obstacle came down on it: it was moved to the nearest surface that is left.
    #[signal]
    pub(crate) fn displaced(from: Vector3, to: Vector3);

    /// Sends it to a position.
    #[func]
    pub fn set_target_position(&mut self, position: Vector3) {
        self.target_position = position;
        // Scripts may say the same in each tick: it walks on, unless it could not get there.
        let goes_there = self.has_target && self.target_node.is_none() && (self.is_reached || !self.is_finished);
        if goes_there && self.report.status != Status::Unreachable && position.distance_to(self.sent_to) <= SAME_TARGET
        {
            return;
        }
        self.sent_to = position;
        self.target_node = None;
        if !to_nav(position).is_finite() {
            godot_error!("WayfareAgent.target_position: {position} is no position: each coordinate has to be a number");
            return self.stop();
        }
        self.send(true);
    }

    /// Lets it follow a node; `null` stops it.
    #[func]
    pub fn set_target_node(&mut self, node: Option<Gd<Node3D>>) {
        let is_some = node.is_some();
        self.target_node = node;
        self.send(is_some);
    }

    /// Lets it stand: it has no target any more.
    #[func]
    pub fn stop(&mut self) {
        self.target_node = None;
        self.send(false);
    }

    /// Sets the velocity that it should have.
    #[func]
    pub fn set_velocity(&mut self, velocity: Vector3) {
        self.velocity = velocity;
        if self.movement == AgentMovement::Parent {
            godot_warn!("WayfareAgent.velocity has no effect while `movement` is Parent; set it to Script first");
            return;
        }
        self.with_agent(|agent| agent.wish = Some(to_nav(velocity)));
    }

    /// Sets the velocity that it has: after a teleport, for example.
    #[func]
    pub fn set_velocity_forced(&mut self, velocity: Vector3) {
        self.velocity = velocity;
        self.with_agent(|agent| agent.forced = Some(to_nav(velocity)));
    }

    /// The velocity that it has, or with [member movement] by script, should have, m/s.
    #[func]
    pub fn get_safe_velocity(&self) -> Vector3 {
        to_godot(self.report.velocity)
    }

    /// How it gets on.
    #[func]
    pub fn get_status(&self) -> AgentStatus {
        match self.report.status {
            Status::OffMesh => AgentStatus::OffMesh,
            Status::Idle => AgentStatus::Idle,
            Status::Searching => AgentStatus::Searching,
            Status::Walking => AgentStatus::Walking,
            Status::WalkingNear => AgentStatus::WalkingNear,
            Status::OnLink => AgentStatus::OnLink,
            Status::Arrived => AgentStatus::Arrived,
            Status::Unreachable => AgentStatus::Unreachable,
        }
    }

    /// The corner to go to next, as high above the surface as the parent.
    #[func]
    pub fn get_next_path_position(&self) -> Vector3 {
        let Some(parent) = self.parent() else { return Vector3::ZERO };
        let here = parent.get_global_position();
        if !self.has_target {
            return here;
        }
        let corners = if self.is_new_target { self.search() } else { self.report.corners.clone() };
        let lift = Vector3::UP * self.origin_height;
        let corners: Vec<Vector3> = corners.into_iter().map(|corner| to_godot(corner) + lift).collect();
        let flat = |v: Vector3| Vector2::new(v.x, v.z);
        let far = corners.iter().find(|&&corner| flat(corner).distance_to(flat(here)) > self.path_desired_distance);
        far.or(corners.last()).copied().unwrap_or(here)
    }

    /// How far it is on the link that it crosses, 0…1; 0 if it crosses none.
    #[func]
    pub fn get_link_progress(&self) -> f32 {
        self.report.link_progress
    }

    /// Says how far a script has moved it over a link, 0…1; at 1 it walks on. Only with [member link_movement] by
    /// script.
    #[func]
    pub fn set_link_progress(&mut self, progress: f32) {
        if self.link_movement == AgentMovement::Parent {
            godot_warn!(
                "WayfareAgent.set_link_progress has no effect while `link_movement` is Parent; set it to Script first"
            );
            return;
        }
        let is_on_link =
            with(|state| state.walkers_of(self.id).is_some_and(|all| all.set_link_progress(self.id, progress)));
        if !is_on_link {
            godot_error!(
                "WayfareAgent.set_link_progress: it is on no link, or {progress} is none of 0…1: wait for link_reached"
            );
        }
    }

    /// Its path, as [NavigationServer3D] would give it: the corners, without more about them.
    #[func]
    pub fn get_current_navigation_result(&self) -> Gd<NavigationPathQueryResult3D> {
        let mut result = NavigationPathQueryResult3D::new_gd();
        result.set_path(&self.get_current_navigation_path());
        result
    }

    /// Straight to the target, metres.
    #[func]
    pub fn distance_to_target(&self) -> f32 {
        self.parent().map_or(0.0, |parent| parent.get_global_position().distance_to(self.aim()))
    }

    /// Along the path to the target, metres; 0 without one.
    #[func]
    pub fn get_path_length(&self) -> f32 {
        with(|state| state.walkers_of(self.id).map_or(0.0, |walkers| walkers.remaining(self.id)))
    }

    /// From where it is to where it goes, corner by corner, as high above the surface as the parent.
    #[func]
    pub fn get_current_navigation_path(&self) -> PackedVector3Array {
        if !self.has_target {
            return PackedVector3Array::new();
        }
        let lift = Vector3::UP * self.origin_height;
        let walked =
            || with(|state| state.walkers_of(self.id).map(|walkers| walkers.path(self.id)).unwrap_or_default());
        let corners = if self.is_new_target { self.search() } else { walked() };
        let here = if self.is_new_target { None } else { Some(self.report.position) };
        here.into_iter().chain(corners).map(|corner| to_godot(corner) + lift).collect()
    }

    /// The corner of [method get_current_navigation_path] that it goes to: always 1, since the path begins where it is.
    #[func]
    pub fn get_current_navigation_path_index(&self) -> i64 {
        i64::from(self.has_target)
    }

    /// Where its path ends.
    #[func]
    pub fn get_final_position(&self) -> Vector3 {
        self.get_current_navigation_path().as_slice().last().copied().unwrap_or(self.target_position)
    }

    /// Whether it goes no farther: it has arrived, is as near as it can be, or has no target.
    #[func]
    pub fn is_navigation_finished(&self) -> bool {
        !self.has_target || self.is_finished
    }

    /// Whether it is at its target.
    #[func]
    pub fn is_target_reached(&self) -> bool {
        self.has_target && self.is_reached
    }

    /// Whether a path leads from where it is to its target.
    #[func]
    pub fn is_target_reachable(&self) -> bool {
        if !self.has_target {
            return false;
        }
        let end = self.search().last().copied();
        end.is_some_and(|end| {
            let miss = end - to_nav(self.aim());
            miss.with_y(0.0).length() <= self.target_desired_distance.max(0.1)
        })
    }

    /// The obstacles in its way that it finds no way around, the nearest first: see [signal obstructed].
    #[func]
    pub fn get_obstructing_obstacles(&self) -> Array<Rid> {
        with(|state| {
            let walkers = state.walkers_of(self.id);
            walkers.map(|walkers| walkers.obstructed_by(self.id).map(rid).collect()).unwrap_or_default()
        })
    }

    /// Its number for [WayfareServer]; empty while it is not in a scene.
    #[func]
    pub fn get_rid(&self) -> Rid {
        rid(self.id)
    }

    /// The map that it walks on: by default that for the smallest agents that are at least as wide as this one.
    #[func]
    pub fn get_navigation_map(&self) -> Rid {
        rid(with(|state| state.agents.get(&self.id).and_then(|agent| state.map_of(agent))).unwrap_or(0))
    }

    /// Lets it walk on another map; an empty number means the default.
    #[func]
    pub fn set_navigation_map(&mut self, navigation_map: Rid) {
        let id = id_of(navigation_map);
        if id != 0 && with(|state| state.find_map(id)).is_none() {
            godot_error!("WayfareAgent.set_navigation_map: there is no such map; ask a WayfareRegion for its map");
            return;
        }
        self.map = (id != 0).then_some(id);
        let map = self.map;
        self.with_agent(|agent| agent.map = map);
    }

    /// Puts it into a layer of regions and links, 1…32, or takes it out.
    #[func]
    pub fn set_navigation_layer_value(&mut self, layer_number: i64, value: bool) {
        crate::layers::set(&mut self.navigation_layers, layer_number, value);
    }

    /// Whether it uses a layer of regions and links, 1…32.
    #[func]
    pub fn get_navigation_layer_value(&self, layer_number: i64) -> bool {
        crate::layers::get(self.navigation_layers, layer_number)
    }

    /// Puts it into a layer of agents, 1…32, or takes it out.
    #[func]
    pub fn set_avoidance_layer_value(&mut self, layer_number: i64, value: bool) {
        crate::layers::set(&mut self.avoidance_layers, layer_number, value);
    }

    /// Whether it is in a layer of agents, 1…32.
    #[func]
    pub fn get_avoidance_layer_value(&self, layer_number: i64) -> bool {
        crate::layers::get(self.avoidance_layers, layer_number)
    }

    /// Lets it avoid a layer of agents, 1…32, or not.
    #[func]
    pub fn set_avoidance_mask_value(&mut self, mask_number: i64, value: bool) {
        crate::layers::set(&mut self.avoidance_mask, mask_number, value);
    }

    /// Whether it avoids a layer of agents, 1…32.
    #[func]
    pub fn get_avoidance_mask_value(&self, mask_number: i64) -> bool {
        crate::layers::get(self.avoidance_mask, mask_number)
    }
}

impl WayfareAgent {
    /// Whom it moves.
    pub(crate) fn parent(&self) -> Option<Gd<Node3D>> {
        self.base().get_parent()?.try_cast::<Node3D>().ok().filter(|parent| parent.is_inside_tree())
    }

    fn with_agent(&self, change: impl FnOnce(&mut Agent)) {
        with(|state| state.agents.get_mut(&self.id).map(change));
    }

    fn send(&mut self, has_target: bool) {
        (self.has_target, self.is_new_target) = (has_target, has_target);
        (self.is_finished, self.is_reached) = (false, false);
        let goal = self.goal();
        self.with_agent(|agent| {
            agent.goal = goal;
            agent.orders = agent.orders.wrapping_add(1);
        });
    }

    /// Where it goes, in the world.
    fn aim(&self) -> Vector3 {
        let node = self.target_node.as_ref().filter(|node| node.is_instance_valid() && node.is_inside_tree());
        node.map_or(self.target_position, |node| node.get_global_position())
    }

    fn goal(&self) -> Goal {
        if !self.has_target {
            return Goal::None;
        }
        let Some(node) = self.target_node.as_ref().filter(|node| node.is_instance_valid() && node.is_inside_tree())
        else {
            return Goal::Point(to_nav(self.sent_to));
        };
        let children = node.get_children();
        let others = children.iter_shared().filter_map(|child| child.try_cast::<Self>().ok());
        let mut others = others.filter(|other| other.instance_id() != self.base().instance_id());
        match others.next() {
            Some(other) => Goal::Agent(other.bind().id),
            None => Goal::Moving(to_nav(node.get_global_position())),
        }
    }

    /// A path of its own, while the crowd has not found one.
    fn search(&self) -> Vec<wayfare::Vec3> {
        let Some(parent) = self.parent() else { return Vec::new() };
        let from = to_nav(parent.get_global_position() - Vector3::UP * self.origin_height);
        let to = to_nav(self.aim());
        with(|state| {
            let map = state.agents.get(&self.id).and_then(|agent| state.map_of(agent));
            let map = map.and_then(|map| state.maps.get(&map));
            let mut asked = map.and_then(|map| crate::ask::Asked::of(map, self.navigation_layers));
            let found = asked.as_mut().and_then(|asked| asked.path(from, to));
            found.map(|path| path.straight.points.iter().map(|point| point.point).collect()).unwrap_or_default()
        })
    }

    fn make_settings(&self) -> AgentSettings {
        let avoidance = match self.avoidance_method {
            _ if !self.avoidance_enabled => Avoidance::None,
            AvoidanceMethod::Adaptive => Avoidance::Adaptive(Default::default()),
            AvoidanceMethod::Sampled => Avoidance::Sampled(Default::default()),
            AvoidanceMethod::Orca => Avoidance::Orca(Default::default()),
            AvoidanceMethod::ClearPath => Avoidance::ClearPath(Default::default()),
            AvoidanceMethod::Hrvo => Avoidance::Hrvo(Default::default()),
            AvoidanceMethod::Pedestrian => Avoidance::Pedestrian(Default::default()),
        };
        let costs = self.area_costs.iter_shared().filter_map(|(area, cost)| {
            let area = area.try_to::<u8>().ok()?;
            Some((area, cost.try_to_relaxed::<f32>().ok()?))
        });
        AgentSettings {
            radius: self.radius,
            height: self.height,
            max_speed: self.max_speed,
            max_acceleration: self.max_acceleration,
            neighbor_distance: self.neighbor_distance,
            max_neighbors: self.max_neighbors,
            avoidance,
            priority: self.avoidance_priority,
            avoidance_layers: self.avoidance_layers,
            avoidance_mask: self.avoidance_mask,
            navigation_layers: self.navigation_layers,
            target_desired_distance: self.target_desired_distance,
            goes_near: self.go_near,
            gives_up_after: self.gives_up_after,
            movement: self.movement.of_core(),
            link_movement: self.link_movement.of_core(),
            area_costs: costs.collect(),
        }
    }

    /// Tells the server what has changed about it.
    pub(crate) fn describe(&mut self) {
        let Some(parent) = self.parent() else { return };
        let position = to_nav(parent.get_global_position() - Vector3::UP * self.origin_height);
        let settings = self.make_settings();
        let is_changed = !is_same(&settings, &self.settings);
        if is_changed {
            self.settings = settings;
        }
        if self.target_node.as_ref().is_some_and(|node| !node.is_instance_valid()) {
            self.stop();
        }
        let goal = self.goal();
        let is_paused = !self.base().can_process();
        let settings = is_changed.then(|| self.settings.clone());
        self.with_agent(|agent| {
            if position.is_finite() {
                agent.position = position;
            }
            if agent.goal != goal {
                let is_moving = matches!((agent.goal, goal), (Goal::Moving(_), Goal::Moving(_)));
                agent.orders = agent.orders.wrapping_add(u32::from(!is_moving));
                agent.goal = goal;
            }
            if let Some(settings) = settings {
                agent.settings = settings;
                agent.changes = agent.changes.wrapping_add(1);
            }
            agent.is_paused = is_paused;
        });
    }
}
