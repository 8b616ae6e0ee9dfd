//! What is done with one agent of a crowd.

use crate::callback::rethrow;
use crate::corridor::corner_numbers;
use crate::crowd::{RawCrowd, number_of};
use crate::fault::{Answer, Fault};
use crate::mesh::RawMesh;
use crate::options::apply;
use crate::query::on_mesh;
use crate::record::{Record, to_point};
use crate::refs::bits;
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::crowd::{AgentParams, Target};

pub(crate) fn vec3(at: &[f32]) -> Answer<Vec3> {
    let [x, y, z] = crate::volume::fixed("point", at)?;
    Ok(Vec3::new(x, y, z))
}

#[wasm_bindgen(js_class = RawCrowd)]
impl RawCrowd {
    /// Adds an agent. Lengths that are not given follow its radius.
    pub fn add(
        &mut self,
        mesh: &RawMesh,
        at: &[f32],
        size: &[f32],
        is_pedestrian: bool,
        options: &JsValue,
    ) -> Answer<f64> {
        let &[radius, height] = size else { return Err(Fault::argument("an agent has a radius and a height")) };
        let mut params = AgentParams::of_size(radius, height);
        if is_pedestrian {
            params = AgentParams::pedestrian();
        }
        apply(options, &mut params)?;
        let agent = self.crowd.add(mesh.mesh(), vec3(at)?, params)?;
        self.welcome(agent)
    }

    pub fn remove(&mut self, handle: f64) -> Answer<()> {
        Ok(self.crowd.remove(self.find(handle)?)?)
    }

    pub fn contains(&self, handle: f64) -> bool {
        self.find(handle).is_ok()
    }

    /// Changes some parameters.
    #[wasm_bindgen(js_name = setParams)]
    pub fn set_params(&mut self, handle: f64, options: &JsValue) -> Answer<()> {
        let agent = self.find(handle)?;
        let mut params = self.crowd.params(agent)?.clone();
        apply(options, &mut params)?;
        self.crowd.set_params(agent, params)?;
        rethrow()
    }

    /// The parameters that are plain numbers, and the name of the method.
    pub fn params(&self, handle: f64) -> Answer<JsValue> {
        let params = self.crowd.params(self.find(handle)?)?;
        Ok(Record::new()
            .with("radius", params.radius)
            .with("height", params.height)
            .with("maxSpeed", params.max_speed)
            .with("maxAcceleration", params.max_acceleration)
            .with("neighbourRange", params.neighbour_range)
            .with("maxNeighbours", params.max_neighbours)
            .with("maxWalls", params.max_walls)
            .with("priority", params.priority)
            .with("layers", params.layers)
            .with("layerMask", params.layer_mask)
            .with("separation", params.separation)
            .with("lookAhead", params.look_ahead)
            .with("slowDown", params.slow_down)
            .with("arrival", params.arrival)
            .with("stoppingDistance", params.stopping_distance)
            .with("filter", params.filter)
            .with("avoidance", params.avoidance.name())
            .done())
    }

    /// Sends an agent to the point of the mesh nearest to a place.
    #[wasm_bindgen(js_name = goTo)]
    pub fn go_to(&mut self, mesh: &RawMesh, handle: f64, x: f32, y: f32, z: f32) -> Answer<()> {
        let agent = self.find(handle)?;
        self.crowd.go_to(mesh.mesh(), agent, Vec3::new(x, y, z))?;
        rethrow()
    }

    /// Gives an agent a target: `none`, `velocity` with one, `agent` with another's number, or `point` and `moving` with
    /// a place.
    #[wasm_bindgen(js_name = setTarget)]
    pub fn set_target(
        &mut self,
        mesh: &RawMesh,
        handle: f64,
        kind: &str,
        at: &[f32],
        reference: u64,
        other: f64,
    ) -> Answer<()> {
        let agent = self.find(handle)?;
        let target = match kind {
            "none" => Target::None,
            "velocity" => Target::Velocity(vec3(at)?),
            "agent" => Target::Agent(self.find(other)?),
            "point" => Target::Point(on_mesh(mesh.mesh(), reference, at)?),
            "moving" => Target::Moving(on_mesh(mesh.mesh(), reference, at)?),
            _ => return Err(Fault::argument(format_args!("there is no target {kind:?}"))),
        };
        self.crowd.set_target(agent, target)?;
        rethrow()
    }

