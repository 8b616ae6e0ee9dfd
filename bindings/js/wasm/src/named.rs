//! The library's settings by the names that options objects use.

use crate::fault::{Answer, Fault};
use crate::options::{Given, Named};
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::avoid::{Adaptive, Avoidance, ClearPath, Hrvo, Orca, OrcaSolver, Pedestrian, SampleWeights, Sampled};
use wayfare::crowd::{AgentParams, CrowdSettings, Driver, Style, WhenUnreachable};
use wayfare::input::{AgentSettings, BakeSettings, Erosion, LinkRule, LinkSettings, Partition};
use wayfare::math::Aabb;
use wayfare::query::OverlaySettings;

/// Reads fields by name: `"name" => place: how`.
macro_rules! fields {
    ($name:expr, $value:expr, { $($field:literal => $place:expr, $how:ident);* $(;)? }) => {
        match $name {
            $($field => $place = $value.$how()?,)*
            _ => return Ok(false),
        }
    };
}

impl Given<'_> {
    pub(crate) fn area(&self) -> Answer<AreaId> {
        area(self.count()?)
    }

    pub(crate) fn flags(&self) -> Answer<PolyFlags> {
        flags(self.count()?)
    }

    fn point(&self) -> Answer<Vec3> {
        Ok(self.floats::<3>()?.into())
    }

    /// A box: its lowest and its highest corner.
    fn bounds(&self) -> Answer<Option<Aabb>> {
        let [x, y, z, to_x, to_y, to_z] = self.floats()?;
        Ok(Some(Aabb { min: Vec3::new(x, y, z), max: Vec3::new(to_x, to_y, to_z) }))
    }

    fn driver(&self) -> Answer<Driver> {
        Ok([Driver::Crowd, Driver::Game][self.word(&["crowd", "game"])?])
    }

    /// How much work may be done: with 0 it would never get done, and no limit is infinite.
    fn work(&self) -> Answer<u64> {
        let value = self.number()?;
        let is_work = value >= 1.0 && (value.fract() == 0.0 || value.is_infinite());
        if is_work { Ok(value as u64) } else { Err(self.wrong("a whole number, 1 or more")) }
    }

    /// A measure that may be infinite.
    fn measure(&self) -> Answer<f32> {
        let value = self.float()?;
        if value >= 0.0 { Ok(value) } else { Err(self.wrong("a number, 0 or more")) }
    }

    fn reach(&self) -> Answer<Vec3> {
        let reach = self.point()?;
        let is_reach = reach.is_finite() && reach.cmpge(Vec3::ZERO).all();
        if is_reach { Ok(reach) } else { Err(self.wrong("three finite numbers, 0 or more")) }
    }
}

/// An area type, 0 to 63.
pub(crate) fn area(id: u32) -> Answer<AreaId> {
    let id = u8::try_from(id).map_err(|_| Fault::argument(format_args!("area {id} is not one of 0 to 63")))?;
    Ok(AreaId::new(id)?)
}

/// Sixteen flags.
pub(crate) fn flags(bits: u32) -> Answer<PolyFlags> {
    let bits = u16::try_from(bits).map_err(|_| Fault::argument(format_args!("flags are 0 to 65535, not {bits}")))?;
    Ok(PolyFlags(bits))
}

/// An agent by itself: its options stand beside each other.
impl Named for AgentSettings {
    fn set(&mut self, name: &str, value: &Given<'_>) -> Answer<bool> {
        fields!(name, value, {
            "height" => self.height, float;
            "radius" => self.radius, float;
            "maxClimb" => self.max_climb, float;
            "maxSlope" => self.max_slope, float;
            "maxDrop" => self.max_drop, float;
        });
        Ok(true)
    }
}

