//! Methods of local avoidance, in crowds and by themselves.

use crate::border::{Sized32, list, put, put_sized, sized};
use crate::choices::{Choice, WayfareOrcaSolver, choice};
use crate::geometry::{WayfareVec2, finite};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use core::mem::offset_of;
use wayfare_nav::Vec2;
use wayfare_nav::avoid::{
    Adaptive, AgentState, AvoidScratch, Avoidance, Avoider, ClearPath, Hrvo, Neighbour, Orca, OrcaSolver, Pedestrian,
    SampleWeights, Sampled, Surroundings, Wall,
};

/// The methods, for `wayfare_avoidance_default`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareAvoidanceMethod {
    /// Walks into everything.
    None = 0,
    /// Tries velocities on a grid: Detour's first method.
    Sampled = 1,
    /// Tries velocities in rings, finer and finer: Detour's.
    Adaptive = 2,
    /// Half planes of velocities (optimal reciprocal collision avoidance).
    Orca = 3,
    /// Velocity obstacles cut exactly.
    ClearPath = 4,
    /// Hybrid reciprocal velocity obstacles.
    Hrvo = 5,
    /// As people walk.
    Pedestrian = 6,
}

choice!(WayfareAvoidanceMethod: None, Sampled, Adaptive, Orca, ClearPath, Hrvo, Pedestrian);

use WayfareAvoidanceMethod as Method;

/// A method and its settings. Those that a method does not have are 0 and not read. Fill it by
/// `wayfare_avoidance_default`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareAvoidance {
    /// The size of this structure: set by `wayfare_avoidance_default`.
    pub size: u32,
    /// A `WayfareAvoidanceMethod`.
    pub method: u32,
    /// Orca, ClearPath, Hrvo: seconds ahead in which agents do not touch.
    pub horizon: f32,
    /// The same for walls.
    pub wall_horizon: f32,
    /// Seconds in which those who overlap part.
    pub overlap_time: f32,
    /// Orca, ClearPath: how much one side is preferred.
    pub side_bias: f32,
    /// ClearPath, Hrvo.
    pub spike: f32,
    /// ClearPath, Hrvo: how much the last velocity is kept.
    pub steadiness: f32,
    /// ClearPath, Hrvo, sampled, adaptive: how much the right side is kept.
    pub keep_right: f32,
    /// A `WayfareOrcaSolver`, for Orca.
    pub solver: u32,
    /// Sampled: samples along a side.
    pub grid: u32,
    /// Adaptive: samples in a ring.
    pub divisions: u32,
    /// Adaptive: rings.
    pub rings: u32,
    /// Adaptive: how often it refines.
    pub depth: u32,
    /// Sampled, adaptive: where samples stand, between 0 and the wanted velocity.
    pub velocity_bias: f32,
    /// Sampled, adaptive: what deviating from the wanted velocity costs.
    pub weight_desired: f32,
    /// From the present one.
    pub weight_current: f32,
    /// Going by on the wrong side.
    pub weight_side: f32,
    /// Being hit soon.
    pub weight_impact: f32,
    /// Sampled, adaptive: seconds ahead that count.
    pub weight_horizon: f32,
    /// The same for walls.
    pub weight_wall_horizon: f32,
    /// Pedestrian: seconds to the one in front.
    pub time_gap: f32,
    /// Pedestrian: metres that count ahead.
    pub look_ahead: f32,
    /// Pedestrian: radians to each side that are seen.
    pub field: f32,
    /// Pedestrian.
    pub length: f32,
    /// Pedestrian.
    pub width: f32,
}

impl Sized32 for WayfareAvoidance {
    const LEAST: usize = offset_of!(Self, width) + 4;
    fn set_size(&mut self, size: u32) {
        self.size = size;
    }
    fn usual() -> Self {
        Self::of(&Avoidance::default())
    }
}

impl WayfareAvoidance {
    pub(crate) fn of(avoidance: &Avoidance) -> Self {
        let size = size_of::<Self>() as u32;
        let own = Self { size, ..Self::default() };
        match *avoidance {
            Avoidance::Sampled(Sampled { grid, velocity_bias, weights }) => {
                Self { method: Method::Sampled as u32, grid, velocity_bias, ..own.weighed(weights) }
            }
            Avoidance::Adaptive(Adaptive { divisions, rings, depth, velocity_bias, weights }) => {
                Self { method: Method::Adaptive as u32, divisions, rings, depth, velocity_bias, ..own.weighed(weights) }
            }
            Avoidance::Orca(Orca { horizon, wall_horizon, overlap_time, side_bias, solver }) => Self {
                method: Method::Orca as u32,
                horizon,
                wall_horizon,
                overlap_time,
                side_bias,
                solver: solver as u32,
                ..own
            },
            Avoidance::ClearPath(ClearPath {
                horizon,
                wall_horizon,
                overlap_time,
                spike,
                side_bias,
                steadiness,
                keep_right,
            }) => Self {
                method: Method::ClearPath as u32,
                horizon,
                wall_horizon,
                overlap_time,
                spike,
                side_bias,
                steadiness,
                keep_right,
                ..own
            },
            Avoidance::Hrvo(Hrvo { horizon, wall_horizon, overlap_time, spike, steadiness, keep_right }) => Self {
                method: Method::Hrvo as u32,
                horizon,
                wall_horizon,
                overlap_time,
                spike,
                steadiness,
                keep_right,
                ..own
            },
            Avoidance::Pedestrian(Pedestrian { time_gap, look_ahead, field, length, width }) => {
                Self { method: Method::Pedestrian as u32, time_gap, look_ahead, field, length, width, ..own }
            }
            _ => own,
        }
    }

