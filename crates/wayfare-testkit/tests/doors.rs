//! The recipe can be left and entered at every door, amid a step too: the tile is the same, byte for byte.

use wayfare::Vec3;
use wayfare::bake::{
    BakeError, BakeJob, BakeReport, BakeStep, Door, Products, TileBaker, TileInput, TilePlan, bake_agents, bake_tiles,
};
use wayfare::context::{Budget, Cancel, Context, Progress};
use wayfare::input::{AgentSettings, BakeSettings, Level, MarkedVolume, Partition, TriMesh, Volume};
use wayfare::math::Aabb;
use wayfare_scenes::{Scene, scene};
use wayfare_testkit::levels::rough_ground;

const DOORS: [Door; 6] = [Door::Triangles, Door::Solid, Door::Filtered, Door::Open, Door::Eroded, Door::Tile];

/// Scenes small enough to be baked many times.
fn small_scenes() -> impl Iterator<Item = (Scene, TriMesh)> {
    let specs = ["stairs", "two_floors", "bridge", "holes_and_pillars", "spiral_ramp", "dungeon?size=120", "soup"];
    let scenes = specs.into_iter().chain(["offices", "ledges", "river", "terrain?size=64"]).map(|s| scene(s).unwrap());
    scenes.map(|scene| (scene.mesh().unwrap(), scene)).map(|(mesh, scene)| (scene, mesh))
}

/// Something in the way.
fn pillar(bounds: Aabb) -> MarkedVolume {
    let (center, size) = (bounds.center(), bounds.size());
    let base = Vec3::new(center.x, bounds.min.y - 1.0, center.z);
    MarkedVolume::block(Volume::Cylinder { base, radius: size.x.min(size.z) * 0.1, height: size.y + 2.0 })
}

