//! Parameters of an agent: its size, its speed, its behaviour.

use crate::avoid::{Avoidance, SampleWeights};
use crate::math::plane;
use core::f32::consts::{FRAC_PI_2, PI};
use glam::Vec3;

/// How an agent chooses its direction from the next corners.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Style {
    /// Straight to the next corner.
    Straight,
    /// Around corners in a curve, taking the following corner into account.
    #[default]
    Smooth,
    /// Swaying.
    Drunken {
        /// How far the direction swings to either side, radians, 0…π/2; about 0.6 looks merry.
        swing: f32,
        /// Seconds from one side to the other and back, above 0.
        period: f32,
    },
}

/// Who moves the agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Driver {
    /// The crowd integrates the velocity, separates overlapping agents and keeps the agent on the mesh.
    #[default]
    Crowd,
    /// The game does, using the velocity that the crowd computes, and reports positions with
    /// [`set_position`](super::Crowd::set_position). For physics, root motion, a player.
    Game,
}

/// What an agent does when it gets no nearer to its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recovery {
    /// Seconds without getting nearer by half a radius, in the middle of a jam, after which an agent counts as blocked;
    /// the fewer agents stand around it, the longer it waits, up to eighty times as long. Progress is checked in
    /// intervals in which it could have walked two radii, so it never waits less than one of them. Default 0.3.
    /// Infinite: never.
    pub patience: f32,
    /// The fraction of its radius to which a blocked agent narrows until it moves on, 0…1, in and before passages:
    /// where walls that face each other are less than six bodies apart. In the open, bodies are solid. Default 0: jams
    /// in passages dissolve, but bodies overlap for a moment. 1: it keeps its radius.
    pub squeeze: f32,
    /// Patience intervals after which a new path is searched, 0 for never. Default 4.
    pub replan_after: u32,
    /// Patience intervals after which the target is given up, 0 for never, the default. (An agent that follows a
    /// removed agent gives up its target at once.)
    pub give_up_after: u32,
}

impl Default for Recovery {
    fn default() -> Self {
        Self { patience: 0.3, squeeze: 0.0, replan_after: 4, give_up_after: 0 }
    }
}

/// What an agent does if its goal cannot be reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhenUnreachable {
    /// It stays where it is. Costs nothing if connected components decide that: those of all polygons, or those that
    /// the filter passes if the mesh [keeps](crate::mesh::NavMesh::keep_components_for) them; behind a door that they
    /// ignore, it costs a search. A search that a limit has ended does not count as unreachable: its path is followed,
    /// and the search continues from its end.
    #[default]
    Stay,
    /// It goes as near as possible. Costs a search over everything that it can reach, within the crowd's limits.
    GoNear,
}

