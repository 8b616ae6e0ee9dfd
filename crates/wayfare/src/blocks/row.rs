//! Rows of cell centres through which links are crossed.

/// A row of cell centres that a path crosses: its coordinate along the direction of crossing, and its ends across.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The direction of crossing, an index of `SIDES`.
    pub(super) side: usize,
    /// Its coordinate along the direction of crossing.
    pub(super) line: i32,
    /// Its ends.
    pub(super) low: i32,
    pub(super) high: i32,
}

impl Row {
    /// 0 if it is crossed along x, 1 if along z.
    #[inline]
    pub(super) fn axis(&self) -> usize {
        self.side / 2
    }

    /// The (x, z) of the cell on it with this coordinate across.
    #[inline]
    pub(super) fn point(&self, across: i32) -> [i32; 2] {
        if self.axis() == 0 { [self.line, across] } else { [across, self.line] }
    }

    /// The left and right ends as seen when crossing: eastwards (+x) left is +z, towards +z left is −x.
    #[inline]
    pub(super) fn ends(&self) -> [[i32; 2]; 2] {
        let low = self.point(self.low);
        let high = self.point(self.high);
        if self.side == 1 || self.side == 2 { [high, low] } else { [low, high] }
    }

    /// The same run of cells, one row further.
    #[inline]
    pub(super) fn next(&self) -> Self {
        Self { line: self.line + if self.side.is_multiple_of(2) { -1 } else { 1 }, ..*self }
    }

    /// The coordinate across at which the shortest path from a cell before the row through the row to `goal` crosses
    /// it.
    #[inline]
    pub(super) fn aim(&self, from: [i32; 2], goal: [i32; 2]) -> i32 {
        if self.low == self.high {
            return self.low;
        }
        let axis = self.axis();
        let across = 1 - self.axis();
        let ahead = i64::from(self.line - from[axis]).abs();
        // A goal on this side of the row is mirrored.
        let beyond = (i64::from(goal[axis]) - i64::from(self.line)).abs();
        let aside = i64::from(goal[across]) - i64::from(from[across]);
        let whole = (ahead + beyond).max(1);
        let hit = (2 * aside * ahead + whole).div_euclid(2 * whole);
        (i64::from(from[across]) + hit).clamp(i64::from(self.low), i64::from(self.high)) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_crossed_where_the_straight_line_does() {
        let row = Row { side: 1, line: 4, low: -9, high: 9 };
        assert_eq!(row.aim([0, 0], [40, 80]), 8);
        assert_eq!(row.aim([0, 0], [40, 800]), 9);
        // A goal behind the row: as light is reflected by a mirror.
        assert_eq!(row.aim([0, 0], [0, 8]), 4);
        assert_eq!((row.next().line, row.ends()), (5, [[4, 9], [4, -9]]));
    }
}
