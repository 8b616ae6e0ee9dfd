//! Finds polygons of a tile that overlap at the same height, so that the same surface exists twice.
//!
//! ```text
//!   .-------.
//!   |   .---|---.        seen from above; at the middle of what both cover, one is as high as the other
//!   |   | x |   |
//!   '---|---'   |
//!       '-------'
//! ```
//!
//! Floors may lie above each other, and simplified outlines may extend slightly over thin walls and ledges. An overlap
//! counts only if the surfaces have the same height, within a tenth of the climb or a centimetre (a fifth of a cell if
//! that is less), and both polygons cover at least a tenth of the smaller one.
//!
//! Cost: the pairs of polygons whose boxes overlap. If there are too many, some are not checked.
//!
//! Sources: Ivan Sutherland, Gary Hodgman, "Reentrant Polygon Clipping", 1974.

use super::box_lanes::poly_boxes;
use super::{BoundingTree, Effort, TileData};
use crate::math::Aabb;
use crate::math::polygon::{self, edges};
use crate::math::segment;
use glam::Vec3;

/// An overlap no wider than this is ignored, and a height difference no larger counts as none, metres.
const STRIP: f32 = 0.01;
/// The same in cells, for levels with small units.
const STRIP_CELLS: f32 = 0.2;
/// The fraction of the smaller polygon that both must cover.
const SHARE: f32 = 0.1;

/// The effort counted for comparing two polygons, in addition to comparing each edge of one with each of the other.
const PAIR: usize = 16;

impl TileData {
    /// Calls `found` with pairs of overlapping polygons, the middle of the overlap, and its area: each polygon that
    /// overlaps others is in one of the pairs. Returns the first polygon that was not checked, if there are too many.
    pub(super) fn overlaps(&self, effort: &mut Effort, mut found: impl FnMut([u32; 2], Vec3, f32)) -> Option<u32> {
        let strip = self.lists().at_most_cells(STRIP, STRIP_CELLS);
        let same = (self.baked_for().climb * 0.1).max(strip);
        let tree = BoundingTree::of(self);
        let boxes = poly_boxes(self);
        let mut own = Vec::new();
        let mut other = Vec::new();
        let mut both = Vec::new();
        let mut in_pair = vec![false; boxes.len()];
        for (poly, bounds) in (0u32..).zip(&boxes) {
            if in_pair[poly as usize] {
                continue;
            }
            own.clear();
            own.extend(self.points_of(poly));
            let reach = Vec3::new(0.0, same, 0.0);
            let mut enough = Ok(());
            tree.find_in_box(&Aabb { min: bounds.min - reach, max: bounds.max + reach }, |beyond, _| {
                // Of two that form no pair, the lower one has checked both.
                if beyond == poly || (beyond < poly && !in_pair[beyond as usize]) {
                    enough = effort.spend(1);
                    return enough.is_err();
                }
                other.clear();
                other.extend(self.points_of(beyond));
                enough = effort.spend(PAIR + own.len() * other.len());
                if enough.is_err() || !polygon::overlap(&own, &other, strip) {
                    return enough.is_err();
                }
                enough = effort.spend(self.work_of(poly) + self.work_of(beyond));
                if enough.is_err() {
                    return true;
                }
                clip(&own, &other, &mut both);
                let middle = polygon::center(&both);
                let [a, b] = [poly, beyond].map(|p| self.height_under(p, middle));
                let area = polygon::area(&both);
                let least = SHARE * polygon::area(&own).min(polygon::area(&other));
                let lie_on_one_another = (a - b).abs() <= same && area >= least.max(strip * strip);
                if lie_on_one_another {
                    found([poly, beyond], middle, area);
                    (in_pair[poly as usize], in_pair[beyond as usize]) = (true, true);
                }
                lie_on_one_another
            });
            if enough.is_err() {
                return Some(poly);
            }
        }
        None
    }
}