/// Parameters of an agent. Lengths are in metres, times in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentParams {
    /// Radius, above 0. Default 0.6. Used to avoid others; the distance from walls is what the mesh was baked for, so a
    /// wider agent overlaps walls and walks through doors that are too narrow for it. `query::extra_radius` gives the
    /// missing distance; a `query::ClearanceMesh` (feature `clearance`) keeps the agent that much farther away.
    pub radius: f32,
    /// Height, above 0: an agent farther above or below than that is no neighbour. Default 2.
    pub height: f32,
    /// Maximum horizontal speed, m/s, 0 or above; on a slope the actual speed is higher, since the path is longer than
    /// its projection. The crowd never moves an agent faster, even when pushed, with two exceptions: the tick after it
    /// was put on top of others, which are separated at once, and a mesh change that removes the polygon under it,
    /// which puts it on the nearest one. If the game moves it, the game decides. Default 3.5.
    pub max_speed: f32,
    /// Maximum acceleration, m/s², 0 or above. Default 8.
    pub max_acceleration: f32,
    /// How far away others and walls are seen. Default 7.2, twelve radii.
    pub neighbour_range: f32,
    /// How many others are seen, nearest first. Default 10. More cost more; in a dense crowd those behind the first
    /// ring matter little.
    pub max_neighbours: u32,
    /// How many walls are seen, nearest first. Default 8.
    pub max_walls: u32,
    /// Who gives way: of two agents, each does a part of the avoiding that is the other's priority divided by the sum
    /// of both, on average over many encounters. 0…; default 1. Resting agents have a fifth of theirs.
    pub priority: f32,
    /// The layers that it is in, a bit for each. Default 1, the first.
    pub layers: u32,
    /// The layers whose agents it avoids. Others are not among its neighbours: it ignores them, and is not pushed by
    /// them. If only one of two avoids the other, it does all of the avoiding and takes all of an overlap; two that
    /// ignore each other walk through each other. Default all.
    pub layer_mask: u32,
    /// How strongly it keeps away from its neighbours, apart from avoiding collisions: m/s away from one that touches.
    /// Default 0.
    pub separation: f32,
    /// How far ahead it looks for a straighter path. Default 18, thirty radii.
    pub look_ahead: f32,
    /// Distance from the end of the path at which it begins to slow down. Default 1.2, two radii.
    pub slow_down: f32,
    /// Distance from the goal at which it has arrived, at least one centimetre. Default 0.6, one radius. For another
    /// agent as goal, it is measured from body to body. An agent that touches one resting at the same goal has arrived
    /// as well.
    pub arrival: f32,
    /// Distance from the goal at which it stops, measured like `arrival`, which is never less. Default 0: it continues
    /// to the goal itself, or as near to it as agents standing there allow.
    pub stopping_distance: f32,
    /// The number of the crowd's filter that it uses. Default 0: that of the mesh, with its costs, unless the game has
    /// [set another](super::Crowd::set_filter).
    pub filter: u32,
    /// Its method of local avoidance.
    pub avoidance: Avoidance,
    /// How it turns corners into a direction.
    pub style: Style,
    /// Who moves it.
    pub driver: Driver,
    /// Who moves it over off-mesh connections: the crowd in a straight line at `max_speed`, or the game
    /// ([`set_connection_progress`](super::Crowd::set_connection_progress)).
    pub connection_driver: Driver,
    /// What it does when it is blocked.
    pub recovery: Recovery,
    /// What it does if its goal cannot be reached.
    pub when_unreachable: WhenUnreachable,
}

impl Default for AgentParams {
    fn default() -> Self {
        Self::of_size(0.6, 2.0)
    }
}

impl AgentParams {
    /// The defaults for an agent of this radius and height: distances scale with the radius.
    #[must_use]
    pub fn of_size(radius: f32, height: f32) -> Self {
        Self {
            radius,
            height,
            max_speed: 3.5,
            max_acceleration: 8.0,
            neighbour_range: radius * 12.0,
            max_neighbours: 10,
            max_walls: 8,
            priority: 1.0,
            layers: 1,
            layer_mask: u32::MAX,
            separation: 0.0,
            look_ahead: radius * 30.0,
            slow_down: radius * 2.0,
            arrival: radius,
            stopping_distance: 0.0,
            filter: 0,
            avoidance: Avoidance::default(),
            style: Style::default(),
            driver: Driver::Crowd,
            connection_driver: Driver::Crowd,
            recovery: Recovery::default(),
            when_unreachable: WhenUnreachable::Stay,
        }
    }

    /// Whether two positions are farther apart than `within` horizontally, or on different floors: by half the agent's
    /// height.
    pub(super) fn are_apart(&self, a: Vec3, b: Vec3, within: f32) -> bool {
        plane::distance(a, b) > within || (a.y - b.y).abs() > 0.5 * self.height
    }

    /// Checks that every number is within its range.
    pub(super) fn check(&self) -> Result<(), ParamsError> {
        first_outside(&[
            ("radius", self.radius, ABOVE_ZERO),
            ("height", self.height, ABOVE_ZERO),
            ("max_speed", self.max_speed, NOT_NEGATIVE),
            ("max_acceleration", self.max_acceleration, NOT_NEGATIVE),
            ("neighbour_range", self.neighbour_range, NOT_NEGATIVE),
            ("priority", self.priority, NOT_NEGATIVE),
            ("separation", self.separation, NOT_NEGATIVE),
            ("look_ahead", self.look_ahead, NOT_NEGATIVE),
            ("slow_down", self.slow_down, NOT_NEGATIVE),
            ("arrival", self.arrival, NOT_NEGATIVE),
            ("stopping_distance", self.stopping_distance, NOT_NEGATIVE),
            ("recovery.patience", self.recovery.patience, [0.0, f32::INFINITY]),
            ("recovery.squeeze", self.recovery.squeeze, PART),
        ])?;
        if let Style::Drunken { swing, period } = self.style {
            first_outside(&[("style.swing", swing, [0.0, FRAC_PI_2]), ("style.period", period, ABOVE_ZERO)])?;
        }
        check_avoidance(&self.avoidance)
    }
}

