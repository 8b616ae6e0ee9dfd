//! Group `blocks`: paths in worlds of blocks, beside plain A* over standing points; there is no published peer.
//!
//! The same questions to both. An answer agrees if both find a path or neither does, and if ours is at most 5 % longer
//! in the mean.

use crate::Options;
use crate::measure::{Effort, Rounds, in_turns, seconds};
use crate::table::{Row, print_row};
use std::hint::black_box;
use wayfare::area::PathStatus;
use wayfare::bake::bake_tiles;
use wayfare::blocks::{
    Block, BlockAgent, BlockBox, BlockNav, BlockPath, BlockPathRequest, BlockSettings, BlockSource, Cell, DenseBlocks,
    plain_grid_path,
};
use wayfare::context::Context;
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;

const WORLDS: [&str; 4] = [
    "scene:blocks?size=128&height=48&seed=3",
    "scene:blocks?size=256&height=64&seed=1",
    "scene:blocks?size=256&height=128&seed=2",
    "scene:blocks?size=1024&height=128&seed=1",
];
const QUESTIONS: usize = 24;
/// How far apart start and goal of the questions after edits are at most, in blocks along x and z: about an agent, and
/// farther than a screen.
const AROUND: i32 = 12;
const NEAR: i32 = 40;

pub fn rows(options: &Options) -> Vec<Row> {
    let quick = |name: &str| !options.quick || name == WORLDS[0];
    let wanted = |name: &&str| if options.only.is_some() { options.wants(name) } else { quick(name) };
    let mut rows = Vec::new();
    for name in WORLDS.iter().filter(|name| wanted(name)) {
        match world(name) {
            Ok(world) => {
                if name.contains("size=128") {
                    rows.extend(voxel_bake(options, name, &world));
                }
                rows.push(first_paths(options, name, &world));
                let edits = [("edit to path around an agent", AROUND), ("edit to path", NEAR)];
                rows.extend(edits.map(|(what, near)| after_edits(options, &format!("{name} {what}"), &world, near)));
            }
            Err(e) => eprintln!("skipped: {name}: {e}"),
        }
    }
    rows
}

fn world(name: &str) -> Result<DenseBlocks, String> {
    let blocks = wayfare_scenes::block_world(name.trim_start_matches("scene:")).map_err(|e| e.to_string())?;
    let bounds = BlockSource::bounds(&blocks).ok_or("it has no bounds")?;
    DenseBlocks::from_fn(bounds, |x, y, z| blocks.block(x, y, z)).map_err(|e| e.to_string())
}

fn nav() -> BlockNav {
    BlockNav::new(BlockSettings::default()).unwrap_or_else(|e| unreachable!("the defaults are in range: {e}"))
}

/// Random questions, at most `near` blocks apart.
fn questions(world: &DenseBlocks, near: i32) -> Vec<[Cell; 2]> {
    let (nav, mut rng) = (nav(), Rng::new(5));
    let Some(bounds) = world.bounds() else { return Vec::new() };
    let mut found = Vec::new();
    while found.len() < QUESTIONS {
        let Some(a) = nav.random_in_box(world, bounds, &mut rng) else { break };
        let low = Cell::new(a.x.saturating_sub(near), bounds.min.y, a.z.saturating_sub(near));
        let high = Cell::new(a.x.saturating_add(near), bounds.max.y, a.z.saturating_add(near));
        let (low, high) = (clamp(low, bounds), clamp(high, bounds));
        if let Some(b) = nav.random_in_box(world, BlockBox::new(low, high), &mut rng) {
            found.push([a, b]);
        }
    }
    found
}

fn clamp(c: Cell, b: BlockBox) -> Cell {
    Cell::new(c.x.clamp(b.min.x, b.max.x), c.y.clamp(b.min.y, b.max.y), c.z.clamp(b.min.z, b.max.z))
}

fn ask(nav: &mut BlockNav, world: &DenseBlocks, [a, b]: [Cell; 2]) -> BlockPath {
    nav.find_path(world, &BlockPathRequest::to(a, b))
}

