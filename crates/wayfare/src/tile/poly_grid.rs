//! A grid over the plan of a tile that finds the polygons around a position.
//!
//! ```text
//!   +-------+-------+-------+       a square names the polygons whose boxes touch it
//!   | A     | A B   | B     |
//!   +-------+-------+-------+       under p: A and B, after one look at two numbers
//!   | A C   | A B p | B     |
//!   +-------+-------+-------+
//! ```
//!
//! The [bounding tree](super::bounding_tree) finds what is near at any distance, level by level. Most queries are about
//! a position on the surface, where the answer is under the point or just beside it: there a square of the grid gives
//! immediately what descending the tree takes hundreds of instructions to find. There are about as many squares as
//! polygons; fewer if large polygons overlap, so that listing them would fill all squares.
//!
//! Squares store polygons by their index in the tree, which has their boxes.
//!
//! Cost: two passes over the boxes to build; a query visits the squares under a box; about 20 bytes a polygon.
//!
//! Sources: Bentley, Weide and Yao, "Optimal Expected-Time Algorithms for Closest Point Problems", 1980 (as many cells
//! as things).

use super::BoundingTree;
use crate::math::Aabb;
use glam::Vec3;

/// A polygon listed in a square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Boxed {
    /// The box around the polygon and its detail vertices.
    pub(crate) bounds: Aabb,
    pub(crate) poly: u32,
}

/// A grid over the polygons of one tile.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PolyGrid {
    min: Vec3,
    squares_per_metre: f32,
    columns: i32,
    rows: i32,
    /// Where the polygons of each square begin, row by row, and the end.
    first: Box<[u32]>,
    /// Their indices in the lowest level of the tree.
    places: Box<[u32]>,
}

/// How often a polygon may be listed on average.
const MOST_NAMES: usize = 6;
/// For a box over more squares than this, the tree is faster.
const MOST_SQUARES: i32 = 16;

/// A column and a row.
type GridSquare = (i32, i32);

impl PolyGrid {
    /// Builds it over the polygons of a tree.
    pub(crate) fn of(tree: &BoundingTree) -> Self {
        let mut places = vec![0; tree.polys().len()];
        tree.polys().iter().zip(0..).for_each(|(&poly, place)| places[poly as usize] = place);
        let boxes: Vec<Aabb> = places.iter().map(|&place| tree.box_of_leaf(place)).collect();
        let bounds = boxes.iter().fold(Aabb::EMPTY, |all, &b| all.union(b));
        let mut wanted = boxes.len() as f32;
        loop {
            let mut grid = Self::with_squares(&bounds, wanted);
            let names: usize = boxes.iter().map(|b| grid.count_under(b)).sum();
            if names <= MOST_NAMES * boxes.len() || grid.first.len() <= 2 {
                grid.fill((&boxes, &places), names);
                return grid;
            }
            wanted *= 0.5;
        }
    }

    /// Without polygons; with about this many squares.
    fn with_squares(bounds: &Aabb, wanted: f32) -> Self {
        let size = bounds.size().max(Vec3::ZERO);
        let wanted = wanted.max(1.0);
        // Also limits the squares in a row, for long and narrow tiles.
        let side = (size.x * size.z / wanted).sqrt().max(size.x.max(size.z) / wanted).max(f32::MIN_POSITIVE);
        let squares_per_metre = 1.0 / side;
        let [columns, rows] = [size.x, size.z].map(|size| (size * squares_per_metre) as i32 + 1);
        let first = vec![0; columns as usize * rows as usize + 1].into();
        Self { min: bounds.min, squares_per_metre, columns, rows, first, places: Box::default() }
    }

    /// Distributes the polygons to their squares, ordered by index in each.
    fn fill(&mut self, (boxes, places): (&[Aabb], &[u32]), names: usize) {
        for b in boxes {
            for square in self.squares_under(b) {
                self.first[self.number_of(square) + 1] += 1;
            }
        }
        let mut sum = 0;
        for first in &mut self.first {
            sum += *first;
            *first = sum;
        }
        let mut next = self.first.clone();
        self.places = vec![0; names].into();
        for (bounds, &place) in boxes.iter().zip(places) {
            for square in self.squares_under(bounds) {
                let free = &mut next[self.number_of(square)];
                self.places[*free as usize] = place;
                *free += 1;
            }
        }
    }

    /// The square of a position; for a position outside the tile, the nearest square at its border.
    #[inline]
    fn square_of(&self, p: Vec3) -> GridSquare {
        let at = (p - self.min) * self.squares_per_metre;
        // Casts saturate, and NaN becomes zero.
        ((at.x as i32).clamp(0, self.columns - 1), (at.z as i32).clamp(0, self.rows - 1))
    }

    #[inline]
    fn number_of(&self, (x, z): GridSquare) -> usize {
        (z * self.columns + x) as usize
    }

    /// The number of [squares](Self::squares_under), without visiting them: with large overlapping polygons that would
    /// be all squares for each polygon.
    fn count_under(&self, b: &Aabb) -> usize {
        let low = self.square_of(b.min);
        let high = self.square_of(b.max);
        (high.0 - low.0 + 1) as usize * (high.1 - low.1 + 1) as usize
    }

