//! What an agent is: its size, its speed, its manners.

use crate::avoid::WayfareAvoidance;
use crate::border::{Sized32, put_sized, sized};
use crate::choices::{Choice, WayfareDriver, WayfareSteeringStyle, WayfareWhenUnreachable};
use crate::status::{Outcome, WayfareStatus, border};
use core::mem::offset_of;
use wayfare_nav::crowd::{AgentParams, Driver, Pedestrians, Recovery, Style, WhenUnreachable};

/// Parameters of an agent: metres and seconds. Fill it by `wayfare_agent_params_of_size` or
/// `wayfare_agent_params_pedestrian`, then change what is to differ.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareAgentParams {
    /// The size of this structure: set by the functions that fill it.
    pub size: u32,
    /// Radius, above 0.
    pub radius: f32,
    /// Height, above 0.
    pub height: f32,
    /// Greatest speed.
    pub max_speed: f32,
    /// How fast the velocity changes.
    pub max_acceleration: f32,
    /// How far away others are seen.
    pub neighbour_range: f32,
    /// How many others are seen, nearest first.
    pub max_neighbours: u32,
    /// How many walls are seen.
    pub max_walls: u32,
    /// Who gives way: the higher, the less.
    pub priority: f32,
    /// The layers that it is in, a bit for each.
    pub layers: u32,
    /// The layers that it heeds.
    pub layer_mask: u32,
    /// How strongly it keeps away from its neighbours.
    pub separation: f32,
    /// How far ahead it looks for a straighter way.
    pub look_ahead: f32,
    /// Distance to the end at which it slows down.
    pub slow_down: f32,
    /// Distance to the goal at which it has arrived.
    pub arrival: f32,
    /// Distance to the goal at which it stops.
    pub stopping_distance: f32,
    /// Which of the crowd's filters holds for it.
    pub filter: u32,
    /// A `WayfareSteeringStyle`: how it turns corners.
    pub style: u32,
    /// Swaying: radians to either side.
    pub swing: f32,
    /// Swaying: seconds from side to side and back.
    pub period: f32,
    /// A `WayfareDriver`: what moves it.
    pub driver: u32,
    /// A `WayfareDriver`: what moves it over connections.
    pub connection_driver: u32,
    /// Seconds without getting nearer after which it counts as blocked; infinite for never.
    pub patience: f32,
    /// The part of its radius to which it makes itself narrow when it is blocked.
    pub squeeze: f32,
    /// Spells of patience after which its path is searched anew; 0 for never.
    pub replan_after: u32,
    /// Spells of patience after which it gives up; 0 for never.
    pub give_up_after: u32,
    /// A `WayfareWhenUnreachable`: what it does where no path leads.
    pub when_unreachable: u32,
    /// Its method of avoidance.
    pub avoidance: WayfareAvoidance,
}

impl Sized32 for WayfareAgentParams {
    const LEAST: usize = offset_of!(Self, avoidance) + WayfareAvoidance::LEAST;
    fn set_size(&mut self, size: u32) {
        self.size = size;
        // What the method of avoidance has room for.
        let room = size.saturating_sub(offset_of!(Self, avoidance) as u32);
        self.avoidance.set_size(room.min(size_of::<WayfareAvoidance>() as u32));
    }
    fn usual() -> Self {
        Self::of(&AgentParams::default())
    }
}

