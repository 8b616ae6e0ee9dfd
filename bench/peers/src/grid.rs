//! Group `grid`: the local grid beside the figures of the post that it is made after. Other machines, so they are
//! shown, not judged.

use crate::Options;
use crate::measure::{Effort, Spread, in_turns, seconds};
use crate::table::{Row, print_row};
use std::hint::black_box;
use wayfare::Vec3;
use wayfare::grid::{GridSearch, LocalGrid, Obstacle, Shape};
use wayfare::math::Rng;

const PASSES: usize = 1000;

pub fn rows(options: &Options) -> Vec<Row> {
    let mut rng = Rng::new(1);
    let mut point = |reach: f32| Vec3::new((rng.unit() - 0.5) * reach, 0.0, (rng.unit() - 0.5) * reach);
    let mut obstacles = Vec::new();
    for id in 0..6 {
        let a = point(12.0);
        obstacles.push(Obstacle { shape: Shape::Segment { a, b: a + point(6.0) }, id });
        obstacles.push(Obstacle { shape: Shape::Disc { center: point(12.0), radius: 0.4 }, id: id + 6 });
    }
    let Ok(mut grid) = LocalGrid::new(LocalGrid::MAX_SIZE, 0.25) else { return Vec::new() };
    let mut update = || {
        grid.recenter(Vec3::ZERO);
        obstacles.iter().for_each(|obstacle| grid.block(obstacle, 0.4));
    };
    update();
    let open = {
        let mut update = || seconds(|| (0..PASSES).for_each(|_| update())).1;
        in_turns(Effort::new(options.quick), &mut [&mut update]).of(0)
    };
    let mut search = GridSearch::default();
    let (start, goal) = (Vec3::new(-7.0, 0.0, -6.5), Vec3::new(7.0, 0.0, 7.0));
    let mut find =
        || seconds(|| (0..PASSES).for_each(|_| _ = black_box(search.find_path(&grid, start, goal).points.len()))).1;
    let path = in_turns(Effort::new(options.quick), &mut [&mut find]).of(0);
    let per = 1e6 / PASSES as f64;
    let rows = vec![
        row("update with 6 segments and 6 agents, 64 x 64 cells", open.median * per, 26.0, "µs"),
        row("path with string pulling, 64 x 64 cells", path.median * per, 12.0, "µs"),
        row("memory of a query", search.bytes_used() as f64, 1500.0, "B"),
    ];
    rows.iter().for_each(print_row);
    rows
}

fn row(work: &str, ours: f64, theirs: f64, unit: &'static str) -> Row {
    let ratio = theirs / ours;
    Row {
        group: "grid",
        work: work.into(),
        peer: "post of 2010",
        ours,
        theirs,
        unit,
        ratio: Spread { min: ratio, median: ratio, max: ratio },
        agrees: None,
        note: "a 2.8 GHz Core Duo".into(),
        ..Row::default()
    }
}
