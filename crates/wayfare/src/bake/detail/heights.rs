//! Finds the height of the surface under a polygon at a cell.
//!
//! A region never overlaps itself in plan, so among the spans of a column the polygon's surface is the one of its
//! region. Simplified outlines deviate from the edge of the voxels by a cell or so; if a cell has no span of the
//! region, the nearest cell that has one is found, and from there the search follows the links between spans towards
//! the requested cell, as far as it gets:
//!
//! ```text
//!     r r r . .        ?: asked for, r: the region, .: other linked spans
//!     r r r-.-?        the nearest r, then two steps
//! ```
//!
//! The boundary of two regions is straightened, and may extend farther into one of them than that. There, heights for
//! the other's polygons continue from the previously requested cell: a [`Trail`] walks from one cell to the next, which
//! within a convex polygon meets no wall.
//!
//! A region may also lie beside itself, a storey higher, as a winding one does. Then its span in a cell may be of the
//! other arm:
//!
//! ```text
//!     r r r r s s s    above, s begins where r ends; a polygon of r that is cut straight may take in some s,
//!     s s s s r r r    and below that lies the lower arm of r
//! ```
//!
//! So a span of the region is accepted at once only if its height is about that of the previous one; otherwise the
//! trail walks there, first from the previous cell, then from the corner where it started, and the result of the walk
//! counts.
//!
//! So heights come only from a surface connected with the polygon's, never from another floor, and nothing is collected
//! that is not requested (Recast first copies all heights below a polygon's bounds).
//!
//! Cost: O(spans of the column), on steep terrain also the walk from the previous cell; at the fringe O(reach²) more.
//!
//! Sources: the search around a cell without height is Recast's (Mikko Mononen, 2010).

use crate::bake::Regions;
use crate::math::index::NONE;
use crate::voxel::CompactHeightfield;
use core::ops::Range;

/// Columns with up to this many spans are searched from the bottom.
const SHORT_COLUMN: usize = 8;

/// A surface that differs by at most this many cell heights from the previous cell is the same floor: no agent fits in
/// between.
const SAME_FLOOR: i32 = 2;

/// The surface of a polygon.
#[derive(Clone, Copy)]
pub(super) struct Floor {
    /// Its region.
    pub(super) region: u32,
    /// Its height at the corner from which heights are requested.
    pub(super) near_y: i32,
}

/// A span and its cell in the tile itself.
#[derive(Clone, Copy)]
struct Place {
    cell: [i32; 2],
    span: usize,
}

/// Heights of a tile's surface.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    field: &'a CompactHeightfield,
    regions: &'a Regions,
    /// How many cells away a span of the region is searched.
    reach: i32,
}

impl<'a> Ground<'a> {
    /// `max_error` is how far outlines may deviate from the edge of the voxels, in cells.
    pub(super) fn new(field: &'a CompactHeightfield, regions: &'a Regions, max_error: f32) -> Self {
        // The cast saturates; an outline farther off than this is not worth searching for.
        let reach = (max_error.ceil() as i32).clamp(1, 16) + 1;
        Self { field, regions, reach }
    }

