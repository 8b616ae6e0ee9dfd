//! Finds where links may take off: positions along the borders of a tile's polygons with no surface on the other side.
//!
//! Positions are one cell apart, where the edge crosses the centre of a column or row of the *level's* grid, whichever
//! it runs along. So they do not move when an edge is split elsewhere, for example by a tile's border.
//!
//! ```text
//!    ground   x____x____x____x____            x: places; each looks outwards, away from the polygon
//!                  :    :    :    \x          the part of a tile's border that leads into the neighbour has none
//! ```
//!
//! Cost: O(cells along the borders).
//!
//! Sources: as in [`links`](super::links): edges of the mesh are sampled, and each sample is tried.

use crate::tile::TileData;
use crate::voxel::Grid;
use glam::DVec2;

/// A take-off position. Coordinates are cells of the level's grid, heights cell heights above its lowest point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TakeOff {
    /// On the edge.
    pub(super) at: DVec2,
    /// Height of the edge there.
    pub(super) y: f64,
    /// The unit vector away from the polygon.
    pub(super) outward: DVec2,
    /// Number of the column or row.
    pub(super) number: i32,
    /// Number of the edge in the tile: positions of one edge are consecutive.
    pub(super) edge: u32,
}

impl TakeOff {
    /// The position this many cells outwards.
    pub(super) fn ahead(&self, cells: f64) -> DVec2 {
        self.at + self.outward * cells
    }
}

/// Calls `visit` with every position along the walls of a tile, edge by edge.
pub(super) fn visit_take_offs(tile: &TileData, level: &Grid, mut visit: impl FnMut(TakeOff)) {
    let mut open: Vec<(u32, i32)> = tile.seams().iter().map(|seam| (seam.edge, seam.cell)).collect();
    open.sort_unstable();
    for poly in 0..tile.polys().len() as u32 {
        for (corner, &beyond) in tile.corner_range(poly).zip(tile.neighbours_of(poly)) {
            if beyond.as_poly().is_some() {
                continue;
            }
            let edge = corner as u32;
            let [a, b] = tile.edge(poly, edge).map(|v| {
                let at = (v - level.origin).as_dvec3();
                let side = f64::from(level.cell_size);
                let height = f64::from(level.cell_height);
                // Corners lie on the lines of the grid.
                [(at.x / side).round(), (at.y / height).round(), (at.z / side).round()]
            });
            let is_border = beyond.as_border().is_some();
            along(a, b, edge, |place| {
                if !is_border || open.binary_search(&(edge, place.number)).is_err() {
                    visit(place);
                }
            });
        }
    }
}

/// The positions on the edge from `a` to `b`, with the surface on the polygon's side.
fn along(a: [f64; 3], b: [f64; 3], edge: u32, mut visit: impl FnMut(TakeOff)) {
    let dx = b[0] - a[0];
    let dz = b[2] - a[2];
    let length = (dx * dx + dz * dz).sqrt();
    if length < 0.5 {
        return;
    }
    let outward = DVec2::new(-dz / length, dx / length);
    let axis = if dx.abs() >= dz.abs() { 0 } else { 2 };
    let first = a[axis].min(b[axis]) as i32;
    let last = a[axis].max(b[axis]) as i32;
    for number in first..last {
        let t = (f64::from(number) + 0.5 - a[axis]) / (b[axis] - a[axis]);
        let on = |k: usize| a[k] + (b[k] - a[k]) * t;
        visit(TakeOff { at: DVec2::new(on(0), on(2)), y: on(1), outward, number, edge });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(a: [f64; 3], b: [f64; 3]) -> Vec<TakeOff> {
        let mut found = Vec::new();
        along(a, b, 0, |place| found.push(place));
        found
    }

    #[test]
    fn places_lie_in_the_middle_of_cells_and_look_outwards() {
        // The edge of a floor at its low x, which runs towards greater z.
        let found = places([3.0, 1.0, 2.0], [3.0, 4.0, 5.0]);
        assert_eq!(found.iter().map(|p| p.number).collect::<Vec<_>>(), [2, 3, 4]);
        assert_eq!((found[0].at, found[0].outward), (DVec2::new(3.0, 2.5), DVec2::new(-1.0, 0.0)));
        assert_eq!(found[1].y, 2.5);
    }

    #[test]
    fn cutting_an_edge_does_not_move_its_places() {
        let a = [0.0, 0.0, 0.0];
        let m = [6.0, 0.0, 3.0];
        let b = [10.0, 0.0, 5.0];
        let whole: Vec<DVec2> = places(a, b).iter().map(|p| p.at).collect();
        let parts: Vec<DVec2> = places(a, m).iter().chain(&places(m, b)).map(|p| p.at).collect();
        assert_eq!(whole.len(), 10);
        assert!(whole.iter().zip(&parts).all(|(p, q)| p.distance(*q) < 1e-12));
    }
}
