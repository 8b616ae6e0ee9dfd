//! A bake ends the same way everywhere: which tiles are handed over and which is refused depends neither on the number
//! of threads nor on the agents that are baked together.

use wayfare::bake::{BakeError, BakeReport, TilePlan, TileSink, bake_agents_planned};
use wayfare::context::{Cancelled, Context};
use wayfare::input::{AgentSettings, BakeSettings, Level, TriMesh};
use wayfare::tile::{TileCoord, TileData};
use wayfare_testkit::levels::boxes;

/// The tiles that were handed over, in order.
#[derive(Debug, Default, PartialEq)]
struct Taken(Vec<(TileCoord, Option<TileData>)>);

impl TileSink for Taken {
    fn take(&mut self, coord: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled> {
        self.0.push((coord, tile));
        Ok(())
    }
}

fn bake(level: &TriMesh, agents: &[AgentSettings], limit: u64, threads: usize) -> (Result<(), BakeError>, Vec<Taken>) {
    let settings: Vec<BakeSettings> =
        agents.iter().map(|&agent| BakeSettings { tile_size: 32, agent, ..BakeSettings::default() }).collect();
    let plans: Vec<TilePlan> = settings.iter().map(|settings| TilePlan::new(level, settings).unwrap()).collect();
    let mut reports = vec![BakeReport::new(Level::from(level).bounds()); plans.len()];
    let mut taken: Vec<Taken> = plans.iter().map(|_| Taken::default()).collect();
    let context = Context { memory_limit: Some(limit), ..Context::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let outcome = pool.install(|| {
        let mut sinks: Vec<&mut dyn TileSink> = taken.iter_mut().map(|taken| taken as _).collect();
        bake_agents_planned(level, &plans, &context, &mut reports, &mut sinks)
    });
    (outcome, taken)
}

/// Sixty metres of floor, and two places with many storeys.
fn floor_with_towers() -> TriMesh {
    let storeys =
        |x: f32, z: f32| (1..9).map(move |k| [[x, 3.0 * k as f32, z], [x + 8.0, 3.0 * k as f32 + 0.3, z + 8.0]]);
    let floor = [[0.0, -1.0, 0.0], [60.0, 0.0, 60.0]];
    let all: Vec<[[f32; 3]; 2]> = [floor].into_iter().chain(storeys(39.0, 20.0)).chain(storeys(10.0, 30.0)).collect();
    boxes(&all)
}

#[test]
fn tiles_that_fit_one_by_one_are_not_refused_as_a_block() {
    let floor = boxes(&[[[0.0, -1.0, 0.0], [60.0, 0.0, 60.0]]]);
    let baked = [1, 4].map(|threads| bake(&floor, &[AgentSettings::default()], 1_000_000, threads));
    assert_eq!(baked[0].0, Ok(()));
    assert!(baked[0] == baked[1] && baked[0].1[0].0.len() == 49);
}

#[test]
fn the_same_tile_is_refused_and_the_same_tiles_are_handed_over() {
    let level = floor_with_towers();
    let wide = AgentSettings { radius: 0.9, ..AgentSettings::default() };
    for agents in [&[AgentSettings::default()][..], &[AgentSettings::default(), wide]] {
        let baked = [1, 2, 4].map(|threads| bake(&level, agents, 300_000, threads));
        let (Err(BakeError::TooMuchMemory(refused)), taken) = &baked[0] else { panic!("{:?}", baked[0].0) };
        // Tile (4, 2) is the first with a tower in it.
        assert_eq!(taken[0].0.last().map(|(coord, _)| (coord.x, coord.z)), Some((3, 2)));
        assert!(refused.width <= 32 + 2 * 6 && refused.limit == 300_000, "{refused}");
        assert!(baked.iter().all(|other| *other == baked[0]), "{} agents", agents.len());
    }
}