/// From a world that nobody has looked at to answers.
fn first_paths(options: &Options, name: &str, world: &DenseBlocks) -> Row {
    let asked = questions(world, i32::MAX);
    let agent = BlockAgent::default();
    let (mut differ, mut both, mut excess, mut nodes) = (0, 0u32, 0.0, [0u64; 2]);
    let mut navigation = nav();
    for &[a, b] in &asked {
        let (ours, grid) = (ask(&mut navigation, world, [a, b]), plain_grid_path(world, agent, a, BlockBox::of(b)));
        let reached = ours.status == PathStatus::Complete;
        differ += u32::from(reached == grid.cells.is_empty());
        if reached && grid.length > 2.0 {
            both += 1;
            excess += ours.length / grid.length;
            nodes = [nodes[0] + u64::from(ours.visited), nodes[1] + u64::from(grid.nodes)];
        }
    }
    let excess = excess / both.max(1) as f32;
    let run_ours = || {
        let mut nav = nav();
        asked.iter().for_each(|&q| _ = black_box(ask(&mut nav, world, q)));
    };
    let run_theirs =
        || asked.iter().for_each(|&[a, b]| drop(black_box(plain_grid_path(world, agent, a, BlockBox::of(b)))));
    let rounds =
        in_turns(Effort::new(options.quick), &mut [&mut || seconds(run_ours).1, &mut || seconds(run_theirs).1]);
    let note = format!("length x {excess:.3}; {:.1} x fewer nodes", nodes[1] as f64 / nodes[0].max(1) as f64);
    let agrees = differ == 0 && excess <= 1.05;
    beside_plain_search(
        Row { work: format!("{name} first paths"), unit: "ms", agrees: Some(agrees), note, ..Row::default() },
        &rounds,
        1e3,
        asked.len(),
    )
}

/// A row of ours against plain A*: rounds over `count` questions, in units of which a second has `per_second`.
fn beside_plain_search(row: Row, rounds: &Rounds, per_second: f64, count: usize) -> Row {
    let per = per_second / count.max(1) as f64;
    let row = Row {
        group: "blocks",
        peer: "plain A*",
        ours: rounds.of(0).median * per,
        theirs: rounds.of(1).median * per,
        ratio: rounds.ratio(0, 1),
        ..row
    };
    print_row(&row);
    row
}

/// Our own bake of the same blocks as triangles, in voxels of a quarter of a block, and the same questions to its mesh.
/// Its agent has a radius, so its paths differ: shown, not judged.
fn voxel_bake(options: &Options, name: &str, world: &DenseBlocks) -> Option<Row> {
    let scene = wayfare_scenes::scene(name.trim_start_matches("scene:")).ok()?;
    let mesh = scene.mesh().ok()?;
    let bake = || {
        let (baked, _) = bake_tiles(&mesh, &scene.settings, &Context::default()).ok()?;
        NavMesh::from_tiles(baked.layout, baked.tiles).ok()
    };
    let asked = questions(world, i32::MAX);
    let mut navigation = nav();
    let baked = bake()?;
    let (mut both, mut excess) = (0u32, 0.0);
    for &[a, b] in &asked {
        let ours = ask(&mut navigation, world, [a, b]);
        let theirs = baked.find_path(navigation.position(a), navigation.position(b));
        if ours.status == PathStatus::Complete && theirs.is_complete() && theirs.length > 2.0 {
            both += 1;
            excess += ours.length / theirs.length;
        }
    }
    let first = asked.first().copied()?;
    let mut run_ours = || seconds(|| ask(&mut nav(), world, first)).1;
    let mut run_theirs = || seconds(bake).1;
    let rounds = in_turns(Effort::new(options.quick), &mut [&mut run_ours, &mut run_theirs]);
    let row = Row {
        group: "blocks",
        work: format!("{name} first path or bake"),
        peer: "voxel bake",
        ours: rounds.of(0).median * 1e3,
        theirs: rounds.of(1).median * 1e3,
        unit: "ms",
        ratio: rounds.ratio(0, 1),
        agrees: None,
        bytes: Some((navigation.stats().bytes as u64, baked.to_bytes().len() as u64)),
        note: format!("length x {:.3} on {both} paths that both find", excess / both.max(1) as f32),
        ..Row::default()
    };
    print_row(&row);
    Some(row)
}

