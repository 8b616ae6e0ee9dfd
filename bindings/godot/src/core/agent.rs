//! Agents, as the scene describes them.

use super::Id;
use std::collections::BTreeMap;
use wayfare::Vec3;
use wayfare::avoid::Avoidance;
use wayfare::crowd::{AgentParams, Driver, Recovery, WhenUnreachable};

/// Who moves an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Movement {
    /// The crowd.
    #[default]
    Crowd,
    /// A script, by the velocity that it is given.
    Script,
}

impl Movement {
    fn driver(self) -> Driver {
        match self {
            Self::Crowd => Driver::Crowd,
            Self::Script => Driver::Game,
        }
    }
}

/// The settings of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentSettings {
    /// Metres.
    pub radius: f32,
    /// Metres.
    pub height: f32,
    /// m/s.
    pub max_speed: f32,
    /// m/s².
    pub max_acceleration: f32,
    /// Distance to others from which on it sees them, metres.
    pub neighbor_distance: f32,
    /// How many others it sees.
    pub max_neighbors: u32,
    /// How it avoids others.
    pub avoidance: Avoidance,
    /// Its share of not giving way.
    pub priority: f32,
    /// The layers that it is in.
    pub avoidance_layers: u32,
    /// The layers that it avoids.
    pub avoidance_mask: u32,
    /// The layers of regions and links that it uses.
    pub navigation_layers: u32,
    /// Distance at which it has arrived, metres.
    pub target_desired_distance: f32,
    /// Whether it goes as near as it can.
    pub goes_near: bool,
    /// After how many spells it gives up; 0 never.
    pub gives_up_after: u32,
    /// Who moves it.
    pub movement: Movement,
    /// Who moves it over links.
    pub link_movement: Movement,
    /// What a metre of an area type costs it.
    pub area_costs: BTreeMap<u8, f32>,
}

impl Default for AgentSettings {
    fn default() -> Self {
        Self {
            radius: 0.5,
            height: 2.0,
            max_speed: 3.5,
            max_acceleration: 8.0,
            neighbor_distance: 6.0,
            max_neighbors: 10,
            avoidance: Avoidance::default(),
            priority: 1.0,
            avoidance_layers: 1,
            avoidance_mask: 1,
            navigation_layers: 1,
            target_desired_distance: 0.5,
            goes_near: true,
            gives_up_after: 0,
            movement: Movement::Crowd,
            link_movement: Movement::Crowd,
            area_costs: BTreeMap::new(),
        }
    }
}

impl AgentSettings {
    /// As the library wants them.
    pub(super) fn params(&self, filter: u32) -> AgentParams {
        let params = AgentParams::of_size(self.radius, self.height);
        AgentParams {
            max_speed: self.max_speed,
            max_acceleration: self.max_acceleration,
            neighbour_range: self.neighbor_distance,
            max_neighbours: self.max_neighbors,
            avoidance: self.avoidance,
            priority: self.priority,
            layers: self.avoidance_layers,
            layer_mask: self.avoidance_mask,
            arrival: self.target_desired_distance,
            filter,
            driver: self.movement.driver(),
            connection_driver: self.link_movement.driver(),
            recovery: Recovery { give_up_after: self.gives_up_after, ..params.recovery },
            when_unreachable: if self.goes_near { WhenUnreachable::GoNear } else { WhenUnreachable::Stay },
            ..params
        }
    }
}

/// Where an agent is to go.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Goal {
    /// Nowhere.
    #[default]
    None,
    /// To a position.
    Point(Vec3),
    /// To a position that moves.
    Moving(Vec3),
    /// To another agent, body to body.
    Agent(Id),
}

/// Status of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
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

/// How an agent was after the last tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Where it is.
    pub position: Vec3,
    /// Its velocity, or the one that it should have, m/s.
    pub velocity: Vec3,
    /// How it gets on.
    pub status: Status,
    /// The next corners of its path; the target is the last of them if it is near.
    pub corners: Vec<Vec3>,
    /// How far it is on the link that it crosses, 0…1.
    pub link_progress: f32,
    /// Whether a script moves it over that.
    pub is_carried: bool,
}

/// An agent.
#[derive(Clone, Debug, Default)]
pub struct Agent {
    /// The map that it walks on; `None`: the one for the smallest agents that are at least as wide.
    pub map: Option<Id>,
    /// Its settings; count `changes` up with them.
    pub settings: AgentSettings,
    /// Goes up with each change of the settings.
    pub changes: u32,
    /// Where the scene has it.
    pub position: Vec3,
    /// Where it is to go.
    pub goal: Goal,
    /// Goes up each time that it is told where to go.
    pub orders: u32,
    /// The velocity that a script wants it to have, instead of that along its path.
    pub wish: Option<Vec3>,
    /// A velocity that is set, not aimed at.
    pub forced: Option<Vec3>,
    /// Whether it stands still for now.
    pub is_paused: bool,
    /// Whether it stands still while the game is paused.
    pub is_held: bool,
    /// Why its settings make no agent, in a sentence; taken by who says it.
    pub problem: Option<String>,
    /// The changes of the settings of which that was said.
    pub refused: Option<u32>,
    /// How it was after the last tick.
    pub report: Report,
}

impl Agent {
    /// It is on no map.
    pub(super) fn leave(&mut self) {
        self.report = Report { position: self.position, ..Report::default() };
    }
}
