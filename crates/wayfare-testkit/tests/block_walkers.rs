//! Agents of `avoid` walk a block world that is built and dug while they walk.

use wayfare::avoid::{AgentState, AvoidScratch, Avoider, Neighbour, Orca, Surroundings};
use wayfare::blocks::{
    Block, BlockAgent, BlockBox, BlockCorridor, BlockNav, BlockPathRequest, BlockSettings, BlockSource, Cell,
    DenseBlocks,
};
use wayfare::math::Rng;
use wayfare::{Vec2, Vec3};

const RADIUS: f32 = 0.3;
const TICK: f32 = 0.1;
const SPEED: f32 = 3.0;

struct Walker {
    corridor: BlockCorridor,
    velocity: Vec2,
    desired: Vec2,
}

fn flat(p: Vec3) -> Vec2 {
    Vec2::new(p.x, p.z)
}

fn nav() -> BlockNav {
    BlockNav::new(BlockSettings::default()).unwrap()
}

fn to(p: Vec3, velocity: Vec2) -> Vec3 {
    p + Vec3::new(velocity.x, 0.0, velocity.y) * TICK
}

fn world(spec: &str) -> DenseBlocks {
    let blocks = wayfare_scenes::block_world(spec).unwrap();
    DenseBlocks::from_fn(BlockSource::bounds(&blocks).unwrap(), |x, y, z| blocks.block(x, y, z)).unwrap()
}

/// The velocities of all walkers, by ORCA.
fn velocities(walkers: &[Walker], scratch: &mut AvoidScratch) -> Vec<Vec2> {
    let velocity = |(i, w): (usize, &Walker)| {
        let here = w.corridor.position();
        let near = walkers.iter().enumerate().filter(|(k, other)| {
            let there = other.corridor.position();
            *k != i && here.distance(there) < 4.0 && (here.y - there.y).abs() < 2.0
        });
        let neighbours: Vec<Neighbour> = near
            .map(|(_, other)| Neighbour {
                position: flat(other.corridor.position()),
                velocity: other.velocity,
                desired: other.desired,
                radius: RADIUS,
                share: 0.5,
            })
            .collect();
        let agent = AgentState {
            position: flat(here),
            velocity: w.velocity,
            desired: w.desired,
            radius: RADIUS,
            max_speed: SPEED,
            wall_distance: 0.0,
        };
        Orca::default().velocity(&Surroundings { agent, neighbours: &neighbours, walls: &[] }, scratch)
    };
    walkers.iter().enumerate().map(velocity).collect()
}

/// Whether all that the body touches is ground: the places around its middle, a step up or down.
fn is_on_ground(nav: &BlockNav, world: &DenseBlocks, p: Vec3) -> bool {
    let near = |v: f32| {
        let low = (v - 0.5).floor() as i32;
        if (v - 0.5 - low as f32) < 1e-3 { low..=low } else { low..=low + 1 }
    };
    near(p.x).all(|x| near(p.z).all(|z| (-1..=1).any(|up| nav.stands(world, Cell::new(x, p.y.round() as i32 + up, z)))))
}

/// What came out of a run.
#[derive(Debug, PartialEq)]
struct Outcome {
    arrived: usize,
    /// Paths that were asked for anew.
    replans: u32,
    /// Pairs and ticks in which two bodies overlap by more than a sixth.
    overlaps: u32,
    end: Vec<Vec3>,
}

/// Whether two walkers overlap by more than a sixth of their width.
fn overlap(a: &Walker, b: &Walker) -> bool {
    let (p, q) = (a.corridor.position(), b.corridor.position());
    (p.y - q.y).abs() < 1.5 && flat(p).distance(flat(q)) < 2.0 * RADIUS - 0.1
}

/// Runs the scene.
fn run(seed: u64) -> Outcome {
    let mut world = world("blocks?size=48&height=16&seed=4");
    let mut nav = nav();
    let mut rng = Rng::new(seed);
    let bounds = world.bounds().unwrap();
    let mut walkers = Vec::new();
    while walkers.len() < 24 {
        let mut draw = || nav.random_in_box(&world, bounds, &mut rng).unwrap();
        let (start, goal) = (draw(), draw());
        let request = BlockPathRequest::to(start, goal);
        let place = nav.position(start);
        let corridor = BlockCorridor::new(&mut nav, &world, place, &request).unwrap();
        let apart = |w: &Walker| w.corridor.position().distance(corridor.position()) > 1.0;
        if nav.path_exists(&world, start, goal, &request.costs, u32::MAX) == Ok(true) && walkers.iter().all(apart) {
            walkers.push(Walker { corridor, velocity: Vec2::ZERO, desired: Vec2::ZERO });
        }
    }
    let (mut scratch, mut replans, mut overlaps) = (AvoidScratch::default(), 0, 0);
    for tick in 0..700 {
        if tick % 10 == 0 {
            edit(&mut world, &mut nav, &walkers, &mut rng);
        }
        for walker in &mut walkers {
            replans += u32::from(walker.corridor.refresh(&mut nav, &world));
            let ahead = flat(walker.corridor.target()) - flat(walker.corridor.position());
            let arrived = walker.corridor.has_arrived();
            // A corner straight above or below is reached by climbing, at any wish.
            walker.desired = if arrived { Vec2::ZERO } else { (ahead / TICK).clamp_length_max(SPEED) };
        }
        let chosen = velocities(&walkers, &mut scratch);
        for (walker, velocity) in walkers.iter_mut().zip(chosen) {
            let before = walker.corridor.position();
            let after = walker.corridor.walk(&nav, &world, to(before, velocity));
            walker.velocity = (flat(after) - flat(before)) / TICK;
            assert!(is_on_ground(&nav, &world, after), "seed {seed}, tick {tick}: {after} is not over ground");
        }
        for (i, a) in walkers.iter().enumerate() {
            overlaps += walkers[..i].iter().filter(|b| overlap(a, b)).count() as u32;
        }
    }
    let arrived = walkers.iter().filter(|w| w.corridor.has_arrived()).count();
    Outcome { arrived, replans, overlaps, end: walkers.iter().map(|w| w.corridor.position()).collect() }
}