impl Named for BakeSettings {
    fn set(&mut self, name: &str, value: &Given<'_>) -> Answer<bool> {
        if let Some(name) = name.strip_prefix("agent.") {
            return self.agent.set(name, value);
        }
        match name {
            "erosion" => {
                self.erosion = [Erosion::Chamfer, Erosion::Euclidean][value.word(&["chamfer", "euclidean"])?];
            }
            "partition" => {
                let words = ["watershed", "monotone", "layers"];
                let partitions = [Partition::Watershed, Partition::Monotone, Partition::Layers];
                self.partition = partitions[value.word(&words)?];
            }
            _ => fields!(name, value, {
                "cellSize" => self.cell_size, float;
                "cellHeight" => self.cell_height, float;
                "filters.lowHangingObstacles" => self.filters.low_hanging_obstacles, truth;
                "filters.ledges" => self.filters.ledges, truth;
                "filters.lowHeight" => self.filters.low_height, truth;
                "regionMinSize" => self.region_min_size, count;
                "regionMergeSize" => self.region_merge_size, count;
                "edgeMaxLength" => self.edge_max_len, float;
                "edgeMaxError" => self.edge_max_error, float;
                "vertsPerPoly" => self.verts_per_poly, count;
                "detailSampleDistance" => self.detail_sample_dist, float;
                "detailSampleMaxError" => self.detail_sample_max_error, float;
                "tileSize" => self.tile_size, count;
                "bounds" => self.bounds, bounds;
            }),
        }
        Ok(true)
    }

    fn groups(&self) -> &'static [&'static str] {
        &BAKE_GROUPS
    }
}

const BAKE_GROUPS: [&str; 2] = ["agent", "filters"];

/// What a bake's options object says, on top of what fits the agent in it.
pub(crate) fn bake_settings(options: &wasm_bindgen::JsValue) -> Answer<BakeSettings> {
    // The agent first: cells that are not given follow its size.
    struct AgentOnly(AgentSettings);
    impl Named for AgentOnly {
        fn set(&mut self, name: &str, value: &Given<'_>) -> Answer<bool> {
            match name.strip_prefix("agent.") {
                Some(name) => self.0.set(name, value),
                None => Ok(!BAKE_GROUPS.contains(&name)),
            }
        }

        fn groups(&self) -> &'static [&'static str] {
            &BAKE_GROUPS
        }
    }
    let mut agent = AgentOnly(AgentSettings::default());
    crate::options::apply(options, &mut agent)?;
    let mut settings = BakeSettings::for_agent(agent.0);
    crate::options::apply(options, &mut settings)?;
    Ok(settings)
}

/// The rule for a kind of link that is switched on, off, or changed: `drop: false`, `climb: { maxHeight: 2 }`.
impl Named for LinkSettings {
    fn set(&mut self, name: &str, value: &Given<'_>) -> Answer<bool> {
        let (kind, field) = name.split_once('.').unwrap_or((name, ""));
        let rule = match kind {
            "drop" => &mut self.drop,
            "jumpDown" => &mut self.jump_down,
            "jumpAcross" => &mut self.jump_across,
            "climb" => &mut self.climb,
            _ => return Ok(false),
        };
        if field.is_empty() {
            let is_rule = value.group().is_ok();
            if !is_rule && !value.truth()? {
                *rule = None;
            }
            return Ok(!is_rule);
        }
        let Some(rule) = rule else {
            return Err(Fault::new("settings", format_args!("{kind} has no usual rule for this agent")));
        };
        set_rule(rule, field, value)
    }

    fn groups(&self) -> &'static [&'static str] {
        &["drop", "jumpDown", "jumpAcross", "climb"]
    }
}

fn set_rule(rule: &mut LinkRule, field: &str, value: &Given<'_>) -> Answer<bool> {
    fields!(field, value, {
        "maxHeight" => rule.max_height, float;
        "maxDistance" => rule.max_distance, float;
        "rise" => rule.rise, float;
        "spacing" => rule.spacing, float;
        "width" => rule.width, float;
        "twoWay" => rule.two_way, truth;
        "area" => rule.area, area;
        "flags" => rule.flags, flags;
    });
    Ok(true)
}