/// The part of one convex polygon that lies over another.
fn clip(own: &[Vec3], other: &[Vec3], both: &mut Vec<Vec3>) {
    both.clear();
    both.extend_from_slice(own);
    let mut kept = Vec::new();
    for (a, b) in edges(other) {
        let inward = segment::inward_normal(a, b);
        let inside = |p: Vec3| (p - a).dot(inward);
        kept.clear();
        for (p, q) in edges(both) {
            let from = inside(p);
            let to = inside(q);
            if from >= 0.0 {
                kept.push(p);
            }
            if (from < 0.0) != (to < 0.0) {
                kept.push(p + (q - p) * (from / (from - to)));
            }
        }
        core::mem::swap(both, &mut kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::test_sketch::sketch;
    use crate::tile::{Defect, TileCoord};

    /// Of a square that is moved from beside another to `x` of it, and up: the area that both cover.
    fn area(x: f32, up: f32) -> Option<f32> {
        let tile = sketch(TileCoord::default(), "a.b");
        let moved = tile.corners_of(1).to_vec();
        let tile = tile.edited(|tile| {
            moved.into_iter().for_each(|v| tile.verts[v as usize] += Vec3::new(x - 2.0, up, 0.0));
            tile.fit_bounds();
        });
        let mut found = Vec::new();
        tile.defects(|poly, at, defect| found.push((poly, at, defect)));
        match found[..] {
            [] => None,
            [(0, at, Defect::Overlaps { other: 1, area })] => {
                assert!((at - Vec3::new((x + 1.0) * 0.5, 0.0, 0.5)).length() < 1e-5, "{at}");
                Some(area)
            }
            _ => panic!("{found:?}"),
        }
    }

    #[test]
    fn floors_of_small_levels_are_told_apart() {
        let tile = sketch(TileCoord::default(), "a.b");
        let moved = tile.corners_of(1).to_vec();
        let tile = tile.edited(|tile| {
            moved.into_iter().for_each(|v| tile.verts[v as usize] += Vec3::new(-1.5, 3.0, 0.0));
            let scale = 1.0 / 1024.0;
            tile.verts.iter_mut().for_each(|v| *v *= scale);
            tile.baked_for.climb *= scale;
            tile.baked_for.cell_size = 0.25 * scale;
        });
        let mut overlaps = 0;
        tile.overlaps(&mut Effort::endless(), |_, _, _| overlaps += 1);
        assert_eq!(overlaps, 0);
        // On the same surface they do overlap, however small they are.
        let tile = tile.edited(|tile| tile.verts.iter_mut().for_each(|v| v.y = 0.0));
        tile.overlaps(&mut Effort::endless(), |_, _, _| overlaps += 1);
        assert_eq!(overlaps, 1);
    }

    #[test]
    fn polygons_of_small_levels_have_an_area() {
        let scale = 1.0 / 131_072.0;
        let tile = sketch(TileCoord::default(), "a.b").edited(|tile| {
            tile.verts.iter_mut().for_each(|v| *v *= scale);
            tile.fit_bounds();
            tile.baked_for.climb = 0.5 * scale;
        });
        let mut found = Vec::new();
        for cell_size in [0.0, 0.25 * scale] {
            let tile = tile.edited(|tile| tile.baked_for.cell_size = cell_size);
            found.push(0);
            tile.defects(|_, _, defect| found[usize::from(cell_size > 0.0)] += usize::from(defect == Defect::NoArea));
        }
        // Metres are used only where the cell size is unknown.
        assert_eq!(found, [2, 0]);
    }

    #[test]
    fn what_lies_on_other_ground_is_told_from_floors_and_neighbours() {
        assert_eq!([area(2.0, 0.0), area(1.0, 0.0), area(0.95, 0.0)], [None; 3]);
        assert_eq!(
            [area(0.75, 0.0), area(0.75, 0.005)].map(|found| found.map(|area| (area - 0.25).abs() < 1e-5)),
            [Some(true); 2]
        );
        assert_eq!(area(0.0, 0.0), Some(1.0));
        assert_eq!(area(0.0, 1.0), None);
    }
}
