//! Agents: who walks, where to, and how it goes.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_reflect::prelude::*;
use bevy_transform::components::Transform;
use std::collections::BTreeMap;
use wayfare::avoid::Avoidance;
use wayfare::crowd::{AgentParams, Driver, Recovery, Style, WhenUnreachable};

/// Somebody who walks to a [`NavTarget`] and avoids others. It may have a parent, but not one that moves: that would
/// teleport it.
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Clone, Default)]
#[require(Transform, NavTarget, NavVelocity, NavAgentState)]
pub struct NavAgent {
    /// The [region](crate::NavRegion) that it walks in. Default: the one for the smallest agents that are at least as
    /// wide as this one, or else the widest; of several for the same size, the one whose mesh is nearest to it.
    #[entities]
    pub region: Option<Entity>,
    /// Its radius, metres. Default 0.5.
    pub radius: f32,
    /// Its height, metres. Default 2.
    pub height: f32,
    /// How far the origin of its entity is above the surface that it stands on, metres: half the height for a capsule.
    /// Default 0.
    pub origin_height: f32,
    /// Its greatest speed, m/s. Default 3.5.
    pub max_speed: f32,
    /// How fast its velocity changes, m/s². Default 8.
    pub max_acceleration: f32,
    /// How it avoids others. Default: sampled adaptively.
    pub avoidance: NavAvoidance,
    /// Of two agents, each does the share of avoiding that is the other's share of the priorities. Default 1.
    pub priority: f32,
    /// The layers of agents that it is in. Default 1.
    pub avoidance_layers: u32,
    /// The layers of agents that it avoids. Default all.
    pub avoidance_mask: u32,
    /// How strongly it keeps away from neighbours, m/s. Default 0.
    pub separation: f32,
    /// Distance to the target at which it has arrived, metres. Default: its radius.
    pub arrival: Option<f32>,
    /// Distance to the target at which it stops, metres. Default 0: it goes on as far as there is room.
    pub stopping_distance: f32,
    /// Whether it goes as near as it can where no path leads to its target. Default false: it stays.
    pub goes_near: bool,
    /// After how many spells in which it got no nearer it gives its target up; `None`: never, the default.
    pub gives_up_after: Option<u32>,
    /// How it walks round corners. Default in a curve.
    pub style: NavStyle,
    /// How far away it sees others and walls, metres. Default: twelve radii.
    pub neighbour_range: Option<f32>,
    /// What moves it.
    pub drive: NavDrive,
    /// What moves it over links. Default the plugin.
    pub link_drive: NavLinkDrive,
}

impl Default for NavAgent {
    fn default() -> Self {
        Self {
            region: None,
            radius: 0.5,
            height: 2.0,
            origin_height: 0.0,
            max_speed: 3.5,
            max_acceleration: 8.0,
            avoidance: NavAvoidance::default(),
            priority: 1.0,
            avoidance_layers: 1,
            avoidance_mask: u32::MAX,
            separation: 0.0,
            arrival: None,
            stopping_distance: 0.0,
            goes_near: false,
            gives_up_after: None,
            style: NavStyle::default(),
            neighbour_range: None,
            drive: NavDrive::Transform,
            link_drive: NavLinkDrive::Straight,
        }
    }
}

impl NavAgent {
    pub(crate) fn params(&self, filter: u32) -> AgentParams {
        let params = AgentParams::of_size(self.radius, self.height);
        AgentParams {
            max_speed: self.max_speed,
            max_acceleration: self.max_acceleration,
            avoidance: self.avoidance.method(),
            priority: self.priority,
            layers: self.avoidance_layers,
            layer_mask: self.avoidance_mask,
            separation: self.separation,
            arrival: self.arrival.unwrap_or(params.arrival),
            stopping_distance: self.stopping_distance,
            neighbour_range: self.neighbour_range.unwrap_or(params.neighbour_range),
            style: self.style.style(),
            filter,
            connection_driver: match self.link_drive {
                NavLinkDrive::Straight => Driver::Crowd,
                NavLinkDrive::Game => Driver::Game,
            },
            driver: if self.drive == NavDrive::Transform { Driver::Crowd } else { Driver::Game },
            recovery: Recovery { give_up_after: self.gives_up_after.unwrap_or(0), ..params.recovery },
            when_unreachable: if self.goes_near { WhenUnreachable::GoNear } else { WhenUnreachable::Stay },
            ..params
        }
    }
}

