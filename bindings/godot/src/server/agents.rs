//! Agents without nodes: a script moves them, or reads where they have walked.

use super::{WayfareServer, id_of, rid};
use crate::convert::{to_godot, to_nav};
use crate::core::{Agent, AgentSettings, Goal, Movement, Status, with};
use godot::prelude::*;
use wayfare::avoid::Avoidance;

#[godot_api(secondary)]
impl WayfareServer {
    /// Makes an agent. A script moves it: it tells its position and the velocity that it wants in each tick, and is
    /// called with one that hits nobody; see [method agent_set_avoidance_callback].
    #[func]
    fn agent_create(&self) -> Rid {
        Self::keep_running();
        rid(with(|state| {
            let id = state.next();
            let settings = AgentSettings { movement: Movement::Script, ..AgentSettings::default() };
            state.agents.insert(id, Agent { settings, ..Agent::default() });
            id
        }))
    }

    /// Sets the map that an agent is on; an empty one means that for the smallest agents as wide as this one.
    #[func]
    fn agent_set_map(&self, agent: Rid, map: Rid) {
        let id = id_of(map);
        if id != 0 && with(|state| state.find_map(id)).is_none() {
            godot_error!("WayfareServer.agent_set_map: {}", Self::no_map(map));
            return;
        }
        Self::on_agent("agent_set_map", agent, |agent| agent.map = (id != 0).then_some(id));
    }

    /// The map that an agent is on.
    #[func]
    fn agent_get_map(&self, agent: Rid) -> Rid {
        rid(Self::on("agent_get_map", "agent", agent, |state, id| {
            let agent = state.agents.get(&id)?;
            Some(state.map_of(agent).unwrap_or(0))
        }))
    }

    /// Is called with the velocity that an agent should have, in each physics tick.
    #[func]
    fn agent_set_avoidance_callback(&self, agent: Rid, callback: Callable) {
        Self::on_agent("agent_set_avoidance_callback", agent, |_| ());
        self.callbacks.borrow_mut().insert(id_of(agent), callback);
    }

    /// Whether a callback was set for an agent.
    #[func]
    fn agent_has_avoidance_callback(&self, agent: Rid) -> bool {
        self.callbacks.borrow().get(&id_of(agent)).is_some_and(Callable::is_valid)
    }

    /// Sends an agent to a position; without a velocity of its own it then follows its path there.
    #[func]
    fn agent_set_target_position(&self, agent: Rid, position: Vector3) {
        Self::on_agent("agent_set_target_position", agent, |agent| {
            agent.goal = Goal::Point(to_nav(position));
            agent.orders = agent.orders.wrapping_add(1);
            agent.wish = None;
        });
    }

    /// Sets where an agent is.
    #[func]
    fn agent_set_position(&self, agent: Rid, position: Vector3) {
        Self::on_agent("agent_set_position", agent, |agent| agent.position = to_nav(position));
    }

    /// Where an agent is.
    #[func]
    fn agent_get_position(&self, agent: Rid) -> Vector3 {
        Self::on_agent("agent_get_position", agent, |agent| to_godot(agent.position))
    }

    /// Sets the velocity that an agent wants to have, m/s.
    #[func]
    fn agent_set_velocity(&self, agent: Rid, velocity: Vector3) {
        Self::on_agent("agent_set_velocity", agent, |agent| agent.wish = Some(to_nav(velocity)));
    }

    /// Sets the velocity that an agent has: after a teleport, for example.
    #[func]
    fn agent_set_velocity_forced(&self, agent: Rid, velocity: Vector3) {
        Self::on_agent("agent_set_velocity_forced", agent, |agent| agent.forced = Some(to_nav(velocity)));
    }

    /// The velocity that an agent should have, m/s.
    #[func]
    fn agent_get_velocity(&self, agent: Rid) -> Vector3 {
        Self::on_agent("agent_get_velocity", agent, |agent| to_godot(agent.report.velocity))
    }

    /// Whether an agent has found a surface under it.
    #[func]
    fn agent_is_on_map(&self, agent: Rid) -> bool {
        Self::on_agent("agent_is_on_map", agent, |agent| agent.report.status != Status::OffMesh)
    }

    /// Whether the map of an agent has another mesh since the last tick.
    #[func]
    fn agent_is_map_changed(&self, agent: Rid) -> bool {
        let map = Self::on("agent_is_map_changed", "agent", agent, |state, id| {
            let agent = state.agents.get(&id)?;
            Some(state.map_of(agent).unwrap_or(0))
        });
        self.changed.borrow().contains(&map)
    }

    /// Lets an agent avoid others, or not. Default true.
    #[func]
    fn agent_set_avoidance_enabled(&self, agent: Rid, enabled: bool) {
        Self::on_agent("agent_set_avoidance_enabled", agent, |agent| {
            agent.settings.avoidance = if enabled { Avoidance::default() } else { Avoidance::None };
            agent.changes = agent.changes.wrapping_add(1);
        });
    }

    /// Whether an agent avoids others.
    #[func]
    fn agent_get_avoidance_enabled(&self, agent: Rid) -> bool {
        Self::on_agent("agent_get_avoidance_enabled", agent, |agent| agent.settings.avoidance != Avoidance::None)
    }