    /// Starts requesting heights from cell to cell, near a corner of the polygon.
    pub(super) fn trail(&self, floor: Floor, corner: [i32; 2]) -> Trail<'a> {
        Trail { ground: *self, floor, corner, last: None, last_y: floor.near_y }
    }

    #[inline]
    fn height_of(&self, place: Place) -> i32 {
        i32::from(self.field.y[place.span])
    }

    #[inline]
    fn column(&self, cell: [i32; 2]) -> Option<Range<usize>> {
        let border = self.field.border as i32;
        let [x, z] = cell.map(|along| along + border);
        let grid = &self.field.grid;
        let is_in = x >= 0 && z >= 0 && x < grid.width as i32 && z < grid.depth as i32;
        is_in.then(|| self.field.column(grid.index(x as u32, z as u32)))
    }

    /// The span of the floor's region in a cell.
    #[inline]
    fn place_in(&self, cell: [i32; 2], floor: Floor) -> Option<Place> {
        let column = self.column(cell)?;
        let span = if column.len() > SHORT_COLUMN {
            self.span_of_tall(column, floor)
        } else {
            column.into_iter().find(|&s| self.regions.id[s] == floor.region)
        };
        span.map(|span| Place { cell, span })
    }

    /// In a column with many floors: searches outwards from the expected height.
    #[cold]
    fn span_of_tall(&self, column: Range<usize>, floor: Floor) -> Option<usize> {
        let heights = &self.field.y[column.clone()];
        let middle = column.start + heights.partition_point(|&y| i32::from(y) < floor.near_y);
        let is_it = |&s: &usize| self.regions.id[s] == floor.region;
        let mut up = middle..column.end;
        let mut down = (column.start..middle).rev();
        loop {
            let above = up.next();
            let below = down.next();
            let found = above.filter(is_it).or_else(|| below.filter(is_it));
            if found.is_some() || (above.is_none() && below.is_none()) {
                return found;
            }
        }
    }

    /// The surface at a corner: of the four cells around it, the span nearest to a height.
    fn place_at(&self, [x, z]: [i32; 2], near_y: i32) -> Option<Place> {
        let around = [[x, z], [x - 1, z], [x, z - 1], [x - 1, z - 1]];
        let spans = around
            .into_iter()
            .flat_map(|cell| self.column(cell).into_iter().flatten().map(move |span| Place { cell, span }));
        spans.min_by_key(|&place| (self.height_of(place) - near_y).abs())
    }

    /// How far one gets from a position towards a cell over linked spans, close to the straight line.
    fn walk(&self, from: Place, to: [i32; 2]) -> Place {
        let whole = [0, 1].map(|axis| i64::from(to[axis]) - i64::from(from.cell[axis]));
        let mut place = from;
        while place.cell != to {
            let rest = [0, 1].map(|axis| i64::from(to[axis]) - i64::from(place.cell[axis]));
            let links = &self.field.neighbours[place.span];
            let along_x = (rest[0] != 0).then(|| links[if rest[0] < 0 { 0 } else { 2 }]).filter(|&to| to != NONE);
            let along_z = (rest[1] != 0).then(|| links[if rest[1] > 0 { 1 } else { 3 }]).filter(|&to| to != NONE);
            // Along the axis with the larger remaining distance; initially along the longer one.
            let left = [(rest[0] * whole[1]).abs(), (rest[1] * whole[0]).abs()];
            let x_first = (left[0], whole[0].abs()) >= (left[1], whole[1].abs());
            match (along_x, along_z) {
                (Some(span), other) if x_first || other.is_none() => {
                    place.span = span as usize;
                    place.cell[0] += rest[0].signum() as i32;
                }
                (_, Some(span)) => {
                    place.span = span as usize;
                    place.cell[1] += rest[1].signum() as i32;
                }
                _ => break,
            }
        }
        place
    }
}

/// Heights of a polygon's surface at one cell after another.
pub(super) struct Trail<'a> {
    ground: Ground<'a>,
    floor: Floor,
    corner: [i32; 2],
    last: Option<Place>,
    /// The last height found, initially that of the corner.
    last_y: i32,
}