    pub fn target(&self, handle: f64) -> Answer<JsValue> {
        let target = self.crowd.target(self.find(handle)?)?;
        let record = Record::new();
        Ok(match target {
            Target::Point(place) => {
                record.with("kind", "point").with("poly", place.poly.to_bits()).point("point", Some(place.point))
            }
            Target::Moving(place) => {
                record.with("kind", "moving").with("poly", place.poly.to_bits()).point("point", Some(place.point))
            }
            Target::Agent(other) => record.with("kind", "agent").with("agent", number_of(other)),
            Target::Velocity(velocity) => record.with("kind", "velocity").point("velocity", Some(velocity)),
            _ => record.with("kind", "none"),
        }
        .done())
    }

    pub fn teleport(&mut self, mesh: &RawMesh, handle: f64, at: &[f32]) -> Answer<()> {
        let agent = self.find(handle)?;
        self.crowd.teleport(mesh.mesh(), agent, vec3(at)?)?;
        rethrow()
    }

    /// Says where an agent is that the game moves.
    #[wasm_bindgen(js_name = setPosition)]
    pub fn set_position(&mut self, handle: f64, at: &[f32]) -> Answer<()> {
        let agent = self.find(handle)?;
        Ok(self.crowd.set_position(agent, vec3(at)?)?)
    }

    #[wasm_bindgen(js_name = setVelocity)]
    pub fn set_velocity(&mut self, handle: f64, velocity: &[f32]) -> Answer<()> {
        let agent = self.find(handle)?;
        Ok(self.crowd.set_velocity(agent, vec3(velocity)?)?)
    }

    pub fn pause(&mut self, handle: f64, is_paused: bool) -> Answer<()> {
        let agent = self.find(handle)?;
        Ok(self.crowd.pause(agent, is_paused)?)
    }

    #[wasm_bindgen(js_name = setConnectionProgress)]
    pub fn set_connection_progress(&mut self, handle: f64, progress: f32) -> Answer<()> {
        let agent = self.find(handle)?;
        Ok(self.crowd.set_connection_progress(agent, progress)?)
    }
}

/// What an agent is doing.
#[wasm_bindgen(js_class = RawCrowd)]
impl RawCrowd {
    pub fn position(&self, handle: f64) -> Answer<Vec<f32>> {
        Ok(self.crowd.position(self.find(handle)?)?.to_array().to_vec())
    }

    pub fn velocity(&self, handle: f64) -> Answer<Vec<f32>> {
        Ok(self.crowd.velocity(self.find(handle)?)?.to_array().to_vec())
    }

    #[wasm_bindgen(js_name = remainingDistance)]
    pub fn remaining_distance(&self, handle: f64) -> Answer<Option<f32>> {
        Ok(self.crowd.remaining_distance(self.find(handle)?)?)
    }

    #[wasm_bindgen(js_name = isAtRest)]
    pub fn is_at_rest(&self, handle: f64) -> Answer<bool> {
        Ok(self.crowd.is_at_rest(self.find(handle)?)?)
    }

    pub fn status(&self, handle: f64) -> Answer<String> {
        Ok(self.crowd.target_status(self.find(handle)?)?.name().to_owned())
    }

    #[wasm_bindgen(js_name = corridorPolys)]
    pub fn corridor_polys(&self, handle: f64) -> Answer<Vec<u64>> {
        Ok(bits(self.crowd.corridor(self.find(handle)?)?.polys()))
    }

    pub fn corners(&self, handle: f64) -> Answer<Vec<f32>> {
        Ok(corner_numbers(self.crowd.corners_of(self.find(handle)?)?))
    }

    /// The agents that an agent sees, nearest first.
    pub fn neighbours(&self, handle: f64) -> Answer<Vec<f64>> {
        let places = self.crowd.neighbours_of(self.find(handle)?)?;
        // One may have been removed since.
        Ok(places.iter().filter_map(|&place| self.crowd.id_at(place as usize)).map(number_of).collect())
    }

    /// The off-mesh connection that an agent is on, or null.
    #[wasm_bindgen(js_name = onConnection)]
    pub fn on_connection(&self, handle: f64) -> Answer<JsValue> {
        let on = self.crowd.on_connection(self.find(handle)?)?;
        Ok(on.map_or(JsValue::NULL, |on| {
            Record::new()
                .with("connection", on.crossing.connection.to_bits())
                .with("from", to_point(on.crossing.from))
                .with("to", to_point(on.crossing.to))
                .with("enteredAt", to_point(on.entered_at))
                .with("progress", on.progress)
                .done()
        }))
    }
}