    /// Lets an agent stand still.
    #[func]
    fn agent_set_paused(&self, agent: Rid, paused: bool) {
        Self::on_agent("agent_set_paused", agent, |agent| agent.is_paused = paused);
    }

    /// Whether an agent stands still.
    #[func]
    fn agent_get_paused(&self, agent: Rid) -> bool {
        Self::on_agent("agent_get_paused", agent, |agent| agent.is_paused)
    }

    /// Sets the radius of an agent, metres.
    #[func]
    fn agent_set_radius(&self, agent: Rid, radius: f32) {
        Self::on_agent("agent_set_radius", agent, |agent| {
            agent.settings.radius = radius;
            agent.changes = agent.changes.wrapping_add(1);
        });
    }

    /// The radius of an agent, metres.
    #[func]
    fn agent_get_radius(&self, agent: Rid) -> f32 {
        Self::on_agent("agent_get_radius", agent, |agent| agent.settings.radius)
    }

    /// Sets the height of an agent, metres.
    #[func]
    fn agent_set_height(&self, agent: Rid, height: f32) {
        Self::on_agent("agent_set_height", agent, |agent| {
            agent.settings.height = height;
            agent.changes = agent.changes.wrapping_add(1);
        });
    }

    /// The height of an agent, metres.
    #[func]
    fn agent_get_height(&self, agent: Rid) -> f32 {
        Self::on_agent("agent_get_height", agent, |agent| agent.settings.height)
    }

    /// Sets the greatest speed of an agent, m/s.
    #[func]
    fn agent_set_max_speed(&self, agent: Rid, max_speed: f32) {
        Self::on_agent("agent_set_max_speed", agent, |agent| {
            agent.settings.max_speed = max_speed;
            agent.changes = agent.changes.wrapping_add(1);
        });
    }

    /// The greatest speed of an agent, m/s.
    #[func]
    fn agent_get_max_speed(&self, agent: Rid) -> f32 {
        Self::on_agent("agent_get_max_speed", agent, |agent| agent.settings.max_speed)
    }

    /// Sets the distance from which on an agent sees others, metres.
    #[func]
    fn agent_set_neighbor_distance(&self, agent: Rid, distance: f32) {
        Self::on_agent("agent_set_neighbor_distance", agent, |agent| {
            agent.settings.neighbor_distance = distance;
            agent.changes = agent.changes.wrapping_add(1);
        });
    }

    /// The distance from which on an agent sees others, metres.
    #[func]
    fn agent_get_neighbor_distance(&self, agent: Rid) -> f32 {
        Self::on_agent("agent_get_neighbor_distance", agent, |agent| agent.settings.neighbor_distance)
    }

    /// Sets the number of others that an agent sees.
    #[func]
    fn agent_set_max_neighbors(&self, agent: Rid, count: u32) {
        Self::on_agent("agent_set_max_neighbors", agent, |agent| {
            agent.settings.max_neighbors = count;
            agent.changes = agent.changes.wrapping_add(1);
        });
    }

    /// The number of others that an agent sees.
    #[func]
    fn agent_get_max_neighbors(&self, agent: Rid) -> u32 {
        Self::on_agent("agent_get_max_neighbors", agent, |agent| agent.settings.max_neighbors)
    }

    /// Sets the layers of agents that an agent is in.
    #[func]
    fn agent_set_avoidance_layers(&self, agent: Rid, layers: u32) {
        Self::on_agent("agent_set_avoidance_layers", agent, |agent| {
            agent.settings.avoidance_layers = layers;
            agent.changes = agent.changes.wrapping_add(1);
        });
    }

    /// The layers of agents that an agent is in.
    #[func]
    fn agent_get_avoidance_layers(&self, agent: Rid) -> u32 {
        Self::on_agent("agent_get_avoidance_layers", agent, |agent| agent.settings.avoidance_layers)
    }

    /// Sets the layers of agents that an agent avoids.
    #[func]
    fn agent_set_avoidance_mask(&self, agent: Rid, mask: u32) {
        Self::on_agent("agent_set_avoidance_mask", agent, |agent| {
            agent.settings.avoidance_mask = mask;
            agent.changes = agent.changes.wrapping_add(1);
        });
    }

    /// The layers of agents that an agent avoids.
    #[func]
    fn agent_get_avoidance_mask(&self, agent: Rid) -> u32 {
        Self::on_agent("agent_get_avoidance_mask", agent, |agent| agent.settings.avoidance_mask)
    }

    /// Sets the priority of an agent: of two, each gives way by the share of the other's.
    #[func]
    fn agent_set_avoidance_priority(&self, agent: Rid, priority: f32) {
        Self::on_agent("agent_set_avoidance_priority", agent, |agent| {
            agent.settings.priority = priority;
            agent.changes = agent.changes.wrapping_add(1);
        });
    }

    /// The priority of an agent.
    #[func]
    fn agent_get_avoidance_priority(&self, agent: Rid) -> f32 {
        Self::on_agent("agent_get_avoidance_priority", agent, |agent| agent.settings.priority)
    }
}

impl WayfareServer {
    fn on_agent<R: Default>(call: &str, agent: Rid, act: impl FnOnce(&mut Agent) -> R) -> R {
        Self::on(call, "agent", agent, |state, id| state.agents.get_mut(&id).map(act))
    }
}