/// Puts a block down or takes one away, not on or under anybody.
fn edit(world: &mut DenseBlocks, nav: &mut BlockNav, walkers: &[Walker], rng: &mut Rng) {
    let bounds = world.bounds().unwrap();
    let Some(cell) = nav.random_in_box(world, bounds, rng) else { return };
    let p = nav.position(cell);
    // Half of the edits fall on a way that somebody is about to walk.
    let ahead = walkers[rng.below(walkers.len() as u32) as usize].corridor.target();
    let p = if rng.below(2) == 0 { ahead } else { p };
    let cell = Cell::new(p.x.floor() as i32, p.y.floor() as i32, p.z.floor() as i32);
    let taken = |w: &Walker| flat(w.corridor.position()).distance(flat(p)) < 2.5;
    if walkers.iter().any(taken) {
        return;
    }
    let below = Cell::new(cell.x, cell.y - 1, cell.z);
    let (at, block) = if rng.below(3) == 0 { (below, Block::Air) } else { (cell, Block::Solid) };
    world.set(at, block);
    nav.invalidate(BlockBox::of(at));
}

#[test]
fn walkers_keep_to_the_ground_of_a_changing_world_and_arrive() {
    let found: Vec<Outcome> = (0..4).map(run).collect();
    let (arrived, replans): (usize, u32) =
        (found.iter().map(|o| o.arrived).sum(), found.iter().map(|o| o.replans).sum());
    let overlaps: u32 = found.iter().map(|o| o.overlaps).sum();
    assert!(replans > 40, "blocks were put in ways: {replans}");
    // A goal may have been buried, or walled in.
    assert!(arrived >= 92, "{arrived} of 96 arrived");
    assert!(overlaps < 20, "{overlaps} of 770,000 pairs overlap");
    assert_eq!(found[1], run(1));
}

#[test]
fn a_corridor_climbs_ladders_drops_and_notices_what_is_gone() {
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(19, 9, 4));
    let block = |x, y, _| if y == 0 || x >= 10 && y <= 4 { Block::Solid } else { Block::Air };
    let mut world = DenseBlocks::from_fn(bounds, block).unwrap();
    for y in 1..=4 {
        world.set(Cell::new(9, y, 2), Block::Ladder);
    }
    let mut nav =
        BlockNav::new(BlockSettings { agent: BlockAgent { drop: 4, ..BlockAgent::default() }, mini: 10 }).unwrap();
    let go = |nav: &mut BlockNav, world: &DenseBlocks, from: Cell, to: Cell| {
        let request = BlockPathRequest::to(from, to);
        let place = nav.position(from);
        let mut corridor = BlockCorridor::new(nav, world, place, &request).unwrap();
        let mut ticks = 0;
        while !corridor.has_arrived() && ticks < 400 {
            corridor.refresh(nav, world);
            let here = corridor.position();
            corridor.walk(nav, world, here + (corridor.target() - here).clamp_length_max(0.3));
            ticks += 1;
        }
        assert!(corridor.has_arrived(), "{:?} on {:?}", corridor.position(), corridor.path().points);
        corridor
    };
    let (low, high) = (Cell::new(2, 1, 2), Cell::new(15, 5, 2));
    assert_eq!(go(&mut nav, &world, low, high).cell(), high);
    let mut walker = go(&mut nav, &world, high, Cell::new(2, 1, 0));
    assert_eq!(walker.cell(), Cell::new(2, 1, 0));
    assert!(!walker.refresh(&mut nav, &world), "nothing changed");
    // The ground under it is dug away, one deep pit: it is put to the nearest place.
    world.set(Cell::new(2, 0, 0), Block::Air);
    nav.invalidate(BlockBox::of(Cell::new(2, 0, 0)));
    assert!(walker.refresh(&mut nav, &world) && nav.stands(&world, walker.cell()));
    assert_eq!(walker.walk(&nav, &world, Vec3::NAN), walker.position());
}
