//! Parameters of agents and methods of avoidance, as the package's dataclasses hold them.

use crate::arrays::{Point, room, tuple};
use crate::errors;
use crate::settings::{Fields, name_of, word};
use crate::whole::whole;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use wayfare::avoid::{Avoidance, OrcaSolver, SampleWeights};
use wayfare::crowd::{AgentParams, CrowdSettings, Driver, Recovery, Style, WhenUnreachable};

const DRIVERS: [(&str, Driver); 2] = [("crowd", Driver::Crowd), ("game", Driver::Game)];
const UNREACHABLE: [(&str, WhenUnreachable); 2] =
    [("stay", WhenUnreachable::Stay), ("go_near", WhenUnreachable::GoNear)];
const METHODS: [&str; 7] = ["none", "sampled", "adaptive", "orca", "clearpath", "hrvo", "pedestrian"];

/// A number of a method by its name, to be read or written.
enum Number<'a> {
    Real(&'a mut f32),
    Whole(&'a mut u32),
    Clips(&'a mut OrcaSolver),
}

fn weights(w: &mut SampleWeights) -> Vec<(&'static str, Number<'_>)> {
    vec![
        ("desired", Number::Real(&mut w.desired)),
        ("current", Number::Real(&mut w.current)),
        ("side", Number::Real(&mut w.side)),
        ("impact", Number::Real(&mut w.impact)),
        ("horizon", Number::Real(&mut w.horizon)),
        ("wall_horizon", Number::Real(&mut w.wall_horizon)),
        ("keep_right", Number::Real(&mut w.keep_right)),
    ]
}

macro_rules! reals {
    ($of:expr; $($name:ident),*) => { vec![$((stringify!($name), Number::Real(&mut $of.$name))),*] };
}

/// All numbers of a method.
fn numbers(method: &mut Avoidance) -> Vec<(&'static str, Number<'_>)> {
    match method {
        Avoidance::Sampled(m) => {
            let mut all =
                vec![("grid", Number::Whole(&mut m.grid)), ("velocity_bias", Number::Real(&mut m.velocity_bias))];
            all.extend(weights(&mut m.weights));
            all
        }
        Avoidance::Adaptive(m) => {
            let mut all = vec![
                ("divisions", Number::Whole(&mut m.divisions)),
                ("rings", Number::Whole(&mut m.rings)),
                ("depth", Number::Whole(&mut m.depth)),
                ("velocity_bias", Number::Real(&mut m.velocity_bias)),
            ];
            all.extend(weights(&mut m.weights));
            all
        }
        Avoidance::Orca(m) => {
            let mut all = reals!(m; horizon, wall_horizon, overlap_time, side_bias);
            all.push(("clipping", Number::Clips(&mut m.solver)));
            all
        }
        Avoidance::ClearPath(m) => {
            reals!(m; horizon, wall_horizon, overlap_time, spike, side_bias, steadiness, keep_right)
        }
        Avoidance::Hrvo(m) => reals!(m; horizon, wall_horizon, overlap_time, spike, steadiness, keep_right),
        Avoidance::Pedestrian(m) => reals!(m; time_gap, look_ahead, field, length, width),
        _ => Vec::new(),
    }
}

fn method(name: &str) -> PyResult<Avoidance> {
    if name == "pedestrian" {
        return Ok(Avoidance::Pedestrian(wayfare::avoid::Pedestrian::default()));
    }
    Avoidance::by_name(name)
        .ok_or_else(|| errors::value(format_args!("avoidance is \"{name}\", but must be one of {METHODS:?}")))
}

/// A method with some of its numbers set.
pub(crate) fn avoidance(name: &str, given: &BTreeMap<String, f64>) -> PyResult<Avoidance> {
    let mut made = method(name)?;
    for (key, value) in given {
        let mut all = numbers(&mut made);
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        let Some((_, slot)) = all.iter_mut().find(|(name, _)| name == key) else {
            return Err(errors::value(format_args!("avoidance \"{name}\" has no setting \"{key}\"; it has {names:?}")));
        };
        if !value.is_finite() {
            return Err(errors::value(format_args!("{key} is {value}: give a number")));
        }
        match slot {
            Number::Real(slot) => **slot = *value as f32,
            Number::Whole(slot) => **slot = *value as u32,
            Number::Clips(slot) => {
                **slot = if *value == 0.0 { OrcaSolver::LinearProgram } else { OrcaSolver::Clipping }
            }
        }
    }
    Ok(made)
}

fn avoidance_out<'py>(py: Python<'py>, given: &Avoidance) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(py);
    let mut own = *given;
    for (name, number) in numbers(&mut own) {
        match number {
            Number::Real(value) => dict.set_item(name, *value)?,
            Number::Whole(value) => dict.set_item(name, f64::from(*value))?,
            Number::Clips(value) => dict.set_item(name, f64::from(u8::from(*value == OrcaSolver::Clipping)))?,
        }
    }
    py.import("wayfare.crowds")?.getattr("Avoidance")?.call1((given.name(), dict))
}

