//! One agent's velocity among others and walls, without a crowd or a mesh.

use crate::fault::{Answer, Fault};
use crate::named::method;
use crate::options::{Given, apply};
use crate::record::Record;
use wasm_bindgen::prelude::*;
use wayfare::Vec2;
use wayfare::avoid::{AgentState, AvoidScratch, Avoidance, Avoider, Neighbour, Surroundings, Wall};
use wayfare::crowd::AgentParams;

/// Numbers of an agent: position, velocity, desired velocity, radius, greatest speed, distance kept from walls.
/// Of each neighbour: position, velocity, desired velocity, radius, share. Of each wall: two points.
#[wasm_bindgen(js_name = avoidVelocity)]
pub fn velocity(method: &JsValue, agent: &[f32], neighbours: &[f32], walls: &[f32]) -> Answer<Vec<f32>> {
    let &[x, z, vx, vz, dx, dz, radius, max_speed, wall_distance] = agent else {
        return Err(Fault::argument("an agent takes 9 numbers"));
    };
    let agent = AgentState {
        position: Vec2::new(x, z),
        velocity: Vec2::new(vx, vz),
        desired: Vec2::new(dx, dz),
        radius,
        max_speed,
        wall_distance,
    };
    let (each, rest) = neighbours.as_chunks::<8>();
    let (ends, odd) = walls.as_chunks::<4>();
    if !rest.is_empty() || !odd.is_empty() {
        return Err(Fault::argument("a neighbour takes 8 numbers, and a wall 4"));
    }
    let neighbours: Vec<Neighbour> = each.iter().map(neighbour).collect();
    let walls: Vec<Wall> =
        ends.iter().map(|&[x, z, to_x, to_z]| Wall { a: Vec2::new(x, z), b: Vec2::new(to_x, to_z) }).collect();
    let around = Surroundings { agent, neighbours: &neighbours, walls: &walls };
    let velocity = set_method(method)?.velocity(&around, &mut AvoidScratch::default());
    Ok(velocity.to_array().to_vec())
}

fn neighbour(&[x, z, vx, vz, dx, dz, radius, share]: &[f32; 8]) -> Neighbour {
    let (position, velocity) = (Vec2::new(x, z), Vec2::new(vx, vz));
    Neighbour { position, velocity, desired: Vec2::new(dx, dz), radius, share }
}

/// A method of avoidance by itself: its name, or an object with its name and its settings.
fn set_method(given: &JsValue) -> Answer<Avoidance> {
    let mut params = AgentParams::default();
    let value = Given::new("avoidance", given);
    if value.group().is_err() {
        return method(&value.text()?);
    }
    let wrapped = Record::new().with("avoidance", given.clone()).done();
    apply(&wrapped, &mut params)?;
    Ok(params.avoidance)
}
