//! The height of the ground under a polygon at a cell.
//!
//! A region never overlaps itself in plan, so among the spans of a column the polygon's ground is the one of its
//! region. Outlines leave the voxels' edge by a cell or so when they are simplified; where a cell has no span of the
//! region, the nearest cell that has one is looked for, and from there the walk goes over the links between spans to
//! the cell that was asked for, as far as it gets:
//!
//! ```text
//!     r r r . .        ?: asked for, r: the region, .: other ground that is linked
//!     r r r-.-?        the nearest r, then two steps
//! ```
//!
//! So heights come only from ground that is connected with the polygon's, never from another floor, and nothing is
//! gathered that is not asked for (Recast copies all heights below a polygon's bounds first).
//!
//! Cost: O(spans of the column); at the fringe O(reach²) more.
//!
//! Sources: the search around a cell without height is Recast's (Mikko Mononen, 2010).

use crate::bake::Regions;
use crate::math::index::NONE;
use crate::voxel::CompactHeightfield;
use core::ops::Range;

/// Columns up to this many spans are looked through from below.
const SHORT_COLUMN: usize = 8;

/// The ground of a polygon.
#[derive(Clone, Copy)]
pub(super) struct Floor {
    /// Its region.
    pub(super) region: u32,
    /// A height it has somewhere: where to begin in a column with many floors.
    pub(super) near_y: i32,
}

/// Heights of a tile's ground.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    field: &'a CompactHeightfield,
    regions: &'a Regions,
    /// How many cells away ground of the region is looked for.
    reach: i32,
}

impl<'a> Ground<'a> {
    /// `max_error` is how far outlines were allowed to leave the voxels' edge, in cells.
    pub(super) fn new(field: &'a CompactHeightfield, regions: &'a Regions, max_error: f32) -> Self {
        // The cast saturates; an outline further off than this is not worth searching for.
        let reach = (max_error.ceil() as i32).clamp(1, 16) + 1;
        Self { field, regions, reach }
    }

    /// The height at a cell of the tile proper on ground that belongs to the floor's region or is linked with it.
    pub(super) fn height(&self, x: i32, z: i32, floor: Floor) -> Option<i32> {
        self.height_in(x, z, floor).or_else(|| self.height_near(x, z, floor))
    }

    /// The height at a cell of the tile proper, if it has ground of the floor's region.
    #[inline]
    pub(super) fn height_in(&self, x: i32, z: i32, floor: Floor) -> Option<i32> {
        self.span(x, z, floor).map(|s| i32::from(self.field.y[s]))
    }

    /// The height reached on the way from a cell with ground of the floor's region to another, over linked ground;
    /// `None` if the first has none.
    pub(super) fn height_seen_from(&self, from: [i32; 2], to: [i32; 2], floor: Floor) -> Option<i32> {
        let span = self.span(from[0], from[1], floor)?;
        Some(self.walk(span, to[0] - from[0], to[1] - from[1]))
    }

    #[inline]
    fn span(&self, x: i32, z: i32, floor: Floor) -> Option<usize> {
        let border = self.field.border as i32;
        let (x, z) = (x + border, z + border);
        let grid = &self.field.grid;
        if x < 0 || z < 0 || x >= grid.width as i32 || z >= grid.depth as i32 {
            return None;
        }
        let column = self.field.column(grid.index(x as u32, z as u32));
        if column.len() > SHORT_COLUMN {
            return self.span_of_tall(column, floor);
        }
        column.into_iter().find(|&s| self.regions.id[s] == floor.region)
    }

    /// In a column with many floors: outwards from the height where the floor is expected.
    #[cold]
    fn span_of_tall(&self, column: Range<usize>, floor: Floor) -> Option<usize> {
        let heights = &self.field.y[column.clone()];
        let middle = column.start + heights.partition_point(|&y| i32::from(y) < floor.near_y);
        let is_it = |&s: &usize| self.regions.id[s] == floor.region;
        let (mut up, mut down) = (middle..column.end, (column.start..middle).rev());
        loop {
            let (above, below) = (up.next(), down.next());
            let found = above.filter(is_it).or_else(|| below.filter(is_it));
            if found.is_some() || (above.is_none() && below.is_none()) {
                return found;
            }
        }
    }

    #[cold]
    fn height_near(&self, x: i32, z: i32, floor: Floor) -> Option<i32> {
        for ring in 1..=self.reach {
            // Within a ring the straight ways come before the diagonal ones.
            for aside in 0..=ring {
                let places = [(ring, aside), (aside, ring)];
                for (dx, dz) in places {
                    for (sx, sz) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
                        let (nx, nz) = (x + sx * dx, z + sz * dz);
                        if let Some(span) = self.span(nx, nz, floor) {
                            return Some(self.walk(span, x - nx, z - nz));
                        }
                    }
                }
            }
        }
        None
    }

    /// The height reached on the way from `span` by (dx, dz) cells over linked ground.
    fn walk(&self, mut span: usize, mut dx: i32, mut dz: i32) -> i32 {
        while (dx, dz) != (0, 0) {
            let links = &self.field.neighbours[span];
            let along_x = (dx != 0).then(|| links[if dx < 0 { 0 } else { 2 }]).filter(|&to| to != NONE);
            let along_z = (dz != 0).then(|| links[if dz > 0 { 1 } else { 3 }]).filter(|&to| to != NONE);
            let x_first = dx.abs() >= dz.abs();
            match (along_x, along_z) {
                (Some(to), other) if x_first || other.is_none() => {
                    span = to as usize;
                    dx -= dx.signum();
                }
                (_, Some(to)) => {
                    span = to as usize;
                    dz -= dz.signum();
                }
                _ => break,
            }
        }
        i32::from(self.field.y[span])
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
        let height = |region| ground.height(3, 0, Floor { region, near_y: 11 });
        assert_eq!([1, 2, 3].map(height), [Some(2), Some(20), None]);
    }

    #[test]
    fn a_column_of_many_floors_is_searched_from_the_middle() {
        let (field, mut regions) = ground(2, 1, |_, _| (0..50).map(|k| 20 * k).collect());
        for (i, id) in regions.id.iter_mut().enumerate() {
            *id = i as u32 % 50 + 1;
        }
        let ground = Ground::new(&field, &regions, 1.3);
        for near_y in [-5, 0, 500, 990, 5000] {
            for region in 1..=50 {
                assert_eq!(ground.height(1, 0, Floor { region, near_y }), Some(20 * (region as i32 - 1)));
            }
            assert_eq!(ground.height(1, 0, Floor { region: 51, near_y }), None);
        }
    }

    #[test]
    fn beyond_the_region_the_walk_follows_links() {
        // Heights 1, 2, 3, 4, 30: the last is no step from the fourth. Only the first two cells are of the region.
        let (field, mut regions) = ground(5, 1, |x, _| vec![if x == 4 { 30 } else { x as u16 + 1 }]);
        regions.id.fill(0);
        regions.id[..2].fill(1);
        let ground = Ground::new(&field, &regions, 1.3);
        let heights: Vec<_> = (-1..6).map(|x| ground.height(x, 0, Floor { region: 1, near_y: 1 })).collect();
        assert_eq!(heights, [Some(1), Some(1), Some(2), Some(3), Some(4), Some(4), None]);
    }
}