/// The settings of a method of avoidance, each with its default. `Avoidance.defaults` calls it.
#[pyfunction]
pub(crate) fn _avoidance_defaults<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    avoidance_out(py, &method(name)?)
}

#[derive(FromPyObject)]
struct AvoidanceIn {
    method: String,
    settings: BTreeMap<String, f64>,
}

#[derive(FromPyObject)]
struct StyleIn {
    name: String,
    swing: f32,
    period: f32,
}

#[derive(FromPyObject)]
struct RecoveryIn {
    patience: f32,
    squeeze: f32,
    #[pyo3(from_py_with = whole)]
    replan_after: u32,
    #[pyo3(from_py_with = whole)]
    give_up_after: u32,
}

#[derive(FromPyObject)]
pub(crate) struct ParamsFields {
    radius: f32,
    height: f32,
    max_speed: f32,
    max_acceleration: f32,
    neighbour_range: Option<f32>,
    #[pyo3(from_py_with = whole)]
    max_neighbours: u32,
    #[pyo3(from_py_with = whole)]
    max_walls: u32,
    priority: f32,
    #[pyo3(from_py_with = whole)]
    layers: u32,
    #[pyo3(from_py_with = whole)]
    layer_mask: u32,
    separation: f32,
    look_ahead: Option<f32>,
    slow_down: Option<f32>,
    arrival: Option<f32>,
    stopping_distance: f32,
    #[pyo3(from_py_with = whole)]
    filter: u32,
    avoidance: AvoidanceIn,
    style: StyleIn,
    driver: String,
    connection_driver: String,
    recovery: RecoveryIn,
    when_unreachable: String,
}

/// Params as it is given.
pub(crate) type ParamsIn = Fields<ParamsFields>;

impl ParamsIn {
    pub(crate) fn get(self) -> PyResult<AgentParams> {
        let usual = AgentParams::of_size(self.0.radius, self.0.height);
        Ok(AgentParams {
            max_speed: self.0.max_speed,
            max_acceleration: self.0.max_acceleration,
            neighbour_range: self.0.neighbour_range.unwrap_or(usual.neighbour_range),
            max_neighbours: self.0.max_neighbours,
            max_walls: self.0.max_walls,
            priority: self.0.priority,
            layers: self.0.layers,
            layer_mask: self.0.layer_mask,
            separation: self.0.separation,
            look_ahead: self.0.look_ahead.unwrap_or(usual.look_ahead),
            slow_down: self.0.slow_down.unwrap_or(usual.slow_down),
            arrival: self.0.arrival.unwrap_or(usual.arrival),
            stopping_distance: self.0.stopping_distance,
            filter: self.0.filter,
            avoidance: avoidance(&self.0.avoidance.method, &self.0.avoidance.settings)?,
            style: match self.0.style.name.as_str() {
                "straight" => Style::Straight,
                "smooth" => Style::Smooth,
                "drunken" => Style::Drunken { swing: self.0.style.swing, period: self.0.style.period },
                other => {
                    return Err(errors::value(format_args!(
                        "style is \"{other}\", but must be one of \"straight\", \"smooth\", \"drunken\""
                    )));
                }
            },
            driver: word(&self.0.driver, "driver", &DRIVERS)?,
            connection_driver: word(&self.0.connection_driver, "connection_driver", &DRIVERS)?,
            recovery: Recovery {
                patience: self.0.recovery.patience,
                squeeze: self.0.recovery.squeeze,
                replan_after: self.0.recovery.replan_after,
                give_up_after: self.0.recovery.give_up_after,
            },
            when_unreachable: word(&self.0.when_unreachable, "when_unreachable", &UNREACHABLE)?,
            ..usual
        })
    }
}

