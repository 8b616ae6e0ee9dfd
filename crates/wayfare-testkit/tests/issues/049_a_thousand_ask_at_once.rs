//! A thousand agents were sent off in the same tick, and the last of them stood for 154 ticks, eight seconds, before it
//! got its path: the crowd searched one path after the other, on one thread, and little of each in a tick.

use std::sync::Arc;
use wayfare::Vec3;
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd, CrowdSettings, FlowPlanner, Target, TargetStatus};
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;
use wayfare::plan::{AStarPlanner, BoundedPlanner, Planner};
use wayfare::query::{
    CostBounds, DefaultFilter, PathRequest, PointSampler, PolyPoint, SearchScratch, find_nearest, is_reachable,
};
use wayfare_scenes::scene;

const AGENTS: usize = 1000;

/// A city of about 6000 polygons, and places in it.
fn city() -> (NavMesh, Vec<PolyPoint>) {
    let scene = scene("city?blocks=12").unwrap();
    let level = scene.mesh().unwrap();
    let (baked, _) = bake_tiles(&level, &scene.settings, &Context::default()).unwrap();
    let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
    let polys: u32 = mesh.tiles().map(|tile| tile.poly_count()).sum();
    assert!((5500..7000).contains(&polys), "{polys} polygons");
    let filter = DefaultFilter::default();
    let (sampler, mut rng, mut scratch) = (PointSampler::on_mesh(&mesh, &filter), Rng::new(5), SearchScratch::new());
    let street = find_nearest(&mesh, Vec3::new(5.0, 0.0, 5.0), Vec3::ONE, &filter).unwrap().place();
    // Not on the roofs.
    let mut is_below = |place: &PolyPoint| {
        is_reachable(&mesh, &PathRequest::new(street, *place), &filter, &mut scratch) == Ok(Some(true))
    };
    let all = core::iter::from_fn(|| sampler.sample(&mesh, &mut rng).unwrap());
    let places = all.filter(|place| is_below(place)).take(2 * AGENTS).collect();
    (mesh, places)
}

/// In how many ticks all have a path.
fn ticks(mesh: &NavMesh, starts: &[PolyPoint], goal: impl Fn(usize) -> PolyPoint, planner: &mut dyn Planner) -> u32 {
    let mut crowd = Crowd::default();
    let agents: Vec<_> = starts
        .iter()
        .map(|start| crowd.add(mesh, start.point + Vec3::Y * 0.1, AgentParams::default()).unwrap())
        .collect();
    for (k, &agent) in agents.iter().enumerate() {
        crowd.set_target(agent, Target::Point(goal(k))).unwrap();
    }
    let mut ticks = 0;
    let mut nodes = 0;
    loop {
        crowd.begin(0.05);
        crowd.validate(mesh, planner);
        crowd.plan(mesh, planner, 0.05);
        crowd.finish();
        ticks += 1;
        nodes += crowd.profile().nodes;
        assert!(crowd.profile().nodes <= CrowdSettings::default().path_nodes);
        if agents.iter().all(|&agent| crowd.target_status(agent) != Ok(TargetStatus::Waiting)) {
            assert!(
                agents.iter().all(|&agent| crowd.target_status(agent) == Ok(TargetStatus::Complete)),
                "all are reached"
            );
            println!("{ticks} ticks, {nodes} nodes");
            return ticks;
        }
        assert!(ticks < 100);
    }
}

#[test]
fn all_have_paths_within_a_few_ticks() {
    let (mesh, places) = city();
    let (starts, goals) = places.split_at(AGENTS);
    // Everybody somewhere else, across the whole city: no two searches have anything in common.
    let apart = ticks(&mesh, starts, |k| goals[k], &mut AStarPlanner::new());
    // The same, guided by bounds of costs that were computed in advance.
    let bounds = Arc::new(CostBounds::new(&mesh, &DefaultFilter::default()));
    let guided = ticks(&mesh, starts, |k| goals[k], &mut BoundedPlanner::new(bounds));
    // To one of ten places.
    let together = ticks(&mesh, starts, |k| goals[k % 10], &mut FlowPlanner::new());
    assert!(apart <= 14 && guided <= 5 && together <= 3, "{apart}, {guided}, {together} ticks");
}