    fn weighed(self, weights: SampleWeights) -> Self {
        Self {
            weight_desired: weights.desired,
            weight_current: weights.current,
            weight_side: weights.side,
            weight_impact: weights.impact,
            weight_horizon: weights.horizon,
            weight_wall_horizon: weights.wall_horizon,
            keep_right: weights.keep_right,
            ..self
        }
    }

    fn weights(&self) -> SampleWeights {
        SampleWeights {
            desired: self.weight_desired,
            current: self.weight_current,
            side: self.weight_side,
            impact: self.weight_impact,
            horizon: self.weight_horizon,
            wall_horizon: self.weight_wall_horizon,
            keep_right: self.keep_right,
        }
    }

    pub(crate) fn get(&self) -> Outcome<Avoidance> {
        let Self {
            horizon, wall_horizon, overlap_time, spike, side_bias, steadiness, keep_right, velocity_bias, ..
        } = *self;
        let Self { grid, divisions, rings, depth, time_gap, look_ahead, field, length, width, .. } = *self;
        let weights = self.weights();
        Ok(match Method::of(self.method, "method")? {
            Method::None => Avoidance::None,
            Method::Sampled => Avoidance::Sampled(Sampled { grid, velocity_bias, weights }),
            Method::Adaptive => Avoidance::Adaptive(Adaptive { divisions, rings, depth, velocity_bias, weights }),
            Method::Orca => {
                let solver = match WayfareOrcaSolver::of(self.solver, "solver")? {
                    WayfareOrcaSolver::LinearProgram => OrcaSolver::LinearProgram,
                    WayfareOrcaSolver::Clipping => OrcaSolver::Clipping,
                };
                Avoidance::Orca(Orca { horizon, wall_horizon, overlap_time, side_bias, solver })
            }
            Method::ClearPath => Avoidance::ClearPath(ClearPath {
                horizon,
                wall_horizon,
                overlap_time,
                spike,
                side_bias,
                steadiness,
                keep_right,
            }),
            Method::Hrvo => {
                Avoidance::Hrvo(Hrvo { horizon, wall_horizon, overlap_time, spike, steadiness, keep_right })
            }
            Method::Pedestrian => Avoidance::Pedestrian(Pedestrian { time_gap, look_ahead, field, length, width }),
        })
    }
}

/// Fills the settings of a method with what is usual.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_avoidance_default(
    method: u32,
    avoidance: *mut WayfareAvoidance,
    size: usize,
) -> WayfareStatus {
    border(|| {
        let made = match Method::of(method, "method")? {
            Method::None => Avoidance::None,
            Method::Sampled => Avoidance::Sampled(Sampled::default()),
            Method::Adaptive => Avoidance::Adaptive(Adaptive::default()),
            Method::Orca => Avoidance::Orca(Orca::default()),
            Method::ClearPath => Avoidance::ClearPath(ClearPath::default()),
            Method::Hrvo => Avoidance::Hrvo(Hrvo::default()),
            Method::Pedestrian => Avoidance::Pedestrian(Pedestrian::default()),
        };
        put_sized!(avoidance, size, WayfareAvoidance::of(&made))
    })
}

/// An agent as avoidance sees it, on the plane.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareAvoider {
    /// Where it is.
    pub position: WayfareVec2,
    /// How it moves.
    pub velocity: WayfareVec2,
    /// How it wants to move.
    pub desired: WayfareVec2,
    /// Its radius.
    pub radius: f32,
    /// Its greatest speed.
    pub max_speed: f32,
    /// How far from walls the mesh keeps it already.
    pub wall_distance: f32,
    /// As a neighbour: the part of the avoiding that the asking agent does, 0 to 1.
    pub share: f32,
}

/// A wall on the plane; free is to the left of the line from `a` to `b`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareFlatWall {
    /// From here.
    pub a: WayfareVec2,
    /// To there.
    pub b: WayfareVec2,
}

fn flat(at: WayfareVec2, name: &str) -> Outcome<Vec2> {
    Ok(Vec2::new(finite(at.x, name)?, finite(at.z, name)?))
}

/// The velocity of one agent among others and walls, by a method: without a crowd and without a mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_avoid(
    method: *const WayfareAvoidance,
    agent: *const WayfareAvoider,
    neighbours: *const WayfareAvoider,
    neighbour_count: usize,
    walls: *const WayfareFlatWall,
    wall_count: usize,
    velocity: *mut WayfareVec2,
) -> WayfareStatus {
    border(|| {
        let method = sized!(method)?.get()?;
        let [own] = list!(agent, 1)? else { return Err(Failure::argument("`agent` is null")) };
        let agent = AgentState {
            position: flat(own.position, "position")?,
            velocity: flat(own.velocity, "velocity")?,
            desired: flat(own.desired, "desired")?,
            radius: finite(own.radius, "radius")?,
            max_speed: finite(own.max_speed, "max_speed")?,
            wall_distance: finite(own.wall_distance, "wall_distance")?,
        };
        let neighbours = list!(neighbours, neighbour_count)?.iter().map(|other| {
            Ok(Neighbour {
                position: flat(other.position, "neighbours")?,
                velocity: flat(other.velocity, "neighbours")?,
                desired: flat(other.desired, "neighbours")?,
                radius: finite(other.radius, "neighbours")?,
                share: finite(other.share, "neighbours")?,
            })
        });
        let neighbours: Vec<Neighbour> = neighbours.collect::<Outcome<_>>()?;
        let walls =
            list!(walls, wall_count)?.iter().map(|w| Ok(Wall { a: flat(w.a, "walls")?, b: flat(w.b, "walls")? }));
        let walls: Vec<Wall> = walls.collect::<Outcome<_>>()?;
        let around = Surroundings { agent, neighbours: &neighbours, walls: &walls };
        put!(velocity, method.velocity(&around, &mut AvoidScratch::default()).into())
    })
}
