//! Finds paths of a picture that coincide: there the later one hides the earlier one unless that is drawn wider.
//!
//! A path is sampled every few pixels; if a long enough part of it lies under a later path, its depth is one more than
//! that path's. Nothing lies on a path of depth 0.
//!
//! Cost: the lengths of the paths in pixels, times the corners of all.

use std::collections::BTreeMap;

/// Pixels between samples.
const STEP: f32 = 6.0;
/// Within this distance a point is on the line, pixels.
const ON: f32 = 1.5;
/// Paths that coincide for less than this only cross, pixels.
const LEAST: f32 = 30.0;

/// How many paths lie on top of each path; paths are given by number with their points, in pixels.
pub(crate) fn depths(paths: &[(u32, Vec<[f32; 2]>)]) -> BTreeMap<u32, u32> {
    let mut depths: BTreeMap<u32, u32> = BTreeMap::new();
    for (k, (number, points)) in paths.iter().enumerate().rev() {
        let over = paths[k + 1..].iter().filter(|(_, later)| shared(points, later) >= LEAST);
        let deepest = over.filter_map(|(later, _)| depths.get(later)).max();
        depths.insert(*number, deepest.map_or(0, |deepest| deepest + 1));
    }
    depths
}

/// The length of a line that lies on another, pixels.
fn shared(line: &[[f32; 2]], other: &[[f32; 2]]) -> f32 {
    let looks = line.windows(2).flat_map(|edge| {
        let steps = (distance(edge[0], edge[1]) / STEP).ceil();
        (0..steps as u32).map(move |k| between(edge[0], edge[1], (k as f32 + 0.5) / steps))
    });
    let is_on = |at: &[f32; 2]| other.windows(2).any(|edge| distance(nearest(*at, edge[0], edge[1]), *at) < ON);
    looks.filter(is_on).count() as f32 * STEP
}

fn between(a: [f32; 2], b: [f32; 2], share: f32) -> [f32; 2] {
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    ((b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2)).sqrt()
}

/// The point of an edge nearest to a point.
fn nearest(at: [f32; 2], a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    let along = [b[0] - a[0], b[1] - a[1]];
    let squared = (along[0] * along[0] + along[1] * along[1]).max(f32::MIN_POSITIVE);
    let share = ((at[0] - a[0]) * along[0] + (at[1] - a[1]) * along[1]) / squared;
    between(a, b, share.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_run_together_lie_on_one_another_and_those_that_cross_do_not() {
        let straight = vec![[0.0, 0.0], [200.0, 0.0]];
        let part = vec![[50.0, 90.0], [50.0, 0.0], [120.0, 0.0], [120.0, 90.0]];
        let crossing = vec![[20.0, -50.0], [20.0, 50.0]];
        let paths = [(0, straight.clone()), (1, part), (2, straight), (3, crossing)];
        assert_eq!(depths(&paths).into_values().collect::<Vec<_>>(), [2, 1, 0, 0]);
    }
}
