//! Steps beside a mesh's queries: crowds, blocks, local grids.

use crate::answer::Answer;
use crate::arguments::{cell, count, count_or, list, number, number_or, numbers, point, text};
use serde_json::Value;
use wayfare::avoid::Avoidance;
use wayfare::blocks::{Block, BlockBox, BlockNav, BlockPathRequest, BlockSettings, ChunkedBlocks};
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd};
use wayfare::grid::{GridSearch, LocalGrid, Obstacle, Shape};
use wayfare::mesh::NavMesh;
use wayfare::plan::AStarPlanner;

/// Where all agents are after some ticks.
pub(crate) fn crowd(mesh: &NavMesh, step: &Value) -> Answer {
    let mut crowd = Crowd::default();
    for agent in list(step, "agents") {
        let usual = AgentParams::default();
        let radius = number_or(agent, "radius", usual.radius);
        let method = agent["method"].as_str();
        let avoidance = method.map_or(usual.avoidance, |name| Avoidance::by_name(name).unwrap());
        let max_speed = number_or(agent, "max_speed", usual.max_speed);
        let params = AgentParams { radius, max_speed, avoidance, ..usual };
        let id = crowd.add(mesh, point(agent, "at"), params).unwrap();
        crowd.go_to(mesh, id, point(agent, "to")).unwrap();
    }
    crowd.set_obstacles(obstacles(step));
    let (mut planner, dt) = (AStarPlanner::new(), number(step, "dt"));
    for _ in 0..count(step, "ticks") {
        crowd.step(mesh, dt, &mut planner, &Context::default());
    }
    let mut numbers: Vec<f32> = crowd.ids().flat_map(|id| crowd.position(id).unwrap().to_array()).collect();
    if !list(step, "obstacles").is_empty() {
        for id in crowd.ids() {
            let by = crowd.obstructed_by(id).unwrap();
            numbers.push(by.len() as f32);
            numbers.extend(by.iter().map(|&by| by as f32));
        }
    }
    Answer::Numbers(numbers)
}

/// The obstacles of a step, numbered from 0.
fn obstacles(step: &Value) -> Vec<Obstacle> {
    let each = list(step, "obstacles").iter().enumerate();
    let each = each.map(|(id, obstacle)| {
        let center = || point(obstacle, "center");
        let shape = match text(obstacle, "shape") {
            "segment" => Shape::Segment { a: point(obstacle, "a"), b: point(obstacle, "b") },
            "disc" => Shape::Disc { center: center(), radius: number(obstacle, "radius") },
            "box" => {
                let [x, z] = numbers(&obstacle["half"])[..] else { panic!("no sides: {obstacle}") };
                Shape::Box { center: center(), half: [x, z], yaw: number(obstacle, "yaw") }
            }
            other => panic!("no shape {other}"),
        };
        Obstacle { shape, id: u32::try_from(id).unwrap() }
    });
    each.collect()
}

/// A path in a world of blocks, given as boxes that are filled one after the other.
pub(crate) fn block_path(step: &Value) -> Answer {
    let mut world = ChunkedBlocks::new();
    for filled in list(step, "boxes") {
        let [min, max] = ["min", "max"].map(|name| cell(&filled[name]));
        let kinds = [Block::Air, Block::Solid, Block::Water, Block::Ladder, Block::Door, Block::Hazard];
        let block = kinds[count(filled, "block") as usize];
        for x in min[0]..=max[0] {
            for y in min[1]..=max[1] {
                for z in min[2]..=max[2] {
                    world.set([x, y, z].into(), block);
                }
            }
        }
    }
    let mut nav = BlockNav::new(BlockSettings::default()).unwrap();
    let [start, goal] = ["start", "goal"].map(|name| cell(&step[name]).into());
    let path = nav.find_path(&world, &BlockPathRequest::to_box(start, BlockBox::of(goal)));
    let points = path.points.iter().flat_map(|p| p.to_array());
    Answer::Numbers([path.status as u8 as f32, path.length].into_iter().chain(points).collect())
}

/// A path in a local grid around `center`.
pub(crate) fn grid_path(step: &Value) -> Answer {
    let mut grid = LocalGrid::new(count_or(step, "size", 32), number(step, "cell_size")).unwrap();
    grid.recenter(point(step, "center"));
    for obstacle in obstacles(step) {
        grid.block(&obstacle, number(step, "radius"));
    }
    let mut search = GridSearch::default();
    let path = search.find_path(&grid, point(step, "from"), point(step, "to"));
    let points = path.points.iter().flat_map(|p| p.to_array());
    Answer::Numbers([path.status as u8 as f32].into_iter().chain(points).collect())
}