impl Trail<'_> {
    /// The height at a cell of the tile itself, if it has a span of the floor's region.
    #[inline]
    pub(super) fn height_in(&mut self, cell: [i32; 2]) -> Option<i32> {
        let place = self.place_in(cell)?;
        Some(self.go_to(place))
    }

    /// The height at a cell of the tile itself on a surface that belongs to the floor's region or is linked with it;
    /// `None` if it cannot be reached.
    #[inline]
    pub(super) fn height(&mut self, cell: [i32; 2]) -> Option<i32> {
        self.height_in(cell).or_else(|| self.height_beyond(cell))
    }

    /// The height reached when walking from a cell of the floor's region to another over linked spans; `None` if the
    /// first has none.
    pub(super) fn height_seen_from(&self, from: [i32; 2], to: [i32; 2]) -> Option<i32> {
        Some(self.ground.height_of(self.ground.walk(self.place_in(from)?, to)))
    }

    #[inline]
    fn go_to(&mut self, place: Place) -> i32 {
        self.last = Some(place);
        self.last_y = self.ground.height_of(place);
        self.last_y
    }

    /// The floor's surface in a cell where its region has one.
    #[inline]
    fn place_in(&self, cell: [i32; 2]) -> Option<Place> {
        let place = self.ground.place_in(cell, self.floor)?;
        if (self.ground.height_of(place) - self.last_y).abs() <= SAME_FLOOR {
            return Some(place);
        }
        self.follow(cell)
    }

    /// Where the walk from the trail's position to a cell ends, or else that from the corner, if either gets there.
    #[inline(never)]
    fn follow(&self, cell: [i32; 2]) -> Option<Place> {
        let walk = |from: Place| Some(self.ground.walk(from, cell)).filter(|place| place.cell == cell);
        let at_corner = || self.ground.place_at(self.corner, self.floor.near_y);
        self.last.and_then(walk).or_else(|| at_corner().and_then(walk))
    }

    #[cold]
    fn height_beyond(&mut self, cell: [i32; 2]) -> Option<i32> {
        let place = self.place_near(cell).or_else(|| self.follow(cell))?;
        Some(self.go_to(place))
    }

    /// Where the walk from the nearest span of the region to a cell ends, if there is one within reach.
    fn place_near(&self, [x, z]: [i32; 2]) -> Option<Place> {
        for ring in 1..=self.ground.reach {
            // Within a ring, straight directions come before diagonal ones.
            for aside in 0..=ring {
                for (dx, dz) in [(ring, aside), (aside, ring)] {
                    for (sx, sz) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
                        if let Some(place) = self.place_in([x + sx * dx, z + sz * dz]) {
                            return Some(self.ground.walk(place, [x, z]));
                        }
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::test_ground::ground;

    #[test]
    fn the_region_decides_between_floors() {
        // Two floors in every cell: heights 2 and 20.
        let (field, mut regions) = ground(4, 1, |_, _| vec![2, 20]);
        for (i, id) in regions.id.iter_mut().enumerate() {
            *id = if i % 2 == 0 { 1 } else { 2 };
        }
        let ground = Ground::new(&field, &regions, 1.3);
        let height = |region, near_y| ground.trail(Floor { region, near_y }, [0, 0]).height([3, 0]);
        assert_eq!([height(1, 2), height(2, 20), height(3, 2)], [Some(2), Some(20), Some(2)]);
    }

    #[test]
    fn a_column_of_many_floors_is_searched_from_the_middle() {
        let (field, mut regions) = ground(2, 1, |_, _| (0..50).map(|k| 20 * k).collect());
        for (i, id) in regions.id.iter_mut().enumerate() {
            *id = i as u32 % 50 + 1;
        }
        let ground = Ground::new(&field, &regions, 1.3);
        let height = |region, near_y| {
            let place = ground.place_in([1, 0], Floor { region, near_y });
            place.map(|place| ground.height_of(place))
        };
        for near_y in [-5, 0, 500, 990, 5000] {
            for region in 1..=50 {
                assert_eq!(height(region, near_y), Some(20 * (region as i32 - 1)));
            }
            assert_eq!(height(51, near_y), None);
        }
    }

    #[test]
    fn of_a_region_that_lies_beside_itself_the_arm_that_is_linked_counts() {
        // Above, region 1 ends at x = 4, where 2 begins; below, 1 begins there.
        let (field, mut regions) = ground(9, 1, |x, _| if x < 4 { vec![30] } else { vec![2, 30] });
        regions.id = (0..9).flat_map(|x| if x < 4 { vec![1] } else { vec![1, 2] }).collect();
        let ground = Ground::new(&field, &regions, 1.3);
        let height = |region, corner, near_y, x| ground.trail(Floor { region, near_y }, corner).height([x, 0]);
        assert_eq!([0, 3, 4, 8].map(|x| height(1, [0, 0], 30, x)), [Some(30); 4]);
        assert_eq!([4, 8].map(|x| height(1, [9, 0], 2, x)), [Some(2); 2]);
        // The lower arm ends at x = 4: what is asked for beyond has the height at its end.
        assert_eq!(height(1, [9, 0], 2, 3), Some(2));
    }

    #[test]
    fn beyond_the_region_the_walk_follows_links() {
        // Heights 1, 2, 3, 4, 30: the last is no step from the fourth. Only the first two cells are of the region.
        let (field, mut regions) = ground(5, 1, |x, _| vec![if x == 4 { 30 } else { x as u16 + 1 }]);
        regions.id.fill(0);
        regions.id[..2].fill(1);
        let ground = Ground::new(&field, &regions, 1.3);
        let floor = Floor { region: 1, near_y: 1 };
        let heights: Vec<_> = (-1..6).map(|x| ground.trail(floor, [0, 0]).height([x, 0])).collect();
        assert_eq!(heights, [Some(1), Some(1), Some(2), Some(3), Some(4), Some(4), None]);
    }

    #[test]
    fn out_of_reach_a_trail_goes_on_from_where_it_was() {
        // A ramp of which the first row's beginning is of the region, and beside it a wall at x = 20.
        let (field, mut regions) = ground(40, 12, |x, z| if x == 20 && z > 2 { vec![] } else { vec![(x + z) as u16] });
        regions.id.fill(0);
        regions.id[..3].fill(1);
        let ground = Ground::new(&field, &regions, 1.3);
        let mut trail = ground.trail(Floor { region: 1, near_y: 1 }, [0, 0]);
        // The first path begins at the corner; the wall ends the second, but not the third.
        assert_eq!(
            [[15, 11], [30, 11], [20, 2], [30, 9]].map(|cell| trail.height(cell)),
            [Some(26), None, Some(22), Some(39)]
        );
    }
}