/// An agent's parameters as the package's dataclass.
pub(crate) fn params_out<'py>(py: Python<'py>, p: &AgentParams) -> PyResult<Bound<'py, PyAny>> {
    let module = py.import("wayfare.crowds")?;
    let dict = PyDict::new(py);
    dict.set_item("radius", p.radius)?;
    dict.set_item("height", p.height)?;
    dict.set_item("max_speed", p.max_speed)?;
    dict.set_item("max_acceleration", p.max_acceleration)?;
    dict.set_item("neighbour_range", p.neighbour_range)?;
    dict.set_item("max_neighbours", p.max_neighbours)?;
    dict.set_item("max_walls", p.max_walls)?;
    dict.set_item("priority", p.priority)?;
    dict.set_item("layers", p.layers)?;
    dict.set_item("layer_mask", p.layer_mask)?;
    dict.set_item("separation", p.separation)?;
    dict.set_item("look_ahead", p.look_ahead)?;
    dict.set_item("slow_down", p.slow_down)?;
    dict.set_item("arrival", p.arrival)?;
    dict.set_item("stopping_distance", p.stopping_distance)?;
    dict.set_item("filter", p.filter)?;
    dict.set_item("avoidance", avoidance_out(py, &p.avoidance)?)?;
    let style = module.getattr("Style")?;
    dict.set_item(
        "style",
        match p.style {
            Style::Smooth => style.call1(("smooth",))?,
            Style::Drunken { swing, period } => style.call1(("drunken", swing, period))?,
            _ => style.call1(("straight",))?,
        },
    )?;
    dict.set_item("driver", name_of(p.driver, &DRIVERS))?;
    dict.set_item("connection_driver", name_of(p.connection_driver, &DRIVERS))?;
    let r = &p.recovery;
    let recovery = (r.patience, r.squeeze, r.replan_after, r.give_up_after);
    dict.set_item("recovery", module.getattr("Recovery")?.call1(recovery)?)?;
    dict.set_item("when_unreachable", name_of(p.when_unreachable, &UNREACHABLE))?;
    module.getattr("AgentParams")?.call((), Some(&dict))
}

/// The library's parameters of an agent of a size, to which a test holds those of the dataclass.
#[pyfunction]
#[pyo3(signature = (radius = 0.6, height = 2.0))]
pub(crate) fn _agent_defaults(py: Python<'_>, radius: f32, height: f32) -> PyResult<Bound<'_, PyAny>> {
    params_out(py, &AgentParams::of_size(radius, height))
}

/// Parameters of so many pedestrians, as different as people are; the same for the same seed.
#[pyfunction]
pub(crate) fn pedestrians(
    py: Python<'_>,
    #[pyo3(from_py_with = whole)] count: usize,
    #[pyo3(from_py_with = whole)] seed: u64,
) -> PyResult<Vec<Bound<'_, PyAny>>> {
    let mut list = room(count)?;
    for params in wayfare::crowd::Pedestrians::new(seed).take(count) {
        list.push(params_out(py, &params)?);
    }
    Ok(list)
}

#[derive(FromPyObject)]
pub(crate) struct CrowdFields {
    #[pyo3(from_py_with = whole)]
    path_nodes: u64,
    #[pyo3(from_py_with = whole)]
    topology_searches: u32,
    #[pyo3(from_py_with = whole)]
    topology_nodes: u32,
    #[pyo3(from_py_with = whole)]
    resolve_rounds: u32,
    replan_interval: f32,
    cost_change: f32,
    reach: Point,
}

/// Crowd as it is given.
pub(crate) type CrowdIn = Fields<CrowdFields>;

impl CrowdIn {
    pub(crate) fn get(&self) -> CrowdSettings {
        CrowdSettings {
            path_nodes: self.0.path_nodes,
            topology_searches: self.0.topology_searches,
            topology_nodes: self.0.topology_nodes,
            resolve_rounds: self.0.resolve_rounds,
            replan_interval: self.0.replan_interval,
            cost_change: self.0.cost_change,
            reach: self.0.reach.0,
        }
    }
}

/// The settings of a crowd as the package's dataclass.
pub(crate) fn crowd_out<'py>(py: Python<'py>, s: &CrowdSettings) -> PyResult<Bound<'py, PyAny>> {
    let kind = py.import("wayfare.crowds")?.getattr("CrowdSettings")?;
    kind.call1((
        s.path_nodes,
        s.topology_searches,
        s.topology_nodes,
        s.resolve_rounds,
        s.replan_interval,
        s.cost_change,
        tuple(s.reach),
    ))
}

/// The library's settings of a crowd, to which a test holds those of the dataclass.
#[pyfunction]
pub(crate) fn _crowd_defaults(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    crowd_out(py, &CrowdSettings::default())
}