impl Named for CrowdSettings {
    fn set(&mut self, name: &str, value: &Given<'_>) -> Answer<bool> {
        fields!(name, value, {
            "pathNodes" => self.path_nodes, work;
            "topologySearches" => self.topology_searches, count;
            "topologyNodes" => self.topology_nodes, count;
            "resolveRounds" => self.resolve_rounds, count;
            "replanInterval" => self.replan_interval, measure;
            "costChange" => self.cost_change, measure;
            "reach" => self.reach, reach;
        });
        Ok(true)
    }
}

impl Named for AgentParams {
    fn set(&mut self, name: &str, value: &Given<'_>) -> Answer<bool> {
        match name {
            "avoidance" => {
                if value.group().is_ok() {
                    return Ok(false);
                }
                self.avoidance = method(&value.text()?)?;
            }
            "style" => {
                if value.group().is_ok() {
                    self.style = Style::Drunken { swing: 0.6, period: 2.0 };
                    return Ok(false);
                }
                self.style = [Style::Straight, Style::Smooth][value.word(&["straight", "smooth"])?];
            }
            "whenUnreachable" => {
                let choices = [WhenUnreachable::Stay, WhenUnreachable::GoNear];
                self.when_unreachable = choices[value.word(&["stay", "go-near"])?];
            }
            _ if name.starts_with("avoidance.") => return set_avoidance(&mut self.avoidance, &name[10..], value),
            _ if name.starts_with("style.") => return set_style(&mut self.style, &name[6..], value),
            _ => fields!(name, value, {
                "radius" => self.radius, float;
                "height" => self.height, float;
                "maxSpeed" => self.max_speed, float;
                "maxAcceleration" => self.max_acceleration, float;
                "neighbourRange" => self.neighbour_range, float;
                "maxNeighbours" => self.max_neighbours, count;
                "maxWalls" => self.max_walls, count;
                "priority" => self.priority, float;
                "layers" => self.layers, count;
                "layerMask" => self.layer_mask, count;
                "separation" => self.separation, float;
                "lookAhead" => self.look_ahead, float;
                "slowDown" => self.slow_down, float;
                "arrival" => self.arrival, float;
                "stoppingDistance" => self.stopping_distance, float;
                "filter" => self.filter, count;
                "driver" => self.driver, driver;
                "connectionDriver" => self.connection_driver, driver;
                "recovery.patience" => self.recovery.patience, float;
                "recovery.squeeze" => self.recovery.squeeze, float;
                "recovery.replanAfter" => self.recovery.replan_after, count;
                "recovery.giveUpAfter" => self.recovery.give_up_after, count;
            }),
        }
        Ok(true)
    }

    fn groups(&self) -> &'static [&'static str] {
        &["avoidance", "avoidance.weights", "style", "recovery"]
    }
}

const METHODS: &str = "none, sampled, adaptive, orca, clearpath, hrvo, pedestrian";

/// A method of avoidance by its name.
pub(crate) fn method(name: &str) -> Answer<Avoidance> {
    match name {
        "pedestrian" => Ok(Avoidance::Pedestrian(Pedestrian::default())),
        _ => Avoidance::by_name(name)
            .ok_or_else(|| Fault::new("settings", format_args!("avoidance must be one of {METHODS}, but is {name:?}"))),
    }
}

fn set_style(style: &mut Style, name: &str, value: &Given<'_>) -> Answer<bool> {
    if name == "name" {
        let drunken = Style::Drunken { swing: 0.6, period: 2.0 };
        *style = [Style::Straight, Style::Smooth, drunken][value.word(&["straight", "smooth", "drunken"])?];
        return Ok(true);
    }
    let Style::Drunken { swing, period } = style else { return Ok(false) };
    fields!(name, value, { "swing" => *swing, float; "period" => *period, float });
    Ok(true)
}

/// Of a method given as an object, `name` comes first, and `quality` before what it sets.
fn set_avoidance(avoidance: &mut Avoidance, name: &str, value: &Given<'_>) -> Answer<bool> {
    if name == "name" {
        *avoidance = method(&value.text()?)?;
        return Ok(true);
    }
    match avoidance {
        Avoidance::Sampled(method) => set_sampled(method, name, value),
        Avoidance::Adaptive(method) => set_adaptive(method, name, value),
        Avoidance::Orca(method) => set_orca(method, name, value),
        Avoidance::ClearPath(method) => set_clear_path(method, name, value),
        Avoidance::Hrvo(method) => set_hrvo(method, name, value),
        Avoidance::Pedestrian(method) => set_pedestrian(method, name, value),
        _ => Ok(false),
    }
}