/// A path, a block put on its middle, and the path anew; then the block is taken away again. The note says how long the
/// paths are, and how much of the time the same path takes where nothing was edited: the rest is what the edit costs,
/// rebuilding and connecting. A few long paths dominate the mean, so it also says what the middle one takes, at
/// best, and how many come within 100 µs.
fn after_edits(options: &Options, work: &str, world: &DenseBlocks, near: i32) -> Row {
    let mut navigation = nav();
    let mut world = world.clone();
    let (mut works, mut lengths) = (Vec::new(), Vec::new());
    for question in questions(&world, near) {
        let path = ask(&mut navigation, &world, question);
        let middle = path.points.get(path.points.len() / 2);
        let Some(&p) = middle.filter(|_| path.status == PathStatus::Complete && path.points.len() > 2) else {
            continue;
        };
        works.push((question, Cell::new(p.x as i32, p.y as i32, p.z as i32)));
        lengths.push(f64::from(path.length));
    }
    let agent = BlockAgent::default();
    let mut agree = true;
    let mut edited = world.clone();
    let mut alone = f64::INFINITY;
    let mut least = vec![f64::INFINITY; works.len()];
    let mut run_ours = || {
        let (mut sum, mut again) = (0.0, 0.0);
        for (&(question, cell), least) in works.iter().zip(&mut least) {
            world.set(cell, Block::Solid);
            let path = seconds(|| {
                navigation.invalidate(BlockBox::of(cell));
                ask(&mut navigation, &world, question)
            });
            sum += path.1;
            *least = least.min(path.1);
            again += seconds(|| ask(&mut navigation, &world, question)).1;
            world.set(cell, Block::Air);
            navigation.invalidate(BlockBox::of(cell));
            ask(&mut navigation, &world, question);
        }
        alone = alone.min(again);
        sum
    };
    let mut run_theirs = || {
        let mut sum = 0.0;
        for &([a, b], cell) in &works {
            edited.set(cell, Block::Solid);
            sum += seconds(|| plain_grid_path(&edited, agent, a, BlockBox::of(b))).1;
            edited.set(cell, Block::Air);
        }
        sum
    };
    let rounds = in_turns(Effort::new(options.quick), &mut [&mut run_ours, &mut run_theirs]);
    for &([a, b], cell) in &works {
        world.set(cell, Block::Solid);
        navigation.invalidate(BlockBox::of(cell));
        let reached = ask(&mut navigation, &world, [a, b]).status == PathStatus::Complete;
        agree &= reached != plain_grid_path(&world, agent, a, BlockBox::of(b)).cells.is_empty();
        world.set(cell, Block::Air);
        navigation.invalidate(BlockBox::of(cell));
    }
    let count = works.len().max(1) as f64;
    let within = least.iter().filter(|&&time| time <= 100e-6).count();
    let length: f64 = lengths.iter().sum();
    let mut paths: Vec<(f64, f64)> = least.into_iter().zip(lengths).collect();
    paths.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (median, its_length) = paths.get(paths.len() / 2).copied().unwrap_or_default();
    let note = format!(
        "paths of {:.0} m; without an edit {:.0} µs, {:.1} a metre; the median path, of {its_length:.0} m, {:.0} µs; \
         {within} of {} within 100 µs",
        length / count,
        alone * 1e6 / count,
        alone * 1e6 / length.max(1.0),
        median * 1e6,
        works.len()
    );
    beside_plain_search(
        Row { work: work.into(), unit: "µs", agrees: Some(agree), note, ..Row::default() },
        &rounds,
        1e6,
        works.len(),
    )
}