    fn squares_under(&self, b: &Aabb) -> impl Iterator<Item = GridSquare> + use<> {
        let low = self.square_of(b.min);
        let high = self.square_of(b.max);
        (low.1..=high.1).flat_map(move |z| (low.0..=high.0).map(move |x| (x, z)))
    }

    #[inline]
    fn polys_of<'a>(&'a self, tree: &'a BoundingTree, square: GridSquare) -> impl Iterator<Item = Boxed> + 'a {
        let number = self.number_of(square);
        let places = &self.places[self.first[number] as usize..self.first[number + 1] as usize];
        places.iter().map(|&place| Boxed { bounds: tree.box_of_leaf(place), poly: tree.leaf(place) })
    }

    /// How many bytes it takes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.first) + size_of_val(&*self.places)
    }

    /// All polygons that are over a point, and some that are not.
    #[inline]
    pub(crate) fn under<'a>(&'a self, tree: &'a BoundingTree, p: Vec3) -> impl Iterator<Item = Boxed> + 'a {
        self.polys_of(tree, self.square_of(p))
    }

    /// Calls `visit` once with each polygon whose box touches another horizontally, and with some nearby. Returns
    /// false, without a call, if the box covers so many squares that a tree is faster.
    #[inline]
    pub(crate) fn visit_around(&self, tree: &BoundingTree, within: &Aabb, mut visit: impl FnMut(&Boxed)) -> bool {
        let low = self.square_of(within.min);
        let high = self.square_of(within.max);
        if (high.0 - low.0 + 1).saturating_mul(high.1 - low.1 + 1) > MOST_SQUARES {
            return false;
        }
        for z in low.1..=high.1 {
            for x in low.0..=high.0 {
                for poly in self.polys_of(tree, (x, z)) {
                    // In the first of the squares that list it.
                    let first = self.square_of(poly.bounds.min);
                    if (first.0.max(low.0), first.1.max(low.1)) == (x, z) {
                        visit(&poly);
                    }
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;
    use crate::tile::{TileCoord, TileData, test_sketch::sketch};

    #[test]
    fn a_box_names_each_polygon_once_and_misses_none() {
        let mut rng = Rng::new(3);
        let mut small = 0;
        let mut large = 0;
        for _ in 0..60 {
            let mut row = || (0..30).map(|_| if rng.below(3) > 0 { 'a' } else { '.' }).collect::<String>();
            let map: Vec<String> = (0..20).map(|_| row()).collect();
            let tile = sketch(TileCoord::default(), &map.join("\n"));
            let tree = BoundingTree::of(&tile);
            let grid = PolyGrid::of(&tree);
            assert!(grid.places.len() <= MOST_NAMES * tile.polys().len() && grid.first.len() > tile.polys().len() / 4);
            for _ in 0..30 {
                let point = Vec3::new(rng.unit() * 50.0 - 10.0, 0.0, rng.unit() * 40.0 - 10.0);
                let within = Aabb::from_center(point, Vec3::new(rng.unit() * 4.0, 9.0, rng.unit() * 4.0));
                let mut found = Vec::new();
                if !grid.visit_around(&tree, &within, |near| found.push(near.poly)) {
                    assert!(found.is_empty());
                    large += 1;
                    continue;
                }
                found.sort_unstable();
                assert!(found.windows(2).all(|two| two[0] < two[1]), "{found:?}");
                tree.polys_in_box(&within, |poly, _| assert!(found.binary_search(&poly).is_ok(), "{poly} {within:?}"));
                let under: Vec<Boxed> = grid.under(&tree, point).collect();
                let over = (0..tile.polys().len() as u32).filter(|&poly| tile.is_over(poly, point));
                over.for_each(|poly| assert!(under.iter().any(|near| near.poly == poly), "{poly} {point}"));
                small += 1;
            }
        }
        assert!(small > 200 && large > 200, "{small} {large}");
    }

    #[test]
    fn floors_over_each_other_share_few_squares() {
        let tile = sketch(TileCoord::default(), &["a"; 64].join("\n"));
        // Every polygon as large as all together, one above the other.
        let polys = tile.polys().len();
        let verts = [[0.0, 0.0], [0.0, 64.0], [64.0, 64.0], [64.0, 0.0]];
        let tile = tile.edited(|tile| {
            tile.verts = (0..polys).flat_map(|y| verts.map(|[x, z]| Vec3::new(x, 3.0 * y as f32, z))).collect();
            tile.corners = (0..4 * polys as u32).collect();
        });
        let tree = BoundingTree::of(&tile);
        let grid = PolyGrid::of(&tree);
        assert!(grid.places.len() <= MOST_NAMES * polys, "{}", grid.places.len());
        assert_eq!(grid.under(&tree, Vec3::new(40.0, 7.0, 3.0)).count(), polys);
        // Nothing is under a place that is none, and nothing breaks.
        let far = [Vec3::splat(f32::INFINITY), Vec3::splat(-1e30), Vec3::NAN];
        for p in far {
            assert!(grid.under(&tree, p).all(|near| !tile.is_over(near.poly, p)));
        }
        let tree = BoundingTree::of(&TileData::empty(TileCoord::default()));
        let empty = PolyGrid::of(&tree);
        assert_eq!(empty.under(&tree, Vec3::ZERO).count(), 0);
        assert!(empty.visit_around(&tree, &Aabb::EMPTY, |_| unreachable!()));
    }
}
