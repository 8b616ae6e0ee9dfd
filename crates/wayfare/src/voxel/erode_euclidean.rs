//! Erodes exactly: removes what is nearer than the agent's radius to a cell where no agent can walk.
//!
//! The distance between two cells is that between their nearest points. It is found in two sweeps: along the rows, the
//! number of cells to the next obstacle; then, from each cell up and down its column, the smallest of the distances
//! given what the rows found. Both walk over links, so with several storeys each storey sees only its own obstacles.
//!
//! ```text
//!    . . . # .     row by row:   3 2 1 0 1         from x: two rows up, two cells to the right: the gaps between
//!    . . . . .                   - - - - -         the cells are 1 and 1, so the distance is √2 cells; the chamfer
//!    . x . . .                   - - - - -         distance would say 2
//! ```
//!
//! Whatever stops the walk is itself an obstacle, and a nearer one: so nothing near is missed.
//!
//! Cost: two passes over the links, and twice the radius in links for each span.
//!
//! Sources: A. Rosenfeld, J. Pfaltz, "Sequential operations in digital picture processing", 1966, for the sweeps; that
//! rows and columns can be taken one after the other is from T. Saito, J. Toriwaki, "New algorithms for Euclidean
//! distance transformation", 1994.

use super::erode::ErosionPiece;
use super::{CompactHeightfield, ErodeScratch};
use crate::area::AreaId;
use crate::context::Budget;
use crate::math::index::NONE;

/// Removes the area type of spans closer than `radius` cells (any number of 0 or above) to where no agent can stand. 0
/// changes nothing.
pub fn erode_euclidean(field: &mut CompactHeightfield, radius: f32) {
    erode_euclidean_into(field, radius, &mut ErodeScratch::default());
}

/// Like [`erode_euclidean`], reusing memory.
pub fn erode_euclidean_into(field: &mut CompactHeightfield, radius: f32, scratch: &mut ErodeScratch) {
    scratch.begin();
    scratch.erode_exactly(field, radius, &mut Budget::unlimited());
}

impl ErodeScratch {
    /// Does what [`erode_euclidean_into`] does, within the budget: a unit is a span. Returns whether it is finished.
    pub(crate) fn erode_exactly(&mut self, field: &mut CompactHeightfield, radius: f32, budget: &mut Budget) -> bool {
        if radius <= 0.0 || field.span_count() == 0 {
            return true;
        }
        // An obstacle this many cells away leaves a gap of at least the radius.
        let far = (radius.ceil() as u32).saturating_add(1);
        let limit = f64::from(radius) * f64::from(radius);
        let Self { along_rows, taken, next, .. } = self;
        let count = field.span_count();
        loop {
            let from = match *next {
                ErosionPiece::Ascending(from) | ErosionPiece::Descending(from) | ErosionPiece::Across(from) => from,
                _ => {
                    along_rows.clear();
                    along_rows.resize(count, far);
                    taken.clear();
                    *next = ErosionPiece::Ascending(0);
                    0
                }
            };
            let piece = budget.piece(from, field.span_count());
            let is_last = piece.end == count;
            let units = piece.len() as u64;
            // Spans of a cell come after those of the cell to the left, so one pass each way follows all links.
            match *next {
                ErosionPiece::Ascending(_) => {
                    let end = piece.end;
                    piece.for_each(|span| ascend(field, along_rows, span, far));
                    *next = if is_last { ErosionPiece::Descending(0) } else { ErosionPiece::Ascending(end) };
                }
                ErosionPiece::Descending(_) => {
                    let end = piece.end;
                    piece.for_each(|span| descend(field, along_rows, count - 1 - span));
                    *next = if is_last { ErosionPiece::Across(0) } else { ErosionPiece::Descending(end) };
                }
                _ => {
                    *next = ErosionPiece::Across(piece.end);
                    let is_walkable = |&span: &u32| !field.area[span as usize].is_null();
                    let spans = (piece.start as u32..piece.end as u32).filter(is_walkable);
                    taken.extend(spans.filter(|&span| is_near(field, along_rows, span, (far, limit))));
                    if is_last {
                        taken.iter().for_each(|&span| field.area[span as usize] = AreaId::NULL);
                        budget.charge(units);
                        return true;
                    }
                }
            }
            if !budget.charge(units) {
                return false;
            }
        }
    }
}

/// The number of cells to the next obstacle to the left in a span's row, at most `far`: 0 if the span itself is one.
fn ascend(field: &CompactHeightfield, distance: &mut [u32], span: usize, far: u32) {
    let beside = field.neighbours[span][0];
    distance[span] = match beside {
        _ if field.area[span].is_null() => 0,
        NONE => 1,
        _ => far.min(distance[beside as usize] + 1),
    };
}

/// The same to both sides, if that to the left is known.
fn descend(field: &CompactHeightfield, distance: &mut [u32], span: usize) {
    let beside = field.neighbours[span][2];
    let there = if beside == NONE { 1 } else { distance[beside as usize] + 1 };
    distance[span] = distance[span].min(there);
}