fn set_sampled(method: &mut Sampled, name: &str, value: &Given<'_>) -> Answer<bool> {
    if let Some(name) = name.strip_prefix("weights.") {
        return set_weights(&mut method.weights, name, value);
    }
    fields!(name, value, { "grid" => method.grid, count; "velocityBias" => method.velocity_bias, float });
    Ok(true)
}

fn set_adaptive(method: &mut Adaptive, name: &str, value: &Given<'_>) -> Answer<bool> {
    if let Some(name) = name.strip_prefix("weights.") {
        return set_weights(&mut method.weights, name, value);
    }
    if name == "quality" {
        let Adaptive { divisions, rings, depth, .. } = Adaptive::quality(value.count()?);
        (method.divisions, method.rings, method.depth) = (divisions, rings, depth);
        return Ok(true);
    }
    fields!(name, value, {
        "divisions" => method.divisions, count;
        "rings" => method.rings, count;
        "depth" => method.depth, count;
        "velocityBias" => method.velocity_bias, float;
    });
    Ok(true)
}

fn set_weights(weights: &mut SampleWeights, name: &str, value: &Given<'_>) -> Answer<bool> {
    fields!(name, value, {
        "desired" => weights.desired, float;
        "current" => weights.current, float;
        "side" => weights.side, float;
        "impact" => weights.impact, float;
        "horizon" => weights.horizon, float;
        "wallHorizon" => weights.wall_horizon, float;
        "keepRight" => weights.keep_right, float;
    });
    Ok(true)
}

fn set_orca(method: &mut Orca, name: &str, value: &Given<'_>) -> Answer<bool> {
    if name == "solver" {
        let solvers = [OrcaSolver::LinearProgram, OrcaSolver::Clipping];
        method.solver = solvers[value.word(&["linear-program", "clipping"])?];
        return Ok(true);
    }
    fields!(name, value, {
        "horizon" => method.horizon, float;
        "wallHorizon" => method.wall_horizon, float;
        "overlapTime" => method.overlap_time, float;
        "sideBias" => method.side_bias, float;
    });
    Ok(true)
}

fn set_clear_path(method: &mut ClearPath, name: &str, value: &Given<'_>) -> Answer<bool> {
    fields!(name, value, {
        "horizon" => method.horizon, float;
        "wallHorizon" => method.wall_horizon, float;
        "overlapTime" => method.overlap_time, float;
        "spike" => method.spike, float;
        "sideBias" => method.side_bias, float;
        "steadiness" => method.steadiness, float;
        "keepRight" => method.keep_right, float;
    });
    Ok(true)
}

fn set_hrvo(method: &mut Hrvo, name: &str, value: &Given<'_>) -> Answer<bool> {
    fields!(name, value, {
        "horizon" => method.horizon, float;
        "wallHorizon" => method.wall_horizon, float;
        "overlapTime" => method.overlap_time, float;
        "spike" => method.spike, float;
        "steadiness" => method.steadiness, float;
        "keepRight" => method.keep_right, float;
    });
    Ok(true)
}

fn set_pedestrian(method: &mut Pedestrian, name: &str, value: &Given<'_>) -> Answer<bool> {
    fields!(name, value, {
        "timeGap" => method.time_gap, float;
        "lookAhead" => method.look_ahead, float;
        "field" => method.field, float;
        "length" => method.length, float;
        "width" => method.width, float;
    });
    Ok(true)
}

impl Named for OverlaySettings {
    fn set(&mut self, name: &str, value: &Given<'_>) -> Answer<bool> {
        fields!(name, value, {
            "cellSize" => self.cell_size, float;
            "cellHeight" => self.cell_height, float;
            "halfLife" => self.half_life, count;
            "maxCells" => self.max_cells, count;
        });
        Ok(true)
    }
}
