//! A door that closed on an agent kept it there for good, with every method that avoids: the edges of the polygon that
//! it stood on counted as walls.

use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::avoid::Avoidance;
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd, Target, TargetStatus};
use wayfare::mesh::NavMesh;
use wayfare::plan::AStarPlanner;
use wayfare::query::{DefaultFilter, QueryFilter, find_nearest};
use wayfare::tile::{SourcePoly, TileSource, build_tile};

const REACH: Vec3 = Vec3::new(0.5, 1.0, 0.5);

/// Two rooms and a door between, of 4, 2 and 4 metres, side by side along x, each 2 m deep.
fn rooms() -> NavMesh {
    let along = |z: f32| [0.0, 4.0, 6.0, 10.0].map(|x| Vec3::new(x, 0.0, z));
    let verts = [along(0.0), along(2.0)].concat();
    let poly = SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE };
    let source = TileSource {
        agent_height: 2.0,
        agent_radius: 0.3,
        agent_climb: 0.4,
        verts: &verts,
        corners: &[0, 4, 5, 1, 1, 5, 6, 2, 2, 6, 7, 3],
        polys: &[poly; 3],
        ..TileSource::default()
    };
    NavMesh::from_tile(build_tile(&source).unwrap()).unwrap()
}

/// Whether an agent that starts at `from` gets to `to` after the door has closed.
fn arrives(params: &AgentParams, keeps_components: bool, [from, to]: [f32; 2]) -> bool {
    let (mut mesh, filter) = (rooms(), DefaultFilter::default());
    if keeps_components {
        mesh.keep_components_for(filter.mask().unwrap());
    }
    let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
    let agent = crowd.add(&mesh, Vec3::new(from, 0.0, 0.7), params.clone()).unwrap();
    crowd.step(&mesh, 0.05, &mut planner, &Context::default());
    let door = find_nearest(&mesh, Vec3::new(5.0, 0.0, 1.0), REACH, &filter).unwrap().poly;
    mesh.set_flags(door, PolyFlags::NONE).unwrap();
    let goal = find_nearest(&mesh, Vec3::new(to, 0.0, 1.5), REACH, &filter).unwrap().place();
    crowd.set_target(agent, Target::Point(goal)).unwrap();
    for _ in 0..200 {
        crowd.step(&mesh, 0.05, &mut planner, &Context::default());
        if crowd.target_status(agent) == Ok(TargetStatus::Arrived) {
            return true;
        }
    }
    false
}

#[test]
fn who_stands_in_a_door_that_closes_walks_out() {
    for name in Avoidance::NAMES {
        let avoidance = Avoidance::by_name(name).unwrap();
        let params = AgentParams { avoidance, max_speed: 2.0, ..AgentParams::of_size(0.3, 1.8) };
        for keeps_components in [false, true] {
            let arrives = |way| arrives(&params, keeps_components, way);
            assert!(arrives([5.2, 1.0]) && arrives([5.2, 9.0]), "{name}: it is kept in the door");
            assert!(
                arrives([1.0, 3.0]) && !arrives([1.0, 9.0]) && !arrives([9.0, 1.0]),
                "{name}: for others it is shut"
            );
        }
    }
}