/// Whether an obstacle is nearer to a span than the root of `limit`, looking up and down its column.
fn is_near(field: &CompactHeightfield, along_rows: &[u32], span: u32, (far, limit): (u32, f64)) -> bool {
    // The gap between two cells this many cells apart.
    let gap = |cells: u32| f64::from(cells.saturating_sub(1));
    [1, 3].into_iter().any(|direction| {
        let mut at = span;
        for steps in 0..far {
            let beside = along_rows[at as usize];
            if beside < far && gap(steps) * gap(steps) + gap(beside) * gap(beside) < limit {
                return true;
            }
            at = field.neighbours[at as usize][direction];
            if at == NONE {
                return gap(steps + 1) * gap(steps + 1) < limit;
            }
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::BakeSettings;
    use crate::math::Rng;
    use crate::voxel::test_columns::field_of_columns;
    use crate::voxel::{compact, erode};

    /// A floor with holes where the map has `#`.
    fn ground(map: &[String]) -> CompactHeightfield {
        let floor = [(0, 1, AreaId::WALKABLE)];
        let columns: Vec<&[(u16, u16, AreaId)]> =
            map.iter().flat_map(|row| row.chars().map(|c| if c == '#' { &floor[..0] } else { &floor[..] })).collect();
        compact(&field_of_columns(map[0].len() as u32, &columns), 0, &BakeSettings::default().to_voxel().unwrap())
    }

    fn kept(field: &CompactHeightfield, map: &[String]) -> Vec<String> {
        let width = map[0].len();
        let letter = |cell: usize| match field.column(cell).next() {
            None => '#',
            Some(span) if field.area[span].is_null() => ' ',
            Some(_) => '.',
        };
        (0..map.len()).map(|z| (0..width).map(|x| letter(z * width + x)).collect()).collect()
    }

    fn rows(map: &[&str]) -> Vec<String> {
        map.iter().map(|row| (*row).to_owned()).collect()
    }

    /// What is kept, by looking from every cell to every obstacle, those around the map included.
    fn slowly(map: &[String], radius: f32) -> Vec<String> {
        let (width, depth) = (map[0].len() as i32, map.len() as i32);
        let wall = |x: i32, z: i32| {
            !(0..width).contains(&x) || !(0..depth).contains(&z) || map[z as usize].as_bytes()[x as usize] == b'#'
        };
        let is_near = |x: i32, z: i32| {
            (-1..=depth).any(|oz| {
                (-1..=width).any(|ox| {
                    let gap = |a: i32, b: i32| f64::from((a.abs_diff(b) as i32 - 1).max(0));
                    wall(ox, oz) && gap(x, ox).powi(2) + gap(z, oz).powi(2) < f64::from(radius).powi(2)
                })
            })
        };
        let letter = |x: i32, z: i32| {
            if wall(x, z) {
                '#'
            } else if is_near(x, z) {
                ' '
            } else {
                '.'
            }
        };
        (0..depth).map(|z| (0..width).map(|x| letter(x, z)).collect()).collect()
    }

    #[test]
    fn a_pillar_is_rounded_and_a_straight_wall_is_as_with_the_chamfer() {
        let mut map = rows(&["..............."; 15]);
        map[7].replace_range(7..8, "#");
        let mut field = ground(&map);
        erode_euclidean(&mut field, 2.5);
        let expected = [
            "               ",
            "               ",
            "               ",
            "   .........   ",
            "   ..     ..   ",
            "   .       .   ",
            "   .       .   ",
            "   .   #   .   ",
            "   .       .   ",
            "   .       .   ",
            "   ..     ..   ",
            "   .........   ",
            "               ",
            "               ",
            "               ",
        ];
        assert_eq!(kept(&field, &map), expected);
        let straight = rows(&["........"; 8]);
        let (mut exact, mut chamfer) = (ground(&straight), ground(&straight));
        erode_euclidean(&mut exact, 1.5);
        erode(&mut chamfer, 2);
        assert_eq!(exact.area, chamfer.area);
    }

    #[test]
    fn radius_zero_keeps_everything() {
        let map = rows(&["..#.", "....", "#..."]);
        let mut field = ground(&map);
        erode_euclidean(&mut field, 0.0);
        assert_eq!(kept(&field, &map), map);
    }

    #[test]
    fn it_is_what_looking_at_every_obstacle_gives() {
        for seed in 0..60u64 {
            let mut rng = Rng::new(seed);
            let mut next = |below: u32| rng.below(below);
            let (width, depth, holes) = (3 + next(20), 3 + next(20), 5 + next(60));
            let map: Vec<String> =
                (0..depth).map(|_| (0..width).map(|_| if next(holes) == 0 { '#' } else { '.' }).collect()).collect();
            for radius in [0.3, 1.0, 1.5, 2.0, 2.9, 4.2] {
                let mut field = ground(&map);
                erode_euclidean(&mut field, radius);
                assert_eq!(kept(&field, &map), slowly(&map, radius), "seed {seed}, radius {radius}");
            }
        }
    }
}
