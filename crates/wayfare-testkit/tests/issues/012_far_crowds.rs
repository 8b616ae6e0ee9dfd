//! Far from the origin agents ran through each other: the cell of a place was hashed with products that overflowed, and
//! who stood in negative cells was looked for in others.

use wayfare::Vec2;
use wayfare::avoid::ProximityGrid;
use wayfare::math::Rng;

/// Who is within `range` of each of `places`, shifted by `offset`: everybody's list, sorted.
fn neighbours(places: &[Vec2], offset: Vec2, cell: f32, range: f32) -> Vec<Vec<u32>> {
    let shifted: Vec<Vec2> = places.iter().map(|p| *p + offset).collect();
    let (mut grid, mut found) = (ProximityGrid::default(), Vec::new());
    grid.rebuild(&shifted, cell);
    let ask = |at: &Vec2| {
        grid.nearest(*at, range, usize::MAX, |_| true, &mut found);
        let mut ids: Vec<u32> = found.iter().map(|near| near.id).collect();
        ids.sort_unstable();
        ids
    };
    shifted.iter().map(ask).collect()
}

#[test]
fn neighbours_are_the_same_wherever_the_crowd_stands() {
    let mut rng = Rng::new(12);
    // On quarters of a metre, so that shifting by whole numbers this large loses nothing.
    let mut quarter = || (rng.below(160) as f32 - 80.0) * 0.25;
    let places: Vec<Vec2> = (0..300).map(|_| Vec2::new(quarter(), quarter())).collect();
    let here = neighbours(&places, Vec2::ZERO, 1.5, 3.0);
    assert!(here.iter().map(Vec::len).sum::<usize>() > 1000);
    for far in [-20.0, 1e3, -65_536.0, -1_000_003.0, 2_097_152.0] {
        for offset in [Vec2::new(far, 0.0), Vec2::new(0.0, far), Vec2::new(far, -far)] {
            assert!(neighbours(&places, offset, 1.5, 3.0) == here, "{offset}");
        }
    }
}

/// Cells whose numbers no 32-bit integer holds.
#[test]
fn two_crowds_at_opposite_ends_of_the_world_do_not_meet() {
    let ends = [Vec2::splat(-3e30), Vec2::splat(3e30)];
    let places: Vec<Vec2> = (0..40).map(|i| ends[i % 2]).collect();
    let found = neighbours(&places, Vec2::ZERO, 0.01, 1.0);
    for (i, ids) in found.iter().enumerate() {
        assert!(ids.iter().copied().eq((0..40).filter(|id| *id as usize % 2 == i % 2)), "{ids:?}");
    }
}
