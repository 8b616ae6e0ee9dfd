//! A world of blocks that players build: paths without any bake, and an agent whose path follows the changes.
//!
//! A wall divides the world and leaves a gap at one end. While the agent walks towards the gap, somebody breaks a hole
//! into the wall, and then builds a tower in front of it. Run it with `cargo run -p wayfare --example block_world`.

use std::error::Error;
use wayfare::Vec3;
use wayfare::blocks::{
    Block, BlockBox, BlockCorridor, BlockNav, BlockPathRequest, BlockSettings, BlockSource, Cell, ChunkedBlocks,
};

/// The world is as many blocks wide and deep. A block is one metre.
const SIZE: i32 = 32;

/// A level floor at height 0, and a wall of three blocks across it. The gap is at the end where z is large.
fn build() -> ChunkedBlocks {
    let mut world = ChunkedBlocks::new();
    for (x, z) in (0..SIZE).flat_map(|x| (0..SIZE).map(move |z| (x, z))) {
        world.set(Cell::new(x, 0, z), Block::Solid);
    }
    for (y, z) in (1..4).flat_map(|y| (0..SIZE - 3).map(move |z| (y, z))) {
        world.set(Cell::new(SIZE / 2, y, z), Block::Solid);
    }
    world
}

/// Changes the blocks of a box, and reports the change to the navigation.
fn change(world: &mut ChunkedBlocks, nav: &mut BlockNav, cells: BlockBox, block: Block) {
    for x in cells.min.x..=cells.max.x {
        for y in cells.min.y..=cells.max.y {
            for z in cells.min.z..=cells.max.z {
                world.set(Cell::new(x, y, z), block);
            }
        }
    }
    nav.invalidate(cells);
}

/// Walks for at most this many steps of a quarter of a metre. Returns how many it took.
fn walk(walker: &mut BlockCorridor, nav: &mut BlockNav, world: &impl BlockSource, steps: u32) -> u32 {
    for step in 0..steps {
        // Asks for a new path if blocks along the old one have changed.
        walker.refresh(nav, world);
        if walker.has_arrived() {
            return step;
        }
        let here = walker.position();
        let ahead: Vec3 = walker.target() - here;
        walker.walk(nav, world, here + ahead.clamp_length_max(0.25));
    }
    steps
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut world = build();
    let mut nav = BlockNav::new(BlockSettings::default())?;

    // A cell names the block in which the feet are: one above the floor.
    let request = BlockPathRequest::to(Cell::new(4, 1, 4), Cell::new(28, 1, 4));
    let around = nav.find_path(&world, &request);
    println!("by the gap: {:.1} m", around.length);
    assert!(around.length > 50.0);
    assert_eq!(nav.find_path(&world, &request), around, "the same question has the same answer");

    let start = nav.position(request.start);
    let mut walker = BlockCorridor::new(&mut nav, &world, start, &request).ok_or("nobody can stand at the start")?;
    walk(&mut walker, &mut nav, &world, 12);
    println!("after 12 steps the agent is at {:.1} of {:.1} m", walker.position().distance(start), around.length);

    // A hole in the wall, two blocks high. The agent keeps to its path, since no block along that has changed; a path
    // that is asked for now leads through the hole.
    let hole = BlockBox::new(Cell::new(SIZE / 2, 1, 6), Cell::new(SIZE / 2, 2, 7));
    change(&mut world, &mut nav, hole, Block::Air);
    let request = BlockPathRequest::to(walker.cell(), request.goal.min);
    let here = walker.position();
    let mut walker = BlockCorridor::new(&mut nav, &world, here, &request).ok_or("nobody can stand here")?;
    let through = walker.path().clone();
    println!("through the hole: {:.1} m", through.length);
    assert!(through.length < 30.0);

    // A tower on that path makes it out of date. The agent notices by itself, goes round, and arrives.
    assert!(nav.is_current(&through));
    let tower = BlockBox::new(Cell::new(20, 1, 3), Cell::new(22, 6, 8));
    change(&mut world, &mut nav, tower, Block::Solid);
    assert!(!nav.is_current(&through), "blocks along it have changed");
    let steps = walk(&mut walker, &mut nav, &world, 1000);
    println!("past the tower: {:.1} m, arrived after {steps} steps", walker.path().length);
    assert!(walker.has_arrived() && walker.cell() == Cell::new(28, 1, 4));
    assert_ne!(walker.path().points, through.points);
    Ok(())
}