#[test]
fn a_tile_is_the_same_from_every_door() {
    let mut compared = 0;
    for (scene, mesh) in small_scenes() {
        let volumes: Vec<_> = scene.volumes.iter().cloned().chain([pillar(mesh.bounds())]).collect();
        let level = Level { mesh: &mesh, terrain: None, volumes: &volumes };
        for tile_size in [0, 48] {
            let plan = TilePlan::new(level, &BakeSettings { tile_size, ..scene.settings }).unwrap();
            let index = plan.tile_count() / 2;
            let source = TileInput { level, triangles: None, tile: plan.tile(index) };
            let mut baker = TileBaker::new(plan.level, plan.settings);
            let mut report = BakeReport::default();
            let context = Context::default();
            let whole = baker.run(&source, [DOORS[0], Door::Tile], &mut (), &context, &mut report).unwrap();
            for door in &DOORS[1..5] {
                let mut parts = BakeReport::default();
                let left = baker.run(&source, [Door::Triangles, *door], &mut (), &context, &mut parts).unwrap();
                assert!(left.is_none());
                let entered = baker.run(&source, [*door, Door::Tile], &mut (), &context, &mut parts).unwrap();
                assert!(entered == whole, "{}: {door:?}, tiles of {tile_size}", scene.spec);
                assert_eq!(parts.stats, report.stats, "{}: {door:?}", scene.spec);
            }
            compared += u32::from(whole.is_some());
        }
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn a_door_asks_for_its_product() {
    let (scene, mesh) = small_scenes().next().unwrap();
    let plan = TilePlan::new(&mesh, &scene.settings).unwrap();
    let source = TileInput { level: (&mesh).into(), triangles: None, tile: plan.tile(0) };
    for &door in &DOORS[1..5] {
        let mut baker = TileBaker::new(plan.level, plan.settings);
        let mut run = |doors| baker.run(&source, doors, &mut (), &Context::default(), &mut BakeReport::default());
        let error = run([door, Door::Tile]).unwrap_err();
        assert_eq!(error, BakeError::NoProduct { door });
        assert!(error.to_string().contains(&format!("{door:?}")), "{error}");
        assert!(run([Door::Tile, door]).unwrap().is_none(), "backwards nothing is done");
    }
}

#[test]
fn who_looks_on_sees_every_step_once() {
    let (scene, mesh) = small_scenes().next().unwrap();
    let plan = TilePlan::new(&mesh, &scene.settings).unwrap();
    let source = TileInput { level: (&mesh).into(), triangles: None, tile: plan.tile(0) };
    let mut baker = TileBaker::new(plan.level, plan.settings);
    let mut seen = Vec::new();
    let mut look_on = |step: BakeStep, products: &Products| seen.push((step, products.heightfield.span_count() > 0));
    let doors = [Door::Triangles, Door::Tile];
    baker.run(&source, doors, &mut look_on, &Context::default(), &mut BakeReport::default()).unwrap();
    assert_eq!(seen, BakeStep::ALL.map(|step| (step, true)));
}

#[test]
fn a_job_gives_the_same_bytes_for_any_budget() {
    for (scene, mesh) in small_scenes() {
        for tile_size in [0, 40] {
            let settings = BakeSettings { tile_size, ..scene.settings };
            let whole = bake_tiles(&mesh, &settings, &Context::default()).unwrap();
            for budget in [700, 30_000, 2_000_000] {
                let mut job = BakeJob::new(&mesh, &settings).unwrap();
                let mut last = Progress { done: 0, total: 1 };
                let mut steps = 0;
                while !last.is_finished() {
                    let now = job.step(Budget::new(budget), &Context::default()).unwrap();
                    assert!(now.done >= last.done || steps == 0, "{}", scene.spec);
                    (last, steps) = (now, steps + 1);
                }
                assert_eq!(last, job.progress());
                assert!(job.into_tiles() == [whole.clone()], "{}: {budget} a step", scene.spec);
                assert!(budget > 700 || steps >= 10, "{}: {steps} steps", scene.spec);
            }
        }
    }
}

#[test]
fn a_job_for_several_agents_gives_each_its_tiles() {
    let (scene, mesh) = small_scenes().find(|(scene, _)| scene.spec.starts_with("dungeon")).unwrap();
    let small = AgentSettings { radius: scene.settings.agent.radius * 0.5, ..scene.settings.agent };
    let agents = [
        BakeSettings { tile_size: 40, ..scene.settings },
        BakeSettings { tile_size: 40, agent: small, partition: Partition::Monotone, ..scene.settings },
    ];
    let whole = bake_agents(&mesh, &agents, &Context::default()).unwrap();
    let mut job = BakeJob::of_agents(&mesh, &agents).unwrap();
    while !job.step(Budget::new(9_000), &Context::default()).unwrap().is_finished() {}
    assert!(job.into_tiles() == whole);
}

#[test]
fn the_only_tile_of_a_level_can_be_stopped_amid_each_long_step() {
    let mesh = rough_ground(120);
    let settings = BakeSettings::for_agent(AgentSettings::default());
    let looks = std::sync::atomic::AtomicU64::new(0);
    let count = |_: Progress| _ = looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let context = Context { progress: Some(&count), ..Context::default() };
    bake_tiles(&mesh, &settings, &context).unwrap();
    let all = looks.into_inner();
    assert!(all > BakeStep::ALL.len() as u64 + 8, "{all} pieces");
    let (mut job, mut spent) = (BakeJob::new(&mesh, &settings).unwrap(), 0);
    // However small the pieces, the job stops where it is told to.
    while !job.step(Budget::new(1), &Context::default()).unwrap().is_finished() {
        spent += 1;
        if spent == 300 {
            let cancel = Cancel::new();
            cancel.cancel();
            let context = Context { cancel: Some(&cancel), ..Context::default() };
            let error = job.step(Budget::new(1), &context).unwrap_err();
            assert!(matches!(error, BakeError::Cancelled(_)));
            assert_eq!(job.step(Budget::unlimited(), &Context::default()).unwrap_err(), error);
            return;
        }
    }
    panic!("{spent} steps");
}