impl WayfareAgentParams {
    pub(crate) fn of(params: &AgentParams) -> Self {
        let (style, swing, period) = match params.style {
            Style::Straight => (WayfareSteeringStyle::Straight, 0.0, 0.0),
            Style::Drunken { swing, period } => (WayfareSteeringStyle::Swaying, swing, period),
            _ => (WayfareSteeringStyle::Smooth, 0.0, 0.0),
        };
        let driver = |driver| match driver {
            Driver::Crowd => WayfareDriver::Crowd as u32,
            Driver::Game => WayfareDriver::Game as u32,
        };
        let when_unreachable = match params.when_unreachable {
            WhenUnreachable::Stay => WayfareWhenUnreachable::Stay,
            WhenUnreachable::GoNear => WayfareWhenUnreachable::GoNear,
        };
        Self {
            size: size_of::<Self>() as u32,
            radius: params.radius,
            height: params.height,
            max_speed: params.max_speed,
            max_acceleration: params.max_acceleration,
            neighbour_range: params.neighbour_range,
            max_neighbours: params.max_neighbours,
            max_walls: params.max_walls,
            priority: params.priority,
            layers: params.layers,
            layer_mask: params.layer_mask,
            separation: params.separation,
            look_ahead: params.look_ahead,
            slow_down: params.slow_down,
            arrival: params.arrival,
            stopping_distance: params.stopping_distance,
            filter: params.filter,
            style: style as u32,
            swing,
            period,
            driver: driver(params.driver),
            connection_driver: driver(params.connection_driver),
            patience: params.recovery.patience,
            squeeze: params.recovery.squeeze,
            replan_after: params.recovery.replan_after,
            give_up_after: params.recovery.give_up_after,
            when_unreachable: when_unreachable as u32,
            avoidance: WayfareAvoidance::of(&params.avoidance),
        }
    }

    pub(crate) fn get(&self) -> Outcome<AgentParams> {
        let style = match WayfareSteeringStyle::of(self.style, "style")? {
            WayfareSteeringStyle::Straight => Style::Straight,
            WayfareSteeringStyle::Smooth => Style::Smooth,
            WayfareSteeringStyle::Swaying => Style::Drunken { swing: self.swing, period: self.period },
        };
        let driver = |number: u32, name| {
            WayfareDriver::of(number, name).map(|driver| match driver {
                WayfareDriver::Crowd => Driver::Crowd,
                WayfareDriver::Game => Driver::Game,
            })
        };
        let when_unreachable = match WayfareWhenUnreachable::of(self.when_unreachable, "when_unreachable")? {
            WayfareWhenUnreachable::Stay => WhenUnreachable::Stay,
            WayfareWhenUnreachable::GoNear => WhenUnreachable::GoNear,
        };
        let avoidance = self.avoidance;
        let avoidance: WayfareAvoidance = sized!(&raw const avoidance)?;
        Ok(AgentParams {
            radius: self.radius,
            height: self.height,
            max_speed: self.max_speed,
            max_acceleration: self.max_acceleration,
            neighbour_range: self.neighbour_range,
            max_neighbours: self.max_neighbours,
            max_walls: self.max_walls,
            priority: self.priority,
            layers: self.layers,
            layer_mask: self.layer_mask,
            separation: self.separation,
            look_ahead: self.look_ahead,
            slow_down: self.slow_down,
            arrival: self.arrival,
            stopping_distance: self.stopping_distance,
            filter: self.filter,
            avoidance: avoidance.get()?,
            style,
            driver: driver(self.driver, "driver")?,
            connection_driver: driver(self.connection_driver, "connection_driver")?,
            recovery: Recovery {
                patience: self.patience,
                squeeze: self.squeeze,
                replan_after: self.replan_after,
                give_up_after: self.give_up_after,
            },
            when_unreachable,
        })
    }
}

/// Fills the parameters of an agent of a size: distances grow with the radius.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_agent_params_of_size(
    radius: f32,
    height: f32,
    params: *mut WayfareAgentParams,
    size: usize,
) -> WayfareStatus {
    border(|| put_sized!(params, size, WayfareAgentParams::of(&AgentParams::of_size(radius, height))))
}

/// Fills the parameters of the pedestrian number `number` that a seed draws: speeds differ as those of people do.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_agent_params_pedestrian(
    seed: u64,
    number: u32,
    params: *mut WayfareAgentParams,
    size: usize,
) -> WayfareStatus {
    border(|| {
        let drawn = Pedestrians::new(seed).nth(number as usize).unwrap_or_else(AgentParams::pedestrian);
        put_sized!(params, size, WayfareAgentParams::of(&drawn))
    })
}
