//! Tests of the whole module, by topic; shared helpers are here.

mod edits;
mod floors;
mod legality;
mod limits;
mod maps;
mod oracle;
mod random_points;

use super::*;
use crate::area::{LimitHit, PathStatus};
use crate::math::Rng;

const SIDE: i32 = 24;
const HEIGHT: i32 = 9;

/// A map of the level y = 1: `#` a pillar, `.` floor, space a pit, `L` a ladder three high, `W` water over a floor one
/// lower, `D` a door.
fn world(map: &str) -> DenseBlocks {
    let rows: Vec<Vec<u8>> = map.lines().map(|l| l.as_bytes().to_vec()).collect();
    let (w, d) = (rows[0].len() as i32, rows.len() as i32);
    DenseBlocks::from_fn(BlockBox::new(Cell::new(0, -2, 0), Cell::new(w - 1, 6, d - 1)), |x, y, z| {
        match (rows[z as usize][x as usize], y) {
            (b' ', _) => Block::Air,
            (b'#', ..=3) | (b'W', ..=-1) | (_, -2) => Block::Solid,
            (b'W', 0) => Block::Water,
            (b'L', 1..=3) => Block::Ladder,
            (b'D', 1..=2) => Block::Door,
            (_, ..=0) => Block::Solid,
            _ => Block::Air,
        }
    })
    .unwrap()
}

fn nav(agent: BlockAgent) -> BlockNav {
    BlockNav::new(BlockSettings { agent, mini: 10 }).unwrap()
}

fn at(x: i32, z: i32) -> Cell {
    Cell::new(x, 1, z)
}

/// Hills, caves and bridges; with a few ladders, doors and ponds if `kinds`.
fn random_world(rng: &mut Rng, kinds: bool) -> DenseBlocks {
    // Anywhere around the origin, so that tiles and chunks start on either side of it.
    let low = [0; 3].map(|_: i32| rng.below(2 * SIDE as u32) as i32 - 3 * SIDE / 2);
    let place = |x: i32, y: i32, z: i32| Cell::new(low[0] + x, low[1] + y, low[2] + z);
    let bounds = BlockBox::new(place(0, 0, 0), place(SIDE - 1, HEIGHT - 1, SIDE - 1));
    let mut heights = vec![0; (SIDE * SIDE) as usize];
    for _ in 0..rng.below(60) {
        let [x, z, w, d] = [0; 4].map(|_: i32| rng.below(SIDE as u32) as i32);
        let up = rng.below(3) as i32 - 1;
        for i in 0..w.min(9) {
            for k in 0..d.min(9) {
                if x + i < SIDE && z + k < SIDE {
                    let h: &mut i32 = &mut heights[((z + k) * SIDE + x + i) as usize];
                    *h = (*h + up).clamp(0, HEIGHT - 3);
                }
            }
        }
    }
    let mut world = DenseBlocks::from_fn(bounds, |x, y, z| {
        if y - low[1] <= heights[((z - low[2]) * SIDE + x - low[0]) as usize] { Block::Solid } else { Block::Air }
    })
    .unwrap();
    for _ in 0..rng.below(150) {
        let [x, y, z] = [SIDE, HEIGHT, SIDE].map(|n| rng.below(n as u32) as i32);
        let block = match rng.below(if kinds { 12 } else { 8 }) {
            0..=4 => Block::Solid,
            5..=7 => Block::Air,
            8 => Block::Water,
            9 => Block::Ladder,
            10 => Block::Door,
            _ => Block::Hazard,
        };
        for i in 0..rng.below(4) as i32 {
            world.set(if block == Block::Ladder { place(x, y + i, z) } else { place(x + i, y, z) }, block);
        }
    }
    world
}

fn random_agent(rng: &mut Rng) -> BlockAgent {
    let mut pick = |low: u32, high: u32| low + rng.below(high - low + 1);
    BlockAgent { climb: pick(0, 3), drop: pick(0, 4), height: pick(1, 3), width: pick(1, 3) }
}

/// The standing points through which a path leads exactly.
fn places(nav: &BlockNav, path: &BlockPath) -> Vec<Cell> {
    let half = nav.settings().agent.width as f32 * 0.5;
    let mut found = Vec::new();
    for pair in path.points.windows(2) {
        let run = (pair[1] - pair[0]).abs();
        let steps = run.x.max(run.z).round() as u32;
        for i in 0..=steps {
            let p = pair[0].lerp(pair[1], i as f32 / steps.max(1) as f32) - crate::Vec3::new(half, 0.0, half);
            if (p - p.round()).abs().max_element() < 1e-3 {
                let c = p.round().as_ivec3();
                found.push(Cell::new(c.x, c.y, c.z));
            }
        }
    }
    found
}

/// A random block of a world.
fn random_cell(rng: &mut Rng, bounds: BlockBox) -> Cell {
    let [x, y, z] = bounds.size().map(|n| rng.below(n as u32) as i32);
    Cell::new(bounds.min.x + x, bounds.min.y + y, bounds.min.z + z)
}

/// All standing points that straight steps and ladders lead to from one, through areas that are open, or through those
/// of its own area before any other.
fn flood(world: &DenseBlocks, agent: BlockAgent, costs: &BlockCosts, start: Cell) -> std::collections::BTreeSet<Cell> {
    let ground = ground::Ground::new(world, agent);
    let mut found = std::collections::BTreeSet::from([start]);
    let mut queue = vec![start];
    while let Some(a) = queue.pop() {
        let mut next: Vec<Cell> = [ground.rung_above(a), ground.rung_below(a)].into_iter().flatten().collect();
        for side in 0..4 {
            ground.steps(a, side, |step| next.extend(step.forth.then_some(step.to)));
        }
        let enters = |&b: &Cell| costs.of(ground.area(b)).is_some() || ground.area(a) == ground.area(b);
        for b in next.into_iter().filter(enters) {
            if found.insert(b) {
                queue.push(b);
            }
        }
    }
    found
}