/// What moves an agent.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Clone, Default)]
pub enum NavDrive {
    /// Its `Transform` is set. Moving it by hand teleports the agent.
    #[default]
    Transform,
    /// The game: a physics crate or an animation moves the entity by [`NavVelocity`], and the agent follows its
    /// `Transform`.
    Velocity,
}

/// What moves an agent over [links](crate::NavLink).
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Clone, Default)]
pub enum NavLinkDrive {
    /// The plugin, in a straight line at the agent's greatest speed.
    #[default]
    Straight,
    /// The game, for a jump or a climb with an animation: from [`NavLinkEntered`](crate::NavLinkEntered) on it moves
    /// the entity as it likes, and says how far that is with
    /// [`NavCrowd::set_link_progress`](crate::NavCrowd::set_link_progress). At 1 the agent walks on.
    Game,
}

/// How an agent walks round corners.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Clone, Default)]
pub enum NavStyle {
    /// Straight to each corner.
    Straight,
    /// In a curve that takes the next corner into account.
    #[default]
    Smooth,
    /// Swaying.
    Drunken {
        /// How far to either side, radians, 0…π/2; about 0.6 looks merry.
        swing: f32,
        /// Seconds from one side to the other and back, above 0.
        period: f32,
    },
}

impl NavStyle {
    fn style(self) -> Style {
        match self {
            Self::Straight => Style::Straight,
            Self::Smooth => Style::Smooth,
            Self::Drunken { swing, period } => Style::Drunken { swing, period },
        }
    }
}

/// How an agent avoids others.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Clone, Default)]
pub enum NavAvoidance {
    /// Not at all.
    None,
    /// By the best of many velocities on a grid.
    Sampled,
    /// By the best of velocities on rings that narrow down.
    #[default]
    Adaptive,
    /// By half-planes of admissible velocities (ORCA).
    Orca,
    /// By the nearest velocity on the border of all velocity obstacles.
    ClearPath,
    /// The same, committed to a side on which to pass.
    Hrvo,
    /// As people in corridors and at doors.
    Pedestrian,
}

impl NavAvoidance {
    fn method(self) -> Avoidance {
        match self {
            Self::None => Avoidance::None,
            Self::Sampled => Avoidance::Sampled(Default::default()),
            Self::Adaptive => Avoidance::Adaptive(Default::default()),
            Self::Orca => Avoidance::Orca(Default::default()),
            Self::ClearPath => Avoidance::ClearPath(Default::default()),
            Self::Hrvo => Avoidance::Hrvo(Default::default()),
            Self::Pedestrian => Avoidance::Pedestrian(Default::default()),
        }
    }
}

/// Where an agent goes.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Clone, Default)]
pub enum NavTarget {
    /// Nowhere: it stands, and makes room for others.
    #[default]
    None,
    /// To a position.
    Point(Vec3),
    /// To wherever an entity is; an agent among them is reached body to body.
    Entity(#[entities] Entity),
    /// With this velocity, m/s, along the surface.
    Velocity(Vec3),
}

/// How an agent moves, m/s: its velocity, or with [`NavDrive::Velocity`] the one that it should have.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Clone, Default)]
pub struct NavVelocity(pub Vec3);

/// Status of an agent.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Clone, Default)]
pub enum NavAgentState {
    /// It is not on a mesh: there is none yet, or none near it.
    #[default]
    OffMesh,
    /// It has no target.
    Idle,
    /// A path is searched.
    Searching,
    /// It walks to its target.
    Walking {
        /// How far it still has to go, metres; measured along the path a few times a second, and in between by what it
        /// has walked.
        remaining: f32,
        /// Whether the path leads to the target itself; if not, as near as was found.
        complete: bool,
    },
    /// It crosses a [`NavLink`](crate::NavLink).
    OnLink {
        /// How far, 0…1.
        progress: f32,
    },
    /// It is at its target.
    Arrived,
    /// No path leads to its target.
    Unreachable,
}

/// What a metre of an area type costs an agent; types without an entry cost what the mesh
/// says, or 1. Infinite closes a
/// type to it.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Clone, Default)]
pub struct NavAreaCosts(
    /// Costs by area type.
    pub BTreeMap<u8, f32>,
);

/// Turns an agent into the direction in which it moves.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Default)]
pub struct NavFacing {
    /// How fast, radians a second.
    pub speed: f32,
}

impl Default for NavFacing {
    fn default() -> Self {
        Self { speed: 8.0 }
    }
}
