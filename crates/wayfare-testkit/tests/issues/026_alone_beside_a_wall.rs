//! An agent that nobody was near stood still for ever: two millimetres before the end of a wall it took every step
//! around that end for a collision; at a door it saw the wall of another floor across it; and where its curve brushed a
//! wall, none of the velocities that it tried led along it.

use wayfare::Vec3;
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd, TargetStatus};
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;
use wayfare::plan::AStarPlanner;
use wayfare::query::{DefaultFilter, PointSampler};
use wayfare_testkit::levels::connect;

fn mesh(spec: &str, tile_size: u32) -> NavMesh {
    let mut scene = wayfare_scenes::scene(spec).unwrap();
    scene.settings.tile_size = tile_size;
    let level = scene.mesh().unwrap();
    connect(bake_tiles(&level, &scene.settings, &Context::default()).unwrap().0)
}

/// Whether one agent alone comes from here to there within 200 seconds.
fn arrives(mesh: &NavMesh, start: Vec3, goal: Vec3) -> bool {
    let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
    let agent = crowd.add(mesh, start, AgentParams::default()).unwrap();
    crowd.go_to(mesh, agent, goal).unwrap();
    (0..4000).any(|_| {
        crowd.step(mesh, 0.05, &mut planner, &Context::default());
        crowd.target_status(agent) == Ok(TargetStatus::Arrived)
    })
}

#[test]
fn an_agent_beside_the_end_of_a_wall_goes_around_it() {
    let dungeon = mesh("dungeon", 48);
    let start = Vec3::new(15.883133, 0.200_000_29, -30.398096);
    assert!(arrives(&dungeon, start, Vec3::new(-53.6919, -0.943_950_3, -66.65932)));
}

#[test]
fn an_agent_that_brushes_a_wall_goes_along_it() {
    let start = Vec3::new(54.286785, -0.596_233_8, 63.513317);
    assert!(arrives(&mesh("dungeon", 0), start, Vec3::new(-24.595312, 0.091_403_71, 37.32138)));
}

#[test]
fn a_wall_of_another_floor_does_not_close_a_door() {
    let start = Vec3::new(45.263977, 7.299_999_7, 9.827705);
    assert!(arrives(&mesh("offices", 0), start, Vec3::new(34.44079, 7.299_999_7, 6.952511)));
}

#[test]
fn nobody_who_is_alone_stops_on_the_way() {
    let filter = DefaultFilter::default();
    for (spec, tile_size) in [("offices", 0), ("dungeon", 48), ("two_floors", 32)] {
        let (mesh, mut rng) = (mesh(spec, tile_size), Rng::new(3));
        let (sampler, components) = (PointSampler::on_mesh(&mesh, &filter), mesh.components());
        let mut walked = 0;
        while walked < 12 {
            let mut place = || sampler.sample(&mesh, &mut rng).unwrap().unwrap();
            let (start, goal) = (place(), place());
            if !components.may_reach(start.poly, goal.poly) {
                continue;
            }
            assert!(arrives(&mesh, start.point, goal.point), "{spec}: from {} to {}", start.point, goal.point);
            walked += 1;
        }
    }
}