/// Lowest and highest values.
const NOT_NEGATIVE: [f32; 2] = [0.0, f32::MAX];
const ABOVE_ZERO: [f32; 2] = [f32::MIN_POSITIVE, f32::MAX];
const PART: [f32; 2] = [0.0, 1.0];
const ANGLE: [f32; 2] = [-PI, PI];

/// The first of some numbers that is NaN or out of range.
fn first_outside(numbers: &[(&'static str, f32, [f32; 2])]) -> Result<(), ParamsError> {
    let outside = numbers.iter().find(|(_, value, [least, most])| !(value >= least && value <= most));
    outside.map_or(Ok(()), |&(name, value, [least, most])| Err(ParamsError { name, value, least, most }))
}

fn check_avoidance(method: &Avoidance) -> Result<(), ParamsError> {
    let times = |horizon, walls, overlap| {
        first_outside(&[
            ("avoidance.horizon", horizon, NOT_NEGATIVE),
            ("avoidance.wall_horizon", walls, NOT_NEGATIVE),
            ("avoidance.overlap_time", overlap, NOT_NEGATIVE),
        ])
    };
    let samples = |bias, weights: &SampleWeights| {
        first_outside(&[
            ("avoidance.velocity_bias", bias, PART),
            ("avoidance.weights.desired", weights.desired, NOT_NEGATIVE),
            ("avoidance.weights.current", weights.current, NOT_NEGATIVE),
            ("avoidance.weights.side", weights.side, NOT_NEGATIVE),
            ("avoidance.weights.impact", weights.impact, NOT_NEGATIVE),
            ("avoidance.weights.horizon", weights.horizon, NOT_NEGATIVE),
            ("avoidance.weights.wall_horizon", weights.wall_horizon, NOT_NEGATIVE),
            ("avoidance.weights.keep_right", weights.keep_right, ANGLE),
        ])
    };
    let sides = |spike, steadiness, keep_right| {
        first_outside(&[
            ("avoidance.spike", spike, PART),
            ("avoidance.steadiness", steadiness, NOT_NEGATIVE),
            ("avoidance.keep_right", keep_right, ANGLE),
        ])
    };
    match method {
        Avoidance::None => Ok(()),
        Avoidance::Sampled(m) => samples(m.velocity_bias, &m.weights),
        Avoidance::Adaptive(m) => samples(m.velocity_bias, &m.weights),
        Avoidance::Orca(m) => {
            times(m.horizon, m.wall_horizon, m.overlap_time)?;
            first_outside(&[("avoidance.side_bias", m.side_bias, ANGLE)])
        }
        Avoidance::ClearPath(m) => {
            times(m.horizon, m.wall_horizon, m.overlap_time)?;
            first_outside(&[("avoidance.side_bias", m.side_bias, ANGLE)])?;
            sides(m.spike, m.steadiness, m.keep_right)
        }
        Avoidance::Hrvo(m) => {
            times(m.horizon, m.wall_horizon, m.overlap_time)?;
            sides(m.spike, m.steadiness, m.keep_right)
        }
        Avoidance::Pedestrian(m) => first_outside(&[
            ("avoidance.time_gap", m.time_gap, ABOVE_ZERO),
            ("avoidance.look_ahead", m.look_ahead, ABOVE_ZERO),
            ("avoidance.field", m.field, [0.0, FRAC_PI_2]),
            ("avoidance.length", m.length, NOT_NEGATIVE),
            ("avoidance.width", m.width, NOT_NEGATIVE),
        ]),
    }
}

/// An invalid parameter of an agent.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {value}: give a number from {least:?} to {most:?}")]
pub struct ParamsError {
    /// The parameter; a dot separates those of its style, recovery or avoidance method.
    pub name: &'static str,
    /// The value that was given.
    pub value: f32,
    /// The lowest allowed value.
    pub least: f32,
    /// The highest allowed value.
    pub most: f32,
}
